// parse_main.c: reads a dataset's batches, then times passes over them; totals and ring go on from
// pass to pass as over one connection.
#include "parse_main.h"

#include "base/file.h"
#include "base/cli.h"
#include "base/clock.h"
#include "dose.h"
#include "parser_words.h"
#include "server.h"
#include "wire/frames.h"
#include "wire/wire.h"
#include "worker.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

struct parse_options {
    const char *name; // of the command
    const char *data;
    const char *mode;
    const char *kernel;
    uint64_t repeat; // 0: not told
    uint64_t max_kept_bytes;
    uint64_t dose_ppm;
    bool step;
};

// What one repetition did.
struct pass {
    uint64_t records;
    uint64_t payload_bytes;
    uint64_t ns;
    uint64_t digest;
};

// The timed part: parse, digest, totals, copies of every batch.
static int run_pass(struct mr_worker *worker, struct mr_shelf *shelf,
                    const struct mr_frames *frames, uint64_t dose_ppm, struct pass *pass_out)
{
    struct pass pass = {0};
    struct mr_dose dose;
    mr_dose_init(&dose, dose_ppm);
    uint64_t start_ns = mr_clock_ns();
    for (size_t i = 0; i < frames->count; i++) {
        struct mr_payload payload = {
            .json = mr_frames_payload(frames, i),
            .json_bytes = frames->frame[i].payload_bytes,
            .writable = false, // the next repetition must see the same bytes
        };
        struct mr_ack ack;
        int failed = mr_worker_take(worker, shelf, &payload, &ack);
        if (failed != 0) {
            return failed;
        }
        pass.records += ack.records;
        pass.digest += ack.digest;
        pass.payload_bytes += payload.json_bytes;
        mr_dose_settle(&dose);
    }
    pass.ns = mr_clock_ns() - start_ns;
    *pass_out = pass;
    return 0;
}

static int print_pass(const struct pass *pass)
{
    int printed = printf("{\"records\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"ns\":%" PRIu64
                         ",\"digest\":\"%016" PRIx64 "\"}\n",
                         pass->records, pass->payload_bytes, pass->ns, pass->digest);
    return printed < 0 || fflush(stdout) != 0 ? -errno : 0;
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

static int say(const struct parse_options *options, const char *what, int failed)
{
    (void)fprintf(stderr, "%s: %s: %s\n", options->name, what, strerror(-failed));
    return MR_EXIT_ENVIRONMENT;
}

static int run_passes(const struct parse_options *options, struct mr_worker *worker,
                      const struct mr_frames *frames)
{
    // Stepping ends with standard input unless a number is told; otherwise one pass is the default.
    uint64_t repeat = options->repeat != 0 ? options->repeat : options->step ? UINT64_MAX : 1;
    struct mr_shelf shelf = {0};
    int code = MR_EXIT_OK;
    for (uint64_t i = 0; i < repeat && code == MR_EXIT_OK; i++) {
        if (options->step && !wait_for_line()) {
            break;
        }
        struct pass pass;
        int failed = run_pass(worker, &shelf, frames, options->dose_ppm, &pass);
        if (failed == -EDQUOT) {
            (void)fprintf(stderr, "%s: the kept batches are over --max-kept %" PRIu64 " bytes\n",
                          options->name, options->max_kept_bytes);
            code = MR_EXIT_ENVIRONMENT;
        } else if (failed != 0) {
            code = say(options, "cannot keep a batch", failed);
        } else {
            failed = print_pass(&pass);
            code =
                failed == 0 ? MR_EXIT_OK : say(options, "cannot write to standard output", failed);
        }
    }
    mr_book_remove_shelf(worker->book, &shelf);
    return code;
}

static int run_worker(const struct parse_options *options, const struct mr_contestant *contestant,
                      const struct mr_frames *frames)
{
    struct mr_books books;
    int failed = mr_books_init(&books, 1);
    if (failed != 0) {
        return say(options, "cannot start", failed);
    }
    struct mr_worker_params params = {
        .contestant = contestant,
        .kernel = options->kernel,
        .book = &books.book[0],
        .mode = (enum mr_mode)mr_mode_by_name(options->mode),
        .max_kept_bytes = options->max_kept_bytes,
    };
    struct mr_worker worker;
    failed = mr_worker_init(&worker, &params);
    int code = failed == 0 ? run_passes(options, &worker, frames)
                           : mr_parser_failed(options->name, options->kernel, contestant, failed);
    mr_worker_fini(&worker);
    mr_books_fini(&books);
    return code;
}

static int run(const struct parse_options *options, const struct mr_contestant *contestant)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s.batches", options->data);
    if (length < 0 || (size_t)length >= sizeof path) {
        return say(options, "--data", -ENAMETOOLONG);
    }
    struct mr_frames frames;
    struct mr_frames_fault fault;
    int failed = mr_frames_init(&frames, path, &fault);
    if (failed == -EBADMSG) {
        (void)fprintf(stderr,
                      "%s: %s is no whole file of batches: %s; make it anew with "
                      "'matchrace data make'\n",
                      options->name, path, fault.text);
        return MR_EXIT_ENVIRONMENT;
    }
    if (failed != 0) {
        (void)fprintf(stderr,
                      "%s: cannot read %s: %s; --data takes the dataset's path without "
                      "'.batches'\n",
                      options->name, path, mr_file_fault(failed));
        return MR_EXIT_ENVIRONMENT;
    }
    int code = run_worker(options, contestant, &frames);
    mr_frames_fini(&frames);
    return code;
}

