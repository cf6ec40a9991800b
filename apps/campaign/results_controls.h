// results_controls.h: the controls of known size as results.json has them (measuring rule 14).
#ifndef MR_CAMPAIGN_RESULTS_CONTROLS_H
#define MR_CAMPAIGN_RESULTS_CONTROLS_H

#include "controls.h"

#include <yyjson.h>

// Adds "controls" to `root`: null where the matrix asks for none. `doc` keeps pointers into
// `matrix` and the trials behind `controls`.
void mr_results_controls(yyjson_mut_doc *doc, yyjson_mut_val *root, const struct mr_matrix *matrix,
                         const struct mr_controls *controls);

#endif
