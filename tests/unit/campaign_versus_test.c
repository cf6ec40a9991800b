// campaign_versus_test.c: the gate's answer on every side of its margin, and what makes it none.
#include "versus_judge.h"
#include "versus_write.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

// The results of a race whose intervals are these; `more` goes into the change's entry.
static struct mr_versus judge(const char *change, const char *twin, const char *more, int counted)
{
    char text[2048];
    (void)snprintf(
        text, sizeof text,
        "{\"rules\": {\"margin\": 0.03}, \"cells\": [{\"rows_planned\": 24, \"rows_counted\": %d,"
        "\"entries\": [{\"entry\": \"base\", \"wrong\": null}, {\"entry\": \"change\"%s}],"
        "\"comparisons\": [{\"a\": \"change\", \"b\": \"base\", \"pairs\": 24, \"ratio\": 1,"
        "\"confidence\": 0.97, %s}, {\"a\": \"base-twice\", \"b\": \"base\", \"pairs\": 24,"
        "\"ratio\": 1, \"confidence\": 0.97, %s}]}]}",
        counted, more, change, twin);
    yyjson_doc *doc = yyjson_read(text, strlen(text), YYJSON_READ_NOFLAG);
    assert_non_null(doc);
    struct mr_versus versus;
    assert_int_equal(mr_versus_judge(yyjson_doc_get_root(doc), &versus), 0);
    yyjson_doc_free(doc);
    return versus;
}

static enum mr_versus_answer answer(const char *change)
{
    return judge(change, "\"ratio_low\": 0.99, \"ratio_high\": 1.01", "", 24).answer;
}

static void test_sides_of_the_margin(void **state)
{
    (void)state;
    // 1 / 1.03 is 0.97087.
    assert_int_equal(answer("\"ratio_low\": 0.971, \"ratio_high\": 0.98"), MR_VERSUS_PASSED);
    assert_int_equal(answer("\"ratio_low\": 0.971, \"ratio_high\": 2"), MR_VERSUS_PASSED);
    assert_int_equal(answer("\"ratio_low\": 1.2, \"ratio_high\": 1.3"), MR_VERSUS_PASSED);
    assert_int_equal(answer("\"ratio_low\": 0.8, \"ratio_high\": 0.9708"), MR_VERSUS_SLOWER);
    assert_int_equal(answer("\"ratio_low\": 0.8, \"ratio_high\": 0.971"), MR_VERSUS_NOT_RESOLVED);
    assert_int_equal(answer("\"ratio_low\": 0.97, \"ratio_high\": 1.1"), MR_VERSUS_NOT_RESOLVED);
    assert_int_equal(answer("\"ratio_low\": null, \"ratio_high\": null"), MR_VERSUS_NOT_RESOLVED);
}

static void test_what_forbids_an_answer(void **state)
{
    (void)state;
    const char *slower = "\"ratio_low\": 0.8, \"ratio_high\": 0.9";
    const char *same = "\"ratio_low\": 0.99, \"ratio_high\": 1.01";
    assert_int_equal(judge(slower, "\"ratio_low\": 1.001, \"ratio_high\": 1.1", "", 24).answer,
                     MR_VERSUS_VOID);
    assert_int_equal(judge(slower, "\"ratio_low\": 0.9, \"ratio_high\": 0.999", "", 24).answer,
                     MR_VERSUS_VOID);
    assert_int_equal(judge(slower, "\"ratio_low\": null, \"ratio_high\": null", "", 24).answer,
                     MR_VERSUS_NOT_RESOLVED);
    struct mr_versus versus = judge(slower, same, "", 23);
    assert_int_equal(versus.answer, MR_VERSUS_INCOMPLETE);
    assert_string_equal(versus.why, "23 of 24 rows could be counted");
    versus = judge(slower, same, ", \"wrong\": \"answers: <no>\"", 24);
    assert_int_equal(versus.answer, MR_VERSUS_WRONG);
    assert_string_equal(versus.why, "change: answers: <no>");
    versus = judge(slower, same, ", \"absent\": \"no dotnet\"", 24);
    assert_int_equal(versus.answer, MR_VERSUS_INCOMPLETE);
    assert_string_equal(versus.why, "change: no dotnet");
}

