// dataset_edits.c: see dataset_edits.h.
#include "dataset_edits.h"

#include "dataset_manifest.h"

#include "base/mr_assert.h"

#include <stdbool.h>
#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the file is used as it lies in memory, on little-endian machines only"
#endif

// The head of an entry; its places follow, then the records.
struct entry_head {
    uint32_t entry_bytes; // of the whole entry, a multiple of 8
    uint32_t places_count;
    struct mr_totals totals;
};

struct entry_place {
    uint32_t digits_offset;
    uint32_t digits_count;
    uint32_t record_offset; // from the entry's start; 0: none
    uint32_t reserved;      // 0
    uint64_t timestamp_min_others;
    uint64_t timestamp_max_others;
};

_Static_assert(sizeof(struct mr_totals) == 28 * 8,
               "totals have no padding: they go out as they are");
_Static_assert(sizeof(struct entry_head) == 8 + 28 * 8, "no padding");
_Static_assert(sizeof(struct entry_place) == 32, "no padding");

static size_t record_stride(const struct mr_record *record)
{
    return record == NULL ? 0 : mr_record_stride(record);
}

size_t mr_edits_bytes(const struct mr_batch_notes *notes)
{
    size_t bytes = sizeof(struct entry_head) + notes->places_count * sizeof(struct entry_place);
    for (uint32_t i = 0; i < notes->places_count; i++) {
        bytes += record_stride(notes->place[i].record);
    }
    return bytes;
}

void mr_edits_encode(const struct mr_batch_notes *notes, uint8_t *bytes_out)
{
    MR_ASSERT(notes->places_count <= MR_PLACES_MAX);
    struct entry_head head = {.entry_bytes = (uint32_t)mr_edits_bytes(notes),
                              .places_count = notes->places_count,
                              .totals = notes->totals};
    memset(bytes_out, 0, head.entry_bytes); // the padding behind records
    memcpy(bytes_out, &head, sizeof head);
    size_t record_at = sizeof head + notes->places_count * sizeof(struct entry_place);
    for (uint32_t i = 0; i < notes->places_count; i++) {
        const struct mr_edit_place *place = &notes->place[i];
        struct entry_place out = {.digits_offset = place->digits_offset,
                                  .digits_count = place->digits_count,
                                  .record_offset = place->record == NULL ? 0 : (uint32_t)record_at,
                                  .timestamp_min_others = place->timestamp_min_others,
                                  .timestamp_max_others = place->timestamp_max_others};
        memcpy(bytes_out + sizeof head + i * sizeof out, &out, sizeof out);
        if (place->record != NULL) {
            memcpy(bytes_out + record_at, place->record, mr_record_bytes(place->record));
            record_at += record_stride(place->record);
        }
    }
}

// An entry being read.
struct entry {
    const uint8_t *bytes;
    struct entry_head head;
    size_t index; // of its batch
};

// The record at `offset`, or NULL when it does not lie whole within the entry or no such record
// can be.
static const struct mr_record *record_at(const struct entry *entry, uint32_t offset)
{
    size_t first = sizeof entry->head + entry->head.places_count * sizeof(struct entry_place);
    if (offset < first || offset % 8 != 0 ||
        (uint64_t)offset + MR_RECORD_HEAD_BYTES > entry->head.entry_bytes) {
        return NULL;
    }
    const struct mr_record *record = (const void *)(entry->bytes + offset);
    bool possible = record->source_bytes <= MR_SOURCE_BYTES_MAX &&
                    record->message_bytes <= MR_MESSAGE_BYTES_MAX && record->kind < MR_KIND_COUNT;
    return possible && offset + mr_record_stride(record) <= entry->head.entry_bytes ? record : NULL;
}

// Reads the timestamp that stands at `place`; false when there are no such digits.
static bool read_digits(const struct mr_frames *frames, size_t index, struct mr_edit_place *place)
{
    const struct mr_frame_place *frame = &frames->frame[index];
    if (place->digits_count < 2 || place->digits_count > 18 ||
        place->digits_offset > frame->payload_bytes ||
        place->digits_count > frame->payload_bytes - place->digits_offset) {
        return false;
    }
    const uint8_t *digits = mr_frames_payload(frames, index) + place->digits_offset;
    uint64_t number = 0;
    for (uint32_t i = 0; i < place->digits_count; i++) {
        if (digits[i] < '0' || digits[i] > '9') {
            return false;
        }
        number = number * 10 + (uint64_t)(digits[i] - '0');
    }
    place->timestamp_us = number;
    return digits[0] != '0' && number <= MR_TIMESTAMP_US_MAX;
}

