// load_plan_steps_test.c: constant rates, ramps, pauses and their boundaries against the
// definition.
#include <plan_steps.h>

#include <base/clock.h>
#include <base/rng.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

__extension__ typedef __int128 wide;

static struct mr_plan_steps parsed(const char *text)
{
    struct mr_plan_steps steps;
    const char *fault = mr_plan_steps_parse(text, &steps);
    if (fault != NULL) {
        fail_msg("%s: %s", text, fault);
    }
    return steps;
}

static struct mr_plan plan_of(const char *text)
{
    struct mr_plan_steps steps = parsed(text);
    struct mr_plan plan = {.kind = MR_PLAN_STEPS, .connections = 16, .depth = 4};
    assert_int_equal(mr_plan_steps_init(&plan, &steps), 0);
    return plan;
}

static void test_text(void **state)
{
    (void)state;
    struct mr_plan_steps steps = parsed("1000:2s,1000-5000:1.5s,0:250ms");
    assert_int_equal(steps.count, 3);
    assert_int_equal(steps.step[0].from_per_s, 1000);
    assert_int_equal(steps.step[0].to_per_s, 1000);
    assert_int_equal(steps.step[1].to_per_s, 5000);
    assert_int_equal(steps.step[1].length_ns, 1500 * MR_NS_PER_MS);
    assert_int_equal(steps.step[2].from_per_s, 0);
    assert_int_equal(mr_plan_steps_length_ns(&steps), 3750 * MR_NS_PER_MS);
    assert_int_equal(mr_plan_steps_batches(&steps), 2000 + 4500);
    static const char *const wrong[] = {
        "",
        ":",
        "1000",
        "1000:",
        "1000:2",
        ":2s",
        "1000:2s,",
        ",1000:2s",
        "1000-:2s",
        "-5:2s",
        "1000:0s",
        "1000:2h",
        "1000:3601s",
        "5000001:1s",
        "1-5000001:1s",
        "1000 :2s",
        "1e3:2s",
        "99999999999999999999:1s",
        "1000:2s;5:1s",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        if (mr_plan_steps_parse(wrong[i], &steps) == NULL) {
            fail_msg("'%s' was taken", wrong[i]);
        }
    }
    char many[65 * 6 + 1] = "";
    for (int i = 0; i < 65; i++) {
        memcpy(many + 6 * (size_t)i, "10:1s,", 7);
    }
    many[64 * 6 - 1] = '\0';
    assert_null(mr_plan_steps_parse(many, &steps));
    many[64 * 6 - 1] = ',';
    many[65 * 6 - 1] = '\0';
    assert_non_null(mr_plan_steps_parse(many, &steps));
}

// 1000/s for 10 ms, then 500/s: the slot at the boundary is due at the boundary, the next 2 ms on.
static void test_boundary_by_hand(void **state)
{
    (void)state;
    struct mr_plan plan = plan_of("1000:10ms,500:10ms");
    assert_int_equal(plan.slots, 15);
    assert_int_equal(mr_plan_offset_ns(&plan, 9), 9000000);
    assert_int_equal(mr_plan_offset_ns(&plan, 10), 10000000);
    assert_int_equal(mr_plan_offset_ns(&plan, 11), 12000000);
    assert_int_equal(mr_plan_offset_ns(&plan, 14), 18000000);
    assert_true(mr_plan_offset_ns(&plan, 15) == UINT64_MAX);
    assert_int_equal(mr_plan_slots_before(&plan, 10000000), 10);
    assert_int_equal(mr_plan_slots_before(&plan, 10000001), 11);
    mr_plan_fini(&plan);
    // 2.5 batches by 2.5 ms: half a batch is carried over, so slot 3 comes a half gap in.
    plan = plan_of("1000:2500us,500:10ms");
    assert_int_equal(mr_plan_offset_ns(&plan, 2), 2000000);
    assert_int_equal(mr_plan_offset_ns(&plan, 3), 3500000);
    mr_plan_fini(&plan);
}

static void test_pause(void **state)
{
    (void)state;
    struct mr_plan plan = plan_of("0:5ms,1000:10ms,0:20ms,1000:5ms");
    assert_int_equal(plan.slots, 15);
    assert_int_equal(mr_plan_offset_ns(&plan, 0), 5000000);
    assert_int_equal(mr_plan_offset_ns(&plan, 9), 14000000);
    assert_int_equal(mr_plan_offset_ns(&plan, 10), 35000000);
    assert_int_equal(mr_plan_offset_ns(&plan, 14), 39000000);
    mr_plan_fini(&plan);
}

