// load_series_test.c: a percentile is printed only where there are enough values: in the result
// file, the timeline and the summary.
#define _GNU_SOURCE
#include <load_result.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static yyjson_doc *series_of(uint64_t count)
{
    struct mr_hist hist;
    assert_int_equal(mr_hist_init(&hist), 0);
    for (uint64_t i = 1; i <= count; i++) {
        assert_true(mr_hist_record(&hist, i));
    }
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    yyjson_mut_doc_set_root(doc, mr_load_series_json(doc, &hist, true));
    yyjson_doc *read = yyjson_mut_doc_imut_copy(doc, NULL);
    yyjson_mut_doc_free(doc);
    mr_hist_fini(&hist);
    assert_non_null(read);
    return read;
}

static bool has(uint64_t count, const char *key)
{
    yyjson_doc *doc = series_of(count);
    yyjson_val *value = yyjson_obj_get(yyjson_doc_get_root(doc), key);
    assert_non_null(value);
    bool is_number = yyjson_is_uint(value);
    assert_true(is_number || yyjson_is_null(value));
    yyjson_doc_free(doc);
    return is_number;
}

static void test_needs(void **state)
{
    (void)state;
    static const uint64_t needs[] = {200, 1000, 10000, 100000, 1000000};
    assert_int_equal(mr_load_percentiles_count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(mr_load_percentile_needs(mr_load_percentiles[i]), needs[i]);
    }
    assert_false(has(199, "p50_ns"));
    assert_true(has(200, "p50_ns"));
    assert_false(has(999, "p90_ns"));
    assert_true(has(1000, "p90_ns"));
    assert_false(has(9999, "p99_ns"));
    assert_true(has(10000, "p99_ns"));
    assert_false(has(10000, "p99_9_ns"));
}

static void test_values(void **state)
{
    (void)state;
    yyjson_doc *doc = series_of(1000);
    yyjson_val *root = yyjson_doc_get_root(doc);
    assert_int_equal(yyjson_get_uint(yyjson_obj_get(root, "n")), 1000);
    assert_int_equal(yyjson_get_uint(yyjson_obj_get(root, "p50_ns")), 500);
    assert_int_equal(yyjson_get_uint(yyjson_obj_get(root, "p90_ns")), 900);
    assert_int_equal(yyjson_get_uint(yyjson_obj_get(root, "max_ns")), 1000);
    assert_int_equal(yyjson_arr_size(yyjson_obj_get(root, "buckets")), 1000);
    assert_non_null(strstr(yyjson_get_str(yyjson_obj_get(root, "why_null")), "10000"));
    yyjson_doc_free(doc);
    doc = series_of(0);
    assert_true(yyjson_is_null(yyjson_obj_get(yyjson_doc_get_root(doc), "max_ns")));
    yyjson_doc_free(doc);
}

// Values that could not be recorded are above all others: no percentile holds.
static void test_out_of_range(void **state)
{
    (void)state;
    struct mr_hist hist;
    assert_int_equal(mr_hist_init(&hist), 0);
    assert_true(mr_hist_record_n(&hist, 5, 100000));
    assert_false(mr_hist_record(&hist, MR_HIST_MAX_NS + 1));
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *series = mr_load_series_json(doc, &hist, true);
    assert_true(yyjson_mut_is_null(yyjson_mut_obj_get(series, "p50_ns")));
    assert_true(yyjson_mut_is_null(yyjson_mut_obj_get(series, "p99_9_ns")));
    assert_non_null(yyjson_mut_obj_get(series, "why_null"));
    yyjson_mut_doc_free(doc);
    mr_hist_fini(&hist);
}

static yyjson_mut_val *at(yyjson_mut_val *object, const char *key, size_t index)
{
    return yyjson_mut_arr_get(yyjson_mut_obj_get(object, key), index);
}

// A bin's median stands there with 200 answers and not with 199.
static void test_timeline(void **state)
{
    (void)state;
    struct mr_timeline timeline;
    assert_int_equal(mr_timeline_init(&timeline, 2 * MR_TIMELINE_BIN_NS), 0);
    mr_timeline_begin(&timeline, 0);
    for (uint64_t i = 0; i < 399; i++) {
        uint64_t reply_ns = i < 199 ? 0 : MR_TIMELINE_BIN_NS;
        mr_timeline_answered(
            &timeline, &(struct mr_timeline_answer){.reply_ns = reply_ns, .value_ns = 5000000 + i});
    }
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *json = mr_load_timeline_json(doc, &timeline, MR_SERIES_LATENCY);
    assert_string_equal(yyjson_mut_get_str(yyjson_mut_obj_get(json, "of")), "latency");
    assert_int_equal(yyjson_mut_get_uint(at(json, "batches", 0)), 199);
    assert_true(yyjson_mut_is_null(at(json, "p50_ns", 0)));
    assert_int_equal(yyjson_mut_get_uint(at(json, "max_ns", 0)), 5000198);
    assert_in_range(yyjson_mut_get_uint(at(json, "p50_ns", 1)), 4960000, 5000398);
    assert_int_equal(yyjson_mut_get_uint(at(json, "max_ns", 1)), 5000398);
    yyjson_mut_doc_free(doc);
    mr_timeline_fini(&timeline);
}

// What the summary of an open run says where `count` batches took 1 ms, 20 us of it unseen.
static char *summary_of(uint64_t count, uint64_t gap_ns)
{
    static const struct mr_load_options options = {.plan = MR_PLAN_OPEN, .window_ns = 1000000};
    struct mr_load_run *run = calloc(1, sizeof *run);
    assert_non_null(run);
    run->options = &options;
    assert_int_equal(mr_recorder_init(&run->sum, MR_PLAN_OPEN, 1), 0);
    assert_true(mr_hist_record_n(&run->sum.series[MR_SERIES_LATENCY], 1000000, count));
    assert_true(mr_hist_record_n(&run->sum.series[MR_SERIES_LATENCY_LOW], 1000000 - gap_ns, count));
    run->sum.counts.censored = 77;
    char *text = NULL;
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);
    assert_non_null(file);
    mr_load_summary_print(run, file);
    assert_int_equal(fclose(file), 0);
    mr_recorder_fini(&run->sum);
    free(run);
    return text;
}

static void expect_summary(uint64_t count, uint64_t gap_ns, const char *there,
                           const char *not_there)
{
    char *text = summary_of(count, gap_ns);
    assert_non_null(strstr(text, there));
    assert_null(strstr(text, not_there));
    assert_non_null(strstr(text, "censored 77"));
    free(text);
}

static void test_summary(void **state)
{
    (void)state;
    expect_summary(199, 0, "p50 n too small (199 of 200)", "p90");
    expect_summary(200, 0, "p50 1.000 ms  p90 n too small (200 of 1000)", "p99");
    expect_summary(9999, 0, "p99 n too small (9999 of 10000)", "p99.9");
    expect_summary(10000, 0, "p99 1.000 ms  p99.9 n too small (10000 of 100000)", "p99.99");
    // The low end of the bracket stands there where the gap is more than a hundredth.
    expect_summary(200, 20000, "  less poll gap         p50 980.0 us",
                   "less poll gap         p50 1");
    expect_summary(200, 9000, "latency", "less poll gap");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_needs),        cmocka_unit_test(test_values),
        cmocka_unit_test(test_out_of_range), cmocka_unit_test(test_timeline),
        cmocka_unit_test(test_summary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
