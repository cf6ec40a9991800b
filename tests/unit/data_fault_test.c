// data_fault_test.c: each variant of each kind of fault spoils a good batch, in the record that it
// claims and for the reason that its name says; what is left to vary cannot make it good.
#include "data_test_support.h"

#include "data_emit.h"
#include "data_fault.h"
#include "data_places.h"
#include "data_spoil.h"
#include "import_yyjson.h"

#define BATCH_RECORDS 6
#define PLACES_TRIED  12 // random places of each variant

#define BIT(error) (1u << (error))
#define SYNTAX     BIT(MR_ERROR_SYNTAX)
#define NUMBER     BIT(MR_ERROR_NUMBER)
#define TYPE       BIT(MR_ERROR_TYPE)

// Why lib/record may reject a batch with each kind of fault.
static const struct {
    const char *kind;
    uint32_t errors;
} reasons[] = {
    {"behind-the-array", BIT(MR_ERROR_TRAILING)},
    {"bom", BIT(MR_ERROR_BOM)},
    {"bracket", SYNTAX | TYPE | BIT(MR_ERROR_TRUNCATED) | BIT(MR_ERROR_FLAG)},
    {"colon", SYNTAX},
    {"comma", SYNTAX},
    {"comment", SYNTAX},
    {"control-character", BIT(MR_ERROR_CONTROL)},
    {"cut-off", BIT(MR_ERROR_TRUNCATED)},
    {"escape-cut-off",
     BIT(MR_ERROR_ESCAPE) | SYNTAX | BIT(MR_ERROR_CONTROL) | BIT(MR_ERROR_TRUNCATED)},
    {"escape-unknown", BIT(MR_ERROR_ESCAPE)},
    {"exponent-incomplete", NUMBER | SYNTAX},
    {"flag-twice", BIT(MR_ERROR_FLAG_TWICE)},
    {"flag-twice-escaped", BIT(MR_ERROR_FLAG_TWICE)},
    {"flag-unknown", BIT(MR_ERROR_FLAG)},
    {"id-range", BIT(MR_ERROR_INTEGER_RANGE)},
    {"integer-form", TYPE | NUMBER},
    {"key-case", BIT(MR_ERROR_KEY_UNKNOWN)},
    {"key-missing", BIT(MR_ERROR_KEY_MISSING)},
    {"key-twice", BIT(MR_ERROR_KEY_TWICE)},
    {"key-twice-escaped", BIT(MR_ERROR_KEY_TWICE)},
    {"key-type", SYNTAX | TYPE},
    {"key-unknown", BIT(MR_ERROR_KEY_UNKNOWN)},
    {"kind-case", BIT(MR_ERROR_KIND)},
    {"kind-unknown", BIT(MR_ERROR_KIND)},
    {"leading-zero", NUMBER},
    {"lone-surrogate", BIT(MR_ERROR_SURROGATE)},
    {"lone-surrogate-key", BIT(MR_ERROR_SURROGATE)},
    {"message-long", BIT(MR_ERROR_LENGTH)},
    {"nested", SYNTAX | TYPE},
    {"not-a-number", NUMBER | SYNTAX},
    {"not-an-array", SYNTAX | TYPE},
    {"null", TYPE},
    {"plus-sign", NUMBER},
    {"point-bare", NUMBER},
    {"quotes", SYNTAX | BIT(MR_ERROR_CONTROL) | BIT(MR_ERROR_TRUNCATED)},
    {"record-type", SYNTAX | TYPE},
    {"source-empty", BIT(MR_ERROR_LENGTH)},
    {"source-long", BIT(MR_ERROR_LENGTH)},
    {"source-long-escaped", BIT(MR_ERROR_LENGTH)},
    {"timestamp-range", BIT(MR_ERROR_INTEGER_RANGE)},
    {"type", TYPE},
    {"utf8-beyond", BIT(MR_ERROR_UTF8)},
    {"utf8-cut-off", BIT(MR_ERROR_UTF8)},
    {"utf8-outside", BIT(MR_ERROR_UTF8) | SYNTAX},
    {"utf8-overlong", BIT(MR_ERROR_UTF8)},
    {"utf8-stray", BIT(MR_ERROR_UTF8)},
    {"utf8-surrogate", BIT(MR_ERROR_UTF8)},
    {"value-missing", SYNTAX},
    {"value-overflow", BIT(MR_ERROR_VALUE_RANGE)},
    {"value-range", BIT(MR_ERROR_VALUE_RANGE)},
    {"white-space", SYNTAX},
    {"empty", BIT(MR_ERROR_EMPTY)},
    {"records-max", BIT(MR_ERROR_RECORDS_MAX)},
};

