// host_watch.c: see host_watch.h.
#include "host_watch.h"

#include "host_record.h"

#include "base/clock.h"

#include <math.h>
#include <string.h>

static bool is_judged(const struct mr_race *race, enum mr_gate gate)
{
    return race->matrix.rules.gates.action[gate] != MR_GATE_OFF;
}

int mr_host_watch_calibrate(struct mr_race *race)
{
    race->probe = (struct mr_probe_set){.count = 0};
    if (!is_judged(race, MR_GATE_MACHINE_UNCHANGED)) {
        return 0;
    }
    const unsigned cores[] = {race->cores.server.core[0], race->cores.generator.core[0]};
    int result = mr_probe_set_calibrate(&race->probe, cores, 2, MR_PROBE_WORK_NS, MR_PROBE_REPEATS);
    race->probe.loops = result == 0 ? race->probe.loops : 0;
    return result;
}

static int work_before(const struct mr_race *race, struct mr_host_work *work)
{
    bool wanted = race->probe.loops > 0 && is_judged(race, MR_GATE_MACHINE_UNCHANGED);
    if (!wanted || work->before_known) {
        return 0;
    }
    int result = mr_probe_set_measure(&race->probe, &work->before);
    work->before_known = result == 0;
    return result;
}

int mr_host_watch_prepare(struct mr_host_watch *watch, const struct mr_race *race)
{
    memset(watch, 0, sizeof *watch);
    watch->race = race;
    watch->work = &watch->own_work;
    mr_window_watch_init(&watch->window, "", &race->cores.server, &race->cores.generator);
    return work_before(race, watch->work);
}

int mr_host_watch_prepare_in_turn(struct mr_host_watch *watch, const struct mr_race *race,
                                  struct mr_host_work *work)
{
    static const struct mr_cores none = {.count = 0};
    memset(watch, 0, sizeof *watch);
    watch->race = race;
    watch->work = work;
    watch->in_turn = true;
    mr_window_watch_init(&watch->window, "", &race->cores.server, &none);
    return work_before(race, work);
}

void mr_host_watch_share(struct mr_host_watch *watch, const pid_t *others, size_t count)
{
    mr_window_watch_share(&watch->window, others, count);
}

void mr_host_watch_begin(struct mr_host_watch *watch, pid_t server, pid_t generator)
{
    const struct mr_race *race = watch->race;
    mr_window_watch_begin(&watch->window, server, generator);
    watch->began = true;
    if (!watch->in_turn && race->cores.spare.count > 0 &&
        is_judged(race, MR_GATE_HOST_DID_NOT_PAUSE)) {
        watch->spin_core = race->cores.spare.core[0];
        watch->spins =
            mr_pause_watch_start(&watch->spinner, watch->spin_core, MR_PAUSE_THRESHOLD_NS) == 0;
    }
}

static void stop_spinner(struct mr_host_watch *watch)
{
    if (watch->spins) {
        mr_pause_watch_stop(&watch->spinner, &watch->pauses);
        watch->spins = false;
    }
}

void mr_host_watch_end(struct mr_host_watch *watch)
{
    stop_spinner(watch);
    mr_window_watch_end(&watch->window);
    mr_window_watch_use(&watch->window, &watch->use);
    watch->ended = watch->began;
}

static double number_of(struct mr_reading reading)
{
    return reading.known ? (double)reading.value : NAN;
}

// The reading takes a few microseconds of the window: a window that is as long as the rules say to
// 1 % has the step that the rules' length gives, so that no gate turns on that.
static double step_share(const struct mr_host_watch *watch)
{
    const struct mr_window_use *use = &watch->use;
    double length = (double)use->wall_ns / (double)watch->race->matrix.rules.window_ns;
    return !watch->in_turn && fabs(length - 1.0) < 0.01 ? use->foreign.step_share * length
                                                        : use->foreign.step_share;
}

static void see_window(const struct mr_host_watch *watch, struct mr_observation *seen)
{
    const struct mr_window_use *use = &watch->use;
    seen->foreign_share = use->foreign.share;
    seen->foreign_step_share = step_share(watch);
    seen->major_faults = number_of(use->process[MR_WATCHED_SERVER].major_faults);
    if (!watch->in_turn) {
        seen->major_faults += number_of(use->process[MR_WATCHED_GENERATOR].major_faults);
    }
    seen->swapped_pages = number_of(use->swapped_pages);
    seen->throttled_ns = number_of(use->throttled_ns);
    if (watch->pauses.begin_ns != 0) {
        seen->pause_share = (double)watch->pauses.total_ns /
                            (double)(watch->pauses.last_ns - watch->pauses.begin_ns);
        seen->pause_longest_ns = (double)watch->pauses.longest_ns;
    }
}

