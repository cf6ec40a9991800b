// check_main.h: the main of a differential test: one checker, which all of its tests get as state.
#ifndef MR_TESTS_CHECK_MAIN_H
#define MR_TESTS_CHECK_MAIN_H

#include "checker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

// Runs the tests; *state is a struct mr_checker for texts of up to `json_bytes_max` bytes. Returns
// the exit code.
int mr_check_main(const struct CMUnitTest *tests, size_t tests_count, size_t json_bytes_max);

#endif
