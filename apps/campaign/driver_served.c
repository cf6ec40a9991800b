// driver_served.c: a trial of a server: the contestant in one process, the generator in another,
// each on its cores.
#include "driver.h"
#include "generator_figures.h"
#include "generator_words.h"
#include "host_watch.h"
#include "own_cores.h"
#include "served_figures.h"
#include "server_process.h"

#include "base/cli.h"
#include "base/clock.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// What the generator may take beyond warm-up, window and drain limit: opening data, connecting,
// STATS, KEPT.
#define GENERATOR_SLACK_NS (30 * MR_NS_PER_S)
#define LINE_BYTES         (64u << 10)

struct served {
    struct mr_server_process server;
    struct mr_process generator;
    bool generator_started;
    struct mr_line_reader lines;
    char *line_bytes;
    char result_path[PATH_MAX];
    char error_path[PATH_MAX];
    struct mr_json_file result; // of the generator
    struct mr_trial_fault fault;
    bool has_result;
    struct mr_host_watch host;
};

static enum mr_driver_result served_prepare(struct mr_trial_run *run)
{
    struct served *served = calloc(1, sizeof *served);
    char *line_bytes = malloc(LINE_BYTES);
    if (served == NULL || line_bytes == NULL) {
        free(served);
        free(line_bytes);
        return mr_trial_run_fail(run, MR_TRIAL_EXCLUDED, "out of memory");
    }
    served->line_bytes = line_bytes;
    run->state = served;
    run->observation.open_loop = mr_cell_load_is_open(run->load);
    if (mr_host_watch_prepare(&served->host, run->race) != 0) {
        mr_race_log(run->race, "trial %llu: the fixed work cannot be run before it",
                    (unsigned long long)run->trial.number);
    }
    return mr_server_process_start(run, &served->server);
}

static enum mr_driver_result start_generator(struct mr_trial_run *run, struct served *served)
{
    struct mr_generator_words words;
    (void)snprintf(served->result_path, sizeof served->result_path, "%s/generator.json",
                   run->race->folder);
    (void)snprintf(served->error_path, sizeof served->error_path, "%s/generator.stderr",
                   run->race->folder);
    if (!mr_generator_words(run, served->server.address, served->result_path, &words)) {
        return mr_trial_run_fail(run, MR_TRIAL_EXCLUDED, "its load has too many steps for a word");
    }
    (void)unlink(served->result_path);
    struct mr_process_plan plan = {
        .argv = words.argv,
        .cores = &run->race->cores.generator,
        .out = {.kind = MR_STREAM_PIPE},
        .err = {.kind = MR_STREAM_FILE, .path = served->error_path},
    };
    int result = mr_process_start(&served->generator, &plan, NULL);
    if (result != 0) {
        return mr_trial_run_fail(run, MR_TRIAL_EXCLUDED, "the generator cannot be started: %s",
                                 strerror(-result));
    }
    served->generator_started = true;
    mr_line_reader_init(&served->lines, served->generator.out, served->line_bytes, LINE_BYTES);
    return MR_DRIVER_OK;
}

// Reads the generator's result file, if it left one.
static void read_result(struct served *served)
{
    if (!served->has_result && access(served->result_path, R_OK) == 0) {
        served->has_result =
            mr_json_file_init(&served->result, served->result_path, &served->fault) == 0;
        if (!served->has_result) {
            mr_json_file_fini(&served->result);
        }
    }
}

// Whether the server is gone by itself: then that, not what the generator saw of it, is the reason.
static bool server_is_gone(struct mr_trial_run *run, struct served *served)
{
    struct mr_process_end end;
    struct mr_patience at_once = mr_race_patience(run->race, 100 * MR_NS_PER_MS);
    if (mr_process_wait(&served->server.process, &at_once, &end) != 0) {
        return false;
    }
    (void)mr_server_process_died(run, &end);
    return true;
}

// What the generator's result says of a failure; NULL and false where it left none.
struct failure {
    const char *gate; // that failed, where the contestant is to blame
    const char *why;
    bool never_connected;
};

