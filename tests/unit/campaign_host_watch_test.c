// campaign_host_watch_test.c: what is recorded and observed beside a trial, by rule and by grade.
#define _GNU_SOURCE
#include "host_record.h"
#include "host_watch.h"

#include <base/clock.h>
#include <host/process.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct mr_race *race;
static struct mr_host_watch *watch;
static struct mr_cores usable;
static yyjson_mut_doc *doc;
static yyjson_mut_val *details;
static struct mr_observation seen;

static struct mr_process sleeper(void)
{
    const char *words[] = {"sleep", "60", NULL};
    struct mr_process_plan plan = {.argv = words};
    struct mr_process process;
    assert_int_equal(mr_process_start(&process, &plan, NULL), 0);
    return process;
}

static struct mr_cores core(size_t index)
{
    return (struct mr_cores){.core = {usable.core[index % usable.count]}, .count = 1};
}

static int make(void **state)
{
    (void)state;
    race = calloc(1, sizeof *race);
    watch = calloc(1, sizeof *watch);
    assert_true(race != NULL && watch != NULL);
    assert_int_equal(mr_pin_allowed(&usable), 0);
    mr_rules_default(&race->matrix.rules);
    race->cores.grade = MR_GRADE_C;
    race->cores.server = core(0);
    race->cores.generator = core(1);
    doc = yyjson_mut_doc_new(NULL);
    details = yyjson_mut_obj(doc);
    yyjson_mut_doc_set_root(doc, details);
    seen = (struct mr_observation){.foreign_share = NAN,
                                   .foreign_step_share = NAN,
                                   .pause_share = NAN,
                                   .pause_longest_ns = NAN,
                                   .machine_change = NAN,
                                   .machine_spread = NAN,
                                   .major_faults = NAN,
                                   .swapped_pages = NAN,
                                   .throttled_ns = NAN};
    return 0;
}

static int end(void **state)
{
    (void)state;
    yyjson_mut_doc_free(doc);
    free(watch);
    free(race);
    return 0;
}

// A short calibrated work in the place of the rule's, which takes half a second.
static void calibrate_shortly(void)
{
    const unsigned cores[] = {race->cores.server.core[0], race->cores.generator.core[0]};
    assert_int_equal(mr_probe_set_calibrate(&race->probe, cores, 2, 100000, 3), 0);
}

static void run_window(void)
{
    struct mr_process server = sleeper();
    struct mr_process generator = sleeper();
    mr_host_watch_begin(watch, server.pid, generator.pid);
    mr_clock_sleep_until(mr_clock_ns() + 50 * MR_NS_PER_MS);
    mr_host_watch_end(watch);
    mr_process_fini(&generator);
    mr_process_fini(&server);
}

static yyjson_mut_val *at(const char *path)
{
    return yyjson_mut_doc_ptr_get(doc, path);
}

static void test_grade_c(void **state)
{
    (void)state;
    calibrate_shortly();
    assert_int_equal(mr_host_watch_prepare(watch, race), 0);
    run_window();
    mr_host_watch_finish(watch, &seen, doc, details);
    assert_true(seen.grade_c);
    assert_true(isnan(seen.pause_share) && isnan(seen.pause_longest_ns));
    assert_true(seen.machine_change >= 0 && seen.machine_spread >= 0);
    assert_true(seen.major_faults >= 0);
    assert_true(yyjson_mut_is_null(at("/host/pauses")));
    assert_int_equal(yyjson_mut_arr_size(at("/host/fixed_work/cores")), 2);
    assert_int_equal(yyjson_mut_arr_size(at("/host/cores")), 2);
    assert_true(yyjson_mut_get_uint(at("/host/wall_ns")) >= 50 * MR_NS_PER_MS);
    assert_true(yyjson_mut_is_uint(at("/host/server/exec_ns")));
    assert_true(yyjson_mut_is_uint(at("/host/server/memory/file_bytes")));
    assert_int_equal(yyjson_mut_arr_size(at("/host/generator/threads")), 1);
    assert_string_equal(yyjson_mut_get_str(at("/host/server/threads/0/name")), "sleep");
    // What cannot be read is null in the file and NAN in the observation, and both or neither.
    assert_true(isnan(seen.throttled_ns) == yyjson_mut_is_null(at("/host/throttled_ns")));
    assert_true(isnan(seen.swapped_pages) == yyjson_mut_is_null(at("/host/swapped_pages")));
    assert_true(isnan(seen.foreign_share) == yyjson_mut_is_null(at("/host/foreign/share")));
    assert_true(isnan(seen.foreign_share) == isnan(seen.foreign_step_share));
}

// With a spare core a spinner is the watch.
static void test_spare_core(void **state)
{
    (void)state;
    race->cores.grade = MR_GRADE_B;
    race->cores.spare = core(0);
    assert_int_equal(mr_host_watch_prepare(watch, race), 0);
    run_window();
    mr_host_watch_finish(watch, &seen, doc, details);
    assert_false(seen.grade_c);
    assert_true(seen.pause_share >= 0 && seen.pause_share <= 1);
    assert_true(seen.pause_longest_ns >= 0);
    assert_int_equal(yyjson_mut_get_uint(at("/host/pauses/0/core")), usable.core[0]);
    assert_true(yyjson_mut_get_uint(at("/host/pauses/0/watched_ns")) >= 40 * MR_NS_PER_MS);
    assert_true(isnan(seen.machine_change)); // nothing was calibrated
    assert_true(yyjson_mut_is_null(at("/host/fixed_work")));
}

