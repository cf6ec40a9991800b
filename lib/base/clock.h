// clock.h: the one monotonic clock of the lab, in integer nanoseconds.
#ifndef MR_BASE_CLOCK_H
#define MR_BASE_CLOCK_H

#include <stdint.h>

#define MR_NS_PER_S  1000000000ull
#define MR_NS_PER_MS 1000000ull
#define MR_NS_PER_US 1000ull

// CLOCK_MONOTONIC now, in ns. Thread-safe; cannot fail on Linux (asserted).
uint64_t mr_clock_ns(void);

// Sleeps until `deadline_ns` of mr_clock_ns(); returns at once when it has passed. Signals do not
// shorten the sleep.
void mr_clock_sleep_until(uint64_t deadline_ns);

// Wall-clock time as "2026-11-30T14:48:30Z" into `text_out` (at least 21 bytes), for reports only;
// never used to measure.
void mr_clock_utc_text(char text_out[21]);

#endif
