// sweep_limit.c: see sweep_limit.h.
#include "sweep_limit.h"

#include "base/mr_assert.h"

#include <math.h>

#define STEPS_MAX 16

const char *mr_limit_vote_name(enum mr_limit_vote vote)
{
    static const char *const names[] = {"kept", "broke", "undecided"};
    return names[vote];
}

const char *mr_limit_end_name(enum mr_limit_end end)
{
    static const char *const names[] = {"searching",     "found",       "none kept",
                                        "none broke",    "n too small", "trials excluded",
                                        "too many steps"};
    return names[end];
}

enum mr_limit_vote mr_limit_judge(const struct mr_limit_figures *figures, double limit_ns)
{
    // Comparisons with NAN are false.
    bool lower_broke = figures->p50_ns > limit_ns || figures->p90_ns > limit_ns;
    if (figures->overloaded || figures->p99_ns > limit_ns || lower_broke) {
        return MR_LIMIT_BROKE;
    }
    return figures->p99_ns <= limit_ns || figures->max_ns <= limit_ns ? MR_LIMIT_KEPT
                                                                      : MR_LIMIT_UNDECIDED;
}

enum mr_limit_vote mr_limit_majority(uint64_t kept, uint64_t open, uint64_t repeats)
{
    if (2 * kept > repeats) {
        return MR_LIMIT_KEPT;
    }
    return 2 * (kept + open) <= repeats ? MR_LIMIT_BROKE : MR_LIMIT_UNDECIDED;
}

struct mr_limit_search mr_limit_search_of(double maximum_per_s)
{
    return (struct mr_limit_search){.maximum_per_s = maximum_per_s};
}

// The bracket of everything told so far.
static void find_bracket(struct mr_limit_search *search)
{
    uint64_t broke = 0;
    uint64_t kept = 0;
    for (size_t i = 0; i < search->told_count; i++) {
        const struct mr_limit_rate *one = &search->told[i];
        if (one->vote == MR_LIMIT_BROKE && (broke == 0 || one->rate_per_s < broke)) {
            broke = one->rate_per_s;
        }
    }
    search->contradicted = false;
    for (size_t i = 0; i < search->told_count; i++) {
        const struct mr_limit_rate *one = &search->told[i];
        if (one->vote != MR_LIMIT_KEPT) {
            continue;
        }
        if (broke != 0 && one->rate_per_s >= broke) {
            search->contradicted = true;
        } else if (one->rate_per_s > kept) {
            kept = one->rate_per_s;
        }
    }
    search->kept_per_s = kept;
    search->broke_per_s = broke;
}

void mr_limit_tell(struct mr_limit_search *search, const struct mr_limit_rate *rate)
{
    MR_ASSERT(search->told_count < MR_LIMIT_TOLD_MAX);
    search->told[search->told_count++] = *rate;
    if (rate->searched && rate->vote == MR_LIMIT_UNDECIDED) {
        search->end = rate->undecided > 0 ? MR_LIMIT_NO_P99 : MR_LIMIT_NO_TRIALS;
    }
    find_bracket(search);
}

// Whether kept and broke, both there, are close enough.
static bool is_narrow(const struct mr_limit_search *search)
{
    double gap = (double)(search->broke_per_s - search->kept_per_s);
    return gap <= fmax(1, MR_LIMIT_RESOLUTION * (double)search->broke_per_s);
}

static enum mr_limit_end judge_end(const struct mr_limit_search *search)
{
    size_t steps = 0;
    for (size_t i = 0; i < search->told_count; i++) {
        steps += search->told[i].searched;
    }
    double kept = (double)search->kept_per_s;
    double broke = (double)search->broke_per_s;
    if (search->broke_per_s == 0) {
        return kept >= 2 * search->maximum_per_s ? MR_LIMIT_NONE_BROKE
               : steps >= STEPS_MAX              ? MR_LIMIT_STEPS
                                                 : MR_LIMIT_SEARCHING;
    }
    if (search->kept_per_s == 0 && broke <= fmax(1, search->maximum_per_s / 100)) {
        return MR_LIMIT_NONE_KEPT;
    }
    if (search->kept_per_s != 0 && is_narrow(search)) {
        return MR_LIMIT_FOUND;
    }
    return steps >= STEPS_MAX ? MR_LIMIT_STEPS : MR_LIMIT_SEARCHING;
}

bool mr_limit_next(struct mr_limit_search *search, uint64_t *rate_per_s_out)
{
    if (search->end == MR_LIMIT_SEARCHING) {
        search->end = judge_end(search);
    }
    if (search->end != MR_LIMIT_SEARCHING) {
        return false;
    }
    if (search->broke_per_s != 0) {
        *rate_per_s_out = search->kept_per_s + (search->broke_per_s - search->kept_per_s) / 2;
    } else if (search->kept_per_s != 0) {
        *rate_per_s_out = search->kept_per_s + search->kept_per_s / 4 + 1;
    } else {
        *rate_per_s_out = (uint64_t)fmax(1, round(search->maximum_per_s / 2));
    }
    return true;
}
