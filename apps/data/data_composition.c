// data_composition.c: see data_composition.h.
#include "data_composition.h"

#include "base/mr_assert.h"

#include <stdbool.h>

static bool is_space(uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

// Counts an escape at `at` and returns its length.
static uint32_t count_escape(struct mr_composition *composition, const uint8_t *at)
{
    if (at[1] != 'u') {
        composition->short_escapes++;
        return 2;
    }
    composition->unicode_escapes++;
    bool high = (at[2] == 'd' || at[2] == 'D') &&
                (at[3] == '8' || at[3] == '9' || (at[3] | 0x20) == 'a' || (at[3] | 0x20) == 'b');
    composition->surrogate_pairs += high ? 1 : 0;
    return 6;
}

// Counts what any JSON text has: escapes, wide characters, white space outside strings.
static void count_text(struct mr_composition *composition, const uint8_t *json, size_t size_bytes)
{
    bool inside = false;
    for (size_t i = 0; i < size_bytes;) {
        uint8_t byte = json[i];
        if (byte == '"') {
            inside = !inside;
        } else if (byte == '\\') {
            i += count_escape(composition, json + i);
            continue;
        } else if (byte >= 0xC0) {
            composition->wide_characters[byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2]++;
        } else if (!inside && is_space(byte)) {
            composition->white_space_bytes++;
        }
        i++;
    }
}

static bool has_backslash(const uint8_t *json, struct mr_extent extent)
{
    return memchr(json + extent.start, '\\', extent.end - extent.start) != NULL;
}

static uint32_t order_number(const uint8_t order[MR_KEY_COUNT])
{
    uint32_t number = 0;
    for (uint32_t i = 0; i < MR_KEY_COUNT; i++) {
        uint32_t smaller_behind = 0;
        for (uint32_t j = i + 1; j < MR_KEY_COUNT; j++) {
            smaller_behind += order[j] < order[i];
        }
        number = number * (MR_KEY_COUNT - i) + smaller_behind;
    }
    return number;
}

static void count_names(struct mr_composition *composition, const uint8_t *json,
                        const struct mr_record_map *map)
{
    for (uint32_t i = 0; i < MR_KEY_COUNT; i++) {
        composition->escaped_keys += has_backslash(json, map->key[i]) ? 1 : 0;
    }
    composition->escaped_kinds += has_backslash(json, map->value[MR_KEY_KIND]) ? 1 : 0;
    composition->escaped_flags += has_backslash(json, map->value[MR_KEY_FLAGS]) ? 1 : 0;
    uint32_t order = order_number(map->order);
    MR_ASSERT(order < MR_KEY_ORDERS);
    composition->key_orders += composition->order_seen[order] == 0;
    composition->order_seen[order] = 1;
}

// Significant digits of a number token: without leading zeros, up to the exponent.
static uint32_t significant_digits(const uint8_t *token, uint32_t length, bool *exponent_out,
                                   bool *integer_out)
{
    uint32_t digits = 0;
    *exponent_out = false;
    *integer_out = true;
    for (uint32_t i = 0; i < length; i++) {
        if (token[i] == 'e' || token[i] == 'E') {
            *exponent_out = true;
            *integer_out = false;
            break;
        }
        if (token[i] == '.') {
            *integer_out = false;
        } else if (token[i] != '-' && (digits > 0 || token[i] != '0')) {
            digits++;
        }
    }
    return digits;
}

static void count_value(struct mr_composition *composition, const uint8_t *json,
                        struct mr_extent extent, uint64_t bits)
{
    uint32_t length = extent.end - extent.start;
    bool exponent;
    bool integer;
    uint32_t digits = significant_digits(json + extent.start, length, &exponent, &integer);
    composition->value_bytes += length;
    if (length > composition->value_bytes_max) {
        composition->value_bytes_max = length;
    }
    composition->value_lengths[length < MR_VALUE_LENGTH_MAX ? length : MR_VALUE_LENGTH_MAX]++;
    composition->value_with_exponent += exponent ? 1 : 0;
    composition->value_integers += integer ? 1 : 0;
    composition->value_over_17_digits += digits > 17 ? 1 : 0;

    uint64_t magnitude = bits & ~(1ull << 63);
    uint64_t field = magnitude >> 52;
    if (magnitude == 0) {
        composition->value_underflows += digits > 0 ? 1 : 0;
        composition->value_zeros += digits == 0 ? 1 : 0;
        composition->value_negative_zeros += digits == 0 && bits != 0 ? 1 : 0;
        return;
    }
    composition->value_subnormals += field == 0 ? 1 : 0;
    composition->value_binary_exponents += composition->exponent_seen[field] == 0;
    composition->exponent_seen[field] = 1;
}

static void count_record(struct mr_composition *composition, const struct mr_record *record)
{
    composition->records++;
    composition->source_bytes += record->source_bytes;
    composition->message_bytes += record->message_bytes;
    composition->messages_empty += record->message_bytes == 0 ? 1 : 0;
    if (record->message_bytes > composition->message_bytes_max) {
        composition->message_bytes_max = record->message_bytes;
    }
    composition->kinds[record->kind]++;
    for (uint32_t i = 0; i < MR_FLAG_COUNT; i++) {
        composition->flags[i] += record->flags >> i & 1u;
    }
}

void mr_composition_add(struct mr_composition *composition, const struct mr_batch *batch)
{
    const uint8_t *json = batch->json.bytes;
    const uint8_t *record = batch->records.bytes;
    composition->bytes += batch->json.length;
    count_text(composition, json, batch->json.length);
    for (uint32_t i = 0; i < batch->count; i++) {
        struct mr_record_map map;
        mr_record_map_make(json, batch->extent[i], &map);
        const struct mr_record *typed = (const void *)record;
        count_record(composition, typed);
        count_names(composition, json, &map);
        count_value(composition, json, map.value[MR_KEY_VALUE], typed->value_bits);
        uint32_t id = map.value[MR_KEY_ID].end - map.value[MR_KEY_ID].start;
        uint32_t timestamp = map.value[MR_KEY_TIMESTAMP].end - map.value[MR_KEY_TIMESTAMP].start;
        MR_ASSERT(id <= MR_ID_DIGITS_MAX && timestamp <= MR_TIME_DIGITS_MAX);
        composition->id_digits[id]++;
        composition->timestamp_digits[timestamp]++;
        record += mr_record_stride(typed);
    }
}