static struct failure read_failure(struct served *served)
{
    struct failure said = {0};
    read_result(served);
    if (served->has_result) {
        yyjson_val *root = yyjson_doc_get_root(served->result.doc);
        said.gate = yyjson_get_str(yyjson_ptr_get(root, "/failure/gate"));
        said.why = yyjson_get_str(yyjson_ptr_get(root, "/failure/text"));
        said.never_connected = yyjson_equals_str(yyjson_obj_get(root, "verdict"), "failed") &&
                               yyjson_get_uint(yyjson_ptr_get(root, "/times/connected_ns")) == 0;
    }
    return said;
}

// The generator ended and not well: what it says of the contestant, or of itself, is the reason.
static enum mr_driver_result judge_failure(struct mr_trial_run *run, struct served *served,
                                           const struct mr_process_end *end)
{
    if (server_is_gone(run, served)) {
        return MR_DRIVER_FAILED;
    }
    struct failure said = read_failure(served);
    const char *why = said.why == NULL ? "it left no reason" : said.why;
    if (said.gate != NULL || (end->exited && end->exit_code == MR_EXIT_WRONG)) {
        return mr_trial_run_fail(run, MR_TRIAL_WRONG, "%s: %s",
                                 said.gate == NULL ? "answers" : said.gate, why);
    }
    if (said.never_connected) {
        return mr_trial_run_fail(run, MR_TRIAL_WRONG, "it says that it listens, but: %s", why);
    }
    char text[64];
    mr_process_end_text(end, text, sizeof text);
    return mr_trial_run_fail(run, MR_TRIAL_EXCLUDED, "the generator ended early (%s): %s", text,
                             why);
}

// Waits for the generator's end and judges it; OK only when it verified everything.
static enum mr_driver_result generator_end(struct mr_trial_run *run, struct served *served)
{
    struct mr_process_end end;
    struct mr_patience patience = mr_race_patience(run->race, 5 * MR_NS_PER_S);
    int waited = mr_process_wait(&served->generator, &patience, &end);
    if (waited != 0) {
        return waited == -EINTR
                   ? MR_DRIVER_INTERRUPTED
                   : mr_trial_run_fail(run, MR_TRIAL_EXCLUDED, "the generator hangs at its end");
    }
    // Where a benchmark switches checks off, the generator says that nothing is verified.
    int well = mr_cell_load_is_whole(run->load) ? MR_EXIT_OK : MR_EXIT_INCOMPLETE;
    if (!end.exited || end.exit_code != well) {
        return judge_failure(run, served, &end);
    }
    read_result(served);
    return served->has_result
               ? MR_DRIVER_OK
               : mr_trial_run_fail(run, MR_TRIAL_EXCLUDED, "the generator left no result: %s",
                                   served->fault.text);
}

// Waits for the generator's event `name`; other events pass by.
static enum mr_driver_result await_event(struct mr_trial_run *run, struct served *served,
                                         const char *name, uint64_t limit_ns)
{
    char wanted[64];
    (void)snprintf(wanted, sizeof wanted, "\"%s\"", name);
    struct mr_patience patience = mr_race_patience(run->race, limit_ns);
    for (;;) {
        char *line;
        size_t length;
        int result = mr_line_reader_next(&served->lines, &patience, &line, &length);
        if (result == 0 && strstr(line, wanted) != NULL) {
            return MR_DRIVER_OK;
        }
        if (result == -EINTR || (result == -ETIMEDOUT && mr_clock_ns() >= run->race->deadline_ns)) {
            return MR_DRIVER_INTERRUPTED;
        }
        if (result == -ETIMEDOUT) {
            return mr_trial_run_fail(run, MR_TRIAL_EXCLUDED,
                                     "the generator did not reach \"%s\" in time", name);
        }
        if (result != 0) {
            enum mr_driver_result ended = generator_end(run, served);
            return ended != MR_DRIVER_OK
                       ? ended
                       : mr_trial_run_fail(run, MR_TRIAL_EXCLUDED,
                                           "the generator ended without \"%s\"", name);
        }
    }
}

static enum mr_driver_result served_warm(struct mr_trial_run *run)
{
    struct served *served = run->state;
    enum mr_driver_result result = start_generator(run, served);
    if (result == MR_DRIVER_OK) {
        uint64_t warmup_ns =
            mr_rules_warmup_max_ns(&run->race->matrix.rules, run->entry->contestant.managed);
        result = await_event(run, served, "window_start", warmup_ns + GENERATOR_SLACK_NS);
    }
    if (result == MR_DRIVER_OK) {
        mr_host_watch_begin(&served->host, served->server.process.pid, served->generator.pid);
    }
    return result;
}

