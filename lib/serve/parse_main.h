// parse_main.h: `CONTESTANT parse`: the work of a batch in-process, pass by pass over a dataset.
#ifndef MR_SERVE_PARSE_MAIN_H
#define MR_SERVE_PARSE_MAIN_H

#include <matchrace/serve.h>

// Runs `parse` with the words of `argv` after argv[0]; `name` stands before every message. The exit
// code; what went wrong has been said in one line.
int mr_parse_main(const char *name, int argc, char **argv, const struct mr_contestant *contestant);

#endif
