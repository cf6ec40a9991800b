// load_verify_test.c: expected answers, totals and KEPT against what the records themselves add up
// to.
#include "load_dataset.h"

#include <verify.h>

#include <base/rng.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const struct load_batch batches[] = {
    {.records = 3, .digits_count = 16, .text_bytes = 20},
    {.records = 1, .digits_count = 2, .text_bytes = 0},
    {.records = 12, .digits_count = 9, .text_bytes = 7},
    {.records = 2, .digits_count = 16, .text_bytes = 5, .rejected = 1},
    {.records = 5, .digits_count = 3, .text_bytes = 100},
};
#define BATCHES (sizeof batches / sizeof batches[0])

// A batch as it goes out, its records changed by what the digits on the wire say.
static struct mr_ack recount(struct mr_dataset *dataset, const struct mr_request *request,
                             struct mr_totals *totals)
{
    char payload[16384];
    const struct mr_edit *edit = &request->edit;
    uint32_t bytes = dataset->frames.frame[request->batch].payload_bytes;
    memcpy(payload, mr_frames_payload(&dataset->frames, request->batch), bytes);
    payload[bytes] = '\0';
    memcpy(payload + edit->offset, edit->digits, edit->count);
    if (batches[request->batch].rejected != 0) {
        mr_totals_reject(totals);
        return (struct mr_ack){.status = 1};
    }
    struct mr_totals batch;
    struct mr_ack answer = {.records = batches[request->batch].records};
    mr_totals_init(&batch);
    const char *at = payload;
    for (uint32_t i = 0; i < answer.records; i++) {
        struct mr_record *record = load_dataset_record(dataset, request->batch, i);
        uint64_t kept = record->timestamp_us;
        at = strstr(at, "\"timestamp\":") + 12;
        record->timestamp_us = strtoull(at, NULL, 10);
        uint64_t digest = mr_record_digest(record);
        answer.digest += digest;
        struct mr_totals one;
        mr_totals_init(&one);
        mr_totals_accept(&one, record, 1, digest, 0);
        mr_totals_merge(&batch, &one);
        record->timestamp_us = kept;
    }
    batch.batches_accepted = 1;
    batch.payload_bytes = bytes;
    mr_totals_merge(totals, &batch);
    return answer;
}

static struct mr_totals totals_of(const struct mr_expected *expected)
{
    struct mr_totals totals;
    mr_totals_init(&totals);
    mr_expected_add_totals(expected, &totals);
    return totals;
}

static bool make_request(struct mr_dataset *dataset, size_t batch, uint64_t turn,
                         struct mr_request *request)
{
    *request = (struct mr_request){
        .batch = batch, .turn = turn, .payload_bytes = dataset->frames.frame[batch].payload_bytes};
    return mr_edit_make(dataset, batch, turn, &request->edit);
}

// Hundreds of varied batches: every answer, the totals, and KEPT as the sum over a plain list.
static void test_against_brute_force(void **state)
{
    (void)state;
    struct mr_dataset dataset;
    struct mr_expected expected;
    struct mr_kept_model model = {0};
    struct mr_totals recounted;
    struct mr_ack accepted[400];
    size_t accepted_count = 0;
    load_dataset_make(&dataset, batches, BATCHES);
    assert_int_equal(mr_expected_init(&expected, MR_MODE_KEEP, &dataset), 0);
    mr_totals_init(&recounted);
    struct mr_rng rng = mr_rng_seeded(11);
    uint64_t sent = 0;
    for (uint64_t turn = 0; turn < 80; turn++) {
        for (size_t i = 0; i < BATCHES; i++) {
            struct mr_request request;
            if (mr_rng_below(&rng, 5) == 0 || !make_request(&dataset, i, turn, &request)) {
                continue;
            }
            struct mr_ack answer = recount(&dataset, &request, &recounted);
            assert_true(mr_expected_check(&expected, &request, &answer, &model));
            sent++;
            if (answer.status == 0) {
                accepted[accepted_count++] = answer;
            }
            struct mr_kept kept = {.batches = 1000};
            struct mr_kept summed = {.batches = 1000};
            mr_kept_model_add(&model, &kept);
            for (size_t k = accepted_count < 64 ? 0 : accepted_count - 64; k < accepted_count;
                 k++) {
                summed.batches++;
                summed.records += accepted[k].records;
                summed.digest += accepted[k].digest;
            }
            assert_memory_equal(&kept, &summed, sizeof kept);
        }
    }
    assert_true(accepted_count > 200);
    assert_int_equal(expected.replies, sent);
    struct mr_totals totals = totals_of(&expected);
    assert_true(mr_totals_equal(&totals, &recounted));
    assert_true(recounted.batches_rejected > 20 &&
                recounted.timestamp_min < recounted.timestamp_max);
    mr_expected_fini(&expected);
    load_dataset_drop(&dataset);
}

