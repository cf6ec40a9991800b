// rules.h: the rules of a campaign, fixed beforehand and stored with its results.
#ifndef MR_TRIAL_RULES_H
#define MR_TRIAL_RULES_H

#include "gates.h"
#include "json_file.h"
#include "marks.h"

#include <stdbool.h>
#include <stdint.h>

struct mr_rules {
    uint64_t warmup_ns;
    uint64_t warmup_managed_ns;     // at least so long where code is compiled while it runs
    uint64_t warmup_managed_max_ns; // at most so long where it isn't warm by then (served, closed)
    uint64_t window_ns;
    uint64_t drain_limit_ns; // how long unanswered batches are waited for after the window
    uint64_t steps;          // stepped driver: timed passes a trial
    double margin;           // of a verdict, 0.03 = 3 %
    double alpha;            // 0.05: the chance of a false difference over a table's comparisons
    uint64_t retries_max;    // a row runs again at most so often
    struct mr_gate_rules gates;
    struct mr_mark_rules marks;
};

// How long a contestant is warmed, which is managed (contestant.json) or not.
uint64_t mr_rules_warmup_ns(const struct mr_rules *rules, bool managed);

// How long its warm-up may go on where the generator sees that it isn't warm yet; never less.
uint64_t mr_rules_warmup_max_ns(const struct mr_rules *rules, bool managed);

// The rules of docs/MEASURING.md before anything is set.
void mr_rules_default(struct mr_rules *rules);

// Reads the object `rules` of a matrix over the defaults; faults stick to `file`.
void mr_rules_read(struct mr_json_file *file, yyjson_val *object, struct mr_rules *rules_io);

// Writes every rule, defaults included, as a JSON object into `doc`.
yyjson_mut_val *mr_rules_json(yyjson_mut_doc *doc, const struct mr_rules *rules);

#endif