static uint32_t reasons_of(const char *kind)
{
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
        if (strcmp(reasons[i].kind, kind) == 0) {
            return reasons[i].errors;
        }
    }
    fail_msg("no reasons for %s", kind);
    return 0;
}

// A good batch to spoil, and the two readings of it.
struct bench {
    struct test_parser parser;
    struct mr_emitter emitter;
    struct mr_batch batch;
    struct mr_buffer second;
    struct mr_rng rng;
};

static int set_up(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    test_parser_init(&bench->parser);
    mr_emitter_init(&bench->emitter, 11, &(struct mr_form){0});
    assert_int_equal(mr_batch_init(&bench->batch), 0);
    bench->rng = mr_rng_seeded(12);
    *state = bench;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *bench = *state;
    test_parser_fini(&bench->parser);
    mr_emitter_fini(&bench->emitter);
    mr_batch_fini(&bench->batch);
    mr_buffer_fini(&bench->second);
    free(bench);
    return 0;
}

static struct mr_result read_batch(struct bench *bench)
{
    return test_parse(&bench->parser, bench->batch.json.bytes, bench->batch.json.length);
}

// Varies every place of the spoiled batch and reads it again.
static void vary(struct bench *bench, const char *kind, struct mr_spoilt spoilt)
{
    struct mr_batch_notes notes;
    mr_places_choose(&bench->batch, spoilt, &bench->rng, &notes);
    for (uint32_t i = 0; i < notes.places_count; i++) {
        const struct mr_edit_place *place = &notes.place[i];
        assert_true(place->digits_offset + place->digits_count <= bench->batch.json.length);
        uint8_t *last = bench->batch.json.bytes + place->digits_offset + place->digits_count - 1;
        assert_in_range(*last, '0', '9');
        *last = (uint8_t)(*last == '9' ? '0' : *last + 1);
        if (read_batch(bench).error == MR_OK) {
            fail_msg("%s: a varied timestamp makes the batch good", kind);
        }
    }
}

static void check_variant(struct bench *bench, size_t kind, size_t variant, enum mr_look look)
{
    const char *name = mr_fault_kinds[kind].name;
    assert_int_equal(mr_emitter_batch(&bench->emitter, look, BATCH_RECORDS, &bench->batch), 0);
    assert_int_equal(read_batch(bench).error, MR_OK);
    struct mr_spoilt spoilt;
    assert_int_equal(mr_fault_plant(kind, variant, &bench->rng, &bench->batch, &spoilt), 0);

    struct mr_result result = read_batch(bench);
    if ((reasons_of(name) >> result.error & 1) == 0) {
        fail_msg("%s, variant %zu: lib/record says \"%s\" of %.300s", name, variant,
                 mr_error_text(result.error), (const char *)bench->batch.json.bytes);
    }
    if (spoilt.first <= spoilt.last) {
        assert_in_range(result.error_record, spoilt.first, spoilt.last);
    }
    struct mr_second_reading second;
    assert_int_equal(
        mr_second_read(bench->batch.json.bytes, bench->batch.json.length, &bench->second, &second),
        0);
    assert_false(second.accepted);
    assert_int_equal(mr_fault_kinds[kind].no_places,
                     spoilt.first == 0 && spoilt.last == BATCH_RECORDS - 1);
    if (!mr_fault_kinds[kind].large) {
        vary(bench, name, spoilt);
    }
}

