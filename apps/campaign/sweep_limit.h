// sweep_limit.h: the search for the highest rate that keeps a latency limit: pure, asks and is
// told.
#ifndef MR_CAMPAIGN_SWEEP_LIMIT_H
#define MR_CAMPAIGN_SWEEP_LIMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MR_LIMIT_TOLD_MAX 64

// The bracket is narrow enough when it is at most this share of its upper end.
#define MR_LIMIT_RESOLUTION 0.05

enum mr_limit_vote {
    MR_LIMIT_KEPT,
    MR_LIMIT_BROKE,
    MR_LIMIT_UNDECIDED, // too few batches for a p99
};

// "kept", "broke", "undecided"; constant.
const char *mr_limit_vote_name(enum mr_limit_vote vote);

// What a trial saw. NAN: n too small for it.
struct mr_limit_figures {
    double p50_ns;
    double p90_ns;
    double p99_ns;
    double max_ns;
    bool overloaded;
};

// What one trial says. An overloaded one broke the limit, whatever its percentiles: its queue grows
// for as long as one looks. Without p99 it kept where even the maximum stays within, and broke
// where a lower percentile does not.
enum mr_limit_vote mr_limit_judge(const struct mr_limit_figures *figures, double limit_ns);

// What `repeats` trials say together: kept when more than half of them are; broke when that cannot
// be any more; `open` ones are undecided, or were not run yet.
enum mr_limit_vote mr_limit_majority(uint64_t kept, uint64_t open, uint64_t repeats);

// How a search ended.
enum mr_limit_end {
    MR_LIMIT_SEARCHING,
    MR_LIMIT_FOUND,      // kept and broke are a resolution apart
    MR_LIMIT_NONE_KEPT,  // nor did 1 % of the maximum
    MR_LIMIT_NONE_BROKE, // nor did twice the maximum
    MR_LIMIT_NO_P99,     // n too small to decide at a rate
    MR_LIMIT_NO_TRIALS,  // too many trials of a rate were excluded to decide
    MR_LIMIT_STEPS,      // more steps than a search should take
};

// "searching", "found", "none kept", …; constant.
const char *mr_limit_end_name(enum mr_limit_end end);

struct mr_limit_rate {
    uint64_t rate_per_s;
    uint64_t kept; // of its trials
    uint64_t broke;
    uint64_t undecided;
    enum mr_limit_vote vote;
    bool searched; // not one of the sweep's loads
};

// A search of one contestant.
struct mr_limit_search {
    double maximum_per_s;
    uint64_t kept_per_s;  // the highest that kept below all that broke; 0: none
    uint64_t broke_per_s; // the lowest that broke; 0: none
    bool contradicted;    // a rate kept though a lower one broke: noise is larger than the step
    enum mr_limit_end end;
    struct mr_limit_rate told[MR_LIMIT_TOLD_MAX];
    size_t told_count;
};

// A search with a closed loop's maximum (> 0) as its scale.
struct mr_limit_search mr_limit_search_of(double maximum_per_s);

// Takes note of what a rate did. Loads that stay undecided are noted and decide nothing; an
// undecided rate of the search itself ends it.
void mr_limit_tell(struct mr_limit_search *search, const struct mr_limit_rate *rate);

// The next rate to try: halves the bracket. False when the search has ended; search->end says how.
bool mr_limit_next(struct mr_limit_search *search, uint64_t *rate_per_s_out);

#endif
