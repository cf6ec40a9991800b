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

// The same of any size of number, without decimals: MR_VIEW_WHOLE(object, key) is the text.
const char *mr_view_whole(yyjson_val *object, const char *key, char text_out[32]);
#define MR_VIEW_WHOLE(object, key) mr_view_whole(object, key, (char[32]){0})

// The median of metric `name` of an entry of a cell, or NAN.
double mr_view_median(yyjson_val *entry, const char *name);

// Entry `rank` (from 0) of a cell in the order of its places; those without one come behind, as the
// matrix has them. NULL behind the last.
yyjson_val *mr_view_entry_at(yyjson_val *cell, size_t rank);

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

// Writes at most `length_max` bytes of `text` between backquotes or into a block of code, where
// escapes would be seen: what could end it is left out.
void mr_view_code(FILE *out, const char *text, size_t length_max);

#endif
