// steadiness.c: see steadiness.h.
#include "steadiness.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

int mr_steadiness_init(struct mr_steadiness *steadiness_out, uint64_t begin_ns, uint64_t compiled)
{
    *steadiness_out = (struct mr_steadiness){
        .begin_ns = begin_ns, .window_begin_ns = begin_ns, .compiled = compiled};
    steadiness_out->window_ns = malloc(MR_WINDOW_ITERATIONS_MAX * sizeof(uint64_t));
    return steadiness_out->window_ns == NULL ? -ENOMEM : 0;
}

void mr_steadiness_fini(struct mr_steadiness *steadiness)
{
    free(steadiness->window_ns);
    steadiness->window_ns = NULL;
}

static int compare(const void *one, const void *other)
{
    uint64_t a = *(const uint64_t *)one;
    uint64_t b = *(const uint64_t *)other;
    return (a > b) - (a < b);
}

static double median(uint64_t *values, size_t count)
{
    qsort(values, count, sizeof values[0], compare);
    return ((double)values[(count - 1) / 2] + (double)values[count / 2]) / 2;
}

static void close_window(struct mr_steadiness *steadiness, uint64_t end_ns, uint64_t compiled)
{
    steadiness->before_last = steadiness->last;
    steadiness->last = (struct mr_window){
        .median_ns = median(steadiness->window_ns, steadiness->window_count),
        .compiled = compiled - steadiness->compiled,
    };
    steadiness->window_count = 0;
    steadiness->window_begin_ns = end_ns;
    steadiness->compiled = compiled;
}

void mr_steadiness_add(struct mr_steadiness *steadiness, uint64_t took_ns, uint64_t end_ns,
                       uint64_t compiled)
{
    if (steadiness->iterations == 0) {
        steadiness->first_ns = took_ns;
    }
    if (steadiness->iterations < MR_STEADY_ITERATIONS_MIN) {
        steadiness->first_ten_ns += took_ns;
    }
    steadiness->iterations++;
    // More than fit into a window that is not over in time yet: the later ones are left out.
    if (steadiness->window_count < MR_WINDOW_ITERATIONS_MAX) {
        steadiness->window_ns[steadiness->window_count++] = took_ns;
    }
    if (steadiness->window_count >= MR_WINDOW_ITERATIONS_MIN &&
        end_ns - steadiness->window_begin_ns >= MR_WINDOW_TIME_MIN_NS) {
        close_window(steadiness, end_ns, compiled);
    }
}

bool mr_is_steady(const struct mr_steadiness *steadiness)
{
    const struct mr_window *last = &steadiness->last;
    const struct mr_window *before = &steadiness->before_last;
    return before->median_ns > 0 && last->compiled == 0 && before->compiled == 0 &&
           fabs(last->median_ns - before->median_ns) < MR_STEADY_DIFFERENCE_MAX * before->median_ns;
}

bool mr_is_enough(const struct mr_steadiness *steadiness, uint64_t now_ns)
{
    uint64_t since_ns = now_ns - steadiness->begin_ns;
    return since_ns >= MR_STEADY_TIME_MAX_NS ||
           (since_ns >= MR_STEADY_TIME_MIN_NS &&
            steadiness->iterations >= MR_STEADY_ITERATIONS_MIN && mr_is_steady(steadiness));
}
