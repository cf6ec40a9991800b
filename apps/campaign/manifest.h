// manifest.h: manifest.json: everything that was fixed before the first trial.
#ifndef MR_CAMPAIGN_MANIFEST_H
#define MR_CAMPAIGN_MANIFEST_H

#include "race.h"

#include <matchrace/attributes.h>

// The name of the manifest of stratum `number`: manifest.json, manifest-2.json, …
#define MR_MANIFEST_NAME_BYTES 32
void mr_manifest_name(uint64_t number, char name_out[MR_MANIFEST_NAME_BYTES]);

// Writes the manifest of race->stratum into `race`->folder (schemas/manifest.schema.json): matrix,
// rules, schedule, seed, contestants with hashes of their programs, datasets, environment.
// `reproduce` is the command that runs it again. 0; a negative errno with *fault set.
MR_NODISCARD int mr_manifest_write(const struct mr_race *race, const char *reproduce,
                                   struct mr_trial_fault *fault);

// The same as a document; NULL: out of memory. The caller frees it. `race` must outlive it.
yyjson_mut_doc *mr_manifest_compose(const struct mr_race *race, const char *reproduce);

// What of `manifest` may not change while a run goes on: this program, machine and kernel, programs
// of the contestants and the libraries that they load, datasets. Of libraries only those that
// `beside`, the manifest that it is held against, names too. NULL: out of memory. The caller frees
// it.
yyjson_doc *mr_manifest_fixed_of(yyjson_val *manifest, yyjson_val *beside);

// Adds the environment to `parent` as "environment": machine, grade, cores, and what an ideal host
// would have that this one lacks.
void mr_manifest_environment(const struct mr_race *race, yyjson_mut_doc *doc,
                             yyjson_mut_val *parent);

#endif