void mr_host_watch_see_loop(struct mr_observation *seen_io, yyjson_val *result)
{
    yyjson_val *pauses = yyjson_obj_get(yyjson_obj_get(result, "generator"), "pauses");
    yyjson_val *share = yyjson_obj_get(pauses, "share");
    yyjson_val *longest_ns = yyjson_obj_get(pauses, "longest_ns");
    if (isnan(seen_io->pause_share) && yyjson_is_num(share) && yyjson_is_num(longest_ns)) {
        seen_io->pause_share = yyjson_get_num(share);
        seen_io->pause_longest_ns = yyjson_get_num(longest_ns);
    }
}

static void add_pauses(const struct mr_host_watch *watch, yyjson_mut_doc *doc,
                       yyjson_mut_val *object)
{
    const struct mr_pauses *pauses = &watch->pauses;
    if (pauses->begin_ns == 0) {
        yyjson_mut_obj_add_null(doc, object, "pauses");
        return;
    }
    yyjson_mut_val *all = yyjson_mut_obj_add_arr(doc, object, "pauses");
    yyjson_mut_val *one = yyjson_mut_arr_add_obj(doc, all);
    yyjson_mut_obj_add_uint(doc, one, "core", watch->spin_core);
    yyjson_mut_obj_add_uint(doc, one, "threshold_ns", pauses->threshold_ns);
    yyjson_mut_obj_add_uint(doc, one, "watched_ns", pauses->last_ns - pauses->begin_ns);
    yyjson_mut_obj_add_uint(doc, one, "count", pauses->count);
    yyjson_mut_obj_add_uint(doc, one, "total_ns", pauses->total_ns);
    yyjson_mut_obj_add_uint(doc, one, "longest_ns", pauses->longest_ns);
    yyjson_mut_obj_add_uint(doc, one, "longest_at_ns", pauses->longest_at_ns);
}

// The fixed work again; adds what it took on each core.
static void probe_again(const struct mr_host_watch *watch, struct mr_observation *seen,
                        yyjson_mut_doc *doc, yyjson_mut_val *object)
{
    const struct mr_probe_set *set = &watch->race->probe;
    struct mr_host_work *done = watch->work;
    if (done->before_known && !done->after_known) {
        done->after_known = mr_probe_set_measure(set, &done->after) == 0;
    }
    if (!done->before_known || !done->after_known) {
        yyjson_mut_obj_add_null(doc, object, "fixed_work");
        return;
    }
    seen->machine_change = mr_probe_change(set, &done->before, &done->after);
    seen->machine_spread = set->spread;
    yyjson_mut_val *work = yyjson_mut_obj_add_obj(doc, object, "fixed_work");
    mr_record_number(doc, work, "change", seen->machine_change);
    mr_record_number(doc, work, "calibrated_spread", set->spread);
    yyjson_mut_val *cores = yyjson_mut_obj_add_arr(doc, work, "cores");
    for (size_t i = 0; i < set->count; i++) {
        yyjson_mut_val *core = yyjson_mut_arr_add_obj(doc, cores);
        yyjson_mut_obj_add_uint(doc, core, "core", set->core[i]);
        yyjson_mut_obj_add_uint(doc, core, "before_ns", done->before.ns[i]);
        yyjson_mut_obj_add_uint(doc, core, "after_ns", done->after.ns[i]);
    }
}

void mr_host_watch_finish(struct mr_host_watch *watch, struct mr_observation *seen_out,
                          yyjson_mut_doc *doc, yyjson_mut_val *details)
{
    stop_spinner(watch);
    seen_out->grade_c = watch->race->cores.grade == MR_GRADE_C;
    if (!watch->ended) {
        yyjson_mut_obj_add_null(doc, details, "host");
        return;
    }
    yyjson_mut_val *object = yyjson_mut_obj_add_obj(doc, details, "host");
    see_window(watch, seen_out);
    mr_record_window(doc, object, &watch->use);
    add_pauses(watch, doc, object);
    probe_again(watch, seen_out, doc, object);
}
