// host_process_test.c: programs that behave and that do not: started, waited for, ended, never
// left.
#define _GNU_SOURCE
#include <host/line_reader.h>
#include <host/process.h>

#include <base/clock.h>
#include <base/file.h>
#include <base/mr_assert.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

// Far beyond what any step takes; only a hang reaches it.
#define LONG_NS  (20 * MR_NS_PER_S)
#define SHORT_NS (50 * MR_NS_PER_MS)

static char self[4096];

// The programs under test are this one, started with a word that says how to behave.

static int run_silent(void)
{
    while (pause() != 0) {
    }
    return 0;
}

static int run_ignore_term(void)
{
    (void)signal(SIGTERM, SIG_IGN);
    printf("ready\n");
    (void)fflush(stdout);
    return run_silent();
}

static void exit_well(int signal)
{
    (void)signal;
    _exit(0);
}

static int run_obey_term(void)
{
    (void)signal(SIGTERM, exit_well);
    printf("ready\n");
    (void)fflush(stdout);
    return run_silent();
}

static int run_echo(void)
{
    char line[256];
    while (fgets(line, sizeof line, stdin) != NULL) {
        printf("got %s", line);
        (void)fflush(stdout);
    }
    return 7;
}

static int run_burn(void)
{
    struct timespec used;
    do {
        (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    } while (used.tv_sec == 0 && used.tv_nsec < 40000000);
    return 0;
}

static int run_show(const char *name)
{
    char folder[4096];
    struct mr_cores cores;
    char text[256];
    const char *value = getenv(name);
    if (getcwd(folder, sizeof folder) == NULL || mr_pin_allowed(&cores) != 0) {
        return 1;
    }
    mr_cores_text(&cores, text, sizeof text);
    printf("%s\n%s\n%s\n%d\n", folder, text, value == NULL ? "(none)" : value,
           getpgrp() == getpid());
    return 0;
}

// Lines of /proc/self/status about signals, then the numbers of open descriptors.
static int run_inherited(void)
{
    FILE *status = fopen("/proc/self/status", "re");
    DIR *folder = opendir("/proc/self/fd");
    MR_ASSERT(status != NULL && folder != NULL);
    char line[256];
    while (fgets(line, sizeof line, status) != NULL) {
        if (strncmp(line, "SigBlk", 6) == 0 || strncmp(line, "SigIgn", 6) == 0) {
            printf("%s", line);
        }
    }
    const struct dirent *entry;
    int above_standard = 0;
    while ((entry = readdir(folder)) != NULL) {
        long fd = strtol(entry->d_name, NULL, 10);
        above_standard +=
            entry->d_name[0] != '.' && fd > 2 && fd != dirfd(folder) && fd != fileno(status);
    }
    printf("%d\n", above_standard);
    (void)closedir(folder);
    return fclose(status) != 0;
}

// Leaves a child behind that holds our output open, and ends.
static int run_leave_child(void)
{
    pid_t child = fork();
    if (child == 0) {
        return run_silent();
    }
    printf("%d\n", child);
    return child < 0;
}

// Starts a program by the library and waits to be killed.
static int run_guardian(void)
{
    const char *const argv[] = {self, "silent", NULL};
    struct mr_process_plan plan = {.argv = argv};
    struct mr_process process;
    if (mr_process_start(&process, &plan, NULL) != 0) {
        return 1;
    }
    printf("%d\n", process.pid);
    (void)fflush(stdout);
    return run_silent();
}

// Without standard streams of its own, starts a program whose output goes to a file.
static int run_without_streams(const char *path)
{
    for (int fd = 0; fd < 3; fd++) {
        (void)close(fd);
    }
    const char *const missing[] = {"/no/such/program", NULL};
    const char *const argv[] = {self, "echo", NULL};
    struct mr_process_plan plan = {.argv = missing,
                                   .in = {.kind = MR_STREAM_PIPE},
                                   .out = {.kind = MR_STREAM_FILE, .path = path},
                                   .err = {.kind = MR_STREAM_PIPE}};
    struct mr_process process;
    struct mr_process_end end = {0};
    struct mr_patience patience = mr_patience_for(LONG_NS);
    if (mr_process_start(&process, &plan, NULL) != -ENOENT) {
        return 3;
    }
    plan.argv = argv;
    if (mr_process_start(&process, &plan, NULL) != 0 ||
        mr_process_write(&process, "a\n", 2, &patience) != 0) {
        return 1;
    }
    mr_process_close_in(&process);
    int result = mr_process_wait(&process, &patience, &end);
    mr_process_fini(&process);
    return result == 0 && end.exited ? end.exit_code : 2;
}

static int behave(char **argv)
{
    const char *how = argv[1];
    return strcmp(how, "exit") == 0              ? (int)strtol(argv[2], NULL, 10)
           : strcmp(how, "silent") == 0          ? run_silent()
           : strcmp(how, "ignore-term") == 0     ? run_ignore_term()
           : strcmp(how, "obey-term") == 0       ? run_obey_term()
           : strcmp(how, "echo") == 0            ? run_echo()
           : strcmp(how, "burn") == 0            ? run_burn()
           : strcmp(how, "show") == 0            ? run_show(argv[2])
           : strcmp(how, "inherited") == 0       ? run_inherited()
           : strcmp(how, "leave-child") == 0     ? run_leave_child()
           : strcmp(how, "guardian") == 0        ? run_guardian()
           : strcmp(how, "without-streams") == 0 ? run_without_streams(argv[2])
                                                 : 99;
}

// From here the tests.

struct program {
    struct mr_process process;
    struct mr_line_reader reader;
    char bytes[4096];
};

static void start_with(struct program *program, struct mr_process_plan plan, const char *how,
                       const char *argument)
{
    const char *const argv[] = {self, how, argument, NULL};
    plan.argv = argv;
    plan.out.kind = MR_STREAM_PIPE;
    enum mr_process_stage stage;
    assert_int_equal(mr_process_start(&program->process, &plan, &stage), 0);
    assert_int_equal(stage, MR_STAGE_STARTED);
    mr_line_reader_init(&program->reader, program->process.out, program->bytes,
                        sizeof program->bytes);
}

static void start(struct program *program, const char *how, const char *argument)
{
    start_with(program, (struct mr_process_plan){0}, how, argument);
}

static const char *next_line(struct program *program)
{
    struct mr_patience patience = mr_patience_for(LONG_NS);
    char *line;
    size_t length;
    assert_int_equal(mr_line_reader_next(&program->reader, &patience, &line, &length), 0);
    return line;
}

static struct mr_process_end wait_for(struct program *program)
{
    struct mr_patience patience = mr_patience_for(LONG_NS);
    struct mr_process_end end;
    assert_int_equal(mr_process_wait(&program->process, &patience, &end), 0);
    assert_false(program->process.running);
    mr_process_fini(&program->process);
    return end;
}

static void assert_no_child_left(void)
{
    errno = 0;
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

// The number that the next descriptor gets: the same before and after where none was left open.
static int next_descriptor(void)
{
    int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    (void)close(fd);
    return fd;
}

static void test_exits_at_once(void **state)
{
    (void)state;
    int before = next_descriptor();
    for (int code = 0; code < 3; code++) {
        struct program program;
        char text[16];
        (void)snprintf(text, sizeof text, "%d", code);
        start(&program, "exit", text);
        struct mr_process_end end = wait_for(&program);
        assert_true(end.exited);
        assert_int_equal(end.exit_code, code);
    }
    assert_no_child_left();
    assert_int_equal(next_descriptor(), before);
}

static void test_killed_by_signal(void **state)
{
    (void)state;
    struct program program;
    start(&program, "silent", NULL);
    assert_int_equal(mr_process_signal(&program.process, SIGUSR1), 0);
    struct mr_process_end end = wait_for(&program);
    assert_false(end.exited);
    assert_int_equal(end.signal, SIGUSR1);
    assert_int_equal(mr_process_signal(&program.process, SIGUSR1), -ESRCH);
}

static void test_never_prints(void **state)
{
    (void)state;
    struct program program;
    start(&program, "silent", NULL);
    struct mr_patience patience = mr_patience_for(SHORT_NS);
    char *line;
    size_t length;
    assert_int_equal(mr_line_reader_next(&program.reader, &patience, &line, &length), -ETIMEDOUT);
    struct mr_process_end end;
    assert_int_equal(mr_process_wait(&program.process, &patience, &end), -ETIMEDOUT);
    assert_true(program.process.running);
    mr_process_fini(&program.process);
    mr_process_fini(&program.process);
    assert_no_child_left();
}

static void check_stop(const char *how, enum mr_process_stop expected, bool ready, int code)
{
    struct program program;
    start(&program, how, "3");
    if (ready) {
        assert_string_equal(next_line(&program), "ready");
    }
    if (expected == MR_STOP_BY_ITSELF) {
        siginfo_t info;
        assert_int_equal(waitid(P_PID, (id_t)program.process.pid, &info, WEXITED | WNOWAIT), 0);
    }
    struct mr_process_end end;
    enum mr_process_stop stop;
    uint64_t grace_ns = expected == MR_STOP_BY_KILL ? SHORT_NS : LONG_NS;
    assert_int_equal(mr_process_stop(&program.process, grace_ns, &end, &stop), 0);
    assert_int_equal(stop, expected);
    assert_int_equal(end.exited, expected != MR_STOP_BY_KILL);
    assert_int_equal(end.exited ? end.exit_code : end.signal, code);
    mr_process_fini(&program.process);
    assert_no_child_left();
}

static void test_stop(void **state)
{
    (void)state;
    check_stop("exit", MR_STOP_BY_ITSELF, false, 3);
    check_stop("obey-term", MR_STOP_BY_TERM, true, 0);
    check_stop("ignore-term", MR_STOP_BY_KILL, true, SIGKILL);
}

static void test_stop_of_a_stopped_one(void **state)
{
    (void)state;
    struct program program;
    start(&program, "obey-term", NULL);
    assert_string_equal(next_line(&program), "ready");
    assert_int_equal(mr_process_signal(&program.process, SIGSTOP), 0);
    struct mr_process_end end;
    enum mr_process_stop stop;
    assert_int_equal(mr_process_stop(&program.process, SHORT_NS, &end, &stop), 0);
    assert_int_equal(stop, MR_STOP_BY_KILL);
    mr_process_fini(&program.process);
}

static void check_failure(struct mr_process_plan plan, const char *program, int error,
                          enum mr_process_stage stage)
{
    const char *const argv[] = {program, "exit", "0", NULL};
    plan.argv = argv;
    plan.in.kind = MR_STREAM_PIPE;
    struct mr_process process;
    enum mr_process_stage failed;
    int before = next_descriptor();
    assert_int_equal(mr_process_start(&process, &plan, &failed), -error);
    assert_int_equal(failed, stage);
    assert_true(strlen(mr_process_stage_text(failed)) > 10);
    assert_false(process.running);
    assert_int_equal(process.in, -1);
    assert_no_child_left();
    assert_int_equal(next_descriptor(), before);
}

static void test_cannot_start(void **state)
{
    (void)state;
    struct mr_cores missing = {.core = {MR_PIN_MAX_CORES - 1}, .count = 1};
    check_failure((struct mr_process_plan){0}, "/no/such/program", ENOENT, MR_STAGE_EXEC);
    check_failure((struct mr_process_plan){0}, "no-such-program-in-path", ENOENT, MR_STAGE_EXEC);
    check_failure((struct mr_process_plan){0}, "/proc/self/status", EACCES, MR_STAGE_EXEC);
    check_failure((struct mr_process_plan){.folder = "/no/such/folder"}, self, ENOENT,
                  MR_STAGE_FOLDER);
    check_failure((struct mr_process_plan){.cores = &missing}, self, EINVAL, MR_STAGE_PIN);
    check_failure(
        (struct mr_process_plan){.out = {.kind = MR_STREAM_FILE, .path = "/no/such/folder/file"}},
        self, ENOENT, MR_STAGE_STREAMS);
    assert_int_equal(
        mr_process_start(&(struct mr_process){0},
                         &(struct mr_process_plan){.argv = (const char *const[]){"/no/such", NULL}},
                         NULL),
        -ENOENT);
}

static void test_surroundings(void **state)
{
    (void)state;
    struct mr_cores cores;
    assert_int_equal(mr_pin_allowed(&cores), 0);
    struct mr_cores last = {.core = {cores.core[cores.count - 1]}, .count = 1};
    const char *const added[] = {"MR_TEST_WORD=new", "MR_TEST_OTHER=x=y", NULL};
    assert_int_equal(setenv("MR_TEST_WORD", "old", 1), 0);
    assert_int_equal(setenv("MR_TEST_WORD_LONGER", "kept", 1), 0);
    struct program program;
    struct mr_process_plan plan = {.folder = "/", .cores = &last, .environment = added};
    char text[16];
    (void)snprintf(text, sizeof text, "%u", last.core[0]);
    const char *const names[] = {"MR_TEST_WORD", "MR_TEST_OTHER", "MR_TEST_WORD_LONGER"};
    const char *const values[] = {"new", "x=y", "kept"};
    for (size_t i = 0; i < 3; i++) {
        start_with(&program, plan, "show", names[i]);
        assert_string_equal(next_line(&program), "/");
        assert_string_equal(next_line(&program), text);
        assert_string_equal(next_line(&program), values[i]);
        assert_string_equal(next_line(&program), "1");
        assert_int_equal(wait_for(&program).exit_code, 0);
    }
    assert_int_equal(mr_pin_allowed(&cores), 0);
    assert_true(cores.count >= 1);
}

// Signals that we ignore or block and a descriptor left open on purpose do not reach the program;
// our own mask is as before.
static void test_nothing_is_inherited(void **state)
{
    (void)state;
    sigset_t mask;
    sigset_t before;
    (void)sigemptyset(&mask);
    (void)sigaddset(&mask, SIGUSR1);
    assert_int_equal(sigprocmask(SIG_BLOCK, &mask, &before), 0);
    (void)signal(SIGPIPE, SIG_IGN);
    int leaky = open("/dev/null", O_RDONLY);
    struct program program;
    start(&program, "inherited", NULL);
    assert_string_equal(next_line(&program), "SigBlk:\t0000000000000000");
    assert_string_equal(next_line(&program), "SigIgn:\t0000000000000000");
    assert_string_equal(next_line(&program), "0");
    assert_int_equal(wait_for(&program).exit_code, 0);
    sigset_t now;
    assert_int_equal(sigprocmask(SIG_SETMASK, &before, &now), 0);
    assert_int_equal(sigismember(&now, SIGUSR1), 1);
    assert_int_equal(sigismember(&now, SIGTERM), 0);
    (void)signal(SIGPIPE, SIG_DFL);
    (void)close(leaky);
}

static void test_conversation(void **state)
{
    (void)state;
    struct program program;
    start_with(&program, (struct mr_process_plan){.in = {.kind = MR_STREAM_PIPE}}, "echo", NULL);
    struct mr_patience patience = mr_patience_for(LONG_NS);
    assert_int_equal(mr_process_write(&program.process, "one\n", 4, &patience), 0);
    assert_string_equal(next_line(&program), "got one");
    assert_int_equal(mr_process_write(&program.process, "two\n", 4, &patience), 0);
    assert_string_equal(next_line(&program), "got two");
    mr_process_close_in(&program.process);
    assert_int_equal(wait_for(&program).exit_code, 7);
}

// SIGPIPE has its deadly default here: reaching the end shows that none was raised.
static void test_write_to_the_dead(void **state)
{
    (void)state;
    struct program program;
    start_with(&program, (struct mr_process_plan){.in = {.kind = MR_STREAM_PIPE}}, "exit", "0");
    struct mr_patience patience = mr_patience_for(LONG_NS);
    struct mr_process_end end;
    assert_int_equal(mr_process_wait(&program.process, &patience, &end), 0);
    assert_int_equal(mr_process_write(&program.process, "x", 1, &patience), -EPIPE);
    mr_process_fini(&program.process);
}

static void test_write_that_nobody_reads(void **state)
{
    (void)state;
    static const char much[1 << 20];
    struct program program;
    start_with(&program, (struct mr_process_plan){.in = {.kind = MR_STREAM_PIPE}}, "silent", NULL);
    struct mr_patience patience = mr_patience_for(SHORT_NS);
    assert_int_equal(mr_process_write(&program.process, much, sizeof much, &patience), -ETIMEDOUT);
    mr_process_fini(&program.process);
}

static void test_called_off(void **state)
{
    (void)state;
    int wake[2];
    assert_int_equal(pipe2(wake, O_CLOEXEC), 0);
    struct program program;
    start(&program, "silent", NULL);
    struct mr_patience patience = mr_patience_for(LONG_NS);
    patience.wake_fd = wake[0];
    assert_int_equal(write(wake[1], "x", 1), 1);
    uint64_t begin_ns = mr_clock_ns();
    struct mr_process_end end;
    char *line;
    size_t length;
    assert_int_equal(mr_process_wait(&program.process, &patience, &end), -EINTR);
    assert_int_equal(mr_line_reader_next(&program.reader, &patience, &line, &length), -EINTR);
    assert_true(mr_clock_ns() - begin_ns < LONG_NS / 2);
    mr_process_fini(&program.process);
    (void)close(wake[0]);
    (void)close(wake[1]);
}

// As on a kernel without descriptors for processes.
static void test_without_pid_fd(void **state)
{
    (void)state;
    struct program program;
    start(&program, "silent", NULL);
    (void)close(program.process.pid_fd);
    program.process.pid_fd = -1;
    struct mr_patience patience = mr_patience_for(SHORT_NS);
    struct mr_process_end end;
    assert_int_equal(mr_process_wait(&program.process, &patience, &end), -ETIMEDOUT);
    assert_int_equal(mr_process_signal(&program.process, SIGTERM), 0);
    assert_int_equal(wait_for(&program).signal, SIGTERM);
}

static void test_counts_cpu_time(void **state)
{
    (void)state;
    struct program program;
    start(&program, "burn", NULL);
    struct mr_process_end end = wait_for(&program);
    assert_true(end.user_ns + end.system_ns >= 30 * MR_NS_PER_MS);
    assert_true(end.user_ns + end.system_ns < 5 * MR_NS_PER_S);
    assert_true(end.minor_faults > 0);
}

// Waits for an orphan that became our child, and returns the signal that ended it.
static int signal_of_orphan(pid_t pid)
{
    uint64_t deadline_ns = mr_clock_ns() + LONG_NS;
    int status = 0;
    pid_t reaped = 0;
    while (reaped == 0 && mr_clock_ns() < deadline_ns) {
        reaped = waitpid(pid, &status, WNOHANG);
        if (reaped < 0 && errno == ECHILD) { // it is not ours yet
            reaped = 0;
        }
        mr_clock_sleep_until(mr_clock_ns() + MR_NS_PER_MS);
    }
    assert_int_equal(reaped, pid);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void test_rest_of_the_group_dies(void **state)
{
    (void)state;
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    struct program program;
    start(&program, "leave-child", NULL);
    pid_t left = (pid_t)strtol(next_line(&program), NULL, 10);
    assert_true(left > 1);
    assert_int_equal(wait_for(&program).exit_code, 0);
    assert_int_equal(signal_of_orphan(left), SIGKILL);
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 0), 0);
    assert_no_child_left();
}

// Whoever started a program is killed without warning: the program dies too.
static void test_dies_with_its_starter(void **state)
{
    (void)state;
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    struct program guardian;
    start(&guardian, "guardian", NULL);
    pid_t guarded = (pid_t)strtol(next_line(&guardian), NULL, 10);
    assert_true(guarded > 1);
    assert_int_equal(kill(guarded, 0), 0);
    assert_int_equal(mr_process_signal(&guardian.process, SIGKILL), 0);
    assert_int_equal(wait_for(&guardian).signal, SIGKILL);
    assert_int_equal(signal_of_orphan(guarded), SIGKILL);
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 0), 0);
    assert_no_child_left();
}

