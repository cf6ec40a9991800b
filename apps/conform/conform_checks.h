// conform_checks.h: the procedures of the kit: each runs one or more checks that share their work.
#ifndef MR_CONFORM_CHECKS_H
#define MR_CONFORM_CHECKS_H

#include "conform_kit.h"

#include <stdbool.h>
#include <stddef.h>

#define MR_PROCEDURE_RULES 8

enum mr_phase { MR_PHASE_CASES, MR_PHASE_LARGE, MR_PHASE_KEPT, MR_PHASE_WIRE, MR_PHASE_COMMAND };
#define MR_PHASES     5
#define MR_PHASES_ALL ((1u << MR_PHASES) - 1u)

struct mr_procedure {
    void (*run)(struct mr_kit *kit);
    enum mr_phase phase;
    bool once;          // the mode does not matter: run in one of them
    unsigned weight_ms; // about, with a native contestant: for the time left only
    enum mr_rule rules[MR_PROCEDURE_RULES]; // ends with MR_RULE_NONE
};

// The procedures of one file, ended by one whose `run` is NULL.
extern const struct mr_procedure mr_procedures_cases[];
extern const struct mr_procedure mr_procedures_large[];
extern const struct mr_procedure mr_procedures_kept[];
extern const struct mr_procedure mr_procedures_frames[];
extern const struct mr_procedure mr_procedures_replies[];
extern const struct mr_procedure mr_procedures_errors[];
extern const struct mr_procedure mr_procedures_flow[];
extern const struct mr_procedure mr_procedures_stats[];
extern const struct mr_procedure mr_procedures_unsent[];
extern const struct mr_procedure mr_procedures_connections[];
extern const struct mr_procedure mr_procedures_server[];
extern const struct mr_procedure mr_procedures_parse[];

// All of them, in the order in which they run; ends with NULL.
extern const struct mr_procedure *const mr_procedures[];

// Sends SIGTERM: exit code 0 must come in time, or `rule` has failed.
void mr_judge_sigterm(struct mr_kit *kit, enum mr_rule rule, struct mr_subject *subject);

#endif
