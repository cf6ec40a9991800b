// conform_call.h: one call of the command: every contestant that was named, in turn.
#ifndef MR_CONFORM_CALL_H
#define MR_CONFORM_CALL_H

#include "conform_cases.h"
#include "conform_choice.h"

#include <matchrace/attributes.h>

#include <stddef.h>
#include <yyjson.h>

struct mr_conform_call {
    struct mr_conform_words words;
    struct mr_kit_options options;
    struct mr_case_set cases;    // read; empty for --stamped
    yyjson_mut_doc *document;    // used inside, for --json
    yyjson_mut_val *contestants; // used inside
};

// Runs what the words ask for against every operand, prints the results, writes stamps and the
// JSON file. The worst exit code of all.
MR_NODISCARD int mr_conform_call_run(struct mr_conform_call *call, const char *const *operands,
                                     size_t count);

#endif
