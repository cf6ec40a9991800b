// oracle.c: see oracle.h; docs/PROTOCOL.md, sections 1 and 2, over yyjson and strtod().
//
// Numbers are taken as tokens and converted by the C library (in its "C" locale, which a program
// has until it asks for another): yyjson 0.12 rounds some numbers of more than 768 digits wrongly,
// such as 1000000000000000.0625 followed by 749 zeros, which is a tie.
#include "oracle.h"

#include "base/mr_assert.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <yyjson.h>

static const char *const kinds[] = {"metric", "event", "log",  "trace",
                                    "alert",  "audit", "span", "state"};
static const char *const flags[] = {"urgent",    "sampled", "retry",   "internal",
                                    "encrypted", "batched", "partial", "replayed"};
static const char *const keys[] = {"id",    "timestamp", "source", "kind",
                                   "value", "flags",     "message"};
enum key { ID, TIMESTAMP, SOURCE, KIND, VALUE, FLAGS, MESSAGE, KEYS };

struct fields {
    uint64_t id;
    uint64_t timestamp;
    double value;
    uint8_t kind;
    uint8_t flags;
    yyjson_val *source;
    yyjson_val *message;
};

// The index of the string `value` among `count` names, or `count`. Lengths are compared, for a JSON
// string may hold zero bytes.
static size_t index_of(yyjson_val *value, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (yyjson_is_str(value) && yyjson_get_len(value) == strlen(names[i]) &&
            memcmp(yyjson_get_str(value), names[i], strlen(names[i])) == 0) {
            return i;
        }
    }
    return count;
}

static bool read_integer(yyjson_val *value, uint64_t max, uint64_t *integer_out)
{
    const char *token = yyjson_get_raw(value);
    if (token == NULL || strspn(token, "0123456789") != yyjson_get_len(value)) {
        return false;
    }
    errno = 0;
    *integer_out = strtoull(token, NULL, 10);
    return errno == 0 && *integer_out <= max;
}

static bool read_value(yyjson_val *value, double *value_out)
{
    const char *token = yyjson_get_raw(value);
    if (token == NULL) {
        return false;
    }
    *value_out = strtod(token, NULL);
    return *value_out >= -1e15 && *value_out <= 1e15;
}

static bool read_text(yyjson_val *value, size_t min, size_t max, yyjson_val **text_out)
{
    *text_out = value;
    return yyjson_is_str(value) && yyjson_get_len(value) >= min && yyjson_get_len(value) <= max;
}

static bool read_kind(yyjson_val *value, uint8_t *kind_out)
{
    *kind_out = (uint8_t)index_of(value, kinds, 8);
    return *kind_out < 8;
}

static bool read_flags(yyjson_val *value, uint8_t *flags_out)
{
    yyjson_arr_iter iterator;
    if (!yyjson_arr_iter_init(value, &iterator)) {
        return yyjson_is_arr(value); // an empty one is not iterated
    }
    for (yyjson_val *flag; (flag = yyjson_arr_iter_next(&iterator)) != NULL;) {
        size_t bit = index_of(flag, flags, 8);
        if (bit == 8 || (*flags_out >> bit & 1) != 0) {
            return false;
        }
        *flags_out |= (uint8_t)(1u << bit);
    }
    return true;
}

static bool read_field(enum key key, yyjson_val *value, struct fields *fields)
{
    switch (key) {
    case ID:
        return read_integer(value, INT64_MAX, &fields->id);
    case TIMESTAMP:
        return read_integer(value, 253402300799999999u, &fields->timestamp);
    case SOURCE:
        return read_text(value, 1, 64, &fields->source);
    case KIND:
        return read_kind(value, &fields->kind);
    case VALUE:
        return read_value(value, &fields->value);
    case FLAGS:
        return read_flags(value, &fields->flags);
    case MESSAGE:
        return read_text(value, 0, 4096, &fields->message);
    case KEYS:
        break;
    }
    return false;
}

static bool read_fields(yyjson_val *object, struct fields *fields)
{
    yyjson_obj_iter iterator;
    if (!yyjson_obj_iter_init(object, &iterator)) {
        return false;
    }
    unsigned seen = 0;
    for (yyjson_val *name; (name = yyjson_obj_iter_next(&iterator)) != NULL;) {
        size_t key = index_of(name, keys, KEYS);
        if (key == KEYS || (seen >> key & 1) != 0 ||
            !read_field((enum key)key, yyjson_obj_iter_get_val(name), fields)) {
            return false;
        }
        seen |= 1u << key;
    }
    return seen == (1u << KEYS) - 1;
}

static uint8_t *put(uint8_t *to, const void *bytes, size_t count)
{
    memcpy(to, bytes, count);
    return to + count;
}

static void add_record(struct mr_oracle *oracle, const struct fields *fields)
{
    uint16_t source_bytes = (uint16_t)yyjson_get_len(fields->source);
    uint32_t message_bytes = (uint32_t)yyjson_get_len(fields->message);
    uint8_t *form = oracle->canonical + oracle->canonical_bytes;
    uint8_t *to = put(form, &fields->id, 8);
    to = put(to, &fields->timestamp, 8);
    to = put(to, &fields->value, 8);
    to = put(to, &fields->kind, 1);
    to = put(to, &fields->flags, 1);
    to = put(to, &source_bytes, 2);
    to = put(to, &message_bytes, 4);
    to = put(to, yyjson_get_str(fields->source), source_bytes);
    to = put(to, yyjson_get_str(fields->message), message_bytes);
    oracle->canonical_bytes += (size_t)(to - form);
    oracle->digest += XXH3_64bits(form, (size_t)(to - form));
    oracle->records++;
}

static bool read_batch(yyjson_val *root, struct mr_oracle *oracle)
{
    if (!yyjson_is_arr(root) || yyjson_arr_size(root) > 65535) {
        return false;
    }
    yyjson_arr_iter iterator;
    (void)yyjson_arr_iter_init(root, &iterator);
    for (size_t left = yyjson_arr_size(root); left > 0; left--) {
        struct fields fields = {0};
        if (!read_fields(yyjson_arr_iter_next(&iterator), &fields)) {
            return false;
        }
        add_record(oracle, &fields);
    }
    return true;
}

struct mr_oracle mr_oracle_judge(const uint8_t *json, size_t json_bytes)
{
    yyjson_read_err error = {0};
    yyjson_doc *document =
        yyjson_read_opts((char *)json, json_bytes, YYJSON_READ_NUMBER_AS_RAW, NULL, &error);
    MR_ASSERT(error.code != YYJSON_READ_ERROR_MEMORY_ALLOCATION);
    if (document == NULL) {
        return (struct mr_oracle){0};
    }
    // A canonical form is shorter than its JSON.
    struct mr_oracle oracle = {.canonical = malloc(json_bytes)};
    MR_ASSERT(oracle.canonical != NULL);
    oracle.accepted = read_batch(yyjson_doc_get_root(document), &oracle);
    yyjson_doc_free(document);
    if (!oracle.accepted) {
        mr_oracle_fini(&oracle);
    }
    return oracle;
}

void mr_oracle_fini(struct mr_oracle *oracle)
{
    free(oracle->canonical);
    *oracle = (struct mr_oracle){0};
}
