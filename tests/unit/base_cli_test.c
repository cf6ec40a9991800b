// base_cli_test.c: the command line by table: values, limits, lists, operands, --help, and one
// clear line for wrong usage.
#define _GNU_SOURCE
#include "base/cli.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

// The variables of the command that the tests call.
struct values {
    bool verbose;
    const char *name;
    const char *mode;
    uint64_t count;
    uint64_t wait_ns;
    uint64_t size_bytes;
    struct mr_option_list files;
};

// What a call printed and gave.
struct outcome {
    enum mr_cli_result result;
    struct values values;
    const char *operands[32];
    size_t operands_count;
    char printed[4096]; // on standard output
    char error[4096];   // on standard error
};

static const char *const modes[] = {"keep", "fresh", NULL};

// Replaces the descriptor `number` by a file in memory; returns what it was.
static int catch_output(int number, int *file_out)
{
    (void)fflush(NULL);
    int saved = dup(number);
    *file_out = memfd_create("output", MFD_CLOEXEC);
    assert_true(saved >= 0 && *file_out >= 0);
    assert_int_equal(dup2(*file_out, number), number);
    return saved;
}

static void release_output(int number, int saved, int file, char text_out[4096])
{
    (void)fflush(NULL);
    assert_int_equal(dup2(saved, number), number);
    ssize_t length = pread(file, text_out, 4095, 0);
    assert_true(length >= 0);
    text_out[length] = '\0';
    (void)close(saved);
    (void)close(file);
}

// What the options of the command set.
static struct values values;

static const struct mr_option test_options[] = {
    {.name = "verbose", .kind = MR_OPTION_FLAG, .value = &values.verbose, .help = "Says more."},
    {.name = "name",
     .kind = MR_OPTION_TEXT,
     .value = &values.name,
     .argument = "NAME",
     .help = "A name."},
    {.name = "mode",
     .kind = MR_OPTION_CHOICE,
     .value = &values.mode,
     .argument = "MODE",
     .help = "A mode.",
     .choices = modes},
    {.name = "count",
     .kind = MR_OPTION_COUNT,
     .value = &values.count,
     .argument = "N",
     .help = "A number.",
     .min = 2,
     .max = 100},
    {.name = "wait",
     .kind = MR_OPTION_DURATION,
     .value = &values.wait_ns,
     .argument = "TIME",
     .help = "A time.",
     .max = 60000000000},
    {.name = "size",
     .kind = MR_OPTION_BYTES,
     .value = &values.size_bytes,
     .argument = "BYTES",
     .help = "A size.",
     .min = 1},
    {.name = "file",
     .kind = MR_OPTION_LIST,
     .value = &values.files,
     .argument = "FILE",
     .help = "Files."},
};

static const struct mr_command test_command = {.name = "matchrace test",
                                               .summary = "Tests the command line.",
                                               .operands = "FROM [TO]",
                                               .operands_min = 1,
                                               .operands_max = 2,
                                               .options = test_options,
                                               .options_count =
                                                   sizeof test_options / sizeof test_options[0],
                                               .examples = "  matchrace test --count 3 here\n",
                                               .notes = "Exit codes: as always.\n"};

// Calls the command with `words` (which end with NULL).
static struct outcome *call(const char *const *words)
{
    static struct outcome outcome;
    outcome = (struct outcome){0};
    values = (struct values){
        .name = "nobody", .mode = "keep", .count = 5, .wait_ns = 7, .size_bytes = 9};
    char *argv[32];
    int argc = 0;
    argv[argc++] = (char *)"matchrace";
    for (; words[argc - 1] != NULL; argc++) {
        assert_true(argc < 31);
        argv[argc] = (char *)words[argc - 1];
    }
    argv[argc] = NULL;
    int out_file;
    int error_file;
    int out = catch_output(STDOUT_FILENO, &out_file);
    int error = catch_output(STDERR_FILENO, &error_file);
    outcome.result =
        mr_cli_parse(&test_command, argc, argv, outcome.operands, &outcome.operands_count);
    release_output(STDOUT_FILENO, out, out_file, outcome.printed);
    release_output(STDERR_FILENO, error, error_file, outcome.error);
    outcome.values = values;
    return &outcome;
}
#define CALL(...) call((const char *const[]){__VA_ARGS__, NULL})

static void test_defaults(void **context)
{
    (void)context;
    const struct outcome *outcome = CALL("from");
    assert_int_equal(outcome->result, MR_CLI_RUN);
    assert_int_equal(outcome->operands_count, 1);
    assert_string_equal(outcome->operands[0], "from");
    assert_false(outcome->values.verbose);
    assert_string_equal(outcome->values.name, "nobody");
    assert_int_equal(outcome->values.count, 5);
    assert_string_equal(outcome->printed, "");
    assert_string_equal(outcome->error, "");
}

