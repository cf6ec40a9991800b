// report_page_test.c: every verdict's sentence, hostile names made inert, figures that are
// unavailable, quoting in CSV.
#define _GNU_SOURCE
#include "report_page.h"
#include "results_view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COMPARISON(verdict)                                                                        \
    "{\"a\":\"x\",\"b\":\"y\",\"primary\":true,\"verdict\":\"" verdict                             \
    "\",\"pairs\":8,\"ratio\":2.1041,"                                                             \
    "\"ratio_low\":2.0,\"ratio_high\":2.25,\"confidence\":0.9922,\"quotient_of_medians\":2.2,"     \
    "\"resolvable_difference\":null,\"consistently\":false,\"pair_ratios\":[2.1,2.1]}"

static yyjson_doc *parse(const char *text)
{
    yyjson_doc *doc = yyjson_read(text, strlen(text), 0);
    assert_non_null(doc);
    return doc;
}

static void expect_sentence(const char *comparison, const char *wanted)
{
    char text[512];
    yyjson_doc *cell = parse("{\"name\":\"c\"}");
    yyjson_doc *doc = parse(comparison);
    mr_view_sentence(yyjson_doc_get_root(cell), yyjson_doc_get_root(doc), text, sizeof text);
    assert_string_equal(text, wanted);
    yyjson_doc_free(doc);
    yyjson_doc_free(cell);
}

#define FIGURES " (speed ratio 2.104, 99.2 % interval 2.000 to 2.250, 8 pairs)"

static void test_sentences(void **state)
{
    (void)state;
    expect_sentence(COMPARISON("faster"), "c: x is faster than y" FIGURES);
    expect_sentence(COMPARISON("slower"), "c: x is slower than y" FIGURES);
    expect_sentence(COMPARISON("faster_size_open"),
                    "c: x is faster than y, by how much is open" FIGURES);
    expect_sentence(COMPARISON("slower_size_open"),
                    "c: x is slower than y, by how much is open" FIGURES);
    expect_sentence(COMPARISON("same"), "c: x is as fast as y, within the margin" FIGURES);
    expect_sentence(COMPARISON("not_resolved"),
                    "c: not resolved: this run cannot tell x from y" FIGURES);
    expect_sentence(COMPARISON("void"),
                    "c: x and y get no verdict: the controls of this run failed");
    expect_sentence(COMPARISON("below_control"),
                    "c: x and y get no verdict: below what this campaign could see" FIGURES);
    expect_sentence(COMPARISON("wrong"), "c: x and y get no verdict: one of them was wrong");
    expect_sentence(COMPARISON("indicative"),
                    "c: x beside y: indicative only, without verdict, for no core is spare "
                    "here" FIGURES);
    expect_sentence(COMPARISON("no_pairs"),
                    "c: x and y were not compared: no pair of trials counted");
}

// A page of one cell; `name` is the contestant's, `reason` an excluded trial's.
static char *page(const char *name, const char *reason, const char *complete)
{
    char json[4096];
    (void)snprintf(
        json, sizeof json,
        "{\"complete\":%s,\"any_wrong\":false,\"manifest\":{\"title\":\"T "
        "%s\",\"seed\":18446744073709551615,\"commit\":\"abc\","
        "\"reproduce\":\"./lab "
        "smoke\",\"rules\":{\"margin\":0.03},\"environment\":{\"grade\":\"C\","
        "\"lacks\":[\"a spare core\"]},\"contestants\":[{\"entry\":\"%s\",\"class\":\"stock\"}]},"
        "\"welcomes\":{},\"cells\":[{\"name\":\"c\",\"driver\":\"served\",\"entries\":[{\"entry\":"
        "\"%s\","
        "\"trials_counted\":8,\"wrong\":null,\"metrics\":{\"records_per_s\":{\"median\":1234567.0},"
        "\"latency_p99_ns\":{\"median\":null}}}],\"comparisons\":[" COMPARISON(
            "faster") "]}],"
                      "\"trials\":[{\"file\":\"1.json\",\"number\":1,\"cell\":\"c\",\"row\":0,"
                      "\"attempt\":0,\"entry\":\"%s\","
                      "\"outcome\":\"excluded\",\"reason\":\"%s\",\"metrics\":{\"records_per_s\":1."
                      "5}}]}",
        complete, name, name, name, name, reason);
    yyjson_doc *doc = parse(json);
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    mr_report_page(out, yyjson_doc_get_root(doc), true);
    assert_int_equal(fclose(out), 0);
    yyjson_doc_free(doc);
    return text;
}