static void test_every_variant(void **state)
{
    struct bench *bench = *state;
    assert_int_equal(sizeof reasons / sizeof reasons[0], mr_fault_kinds_count);
    for (size_t kind = 0; kind < mr_fault_kinds_count; kind++) {
        int tries = mr_fault_kinds[kind].large ? 1 : PLACES_TRIED;
        for (size_t variant = 0; variant < mr_fault_variants(kind); variant++) {
            for (int i = 0; i < tries; i++) {
                check_variant(bench, kind, variant, (enum mr_look)(i % 2));
            }
        }
    }
}

// A batch of one record can be spoiled as well; there is just nothing left to vary.
static void test_batch_of_one(void **state)
{
    struct bench *bench = *state;
    for (size_t kind = 0; kind < mr_fault_kinds_count; kind++) {
        if (mr_fault_kinds[kind].large) {
            continue;
        }
        for (size_t variant = 0; variant < mr_fault_variants(kind); variant++) {
            assert_int_equal(mr_emitter_batch(&bench->emitter, MR_LOOK_MESSY, 1, &bench->batch), 0);
            struct mr_spoilt spoilt;
            assert_int_equal(mr_fault_plant(kind, variant, &bench->rng, &bench->batch, &spoilt), 0);
            assert_int_not_equal(read_batch(bench).error, MR_OK);
            vary(bench, mr_fault_kinds[kind].name, spoilt);
        }
    }
}

// The share is exact over 100 batches, and every kind comes before one comes again.
static void test_shares_and_turns(void **state)
{
    struct bench *bench = *state;
    static const uint32_t shares_bp[] = {0, 100, 700, 5000, 10000};
    for (size_t i = 0; i < sizeof shares_bp / sizeof shares_bp[0]; i++) {
        struct mr_spoiler spoiler;
        mr_spoiler_init(&spoiler, &(struct mr_spoil_plan){.seed = i, .share_bp = shares_bp[i]});
        uint64_t wanted = 0;
        for (uint64_t index = 0; index < 700; index++) {
            wanted += mr_spoiler_wants(&spoiler, index) ? 1 : 0;
            if (index % 100 == 99) {
                assert_int_equal(wanted, shares_bp[i] * (index + 1) / 10000);
            }
        }
    }
    struct mr_spoiler spoiler;
    mr_spoiler_init(&spoiler, &(struct mr_spoil_plan){.share_bp = 25}); // a quarter of a percent
    uint64_t quarter = 0;
    for (uint64_t index = 0; index < 4000; index++) {
        quarter += mr_spoiler_wants(&spoiler, index) ? 1 : 0;
    }
    assert_int_equal(quarter, 10);
    mr_spoiler_init(&spoiler, &(struct mr_spoil_plan){.seed = 3, .share_bp = 10000});
    assert_int_equal(spoiler.kinds, mr_fault_kinds_count - 1); // all but the large one
    for (uint64_t index = 0; index < 2 * spoiler.kinds; index++) {
        struct mr_spoilt spoilt;
        assert_int_equal(
            mr_emitter_batch(&bench->emitter, MR_LOOK_SIMPLE, BATCH_RECORDS, &bench->batch), 0);
        assert_int_equal(mr_spoiler_spoil(&spoiler, index, &bench->batch, &spoilt), 0);
        assert_int_not_equal(read_batch(bench).error, MR_OK);
    }
    for (size_t kind = 0; kind < mr_fault_kinds_count; kind++) {
        assert_int_equal(spoiler.counts[kind], mr_fault_kinds[kind].large ? 0 : 2);
    }
    mr_spoiler_init(&spoiler, &(struct mr_spoil_plan){
                                  .share_bp = 25, .keep_places = true, .large_faults = true});
    assert_int_equal(spoiler.kinds, mr_fault_kinds_count - 1); // all but "empty"
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_every_variant, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_batch_of_one, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_shares_and_turns, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
