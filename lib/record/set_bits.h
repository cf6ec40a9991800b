// set_bits.h: the set bits of a byte, as indexes of a shuffle that brings the bytes they stand for
// to the front: compress for processors that lack it, eight bytes a step, from 2 KiB.
#ifndef MR_RECORD_SET_BITS_H
#define MR_RECORD_SET_BITS_H

#include <stdint.h>

// Zeros behind the last one.
extern const uint8_t mr_set_bits[256][8];

#endif
