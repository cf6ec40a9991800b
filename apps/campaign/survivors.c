// survivors.c: see survivors.h.
#define _GNU_SOURCE
#include "survivors.h"

#include <errno.h>
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

// Kills the children that the kernel lists now; how many.
static size_t kill_children(void)
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
    size_t count = 0;
    char *at = list;
    for (;;) {
        char *end;
        long child = strtol(at, &end, 10);
        if (end == at || child <= 1) {
            break;
        }
        (void)kill((pid_t)child, SIGKILL);
        count++;
        at = end;
    }
    return count;
}

size_t mr_survivors_end(void)
{
    size_t ended = 0;
    for (int round = 0; round < ROUNDS_MAX; round++) {
        size_t killed = kill_children();
        if (killed == 0) {
            break;
        }
        for (size_t i = 0; i < killed; i++) {
            ended += waitpid(-1, NULL, 0) > 0;
        }
    }
    return ended;
}
