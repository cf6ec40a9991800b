// notes_run.c: see notes_run.h.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "notes_run.h"

#include "notes_summary.h"
#include "own_memory.h"

#include "base/cli.h"
#include "base/clock.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct run {
    const struct mr_notes_options *options;
    const struct mr_notes_contestant *contestant;
    struct mr_notes_data data;
    void *writer;
    struct mr_steadiness steadiness;
    uint64_t held_bytes; // by the last iteration, its text included
};

static int say(const struct mr_notes_options *options, const char *what, int failed)
{
    (void)fprintf(stderr, "%s: %s: %s\n", options->command, what, strerror(-failed));
    return MR_EXIT_ENVIRONMENT;
}

static int print_iteration(uint64_t number, uint64_t took_ns, const struct mr_notes_output *output)
{
    printf("{\"iteration\":%" PRIu64 ",\"ns\":%" PRIu64 ",\"bytes\":%zu,\"digest\":\"%016" PRIx64
           "\",\"compiled_methods\":null",
           number, took_ns, output->bytes, XXH3_64bits(output->data, output->bytes));
    if (output->build_ns != 0) {
        printf(",\"build_ns\":%" PRIu64, output->build_ns);
    }
    return puts("}") < 0 || fflush(stdout) != 0 ? -errno : 0;
}

static int save(const struct mr_notes_options *options, const struct mr_notes_output *output)
{
    FILE *file = fopen(options->output, "we");
    bool written = file != NULL && fwrite(output->data, 1, output->bytes, file) == output->bytes;
    bool closed = file != NULL && fclose(file) == 0;
    return written && closed ? MR_EXIT_OK : say(options, options->output, -errno);
}

static int run_iteration(struct run *run)
{
    uint64_t number = run->steadiness.iterations;
    mr_notes_data_set_variant(&run->data, (unsigned)(number % MR_NOTES_VARIANTS));
    uint64_t held_bytes = mr_own_held_bytes();
    struct mr_notes_output output = {0};
    uint64_t start_ns = mr_clock_ns();
    int failed = run->contestant->write(run->writer, run->data.notes, run->data.count, &output);
    uint64_t took_ns = mr_clock_ns() - start_ns;
    if (failed != 0) {
        return say(run->options, "the notes cannot be written", failed);
    }
    run->held_bytes = mr_own_held_bytes() - held_bytes;
    failed = print_iteration(number, took_ns, &output);
    int code = MR_EXIT_OK;
    if (failed != 0) {
        code = say(run->options, "cannot write to standard output", failed);
    } else if (run->options->output != NULL && number == 0) {
        code = save(run->options, &output);
    }
    run->contestant->release(run->writer);
    mr_steadiness_add(&run->steadiness, took_ns, mr_clock_ns(), 0);
    return code;
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

static bool goes_on(const struct run *run)
{
    const struct mr_notes_options *options = run->options;
    if (options->repeat != 0 && run->steadiness.iterations >= options->repeat) {
        return false;
    }
    if (options->step) {
        return wait_for_line();
    }
    return options->repeat != 0 || !mr_is_enough(&run->steadiness, mr_clock_ns());
}

static int run_writer(struct run *run, uint64_t data_peak_bytes)
{
    int failed = mr_steadiness_init(&run->steadiness, mr_clock_ns(), 0);
    if (failed != 0) {
        return say(run->options, "cannot start", failed);
    }
    int code = MR_EXIT_OK;
    while (code == MR_EXIT_OK && goes_on(run)) {
        code = run_iteration(run);
    }
    if (code == MR_EXIT_OK) {
        const struct mr_notes_summary summary = {
            .options = run->options,
            .contestant = run->contestant,
            .writer = run->writer,
            .steadiness = &run->steadiness,
            .data_peak_rss_bytes = data_peak_bytes,
            .held_bytes = run->held_bytes,
        };
        failed = mr_notes_summary_print(&summary);
        code =
            failed == 0 ? MR_EXIT_OK : say(run->options, "cannot write to standard output", failed);
    }
    mr_steadiness_fini(&run->steadiness);
    return code;
}

static int create_failed(const struct mr_notes_options *options, int failed)
{
    if (failed == -ENOENT || failed == -ENOTSUP) {
        (void)fprintf(stderr, "%s: --kernel %s: %s (see %s --help)\n", options->command,
                      options->kernel == NULL ? "" : options->kernel,
                      failed == -ENOENT ? "there is no such kernel" : "this machine can't run it",
                      options->command);
        return failed == -ENOENT ? MR_EXIT_USAGE : MR_EXIT_ENVIRONMENT;
    }
    return say(options, "cannot start", failed);
}

int mr_notes_run(const struct mr_notes_options *options,
                 const struct mr_notes_contestant *contestant)
{
    struct run run = {.options = options, .contestant = contestant};
    const struct mr_notes_data_params params = {
        .count = options->count, .corpus = options->corpus, .seed = options->seed};
    int failed = mr_notes_data_init(&run.data, &params);
    if (failed != 0) {
        return say(options, "the notes cannot be made", failed);
    }
    uint64_t data_peak_bytes = mr_own_peak_rss_bytes();
    const struct mr_notes_task task = {
        .form = options->form,
        .profile = options->profile,
        .kernel = options->kernel,
        .notes = run.data.notes,
        .count = run.data.count,
    };
    failed = contestant->create(&task, &run.writer);
    int code = failed == 0 ? run_writer(&run, data_peak_bytes) : create_failed(options, failed);
    if (failed == 0) {
        contestant->destroy(run.writer);
    }
    mr_notes_data_fini(&run.data);
    return code;
}
