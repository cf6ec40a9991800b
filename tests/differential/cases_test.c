// cases_test.c: tests/cases/ through every kernel: answers, totals, and that neither place, nor
// bytes around, nor a cut change what must not change.
#include "cases.h"
#include "checker.h"

#include "base/mr_assert.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ALIGNMENTS 64
// Of longer batches not every prefix is tried: this many, spread evenly, and the last ones.
#ifndef MR_CUTS_MAX
#define MR_CUTS_MAX 2048
#endif
#define CASE_FILES 2
#define FOLDER     MR_SOURCE_DIR "/tests/cases/"
#define KEPT_BYTES ((uint64_t)256 << 20)

static const char *const case_files[CASE_FILES] = {"cases.jsonl", "schema.jsonl"};
static const uint8_t fills[] = {'"', '\\', '}',  ']',  '{',  '[',  ',',  ':',  '0',
                                '9', 'e',  '.',  ' ',  'u',  'a',  '/',  0xFF, 0x00,
                                '-', 0x80, 0xBF, 0xC3, 0xE2, 0xED, 0xF0, '\n'};

struct state {
    struct mr_cases cases[CASE_FILES];
    struct mr_checker checker;
};

static void fail_case(const struct mr_case *item, const char *complaint)
{
    if (complaint != NULL) {
        fail_msg("case %s: %s", item->name, complaint);
    }
}

static void check_answer(struct mr_checker *checker, const struct mr_case *item)
{
    struct mr_result result;
    fail_case(item, mr_checker_all(checker, item->payload, item->payload_bytes, &result));
    if (result.error != MR_OK) {
        assert_int_equal(item->status, 1);
        return;
    }
    if (item->status != 0 || item->records != result.records || item->digest != result.digest) {
        fail_msg("case %s: another answer is right", item->name);
    }
}

static void test_answers(void **context)
{
    struct state *state = *context;
    for (size_t file = 0; file < CASE_FILES; file++) {
        assert_true(state->cases[file].count > 100);
        for (size_t i = 0; i < state->cases[file].count; i++) {
            check_answer(&state->checker, &state->cases[file].item[i]);
        }
    }
}

// Sends a whole file through parser, totals and ring, as a server of `mode` does.
static void run_file(struct mr_parser *parser, const struct mr_cases *cases, enum mr_mode mode,
                     struct mr_totals *totals, struct mr_kept *kept)
{
    struct mr_ring *ring;
    assert_int_equal(mr_ring_create(mode, KEPT_BYTES, &ring), 0);
    mr_totals_init(totals);
    for (size_t i = 0; i < cases->count; i++) {
        const struct mr_case *item = &cases->item[i];
        uint8_t *padded = calloc(1, MR_PAD_FRONT + item->payload_bytes + MR_PAD_BACK);
        uint8_t *place = mr_ring_place(ring, mr_records_capacity(item->payload_bytes));
        MR_ASSERT(padded != NULL && place != NULL);
        memcpy(padded + MR_PAD_FRONT, item->payload, item->payload_bytes);
        struct mr_result result;
        mr_parser_parse(parser, padded + MR_PAD_FRONT, item->payload_bytes, place, &result);
        free(padded);
        if (result.error != MR_OK) {
            mr_totals_reject(totals);
            mr_ring_drop(ring);
        } else {
            mr_totals_accept_result(totals, place, &result, item->payload_bytes);
            assert_int_equal(mr_ring_keep(ring, result.used_bytes, result.records), 0);
        }
    }
    *kept = (struct mr_kept){0};
    mr_ring_kept(ring, kept);
    mr_ring_destroy(ring);
}

// What the last 64 accepted batches of a file add up to, by their answers.
static struct mr_kept kept_by_answers(const struct mr_cases *cases)
{
    struct mr_kept kept = {0};
    for (size_t i = cases->count; i-- > 0 && kept.batches < 64;) {
        if (cases->item[i].status == 0) {
            kept.batches++;
            kept.records += cases->item[i].records;
            kept.digest += cases->item[i].digest;
        }
    }
    return kept;
}

