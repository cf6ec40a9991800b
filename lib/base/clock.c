// clock.c: see clock.h.
#include "clock.h"

#include "mr_assert.h"

#include <errno.h>
#include <time.h>

uint64_t mr_clock_ns(void)
{
    struct timespec now;
    int failed = clock_gettime(CLOCK_MONOTONIC, &now);
    MR_ASSERT(failed == 0);
    return (uint64_t)now.tv_sec * MR_NS_PER_S + (uint64_t)now.tv_nsec;
}

void mr_clock_sleep_until(uint64_t deadline_ns)
{
    struct timespec deadline = {.tv_sec = (time_t)(deadline_ns / MR_NS_PER_S),
                                .tv_nsec = (long)(deadline_ns % MR_NS_PER_S)};
    int result;
    do {
        result = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, NULL);
    } while (result == EINTR);
    MR_ASSERT(result == 0);
}

void mr_clock_utc_text(char text_out[21])
{
    time_t now = time(NULL);
    struct tm parts;
    MR_ASSERT(gmtime_r(&now, &parts) != NULL);
    size_t written = strftime(text_out, 21, "%Y-%m-%dT%H:%M:%SZ", &parts);
    MR_ASSERT(written == 20);
}
