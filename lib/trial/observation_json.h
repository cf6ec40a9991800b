// observation_json.h: struct mr_observation in the trial's file, so that it can be judged again.
#ifndef MR_TRIAL_OBSERVATION_JSON_H
#define MR_TRIAL_OBSERVATION_JSON_H

#include "gates.h"
#include "json_file.h"

// Writes every field under its name into a new object of `doc`; null: could not be measured.
yyjson_mut_val *mr_observation_json(yyjson_mut_doc *doc, const struct mr_observation *observation);

// Reads what mr_observation_json() wrote: the same numbers to the last bit. A missing or unknown
// field is a fault of `file`: what is not known stands there as null.
struct mr_observation mr_observation_read(struct mr_json_file *file, yyjson_val *object);

#endif
