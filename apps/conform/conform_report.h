// conform_report.h: what was found, for people and as JSON.
#ifndef MR_CONFORM_REPORT_H
#define MR_CONFORM_REPORT_H

#include "conform_run.h"

#include <matchrace/attributes.h>

#include <stdint.h>
#include <yyjson.h>

// Prints the table, each failure in one line, and the summary, to standard output.
void mr_conform_print(const struct mr_kit *kit, uint64_t took_ns);

// Prints every check with its modes and its sentence (--list).
void mr_conform_print_rules(void);

// Adds the contestant's result to the array `contestants` of a document.
void mr_conform_add_json(yyjson_mut_doc *document, yyjson_mut_val *contestants,
                         const struct mr_kit *kit, uint64_t took_ns);

// The contestant's name, with its variant behind an @; static memory of `text_out`.
void mr_conform_name(const struct mr_kit *kit, char *text_out, size_t capacity);

#endif
