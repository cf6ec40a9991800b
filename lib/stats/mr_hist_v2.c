// mr_hist_v2.c: see mr_hist_v2.h.
#include "mr_hist_v2.h"

#include <base/mr_assert.h>

#include <string.h>

#define SIGNIFICANT_DIGITS 3u
#define LOWEST_NS          1u

static uint8_t *put_32(uint8_t *place, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        place[i] = (uint8_t)(value >> (24 - 8 * i));
    }
    return place + 4;
}

static uint8_t *put_64(uint8_t *place, uint64_t value)
{
    place = put_32(place, (uint32_t)(value >> 32));
    return put_32(place, (uint32_t)value);
}

size_t mr_hist_v2_number(int64_t value, uint8_t *bytes_out)
{
    uint64_t left = (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0);
    size_t bytes = 0;
    while (left > 0x7f && bytes < MR_HIST_V2_LEB128_BYTES - 1) {
        bytes_out[bytes++] = (uint8_t)(left | 0x80);
        left >>= 7;
    }
    bytes_out[bytes++] = (uint8_t)left;
    return bytes;
}

static size_t encode_counts(const struct mr_hist *hist, uint8_t *bytes_out)
{
    size_t limit = mr_hist_index(hist->max_ns) + 1;
    size_t bytes = 0;
    for (size_t i = 0; i < limit;) {
        size_t zeros = 0;
        while (i + zeros < limit && hist->counts[i + zeros] == 0) {
            zeros++;
        }
        if (zeros > 1) {
            bytes += mr_hist_v2_number(-(int64_t)zeros, bytes_out + bytes);
            i += zeros;
        } else {
            MR_ASSERT(hist->counts[i] <= INT64_MAX);
            bytes += mr_hist_v2_number((int64_t)hist->counts[i], bytes_out + bytes);
            i++;
        }
    }
    return bytes;
}

size_t mr_hist_v2_encode(const struct mr_hist *hist, uint8_t *bytes_out)
{
    size_t counts_bytes = encode_counts(hist, bytes_out + MR_HIST_V2_HEAD_BYTES);
    const double ratio = 1.0;
    uint64_t ratio_bits;
    memcpy(&ratio_bits, &ratio, sizeof ratio_bits);
    uint8_t *place = put_32(bytes_out, MR_HIST_V2_COOKIE);
    place = put_32(place, (uint32_t)counts_bytes);
    place = put_32(place, 0);
    place = put_32(place, SIGNIFICANT_DIGITS);
    place = put_64(place, LOWEST_NS);
    place = put_64(place, MR_HIST_MAX_NS);
    place = put_64(place, ratio_bits);
    MR_ASSERT(place == bytes_out + MR_HIST_V2_HEAD_BYTES);
    return MR_HIST_V2_HEAD_BYTES + counts_bytes;
}
