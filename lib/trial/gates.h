// gates.h: judging one trial by the rules, without knowing which contestant ran: observation +
// rules → outcome.
//
// Rules of docs/MEASURING.md, table "Gates". Pure functions: same observation, same outcome.
#ifndef MR_TRIAL_GATES_H
#define MR_TRIAL_GATES_H

#include <stdbool.h>

enum mr_gate {
    MR_GATE_ANSWERS,           // every reply and the final totals verified
    MR_GATE_GENERATOR_KEPT_UP, // the generator was not the limit
    MR_GATE_SERVER_IS_LIMIT,   // the null contestant of the row is faster by the headroom
    MR_GATE_NOTHING_ELSE_RAN,  // foreign CPU time on the trial's cores
    MR_GATE_HOST_DID_NOT_PAUSE,
    MR_GATE_MACHINE_UNCHANGED, // fixed work before and after took the same time
    MR_GATE_RECORDER_SANE,     // in-flight integral against mean × count
    MR_GATE_COUNT
};

// What a failed gate does to its trial. A rule may only loosen host gates: answers always excludes.
enum mr_gate_action { MR_GATE_OFF, MR_GATE_MARK, MR_GATE_EXCLUDE };

enum mr_gate_outcome {
    MR_GATE_PASSED,
    MR_GATE_FAILED,
    MR_GATE_UNAVAILABLE, // it could not be measured; never the same as passed
    MR_GATE_EXEMPT,      // the rule does not apply to this trial (null cells)
    MR_GATE_SKIPPED,     // switched off by the rules
};

// Thresholds. Shares are fractions of 1.
struct mr_gate_rules {
    enum mr_gate_action action[MR_GATE_COUNT];
    double generator_busy_max;     // closed loop
    double server_busy_min;        // closed loop: enough to show that the server is the limit
    double lateness_gap_share_max; // open loop
    double lateness_floor_ns;      // open loop
    double headroom_min;           // null contestant over the cell's best
    double foreign_share_max;      // of the trial's core time
    double pause_share_max;        // of the window
    double machine_change_max;     // of the fixed work's time
    double recorder_deviation_max; // of what is allowed: 0.5 % + 2 · longest round trip / window
};

// What was seen of a trial. NAN: could not be measured.
struct mr_observation {
    double answers;       // 1: replies, STATS, KEPT and the end are right; 0: not; NAN: not reached
    bool null_contestant; // mode drain: exempt from the generator's gates
    bool open_loop;
    double generator_busy; // share of the window
    double server_busy;    // CPU time of the server's threads over window × its cores
    double lateness_p99_ns;
    double gap_ns;   // between due times
    double headroom; // the row's null contestant over this cell's best; NAN: no such row
    double foreign_share;      // of the trial's core time
    double foreign_step_share; // the counter's step as a share of the window
    double pause_share;        // of the window
    double pause_longest_ns;
    double machine_change;     // |after / before − 1| of fixed work
    double machine_spread;     // its spread when it was calibrated
    double major_faults;       // in the window, of server and generator
    double swapped_pages;      // in the window, of the machine
    double throttled_ns;       // in the window, of our control groups
    double recorder_deviation; // over what is allowed
    bool grade_c;
};

struct mr_gate_result {
    enum mr_gate_outcome outcome;
    double figure;    // what was compared, NAN when unavailable
    double threshold; // with what
};

// Fills results_out[MR_GATE_COUNT].
void mr_gates_judge(const struct mr_observation *observation, const struct mr_gate_rules *rules,
                    struct mr_gate_result *results_out);

// Whether `results` exclude the trial: a failed gate whose action says so.
bool mr_gates_exclude(const struct mr_gate_result *results, const struct mr_gate_rules *rules);

// Names for files and people: "answers", "generator kept up", …; "passed", "failed", …; constant.
const char *mr_gate_name(enum mr_gate gate);
const char *mr_gate_outcome_name(enum mr_gate_outcome outcome);
const char *mr_gate_action_name(enum mr_gate_action action);

#endif
