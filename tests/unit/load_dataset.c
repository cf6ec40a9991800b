// load_dataset.c: see load_dataset.h.
#include "load_dataset.h"

#include <base/file.h>
#include <base/mr_assert.h>
#include <base/rng.h>
#include <wire/wire.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RECORD_STRIDE   (MR_RECORD_HEAD_BYTES + 8u + 1024u)
#define RECORDS_MAX     64u
#define JSON_BYTES_EACH (1024u + 200u)
#define PAD_BYTES       64u

// The records of all batches, found again by their address in the first place of a batch.
static uint8_t *room_of(size_t count)
{
    uint8_t *room = calloc(count * RECORDS_MAX, RECORD_STRIDE);
    MR_ASSERT(room != NULL);
    return room;
}

struct mr_record *load_dataset_record(const struct mr_dataset *dataset, size_t index,
                                      uint32_t which)
{
    uint8_t *room = (uint8_t *)dataset->edits_map->bytes;
    return (struct mr_record *)(void *)(room + (index * RECORDS_MAX + which) * RECORD_STRIDE);
}

static uint64_t timestamp_of(struct mr_rng *rng, uint32_t digits)
{
    uint64_t low = 1;
    for (uint32_t i = 1; i < digits; i++) {
        low *= 10;
    }
    return low + mr_rng_below(rng, low); // begins with 1: a digit never becomes a leading zero
}

static void make_record(struct mr_rng *rng, const struct load_batch *batch,
                        struct mr_record *record)
{
    double value = (double)mr_rng_below(rng, 1000000) / 64 - 5000;
    *record = (struct mr_record){.id = mr_rng_next(rng) >> 1,
                                 .timestamp_us = timestamp_of(rng, batch->digits_count),
                                 .kind = (uint8_t)mr_rng_below(rng, MR_KIND_COUNT),
                                 .flags = (uint8_t)mr_rng_next(rng),
                                 .source_bytes = 8,
                                 .message_bytes = batch->text_bytes};
    memcpy(&record->value_bits, &value, sizeof value);
    uint8_t *text = (uint8_t *)record + MR_RECORD_HEAD_BYTES;
    static const uint8_t source[8] = {'s', 'e', 'n', 's', 'o', 'r', '-', '7'};
    memcpy(text, source, sizeof source);
    memset(text + 8, 'm', batch->text_bytes);
}

// Appends the record's JSON; returns where the timestamp's digits begin.
static uint32_t append_json(char *json, size_t *length_io, const struct mr_record *record)
{
    double value;
    memcpy(&value, &record->value_bits, sizeof value);
    size_t at = *length_io;
    at += (size_t)snprintf(json + at, JSON_BYTES_EACH,
                           "%s{\"id\":%" PRIu64 ",\"timestamp\":", at > 1 ? "," : "", record->id);
    uint32_t digits = (uint32_t)at;
    at += (size_t)snprintf(json + at, JSON_BYTES_EACH,
                           "%" PRIu64 ",\"source\":\"sensor-7\",\"kind\":\"%s\",",
                           record->timestamp_us, mr_kind_names[record->kind]);
    at += (size_t)snprintf(json + at, JSON_BYTES_EACH, "\"value\":%.17g,\"flags\":[", value);
    const char *comma = "";
    for (unsigned bit = 0; bit < MR_FLAG_COUNT; bit++) {
        if ((record->flags >> bit & 1) != 0) {
            at +=
                (size_t)snprintf(json + at, JSON_BYTES_EACH, "%s\"%s\"", comma, mr_flag_names[bit]);
            comma = ",";
        }
    }
    at += (size_t)snprintf(json + at, JSON_BYTES_EACH, "],\"message\":\"%.*s\"}",
                           (int)record->message_bytes,
                           (const char *)record + MR_RECORD_HEAD_BYTES + 8);
    *length_io = at;
    return digits;
}

static void note_others(struct mr_dataset *dataset, size_t index, uint32_t records)
{
    struct mr_batch_notes *notes = &dataset->notes[index];
    for (uint32_t i = 0; i < notes->places_count; i++) {
        struct mr_edit_place *place = &notes->place[i];
        place->timestamp_min_others = UINT64_MAX;
        place->timestamp_max_others = 0;
        for (uint32_t k = 0; k < records; k++) {
            uint64_t other = load_dataset_record(dataset, index, k)->timestamp_us;
            if (k != i && other < place->timestamp_min_others) {
                place->timestamp_min_others = other;
            }
            if (k != i && other > place->timestamp_max_others) {
                place->timestamp_max_others = other;
            }
        }
    }
}

