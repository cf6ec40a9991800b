// load_cmd.c: see cmd.h: from the command line to the exit code.
#include "cmd.h"

#include "hdr_files.h"
#include "load_events.h"
#include "load_options.h"
#include "load_plan.h"
#include "load_result.h"
#include "load_run.h"
#include "times_log.h"

#include "base/cli.h"
#include "base/clock.h"
#include "dataset/dataset.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int complain(const char *name, const char *what)
{
    (void)fprintf(stderr, "matchrace load: %s: %s\n", name, what);
    return MR_EXIT_ENVIRONMENT;
}

static int usage(const char *what)
{
    (void)fprintf(stderr, "matchrace load: %s (see matchrace load --help)\n", what);
    return MR_EXIT_USAGE;
}

// Whether a file may be written at `path`, by making and removing the one that will be renamed to
// it: said before the run, not after it. 0, or the exit code.
static int check_output(const char *path)
{
    char beside[PATH_MAX];
    struct stat there;
    if (path == NULL) {
        return 0;
    }
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode)) {
        (void)complain(path, "cannot be written: it is there and no regular file");
        return MR_EXIT_USAGE;
    }
    int length = snprintf(beside, sizeof beside, "%s.%ld.try", path, (long)getpid());
    int fd = -1;
    if (length < 0 || (size_t)length >= sizeof beside) {
        errno = ENAMETOOLONG;
    } else {
        fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    }
    if (fd < 0) {
        (void)fprintf(stderr, "matchrace load: %s cannot be written: %s\n", path, strerror(errno));
        return mr_cli_exit_code(-errno);
    }
    (void)close(fd);
    (void)unlink(beside);
    return 0;
}

static const struct mr_times_log *log_at(const void *context, size_t index)
{
    const struct mr_load_run *run = context;
    return &run->worker[index].log;
}

static int write_files(const struct mr_load_run *run)
{
    const struct mr_load_options *options = run->options;
    int worst = 0;
    if (options->out != NULL) {
        int result = mr_load_result_write(run, options->out);
        worst = result != 0 ? complain(options->out, strerror(-result)) : worst;
    }
    if (options->times_file != NULL) {
        bool through = run->failure.verdict == MR_LOAD_OK;
        struct mr_times_logs logs = {.log_at = log_at,
                                     .context = run,
                                     .count = run->workers_count,
                                     .missing = through ? NULL : mr_load_verdict(run)};
        int result = mr_times_log_write(options->times_file, &logs);
        worst = result != 0 ? complain(options->times_file, strerror(-result)) : worst;
    }
    if (options->hdr_log != NULL) {
        int result = mr_hdr_log_write(run, options->hdr_log);
        worst = result != 0 ? complain(options->hdr_log, strerror(-result)) : worst;
    }
    if (options->percentiles != NULL) {
        int result = mr_hdr_percentiles_write(run, options->percentiles);
        worst = result != 0 ? complain(options->percentiles, strerror(-result)) : worst;
    }
    return worst;
}

static int exit_code(const struct mr_load_run *run)
{
    switch (run->failure.verdict) {
    case MR_LOAD_OK:
        return mr_load_is_whole(run) ? MR_EXIT_OK : MR_EXIT_INCOMPLETE;
    case MR_LOAD_WRONG:
        return MR_EXIT_WRONG;
    case MR_LOAD_INTERRUPTED:
        return 128 + (run->signal_number != 0 ? run->signal_number : SIGINT);
    case MR_LOAD_STALLED:
    case MR_LOAD_FAILED:
        break;
    }
    return MR_EXIT_ENVIRONMENT;
}

// What an interrupted run has measured, headed by that it is not the whole.
static void tell_part(const struct mr_load_run *run)
{
    const struct mr_window *window = &run->shared.window;
    uint64_t until_ns = run->drained_ns < window->end_ns ? run->drained_ns : window->end_ns;
    double passed_s = until_ns > window->begin_ns ? (double)(until_ns - window->begin_ns) / 1e9 : 0;
    (void)printf("incomplete: interrupted after %.3f s of the window; until then %" PRIu64
                 " batches were answered in it, and %s %" PRIu64 " replies of the run verified\n",
                 passed_s, run->sum.counts.batches, mr_load_is_whole(run) ? "all" : "not all",
                 run->replies);
}

