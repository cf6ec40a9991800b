// data_plan.c: see data_plan.h. The mix of messy records stands here, in draws of 100 to 1,000.
#include "data_plan.h"

#include "data_number.h"
#include "data_string.h"

// Simple timestamps go on from here, some microseconds a record.
#define TIME_START_US  1764000000000000ull
#define TIME_STEP_US   937u
#define TIME_JITTER_US 2000u

// Means that the targets are reached with; steering takes away what is left of the difference.
#define MESSY_ASCII_MEAN  388u
#define SIMPLE_BYTES_MEAN 23u  // of a message
#define SIMPLE_REST_MEAN  135u // of a record, without its message

// Draws around `mean`, nearer to the target by an eighth of what is missing: (target × records −
// emitted), but by no more than the mean's half.
static uint32_t steer(struct mr_rng *rng, uint32_t mean, uint32_t spread, int64_t missing)
{
    int64_t most = mean / 2 + 1;
    int64_t correction = missing / 8;
    correction = correction > most ? most : correction < -most ? -most : correction;
    int64_t drawn = (int64_t)mr_rng_between(rng, mean - spread, mean + spread) + correction;
    return drawn < 0 ? 0 : (uint32_t)drawn;
}

static int64_t missing(uint64_t target, const struct mr_emitted *emitted, uint64_t amount)
{
    return (int64_t)(target * emitted->records) - (int64_t)amount;
}

static void shuffle(struct mr_rng *rng, uint8_t *items, uint32_t count)
{
    for (uint32_t i = count; i > 1; i--) {
        uint64_t other = mr_rng_below(rng, i);
        uint8_t kept = items[i - 1];
        items[i - 1] = items[other];
        items[other] = kept;
    }
}

// Draws `count` of the eight flags, in any order.
static void plan_flags(struct mr_rng *rng, uint32_t count, struct mr_record_plan *plan)
{
    uint8_t all[MR_FLAG_COUNT] = {0, 1, 2, 3, 4, 5, 6, 7};
    shuffle(rng, all, MR_FLAG_COUNT);
    plan->flags_count = count;
    for (uint32_t i = 0; i < count; i++) {
        plan->flags[i] = all[i];
        plan->head.flags |= (uint8_t)(1u << all[i]);
    }
}

// How many bytes the next message shall have.
static uint32_t simple_message_bytes(struct mr_emitter *emitter, struct mr_rng *rng)
{
    const struct mr_emitted *emitted = &emitter->emitted[MR_LOOK_SIMPLE];
    uint32_t target = mr_look_targets[MR_LOOK_SIMPLE].bytes;
    uint32_t mean = SIMPLE_BYTES_MEAN;
    uint32_t spread = 12;
    if (emitter->form.record_bytes > 0) {
        target = emitter->form.record_bytes;
        mean = target - SIMPLE_REST_MEAN;
        spread = mean / 4;
    }
    return steer(rng, mean, spread, missing(target, emitted, emitted->bytes));
}

// How many tokens of `size` bytes make up a share of `bytes` bytes: in the mean, exactly.
static uint32_t draw_tokens(struct mr_rng *rng, uint32_t bytes, uint32_t share_bp, uint32_t size)
{
    uint64_t whole = 10000ull * size;
    return share_bp == 0
               ? 0
               : (uint32_t)(((uint64_t)bytes * share_bp + mr_rng_below(rng, whole)) / whole);
}

// Escapes in equal bytes short ones and \uXXXX; wide characters four bytes at a time.
static void simple_mixed_message(struct mr_emitter *emitter, struct mr_rng *rng, uint32_t bytes)
{
    const struct mr_form *form = &emitter->form;
    struct mr_string_parts parts = {0};
    parts.short_escapes = draw_tokens(rng, bytes, form->escape_bp / 2, 2);
    parts.unicode_escapes = draw_tokens(rng, bytes, form->escape_bp - form->escape_bp / 2, 6);
    parts.wide_bytes = 4 * draw_tokens(rng, bytes, form->non_ascii_bp, 4);
    uint32_t used = 2 * parts.short_escapes + 6 * parts.unicode_escapes + parts.wide_bytes;
    parts.ascii_bytes = bytes > used ? bytes - used : 0;
    struct mr_string_out out = {&emitter->message_raw, &emitter->message_said};
    mr_string_messy(rng, parts, MR_MESSAGE_BYTES_MAX, &out);
}

