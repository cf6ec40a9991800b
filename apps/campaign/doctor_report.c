// doctor_report.c: the tables of `matchrace doctor`.
#include "doctor.h"

#include <math.h>

// One counter: what it is, whether it can be read here, how fine it is, and what needs it.
struct row {
    const char *counter;
    bool readable;
    char step[32];
    const char *gate;
};

#define ROWS_MAX 24

struct table {
    struct row row[ROWS_MAX];
    size_t count;
};

static const char none[] = "recorded only";

static void time_text(char *text_out, size_t capacity, double ns)
{
    if (ns < 1e3) {
        (void)snprintf(text_out, capacity, "%.0f ns", ns);
    } else if (ns < 1e6) {
        (void)snprintf(text_out, capacity, "%.1f us", ns / 1e3);
    } else {
        (void)snprintf(text_out, capacity, "%.1f ms", ns / 1e6);
    }
}

static void add(struct table *table, const char *counter, bool readable, const char *step,
                const char *gate)
{
    struct row *row = &table->row[table->count++];
    *row = (struct row){.counter = counter, .readable = readable, .gate = gate};
    (void)snprintf(row->step, sizeof row->step, "%s", readable ? step : "-");
}

static void add_process_rows(struct table *table, const struct mr_doctor *doctor)
{
    const struct mr_process_use *use = &doctor->use.process[MR_WATCHED_SERVER];
    char tick[32];
    time_text(tick, sizeof tick, (double)mr_tick_ns());
    add(table, "CPU time of a process", use->exec_ns.known, "1 ns", "nothing_else_ran");
    add(table, "CPU time of its threads", use->threads.exec_ns.known, "1 ns", none);
    add(table, "their wait for a core", use->threads.run_delay_ns.known, "1 ns", none);
    add(table, "their involuntary switches", use->threads.involuntary_switches.known, "1", none);
    add(table, "user and system time (samples)", use->user_ns.known, tick, none);
    add(table, "page faults, minor and major", use->major_faults.known, "1", "machine_unchanged");
    add(table, "peak of memory, set back", use->peak_reset && use->memory.peak_bytes.known,
        "1 page", none);
    add(table, "memory of mapped files apart", use->memory.file_bytes.known, "1 page", none);
}

static void add_host_rows(struct table *table, const struct mr_doctor *doctor)
{
    const struct mr_window_use *use = &doctor->use;
    const struct mr_core_use *core = &use->cores[0];
    char tick[32];
    char kernel_tick[32];
    time_text(tick, sizeof tick, (double)mr_tick_ns());
    time_text(kernel_tick, sizeof kernel_tick, (double)mr_kernel_tick_ns());
    add(table, "all threads of a core (cpuacct)", core->tasks_ns.known, kernel_tick,
        "nothing_else_ran");
    add(table, "busy and idle of a core (ticks)", core->idle_ns.known, tick,
        core->tasks_ns.known ? none : "nothing_else_ran");
    add(table, "steal of a core", core->steal_ns.known, tick,
        core->tasks_ns.known ? none : "nothing_else_ran");
    add(table,
        use->irq_is_measured ? "softirq of a core (measured)" : "softirq of a core (samples)",
        core->softirq_ns.known, tick,
        use->irq_is_measured && !core->tasks_ns.known ? "nothing_else_ran" : none);
    add(table, "ksoftirqd of a core", core->ksoftirqd_ns.known, "1 ns", "nothing_else_ran");
    add(table, "frequency of a core", core->frequency_khz.known, "1 kHz", none);
    add(table, "memory of TCP buffers", use->tcp_end_bytes.known, "1 page", none);
    add(table, "swapped pages", use->swapped_pages.known, "1", "machine_unchanged");
    add(table, "throttling by a quota", use->throttled_ns.known, "1 us", "machine_unchanged");
}

static void print_counters(FILE *file, const struct mr_doctor *doctor)
{
    struct table table = {.count = 0};
    add_process_rows(&table, doctor);
    add_host_rows(&table, doctor);
    (void)fprintf(file, "What can be read\n  %-32s %-12s %-8s %s\n", "counter", "readable", "step",
                  "gate that needs it");
    for (size_t i = 0; i < table.count; i++) {
        const struct row *row = &table.row[i];
        (void)fprintf(file, "  %-32s %-12s %-8s %s\n", row->counter,
                      row->readable ? "yes" : "unavailable", row->step, row->gate);
    }
}

static void print_gate(FILE *file, const char *gate, bool judged, const char *why)
{
    (void)fprintf(file, "  %-20s %-12s %s\n", gate, judged ? "judged" : "unavailable", why);
}

// By the rule of docs/MEASURING.md: a step of more than a quarter of the threshold tells nothing.
static void print_nothing_else_ran(FILE *file, const struct mr_doctor *doctor)
{
    const struct mr_foreign *foreign = &doctor->use.foreign;
    double limit = doctor->rules.gates.foreign_share_max;
    double step_ns =
        (double)(foreign->source == MR_FOREIGN_TASKS ? mr_kernel_tick_ns() : mr_tick_ns());
    double share = step_ns / (double)doctor->rules.window_ns;
    char text[200];
    if (foreign->source == MR_FOREIGN_UNAVAILABLE) {
        print_gate(file, "nothing_else_ran", false, "no counter tells what else ran on a core");
        return;
    }
    bool fine = share <= limit / 4;
    (void)snprintf(text, sizeof text,
                   "by %s: a step is %.3f %% of the window, a quarter of the limit %.3f %%",
                   mr_foreign_source_name(foreign->source), 100 * share, 100 * limit / 4);
    print_gate(file, "nothing_else_ran", fine, text);
    if (!fine) {
        (void)fprintf(file, "  %-33s it could be judged from windows of %.1f s on\n", "",
                      4 * step_ns / limit / 1e9);
    }
}

