// conform_kit.h: the state of the kit while it checks one contestant in one mode, and what the
// checks have found.
#ifndef MR_CONFORM_KIT_H
#define MR_CONFORM_KIT_H

#include "conform_cases.h"
#include "conform_rules.h"
#include "conform_subject.h"

#include <matchrace/attributes.h>
#include <matchrace/contract.h>

#include <stdbool.h>
#include <stdint.h>

enum mr_outcome {
    MR_OUTCOME_NONE,    // not run, or not reached
    MR_OUTCOME_OK,      //
    MR_OUTCOME_SKIPPED, // this machine cannot tell; `got` says why
    MR_OUTCOME_FAILED,  //
};

#define MR_FINDING_BYTES 240

// What is known about one check in one mode. The first failure stays.
struct mr_finding {
    enum mr_outcome outcome;
    bool selected; // it is to be run
    bool gap;      // the contestant has declared that it may fail
    char expected[MR_FINDING_BYTES];
    char got[MR_FINDING_BYTES];
};

// Choices of the command line.
struct mr_kit_options {
    bool modes[MR_MODE_COUNT];
    bool rules[MR_RULE_COUNT];
    unsigned phases;      // bits 1 << enum mr_phase
    uint64_t patience_ns; // how long to wait for what must come
    uint64_t limit_ns;    // for one contestant in all
    uint64_t sample;      // of the byte-by-byte cases every n-th, 1: all
};

struct mr_kit {
    const struct mr_kit_options *options;
    struct mr_subject_plan plan;
    const struct mr_case_set *cases;
    enum mr_mode mode;
    struct mr_finding finding[MR_MODE_COUNT][MR_RULE_COUNT];
    struct mr_subject shared; // the server that checks without wishes of their own use
    bool shared_runs;
    uint64_t patience_ns; // as in options; shorter after some time-outs
    uint64_t deadline_ns; // of all checks of this contestant
    unsigned timeouts;    // of waits for what must come
    bool given_up;        // too many, or the deadline has passed
    char trouble[512];    // why the contestant could not be checked at all
};

// Whether the check is to be run in this mode.
bool mr_kit_wants(const struct mr_kit *kit, enum mr_rule rule);

// Notes that a part of the check was fine: it is ok unless another part fails.
void mr_kit_ok(struct mr_kit *kit, enum mr_rule rule);

// Notes a failure.
MR_PRINTF(4, 5)
void mr_kit_fail(struct mr_kit *kit, enum mr_rule rule, const char *expected, const char *format,
                 ...);

// Notes that this machine cannot tell.
void mr_kit_skip(struct mr_kit *kit, enum mr_rule rule, const char *why);

// A deadline for what must come now.
uint64_t mr_kit_deadline(const struct mr_kit *kit);

// A wait for what must come was in vain: after some of them the kit waits less, in the end it gives
// up, so that a contestant that hangs is found out in bounded time.
void mr_kit_timed_out(struct mr_kit *kit);

// No more checks: a stop was asked for, or the kit has given up.
bool mr_kit_over(const struct mr_kit *kit);

// Starts a server in the kit's mode with `options` (ends with NULL) and waits until it listens.
// False when it does not; then `rule` has failed. The caller ends it with mr_kit_stop().
bool mr_kit_serve(struct mr_kit *kit, enum mr_rule rule, const char *const *options,
                  struct mr_subject *subject_out);

// Ends a server: SIGTERM, then SIGKILL.
void mr_kit_stop(struct mr_kit *kit, struct mr_subject *subject);

// The server that checks share; NULL when it cannot be started: then `rule` has failed.
struct mr_subject *mr_kit_shared(struct mr_kit *kit, enum mr_rule rule);

// Ends the shared server; the next one that asks gets a fresh one.
void mr_kit_drop_shared(struct mr_kit *kit);

#endif
