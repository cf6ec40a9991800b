// load_options.c: see load_options.h.
#include "load_options.h"

#include "hdr_intervals.h"
#include "load_plan.h"
#include "recorder.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Requests in flight over all connections, some 300 bytes each.
#define IN_FLIGHT_MAX (1u << 20)

// What the counts of an interval log may take over all threads.
#define INTERVALS_BYTES_MAX (1ull << 30)

static const char *const mode_choices[] = {"drain", "totals", "keep", "fresh", NULL};
static const char *const plan_choices[] = {"closed", "open", "poisson", "bursts", "steps", NULL};

static const char examples[] =
    "  matchrace load --connect 127.0.0.1:7000 --data out/data/simple\n"
    "      as fast as the server answers: 16 connections, 4 batches in flight each\n"
    "  matchrace load --connect 127.0.0.1:7000 --data out/data/messy --plan open --rate 2000 \\\n"
    "      --warmup 3s --window 10s --out load.json\n"
    "      2000 batches a second whatever the server does; latency from the moment each was due\n"
    "  matchrace load --connect 127.0.0.1:7000 --data out/data/simple --plan poisson --rate 2000\n"
    "      the same on average, at random moments, as independent users send; --seed repeats them\n"
    "  matchrace load --connect 127.0.0.1:7000 --data out/data/simple --plan bursts --burst 64 \\\n"
    "      --period 100ms --window 5s\n"
    "      64 batches at once, ten times a second\n"
    "  matchrace load --connect 127.0.0.1:7000 --data out/data/simple --plan steps \\\n"
    "      --steps 1000:2s,1000-9000:10s,1000:2s\n"
    "      2 s at 1000 batches a second, a ramp of 10 s up to 9000, and 2 s at 1000 again\n"
    "  matchrace load --connect 127.0.0.1:7000 --data out/data/simple --mode drain --threads 2 \\\n"
    "      --cores 2,3\n"
    "      the ceiling of a server's socket code, from two pinned threads\n";

static const char notes[] =
    "A percentile file is drawn by HdrHistogram's plotters, or by gnuplot:\n"
    "  gnuplot -e \"set terminal svg; set logscale x; plot 'FILE' using 4:1 with lines\" "
    ">curve.svg\n"
    "An interval log holds latency (closed loop: round trips) untagged, service_time and lateness\n"
    "under their tags, for HistogramLogProcessor and the other readers of its format 1.3.\n"
    "Every reply is verified while timed, no two batches are alike, and STATS and KEPT must agree\n"
    "at the end. The first thing that does not ends the run.\n"
    "All plans but closed fix beforehand when each batch is due: a server that stops makes the\n"
    "queue grow, nothing is left out, and latency counts from when a batch was due.\n"
    "With --events one JSON line an event goes to standard output: connected, window_start,\n"
    "window_end, drained, done.\n"
    "Gates, for --without-gate: answers, early, lost, stats, kept, protocol. It is there to prove\n"
    "that a gate is needed: without it the lie gets through. Such a run is never verified.\n"
    "Exit codes: 0 verified; 1 the server cannot be reached or stopped answering, or a file is\n"
    "unusable; 2 usage; 3 wrong answers; 5 not verified (--without-gate, --no-verify, "
    "--no-record,\n"
    "--same-batches, --null-sender); 130/143 after SIGINT/SIGTERM (the result file says\n"
    "\"interrupted\").\n";

bool mr_load_split_address(const char *text, char host_out[256], char port_out[8])
{
    const char *colon = strrchr(text, ':');
    if (colon == NULL || colon == text || colon[1] == '\0' || strlen(colon + 1) > 5 ||
        strspn(colon + 1, "0123456789") != strlen(colon + 1)) {
        return false;
    }
    size_t host_bytes = (size_t)(colon - text);
    if (text[0] == '[') {
        if (host_bytes < 3 || text[host_bytes - 1] != ']') {
            return false;
        }
        text++;
        host_bytes -= 2;
    } else if (memchr(text, ':', host_bytes) != NULL) {
        return false;
    }
    unsigned long port = strtoul(colon + 1, NULL, 10);
    if (host_bytes >= 256 || port == 0 || port > 65535) {
        return false;
    }
    memcpy(host_out, text, host_bytes);
    host_out[host_bytes] = '\0';
    (void)snprintf(port_out, 8, "%lu", port);
    return true;
}

