// load_warm_watch_test.c: when a server is warm: nothing compiled for three seconds, and flat.
#include <warm_watch.h>

#include <base/rng.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#define SECONDS 12

// A run of SECONDS: what its runtime had compiled at each second, what was answered in each bin.
struct made_up {
    uint64_t methods[SECONDS + 1];
    double records[SECONDS * 10];
};

// The first second at whose look it is warm; 0: at none.
static int warm_at(const struct made_up *run)
{
    struct mr_warm_watch *watch = calloc(1, sizeof *watch);
    struct mr_timeline timeline;
    assert_non_null(watch);
    assert_int_equal(mr_timeline_init(&timeline, SECONDS * MR_NS_PER_S), 0);
    mr_timeline_begin(&timeline, 7 * MR_NS_PER_S);
    int found = 0;
    for (int second = 0; second <= SECONDS && found == 0; second++) {
        // A look comes a little after its second has begun.
        uint64_t now_ns = (7 + (uint64_t)second) * MR_NS_PER_S + 20 * MR_NS_PER_MS;
        for (int bin = 0; bin < second * 10; bin++) {
            timeline.bin[bin].records = (uint64_t)run->records[bin];
        }
        mr_warm_watch_look(watch, run->methods[second]);
        if (mr_warm_watch_is_warm(watch, &timeline, now_ns)) {
            found = second;
        }
    }
    mr_timeline_fini(&timeline);
    free(watch);
    return found;
}

static struct made_up steady(void)
{
    struct made_up run;
    for (int i = 0; i <= SECONDS; i++) {
        run.methods[i] = 900;
    }
    for (int i = 0; i < SECONDS * 10; i++) {
        run.records[i] = 100000;
    }
    return run;
}

static void test_three_quiet_seconds(void **state)
{
    (void)state;
    struct made_up run = steady();
    assert_int_equal(warm_at(&run), 3);
    for (int i = 0; i < 5; i++) {
        run.methods[i] = (uint64_t)(100 + i);
    }
    assert_int_equal(warm_at(&run), 8); // compiled last before second 5
    for (int i = 0; i <= SECONDS; i++) {
        run.methods[i] = (uint64_t)i;
    }
    assert_int_equal(warm_at(&run), 0);
}

static void test_throughput_that_moves(void **state)
{
    (void)state;
    struct made_up run = steady();
    for (int i = 0; i < SECONDS * 10; i++) {
        run.records[i] = 20000 + 1000 * i;
    }
    assert_int_equal(warm_at(&run), 0);
    // It rises for 5 s: three seconds behind that are flat. Where half of them are, the slope's
    // interval may hold 0.
    for (int i = 50; i < SECONDS * 10; i++) {
        run.records[i] = 70000;
    }
    int second = warm_at(&run);
    assert_true(second >= 6 && second <= 8);
    for (int i = 0; i < SECONDS * 10; i++) {
        run.records[i] = 0;
    }
    assert_int_equal(warm_at(&run), 0);
}

// What a busy host does to a flat server does not keep it from being warm.
static void test_noise(void **state)
{
    (void)state;
    struct mr_rng rng = mr_rng_seeded(5);
    int soon = 0;
    for (int trial = 0; trial < 100; trial++) {
        struct made_up run = steady();
        for (int i = 0; i < SECONDS * 10; i++) {
            run.records[i] = 85000 + (double)mr_rng_below(&rng, 30000);
        }
        int second = warm_at(&run);
        soon += second >= 3 && second <= 4;
    }
    assert_true(soon >= 90);
}

// A third more in three seconds, in noise so loud that the slope's interval mostly holds 0: that it
// is not seen does not make it warm.
static void test_a_rise_within_the_noise(void **state)
{
    (void)state;
    struct mr_rng rng = mr_rng_seeded(6);
    int warm = 0;
    for (int trial = 0; trial < 100; trial++) {
        struct made_up run = steady();
        for (int i = 0; i < SECONDS * 10; i++) {
            run.records[i] = 10000 + (double)mr_rng_below(&rng, 180000) + 1000 * i;
        }
        for (int i = 4; i <= SECONDS; i++) {
            run.methods[i] = (uint64_t)i; // one look alone can find it warm
        }
        warm += warm_at(&run) != 0;
    }
    assert_true(warm <= 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_three_quiet_seconds),
        cmocka_unit_test(test_throughput_that_moves),
        cmocka_unit_test(test_noise),
        cmocka_unit_test(test_a_rise_within_the_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
