// check_large.c: what is too large for the case files: record counts at the limit, a full payload,
// numbers of a million digits, the default limit of a payload (B4 to B7, W4).
#include "conform_checks.h"
#include "conform_made.h"
#include "conform_talk.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define DIGITS 1000000u

// Large batches may take a slow contestant longer than a wait for a reply otherwise does.
#define LARGE_PATIENCE 6

// Sends a batch made here and judges its answer as accepted, or as rejected.
static bool judge(struct mr_talk *talk, const struct mr_made *made, bool accepted, const char *what)
{
    struct mr_ack ack;
    if (!mr_talk_batch(talk, made->json.bytes, made->json.length, &ack)) {
        return false;
    }
    char expected[MR_FINDING_BYTES];
    if (!accepted) {
        (void)snprintf(expected, sizeof expected, "%s: rejected", what);
        return ack.status != 0 ||
               mr_talk_fail(talk, expected, "accepted, %" PRIu32 " records", ack.records);
    }
    (void)snprintf(expected, sizeof expected,
                   "%s: accepted, %" PRIu32 " records, digest %016" PRIx64, what, made->records,
                   made->digest);
    bool right = ack.status == 0 && ack.records == made->records && ack.digest == made->digest;
    return right ||
           mr_talk_fail(talk, expected, "status %" PRIu32 ", %" PRIu32 " records, %016" PRIx64,
                        ack.status, ack.records, ack.digest);
}

static void records_limit(struct mr_kit *kit)
{
    struct mr_subject *shared = mr_kit_shared(kit, MR_RULE_B4);
    if (shared == NULL) {
        return;
    }
    kit->patience_ns *= LARGE_PATIENCE;
    struct mr_made made = {0};
    struct mr_talk talk;
    bool going = mr_talk_open(&talk, kit, MR_RULE_B4, shared);
    if (going && mr_kit_wants(kit, MR_RULE_B4)) {
        mr_made_plain(&made, 7, MR_BATCH_RECORDS_MAX);
        going = judge(&talk, &made, true, "65,535 records");
    }
    if (going) {
        mr_kit_ok(kit, MR_RULE_B4);
    }
    talk.rule = MR_RULE_B5;
    if (going && mr_kit_wants(kit, MR_RULE_B5)) {
        mr_made_plain(&made, 7, MR_BATCH_RECORDS_MAX + 1);
        going = judge(&talk, &made, false, "65,536 records");
    }
    if (going) {
        mr_kit_ok(kit, MR_RULE_B5);
    }
    mr_talk_close(&talk);
    mr_made_fini(&made);
    kit->patience_ns /= LARGE_PATIENCE;
}

// A number with DIGITS copies of `digit` between two pieces of text, and what it must become.
struct long_number {
    const char *before;
    const char *digit; // one character
    const char *behind;
    double value;
    bool accepted;
};

static const struct long_number long_values[] = {
    {"1", "0", "e-1000000", 1.0, true},
    {"0.", "0", "25e1000000", 0.25, true},
    {"-0.", "0", "", -0.0, true},
    // Half way between two doubles: to even, up as soon as anything follows, however far away.
    {"562949953421312.0625", "0", "", 562949953421312.0, true},
    {"562949953421312.0625", "0", "1", 562949953421312.125, true},
    {"562949953421312.0624", "9", "", 562949953421312.0, true},
    {"0.3333", "3", "", 1.0 / 3, true},
    {"1e", "0", "3", 1000.0, true},
    {"25e-", "0", "2", 0.25, true},
    {"1e-", "9", "", 0.0, true},
    {"0e", "9", "", 0.0, true},
    {"1", "0", "", 0, false},
    {"1e", "9", "", 0, false},
    {"999999999999999.9", "9", "", 1e15, true}, // rounds to the limit itself
    {"1000000000000000.0", "0", "1", 1e15, true},
};

static void add_long(struct mr_bytes *text, const struct long_number *number)
{
    text->length = 0;
    mr_bytes_text(text, number->before);
    mr_bytes_fill(text, number->digit[0], DIGITS);
    mr_bytes_text(text, number->behind);
    mr_bytes_fill(text, '\0', 1);
}

static bool long_value(struct mr_talk *talk, struct mr_made *made, struct mr_bytes *text,
                       const struct long_number *number)
{
    add_long(text, number);
    struct mr_made_record record = {.id = 1,
                                    .timestamp_us = 2,
                                    .source = "kit",
                                    .value = number->value,
                                    .value_text = (const char *)text->bytes};
    mr_made_begin(made);
    mr_made_add(made, &record);
    mr_made_end(made);
    char what[80];
    (void)snprintf(what, sizeof what, "value %s%s…%s, a million times %s", number->before,
                   number->digit, number->behind, number->digit);
    return judge(talk, made, number->accepted, what);
}

