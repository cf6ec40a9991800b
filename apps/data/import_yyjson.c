// import_yyjson.c: see import_yyjson.h.
//
// yyjson without options reads strictly: no byte order mark, comments, NaN, bad UTF-8 or lone
// surrogates, and doubles correctly rounded. What it leaves to its user is done here: keys are
// walked, never looked up (a look-up takes the first of two); lengths are asked for, because text
// may hold zero bytes; the token -0 comes as the signed integer 0.
#include "import_yyjson.h"

#include <matchrace/contract.h>

#include <errno.h>
#include <string.h>
#include <yyjson.h>

// A record being read.
struct second {
    struct mr_record head;
    yyjson_val *source;
    yyjson_val *message;
    const char *why; // NULL while all is well
};

static bool says(yyjson_val *text, const char *wanted)
{
    size_t length = strlen(wanted);
    return yyjson_is_str(text) && yyjson_get_len(text) == length &&
           memcmp(yyjson_get_str(text), wanted, length) == 0;
}

static uint64_t read_whole_number(struct second *second, yyjson_val *value, uint64_t limit)
{
    if (!yyjson_is_uint(value) || yyjson_get_uint(value) > limit) {
        second->why = "id or timestamp is no whole number within its range";
        return 0;
    }
    return yyjson_get_uint(value);
}

static void read_value(struct second *second, yyjson_val *value)
{
    double number = 0;
    if (yyjson_is_real(value)) {
        number = yyjson_get_real(value);
    } else if (yyjson_is_uint(value)) {
        number = (double)yyjson_get_uint(value);
    } else if (yyjson_is_sint(value)) {
        int64_t whole = yyjson_get_sint(value);
        number = whole == 0 ? -0.0 : (double)whole;
    } else {
        second->why = "value is no number";
    }
    if (!(number >= -MR_VALUE_LIMIT && number <= MR_VALUE_LIMIT)) {
        second->why = "value is out of its range";
    }
    memcpy(&second->head.value_bits, &number, sizeof number);
}

static void read_kind(struct second *second, yyjson_val *value)
{
    for (uint8_t kind = 0; kind < MR_KIND_COUNT; kind++) {
        if (says(value, mr_kind_names[kind])) {
            second->head.kind = kind;
            return;
        }
    }
    second->why = "kind is none of the eight";
}

static void read_flags(struct second *second, yyjson_val *value)
{
    if (!yyjson_is_arr(value)) {
        second->why = "flags is no array";
        return;
    }
    yyjson_arr_iter items = yyjson_arr_iter_with(value);
    yyjson_val *item;
    while ((item = yyjson_arr_iter_next(&items)) != NULL) {
        unsigned bit = 0;
        while (bit < MR_FLAG_COUNT && !says(item, mr_flag_names[bit])) {
            bit++;
        }
        if (bit == MR_FLAG_COUNT || (second->head.flags >> bit & 1) != 0) {
            second->why = "a flag is none of the eight, or is there twice";
            return;
        }
        second->head.flags |= (uint8_t)(1u << bit);
    }
}

static yyjson_val *read_text(struct second *second, yyjson_val *value, size_t least, size_t most)
{
    if (!yyjson_is_str(value) || yyjson_get_len(value) < least || yyjson_get_len(value) > most) {
        second->why = "source or message is no text within its lengths";
        return NULL;
    }
    return value;
}

static void read_member(struct second *second, unsigned key, yyjson_val *value)
{
    switch (key) {
    case 0:
        second->head.id = read_whole_number(second, value, MR_ID_MAX);
        return;
    case 1:
        second->head.timestamp_us = read_whole_number(second, value, MR_TIMESTAMP_US_MAX);
        return;
    case 2:
        second->source = read_text(second, value, 1, MR_SOURCE_BYTES_MAX);
        return;
    case 3:
        read_kind(second, value);
        return;
    case 4:
        read_value(second, value);
        return;
    case 5:
        read_flags(second, value);
        return;
    default:
        second->message = read_text(second, value, 0, MR_MESSAGE_BYTES_MAX);
        return;
    }
}

static void read_record(struct second *second, yyjson_val *object)
{
    static const char *const keys[] = {"id",    "timestamp", "source", "kind",
                                       "value", "flags",     "message"};
    if (!yyjson_is_obj(object)) {
        second->why = "a record is no object";
        return;
    }
    unsigned seen = 0;
    yyjson_obj_iter members = yyjson_obj_iter_with(object);
    yyjson_val *name;
    while (second->why == NULL && (name = yyjson_obj_iter_next(&members)) != NULL) {
        unsigned key = 0;
        while (key < 7 && !says(name, keys[key])) {
            key++;
        }
        if (key == 7 || (seen >> key & 1) != 0) {
            second->why = "a key is unknown, or is there twice";
            return;
        }
        seen |= 1u << key;
        read_member(second, key, yyjson_obj_iter_get_val(name));
    }
    if (second->why == NULL && seen != 127) {
        second->why = "a key is missing";
    }
}

static void add_record(const struct second *second, struct mr_buffer *out)
{
    struct mr_record head = second->head;
    head.source_bytes = (uint16_t)yyjson_get_len(second->source);
    head.message_bytes = (uint32_t)yyjson_get_len(second->message);
    mr_buffer_add(out, &head, MR_RECORD_HEAD_BYTES);
    mr_buffer_add(out, yyjson_get_str(second->source), head.source_bytes);
    mr_buffer_add(out, yyjson_get_str(second->message), head.message_bytes);
    mr_buffer_fill(out, 0, mr_record_stride(&head) - mr_record_bytes(&head));
}

static void read_batch(yyjson_val *root, struct mr_buffer *records_out,
                       struct mr_second_reading *reading_out)
{
    if (!yyjson_is_arr(root) || yyjson_arr_size(root) > MR_BATCH_RECORDS_MAX) {
        reading_out->why = "no array of at most 65,535 records";
        return;
    }
    yyjson_arr_iter objects = yyjson_arr_iter_with(root);
    yyjson_val *object;
    while ((object = yyjson_arr_iter_next(&objects)) != NULL) {
        struct second second = {0};
        read_record(&second, object);
        if (second.why != NULL) {
            reading_out->why = second.why;
            reading_out->failed_record = reading_out->count;
            reading_out->count = 0;
            return;
        }
        add_record(&second, records_out);
        reading_out->count++;
    }
    reading_out->accepted = true;
}

int mr_second_read(const uint8_t *json, size_t json_bytes, struct mr_buffer *records_out,
                   struct mr_second_reading *reading_out)
{
    *reading_out = (struct mr_second_reading){0};
    records_out->length = 0;
    yyjson_read_err error = {0};
    // Without the option in-situ the text is copied first, never changed.
    yyjson_doc *doc = yyjson_read_opts((char *)json, json_bytes, YYJSON_READ_NOFLAG, NULL, &error);
    if (doc == NULL) {
        reading_out->why = error.msg;
        return error.code == YYJSON_READ_ERROR_MEMORY_ALLOCATION ? -ENOMEM : 0;
    }
    read_batch(yyjson_doc_get_root(doc), records_out, reading_out);
    yyjson_doc_free(doc);
    return records_out->failed ? -ENOMEM : 0;
}
