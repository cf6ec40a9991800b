// campaign_sweep_limit_test.c: the search for the rate that keeps a limit, against oracles that are
// monotone, noisy, or say nothing.

#include "sweep_limit.h"

#include "base/rng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define MAXIMUM 1000.0

static const uint64_t loads[] = {100, 250, 400, 500, 600, 750, 850, 900, 1000, 1100};
#define LOADS (sizeof loads / sizeof loads[0])

// What a test answers for one trial at a rate.
struct oracle {
    uint64_t capacity_per_s; // up to this rate the limit is kept
    double wrong;            // chance that a trial says the opposite
    bool silent;             // never enough batches
    struct mr_rng rng;
};

static enum mr_limit_vote ask_once(struct oracle *oracle, uint64_t rate)
{
    if (oracle->silent) {
        return MR_LIMIT_UNDECIDED;
    }
    bool kept = rate <= oracle->capacity_per_s;
    double draw = (double)(mr_rng_next(&oracle->rng) >> 11) * 0x1p-53;
    return kept != (draw < oracle->wrong) ? MR_LIMIT_KEPT : MR_LIMIT_BROKE;
}

static struct mr_limit_rate ask(struct oracle *oracle, uint64_t rate, uint64_t repeats,
                                bool searched)
{
    struct mr_limit_rate said = {.rate_per_s = rate, .searched = searched};
    for (uint64_t i = 0; i < repeats; i++) {
        enum mr_limit_vote vote = ask_once(oracle, rate);
        said.kept += vote == MR_LIMIT_KEPT;
        said.broke += vote == MR_LIMIT_BROKE;
        said.undecided += vote == MR_LIMIT_UNDECIDED;
    }
    said.vote = mr_limit_majority(said.kept, said.undecided, repeats);
    return said;
}

static struct mr_limit_search search_with(struct oracle *oracle, uint64_t repeats, bool with_loads)
{
    struct mr_limit_search search = mr_limit_search_of(MAXIMUM);
    for (size_t i = 0; i < LOADS && with_loads; i++) {
        struct mr_limit_rate said = ask(oracle, loads[i], repeats, false);
        mr_limit_tell(&search, &said);
    }
    uint64_t rate;
    while (mr_limit_next(&search, &rate)) {
        struct mr_limit_rate said = ask(oracle, rate, repeats, true);
        mr_limit_tell(&search, &said);
    }
    return search;
}

// Every capacity is bracketed, the bracket is narrow, and few rates were tried.
static void test_monotone(void **state)
{
    (void)state;
    for (uint64_t capacity = 11; capacity <= 1990; capacity++) {
        struct oracle oracle = {.capacity_per_s = capacity};
        struct mr_limit_search search = search_with(&oracle, 3, true);
        assert_int_equal(search.end, MR_LIMIT_FOUND);
        assert_true(search.kept_per_s <= capacity && capacity < search.broke_per_s);
        double gap = (double)(search.broke_per_s - search.kept_per_s);
        assert_true(gap <= fmax(1, MR_LIMIT_RESOLUTION * (double)search.broke_per_s));
        assert_false(search.contradicted);
        assert_true(search.told_count <= LOADS + 12);
    }
}

static void test_without_loads(void **state)
{
    (void)state;
    struct oracle oracle = {.capacity_per_s = 617};
    struct mr_limit_search search = search_with(&oracle, 1, false);
    assert_int_equal(search.end, MR_LIMIT_FOUND);
    assert_true(search.kept_per_s <= 617 && 617 < search.broke_per_s);
}

static void test_no_end_in_sight(void **state)
{
    (void)state;
    struct oracle none = {.capacity_per_s = 0};
    struct mr_limit_search search = search_with(&none, 3, true);
    assert_int_equal(search.end, MR_LIMIT_NONE_KEPT);
    assert_int_equal(search.kept_per_s, 0);
    assert_true(search.broke_per_s <= 10);
    struct oracle all = {.capacity_per_s = 1000000};
    search = search_with(&all, 3, true);
    assert_int_equal(search.end, MR_LIMIT_NONE_BROKE);
    assert_int_equal(search.broke_per_s, 0);
    assert_true(search.kept_per_s >= 2000);
}

// One in seven trials lies. The majority of five is right 98 times of 100, so nearly every search
// ends beside the truth; with single trials most do not: the repeats are what does it.
static unsigned right_ones(uint64_t repeats, unsigned *contradicted_out)
{
    unsigned right = 0;
    *contradicted_out = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct oracle oracle = {
            .capacity_per_s = 617, .wrong = 1.0 / 7, .rng = mr_rng_seeded(seed)};
        struct mr_limit_search search = search_with(&oracle, repeats, true);
        assert_int_not_equal(search.end, MR_LIMIT_SEARCHING);
        assert_true(search.broke_per_s == 0 || search.kept_per_s < search.broke_per_s);
        right += search.kept_per_s <= 617 && 617 < search.broke_per_s;
        *contradicted_out += search.contradicted;
    }
    return right;
}

