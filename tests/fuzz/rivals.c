// rivals.c: see rivals.h.
#include "rivals.h"

#include "base/mr_assert.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int mr_rival_caught(int argc, char **argv, const struct mr_contestant *contestant);

// MR_RIVAL_MAINS: RIVAL(name) for the main of each contestant that is linked in.
#define RIVAL(name) int name(int argc, char **argv);
MR_RIVAL_MAINS
#undef RIVAL
#define RIVAL(name) name,
static int (*const mains[])(int argc, char **argv) = {MR_RIVAL_MAINS NULL};
#undef RIVAL

static struct mr_contestant caught;

int mr_rival_caught(int argc, char **argv, const struct mr_contestant *contestant)
{
    (void)argc;
    (void)argv;
    caught = *contestant;
    return 0;
}

struct mr_rivals mr_rivals_init(void)
{
    struct mr_rivals rivals = {0};
    char name[] = "rival";
    char *words[] = {name, NULL};
    for (size_t i = 0; mains[i] != NULL && i < MR_RIVALS_MAX; i++) {
        struct mr_rival *rival = &rivals.rival[rivals.count];
        const struct mr_parser_options options = {0};
        if (mains[i](1, words) != 0 || caught.create(&options, &rival->parser) != 0) {
            printf("rival %s does not run here\n", caught.name);
            continue;
        }
        rival->name = caught.name;
        rival->kernel = caught.kernel(rival->parser);
        rival->parse = caught.parse;
        rivals.count++;
        printf("rival %s, kernel %s\n", rival->name, rival->kernel);
    }
    return rivals;
}

// What a server would add up for this one batch.
static struct mr_totals totals_of(const struct mr_result *result, const uint8_t *records,
                                  size_t json_bytes)
{
    struct mr_totals totals;
    mr_totals_init(&totals);
    if (result->error == MR_OK) {
        mr_totals_accept_result(&totals, records, result, json_bytes);
    } else {
        mr_totals_reject(&totals);
    }
    return totals;
}

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

// Reasons and places of a rejection are a kernel's own business, the verdict is not.
static bool is_same(const struct mr_result *expected, const uint8_t *expected_records,
                    const struct mr_result *result, const uint8_t *records, size_t json_bytes)
{
    if ((expected->error == MR_OK) != (result->error == MR_OK) ||
        expected->records != result->records || expected->digest != result->digest ||
        expected->used_bytes != result->used_bytes) {
        return false;
    }
    struct mr_totals left = totals_of(expected, expected_records, json_bytes);
    struct mr_totals right = totals_of(result, records, json_bytes);
    return mr_totals_equal(&left, &right) &&
           are_same_records(expected_records, records, result->records);
}

const char *mr_rivals_check(struct mr_rivals *rivals, struct mr_checker *checker,
                            const uint8_t *json, size_t json_bytes,
                            const struct mr_result *expected)
{
    size_t capacity = (mr_records_capacity(json_bytes) + 7) / 8 * 8;
    const uint8_t *expected_records = mr_guarded_last(&checker->records, capacity, 0);
    uint8_t *records = mr_guarded_last(&checker->other_records, capacity, 0);
    uint8_t *text = mr_guarded_last(&checker->text, json_bytes, MR_PAD_BACK);
    for (size_t i = 0; i < 2 * rivals->count; i++) {
        const struct mr_rival *rival = &rivals->rival[i / 2];
        memcpy(text, json, json_bytes);
        struct mr_payload payload = {
            .json = text, .json_bytes = json_bytes, .writable = i % 2 != 0};
        struct mr_result result = {0};
        rival->parse(rival->parser, &payload, records, &result);
        if (!is_same(expected, expected_records, &result, records, json_bytes)) {
            struct mr_text complaint = mr_text_init(rivals->complaint, sizeof rivals->complaint);
            mr_text_printf(&complaint,
                           "%s (%s): error %u records %u digest %016" PRIx64
                           "; the kernels: error %u records %u digest %016" PRIx64,
                           rival->name, payload.writable ? "in situ" : "read only", result.error,
                           result.records, result.digest, expected->error, expected->records,
                           expected->digest);
            return rivals->complaint;
        }
    }
    return NULL;
}
