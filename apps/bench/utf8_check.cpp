// utf8_check.cpp: see utf8_check.h.
#include "utf8_check.h"

#include <simdjson.h>

bool mr_utf8_check(const uint8_t *bytes, size_t size_bytes)
{
    return simdjson::validate_utf8(reinterpret_cast<const char *>(bytes), size_bytes);
}
