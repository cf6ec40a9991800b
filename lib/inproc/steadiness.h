// steadiness.h: how long a process of a job without sockets repeats: the warm-up rule of
// docs/SERIAL.md, on numbers alone.
//
// At least 10 iterations and 8 s; then until two windows behind each other (each of at least 1 s
// and 5 iterations) have medians within 5 % and no method was compiled in them. After 30 s it stops
// anyway, unsteady.
#ifndef MR_INPROC_STEADINESS_H
#define MR_INPROC_STEADINESS_H

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MR_STEADY_TIME_MIN_NS    8000000000ull
#define MR_STEADY_TIME_MAX_NS    30000000000ull
#define MR_STEADY_ITERATIONS_MIN 10u
#define MR_WINDOW_TIME_MIN_NS    1000000000ull
#define MR_WINDOW_ITERATIONS_MIN 5u
#define MR_WINDOW_ITERATIONS_MAX 100000u
#define MR_STEADY_DIFFERENCE_MAX 0.05

struct mr_window {
    double median_ns; // 0: there is none
    uint64_t compiled;
};

struct mr_steadiness {
    uint64_t begin_ns; // of the first iteration
    uint64_t iterations;
    uint64_t first_ns;     // the time of the first,
    uint64_t first_ten_ns; // and of the first ten together, as far as there were
    uint64_t *window_ns;   // times of the window that is open
    size_t window_count;
    uint64_t window_begin_ns;
    uint64_t compiled; // methods compiled when the window that is open began
    struct mr_window last;
    struct mr_window before_last;
};

// `begin_ns`: of the same clock as mr_steadiness_add()'s end_ns; `compiled`: methods compiled so
// far, 0 where nothing is compiled. 0 or -ENOMEM. Ended with mr_steadiness_fini().
MR_NODISCARD int mr_steadiness_init(struct mr_steadiness *steadiness_out, uint64_t begin_ns,
                                    uint64_t compiled);
void mr_steadiness_fini(struct mr_steadiness *steadiness);

// An iteration that took `took_ns`, over at `end_ns`, its verification included.
void mr_steadiness_add(struct mr_steadiness *steadiness, uint64_t took_ns, uint64_t end_ns,
                       uint64_t compiled);

// Whether the last two windows agree, whatever the time.
bool mr_is_steady(const struct mr_steadiness *steadiness);

// Whether the rule ends the repetition at `now_ns`.
bool mr_is_enough(const struct mr_steadiness *steadiness, uint64_t now_ns);

#endif
