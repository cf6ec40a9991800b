// doctor_cmd.c: the command `matchrace doctor`: reads every counter once and measures the host, in
// about three seconds.
#include "cmd.h"

#include "doctor.h"

#include "base/cli.h"
#include "base/clock.h"
#include "base/progress.h"
#include "host/cpu_quota.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WATCH_NS MR_NS_PER_S
#define STEPS    3u

static enum mr_cli_result parse_words(struct mr_doctor *doctor, int argc, char **argv)
{
    const struct mr_option table[] = {
        {"window", MR_OPTION_DURATION, &doctor->rules.window_ns, "TIME",
         "How long a trial's window is, for which the gates are looked at. Default: 8s.",
         MR_NS_PER_MS, 3600 * MR_NS_PER_S, NULL},
    };
    const struct mr_command command = {
        .name = "matchrace doctor",
        .summary = "say what this host can and cannot see of a race, and which gates it can judge",
        .options = table,
        .options_count = sizeof table / sizeof table[0],
        .notes = "Changes nothing; spins on all usable cores for a second. Exit codes: 0 ok; 1 "
                 "nobody can race here; 2 usage.\n",
        .examples = "  matchrace doctor\n"
                    "  matchrace doctor --window 2s\n",
    };
    const char *operands[1];
    size_t count;
    return mr_cli_parse(&command, argc, argv, operands, &count);
}

static int open_cores(struct mr_doctor *doctor)
{
    int result = mr_pin_allowed(&doctor->cores);
    if (result != 0) {
        return result;
    }
    mr_topology_read("", &doctor->cores, &doctor->topology);
    mr_assign(&doctor->topology, mr_cpu_quota_read(""), &doctor->assignment);
    if (doctor->cores.count > MR_CORE_USE_MAX) {
        doctor->cores.count = MR_CORE_USE_MAX;
    }
    return 0;
}

// The cores whose speed and sleep are measured: a trial's, or the only one.
static size_t choose_cores(const struct mr_doctor *doctor, unsigned cores_out[2])
{
    if (doctor->assignment.grade == MR_GRADE_NONE) {
        cores_out[0] = doctor->cores.core[0];
        return 1;
    }
    cores_out[0] = doctor->assignment.generator.core[0];
    cores_out[1] = doctor->assignment.server.core[0];
    return 2;
}

// A spinner on every core, with the counters read around it: what the spinners did is ours, and
// what else ran is foreign.
static void watch_pauses(struct mr_doctor *doctor)
{
    static struct mr_pause_watch watch[MR_CORE_USE_MAX];
    bool spins[MR_CORE_USE_MAX];
    const struct mr_cores none = {.count = 0};
    mr_window_watch_init(&doctor->window, "", &doctor->cores, &none);
    for (size_t i = 0; i < doctor->cores.count; i++) {
        spins[i] =
            mr_pause_watch_start(&watch[i], doctor->cores.core[i], MR_PAUSE_THRESHOLD_NS) == 0;
    }
    mr_window_watch_begin(&doctor->window, getpid(), getpid());
    mr_clock_sleep_until(mr_clock_ns() + WATCH_NS);
    mr_window_watch_end(&doctor->window);
    for (size_t i = 0; i < doctor->cores.count; i++) {
        if (spins[i]) {
            mr_pause_watch_stop(&watch[i], &doctor->pauses[i]);
        }
    }
    mr_window_watch_use(&doctor->window, &doctor->use);
    // Both watched processes are this one: its time counts once.
    const struct mr_foreign_parts parts = {
        .wall_ns = doctor->use.wall_ns,
        .cores = doctor->use.cores,
        .cores_count = doctor->use.cores_count,
        .own_ns = doctor->use.lab_exec_ns,
        .irq_is_measured = doctor->use.irq_is_measured,
        .stat_step_ns = mr_tick_ns(),
        .tasks_step_ns = mr_kernel_tick_ns(),
    };
    mr_foreign_work_out(&parts, &doctor->use.foreign);
}

static void measure(struct mr_doctor *doctor)
{
    unsigned cores[2];
    size_t count = choose_cores(doctor, cores);
    struct mr_progress progress;
    mr_progress_init(&progress, "looking at this host");
    mr_progress_say(&progress, "waiting and the clock");
    doctor->cost_known = mr_sleep_cost_measure(cores[0], &doctor->cost) == 0;
    mr_progress_show(&progress, 1, STEPS);
    mr_progress_say(&progress, "fixed work");
    doctor->probe_known = mr_probe_set_calibrate(&doctor->probe, cores, count, MR_PROBE_WORK_NS,
                                                 MR_PROBE_REPEATS) == 0;
    mr_progress_show(&progress, 2, STEPS);
    mr_progress_say(&progress, "pauses");
    watch_pauses(doctor);
    mr_progress_fini(&progress);
}

int mr_doctor_main(int argc, char **argv)
{
    struct mr_doctor *doctor = calloc(1, sizeof *doctor);
    if (doctor == NULL) {
        (void)fprintf(stderr, "matchrace doctor: out of memory\n");
        return MR_EXIT_ENVIRONMENT;
    }
    mr_rules_default(&doctor->rules);
    doctor->rules.window_ns = 8 * MR_NS_PER_S;
    enum mr_cli_result parsed = parse_words(doctor, argc, argv);
    if (parsed != MR_CLI_RUN) {
        free(doctor);
        return parsed == MR_CLI_DONE ? MR_EXIT_OK : MR_EXIT_USAGE;
    }
    int result = open_cores(doctor);
    int exit_code = MR_EXIT_ENVIRONMENT;
    if (result != 0) {
        (void)fprintf(stderr, "matchrace doctor: the usable cores cannot be read: %s\n",
                      strerror(-result));
    } else {
        measure(doctor);
        mr_doctor_print(stdout, doctor);
        exit_code = doctor->assignment.grade == MR_GRADE_NONE ? MR_EXIT_ENVIRONMENT : MR_EXIT_OK;
    }
    free(doctor);
    return exit_code;
}
