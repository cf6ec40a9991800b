// cases.c: see cases.h.
#include "cases.h"

#include "base/file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

#define FILE_BYTES_MAX ((size_t)64 << 20)

static int base64_digit(char character)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = character == '\0' ? NULL : strchr(digits, character);
    return at == NULL ? -1 : (int)(at - digits);
}

// Decodes `text` into a malloc'ed buffer of at least one byte; NULL when it is no base64.
static uint8_t *decode_base64(const char *text, size_t length, size_t *bytes_out)
{
    uint8_t *bytes = malloc(length / 4 * 3 + 1);
    size_t count = 0;
    uint32_t bits = 0;
    size_t digits = 0;
    while (digits < length && base64_digit(text[digits]) >= 0) {
        bits = bits << 6 | (uint32_t)base64_digit(text[digits]);
        digits++;
        if (digits % 4 != 1 && bytes != NULL) {
            bytes[count++] = (uint8_t)(bits >> (3 - (digits - 1) % 4) * 2);
        }
    }
    size_t fill = strspn(text + digits, "=");
    if (digits + fill != length || length % 4 != 0 || fill > 2) {
        free(bytes);
        return NULL;
    }
    *bytes_out = count;
    return bytes;
}

// Reads the member `name` of `object`, which must be a string of hexadecimal digits.
static bool read_hex(yyjson_val *object, const char *name, uint64_t *value_out)
{
    const char *text = yyjson_get_str(yyjson_obj_get(object, name));
    if (text == NULL || text[0] == '\0') {
        return false;
    }
    char *end;
    *value_out = strtoull(text, &end, 16);
    return *end == '\0';
}

static bool read_case(yyjson_val *object, struct mr_case *case_out)
{
    *case_out = (struct mr_case){0};
    const char *name = yyjson_get_str(yyjson_obj_get(object, "name"));
    yyjson_val *payload = yyjson_obj_get(object, "payload_b64");
    yyjson_val *status = yyjson_obj_get(object, "status");
    yyjson_val *records = yyjson_obj_get(object, "records");
    if (name == NULL || !yyjson_is_str(payload) || !yyjson_is_uint(status) ||
        !yyjson_is_uint(records) || !read_hex(object, "digest", &case_out->digest)) {
        return false;
    }
    case_out->status = (uint32_t)yyjson_get_uint(status);
    case_out->records = (uint32_t)yyjson_get_uint(records);
    case_out->payload =
        decode_base64(yyjson_get_str(payload), yyjson_get_len(payload), &case_out->payload_bytes);
    case_out->name = strdup(name);
    return case_out->payload != NULL && case_out->name != NULL;
}

static int read_line(const char *line, size_t length, struct mr_cases *cases)
{
    struct mr_case *item = realloc(cases->item, (cases->count + 1) * sizeof *item);
    yyjson_doc *document = yyjson_read(line, length, YYJSON_READ_NOFLAG);
    if (item != NULL) {
        cases->item = item;
    }
    int result = item == NULL ? -ENOMEM : 0;
    if (result == 0) {
        bool read = read_case(yyjson_doc_get_root(document), &item[cases->count]);
        cases->count++; // also when it is half read, so that it is freed
        result = read ? 0 : -EINVAL;
    }
    yyjson_doc_free(document);
    return result;
}

int mr_cases_read(const char *path, struct mr_cases *cases_out)
{
    char *text;
    size_t text_bytes;
    int result = mr_file_read(path, FILE_BYTES_MAX, &text, &text_bytes);
    if (result != 0) {
        return result;
    }
    struct mr_cases cases = {0};
    for (const char *line = text; result == 0 && *line != '\0';) {
        size_t length = strcspn(line, "\n");
        result = read_line(line, length, &cases);
        line += length + (line[length] == '\n' ? 1 : 0);
    }
    free(text);
    if (result != 0) {
        mr_cases_fini(&cases);
        return result;
    }
    *cases_out = cases;
    return 0;
}

void mr_cases_fini(struct mr_cases *cases)
{
    for (size_t i = 0; i < cases->count; i++) {
        free(cases->item[i].name);
        free(cases->item[i].payload);
    }
    free(cases->item);
    *cases = (struct mr_cases){0};
}

static bool read_hex_array(yyjson_val *array, uint64_t values_out[8])
{
    if (yyjson_arr_size(array) != 8) {
        return false;
    }
    for (size_t i = 0; i < 8; i++) {
        const char *text = yyjson_get_str(yyjson_arr_get(array, i));
        if (text == NULL) {
            return false;
        }
        values_out[i] = strtoull(text, NULL, 16);
    }
    return true;
}

static bool read_totals(yyjson_val *object, struct mr_totals *totals)
{
    return read_hex(object, "batches_accepted", &totals->batches_accepted) &&
           read_hex(object, "batches_rejected", &totals->batches_rejected) &&
           read_hex(object, "records", &totals->records) &&
           read_hex(object, "payload_bytes", &totals->payload_bytes) &&
           read_hex(object, "digest", &totals->digest) &&
           read_hex(object, "source_bytes", &totals->source_bytes) &&
           read_hex(object, "message_bytes", &totals->message_bytes) &&
           read_hex(object, "timestamp_min", &totals->timestamp_min) &&
           read_hex(object, "timestamp_max", &totals->timestamp_max) &&
           read_hex(object, "value_min", &totals->value_min_bits) &&
           read_hex(object, "value_max", &totals->value_max_bits) &&
           read_hex(object, "value_sum", &totals->value_sum) &&
           read_hex_array(yyjson_obj_get(object, "kinds"), totals->kinds) &&
           read_hex_array(yyjson_obj_get(object, "flags"), totals->flags);
}

int mr_cases_totals(const char *path, const char *name, struct mr_totals *totals_out)
{
    char *text;
    size_t text_bytes;
    int result = mr_file_read(path, FILE_BYTES_MAX, &text, &text_bytes);
    if (result != 0) {
        return result;
    }
    yyjson_doc *document = yyjson_read(text, text_bytes, YYJSON_READ_NOFLAG);
    bool read = read_totals(yyjson_obj_get(yyjson_doc_get_root(document), name), totals_out);
    yyjson_doc_free(document);
    free(text);
    return read ? 0 : -EINVAL;
}
