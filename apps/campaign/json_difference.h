// json_difference.h: where two JSON values differ.
#ifndef MR_CAMPAIGN_JSON_DIFFERENCE_H
#define MR_CAMPAIGN_JSON_DIFFERENCE_H

#include <stddef.h>
#include <yyjson.h>

// Told of one place: its JSON pointer (RFC 6901, but for the escapes ~0 and ~1) and both values as
// JSON, "nothing" where a side has none. The texts last for the call.
typedef void mr_json_difference_fn(void *context, const char *pointer, const char *a,
                                   const char *b);

// Calls `tell` for the first `limit` innermost places where `a` and `b` differ, and returns the
// number of all. Members are compared by key, items by index; numbers by value and kind.
size_t mr_json_difference(yyjson_val *a, yyjson_val *b, size_t limit, mr_json_difference_fn *tell,
                          void *context);

#endif
