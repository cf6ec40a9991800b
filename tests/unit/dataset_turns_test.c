// dataset_turns_test.c: the answer and the totals of every variation are those of a real parse of
// the varied bytes, and no two variations are the same.
#include "data_test_support.h"

#include "dataset/dataset.h"
#include "dataset/dataset_sums.h"

static struct test_folder folder;

// The varied bytes of a batch.
static void vary(const struct mr_dataset *dataset, size_t index, const struct mr_edit *edit,
                 struct mr_buffer *out)
{
    out->length = 0;
    mr_buffer_add(out, mr_frames_payload(&dataset->frames, index),
                  dataset->frames.frame[index].payload_bytes);
    if (out->bytes == NULL || out->failed) {
        fail_msg("out of memory");
        return;
    }
    assert_true(edit->count >= 1 && edit->count <= 7);
    assert_true(edit->offset + edit->count <= out->length);
    for (uint32_t i = 0; i < edit->count; i++) {
        uint8_t old = out->bytes[edit->offset + i];
        assert_in_range(old, '0', '9');
        assert_in_range(edit->digits[i], '0', '9');
    }
    // The first digit stays, so the token stays one of the grammar.
    assert_true(edit->offset > edit->place->digits_offset);
    assert_int_equal(edit->offset + edit->count,
                     edit->place->digits_offset + edit->place->digits_count);
    memcpy(out->bytes + edit->offset, edit->digits, edit->count);
}

// Reads the varied batch for real, and compares answer and totals.
static void check_turn(struct test_parser *parser, const struct mr_dataset *dataset, size_t index,
                       uint64_t turn)
{
    struct mr_edit edit;
    assert_true(mr_edit_make(dataset, index, turn, &edit));
    struct mr_buffer varied = {0};
    vary(dataset, index, &edit, &varied);
    struct mr_result result = test_parse(parser, varied.bytes, varied.length);
    assert_int_equal(result.error == MR_OK ? 0 : 1, edit.answer.status);
    assert_int_equal(result.records, edit.answer.records);
    assert_int_equal(result.digest, edit.answer.digest);
    assert_true(edit.timestamp_us <= MR_TIMESTAMP_US_MAX);

    struct mr_totals expected;
    struct mr_totals real;
    mr_totals_init(&expected);
    mr_totals_init(&real);
    struct mr_sums sums;
    assert_int_equal(mr_sums_init(&sums, dataset), 0);
    mr_sums_add(&sums, dataset, index, &edit);
    mr_sums_add_totals(&sums, dataset, &expected);
    mr_sums_fini(&sums);
    if (result.error == MR_OK) {
        mr_totals_accept(&real, parser->records, result.records, result.digest, varied.length);
    } else {
        mr_totals_reject(&real);
    }
    assert_true(mr_totals_equal(&expected, &real));
    mr_buffer_fini(&varied);
}

static void check_dataset(const char *shape, uint64_t batches, uint32_t records)
{
    test_folder_init(&folder);
    test_make(&folder, shape, batches, records);
    struct mr_dataset dataset;
    struct mr_dataset_fault fault;
    assert_int_equal(mr_dataset_init(&dataset, folder.dataset, &fault), 0);
    struct test_parser parser;
    test_parser_init(&parser);
    static const uint64_t later[] = {999, 10000, 1234567, 9999990};
    for (size_t index = 0; index < dataset.frames.count; index++) {
        uint64_t turns = mr_edit_turns(&dataset, index);
        const struct mr_batch_notes *notes = &dataset.notes[index];
        for (uint32_t i = 1; i < notes->places_count; i++) {
            for (uint32_t j = 0; j < i; j++) { // two places in one record would repeat variations
                assert_int_not_equal(notes->place[i].digits_offset, notes->place[j].digits_offset);
            }
        }
        for (uint64_t turn = 0; turn < turns && turn < 12; turn++) { // three times each place
            check_turn(&parser, &dataset, index, turn);
        }
        for (size_t i = 0; i < sizeof later / sizeof later[0]; i++) {
            if (later[i] < turns) {
                check_turn(&parser, &dataset, index, later[i]);
            }
        }
        if (turns > 0) {
            check_turn(&parser, &dataset, index, turns - 1);
        }
        struct mr_edit edit;
        assert_false(mr_edit_make(&dataset, index, turns, &edit));
        assert_false(mr_edit_make(&dataset, index, UINT64_MAX, &edit));
    }
    test_parser_fini(&parser);
    mr_dataset_fini(&dataset);
    test_folder_fini(&folder);
}

static void test_messy(void **state)
{
    (void)state;
    check_dataset("messy", 12, 40);
}

static void test_simple(void **state)
{
    (void)state;
    check_dataset("simple", 6, 40);
}

static void test_rejects(void **state)
{
    (void)state;
    check_dataset("rejects", 230, 5); // two rounds of all kinds
}

// One record: there are no others to hold the extremes.
static void test_one_record(void **state)
{
    (void)state;
    check_dataset("messy", 40, 1);
    check_dataset("mixed-40", 40, 2);
}

static int order_numbers(const void *left, const void *right)
{
    const uint64_t *a = left;
    const uint64_t *b = right;
    return (*a > *b) - (*a < *b);
}

