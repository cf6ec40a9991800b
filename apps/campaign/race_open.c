// race_open.c: see race_open.h.
#define _GNU_SOURCE
#include "race_open.h"

#include "core_lock.h"
#include "host_watch.h"
#include "survivors.h"

#include "base/cli.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "host/cpu_quota.h"
#include "host/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/signalfd.h>
#include <unistd.h>

int mr_race_find_self(struct mr_race_self *self_out, const char *build_dir,
                      struct mr_trial_fault *fault)
{
    ssize_t length = readlink("/proc/self/exe", self_out->program, sizeof self_out->program - 1);
    if (length <= 0) {
        mr_trial_fault_set(fault, "its own path cannot be read from /proc/self/exe");
        return -EINVAL;
    }
    self_out->program[length] = '\0';
    char own[PATH_MAX];
    memcpy(own, self_out->program, (size_t)length + 1);
    for (int i = 0; i < 3; i++) {
        char *slash = strrchr(own, '/');
        if (slash != NULL) {
            *slash = '\0';
        }
    }
    const char *chosen = build_dir == NULL ? own : build_dir;
    if (realpath(chosen, self_out->build_dir) == NULL) {
        int result = -errno;
        mr_trial_fault_set(fault, "--build-dir %s: %s", chosen, strerror(errno));
        return result;
    }
    (void)snprintf(self_out->liars_dir, sizeof self_out->liars_dir, "%s/liars",
                   self_out->build_dir);
    return 0;
}

void mr_race_add_liars(const struct mr_race_self *self, struct mr_option_list *folders_io)
{
    if (access(self->liars_dir, R_OK) == 0 && folders_io->count < MR_OPTION_LIST_MAX) {
        folders_io->item[folders_io->count++] = self->liars_dir;
    }
}

// Whether server and generator would share execution units, which a hypervisor may hide: about a
// second.
static double share_of_units(const struct mr_assignment *cores)
{
    struct mr_probe probe;
    uint64_t alone_ns;
    uint64_t beside_ns;
    if (mr_probe_calibrate(cores->server.core[0], MR_PROBE_WORK_NS, 10, &probe) != 0 ||
        mr_probe_pair(cores->server.core[0], cores->generator.core[0], &probe, &alone_ns,
                      &beside_ns) != 0) {
        return NAN;
    }
    return (double)beside_ns / (double)alone_ns;
}

// A race in which nobody runs disturbs nobody.
static bool is_simulated(const struct mr_matrix *matrix)
{
    bool simulated = matrix->cells_count > 0;
    for (size_t i = 0; i < matrix->cells_count; i++) {
        simulated &= strcmp(matrix->cells[i].driver, "simulated") == 0;
    }
    return simulated;
}

static int lock_cores(const struct mr_race *race, struct mr_trial_fault *fault)
{
    if (is_simulated(&race->matrix) || mr_core_lock_is_waived()) {
        return 0;
    }
    int result = mr_core_lock_take(&race->cores.server, fault);
    return result != 0 ? result : mr_core_lock_take(&race->cores.generator, fault);
}

int mr_race_open_cores(struct mr_race *race, struct mr_trial_fault *fault)
{
    struct mr_cores usable;
    int result = mr_pin_allowed(&usable);
    if (result != 0) {
        mr_trial_fault_set(fault, "the usable cores cannot be read: %s", strerror(-result));
        return result;
    }
    mr_topology_read("", &usable, &race->topology);
    mr_assign(&race->topology, mr_cpu_quota_read(""), &race->cores);
    if (race->cores.grade == MR_GRADE_NONE) {
        mr_trial_fault_set(
            fault,
            "a race needs two cores, one for the server and one for the generator; this machine "
            "lets us use %zu",
            race->topology.count);
        return -ENODEV;
    }
    result = lock_cores(race, fault);
    if (result != 0) {
        return result;
    }
    race->beside_over_alone = share_of_units(&race->cores);
    (void)mr_host_watch_calibrate(race); // failing, its gate is unavailable
    return 0;
}