static bool wrong(const char *what)
{
    (void)fprintf(stderr, "matchrace load: %s (see matchrace load --help)\n", what);
    return false;
}

// Words that are looked up once the command line is read.
struct words {
    const char *mode;
    const char *plan;
    const char *steps;
    const char *cores;
    const char *gates_off;
};

static bool check_steps(const char *text, struct mr_plan_steps *steps)
{
    const char *fault = text == NULL ? NULL : mr_plan_steps_parse(text, steps);
    if (fault == NULL) {
        return true;
    }
    char what[MR_LOAD_WHY_BYTES];
    (void)snprintf(what, sizeof what, "--steps '%s' %s", text, fault);
    return wrong(what);
}

// Whether the interval log's counts fit into the memory that they may take.
static bool check_intervals(const struct mr_load_options *options)
{
    uint64_t bytes = mr_intervals_bytes(options->window_ns + options->drain_limit_ns,
                                        mr_recorder_interval_series(options->plan));
    return options->hdr_log == NULL || bytes <= INTERVALS_BYTES_MAX / options->threads ||
           wrong("--hdr-log takes 132 KiB a second of --window and --drain-limit for each series "
                 "(3, closed 1) and thread, and 1 GiB is the limit: shorten them");
}

static bool check_gates(struct mr_load_options *options, const char *gates_off)
{
    const char *unknown;
    if (gates_off == NULL || mr_load_gates_off_parse(gates_off, &options->gates_off, &unknown)) {
        return true;
    }
    (void)fprintf(stderr,
                  "matchrace load: --without-gate: there is no gate '%.*s'; there are: answers, "
                  "early, lost, stats, kept, protocol\n",
                  (int)strcspn(unknown, ","), unknown);
    return false;
}

static bool check(struct mr_load_options *options, const struct words *words)
{
    if (options->connect == NULL) {
        return wrong("--connect HOST:PORT is missing: where does the server listen?");
    }
    if (options->data == NULL) {
        return wrong("--data NAME is missing: make a dataset with matchrace data make");
    }
    if (!mr_load_split_address(options->connect, options->host, options->port)) {
        return wrong("--connect is not HOST:PORT, as in 127.0.0.1:7000 or [::1]:7000");
    }
    if (words->cores != NULL && mr_cores_parse(words->cores, &options->cores) != 0) {
        return wrong("--cores is not a list of cores, as in 1 or 2,3 or 2-5");
    }
    char why[MR_LOAD_WHY_BYTES];
    if (!check_steps(words->steps, &options->steps)) {
        return false;
    }
    if (!mr_load_plan_check(options, why)) {
        return wrong(why);
    }
    if (options->null_sender && options->plan != MR_PLAN_CLOSED) {
        return wrong("--null-sender knows no due times: say --plan closed");
    }
    if (mr_load_may_warm_on(options) &&
        (options->plan != MR_PLAN_CLOSED || mr_load_is_reduced(options))) {
        return wrong("--warmup-max goes by throughput: it needs --plan closed and a run that is "
                     "verified and recorded");
    }
    if (options->connections * options->depth > IN_FLIGHT_MAX) {
        return wrong("--connections times --depth is more than 1048576 batches in flight");
    }
    if (options->threads > options->connections) {
        return wrong("--threads is larger than --connections: a thread would have nothing to do");
    }
    if (options->in_flight != 0 && options->in_flight < options->threads) {
        return wrong("--in-flight is smaller than --threads: a thread could send nothing");
    }
    return check_intervals(options);
}

static void set_defaults(struct mr_load_options *options)
{
    *options = (struct mr_load_options){
        .connections = 16,
        .depth = 4,
        .threads = 1,
        .seed = 1,
        .warmup_ns = MR_NS_PER_S,
        .drain_limit_ns = 5 * MR_NS_PER_S,
        .stall_limit_ns = 10 * MR_NS_PER_S,
        .spin_ns = 100 * MR_NS_PER_US,
        .times_max = 1000000,
    };
}

#define OPTIONS_MAX 48

