// yyjson_long_number.c: finds texts that may hold a long number, converts raw numbers.
#include "yyjson_long_number.h"

#include <math.h>
#include <stdlib.h>

// Digits that yyjson looks at. A shorter number is its own business.
#define LONG_BYTES 768u
// A run of LONG_BYTES covers one of the places PROBE_STRIDE apart together with what stands up to
// LONG_BYTES - PROBE_STRIDE behind it.
#define PROBE_STRIDE 640u
#define PROBE_STEP   40u
#define PROBE_COUNT  4u

static inline bool is_of_number(char byte)
{
    return (unsigned char)(byte - '0') <= 9 || byte == '.';
}

static bool is_long_run(const char *text, size_t bytes, size_t at)
{
    size_t begin = at;
    size_t end = at;
    while (begin > 0 && is_of_number(text[begin - 1])) {
        begin--;
    }
    while (end < bytes && is_of_number(text[end]) && end - begin < LONG_BYTES) {
        end++;
    }
    return end - begin >= LONG_BYTES;
}

bool yyjson_long_number_suspected(const char *text, size_t bytes)
{
    const size_t reach = PROBE_STEP * (PROBE_COUNT - 1);
    for (size_t at = PROBE_STRIDE - 1; at + reach < bytes; at += PROBE_STRIDE) {
        // Most probes end with their first byte.
        bool suspected = true;
        for (size_t i = 0; i < PROBE_COUNT && suspected; i++) {
            suspected = is_of_number(text[at + i * PROBE_STEP]);
        }
        if (suspected && is_long_run(text, bytes, at)) {
            return true;
        }
    }
    return false;
}

static bool convert(yyjson_val *raw)
{
    const char *text = unsafe_yyjson_get_raw(raw);
    if (unsafe_yyjson_get_len(raw) < LONG_BYTES) {
        return yyjson_read_number(text, raw, YYJSON_READ_NOFLAG, NULL, NULL) != NULL;
    }
    // glibc rounds rightly at any length; nobody here calls setlocale(), so the point is a point.
    // An integer this long is out of every range: that it is told as REAL changes no verdict.
    double number = strtod(text, NULL);
    yyjson_set_real(raw, number);
    return isfinite(number);
}

bool yyjson_long_number_convert(yyjson_doc *document)
{
    yyjson_val *value = yyjson_doc_get_root(document);
    for (size_t left = yyjson_doc_get_val_count(document); left > 0; left--, value++) {
        if (unsafe_yyjson_is_raw(value) && !convert(value)) {
            return false;
        }
    }
    return true;
}
