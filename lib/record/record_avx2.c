// record_avx2.c: the kernel for processors with AVX2, BMI and PCLMUL; docs/PARSER.md tells how it
// works.
//
// Three passes over chunks of the text: avx2/index.h, avx2/escapes.h, then records from the index
// (kernel_fields.h); kernel_batch.h drives them.
#include "avx2/any_order.h"
#include "avx2/direct.h"
#include "avx2/escapes.h"
#include "avx2/index.h"
#include "avx2/numbers.h"
#include "avx2/strings.h"
#include "avx2/sums.h"
#include "avx2/compare.h"
#define HAS_ANY_ORDER
#include "kernel_batch.h"
#include "kernels.h"

static inline void scan_chunk(struct chunk *chunk, const uint8_t *text, size_t bytes,
                              bool *dense_io)
{
    (void)dense_io; // lists make it all one
    chunk->text = text;
    chunk->bytes = bytes;
    struct scan scan = {.dirty_from = SIZE_MAX};
    uint8_t tail[32 + BLOCK];
    index_blocks(&scan, chunk);
    if (bytes % BLOCK != 0) {
        index_tail(&scan, chunk, tail);
    }
    chunk->count = append_entries(&scan, chunk, tail + 32);
    check_utf8(&scan, chunk);
    chunk->escapes_from = SIZE_MAX;
    if (scan.escaped_blocks_count != 0) {
        read_escapes(&scan, chunk);
        chunk->escapes_from = chunk->scratch->escaped_blocks[0];
    }
    chunk->dirty_from = scan.dirty_from;
    end_entries(chunk);
}

void mr_record_avx2(struct mr_parser *parser, const uint8_t *json, size_t json_bytes,
                    uint8_t *records_out, struct mr_result *result_out)
{
    struct sums sums;
    parse_batch(parser, &sums, json, json_bytes, records_out, result_out);
}
