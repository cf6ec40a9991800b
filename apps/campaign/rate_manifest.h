// rate_manifest.h: the loads of a run as its manifest keeps them: measured maxima and the rates
// that follow, fixed before the first trial.
#ifndef MR_CAMPAIGN_RATE_MANIFEST_H
#define MR_CAMPAIGN_RATE_MANIFEST_H

#include "race.h"

#include <matchrace/attributes.h>

#include <yyjson.h>

// Adds "loads" (every entry of every cell) and "maxima" (what was measured) to the manifest `root`.
void mr_rates_write(const struct mr_race *race, yyjson_mut_doc *doc, yyjson_mut_val *root);

// Fixes every rate of `matrix` that is a share by what the manifest `root` says: nothing is
// measured again, so the same manifest gives the same rates. 0; -EBADMSG with *fault: the manifest
// lacks one.
MR_NODISCARD int mr_rates_read(struct mr_matrix *matrix, yyjson_val *root,
                               struct mr_trial_fault *fault);

// A load as JSON: plan, limits, rates in batches/s (null where the plan has none).
yyjson_mut_val *mr_rate_load_json(yyjson_mut_doc *doc, const struct mr_cell_load *load);

#endif
