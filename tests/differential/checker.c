// checker.c: see checker.h.
#include "checker.h"

#include "oracle.h"

#include "base/mr_assert.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct mr_checker mr_checker_init(size_t json_bytes_max)
{
    size_t capacity = mr_records_capacity(json_bytes_max) + 8;
    struct mr_checker checker = {
        .json_bytes_max = json_bytes_max,
        .text = mr_guarded_init(MR_PAD_FRONT + json_bytes_max + MR_PAD_BACK),
        .records = mr_guarded_init(capacity),
        .other_records = mr_guarded_init(capacity),
        .rng = mr_rng_seeded(20261130),
    };
    MR_ASSERT(mr_kernel_count() <= MR_CHECKER_KERNELS_MAX);
    for (size_t i = 0; i < mr_kernel_count(); i++) {
        struct mr_kernel_info kernel = mr_kernel_by_index(i);
        if (!kernel.supported) {
            printf("kernel %s is not tested: this machine lacks %s\n", kernel.name, kernel.needs);
            continue;
        }
        int failed = mr_parser_create(kernel.name, &checker.parser[checker.parsers++]);
        MR_ASSERT(failed == 0);
    }
    MR_ASSERT(checker.parsers > 0 && strcmp(mr_parser_kernel(checker.parser[0]), "scalar") == 0);
    return checker;
}

void mr_checker_fini(struct mr_checker *checker)
{
    for (size_t i = 0; i < checker->parsers; i++) {
        mr_parser_destroy(checker->parser[i]);
    }
    mr_guarded_fini(&checker->text);
    mr_guarded_fini(&checker->records);
    mr_guarded_fini(&checker->other_records);
    *checker = (struct mr_checker){0};
}

// An empty text in the checker's complaint, to be printed into.
static struct mr_text begin_complaint(struct mr_checker *checker)
{
    return mr_text_init(checker->complaint, sizeof checker->complaint);
}

static const char *describe(char text_out[160], const struct mr_result *result)
{
    (void)snprintf(text_out, 160,
                   "error %u records %u digest %016" PRIx64 " used %" PRIu64 " at record %u offset "
                   "%" PRIu64,
                   result->error, result->records, result->digest, result->used_bytes,
                   result->error_record, result->error_offset);
    return text_out;
}

static const char *compare_results(struct mr_checker *checker, const char *kernel,
                                   const struct mr_result *expected, const struct mr_result *got)
{
    if (expected->error == got->error && expected->records == got->records &&
        expected->digest == got->digest && expected->used_bytes == got->used_bytes &&
        expected->error_record == got->error_record &&
        expected->error_offset == got->error_offset) {
        return NULL;
    }
    char expected_text[160];
    char got_text[160];
    struct mr_text complaint_text = begin_complaint(checker);
    mr_text_printf(&complaint_text, "%s: expected %s, got %s", kernel,
                   describe(expected_text, expected), describe(got_text, got));
    return checker->complaint;
}

// Whether `result` is one that a parser may give for a text of `json_bytes` bytes at all.
static bool is_well_formed(const struct mr_result *result, size_t json_bytes)
{
    if (result->error == MR_OK) {
        return result->records <= MR_BATCH_RECORDS_MAX && result->error_record == 0 &&
               result->error_offset == 0 && result->used_bytes % 8 == 0 &&
               result->used_bytes <= json_bytes;
    }
    return result->error > MR_ERROR_REJECTED && result->error < MR_ERROR_MEMORY &&
           result->records == 0 && result->digest == 0 && result->used_bytes == 0 &&
           result->error_record <= MR_BATCH_RECORDS_MAX && result->error_offset <= json_bytes;
}

// Where kernel `index` writes records: as far back as alignment allows.
static uint8_t *records_place(const struct mr_checker *checker, size_t index, size_t json_bytes)
{
    size_t capacity = (mr_records_capacity(json_bytes) + 7) / 8 * 8;
    return mr_guarded_last(index == 0 ? &checker->records : &checker->other_records, capacity, 0);
}

static void fill_randomly(struct mr_checker *checker, uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bytes[i] = (uint8_t)mr_rng_next(&checker->rng);
    }
}

// Whether both places hold the same records; padding is not compared.
static bool are_same_records(const uint8_t *left, const uint8_t *right, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct mr_record *record = (const struct mr_record *)(const void *)left;
        if (memcmp(left, right, mr_record_bytes(record)) != 0) {
            return false;
        }
        left += mr_record_stride(record);
        right += mr_record_stride(record);
    }
    return true;
}

// Whether the totals that a kernel made on its way are those that its records add.
static bool are_right_totals(const struct mr_result *result, const uint8_t *records,
                             size_t json_bytes)
{
    if (result->totals == NULL || result->error != MR_OK) {
        return result->totals == NULL;
    }
    struct mr_totals expected;
    mr_totals_init(&expected);
    mr_totals_accept(&expected, records, result->records, result->digest, json_bytes);
    return mr_totals_equal(&expected, result->totals);
}

