// process_spawn.c: fork, the few safe calls between fork and exec, and the report when one fails.
#define _GNU_SOURCE
#include "process.h"

#include <base/mr_assert.h>

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define STREAMS 3

// What the child says through the error pipe when a step fails.
struct report {
    enum mr_process_stage stage;
    int error;
};

// Both ends of each stream, −1 where there is none, and of the error pipe.
struct ends {
    int child[STREAMS];
    int ours[STREAMS];
    int report_read;
    int report_write;
};

static void close_fd(int *fd)
{
    if (*fd >= 0) {
        (void)close(*fd);
        *fd = -1;
    }
}

static void close_ends(struct ends *ends)
{
    for (int i = 0; i < STREAMS; i++) {
        close_fd(&ends->child[i]);
        close_fd(&ends->ours[i]);
    }
    close_fd(&ends->report_read);
    close_fd(&ends->report_write);
}

// Moves a descriptor out of 0 … 2, which the child overwrites; takes a failed one too. Returns the
// descriptor or a negative errno.
static int above_standard(int fd)
{
    if (fd < 0) {
        return -errno;
    }
    if (fd >= STREAMS) {
        return fd;
    }
    int moved = fcntl(fd, F_DUPFD_CLOEXEC, STREAMS);
    int error = errno;
    (void)close(fd);
    return moved < 0 ? -error : moved;
}

static int make_pipe(int *read_out, int *write_out)
{
    int both[2];
    if (pipe2(both, O_CLOEXEC) != 0) {
        return -errno;
    }
    int reading = above_standard(both[0]);
    int writing = above_standard(both[1]);
    *read_out = reading < 0 ? -1 : reading;
    *write_out = writing < 0 ? -1 : writing;
    return reading < 0 ? reading : writing < 0 ? writing : 0;
}

static int open_file(int *fd_out, const char *path, bool for_input)
{
    int flags = for_input ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC | O_APPEND;
    int fd = above_standard(open(path, flags | O_CLOEXEC, 0644));
    *fd_out = fd < 0 ? -1 : fd;
    return fd < 0 ? fd : 0;
}

static int open_stream(struct ends *ends, int number, const struct mr_stream *stream)
{
    bool for_input = number == STDIN_FILENO;
    switch (stream->kind) {
    case MR_STREAM_INHERIT:
        return 0;
    case MR_STREAM_NULL:
        return open_file(&ends->child[number], "/dev/null", for_input);
    case MR_STREAM_FILE:
        return open_file(&ends->child[number], stream->path, for_input);
    case MR_STREAM_PIPE: {
        int *reading = for_input ? &ends->child[number] : &ends->ours[number];
        int *writing = for_input ? &ends->ours[number] : &ends->child[number];
        int result = make_pipe(reading, writing);
        if (result == 0 && fcntl(ends->ours[number], F_SETFL, O_NONBLOCK) != 0) {
            result = -errno;
        }
        return result;
    }
    }
    MR_ASSERT(false);
    return -EINVAL;
}

static int open_ends(struct ends *ends, const struct mr_process_plan *plan)
{
    *ends = (struct ends){{-1, -1, -1}, {-1, -1, -1}, -1, -1};
    const struct mr_stream *streams[STREAMS] = {&plan->in, &plan->out, &plan->err};
    int result = make_pipe(&ends->report_read, &ends->report_write);
    for (int i = 0; result == 0 && i < STREAMS; i++) {
        result = open_stream(ends, i, streams[i]);
    }
    if (result != 0) {
        close_ends(ends);
    }
    return result;
}

static bool same_name(const char *entry, const char *other)
{
    const char *equals = strchr(other, '=');
    MR_ASSERT(equals != NULL && equals != other);
    return strncmp(entry, other, (size_t)(equals - other) + 1) == 0;
}

// Our environment with the additions in the place of their namesakes: an array to be freed whose
// strings belong to others. NULL: no memory.
static const char **make_environment(const char *const *additions)
{
    size_t ours = 0;
    size_t added = 0;
    while (environ[ours] != NULL) {
        ours++;
    }
    while (additions != NULL && additions[added] != NULL) {
        added++;
    }
    const char **result = calloc(ours + added + 1, sizeof *result);
    if (result == NULL) {
        return NULL;
    }
    size_t count = 0;
    for (size_t i = 0; i < ours; i++) {
        bool replaced = false;
        for (size_t j = 0; j < added; j++) {
            replaced |= same_name(environ[i], additions[j]);
        }
        if (!replaced) {
            result[count++] = environ[i];
        }
    }
    for (size_t j = 0; j < added; j++) {
        result[count++] = additions[j];
    }
    return result;
}

// From here to exec only calls that are safe after fork in a program with threads.
static _Noreturn void fail(int report_write, enum mr_process_stage stage, int error)
{
    struct report report = {.stage = stage, .error = error};
    ssize_t written = write(report_write, &report, sizeof report);
    _exit(written == sizeof report ? 127 : 126);
}