// By the gate's own rule: where the fixed work itself scatters by too much, a change beyond the
// least limit cannot be told from noise.
static void print_machine_unchanged(FILE *file, const struct mr_doctor *doctor)
{
    const struct mr_gate_rules *rules = &doctor->rules.gates;
    double spread = doctor->probe.spread;
    double noise = rules->machine_spread_factor * spread;
    bool quiet = noise <= rules->machine_noise_max;
    char text[200];
    if (!doctor->probe_known) {
        (void)snprintf(text, sizeof text, "fixed work cannot be run on those cores");
    } else if (quiet) {
        (void)snprintf(text, sizeof text, "fixed work varies by %.2f %% here; the limit is %.2f %%",
                       100 * spread, 100 * fmax(rules->machine_change_max, noise));
    } else {
        (void)snprintf(text, sizeof text,
                       "fixed work varies by %.2f %% here: a change of more than %.2f %% is noise",
                       100 * spread, 100 * rules->machine_change_max);
    }
    print_gate(file, "machine_unchanged", doctor->probe_known && quiet, text);
    if (doctor->probe_known && !quiet) {
        (void)fprintf(file,
                      "  %-33s it could be judged where it varies by %.2f %% at most: quieten the "
                      "machine first\n",
                      "", 100 * rules->machine_noise_max / rules->machine_spread_factor);
    }
}

static void print_gates(FILE *file, const struct mr_doctor *doctor)
{
    (void)fprintf(file, "\nGates of the host in windows of %.4g s\n",
                  (double)doctor->rules.window_ns / 1e9);
    print_nothing_else_ran(file, doctor);
    bool spare = doctor->assignment.spare.count > 0;
    print_gate(file, "host_did_not_pause", doctor->assignment.grade != MR_GRADE_NONE,
               spare ? "a spinner on the spare core is the watch"
                     : "no core is spare: the generator's own loop is the watch");
    print_machine_unchanged(file, doctor);
}

static void print_overshoot(FILE *file, const char *what, const struct mr_overshoot *late)
{
    (void)fprintf(file, "  %-32s p50 %.1f us, p99 %.1f us, longest %.1f us\n", what,
                  (double)late->p50_ns / 1e3, (double)late->p99_ns / 1e3,
                  (double)late->max_ns / 1e3);
}

static void print_waiting(FILE *file, const struct mr_doctor *doctor)
{
    (void)fprintf(file, "\nMeasured now\n");
    if (!doctor->cost_known) {
        (void)fprintf(file, "  %-32s unavailable\n", "clock and sleep");
        return;
    }
    (void)fprintf(file, "  %-32s %.0f ns\n", "a look at the clock", doctor->cost.clock_ns);
    print_overshoot(file, "sleep, late by", &doctor->cost.sleep);
    print_overshoot(file, "sleep and spin 100 us, late by", &doctor->cost.spin);
}

static void print_foreign(FILE *file, const struct mr_doctor *doctor)
{
    const struct mr_foreign *foreign = &doctor->use.foreign;
    if (foreign->source == MR_FOREIGN_UNAVAILABLE) {
        (void)fprintf(file, "  %-32s unavailable\n", "what else ran, in a second");
        return;
    }
    (void)fprintf(file, "  %-32s %.2f %% of the cores (limit in a race: %.2f %%)\n",
                  "what else ran, in a second", 100 * foreign->share,
                  100 * doctor->rules.gates.foreign_share_max);
}

static void print_core(FILE *file, const struct mr_doctor *doctor, size_t i)
{
    const struct mr_pauses *pauses = &doctor->pauses[i];
    const struct mr_core_use *core = &doctor->use.cores[i];
    char steal[32] = "unavailable";
    if (core->steal_ns.known) {
        (void)snprintf(steal, sizeof steal, "%.0f ms", (double)core->steal_ns.value / 1e6);
    }
    if (pauses->begin_ns == 0) {
        (void)fprintf(file, "  core %-4u %8s %12s %12s %12s\n", core->core, "-", "unavailable", "-",
                      steal);
        return;
    }
    double watched_ns = (double)(pauses->last_ns - pauses->begin_ns);
    (void)fprintf(file, "  core %-4u %8llu %9.1f ms %10.2f %% %12s\n", core->core,
                  (unsigned long long)pauses->count, (double)pauses->longest_ns / 1e6,
                  100 * (double)pauses->total_ns / watched_ns, steal);
}

void mr_doctor_print(FILE *file, const struct mr_doctor *doctor)
{
    print_counters(file, doctor);
    print_gates(file, doctor);
    print_waiting(file, doctor);
    print_foreign(file, doctor);
    (void)fprintf(file,
                  "\nPauses in a second on each core, of 20 us and more\n  %-9s %8s %12s %12s "
                  "%12s\n",
                  "", "count", "longest", "share", "steal");
    for (size_t i = 0; i < doctor->use.cores_count; i++) {
        print_core(file, doctor, i);
    }
}
