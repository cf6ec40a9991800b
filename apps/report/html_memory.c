// html_memory.c: memory, garbage collection and what the kernel counted, cell by cell.
#include "html_out.h"
#include "html_page.h"
#include "results_view.h"

#include <math.h>
#include <string.h>

#define MIB (1.0 / 1048576)

// A figure that stands in the trials' files only.
struct raw_column {
    const char *title;
    const char *pointer;
    const char *begin; // subtracted; NULL: nothing
    double scale;
    int digits;
};

#define SERVER "/details/host/server/"
#define BEFORE "/details/generator/stats_before/reply/runtime/"
#define AFTER  "/details/generator/stats_after/reply/runtime/"

static const struct raw_column columns[] = {
    {"peak MiB", SERVER "memory/peak_bytes", NULL, MIB, 1},
    {"without files MiB", SERVER "memory/peak_without_files_bytes", NULL, MIB, 1},
    {"files MiB", SERVER "memory/file_bytes", NULL, MIB, 1},
    {"kernel's sockets MiB", "/details/host/tcp_buffers_end_bytes", NULL, MIB, 1},
    {"minor faults", SERVER "minor_faults", NULL, 1, 0},
    {"major faults", SERVER "major_faults", NULL, 1, 0},
    {"waits", SERVER "voluntary_switches", NULL, 1, 0},
    {"preempted", SERVER "involuntary_switches", NULL, 1, 0},
    {"GC pauses ms", AFTER "gc_pause_ns", BEFORE "gc_pause_ns", 1e-6, 1},
    {"GC gen 0", AFTER "gc_collections/0", BEFORE "gc_collections/0", 1, 0},
    {"GC gen 1", AFTER "gc_collections/1", BEFORE "gc_collections/1", 1, 0},
    {"GC gen 2", AFTER "gc_collections/2", BEFORE "gc_collections/2", 1, 0},
    {"allocated MiB", AFTER "allocated_bytes", BEFORE "allocated_bytes", MIB, 1},
    {"methods compiled", AFTER "compiled_methods", BEFORE "compiled_methods", 1, 0},
};
#define COLUMNS_COUNT (sizeof columns / sizeof columns[0])

static void write_entry(const struct mr_page *page, size_t number, yyjson_val *cell,
                        yyjson_val *entry)
{
    const char *name = mr_view_text(entry, "entry");
    mr_page_row(page, number, name, NULL, name);
    for (size_t i = 0; i < COLUMNS_COUNT; i++) {
        mr_html_number(
            page->out,
            mr_trial_median(page->trials, cell, entry, columns[i].pointer, columns[i].begin) *
                columns[i].scale,
            columns[i].digits);
    }
    mr_html(page->out, "</tr>\n");
}

static void write_cell(const struct mr_page *page, size_t number)
{
    char caption[256];
    yyjson_val *cell = yyjson_arr_get(page->cells, number);
    (void)snprintf(caption, sizeof caption, "%.120s: memory and collection in the window, medians",
                   mr_view_text(cell, "name"));
    mr_html(page->out, "<article");
    mr_page_filter(page, number, NULL, NULL);
    mr_html(page->out, ">\n<h3>%s</h3>\n", mr_view_text(cell, "name"));
    mr_chart_ranges(page, number, "peak_rss_bytes", MIB, "peak memory of the server, MiB");
    mr_page_table(page, caption);
    mr_html(page->out, "<thead><tr>");
    mr_page_head(page, "contestant", false);
    for (size_t i = 0; i < COLUMNS_COUNT; i++) {
        mr_page_head(page, columns[i].title, true);
    }
    mr_html(page->out, "</tr></thead><tbody>\n");
    size_t index;
    size_t count;
    yyjson_val *entry;
    yyjson_arr_foreach(yyjson_obj_get(cell, "entries"), index, count, entry)
    {
        write_entry(page, number, cell, entry);
    }
    mr_page_table_end(page, "trials/, details.host and details.generator");
    mr_html(page->out, "</article>\n");
}

void mr_page_memory(const struct mr_page *page)
{
    mr_html(page->out,
            "<section id=\"memory\">\n<h2>Memory and garbage collection</h2>\n<p>Peak is the "
            "server process' own, reset when the window begins. What a runtime collects and "
            "compiles it tells itself, before and after the window; “–” is what nobody "
            "tells: runtimes without a collector, and figures that this host does not have.</p>\n");
    for (size_t i = 0; i < yyjson_arr_size(page->cells); i++) {
        write_cell(page, i);
    }
    mr_html(page->out, "</section>\n");
}
