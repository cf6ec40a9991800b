// data_emit_test.c: same seed, same bytes; sizes and composition on target; every typed value is
// what lib/record reads in the text.
#include "data_test_support.h"

#include "data_composition.h"
#include "data_emit.h"

#include "dataset/file_hash.h"

// Written down on the day when the shapes were fixed.
#define GOLDEN_SIMPLE_JSON    "5dacc8dac61ea3b05353d55f9d9fe65db186f201aa96bf1d1db82d73ddd1c9ba"
#define GOLDEN_SIMPLE_RECORDS "5ef1c472f51caaa92f6a6682a9a96d9dd0e37c8048bd1d05621ccf7770e9c0d5"
#define GOLDEN_MESSY_JSON     "5606e17e121cf219ffe12a289c113b07631861cbc3098973e3b6a4a96050d8ad"
#define GOLDEN_MESSY_RECORDS  "3eb963606e8b723a60430d287fa3771b4d7dddd555eae57ce29499ea03c5090e"

// A run of batches of one look.
struct emitted_run {
    struct mr_composition composition;
    char json_hash[MR_HASH_TEXT_BYTES];
    char records_hash[MR_HASH_TEXT_BYTES];
};

static void emit(uint64_t seed, enum mr_look look, unsigned batches, uint32_t records,
                 struct emitted_run *run_out)
{
    memset(run_out, 0, sizeof *run_out);
    struct mr_emitter emitter;
    struct mr_batch batch;
    struct mr_file_hash json;
    struct mr_file_hash typed;
    mr_emitter_init(&emitter, seed, &(struct mr_form){0});
    assert_int_equal(mr_batch_init(&batch), 0);
    mr_file_hash_init(&json);
    mr_file_hash_init(&typed);
    for (unsigned i = 0; i < batches; i++) {
        assert_int_equal(mr_emitter_batch(&emitter, look, records, &batch), 0);
        assert_int_equal(batch.count, records);
        mr_composition_add(&run_out->composition, &batch);
        mr_file_hash_add(&json, batch.json.bytes, batch.json.length);
        mr_file_hash_add(&typed, batch.records.bytes, batch.records.length);
    }
    mr_file_hash_text(&json, run_out->json_hash);
    mr_file_hash_text(&typed, run_out->records_hash);
    mr_emitter_fini(&emitter);
    mr_batch_fini(&batch);
}

// What seed 42 has always given: a change of these is a change of every published dataset.
static void test_golden_bytes(void **state)
{
    (void)state;
    struct emitted_run run;
    emit(42, MR_LOOK_SIMPLE, 3, 64, &run);
    assert_string_equal(run.json_hash, GOLDEN_SIMPLE_JSON);
    assert_string_equal(run.records_hash, GOLDEN_SIMPLE_RECORDS);
    emit(42, MR_LOOK_MESSY, 3, 64, &run);
    assert_string_equal(run.json_hash, GOLDEN_MESSY_JSON);
    assert_string_equal(run.records_hash, GOLDEN_MESSY_RECORDS);
}

static void test_seeds_differ(void **state)
{
    (void)state;
    struct emitted_run one;
    struct emitted_run other;
    for (int look = 0; look < 2; look++) {
        emit(1, (enum mr_look)look, 1, 16, &one);
        emit(2, (enum mr_look)look, 1, 16, &other);
        assert_string_not_equal(one.json_hash, other.json_hash);
    }
}

// The mean of `sum`, in hundredths a record, is within `percent` of `target`.
static void assert_mean(uint64_t sum, uint64_t records, uint64_t target, uint64_t percent)
{
    assert_in_range(sum * 100, records * target * (100 - percent),
                    records * target * (100 + percent));
}

static void test_sizes(void **state)
{
    (void)state;
    static struct emitted_run run;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        emit(seed, MR_LOOK_SIMPLE, 4, 256, &run);
        assert_mean(run.composition.bytes, run.composition.records, 158, 2);
        emit(seed, MR_LOOK_MESSY, 8, 256, &run);
        assert_mean(run.composition.bytes, run.composition.records, 763, 2);
        assert_mean(run.composition.short_escapes, run.composition.records, 22, 2);
        assert_mean(run.composition.unicode_escapes, run.composition.records, 9, 3);
        const uint64_t *wide = run.composition.wide_characters;
        assert_mean(2 * wide[2] + 3 * wide[3] + 4 * wide[4], run.composition.records, 45, 2);
    }
}

static void test_simple_is_simple(void **state)
{
    (void)state;
    static struct emitted_run run;
    emit(9, MR_LOOK_SIMPLE, 4, 256, &run);
    const struct mr_composition *simple = &run.composition;
    assert_int_equal(simple->key_orders, 1);
    assert_int_equal(simple->order_seen[0], 1);
    assert_int_equal(simple->short_escapes + simple->unicode_escapes + simple->white_space_bytes,
                     0);
    assert_int_equal(simple->wide_characters[2] + simple->wide_characters[3], 0);
    assert_int_equal(simple->timestamp_digits[16], simple->records);
}

