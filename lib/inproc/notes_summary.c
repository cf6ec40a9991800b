// notes_summary.c: see notes_summary.h.
#include "notes_summary.h"

#include "own_memory.h"

#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#define LINE_BYTES 8192u

static void add_text(struct mr_text *line, const char *key, const char *value)
{
    mr_text_printf(line, ",\"%s\":", key);
    mr_text_json_string(line, value);
}

static void add_number(struct mr_text *line, const char *key, uint64_t value)
{
    mr_text_printf(line, ",\"%s\":%" PRIu64, key, value);
}

static void add_libraries(struct mr_text *line, const struct mr_notes_summary *summary)
{
    struct mr_library libraries[MR_LIBRARIES_MAX];
    size_t count = summary->contestant->libraries(summary->writer, libraries);
    mr_text_printf(line, ",\"libraries\":[");
    for (size_t i = 0; i < count; i++) {
        mr_text_printf(line, "%s{\"name\":", i == 0 ? "" : ",");
        mr_text_json_string(line, libraries[i].name);
        add_text(line, "version", libraries[i].version);
        add_text(line, "path", libraries[i].path);
        mr_text_printf(line, "}");
    }
    mr_text_printf(line, "]");
}

static void add_times(struct mr_text *line, const struct mr_notes_summary *summary)
{
    const struct mr_steadiness *seen = summary->steadiness;
    add_number(line, "iterations", seen->iterations);
    if (seen->iterations >= MR_STEADY_ITERATIONS_MIN) {
        add_number(line, "first_ns", seen->first_ns);
        add_number(line, "ten_ns", seen->first_ten_ns / MR_STEADY_ITERATIONS_MIN);
    } else {
        mr_text_printf(line, ",\"first_ns\":null,\"ten_ns\":null");
    }
    // Whether it is warm is the caller's to say where the caller says how often.
    if (summary->options->step || summary->options->repeat != 0 || seen->last.median_ns == 0) {
        mr_text_printf(line, ",\"steady_ns\":null,\"unsteady\":null");
    } else {
        mr_text_printf(line, ",\"steady_ns\":%.0f,\"unsteady\":%s", seen->last.median_ns,
                       mr_is_steady(seen) ? "false" : "true");
    }
}

static void add_memory(struct mr_text *line, const struct mr_notes_summary *summary)
{
    struct mr_own_faults faults = mr_own_faults();
    add_number(line, "data_peak_rss_bytes", summary->data_peak_rss_bytes);
    add_number(line, "peak_rss_bytes", mr_own_peak_rss_bytes());
    add_number(line, "allocated_bytes_per_iteration", summary->held_bytes);
    add_number(line, "minor_faults", faults.minor);
    add_number(line, "major_faults", faults.major);
    mr_text_printf(line, ",\"gc_collections\":null,\"gc_pause_ns\":null,\"gc_mode\":null,"
                         "\"compiled_methods\":null}");
}

int mr_notes_summary_print(const struct mr_notes_summary *summary)
{
    const struct mr_notes_options *options = summary->options;
    char bytes[LINE_BYTES];
    struct mr_text line = mr_text_init(bytes, sizeof bytes);
    mr_text_printf(&line, "{\"contestant\":");
    mr_text_json_string(&line, summary->contestant->name);
    add_text(&line, "version", summary->contestant->version);
    add_text(&line, "language", summary->contestant->language);
    mr_text_printf(&line, ",\"runtime\":null");
    add_text(&line, "kernel", summary->contestant->kernel(summary->writer));
    add_text(&line, "build_flags", summary->contestant->build_flags);
    add_libraries(&line, summary);
    add_text(&line, "form", mr_notes_form_names[options->form]);
    add_text(&line, "corpus", mr_corpus_names[options->corpus]);
    add_text(&line, "escape", mr_notes_profile_name(options->profile));
    add_number(&line, "count", options->count);
    add_number(&line, "seed", options->seed);
    add_times(&line, summary);
    add_memory(&line, summary);
    if (line.cut) {
        return -ENOBUFS;
    }
    return puts(bytes) < 0 || fflush(stdout) != 0 ? -errno : 0;
}
