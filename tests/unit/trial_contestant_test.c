// trial_contestant_test.c: contestant.json read and checked: words, variables, variants, gaps,
// lines.
#define _GNU_SOURCE
#include "temp_folder.h"

#include <trial/contestant.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static struct mr_contestant_file contestant; // large

static int load(const char *text, struct mr_trial_fault *fault_out)
{
    struct temp_folder folder = temp_folder_make();
    char path[256];
    *fault_out = (struct mr_trial_fault){{0}};
    (void)temp_folder_write(&folder, "contestant.json", text, path);
    (void)temp_folder_write(&folder, "parser.c", "one\ntwo\nthree\n", path);
    int result = mr_contestant_load(&contestant, folder.path, "/build", fault_out);
    temp_folder_remove(&folder);
    return result;
}

#define HEAD "{\"name\": \"x\", \"jobs\": [\"ingest\"], \"language\": \"C\", \"class\": \"stock\", "

static void test_whole(void **state)
{
    (void)state;
    struct mr_trial_fault fault;
    int result = load(
        HEAD "\"run\": [\"${MR_BUILD_DIR}/x\", \"-v\"], \"env\": {\"A\": \"1\"}, \"build\": null,"
             "\"parser_files\": [\"parser.c\"], \"conformance\": \"full\", \"any_json\": true,"
             "\"managed\": true, \"variants\": {\"aot\": {\"label\": \"AOT\", \"build\": \"make\", "
             "\"args\": [\"--aot\"], \"env\": {\"B\": "
             "\"2\"}}}}",
        &fault);
    if (result != 0) {
        fail_msg("%s", fault.text);
    }
    assert_string_equal(contestant.run[0], "/build/x");
    assert_string_equal(contestant.run[1], "-v");
    assert_int_equal(contestant.run_count, 2);
    assert_string_equal(contestant.env[0], "A=1");
    assert_int_equal(contestant.parser_lines, 3);
    assert_true(contestant.any_json);
    assert_true(contestant.managed);
    assert_int_equal(contestant.gaps_count, 0);
    const struct mr_variant *variant = mr_contestant_variant(&contestant, "aot");
    assert_non_null(variant);
    assert_string_equal(variant->label, "AOT");
    assert_string_equal(variant->build, "make");
    assert_string_equal(variant->args[0], "--aot");
    assert_string_equal(variant->env[0], "B=2");
    assert_null(mr_contestant_variant(&contestant, "jit"));
    mr_contestant_fini(&contestant);
}

static void test_build_dir(void **state)
{
    (void)state;
    struct mr_trial_fault fault;
    assert_int_equal(load(HEAD "\"run\": [\"x\", \"-p=${MR_BUILD_DIR}/a:${MR_BUILD_DIR}/b\", "
                               "\"${MR_BUILD_DIR}${MR_BUILD_DIR}\", \"${MR_BUILD_DIR\"], "
                               "\"conformance\": \"full\"}",
                          &fault),
                     0);
    assert_string_equal(contestant.run[1], "-p=/build/a:/build/b");
    assert_string_equal(contestant.run[2], "/build/build");
    assert_string_equal(contestant.run[3], "${MR_BUILD_DIR");
    mr_contestant_fini(&contestant);
}

static void test_gaps(void **state)
{
    (void)state;
    struct mr_trial_fault fault;
    assert_int_equal(load(HEAD "\"run\": [\"x\"], \"conformance\": [\"W3\", \"B2\"]}", &fault), 0);
    assert_int_equal(contestant.gaps_count, 2);
    assert_string_equal(contestant.gaps[1].name, "B2");
    assert_string_equal(contestant.gaps[1].what, "");
    mr_contestant_fini(&contestant);
    assert_int_equal(load(HEAD "\"run\": [\"x\"], \"conformance\": [\"W3\", "
                               "{\"gap\": \"Takes octal\", \"cases\": [\"a/\", \"b\"]}]}",
                          &fault),
                     0);
    assert_int_equal(contestant.gaps_count, 3);
    assert_string_equal(contestant.gaps[2].name, "b");
    assert_string_equal(contestant.gaps[1].what, "Takes octal");
    assert_ptr_equal(contestant.gaps[1].what, contestant.gaps[2].what);
    mr_contestant_fini(&contestant);
}

static void expect_fault(const char *text, const char *part)
{
    struct mr_trial_fault fault;
    assert_int_equal(load(text, &fault), -EBADMSG);
    if (strstr(fault.text, part) == NULL) {
        fail_msg("'%s' does not hold '%s'", fault.text, part);
    }
    mr_contestant_fini(&contestant);
}

static void test_faults(void **state)
{
    (void)state;
    expect_fault(HEAD "\"run\": [\"x\"], \"conformance\": \"full\",\n\"speed\": 1}",
                 ":2: unknown key \"speed\"");
    expect_fault(HEAD "\"run\": [], \"conformance\": \"full\"}", "names no program");
    expect_fault(HEAD "\"conformance\": \"full\"}", "\"run\" must be there");
    expect_fault(HEAD "\"run\": [\"x\"]}", "\"conformance\" must be");
    expect_fault(HEAD
                 "\"run\": [\"x\"], \"conformance\": \"full\", \"parser_files\": [\"absent.c\"]}",
                 "absent.c cannot be read");
    expect_fault(HEAD "\"run\": [\"x\"], \"conformance\": \"full\", \"text\": \"latin1\"}",
                 "\"text\" may not be");
    expect_fault("{\n\"name\": \"x\\u0000y\", \"jobs\": [\"ingest\"]}", ":2: \"\\u0000\" may not");
    expect_fault(HEAD
                 "\"run\": [\"x\"], \"conformance\": \"full\", \"how\": \"\\\\u0000\",\n\"no\": 1}",
                 ":2: unknown key");
    expect_fault(HEAD "\"run\": [1], \"conformance\": \"full\"}", "list of at most");
    struct mr_trial_fault fault;
    assert_int_equal(mr_contestant_load(&contestant, "/nowhere/at/all", "/build", &fault), -ENOENT);
    mr_contestant_fini(&contestant);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_build_dir),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
