// results_real.h: how results.json writes a number: JSON has no infinities, and what is not known
// is null.
#ifndef MR_CAMPAIGN_RESULTS_REAL_H
#define MR_CAMPAIGN_RESULTS_REAL_H

#include <math.h>
#include <yyjson.h>

// Adds `value` to `object`, or null where it is not finite. `key` must outlive `doc`.
static inline void mr_results_add_real(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key,
                                       double value)
{
    if (isfinite(value)) {
        yyjson_mut_obj_add_real(doc, object, key, value);
    } else {
        yyjson_mut_obj_add_null(doc, object, key);
    }
}

#endif
