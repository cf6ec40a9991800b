// power_table.h: 128 leading bits of the powers of five; the table is made at build time.
#ifndef MR_RECORD_POWER_TABLE_H
#define MR_RECORD_POWER_TABLE_H

#include <stdint.h>

#define MR_POWER_MIN (-342)
#define MR_POWER_MAX 308

// The 128 leading bits of a power of five; the top bit of `high` is set.
struct mr_power {
    uint64_t high;
    uint64_t low;
};

// Entry q - MR_POWER_MIN is for 5^q; how it is rounded stands in gen_power_table.c.
extern const struct mr_power mr_powers_of_five[MR_POWER_MAX - MR_POWER_MIN + 1];

#endif
