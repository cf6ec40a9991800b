// parity.c: see parity.h. The kernel's file is included, for its passes are static.
#include "record_avx2.c"

#include "parity.h"

struct mr_parser *mr_parity_parser(const char *kernel)
{
    struct mr_parser *parser;
    return mr_parser_create(kernel, &parser) == 0 ? parser : NULL;
}

void mr_parity_end(struct mr_parser *parser)
{
    mr_parser_destroy(parser);
}

void mr_parity_parse(struct mr_parser *parser, const uint8_t *json, size_t json_bytes,
                     uint8_t *records_out, struct mr_result *result_out)
{
    mr_parser_parse(parser, json, json_bytes, records_out, result_out);
}

size_t mr_parity_scratch_bytes(void)
{
    return sizeof(struct mr_scratch);
}

void mr_parity_scan(const uint8_t *text, size_t bytes, void *scratch,
                    struct mr_parity_scan *scan_out)
{
    struct chunk chunk = {.text = text, .bytes = bytes, .scratch = scratch};
    bool dense = false;
    scan_chunk(&chunk, text, bytes, &dense);
    // Once more, for what scan_chunk() keeps to itself.
    struct scan scan = {.dirty_from = SIZE_MAX};
    uint8_t tail[32 + BLOCK];
    index_blocks(&scan, &chunk);
    if (bytes % BLOCK != 0) {
        index_tail(&scan, &chunk, tail);
    }
    size_t units = scan.escaped_blocks_count == 0 ? 0 : copy_letters(&scan, &chunk);
    scan_chunk(&chunk, text, bytes, &dense);
    *scan_out = (struct mr_parity_scan){.count = chunk.count,
                                        .dirty_from = chunk.dirty_from,
                                        .escapes_from = chunk.escapes_from,
                                        .escaped_blocks = scan.escaped_blocks_count,
                                        .outside = scan.outside_count,
                                        .beyond_ascii = scan.beyond_ascii_count,
                                        .units = units};
}

bool mr_parity_numbers(const uint8_t *const at[3], const uint8_t *const end[3],
                       const uint8_t *text_end, bool is_short, struct mr_record *head_out)
{
    struct token id = {at[0], end[0]};
    struct token timestamp = {at[1], end[1]};
    struct token value = {at[2], end[2]};
    return is_short ? read_short_numbers(id, timestamp, value, text_end, head_out)
                    : read_numbers(id, timestamp, value, text_end, head_out);
}
