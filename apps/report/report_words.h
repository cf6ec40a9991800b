// report_words.h: sentences and columns that report.md and report.html have in common, without
// markup.
#ifndef MR_REPORT_REPORT_WORDS_H
#define MR_REPORT_REPORT_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <yyjson.h>

// What a reader may take from figures of a machine of this grade (measuring rules 9 and 17).
const char *mr_words_grade(const char *grade);

// How to read a ratio, with the run's margin (a share). `text_out` has 1024 bytes; returns it.
const char *mr_words_reading(double margin, char text_out[1024]);

// The verdict of a comparison as words ("shown without verdict", "faster", …). Returns text_out.
const char *mr_words_verdict(yyjson_val *comparison, char text_out[128]);

// What exclusions did to a comparison: how many trials each side lost, the exact test, and the
// ratio with and without them; "" where nothing was excluded. Returns text_out.
#define MR_WORDS_EXCLUSIONS_BYTES 512
const char *mr_words_exclusions(yyjson_val *comparison, char text_out[MR_WORDS_EXCLUSIONS_BYTES]);

// What a failed gate does to a trial, by the action of the rules.
const char *mr_words_consequence(const char *gate, const char *action);

// Whether `drain` left the server to be the limit of this cell; "" where nothing was judged.
// `bound_out` tells whether the cell is generator-bound. Returns text_out.
const char *mr_words_headroom(yyjson_val *cell, bool *bound_out, char text_out[512]);

// A column of the table of figures: a metric, scaled for people.
struct mr_column {
    const char *metric;
    const char *title;
    double scale;
    int digits;
    const char *only; // cells that show it: "open" (not closed), "generator"; NULL: all
};

// Column `index`, or NULL behind the last one.
const struct mr_column *mr_words_column(size_t index);

// Whether a cell shows the column: it is meant for it, and some entry has a figure.
bool mr_words_has_column(yyjson_val *cell, const struct mr_column *column);

// "30 of 40", the trials in which a mark was set; "unavailable" where no trial could tell, "–"
// where the mark does not apply. Returns text_out.
const char *mr_words_mark(yyjson_val *counts, char text_out[48]);

// "not shown to be steady (2 of 2 trials)" where warm-ups of an entry ended by their limit (mark
// warmup_at_maximum): its figures are of a moment. "" elsewhere. Returns text_out.
const char *mr_words_unsteady(yyjson_val *entry, char text_out[64]);

// Whether that is said of an entry of `cell`: then mr_words_of_unsteady explains it.
bool mr_words_has_unsteady(yyjson_val *cell);

extern const char *const mr_words_of_unsteady;
extern const char *const mr_words_classes;         // what stock, tuned and special mean
extern const char *const mr_words_replication;     // what the levels of replication are
extern const char *const mr_words_quotient;        // why ratio and quotient of medians differ
extern const char *const mr_words_never;           // what follows where entries never counted
extern const char *const mr_words_without_verdict; // why some comparisons have none
extern const char *const mr_words_not_as_logged;   // what files that were edited make of a page
extern const char *const mr_words_not_as_logged_means;
extern const char *const mr_words_no_twin_batches;

#endif
