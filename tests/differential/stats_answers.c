// stats_answers.c: lib/stats by lines, for stats_agree.py: a question a line, an answer a line.
//
//   pairs ALPHA MARGIN N A1 B1 A2 B2 …    figures of one comparison
//   orders N ALPHA                        sign-test and signed-rank order
//   needed COMPARISONS ALPHA              smallest number of pairs
//   holm ALPHA N P1 P2 …                  levels
//   places N WORD                         WORD: N · N letters, 1 where row was found ahead of
//   column
#define _GNU_SOURCE
#include <stats/paired.h>
#include <stats/places.h>
#include <stats/signed_rank.h>
#include <stats/verdict.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAIRS_MAX 400

static double a[PAIRS_MAX];
static double b[PAIRS_MAX];
static double scratch[2 * PAIRS_MAX];
static double walsh[PAIRS_MAX * (PAIRS_MAX + 1) / 2];

static const char *next_word(void)
{
    const char *word = strtok(NULL, " \n");
    if (word == NULL) {
        (void)fprintf(stderr, "stats_answers: a line is too short\n");
        exit(2);
    }
    return word;
}

static double next_number(void)
{
    return strtod(next_word(), NULL);
}

static size_t next_count(size_t most)
{
    size_t count = strtoul(next_word(), NULL, 10);
    if (count > most) {
        (void)fprintf(stderr, "stats_answers: %zu is more than %zu\n", count, most);
        exit(2);
    }
    return count;
}

static void print_interval(const struct mr_interval *interval)
{
    if (interval->known) {
        printf(" %.17g %.17g", interval->low, interval->high);
    } else {
        printf(" - -");
    }
}

static void answer_pairs(void)
{
    struct mr_paired_params params = {.a = a, .b = b, .alpha = next_number(), .scratch = scratch};
    struct mr_verdict_rules rules = {.margin = next_number()};
    params.count = next_count(PAIRS_MAX);
    for (size_t i = 0; i < params.count; i++) {
        a[i] = next_number();
        b[i] = next_number();
    }
    struct mr_paired paired;
    size_t place = 0;
    enum mr_paired_status status = mr_paired_estimate(&params, &paired, &place);
    if (status != MR_PAIRED_OK) {
        printf("status %d %zu\n", (int)status, place);
        return;
    }
    struct mr_hodges_lehmann symmetric =
        mr_hodges_lehmann(scratch, params.count, params.alpha, walsh);
    struct mr_judgement judgement = mr_judge(&paired.logs, paired.log_ratio, &rules);
    printf("%zu %.17g", paired.ties_count, paired.log_ratio);
    print_interval(&paired.logs);
    printf(" %.17g %.17g %.17g %.17g %.17g", paired.confidence, paired.p_value,
           paired.quotient_of_medians, paired.resolvable_difference, symmetric.shift);
    print_interval(&symmetric.interval);
    printf(" %d %d %d\n", (int)judgement.verdict, judgement.side, judgement.consistently);
}

static void answer_orders(void)
{
    size_t count = next_count(PAIRS_MAX);
    double alpha = next_number();
    printf("%zu %zu\n", mr_sign_order(count, alpha), mr_signed_rank_order(count, alpha, walsh));
}

static void answer_needed(void)
{
    size_t comparisons = next_count(1000);
    printf("%zu\n", mr_pairs_needed(comparisons, next_number()));
}

static void answer_holm(void)
{
    double alpha = next_number();
    double levels[MR_PRIMARY_MAX];
    size_t count = next_count(MR_PRIMARY_MAX);
    for (size_t i = 0; i < count; i++) {
        a[i] = next_number();
    }
    mr_holm(a, count, alpha, levels);
    for (size_t i = 0; i < count; i++) {
        printf("%s%.17g", i > 0 ? " " : "", levels[i]);
    }
    printf("\n");
}

static void answer_places(void)
{
    size_t count = next_count(MR_PLACES_MAX);
    const char *word = next_word();
    bool ahead[MR_PLACES_MAX * MR_PLACES_MAX];
    size_t place[MR_PLACES_MAX];
    for (size_t i = 0; i < count * count; i++) {
        ahead[i] = word[i] == '1';
    }
    mr_places(ahead, count, place);
    for (size_t i = 0; i < count; i++) {
        printf("%s%zu", i > 0 ? " " : "", place[i]);
    }
    printf("\n");
}

struct question {
    const char *name;
    void (*answer)(void);
};

static const struct question questions[] = {
    {"pairs", answer_pairs}, {"orders", answer_orders}, {"needed", answer_needed},
    {"holm", answer_holm},   {"places", answer_places},
};

int main(void)
{
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        const char *name = strtok(line, " \n");
        size_t i = 0;
        while (name != NULL && i < sizeof questions / sizeof questions[0] &&
               strcmp(name, questions[i].name) != 0) {
            i++;
        }
        if (name == NULL || i == sizeof questions / sizeof questions[0]) {
            (void)fprintf(stderr, "stats_answers: no such question\n");
            return 2;
        }
        questions[i].answer();
    }
    free(line);
    return 0;
}
