// rival_main.h: put before a contestant's main file: its main gets another name, and what it would
// serve is caught instead (see rivals.h).
#ifndef MR_TESTS_RIVAL_MAIN_H
#define MR_TESTS_RIVAL_MAIN_H

// As the main itself might, and before anything is included.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <matchrace/serve.h>

#ifdef __cplusplus
extern "C" {
#endif

int mr_rival_caught(int argc, char **argv, const struct mr_contestant *contestant);
int MR_RIVAL_MAIN(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#define main          MR_RIVAL_MAIN
#define mr_serve_main mr_rival_caught

#endif
