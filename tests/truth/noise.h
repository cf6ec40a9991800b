// noise.h: recorded noise of pairs of twins, and draws from it.
#ifndef MR_TESTS_TRUTH_NOISE_H
#define MR_TESTS_TRUTH_NOISE_H

#include <base/rng.h>

#include <stdbool.h>
#include <stddef.h>

#define NOISE_SERIES_MAX 8
#define NOISE_VALUES_MAX 512

// Log ratios of one recorded race of a contestant against itself, less their median.
struct noise {
    char name[64];
    double logs[NOISE_VALUES_MAX];
    size_t count;
};

struct noises {
    struct noise series[NOISE_SERIES_MAX];
    size_t count;
};

// Reads a file of lines: "# …", "series NAME", or a ratio. False: one line on standard error says
// why.
bool noises_read(struct noises *noises_out, const char *path);

// One of the recorded values, its sign drawn anew: noise without any difference.
double noise_draw(const struct noise *noise, struct mr_rng *rng);

// Uniform in (0, 1), and normal with variance 1.
double draw_uniform(struct mr_rng *rng);
double draw_normal(struct mr_rng *rng);

#endif
