// controls.h: what a campaign's controls of known size came to (measuring rule 14): the smallest
// dose that was found, the noise floor of the twins, whether the liars were caught.
#ifndef MR_CAMPAIGN_CONTROLS_H
#define MR_CAMPAIGN_CONTROLS_H

#include "estimate.h"

#include "stats/paired.h"
#include "stats/verdict.h"
#include "trial/matrix.h"
#include "trial_table.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MR_CONTROLS_MAX 32

// A control held against its cell's baseline.
struct mr_control_outcome {
    size_t cell;
    size_t entry;
    size_t baseline;
    enum mr_control control;
    double alpha; // of its interval; 0: a liar has none
    bool estimated;
    struct mr_paired paired;    // speed of the baseline over that of the control
    double cpu_extra;           // median of the pairs' CPU time a record, less 1; NAN: not measured
    struct mr_interval cpu_log; // of its logarithm, at the same level
    bool off_size; // a dose whose CPU time is not what was planted: it counts for nothing
    bool found;    // a dose: the baseline is faster
    bool differs;  // a twin: its interval excludes 0; an object order: "same" is ruled out
    bool is_same;  // an object order: the verdict is "same"
    const struct mr_trial *lie; // a liar: the trial that caught it; NULL: none
    bool believed;              // a liar: a trial of it counts, and none caught it
};

struct mr_controls {
    bool asked;    // the matrix has controls
    bool finished; // all their rows ran
    struct mr_control_outcome outcomes[MR_CONTROLS_MAX];
    size_t count;
    struct mr_noise noise; // of the twins; floor INFINITY: not known
    bool doses_ran;        // some pair of a dose is there
    double smallest_found; // share: it and all larger ones were found, beside every baseline; NAN:
                           // none
    size_t lies_told;      // by liars of which a trial ran
    size_t lies_caught;
    struct mr_estimate_limits limits; // of what may be claimed
};

// Opens the mapping of `matrix` and concludes from `table` and `estimates`, which know code names
// only. Doses are looked for at the strictest level that a primary comparison gets; twins and
// object orders share the level of the rules. `finished` says of each cell whether all its rows
// ran. 0 or -ENOMEM; `table` must outlive *controls_out.
MR_NODISCARD int mr_controls_open(struct mr_controls *controls_out, const struct mr_matrix *matrix,
                                  const struct mr_trial_table *table,
                                  const struct mr_estimates *estimates, const bool *finished);

#endif
