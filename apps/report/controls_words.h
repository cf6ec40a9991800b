// controls_words.h: what a campaign's controls of known size came to, in sentences without markup.
#ifndef MR_REPORT_CONTROLS_WORDS_H
#define MR_REPORT_CONTROLS_WORDS_H

#include <stdbool.h>
#include <yyjson.h>

#define MR_CONTROLS_WORDS_BYTES 1024

// Each writes one of them; `controls` is that of results.json, null where the matrix asks for none.
// Returns text_out.

// The sensitivity that was measured: which doses were found, and what may be claimed.
const char *mr_controls_sensitivity(yyjson_val *controls, char text_out[MR_CONTROLS_WORDS_BYTES]);

// What identical twins showed of each other.
const char *mr_controls_noise(yyjson_val *controls, char text_out[MR_CONTROLS_WORDS_BYTES]);

// Whether planted lies were caught.
const char *mr_controls_lies(yyjson_val *controls, char text_out[MR_CONTROLS_WORDS_BYTES]);

// Why no verdict of the run stands; "" where they do.
const char *mr_controls_void(yyjson_val *controls, char text_out[MR_CONTROLS_WORDS_BYTES]);

// Whether the entry of that (code) name is a planted liar, of whom wrong answers are expected.
bool mr_control_is_liar(yyjson_val *controls, const char *entry);

// What a control is and what it came to ("2 % more work", "found"). The first returns text_out.
const char *mr_control_kind(yyjson_val *control, char text_out[64]);
const char *mr_control_outcome(yyjson_val *control);

#endif
