// cpu_quota.c: see cpu_quota.h.
#define _GNU_SOURCE
#include "cpu_quota.h"

#include "proc_text.h"
#include "slurp.h"

#include <limits.h>
#include <stdio.h>
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

// The group `path` below `mount`, and all above it. In a container the path may be the host's, of
// which only the top is seen.
static struct mr_reading tightest_of(const char *mount, const char *path, bool v2)
{
    struct mr_reading tightest = {0};
    char folder[PATH_MAX];
    int length = snprintf(folder, sizeof folder, "%s%s", mount, path);
    if (length < 0 || (size_t)length >= sizeof folder) {
        return tightest;
    }
    size_t mount_length = strlen(mount);
    for (;;) {
        tighten(&tightest, v2 ? read_v2(folder) : read_v1(folder));
        char *slash = strrchr(folder + mount_length, '/');
        if (slash == NULL) {
            return tightest;
        }
        *slash = '\0';
    }
}

static bool has_word(const char *list, const char *word, char separator)
{
    size_t length = strlen(word);
    const char ends[] = {separator, '\n', '\0'};
    while (*list != '\0') {
        size_t word_length = strcspn(list, ends);
        if (word_length == length && memcmp(list, word, length) == 0) {
            return true;
        }
        list += word_length + (list[word_length] != '\0');
    }
    return false;
}

static struct mr_reading read_v2_tree(const char *root, const char *path)
{
    char mount[PATH_MAX];
    (void)snprintf(mount, sizeof mount, "%s/sys/fs/cgroup", root);
    struct mr_reading tightest = tightest_of(mount, path, true);
    struct mr_reading_text controllers = mr_slurp_line("%s/cgroup.controllers", mount);
    if (!tightest.known && controllers.known && has_word(controllers.text, "cpu", ' ')) {
        tightest = mr_reading_of(MR_QUOTA_NONE);
    }
    return tightest;
}

// One line of /proc/self/cgroup, "number:controllers:path", ended by zero.
static struct mr_reading read_line(const char *root, char *line)
{
    char *controllers = strchr(line, ':');
    char *path = controllers == NULL ? NULL : strchr(controllers + 1, ':');
    if (path == NULL) {
        return (struct mr_reading){0};
    }
    *path++ = '\0';
    controllers++;
    if (controllers[0] == '\0') {
        return read_v2_tree(root, path);
    }
    if (!has_word(controllers, "cpu", ',')) {
        return (struct mr_reading){0};
    }
    char mount[PATH_MAX];
    (void)snprintf(mount, sizeof mount, "%s/sys/fs/cgroup/%s", root, controllers);
    struct mr_reading result = tightest_of(mount, path, false);
    if (!result.known) {
        (void)snprintf(mount, sizeof mount, "%s/sys/fs/cgroup/cpu", root);
        result = tightest_of(mount, path, false);
    }
    return result;
}

struct mr_reading mr_cpu_quota_read(const char *root)
{
    struct mr_reading tightest = {0};
    char *text;
    if (mr_slurp(&text, "%s/proc/self/cgroup", root) == 0) {
        char *rest = text;
        for (char *line = strsep(&rest, "\n"); line != NULL; line = strsep(&rest, "\n")) {
            tighten(&tightest, read_line(root, line));
        }
    }
    free(text);
    return tightest;
}
