// data_making.c: see data_making.h.
#include "data_making.h"

#include "data_composition.h"
#include "data_emit.h"
#include "data_manifest.h"
#include "data_places.h"
#include "base/progress.h"
#include "data_spoil.h"
#include "data_writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STREAM_LOOK   5u
#define STREAM_PLACES 6u

// A dataset being made.
struct making {
    const struct mr_make_request *request;
    struct mr_emitter emitter;
    struct mr_spoiler spoiler;
    struct mr_batch batch;
    struct mr_composition *composition;
    struct mr_writer writer;
    struct mr_dataset_fault *fault;
    uint64_t batches;
    uint64_t bytes;
    uint64_t records_accepted;
};

static int say_memory(struct making *making)
{
    (void)mr_dataset_bad(making->fault, "out of memory; nothing of the dataset was left behind");
    return -ENOMEM;
}

static enum mr_look draw_look(const struct making *making)
{
    const struct mr_shape *shape = &making->request->shape;
    struct mr_rng rng = mr_emitter_rng(making->request->seed, STREAM_LOOK, making->batches);
    bool both = shape->simple && shape->messy;
    return shape->messy && (!both || mr_rng_below(&rng, 2) == 0) ? MR_LOOK_MESSY : MR_LOOK_SIMPLE;
}

static int check_frame(struct making *making)
{
    if (making->batch.json.length <= MR_PAYLOAD_BYTES_DEFAULT) {
        return 0;
    }
    (void)mr_dataset_bad(making->fault,
                         "batch %llu has %zu bytes, a frame takes %u: give a smaller "
                         "--batch-records than %u; nothing of the dataset was left behind",
                         (unsigned long long)making->batches, making->batch.json.length,
                         MR_PAYLOAD_BYTES_DEFAULT, making->request->batch_records);
    return -EINVAL;
}

// The answer to the good batch, by the emitter's values, and its totals.
static struct mr_ack answer_good(const struct mr_batch *batch, struct mr_totals *totals_out)
{
    uint64_t digest = mr_records_digest(batch->records.bytes, batch->count);
    mr_totals_init(totals_out);
    mr_totals_accept(totals_out, batch->records.bytes, batch->count, digest, batch->json.length);
    return (struct mr_ack){.records = batch->count, .digest = digest};
}

// Spoils the batch: from now on it is rejected, and its places have no record that counts.
static int spoil(struct making *making, struct mr_rng *rng, struct mr_ack *answer_out,
                 struct mr_batch_notes *notes_out)
{
    struct mr_spoilt spoilt;
    if (mr_spoiler_spoil(&making->spoiler, making->batches, &making->batch, &spoilt) != 0) {
        return say_memory(making);
    }
    mr_places_choose(&making->batch, spoilt, rng, notes_out);
    for (uint32_t i = 0; i < notes_out->places_count; i++) {
        notes_out->place[i].record = NULL;
    }
    *answer_out = (struct mr_ack){.status = 1};
    mr_totals_init(&notes_out->totals);
    mr_totals_reject(&notes_out->totals);
    return 0;
}

static int make_batch(struct making *making)
{
    const struct mr_make_request *request = making->request;
    struct mr_batch *batch = &making->batch;
    if (mr_emitter_batch(&making->emitter, draw_look(making), request->batch_records, batch) != 0) {
        return say_memory(making);
    }
    mr_composition_add(making->composition, batch);

    struct mr_rng rng = mr_emitter_rng(request->seed, STREAM_PLACES, making->batches);
    struct mr_ack answer;
    struct mr_batch_notes notes;
    int result = 0;
    if (mr_spoiler_wants(&making->spoiler, making->batches)) {
        result = spoil(making, &rng, &answer, &notes);
    } else {
        mr_places_choose(batch, (struct mr_spoilt){1, 0}, &rng, &notes);
        answer = answer_good(batch, &notes.totals);
        making->records_accepted += answer.records;
    }
    result = result == 0 ? check_frame(making) : result;
    result = result == 0 ? mr_writer_add(&making->writer, &batch->json, &answer, &notes) : result;
    making->batches++;
    making->bytes += batch->json.length;
    return result;
}

static bool is_done(const struct making *making)
{
    const struct mr_make_request *request = making->request;
    return request->batches > 0 ? making->batches == request->batches
                                : making->bytes >= request->bytes;
}