// From 0 to 1000 in 1 s: slot s is due at sqrt(s / 500) s; downwards at 1 − sqrt(1 − s / 500).
static void test_ramps_by_hand(void **state)
{
    (void)state;
    struct mr_plan up = plan_of("0-1000:1s");
    assert_int_equal(up.slots, 500);
    assert_int_equal(mr_plan_offset_ns(&up, 0), 0);
    assert_int_equal(mr_plan_offset_ns(&up, 1), 44721359);
    assert_int_equal(mr_plan_offset_ns(&up, 125), 500000000);
    assert_int_equal(mr_plan_offset_ns(&up, 320), 800000000);
    struct mr_plan down = plan_of("1000-0:1s");
    assert_int_equal(down.slots, 500);
    assert_int_equal(mr_plan_offset_ns(&down, 375), 500000000);
    assert_int_equal(mr_plan_offset_ns(&down, 499), 955278640); // and not …41: rounded down
    mr_plan_fini(&up);
    mr_plan_fini(&down);
}

// Twice the area, times length, that came by `time_ns` of step: as in the definition, no root.
static wide area(const struct mr_plan_step *step, uint64_t time_ns)
{
    wide slope = (wide)step->to_per_s - (wide)step->from_per_s;
    wide time = time_ns;
    return slope * time * time + 2 * (wide)step->from_per_s * (wide)step->length_ns * time;
}

// Each slot: its area has come no later than due, and more than its area one ns on.
static void check_definition(const struct mr_plan_steps *steps)
{
    struct mr_plan plan = {.kind = MR_PLAN_STEPS, .connections = 3, .depth = 1};
    assert_int_equal(mr_plan_steps_init(&plan, steps), 0);
    uint64_t slot = 0;
    uint64_t begin_ns = 0;
    wide before = 0;
    for (size_t i = 0; i < steps->count; i++) {
        const struct mr_plan_step *step = &steps->step[i];
        for (; slot < plan.slots && plan.due_ns[slot] < begin_ns + step->length_ns; slot++) {
            assert_true(plan.due_ns[slot] >= begin_ns);
            assert_true(slot == 0 || plan.due_ns[slot] >= plan.due_ns[slot - 1]);
            uint64_t time_ns = plan.due_ns[slot] - begin_ns;
            wide owed = ((wide)slot * 2 * (wide)MR_NS_PER_S - before) * (wide)step->length_ns;
            assert_true(area(step, time_ns) <= owed);
            assert_true(area(step, time_ns + 1) > owed);
        }
        before += (wide)(step->from_per_s + step->to_per_s) * (wide)step->length_ns;
        begin_ns += step->length_ns;
    }
    assert_int_equal(slot, plan.slots); // none at or behind the end
    assert_true((wide)plan.slots * 2 * (wide)MR_NS_PER_S >= before);
    assert_true(((wide)plan.slots - 1) * 2 * (wide)MR_NS_PER_S < before);
    mr_plan_fini(&plan);
}

static void test_definition(void **state)
{
    (void)state;
    struct mr_rng rng = mr_rng_seeded(23);
    for (int round = 0; round < 300; round++) {
        struct mr_plan_steps steps = {.count = 1 + mr_rng_below(&rng, 5)};
        for (size_t i = 0; i < steps.count; i++) {
            uint64_t most = (uint64_t)1 << mr_rng_below(&rng, 23);
            steps.step[i].from_per_s = mr_rng_below(&rng, most);
            steps.step[i].to_per_s =
                mr_rng_below(&rng, 3) == 0 ? steps.step[i].from_per_s : mr_rng_below(&rng, most);
            steps.step[i].length_ns = 1 + mr_rng_below(&rng, 2000 * MR_NS_PER_S / most);
        }
        if (mr_plan_steps_batches(&steps) > 0) {
            check_definition(&steps);
        }
    }
}

// The longest and the steepest that are allowed: nothing overflows.
static void test_extremes(void **state)
{
    (void)state;
    static const char *const texts[] = {"0-1:3600s", "1-0:3600s", "0-5000000:1ns,1:3s",
                                        "5000000-0:50ms", "100-101:3600s"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct mr_plan_steps steps = parsed(texts[i]);
        check_definition(&steps);
    }
    struct mr_plan_steps most = parsed("5000000:3600s,5000000:3600s");
    assert_int_equal(mr_plan_steps_batches(&most), 36000000000u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),       cmocka_unit_test(test_boundary_by_hand),
        cmocka_unit_test(test_pause),      cmocka_unit_test(test_ramps_by_hand),
        cmocka_unit_test(test_definition), cmocka_unit_test(test_extremes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
