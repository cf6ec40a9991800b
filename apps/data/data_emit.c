// data_emit.c: see data_emit.h.
#include "data_emit.h"

#include "data_plan.h"
#include "data_space.h"
#include "data_string.h"

#include "base/mr_assert.h"

#include <errno.h>
#include <stdbool.h>

#define STREAM_RECORDS 1u

void mr_emitter_init(struct mr_emitter *emitter_out, uint64_t seed, const struct mr_form *form)
{
    *emitter_out = (struct mr_emitter){.seed = seed, .form = *form};
}

void mr_emitter_fini(struct mr_emitter *emitter)
{
    mr_buffer_fini(&emitter->source_raw);
    mr_buffer_fini(&emitter->source_said);
    mr_buffer_fini(&emitter->message_raw);
    mr_buffer_fini(&emitter->message_said);
    mr_buffer_fini(&emitter->value_raw);
}

struct mr_rng mr_emitter_rng(uint64_t seed, uint64_t stream, uint64_t batch)
{
    struct mr_rng rng = mr_rng_seeded(seed);
    rng = mr_rng_seeded(mr_rng_next(&rng) ^ stream);
    return mr_rng_seeded(mr_rng_next(&rng) ^ batch);
}

// Appends what stands in `gap` and counts it.
static void add_space(struct mr_emitter *emitter, struct mr_rng *rng,
                      const struct mr_record_plan *plan, enum mr_gap gap, struct mr_buffer *out)
{
    size_t before = out->length;
    mr_space_add(rng, plan->space, gap, out);
    emitter->space_bytes += out->length - before;
}

// A string of ASCII letters with its quotes, some of them escaped where `escaped` says so.
static void write_name(struct mr_rng *rng, const char *name, bool escaped, struct mr_buffer *out)
{
    mr_buffer_byte(out, '"');
    if (escaped) {
        mr_string_escaped(rng, name, mr_rng_between(rng, 1, strlen(name)), out);
    } else {
        mr_buffer_text(out, name);
    }
    mr_buffer_byte(out, '"');
}

static void write_string(const struct mr_buffer *raw, struct mr_buffer *out)
{
    mr_buffer_byte(out, '"');
    mr_buffer_add(out, raw->bytes, raw->length);
    mr_buffer_byte(out, '"');
}

static void write_flags(struct mr_emitter *emitter, struct mr_rng *rng,
                        const struct mr_record_plan *plan, struct mr_buffer *out)
{
    mr_buffer_byte(out, '[');
    for (uint32_t i = 0; i < plan->flags_count; i++) {
        if (i > 0) {
            add_space(emitter, rng, plan, MR_GAP_COMMA, out);
            mr_buffer_byte(out, ',');
        }
        add_space(emitter, rng, plan, i > 0 ? MR_GAP_NEXT_FLAG : MR_GAP_FLAG, out);
        write_name(rng, mr_flag_names[plan->flags[i]], plan->escaped_flag && i == 0, out);
    }
    add_space(emitter, rng, plan, MR_GAP_FLAG, out);
    mr_buffer_byte(out, ']');
}

static void write_value(struct mr_emitter *emitter, struct mr_rng *rng,
                        const struct mr_record_plan *plan, enum mr_key key, struct mr_buffer *out)
{
    switch (key) {
    case MR_KEY_ID:
        mr_buffer_number(out, plan->head.id);
        return;
    case MR_KEY_TIMESTAMP:
        mr_buffer_number(out, plan->head.timestamp_us);
        return;
    case MR_KEY_SOURCE:
        write_string(&emitter->source_raw, out);
        return;
    case MR_KEY_KIND:
        write_name(rng, mr_kind_names[plan->head.kind], plan->escaped_kind, out);
        return;
    case MR_KEY_VALUE:
        mr_buffer_add(out, emitter->value_raw.bytes, emitter->value_raw.length);
        return;
    case MR_KEY_FLAGS:
        write_flags(emitter, rng, plan, out);
        return;
    case MR_KEY_MESSAGE:
        write_string(&emitter->message_raw, out);
        return;
    }
}