static int read_place(const struct mr_dataset *dataset, const struct entry *entry, uint32_t number,
                      struct mr_edit_place *place_out)
{
    struct entry_place in;
    memcpy(&in, entry->bytes + sizeof entry->head + number * sizeof in, sizeof in);
    *place_out = (struct mr_edit_place){.digits_offset = in.digits_offset,
                                        .digits_count = in.digits_count,
                                        .timestamp_min_others = in.timestamp_min_others,
                                        .timestamp_max_others = in.timestamp_max_others};
    if (!read_digits(&dataset->frames, entry->index, place_out) || in.reserved != 0) {
        return -1;
    }
    bool accepted = dataset->answers[entry->index].status == 0;
    if (!accepted) {
        return in.record_offset == 0 ? 0 : -1;
    }
    place_out->record = record_at(entry, in.record_offset);
    if (place_out->record == NULL || place_out->record->timestamp_us != place_out->timestamp_us) {
        return -1;
    }
    place_out->record_digest = mr_record_digest(place_out->record);
    return 0;
}

// Whether a batch's totals say what its answer and its frame say.
static bool totals_agree(const struct mr_totals *totals, const struct mr_ack *answer,
                         uint32_t payload_bytes)
{
    if (answer->status != 0) {
        struct mr_totals rejected;
        mr_totals_init(&rejected);
        mr_totals_reject(&rejected);
        return mr_totals_equal(totals, &rejected);
    }
    return totals->batches_accepted == 1 && totals->batches_rejected == 0 &&
           totals->records == answer->records && totals->digest == answer->digest &&
           totals->payload_bytes == payload_bytes;
}

static int decode_entry(struct mr_dataset *dataset, const struct entry *entry, const char *path,
                        struct mr_dataset_fault *fault_out)
{
    struct mr_batch_notes *notes = &dataset->notes[entry->index];
    *notes = (struct mr_batch_notes){.totals = entry->head.totals,
                                     .places_count = entry->head.places_count};
    if (!totals_agree(&notes->totals, &dataset->answers[entry->index],
                      dataset->frames.frame[entry->index].payload_bytes)) {
        return mr_dataset_bad(fault_out,
                              "%s: batch %zu: its totals are not those of its answer and its "
                              "bytes: files of different datasets? make it again",
                              path, entry->index);
    }
    for (uint32_t i = 0; i < notes->places_count; i++) {
        if (read_place(dataset, entry, i, &notes->place[i]) != 0) {
            return mr_dataset_bad(fault_out,
                                  "%s: batch %zu, place %u: no timestamp of a record stands "
                                  "there: make the dataset again",
                                  path, entry->index, i);
        }
    }
    notes->turns_of_all = mr_edit_turns_of_all(notes);
    return 0;
}

int mr_edits_decode(const uint8_t *bytes, size_t size_bytes, const char *path,
                    struct mr_dataset *dataset, struct mr_dataset_fault *fault_out)
{
    if (size_bytes < MR_EDITS_MAGIC_BYTES ||
        memcmp(bytes, MR_EDITS_MAGIC, MR_EDITS_MAGIC_BYTES) != 0) {
        return mr_dataset_bad(fault_out,
                              "%s: does not begin with " MR_EDITS_MAGIC
                              ": not a dataset's file; make the dataset again",
                              path);
    }
    size_t at = MR_EDITS_MAGIC_BYTES;
    for (size_t index = 0; index < dataset->frames.count; index++) {
        struct entry entry = {.bytes = bytes + at, .index = index};
        bool whole = size_bytes - at >= sizeof entry.head;
        if (whole) {
            memcpy(&entry.head, entry.bytes, sizeof entry.head);
            whole = entry.head.entry_bytes <= size_bytes - at && entry.head.entry_bytes % 8 == 0 &&
                    entry.head.places_count <= MR_PLACES_MAX &&
                    sizeof entry.head + entry.head.places_count * sizeof(struct entry_place) <=
                        entry.head.entry_bytes;
        }
        if (!whole) {
            return mr_dataset_bad(fault_out,
                                  "%s: the entry of batch %zu at byte %zu is cut off or garbled: "
                                  "make the dataset again",
                                  path, index, at);
        }
        int result = decode_entry(dataset, &entry, path, fault_out);
        if (result != 0) {
            return result;
        }
        at += entry.head.entry_bytes;
    }
    if (at != size_bytes) {
        return mr_dataset_bad(fault_out, "%s: %zu bytes stand behind the entry of the last batch",
                              path, size_bytes - at);
    }
    return 0;
}