int mr_parse_main(const char *name, int argc, char **argv, const struct mr_contestant *contestant)
{
    struct parse_options parse = {
        .name = name, .mode = "keep", .max_kept_bytes = MR_KEPT_BYTES_DEFAULT};
    struct mr_parser_words words;
    mr_parser_words_init(&words, contestant);
    const struct mr_option options[] = {
        {"data", MR_OPTION_TEXT, &parse.data, "DATASET",
         "The dataset's path without '.batches'; must be told.", 0, 0, NULL},
        {"mode", MR_OPTION_CHOICE, &parse.mode, "MODE", "What is done with a batch (default keep).",
         0, 0, words.modes},
        {"repeat", MR_OPTION_COUNT, &parse.repeat, "N",
         "Passes over the dataset (default 1; with --step: until standard input ends).", 1, 0,
         NULL},
        {"step", MR_OPTION_FLAG, &parse.step, NULL,
         "Wait for a line on standard input before each pass; end when that ends.", 0, 0, NULL},
        {"kernel", MR_OPTION_TEXT, &parse.kernel, "NAME", words.kernel_help, 0, 0, NULL},
        {"max-kept", MR_OPTION_BYTES, &parse.max_kept_bytes, "BYTES",
         "Keeping more is an error (default 256MiB).", 1, 0, NULL},
        {"dose-ppm", MR_OPTION_COUNT, &parse.dose_ppm, "N", MR_DOSE_HELP, 0, MR_DOSE_PPM_MAX, NULL},
    };
    char examples[512];
    (void)snprintf(examples, sizeof examples,
                   "  %s --data DATASET --repeat 20\n"
                   "  %s --data DATASET --mode totals --step   (then press return for each pass)\n",
                   name, name);
    const struct mr_command command = {
        .name = name,
        .summary = "does the work of every batch of a dataset in memory, pass by pass.",
        .options = options,
        .options_count = sizeof options / sizeof options[0],
        .examples = examples,
        .notes = "Prints one JSON line a pass: records, bytes, ns, digest.\n"
                 "Exit codes: 0 ok, 1 the dataset cannot be used or memory is short, 2 wrong "
                 "usage.\n",
    };
    size_t operands_count;
    enum mr_cli_result result = mr_cli_parse(&command, argc, argv, NULL, &operands_count);
    if (result != MR_CLI_RUN) {
        return result == MR_CLI_DONE ? MR_EXIT_OK : MR_EXIT_USAGE;
    }
    if (parse.data == NULL) {
        (void)fprintf(stderr, "%s: --data DATASET is missing (see %s --help)\n", name, name);
        return MR_EXIT_USAGE;
    }
    return run(&parse, contestant);
}
