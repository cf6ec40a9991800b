// cli.h: a command line described by a table: parsing, --help with examples, one clear line on
// wrong usage.
#ifndef MR_BASE_CLI_H
#define MR_BASE_CLI_H

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Exit codes of every program of the lab.
enum mr_exit {
    MR_EXIT_OK = 0,
    MR_EXIT_ENVIRONMENT = 1,
    MR_EXIT_USAGE = 2,
    MR_EXIT_WRONG = 3,
    MR_EXIT_FAIL_IF = 4,
    MR_EXIT_INCOMPLETE = 5,
};

enum mr_option_kind {
    MR_OPTION_FLAG,     // no value; `value` is a bool
    MR_OPTION_TEXT,     // any text; `value` is a const char *
    MR_OPTION_CHOICE,   // one of `choices`; `value` is a const char *
    MR_OPTION_COUNT,    // an unsigned integer in [min, max]; `value` is a uint64_t
    MR_OPTION_DURATION, // 250ms, 1.5s, 2m, 90us in [min, max] ns; `value` is a uint64_t in ns
    MR_OPTION_BYTES,    // 64KiB, 16MiB, 1GiB or a plain number in [min, max]; `value` is a uint64_t
    MR_OPTION_LIST,     // may be given again and again; `value` is a struct mr_option_list
};

#define MR_OPTION_LIST_MAX 64

struct mr_option_list {
    const char *item[MR_OPTION_LIST_MAX];
    size_t count;
};

// One option. `value` points to the variable, set beforehand to the default.
struct mr_option {
    const char *name; // without the two dashes
    enum mr_option_kind kind;
    void *value;
    const char *argument; // what --help calls the value ("N"); unused for flags
    const char *help;     // one or more sentences; name the default here
    uint64_t min;         // for COUNT, DURATION, BYTES; max 0 means no upper limit
    uint64_t max;
    const char *const *choices; // for CHOICE, ends with NULL
};

// A command. Texts are the caller's and must outlive the call.
struct mr_command {
    const char *name;     // as typed, "matchrace load"
    const char *summary;  // one sentence
    const char *operands; // "FILE…" or NULL when there are none
    size_t operands_min;
    size_t operands_max; // SIZE_MAX: any number
    const struct mr_option *options;
    size_t options_count;
    const char *examples; // lines, each ending in a newline
    const char *notes;    // more for --help (exit codes, files), or NULL
};

enum mr_cli_result {
    MR_CLI_RUN,  // go on
    MR_CLI_DONE, // --help was printed: exit 0
    MR_CLI_WRONG // one line on standard error was printed: exit 2
};

// Reads the words of `argv` after argv[0]; `--name=value`, `--name value` and `--` are understood,
// options and operands may mix. Operands are left in `operands_out` (argc entries) in their order.
// This is the one function of the libraries that prints: it belongs to main.
MR_NODISCARD enum mr_cli_result mr_cli_parse(const struct mr_command *command, int argc,
                                             char **argv, const char **operands_out,
                                             size_t *operands_count_out);

// The exit code of a command that could not do its work, by its negative errno: usage where what
// was named cannot be what is needed (not there, a folder or a pipe in place of a file or the other
// way round, too long, not understood, changed since, there already); environment where it is
// there, but not to be had (no permission, no memory, disk). 0: MR_EXIT_OK.
int mr_cli_exit_code(int result);

// Reads "250ms", "1.5s", "2m", "90us", "10ns". False when it is none.
MR_NODISCARD bool mr_duration_parse(const char *text, uint64_t *ns_out);

// Reads "65536", "64KiB", "16MiB", "1GiB". False when it is none.
MR_NODISCARD bool mr_bytes_parse(const char *text, uint64_t *bytes_out);

#endif
