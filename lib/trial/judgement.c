// judgement.c: see judgement.h.
#include "judgement.h"

#include <math.h>
#include <stdio.h>

enum mr_gate_effect mr_trial_judge(struct mr_trial *trial, const struct mr_rules *rules)
{
    mr_gates_judge(&trial->observation, &rules->gates, trial->gates);
    mr_marks_judge(&trial->observation, &rules->marks, trial->marks);
    // One trial has no headroom: it lies between contestants.
    trial->gates[MR_GATE_SERVER_IS_LIMIT] =
        mr_gate_without(MR_GATE_EXEMPT, "judged over the cell, not over a trial");
    if (trial->before_gates != MR_TRIAL_COUNTED) {
        trial->outcome = trial->before_gates;
        return MR_EFFECT_NONE;
    }
    enum mr_gate gate = MR_GATE_COUNT;
    enum mr_gate_effect effect = mr_gates_effect(trial->gates, &rules->gates, &gate);
    trial->outcome = effect == MR_EFFECT_NONE    ? MR_TRIAL_COUNTED
                     : effect == MR_EFFECT_WRONG ? MR_TRIAL_WRONG
                                                 : MR_TRIAL_EXCLUDED;
    trial->reason[0] = '\0';
    if (effect != MR_EFFECT_NONE) {
        (void)snprintf(trial->reason, sizeof trial->reason, "gate %s: %s", mr_gate_name(gate),
                       trial->gates[gate].text);
    }
    return effect;
}
