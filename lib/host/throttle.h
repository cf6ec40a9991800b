// throttle.h: how often and how long our control groups' quota held threads back.
#ifndef MR_HOST_THROTTLE_H
#define MR_HOST_THROTTLE_H

#include "reading.h"

// Since the groups were made; take two and subtract with mr_reading_since().
struct mr_throttle {
    struct mr_reading count; // periods in which threads were held back
    struct mr_reading ns;    // how long, over all cores
};

// Adds up our control group and those above it (cpu.stat: nr_throttled, and throttled_usec of
// version 2 or throttled_time of version 1); unavailable where none of them tells. `root` is put
// before /proc and /sys: "" for this machine.
void mr_throttle_read(const char *root, struct mr_throttle *throttle_out);

#endif
