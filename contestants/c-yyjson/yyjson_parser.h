// yyjson_parser.h: a batch parsed by yyjson, strictly by section 1 of docs/PROTOCOL.md.
#ifndef C_YYJSON_PARSER_H
#define C_YYJSON_PARSER_H

#include <matchrace/attributes.h>
#include <matchrace/serve.h>

// A parser: the memory that documents are read into, used again and again. One thread at a time.
struct yyjson_parser;

// 0 or -ENOMEM. Ended with yyjson_parser_destroy(); NULL is allowed there.
MR_NODISCARD int yyjson_parser_create(struct yyjson_parser **parser_out);
void yyjson_parser_destroy(struct yyjson_parser *parser);

// Does what mr_contestant.parse asks for. In situ where the payload is writable. Positions of
// errors: the byte where the text is no JSON, the record where it is not of the schema.
void yyjson_parser_parse(struct yyjson_parser *parser, const struct mr_payload *payload,
                         uint8_t *records_out, struct mr_result *result_out);

#endif
