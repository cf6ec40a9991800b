// marks.h: what is told of a trial and never excludes it, because it depends on the contestant.
//
// Rules of docs/MEASURING.md, "Marks". Pure functions over the same observation as the gates.
#ifndef MR_TRIAL_MARKS_H
#define MR_TRIAL_MARKS_H

#include "gates.h"

enum mr_mark {
    MR_MARK_NOT_STEADY,         // throughput drifts over the window, or that cannot be excluded
    MR_MARK_UNBALANCED_THREADS, // one server thread does much more than an even share
    MR_MARK_OVERLOADED,         // open loop: the rate was not sustained
    // Warm-up ended by its limit, not because the server was warm. Unavailable where throughput
    // tells nothing of that: in an open loop, which fixes it, and in less than 10 points.
    MR_MARK_WARMUP_AT_MAXIMUM,
    MR_MARK_COUNT
};

// Shares are fractions of 1.
struct mr_mark_rules {
    double slope_max;            // |change over the window|
    double slope_interval_max;   // how far its interval may reach to either side
    double thread_imbalance_max; // the busiest thread over an even share, less 1
};

// Fills results_out[MR_MARK_COUNT]; MR_GATE_FAILED means marked.
void mr_marks_judge(const struct mr_observation *observation, const struct mr_mark_rules *rules,
                    struct mr_gate_result *results_out);

// "not_steady", …; "clear", "marked", "unavailable", "exempt"; constant. The outcome "off" is none
// of a mark (asserted).
const char *mr_mark_name(enum mr_mark mark);
const char *mr_mark_outcome_name(enum mr_gate_outcome outcome);

#endif