static void test_messy_is_messy(void **state)
{
    (void)state;
    static struct emitted_run run;
    emit(9, MR_LOOK_MESSY, 16, 256, &run);
    const struct mr_composition *messy = &run.composition;
    assert_true(messy->key_orders > 2500);
    assert_true(messy->surrogate_pairs * 10 > messy->records * 10);
    assert_true(messy->escaped_keys > 10 && messy->escaped_kinds > 5 && messy->escaped_flags > 5);
    assert_int_equal(messy->message_bytes_max, MR_MESSAGE_BYTES_MAX);
    assert_true(messy->messages_empty > 50);
    assert_true(messy->value_subnormals > 20 && messy->value_underflows > 10 &&
                messy->value_negative_zeros > 10 && messy->value_over_17_digits > 100 &&
                messy->value_with_exponent > 500 && messy->value_binary_exponents > 400);
    for (size_t digits = 1; digits <= MR_ID_DIGITS_MAX; digits++) {
        assert_true(messy->id_digits[digits] > 0);
    }
    for (size_t digits = 1; digits <= MR_TIME_DIGITS_MAX; digits++) {
        assert_true(messy->timestamp_digits[digits] > 0);
    }
    for (size_t length = 2; length <= 4; length++) {
        assert_true(messy->wide_characters[length] > messy->records);
    }
}

// Typed records against lib/record's, padding left out; then the totals' own sums.
static void check_batch(struct test_parser *parser, const struct mr_batch *batch)
{
    struct mr_result result = test_parse(parser, batch->json.bytes, batch->json.length);
    if (result.error != MR_OK) {
        fail_msg("%s at record %u, byte %llu: %.200s", mr_error_text(result.error),
                 result.error_record, (unsigned long long)result.error_offset,
                 (const char *)batch->json.bytes + result.error_offset);
    }
    assert_int_equal(result.records, batch->count);
    assert_int_equal(result.used_bytes, batch->records.length);
    const uint8_t *mine = batch->records.bytes;
    const uint8_t *theirs = parser->records;
    for (uint32_t i = 0; i < batch->count; i++) {
        const struct mr_record *record = (const void *)mine;
        assert_memory_equal(mine, theirs, mr_record_bytes(record));
        mine += mr_record_stride(record);
        theirs += mr_record_stride(record);
    }
    assert_int_equal(result.digest, mr_records_digest(batch->records.bytes, batch->count));
}

static void test_values_are_what_is_written(void **state)
{
    (void)state;
    struct test_parser parser;
    struct mr_emitter emitter;
    struct mr_batch batch;
    test_parser_init(&parser);
    assert_int_equal(mr_batch_init(&batch), 0);
    for (uint64_t seed = 1; seed <= 8; seed++) {
        mr_emitter_init(&emitter, seed, &(struct mr_form){0});
        for (int i = 0; i < 12; i++) {
            assert_int_equal(mr_emitter_batch(&emitter, (enum mr_look)(i % 2), 256, &batch), 0);
            check_batch(&parser, &batch);
        }
        assert_int_equal(mr_emitter_batch(&emitter, MR_LOOK_MESSY, 1, &batch), 0);
        check_batch(&parser, &batch);
        mr_emitter_fini(&emitter);
    }
    mr_batch_fini(&batch);
    test_parser_fini(&parser);
}

// The composition is counted from the text; what is counted by hand here must agree.
static void test_composition_by_hand(void **state)
{
    (void)state;
    static const char json[] =
        "[ {\"id\":7, \"timestamp\":12,\"source\":\"s\\n\",\"kind\":\"log\",\"value\":-0.0e3,"
        "\"flags\":[\"retry\"],\"message\":\"\\ud83d\\ude80 \\u00e9\xC3\xA9\xE4\xBA\xAC\"}]\n";
    struct mr_batch batch;
    assert_int_equal(mr_batch_init(&batch), 0);
    mr_buffer_text(&batch.json, json);
    batch.count = 1;
    batch.extent[0] = (struct mr_extent){2, (uint32_t)(strlen(json) - 2)};
    struct mr_record record = {.id = 7,
                               .timestamp_us = 12,
                               .value_bits = 1ull << 63,
                               .kind = 2,
                               .flags = 4,
                               .source_bytes = 2,
                               .message_bytes = 12};
    mr_batch_add_record(&batch, &record, (const uint8_t *)"s\n", (const uint8_t *)"123456789012");
    static struct mr_composition composition;
    memset(&composition, 0, sizeof composition);
    mr_composition_add(&composition, &batch);
    assert_int_equal(composition.records, 1);
    assert_int_equal(composition.bytes, strlen(json));
    assert_int_equal(composition.short_escapes, 1);
    assert_int_equal(composition.unicode_escapes, 3);
    assert_int_equal(composition.surrogate_pairs, 1);
    assert_int_equal(composition.wide_characters[2], 1);
    assert_int_equal(composition.wide_characters[3], 1);
    assert_int_equal(composition.white_space_bytes, 3);
    assert_int_equal(composition.value_bytes, 6);
    assert_int_equal(composition.value_negative_zeros, 1);
    assert_int_equal(composition.value_with_exponent, 1);
    assert_int_equal(composition.id_digits[1], 1);
    assert_int_equal(composition.timestamp_digits[2], 1);
    assert_int_equal(composition.kinds[2], 1);
    assert_int_equal(composition.flags[2], 1);
    mr_batch_fini(&batch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden_bytes),
        cmocka_unit_test(test_seeds_differ),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_simple_is_simple),
        cmocka_unit_test(test_messy_is_messy),
        cmocka_unit_test(test_values_are_what_is_written),
        cmocka_unit_test(test_composition_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
