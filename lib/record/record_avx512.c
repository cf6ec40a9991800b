// record_avx512.c: the kernel for processors with AVX-512 VBMI2; docs/PARSER.md tells how it works.
//
// Three passes over chunks of the text: avx512/index.h, avx512/escapes.h, then records from the
// index (kernel_fields.h); kernel_batch.h drives them.
#include "avx512/direct.h"
#include "avx512/index.h"
#include "avx512/numbers.h"
#include "avx512/strings.h"
#include "avx512/sums.h"
#include "avx512/compare.h"
#include "kernel_batch.h"
#include "kernels.h"

#include "base/mr_assert.h"

// Pass 1 over a chunk. Returns marks of faults.
__attribute__((always_inline)) static inline uint64_t
scan_blocks(struct scan *scan, const struct chunk *chunk, bool dense)
{
    uint64_t faults = index_block(scan, chunk, 0, dense);
    for (size_t offset = BLOCK; offset < chunk->bytes; offset += BLOCK) {
        faults |= index_block(scan, chunk, offset, dense);
    }
    return faults;
}

// Pass 1 over a chunk in which there is a fault: a position at or before the first one.
__attribute__((noinline)) static size_t find_fault(const struct chunk *chunk)
{
    struct scan scan = {.escapes.from = 0};
    for (size_t offset = 0; offset < chunk->bytes; offset += BLOCK) {
        if (index_block(&scan, chunk, offset, true) != 0) {
            // A sequence that ends here may have begun in the block before.
            return offset < 4 ? 0 : offset - 4;
        }
    }
    return SIZE_MAX;
}

// Pass 2: decodes the chunk's \uXXXX.
static void read_units(struct chunk *chunk, size_t marked_count)
{
    size_t units_count =
        collect_units(chunk->text, &marked_count, chunk->scratch, &chunk->dirty_from);
    MR_ASSERT(units_count <= MR_CHUNK_BYTES / 6 + 1);
    size_t fault = decode_units(units_count, chunk->scratch);
    chunk->dirty_from = fault < chunk->dirty_from ? fault : chunk->dirty_from;
    place_units(marked_count, chunk->scratch);
}

static inline void scan_chunk(struct chunk *chunk, const uint8_t *text, size_t bytes,
                              bool *dense_io)
{
    chunk->text = text;
    chunk->bytes = bytes;
    struct scan scan = {.escapes.from = *dense_io ? 0 : SIZE_MAX};
    uint64_t faults =
        *dense_io ? scan_blocks(&scan, chunk, true) : scan_blocks(&scan, chunk, false);
    chunk->count = scan.count;
    chunk->escapes_from = scan.escapes.from;
    chunk->dirty_from = faults != 0 ? find_fault(chunk) : SIZE_MAX;
    if (scan.escapes.marked_count > 0) {
        read_units(chunk, scan.escapes.marked_count);
    }
    *dense_io = scan.escapes.marked_count > chunk->bytes / 512;
    end_entries(chunk);
}

void mr_record_avx512(struct mr_parser *parser, const uint8_t *json, size_t json_bytes,
                      uint8_t *records_out, struct mr_result *result_out)
{
    struct sums sums;
    parse_batch(parser, &sums, json, json_bytes, records_out, result_out);
}
