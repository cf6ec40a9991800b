// matrix_load.c: see matrix_load.h.
#include "matrix_load.h"

#include "base/clock.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

#define RATE_MAX_PER_S 5000000u // what the generator takes up at most
#define SHARE_MAX      100.0
#define LENGTH_MAX_MS  3600000.0

static const char *const load_keys[] = {
    "plan",          "connections", "depth",  "in_flight", "rate_per_s", "share",       "period_ms",
    "burst_batches", "steps",       "verify", "record",    "vary",       "null_sender", NULL};
static const char *const step_keys[] = {"rate_per_s", "share",     "to_per_s",
                                        "to_share",   "length_ms", NULL};

// What a plan's rate is made of: keys that may stand there.
static const struct plan_keys {
    const char *plan;
    bool rate;   // "rate_per_s"
    bool share;  // "share"
    bool bursts; // "burst_batches", "period_ms"
    bool steps;
} plans[] = {
    {"closed", false, false, false, false}, {"open", true, true, false, false},
    {"poisson", true, true, false, false},  {"bursts", false, true, true, false},
    {"steps", false, false, false, true},
};

static const char *const rate_keys[] = {"plan",          "rate_per_s", "share",
                                        "burst_batches", "period_ms",  "steps"};
#define RATE_KEYS_COUNT (sizeof rate_keys / sizeof rate_keys[0])

// The key itself, so that a fault names its line; NULL where it is missing.
static yyjson_val *key_of(yyjson_val *object, const char *name)
{
    size_t index;
    size_t count;
    yyjson_val *key;
    yyjson_val *value;
    yyjson_obj_foreach(object, index, count, key, value)
    {
        if (yyjson_equals_str(key, name)) {
            return key;
        }
    }
    return NULL;
}

static yyjson_val *first_key(yyjson_val *object)
{
    yyjson_obj_iter iterator = yyjson_obj_iter_with(object);
    return yyjson_obj_iter_next(&iterator);
}

static const struct plan_keys *find_plan(struct mr_json_file *file, yyjson_val *object,
                                         const char *fallback)
{
    const char *name = mr_json_text(file, object, "plan", fallback);
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        if (strcmp(name, plans[i].plan) == 0) {
            return &plans[i];
        }
    }
    mr_json_fail(file, key_of(object, "plan"),
                 "\"plan\" may not be \"%s\": closed, open, poisson, bursts, steps", name);
    return &plans[0];
}

static uint64_t read_per_s(struct mr_json_file *file, yyjson_val *object, const char *key)
{
    return mr_json_count(file, object, key, (struct mr_json_range){1, RATE_MAX_PER_S, 0, false});
}

static double read_share(struct mr_json_file *file, yyjson_val *object, const char *key)
{
    double share = mr_json_number(file, object, key, 0);
    yyjson_val *place = key_of(object, key);
    if (place != NULL && !(share > 0 && share <= SHARE_MAX)) {
        mr_json_fail(file, place,
                     "\"%s\" must be a share of the slowest contestant's maximum, as in 0.5; above "
                     "0 and at most %g",
                     key, SHARE_MAX);
    }
    return share;
}

static uint64_t read_length_ns(struct mr_json_file *file, yyjson_val *object, const char *key)
{
    double ms = mr_json_number(file, object, key, 0);
    uint64_t ns = ms <= LENGTH_MAX_MS ? (uint64_t)llround(ms * (double)MR_NS_PER_MS) : 0;
    if (ns == 0) {
        yyjson_val *place = key_of(object, key);
        mr_json_fail(file, place == NULL ? first_key(object) : place,
                     "\"%s\" must be there: milliseconds, above 0 and at most an hour", key);
    }
    return ns;
}

// Exactly one of two keys must stand in `object`.
static void one_of(struct mr_json_file *file, yyjson_val *object, const char *a, const char *b)
{
    bool has_a = key_of(object, a) != NULL;
    bool has_b = key_of(object, b) != NULL;
    if (has_a == has_b) {
        mr_json_fail(file, has_a ? key_of(object, a) : first_key(object),
                     "exactly one of \"%s\" and \"%s\" must be given", a, b);
    }
}

