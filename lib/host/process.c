// process.c: waiting for a program that was started, writing to it, ending it. See process.h.
#define _GNU_SOURCE
#include "process.h"

#include <base/clock.h>
#include <base/mr_assert.h>

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// How long SIGKILL may take.
#define KILL_NS (10 * MR_NS_PER_S)

// Step of the wait where the kernel has no descriptor for a process.
#define STEP_NS MR_NS_PER_MS

static void close_fd(int *fd)
{
    if (*fd >= 0) {
        (void)close(*fd);
        *fd = -1;
    }
}

static uint64_t ns_of(const struct timeval *time)
{
    return (uint64_t)time->tv_sec * MR_NS_PER_S + (uint64_t)time->tv_usec * MR_NS_PER_US;
}

static struct mr_process_end end_of(int status, const struct rusage *usage)
{
    bool exited = WIFEXITED(status);
    return (struct mr_process_end){
        .exited = exited,
        .exit_code = exited ? WEXITSTATUS(status) : 0,
        .signal = exited ? 0 : WTERMSIG(status),
        .user_ns = ns_of(&usage->ru_utime),
        .system_ns = ns_of(&usage->ru_stime),
        .minor_faults = (uint64_t)usage->ru_minflt,
        .major_faults = (uint64_t)usage->ru_majflt,
        .voluntary_switches = (uint64_t)usage->ru_nvcsw,
        .involuntary_switches = (uint64_t)usage->ru_nivcsw,
    };
}

// 0 when it has ended and was reaped, −EAGAIN while it runs. Until it is reaped its number belongs
// to nobody else, as a process and as a group: that is when the rest of the group is killed.
static int try_reap(struct mr_process *process, struct mr_process_end *end_out)
{
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)process->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
        if (errno == EINTR) {
            return -EAGAIN;
        }
        process->running = false; // its number may belong to another by now: never signal it again
        return -errno;
    }
    if (info.si_pid == 0) {
        return -EAGAIN;
    }
    (void)kill(-process->pid, SIGKILL);
    int status;
    struct rusage usage;
    pid_t reaped;
    do {
        reaped = wait4(process->pid, &status, 0, &usage);
    } while (reaped < 0 && errno == EINTR);
    process->running = false;
    if (reaped < 0) {
        return -errno;
    }
    *end_out = end_of(status, &usage);
    return 0;
}

// A descriptor for the process makes the wait exact; without one it goes by small steps.
static int wait_for_change(const struct mr_process *process, const struct mr_patience *patience)
{
    if (process->pid_fd >= 0) {
        return mr_patience_poll(patience, process->pid_fd, POLLIN);
    }
    struct mr_patience step = mr_patience_for(STEP_NS);
    step.wake_fd = patience->wake_fd;
    int result = mr_patience_poll(&step, -1, 0);
    bool in_time = mr_clock_ns() < patience->deadline_ns;
    return result == -ETIMEDOUT && in_time ? 0 : result;
}

int mr_process_wait(struct mr_process *process, const struct mr_patience *patience,
                    struct mr_process_end *end_out)
{
    MR_ASSERT(process->running);
    for (;;) {
        int reaped = try_reap(process, end_out);
        if (reaped != -EAGAIN) {
            return reaped;
        }
        int result = wait_for_change(process, patience);
        if (result != 0) {
            return result;
        }
    }
}

int mr_process_signal(const struct mr_process *process, int signal)
{
    if (!process->running) {
        return -ESRCH;
    }
    return kill(process->pid, signal) == 0 ? 0 : -errno;
}

static int kill_group(struct mr_process *process, struct mr_process_end *end_out)
{
    // The program itself too, in case it moved to another group.
    (void)kill(-process->pid, SIGKILL);
    (void)kill(process->pid, SIGKILL);
    struct mr_patience patience = mr_patience_for(KILL_NS);
    return mr_process_wait(process, &patience, end_out);
}

int mr_process_stop(struct mr_process *process, uint64_t grace_ns, struct mr_process_end *end_out,
                    enum mr_process_stop *stop_out)
{
    MR_ASSERT(process->running);
    *stop_out = MR_STOP_BY_ITSELF;
    int result = try_reap(process, end_out);
    if (result != -EAGAIN) {
        return result;
    }
    *stop_out = MR_STOP_BY_TERM;
    struct mr_patience grace = mr_patience_for(grace_ns);
    result = mr_process_signal(process, SIGTERM);
    if (result == 0) {
        result = mr_process_wait(process, &grace, end_out);
    }
    if (result == -ETIMEDOUT) {
        *stop_out = MR_STOP_BY_KILL;
        result = kill_group(process, end_out);
    }
    return result;
}

// write(2) without SIGPIPE: blocked for the moment, and taken away if this write raised it.
static ssize_t write_quietly(int fd, const char *bytes, size_t size_bytes)
{
    sigset_t pipe_only;
    sigset_t pending;
    sigset_t before;
    (void)sigemptyset(&pipe_only);
    (void)sigaddset(&pipe_only, SIGPIPE);
    (void)sigpending(&pending);
    (void)pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
    ssize_t written = write(fd, bytes, size_bytes);
    int error = errno;
    if (written < 0 && error == EPIPE && sigismember(&pending, SIGPIPE) == 0) {
        const struct timespec at_once = {0};
        while (sigtimedwait(&pipe_only, NULL, &at_once) < 0 && errno == EINTR) {
        }
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return written;
}

int mr_process_write(struct mr_process *process, const void *bytes, size_t size_bytes,
                     const struct mr_patience *patience)
{
    MR_ASSERT(process->in >= 0);
    const char *at = bytes;
    while (size_bytes > 0) {
        ssize_t written = write_quietly(process->in, at, size_bytes);
        if (written >= 0) {
            at += written;
            size_bytes -= (size_t)written;
            continue;
        }
        if (errno != EAGAIN && errno != EINTR) {
            return -errno;
        }
        int result = mr_patience_poll(patience, process->in, POLLOUT);
        if (result != 0) {
            return result;
        }
    }
    return 0;
}

void mr_process_close_in(struct mr_process *process)
{
    close_fd(&process->in);
}

void mr_process_fini(struct mr_process *process)
{
    if (process->running) {
        struct mr_process_end end;
        (void)kill_group(process, &end);
        process->running = false;
    }
    close_fd(&process->pid_fd);
    close_fd(&process->in);
    close_fd(&process->out);
    close_fd(&process->err);
}
