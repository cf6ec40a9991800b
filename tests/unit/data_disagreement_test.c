// data_disagreement_test.c: an import whose second reading says something else: the record is named
// and nothing is written. The second reading is this file's own, put in place of the real one.
#define _GNU_SOURCE
#include "data_test_support.h"

#include "data_importer.h"
#include "import_readings.h"

#include <errno.h>

// How the second reading differs from lib/record.
static enum { LIE_NONE, LIE_BIT, LIE_TEXT, LIE_REJECT, LIE_ACCEPT, LIE_COUNT } lie;
static struct test_parser inner;

int mr_second_read(const uint8_t *json, size_t json_bytes, struct mr_buffer *records_out,
                   struct mr_second_reading *reading_out)
{
    struct mr_result result = test_parse(&inner, json, json_bytes);
    *reading_out = (struct mr_second_reading){
        .accepted = result.error == MR_OK, .count = result.records, .why = "said so"};
    records_out->length = 0;
    mr_buffer_add(records_out, inner.records, result.used_bytes);
    // Only what holds the record with the marked message is lied about.
    const uint8_t *mark = memmem(json, json_bytes, "marked", 6);
    if (mark == NULL) {
        return 0;
    }
    struct mr_record *record = (void *)records_out->bytes;
    while (reading_out->accepted && lie != LIE_ACCEPT &&
           memcmp(mr_record_text(record) + record->source_bytes, "marked", 6) != 0) {
        record = (void *)((uint8_t *)record + mr_record_stride(record));
    }
    if (lie == LIE_BIT) {
        record->value_bits ^= 1ull << 63;
    } else if (lie == LIE_TEXT) {
        ((uint8_t *)record)[MR_RECORD_HEAD_BYTES] ^= 1;
    } else if (lie == LIE_REJECT) {
        reading_out->accepted = false;
    } else if (lie == LIE_COUNT) {
        reading_out->count++;
    } else if (lie == LIE_ACCEPT) {
        reading_out->accepted = true;
    }
    return 0;
}

static char shown[4][400];
static size_t shown_count;

static void show(const char *text)
{
    assert_true(shown_count < 4);
    (void)snprintf(shown[shown_count++], sizeof shown[0], "%s", text);
}

// Imports four records, the third marked and, where `value` is no number, at fault.
static int import(const char *value)
{
    struct test_folder folder;
    test_folder_init(&folder);
    char path[128];
    (void)snprintf(path, sizeof path, "%s-source", folder.path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < 4; i++) {
        (void)fprintf(file,
                      "{\"id\":%d,\"timestamp\":1764000000000000,\"source\":\"s\",\"kind\":\"log\","
                      "\"value\":%s,\"flags\":[],\"message\":\"%s\"}\n",
                      i, i == 2 ? value : "0", i == 2 ? "marked" : "plain");
    }
    assert_int_equal(fclose(file), 0);
    const char *paths[] = {path};
    struct mr_import_request request = {.paths = paths,
                                        .paths_count = 1,
                                        .out = folder.dataset,
                                        .batch_records = 3,
                                        .command = "matchrace data import",
                                        .show_fault = show,
                                        .stopped = test_never_stopped};
    struct mr_import_result result;
    shown_count = 0;
    test_parser_init(&inner);
    int error = mr_import(&request, &result);
    test_parser_fini(&inner);
    assert_int_equal(unlink(path), 0);
    if (error != 0) {
        assert_int_equal(rmdir(folder.path), 0); // nothing was written
    } else {
        test_folder_fini(&folder);
    }
    return error;
}

static void test_agreement(void **state)
{
    (void)state;
    lie = LIE_NONE;
    assert_int_equal(import("0"), 0);
    assert_int_equal(shown_count, 0);
}

static void assert_disagreement(const char *word)
{
    assert_int_equal(shown_count, 1);
    if (strstr(shown[0], "line 3, byte ") == NULL ||
        strstr(shown[0], "two readings differ") == NULL || strstr(shown[0], word) == NULL) {
        fail_msg("not as expected: %s", shown[0]);
    }
}

static void test_disagreements(void **state)
{
    (void)state;
    lie = LIE_BIT; // the sign of a zero
    assert_int_equal(import("0"), -EBADMSG);
    assert_disagreement("{\"id\":2,");
    lie = LIE_TEXT;
    assert_int_equal(import("0"), -EBADMSG);
    assert_disagreement("{\"id\":2,");
    lie = LIE_COUNT;
    assert_int_equal(import("0"), -EBADMSG);
    assert_disagreement("{\"id\":2,");
    lie = LIE_REJECT;
    assert_int_equal(import("0"), -EBADMSG);
    assert_disagreement("yyjson: said so");
    lie = LIE_ACCEPT;
    assert_int_equal(import("null"), -EBADMSG);
    assert_disagreement("yyjson: a record");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agreement),
        cmocka_unit_test(test_disagreements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