static void write_record(struct mr_emitter *emitter, struct mr_rng *rng,
                         const struct mr_record_plan *plan, struct mr_buffer *out)
{
    mr_buffer_byte(out, '{');
    for (uint32_t i = 0; i < MR_KEY_COUNT; i++) {
        enum mr_key key = (enum mr_key)plan->order[i];
        if (i > 0) {
            add_space(emitter, rng, plan, MR_GAP_COMMA, out);
            mr_buffer_byte(out, ',');
        }
        // The first key follows its brace directly where lines are not broken.
        bool direct = plan->space == MR_SPACE_SPACED || plan->space == MR_SPACE_DUMPED;
        if (i > 0 || !direct) {
            add_space(emitter, rng, plan, MR_GAP_KEY, out);
        }
        write_name(rng, mr_key_names[key], plan->escaped_key == (int)key, out);
        add_space(emitter, rng, plan, MR_GAP_COLON, out);
        mr_buffer_byte(out, ':');
        add_space(emitter, rng, plan, MR_GAP_VALUE, out);
        write_value(emitter, rng, plan, key, out);
    }
    add_space(emitter, rng, plan, MR_GAP_CLOSE, out);
    mr_buffer_byte(out, '}');
}

// Counts what steering needs, from what was written.
static void count_string(const struct mr_buffer *raw, struct mr_emitted *emitted)
{
    for (size_t i = 0; i < raw->length; i++) {
        if (raw->bytes[i] >= 0x80) {
            emitted->wide_bytes++;
        } else if (raw->bytes[i] == '\\') {
            i++;
            emitted->short_escapes += raw->bytes[i] != 'u';
            emitted->unicode_escapes += raw->bytes[i] == 'u';
        }
    }
}

// The look of the next record of a batch of `look`.
static enum mr_look record_look(const struct mr_emitter *emitter, enum mr_look look,
                                struct mr_rng *rng)
{
    uint32_t share = emitter->form.messy_bp;
    bool messy = look == MR_LOOK_SIMPLE && share > 0 && mr_rng_below(rng, 10000) < share;
    return messy ? MR_LOOK_MESSY : look;
}

static bool emit_record(struct mr_emitter *emitter, enum mr_look look, struct mr_rng *rng,
                        struct mr_batch *batch)
{
    struct mr_record_plan plan;
    mr_record_plan_make(emitter, look, rng, &plan);

    struct mr_extent *extent = &batch->extent[batch->count++];
    enum mr_gap before = batch->count > 1 ? MR_GAP_NEXT_RECORD : MR_GAP_RECORD;
    add_space(emitter, rng, &plan, before, &batch->json);
    extent->start = (uint32_t)batch->json.length;
    write_record(emitter, rng, &plan, &batch->json);
    extent->end = (uint32_t)batch->json.length;
    add_space(emitter, rng, &plan, MR_GAP_RECORD, &batch->json);

    if (batch->json.failed || batch->records.failed || emitter->source_raw.failed ||
        emitter->source_said.failed || emitter->message_raw.failed ||
        emitter->message_said.failed || emitter->value_raw.failed) {
        return false;
    }
    MR_ASSERT(plan.head.source_bytes >= 1 && plan.head.source_bytes <= MR_SOURCE_BYTES_MAX);
    MR_ASSERT(plan.head.message_bytes <= MR_MESSAGE_BYTES_MAX);
    mr_batch_add_record(batch, &plan.head, emitter->source_said.bytes, emitter->message_said.bytes);
    count_string(&emitter->source_raw, &emitter->emitted[look]);
    count_string(&emitter->message_raw, &emitter->emitted[look]);
    emitter->emitted[look].records++;
    emitter->records++;
    return !batch->records.failed;
}

int mr_emitter_batch(struct mr_emitter *emitter, enum mr_look look, uint32_t records,
                     struct mr_batch *batch)
{
    MR_ASSERT(records <= MR_BATCH_RECORDS_MAX);
    struct mr_rng rng = mr_emitter_rng(emitter->seed, STREAM_RECORDS, emitter->batches++);
    enum mr_space outside = look == MR_LOOK_SIMPLE ? MR_SPACE_NONE : mr_space_draw(&rng);
    mr_batch_clear(batch);
    mr_space_add(&rng, outside, MR_GAP_OUTSIDE, &batch->json);
    mr_buffer_byte(&batch->json, '[');
    for (uint32_t i = 0; i < records; i++) {
        size_t before = batch->json.length;
        uint64_t space_before = emitter->space_bytes;
        if (i > 0) {
            mr_buffer_byte(&batch->json, ',');
        }
        enum mr_look one = record_look(emitter, look, &rng);
        if (!emit_record(emitter, one, &rng, batch)) {
            return -ENOMEM;
        }
        uint64_t space = one == MR_LOOK_SIMPLE ? emitter->space_bytes - space_before : 0;
        emitter->emitted[one].bytes += batch->json.length - before - space;
    }
    mr_buffer_byte(&batch->json, ']');
    mr_space_add(&rng, outside, MR_GAP_OUTSIDE, &batch->json);
    return batch->json.failed ? -ENOMEM : 0;
}
