// report_html_test.c: what report.html says by rule: advice from verdicts, published figures beside
// ours, escaping in every place, round values on axes.
#define _GNU_SOURCE
#include "html_out.h"
#include "html_page.h"
#include "svg_plot.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void expect_written(void (*write)(FILE *, const char *), const char *text,
                           const char *wanted)
{
    char *written = NULL;
    size_t length;
    FILE *out = open_memstream(&written, &length);
    write(out, text);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(written, wanted);
    free(written);
}

static void test_texts_are_escaped(void **state)
{
    (void)state;
    expect_written(mr_html_text, "<b a=\"x\" b='y'>&amp;\n\x7f\x01ü",
                   "&lt;b a=&quot;x&quot; b=&#39;y&#39;&gt;&amp;amp;   ü");
    expect_written(mr_html_json, "{\"a\":\"</script><!--&\"}",
                   "{\"a\":\"\\u003c/script\\u003e\\u003c!--\\u0026\"}");
}

static void test_markup(void **state)
{
    (void)state;
    char *written = NULL;
    size_t length;
    FILE *out = open_memstream(&written, &length);
    mr_html(out, "<p a=\"%s\">%zu %%</p>", "\"<", (size_t)7);
    mr_html_number(out, 1234.5678, 2);
    mr_html_number(out, NAN, 2);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(written, "<p a=\"&quot;&lt;\">7 %</p><td class=\"n\" data-v=\"1234.5678\">"
                                 "1234.57</td><td class=\"n\">–</td>");
    free(written);
}

static void test_places_on_axes(void **state)
{
    (void)state;
    struct mr_axis even = {.low = 0, .high = 10, .from = 100, .to = 200};
    struct mr_axis powers = {.low = 1, .high = 100, .from = 0, .to = 200, .logarithmic = true};
    assert_true(fabs(mr_axis_place(&even, 5) - 150) < 1e-9);
    assert_true(fabs(mr_axis_place(&even, 99) - 200) < 1e-9);
    assert_true(fabs(mr_axis_place(&even, -1) - 100) < 1e-9);
    assert_true(fabs(mr_axis_place(&powers, 10) - 100) < 1e-9);
    assert_true(fabs(mr_axis_place(&powers, 0) - 0) < 1e-9);
    assert_true(fabs(mr_plot_step(1, 5) - 0.2) < 1e-9);
    assert_true(fabs(mr_plot_step(37, 6) - 5) < 1e-9);
    assert_true(fabs(mr_plot_step(90, 8) - 10) < 1e-9);
}

#define CONTESTANT(name, any_json, mode)                                                           \
    "{\"entry\":\"" name "\",\"class\":\"tuned\",\"any_json\":" any_json                           \
    ",\"mode_override\":\"" mode "\",\"memory_safety\":\"by the language\"}"
#define ENTRY(name, median)                                                                        \
    "{\"entry\":\"" name "\",\"metrics\":{\"records_per_s\":{\"median\":" median                   \
    ",\"min\":1,\"max\":2e7,\"better\":\"higher\"}}}"
#define VERDICT(a, b, verdict, primary)                                                            \
    "{\"a\":\"" a "\",\"b\":\"" b "\",\"primary\":" primary ",\"verdict\":\"" verdict              \
    "\",\"pairs\":8,\"ratio\":1.25,\"ratio_low\":1.2,\"ratio_high\":1.3,\"confidence\":0.99,"      \
    "\"pair_ratios\":[1.25]}"

// The page of a run with one cell, simple/keep, of these comparisons.
static char *page_of(const char *comparisons)
{
    char json[8192];
    (void)snprintf(
        json, sizeof json,
        "{\"complete\":true,\"manifest\":{\"reproduce\":\"./lab "
        "smoke\",\"rules\":{\"margin\":0.03},"
        "\"contestants\":[" CONTESTANT("c-tuned", "false", "") "," CONTESTANT("cpp-simdjson", "true", "") "," CONTESTANT(
            "csharp-stj", "true",
            "") "," CONTESTANT("null", "false",
                               "drain") "]},"
                                        "\"cells\":[{\"name\":\"s\",\"driver\":\"served\","
                                        "\"shape\":\"simple\",\"mode\":\"keep\","
                                        "\"plan\":\"closed\",\"metric\":\"records_per_s\",\"rows_"
                                        "counted\":8,\"rows_planned\":8,"
                                        "\"entries\":[" ENTRY("c-tuned", "1e7") "," ENTRY(
                                            "cpp-simdjson",
                                            "5e6") "," ENTRY("csharp-stj",
                                                             "4e6") "," ENTRY("null",
                                                                              "2e7") "],"
                                                                                     "\"comparisons"
                                                                                     "\":[%s]}],"
                                                                                     "\"trials\":[]"
                                                                                     "}",
        comparisons);
    yyjson_doc *doc = yyjson_read(json, strlen(json), 0);
    assert_non_null(doc);
    struct mr_trial_views trials;
    assert_int_equal(mr_trial_views_init(&trials, "/nowhere", yyjson_doc_get_root(doc)), 0);
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    assert_int_equal(mr_html_page(out, yyjson_doc_get_root(doc), &trials), 0);
    assert_int_equal(fclose(out), 0);
    mr_trial_views_fini(&trials);
    yyjson_doc_free(doc);
    return text;
}