static void test_totals(void **context)
{
    struct state *state = *context;
    for (size_t file = 0; file < CASE_FILES; file++) {
        struct mr_totals expected;
        assert_int_equal(mr_cases_totals(FOLDER "totals.json", case_files[file], &expected), 0);
        struct mr_kept expected_kept = kept_by_answers(&state->cases[file]);
        for (enum mr_mode mode = MR_MODE_TOTALS; mode <= MR_MODE_FRESH; mode++) {
            for (size_t i = 0; i < state->checker.parsers; i++) {
                struct mr_totals totals;
                struct mr_kept kept;
                run_file(state->checker.parser[i], &state->cases[file], mode, &totals, &kept);
                assert_true(mr_totals_equal(&totals, &expected));
                struct mr_kept wanted =
                    mode == MR_MODE_TOTALS ? (struct mr_kept){0} : expected_kept;
                assert_memory_equal(&kept, &wanted, sizeof kept);
            }
        }
    }
}

// Puts the text to `place`, with `fill` before and behind (random bytes when it is negative).
static void put_text(struct mr_checker *checker, uint8_t *place, const uint8_t *json,
                     size_t json_bytes, int fill)
{
    for (size_t i = 0; i < MR_PAD_FRONT; i++) {
        (place - MR_PAD_FRONT)[i] = (uint8_t)(fill < 0 ? (int)mr_rng_next(&checker->rng) : fill);
    }
    for (size_t i = 0; i < MR_PAD_BACK; i++) {
        (place + json_bytes)[i] = (uint8_t)(fill < 0 ? (int)mr_rng_next(&checker->rng) : fill);
    }
    memcpy(place, json, json_bytes);
}

static int fill_number(size_t turn)
{
    return turn % (sizeof fills + 1) == sizeof fills ? -1 : fills[turn % (sizeof fills + 1)];
}

// The batch as it is, at 64 addresses behind a forbidden page.
static void slide_address(struct mr_checker *checker, const struct mr_case *item, size_t turn)
{
    struct mr_result expected;
    fail_case(item, mr_checker_kernels(checker, item->payload, item->payload_bytes, &expected));
    for (size_t shift = 0; shift < ALIGNMENTS; shift++) {
        uint8_t *place =
            mr_guarded_first(&checker->text, item->payload_bytes, MR_PAD_FRONT + shift);
        put_text(checker, place, item->payload, item->payload_bytes, fill_number(turn + shift));
        fail_case(item, mr_checker_same(checker, place, item->payload_bytes, &expected));
    }
}

// Field by field: bytes between them are nobody's.
static void assert_same_result(const struct mr_result *expected, const struct mr_result *got)
{
    assert_int_equal(expected->error, got->error);
    assert_int_equal(expected->records, got->records);
    assert_true(expected->digest == got->digest);
    assert_int_equal(expected->used_bytes, got->used_bytes);
    assert_int_equal(expected->error_record, got->error_record);
    assert_int_equal(expected->error_offset, got->error_offset);
    assert_ptr_equal(expected->totals, got->totals);
}

// The batch behind 0 to 63 spaces, its end right before a forbidden page.
static void slide_spaces(struct mr_checker *checker, const struct mr_case *item, size_t turn)
{
    size_t bytes_max = item->payload_bytes + ALIGNMENTS;
    uint8_t *slid = malloc(bytes_max);
    MR_ASSERT(slid != NULL);
    struct mr_result first = {0};
    for (size_t spaces = 0; spaces < ALIGNMENTS; spaces++) {
        size_t bytes = spaces + item->payload_bytes;
        memset(slid, ' ', spaces);
        memcpy(slid + spaces, item->payload, item->payload_bytes);
        struct mr_result expected;
        fail_case(item, mr_checker_kernels(checker, slid, bytes, &expected));
        if (spaces == 0) {
            first = expected;
        }
        // A byte order mark behind spaces is only a wrong character.
        if (first.error != MR_ERROR_BOM) {
            struct mr_result moved = first;
            moved.error_offset += first.error == MR_OK ? 0 : spaces;
            assert_same_result(&moved, &expected);
        }
        uint8_t *place = mr_guarded_last(&checker->text, bytes, MR_PAD_BACK);
        put_text(checker, place, slid, bytes, fill_number(turn + spaces));
        fail_case(item, mr_checker_same(checker, place, bytes, &expected));
    }
    free(slid);
}

