// record_avx512.c: the kernel for processors with AVX-512 VBMI2; docs/PARSER.md tells how it works.
//
// Three passes over chunks of the text: avx512/index.h, avx512/escapes.h, then records from the
// index (avx512/fields.h). Whatever these do not read, an odd record or a fault, the specification
// reads from there on, so that the answers, reasons of rejections included, are its own.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "avx512/fields.h"
#include "avx512/index.h"
#include "kernels.h"
#include "record_scalar.h"

#include "base/mr_assert.h"

// A chunk stays in the first-level cache together with its index.
#define CHUNK_BYTES 8192u

// Entries that must be there, whatever they are, where a record is read: it has at most 63.
#define LOOK_AHEAD 96u

// Digests wait for so many records: reading a head while it is being stored is slow.
#define GROUP 16u

struct batch {
    struct scan scan;
    struct mr_reader reader;
    struct mr_result result;
    uint8_t *records;
    const uint8_t *behind;  // the last record, or the opening bracket
    size_t entry;           // the next one to read
    uint64_t digested_bytes; // of records
    bool ended;             // the closing bracket was read, or a fault
};

static inline uint64_t digest_of(const uint8_t *place)
{
    const struct mr_record *record = (const struct mr_record *)(const void *)place;
    return XXH3_64bits(record, mr_record_bytes(record));
}

static void digest_records(struct batch *batch)
{
    uint8_t *place = batch->records + batch->digested_bytes;
    uint8_t *end = batch->records + batch->result.used_bytes;
    uint64_t sum = batch->result.digest;
#ifdef A_NODIGEST
    place = end;
#endif
    while (place < end) {
        sum += digest_of(place);
        place += mr_record_stride((const struct mr_record *)(const void *)place);
    }
    batch->result.digest = sum;
    batch->digested_bytes = batch->result.used_bytes;
}

// Pass 1 and 2 for one chunk: false when there is no more.
static bool scan_chunk(struct scan *scan)
{
    if (scan->next >= scan->text_bytes) {
        return false;
    }
    size_t end = scan->next + CHUNK_BYTES;
    scan->escapes.digits_count = 0;
    scan->escapes.units_count = 0;
    scan->escapes.marks_count = 0;
    bool dense = scan->dense;
    // A copy, so that what goes from block to block stays in registers.
    struct scan now = *scan;
    if (dense) {
        do {
            index_block(&now, now.next, true);
            now.next += BLOCK;
        } while (now.next < now.text_bytes && (now.next < end || now.escapes.open_end));
    } else {
        do {
            index_block(&now, now.next, false);
            now.next += BLOCK;
        } while (now.next < now.text_bytes && (now.next < end || now.escapes.open_end));
    }
    *scan = now;
    if (scan->escapes.units_count > 0) {
        size_t fault = decode_units(&scan->escapes, &scan->scratch);
        if (fault != SIZE_MAX) {
            note_dirty(scan, fault);
        }
        place_units(&scan->escapes, &scan->scratch);
    }
    scan->dense = scan->escapes.units_count > CHUNK_BYTES / 1024;
    return true;
}

// Leaves out the entries of what was read already: a record may be longer than its chunk.
static void skip_entries(struct batch *batch)
{
    size_t offset = (size_t)(batch->behind - batch->scan.text);
    const uint32_t *position = batch->scan.scratch.position;
    while (batch->entry < batch->scan.count && position[batch->entry] < offset) {
        batch->entry++;
    }
}

// Lets the specification read what comes next.
__attribute__((noinline)) static void step(struct batch *batch)
{
    enum mr_step what = mr_scalar_step(&batch->reader, &batch->behind, batch->records, &batch->result);
    batch->ended = what != MR_STEP_RECORD;
    if (what == MR_STEP_END) {
        mr_scalar_end(&batch->reader, batch->behind);
    }
    skip_entries(batch);
}

// Reads one record where the index has it complete. False: the specification must.
static inline bool read_record(struct batch *batch)
{
    const struct scan *scan = &batch->scan;
    size_t first = batch->entry;
    if (batch->result.records != 0) {
        if (scan->scratch.stream[first] != ',') {
            return false;
        }
        first++;
    }
    struct layout layout;
    if (!match_canonical(scan, first, &layout) && !match_any_order(scan, first, &layout)) {
        return false;
    }
    size_t end = scan->scratch.position[first + layout.end];
    if (end >= scan->dirty_from || batch->result.records == MR_BATCH_RECORDS_MAX) {
        return false;
    }
    uint8_t *place = batch->records + batch->result.used_bytes;
    if (!read_fields(scan, first, &layout, place)) {
        return false;
    }
    batch->result.records++;
    batch->result.used_bytes += mr_record_stride((const struct mr_record *)(const void *)place);
    batch->behind = scan->text + end + 1;
    batch->entry = first + layout.end + 1;
    return true;
}

// Reads the records that are complete in the index: `needed` entries must be there.
static void read_records(struct batch *batch, size_t needed)
{
    unsigned waiting = 0;
    skip_entries(batch);
    while (!batch->ended && batch->entry + needed <= batch->scan.count) {
        if (!read_record(batch)) {
            step(batch);
        }
        if (++waiting == GROUP) {
            digest_records(batch);
            waiting = 0;
        }
    }
    digest_records(batch);
}

// Moves the entries not read yet to the front.
static void keep_rest(struct batch *batch)
{
    struct scan *scan = &batch->scan;
    size_t rest = scan->count - batch->entry;
    memmove(scan->scratch.position, scan->scratch.position + batch->entry, rest * sizeof(uint32_t));
    memmove(scan->scratch.stream, scan->scratch.stream + batch->entry, rest);
    scan->count = rest;
    batch->entry = 0;
}

// The last chunk: behind its entries there are none, which must not look like any.
static void read_rest(struct batch *batch)
{
    struct scan *scan = &batch->scan;
    memset(scan->scratch.stream + scan->count, 0, LOOK_AHEAD + 8);
    for (unsigned i = 0; i < LOOK_AHEAD + 8; i++) {
        scan->scratch.position[scan->count + i] = (uint32_t)scan->text_bytes;
    }
    if (scan->in_string != 0) {
        note_dirty(scan, 0);
    }
    read_records(batch, 1);
    while (!batch->ended) {
        step(batch);
    }
    digest_records(batch);
}

void mr_record_avx512(struct mr_parser *parser, const uint8_t *json, size_t json_bytes,
                      uint8_t *records_out, struct mr_result *result_out)
{
    struct batch batch = {
        .scan = {.text = json, .text_bytes = json_bytes, .dirty_from = SIZE_MAX},
        .reader = {.begin = json, .end = json + json_bytes},
        .records = records_out,
    };
    if (mr_scratch_fit(&parser->scratch, json_bytes) != 0) {
        *result_out = (struct mr_result){.error = MR_ERROR_MEMORY};
        return;
    }
    batch.scan.scratch = parser->scratch;
    batch.behind = mr_scalar_begin(&batch.reader);
    batch.entry = 1;
    batch.ended = batch.behind == NULL;
    while (!batch.ended && scan_chunk(&batch.scan)) {
#ifdef A_STAGE1
        batch.scan.count = 0; continue;
#endif
        if (batch.scan.next < json_bytes) {
            read_records(&batch, 1 + LOOK_AHEAD);
            keep_rest(&batch);
        }
    }
#ifdef A_STAGE1
    batch.ended=true;
#endif
    if (!batch.ended) {
        read_rest(&batch);
    }
    *result_out = mr_scalar_result(&batch.reader, &batch.result);
}
