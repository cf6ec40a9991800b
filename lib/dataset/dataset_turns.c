// dataset_turns.c: variations of a batch: which digits change at which turn, and what the answer is
// then.
#include "dataset.h"

#include "base/mr_assert.h"

#include <stddef.h>
#include <string.h>

#define DIGITS_CHANGED_MAX 7u // never reaches a digit by which a timestamp could pass its limit

// The k-th variation of a place adds (k + 1) × STEP to its low digits, modulo their power of ten:
// odd and no multiple of 5, so every variation is another one and none is the file's.
#define STEP 6180339ull

// What is asked for ahead of use: places as many as the lab's datasets have, and a record of the
// usual length. Where there are more or fewer, asking is in vain. Not too much at once: a core
// waits for no more than a dozen lines.
#define PLACES_EXPECTED       4u
#define RECORD_BYTES_EXPECTED 256u
#define CACHE_LINE_BYTES      64u

static const uint64_t powers_of_ten[DIGITS_CHANGED_MAX + 1] = {1,     10,     100,     1000,
                                                               10000, 100000, 1000000, 10000000};

_Static_assert(STEP % 2 == 1 && STEP % 5 != 0, "prime to every power of ten");
_Static_assert(MR_TIMESTAMP_US_MAX % 10000000ull == 9999999ull,
               "any low digits keep a timestamp within its limit");

// How many low digits of the place change: all but the first, up to the limit.
static uint32_t digits_changed(const struct mr_edit_place *place)
{
    uint32_t others = place->digits_count - 1;
    return others < DIGITS_CHANGED_MAX ? others : DIGITS_CHANGED_MAX;
}

static uint64_t variations(const struct mr_edit_place *place)
{
    return powers_of_ten[digits_changed(place)] - 1;
}

uint64_t mr_edit_turns(const struct mr_dataset *dataset, size_t index)
{
    MR_ASSERT(index < dataset->frames.count);
    const struct mr_batch_notes *notes = &dataset->notes[index];
    uint64_t turns = 0;
    for (uint32_t i = 0; i < notes->places_count; i++) {
        turns += variations(&notes->place[i]);
    }
    return turns;
}

uint64_t mr_edit_turns_of_all(const struct mr_batch_notes *notes)
{
    uint64_t least = notes->places_count == 0 ? 0 : UINT64_MAX;
    for (uint32_t i = 0; i < notes->places_count; i++) {
        uint64_t has = variations(&notes->place[i]);
        least = has < least ? has : least;
    }
    return least * notes->places_count;
}

// The place of turn `turn` and the number of its variation; NULL when there are fewer turns.
// Places take turns; one whose variations are used up drops out and the others go on.
static const struct mr_edit_place *place_of_turn(const struct mr_batch_notes *notes, uint64_t turn,
                                                 uint64_t *variation_out)
{
    if (turn < notes->turns_of_all) {
        *variation_out = turn / notes->places_count;
        return &notes->place[turn % notes->places_count];
    }
    uint64_t used = 0; // variations of every place that is still in
    for (;;) {
        uint64_t least = UINT64_MAX;
        const struct mr_edit_place *left[MR_PLACES_MAX];
        uint64_t count = 0;
        for (uint32_t i = 0; i < notes->places_count; i++) {
            uint64_t has = variations(&notes->place[i]);
            if (has > used) {
                left[count++] = &notes->place[i];
                least = has < least ? has : least;
            }
        }
        if (count == 0) {
            return NULL;
        }
        if (turn < (least - used) * count) {
            *variation_out = used + turn / count;
            return left[turn % count];
        }
        turn -= (least - used) * count;
        used = least;
    }
}

// The batch digest when the place's record has another timestamp.
static uint64_t digest_with(const struct mr_ack *answer, const struct mr_edit_place *place,
                            uint64_t timestamp_us)
{
    struct {
        struct mr_record head;
        uint8_t text[MR_SOURCE_BYTES_MAX + MR_MESSAGE_BYTES_MAX];
    } changed;
    memcpy(&changed, place->record, mr_record_bytes(place->record));
    changed.head.timestamp_us = timestamp_us;
    return answer->digest - place->record_digest + mr_record_digest(&changed.head);
}

// Asks for every cache line of `bytes` bytes.
static void expect(const void *first, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += CACHE_LINE_BYTES) {
        __builtin_prefetch((const uint8_t *)first + at);
    }
    __builtin_prefetch((const uint8_t *)first + bytes - 1);
}

void mr_edit_expect_notes(const struct mr_dataset *dataset, size_t index, uint64_t turn)
{
    const struct mr_batch_notes *notes = &dataset->notes[index];
    __builtin_prefetch(notes);
    expect(&notes->place[turn % PLACES_EXPECTED], sizeof notes->place[0]);
    __builtin_prefetch(&dataset->answers[index]);
    __builtin_prefetch(&dataset->frames.frame[index]);
}

bool mr_edit_make_unanswered(const struct mr_dataset *dataset, size_t index, uint64_t turn,
                             struct mr_edit *edit_out)
{
    MR_ASSERT(index < dataset->frames.count);
    uint64_t variation;
    const struct mr_edit_place *place = place_of_turn(&dataset->notes[index], turn, &variation);
    if (place == NULL) {
        return false;
    }
    uint32_t count = digits_changed(place);
    uint64_t power = powers_of_ten[count];
    uint64_t file_low = place->timestamp_us % power;
    uint64_t low = (file_low + (variation + 1) * STEP) % power; // variation + 1 < power
    uint64_t timestamp_us = place->timestamp_us - file_low + low;

    *edit_out = (struct mr_edit){.offset = place->digits_offset + place->digits_count - count,
                                 .count = count,
                                 .answer = dataset->answers[index],
                                 .place = place,
                                 .timestamp_us = timestamp_us};
    for (uint32_t i = count; i > 0; i--) {
        edit_out->digits[i - 1] = (uint8_t)('0' + low % 10);
        low /= 10;
    }
    return true;
}

void mr_edit_expect_record(const struct mr_edit *edit)
{
    if (edit->place != NULL && edit->place->record != NULL) {
        expect(edit->place->record, RECORD_BYTES_EXPECTED);
    }
}

void mr_edit_answer(const struct mr_dataset *dataset, size_t index, struct mr_edit *edit_io)
{
    if (edit_io->answer.status == 0 && edit_io->place != NULL) {
        edit_io->answer.digest =
            digest_with(&dataset->answers[index], edit_io->place, edit_io->timestamp_us);
    }
}

bool mr_edit_make(const struct mr_dataset *dataset, size_t index, uint64_t turn,
                  struct mr_edit *edit_out)
{
    if (!mr_edit_make_unanswered(dataset, index, turn, edit_out)) {
        return false;
    }
    mr_edit_answer(dataset, index, edit_out);
    return true;
}

void mr_edit_none(const struct mr_dataset *dataset, size_t index, struct mr_edit *edit_out)
{
    MR_ASSERT(index < dataset->frames.count);
    *edit_out = (struct mr_edit){.answer = dataset->answers[index]};
}
