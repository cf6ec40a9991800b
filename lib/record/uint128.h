// uint128.h: the 128-bit unsigned integer of GCC and Clang, under one name.
#ifndef MR_RECORD_UINT128_H
#define MR_RECORD_UINT128_H

// 128 bits, for products of two 64-bit words.
__extension__ typedef unsigned __int128 mr_uint128;

#endif
