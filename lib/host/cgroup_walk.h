// cgroup_walk.h: the control groups that we are in and those above them, as far as they are seen.
#ifndef MR_HOST_CGROUP_WALK_H
#define MR_HOST_CGROUP_WALK_H

#include <stdbool.h>

// One group's folder; `v2`: of the unified hierarchy.
typedef void mr_cgroup_visit(const char *folder, bool v2, void *context);

// Visits our group of the hierarchy that has `controller` ("cpu"), then each above it up to the
// mount; folders that do not exist are visited too. In a container the path may be the host's, of
// which only the top is seen. False where /proc/self/cgroup cannot be read. `root` as elsewhere.
bool mr_cgroup_walk(const char *root, const char *controller, mr_cgroup_visit *visit,
                    void *context);

// Whether `word` stands in a list with that separator, which a newline or zero byte ends.
bool mr_cgroup_has_word(const char *list, const char *word, char separator);

#endif
