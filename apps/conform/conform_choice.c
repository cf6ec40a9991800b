// conform_choice.c: see conform_choice.h.
#include "conform_choice.h"

#include "conform_checks.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const phase_names[MR_PHASES] = {"cases", "large", "kept", "wire", "command"};

int mr_conform_complain(int code, const char *format, ...)
{
    (void)fputs("matchrace conform: ", stderr);
    va_list arguments;
    va_start(arguments, format);
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
    (void)fputc('\n', stderr);
    return code;
}

static int choose_modes(const struct mr_conform_words *words, struct mr_kit_options *options)
{
    const struct mr_option_list *modes = &words->modes;
    bool all = modes->count == 0;
    for (size_t mode = 0; mode < MR_MODE_COUNT; mode++) {
        // A race begins with its own mode; keep is what most of them run in.
        options->modes[mode] = all && (!words->quick || mode == MR_MODE_KEEP);
    }
    for (size_t i = 0; i < modes->count; i++) {
        int mode = mr_mode_by_name(modes->item[i]);
        if (mode < 0) {
            return mr_conform_complain(
                MR_EXIT_USAGE, "--mode '%s': there are drain, totals, keep, fresh", modes->item[i]);
        }
        options->modes[mode] = true;
    }
    return 0;
}

// Takes every rule of a comma-separated list of numbers or names.
static int choose_listed(struct mr_kit_options *options, const char *list)
{
    for (const char *at = list; *at != '\0';) {
        size_t length = strcspn(at, ",");
        enum mr_rule rule = mr_rule_find(at, length);
        if (rule == MR_RULE_NONE) {
            return mr_conform_complain(MR_EXIT_USAGE,
                                       "--only: there is no check '%.*s'; --list shows them",
                                       (int)length, at);
        }
        options->rules[rule] = true;
        at += length + (at[length] == ',');
    }
    return 0;
}

static int choose_phase(struct mr_kit_options *options, const char *name)
{
    for (unsigned phase = 0; phase < MR_PHASES; phase++) {
        if (strcmp(name, phase_names[phase]) == 0) {
            options->phases |= 1u << phase;
            return 0;
        }
    }
    return mr_conform_complain(MR_EXIT_USAGE,
                               "--phase '%s': there are cases, large, kept, wire, command", name);
}

static int choose_rules(const struct mr_conform_words *words, struct mr_kit_options *options)
{
    int result = 0;
    for (size_t rule = 0; rule < MR_RULE_COUNT; rule++) {
        options->rules[rule] = words->only.count == 0;
    }
    options->phases = words->phases.count == 0 ? MR_PHASES_ALL : 0;
    for (size_t i = 0; i < words->only.count && result == 0; i++) {
        result = choose_listed(options, words->only.item[i]);
    }
    for (size_t i = 0; i < words->phases.count && result == 0; i++) {
        result = choose_phase(options, words->phases.item[i]);
    }
    return result;
}

int mr_conform_choose(const struct mr_conform_words *words, struct mr_kit_options *options)
{
    int code = choose_modes(words, options);
    return code != 0 ? code : choose_rules(words, options);
}
