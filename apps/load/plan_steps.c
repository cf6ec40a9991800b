// plan_steps.c: see plan_steps.h.
#include "plan_steps.h"

#include "base/clock.h"
#include "base/cli.h"
#include "base/mr_assert.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 wide;

// Areas under the rate are counted in half billionths of a batch: whole for any ramp of whole
// rates over whole ns.
#define AREA_OF_BATCH (2 * (wide)MR_NS_PER_S)

static bool read_rate(const char *text, const char **end_out, uint64_t *rate_out)
{
    if (*text < '0' || *text > '9') {
        return false;
    }
    char *end;
    errno = 0;
    unsigned long long rate = strtoull(text, &end, 10);
    *end_out = end;
    *rate_out = rate;
    return errno == 0 && rate <= MR_PLAN_RATE_MAX;
}

static const char *read_step(char *text, struct mr_plan_step *step_out)
{
    static const char form[] =
        "is not RATE:TIME or RATE-RATE:TIME, several with commas, as in 1000:2s,1000-5000:10s; "
        "rates are whole numbers from 0 to 5000000";
    const char *end;
    if (!read_rate(text, &end, &step_out->from_per_s)) {
        return form;
    }
    step_out->to_per_s = step_out->from_per_s;
    if (*end == '-' && !read_rate(end + 1, &end, &step_out->to_per_s)) {
        return form;
    }
    if (*end != ':' || !mr_duration_parse(end + 1, &step_out->length_ns)) {
        return form;
    }
    if (step_out->length_ns == 0 || step_out->length_ns > MR_PLAN_STEP_LENGTH_NS_MAX) {
        return "has a step that does not last more than 0 and at most 3600 s";
    }
    return NULL;
}

const char *mr_plan_steps_parse(const char *text, struct mr_plan_steps *steps_out)
{
    const char *wrong = NULL;
    steps_out->count = 0;
    char *copy = strdup(text);
    if (copy == NULL) {
        return "does not fit in memory";
    }
    char *rest = copy;
    while (rest != NULL && wrong == NULL) {
        char *one = strsep(&rest, ",");
        wrong = steps_out->count == MR_PLAN_STEPS_MAX
                    ? "has more than 64 steps"
                    : read_step(one, &steps_out->step[steps_out->count++]);
    }
    free(copy);
    return wrong;
}

uint64_t mr_plan_steps_length_ns(const struct mr_plan_steps *steps)
{
    uint64_t length_ns = 0;
    for (size_t i = 0; i < steps->count; i++) {
        length_ns += steps->step[i].length_ns;
    }
    return length_ns;
}

static wide area_of(const struct mr_plan_step *step)
{
    return (wide)(step->from_per_s + step->to_per_s) * step->length_ns;
}

uint64_t mr_plan_steps_batches(const struct mr_plan_steps *steps)
{
    wide area = 0;
    for (size_t i = 0; i < steps->count; i++) {
        area += area_of(&steps->step[i]);
    }
    return (uint64_t)(area / AREA_OF_BATCH);
}

// Whether the area of the first `time_ns` of a step is at most `area`, both times its length.
static bool holds(const struct mr_plan_step *step, uint64_t time_ns, wide area)
{
    wide slope = (wide)step->to_per_s - (wide)step->from_per_s;
    wide time = time_ns;
    wide length = step->length_ns;
    return slope * time * time + 2 * (wide)step->from_per_s * length * time <= area * length;
}

// The latest time within the step by which at most `area` has come, not before `from_ns`, where
// this holds: in strides that double, then by halving. `stride_ns` is a guess.
static uint64_t latest(const struct mr_plan_step *step, wide area, uint64_t from_ns,
                       uint64_t stride_ns)
{
    uint64_t low_ns = from_ns;
    uint64_t high_ns = low_ns + stride_ns;
    while (high_ns < step->length_ns && holds(step, high_ns, area)) {
        low_ns = high_ns;
        stride_ns *= 2;
        high_ns = low_ns + stride_ns;
    }
    if (high_ns > step->length_ns) {
        high_ns = step->length_ns;
    }
    while (high_ns - low_ns > 1) {
        uint64_t middle_ns = low_ns + (high_ns - low_ns) / 2;
        if (holds(step, middle_ns, area)) {
            low_ns = middle_ns;
        } else {
            high_ns = middle_ns;
        }
    }
    return low_ns;
}

// Appends the slots of one step, before which `before` of the area and `begin_ns` have passed. A
// slot belongs to the step in which more than its area comes.
static void add_step(struct mr_plan *plan, const struct mr_plan_step *step, wide before,
                     uint64_t begin_ns)
{
    wide own = area_of(step);
    uint64_t due_ns = 0;
    uint64_t gap_ns = 1;
    for (;;) {
        wide area = (wide)plan->slots * AREA_OF_BATCH - before;
        if (area >= own) {
            return;
        }
        uint64_t last_ns = due_ns;
        due_ns = step->from_per_s == step->to_per_s
                     ? (uint64_t)(area / (2 * (wide)step->from_per_s))
                     : latest(step, area, last_ns, gap_ns);
        gap_ns = due_ns - last_ns + 1;
        plan->due_ns[plan->slots++] = begin_ns + due_ns;
    }
}

int mr_plan_steps_init(struct mr_plan *plan, const struct mr_plan_steps *steps)
{
    MR_ASSERT(plan->kind == MR_PLAN_STEPS);
    uint64_t batches = mr_plan_steps_batches(steps);
    MR_ASSERT(batches < MR_PLAN_SLOTS_MAX);
    plan->slots = 0;
    plan->due_ns = malloc((batches + 1) * sizeof *plan->due_ns);
    if (plan->due_ns == NULL) {
        return -ENOMEM;
    }
    wide before = 0;
    uint64_t begin_ns = 0;
    for (size_t i = 0; i < steps->count; i++) {
        add_step(plan, &steps->step[i], before, begin_ns);
        before += area_of(&steps->step[i]);
        begin_ns += steps->step[i].length_ns;
    }
    MR_ASSERT(plan->slots <= batches + 1);
    return 0;
}
