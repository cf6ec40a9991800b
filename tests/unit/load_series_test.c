// load_series_test.c: a percentile is printed only where there are enough values, in the result
// file too.
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_needs),
        cmocka_unit_test(test_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