static size_t make_batch(struct mr_dataset *dataset, size_t index, const struct load_batch *batch,
                         struct mr_rng *rng)
{
    struct mr_batch_notes *notes = &dataset->notes[index];
    struct mr_ack *answer = &dataset->answers[index];
    char *json = (char *)mr_frames_payload(&dataset->frames, index);
    size_t length = 0;
    mr_totals_init(&notes->totals);
    json[length++] = '[';
    for (uint32_t i = 0; i < batch->records; i++) {
        struct mr_record *record = load_dataset_record(dataset, index, i);
        make_record(rng, batch, record);
        uint32_t digits = append_json(json, &length, record);
        uint64_t digest = mr_record_digest(record);
        if (notes->places_count < MR_PLACES_MAX) {
            notes->place[notes->places_count++] =
                (struct mr_edit_place){.digits_offset = digits,
                                       .digits_count = batch->digits_count,
                                       .record = batch->rejected != 0 ? NULL : record,
                                       .record_digest = batch->rejected != 0 ? 0 : digest,
                                       .timestamp_us = record->timestamp_us};
        }
        struct mr_totals one;
        mr_totals_init(&one);
        mr_totals_accept(&one, record, 1, digest, 0);
        one.batches_accepted = 0;
        mr_totals_merge(&notes->totals, &one);
        answer->digest += digest;
    }
    json[length++] = ']';
    note_others(dataset, index, batch->records);
    answer->records = batch->records;
    notes->totals.batches_accepted = 1;
    notes->totals.payload_bytes = length;
    if (batch->rejected != 0) {
        *answer = (struct mr_ack){.status = 1};
        mr_totals_init(&notes->totals);
        mr_totals_reject(&notes->totals);
    }
    return length;
}

void load_dataset_make(struct mr_dataset *dataset_out, const struct load_batch *batches,
                       size_t count)
{
    MR_ASSERT(count > 0);
    size_t bytes = PAD_BYTES;
    *dataset_out = (struct mr_dataset){.name = "made", .shape = "simple"};
    struct mr_frames *frames = &dataset_out->frames;
    for (size_t i = 0; i < count; i++) {
        MR_ASSERT(batches[i].records <= RECORDS_MAX && batches[i].text_bytes <= 1024);
        bytes += MR_FRAME_HEAD_BYTES + 2 + batches[i].records * JSON_BYTES_EACH;
    }
    frames->bytes = (uint8_t *)malloc(bytes + PAD_BYTES);
    frames->frame = calloc(count, sizeof *frames->frame);
    frames->count = count;
    dataset_out->answers = calloc(count, sizeof *dataset_out->answers);
    dataset_out->notes = calloc(count, sizeof *dataset_out->notes);
    dataset_out->edits_map = calloc(1, sizeof *dataset_out->edits_map);
    MR_ASSERT(frames->bytes != NULL && frames->frame != NULL && dataset_out->answers != NULL &&
              dataset_out->notes != NULL && dataset_out->edits_map != NULL);
    dataset_out->edits_map->bytes = room_of(count);
    dataset_out->edits_map->size_bytes = count * RECORDS_MAX * RECORD_STRIDE;
    struct mr_rng rng = mr_rng_seeded(7);
    uint64_t at = 0;
    for (size_t i = 0; i < count; i++) {
        frames->frame[i].offset = at + MR_FRAME_HEAD_BYTES;
        size_t length = make_batch(dataset_out, i, &batches[i], &rng);
        frames->frame[i].payload_bytes = (uint32_t)length;
        frames->payload_bytes += length;
        if (length > frames->payload_bytes_max) {
            frames->payload_bytes_max = (uint32_t)length;
        }
        dataset_out->records += dataset_out->answers[i].records;
        at += MR_FRAME_HEAD_BYTES + length;
    }
    frames->size_bytes = at;
}

void load_dataset_drop(struct mr_dataset *dataset)
{
    free(dataset->frames.bytes);
    free(dataset->frames.frame);
    free(dataset->answers);
    free(dataset->notes);
    free((void *)dataset->edits_map->bytes);
    free(dataset->edits_map);
    *dataset = (struct mr_dataset){0};
}
