// notes_random.c: the fuzz target of the notes writer without a fuzzer: drawn inputs, the same
// every time, for every compiler.
//
//     notes_random EXECUTIONS SEED
#include "base/rng.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

// What texts are made of: plain runs, escapes, sequences, and now and then what is none.
static const char *const pieces[] = {
    "plain",      "0123456789abcdef",
    "a",          "\"",
    "\\",         "\n",
    "\x01",       "\x1F",
    "\x7F",       "<",
    "&",          "/",
    "\u00E9",     "\u6F22",
    "\U0001F600", "`+",
    "'",          "\t",
    "\u07FF",     "\uFFFF",
};

static size_t draw_texts(struct mr_rng *rng, uint8_t *out, size_t bytes)
{
    size_t length = 0;
    bool is_bad = mr_rng_below(rng, 4) == 0;
    unsigned kinds = (unsigned)mr_rng_between(rng, 1, sizeof pieces / sizeof pieces[0]);
    while (length + 16 < bytes) {
        const char *piece = pieces[mr_rng_below(rng, kinds)];
        size_t count = strlen(piece);
        memcpy(out + length, piece, count);
        length += count;
        if (is_bad && mr_rng_below(rng, 50) == 0) {
            out[length++] = (uint8_t)mr_rng_next(rng);
        }
    }
    return length;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        (void)fprintf(stderr, "usage: notes_random EXECUTIONS SEED\n");
        return 2;
    }
    unsigned long executions = strtoul(argv[1], NULL, 10);
    struct mr_rng rng = mr_rng_seeded(strtoul(argv[2], NULL, 10));
    for (unsigned long i = 0; i < executions; i++) {
        uint8_t input[1600];
        for (size_t k = 0; k < 32; k++) {
            input[k] = (uint8_t)mr_rng_next(&rng);
        }
        size_t bytes = draw_texts(&rng, input + 25, mr_rng_between(&rng, 16, sizeof input - 25));
        (void)LLVMFuzzerTestOneInput(input, 25 + bytes);
    }
    printf("%lu inputs\n", executions);
    return 0;
}
