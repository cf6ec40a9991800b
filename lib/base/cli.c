// cli.c: see cli.h.
#include "cli.h"

#include "mr_assert.h"
#include "text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct unit {
    const char *suffix;
    uint64_t factor;
};

static const struct unit duration_units[] = {
    {"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000u}, {"m", 60000000000ull}, {NULL, 0}};
static const struct unit bytes_units[] = {
    {"", 1}, {"KiB", 1u << 10}, {"MiB", 1u << 20}, {"GiB", 1u << 30}, {NULL, 0}};

static bool parse_scaled(const char *text, const struct unit *units, uint64_t *value_out)
{
    if (!isdigit((unsigned char)text[0])) {
        return false;
    }
    size_t length = strspn(text, "0123456789.");
    char *end;
    double number = strtod(text, &end);
    if (end != text + length) {
        return false;
    }
    for (const struct unit *unit = units; unit->suffix != NULL; unit++) {
        if (strcmp(end, unit->suffix) == 0) {
            double value = number * (double)unit->factor;
            if (!(value < 9.2e18)) {
                return false;
            }
            *value_out = (uint64_t)llround(value);
            return true;
        }
    }
    return false;
}

bool mr_duration_parse(const char *text, uint64_t *ns_out)
{
    return parse_scaled(text, duration_units, ns_out);
}

bool mr_bytes_parse(const char *text, uint64_t *bytes_out)
{
    return parse_scaled(text, bytes_units, bytes_out);
}

static bool parse_count(const char *text, uint64_t *value_out)
{
    if (!isdigit((unsigned char)text[0])) {
        return false;
    }
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    *value_out = value;
    return *end == '\0' && errno == 0;
}

static void print_option(const struct mr_option *option)
{
    char left[64];
    (void)snprintf(left, sizeof left, "--%s%s%s", option->name,
                   option->kind == MR_OPTION_FLAG ? "" : " ",
                   option->kind == MR_OPTION_FLAG ? "" : option->argument);
    printf("  %-26s %s", left, option->help);
    if (option->kind == MR_OPTION_CHOICE) {
        printf(" One of:");
        for (const char *const *choice = option->choices; *choice != NULL; choice++) {
            printf(" %s", *choice);
        }
        printf(".");
    }
    printf("\n");
}

static void print_help(const struct mr_command *command)
{
    printf("%s: %s\n\nUsage: %s", command->name, command->summary, command->name);
    if (command->options_count > 0) {
        printf(" [OPTIONS]");
    }
    printf("%s%s\n\nOptions:\n", command->operands == NULL ? "" : " ",
           command->operands == NULL ? "" : command->operands);
    for (size_t i = 0; i < command->options_count; i++) {
        print_option(&command->options[i]);
    }
    printf("  %-26s This page.\n", "--help");
    if (command->notes != NULL) {
        printf("\n%s", command->notes);
    }
    if (command->examples != NULL) {
        printf("\nExamples:\n%s", command->examples);
    }
}

static enum mr_cli_result wrong(const struct mr_command *command, const char *what,
                                const char *word)
{
    (void)fprintf(stderr, "%s: %s '%s' (see %s --help)\n", command->name, what, word,
                  command->name);
    return MR_CLI_WRONG;
}

static bool is_choice(const struct mr_option *option, const char *text)
{
    for (const char *const *choice = option->choices; *choice != NULL; choice++) {
        if (strcmp(*choice, text) == 0) {
            return true;
        }
    }
    return false;
}

static bool store_number(const struct mr_option *option, const char *text)
{
    uint64_t value = 0;
    bool read = option->kind == MR_OPTION_COUNT      ? parse_count(text, &value)
                : option->kind == MR_OPTION_DURATION ? mr_duration_parse(text, &value)
                                                     : mr_bytes_parse(text, &value);
    if (!read || value < option->min || (option->max != 0 && value > option->max)) {
        return false;
    }
    *(uint64_t *)option->value = value;
    return true;
}

static bool store_value(const struct mr_option *option, const char *text)
{
    switch (option->kind) {
    case MR_OPTION_TEXT:
        *(const char **)option->value = text;
        return true;
    case MR_OPTION_CHOICE:
        *(const char **)option->value = text;
        return is_choice(option, text);
    case MR_OPTION_LIST: {
        struct mr_option_list *list = option->value;
        if (list->count == MR_OPTION_LIST_MAX) {
            return false;
        }
        list->item[list->count++] = text;
        return true;
    }
    case MR_OPTION_COUNT:
    case MR_OPTION_DURATION:
    case MR_OPTION_BYTES:
        return store_number(option, text);
    case MR_OPTION_FLAG:
        break;
    }
    MR_ASSERT(false);
    return false;
}

// A number as it may be typed, in the largest unit that divides it.
static void append_number(struct mr_text *text, const struct mr_option *option, uint64_t value)
{
    const struct unit *units = option->kind == MR_OPTION_DURATION ? duration_units
                               : option->kind == MR_OPTION_BYTES  ? bytes_units
                                                                  : NULL;
    const struct unit *unit = NULL;
    for (const struct unit *one = units; one != NULL && one->suffix != NULL; one++) {
        bool divides = one->factor == 1 || (value > 0 && value % one->factor == 0);
        unit = divides ? one : unit;
    }
    if (unit == NULL) {
        mr_text_printf(text, "%llu", (unsigned long long)value);
    } else {
        mr_text_printf(text, "%llu%s", (unsigned long long)(value / unit->factor), unit->suffix);
    }
}

// What the option takes: ", one of a, b", ", 1 to 16" or the like.
static void append_limits(struct mr_text *text, const struct mr_option *option)
{
    if (option->kind == MR_OPTION_CHOICE) {
        for (size_t i = 0; option->choices[i] != NULL; i++) {
            mr_text_printf(text, "%s%s", i == 0 ? ", one of " : ", ", option->choices[i]);
        }
    } else if (option->kind == MR_OPTION_LIST) {
        mr_text_printf(text, ", at most %d times", MR_OPTION_LIST_MAX);
    } else if (option->max == 0 || option->max == UINT64_MAX) {
        mr_text_printf(text, ", at least ");
        append_number(text, option, option->min);
    } else {
        mr_text_printf(text, ", ");
        append_number(text, option, option->min);
        mr_text_printf(text, " to ");
        append_number(text, option, option->max);
    }
}

static const struct mr_option *find_option(const struct mr_command *command, const char *name,
                                           size_t length)
{
    for (size_t i = 0; i < command->options_count; i++) {
        const char *candidate = command->options[i].name;
        if (strlen(candidate) == length && memcmp(candidate, name, length) == 0) {
            return &command->options[i];
        }
    }
    return NULL;
}

// Reads the option at argv[*at_io]; *at_io moves on by one more where the value is a word of its
// own.
static enum mr_cli_result take_option(const struct mr_command *command, int argc, char **argv,
                                      int *at_io)
{
    const char *word = argv[*at_io];
    const char *name = word + 2;
    size_t name_length = strcspn(name, "=");
    const struct mr_option *option = find_option(command, name, name_length);
    if (option == NULL) {
        return wrong(command, "unknown option", word);
    }
    const char *value = name[name_length] == '=' ? name + name_length + 1 : NULL;
    if (option->kind == MR_OPTION_FLAG) {
        if (value != NULL) {
            return wrong(command, "this option takes no value:", word);
        }
        *(bool *)option->value = true;
        return MR_CLI_RUN;
    }
    if (value == NULL && *at_io + 1 == argc) {
        return wrong(command, "this option needs a value:", word);
    }
    if (value == NULL) {
        value = argv[++*at_io];
    }
    if (value[0] == '\0' && (option->kind == MR_OPTION_TEXT || option->kind == MR_OPTION_LIST)) {
        return wrong(command, "this option needs a value:", word);
    }
    if (!store_value(option, value)) {
        char what[256];
        struct mr_text text = mr_text_init(what, sizeof what);
        mr_text_printf(&text, "--%s takes %s", option->name, option->argument);
        append_limits(&text, option);
        mr_text_printf(&text, "; not");
        return wrong(command, what, value);
    }
    return MR_CLI_RUN;
}

enum mr_cli_result mr_cli_parse(const struct mr_command *command, int argc, char **argv,
                                const char **operands_out, size_t *operands_count_out)
{
    size_t count = 0;
    bool options_ended = false;
    for (int at = 1; at < argc; at++) {
        const char *word = argv[at];
        if (!options_ended && strcmp(word, "--") == 0) {
            options_ended = true;
        } else if (!options_ended && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)) {
            print_help(command);
            return MR_CLI_DONE;
        } else if (!options_ended && strncmp(word, "--", 2) == 0) {
            enum mr_cli_result result = take_option(command, argc, argv, &at);
            if (result != MR_CLI_RUN) {
                return result;
            }
        } else if (!options_ended && word[0] == '-' && word[1] != '\0') {
            return wrong(command, "unknown option", word);
        } else if (word[0] == '\0') {
            return wrong(command, "an empty word is no",
                         command->operands == NULL ? "option" : command->operands);
        } else if (count == command->operands_max) {
            return wrong(command, "one word too many:", word);
        } else {
            operands_out[count++] = word;
        }
    }
    *operands_count_out = count;
    if (count < command->operands_min) {
        return wrong(command, "missing:", command->operands);
    }
    return MR_CLI_RUN;
}

int mr_cli_exit_code(int result)
{
    static const int usage[] = {EBADMSG, EINVAL, EEXIST,       ENOENT, EISDIR,
                                ENOTDIR, ESPIPE, ENAMETOOLONG, ELOOP};
    for (size_t i = 0; i < sizeof usage / sizeof usage[0]; i++) {
        if (result == -usage[i]) {
            return MR_EXIT_USAGE;
        }
    }
    return result == 0 ? MR_EXIT_OK : MR_EXIT_ENVIRONMENT;
}
