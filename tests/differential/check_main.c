// check_main.c: see check_main.h.
#include "check_main.h"

static size_t bytes_max;

static int set_up(void **context)
{
    static struct mr_checker checker;
    checker = mr_checker_init(bytes_max);
    *context = &checker;
    return 0;
}

static int tear_down(void **context)
{
    mr_checker_fini(*context);
    return 0;
}

int mr_check_main(const struct CMUnitTest *tests, size_t tests_count, size_t json_bytes_max)
{
    bytes_max = json_bytes_max;
    // The function behind cmocka_run_group_tests(), which wants the array itself.
    return _cmocka_run_group_tests("tests", tests, tests_count, set_up, tear_down);
}