int mr_race_open_signals(struct mr_race *race, struct mr_trial_fault *fault)
{
    sigset_t set;
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGINT);
    (void)sigaddset(&set, SIGTERM);
    (void)sigaddset(&set, SIGHUP);
    if (sigprocmask(SIG_BLOCK, &set, NULL) != 0) {
        mr_trial_fault_set(fault, "signals cannot be blocked: %s", strerror(errno));
        return -errno;
    }
    if (mr_survivors_adopt() != 0) {
        mr_trial_fault_set(fault, "orphans of contestants cannot be adopted: %s", strerror(errno));
        return -errno;
    }
    race->wake_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (race->wake_fd < 0) {
        mr_trial_fault_set(fault, "signals cannot be read: %s", strerror(errno));
        return -errno;
    }
    return 0;
}

int mr_race_signal_code(const struct mr_race *race)
{
    struct signalfd_siginfo info;
    ssize_t got = read(race->wake_fd, &info, sizeof info);
    return got == (ssize_t)sizeof info ? 128 + (int)info.ssi_signo : 0;
}

void mr_race_default_folder(const char *name, char *path_out, size_t capacity)
{
    char now[21];
    mr_clock_utc_text(now);
    (void)snprintf(path_out, capacity, "out/%s/%.4s%.2s%.2sT%.2s%.2s%.2sZ", name, now, now + 5,
                   now + 8, now + 11, now + 14, now + 17);
}

int mr_race_open_folder(struct mr_race *race, const char *folder, struct mr_trial_fault *fault)
{
    if (access(folder, F_OK) == 0) {
        mr_trial_fault_set(
            fault, "%s exists already: results never overwrite others; give another --out", folder);
        return -EEXIST;
    }
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/trials", folder) >= (int)sizeof path - 32) {
        mr_trial_fault_set(fault, "%s: the path is too long", folder);
        return -ENAMETOOLONG;
    }
    int result = mr_folder_make(path);
    if (result != 0) {
        mr_trial_fault_set(fault, "%s: cannot be made: %s", path, strerror(-result));
        return result;
    }
    result = mr_race_lock(race, folder, fault);
    return result == 0 ? mr_race_open_log(race, folder, fault) : result;
}

int mr_race_open_log(struct mr_race *race, const char *folder, struct mr_trial_fault *fault)
{
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/run.log", folder);
    race->log = fopen(path, "a+e");
    if (race->log == NULL) {
        int result = -errno;
        mr_trial_fault_set(fault, "%s: cannot be written: %s", path, strerror(errno));
        return result;
    }
    // A kill or a full disk may have left half a line: what comes next is a line of its own.
    if (fseek(race->log, -1, SEEK_END) == 0 && fgetc(race->log) != '\n') {
        (void)fseek(race->log, 0, SEEK_END);
        (void)fputc('\n', race->log);
    }
    (void)fseek(race->log, 0, SEEK_END);
    race->folder = folder;
    return 0;
}

int mr_race_lock(struct mr_race *race, const char *folder, struct mr_trial_fault *fault)
{
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/lock", folder);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0) {
        race->lock_fd = fd;
        return 0;
    }
    int result = errno == EWOULDBLOCK ? -EBUSY : -errno;
    if (result == -EBUSY) {
        mr_trial_fault_set(fault, "%s: another run is at work in it", folder);
    } else {
        mr_trial_fault_set(fault, "%s: cannot be locked: %s", path, strerror(errno));
    }
    if (fd >= 0) {
        (void)close(fd);
    }
    return result;
}

void mr_race_reproduce(const char *command, int argc, char **argv, char *text_out, size_t capacity)
{
    struct mr_text text = mr_text_init(text_out, capacity);
    mr_text_printf(&text, "%s", command);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--out") == 0) {
            i++;
        } else if (strncmp(argv[i], "--out=", 6) != 0) {
            bool plain = argv[i][strcspn(argv[i], " '\"\\$`*?;&|<>()")] == '\0';
            mr_text_printf(&text, plain ? " %s" : " '%s'", argv[i]);
        }
    }
}
