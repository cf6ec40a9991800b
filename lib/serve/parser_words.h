// parser_words.h: what the command lines of `serve` and `parse` say alike about modes and parser.
#ifndef MR_SERVE_PARSER_WORDS_H
#define MR_SERVE_PARSER_WORDS_H

#include <matchrace/serve.h>

struct mr_parser_words {
    const char *modes[MR_MODE_COUNT + 1]; // the choices of --mode; ends with NULL
    char kernel_help[256];                // of --kernel
};

void mr_parser_words_init(struct mr_parser_words *words_out,
                          const struct mr_contestant *contestant);

#endif