static int make_batches(struct making *making)
{
    const struct mr_make_request *request = making->request;
    char what[80];
    (void)snprintf(what, sizeof what, "making %.60s", request->out);
    struct mr_progress progress;
    mr_progress_init(&progress, what);
    int result = 0;
    while (result == 0 && !is_done(making)) {
        result = make_batch(making);
        if (request->batches > 0) {
            mr_progress_show(&progress, making->batches, request->batches);
        } else {
            mr_progress_show(&progress, making->bytes, request->bytes);
        }
        if (result == 0 && request->stopped() != 0) {
            (void)mr_dataset_bad(making->fault, "stopped; nothing of the dataset was left behind");
            result = -EINTR;
        }
    }
    mr_progress_fini(&progress);
    return result;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

// The command that makes the same dataset again.
static void write_command(const struct making *making, char *text_out, size_t capacity)
{
    const struct mr_make_request *request = making->request;
    char form[256] = "";
    mr_form_options(&request->form, form, sizeof form);
    (void)snprintf(text_out, capacity,
                   "matchrace data make --shape %s --seed %llu --batches %llu --batch-records %u "
                   "--reject-share %g%%%s%s --out %s",
                   request->shape.name, (unsigned long long)request->seed,
                   (unsigned long long)making->batches, request->batch_records,
                   making->spoiler.plan.share_bp / 100.0,
                   request->large_faults ? " --large-faults" : "", form, last_part(request->out));
}

static int finish(struct making *making)
{
    const struct mr_make_request *request = making->request;
    int result = mr_writer_close(&making->writer);
    if (result != 0) {
        return result;
    }
    char command[768];
    write_command(making, command, sizeof command);
    uint64_t rejected = making->spoiler.spoiled;
    struct mr_manifest_facts facts = {.name = last_part(request->out),
                                      .shape = request->shape.name,
                                      .form = &request->form,
                                      .seeded = true,
                                      .seed = request->seed,
                                      .batch_records = request->batch_records,
                                      .reject_bp = making->spoiler.plan.share_bp,
                                      .batches = making->batches,
                                      .batches_rejected = rejected,
                                      .records_accepted = making->records_accepted,
                                      .composition = making->composition,
                                      .faults = making->spoiler.counts,
                                      .files = making->writer.file,
                                      .computed_by = "the emitter, from its own typed values",
                                      .command = command};
    size_t manifest_bytes;
    char *manifest = mr_manifest_text(&facts, &manifest_bytes);
    result = manifest == NULL ? say_memory(making)
                              : mr_writer_finish(&making->writer, manifest, manifest_bytes);
    free(manifest);
    return result;
}

static void fill_result(const struct making *making, struct mr_make_result *result_out)
{
    const struct mr_composition *composition = making->composition;
    result_out->batches = making->batches;
    result_out->batches_rejected = making->spoiler.spoiled;
    result_out->records = composition->records;
    result_out->bytes = making->bytes;
    result_out->bytes_per_record = (double)composition->bytes / (double)composition->records;
    result_out->fault_kinds = making->spoiler.kinds;
    for (size_t i = 0; i < mr_fault_kinds_count; i++) {
        result_out->fault_kinds_seen += making->spoiler.counts[i] > 0;
    }
}

int mr_make(const struct mr_make_request *request, struct mr_make_result *result_out)
{
    *result_out = (struct mr_make_result){0};
    struct making making = {.request = request, .fault = &result_out->fault};
    making.composition = calloc(1, sizeof *making.composition);
    mr_emitter_init(&making.emitter, request->seed, &request->form);
    mr_spoiler_init(&making.spoiler,
                    &(struct mr_spoil_plan){.seed = request->seed,
                                            .share_bp = request->reject_bp,
                                            .keep_places = request->shape.keep_places,
                                            .large_faults = request->large_faults});
    int result = making.composition == NULL || mr_batch_init(&making.batch) != 0
                     ? say_memory(&making)
                     : mr_writer_init(&making.writer, request->out, request->force, making.fault);
    if (result == 0) {
        result = make_batches(&making);
        result = result == 0 ? finish(&making) : result;
        if (result == 0) {
            fill_result(&making, result_out);
        } else {
            mr_writer_abandon(&making.writer);
        }
    }
    mr_emitter_fini(&making.emitter);
    mr_batch_fini(&making.batch);
    free(making.composition);
    return result;
}
