// cgroup_walk.c: see cgroup_walk.h.
#define _GNU_SOURCE
#include "cgroup_walk.h"

#include "slurp.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct walk {
    const char *root;
    const char *controller;
    mr_cgroup_visit *visit;
    void *context;
};

bool mr_cgroup_has_word(const char *list, const char *word, char separator)
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

static void walk_up(const struct walk *walk, const char *mount, const char *path, bool v2)
{
    char folder[PATH_MAX];
    int length = snprintf(folder, sizeof folder, "%s%s", mount, path);
    if (length < 0 || (size_t)length >= sizeof folder) {
        return;
    }
    size_t mount_length = strlen(mount);
    for (;;) {
        walk->visit(folder, v2, walk->context);
        char *slash = strrchr(folder + mount_length, '/');
        if (slash == NULL) {
            return;
        }
        *slash = '\0';
    }
}

// One line of /proc/self/cgroup, "number:controllers:path", ended by zero.
static void walk_line(const struct walk *walk, char *line)
{
    char *controllers = strchr(line, ':');
    char *path = controllers == NULL ? NULL : strchr(controllers + 1, ':');
    if (path == NULL) {
        return;
    }
    *path++ = '\0';
    controllers++;
    char mount[PATH_MAX];
    if (controllers[0] == '\0') {
        (void)snprintf(mount, sizeof mount, "%s/sys/fs/cgroup", walk->root);
        walk_up(walk, mount, path, true);
        return;
    }
    if (!mr_cgroup_has_word(controllers, walk->controller, ',')) {
        return;
    }
    (void)snprintf(mount, sizeof mount, "%s/sys/fs/cgroup/%s", walk->root, controllers);
    if (access(mount, F_OK) != 0) {
        (void)snprintf(mount, sizeof mount, "%s/sys/fs/cgroup/%s", walk->root, walk->controller);
    }
    walk_up(walk, mount, path, false);
}

bool mr_cgroup_walk(const char *root, const char *controller, mr_cgroup_visit *visit, void *context)
{
    const struct walk walk = {root, controller, visit, context};
    char *text;
    if (mr_slurp(&text, "%s/proc/self/cgroup", root) != 0) {
        return false;
    }
    char *rest = text;
    for (char *line = strsep(&rest, "\n"); line != NULL; line = strsep(&rest, "\n")) {
        walk_line(&walk, line);
    }
    free(text);
    return true;
}
