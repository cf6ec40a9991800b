// cpu_quota.c: see cpu_quota.h.
#define _GNU_SOURCE
#include "cpu_quota.h"

#include "cgroup_walk.h"
#include "proc_text.h"
#include "slurp.h"

#include <stdlib.h>
#include <string.h>

static bool millicores_of(uint64_t quota, uint64_t period, uint64_t *millicores_out)
{
    return period > 0 && !__builtin_mul_overflow(quota, 1000u, millicores_out) &&
           ((*millicores_out /= period), true);
}

bool mr_cpu_max_parse(const char *text, uint64_t *millicores_out)
{
    uint64_t quota = 0;
    uint64_t period;
    bool unlimited = strncmp(text, "max ", 4) == 0;
    const char *at = unlimited ? text + 4 : text;
    if ((!unlimited && !mr_proc_number(&at, &quota)) || !mr_proc_number(&at, &period)) {
        return false;
    }
    if (unlimited) {
        *millicores_out = MR_QUOTA_NONE;
        return true;
    }
    return millicores_of(quota, period, millicores_out);
}

// One group of version 2; the folder has no cpu.max where the controller is off or it is the root.
static struct mr_reading read_v2(const char *folder)
{
    struct mr_reading result = {0};
    char *text;
    if (mr_slurp(&text, "%s/cpu.max", folder) == 0) {
        result.known = mr_cpu_max_parse(text, &result.value);
    }
    free(text);
    return result;
}

// One group of version 1; a quota of −1 is none.
static struct mr_reading read_v1(const char *folder)
{
    struct mr_reading_text quota = mr_slurp_line("%s/cpu.cfs_quota_us", folder);
    struct mr_reading period = mr_slurp_number("%s/cpu.cfs_period_us", folder);
    if (quota.known && strcmp(quota.text, "-1") == 0) {
        return mr_reading_of(MR_QUOTA_NONE);
    }
    const char *at = quota.text;
    uint64_t number;
    struct mr_reading result = {0};
    if (quota.known && period.known && mr_proc_number(&at, &number)) {
        result.known = millicores_of(number, period.value, &result.value);
    }
    return result;
}

static void tighten(struct mr_reading *tightest, struct mr_reading other)
{
    if (other.known && (!tightest->known || other.value < tightest->value)) {
        *tightest = other;
    }
}

static void tighten_by(const char *folder, bool v2, void *context)
{
    tighten(context, v2 ? read_v2(folder) : read_v1(folder));
}

struct mr_reading mr_cpu_quota_read(const char *root)
{
    struct mr_reading tightest = {0};
    if (!mr_cgroup_walk(root, "cpu", tighten_by, &tightest) || tightest.known) {
        return tightest;
    }
    struct mr_reading_text controllers = mr_slurp_line("%s/sys/fs/cgroup/cgroup.controllers", root);
    if (controllers.known && mr_cgroup_has_word(controllers.text, "cpu", ' ')) {
        tightest = mr_reading_of(MR_QUOTA_NONE);
    }
    return tightest;
}
