// server_process.c: see server_process.h.
#include "server_process.h"

#include "base/clock.h"
#include "base/text.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

void mr_process_end_text(const struct mr_process_end *end, char *text_out, size_t capacity)
{
    struct mr_text text = mr_text_init(text_out, capacity);
    if (end->exited) {
        mr_text_printf(&text, "exit code %d", end->exit_code);
    } else {
        mr_text_printf(&text, "signal %d", end->signal);
    }
}

// What the server wrote to standard error last, for the reason of a failure: ": " and a line, or
// "".
static void last_error_line(struct mr_server_process *server, char *line_out, size_t capacity)
{
    char line[256];
    mr_error_keeper_stop(&server->errors);
    mr_error_keeper_last_line(&server->errors, line, sizeof line);
    (void)snprintf(line_out, capacity, "%s%s", line[0] != '\0' ? ": " : "", line);
}

static enum mr_driver_result launch(struct mr_trial_run *run, struct mr_server_process *server)
{
    char threads[24];
    (void)snprintf(threads, sizeof threads, "%llu", (unsigned long long)run->cell->server_threads);
    char dose[24];
    (void)snprintf(dose, sizeof dose, "%llu", (unsigned long long)run->dose_ppm);
    // A switch of lib/serve and its like; the contract knows none, so others are not given it.
    const char *words[] = {
        "serve",   "--listen",  "127.0.0.1:0", "--mode",
        run->mode, "--threads", threads,       run->dose_ppm > 0 ? "--dose-ppm" : NULL,
        dose,      NULL};
    struct mr_entry_command command;
    if (!mr_entry_command(run->entry, words, &command)) {
        return mr_trial_run_fail(run, MR_TRIAL_WRONG, "its command has too many words");
    }
    struct mr_process_plan plan = {
        .argv = command.argv,
        .folder = run->entry->contestant.folder,
        .environment = command.env,
        .cores = &run->race->cores.server,
        .out = {.kind = MR_STREAM_PIPE},
        .err = {.kind = MR_STREAM_PIPE},
    };
    enum mr_process_stage stage;
    int result = mr_process_start(&server->process, &plan, &stage);
    if (result != 0) {
        return mr_trial_run_fail(run, MR_TRIAL_WRONG, "%s %s: %s", command.argv[0],
                                 mr_process_stage_text(stage), strerror(-result));
    }
    server->started = true;
    result = mr_error_keeper_start(&server->errors, server->process.err);
    if (result != 0) {
        return mr_trial_run_fail(run, MR_TRIAL_EXCLUDED,
                                 "the server's standard error cannot be read: %s",
                                 strerror(-result));
    }
    return MR_DRIVER_OK;
}

static enum mr_driver_result ended_before_ready(struct mr_trial_run *run,
                                                struct mr_server_process *server)
{
    struct mr_process_end end;
    struct mr_patience patience = mr_race_patience(run->race, MR_SERVER_STOP_NS);
    char line[260];
    last_error_line(server, line, sizeof line);
    if (mr_process_wait(&server->process, &patience, &end) != 0) {
        return mr_trial_run_fail(run, MR_TRIAL_WRONG,
                                 "it closed its output without saying where it listens%s", line);
    }
    if (!end.exited && end.signal == SIGKILL) {
        return mr_server_process_died(run, &end);
    }
    char text[64];
    mr_process_end_text(&end, text, sizeof text);
    return mr_trial_run_fail(run, MR_TRIAL_WRONG, "it ended (%s) before it listened%s", text, line);
}

