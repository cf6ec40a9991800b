// notes_kernels.h: the table of kernels of the notes writer, by instruction set.
#ifndef MR_SERIAL_NOTES_KERNELS_H
#define MR_SERIAL_NOTES_KERNELS_H

#include "notes_cursor.h"

struct mr_notes_kernel {
    const char *name;
    uint32_t features; // bits of enum mr_cpu_feature that must be there
    // Writes whole notes from the cursor on, which stands at HEAD, as long as there is room for the
    // longest that each may become and MR_KERNEL_SLACK more; leaves the cursor at HEAD or END, and
    // before a note that is no UTF-8. Returns the bytes written. NULL: all is the specification's.
    size_t (*write)(struct mr_notes_cursor *cursor, uint8_t *out, size_t capacity);
    // Widens well-formed UTF-8 to UTF-16 units; returns their number. `out` has room for as many
    // units as there are bytes. NULL: mr_widen_scalar() does it.
    size_t (*widen)(const uint8_t *bytes, size_t count, uint16_t *out);
};

// The kernels from the slowest to the fastest; mr_notes_kernels_count entries, at least one.
extern const struct mr_notes_kernel mr_notes_kernels[];
extern const size_t mr_notes_kernels_count;

// notes_avx2.c.
size_t mr_notes_avx2(struct mr_notes_cursor *cursor, uint8_t *out, size_t capacity);
size_t mr_widen_avx2(const uint8_t *bytes, size_t count, uint16_t *out);

// widen.c: as many units as mr_widened_units() says, and none behind.
size_t mr_widen_scalar(const uint8_t *bytes, size_t count, uint16_t *out);
size_t mr_widened_units(const uint8_t *bytes, size_t count);

#endif
