// load_plan.c: see load_plan.h.
#include "load_plan.h"

#include "plan_poisson.h"

#include "base/clock.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define WINDOW_DEFAULT_NS (700 * MR_NS_PER_MS)

__extension__ typedef unsigned __int128 wide;

MR_PRINTF(2, 3)
static bool no(char *why, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(why, MR_LOAD_WHY_BYTES, format, arguments);
    va_end(arguments);
    return false;
}

// What a plan is described by, and what it must be described by.
struct wanted {
    bool rate;
    bool burst;
    bool steps;
};

static struct wanted wanted_by(enum mr_plan_kind kind)
{
    return (struct wanted){.rate = kind == MR_PLAN_OPEN || kind == MR_PLAN_POISSON,
                           .burst = kind == MR_PLAN_BURSTS,
                           .steps = kind == MR_PLAN_STEPS};
}

static bool check_given(const struct mr_load_options *options, char *why)
{
    struct wanted wanted = wanted_by(options->plan);
    const char *name = mr_plan_name(options->plan);
    bool any_burst = options->burst_batches != 0 || options->period_ns != 0;
    if (wanted.rate && options->rate_per_s == 0) {
        return no(why, "--plan %s needs --rate BATCHES_PER_S, at least 1", name);
    }
    if (!wanted.rate && options->rate_per_s != 0) {
        return no(why, "--rate means nothing with --plan %s: say --plan open or --plan poisson",
                  name);
    }
    if (wanted.burst && (options->burst_batches == 0 || options->period_ns == 0)) {
        return no(why, "--plan bursts needs --burst BATCHES and --period TIME, as in --burst 64 "
                       "--period 100ms");
    }
    if (!wanted.burst && any_burst) {
        return no(why, "--burst and --period mean nothing with --plan %s: say --plan bursts", name);
    }
    if (wanted.steps && options->steps.count == 0) {
        return no(why, "--plan steps needs --steps, as in --steps 1000:2s,1000-5000:10s");
    }
    if (!wanted.steps && options->steps.count != 0) {
        return no(why, "--steps means nothing with --plan %s: say --plan steps", name);
    }
    return true;
}

static bool check_bursts(const struct mr_load_options *options, char *why)
{
    wide rate = (wide)options->burst_batches * MR_NS_PER_S;
    if (rate > (wide)MR_PLAN_RATE_MAX * options->period_ns) {
        return no(why,
                  "--burst %" PRIu64 " every --period are more than %u batches a second, which is "
                  "the limit",
                  options->burst_batches, MR_PLAN_RATE_MAX);
    }
    // Otherwise the backlogs at its two ends would be those of different moments of a period.
    if (options->window_ns % options->period_ns != 0) {
        return no(why,
                  "--window must be a whole number of --period: %" PRIu64 " ns is not one of "
                  "%" PRIu64 " ns",
                  options->window_ns, options->period_ns);
    }
    return true;
}

static bool check_steps(const struct mr_load_options *options, char *why)
{
    if (mr_plan_steps_batches(&options->steps) == 0) {
        return no(why, "--steps have not one batch due: rates of 0, or too short");
    }
    uint64_t length_ns = mr_plan_steps_length_ns(&options->steps);
    if (options->window_ns != length_ns) {
        return no(why,
                  "--window must be as long as the steps, %" PRIu64 " ns: leave it away, and it is",
                  length_ns);
    }
    return true;
}

// The steps with the warm-up before them, at their first rate.
static struct mr_plan_steps whole_steps(const struct mr_load_options *options)
{
    struct mr_plan_steps whole = options->steps;
    if (options->warmup_ns > 0) {
        uint64_t rate_per_s = options->steps.step[0].from_per_s;
        whole.step[0] = (struct mr_plan_step){
            .from_per_s = rate_per_s, .to_per_s = rate_per_s, .length_ns = options->warmup_ns};
        memcpy(whole.step + 1, options->steps.step,
               options->steps.count * sizeof options->steps.step[0]);
        whole.count++;
    }
    return whole;
}