// An id of a million digits is out of range, whatever its digits.
static bool long_id(struct mr_talk *talk, struct mr_made *made)
{
    made->json.length = 0;
    mr_bytes_text(&made->json, "[{\"id\":1");
    mr_bytes_fill(&made->json, '0', DIGITS);
    mr_bytes_text(&made->json, ",\"timestamp\":2,\"source\":\"kit\",\"kind\":\"log\",\"value\":3,"
                               "\"flags\":[],\"message\":\"\"}]");
    return judge(talk, made, false, "id 10…, a million times 0");
}

static void long_numbers(struct mr_kit *kit)
{
    struct mr_subject *shared = mr_kit_shared(kit, MR_RULE_B6);
    if (shared == NULL) {
        return;
    }
    kit->patience_ns *= LARGE_PATIENCE;
    struct mr_made made = {0};
    struct mr_bytes text = {0};
    struct mr_talk talk;
    bool going = mr_talk_open(&talk, kit, MR_RULE_B6, shared);
    for (size_t i = 0; i < sizeof long_values / sizeof long_values[0] && going; i++) {
        going = long_value(&talk, &made, &text, &long_values[i]);
    }
    if (going && long_id(&talk, &made)) {
        mr_kit_ok(kit, MR_RULE_B6);
    }
    mr_talk_close(&talk);
    mr_bytes_fini(&text);
    mr_made_fini(&made);
    kit->patience_ns /= LARGE_PATIENCE;
}

static void full_payload(struct mr_kit *kit)
{
    struct mr_subject *shared = mr_kit_shared(kit, MR_RULE_B7);
    if (shared == NULL) {
        return;
    }
    kit->patience_ns *= LARGE_PATIENCE;
    struct mr_made made = {0};
    mr_made_long(&made, 1, 3800, MR_MESSAGE_BYTES_MAX);
    size_t left = MR_PAYLOAD_BYTES_DEFAULT - made.json.length; // white space behind the array
    mr_bytes_fill(&made.json, ' ', left);
    struct mr_talk talk;
    if (mr_talk_open(&talk, kit, MR_RULE_B7, shared) &&
        judge(&talk, &made, true, "16 MiB of long records")) {
        mr_kit_ok(kit, MR_RULE_B7);
    }
    mr_talk_close(&talk);
    mr_made_fini(&made);
    kit->patience_ns /= LARGE_PATIENCE;
}

// 16 MiB are taken and one byte more is not, when nothing was said on the command line.
static void default_limit(struct mr_kit *kit)
{
    struct mr_subject *shared = mr_kit_shared(kit, MR_RULE_W4);
    if (shared == NULL) {
        return;
    }
    kit->patience_ns *= LARGE_PATIENCE;
    struct mr_bytes payload = {0};
    mr_bytes_text(&payload, "[");
    mr_bytes_fill(&payload, ' ', MR_PAYLOAD_BYTES_DEFAULT - 2);
    mr_bytes_text(&payload, "]");
    struct mr_bytes script = {0};
    struct mr_frame_head head = {.payload_bytes = MR_PAYLOAD_BYTES_DEFAULT + 1,
                                 .type = MR_FRAME_BATCH,
                                 .version = MR_WIRE_VERSION,
                                 .sequence = 2};
    mr_add_head(&script, &head);
    struct mr_talk talk;
    struct mr_ack ack;
    struct mr_reply reply;
    if (mr_talk_open(&talk, kit, MR_RULE_W4, shared) &&
        mr_talk_batch(&talk, payload.bytes, payload.length, &ack) &&
        (ack.status == 0 || mr_talk_fail(&talk, "16 MiB: accepted", "rejected")) &&
        mr_talk_send(&talk, &script) && mr_talk_expect(&talk, MR_FRAME_ERROR, &reply)) {
        mr_kit_ok(kit, MR_RULE_W4);
    }
    mr_talk_close(&talk);
    mr_bytes_fini(&payload);
    mr_bytes_fini(&script);
    kit->patience_ns /= LARGE_PATIENCE;
}

const struct mr_procedure mr_procedures_large[] = {
    {records_limit, MR_PHASE_LARGE, false, 200, {MR_RULE_B4, MR_RULE_B5, MR_RULE_NONE}},
    {long_numbers, MR_PHASE_LARGE, false, 100, {MR_RULE_B6, MR_RULE_NONE}},
    {full_payload, MR_PHASE_LARGE, false, 100, {MR_RULE_B7, MR_RULE_NONE}},
    {default_limit, MR_PHASE_LARGE, false, 50, {MR_RULE_W4, MR_RULE_NONE}},
    {.run = NULL},
};