static void test_noise(void **state)
{
    (void)state;
    unsigned contradicted_by_one;
    unsigned contradicted_by_five;
    unsigned with_one = right_ones(1, &contradicted_by_one);
    unsigned with_five = right_ones(5, &contradicted_by_five);
    assert_true(with_five >= 150);
    assert_true(with_one <= 100);
    assert_true(contradicted_by_one > contradicted_by_five); // and it is said
}

// 75 % keeps though 60 % broke: the bracket lies below both, and the contradiction is told.
static void test_contradiction(void **state)
{
    (void)state;
    struct mr_limit_search search = mr_limit_search_of(MAXIMUM);
    const struct mr_limit_rate told[] = {{.rate_per_s = 750, .vote = MR_LIMIT_KEPT},
                                         {.rate_per_s = 500, .vote = MR_LIMIT_KEPT},
                                         {.rate_per_s = 600, .vote = MR_LIMIT_BROKE},
                                         {.rate_per_s = 900, .vote = MR_LIMIT_BROKE}};
    for (size_t i = 0; i < 4; i++) {
        mr_limit_tell(&search, &told[i]);
    }
    assert_int_equal(search.kept_per_s, 500);
    assert_int_equal(search.broke_per_s, 600);
    assert_true(search.contradicted);
    uint64_t rate;
    assert_true(mr_limit_next(&search, &rate));
    assert_int_equal(rate, 550);
}

static void test_undecided(void **state)
{
    (void)state;
    struct oracle silent = {.silent = true};
    struct mr_limit_search search = search_with(&silent, 3, true);
    assert_int_equal(search.end, MR_LIMIT_NO_P99);
    assert_int_equal(search.kept_per_s, 0);
    assert_int_equal(search.broke_per_s, 0);
    assert_int_equal(search.told_count, LOADS + 1); // no load decides; the first rate tried ends it
    search = mr_limit_search_of(MAXIMUM);
    const struct mr_limit_rate excluded = {
        .rate_per_s = 500, .vote = MR_LIMIT_UNDECIDED, .kept = 1, .searched = true};
    mr_limit_tell(&search, &excluded);
    assert_int_equal(search.end, MR_LIMIT_NO_TRIALS);
}

static void test_majority(void **state)
{
    (void)state;
    static const struct {
        uint64_t kept;
        uint64_t open;
        uint64_t repeats;
        enum mr_limit_vote vote;
    } cases[] = {
        {2, 0, 3, MR_LIMIT_KEPT},      {2, 1, 3, MR_LIMIT_KEPT},  {1, 0, 3, MR_LIMIT_BROKE},
        {1, 1, 3, MR_LIMIT_UNDECIDED}, {0, 1, 3, MR_LIMIT_BROKE}, {0, 3, 3, MR_LIMIT_UNDECIDED},
        {1, 0, 2, MR_LIMIT_BROKE},     {2, 0, 2, MR_LIMIT_KEPT},  {1, 0, 1, MR_LIMIT_KEPT},
        {0, 0, 1, MR_LIMIT_BROKE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(mr_limit_majority(cases[i].kept, cases[i].open, cases[i].repeats),
                         cases[i].vote);
    }
}

static void test_judge(void **state)
{
    (void)state;
    static const struct {
        struct mr_limit_figures figures;
        enum mr_limit_vote vote;
    } cases[] = {
        {{1, 2, 100, 900, false}, MR_LIMIT_KEPT},
        {{1, 2, 101, 900, false}, MR_LIMIT_BROKE},
        {{1, 2, 3, 4, true}, MR_LIMIT_BROKE},
        {{1, 2, NAN, 100, false}, MR_LIMIT_KEPT},
        {{1, 2, NAN, 101, false}, MR_LIMIT_UNDECIDED},
        {{1, 101, NAN, 900, false}, MR_LIMIT_BROKE},
        {{101, NAN, NAN, 900, false}, MR_LIMIT_BROKE},
        {{NAN, NAN, NAN, NAN, false}, MR_LIMIT_UNDECIDED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(mr_limit_judge(&cases[i].figures, 100), cases[i].vote);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_monotone),        cmocka_unit_test(test_without_loads),
        cmocka_unit_test(test_no_end_in_sight), cmocka_unit_test(test_noise),
        cmocka_unit_test(test_contradiction),   cmocka_unit_test(test_undecided),
        cmocka_unit_test(test_majority),        cmocka_unit_test(test_judge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