// With the host's gates off no core is worked on or spun on; the counters are recorded all the
// same.
static void test_gates_off(void **state)
{
    (void)state;
    enum mr_gate_action *action = race->matrix.rules.gates.action;
    action[MR_GATE_NOTHING_ELSE_RAN] = MR_GATE_OFF;
    action[MR_GATE_HOST_DID_NOT_PAUSE] = MR_GATE_OFF;
    action[MR_GATE_MACHINE_UNCHANGED] = MR_GATE_OFF;
    race->cores.spare = core(0);
    assert_int_equal(mr_host_watch_calibrate(race), 0);
    assert_int_equal(race->probe.loops, 0);
    calibrate_shortly();
    assert_int_equal(mr_host_watch_prepare(watch, race), 0);
    run_window();
    mr_host_watch_finish(watch, &seen, doc, details);
    assert_true(isnan(seen.machine_change) && isnan(seen.pause_share));
    assert_true(yyjson_mut_is_null(at("/host/pauses")));
    assert_true(yyjson_mut_is_null(at("/host/fixed_work")));
    assert_true(yyjson_mut_is_uint(at("/host/server/exec_ns")));
}

// A trial that failed before or in its window has nothing of the host, and says so.
static void test_no_window(void **state)
{
    (void)state;
    calibrate_shortly();
    assert_int_equal(mr_host_watch_prepare(watch, race), 0);
    mr_host_watch_finish(watch, &seen, doc, details);
    assert_true(isnan(seen.foreign_share) && isnan(seen.machine_change));
    assert_true(isnan(seen.major_faults));
    assert_true(yyjson_mut_is_null(at("/host")));
}

// The spinner ends with the watch, also when the window's end never came.
static void test_window_without_end(void **state)
{
    (void)state;
    race->cores.spare = core(0);
    assert_int_equal(mr_host_watch_prepare(watch, race), 0);
    struct mr_process server = sleeper();
    mr_host_watch_begin(watch, server.pid, server.pid);
    assert_true(watch->spins);
    mr_host_watch_finish(watch, &seen, doc, details);
    assert_false(watch->spins);
    assert_true(isnan(seen.pause_share));
    mr_process_fini(&server);
}

// What was not read is null in the file, never 0.
static void test_record_of_nothing(void **state)
{
    (void)state;
    static struct mr_window_use nothing;
    nothing.cores_count = 1;
    nothing.process[MR_WATCHED_SERVER].threads =
        (struct mr_threads_use){.known = true, .count = 1, .imbalance = NAN};
    mr_record_window(doc, details, &nothing);
    static const char *const paths[] = {"/server/exec_ns",
                                        "/server/major_faults",
                                        "/server/memory/peak_bytes",
                                        "/server/memory/file_bytes",
                                        "/server/run_delay_ns",
                                        "/server/threads_imbalance",
                                        "/server/threads/0/exec_ns",
                                        "/server/threads/0/core",
                                        "/generator/threads",
                                        "/generator/exec_ns",
                                        "/cores/0/steal_ns",
                                        "/cores/0/frequency_khz",
                                        "/cores/0/softirq_ns",
                                        "/tcp_buffers_begin_bytes",
                                        "/swapped_pages",
                                        "/throttled_count",
                                        "/throttled_ns",
                                        "/lab_exec_ns"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        assert_true(yyjson_mut_is_null(at(paths[i])));
    }
}

// A server that ends within the window takes its figures along: not measured, not 0.
static void test_server_gone(void **state)
{
    (void)state;
    assert_int_equal(mr_host_watch_prepare(watch, race), 0);
    struct mr_process server = sleeper();
    struct mr_process generator = sleeper();
    mr_host_watch_begin(watch, server.pid, generator.pid);
    mr_process_fini(&server);
    mr_host_watch_end(watch);
    mr_process_fini(&generator);
    mr_host_watch_finish(watch, &seen, doc, details);
    assert_true(isnan(seen.major_faults) && isnan(seen.foreign_share));
    assert_true(isnan(seen.foreign_step_share));
    assert_string_equal(yyjson_mut_get_str(at("/host/foreign/source")), "unavailable");
}

// The generator's loop is the watch where there is no other.
static void test_loop(void **state)
{
    (void)state;
    static const char text[] = "{\"generator\":{\"pauses\":{\"share\":0.25,\"longest_ns\":70}}}";
    yyjson_doc *result = yyjson_read(text, sizeof text - 1, 0);
    mr_host_watch_see_loop(&seen, NULL);
    assert_true(isnan(seen.pause_share));
    mr_host_watch_see_loop(&seen, yyjson_doc_get_root(result));
    assert_true(seen.pause_share > 0.24 && seen.pause_share < 0.26);
    assert_true(seen.pause_longest_ns > 69 && seen.pause_longest_ns < 71);
    seen.pause_share = 0;
    mr_host_watch_see_loop(&seen, yyjson_doc_get_root(result));
    assert_true(seen.pause_share < 0.1);
    yyjson_doc_free(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_grade_c, make, end),
        cmocka_unit_test_setup_teardown(test_spare_core, make, end),
        cmocka_unit_test_setup_teardown(test_gates_off, make, end),
        cmocka_unit_test_setup_teardown(test_no_window, make, end),
        cmocka_unit_test_setup_teardown(test_window_without_end, make, end),
        cmocka_unit_test_setup_teardown(test_record_of_nothing, make, end),
        cmocka_unit_test_setup_teardown(test_server_gone, make, end),
        cmocka_unit_test_setup_teardown(test_loop, make, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
