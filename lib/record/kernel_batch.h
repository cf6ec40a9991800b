// kernel_batch.h: how a vector kernel goes through a batch: straight over plain records, in chunks
// over the others; whatever these do not read, an odd record or a fault, the specification reads,
// so that the answers, reasons of rejections included, are its own.
//
// Each kernel's file includes this once, with its own passes; <xxhash.h> is inline, so that XXH3
// uses the kernel's instructions.
#ifndef MR_RECORD_KERNEL_BATCH_H
#define MR_RECORD_KERNEL_BATCH_H

#include "ablation.h"
#include "kernel_chunk.h"
#include "kernel_fields.h"
#include "kernel_sums.h"
#include "parser.h"
#include "record_scalar.h"
#include "uint128.h"

#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL
#endif
#include <xxhash.h>

// Entries that are there behind the last one, whatever they are: a record has at most 63.
#define LOOK_AHEAD 96u

// Digests wait for so many records: reading a head while it is being stored is slow.
#define GROUP 16u

// Each kernel's own, passes 1 and 2: makes the index of the chunk of `bytes` bytes at `text`.
// *dense_io: whether the chunk before was full of escapes, then this one; speed alone depends on
// it.
static inline void scan_chunk(struct chunk *chunk, const uint8_t *text, size_t bytes,
                              bool *dense_io);

// Each kernel's own: reads a record of plain ASCII in canonical order and `style` at `at`, of which
// DIRECT_BYTES may be looked at; it must end before `end`. NULL, or the position behind its brace;
// its typed form stands at `place`. May only accept what the other way accepts, with equal values.
static inline const uint8_t *read_direct(const uint8_t *at, const uint8_t *end,
                                         const struct mr_record_style *style, uint8_t *place);

// Each kernel's own, in registers: what records add to the totals. Eight at a time are added.
// `totals`, empty before, is complete only behind the end.
struct sums;
static inline void begin_sums(struct sums *sums);
static inline void add_sums(struct sums *sums, const uint8_t *const place[8],
                            struct mr_totals *totals);
static inline void end_sums(struct sums *sums, struct mr_totals *totals);

struct batch {
    struct chunk chunk;
    struct sums *sums;
    struct mr_totals *totals;
    const uint8_t *waiting[8]; // records for add_sums()
    unsigned waiting_count;
    struct mr_reader reader;
    struct mr_result result;
    uint8_t *records;
    const uint8_t *behind;   // the last record, or the opening bracket
    uint64_t digested_bytes; // of records
    unsigned unordered;      // so many records before did not begin as the contract's order does
    bool ended;              // the closing bracket was read, or a fault
};

