// judgement.h: a trial under the rules: its gates, its marks, and whether it counts.
//
// The same function judges when the trial ends and when its file is judged again.
#ifndef MR_TRIAL_JUDGEMENT_H
#define MR_TRIAL_JUDGEMENT_H

#include "rules.h"
#include "trial_file.h"

// Judges trial->observation: sets gates, marks, outcome, and the reason where a gate decided it.
// What became of the trial before the gates (trial->before_gates) stands: an accident or a wrong
// answer is no matter of thresholds. Returns what the gates made of it.
enum mr_gate_effect mr_trial_judge(struct mr_trial *trial, const struct mr_rules *rules);

#endif