static void simple_message(struct mr_emitter *emitter, struct mr_rng *rng)
{
    uint32_t bytes = simple_message_bytes(emitter, rng);
    if (emitter->form.escape_bp > 0 || emitter->form.non_ascii_bp > 0) {
        simple_mixed_message(emitter, rng, bytes);
        return;
    }
    do {
        if (emitter->message_raw.length > 0) {
            mr_buffer_byte(&emitter->message_raw, ' ');
        }
        mr_string_word(rng, &emitter->message_raw);
    } while (emitter->message_raw.length < bytes && !emitter->message_raw.failed);
    mr_buffer_add(&emitter->message_said, emitter->message_raw.bytes, emitter->message_raw.length);
}

static void plan_simple(struct mr_emitter *emitter, struct mr_rng *rng, struct mr_record_plan *plan)
{
    static const uint8_t counts[8] = {0, 0, 1, 1, 1, 1, 2, 2};
    for (uint8_t i = 0; i < MR_KEY_COUNT; i++) {
        plan->order[i] = i;
    }
    if (emitter->form.shuffled_keys) {
        shuffle(rng, plan->order, MR_KEY_COUNT);
    }
    plan->space = emitter->form.space;
    plan->head.id = mr_rng_below(rng, 10000000000ull);
    plan->head.timestamp_us =
        TIME_START_US + emitter->records * TIME_STEP_US + mr_rng_below(rng, TIME_JITTER_US);
    plan->head.kind = (uint8_t)mr_rng_below(rng, MR_KIND_COUNT);
    plan_flags(rng, counts[mr_rng_below(rng, 8)], plan);

    mr_buffer_text(&emitter->source_raw, "sensor-");
    mr_buffer_number(&emitter->source_raw, mr_rng_below(rng, 10000));
    plan->head.value_bits = mr_number_simple(rng, &emitter->value_raw);
    // Plain ASCII says what is written.
    mr_buffer_add(&emitter->source_said, emitter->source_raw.bytes, emitter->source_raw.length);
    simple_message(emitter, rng);
}

// Mostly of our days and 16 digits; sometimes of any length that there is.
static uint64_t messy_timestamp(struct mr_rng *rng)
{
    uint64_t draw = mr_rng_below(rng, 100);
    if (draw < 92) {
        return TIME_START_US + mr_rng_below(rng, 30ull * 86400 * 1000000);
    }
    return draw == 99 ? MR_TIMESTAMP_US_MAX - mr_rng_below(rng, 2)
                      : mr_number_of_digits(rng, MR_TIMESTAMP_US_MAX);
}

static uint64_t messy_id(struct mr_rng *rng)
{
    uint64_t draw = mr_rng_below(rng, 200);
    return draw == 0 ? MR_ID_MAX : draw == 1 ? 0 : mr_number_of_digits(rng, MR_ID_MAX);
}

static void messy_source(struct mr_emitter *emitter, struct mr_rng *rng)
{
    struct mr_string_out out = {&emitter->source_raw, &emitter->source_said};
    struct mr_string_parts parts = {0};
    uint64_t draw = mr_rng_below(rng, 100);
    uint32_t most = MR_SOURCE_BYTES_MAX;
    if (draw == 0) { // one byte
        parts.ascii_bytes = most = 1;
    } else if (draw == 1) { // as long as it may be
        parts = (struct mr_string_parts){40, 2, 0, 12};
        mr_string_messy(rng, parts, most, &out);
        parts = (struct mr_string_parts){.ascii_bytes = most};
        most -= (uint32_t)emitter->source_said.length;
    } else if (draw < 6) { // of any length
        parts.ascii_bytes = (uint32_t)mr_rng_between(rng, 1, most);
    } else if (draw < 20) {
        parts = (struct mr_string_parts){.short_escapes = 1, .unicode_escapes = 1};
        parts.ascii_bytes = (uint32_t)mr_rng_between(rng, 1, 30);
        parts.wide_bytes = (uint32_t)mr_rng_below(rng, 12);
    } else {
        parts.ascii_bytes = (uint32_t)mr_rng_between(rng, 4, 40);
    }
    mr_string_messy(rng, parts, most, &out);
}

