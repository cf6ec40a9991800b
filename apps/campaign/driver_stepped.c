// driver_stepped.c: a trial of a process that does its job in-process, advanced by one line a pass.
//
// The contestants of a row live at the same time on one core; each pass is asked for by a line and
// answered by one, so passes of different programs alternate and meet the same state of the
// machine.
#include "driver.h"
#include "own_cores.h"
#include "own_turns.h"
#include "server_process.h"
#include "stepped_figures.h"

#include "base/clock.h"
#include "host/line_reader.h"
#include "host/proc.h"
#include "host/process.h"
#include "stats/robust.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE_BYTES   (64u << 10)
#define PASS_MAX_NS  (60 * MR_NS_PER_S)
#define END_LIMIT_NS (5 * MR_NS_PER_S)

struct stepped {
    struct mr_process process;
    bool started;
    struct mr_line_reader lines;
    char *line_bytes;
    double *pass_ns;    // timed ones, as the contestant says
    double *outside_ns; // the same, from our line written to its line read
    double *ran_ns;     // of that, without what both of us waited for a core
    double *exec_ns;    // the process's CPU time meanwhile; NAN: cannot be read
    size_t passes;
    double first_ns;
    double last_outside_ns;
    double last_ran_ns;
    double last_exec_ns;
    struct mr_own_turns turns;
    struct mr_warm_passes warm;
    struct mr_host_watch host;
};

static enum mr_driver_result start_process(struct mr_trial_run *run, struct stepped *stepped)
{
    const char *words[] = {"parse",      "--data",  run->data->feed_path,
                           "--mode",     run->mode, "--repeat",
                           "1000000000", "--step",  NULL};
    struct mr_entry_command command;
    if (!mr_entry_command(run->entry, words, &command)) {
        return mr_trial_run_fail(run, MR_TRIAL_WRONG, "its command has too many words");
    }
    struct mr_process_plan plan = {
        .argv = command.argv,
        .folder = run->entry->contestant.folder,
        .environment = command.env,
        .cores = &run->race->cores.server,
        .in = {.kind = MR_STREAM_PIPE},
        .out = {.kind = MR_STREAM_PIPE},
    };
    int result = mr_process_start(&stepped->process, &plan, NULL);
    if (result != 0) {
        return mr_trial_run_fail(run, MR_TRIAL_WRONG, "%s cannot be started: %s", command.argv[0],
                                 strerror(-result));
    }
    stepped->started = true;
    run->pid = stepped->process.pid;
    mr_line_reader_init(&stepped->lines, stepped->process.out, stepped->line_bytes, LINE_BYTES);
    return MR_DRIVER_OK;
}

static enum mr_driver_result stepped_prepare(struct mr_trial_run *run)
{
    struct stepped *stepped = calloc(1, sizeof *stepped);
    if (stepped == NULL) {
        return mr_trial_run_fail(run, MR_TRIAL_EXCLUDED, "out of memory");
    }
    run->state = stepped;
    stepped->line_bytes = malloc(LINE_BYTES);
    stepped->pass_ns = calloc(2 * run->race->matrix.rules.steps, sizeof stepped->pass_ns[0]);
    stepped->outside_ns = calloc(2 * run->race->matrix.rules.steps, sizeof stepped->outside_ns[0]);
    stepped->ran_ns = calloc(run->race->matrix.rules.steps, sizeof stepped->ran_ns[0]);
    stepped->exec_ns = calloc(run->race->matrix.rules.steps, sizeof stepped->exec_ns[0]);
    if (mr_host_watch_prepare_in_turn(&stepped->host, run->race, &run->row->work) != 0) {
        mr_race_log(run->race, "trial %llu: the fixed work cannot be run before it",
                    (unsigned long long)run->trial.number);
    }
    if (stepped->line_bytes == NULL || stepped->pass_ns == NULL || stepped->outside_ns == NULL ||
        stepped->ran_ns == NULL || stepped->exec_ns == NULL) {
        return mr_trial_run_fail(run, MR_TRIAL_EXCLUDED, "out of memory");
    }
    run->observation.in_process = true;
    yyjson_mut_obj_add_bool(run->doc, run->details, "answers_checked",
                            strcmp(run->mode, "drain") != 0 && !mr_entry_is_part(run->entry));
    return start_process(run, stepped);
}