static void read_step(struct mr_json_file *file, yyjson_val *object, struct mr_load_step *step)
{
    mr_json_only_keys(file, object, step_keys);
    one_of(file, object, "rate_per_s", "share");
    step->from =
        (struct mr_rate){read_share(file, object, "share"), read_per_s(file, object, "rate_per_s")};
    step->to = (struct mr_rate){read_share(file, object, "to_share"),
                                read_per_s(file, object, "to_per_s")};
    if (key_of(object, "to_share") != NULL && key_of(object, "to_per_s") != NULL) {
        one_of(file, object, "to_per_s", "to_share");
    }
    if (step->to.share == 0 && step->to.per_s == 0) {
        step->to = step->from;
    }
    step->length_ns = read_length_ns(file, object, "length_ms");
}

static void read_steps(struct mr_json_file *file, yyjson_val *object, struct mr_cell_load *load)
{
    size_t index;
    size_t count;
    yyjson_val *value;
    yyjson_val *array = mr_json_array(file, object, "steps", true);
    yyjson_arr_foreach(array, index, count, value)
    {
        if (!yyjson_is_obj(value) || load->steps_count == MR_LOAD_STEPS_MAX) {
            mr_json_fail(file, key_of(object, "steps"), "\"steps\": at most %d objects",
                         MR_LOAD_STEPS_MAX);
            return;
        }
        read_step(file, value, &load->steps[load->steps_count++]);
    }
    if (array != NULL && count == 0) {
        mr_json_fail(file, key_of(object, "steps"), "\"steps\" is empty: no load at all");
    }
}

// A key that means nothing with the plan is a mistake, not a remark.
static void only_of_plan(struct mr_json_file *file, yyjson_val *object,
                         const struct plan_keys *plan)
{
    const struct {
        const char *key;
        bool allowed;
    } keys[] = {{"rate_per_s", plan->rate},
                {"share", plan->share},
                {"burst_batches", plan->bursts},
                {"period_ms", plan->bursts},
                {"steps", plan->steps}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        yyjson_val *place = key_of(object, keys[i].key);
        if (place != NULL && !keys[i].allowed) {
            mr_json_fail(file, place, "\"%s\" means nothing with plan \"%s\"", keys[i].key,
                         plan->plan);
        }
    }
}

static void read_plan(struct mr_json_file *file, yyjson_val *object, struct mr_cell_load *load)
{
    const struct plan_keys *plan = find_plan(file, object, load->plan);
    load->plan = plan->plan;
    load->rate = (struct mr_rate){0};
    load->burst_batches = 0;
    load->period_ns = 0;
    load->steps_count = 0;
    only_of_plan(file, object, plan);
    if (plan->steps) {
        read_steps(file, object, load);
    } else if (plan->share) {
        one_of(file, object, plan->bursts ? "burst_batches" : "rate_per_s", "share");
        load->rate.share = read_share(file, object, "share");
        load->rate.per_s = read_per_s(file, object, "rate_per_s");
    }
    if (plan->bursts) {
        load->burst_batches = mr_json_count(file, object, "burst_batches",
                                            (struct mr_json_range){1, 1u << 20, 0, false});
        load->period_ns = read_length_ns(file, object, "period_ms");
    }
}

struct mr_cell_load mr_cell_load_default(void)
{
    return (struct mr_cell_load){.plan = "closed",
                                 .connections = 16,
                                 .depth = 4,
                                 .verify = true,
                                 .record = true,
                                 .vary = true};
}

void mr_cell_load_read(struct mr_json_file *file, yyjson_val *object, struct mr_cell_load *load_io)
{
    mr_json_only_keys(file, object, load_keys);
    bool any = false;
    for (size_t i = 0; i < RATE_KEYS_COUNT; i++) {
        any |= key_of(object, rate_keys[i]) != NULL;
    }
    if (any) {
        read_plan(file, object, load_io);
    }
    load_io->connections = mr_json_count(
        file, object, "connections", (struct mr_json_range){1, 1024, load_io->connections, false});
    load_io->depth = mr_json_count(file, object, "depth",
                                   (struct mr_json_range){1, 1024, load_io->depth, false});
    load_io->in_flight = mr_json_count(
        file, object, "in_flight", (struct mr_json_range){1, 1u << 20, load_io->in_flight, false});
    load_io->verify = mr_json_bool(file, object, "verify", load_io->verify);
    load_io->record = mr_json_bool(file, object, "record", load_io->record);
    load_io->vary = mr_json_bool(file, object, "vary", load_io->vary);
    load_io->null_sender = mr_json_bool(file, object, "null_sender", load_io->null_sender);
    yyjson_val *place = key_of(object, "null_sender");
    if (load_io->null_sender && mr_cell_load_is_open(load_io)) {
        mr_json_fail(
            file, place == NULL ? first_key(object) : place,
            "\"null_sender\" knows no due times: it may stand beside plan \"closed\" only");
    }
}

