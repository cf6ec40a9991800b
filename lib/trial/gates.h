// gates.h: judging one trial by the rules, without knowing which contestant ran: observation +
// rules → outcome.
//
// Rules of docs/MEASURING.md, table "Gates". Pure functions: same observation, same outcome. Marks,
// which never exclude, stand in marks.h.
#ifndef MR_TRIAL_GATES_H
#define MR_TRIAL_GATES_H

#include "gate_figures.h"

#include <stdbool.h>

enum mr_gate {
    MR_GATE_ANSWERS,           // every reply and the final totals verified
    MR_GATE_GENERATOR_KEPT_UP, // the generator was not the limit
    MR_GATE_SERVER_IS_LIMIT,   // the null contestant of the row is faster by the headroom
    MR_GATE_NOTHING_ELSE_RAN,  // foreign CPU time on the trial's cores
    MR_GATE_HOST_DID_NOT_PAUSE,
    MR_GATE_MACHINE_UNCHANGED, // fixed work before and after took the same time
    MR_GATE_RECORDER_SANE,     // in-flight integral against mean × count
    MR_GATE_NOVELTY,           // batches never seen before cost the server what known ones do
    MR_GATE_COUNT
};

// What a failed gate does to its trial. Answers always take the contestant out (written "exclude");
// only the recorder's gate may end the run ("abort": failing it is our bug), and it cannot merely
// exclude.
enum mr_gate_action { MR_GATE_OFF, MR_GATE_MARK, MR_GATE_EXCLUDE, MR_GATE_ABORT };

// Thresholds. Shares are fractions of 1.
struct mr_gate_rules {
    enum mr_gate_action action[MR_GATE_COUNT];
    double generator_busy_max;        // closed loop: it must stay below
    double server_busy_min;           // closed loop: enough to show that the server is the limit
    double lateness_gap_share_max;    // open loop
    double lateness_floor_ns;         // open loop
    double lateness_overshoot_factor; // open loop, grade C: of the host's own overshoot
    double lateness_overshoot_max_ns; // a larger product of both is noise that cannot judge
    double headroom_min;              // null contestant over the cell's best
    double foreign_share_max;         // of the trial's core time
    double foreign_step_factor;       // of foreign_share_max: a coarser counter cannot judge
    double pause_share_max;           // of the window
    double pause_longest_floor_ns;    // open loop
    double pause_longest_p99_share;   // open loop: of the latency's p99
    double machine_change_max;        // of the fixed work's time
    double machine_spread_factor;     // of its calibrated spread
    double machine_noise_max;         // a larger product of both is noise that cannot judge
    double recorder_deviation_max; // of what is allowed: 0.5 % + 2 · longest round trip / window
    double unseen_over_seen_max;   // cost of unseen batches over that of known ones
};

// What was seen of a trial. NAN: could not be measured. Names are those of the trial's file.
struct mr_observation {
    double answers;       // 1: replies, STATS, KEPT and the end are right; 0: not; NAN: not reached
    bool null_contestant; // mode drain: exempt from the generator's gates
    bool open_loop;
    bool in_process;         // no generator and no recorder took part: exempt from their gates
    bool grade_c;            // server and generator have a core each, and none is spare
    double generator_busy;   // share of the window
    double server_busy;      // CPU time of the server's threads over window × its cores
    double lateness_p99_ns;  // open loop: of batches that were not blocked
    double gap_ns;           // open loop: between due times; Poisson: mean; bursts: period
    double overshoot_p99_ns; // of the generator's sleeps, the smaller of before and after the load
    double latency_p99_ns;   // open loop
    double headroom;         // the row's null contestant over this cell's best; NAN: no such row
    double foreign_share;    // of the trial's core time
    double foreign_step_share; // one step of that counter, likewise
    double pause_share;        // of the window
    double pause_longest_ns;   // longest unexplained gap
    double machine_change;     // |after/before − 1| of the fixed work
    double machine_spread;     // calibrated spread of the same
    double major_faults;       // in the window
    double swapped_pages;      //
    double throttled_ns;       //
    double recorder_deviation; // over what is allowed
    double unseen_over_seen;   // cost of batches held back until then over that of known ones
    // For the marks.
    double throughput_slope;      // closed loop: change over the window, share of its median
    double throughput_slope_low;  // 95 % interval
    double throughput_slope_high; //
    double thread_imbalance;      // the busiest server thread over an even share, less 1
    double overloaded;            // open loop: 1: the rate was not sustained; 0: it was
    double warmup_slope;          // the same over the end of the warm-up
    double warmup_slope_low;      //
    double warmup_slope_high;     //
    double compiled_methods;      // by the server's runtime in the window, where it tells
    double managed_warmup_ns;     // how long it was warmed where it compiles while it runs
};

// An observation of nothing yet: every figure NAN, every flag false.
struct mr_observation mr_observation_unknown(void);

// Fills results_out[MR_GATE_COUNT].
void mr_gates_judge(const struct mr_observation *observation, const struct mr_gate_rules *rules,
                    struct mr_gate_result *results_out);

// Gate "server is the limit" alone: it is judged over a cell.
struct mr_gate_result mr_gate_judge_headroom(double headroom, const struct mr_gate_rules *rules);

// What failed gates make of a trial, the gravest of them.
enum mr_gate_effect {
    MR_EFFECT_NONE,
    MR_EFFECT_EXCLUDED, // its row runs again
    MR_EFFECT_ABORTED,  // a bug of ours: the trial does not count and the run ends
    MR_EFFECT_WRONG,    // the contestant is out of the cell
};

// The effect of `results`; *gate_out is the first gate with that effect (untouched where there is
// none).
enum mr_gate_effect mr_gates_effect(const struct mr_gate_result *results,
                                    const struct mr_gate_rules *rules, enum mr_gate *gate_out);

// Names for files and people: "answers", "generator_kept_up", …; "passed", "failed", …; constant.
const char *mr_gate_name(enum mr_gate gate);
const char *mr_gate_outcome_name(enum mr_gate_outcome outcome);
const char *mr_gate_action_name(enum mr_gate_action action);

#endif
