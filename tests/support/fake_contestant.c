// fake_contestant.c: see fake_contestant.h.
#include "fake_contestant.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RECORDS_MAX 1000u

struct fake_parser {
    uint64_t batches;
};

static struct mr_record record_of(uint32_t index)
{
    return (struct mr_record){
        .id = index, .timestamp_us = 1000 + index, .kind = (uint8_t)(index % 8), .flags = 1};
}

uint64_t fake_digest(uint32_t records)
{
    uint64_t digest = 0;
    for (uint32_t i = 0; i < records; i++) {
        struct mr_record record = record_of(i);
        digest += mr_record_digest(&record);
    }
    return digest;
}

static int create(const struct mr_parser_options *options, void **parser_out)
{
    if (options->kernel != NULL && strcmp(options->kernel, "unsupported") == 0) {
        return -ENOTSUP;
    }
    if (options->kernel != NULL && strcmp(options->kernel, "fake") != 0) {
        return -ENOENT;
    }
    *parser_out = calloc(1, sizeof(struct fake_parser));
    return *parser_out == NULL ? -ENOMEM : 0;
}

static void destroy(void *parser)
{
    free(parser);
}

// The number that the payload is; -1 when it is none or a record would have less than a byte of
// text: the place is as large as the payload.
static int number_of(const struct mr_payload *payload)
{
    int number = 0;
    size_t at = 0;
    while (at < payload->json_bytes && payload->json[at] == ' ') {
        at++;
    }
    if (at == payload->json_bytes) {
        return -1;
    }
    for (; at < payload->json_bytes; at++) {
        if (payload->json[at] < '0' || payload->json[at] > '9' || number > 99) {
            return -1;
        }
        number = number * 10 + (payload->json[at] - '0');
    }
    return number;
}

static void touch_padding(const struct mr_payload *payload)
{
    static volatile uint8_t sum;
    for (size_t i = 1; i <= MR_PAD_FRONT; i++) {
        sum = (uint8_t)(sum + *(payload->json - i));
    }
    for (size_t i = 0; i < MR_PAD_BACK; i++) {
        sum = (uint8_t)(sum + payload->json[payload->json_bytes + i]);
    }
}

static void parse(void *parser, const struct mr_payload *payload, uint8_t *records_out,
                  struct mr_result *result_out)
{
    struct fake_parser *fake = parser;
    fake->batches++;
    touch_padding(payload);
    while (payload->json_bytes == 4 && memcmp(payload->json, "hang", 4) == 0) {
        (void)sleep(1);
    }
    int number = number_of(payload);
    bool fits = number >= 0 &&
                (uint32_t)number * MR_RECORD_HEAD_BYTES <= mr_records_capacity(payload->json_bytes);
    *result_out = (struct mr_result){0};
    if (!fits) {
        result_out->error = MR_ERROR_SYNTAX;
        result_out->error_record = 7;
        result_out->error_offset = payload->json_bytes;
    } else {
        result_out->records = (uint32_t)number;
        result_out->digest = fake_digest((uint32_t)number);
        result_out->used_bytes = (uint64_t)number * MR_RECORD_HEAD_BYTES;
        for (uint32_t i = 0; i < (uint32_t)number; i++) {
            struct mr_record record = record_of(i);
            memcpy(records_out + (size_t)i * MR_RECORD_HEAD_BYTES, &record, sizeof record);
        }
    }
    if (payload->writable) {
        memset(payload->json, 0xEE, payload->json_bytes);
    }
}

static const char *kernel(const void *parser)
{
    (void)parser;
    return "fake";
}

static size_t libraries(const void *parser, struct mr_library *libraries_out)
{
    (void)parser;
    libraries_out[0] =
        (struct mr_library){.name = "a \"quoted\" one", .version = "1", .path = "/tmp/\\x"};
    return 1;
}

const struct mr_contestant fake_contestant = {
    .name = "fake",
    .version = "1.2",
    .language = "C",
    .build_flags = "-O0",
    .kernels_help = "fake, unsupported",
    .create = create,
    .destroy = destroy,
    .parse = parse,
    .kernel = kernel,
    .libraries = libraries,
};