static void test_every_kind(void **context)
{
    (void)context;
    const struct outcome *outcome =
        CALL("--verbose", "--name=x=y", "from", "--mode", "fresh", "--count", "100", "--wait=1.5s",
             "--size", "16MiB", "to", "--file", "a", "--file=b", "--file", "c");
    assert_int_equal(outcome->result, MR_CLI_RUN);
    assert_true(outcome->values.verbose);
    assert_string_equal(outcome->values.name, "x=y");
    assert_string_equal(outcome->values.mode, "fresh");
    assert_int_equal(outcome->values.count, 100);
    assert_int_equal(outcome->values.wait_ns, 1500000000);
    assert_int_equal(outcome->values.size_bytes, 16 << 20);
    assert_int_equal(outcome->values.files.count, 3);
    assert_string_equal(outcome->values.files.item[0], "a");
    assert_string_equal(outcome->values.files.item[2], "c");
    assert_int_equal(outcome->operands_count, 2);
    assert_string_equal(outcome->operands[1], "to");
}

static void test_two_dashes_end_the_options(void **context)
{
    (void)context;
    const struct outcome *outcome = CALL("--verbose", "--", "--name", "--");
    assert_int_equal(outcome->result, MR_CLI_RUN);
    assert_int_equal(outcome->operands_count, 2);
    assert_string_equal(outcome->operands[0], "--name");
    assert_string_equal(outcome->operands[1], "--");
    outcome = CALL("-");
    assert_int_equal(outcome->result, MR_CLI_RUN);
    assert_string_equal(outcome->operands[0], "-");
}

// Each is refused with one line that names the word and where help is.
static void test_wrong_usage(void **context)
{
    (void)context;
    static const struct {
        const char *words[4];
        const char *named;
    } wrongs[] = {
        {{NULL}, "FROM"},
        {{"a", "b", "c"}, "'c'"},
        {{"a", "--nothing"}, "'--nothing'"},
        {{"a", "--nam", "x"}, "'--nam'"},
        {{"a", "--names", "x"}, "'--names'"},
        {{"a", "-v"}, "'-v'"},
        {{"a", "--name"}, "'--name'"},
        {{"a", "--name", ""}, "'--name'"},
        {{"a", "--name="}, "'--name='"},
        {{""}, "no 'FROM"},
        {{"a", "--verbose=1"}, "'--verbose=1'"},
        {{"a", "--mode", "drain"}, "'drain'"},
        {{"a", "--mode="}, "''"},
        {{"a", "--count", "1"}, "'1'"},
        {{"a", "--count", "101"}, "'101'"},
        {{"a", "--count", "-5"}, "'-5'"},
        {{"a", "--count", "5x"}, "'5x'"},
        {{"a", "--count", " 5"}, "' 5'"},
        {{"a", "--count", "99999999999999999999"}, "'99999999999999999999'"},
        {{"a", "--count="}, "''"},
        {{"a", "--wait", "5"}, "'5'"},
        {{"a", "--wait", "61s"}, "'61s'"},
        {{"a", "--size", "0"}, "'0'"},
        {{"a", "--size", "1kb"}, "'1kb'"},
    };
    for (size_t i = 0; i < sizeof wrongs / sizeof wrongs[0]; i++) {
        const struct outcome *outcome = call(wrongs[i].words);
        assert_int_equal(outcome->result, MR_CLI_WRONG);
        assert_string_equal(outcome->printed, "");
        assert_non_null(strstr(outcome->error, wrongs[i].named));
        assert_non_null(strstr(outcome->error, "matchrace test --help"));
        assert_ptr_equal(strchr(outcome->error, '\n'), outcome->error + strlen(outcome->error) - 1);
    }
}

// Whoever is refused is told what is taken.
static void test_limits_are_named(void **context)
{
    (void)context;
    static const struct {
        const char *words[4];
        const char *said;
    } wrongs[] = {
        {{"a", "--mode", "drain"}, "--mode takes MODE, one of keep, fresh; not 'drain'"},
        {{"a", "--count", "101"}, "--count takes N, 2 to 100; not '101'"},
        {{"a", "--wait", "61s"}, "--wait takes TIME, 0ns to 1m; not '61s'"},
        {{"a", "--size", "0"}, "--size takes BYTES, at least 1; not '0'"},
    };
    for (size_t i = 0; i < sizeof wrongs / sizeof wrongs[0]; i++) {
        const struct outcome *outcome = call(wrongs[i].words);
        if (strstr(outcome->error, wrongs[i].said) == NULL) {
            fail_msg("'%s' is not in '%s'", wrongs[i].said, outcome->error);
        }
    }
}

