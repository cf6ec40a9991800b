// results_view.h: reading results.json for a page: texts, numbers, rounding as people read it.
//
// The report computes nothing: what stands here only looks up and formats.
#ifndef MR_REPORT_RESULTS_VIEW_H
#define MR_REPORT_RESULTS_VIEW_H

#include <stddef.h>
#include <stdio.h>
#include <yyjson.h>

// The text at `key` of an object, or "" (also when there is no such object).
const char *mr_view_text(yyjson_val *object, const char *key);

// The number at `key`, or NAN where it is null, missing, or no number.
double mr_view_number(yyjson_val *object, const char *key);

// The whole number at `key` with all its digits, or "–" where it is none; `text_out` has 24 bytes;
// returns it.
const char *mr_view_count(yyjson_val *object, const char *key, char text_out[24]);

// The median of metric `name` of an entry of a cell, or NAN.
double mr_view_median(yyjson_val *entry, const char *name);

// Whether anything was compared with a verdict, and what it says, as one sentence without markup
// ("simple/keep: x is faster than y (speed ratio 2.104, …)"). `text_out` is always
// ended.
void mr_view_sentence(yyjson_val *cell, yyjson_val *comparison, char *text_out, size_t capacity);

// `value` with `digits` decimals, or "–" when it is NAN; `text_out` has 32 bytes; returns it.
const char *mr_view_format(double value, int digits, char text_out[32]);

// Writes `text` into a Markdown table cell or paragraph: markup of contestants' making is inert.
void mr_view_escape(FILE *out, const char *text);

// The text at `key` of an object, escaped.
void mr_view_put(FILE *out, yyjson_val *object, const char *key);

#endif
