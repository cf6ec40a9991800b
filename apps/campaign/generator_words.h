// generator_words.h: the command line of the load generator for one trial.
#ifndef MR_CAMPAIGN_GENERATOR_WORDS_H
#define MR_CAMPAIGN_GENERATOR_WORDS_H

#include "driver.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>

#define MR_GENERATOR_WORDS_MAX   64
#define MR_GENERATOR_NUMBERS_MAX 16

// The words, ready for exec, with the numbers that some of them point to.
struct mr_generator_words {
    const char *argv[MR_GENERATOR_WORDS_MAX]; // ends with NULL
    size_t count;
    char number[MR_GENERATOR_NUMBERS_MAX][32];
    size_t numbers_count;
    char steps[1024];
};

// Composes `matchrace load` against `address` with the load of `run`, every rate of which is known
// (asserted), its result going to `result_path`. The texts must outlive *words_out. False: the
// steps of the plan are too long for a word.
MR_NODISCARD bool mr_generator_words(const struct mr_trial_run *run, const char *address,
                                     const char *result_path, struct mr_generator_words *words_out);

#endif
