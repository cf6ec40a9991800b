// hdr_line.c: see hdr_line.h.
#include "hdr_line.h"

#include "base/mr_assert.h"
#include "stats/mr_hist_v2.h"

#include <errno.h>
#include <stdlib.h>
#include <zlib.h>

#define COMPRESSED_HEAD_BYTES 8u

// Three bytes to four characters, '=' where there are no more (RFC 4648, section 4).
static void write_base64(FILE *file, const uint8_t *bytes, size_t size_bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size_bytes; i += 3) {
        size_t there = size_bytes - i < 3 ? size_bytes - i : 3;
        uint32_t group = (uint32_t)bytes[i] << 16;
        group |= there > 1 ? (uint32_t)bytes[i + 1] << 8 : 0;
        group |= there > 2 ? bytes[i + 2] : 0u;
        char text[4] = {digits[group >> 18], digits[group >> 12 & 63], '=', '='};
        if (there > 1) {
            text[2] = digits[group >> 6 & 63];
        }
        if (there > 2) {
            text[3] = digits[group & 63];
        }
        (void)fwrite(text, 1, sizeof text, file);
    }
}

static void put_32(uint8_t *place, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        place[i] = (uint8_t)(value >> (24 - 8 * i));
    }
}

// Cookie, bytes that follow, zlib stream. `compressed` has room for the bound of `plain_bytes`.
static size_t compress_counts(const uint8_t *plain, size_t plain_bytes, uint8_t *compressed,
                              uLongf room_bytes)
{
    int status = compress2(compressed + COMPRESSED_HEAD_BYTES, &room_bytes, plain,
                           (uLong)plain_bytes, Z_BEST_COMPRESSION);
    if (status == Z_MEM_ERROR) {
        return 0;
    }
    MR_ASSERT(status == Z_OK);
    put_32(compressed, MR_HIST_V2_COMPRESSED_COOKIE);
    put_32(compressed + 4, (uint32_t)room_bytes);
    return COMPRESSED_HEAD_BYTES + (size_t)room_bytes;
}

int mr_hdr_line_write(FILE *file, const struct mr_hdr_interval *interval,
                      const struct mr_hist *hist)
{
    uLong bound_bytes = compressBound(MR_HIST_V2_BYTES_MAX);
    uint8_t *plain = malloc(MR_HIST_V2_BYTES_MAX);
    uint8_t *compressed = malloc(COMPRESSED_HEAD_BYTES + (size_t)bound_bytes);
    int result = -ENOMEM;
    if (plain != NULL && compressed != NULL) {
        size_t plain_bytes = mr_hist_v2_encode(hist, plain);
        size_t bytes = compress_counts(plain, plain_bytes, compressed, bound_bytes);
        result = bytes == 0 ? -ENOMEM : 0;
        if (result == 0) {
            // Times in s, the maximum in ms, as HdrHistogram's own writer does with ns.
            uint64_t max_ns = mr_hist_high_ns(mr_hist_index(mr_hist_max_ns(hist)));
            (void)fprintf(file, "%s%s%s%.3f,%.3f,%.3f,", interval->tag != NULL ? "Tag=" : "",
                          interval->tag != NULL ? interval->tag : "",
                          interval->tag != NULL ? "," : "", (double)interval->start_ns / 1e9,
                          (double)interval->length_ns / 1e9, (double)max_ns / 1e6);
            write_base64(file, compressed, bytes);
            (void)fputc('\n', file);
        }
    }
    free(compressed);
    free(plain);
    return result;
}