static size_t list_load(struct mr_load_options *o, struct words *words, struct mr_option *list)
{
    const struct mr_option options[] = {
        {"connect", MR_OPTION_TEXT, &o->connect, "HOST:PORT", "The server.", 0, 0, NULL},
        {"data", MR_OPTION_TEXT, &o->data, "NAME",
         "The dataset, without .batches: its answers and edits stand beside it.", 0, 0, NULL},
        {"mode", MR_OPTION_CHOICE, &words->mode, "MODE", "What the server was started with; keep.",
         0, 0, mode_choices},
        {"plan", MR_OPTION_CHOICE, &words->plan, "PLAN",
         "When batches are due. closed: whenever fewer than --depth are in flight; open: at "
         "--rate, evenly; poisson: at --rate, at random; bursts: --burst every --period; steps: "
         "see --steps; closed.",
         0, 0, plan_choices},
        {"connections", MR_OPTION_COUNT, &o->connections, "N", "Connections; 16.", 1, 65536, NULL},
        {"depth", MR_OPTION_COUNT, &o->depth, "N", "Most batches in flight on each connection; 4.",
         1, 4096, NULL},
        {"in-flight", MR_OPTION_COUNT, &o->in_flight, "N",
         "Most batches in flight over all connections; no limit but --depth.", 1, IN_FLIGHT_MAX,
         NULL},
        {"seed", MR_OPTION_COUNT, &o->seed, "N",
         "Of the order of the batches, and of --plan poisson; 1.", 0, UINT64_MAX, NULL},
        {"warmup", MR_OPTION_DURATION, &o->warmup_ns, "TIME", "Load before the window; 1s.", 0,
         3600 * MR_NS_PER_S, NULL},
        {"warmup-max", MR_OPTION_DURATION, &o->warmup_max_ns, "TIME",
         "For servers that compile while they run, --plan closed: load goes on beyond --warmup "
         "until "
         "three seconds pass in which nothing was compiled (STATS) and throughput was flat, for so "
         "long at most; as --warmup.",
         0, 3600 * MR_NS_PER_S, NULL},
        {"window", MR_OPTION_DURATION, &o->window_ns, "TIME",
         "What is measured; 0.7s, or the steps' time.", MR_NS_PER_MS, 3600 * MR_NS_PER_S, NULL},
        {"drain-limit", MR_OPTION_DURATION, &o->drain_limit_ns, "TIME",
         "How long after the window answers count; later ones are censored; 5s.", MR_NS_PER_MS,
         3600 * MR_NS_PER_S, NULL},
        {"stall-limit", MR_OPTION_DURATION, &o->stall_limit_ns, "TIME",
         "Without any reply for so long the run ends; 10s.", 10 * MR_NS_PER_MS, 3600 * MR_NS_PER_S,
         NULL},
    };
    memcpy(list, options, sizeof options);
    return sizeof options / sizeof options[0];
}

static size_t list_plan(struct mr_load_options *o, struct words *words, struct mr_option *list)
{
    const struct mr_option options[] = {
        {"rate", MR_OPTION_COUNT, &o->rate_per_s, "N",
         "Batches a second over all connections, for --plan open and poisson.", 1, MR_PLAN_RATE_MAX,
         NULL},
        {"burst", MR_OPTION_COUNT, &o->burst_batches, "N",
         "Batches due at once over all connections, for --plan bursts.", 1, MR_PLAN_BURST_MAX,
         NULL},
        {"period", MR_OPTION_DURATION, &o->period_ns, "TIME",
         "From one burst to the next; --window is a whole number of them.", MR_NS_PER_US,
         3600 * MR_NS_PER_S, NULL},
        {"steps", MR_OPTION_TEXT, &words->steps, "LIST",
         "RATE:TIME is a constant rate, RATE-RATE:TIME a linear ramp, one after the other with "
         "commas; the warm-up runs at the first rate.",
         0, 0, NULL},
    };
    memcpy(list, options, sizeof options);
    return sizeof options / sizeof options[0];
}

