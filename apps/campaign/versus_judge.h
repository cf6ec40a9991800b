// versus_judge.h: from the results of a race of two builds to the gate's answer.
#ifndef MR_CAMPAIGN_VERSUS_JUDGE_H
#define MR_CAMPAIGN_VERSUS_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <yyjson.h>

// What the entries of such a race are called.
#define MR_VERSUS_BASE   "base"
#define MR_VERSUS_TWIN   "base-twice" // the base once more: what it seems to differ by is noise
#define MR_VERSUS_CHANGE "change"

enum mr_versus_answer {
    MR_VERSUS_PASSED,       // not slower beyond the margin: the same, faster, or within it
    MR_VERSUS_SLOWER,       // slower beyond the margin
    MR_VERSUS_NOT_RESOLVED, // the pairs allow both
    MR_VERSUS_VOID,         // the base seemed to differ from itself, so nothing can be said
    MR_VERSUS_INCOMPLETE,   // rows are missing, or nothing ran
    MR_VERSUS_WRONG,        // a build gave wrong answers
};

// Of one comparison. Ratios are speed over speed; above 1 the first is faster.
struct mr_versus_ratio {
    size_t pairs;
    double ratio; // NAN where there is none; so are the others
    double low;
    double high;
    double confidence;
};

struct mr_versus {
    enum mr_versus_answer answer;
    double margin;                 // a share
    struct mr_versus_ratio change; // change : base
    struct mr_versus_ratio twin;   // base-twice : base
    size_t rows_planned;
    size_t rows_counted;
    char why[512]; // with WRONG and INCOMPLETE: who, and how
};

// Judges `results`, the root of a results.json whose first cell is such a race. The change passes
// where its whole interval lies above 1 / (1 + margin), is slower where it lies wholly below, and
// is not resolved else. -EBADMSG: it is no such race.
int mr_versus_judge(yyjson_val *results, struct mr_versus *versus_out);

// The exit code of an answer: 0, 4 slower, 3 wrong, 5 else.
int mr_versus_exit_code(enum mr_versus_answer answer);

// The answer in a sentence that holds the margin and the figures.
void mr_versus_sentence(const struct mr_versus *versus, char *text_out, size_t capacity);

#endif
