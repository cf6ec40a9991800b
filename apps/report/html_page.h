// html_page.h: report.html: one file with everything in it, written from results.json and the
// trials' files.
#ifndef MR_REPORT_HTML_PAGE_H
#define MR_REPORT_HTML_PAGE_H

#include "trial_views.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stdio.h>
#include <yyjson.h>

#define MR_PAGE_ENTRIES_MAX 256

// A page under construction: what its parts look at.
struct mr_page {
    FILE *out;
    yyjson_val *results;
    yyjson_val *manifest; // in results
    yyjson_val *cells;    // in results
    const struct mr_trial_views *trials;
    yyjson_val *published;                    // docs/published.json
    const char *entries[MR_PAGE_ENTRIES_MAX]; // names of all entries, each once
    size_t entries_count;
};

// Writes report.html to `out`. The same results and trials give the same bytes. 0, or -ENOMEM.
MR_NODISCARD int mr_html_page(FILE *out, yyjson_val *results, const struct mr_trial_views *trials);

// The number of an entry among the page's: filters and colours go by it. Its last one stands for
// all that did not find room.
size_t mr_page_entry(const struct mr_page *page, const char *name);

// Attributes that let an element be filtered: its cell and its entries. `b` may be NULL.
void mr_page_filter(const struct mr_page *page, size_t cell, const char *a, const char *b);

// The beginning of a row that can be filtered so, with its head cell `head`.
void mr_page_row(const struct mr_page *page, size_t cell, const char *a, const char *b,
                 const char *head);

// A table's beginning, with a caption that says what it holds; and its end, with the line that
// tells where its figures come from: `source` is a place in the run's folder.
void mr_page_table(const struct mr_page *page, const char *caption);
void mr_page_table_end(const struct mr_page *page, const char *source);

// The same beginning with the table's head: `count` titles; one that begins with # is that of a
// column of numbers.
void mr_page_table_of(const struct mr_page *page, const char *caption, const char *const *titles,
                      size_t count);
#define MR_PAGE_TABLE(page, caption, titles)                                                       \
    mr_page_table_of(page, caption, titles, sizeof(titles) / sizeof(titles)[0])

// A head cell of a column; `numeric` ones are right-aligned and sort by value.
void mr_page_head(const struct mr_page *page, const char *title, bool numeric);

// Walks through the comparisons of all cells: begin with zeros, false at the end.
struct mr_page_comparison {
    size_t cell_number;
    size_t number; // of the next one in its cell
    yyjson_val *cell;
    yyjson_val *comparison;
};
bool mr_page_next(const struct mr_page *page, struct mr_page_comparison *at);

// An explanation of the colours of these entries, for the pictures of `cell`.
void mr_page_legend(const struct mr_page *page, yyjson_val *entries);

// The class with the colour and the stroke of an entry ("k3"); returns text_out.
const char *mr_page_colour(const struct mr_page *page, const char *entry, char text_out[16]);

// What contestants of `cell` declare that they can't keep: a warning and a list; or nothing.
void mr_page_gaps(const struct mr_page *page, yyjson_val *cell);

// Why no verdict of the run stands, or nothing; and how fine it could see, by controls of known
// size.
void mr_page_void(const struct mr_page *page);
void mr_page_sensitivity(const struct mr_page *page);

// The parts, in the order of the page.
void mr_page_conclusions(const struct mr_page *page);
void mr_page_choose(const struct mr_page *page);
void mr_page_cells(const struct mr_page *page);
void mr_page_published(const struct mr_page *page);
void mr_page_evidence(const struct mr_page *page);
void mr_page_memory(const struct mr_page *page);
void mr_page_provenance(const struct mr_page *page); // contestants, builds, data, environment
void mr_page_rules(const struct mr_page *page);      // rules, schedule
void mr_page_missing(const struct mr_page *page);    // cells that are not whole, and what finishes
void mr_page_trials(const struct mr_page *page);     // excluded ones, and all of them
void mr_page_reproduce(const struct mr_page *page);

// What the script needs, as JSON: entries, cells, trials with their series. 0, or -ENOMEM.
MR_NODISCARD int mr_page_data(const struct mr_page *page);

// Pictures. Each writes nothing where there is nothing to draw.
void mr_chart_ratios(const struct mr_page *page);
void mr_chart_percentiles(const struct mr_page *page, size_t cell);
void mr_chart_timelines(const struct mr_page *page, size_t cell);
void mr_chart_load(const struct mr_page *page);

// Median and range over the trials of a metric of a cell's entries, one line each.
void mr_chart_ranges(const struct mr_page *page, size_t cell, const char *metric, double scale,
                     const char *title);

#endif
