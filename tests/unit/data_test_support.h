// data_test_support.h: what the tests of lib/dataset and apps/data share: a parse, a folder of
// their own, a small dataset.
#ifndef MR_DATA_TEST_SUPPORT_H
#define MR_DATA_TEST_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <matchrace/record.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data_making.h"

// lib/record with its memory.
struct test_parser {
    struct mr_parser *parser;
    uint8_t *padded;
    uint8_t *records;
};

static inline void test_parser_init(struct test_parser *parser)
{
    *parser = (struct test_parser){0};
    assert_int_equal(mr_parser_create("scalar", &parser->parser), 0);
}

static inline void test_parser_fini(struct test_parser *parser)
{
    mr_parser_destroy(parser->parser);
    free(parser->padded);
    free(parser->records);
}

// Parses `json`; records stand in parser->records until the next call.
static inline struct mr_result test_parse(struct test_parser *parser, const uint8_t *json,
                                          size_t json_bytes)
{
    free(parser->padded);
    free(parser->records);
    parser->padded = malloc(MR_PAD_FRONT + json_bytes + MR_PAD_BACK);
    parser->records = malloc(mr_records_capacity(json_bytes));
    assert_non_null(parser->padded);
    assert_non_null(parser->records);
    memset(parser->padded, 0, MR_PAD_FRONT + json_bytes + MR_PAD_BACK);
    if (json_bytes > 0) {
        memcpy(parser->padded + MR_PAD_FRONT, json, json_bytes);
    }
    struct mr_result result;
    mr_parser_parse(parser->parser, parser->padded + MR_PAD_FRONT, json_bytes, parser->records,
                    &result);
    return result;
}

// A folder of this test's own, and the name of a dataset in it.
struct test_folder {
    char path[64];
    char dataset[96];
};

static inline void test_folder_init(struct test_folder *folder)
{
    (void)snprintf(folder->path, sizeof folder->path, "/tmp/matchrace-data-XXXXXX");
    assert_non_null(mkdtemp(folder->path));
    (void)snprintf(folder->dataset, sizeof folder->dataset, "%s/set", folder->path);
}

static inline void test_folder_fini(const struct test_folder *folder)
{
    static const char *const ends[] = {"json", "batches", "answers", "edits"};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        char path[128];
        (void)snprintf(path, sizeof path, "%s.%s", folder->dataset, ends[i]);
        (void)unlink(path);
    }
    assert_int_equal(rmdir(folder->path), 0); // nothing else may be left in it
}

static inline int test_never_stopped(void)
{
    return 0;
}

// Makes a dataset of `batches` batches of `records` records at folder->dataset.
static inline void test_make(const struct test_folder *folder, const char *shape, uint64_t batches,
                             uint32_t records)
{
    struct mr_make_request request = {.out = folder->dataset,
                                      .seed = 7,
                                      .batches = batches,
                                      .batch_records = records,
                                      .force = true,
                                      .stopped = test_never_stopped};
    assert_true(mr_shape_by_name(shape, &request.shape));
    request.reject_bp = request.shape.reject_bp;
    struct mr_make_result result;
    int error = mr_make(&request, &result);
    if (error != 0) {
        fail_msg("%s", result.fault.text);
    }
    assert_int_equal(result.batches, batches);
}

#endif
