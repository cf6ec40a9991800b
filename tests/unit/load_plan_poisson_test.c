// load_plan_poisson_test.c: the Poisson plan against logarithms of another make and against theory.
#include <plan_poisson.h>

#include <base/clock.h>
#include <base/rng.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define UNIT 4294967296.0 // of a gap: 2^-32

static struct mr_plan poisson(uint64_t rate_per_s, uint32_t connections, uint64_t seed,
                              uint64_t length_ns)
{
    struct mr_plan plan = {
        .kind = MR_PLAN_POISSON, .rate_per_s = rate_per_s, .connections = connections, .depth = 4};
    assert_int_equal(mr_plan_poisson_init(&plan, seed, length_ns), 0);
    return plan;
}

// −log2((2d + 1) / 2^65), rounded up to units of 2^-32, by the library's logarithm.
static void test_gap_is_a_logarithm(void **state)
{
    (void)state;
    struct mr_rng rng = mr_rng_seeded(11);
    for (int i = 0; i < 200000; i++) {
        uint64_t draw = mr_rng_next(&rng) >> (i % 64);
        long double exact =
            65.0L - log2l(2.0L * (long double)draw + 1.0L); // 2d + 1 has 65 bits, one too many
        long double got = (long double)mr_plan_poisson_gap(draw) / (long double)UNIT;
        assert_true(got >= exact - 1e-12L && got <= exact + 1.5L / (long double)UNIT);
    }
    assert_int_equal(mr_plan_poisson_gap(0), (uint64_t)65 << 32);
    assert_int_equal(mr_plan_poisson_gap((uint64_t)1 << 63), (uint64_t)1 << 32); // a half
    assert_true(mr_plan_poisson_gap(UINT64_MAX) >= 1);
}

// Slot s is due when the first s + 1 gaps have passed: summed up here in floating point.
static void test_due_times_add_up(void **state)
{
    (void)state;
    static const uint64_t rates[] = {1, 7, 2000, 999983, 5000000};
    for (size_t r = 0; r < sizeof rates / sizeof rates[0]; r++) {
        uint64_t length_ns = 20000 * MR_NS_PER_S / rates[r];
        struct mr_plan plan = poisson(rates[r], 16, 3, length_ns);
        struct mr_rng rng = mr_rng_seeded(3 ^ MR_PLAN_POISSON_STREAM);
        long double sum_s = 0;
        for (uint64_t slot = 0; slot < plan.slots; slot++) {
            long double uniform = ((long double)mr_rng_next(&rng) + 0.5L) / 18446744073709551616.0L;
            sum_s += -logl(uniform) / (long double)rates[r];
            long double due_ns = sum_s * 1e9L;
            long double off_ns = (long double)mr_plan_offset_ns(&plan, slot) - due_ns;
            assert_true(fabsl(off_ns) < 2.0L + 1e-7L * due_ns);
        }
        assert_true(mr_plan_offset_ns(&plan, plan.slots - 1) < length_ns);
        assert_true(mr_plan_offset_ns(&plan, plan.slots) == UINT64_MAX);
        assert_true((double)plan.slots > 19300 && (double)plan.slots < 20700);
        mr_plan_fini(&plan);
    }
}

// Computed by the words of plan_poisson.h in another language: the same on every machine.
static void test_same_everywhere(void **state)
{
    (void)state;
    static const uint64_t first[] = {498039,  2492078, 2856920, 3009458,
                                     3203795, 3676590, 4648752, 7063840};
    struct mr_plan plan = poisson(1000, 16, 1, 10 * MR_NS_PER_S);
    for (size_t slot = 0; slot < sizeof first / sizeof first[0]; slot++) {
        assert_int_equal(mr_plan_offset_ns(&plan, slot), first[slot]);
    }
    assert_int_equal(plan.slots, 9985);
    assert_int_equal(mr_plan_offset_ns(&plan, plan.slots - 1), 9999218933);
    mr_plan_fini(&plan);
}

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;
    return (a > b) - (a < b);
}

// Gaps follow 1 − exp(−t · rate) (Kolmogorov, Smirnov: 1.63/√n is passed by 1 of 100 seeds; this is
// one seed), and neighbours do not hang together.
static void test_gaps_are_exponential(void **state)
{
    (void)state;
    const uint64_t rate_per_s = 10000;
    struct mr_plan plan = poisson(rate_per_s, 16, 42, 10 * MR_NS_PER_S);
    size_t count = (size_t)plan.slots - 1;
    double *gap = malloc(count * sizeof *gap);
    assert_non_null(gap);
    double mean = 0;
    double product = 0;
    for (size_t i = 0; i < count; i++) {
        gap[i] = (double)(plan.due_ns[i + 1] - plan.due_ns[i]) * (double)rate_per_s / 1e9;
        mean += gap[i] / (double)count;
    }
    for (size_t i = 0; i + 1 < count; i++) {
        product += (gap[i] - 1) * (gap[i + 1] - 1) / (double)count;
    }
    assert_true(fabs(mean - 1) < 4 / sqrt((double)count));
    assert_true(fabs(product) < 4 / sqrt((double)count));
    qsort(gap, count, sizeof *gap, compare);
    double worst = 0;
    for (size_t i = 0; i < count; i++) {
        double off = fabs(1 - exp(-gap[i]) - ((double)i + 0.5) / (double)count);
        worst = off > worst ? off : worst;
    }
    assert_true(worst < 1.63 / sqrt((double)count));
    free(gap);
    mr_plan_fini(&plan);
}

static void test_counts_before(void **state)
{
    (void)state;
    struct mr_plan plan = poisson(3000000, 5, 9, 20 * MR_NS_PER_MS); // some due at the same ns
    assert_int_equal(mr_plan_slots_before(&plan, 0), 0);
    assert_int_equal(mr_plan_slots_before(&plan, 20 * MR_NS_PER_MS), plan.slots);
    for (uint64_t offset_ns = 0; offset_ns < 20 * MR_NS_PER_MS; offset_ns += 997) {
        uint64_t before = mr_plan_slots_before(&plan, offset_ns);
        assert_true(before == 0 || mr_plan_offset_ns(&plan, before - 1) < offset_ns);
        assert_true(mr_plan_offset_ns(&plan, before) >= offset_ns);
    }
    mr_plan_fini(&plan);
}

// The plan of a longer run begins as that of a shorter one; connections do not matter; seeds do.
static void test_depends_on_seed_alone(void **state)
{
    (void)state;
    struct mr_plan one = poisson(5000, 1, 7, MR_NS_PER_S);
    struct mr_plan two = poisson(5000, 333, 7, 2 * MR_NS_PER_S);
    struct mr_plan other = poisson(5000, 1, 8, MR_NS_PER_S);
    assert_true(two.slots > one.slots);
    assert_memory_equal(one.due_ns, two.due_ns, one.slots * sizeof *one.due_ns);
    assert_memory_not_equal(one.due_ns, other.due_ns, 100 * sizeof *one.due_ns);
    mr_plan_fini(&one);
    mr_plan_fini(&two);
    mr_plan_fini(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gap_is_a_logarithm), cmocka_unit_test(test_due_times_add_up),
        cmocka_unit_test(test_same_everywhere),    cmocka_unit_test(test_gaps_are_exponential),
        cmocka_unit_test(test_counts_before),      cmocka_unit_test(test_depends_on_seed_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
