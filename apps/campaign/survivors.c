// survivors.c: see survivors.h.
#define _GNU_SOURCE
#include "survivors.h"

#include <errno.h>
#include <stdbool.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

// Killing one may hand us its children: as many rounds as a chain of processes may be long.
#define ROUNDS_MAX 64

int mr_survivors_adopt(void)
{
    return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0 ? 0 : -errno;
}

// As many as one reading of the kernel's list holds; more come with the next round.
#define CHILDREN_MAX 512

static bool is_ours(pid_t child, const pid_t *ours, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (child == ours[i]) {
            return true;
        }
    }
    return false;
}

// Kills the children that the kernel lists now and that are not `ours`; their number.
static size_t kill_children(const pid_t *ours, size_t count, pid_t killed_out[CHILDREN_MAX])
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
    char list[4096] = "";
    FILE *file = fopen(path, "re");
    if (file == NULL || fgets(list, sizeof list, file) == NULL) {
        list[0] = '\0';
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    size_t killed = 0;
    char *at = list;
    while (killed < CHILDREN_MAX) {
        char *end;
        long child = strtol(at, &end, 10);
        if (end == at || child <= 1) {
            break;
        }
        if (!is_ours((pid_t)child, ours, count)) {
            (void)kill((pid_t)child, SIGKILL);
            killed_out[killed++] = (pid_t)child;
        }
        at = end;
    }
    return killed;
}

size_t mr_survivors_end(const pid_t *ours, size_t count)
{
    size_t ended = 0;
    for (int round = 0; round < ROUNDS_MAX; round++) {
        pid_t killed[CHILDREN_MAX];
        size_t killed_count = kill_children(ours, count, killed);
        if (killed_count == 0) {
            break;
        }
        for (size_t i = 0; i < killed_count; i++) {
            int status = 0;
            bool reaped = waitpid(killed[i], &status, 0) == killed[i];
            // Who had ended by itself, and was never reaped, ran beside nobody.
            ended += reaped && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
        }
    }
    return ended;
}
