// verdict.h: what may be said about A against B, and how the level is divided among comparisons.
#ifndef MR_STATS_VERDICT_H
#define MR_STATS_VERDICT_H

#include "paired.h"

#include <stdbool.h>
#include <stddef.h>

// At most so many primary comparisons a table; the others are shown without verdict.
#define MR_PRIMARY_MAX 4

// The margin within which two contestants are called the same, where the rules name no other.
#define MR_MARGIN 0.03

// What a reader is told about A against B. "Faster" stands for "better" whatever the metric.
enum mr_verdict {
    MR_VERDICT_NOT_RESOLVED,     // the interval allows too much: more pairs, or a quieter machine
    MR_VERDICT_FASTER,           // the interval lies wholly beyond the margin, on A's side
    MR_VERDICT_SLOWER,           // likewise on B's side
    MR_VERDICT_SAME,             // the interval lies wholly inside the margin
    MR_VERDICT_FASTER_SIZE_OPEN, // 0 is excluded but the margin is crossed: A is ahead, by how much
                                 // is open
    MR_VERDICT_SLOWER_SIZE_OPEN, // likewise for B
    MR_VERDICT_VOID,             // identical twins differed: nothing in this table may be claimed
};

// Whether a larger value of the metric is better (records per second) or a smaller one (seconds).
enum mr_better {
    MR_BETTER_HIGHER,
    MR_BETTER_LOWER,
};

// The rules of one judgement. A share m is used as ±log(1 + m), so that A against B and B against A
// are judged alike.
struct mr_verdict_rules {
    enum mr_better better;
    double margin;         // a share, > 0 (asserted): 0.03 is 3 %
    double smallest_found; // the smallest planted difference that this campaign found, a share; 0:
                           // none was planted. A smaller claim gets no verdict.
    bool twins_differ;     // of mr_noise_floor(): the table is void
};

// A judgement: the verdict, which side the whole interval is on, and whether the planted
// differences forbade a claim.
struct mr_judgement {
    enum mr_verdict verdict;
    int side;           // 1: the interval is wholly on A's side of 0; −1: on B's; 0: it holds 0
    bool consistently;  // with MR_VERDICT_SAME: 0 is excluded, "consistently x % faster or slower"
    bool below_control; // a claim was withheld because it is smaller than smallest_found
};

// Judges by the interval of log ratios a/b and the estimate (their median). An interval that is not
// known resolves nothing. Interval ends on the margin count as inside neither it nor what lies
// beyond: the weaker verdict is given.
struct mr_judgement mr_judge(const struct mr_interval *logs, double log_ratio,
                             const struct mr_verdict_rules *rules);

// Holm's step-down division of `alpha` among `count` (1 … MR_PRIMARY_MAX, asserted) comparisons:
// levels_out[i] is the level at which comparison i is tested and its interval drawn. The smallest
// p-value gets alpha / count, the next alpha / (count − 1) …, until one is not rejected: it and all
// after it keep that level. Equal p-values get the same level (the smaller), so that the order in
// which comparisons are listed never shows. The chance of any false "differs" is at most alpha;
// each interval has the confidence of its own level. Holm, Scand. J. Statist. 6 (1979).
void mr_holm(const double *p_values, size_t count, double alpha, double *levels_out);

// The result of the comparisons between identical twins.
struct mr_noise {
    double floor; // the largest bound of any of their intervals as a share: 0.01 is 1 %; INFINITY
                  // when there are no twins or one has no interval
    bool twins_differ; // one interval excludes 0
};

// The noise floor of `count` twin comparisons, whose intervals of log ratios were made at 0.05 /
// count.
struct mr_noise mr_noise_floor(const struct mr_interval *twins, size_t count);

#endif