bool mr_cell_load_is_open(const struct mr_cell_load *load)
{
    return strcmp(load->plan, "closed") != 0;
}

bool mr_cell_load_is_shared(const struct mr_cell_load *load)
{
    bool shared = load->rate.share > 0;
    for (size_t i = 0; i < load->steps_count; i++) {
        shared |= load->steps[i].from.share > 0 || load->steps[i].to.share > 0;
    }
    return shared;
}

bool mr_cell_load_is_whole(const struct mr_cell_load *load)
{
    return load->verify && load->record && load->vary && !load->null_sender;
}

static void resolve(struct mr_rate *rate, double maximum)
{
    if (rate->share > 0) {
        double per_s = floor(rate->share * maximum);
        rate->per_s = per_s < 1 ? 1 : per_s > RATE_MAX_PER_S ? RATE_MAX_PER_S : (uint64_t)per_s;
    }
}

void mr_cell_load_resolve(struct mr_cell_load *load, double maximum)
{
    resolve(&load->rate, maximum);
    for (size_t i = 0; i < load->steps_count; i++) {
        resolve(&load->steps[i].from, maximum);
        resolve(&load->steps[i].to, maximum);
    }
    if (load->period_ns > 0 && load->rate.share > 0) {
        double batches = load->rate.share * maximum * (double)load->period_ns / (double)MR_NS_PER_S;
        load->burst_batches = batches < 1 ? 1 : (uint64_t)floor(batches);
    }
}

uint64_t mr_cell_load_window_ns(const struct mr_cell_load *load, uint64_t rules_ns)
{
    uint64_t steps_ns = 0;
    for (size_t i = 0; i < load->steps_count; i++) {
        steps_ns += load->steps[i].length_ns;
    }
    return steps_ns > 0 ? steps_ns : rules_ns;
}

static bool same_rate(struct mr_rate a, struct mr_rate b)
{
    return a.share == b.share && (a.share > 0 || a.per_s == b.per_s);
}

bool mr_cell_load_equal(const struct mr_cell_load *a, const struct mr_cell_load *b)
{
    bool equal = strcmp(a->plan, b->plan) == 0 && a->connections == b->connections &&
                 a->depth == b->depth && a->in_flight == b->in_flight &&
                 same_rate(a->rate, b->rate) && a->burst_batches == b->burst_batches &&
                 a->period_ns == b->period_ns && a->steps_count == b->steps_count &&
                 a->verify == b->verify && a->record == b->record && a->vary == b->vary &&
                 a->null_sender == b->null_sender;
    for (size_t i = 0; equal && i < a->steps_count; i++) {
        equal = same_rate(a->steps[i].from, b->steps[i].from) &&
                same_rate(a->steps[i].to, b->steps[i].to) &&
                a->steps[i].length_ns == b->steps[i].length_ns;
    }
    return equal;
}

bool mr_cell_load_steps_text(const struct mr_cell_load *load, char *text_out, size_t capacity)
{
    struct mr_text text = mr_text_init(text_out, capacity);
    for (size_t i = 0; i < load->steps_count; i++) {
        const struct mr_load_step *step = &load->steps[i];
        mr_text_printf(&text, "%s%llu", i > 0 ? "," : "", (unsigned long long)step->from.per_s);
        if (step->to.per_s != step->from.per_s) {
            mr_text_printf(&text, "-%llu", (unsigned long long)step->to.per_s);
        }
        mr_text_printf(&text, ":%lluns", (unsigned long long)step->length_ns);
    }
    return !text.cut;
}