// What was switched off and how often it would have failed, whatever else is said.
static void tell_overlooked(const struct mr_load_failure *failure)
{
    for (int gate = 0; gate < MR_LOAD_GATE_COUNT; gate++) {
        if (failure->gates.off[gate]) {
            (void)fprintf(stderr,
                          "matchrace load: not verified: gate '%s' was off and overlooked %" PRIu64
                          " faults\n",
                          mr_load_gate_name((enum mr_load_gate)gate),
                          failure->gates.overlooked[gate]);
        }
    }
}

static void tell(const struct mr_load_run *run)
{
    const struct mr_load_failure *failure = &run->failure;
    tell_overlooked(failure);
    if (failure->verdict == MR_LOAD_INTERRUPTED && run->has_sum && !run->options->events) {
        tell_part(run);
    }
    if (failure->verdict == MR_LOAD_OK) {
        if (!run->options->events) {
            mr_load_summary_print(run, stdout);
        }
        return;
    }
    if (failure->verdict == MR_LOAD_WRONG) {
        (void)fprintf(stderr, "matchrace load: gate '%s' failed: %s\n",
                      mr_load_gate_name(failure->gate), failure->text);
    } else {
        (void)fprintf(stderr, "matchrace load: %s\n", failure->text);
    }
}

static uint64_t memory_bytes(void)
{
    long pages = sysconf(_SC_PHYS_PAGES);
    long page_bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && page_bytes > 0 ? (uint64_t)pages * (uint64_t)page_bytes : UINT64_MAX;
}

static int run_with(const struct mr_load_options *options, const struct mr_plan *plan,
                    const struct mr_dataset *dataset)
{
    char why[MR_LOAD_WHY_BYTES];
    uint64_t batches = dataset->frames.count > 0 ? dataset->frames.count : 1;
    uint64_t batch_bytes = dataset->frames.payload_bytes / batches + 1;
    if (!mr_load_burst_fits(options, batch_bytes, memory_bytes(), why)) {
        return usage(why);
    }
    struct mr_load_run *run = calloc(1, sizeof *run);
    if (run == NULL) {
        return complain(options->data, strerror(ENOMEM));
    }
    mr_load_run(run, options, plan, dataset);
    tell(run);
    int written = write_files(run);
    int code = exit_code(run);
    mr_load_event(run, "done", mr_clock_ns());
    mr_load_run_fini(run);
    free(run);
    return code != MR_EXIT_OK ? code : written;
}

static int load_with(const struct mr_load_options *options, const struct mr_plan *plan)
{
    struct mr_dataset dataset;
    struct mr_dataset_fault fault = {{0}};
    int result = options->trust_hashes ? mr_dataset_init_trusted(&dataset, options->data, &fault)
                                       : mr_dataset_init(&dataset, options->data, &fault);
    if (result != 0) {
        (void)fprintf(stderr, "matchrace load: %s\n", fault.text);
        return mr_cli_exit_code(result);
    }
    mr_dataset_settle(&dataset);
    int code = run_with(options, plan, &dataset);
    mr_dataset_fini(&dataset);
    return code;
}

static bool name_a_file_twice(const char *const *files, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (files[i] != NULL && files[j] != NULL && strcmp(files[i], files[j]) == 0) {
                return true;
            }
        }
    }
    return false;
}

int mr_load_main(int argc, char **argv)
{
    static struct mr_load_options options; // its list of cores is large
    switch (mr_load_options_parse(&options, argc, argv)) {
    case MR_CLI_DONE:
        return MR_EXIT_OK;
    case MR_CLI_WRONG:
        return MR_EXIT_USAGE;
    case MR_CLI_RUN:
        break;
    }
    (void)signal(SIGPIPE, SIG_IGN); // whoever reads the events may go away
    const char *const files[] = {options.out, options.times_file, options.hdr_log,
                                 options.percentiles};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        int code = check_output(files[i]);
        if (code != 0) {
            return code;
        }
    }
    if (name_a_file_twice(files, sizeof files / sizeof files[0])) {
        return usage("two of --out, --times, --hdr-log, --percentiles name the same file");
    }
    struct mr_plan plan;
    char why[MR_LOAD_WHY_BYTES];
    int result = mr_load_plan_init(&plan, &options, why);
    if (result != 0) {
        return result == -ENODATA ? usage(why) : complain("--plan", why);
    }
    int code = load_with(&options, &plan);
    mr_plan_fini(&plan);
    return code;
}