static void test_slides(void **context)
{
    struct state *state = *context;
    for (size_t file = 0; file < CASE_FILES; file++) {
        for (size_t i = 0; i < state->cases[file].count; i++) {
            slide_address(&state->checker, &state->cases[file].item[i], i);
            slide_spaces(&state->checker, &state->cases[file].item[i], i);
        }
    }
}

// Every byte that could be taken for more text, behind and before every batch.
static void test_fills(void **context)
{
    struct state *state = *context;
    struct mr_checker *checker = &state->checker;
    for (size_t file = 0; file < CASE_FILES; file++) {
        for (size_t i = 0; i < state->cases[file].count; i++) {
            const struct mr_case *item = &state->cases[file].item[i];
            struct mr_result expected;
            fail_case(item,
                      mr_checker_kernels(checker, item->payload, item->payload_bytes, &expected));
            uint8_t *place = mr_guarded_last(&checker->text, item->payload_bytes, MR_PAD_BACK);
            for (size_t fill = 0; fill < sizeof fills; fill++) {
                put_text(checker, place, item->payload, item->payload_bytes, fills[fill]);
                fail_case(item, mr_checker_same(checker, place, item->payload_bytes, &expected));
            }
        }
    }
}

// The bytes that were cut off stand right behind the cut: they must not be read on.
static void cut_at(struct mr_checker *checker, const struct mr_case *item, size_t length)
{
    struct mr_result result;
    fail_case(item, mr_checker_kernels(checker, item->payload, length, &result));
    uint8_t *place = mr_guarded_last(&checker->text, length, MR_PAD_BACK);
    size_t behind =
        item->payload_bytes - length < MR_PAD_BACK ? item->payload_bytes - length : MR_PAD_BACK;
    memcpy(place + length, item->payload + length, behind);
    fail_case(item, mr_checker_same(checker, place, length, &result));
    if (item->status == 0 && result.error != MR_ERROR_TRUNCATED && result.error != MR_ERROR_EMPTY) {
        fail_msg("case %s cut to %zu bytes: %s", item->name, length, mr_error_text(result.error));
    }
}

// The last byte that is not white space: a batch cut behind it is whole.
static size_t bytes_without_end(const struct mr_case *item)
{
    size_t bytes = item->payload_bytes;
    while (bytes > 0 && strchr(" \t\r\n", item->payload[bytes - 1]) != NULL) {
        bytes--;
    }
    return item->status == 0 ? bytes : item->payload_bytes;
}

static void test_cuts(void **context)
{
    struct state *state = *context;
    for (size_t file = 0; file < CASE_FILES; file++) {
        for (size_t i = 0; i < state->cases[file].count; i++) {
            const struct mr_case *item = &state->cases[file].item[i];
            size_t end = bytes_without_end(item);
            size_t step = end / MR_CUTS_MAX + 1;
            for (size_t length = 0; length<end; length += end - length> 64 ? step : 1) {
                cut_at(&state->checker, item, length);
            }
        }
    }
}

static int set_up(void **context)
{
    static struct state state;
    size_t longest = 0;
    for (size_t file = 0; file < CASE_FILES; file++) {
        char path[1024];
        (void)snprintf(path, sizeof path, FOLDER "%s", case_files[file]);
        MR_ASSERT(mr_cases_read(path, &state.cases[file]) == 0);
        for (size_t i = 0; i < state.cases[file].count; i++) {
            size_t bytes = state.cases[file].item[i].payload_bytes;
            longest = bytes > longest ? bytes : longest;
        }
    }
    state.checker = mr_checker_init(longest + ALIGNMENTS);
    *context = &state;
    return 0;
}

static int tear_down(void **context)
{
    struct state *state = *context;
    for (size_t file = 0; file < CASE_FILES; file++) {
        mr_cases_fini(&state->cases[file]);
    }
    mr_checker_fini(&state->checker);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers), cmocka_unit_test(test_totals),
        cmocka_unit_test(test_slides),  cmocka_unit_test(test_fills),
        cmocka_unit_test(test_cuts),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