enum mr_driver_result mr_server_process_start(struct mr_trial_run *run,
                                              struct mr_server_process *server)
{
    uint64_t start_ns = mr_clock_ns();
    enum mr_driver_result launched = launch(run, server);
    if (launched != MR_DRIVER_OK) {
        return launched;
    }
    mr_line_reader_init(&server->lines, server->process.out, server->line_bytes,
                        sizeof server->line_bytes);
    struct mr_patience patience = mr_race_patience(run->race, MR_SERVER_START_NS);
    char *line;
    size_t length;
    int result = mr_line_reader_next(&server->lines, &patience, &line, &length);
    server->startup_ns = mr_clock_ns() - start_ns;
    if (result == -EINTR || (result == -ETIMEDOUT && mr_clock_ns() >= run->race->deadline_ns)) {
        return MR_DRIVER_INTERRUPTED;
    }
    if (result == -ETIMEDOUT) {
        return mr_trial_run_fail(run, MR_TRIAL_WRONG,
                                 "it did not say where it listens within %llu s",
                                 MR_SERVER_START_NS / MR_NS_PER_S);
    }
    if (result != 0) {
        return ended_before_ready(run, server);
    }
    static const char prefix[] = "listening ";
    const char *colon = strrchr(line, ':');
    bool has_port =
        colon != NULL && colon[1] != '\0' && strspn(colon + 1, "0123456789") == strlen(colon + 1);
    if (strncmp(line, prefix, sizeof prefix - 1) != 0 || length >= sizeof server->address ||
        !has_port) {
        return mr_trial_run_fail(run, MR_TRIAL_WRONG,
                                 "its first line is not \"listening HOST:PORT\" but \"%.60s\"",
                                 line);
    }
    memcpy(server->address, line + sizeof prefix - 1, length - (sizeof prefix - 1) + 1);
    return MR_DRIVER_OK;
}

enum mr_driver_result mr_server_process_died(struct mr_trial_run *run,
                                             const struct mr_process_end *end)
{
    char text[64];
    mr_process_end_text(end, text, sizeof text);
    if (!end->exited && end->signal == SIGKILL) {
        return mr_trial_run_fail(run, MR_TRIAL_EXCLUDED,
                                 "the server was killed from outside in mid-trial (%s)", text);
    }
    return mr_trial_run_fail(run, MR_TRIAL_WRONG, "the server ended in mid-trial (%s)", text);
}

static void add_end(struct mr_trial_run *run, const struct mr_process_end *end,
                    enum mr_process_stop stop)
{
    static const char *const stops[] = {"by itself", "SIGTERM", "SIGKILL"};
    yyjson_mut_val *object = yyjson_mut_obj_add_obj(run->doc, run->details, "server_end");
    yyjson_mut_obj_add_str(run->doc, object, "by", stops[stop]);
    yyjson_mut_obj_add_int(run->doc, object, "exit_code", end->exited ? end->exit_code : -1);
    yyjson_mut_obj_add_int(run->doc, object, "signal", end->exited ? 0 : end->signal);
    yyjson_mut_obj_add_uint(run->doc, object, "user_ns", end->user_ns);
    yyjson_mut_obj_add_uint(run->doc, object, "system_ns", end->system_ns);
    yyjson_mut_obj_add_uint(run->doc, object, "minor_faults", end->minor_faults);
    yyjson_mut_obj_add_uint(run->doc, object, "major_faults", end->major_faults);
    yyjson_mut_obj_add_uint(run->doc, object, "voluntary_switches", end->voluntary_switches);
    yyjson_mut_obj_add_uint(run->doc, object, "involuntary_switches", end->involuntary_switches);
}

enum mr_driver_result mr_server_process_end(struct mr_trial_run *run,
                                            struct mr_server_process *server)
{
    enum mr_driver_result result = MR_DRIVER_OK;
    struct mr_process_end end;
    enum mr_process_stop stop;
    // Who is ended while it still starts has not promised anything about SIGTERM yet.
    bool was_ready = server->address[0] != '\0';
    if (server->started && server->process.running) {
        int stopped = mr_process_stop(&server->process, MR_SERVER_STOP_NS, &end, &stop);
        char text[64];
        if (stopped != 0) {
            result = mr_trial_run_fail(run, MR_TRIAL_WRONG, "the server cannot be ended: %s",
                                       strerror(-stopped));
        } else {
            add_end(run, &end, stop);
            mr_process_end_text(&end, text, sizeof text);
            if (stop == MR_STOP_BY_ITSELF) {
                result = mr_server_process_died(run, &end);
            } else if (stop == MR_STOP_BY_KILL) {
                result = mr_trial_run_fail(run, MR_TRIAL_WRONG,
                                           "the server did not end within 2 s of SIGTERM");
            } else if (was_ready && (!end.exited || end.exit_code != 0)) {
                result = mr_trial_run_fail(
                    run, MR_TRIAL_WRONG,
                    "the server ended with %s on SIGTERM instead of exit code 0", text);
            }
        }
    }
    if (server->started) {
        mr_error_keeper_stop(&server->errors);
        mr_process_fini(&server->process);
    }
    return result;
}