static size_t list_process(struct mr_load_options *o, struct words *words, struct mr_option *list)
{
    const struct mr_option options[] = {
        {"threads", MR_OPTION_COUNT, &o->threads, "N",
         "Threads, each with its share of the connections; 1.", 1, 256, NULL},
        {"cores", MR_OPTION_TEXT, &words->cores, "LIST",
         "Cores, one a thread in turn, as in 1 or 2,3; not confined.", 0, 0, NULL},
        {"spin", MR_OPTION_DURATION, &o->spin_ns, "TIME",
         "The last stretch before a due time, and after a byte moved, without sleep; 100us.", 0,
         MR_NS_PER_S, NULL},
        {"out", MR_OPTION_TEXT, &o->out, "FILE",
         "Write the result as JSON (schemas/load.schema.json).", 0, 0, NULL},
        {"times", MR_OPTION_TEXT, &o->times_file, "FILE",
         "Write the five times of every answered batch as CSV; where some are missing (a run that "
         "was "
         "ended, --times-max) its last line begins with INCOMPLETE.",
         0, 0, NULL},
        {"times-max", MR_OPTION_COUNT, &o->times_max, "N",
         "Most batches a thread that --times keeps (80 bytes each); 1000000.", 1, 100000000, NULL},
        {"percentiles", MR_OPTION_TEXT, &o->percentiles, "FILE",
         "Write HdrHistogram's percentile table of the latency (closed: round trips), in us.", 0, 0,
         NULL},
        {"hdr-log", MR_OPTION_TEXT, &o->hdr_log, "FILE",
         "Write an HdrHistogram interval log (V2, one interval a second of window and drain).", 0,
         0, NULL},
        {"trust-hashes", MR_OPTION_FLAG, &o->trust_hashes, NULL,
         "Do not compute the dataset's SHA-256: whoever started this did so just before.", 0, 0,
         NULL},
        {"novelty", MR_OPTION_FLAG, &o->novelty, NULL,
         "Hold back an eighth of the batches, 512 at most; behind the window send them at full "
         "speed, in turn with others that the server has seen, and report both costs.",
         0, 0, NULL},
        {"without-gate", MR_OPTION_TEXT, &words->gates_off, "NAME[,NAME]",
         "For proofs: what this gate would fail is counted only; the run is not verified.", 0, 0,
         NULL},
        {"events", MR_OPTION_FLAG, &o->events, NULL,
         "One JSON line an event on standard output, instead of the summary.", 0, 0, NULL},
    };
    memcpy(list, options, sizeof options);
    return sizeof options / sizeof options[0];
}

static enum mr_plan_kind plan_named(const char *name)
{
    int kind = 0;
    while (strcmp(plan_choices[kind], name) != 0) {
        kind++;
    }
    return (enum mr_plan_kind)kind;
}

static size_t list_bench(struct mr_load_options *o, struct mr_option *list)
{
    const struct mr_option options[] = {
        {"no-verify", MR_OPTION_FLAG, &o->no_verify, NULL,
         "For benchmarks of the generator: replies, STATS and KEPT are not checked.", 0, 0, NULL},
        {"no-record", MR_OPTION_FLAG, &o->no_record, NULL,
         "For benchmarks of the generator: batches are counted, their times are not kept.", 0, 0,
         NULL},
        {"same-batches", MR_OPTION_FLAG, &o->same_batches, NULL,
         "For benchmarks of the generator: batches go out as the dataset has them, again and "
         "again, so that a server may remember them.",
         0, 0, NULL},
        {"null-sender", MR_OPTION_FLAG, &o->null_sender, NULL,
         "For benchmarks of the generator: instead of it a loop that does nothing but send(), "
         "recv() "
         "and epoll_wait(); no times, no histograms; --plan closed.",
         0, 0, NULL},
    };
    memcpy(list, options, sizeof options);
    return sizeof options / sizeof options[0];
}

enum mr_cli_result mr_load_options_parse(struct mr_load_options *options_out, int argc, char **argv)
{
    struct words words = {.mode = "keep", .plan = "closed"};
    struct mr_option options[OPTIONS_MAX];
    set_defaults(options_out);
    size_t count = list_load(options_out, &words, options);
    count += list_plan(options_out, &words, options + count);
    count += list_process(options_out, &words, options + count);
    count += list_bench(options_out, options + count);
    const struct mr_command command = {
        .name = "matchrace load",
        .summary = "the load generator: sends verified batches to one server",
        .options = options,
        .options_count = count,
        .examples = examples,
        .notes = notes,
    };
    const char *operands[1];
    size_t operands_count;
    enum mr_cli_result result = mr_cli_parse(&command, argc, argv, operands, &operands_count);
    if (result != MR_CLI_RUN) {
        return result;
    }
    options_out->mode = (enum mr_mode)mr_mode_by_name(words.mode);
    options_out->plan = plan_named(words.plan);
    options_out->no_verify |= options_out->null_sender;
    options_out->no_record |= options_out->null_sender;
    options_out->same_batches |= options_out->null_sender;
    return check(options_out, &words) && check_gates(options_out, words.gates_off) ? MR_CLI_RUN
                                                                                   : MR_CLI_WRONG;
}