// Compares what a pass says with what the answers to the feed add up to.
static enum mr_driver_result check_pass(struct mr_trial_run *run, const char *line, size_t length,
                                        double *ns_out)
{
    yyjson_doc *doc = yyjson_read(line, length, YYJSON_READ_NOFLAG);
    yyjson_val *root = yyjson_doc_get_root(doc);
    const char *digest = yyjson_get_str(yyjson_obj_get(root, "digest"));
    char expected[17];
    (void)snprintf(expected, sizeof expected, "%016llx",
                   (unsigned long long)run->data->feed_digest);
    uint64_t records = yyjson_get_uint(yyjson_obj_get(root, "records"));
    uint64_t bytes = yyjson_get_uint(yyjson_obj_get(root, "bytes"));
    *ns_out = yyjson_get_num(yyjson_obj_get(root, "ns"));
    enum mr_driver_result result = MR_DRIVER_OK;
    bool unchecked = strcmp(run->mode, "drain") == 0 || mr_entry_is_part(run->entry);
    if (digest == NULL || !(*ns_out > 0)) {
        result = mr_trial_run_fail(run, MR_TRIAL_WRONG,
                                   "answers: this is no line of a pass: %.100s", line);
    } else if (!unchecked && (strcmp(digest, expected) != 0 || records != run->data->records ||
                              bytes != run->data->payload_bytes)) {
        result = mr_trial_run_fail(
            run, MR_TRIAL_WRONG,
            "answers: a pass gave %llu records, %llu bytes, digest %.16s; right are %llu, %llu, %s",
            (unsigned long long)records, (unsigned long long)bytes, digest,
            (unsigned long long)run->data->records, (unsigned long long)run->data->payload_bytes,
            expected);
    }
    if (result != MR_DRIVER_OK) {
        run->observation.answers = 0;
    }
    yyjson_doc_free(doc);
    return result;
}

static enum mr_driver_result process_ended(struct mr_trial_run *run, struct stepped *stepped)
{
    struct mr_process_end end;
    struct mr_patience patience = mr_race_patience(run->race, END_LIMIT_NS);
    if (mr_process_wait(&stepped->process, &patience, &end) != 0) {
        return mr_trial_run_fail(run, MR_TRIAL_WRONG, "it closed its output in mid-trial");
    }
    return mr_server_process_died(run, &end);
}

// What we and the contestant have waited for a core until now; nothing where that cannot be read,
// so that nothing is excused by it.
static uint64_t waited_ns(const struct mr_trial_run *run)
{
    return mr_proc_run_delay_ns(getpid()).value + mr_proc_run_delay_ns(run->pid).value;
}

// One pass: a line in, a line out.
static enum mr_driver_result pass(struct mr_trial_run *run, double *ns_out)
{
    struct stepped *stepped = run->state;
    struct mr_patience patience = mr_race_patience(run->race, PASS_MAX_NS);
    char *line = NULL;
    size_t length = 0;
    struct mr_reading before = mr_proc_exec_ns(run->pid);
    uint64_t waited_before_ns = waited_ns(run);
    uint64_t start_ns = mr_clock_ns();
    int result = mr_process_write(&stepped->process, "\n", 1, &patience);
    if (result == 0) {
        result = mr_line_reader_next(&stepped->lines, &patience, &line, &length);
    }
    if (result == -EINTR || (result == -ETIMEDOUT && mr_clock_ns() >= run->race->deadline_ns)) {
        return MR_DRIVER_INTERRUPTED;
    }
    if (result == -ETIMEDOUT) {
        return mr_trial_run_fail(run, MR_TRIAL_WRONG, "a pass took longer than %llu s",
                                 PASS_MAX_NS / MR_NS_PER_S);
    }
    if (result != 0) {
        return process_ended(run, stepped);
    }
    stepped->last_outside_ns = (double)(mr_clock_ns() - start_ns);
    double delay_ns = (double)waited_ns(run) - (double)waited_before_ns;
    stepped->last_ran_ns = fmax(0, stepped->last_outside_ns - fmax(0, delay_ns));
    struct mr_reading used = mr_reading_since(before, mr_proc_exec_ns(run->pid));
    stepped->last_exec_ns = used.known ? (double)used.value : NAN;
    return check_pass(run, line, length, ns_out);
}

