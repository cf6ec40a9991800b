// html_out.h: writing HTML so that nothing from a contestant or a file becomes markup.
#ifndef MR_REPORT_HTML_OUT_H
#define MR_REPORT_HTML_OUT_H

#include <matchrace/attributes.h>

#include <stdio.h>
#include <yyjson.h>

// Writes `text` as the content of an element or of an attribute in double quotes: & < > " ' are
// escaped, control characters become spaces.
void mr_html_text(FILE *out, const char *text);

// The text at `key` of an object, escaped.
void mr_html_put(FILE *out, yyjson_val *object, const char *key);

// Writes `markup` as it stands, but for three conversions: %s is a text and gets escaped, %zu is a
// size_t, %% a percent sign. Another one is our bug (asserted).
MR_PRINTF(2, 3) void mr_html(FILE *out, const char *markup, ...);

// A cell of a table with a number of `digits` decimals, which sorts by its value; "–" for NAN.
void mr_html_number(FILE *out, double value, int digits);

// The same of a figure that has trials behind it: the script opens those of its row by `metric`.
void mr_html_figure(FILE *out, const char *metric, double value, int digits);

// Writes `json` (JSON text) so that it can stand inside <script>: no character of it can end the
// element or begin a comment. What is read back is the same.
void mr_html_json(FILE *out, const char *json);

#endif
