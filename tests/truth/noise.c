// noise.c: see noise.h.
#include "noise.h"

#include <stats/robust.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// False: the line is none of those known, or there is no room.
static bool take_line(struct noises *noises, char *line)
{
    line[strcspn(line, "\n")] = '\0';
    if (line[0] == '#' || line[0] == '\0') {
        return true;
    }
    if (strncmp(line, "series ", 7) == 0) {
        if (noises->count == NOISE_SERIES_MAX) {
            return false;
        }
        struct noise *series = &noises->series[noises->count++];
        (void)snprintf(series->name, sizeof series->name, "%.63s", line + 7);
        return true;
    }
    char *end;
    double ratio = strtod(line, &end);
    if (*end != '\0' || !(ratio > 0) || !isfinite(ratio) || noises->count == 0) {
        return false;
    }
    struct noise *series = &noises->series[noises->count - 1];
    if (series->count == NOISE_VALUES_MAX) {
        return false;
    }
    series->logs[series->count++] = log(ratio);
    return true;
}

static void centre(struct noise *series)
{
    double scratch[NOISE_VALUES_MAX];
    double median = mr_median(series->logs, series->count, scratch);
    for (size_t i = 0; i < series->count; i++) {
        series->logs[i] -= median;
    }
}

bool noises_read(struct noises *noises_out, const char *path)
{
    *noises_out = (struct noises){.count = 0};
    FILE *file = fopen(path, "r");
    char line[256];
    bool good = file != NULL;
    while (good && fgets(line, sizeof line, file) != NULL) {
        good = take_line(noises_out, line);
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    good &= noises_out->count > 0;
    for (size_t i = 0; good && i < noises_out->count; i++) {
        good = noises_out->series[i].count >= 20;
        if (good) {
            centre(&noises_out->series[i]);
        }
    }
    if (!good) {
        (void)fprintf(stderr, "%s: no recorded ratios (series of at least 20)\n", path);
    }
    return good;
}

double noise_draw(const struct noise *noise, struct mr_rng *rng)
{
    double value = noise->logs[mr_rng_below(rng, noise->count)];
    return mr_rng_below(rng, 2) == 0 ? value : -value;
}

double draw_uniform(struct mr_rng *rng)
{
    return ((double)(mr_rng_next(rng) >> 11) + 0.5) * 0x1p-53;
}

double draw_normal(struct mr_rng *rng)
{
    return sqrt(-2 * log(draw_uniform(rng))) * cos(6.283185307179586 * draw_uniform(rng));
}
