// parser_words.c: see parser_words.h.
#include "parser_words.h"

#include <stdio.h>
#include <string.h>

void mr_parser_words_init(struct mr_parser_words *words_out, const struct mr_contestant *contestant)
{
    *words_out = (struct mr_parser_words){{NULL}, ""};
    memcpy(words_out->modes, mr_mode_names, sizeof mr_mode_names);
    (void)snprintf(words_out->kernel_help, sizeof words_out->kernel_help,
                   "The parser's variant (default: the best that this machine runs): %s.",
                   contestant->kernels_help);
}
