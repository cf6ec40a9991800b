// reading.h: a figure read from outside, which may be unavailable: that is never shown as zero.
#ifndef MR_HOST_READING_H
#define MR_HOST_READING_H

#include <stdbool.h>
#include <stdint.h>

// One figure; `value` means something only where `known`. A struct of zeros is "unavailable".
struct mr_reading {
    uint64_t value;
    bool known;
};

#define MR_READING_TEXT_MAX 96

// One short word or line; `text` is "unavailable" where it is not `known`.
struct mr_reading_text {
    char text[MR_READING_TEXT_MAX];
    bool known;
};

// A figure that was read.
static inline struct mr_reading mr_reading_of(uint64_t value)
{
    return (struct mr_reading){.value = value, .known = true};
}

// later − earlier; unavailable where one of them is, or where the counter went backwards.
static inline struct mr_reading mr_reading_since(struct mr_reading earlier, struct mr_reading later)
{
    if (!earlier.known || !later.known || later.value < earlier.value) {
        return (struct mr_reading){0};
    }
    return mr_reading_of(later.value - earlier.value);
}

#endif