static void messy_message(struct mr_emitter *emitter, struct mr_rng *rng)
{
    const struct mr_look_targets *target = &mr_look_targets[MR_LOOK_MESSY];
    const struct mr_emitted *emitted = &emitter->emitted[MR_LOOK_MESSY];
    struct mr_string_parts parts;
    parts.ascii_bytes =
        steer(rng, MESSY_ASCII_MEAN, 250, missing(target->bytes, emitted, emitted->bytes));
    parts.short_escapes = steer(rng, target->short_escapes, target->short_escapes,
                                missing(target->short_escapes, emitted, emitted->short_escapes));
    parts.unicode_escapes =
        steer(rng, target->unicode_escapes, target->unicode_escapes,
              missing(target->unicode_escapes, emitted, emitted->unicode_escapes));
    parts.wide_bytes = steer(rng, target->wide_bytes, target->wide_bytes,
                             missing(target->wide_bytes, emitted, emitted->wide_bytes));
    uint64_t draw = mr_rng_below(rng, 1000);
    if (draw < 30) { // empty
        return;
    }
    if (draw < 40) { // some 40 bytes of plain text: what most parsers hope for
        parts = (struct mr_string_parts){.ascii_bytes = 40};
    } else if (draw < 43) { // a page
        parts.ascii_bytes = (uint32_t)mr_rng_between(rng, 1000, 3500);
    }
    struct mr_string_out out = {&emitter->message_raw, &emitter->message_said};
    mr_string_messy(rng, parts, MR_MESSAGE_BYTES_MAX, &out);
    if (draw == 43) { // as long as it may be
        uint32_t room = MR_MESSAGE_BYTES_MAX - (uint32_t)emitter->message_said.length;
        mr_string_messy(rng, (struct mr_string_parts){.ascii_bytes = room}, room, &out);
    }
}

static void plan_messy(struct mr_emitter *emitter, struct mr_rng *rng, struct mr_record_plan *plan)
{
    static const uint8_t counts[16] = {0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6, 8};
    for (uint8_t i = 0; i < MR_KEY_COUNT; i++) {
        plan->order[i] = i;
    }
    shuffle(rng, plan->order, MR_KEY_COUNT);
    plan->space = mr_space_draw(rng);
    plan->head.id = messy_id(rng);
    plan->head.timestamp_us = messy_timestamp(rng);
    plan->head.kind = (uint8_t)mr_rng_below(rng, MR_KIND_COUNT);
    plan_flags(rng, counts[mr_rng_below(rng, 16)], plan);
    if (mr_rng_below(rng, 100) == 0) {
        plan->escaped_key = (int)mr_rng_below(rng, MR_KEY_COUNT);
    }
    plan->escaped_kind = mr_rng_below(rng, 200) == 0;
    plan->escaped_flag = mr_rng_below(rng, 200) == 0;
    plan->head.value_bits = mr_number_messy(rng, &emitter->value_raw);
    messy_source(emitter, rng);
    messy_message(emitter, rng);
}

void mr_record_plan_make(struct mr_emitter *emitter, enum mr_look look, struct mr_rng *rng,
                         struct mr_record_plan *plan_out)
{
    struct mr_buffer *buffers[] = {&emitter->source_raw, &emitter->source_said,
                                   &emitter->message_raw, &emitter->message_said,
                                   &emitter->value_raw};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++) {
        buffers[i]->length = 0;
    }
    *plan_out = (struct mr_record_plan){.escaped_key = -1};
    if (look == MR_LOOK_SIMPLE) {
        plan_simple(emitter, rng, plan_out);
    } else {
        plan_messy(emitter, rng, plan_out);
    }
    plan_out->head.source_bytes = (uint16_t)emitter->source_said.length;
    plan_out->head.message_bytes = (uint32_t)emitter->message_said.length;
}
