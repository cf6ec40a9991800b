// load_hdr_table_test.c: the percentile table against one worked out by hand.
#define _GNU_SOURCE
#include <hdr_table.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void expect_table(const struct mr_hist *hist, const char *expected)
{
    char *text = NULL;
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);
    assert_non_null(file);
    mr_hdr_table_print(file, hist);
    assert_int_equal(fclose(file), 0);
    assert_string_equal(text, expected);
    free(text);
}

// Steps of 10 % up to 50 %, of 5 % up to 75 %, then of 2.5 %: five for each halving of the rest.
static void test_four_values(void **state)
{
    (void)state;
    struct mr_hist hist;
    assert_int_equal(mr_hist_init(&hist), 0);
    static const uint64_t values[] = {1000, 1500, 1800, 2049};
    for (size_t i = 0; i < 4; i++) {
        assert_true(mr_hist_record(&hist, values[i]));
    }
    expect_table(&hist, "       Value     Percentile TotalCount 1/(1-Percentile)\n\n"
                        "       1.000 0.000000000000          1           1.00\n"
                        "       1.000 0.100000000000          1           1.11\n"
                        "       1.000 0.200000000000          1           1.25\n"
                        "       1.500 0.300000000000          2           1.43\n"
                        "       1.500 0.400000000000          2           1.67\n"
                        "       1.500 0.500000000000          2           2.00\n"
                        "       1.800 0.550000000000          3           2.22\n"
                        "       1.800 0.600000000000          3           2.50\n"
                        "       1.800 0.650000000000          3           2.86\n"
                        "       1.800 0.700000000000          3           3.33\n"
                        "       1.800 0.750000000000          3           4.00\n"
                        "       2.049 0.775000000000          4           4.44\n"
                        "       2.049 1.000000000000          4\n"
                        "#[Mean    =        1.587, StdDeviation   =        0.391]\n"
                        "#[Max     =        2.049, Total count    =            4]\n"
                        "#[Buckets =           32, SubBuckets     =         2048]\n");
    mr_hist_fini(&hist);
}

static void test_nothing(void **state)
{
    (void)state;
    struct mr_hist hist;
    assert_int_equal(mr_hist_init(&hist), 0);
    expect_table(&hist, "       Value     Percentile TotalCount 1/(1-Percentile)\n\n"
                        "#[Mean    =        0.000, StdDeviation   =        0.000]\n"
                        "#[Max     =        0.000, Total count    =            0]\n"
                        "#[Buckets =           32, SubBuckets     =         2048]\n");
    mr_hist_fini(&hist);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_four_values),
        cmocka_unit_test(test_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
