// sweep_options.c: see sweep_options.h.
#include "sweep_options.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_LOADS "10,25,40,50,60,75,85,90,100,110"

static const char *const plan_choices[] = {"poisson", "open", NULL};
static const char *const of_choices[] = {"own", "slowest", NULL};
static const char *const gate_choices[] = {"grade", "exclude", "mark", NULL};
static const char *const mode_choices[] = {"drain", "totals", "keep", "fresh", NULL};
static const char *const shape_choices[] = {"simple", "messy", "rejects", NULL};

static const char examples[] =
    "  matchrace sweep CONTESTANT\n"
    "      response time at 10 loads from 10 % to 110 % of its maximum, three times each\n"
    "  matchrace sweep ONE ANOTHER --slo 5ms\n"
    "      two, point by point in turn, and the highest rate of each that keeps p99 within 5 ms\n"
    "  matchrace sweep ONE ANOTHER --of slowest --loads 25,50,75,90\n"
    "      the same rates for both: shares of the slower one's maximum\n"
    "  matchrace sweep CONTESTANT --window 120s --loads 50,90\n"
    "      windows long enough for p99.9, which needs 100,000 batches\n";

static const char notes[] =
    "First each contestant's maximum in a closed loop; then every load, each server fresh. "
    "Latency\n"
    "runs from the time at which a batch was due. A load beyond the capacity is a result: "
    "\"overloaded\",\n"
    "with its backlog; its percentiles grow with the window. Percentiles are medians over the\n"
    "repeats with their range, never averages; too few batches for one is \"n too small\".\n"
    "Poisson arrivals are the default: what many independent senders add up to, and they see a\n"
    "queue as it is on average (Wolff, Operations Research 30, 1982); evenly spaced batches meet\n"
    "it at its shortest and flatter every server near its capacity.\n"
    "A rate keeps --slo when more than half of its repeats have p99 within the limit and are not\n"
    "overloaded.\n"
    "Saturation: what an open loop at 110 % achieves over what a closed loop does just before or\n"
    "behind it: median of the pairs, with its interval.\n"
    "Exit codes: 0 ok; 1 environment; 2 usage; 3 a contestant was wrong (the others go on);\n"
    "5 incomplete (time budget, points that could not be counted); 130/143 after a signal, with\n"
    "what was measured kept.\n";

static bool wrong(const char *what)
{
    (void)fprintf(stderr, "matchrace sweep: %s (see matchrace sweep --help)\n", what);
    return false;
}

static int ascending(const void *left, const void *right)
{
    unsigned a = *(const unsigned *)left;
    unsigned b = *(const unsigned *)right;
    return (a > b) - (a < b);
}

bool mr_sweep_loads_parse(const char *text, struct mr_sweep_options *options_io)
{
    size_t count = 0;
    while (count < MR_SWEEP_LOADS_MAX) {
        char *end;
        if (*text < '0' || *text > '9') {
            return false;
        }
        unsigned long value = strtoul(text, &end, 10);
        if (value < 1 || value > 1000) {
            return false;
        }
        options_io->load_percent[count++] = (unsigned)value;
        if (*end == '\0') {
            break;
        }
        if (*end != ',') {
            return false;
        }
        text = end + 1;
        if (count == MR_SWEEP_LOADS_MAX) {
            return false;
        }
    }
    qsort(options_io->load_percent, count, sizeof options_io->load_percent[0], ascending);
    for (size_t i = 1; i < count; i++) {
        if (options_io->load_percent[i] == options_io->load_percent[i - 1]) {
            return false;
        }
    }
    options_io->loads_count = count;
    return true;
}

// The word of --loads is looked up once the command line is read.
#define OPTIONS_MAX 32

static size_t list_load(struct mr_sweep_options *o, const char **loads, struct mr_option *list)
{
    const struct mr_option options[] = {
        {"plan", MR_OPTION_CHOICE, &o->plan, "PLAN",
         "When batches are due: poisson, or open (evenly spaced); poisson.", 0, 0, plan_choices},
        {"loads", MR_OPTION_TEXT, loads, "LIST",
         "Percents of the closed loop's maximum; " DEFAULT_LOADS ".", 0, 0, NULL},
        {"of", MR_OPTION_CHOICE, &o->of, "WHOSE",
         "A load is a share of each one's own maximum, or of the slowest one's: the same rates for "
         "all; own.",
         0, 0, of_choices},
        {"slo", MR_OPTION_DURATION, &o->slo_ns, "TIME",
         "Look for the highest rate whose p99 stays within TIME.", 1, 3600 * MR_NS_PER_S, NULL},
        {"repeats", MR_OPTION_COUNT, &o->repeats, "N", "Trials of each point; 3.", 1, 99, NULL},
        {"pairs", MR_OPTION_COUNT, &o->pairs, "N",
         "Open loops at 110 %, each beside a closed loop, for the saturation; 6 is the fewest with "
         "an interval; 6.",
         0, 99, NULL},
        {"window", MR_OPTION_DURATION, &o->window_ns, "TIME",
         "What is measured of each trial. Default: by the rate, 2s to 30s, so that p99 has its "
         "10,000 batches where it can.",
         MR_NS_PER_MS, 3600 * MR_NS_PER_S, NULL},
        {"warmup", MR_OPTION_DURATION, &o->warmup_ns, "TIME", "Load before the window; 3s.", 0,
         3600 * MR_NS_PER_S, NULL},
        {"drain-limit", MR_OPTION_DURATION, &o->drain_limit_ns, "TIME",
         "How long after the window answers count; later ones are censored; 5s.", MR_NS_PER_MS,
         3600 * MR_NS_PER_S, NULL},
        {"connections", MR_OPTION_COUNT, &o->connections, "N", "Connections; 16.", 1, 1024, NULL},
        {"depth", MR_OPTION_COUNT, &o->depth, "N",
         "Most batches in flight on each connection; what is due beyond waits, and its latency "
         "runs; 4.",
         1, 1024, NULL},
        {"mode", MR_OPTION_CHOICE, &o->mode, "MODE", "What the servers do with a batch; keep.", 0,
         0, mode_choices},
        {"threads", MR_OPTION_COUNT, &o->threads, "N", "Threads of each server; 1.", 1, 256, NULL},
    };
    memcpy(list, options, sizeof options);
    return sizeof options / sizeof options[0];
}

