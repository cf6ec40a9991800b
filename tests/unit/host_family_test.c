// host_family_test.c: a process with its descendants: found, summed up, and caught off its cores.
#define _GNU_SOURCE
#include "base/pin.h"
#include "host/family.h"

#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

// A child with a child of its own, both waiting until they are killed; the inner one widens its
// mask to `inner` first and says when it is there.
struct pair {
    pid_t outer;
    pid_t inner;
};

static struct pair start(const struct mr_cores *outer_cores, const struct mr_cores *inner_cores)
{
    int said[2];
    assert_int_equal(pipe(said), 0);
    pid_t outer = fork();
    assert_true(outer >= 0);
    if (outer == 0) {
        (void)!mr_pin_self(outer_cores);
        pid_t inner = fork();
        if (inner == 0) {
            (void)!mr_pin_self(inner_cores);
            inner = getpid();
            (void)!write(said[1], &inner, sizeof inner);
            for (;;) {
                pause();
            }
        }
        for (;;) {
            pause();
        }
    }
    struct pair pair = {.outer = outer};
    assert_int_equal(read(said[0], &pair.inner, sizeof pair.inner), sizeof pair.inner);
    close(said[0]);
    close(said[1]);
    return pair;
}

static void end(const struct pair *pair)
{
    kill(pair->inner, SIGKILL);
    kill(pair->outer, SIGKILL);
    waitpid(pair->outer, NULL, 0);
}

static void test_family(void **state)
{
    (void)state;
    struct mr_cores all;
    assert_int_equal(mr_pin_allowed(&all), 0);
    struct pair pair = start(&all, &all);
    struct mr_family family;
    mr_family_read(pair.outer, &family);
    assert_int_equal(family.count, 2);
    assert_int_equal(family.pid[0], pair.outer);
    assert_int_equal(family.pid[1], pair.inner);
    assert_true(family.whole);
    struct mr_reading used = mr_family_exec_ns(&family);
    assert_true(used.known && used.value > 0);
    struct mr_stray stray;
    assert_false(mr_family_strays(&family, &all, &stray));
    family.whole = false; // more than fit: the sum is nobody's
    assert_false(mr_family_exec_ns(&family).known);
    end(&pair);
    mr_family_read(0, &family);
    assert_int_equal(family.count, 0);
    assert_false(mr_family_exec_ns(&family).known);
}

// The child stays, its own child does not.
static void test_stray(void **state)
{
    (void)state;
    struct mr_cores all;
    assert_int_equal(mr_pin_allowed(&all), 0);
    if (all.count < 2) {
        skip();
    }
    struct mr_cores first = {.core = {all.core[0]}, .count = 1};
    struct pair pair = start(&first, &all);
    struct mr_family family;
    struct mr_stray stray;
    mr_family_read(pair.outer, &family);
    assert_true(mr_family_strays(&family, &first, &stray));
    assert_int_equal(stray.pid, pair.inner);
    assert_int_equal(stray.tid, pair.inner);
    assert_int_equal(stray.cores.count, all.count);
    assert_false(mr_family_strays(&family, &all, &stray));
    end(&pair);
    pair = start(&first, &first);
    mr_family_read(pair.outer, &family);
    assert_false(mr_family_strays(&family, &first, &stray));
    end(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_family), cmocka_unit_test(test_stray)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
