// conform_stats.c: see conform_stats.h.
#include "conform_stats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY(member, count, nullable, from_acks)                                                    \
    {                                                                                              \
#member, offsetof(struct mr_totals, member), count, nullable, from_acks                    \
    }

const struct mr_totals_key mr_totals_keys[MR_TOTALS_KEYS] = {
    KEY(batches_accepted, 1, false, true),
    KEY(batches_rejected, 1, false, true),
    KEY(records, 1, false, true),
    KEY(payload_bytes, 1, false, true),
    KEY(digest, 1, false, true),
    KEY(kinds, 8, false, false),
    KEY(flags, 8, false, false),
    KEY(source_bytes, 1, false, false),
    KEY(message_bytes, 1, false, false),
    KEY(timestamp_min, 1, true, false),
    KEY(timestamp_max, 1, true, false),
    {"value_min", offsetof(struct mr_totals, value_min_bits), 1, true, false},
    {"value_max", offsetof(struct mr_totals, value_max_bits), 1, true, false},
    KEY(value_sum, 1, false, false),
};

static bool read_scalar(yyjson_val *value, uint64_t *number_out)
{
    if (yyjson_is_uint(value)) {
        *number_out = yyjson_get_uint(value);
        return true;
    }
    if (!yyjson_is_str(value) || yyjson_get_len(value) == 0) {
        return false;
    }
    char *end;
    *number_out = strtoull(yyjson_get_str(value), &end, 16);
    return *end == '\0';
}

static bool read_array(yyjson_val *value, size_t count, uint64_t *numbers_out)
{
    if (yyjson_arr_size(value) != count) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!read_scalar(yyjson_arr_get(value, i), &numbers_out[i])) {
            return false;
        }
    }
    return true;
}

static uint64_t *field(struct mr_totals *totals, const struct mr_totals_key *key)
{
    return (uint64_t *)((char *)totals + key->offset);
}

void mr_totals_read(yyjson_val *object, struct mr_stats_seen *seen_out)
{
    *seen_out = (struct mr_stats_seen){0};
    for (uint32_t i = 0; i < MR_TOTALS_KEYS; i++) {
        const struct mr_totals_key *key = &mr_totals_keys[i];
        yyjson_val *value = yyjson_obj_get(object, key->name);
        uint64_t *numbers = field(&seen_out->totals, key);
        bool known =
            key->count == 1 ? read_scalar(value, numbers) : read_array(value, key->count, numbers);
        if (key->nullable && yyjson_is_null(value)) {
            seen_out->nulls |= 1u << i;
            known = true;
        }
        seen_out->known |= (uint32_t)known << i;
    }
}

bool mr_stats_read(const uint8_t *payload, size_t payload_bytes, struct mr_stats_seen *seen_out)
{
    *seen_out = (struct mr_stats_seen){0};
    yyjson_doc *document = yyjson_read((const char *)payload, payload_bytes, 0);
    yyjson_val *totals = yyjson_obj_get(yyjson_doc_get_root(document), "totals");
    bool read = yyjson_is_obj(totals);
    if (read) {
        mr_totals_read(totals, seen_out);
    }
    yyjson_doc_free(document);
    return read;
}

bool mr_kept_read(const uint8_t *payload, size_t payload_bytes, struct mr_kept *kept_out)
{
    yyjson_doc *document = yyjson_read((const char *)payload, payload_bytes, 0);
    yyjson_val *root = yyjson_doc_get_root(document);
    bool read = read_scalar(yyjson_obj_get(root, "batches"), &kept_out->batches) &&
                read_scalar(yyjson_obj_get(root, "records"), &kept_out->records) &&
                read_scalar(yyjson_obj_get(root, "digest"), &kept_out->digest);
    yyjson_doc_free(document);
    return read;
}

static void name_value(char *text, const struct mr_totals_key *key, size_t index,
                       const uint64_t *number)
{
    char place[24] = "";
    if (key->count > 1) {
        (void)snprintf(place, sizeof place, "[%zu]", index);
    }
    if (number == NULL) {
        (void)snprintf(text, MR_DIFFERENCE_BYTES, "%s%s null", key->name, place);
    } else {
        (void)snprintf(text, MR_DIFFERENCE_BYTES, "%s%s %016" PRIx64, key->name, place, *number);
    }
}

bool mr_totals_compare(const struct mr_totals *expected, const struct mr_stats_seen *seen,
                       uint32_t mask, char expected_out[MR_DIFFERENCE_BYTES],
                       char got_out[MR_DIFFERENCE_BYTES])
{
    struct mr_totals left = *expected;
    struct mr_totals right = seen->totals;
    for (uint32_t i = 0; i < MR_TOTALS_KEYS; i++) {
        const struct mr_totals_key *key = &mr_totals_keys[i];
        if ((mask & seen->known & 1u << i) == 0) {
            continue;
        }
        bool expected_null = key->nullable && expected->records == 0;
        bool got_null = (seen->nulls & 1u << i) != 0;
        for (size_t at = 0; at < key->count; at++) {
            const uint64_t *wanted = expected_null ? NULL : field(&left, key) + at;
            const uint64_t *got = got_null ? NULL : field(&right, key) + at;
            if (wanted == NULL && got == NULL) {
                continue;
            }
            if (wanted == NULL || got == NULL || *wanted != *got) {
                name_value(expected_out, key, at, wanted);
                name_value(got_out, key, at, got);
                return false;
            }
        }
    }
    return true;
}
