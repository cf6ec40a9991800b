// data_places.c: see data_places.h.
#include "data_places.h"

#include "base/mr_assert.h"

#include <stdbool.h>

#define DRAWS         64u
#define DIGITS_WANTED 8u // seven of them may change: ten million variations

// A look at all records: where a drawn one stands, and the two smallest and largest timestamps.
struct survey {
    const struct mr_record *drawn[MR_PLACES_WANTED];
    uint64_t least[2];
    uint64_t most[2];
};

static void note_extremes(struct survey *survey, uint64_t timestamp_us)
{
    if (timestamp_us < survey->least[0]) {
        survey->least[1] = survey->least[0];
        survey->least[0] = timestamp_us;
    } else if (timestamp_us < survey->least[1]) {
        survey->least[1] = timestamp_us;
    }
    if (timestamp_us > survey->most[0]) {
        survey->most[1] = survey->most[0];
        survey->most[0] = timestamp_us;
    } else if (timestamp_us > survey->most[1]) {
        survey->most[1] = timestamp_us;
    }
}

static struct survey survey_records(const struct mr_batch *batch, const uint32_t *index,
                                    uint32_t count)
{
    struct survey survey = {.least = {UINT64_MAX, UINT64_MAX}, .most = {0, 0}};
    const uint8_t *at = batch->records.bytes;
    for (uint32_t i = 0; i < batch->count; i++) {
        const struct mr_record *record = (const void *)at;
        for (uint32_t j = 0; j < count; j++) {
            if (index[j] == i) {
                survey.drawn[j] = record;
            }
        }
        note_extremes(&survey, record->timestamp_us);
        at += mr_record_stride(record);
    }
    return survey;
}

static uint32_t digits_of(uint64_t number)
{
    uint32_t digits = 1;
    for (; number > 9; number /= 10) {
        digits++;
    }
    return digits;
}

static bool contains(const uint32_t *index, uint32_t count, uint32_t wanted)
{
    for (uint32_t i = 0; i < count; i++) {
        if (index[i] == wanted) {
            return true;
        }
    }
    return false;
}

static uint64_t timestamp_of(const struct mr_batch *batch, uint32_t index,
                             struct mr_record_map *map_out)
{
    mr_record_map_make(batch->json.bytes, batch->extent[index], map_out);
    struct mr_extent digits = map_out->value[MR_KEY_TIMESTAMP];
    uint64_t number = 0;
    for (uint32_t i = digits.start; i < digits.end; i++) {
        MR_ASSERT(batch->json.bytes[i] >= '0' && batch->json.bytes[i] <= '9');
        number = number * 10 + (uint64_t)(batch->json.bytes[i] - '0');
    }
    return number;
}

// Finds records with at least `digits_min` digits: by drawing, and when luck runs out by looking at
// all of them.
static uint32_t find(const struct mr_batch *batch, struct mr_spoilt spoilt, uint32_t digits_min,
                     struct mr_rng *rng, uint32_t index_out[MR_PLACES_WANTED])
{
    uint32_t count = 0;
    for (uint32_t tries = 0; tries < DRAWS + batch->count && count < MR_PLACES_WANTED; tries++) {
        if (tries >= DRAWS && count > 0) {
            break;
        }
        uint32_t candidate =
            tries < DRAWS ? (uint32_t)mr_rng_below(rng, batch->count) : tries - DRAWS;
        if ((candidate >= spoilt.first && candidate <= spoilt.last) ||
            contains(index_out, count, candidate)) {
            continue;
        }
        struct mr_record_map map;
        if (digits_of(timestamp_of(batch, candidate, &map)) >= digits_min) {
            index_out[count++] = candidate;
        }
    }
    return count;
}

void mr_places_choose(const struct mr_batch *batch, struct mr_spoilt spoilt, struct mr_rng *rng,
                      struct mr_batch_notes *notes_out)
{
    uint32_t index[MR_PLACES_WANTED];
    uint32_t count = 0;
    if (batch->count > 0) {
        count = find(batch, spoilt, DIGITS_WANTED, rng, index);
        if (count == 0) {
            count = find(batch, spoilt, 2, rng, index);
        }
    }
    struct survey survey = survey_records(batch, index, count);
    *notes_out = (struct mr_batch_notes){.places_count = count};
    for (uint32_t i = 0; i < count; i++) {
        struct mr_record_map map;
        uint64_t timestamp_us = timestamp_of(batch, index[i], &map);
        const struct mr_record *record = survey.drawn[i];
        MR_ASSERT(record->timestamp_us == timestamp_us);
        struct mr_extent digits = map.value[MR_KEY_TIMESTAMP];
        notes_out->place[i] = (struct mr_edit_place){
            .digits_offset = digits.start,
            .digits_count = digits.end - digits.start,
            .timestamp_min_others = survey.least[survey.least[0] == timestamp_us ? 1 : 0],
            .timestamp_max_others = survey.most[survey.most[0] == timestamp_us ? 1 : 0],
            .record = record};
    }
}