static void test_page(void **state)
{
    (void)state;
    char *text = page("x", "gate answers", "true");
    assert_non_null(strstr(text, "- **c: x is faster than y"));
    assert_non_null(strstr(text, "Grade **C**"));
    assert_non_null(strstr(text, "| x | 8 | 1.235 |"));
    assert_null(strstr(text, "latency p99")); // measured by nobody: no column
    assert_non_null(strstr(text, "at commit abc"));
    assert_non_null(strstr(text, "gate answers"));
    assert_non_null(strstr(text, "generator: 18446744073709551615."));
    assert_null(strstr(text, "Incomplete"));
    free(text);
    text = page("x", "", "false");
    assert_non_null(strstr(text, "Incomplete"));
    assert_non_null(strstr(text, "The same command runs it whole again.")); // one trial is no rule
    free(text);
}

static void test_hostile_texts_are_inert(void **state)
{
    (void)state;
    char *text = page("<script>|`*", "a | b <img src=x>", "true");
    assert_null(strstr(text, "<script"));
    assert_null(strstr(text, "<img"));
    assert_non_null(strstr(text, "a \\| b &lt;img src=x&gt;"));
    free(text);
}

// A page of these results, whatever they are.
static char *page_of(const char *json)
{
    yyjson_doc *doc = parse(json);
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    mr_report_page(out, yyjson_doc_get_root(doc), false);
    assert_int_equal(fclose(out), 0);
    yyjson_doc_free(doc);
    return text;
}

#define NEVER_TRIAL(entry, outcome)                                                                \
    "{\"file\":\"1.json\",\"number\":1,\"cell\":\"c\",\"row\":0,\"attempt\":0,\"entry\":\"" entry  \
    "\",\"outcome\":\"" outcome "\",\"reason\":\"gate novelty\",\"metrics\":{}}"

// What no trial of an entry gets past is no accident: another run is not what helps.
static void test_never_counted(void **state)
{
    (void)state;
#define NEVER_PAGE(trials)                                                                         \
    page_of("{\"complete\":false,\"any_wrong\":false,\"manifest\":{},\"welcomes\":{},"             \
            "\"cells\":[{\"name\":\"c\",\"driver\":\"served\",\"entries\":[{\"entry\":\"x\"},"     \
            "{\"entry\":\"y\"}],\"comparisons\":[]}],\"trials\":[" trials "]}")
    char *text = NEVER_PAGE(NEVER_TRIAL("x", "excluded") "," NEVER_TRIAL("y", "counted") "," //
                            NEVER_TRIAL("x", "excluded"));
    assert_non_null(
        strstr(text, "**never counted**: x in c, all 2 trials excluded; the last: gate novelty"));
    assert_null(strstr(text, "**never counted**: y"));
    assert_null(strstr(text, "The same command runs it whole again."));
    assert_non_null(strstr(text, "most likely end alike"));
    free(text);
    text = NEVER_PAGE(NEVER_TRIAL("x", "excluded") "," NEVER_TRIAL("x", "counted"));
    assert_null(strstr(text, "never counted"));
    assert_non_null(strstr(text, "The same command runs it whole again."));
    free(text);
#undef NEVER_PAGE
}

#define COUNTS(failed)                                                                             \
    "{\"passed\":5,\"failed\":" failed ",\"unavailable\":2,\"exempt\":1,\"off\":0}"

