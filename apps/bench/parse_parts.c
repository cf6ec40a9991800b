// parse_parts.c: a program that is raced beside parsers to see where their time goes: one part of
// the job, pass by pass over a dataset, spoken to like a contestant's `parse`.
#include "part.h"

#include "base/cli.h"
#include "base/clock.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char name[] = "parse-parts parse";

struct words {
    const char *data;
    const char *mode;
    const char *part;
    uint64_t repeat; // 0: not told
    bool step;
};

static int say(const char *text)
{
    (void)fprintf(stderr, "%s: %s\n", name, text);
    return MR_EXIT_ENVIRONMENT;
}

// Waits for a line on standard input. False at its end.
static bool wait_for_line(void)
{
    int character;
    do {
        character = getchar();
    } while (character != '\n' && character != EOF);
    return character == '\n';
}

static int run_passes(const struct words *words, const struct mr_part *part,
                      struct mr_part_data *data)
{
    uint64_t repeat = words->repeat != 0 ? words->repeat : words->step ? UINT64_MAX : 1;
    for (uint64_t i = 0; i < repeat && (!words->step || wait_for_line()); i++) {
        uint64_t start_ns = mr_clock_ns();
        uint64_t digest = part->pass(part, data);
        uint64_t ns = mr_clock_ns() - start_ns;
        int printed = printf("{\"records\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"ns\":%" PRIu64
                             ",\"digest\":\"%016" PRIx64 "\"}\n",
                             data->records, data->payload_bytes, ns, digest);
        if (printed < 0 || fflush(stdout) != 0) {
            return say("standard output cannot be written");
        }
    }
    return MR_EXIT_OK;
}

static int run(const struct words *words, const struct mr_part *part)
{
    struct mr_part_data data;
    struct mr_frames_fault fault;
    int failed = mr_part_data_init(&data, part, words->data, &fault);
    int code;
    if (failed == 0) {
        code = run_passes(words, part, &data);
    } else if (failed == -ENOTSUP) {
        code = say("this machine cannot run the vector kernel that this part leaves something out "
                   "of");
    } else {
        (void)fprintf(stderr,
                      "%s: %s.batches: %s; --data takes the dataset's path without "
                      "'.batches'\n",
                      name, words->data, fault.text[0] != '\0' ? fault.text : strerror(-failed));
        code = MR_EXIT_ENVIRONMENT;
    }
    mr_part_data_fini(&data);
    return code;
}

static void list_parts(char *text_out, size_t capacity)
{
    size_t length = (size_t)snprintf(text_out, capacity, "Parts:\n");
    for (const struct mr_part *part = mr_parts; part->name != NULL && length < capacity; part++) {
        int added =
            snprintf(text_out + length, capacity - length, "  %-15s %s\n", part->name, part->about);
        length += added > 0 ? (size_t)added : 0;
    }
    if (length < capacity) {
        (void)snprintf(text_out + length, capacity - length,
                       "\nPrints one JSON line a pass, as contestants do; its digest is none of "
                       "the dataset's.\n"
                       "Exit codes: 0 ok, 1 the dataset or the machine cannot be used, 2 wrong "
                       "usage.\n");
    }
}

static enum mr_cli_result read_words(int argc, char **argv, struct words *words)
{
    static const char *const modes[] = {"totals", "keep", "fresh", "drain", NULL};
    const struct mr_option options[] = {
        {"data", MR_OPTION_TEXT, &words->data, "DATASET",
         "The dataset's path without '.batches'; must be told.", 0, 0, NULL},
        {"part", MR_OPTION_TEXT, &words->part, "PART", "What is done; must be told, see below.", 0,
         0, NULL},
        {"mode", MR_OPTION_CHOICE, &words->mode, "MODE", "Taken and left unused.", 0, 0, modes},
        {"repeat", MR_OPTION_COUNT, &words->repeat, "N",
         "Passes (default 1; with --step: until standard input ends).", 1, 0, NULL},
        {"step", MR_OPTION_FLAG, &words->step, NULL,
         "Wait for a line on standard input before each pass; end when that ends.", 0, 0, NULL},
    };
    char notes[2048];
    list_parts(notes, sizeof notes);
    const struct mr_command command = {
        .name = name,
        .summary = "times one part of the job of parsing a dataset",
        .options = options,
        .options_count = sizeof options / sizeof options[0],
        .notes = notes,
        .examples = "  parse-parts parse --data data/simple --part floor --repeat 20\n"};
    size_t operands_count;
    return mr_cli_parse(&command, argc, argv, NULL, &operands_count);
}

int main(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "parse") != 0) {
        (void)fprintf(stderr, "%s: the first word must be 'parse' (see %s --help)\n", argv[0],
                      name);
        return MR_EXIT_USAGE;
    }
    struct words words = {.mode = "totals"};
    enum mr_cli_result result = read_words(argc - 1, argv + 1, &words);
    if (result != MR_CLI_RUN) {
        return result == MR_CLI_DONE ? MR_EXIT_OK : MR_EXIT_USAGE;
    }
    const struct mr_part *part = words.part == NULL ? NULL : mr_part_by_name(words.part);
    if (words.data == NULL || part == NULL) {
        (void)fprintf(stderr, "%s: %s (see %s --help)\n", name,
                      words.data == NULL   ? "--data DATASET is missing"
                      : words.part == NULL ? "--part PART is missing"
                                           : "there is no such part",
                      name);
        return MR_EXIT_USAGE;
    }
    return run(&words, part);
}
