// gate_figures.h: one comparison of a figure with its limit, and what several of them come to.
//
// Pure functions. A figure that is not finite could not be measured: it is unavailable, never
// passed.
#ifndef MR_TRIAL_GATE_FIGURES_H
#define MR_TRIAL_GATE_FIGURES_H

#include <stdbool.h>
#include <stddef.h>

enum mr_gate_outcome {
    MR_GATE_PASSED,
    MR_GATE_FAILED,
    MR_GATE_UNAVAILABLE, // it could not be measured; never the same as passed
    MR_GATE_EXEMPT,      // the rule does not apply to this trial (null cells)
    MR_GATE_SKIPPED,     // switched off by the rules
};

// What the limit is to the figure.
enum mr_gate_bound { MR_BOUND_AT_MOST, MR_BOUND_BELOW, MR_BOUND_AT_LEAST };

// How a figure is written for people. Shares are fractions of 1.
enum mr_gate_unit { MR_UNIT_NUMBER, MR_UNIT_SHARE, MR_UNIT_NS };

struct mr_gate_figure {
    const char *what; // a field of struct mr_observation; constant
    enum mr_gate_unit unit;
    enum mr_gate_bound bound;
    double value; // NAN: could not be measured
    double limit; // NAN: none is known
    enum mr_gate_outcome outcome;
    bool where_readable; // that it is unavailable does not make the whole unavailable
};

#define MR_GATE_FIGURES_MAX 5
#define MR_GATE_TEXT_BYTES  320

struct mr_gate_result {
    enum mr_gate_outcome outcome;
    double figure;    // the comparison that decided, NAN when unavailable
    double threshold; // with what
    size_t figures_count;
    struct mr_gate_figure figures[MR_GATE_FIGURES_MAX]; // everything that was compared
    char text[MR_GATE_TEXT_BYTES]; // the same for people: "pause share 0.71 %, at most 0.50 %; …"
};

// Compares value with limit.
struct mr_gate_figure mr_figure(const char *what, enum mr_gate_unit unit, double value,
                                enum mr_gate_bound bound, double limit);

// At most the largest of `limits`, of which some may be unknown (NAN): within the largest known one
// it passes, whatever the others are; beyond it, it is unavailable if one is unknown.
struct mr_gate_figure mr_figure_at_most_largest(const char *what, enum mr_gate_unit unit,
                                                double value, const double *limits, size_t count);

// A result of the figures, `count` ≤ MR_GATE_FIGURES_MAX (asserted) and ≥ 1: failed when one
// failed; else unavailable when one is (unless it is asked for only where it can be read); else
// passed.
struct mr_gate_result mr_gate_of_all(const struct mr_gate_figure *figures, size_t count);

// The same figures with the outcome `outcome`, decided by figures[place].
struct mr_gate_result mr_gate_of(const struct mr_gate_figure *figures, size_t count,
                                 enum mr_gate_outcome outcome, size_t place);

// A result without figures: exempt or off, and why.
struct mr_gate_result mr_gate_without(enum mr_gate_outcome outcome, const char *why);

// "at_most", "below", "at_least"; constant.
const char *mr_gate_bound_name(enum mr_gate_bound bound);

#endif
