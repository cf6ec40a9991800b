// report_words.c: see report_words.h.
#include "report_words.h"

#include "results_view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const mr_words_classes =
    "Classes: stock, the API as its documentation shows it; tuned, an expert's use of the public "
    "API; special, made for this schema.";

const char *const mr_words_replication =
    "Standard deviations of each level beyond what the one below explains (nested analysis of "
    "variance of the logarithms): thirds of a trial's window; processes, one a trial, with how the "
    "machine wanders between them; strata, the parts of the run in which programs and machine "
    "stayed the same (“–”: there is one). More of what spreads most is what makes an interval "
    "narrower.";

const char *const mr_words_quotient =
    "The speed ratio (median of the pairs' ratios) and the quotient of the two medians differ "
    "because the first compares trials that ran back to back, and the second trials that may lie "
    "minutes apart on a machine whose speed wanders. Hodges-Lehmann: the same pairs by the "
    "signed-rank test, which holds where noise is symmetric; verdicts are the sign test's, which "
    "holds for any.";

const char *const mr_words_no_twin_batches =
    "In served cells no two batches of a trial are alike: some digits of one timestamp change with "
    "every send, and the expected answer with them. Every reply was compared while it was timed.";

const char *const mr_words_never =
    "The same command would most likely end alike: mend the reason, or take the entry out of the "
    "matrix, before it runs again.";

const char *const mr_words_without_verdict =
    "Shown without verdict: the matrix did not make it one of the comparisons that get one. At "
    "most "
    "four share the chance of 5 %, and who does less work than the others, or races before it is "
    "warm, gets none.";

const char *const mr_words_not_as_logged = "Not what the run left.";

const char *const mr_words_not_as_logged_means =
    "These files are not those that the run's log has the hashes of, so nothing below can be "
    "relied on:";

const char *mr_words_grade(const char *grade)
{
    if (strcmp(grade, "A") == 0) {
        return "server, generator and a spare core are apart from each other. Throughput and "
               "latency may be compared.";
    }
    if (strcmp(grade, "B") == 0) {
        return "server and generator have cores of their own and one is spare. Throughput and "
               "latency may be compared; the server has fewer cores than grade A.";
    }
    return "one core for the server, one for the generator, none to spare. Throughput and parsing "
           "may be compared. Round trips and latency are indicative only: they are shown without "
           "verdict, and nothing here says how a server scales over cores.";
}

const char *mr_words_reading(double margin, char text_out[1024])
{
    char percent[32];
    (void)snprintf(
        text_out, 1024,
        "How to read a ratio: it is the speed of A over the speed of B; above 1, A is faster. It "
        "is the median of the ratios of pairs: one trial of each, back to back, in fresh "
        "processes. The interval is exact (sign test) at the confidence printed beside it; the "
        "verdicts of a page share a chance of 5 %% to call any equal pair different (Holm). "
        "“Faster” means that the whole interval lies beyond a margin of %s %%; an interval "
        "inside the margin means “as fast”; one that holds 1 and crosses the margin means “not "
        "resolved”.",
        mr_view_format(100 * margin, 0, percent));
    return text_out;
}

const char *mr_words_verdict(yyjson_val *comparison, char text_out[128])
{
    const char *verdict = mr_view_text(comparison, "verdict");
    const char *words = strcmp(verdict, "none") == 0 ? "shown without verdict"
                        : strcmp(verdict, "below_control") == 0
                            ? "below what this campaign could see"
                            : verdict;
    (void)snprintf(text_out, 128, "%.60s%s", words,
                   yyjson_is_true(yyjson_obj_get(comparison, "consistently"))
                       ? ", consistently on one side"
                       : "");
    for (char *at = text_out; *at != '\0'; at++) {
        if (*at == '_') {
            *at = ' ';
        }
    }
    return text_out;
}

static void write_range(yyjson_val *object, char text_out[96])
{
    char ratio[32];
    char low[32];
    char high[32];
    (void)snprintf(text_out, 96, "%s (%s to %s, %.0f pairs)",
                   mr_view_format(mr_view_number(object, "ratio"), 3, ratio),
                   mr_view_format(mr_view_number(object, "ratio_low"), 3, low),
                   mr_view_format(mr_view_number(object, "ratio_high"), 3, high),
                   mr_view_number(object, "pairs"));
}

const char *mr_words_exclusions(yyjson_val *comparison, char text_out[MR_WORDS_EXCLUSIONS_BYTES])
{
    yyjson_val *exclusions = yyjson_obj_get(comparison, "exclusions");
    yyjson_val *a = yyjson_obj_get(exclusions, "a");
    yyjson_val *b = yyjson_obj_get(exclusions, "b");
    char with[96];
    char without[96];
    text_out[0] = '\0';
    if (mr_view_number(a, "lost") > 0 || mr_view_number(b, "lost") > 0) {
        write_range(comparison, with);
        write_range(yyjson_obj_get(exclusions, "without"), without);
        (void)snprintf(text_out, MR_WORDS_EXCLUSIONS_BYTES,
                       "Excluded: %.0f of %.0f trials of %.60s, %.0f of %.0f of %.60s (Fisher's "
                       "exact test: p = %.3f). Speed ratio with exclusions %s; without, of the "
                       "attempts in which both ran, %s.",
                       mr_view_number(a, "lost"), mr_view_number(a, "trials"),
                       mr_view_text(comparison, "a"), mr_view_number(b, "lost"),
                       mr_view_number(b, "trials"), mr_view_text(comparison, "b"),
                       mr_view_number(exclusions, "p_value"), with, without);
    }
    return text_out;
}

