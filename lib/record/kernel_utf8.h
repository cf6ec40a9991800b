// kernel_utf8.h: the tables by which the vector kernels check UTF-8. Keiser, Lemire, Validating
// UTF-8 in less than one instruction per byte, SPE 51 (2021).
#ifndef MR_RECORD_KERNEL_UTF8_H
#define MR_RECORD_KERNEL_UTF8_H

#include <stdint.h>

enum {
    TOO_SHORT = 1,
    TOO_LONG = 2,
    OVERLONG_3 = 4,
    TOO_LARGE = 8,
    SURROGATE = 16,
    OVERLONG_2 = 32,
    TOO_LARGE_1000 = 64,
    OVERLONG_4 = 64,
    TWO_CONTS = 128,
    CARRY = TOO_SHORT | TOO_LONG | TWO_CONTS
};

// What each half of a byte and of the one behind it speaks for; a fault is what all three name.
static const int8_t utf8_first_high[16] = {TOO_LONG,
                                           TOO_LONG,
                                           TOO_LONG,
                                           TOO_LONG,
                                           TOO_LONG,
                                           TOO_LONG,
                                           TOO_LONG,
                                           TOO_LONG,
                                           (int8_t)TWO_CONTS,
                                           (int8_t)TWO_CONTS,
                                           (int8_t)TWO_CONTS,
                                           (int8_t)TWO_CONTS,
                                           TOO_SHORT | OVERLONG_2,
                                           TOO_SHORT,
                                           TOO_SHORT | OVERLONG_3 | SURROGATE,
                                           TOO_SHORT | TOO_LARGE | TOO_LARGE_1000 | OVERLONG_4};
static const int8_t utf8_first_low[16] = {(int8_t)(CARRY | OVERLONG_3 | OVERLONG_2 | OVERLONG_4),
                                          (int8_t)(CARRY | OVERLONG_2),
                                          (int8_t)CARRY,
                                          (int8_t)CARRY,
                                          (int8_t)(CARRY | TOO_LARGE),
                                          (int8_t)(CARRY | TOO_LARGE | TOO_LARGE_1000),
                                          (int8_t)(CARRY | TOO_LARGE | TOO_LARGE_1000),
                                          (int8_t)(CARRY | TOO_LARGE | TOO_LARGE_1000),
                                          (int8_t)(CARRY | TOO_LARGE | TOO_LARGE_1000),
                                          (int8_t)(CARRY | TOO_LARGE | TOO_LARGE_1000),
                                          (int8_t)(CARRY | TOO_LARGE | TOO_LARGE_1000),
                                          (int8_t)(CARRY | TOO_LARGE | TOO_LARGE_1000),
                                          (int8_t)(CARRY | TOO_LARGE | TOO_LARGE_1000),
                                          (int8_t)(CARRY | TOO_LARGE | TOO_LARGE_1000 | SURROGATE),
                                          (int8_t)(CARRY | TOO_LARGE | TOO_LARGE_1000),
                                          (int8_t)(CARRY | TOO_LARGE | TOO_LARGE_1000)};
static const int8_t utf8_second_high[16] = {
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    (int8_t)(TOO_LONG | OVERLONG_2 | TWO_CONTS | OVERLONG_3 | TOO_LARGE_1000 | OVERLONG_4),
    (int8_t)(TOO_LONG | OVERLONG_2 | TWO_CONTS | OVERLONG_3 | TOO_LARGE),
    (int8_t)(TOO_LONG | OVERLONG_2 | TWO_CONTS | SURROGATE | TOO_LARGE),
    (int8_t)(TOO_LONG | OVERLONG_2 | TWO_CONTS | SURROGATE | TOO_LARGE),
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT};

#endif