static void expect_in_page(const char *comparisons, const char *wanted)
{
    char *text = page_of(comparisons);
    if (strstr(text, wanted) == NULL) {
        print_error("the page lacks: %s\n", wanted);
    }
    assert_non_null(strstr(text, wanted));
    free(text);
}

#define ADVICE "<em>s</em>: "

static void test_advice(void **state)
{
    (void)state;
    // Faster than another, and bound to a schema: the question is asked again among the rest.
    expect_in_page(VERDICT("c-tuned", "cpp-simdjson", "faster", "true") "," VERDICT(
                       "cpp-simdjson", "csharp-stj", "faster_size_open", "true"),
                   ADVICE "<strong>c-tuned</strong> for speed. Where other JSON than this schema "
                          "may come: <strong>cpp-simdjson</strong>.");
    expect_in_page(VERDICT("c-tuned", "cpp-simdjson", "faster", "true"),
                   "no advice, for no verdict compares those that take any JSON");
    // A verdict reads the same from its other end.
    expect_in_page(VERDICT("cpp-simdjson", "csharp-stj", "slower", "true"),
                   ADVICE "<strong>csharp-stj</strong> for speed.</p>");
    expect_in_page(VERDICT("cpp-simdjson", "csharp-stj", "same", "true"), ADVICE
                   "<strong>cpp-simdjson</strong> or <strong>csharp-stj</strong> for speed.");
    // Each of these recommends nothing.
    static const char *const nothing[] = {
        VERDICT("cpp-simdjson", "csharp-stj", "not_resolved", "true"),
        VERDICT("cpp-simdjson", "csharp-stj", "indicative", "true"),
        VERDICT("cpp-simdjson", "csharp-stj", "void", "true"),
        VERDICT("cpp-simdjson", "csharp-stj", "faster", "false"),
        VERDICT("null", "csharp-stj", "faster", "true"),
    };
    for (size_t i = 0; i < sizeof nothing / sizeof nothing[0]; i++) {
        expect_in_page(nothing[i], ADVICE "no advice: no verdict of this run puts anyone first.");
    }
}

// Rows of the table to choose by: those of a cell that compares somebody.
static void test_costs_of_what_is_compared(void **state)
{
    (void)state;
    static const char row[] = "<td>s</td>";
    char *compared = page_of(VERDICT("c-tuned", "csharp-stj", "faster", "true"));
    char *alone = page_of("");
    const char *table = "What it gives and costs";
    const char *behind = "What it is to live with";
    const char *found = strstr(strstr(compared, table), row);
    assert_true(found != NULL && found < strstr(compared, behind));
    found = strstr(strstr(alone, table), row);
    assert_true(found == NULL || found > strstr(alone, behind));
    free(compared);
    free(alone);
}

static void test_published(void **state)
{
    (void)state;
    // A over B is 1.25 by the pairs and 1.25 by the medians: B over A is 0.8.
    expect_in_page(
        VERDICT("cpp-simdjson", "csharp-stj", "faster", "true"),
        "<td class=\"n\">11.0</td><td class=\"n\">10.8</td><td class=\"n\">98 %</td>"
        "<td class=\"whole\">cpp-simdjson : csharp-stj</td><td>s</td>"
        "<td class=\"n\" data-v=\"5\">5.00</td><td class=\"n\" data-v=\"4\">4.00</td>"
        "<td class=\"n\" data-v=\"0.8\">0.800</td><td class=\"n\" data-v=\"0.8\">0.800</td>");
    expect_in_page(VERDICT("csharp-stj", "cpp-simdjson", "slower", "true"),
                   "<td class=\"n\" data-v=\"1.25\">1.250</td>");
    // Cells that this run has not are told, not hidden.
    expect_in_page("", "12 published rows that this run has no cell for");
}

static void test_without_anything(void **state)
{
    (void)state;
    yyjson_doc *doc = yyjson_read("{}", 2, 0);
    struct mr_trial_views trials;
    assert_int_equal(mr_trial_views_init(&trials, "/nowhere", yyjson_doc_get_root(doc)), 0);
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    assert_int_equal(mr_html_page(out, yyjson_doc_get_root(doc), &trials), 0);
    assert_int_equal(fclose(out), 0);
    assert_non_null(strstr(text, "This run fixed no comparison that gets a verdict."));
    assert_non_null(strstr(text, "No cell of this run answers a published figure."));
    free(text);
    mr_trial_views_fini(&trials);
    yyjson_doc_free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts_are_escaped),
        cmocka_unit_test(test_markup),
        cmocka_unit_test(test_places_on_axes),
        cmocka_unit_test(test_advice),
        cmocka_unit_test(test_costs_of_what_is_compared),
        cmocka_unit_test(test_published),
        cmocka_unit_test(test_without_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
