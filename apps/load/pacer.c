// pacer.c: see pacer.h.
#include "pacer.h"

#include "base/clock.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define COST_ROUNDS 8
#define COST_CALLS  2000
#define COST_SLEEPS 200
#define COST_SLEEP  200000u

uint64_t mr_pacer_sleep_ns(uint64_t now_ns, uint64_t deadline_ns, uint64_t active_ns,
                           uint64_t spin_ns)
{
    if (now_ns - active_ns < spin_ns || deadline_ns <= now_ns || deadline_ns - now_ns <= spin_ns) {
        return 0;
    }
    uint64_t sleep_ns = deadline_ns - now_ns - spin_ns;
    if (sleep_ns < MR_PACER_SLEEP_NS_MIN) {
        return 0;
    }
    return sleep_ns < MR_PACER_SLEEP_NS_MAX ? sleep_ns : MR_PACER_SLEEP_NS_MAX;
}

int mr_pacer_poll(int epoll_fd, struct epoll_event *events, int events_max, uint64_t timeout_ns)
{
    struct timespec timeout = {.tv_sec = (time_t)(timeout_ns / MR_NS_PER_S),
                               .tv_nsec = (long)(timeout_ns % MR_NS_PER_S)};
    int ready = epoll_pwait2(epoll_fd, events, events_max, &timeout, NULL);
    if (ready < 0) {
        return errno == EINTR ? 0 : -errno;
    }
    return ready;
}

int mr_pacer_sharpen(void)
{
    return prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL) == 0 ? 0 : -errno;
}

static double clock_cost_ns(void)
{
    double best = 1e9;
    for (int round = 0; round < COST_ROUNDS; round++) {
        uint64_t begin = mr_clock_ns();
        uint64_t end = begin;
        for (int call = 0; call < COST_CALLS; call++) {
            end = mr_clock_ns();
        }
        double mean = (double)(end - begin) / COST_CALLS;
        best = mean < best ? mean : best;
    }
    return best;
}

static int compare_counts(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

int mr_pacer_measure_sleeps(struct mr_pacer_costs *costs_io)
{
    costs_io->sleeps = 0;
    int epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (epoll_fd < 0) {
        return -errno;
    }
    uint64_t overshoot_ns[COST_SLEEPS];
    int result = 0;
    for (int i = 0; i < COST_SLEEPS && result == 0; i++) {
        struct epoll_event event;
        uint64_t due_ns = mr_clock_ns() + COST_SLEEP;
        result = mr_pacer_poll(epoll_fd, &event, 1, COST_SLEEP);
        uint64_t now_ns = mr_clock_ns();
        overshoot_ns[i] = now_ns > due_ns ? now_ns - due_ns : 0;
    }
    (void)close(epoll_fd);
    if (result != 0) {
        return result;
    }
    qsort(overshoot_ns, COST_SLEEPS, sizeof overshoot_ns[0], compare_counts);
    costs_io->sleeps = COST_SLEEPS;
    costs_io->overshoot_p50_ns = overshoot_ns[COST_SLEEPS / 2];
    costs_io->overshoot_p99_ns = overshoot_ns[COST_SLEEPS * 99 / 100 - 1];
    costs_io->overshoot_max_ns = overshoot_ns[COST_SLEEPS - 1];
    return 0;
}

int mr_pacer_measure(struct mr_pacer_costs *costs_out)
{
    *costs_out = (struct mr_pacer_costs){.clock_ns = clock_cost_ns()};
    return mr_pacer_measure_sleeps(costs_out);
}
