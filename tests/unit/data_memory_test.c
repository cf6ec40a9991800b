// data_memory_test.c: making, importing and opening a dataset with no memory at any moment: told as
// such, nothing left behind, nothing lost.
#include "data_test_support.h"

#include "counting_alloc.h"

#include "data_importer.h"

#include "dataset/dataset.h"

#include <errno.h>

#define ATTEMPTS_MAX 400

static struct test_folder folder;

static int set_up(void **state)
{
    (void)state;
    test_folder_init(&folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    mr_alloc_fail_from(0);
    test_folder_fini(&folder);
    return 0;
}

static int make_small(void)
{
    struct mr_make_request request = {.out = folder.dataset,
                                      .seed = 7,
                                      .batches = 6,
                                      .batch_records = 20,
                                      .force = true,
                                      .stopped = test_never_stopped};
    assert_true(mr_shape_by_name("rejects", &request.shape));
    request.reject_bp = request.shape.reject_bp;
    struct mr_make_result result;
    int error = mr_make(&request, &result);
    assert_true(error == 0 || strstr(result.fault.text, "memory") != NULL);
    return error;
}

static int open_dataset(void)
{
    struct mr_dataset dataset;
    struct mr_dataset_fault fault;
    int error = mr_dataset_init(&dataset, folder.dataset, &fault);
    if (error == 0) {
        mr_dataset_fini(&dataset);
    }
    return error;
}

static void show_nothing(const char *text)
{
    fail_msg("no fault was expected: %s", text);
}

static char source_path[128];

static int import(void)
{
    const char *paths[] = {source_path};
    struct mr_import_request request = {.paths = paths,
                                        .paths_count = 1,
                                        .out = folder.dataset,
                                        .batch_records = 4,
                                        .force = true,
                                        .command = "matchrace data import",
                                        .show_fault = show_nothing,
                                        .stopped = test_never_stopped};
    struct mr_import_result result;
    return mr_import(&request, &result);
}

// Runs `work` with the first allocation failing, then with the second, until it succeeds.
static void starve(int (*work)(void))
{
    int64_t live = (int64_t)mr_alloc_counts().live;
    uint64_t failed = 0;
    for (uint64_t number = 1;; number++) {
        assert_true(number < ATTEMPTS_MAX);
        mr_alloc_fail_from(number);
        int error = work();
        mr_alloc_fail_from(0);
        // What shared libraries allocated and we freed makes it fewer; a leak makes it more.
        assert_true((int64_t)mr_alloc_counts().live <= live);
        if (error == 0) {
            break;
        }
        assert_int_equal(error, -ENOMEM);
        failed++;
    }
    assert_true(failed > 3);
    assert_int_equal(open_dataset(), 0);
}

static void test_starved_make(void **state)
{
    (void)state;
    starve(make_small);
}

static void test_open(void **state)
{
    (void)state;
    assert_int_equal(make_small(), 0);
    starve(open_dataset);
}

static void test_import(void **state)
{
    (void)state;
    (void)snprintf(source_path, sizeof source_path, "%s-source", folder.path);
    FILE *file = fopen(source_path, "w");
    assert_non_null(file);
    for (int i = 0; i < 12; i++) {
        (void)fprintf(file,
                      "{\"id\":%d,\"timestamp\":1764000000000000,\"source\":\"s\",\"kind\":\"log\","
                      "\"value\":0.5,\"flags\":[],\"message\":\"m\"}\n",
                      i);
    }
    assert_int_equal(fclose(file), 0);
    starve(import);
    assert_int_equal(unlink(source_path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_starved_make, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_open, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_import, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