static enum mr_driver_result stepped_warm(struct mr_trial_run *run)
{
    struct stepped *stepped = run->state;
    uint64_t end_ns = mr_clock_ns() +
                      mr_rules_warmup_ns(&run->race->matrix.rules, run->entry->contestant.managed);
    enum mr_driver_result result = pass(run, &stepped->first_ns);
    while (result == MR_DRIVER_OK && mr_clock_ns() < end_ns) {
        double ns;
        result = pass(run, &ns);
        if (result == MR_DRIVER_OK) {
            mr_warm_passes_add(&stepped->warm, ns);
        }
    }
    return result;
}

// The window is that of all of the row, from the first timed pass of this contestant to its last:
// what the others do meanwhile is not foreign to it.
static void begin_window(struct mr_trial_run *run)
{
    struct stepped *stepped = run->state;
    const struct mr_trial_row *row = run->row;
    pid_t others[MR_CELL_ENTRIES_MAX];
    size_t count = 0;
    for (size_t i = 0; i < row->runs_count; i++) {
        if (row->runs[i].pid != 0 && row->runs[i].pid != run->pid) {
            others[count++] = row->runs[i].pid;
        }
    }
    mr_host_watch_share(&stepped->host, others, count);
    mr_host_watch_begin(&stepped->host, run->pid, 0);
}

static enum mr_driver_result stepped_measure(struct mr_trial_run *run)
{
    struct stepped *stepped = run->state;
    double ns = NAN;
    if (stepped->passes == 0) {
        begin_window(run);
    }
    mr_own_turns_begin(&stepped->turns, run->pid);
    enum mr_driver_result result = pass(run, &ns);
    if (result != MR_DRIVER_OK) {
        return result;
    }
    mr_own_turns_end(&stepped->turns, run->pid);
    stepped->outside_ns[stepped->passes] = stepped->last_outside_ns;
    stepped->ran_ns[stepped->passes] = stepped->last_ran_ns;
    stepped->exec_ns[stepped->passes] = stepped->last_exec_ns;
    stepped->pass_ns[stepped->passes++] = ns;
    if (stepped->passes == run->race->matrix.rules.steps) {
        mr_host_watch_end(&stepped->host);
    }
    return MR_DRIVER_OK;
}

// A contestant times itself; what it says must fit what is seen from outside. Between its clock and
// ours lie two wake-ups, which a busy host may draw out to many milliseconds, so the quickest
// passes are compared: a host that is late for one of them is not late for all. Where it is, what
// either side waited for a core excuses the contestant: it slept through none of that by its own
// will. Long passes must fit by half, short ones at all.
#define LONG_PASS_NS         20e6
#define SHORT_SHARE_MIN      0.01
#define SHARE_OF_OUTSIDE_MIN 0.5

static double smallest(const double *values, size_t count)
{
    double least = INFINITY;
    for (size_t i = 0; i < count; i++) {
        least = fmin(least, values[i]);
    }
    return least;
}

static enum mr_driver_result check_times(struct mr_trial_run *run, struct stepped *stepped)
{
    double *scratch = stepped->outside_ns + run->race->matrix.rules.steps;
    double median_ns = mr_median(stepped->outside_ns, stepped->passes, scratch);
    double outside_ns = smallest(stepped->outside_ns, stepped->passes);
    double claimed_ns = smallest(stepped->pass_ns, stepped->passes);
    yyjson_mut_obj_add_real(run->doc, run->details, "outside_median_ns", median_ns);
    yyjson_mut_obj_add_real(run->doc, run->details, "outside_min_ns", outside_ns);
    double ran_ns = smallest(stepped->ran_ns, stepped->passes);
    yyjson_mut_obj_add_real(run->doc, run->details, "outside_without_waits_min_ns", ran_ns);
    double share_min = ran_ns >= LONG_PASS_NS ? SHARE_OF_OUTSIDE_MIN : SHORT_SHARE_MIN;
    if (claimed_ns > outside_ns || claimed_ns < share_min * ran_ns) {
        return mr_trial_run_fail(
            run, MR_TRIAL_WRONG,
            "its times do not fit: it says that its quickest pass took %.0f ns, from outside the "
            "quickest took %.0f ns, %.0f ns without waits for a core",
            claimed_ns, outside_ns, ran_ns);
    }
    return MR_DRIVER_OK;
}

