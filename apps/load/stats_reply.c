// stats_reply.c: see stats_reply.h.
#include "stats_reply.h"

#include <stdio.h>
#include <string.h>
#include <yyjson.h>

// A reply being read: the first fault stays.
struct reading {
    struct mr_reply_fault *fault;
    bool failed;
};

static void fail(struct reading *reading, const char *name, const char *what)
{
    if (!reading->failed) {
        reading->failed = true;
        (void)snprintf(reading->fault->text, sizeof reading->fault->text, "%s %s", name, what);
    }
}

static yyjson_doc *parse(const uint8_t *json, size_t json_bytes, struct reading *reading)
{
    // yyjson reads only, without YYJSON_READ_INSITU.
    yyjson_doc *doc = yyjson_read_opts((char *)json, json_bytes, 0, NULL, NULL);
    if (doc == NULL || !yyjson_is_obj(yyjson_doc_get_root(doc))) {
        fail(reading, "the reply", "is no JSON object");
    }
    return doc;
}

static int hex_digit(char digit)
{
    if (digit >= '0' && digit <= '9') {
        return digit - '0';
    }
    return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

static uint64_t number(struct reading *reading, yyjson_val *value, const char *name)
{
    const char *text = yyjson_get_str(value);
    uint64_t result = 0;
    if (text == NULL || yyjson_get_len(value) != 16) {
        fail(reading, name, "is not a string of 16 lower-case hex digits");
        return 0;
    }
    for (size_t i = 0; i < 16; i++) {
        int digit = hex_digit(text[i]);
        if (digit < 0) {
            fail(reading, name, "is not a string of 16 lower-case hex digits");
            return 0;
        }
        result = result << 4 | (uint64_t)digit;
    }
    return result;
}

static uint64_t member(struct reading *reading, yyjson_val *object, const char *name)
{
    return number(reading, yyjson_obj_get(object, name), name);
}

static void members(struct reading *reading, yyjson_val *object, const char *name, uint64_t *out)
{
    yyjson_val *array = yyjson_obj_get(object, name);
    if (!yyjson_is_arr(array) || yyjson_arr_size(array) != 8) {
        fail(reading, name, "is not an array of 8");
        return;
    }
    for (size_t i = 0; i < 8; i++) {
        out[i] = number(reading, yyjson_arr_get(array, i), name);
    }
}

static uint64_t extreme(struct reading *reading, yyjson_val *totals, const char *name,
                        uint64_t records)
{
    yyjson_val *value = yyjson_obj_get(totals, name);
    if (records > 0) {
        return number(reading, value, name);
    }
    if (!yyjson_is_null(value)) {
        fail(reading, name, "is not null although there is no record");
    }
    return 0;
}

static void read_totals(struct reading *reading, yyjson_val *from, struct mr_totals *totals)
{
    totals->batches_accepted = member(reading, from, "batches_accepted");
    totals->batches_rejected = member(reading, from, "batches_rejected");
    totals->records = member(reading, from, "records");
    totals->payload_bytes = member(reading, from, "payload_bytes");
    totals->digest = member(reading, from, "digest");
    members(reading, from, "kinds", totals->kinds);
    members(reading, from, "flags", totals->flags);
    totals->source_bytes = member(reading, from, "source_bytes");
    totals->message_bytes = member(reading, from, "message_bytes");
    totals->value_sum = member(reading, from, "value_sum");
    struct mr_totals none;
    mr_totals_init(&none);
    uint64_t records = totals->records;
    uint64_t extremes[4] = {extreme(reading, from, "timestamp_min", records),
                            extreme(reading, from, "timestamp_max", records),
                            extreme(reading, from, "value_min", records),
                            extreme(reading, from, "value_max", records)};
    totals->timestamp_min = records > 0 ? extremes[0] : none.timestamp_min;
    totals->timestamp_max = records > 0 ? extremes[1] : none.timestamp_max;
    totals->value_min_bits = records > 0 ? extremes[2] : none.value_min_bits;
    totals->value_max_bits = records > 0 ? extremes[3] : none.value_max_bits;
}

bool mr_welcome_mode(const uint8_t *json, size_t json_bytes, enum mr_mode *mode_out,
                     struct mr_reply_fault *fault_out)
{
    struct reading reading = {.fault = fault_out};
    yyjson_doc *doc = parse(json, json_bytes, &reading);
    if (!reading.failed) {
        const char *name = yyjson_get_str(yyjson_obj_get(yyjson_doc_get_root(doc), "mode"));
        int mode = name == NULL ? -1 : mr_mode_by_name(name);
        if (mode < 0) {
            fail(&reading, "mode", "is none of drain, totals, keep, fresh");
        } else {
            *mode_out = (enum mr_mode)mode;
        }
    }
    yyjson_doc_free(doc);
    return !reading.failed;
}

bool mr_stats_reply_totals(const uint8_t *json, size_t json_bytes, struct mr_totals *totals_out,
                           struct mr_reply_fault *fault_out)
{
    struct reading reading = {.fault = fault_out};
    yyjson_doc *doc = parse(json, json_bytes, &reading);
    mr_totals_init(totals_out);
    if (!reading.failed) {
        yyjson_val *root = yyjson_doc_get_root(doc);
        read_totals(&reading, yyjson_obj_get(root, "totals"), totals_out);
        if (!yyjson_is_obj(yyjson_obj_get(root, "runtime"))) {
            fail(&reading, "runtime", "is no object");
        }
    }
    yyjson_doc_free(doc);
    return !reading.failed;
}

size_t mr_stats_reply_room_bytes(size_t json_bytes)
{
    return yyjson_read_max_memory_usage(json_bytes, 0);
}

uint64_t mr_stats_reply_compiled_methods(const char *json, size_t json_bytes, void *room)
{
    struct mr_reply_fault fault;
    struct reading reading = {.fault = &fault};
    yyjson_alc pool;
    bool has_pool = yyjson_alc_pool_init(&pool, room, mr_stats_reply_room_bytes(json_bytes));
    yyjson_doc *doc =
        has_pool ? yyjson_read_opts((char *)(uintptr_t)json, json_bytes, 0, &pool, NULL) : NULL;
    uint64_t methods =
        number(&reading, yyjson_ptr_get(yyjson_doc_get_root(doc), "/runtime/compiled_methods"),
               "compiled_methods");
    return reading.failed ? 0 : methods;
}

bool mr_kept_reply(const uint8_t *json, size_t json_bytes, struct mr_kept *kept_out,
                   struct mr_reply_fault *fault_out)
{
    struct reading reading = {.fault = fault_out};
    yyjson_doc *doc = parse(json, json_bytes, &reading);
    *kept_out = (struct mr_kept){0};
    if (!reading.failed) {
        yyjson_val *root = yyjson_doc_get_root(doc);
        kept_out->batches = member(&reading, root, "batches");
        kept_out->records = member(&reading, root, "records");
        kept_out->digest = member(&reading, root, "digest");
    }
    yyjson_doc_free(doc);
    return !reading.failed;
}
