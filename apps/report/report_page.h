// report_page.h: the files that a report consists of, each made from results.json.
#ifndef MR_REPORT_REPORT_PAGE_H
#define MR_REPORT_REPORT_PAGE_H

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stdio.h>
#include <yyjson.h>

// Writes report.md to `out`. `has_picture`: ratios.svg stands beside it.
void mr_report_page(FILE *out, yyjson_val *results, bool has_picture);

// The page's parts that are long enough for a file of their own.
void mr_report_sensitivity(FILE *out, yyjson_val *results); // at the head: controls of known size
void mr_report_controls(FILE *out, yyjson_val *results);    // each of them; or nothing
void mr_report_cells(FILE *out, yyjson_val *results);       // tables of figures and ratios
// The gaps that a contestant has declared, as the manifest lists them, or NULL: none.
yyjson_val *mr_report_gaps_of(yyjson_val *results, const char *contestant);
bool mr_report_is_unequal(yyjson_val *results, yyjson_val *cell);      // somebody declares gaps
void mr_report_gaps(FILE *out, yyjson_val *results, yyjson_val *cell); // what these are; or nothing
void mr_report_gates(FILE *out, yyjson_val *cell); // counts of gates and marks of a cell
void mr_report_load(FILE *out, yyjson_val *cell);  // what was offered in a cell, and overload

// A load as text without markup: "open, 1200 batches/s (0.5 of the slowest maximum)"; and which of
// the generator's checks were on.
void mr_report_plan(FILE *out, yyjson_val *load);
void mr_report_switches(FILE *out, yyjson_val *load);

void mr_report_maxima(FILE *out, yyjson_val *manifest); // what shares are shares of; or nothing
void mr_report_targets(FILE *out, yyjson_val *results); // bounds that the matrix sets; or nothing
void mr_report_provenance(FILE *out,
                          yyjson_val *results); // contestants, environment, rules, how to reproduce

// Writes trials.csv: one line a trial, excluded ones included (RFC 4180).
void mr_report_csv(FILE *out, yyjson_val *results);

// Writes trials-columns.md: what each column of trials.csv means.
void mr_report_columns(FILE *out, yyjson_val *results);

// Draws `folder`/ratios.svg with gnuplot. 0; -ENOENT: no gnuplot, or it failed; another negative
// errno. Nothing to draw is 0 as well, with *drawn_out false.
MR_NODISCARD int mr_report_chart(const char *folder, yyjson_val *results, bool *drawn_out);

#endif