static bool check_table(const struct mr_load_options *options, char *why)
{
    uint64_t slots = 0;
    if (options->plan == MR_PLAN_POISSON) {
        wide ns = (wide)options->warmup_ns + options->window_ns;
        slots = (uint64_t)(ns * options->rate_per_s / MR_NS_PER_S);
    } else if (options->plan == MR_PLAN_STEPS) {
        struct mr_plan_steps whole = whole_steps(options);
        slots = mr_plan_steps_batches(&whole);
    }
    if (slots >= MR_PLAN_SLOTS_MAX) {
        return no(why,
                  "the plan has %" PRIu64 " batches, of which %u fit into the %u MiB for due times "
                  "that are computed beforehand: lower the rate or shorten --warmup and --window",
                  slots, MR_PLAN_SLOTS_MAX, MR_PLAN_SLOTS_MAX / (1u << 17));
    }
    return true;
}

bool mr_load_plan_check(struct mr_load_options *options, char why_out[MR_LOAD_WHY_BYTES])
{
    if (!check_given(options, why_out)) {
        return false;
    }
    if (options->window_ns == 0) {
        options->window_ns = options->plan == MR_PLAN_STEPS
                                 ? mr_plan_steps_length_ns(&options->steps)
                                 : WINDOW_DEFAULT_NS;
    }
    if (options->plan == MR_PLAN_BURSTS && !check_bursts(options, why_out)) {
        return false;
    }
    if (options->plan == MR_PLAN_STEPS && !check_steps(options, why_out)) {
        return false;
    }
    return check_table(options, why_out);
}

static int compute(struct mr_plan *plan, const struct mr_load_options *options)
{
    if (plan->kind == MR_PLAN_POISSON) {
        return mr_plan_poisson_init(plan, options->seed, options->warmup_ns + options->window_ns);
    }
    if (plan->kind == MR_PLAN_STEPS) {
        struct mr_plan_steps whole = whole_steps(options);
        return mr_plan_steps_init(plan, &whole);
    }
    return 0;
}

int mr_load_plan_init(struct mr_plan *plan_out, const struct mr_load_options *options,
                      char why_out[MR_LOAD_WHY_BYTES])
{
    *plan_out = (struct mr_plan){.kind = options->plan,
                                 .rate_per_s = options->rate_per_s,
                                 .burst_batches = options->burst_batches,
                                 .period_ns = options->period_ns,
                                 .connections = (uint32_t)options->connections,
                                 .depth = (uint32_t)options->depth};
    int result = compute(plan_out, options);
    if (result != 0) {
        (void)no(why_out, "the plan's due times do not fit in memory");
        return result;
    }
    if (options->plan == MR_PLAN_CLOSED) {
        return 0;
    }
    uint64_t end_ns = options->warmup_ns + options->window_ns;
    if (mr_plan_slots_before(plan_out, end_ns) ==
        mr_plan_slots_before(plan_out, options->warmup_ns)) {
        mr_plan_fini(plan_out);
        (void)no(why_out, "no batch is due inside the window: raise the rate or lengthen --window");
        return -ENODATA;
    }
    return 0;
}

bool mr_load_burst_fits(const struct mr_load_options *options, uint64_t batch_bytes,
                        uint64_t memory_bytes, char why_out[MR_LOAD_WHY_BYTES])
{
    wide burst_bytes = (wide)options->burst_batches * batch_bytes;
    if (options->plan != MR_PLAN_BURSTS || burst_bytes <= memory_bytes) {
        return true;
    }
    return no(why_out,
              "--burst %" PRIu64 " of %" PRIu64 " bytes a batch, due at once, are more than this "
              "machine's memory of %" PRIu64 " MiB: at most --burst %" PRIu64,
              options->burst_batches, batch_bytes, memory_bytes >> 20, memory_bytes / batch_bytes);
}