static void test_gates(void **state)
{
    (void)state;
    char *text = page_of(
        "{\"complete\":true,\"judged_otherwise\":2,\"rules\":{\"gates\":{\"answers\":{\"action\":"
        "\"exclude\"},\"nothing_else_ran\":{\"action\":\"exclude\",\"foreign_share_max\":0.005},"
        "\"recorder_sane\":{\"action\":\"abort\"},\"machine_unchanged\":{\"action\":\"off\"}},"
        "\"marks\":{\"slope_max\":0.02}},\"manifest\":{\"environment\":{\"grade\":\"C\"}},"
        "\"cells\":[{\"name\":\"c\",\"metric\":\"latency_p99_ns\",\"driver\":\"served\",\"gates\":"
        "{\"nothing_else_ran\":" COUNTS(
            "3") "},\"uneven\":{\"nothing_else_ran\":{\"x\":1,\"y\":2}},"
                 "\"marks\":{\"overloaded\":{},\"not_steady\":{}},\"entries\":[{\"entry\":\"x\","
                 "\"wrong\":"
                 "\"digest: "
                 "lies\",\"marks\":{\"overloaded\":{\"clear\":3,\"marked\":1,\"unavailable\":0},"
                 "\"not_steady\":{\"clear\":0,\"marked\":0,\"unavailable\":4},"
                 "\"warmup_at_maximum\":{\"clear\":1,\"marked\":3,\"unavailable\":0}}},"
                 "{\"entry\":\"y\",\"marks\":{\"warmup_at_maximum\":{\"clear\":4,"
                 "\"marked\":0,\"unavailable\":0}}}]}]}");
    // Who was not shown to be warm is told beside the figures, and only there.
    assert_non_null(strstr(text, "\n| x, **not shown to be steady (3 of 4 trials)** | "));
    assert_null(strstr(text, "| y, **"));
    assert_non_null(strstr(text, "(mark warmup_at_maximum)"));
    // Wrong answers end a contestant's race: they exclude no trial.
    assert_non_null(strstr(text, "| answers | wrong: its contestant is out of the cell"));
    assert_non_null(strstr(text, "| nothing\\_else\\_ran | excluded: its row runs again | "
                                 "foreign\\_share\\_max 0.005"));
    assert_non_null(strstr(text, "| recorder\\_sane | excluded, and the run ends"));
    assert_non_null(strstr(text, "| machine\\_unchanged | not judged"));
    assert_non_null(strstr(text, "| `nothing_else_ran` | 5 | 3 | 2 | 1 | 0 |"));
    assert_non_null(strstr(text, "gate `nothing_else_ran` failed in 1 trial of x, 2 trials of y."));
    assert_non_null(strstr(text, "| x | 1 of 4 | unavailable | 3 of 4 |"));
    assert_non_null(strstr(text, "in 2 trials a gate or a mark now says something else"));
    assert_non_null(strstr(text, "A answers sooner"));
    assert_non_null(strstr(text, "latency are indicative only"));
    // A list ends with an empty line before the next heading.
    assert_non_null(strstr(text, "digest: lies\n\n## What may be concluded"));
    free(text);
}

static void test_csv_quotes(void **state)
{
    (void)state;
    yyjson_doc *doc = parse(
        "{\"trials\":[{\"number\":3,\"cell\":\"a,b\",\"entry\":\"q\\\"q\",\"reason\":\"l\\nm\","
        "\"metrics\":{\"records_per_s\":0.1,\"startup_ns\":null}}]}");
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    mr_report_csv(out, yyjson_doc_get_root(doc));
    assert_int_equal(fclose(out), 0);
    assert_string_equal(
        text,
        "number,cell,row,position,attempt,entry,started_utc,outcome,reason,file,records_per_s\r\n"
        "3,\"a,b\",,,,\"q\"\"q\",,,\"l\nm\",,0.10000000000000001\r\n");
    free(text);
    yyjson_doc_free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sentences),
        cmocka_unit_test(test_page),
        cmocka_unit_test(test_hostile_texts_are_inert),
        cmocka_unit_test(test_never_counted),
        cmocka_unit_test(test_gates),
        cmocka_unit_test(test_csv_quotes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
