// yyjson_parser.c: text to document by yyjson, document to records in one pass over its values.
//
// Who is strict about what: yyjson refuses what is no RFC 8259 or no UTF-8, a byte order mark, a
// lone surrogate and a number that rounds to infinity; yyjson_record.c refuses what is not of the
// schema; yyjson_long_number.c rounds what yyjson does not. NOTES.md says what was tried.
#include "yyjson_parser.h"

#include "yyjson_long_number.h"
#include "yyjson_record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

// A document's memory beyond this is given back after its batch.
#define POOL_KEPT_BYTES (32u << 20)

struct yyjson_parser {
    void *pool;
    size_t pool_bytes;
};

static void read_batch(yyjson_val *root, uint8_t *records_out, struct mr_result *result_out)
{
    struct mr_result result = {0};
    size_t count = unsafe_yyjson_get_len(root);
    yyjson_val *element = unsafe_yyjson_get_first(root);
    if (!unsafe_yyjson_is_arr(root) || count > MR_BATCH_RECORDS_MAX) {
        *result_out = (struct mr_result){.error = unsafe_yyjson_is_arr(root) ? MR_ERROR_RECORDS_MAX
                                                                             : MR_ERROR_TYPE};
        return;
    }
    uint8_t *place = records_out;
    for (size_t i = 0; i < count; i++) {
        struct mr_record *record = (struct mr_record *)(void *)place;
        enum mr_error error = yyjson_record_write(element, record);
        if (error != MR_OK) {
            *result_out = (struct mr_result){.error = error, .error_record = (uint32_t)i};
            return;
        }
        result.digest += mr_record_digest(record);
        place += mr_record_stride(record);
        element = unsafe_yyjson_get_next(element);
    }
    result.records = (uint32_t)count;
    result.used_bytes = (uint64_t)(place - records_out);
    *result_out = result;
}

// The library's codes are constants, not enumerators: no switch takes them. What is an escape, a
// control byte, a surrogate or bad UTF-8 it does not tell apart.
static enum mr_error error_of(yyjson_read_code code)
{
    return code == YYJSON_READ_ERROR_EMPTY_CONTENT        ? MR_ERROR_EMPTY
           : code == YYJSON_READ_ERROR_UNEXPECTED_CONTENT ? MR_ERROR_TRAILING
           : code == YYJSON_READ_ERROR_UNEXPECTED_END     ? MR_ERROR_TRUNCATED
           : code == YYJSON_READ_ERROR_INVALID_NUMBER     ? MR_ERROR_NUMBER
           : code == YYJSON_READ_ERROR_INVALID_STRING     ? MR_ERROR_REJECTED
           : code == YYJSON_READ_ERROR_MEMORY_ALLOCATION  ? MR_ERROR_MEMORY
                                                          : MR_ERROR_SYNTAX;
}

static int grow_pool(struct yyjson_parser *parser, size_t wanted)
{
    if (parser->pool_bytes >= wanted) {
        return 0;
    }
    free(parser->pool);
    wanted += wanted / 4; // batches of about the same size grow it once
    parser->pool = malloc(wanted);
    parser->pool_bytes = parser->pool == NULL ? 0 : wanted;
    return parser->pool == NULL ? -ENOMEM : 0;
}

// In situ yyjson unescapes within the text and wants zero bytes behind it, which belong to somebody
// else: they are put back.
static yyjson_doc *read_document(struct yyjson_parser *parser, const struct mr_payload *payload,
                                 yyjson_read_err *error_out)
{
    char *text = (char *)payload->json;
    yyjson_read_flag flags = payload->writable ? YYJSON_READ_INSITU : YYJSON_READ_NOFLAG;
    bool has_long_number = yyjson_long_number_suspected(text, payload->json_bytes);
    flags |= has_long_number ? YYJSON_READ_NUMBER_AS_RAW : YYJSON_READ_NOFLAG;
    size_t wanted = yyjson_read_max_memory_usage(payload->json_bytes, flags);
    yyjson_alc allocator;
    if (grow_pool(parser, wanted) != 0 ||
        !yyjson_alc_pool_init(&allocator, parser->pool, parser->pool_bytes)) {
        error_out->code = YYJSON_READ_ERROR_MEMORY_ALLOCATION;
        error_out->pos = 0;
        return NULL;
    }
    char saved[YYJSON_PADDING_SIZE] = {0};
    if (payload->writable) {
        memcpy(saved, text + payload->json_bytes, sizeof saved);
        memset(text + payload->json_bytes, 0, sizeof saved);
    }
    yyjson_doc *document =
        yyjson_read_opts(text, payload->json_bytes, flags, &allocator, error_out);
    if (payload->writable) {
        memcpy(text + payload->json_bytes, saved, sizeof saved);
    }
    if (document != NULL && has_long_number && !yyjson_long_number_convert(document)) {
        *error_out = (yyjson_read_err){.code = YYJSON_READ_ERROR_INVALID_NUMBER};
        return NULL; // the document ends with the pool's next use
    }
    return document;
}

int yyjson_parser_create(struct yyjson_parser **parser_out)
{
    struct yyjson_parser *parser = calloc(1, sizeof *parser);
    *parser_out = parser;
    return parser == NULL ? -ENOMEM : 0;
}

void yyjson_parser_destroy(struct yyjson_parser *parser)
{
    if (parser != NULL) {
        free(parser->pool);
        free(parser);
    }
}

void yyjson_parser_parse(struct yyjson_parser *parser, const struct mr_payload *payload,
                         uint8_t *records_out, struct mr_result *result_out)
{
    yyjson_read_err error;
    yyjson_doc *document = read_document(parser, payload, &error);
    if (document == NULL) {
        *result_out = (struct mr_result){.error = error_of(error.code), .error_offset = error.pos};
    } else {
        read_batch(yyjson_doc_get_root(document), records_out, result_out);
        yyjson_doc_free(document);
    }
    if (parser->pool_bytes > POOL_KEPT_BYTES) {
        free(parser->pool);
        parser->pool = NULL;
        parser->pool_bytes = 0;
    }
}
