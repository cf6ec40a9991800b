// widen.c: well-formed UTF-8 to UTF-16 units, one character at a time.
#include "note_escape.h"
#include "notes_kernels.h"

size_t mr_widened_units(const uint8_t *bytes, size_t count)
{
    size_t units = 0;
    for (size_t i = 0; i < count; i++) {
        units += (size_t)((bytes[i] & 0xC0) != 0x80) + (size_t)(bytes[i] >= 0xF0);
    }
    return units;
}

size_t mr_widen_scalar(const uint8_t *bytes, size_t count, uint16_t *out)
{
    size_t units = 0;
    for (size_t i = 0; i < count;) {
        uint32_t scalar = bytes[i];
        i += scalar < 0x80 ? 1 : mr_decode(bytes + i, bytes + count, &scalar);
        if (scalar < 0x10000) {
            out[units++] = (uint16_t)scalar;
        } else {
            out[units++] = (uint16_t)(0xD800 + ((scalar - 0x10000) >> 10));
            out[units++] = (uint16_t)(0xDC00 + (scalar & 0x3FF));
        }
    }
    return units;
}