static enum mr_driver_result served_measure(struct mr_trial_run *run)
{
    struct served *served = run->state;
    uint64_t window_ns = mr_cell_load_window_ns(run->load, run->race->matrix.rules.window_ns);
    enum mr_driver_result result =
        await_event(run, served, "window_end", window_ns + GENERATOR_SLACK_NS);
    if (result == MR_DRIVER_OK) {
        mr_host_watch_end(&served->host);
        result = mr_own_cores_check(run);
    }
    return result;
}

static void add_figures(struct mr_trial_run *run, const struct served *served)
{
    yyjson_val *root = yyjson_doc_get_root(served->result.doc);
    // Where another process than the one we started serves, what we read of ours says nothing of
    // it.
    bool is_ours = yyjson_get_sint(yyjson_ptr_get(root, "/welcome/pid")) ==
                   (int64_t)served->server.process.pid;
    yyjson_mut_obj_add_bool(run->doc, run->details, "served_by_the_started_process", is_ours);
    const struct mr_window_use *use = &served->host.use;
    struct mr_served_seen seen = {.use = is_ours ? &use->process[MR_WATCHED_SERVER] : NULL,
                                  .wall_ns = use->wall_ns,
                                  .startup_ns = served->server.startup_ns,
                                  .cores = run->race->cores.server.count,
                                  .threads = run->cell->server_threads};
    mr_served_figures(&run->trial, &run->observation, root, &seen);
    if (run->entry->contestant.managed) {
        run->observation.managed_warmup_ns =
            (double)yyjson_get_uint(yyjson_ptr_get(root, "/times/window_start_ns")) -
            (double)yyjson_get_uint(yyjson_ptr_get(root, "/times/start_ns"));
    }
    mr_generator_figures(run, root);
}

static enum mr_driver_result served_verify(struct mr_trial_run *run)
{
    struct served *served = run->state;
    enum mr_driver_result result = await_event(
        run, served, "done", run->race->matrix.rules.drain_limit_ns + GENERATOR_SLACK_NS);
    if (result != MR_DRIVER_OK) {
        return result;
    }
    result = generator_end(run, served);
    if (result != MR_DRIVER_OK) {
        return result;
    }
    bool verified = mr_generator_verified(yyjson_doc_get_root(served->result.doc));
    run->observation.answers = verified ? 1 : NAN;
    add_figures(run, served);
    return MR_DRIVER_OK;
}

static enum mr_driver_result served_finish(struct mr_trial_run *run)
{
    struct served *served = run->state;
    if (served == NULL) {
        return MR_DRIVER_OK;
    }
    if (served->generator_started) {
        struct mr_process_end end;
        enum mr_process_stop stop;
        if (served->generator.running &&
            mr_process_stop(&served->generator, MR_NS_PER_S, &end, &stop) != 0) {
            mr_race_log(run->race, "trial %llu: the generator cannot be ended",
                        (unsigned long long)run->trial.number);
        }
        mr_process_fini(&served->generator);
        read_result(served);
    }
    enum mr_driver_result result = mr_server_process_end(run, &served->server);
    if (run->trial.outcome == MR_TRIAL_WRONG) {
        run->observation.answers = 0;
    } else if (run->trial.outcome == MR_TRIAL_EXCLUDED) {
        run->observation.answers = NAN; // an accident says nothing about them
    }
    mr_host_watch_finish(&served->host, &run->observation, run->doc, run->details);
    if (served->has_result) {
        mr_host_watch_see_loop(&run->observation, yyjson_doc_get_root(served->result.doc));
        yyjson_mut_obj_add_val(
            run->doc, run->details, "generator",
            yyjson_val_mut_copy(run->doc, yyjson_doc_get_root(served->result.doc)));
        mr_json_file_fini(&served->result);
    }
    (void)unlink(served->result_path);
    (void)unlink(served->error_path);
    free(served->line_bytes);
    free(served);
    run->state = NULL;
    return result;
}

const struct mr_driver mr_driver_served = {
    .name = "served",
    .interleaved = false,
    .prepare = served_prepare,
    .warm = served_warm,
    .measure = served_measure,
    .verify = served_verify,
    .finish = served_finish,
};