static enum mr_driver_result stepped_verify(struct mr_trial_run *run)
{
    struct stepped *stepped = run->state;
    struct mr_proc_usage usage = {0};
    bool seen = mr_proc_usage_read(stepped->process.pid, &usage) == 0;
    const struct mr_stepped_passes timed = {
        .claimed_ns = stepped->pass_ns, .exec_ns = stepped->exec_ns, .count = stepped->passes};
    mr_stepped_figures(run, &timed, &stepped->warm);
    if (run->entry->contestant.managed) {
        run->observation.managed_warmup_ns =
            (double)mr_rules_warmup_ns(&run->race->matrix.rules, true);
    }
    double *scratch = stepped->pass_ns + run->race->matrix.rules.steps;
    double median_ns = mr_median(stepped->pass_ns, stepped->passes, scratch);
    double records = (double)run->data->records;
    struct mr_reading peak = usage.memory.peak_bytes;
    struct mr_metric metrics[] = {
        {"ns_per_record", "ns", false, median_ns / records},
        {"records_per_s", "records/s", true, records / median_ns * 1e9},
        {"payload_bytes_per_s", "bytes/s", true,
         (double)run->data->payload_bytes / median_ns * 1e9},
        {"first_pass_ns_per_record", "ns", false, stepped->first_ns / records},
        {"peak_rss_bytes", "bytes", false, seen && peak.known ? (double)peak.value : NAN},
    };
    for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++) {
        mr_trial_metric(&run->trial, metrics[i]);
    }
    enum mr_driver_result result = check_times(run, stepped);
    run->observation.answers = result == MR_DRIVER_OK;
    result = result == MR_DRIVER_OK ? mr_own_cores_check(run) : result;
    return result == MR_DRIVER_OK ? mr_own_turns_check(run, &stepped->turns) : result;
}

static enum mr_driver_result end_process(struct mr_trial_run *run, struct stepped *stepped)
{
    struct mr_process_end end;
    enum mr_process_stop stop;
    if (!stepped->process.running) {
        return MR_DRIVER_OK;
    }
    mr_process_close_in(&stepped->process);
    struct mr_patience patience = mr_patience_for(END_LIMIT_NS);
    if (mr_process_wait(&stepped->process, &patience, &end) != 0) {
        (void)!mr_process_stop(&stepped->process, MR_NS_PER_S, &end, &stop);
        return mr_trial_run_fail(run, MR_TRIAL_WRONG, "it did not end when its input ended");
    }
    if (!end.exited || end.exit_code != 0) {
        char text[64];
        mr_process_end_text(&end, text, sizeof text);
        return mr_trial_run_fail(run, MR_TRIAL_WRONG, "it ended with %s instead of exit code 0",
                                 text);
    }
    return MR_DRIVER_OK;
}

static enum mr_driver_result stepped_finish(struct mr_trial_run *run)
{
    struct stepped *stepped = run->state;
    if (stepped == NULL) {
        return MR_DRIVER_OK;
    }
    enum mr_driver_result result = MR_DRIVER_OK;
    if (stepped->started) {
        result = end_process(run, stepped);
        mr_process_fini(&stepped->process);
        run->pid = 0;
    }
    mr_host_watch_finish(&stepped->host, &run->observation, run->doc, run->details);
    free(stepped->line_bytes);
    free(stepped->pass_ns);
    free(stepped->outside_ns);
    free(stepped->ran_ns);
    free(stepped->exec_ns);
    free(stepped);
    run->state = NULL;
    return result;
}

const struct mr_driver mr_driver_stepped = {
    .name = "stepped",
    .interleaved = true,
    .prepare = stepped_prepare,
    .warm = stepped_warm,
    .measure = stepped_measure,
    .verify = stepped_verify,
    .finish = stepped_finish,
};