static void test_wrong_answers(void **state)
{
    (void)state;
    struct mr_dataset dataset;
    struct mr_expected expected;
    struct mr_kept_model model = {0};
    struct mr_request request;
    load_dataset_make(&dataset, batches, BATCHES);
    assert_int_equal(mr_expected_init(&expected, MR_MODE_FRESH, &dataset), 0);
    assert_true(make_request(&dataset, 0, 4, &request));
    const struct mr_ack right = request.edit.answer;
    struct mr_ack got = dataset.answers[0]; // of the batch in the file: a remembered answer
    assert_false(mr_expected_check(&expected, &request, &got, &model));
    got = right;
    got.digest ^= 1ull << 63;
    assert_false(mr_expected_check(&expected, &request, &got, &model));
    got = right;
    got.records--;
    assert_false(mr_expected_check(&expected, &request, &got, &model));
    got = (struct mr_ack){.status = 1};
    assert_false(mr_expected_check(&expected, &request, &got, &model));
    got = right;
    got.status = 2;
    assert_false(mr_expected_check(&expected, &request, &got, &model));
    assert_int_equal(expected.replies, 0);
    assert_int_equal(model.accepted, 0);
    assert_int_equal(totals_of(&expected).batches_accepted, 0);
    got = right;
    assert_true(mr_expected_check(&expected, &request, &got, &model));
    assert_true(make_request(&dataset, 3, 0, &request));
    got = (struct mr_ack){.status = 1, .error = 9, .error_record = 1, .error_offset = 77};
    assert_true(mr_expected_check(&expected, &request, &got, &model)); // advice is free
    assert_int_equal(model.accepted, 1); // a rejected batch leaves the ring as it was
    mr_expected_fini(&expected);
    load_dataset_drop(&dataset);
}

static void test_modes(void **state)
{
    (void)state;
    struct mr_dataset dataset;
    struct mr_expected expected;
    struct mr_kept_model model = {0};
    struct mr_request request;
    struct mr_kept kept = {0};
    load_dataset_make(&dataset, batches, BATCHES);
    assert_int_equal(mr_expected_init(&expected, MR_MODE_DRAIN, &dataset), 0);
    const struct mr_ack nothing = {0};
    for (size_t i = 0; i < BATCHES; i++) { // the one that is rejected elsewhere too
        assert_true(make_request(&dataset, i, 1, &request));
        assert_true(mr_expected_check(&expected, &request, &nothing, &model));
        assert_false(
            mr_expected_check(&expected, &request, &(struct mr_ack){.records = 3}, &model));
    }
    struct mr_totals totals;
    mr_totals_init(&totals);
    totals.batches_accepted = BATCHES;
    totals.payload_bytes = dataset.frames.payload_bytes;
    struct mr_totals drained = totals_of(&expected);
    assert_true(mr_totals_equal(&drained, &totals));
    mr_expected_fini(&expected);
    assert_int_equal(mr_expected_init(&expected, MR_MODE_TOTALS, &dataset), 0);
    assert_true(make_request(&dataset, 2, 1, &request));
    assert_true(mr_expected_check(&expected, &request, &request.edit.answer, &model));
    mr_kept_model_add(&model, &kept);
    assert_int_equal(kept.batches, 0);
    mr_expected_fini(&expected);
    load_dataset_drop(&dataset);
}

static void test_texts(void **state)
{
    (void)state;
    char text[480];
    mr_ack_text(&(struct mr_ack){.records = 256, .digest = 0xabc}, text, sizeof text);
    assert_string_equal(text, "accepted, 256 records, digest 0000000000000abc");
    mr_ack_text(&(struct mr_ack){.status = 1, .error = 7, .error_record = 2, .error_offset = 90},
                text, sizeof text);
    assert_string_equal(text,
                        "rejected, 0 records, digest 0000000000000000 (its advice: error code "
                        "7, record 2, byte 90)");
    struct mr_totals left;
    struct mr_totals right;
    mr_totals_init(&left);
    mr_totals_init(&right);
    mr_totals_difference(&left, &right, text, sizeof text);
    assert_string_equal(text, "");
    left.records = 1000;
    right.records = 990;
    right.kinds[1] = 1;
    right.timestamp_max = 5;
    mr_totals_difference(&left, &right, text, sizeof text);
    assert_string_equal(text, "records 1000, got 990; event 0, got 1; timestamp_max 0, got 5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_brute_force),
        cmocka_unit_test(test_wrong_answers),
        cmocka_unit_test(test_modes),
        cmocka_unit_test(test_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