// Where the generator was the limit in most trials a slower build need not show, but one that does
// is slower all the same.
static void test_generator_bound(void **state)
{
    (void)state;
    static const char bound[] =
        ", \"gates\": {\"generator_kept_up\": {\"passed\": 11, \"failed\": 13}}";
    static const char kept_up[] =
        ", \"gates\": {\"generator_kept_up\": {\"passed\": 12, \"failed\": 12}}";
    const char *slower = "\"ratio_low\": 0.8, \"ratio_high\": 0.9";
    const char *same = "\"ratio_low\": 0.99, \"ratio_high\": 1.01";
    struct mr_versus versus = judge(same, same, bound, 24);
    assert_int_equal(versus.answer, MR_VERSUS_INCOMPLETE);
    assert_non_null(strstr(versus.why, "generator was the limit"));
    assert_int_equal(judge(slower, same, bound, 24).answer, MR_VERSUS_SLOWER);
    assert_int_equal(judge(same, same, kept_up, 24).answer, MR_VERSUS_PASSED);
}

static void test_no_such_race(void **state)
{
    (void)state;
    static const char *const texts[] = {"{}", "{\"cells\": []}",
                                        "{\"rules\": {\"margin\": 0.03}, \"cells\": [{}]}"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        yyjson_doc *doc = yyjson_read(texts[i], strlen(texts[i]), YYJSON_READ_NOFLAG);
        struct mr_versus versus;
        assert_true(mr_versus_judge(yyjson_doc_get_root(doc), &versus) < 0);
        yyjson_doc_free(doc);
    }
}

static void test_exit_codes(void **state)
{
    (void)state;
    assert_int_equal(mr_versus_exit_code(MR_VERSUS_PASSED), 0);
    assert_int_equal(mr_versus_exit_code(MR_VERSUS_SLOWER), 4);
    assert_int_equal(mr_versus_exit_code(MR_VERSUS_WRONG), 3);
    assert_int_equal(mr_versus_exit_code(MR_VERSUS_NOT_RESOLVED), 5);
    assert_int_equal(mr_versus_exit_code(MR_VERSUS_VOID), 5);
    assert_int_equal(mr_versus_exit_code(MR_VERSUS_INCOMPLETE), 5);
}

static void test_sentences(void **state)
{
    (void)state;
    char text[1024];
    struct mr_versus versus = {
        .answer = MR_VERSUS_SLOWER, .margin = 0.03, .change = {24, 0.9, 0.88, 1.01, 0.97}};
    mr_versus_sentence(&versus, text, sizeof text);
    assert_string_equal(text, "Failed: the change is slower by more than 3 %: 10.0 % slower "
                              "(97.0 % interval: 12.0 % slower to 1.0 % faster; 24 pairs)");
    versus.answer = MR_VERSUS_WRONG;
    (void)snprintf(versus.why, sizeof versus.why, "change: <script>");
    mr_versus_sentence(&versus, text, sizeof text);
    assert_string_equal(text, "Failed: wrong answers. change: <script>");
}

static void test_xml_escapes(void **state)
{
    (void)state;
    char *bytes = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&bytes, &size);
    mr_versus_xml_text(out, "a<b>\"&\x01\x1b é\n");
    (void)fclose(out);
    assert_string_equal(bytes, "a&#60;b&#62;&#34;&#38;?? é\n");
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sides_of_the_margin), cmocka_unit_test(test_what_forbids_an_answer),
        cmocka_unit_test(test_no_such_race),        cmocka_unit_test(test_exit_codes),
        cmocka_unit_test(test_generator_bound),     cmocka_unit_test(test_sentences),
        cmocka_unit_test(test_xml_escapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
