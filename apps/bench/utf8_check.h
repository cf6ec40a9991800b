// utf8_check.h: the UTF-8 check of the library simdjson, behind a C interface.
#ifndef MR_BENCH_UTF8_CHECK_H
#define MR_BENCH_UTF8_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Whether the bytes are UTF-8; nothing is read beyond them. By the library's best kernel for this
// machine.
bool mr_utf8_check(const uint8_t *bytes, size_t size_bytes);

#ifdef __cplusplus
}
#endif

#endif
