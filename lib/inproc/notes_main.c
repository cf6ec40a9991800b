// notes_main.c: the command line of `CONTESTANT notes`.
#include "notes_run.h"

#include "base/cli.h"
#include "base/mr_assert.h"

#include <stdio.h>
#include <string.h>

#define NAME_BYTES 128

const char *const mr_notes_form_names[MR_FORM_COUNT] = {"bytes-reuse", "bytes-fresh",
                                                        "string-fresh"};

// The place of a word that is one of `names`.
static unsigned index_of(const char *const *names, const char *word)
{
    unsigned index = 0;
    while (strcmp(names[index], word) != 0) {
        index++;
    }
    return index;
}

// Names as the choices of an option, ended with NULL.
static void end_list(const char **list_out, const char *const *names, size_t count)
{
    memcpy(list_out, names, count * sizeof names[0]);
    list_out[count] = NULL;
}

static void list_profiles(const char *list_out[MR_NOTES_PROFILE_COUNT + 1])
{
    for (int profile = 0; profile <= MR_NOTES_PROFILE_COUNT; profile++) {
        list_out[profile] = mr_notes_profile_name(profile);
    }
}

// The first profile that the contestant has in this form; MR_NOTES_PROFILE_COUNT: none.
static enum mr_notes_profile own_profile(const struct mr_notes_contestant *contestant,
                                         enum mr_notes_form form)
{
    int profile = 0;
    while (profile < MR_NOTES_PROFILE_COUNT &&
           !contestant->can(form, (enum mr_notes_profile)profile)) {
        profile++;
    }
    return (enum mr_notes_profile)profile;
}

static int refuse(const struct mr_notes_options *notes, const char *form, const char *profile)
{
    (void)fprintf(stderr, "%s: no such form: %s%s%s (see %s --help)\n", notes->command, form,
                  profile == NULL ? "" : " with --escape ", profile == NULL ? "" : profile,
                  notes->command);
    return MR_EXIT_USAGE;
}

static int check_and_run(struct mr_notes_options *notes, const char *form, const char *profile,
                         const struct mr_notes_contestant *contestant)
{
    const char *profiles[MR_NOTES_PROFILE_COUNT + 1];
    list_profiles(profiles);
    if (own_profile(contestant, notes->form) == MR_NOTES_PROFILE_COUNT) {
        return refuse(notes, form, NULL);
    }
    notes->profile = profile == NULL ? own_profile(contestant, notes->form)
                                     : (enum mr_notes_profile)index_of(profiles, profile);
    if (!contestant->can(notes->form, notes->profile)) {
        return refuse(notes, form, profile);
    }
    return mr_notes_run(notes, contestant);
}

int mr_notes_main(int argc, char **argv, const struct mr_notes_contestant *contestant)
{
    MR_ASSERT(strlen(contestant->name) < NAME_BYTES - 8);
    char name[NAME_BYTES];
    (void)snprintf(name, sizeof name, "%s notes", contestant->name);
    struct mr_notes_options notes = {.command = name, .count = 1000000, .seed = 42};
    const char *form = mr_notes_form_names[0];
    const char *corpus = mr_corpus_names[0];
    const char *profile = NULL;
    const char *forms[MR_FORM_COUNT + 1];
    const char *corpora[MR_CORPUS_COUNT + 1];
    const char *profiles[MR_NOTES_PROFILE_COUNT + 1];
    end_list(forms, mr_notes_form_names, MR_FORM_COUNT);
    end_list(corpora, mr_corpus_names, MR_CORPUS_COUNT);
    list_profiles(profiles);
    char kernel_help[256];
    (void)snprintf(kernel_help, sizeof kernel_help,
                   "The writer's variant (default: the best that this machine runs): %s.",
                   contestant->kernels_help);
    const struct mr_option options[] = {
        {"form", MR_OPTION_CHOICE, &form, "FORM",
         "What is made, and in whose memory (default bytes-reuse).", 0, 0, forms},
        {"corpus", MR_OPTION_CHOICE, &corpus, "CORPUS", "Texts of the notes (default ascii).", 0, 0,
         corpora},
        {"escape", MR_OPTION_CHOICE, &profile, "PROFILE",
         "What is escaped (default: what it writes by itself).", 0, 0, profiles},
        {"count", MR_OPTION_COUNT, &notes.count, "N", "Notes (default 1000000).", 0,
         MR_NOTES_COUNT_MAX, NULL},
        {"seed", MR_OPTION_COUNT, &notes.seed, "S", "Of the random texts (default 42).", 0,
         UINT64_MAX, NULL},
        {"repeat", MR_OPTION_COUNT, &notes.repeat, "N",
         "So many iterations (default: until warm, 8 to 30 s).", 1, 0, NULL},
        {"step", MR_OPTION_FLAG, &notes.step, NULL,
         "Wait for a line on standard input before each; end when that ends.", 0, 0, NULL},
        {"kernel", MR_OPTION_TEXT, &notes.kernel, "NAME", kernel_help, 0, 0, NULL},
        {"output", MR_OPTION_TEXT, &notes.output, "FILE", "Write the first text to FILE.", 0, 0,
         NULL},
    };
    char examples[4 * NAME_BYTES];
    (void)snprintf(examples, sizeof examples,
                   "  %s --form bytes-reuse --corpus ascii --count 1000000\n"
                   "  %s --form bytes-fresh --corpus mixed --count 1000 --repeat 16\n",
                   name, name);
    const struct mr_command command = {
        .name = name,
        .summary = "writes notes as one JSON text, again and again (docs/SERIAL.md).",
        .options = options,
        .options_count = sizeof options / sizeof options[0],
        .examples = examples,
        .notes = "Prints one JSON line an iteration, and one at the end.\n"
                 "Exit codes: 0 ok, 1 memory or output is short, 2 wrong usage.\n",
    };
    size_t operands_count;
    enum mr_cli_result result = mr_cli_parse(&command, argc, argv, NULL, &operands_count);
    if (result != MR_CLI_RUN) {
        return result == MR_CLI_DONE ? MR_EXIT_OK : MR_EXIT_USAGE;
    }
    notes.form = (enum mr_notes_form)index_of(mr_notes_form_names, form);
    notes.corpus = (enum mr_corpus)index_of(mr_corpus_names, corpus);
    return check_and_run(&notes, form, profile, contestant);
}