// The lower half of a product, with the upper one folded in.
static inline uint64_t fold_product(uint64_t a, uint64_t b)
{
    mr_uint128 product = (mr_uint128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

// What XXH3 does with sixteen bytes and those of its secret at `offset`. As XXH3_mix16B() of
// xxhash.h; that, and what it needs, gcc calls instead of putting it in line.
static inline uint64_t mix_sixteen(const uint8_t *at, size_t offset)
{
    const uint8_t *secret = XXH3_kSecret + offset;
    return fold_product(load_u64(at) ^ load_u64(secret), load_u64(at + 8) ^ load_u64(secret + 8));
}

// As XXH3_avalanche() of xxhash.h.
static inline uint64_t avalanche(uint64_t sum)
{
    sum ^= sum >> 37;
    sum *= 0x165667919E3779F9u;
    return sum ^ sum >> 32;
}

// XXH3 of 33 to 96 bytes without a branch on the length; XXH3_len_17to128_64b() of xxhash.h has
// two, and lengths of records are hard to foresee.
static inline uint64_t digest_short(const uint8_t *at, size_t length)
{
    // All ones or none; gcc makes a branch of a condition, which is missed two times in five.
    uint64_t third = 0u - (uint64_t)(length > 64);
    uint64_t sum = length * XXH_PRIME64_1;
    sum += mix_sixteen(at, 0) + mix_sixteen(at + length - 16, 16);
    sum += mix_sixteen(at + 16, 32) + mix_sixteen(at + length - 32, 48);
    uint64_t more = mix_sixteen(at + 32, 64) + mix_sixteen(at + ((length - 48) & third), 80);
    return avalanche(sum + (more & third));
}

// XXH3_64bits() of more than 240 bytes, with its sums set out by vectors: of eight scalar stores
// the first vector load would have to wait.
static inline uint64_t digest_long(const uint8_t *at, size_t length)
{
    static const xxh_u64 begin[XXH_ACC_NB] = XXH3_INIT_ACC;
    XXH_ALIGN(XXH_ACC_ALIGN) xxh_u64 sums[XXH_ACC_NB];
    memcpy(sums, begin, sizeof sums);
    XXH3_hashLong_internal_loop(sums, at, length, XXH3_kSecret, sizeof XXH3_kSecret,
                                XXH3_accumulate_512, XXH3_scrambleAcc);
    const uint8_t *secret = XXH3_kSecret + XXH_SECRET_MERGEACCS_START;
    uint64_t sum = length * XXH_PRIME64_1;
    for (size_t i = 0; i < XXH_ACC_NB; i += 2) {
        sum += fold_product(sums[i] ^ load_u64(secret + 8 * i),
                            sums[i + 1] ^ load_u64(secret + 8 * i + 8));
    }
    return avalanche(sum);
}

static inline uint64_t digest_of(const uint8_t *place)
{
    const struct mr_record *record = (const struct mr_record *)(const void *)place;
    size_t length = mr_record_bytes(record);
    if (length <= 96) {
        return digest_short(place, length);
    }
    return length > XXH3_MIDSIZE_MAX ? digest_long(place, length) : XXH3_64bits(place, length);
}

static void digest_records(struct batch *batch)
{
    const uint8_t *place = batch->records + batch->digested_bytes;
    const uint8_t *end = batch->records + batch->result.used_bytes;
    uint64_t sum = batch->result.digest;
    unsigned waiting = batch->waiting_count;
    while (place < end) {
        sum += MR_WITHOUT_DIGEST ? 0 : digest_of(place);
        batch->waiting[waiting++] = place;
        if (MR_WITHOUT_TOTALS) {
            waiting = 0;
        } else if (waiting == 8) {
            add_sums(batch->sums, batch->waiting, batch->totals);
            waiting = 0;
        }
        place += mr_record_stride((const struct mr_record *)(const void *)place);
    }
    batch->waiting_count = waiting;
    batch->result.digest = sum;
    batch->digested_bytes = batch->result.used_bytes;
}

// Entries behind the last one must look like none. For scan_chunk().
static void end_entries(struct chunk *chunk)
{
    memset(chunk->scratch->stream + chunk->count, 0, LOOK_AHEAD);
    for (unsigned i = 0; i < LOOK_AHEAD; i++) {
        chunk->scratch->position[chunk->count + i] = (uint16_t)(chunk->bytes - 1);
    }
}

// Lets the specification read what comes next.
__attribute__((noinline)) static void step(struct batch *batch)
{
    enum mr_step what =
        mr_scalar_step(&batch->reader, &batch->behind, batch->records, &batch->result);
    batch->ended = what != MR_STEP_RECORD;
    if (what == MR_STEP_END) {
        mr_scalar_end(&batch->reader, batch->behind);
    }
}

// The first entry at or behind the position that has been read up to.
static size_t skip_entries(const struct batch *batch, size_t entry)
{
    size_t offset = (size_t)(batch->behind - batch->chunk.text);
    while (entry < batch->chunk.count && batch->chunk.scratch->position[entry] < offset) {
        entry++;
    }
    return entry;
}

// Adds the record that was written to `place` and ends at `behind`.
static inline void add_record(struct batch *batch, const uint8_t *place, const uint8_t *behind)
{
    batch->result.records++;
    batch->result.used_bytes += mr_record_stride((const struct mr_record *)(const void *)place);
    batch->behind = behind;
}

// Reads one record and the comma before it, where the index has them whole. Moves *entry_io behind
// it. False: the specification must read it, or the chunk ends before it does.
static inline bool read_record(struct batch *batch, size_t *entry_io)
{
    const struct chunk *chunk = &batch->chunk;
    size_t first = *entry_io;
    if (batch->result.records != 0) {
        if (chunk->scratch->stream[first] != ',') {
            return false;
        }
        first++;
    }
    struct layout layout;
    // Asking for the contract's order first does not pay behind records that had another; one alone
    // says nothing of those that follow.
    bool ordered = batch->unordered < 2 && match_canonical(chunk, first, &layout);
    if (!ordered && !match_any_order(chunk, first, &layout)) {
        return false;
    }
    uint64_t both = value_at(MR_KEY_ID, 0xFF) | value_at(MR_KEY_TIMESTAMP, 0xFF);
    ordered = (layout.values & both) == (value_at(MR_KEY_ID, MR_STREAM_ID + 3) |
                                         value_at(MR_KEY_TIMESTAMP, MR_STREAM_TIMESTAMP + 3));
    batch->unordered = ordered ? 0 : batch->unordered + 1;
    size_t end = chunk->scratch->position[first + layout.end];
    if (end >= chunk->dirty_from || batch->result.records == MR_BATCH_RECORDS_MAX) {
        return false;
    }
    uint8_t *place = batch->records + batch->result.used_bytes;
    if (!read_fields(chunk, first, &layout, place)) {
        return false;
    }
    add_record(batch, place, chunk->text + end + 1);
    *entry_io = first + layout.end + 1;
    return true;
}

// Pass 3: reads the records of the chunk that end in it; with `one` the first of them only.
static void read_chunk(struct batch *batch, bool one)
{
    const struct chunk *chunk = &batch->chunk;
    bool is_last = chunk->text + chunk->bytes == batch->reader.end;
    size_t entry = 0;
    unsigned waiting = 0;
    while (!batch->ended && entry < chunk->count) {
        if (!read_record(batch, &entry)) {
            // The rest may be one record that goes on behind the chunk.
            bool cut = !is_last && chunk->count - entry < LOOK_AHEAD;
            if (cut && (entry != 0 || chunk->bytes < MR_CHUNK_BYTES)) {
                break;
            }
            step(batch);
            entry = skip_entries(batch, entry);
        }
        if (one) {
            break;
        }
        if (++waiting == GROUP) {
            digest_records(batch);
            waiting = 0;
        }
    }
    digest_records(batch);
}

// Reads records in canonical layout and one style as long as they are.
__attribute__((always_inline)) static inline void read_in_style(struct batch *batch,
                                                                const struct mr_record_style *style)
{
    const uint8_t *end = batch->reader.end;
    const uint8_t *at = batch->behind;
    const uint8_t *last = end - (DIRECT_BYTES - MR_PAD_BACK) - style->comma_blanks;
    uint8_t *place = batch->records + batch->result.used_bytes;
    uint32_t records = batch->result.records;
    unsigned waiting = 0;
    while (at < last && records < MR_BATCH_RECORDS_MAX) {
        if (records != 0) {
            if (at[0] != ',' || (style->comma_blanks != 0 && at[1] != ' ')) {
                break;
            }
            at += 1 + style->comma_blanks;
        }
        __builtin_prefetch(at + PREFETCH_BYTES);
        __builtin_prefetch(at + PREFETCH_BYTES + 64);
        const uint8_t *behind = read_direct(at, end, style, place);
        if (behind == NULL) {
            break;
        }
        records++;
        place += mr_record_stride((const struct mr_record *)(const void *)place);
        at = behind;
        batch->behind = behind;
        if (++waiting == GROUP) {
            batch->result.records = records;
            batch->result.used_bytes = (uint64_t)(place - batch->records);
            digest_records(batch);
            waiting = 0;
        }
    }
    batch->result.records = records;
    batch->result.used_bytes = (uint64_t)(place - batch->records);
    digest_records(batch);
}

__attribute__((noinline)) static void read_compact(struct batch *batch)
{
    // The compiler knows what the table says of this style.
    struct mr_record_style style = mr_record_styles[0];
    style.colon_blanks = 0;
    style.comma_blanks = 0;
    read_in_style(batch, &style);
}

__attribute__((noinline)) static void read_spaced(struct batch *batch, bool colon, bool comma)
{
    struct mr_record_style style = mr_record_styles[colon + 2 * comma];
    read_in_style(batch, &style);
}

#ifdef HAS_ANY_ORDER
// The brace of the next record, or NULL.
static inline const uint8_t *find_next_brace(const struct mr_reader *reader, const uint8_t *behind,
                                             bool first)
{
    const uint8_t *at = mr_skip_space(reader, behind);
    if (!first) {
        if (!mr_is_at(reader, at, ',')) {
            return NULL;
        }
        at = mr_skip_space(reader, at + 1);
    }
    return mr_is_at(reader, at, '{') ? at : NULL;
}

// Reads plain records whose keys stand in any order and that are spaced as the next one is, as long
// as they are so. True: it stopped because they seem to be in the contract's order.
__attribute__((noinline)) static bool read_shuffled(struct batch *batch)
{
    const uint8_t *end = batch->reader.end;
    const uint8_t *last = end - ANY_ORDER_BYTES;
    struct spacing spacing = {.keys = NULL};
    unsigned ordered_count = 0;
    unsigned waiting = 0;
    while (ordered_count < 2 && batch->result.records < MR_BATCH_RECORDS_MAX) {
        const uint8_t *brace =
            find_next_brace(&batch->reader, batch->behind, batch->result.records == 0);
        if (brace == NULL || brace > last) {
            break;
        }
        if (spacing.keys == NULL) {
            learn_spacing(brace, &spacing);
        }
        __builtin_prefetch(brace + PREFETCH_BYTES);
        __builtin_prefetch(brace + PREFETCH_BYTES + 64);
        uint8_t *place = batch->records + batch->result.used_bytes;
        bool ordered;
        const uint8_t *behind = read_any_order(brace, end, &spacing, place, &ordered);
        if (behind == NULL) {
            break;
        }
        add_record(batch, place, behind);
        if (++waiting == GROUP) {
            digest_records(batch);
            waiting = 0;
        }
        ordered_count = ordered && spacing.gap_bytes <= 1 ? ordered_count + 1 : 0;
    }
    digest_records(batch);
    return ordered_count == 2;
}
#endif

// Reads records without an index, in the style that the next one seems to have: a wrong guess is
// found out at the first literal.
static void read_ordered(struct batch *batch)
{
    const uint8_t *at = batch->behind;
    if (MR_WITHOUT_GUESS || batch->reader.end - at <= (ptrdiff_t)DIRECT_BYTES) {
        return;
    }
    bool first = batch->result.records == 0;
    bool comma = !first && at[1] == ' ';
    at += first ? 0 : 1 + comma;
    bool colon = at[6] == ' ';
    if (colon || comma) {
        read_spaced(batch, colon, first ? colon : comma);
    } else {
        read_compact(batch);
    }
}

// Reads records without an index as long as they are plain.
static void read_directly(struct batch *batch)
{
    read_ordered(batch);
#ifdef HAS_ANY_ORDER
    if (!MR_WITHOUT_GUESS && batch->reader.end - batch->behind > (ptrdiff_t)ANY_ORDER_BYTES) {
        while (read_shuffled(batch)) {
            read_ordered(batch);
        }
    }
#endif
}

// Chunks behind an odd record are short, for the records after it may be plain again, and of the
// first one only that record is read; they grow as long as none is.
#define FIRST_CHUNK_BYTES 1024u

static void read_batch(struct batch *batch, struct mr_parser *hints)
{
    size_t chunk_bytes = hints->chunk_bytes == 0 ? FIRST_CHUNK_BYTES : hints->chunk_bytes;
    while (!batch->ended) {
        const uint8_t *before = batch->behind;
        read_directly(batch);
        chunk_bytes = batch->behind != before ? FIRST_CHUNK_BYTES : chunk_bytes;
        size_t left = (size_t)(batch->reader.end - batch->behind);
        before = batch->behind;
        if (left > 0) {
            scan_chunk(&batch->chunk, batch->behind, left < chunk_bytes ? left : chunk_bytes,
                       &hints->dense);
            read_chunk(batch, chunk_bytes == FIRST_CHUNK_BYTES);
        }
        bool grown = chunk_bytes < MR_CHUNK_BYTES && chunk_bytes < left;
        chunk_bytes = chunk_bytes < MR_CHUNK_BYTES ? chunk_bytes * 2 : chunk_bytes;
        if (batch->behind == before && !batch->ended && !grown) {
            step(batch);
        }
    }
    hints->chunk_bytes = (uint32_t)chunk_bytes;
}

// Makes the totals of a batch that was accepted.
static inline void end_totals(struct batch *batch)
{
    struct mr_totals *totals = batch->totals;
    end_sums(batch->sums, totals);
    mr_totals_accept(totals, batch->waiting[0], batch->waiting_count, batch->result.digest,
                     (uint64_t)(batch->reader.end - batch->reader.begin));
}

// As mr_parser_parse(); `sums` is room for the kernel's sums.
static inline void parse_batch(struct mr_parser *parser, struct sums *sums, const uint8_t *json,
                               size_t json_bytes, uint8_t *records_out,
                               struct mr_result *result_out)
{
    struct batch batch;
    memset(&batch.result, 0, sizeof batch.result);
    batch.chunk = (struct chunk){.scratch = parser->scratch};
    batch.reader = (struct mr_reader){.begin = json, .end = json + json_bytes};
    batch.records = records_out;
    batch.digested_bytes = 0;
    batch.waiting_count = 0;
    batch.totals = &parser->totals;
    mr_totals_init(batch.totals);
    batch.sums = sums;
    begin_sums(sums);
    batch.unordered = 0;
    batch.behind = mr_scalar_begin(&batch.reader);
    batch.ended = batch.behind == NULL;
    read_batch(&batch, parser);
    *result_out = mr_scalar_result(&batch.reader, &batch.result);
    if (!MR_WITHOUT_TOTALS && result_out->error == MR_OK) {
        end_totals(&batch);
        result_out->totals = batch.totals;
    }
}

#endif