static void test_too_long_a_list(void **context)
{
    (void)context;
    struct mr_option_list list = {0};
    const struct mr_option option = {
        .name = "f", .kind = MR_OPTION_LIST, .value = &list, .argument = "F", .help = "Files."};
    const struct mr_command command = {
        .name = "t", .summary = "s", .options = &option, .options_count = 1};
    char *argv[MR_OPTION_LIST_MAX + 3];
    argv[0] = (char *)"t";
    for (int count = MR_OPTION_LIST_MAX; count <= MR_OPTION_LIST_MAX + 1; count++) {
        list.count = 0;
        for (int i = 1; i <= count; i++) {
            argv[i] = (char *)"--f=x";
        }
        argv[count + 1] = NULL;
        int error_file;
        size_t operands_count;
        char printed[4096];
        int error = catch_output(STDERR_FILENO, &error_file);
        enum mr_cli_result result = mr_cli_parse(&command, count + 1, argv, NULL, &operands_count);
        release_output(STDERR_FILENO, error, error_file, printed);
        assert_int_equal(result, count == MR_OPTION_LIST_MAX ? MR_CLI_RUN : MR_CLI_WRONG);
        assert_int_equal(list.count, MR_OPTION_LIST_MAX);
    }
}

static void test_help(void **context)
{
    (void)context;
    static const char *const words[][4] = {
        {"--help", NULL}, {"-h", NULL}, {"--count", "3", "--help", NULL}};
    for (size_t i = 0; i < 3; i++) {
        const struct outcome *outcome = call(words[i]);
        assert_int_equal(outcome->result, MR_CLI_DONE);
        assert_string_equal(outcome->error, "");
        static const char *const parts[] = {"matchrace test: Tests the command line.\n",
                                            "Usage: matchrace test [OPTIONS] FROM [TO]\n",
                                            "--verbose",
                                            "--name NAME",
                                            "A name.",
                                            "--mode MODE",
                                            "One of: keep fresh.",
                                            "--count N",
                                            "--wait TIME",
                                            "--size BYTES",
                                            "--file FILE",
                                            "--help",
                                            "Exit codes: as always.\n",
                                            "Examples:\n  matchrace test --count 3 here\n"};
        for (size_t part = 0; part < sizeof parts / sizeof parts[0]; part++) {
            if (strstr(outcome->printed, parts[part]) == NULL) {
                fail_msg("help lacks: %s", parts[part]);
            }
        }
    }
}

static void test_durations(void **context)
{
    (void)context;
    static const struct {
        const char *text;
        uint64_t ns;
    } good[] = {{"0s", 0},
                {"10ns", 10},
                {"90us", 90000},
                {"250ms", 250000000},
                {"1.5s", 1500000000},
                {"2m", 120000000000},
                {"0.25us", 250}};
    static const char *const bad[] = {
        "",   "5",  "s",   "-1s", "+1s", "1 s",  "1.2.3s", "1e3s", "0x1s",
        "1h", "1S", "1s ", " 1s", ".5s", "infs", "nans",   "1sm",  "99999999999999999999m"};
    uint64_t ns;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(mr_duration_parse(good[i].text, &ns));
        assert_int_equal(ns, good[i].ns);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (mr_duration_parse(bad[i], &ns)) {
            fail_msg("taken for a duration: '%s'", bad[i]);
        }
    }
}

static void test_bytes(void **context)
{
    (void)context;
    static const struct {
        const char *text;
        uint64_t bytes;
    } good[] = {{"0", 0},          {"65536", 65536}, {"64KiB", 65536},        {"16MiB", 16 << 20},
                {"1GiB", 1 << 30}, {"1.5KiB", 1536}, {"268435456", 268435456}};
    static const char *const bad[] = {"",      "KiB",  "-1",  "1kib", "1KB",   "1K",
                                      "1 KiB", "0x10", "1e3", "1TiB", "1KiB ", "99999999999GiB"};
    uint64_t bytes;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(mr_bytes_parse(good[i].text, &bytes));
        assert_int_equal(bytes, good[i].bytes);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (mr_bytes_parse(bad[i], &bytes)) {
            fail_msg("taken for a size: '%s'", bad[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_every_kind),
        cmocka_unit_test(test_two_dashes_end_the_options),
        cmocka_unit_test(test_wrong_usage),
        cmocka_unit_test(test_limits_are_named),
        cmocka_unit_test(test_too_long_a_list),
        cmocka_unit_test(test_help),
        cmocka_unit_test(test_durations),
        cmocka_unit_test(test_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
