// load_cmd.c: see cmd.h: from the command line to the exit code.
#include "cmd.h"

#include "load_events.h"
#include "load_options.h"
#include "load_result.h"
#include "load_run.h"
#include "times_log.h"

#include "base/cli.h"
#include "base/clock.h"
#include "dataset/dataset.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int complain(const char *name, const char *what)
{
    (void)fprintf(stderr, "matchrace load: %s: %s\n", name, what);
    return MR_EXIT_ENVIRONMENT;
}

// Whether a file may be written at `path`: said before the run, not after it.
static int check_output(const char *path)
{
    char copy[PATH_MAX];
    if (path == NULL) {
        return 0;
    }
    if (strlen(path) >= sizeof copy) {
        return complain(path, strerror(ENAMETOOLONG));
    }
    memcpy(copy, path, strlen(path) + 1);
    const char *folder = dirname(copy);
    if (access(folder, W_OK | X_OK) != 0) {
        (void)fprintf(stderr, "matchrace load: %s cannot be written: %s: %s\n", path, folder,
                      strerror(errno));
        return MR_EXIT_ENVIRONMENT;
    }
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
        struct mr_times_logs logs = {.log_at = log_at, .context = run, .count = run->workers_count};
        int result = mr_times_log_write(options->times_file, &logs);
        worst = result != 0 ? complain(options->times_file, strerror(-result)) : worst;
    }
    return worst;
}

static int exit_code(const struct mr_load_run *run)
{
    switch (run->failure.verdict) {
    case MR_LOAD_OK:
        return mr_load_is_reduced(run->options) ? MR_EXIT_INCOMPLETE : MR_EXIT_OK;
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

static void tell(const struct mr_load_run *run)
{
    const struct mr_load_failure *failure = &run->failure;
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

static int run_with(const struct mr_load_options *options, const struct mr_dataset *dataset)
{
    struct mr_load_run *run = calloc(1, sizeof *run);
    if (run == NULL) {
        return complain(options->data, strerror(ENOMEM));
    }
    mr_load_run(run, options, dataset);
    tell(run);
    int written = write_files(run);
    int code = exit_code(run);
    mr_load_event(run, "done", mr_clock_ns());
    mr_load_run_fini(run);
    free(run);
    return code != MR_EXIT_OK ? code : written;
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
    if (check_output(options.out) != 0 || check_output(options.times_file) != 0) {
        return MR_EXIT_ENVIRONMENT;
    }
    struct mr_dataset dataset;
    struct mr_dataset_fault fault = {{0}};
    int result = options.trust_hashes ? mr_dataset_init_trusted(&dataset, options.data, &fault)
                                      : mr_dataset_init(&dataset, options.data, &fault);
    if (result != 0) {
        (void)fprintf(stderr, "matchrace load: %s\n", fault.text);
        return MR_EXIT_ENVIRONMENT;
    }
    int code = run_with(&options, &dataset);
    mr_dataset_fini(&dataset);
    return code;
}
