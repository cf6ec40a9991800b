// mr_hist_v2.h: a histogram in HdrHistogram's V2 encoding, before compression.
//
// 40 bytes of header, big endian: cookie, bytes of the counts, normalizing index offset (0),
// significant digits (3), lowest and highest value (1, MR_HIST_MAX_NS), ratio of integer to double
// (1.0). Behind them the counts up to the largest value's, each as ZigZag LEB128; a run of two and
// more zeros is one negative number, its length. Source: HdrHistogram's encodeIntoByteBuffer() and
// ZigZagEncoding (public domain), read back by it and by HdrHistogram_c.
#ifndef MR_STATS_HIST_V2_H
#define MR_STATS_HIST_V2_H

#include "mr_hist.h"

#include <matchrace/attributes.h>

#include <stddef.h>
#include <stdint.h>

// The low byte's upper half is the word size; 1 says that counts are LEB128.
#define MR_HIST_V2_COOKIE            0x1c849313u
#define MR_HIST_V2_COMPRESSED_COOKIE 0x1c849314u

#define MR_HIST_V2_HEAD_BYTES   40u
#define MR_HIST_V2_LEB128_BYTES 9u // most of one number
#define MR_HIST_V2_BYTES_MAX    (MR_HIST_V2_HEAD_BYTES + MR_HIST_V2_LEB128_BYTES * MR_HIST_COUNTS_LEN)

// Encodes `hist` into `bytes_out`, which has room for MR_HIST_V2_BYTES_MAX. Returns the bytes
// written. Values out of range are not in it: the format has no place for them.
size_t mr_hist_v2_encode(const struct mr_hist *hist, uint8_t *bytes_out);

// Writes `value` as ZigZag LEB128, at most MR_HIST_V2_LEB128_BYTES: seven bits a byte, low ones
// first, bit 7 says that more follows; a ninth byte has eight. Returns the bytes written.
size_t mr_hist_v2_number(int64_t value, uint8_t *bytes_out);

#endif
