// verify.c: see verify.h.
#include "verify.h"

#include "base/text.h"

#include <inttypes.h>

void mr_kept_model_push(struct mr_kept_model *model, const struct mr_ack *answer)
{
    uint64_t place = model->accepted++ % MR_RING_PLACES;
    model->digest[place] = answer->digest;
    model->records[place] = answer->records;
}

void mr_kept_model_add(const struct mr_kept_model *model, struct mr_kept *kept_io)
{
    uint64_t kept = model->accepted < MR_RING_PLACES ? model->accepted : MR_RING_PLACES;
    kept_io->batches += kept;
    for (uint64_t i = 0; i < kept; i++) {
        kept_io->records += model->records[i];
        kept_io->digest += model->digest[i];
    }
}

int mr_expected_init(struct mr_expected *expected_out, enum mr_mode mode,
                     const struct mr_dataset *dataset)
{
    *expected_out = (struct mr_expected){.mode = mode, .dataset = dataset};
    mr_totals_init(&expected_out->drained);
    return mr_sums_init(&expected_out->sums, dataset);
}

void mr_expected_fini(struct mr_expected *expected)
{
    mr_sums_fini(&expected->sums);
}

void mr_expected_add_totals(const struct mr_expected *expected, struct mr_totals *totals_io)
{
    mr_totals_merge(totals_io, &expected->drained);
    mr_sums_add_totals(&expected->sums, expected->dataset, totals_io);
}

struct mr_ack mr_expected_answer(enum mr_mode mode, const struct mr_edit *edit)
{
    return mode == MR_MODE_DRAIN ? (struct mr_ack){0} : edit->answer;
}

void mr_expected_add(struct mr_expected *expected, const struct mr_request *request,
                     struct mr_kept_model *kept)
{
    expected->replies++;
    if (expected->mode == MR_MODE_DRAIN) {
        mr_totals_drain(&expected->drained, request->payload_bytes);
        return;
    }
    const struct mr_ack *answer = &request->edit.answer;
    mr_sums_add(&expected->sums, expected->dataset, request->batch, &request->edit);
    if (answer->status == 0 && expected->mode != MR_MODE_TOTALS) {
        mr_kept_model_push(kept, answer);
    }
}

bool mr_expected_check(struct mr_expected *expected, const struct mr_request *request,
                       const struct mr_ack *got, struct mr_kept_model *kept)
{
    if (expected->unchecked) {
        return true;
    }
    struct mr_ack answer = mr_expected_answer(expected->mode, &request->edit);
    if (!mr_ack_agrees(&answer, got)) {
        return false;
    }
    mr_expected_add(expected, request, kept);
    return true;
}

void mr_ack_text(const struct mr_ack *ack, char *text_out, size_t capacity)
{
    struct mr_text text = mr_text_init(text_out, capacity);
    if (ack->status == 0) {
        mr_text_printf(&text, "accepted");
    } else if (ack->status == 1) {
        mr_text_printf(&text, "rejected");
    } else {
        mr_text_printf(&text, "status %" PRIu32, ack->status);
    }
    mr_text_printf(&text, ", %" PRIu32 " records, digest %016" PRIx64, ack->records, ack->digest);
    if (ack->status != 0 && (ack->error != 0 || ack->error_record != 0 || ack->error_offset != 0)) {
        mr_text_printf(
            &text, " (its advice: error code %" PRIu32 ", record %" PRIu32 ", byte %" PRIu64 ")",
            ack->error, ack->error_record, ack->error_offset);
    }
}

static void difference(struct mr_text *text, const char *name, uint64_t expected, uint64_t got)
{
    if (expected != got) {
        mr_text_printf(text, "%s%s %" PRIu64 ", got %" PRIu64, text->length > 0 ? "; " : "", name,
                       expected, got);
    }
}

static void difference_hex(struct mr_text *text, const char *name, uint64_t expected, uint64_t got)
{
    if (expected != got) {
        mr_text_printf(text, "%s%s %016" PRIx64 ", got %016" PRIx64, text->length > 0 ? "; " : "",
                       name, expected, got);
    }
}

void mr_totals_difference(const struct mr_totals *expected, const struct mr_totals *got,
                          char *text_out, size_t capacity)
{
    struct mr_text text = mr_text_init(text_out, capacity);
    difference(&text, "batches_accepted", expected->batches_accepted, got->batches_accepted);
    difference(&text, "batches_rejected", expected->batches_rejected, got->batches_rejected);
    difference(&text, "records", expected->records, got->records);
    difference(&text, "payload_bytes", expected->payload_bytes, got->payload_bytes);
    difference_hex(&text, "digest", expected->digest, got->digest);
    for (size_t i = 0; i < MR_KIND_COUNT; i++) {
        difference(&text, mr_kind_names[i], expected->kinds[i], got->kinds[i]);
    }
    for (size_t i = 0; i < MR_FLAG_COUNT; i++) {
        difference(&text, mr_flag_names[i], expected->flags[i], got->flags[i]);
    }
    difference(&text, "source_bytes", expected->source_bytes, got->source_bytes);
    difference(&text, "message_bytes", expected->message_bytes, got->message_bytes);
    if (expected->records > 0 && got->records > 0) {
        difference(&text, "timestamp_min", expected->timestamp_min, got->timestamp_min);
        difference(&text, "timestamp_max", expected->timestamp_max, got->timestamp_max);
        difference_hex(&text, "value_min", expected->value_min_bits, got->value_min_bits);
        difference_hex(&text, "value_max", expected->value_max_bits, got->value_max_bits);
    }
    difference_hex(&text, "value_sum", expected->value_sum, got->value_sum);
}