const char *mr_checker_same(struct mr_checker *checker, const uint8_t *json, size_t json_bytes,
                            const struct mr_result *expected)
{
    for (size_t i = 0; i < checker->parsers; i++) {
        uint8_t *place = records_place(checker, i, json_bytes);
        struct mr_result result;
        memset(&result, 0xA5, sizeof result);
        mr_parser_parse(checker->parser[i], json, json_bytes, place, &result);
        const char *kernel = mr_parser_kernel(checker->parser[i]);
        const char *complaint = compare_results(checker, kernel, expected, &result);
        if (complaint == NULL && i > 0 &&
            !are_same_records(records_place(checker, 0, json_bytes), place, result.records)) {
            struct mr_text text = begin_complaint(checker);
            mr_text_printf(&text, "%s: other records than the specification", kernel);
            complaint = checker->complaint;
        }
        if (complaint == NULL && !are_right_totals(&result, place, json_bytes)) {
            struct mr_text text = begin_complaint(checker);
            mr_text_printf(&text, "%s: other totals than its records add", kernel);
            complaint = checker->complaint;
        }
        if (complaint != NULL) {
            return complaint;
        }
    }
    return NULL;
}

const char *mr_checker_kernels(struct mr_checker *checker, const uint8_t *json, size_t json_bytes,
                               struct mr_result *result_out)
{
    uint8_t *text = mr_guarded_last(&checker->text, json_bytes, MR_PAD_BACK);
    memcpy(text, json, json_bytes);
    fill_randomly(checker, text - MR_PAD_FRONT, MR_PAD_FRONT);
    fill_randomly(checker, text + json_bytes, MR_PAD_BACK);
    struct mr_result result;
    memset(&result, 0xA5, sizeof result);
    mr_parser_parse(checker->parser[0], text, json_bytes, records_place(checker, 0, json_bytes),
                    &result);
    if (result_out != NULL) {
        *result_out = result;
    }
    if (!is_well_formed(&result, json_bytes)) {
        char got[160];
        struct mr_text complaint_text = begin_complaint(checker);
        mr_text_printf(&complaint_text, "no possible result: %s", describe(got, &result));
        return checker->complaint;
    }
    if (memcmp(text, json, json_bytes) != 0) {
        struct mr_text complaint_text = begin_complaint(checker);
        mr_text_printf(&complaint_text, "the text was changed");
        return checker->complaint;
    }
    // Other bytes around the text for the comparison: they must not matter either.
    fill_randomly(checker, text + json_bytes, MR_PAD_BACK);
    return mr_checker_same(checker, text, json_bytes, &result);
}

static const char *compare_with_oracle(struct mr_checker *checker, const struct mr_oracle *oracle,
                                       const struct mr_result *result, const uint8_t *records)
{
    if (oracle->accepted != (result->error == MR_OK)) {
        char got[160];
        struct mr_text complaint_text = begin_complaint(checker);
        mr_text_printf(&complaint_text, "the oracle %s, we say: %s, %s",
                       oracle->accepted ? "accepts" : "rejects", mr_error_text(result->error),
                       describe(got, result));
        return checker->complaint;
    }
    if (oracle->records != result->records || oracle->digest != result->digest) {
        char got[160];
        struct mr_text complaint_text = begin_complaint(checker);
        mr_text_printf(&complaint_text,
                       "the oracle has %u records, digest %016" PRIx64 "; we have %s",
                       oracle->records, oracle->digest, describe(got, result));
        return checker->complaint;
    }
    size_t compared = 0;
    const uint8_t *at = records;
    for (uint32_t i = 0; i < result->records; i++) {
        const struct mr_record *record = (const struct mr_record *)(const void *)at;
        size_t bytes = mr_record_bytes(record);
        if (bytes > oracle->canonical_bytes - compared ||
            memcmp(at, oracle->canonical + compared, bytes) != 0) {
            struct mr_text complaint_text = begin_complaint(checker);
            mr_text_printf(&complaint_text, "record %u differs from the oracle's", i);
            return checker->complaint;
        }
        compared += bytes;
        at += mr_record_stride(record);
    }
    if (compared != oracle->canonical_bytes || (size_t)(at - records) != result->used_bytes) {
        struct mr_text complaint_text = begin_complaint(checker);
        mr_text_printf(&complaint_text,
                       "the records are not all, or used_bytes not the sum of strides");
        return checker->complaint;
    }
    return NULL;
}

const char *mr_checker_all(struct mr_checker *checker, const uint8_t *json, size_t json_bytes,
                           struct mr_result *result_out)
{
    struct mr_result result;
    const char *complaint = mr_checker_kernels(checker, json, json_bytes, &result);
    if (result_out != NULL) {
        *result_out = result;
    }
    if (complaint == NULL) {
        struct mr_oracle oracle = mr_oracle_judge(json, json_bytes);
        complaint =
            compare_with_oracle(checker, &oracle, &result, records_place(checker, 0, json_bytes));
        mr_oracle_fini(&oracle);
    }
    return complaint;
}