// Wrong answers are no matter of a trial: they end the contestant's race.
const char *mr_words_consequence(const char *gate, const char *action)
{
    if (strcmp(gate, "answers") == 0) {
        return "wrong: its contestant is out of the cell and is not run again";
    }
    if (strcmp(gate, "server_is_limit") == 0 && strcmp(action, "off") != 0) {
        return "not touched: the cell is marked generator-bound";
    }
    return strcmp(action, "exclude") == 0 ? "excluded: its row runs again"
           : strcmp(action, "abort") == 0 ? "excluded, and the run ends: a bug of the lab"
           : strcmp(action, "mark") == 0  ? "marked: it counts"
                                          : "not judged";
}

const char *mr_words_headroom(yyjson_val *cell, bool *bound_out, char text_out[512])
{
    const char *limit = mr_view_text(cell, "server_is_limit");
    char headroom[32];
    char least[32];
    (void)mr_view_format(mr_view_number(cell, "headroom"), 2, headroom);
    (void)mr_view_format(mr_view_number(cell, "headroom_min"), 2, least);
    text_out[0] = '\0';
    *bound_out = strcmp(limit, "failed") == 0;
    if (*bound_out) {
        (void)snprintf(text_out, 512,
                       "the null contestant (drain) is only %s times as fast as the best here "
                       "(at least %s is asked), so the sockets and the generator hide part of "
                       "the difference: the true ratio is further from 1.",
                       headroom, least);
    } else if (strcmp(limit, "passed") == 0) {
        (void)snprintf(text_out, 512,
                       "The server is the limit: the null contestant (drain) is %s times as "
                       "fast as the best here (at least %s is asked).",
                       headroom, least);
    }
    return text_out;
}

static const struct mr_column columns[] = {
    {"records_per_s", "M records/s", 1e-6, 3, NULL},
    {"ns_per_record", "ns/record", 1, 1, NULL},
    {"payload_bytes_per_s", "MB/s of JSON", 1e-6, 0, NULL},
    {"server_cpu_s_per_million_records", "server CPU s per M records", 1, 3, NULL},
    {"server_busy", "server busy", 1, 2, NULL},
    {"generator_busy", "generator busy", 1, 2, NULL},
    {"generator_ns_per_batch", "generator µs per batch", 1e-3, 2, "generator"},
    {"offered_batches_per_s", "batches/s offered", 1, 0, "open"},
    {"round_trip_p50_ns", "round trip at depth, p50 ms", 1e-6, 2, NULL},
    {"latency_p50_ns", "latency p50 ms", 1e-6, 3, NULL},
    {"latency_p99_ns", "latency p99 ms", 1e-6, 3, NULL},
    {"lateness_p99_ns", "generator's lateness p99 µs", 1e-3, 1, NULL},
    {"overshoot_p99_ns", "host's overshoot p99 µs", 1e-3, 1, "open"},
    {"overshoot_max_ns", "host's overshoot max µs", 1e-3, 1, "open"},
    {"peak_rss_bytes", "peak memory MiB", 1.0 / 1048576, 1, NULL},
    {"startup_ns", "start ms", 1e-6, 1, NULL},
};

const struct mr_column *mr_words_column(size_t index)
{
    return index < sizeof columns / sizeof columns[0] ? &columns[index] : NULL;
}

static bool cell_is(yyjson_val *cell, const char *kind)
{
    if (kind == NULL) {
        return true;
    }
    return strcmp(kind, "open") == 0 ? strcmp(mr_view_text(cell, "plan"), "closed") != 0
                                     : strcmp(mr_view_text(cell, "measures"), kind) == 0;
}

bool mr_words_has_column(yyjson_val *cell, const struct mr_column *column)
{
    size_t index;
    size_t count;
    yyjson_val *entry;
    bool found = false;
    yyjson_arr_foreach(yyjson_obj_get(cell, "entries"), index, count, entry)
    {
        found = found || isfinite(mr_view_median(entry, column->metric));
    }
    return found && cell_is(cell, column->only);
}

const char *mr_words_mark(yyjson_val *counts, char text_out[48])
{
    double marked = mr_view_number(counts, "marked");
    double judged = marked + mr_view_number(counts, "clear");
    if (judged > 0) {
        (void)snprintf(text_out, 48, "%.0f of %.0f", marked, judged);
    } else {
        (void)snprintf(text_out, 48, "%s",
                       mr_view_number(counts, "unavailable") > 0 ? "unavailable" : "–");
    }
    return text_out;
}

const char *mr_words_unsteady(yyjson_val *entry, char text_out[64])
{
    yyjson_val *counts = yyjson_ptr_get(entry, "/marks/warmup_at_maximum");
    double marked = mr_view_number(counts, "marked");
    text_out[0] = '\0';
    if (marked > 0) {
        (void)snprintf(text_out, 64, "not shown to be steady (%.0f of %.0f trials)", marked,
                       marked + mr_view_number(counts, "clear"));
    }
    return text_out;
}

bool mr_words_has_unsteady(yyjson_val *cell)
{
    size_t index;
    size_t count;
    yyjson_val *entry;
    bool found = false;
    yyjson_arr_foreach(yyjson_obj_get(cell, "entries"), index, count, entry)
    {
        char text[64];
        found = found || mr_words_unsteady(entry, text)[0] != '\0';
    }
    return found;
}

const char *const mr_words_of_unsteady =
    "Not shown to be steady: the warm-up ended by its limit while throughput still changed, or the "
    "server still compiled code (mark warmup_at_maximum). Such a figure is of that moment; where "
    "code is compiled while it runs, the steady one can be many times as high, and the pictures of "
    "report.html show how far each trial had come.";
