// record_avx512.c: the kernel for processors with AVX-512 VBMI2; docs/PARSER.md tells how it works.
//
// Three passes over chunks of the text: avx512/index.h, avx512/escapes.h, then records from the
// index (kernel_fields.h); kernel_batch.h drives them.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "avx512/direct.h"
#include "avx512/index.h"
#include "avx512/numbers.h"
#include "avx512/text.h"
#include "avx512/words.h"
#include "kernel_batch.h"
#include "kernels.h"

static inline void scan_chunk(struct chunk *chunk, const uint8_t *text, size_t bytes,
                              bool *dense_io)
{
    chunk->text = text;
    chunk->bytes = bytes;
    struct scan scan = {.dirty_from = SIZE_MAX, .escapes.from = SIZE_MAX};
    if (*dense_io) {
        for (size_t offset = 0; offset < chunk->bytes; offset += BLOCK) {
            index_block(&scan, chunk, offset, true);
        }
    } else {
        for (size_t offset = 0; offset < chunk->bytes; offset += BLOCK) {
            index_block(&scan, chunk, offset, false);
        }
    }
    chunk->count = scan.count;
    chunk->dirty_from = scan.dirty_from;
    chunk->escapes_from = scan.escapes.from;
    if (scan.escapes.units_count > 0) {
        size_t fault = decode_units(scan.escapes.units_count, chunk->scratch);
        chunk->dirty_from = fault < chunk->dirty_from ? fault : chunk->dirty_from;
        place_units(scan.escapes.marked_count, chunk->scratch);
    }
    *dense_io = scan.escapes.units_count > chunk->bytes / 512;
    end_entries(chunk);
}

void mr_record_avx512(struct mr_parser *parser, const uint8_t *json, size_t json_bytes,
                      uint8_t *records_out, struct mr_result *result_out)
{
    parse_batch(parser, json, json_bytes, records_out, result_out);
}