static void default_signals(void)
{
    for (int signal = 1; signal < NSIG; signal++) {
        struct sigaction action = {.sa_handler = SIG_DFL};
        (void)sigaction(signal, &action,
                        NULL); // fails for SIGKILL, SIGSTOP and the C library's own
    }
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void run_child(const struct mr_process_plan *plan, const struct ends *ends,
                                const char *const *environment, pid_t parent)
{
    int report = ends->report_write;
    if (setpgid(0, 0) != 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) {
        fail(report, MR_STAGE_GUARD, errno);
    }
    if (getppid() != parent) { // it died before the guard stood
        _exit(126);
    }
    default_signals();
    for (int i = 0; i < STREAMS; i++) {
        if (ends->child[i] >= 0 && dup2(ends->child[i], i) < 0) {
            fail(report, MR_STAGE_STREAMS, errno);
        }
    }
    // Descriptors of ours that were opened without the close-on-exec flag; an old kernel says no.
    (void)close_range(STREAMS, ~0u, CLOSE_RANGE_CLOEXEC);
    int pinned = plan->cores == NULL ? 0 : mr_pin_self(plan->cores);
    if (pinned != 0) {
        fail(report, MR_STAGE_PIN, -pinned);
    }
    if (plan->folder != NULL && chdir(plan->folder) != 0) {
        fail(report, MR_STAGE_FOLDER, errno);
    }
    (void)execvpe(plan->argv[0], (char *const *)plan->argv, (char *const *)environment);
    fail(report, MR_STAGE_EXEC, errno);
}

// Reads what the child reports: nothing (the pipe closed by exec), or what failed.
static struct report read_report(int fd)
{
    struct report report;
    for (;;) {
        ssize_t got = read(fd, &report, sizeof report);
        if (got == 0) {
            return (struct report){.stage = MR_STAGE_STARTED};
        }
        if (got == (ssize_t)sizeof report) {
            return report;
        }
        if (got >= 0 || errno != EINTR) {
            return (struct report){.stage = MR_STAGE_FORK, .error = got < 0 ? errno : EIO};
        }
    }
}

// Forks with every signal blocked, so that no handler of ours ever runs in the child.
static pid_t fork_child(const struct mr_process_plan *plan, const struct ends *ends,
                        const char *const *environment)
{
    sigset_t all;
    sigset_t before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t parent = getpid();
    pid_t pid = fork();
    if (pid == 0) {
        run_child(plan, ends, environment, parent);
    }
    int error = errno;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return pid;
}

static struct report spawn(struct mr_process *process_out, const struct mr_process_plan *plan,
                           struct ends *ends, const char *const *environment)
{
    pid_t pid = fork_child(plan, ends, environment);
    if (pid < 0) {
        return (struct report){.stage = MR_STAGE_FORK, .error = errno};
    }
    for (int i = 0; i < STREAMS; i++) {
        close_fd(&ends->child[i]);
    }
    close_fd(&ends->report_write);
    struct report report = read_report(ends->report_read);
    if (report.stage != MR_STAGE_STARTED) {
        (void)kill(pid, SIGKILL);
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
        }
        return report;
    }
    *process_out = (struct mr_process){.pid = pid,
                                       .pid_fd = pidfd_open(pid, 0),
                                       .in = ends->ours[0],
                                       .out = ends->ours[1],
                                       .err = ends->ours[2],
                                       .running = true};
    close_fd(&ends->report_read);
    return report;
}

int mr_process_start(struct mr_process *process_out, const struct mr_process_plan *plan,
                     enum mr_process_stage *stage_out)
{
    MR_ASSERT(plan->argv != NULL && plan->argv[0] != NULL);
    *process_out = (struct mr_process){.pid_fd = -1, .in = -1, .out = -1, .err = -1};
    struct report report = {.stage = MR_STAGE_STARTED};
    struct ends ends;
    const char **environment = make_environment(plan->environment);
    if (environment == NULL) {
        report = (struct report){.stage = MR_STAGE_MEMORY, .error = ENOMEM};
    } else {
        int opened = open_ends(&ends, plan);
        report = opened != 0 ? (struct report){.stage = MR_STAGE_STREAMS, .error = -opened}
                             : spawn(process_out, plan, &ends, environment);
        if (opened == 0 && report.stage != MR_STAGE_STARTED) {
            close_ends(&ends);
        }
    }
    free(environment);
    if (stage_out != NULL) {
        *stage_out = report.stage;
    }
    return report.stage == MR_STAGE_STARTED ? 0 : -report.error;
}

const char *mr_process_stage_text(enum mr_process_stage stage)
{
    static const char *const text[] = {
        [MR_STAGE_STARTED] = "was started",
        [MR_STAGE_MEMORY] = "cannot be started for lack of memory",
        [MR_STAGE_STREAMS] = "cannot be connected to its input and output",
        [MR_STAGE_FORK] = "cannot be started: no further process",
        [MR_STAGE_GUARD] = "cannot be guarded against outliving the lab",
        [MR_STAGE_PIN] = "cannot be pinned to its cores",
        [MR_STAGE_FOLDER] = "cannot enter its working folder",
        [MR_STAGE_EXEC] = "cannot be run",
    };
    MR_ASSERT((size_t)stage < sizeof text / sizeof text[0]);
    return text[stage];
}
