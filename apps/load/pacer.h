// pacer.h: waiting: absolute deadlines, sleep, then spin the last stretch; and what waiting costs
// here.
#ifndef MR_LOAD_PACER_H
#define MR_LOAD_PACER_H

#include <matchrace/attributes.h>

#include <stdint.h>
#include <sys/epoll.h>

// The longest sleep, so that signals and a failure elsewhere are seen in time.
#define MR_PACER_SLEEP_NS_MAX 50000000u

// Below this it is not worth to sleep: the kernel's own way there and back.
#define MR_PACER_SLEEP_NS_MIN 5000u

// How long the loop may sleep at `now_ns`: until `spin_ns` before `deadline_ns` (UINT64_MAX: none),
// at most MR_PACER_SLEEP_NS_MAX; 0: look again at once. `active_ns` is when a byte last moved: for
// `spin_ns` after it the loop does not sleep either. Pure.
uint64_t mr_pacer_sleep_ns(uint64_t now_ns, uint64_t deadline_ns, uint64_t active_ns,
                           uint64_t spin_ns);

// epoll_wait() with a timeout in ns. Number of events, 0 after the timeout or a signal, or a
// negative errno.
MR_NODISCARD int mr_pacer_poll(int epoll_fd, struct epoll_event *events, int events_max,
                               uint64_t timeout_ns);

// Sets the calling thread's timer slack to 1 ns. 0 or a negative errno.
MR_NODISCARD int mr_pacer_sharpen(void);

// What the machine takes for a look at the clock and for a sleep, measured on the calling thread.
struct mr_pacer_costs {
    double clock_ns;           // one call of mr_clock_ns(), the smallest of several means
    uint64_t overshoot_p50_ns; // of sleeps of 200 us by the loop's own means
    uint64_t overshoot_p99_ns;
    uint64_t overshoot_max_ns;
    uint64_t sleeps; // 0: not measured
};

// Takes about 60 ms. 0 or a negative errno.
MR_NODISCARD int mr_pacer_measure(struct mr_pacer_costs *costs_out);

// The sleeps alone. 0 or a negative errno, with `sleeps` 0.
MR_NODISCARD int mr_pacer_measure_sleeps(struct mr_pacer_costs *costs_io);

#endif
