// installed_example.c: a program of somebody else's that uses the installed library: the contract's
// worked example, parsed; it prints its records and digest.
#include <matchrace/record.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] =
    "[{\"id\":5942859575,\"timestamp\":1764054335349840,\"source\":\"sensor-1186\","
    "\"kind\":\"event\",\"value\":-268.6222,\"flags\":[\"urgent\"],"
    "\"message\":\"india delta alpha bravo\"}]";

int main(void)
{
    size_t json_bytes = sizeof text - 1;
    uint8_t *padded = calloc(1, MR_PAD_FRONT + json_bytes + MR_PAD_BACK);
    uint8_t *records = aligned_alloc(8, (mr_records_capacity(json_bytes) + 7) / 8 * 8);
    struct mr_parser *parser;
    if (padded == NULL || records == NULL || mr_parser_create(NULL, &parser) != 0) {
        return 1;
    }
    memcpy(padded + MR_PAD_FRONT, text, json_bytes);
    struct mr_result result;
    mr_parser_parse(parser, padded + MR_PAD_FRONT, json_bytes, records, &result);
    printf("%s: %u records, digest %016" PRIx64 "\n", mr_error_text(result.error),
           (unsigned)result.records, result.digest);
    mr_parser_destroy(parser);
    free(records);
    free(padded);
    return 0;
}
