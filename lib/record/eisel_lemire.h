// eisel_lemire.h: the binary64 nearest to w * 10^q for w of up to 64 bits.
#ifndef MR_RECORD_EISEL_LEMIRE_H
#define MR_RECORD_EISEL_LEMIRE_H

#include <stdint.h>

// Bits of the non-negative binary64 nearest to `significand` * 10^`exponent`, ties to even, for
// every `significand` and `exponent`: subnormals, zero on underflow and infinity on overflow
// included. Touches no floating-point state. Thread-safe.
uint64_t mr_eisel_lemire(uint64_t significand, int64_t exponent);

#endif