static size_t list_rest(struct mr_sweep_options *o, struct mr_option *list)
{
    const struct mr_option options[] = {
        {"seed", MR_OPTION_COUNT, &o->seed, "N", "Of the order and of the plans; 1.", 0, UINT64_MAX,
         NULL},
        {"budget", MR_OPTION_DURATION, &o->budget_ns, "TIME",
         "Hard stop: what is missing then is said, with exit code 5; 60m.", MR_NS_PER_MS,
         7 * 24 * 3600 * MR_NS_PER_S, NULL},
        {"gates", MR_OPTION_CHOICE, &o->gates, "WHAT",
         "A trial that fails a gate is run again and left out (exclude), or only marked; by grade: "
         "exclude in A and B, mark in C.",
         0, 0, gate_choices},
        {"out", MR_OPTION_TEXT, &o->out, "FOLDER",
         "Where results go; it may not exist yet. Default: out/sweep/TIME.", 0, 0, NULL},
        {"data", MR_OPTION_TEXT, &o->data.path, "NAME",
         "A dataset that exists, without .batches. Default: one made as the next options say.", 0,
         0, NULL},
        {"shape", MR_OPTION_CHOICE, &o->data.shape, "SHAPE", "Of the records; simple.", 0, 0,
         shape_choices},
        {"bytes", MR_OPTION_BYTES, &o->data.bytes, "SIZE", "Of the dataset; 64MiB.", 1, 1ull << 40,
         NULL},
        {"batch-records", MR_OPTION_COUNT, &o->data.batch_records, "N", "Records a batch; 256.", 1,
         65535, NULL},
        {"data-dir", MR_OPTION_TEXT, &o->data_folder, "FOLDER",
         "Where datasets are kept, and made when they are missing. Default: data.", 0, 0, NULL},
        {"contestants", MR_OPTION_LIST, &o->folders, "FOLDER",
         "Where contestants are looked for; may be given again. Default: contestants.", 0, 0, NULL},
        {"build-dir", MR_OPTION_TEXT, &o->build_dir, "FOLDER",
         "What ${MR_BUILD_DIR} means in contestant.json. Default: the build that this program is "
         "of.",
         0, 0, NULL},
        {"skip-conform", MR_OPTION_FLAG, &o->no_conform, NULL,
         "Do not check conformance first; the result says so.", 0, 0, NULL},
    };
    memcpy(list, options, sizeof options);
    return sizeof options / sizeof options[0];
}

static void set_defaults(struct mr_sweep_options *options)
{
    *options = (struct mr_sweep_options){
        .data_folder = "data",
        .data = {.shape = "simple",
                 .keys = "fixed",
                 .space = "compact",
                 .seed = 42,
                 .bytes = 64u << 20,
                 .batch_records = 256,
                 .reject_share = -1},
        .mode = "keep",
        .plan = "poisson",
        .of = "own",
        .gates = "grade",
        .repeats = 3,
        .pairs = 6,
        .warmup_ns = 3 * MR_NS_PER_S,
        .drain_limit_ns = 5 * MR_NS_PER_S,
        .budget_ns = 3600 * MR_NS_PER_S,
        .seed = 1,
        .connections = 16,
        .depth = 4,
        .threads = 1,
    };
}

static bool take_contestants(struct mr_sweep_options *options, const char *const *words,
                             size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < i; k++) {
            if (strcmp(words[i], words[k]) == 0) {
                return wrong("a contestant is named twice");
            }
        }
        options->contestants[i] = words[i];
    }
    options->contestants_count = count;
    if (options->folders.count == 0) {
        options->folders.item[options->folders.count++] = "contestants";
    }
    return true;
}

enum mr_cli_result mr_sweep_options_parse(struct mr_sweep_options *options_out, int argc,
                                          char **argv)
{
    const char *loads = DEFAULT_LOADS;
    struct mr_option table[OPTIONS_MAX];
    set_defaults(options_out);
    size_t count = list_load(options_out, &loads, table);
    count += list_rest(options_out, table + count);
    const struct mr_command command = {
        .name = "matchrace sweep",
        .summary = "response time against offered load, and how much load a latency limit allows",
        .operands = "CONTESTANT…",
        .operands_min = 1,
        .operands_max = MR_CELL_ENTRIES_MAX,
        .options = table,
        .options_count = count,
        .examples = examples,
        .notes = notes,
    };
    const char **words = calloc((size_t)argc + 1, sizeof *words);
    size_t words_count = 0;
    if (words == NULL) {
        return wrong("out of memory") ? MR_CLI_RUN : MR_CLI_WRONG;
    }
    enum mr_cli_result result = mr_cli_parse(&command, argc, argv, words, &words_count);
    if (result == MR_CLI_RUN && !take_contestants(options_out, words, words_count)) {
        result = MR_CLI_WRONG;
    }
    free(words);
    if (result == MR_CLI_RUN && !mr_sweep_loads_parse(loads, options_out)) {
        (void)wrong("--loads is a list of whole percents from 1 to 1000, at most 32, each once, as "
                    "in 25,50,75,90");
        result = MR_CLI_WRONG;
    }
    return result;
}