// Many turns of one batch: every one gives other digits, places take turns, none gives the file's.
static void test_all_different(void **state)
{
    (void)state;
    enum { TURNS = 400000 };
    test_folder_init(&folder);
    test_make(&folder, "messy", 2, 64);
    struct mr_dataset dataset;
    struct mr_dataset_fault fault;
    assert_int_equal(mr_dataset_init(&dataset, folder.dataset, &fault), 0);
    uint64_t *seen = calloc(TURNS, sizeof *seen);
    assert_non_null(seen);
    assert_int_equal(dataset.notes[0].places_count, 4);
    for (uint64_t turn = 0; turn < TURNS; turn++) {
        struct mr_edit edit;
        assert_true(mr_edit_make(&dataset, 0, turn, &edit));
        assert_ptr_equal(edit.place, &dataset.notes[0].place[turn % 4]);
        const uint8_t *file = mr_frames_payload(&dataset.frames, 0) + edit.offset;
        assert_memory_not_equal(file, edit.digits, edit.count);
        uint64_t number = edit.offset;
        for (uint32_t i = 0; i < edit.count; i++) {
            number = number * 10 + edit.digits[i];
        }
        seen[turn] = number;
    }
    qsort(seen, TURNS, sizeof *seen, order_numbers);
    for (size_t i = 1; i < TURNS; i++) {
        assert_int_not_equal(seen[i], seen[i - 1]);
    }
    free(seen);
    mr_dataset_fini(&dataset);
    test_folder_fini(&folder);
}

// Places of two, three and nine digits: short ones drop out, the others go on, all are used up.
static void test_places_are_used_up(void **state)
{
    (void)state;
    uint8_t payload[] = "12 345 678901234";
    struct mr_frame_place frame = {.offset = 0, .payload_bytes = sizeof payload - 1};
    struct mr_ack answer = {.status = 1};
    struct mr_batch_notes notes = {
        .places_count = 3,
        .place = {{.digits_offset = 0, .digits_count = 2, .timestamp_us = 12},
                  {.digits_offset = 3, .digits_count = 3, .timestamp_us = 345},
                  {.digits_offset = 7, .digits_count = 9, .timestamp_us = 678901234}}};
    struct mr_dataset dataset = {.frames = {.bytes = payload, .frame = &frame, .count = 1},
                                 .answers = &answer,
                                 .notes = &notes};
    assert_int_equal(mr_edit_turns(&dataset, 0), 9 + 99 + 9999999);
    struct mr_edit first; // the step of docs/DATASETS.md: 8901234 + 6180339, modulo 10^7
    assert_true(mr_edit_make(&dataset, 0, 2, &first));
    assert_ptr_equal(first.place, &notes.place[2]);
    assert_int_equal(first.timestamp_us, 675081573);
    unsigned by_place[3] = {0};
    bool two[10] = {false};
    bool three[100] = {false};
    for (uint64_t turn = 0; turn < 400; turn++) {
        struct mr_edit edit;
        assert_true(mr_edit_make(&dataset, 0, turn, &edit));
        by_place[edit.place - notes.place]++;
        if (edit.place == &notes.place[0]) {
            assert_int_equal(edit.timestamp_us / 10, 1);
            assert_false(two[edit.timestamp_us % 10]);
            two[edit.timestamp_us % 10] = true;
        } else if (edit.place == &notes.place[1]) {
            assert_int_equal(edit.timestamp_us / 100, 3);
            assert_false(three[edit.timestamp_us % 100]);
            three[edit.timestamp_us % 100] = true;
        }
    }
    assert_int_equal(by_place[0], 9);
    assert_int_equal(by_place[1], 99);
    assert_int_equal(by_place[2], 400 - 9 - 99);
    assert_false(two[2]); // what the file says is no variation
    assert_false(three[45]);
    struct mr_edit last;
    assert_true(mr_edit_make(&dataset, 0, 9 + 99 + 9999999 - 1, &last));
    assert_false(mr_edit_make(&dataset, 0, 9 + 99 + 9999999, &last));

    // The short way to the turns of all places leads to the same variations; what is asked of the
    // memory ahead changes nothing.
    struct mr_batch_notes known = notes;
    struct mr_dataset same = dataset;
    same.notes = &known;
    known.turns_of_all = mr_edit_turns_of_all(&known);
    assert_int_equal(known.turns_of_all, 3 * 9);
    for (uint64_t turn = 0; turn < 400; turn++) {
        struct mr_edit edit;
        struct mr_edit other;
        mr_edit_expect_notes(&same, 0, turn);
        assert_true(mr_edit_make(&dataset, 0, turn, &edit));
        assert_true(mr_edit_make(&same, 0, turn, &other));
        mr_edit_expect_record(&other);
        assert_int_equal(edit.place - notes.place, other.place - known.place);
        assert_int_equal(edit.timestamp_us, other.timestamp_us);
        assert_memory_equal(edit.digits, other.digits, edit.count);
    }
    assert_int_equal(mr_edit_turns_of_all(&(struct mr_batch_notes){0}), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messy),         cmocka_unit_test(test_simple),
        cmocka_unit_test(test_rejects),       cmocka_unit_test(test_one_record),
        cmocka_unit_test(test_all_different), cmocka_unit_test(test_places_are_used_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