static void test_starter_without_streams(void **state)
{
    (void)state;
    char path[] = MR_BUILD_DIR "/host_process_test_XXXXXX";
    int file = mkostemp(path, O_CLOEXEC);
    assert_true(file >= 0);
    (void)close(file);
    struct program program;
    start(&program, "without-streams", path);
    assert_int_equal(wait_for(&program).exit_code, 7);
    char *text;
    size_t size_bytes;
    assert_int_equal(mr_file_read(path, 4096, &text, &size_bytes), 0);
    assert_string_equal(text, "got a\n");
    free(text);
    assert_int_equal(unlink(path), 0);
}

// SIGCHLD ignored: the kernel reaps by itself, and we say so instead of waiting for ever.
static void test_reaped_by_somebody_else(void **state)
{
    (void)state;
    (void)signal(SIGCHLD, SIG_IGN);
    struct program program;
    start(&program, "exit", "0");
    struct mr_patience patience = mr_patience_for(LONG_NS);
    struct mr_process_end end;
    assert_int_equal(mr_process_wait(&program.process, &patience, &end), -ECHILD);
    (void)signal(SIGCHLD, SIG_DFL);
    assert_false(program.process.running);
    mr_process_fini(&program.process);
}

int main(int argc, char **argv)
{
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    MR_ASSERT(length > 0);
    self[length] = '\0';
    if (argc > 1) {
        return behave(argv);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exits_at_once),
        cmocka_unit_test(test_killed_by_signal),
        cmocka_unit_test(test_never_prints),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_stop_of_a_stopped_one),
        cmocka_unit_test(test_cannot_start),
        cmocka_unit_test(test_surroundings),
        cmocka_unit_test(test_nothing_is_inherited),
        cmocka_unit_test(test_conversation),
        cmocka_unit_test(test_write_to_the_dead),
        cmocka_unit_test(test_write_that_nobody_reads),
        cmocka_unit_test(test_called_off),
        cmocka_unit_test(test_without_pid_fd),
        cmocka_unit_test(test_counts_cpu_time),
        cmocka_unit_test(test_rest_of_the_group_dies),
        cmocka_unit_test(test_dies_with_its_starter),
        cmocka_unit_test(test_starter_without_streams),
        cmocka_unit_test(test_reaped_by_somebody_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
