// serve_command_test.c: a contestant's main in a process of its own: exit codes, one line of error,
// the end after SIGTERM even where a batch never ends.
#define _GNU_SOURCE
#include "fake_contestant.h"

#include <base/clock.h>
#include <wire/wire.h>

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#define WORDS_MAX 12

// A running main with its output in a pipe each.
struct child {
    pid_t pid;
    int output;
    int errors;
};

static struct child start(const char *words)
{
    int output[2];
    int errors[2];
    assert_int_equal(pipe2(output, O_CLOEXEC), 0);
    assert_int_equal(pipe2(errors, O_CLOEXEC), 0);
    (void)fflush(NULL);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        (void)dup2(output[1], STDOUT_FILENO);
        (void)dup2(errors[1], STDERR_FILENO);
        char copy[512];
        (void)snprintf(copy, sizeof copy, "fake %s", words);
        char *argv[WORDS_MAX + 1] = {NULL};
        int argc = 0;
        char *rest = NULL;
        for (char *word = strtok_r(copy, " ", &rest); word != NULL && argc < WORDS_MAX;
             word = strtok_r(NULL, " ", &rest)) {
            argv[argc++] = word;
        }
        int code = mr_serve_main(argc, argv, &fake_contestant);
        (void)fflush(NULL);
        _exit(code);
    }
    (void)close(output[1]);
    (void)close(errors[1]);
    return (struct child){.pid = pid, .output = output[0], .errors = errors[0]};
}

// Reads until the end or, with `line`, until a newline; at most ten seconds.
static void read_text(int file, char *text_out, size_t capacity, bool line)
{
    size_t length = 0;
    uint64_t deadline_ns = mr_clock_ns() + 10 * MR_NS_PER_S;
    while (length + 1 < capacity && mr_clock_ns() < deadline_ns) {
        struct pollfd ready = {.fd = file, .events = POLLIN};
        if (poll(&ready, 1, 100) <= 0) {
            continue;
        }
        ssize_t got = read(file, text_out + length, 1);
        if (got <= 0 || (line && text_out[length] == '\n')) {
            length += got > 0 ? 1 : 0;
            break;
        }
        length++;
    }
    text_out[length] = '\0';
}

// Waits for the end and gives the exit code; fails after `limit_ns`.
static int end_of(struct child *child, uint64_t limit_ns)
{
    uint64_t deadline_ns = mr_clock_ns() + limit_ns;
    int status = 0;
    pid_t ended = 0;
    while ((ended = waitpid(child->pid, &status, WNOHANG)) == 0 && mr_clock_ns() < deadline_ns) {
        mr_clock_sleep_until(mr_clock_ns() + 5 * MR_NS_PER_MS);
    }
    if (ended == 0) {
        (void)kill(child->pid, SIGKILL);
        (void)waitpid(child->pid, &status, 0);
        fail_msg("no end in time");
    }
    (void)close(child->output);
    (void)close(child->errors);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

// Runs to the end and wants this exit code, nothing on standard output, this one line of error.
static void wants_end(const char *words, int code, const char *line)
{
    struct child child = start(words);
    char output[256];
    char errors[1024];
    read_text(child.output, output, sizeof output, false);
    read_text(child.errors, errors, sizeof errors, false);
    assert_int_equal(end_of(&child, 10 * MR_NS_PER_S), code);
    assert_string_equal(output, "");
    assert_string_equal(errors, line);
}

static void test_wrong_usage(void **state)
{
    (void)state;
    wants_end("", 2, "fake: the first word is 'serve' or 'parse', not '' (see fake --help)\n");
    wants_end("race", 2,
              "fake: the first word is 'serve' or 'parse', not 'race' (see fake --help)\n");
    wants_end(
        "serve --mode fast", 2,
        "fake serve: --mode takes MODE, one of drain, totals, keep, fresh; not 'fast' (see fake "
        "serve --help)\n");
    wants_end("serve --listen 127.0.0.1", 2,
              "fake serve: --listen takes HOST:PORT or [HOST]:PORT, not '127.0.0.1'\n");
    wants_end("serve --listen ::1:80", 2,
              "fake serve: --listen takes HOST:PORT or [HOST]:PORT, not '::1:80'\n");
    wants_end("serve --listen 127.0.0.1:70000", 2,
              "fake serve: --listen takes HOST:PORT or [HOST]:PORT, not '127.0.0.1:70000'\n");
    wants_end("serve --kernel wide", 2,
              "fake serve: there is no kernel 'wide'; --kernel takes: fake, unsupported\n");
    wants_end("parse", 2, "fake parse: --data DATASET is missing (see fake parse --help)\n");
}

static void test_environment(void **state)
{
    (void)state;
    wants_end("serve --kernel unsupported", 1,
              "fake serve: this machine cannot run kernel 'unsupported'; leave --kernel out\n");
    wants_end("serve --listen 192.0.2.1:0", 1,
              "fake serve: cannot listen on 192.0.2.1:0: Cannot assign requested address\n");
    wants_end("parse --data /nonexistent/x", 1,
              "fake parse: cannot read /nonexistent/x.batches: No such file or directory; --data "
              "takes the dataset's path without '.batches'\n");
}

static void test_help(void **state)
{
    (void)state;
    const char *pages[] = {"--help", "serve --help", "parse --help"};
    for (size_t i = 0; i < 3; i++) {
        struct child child = start(pages[i]);
        char output[8192];
        read_text(child.output, output, sizeof output, false);
        assert_int_equal(end_of(&child, 10 * MR_NS_PER_S), 0);
        assert_non_null(strstr(output, "Examples:"));
    }
}

// Connects to where the child listens.
static int connect_to(const struct child *child)
{
    char line[128];
    read_text(child->output, line, sizeof line, true);
    const char *begin = "listening 127.0.0.1:";
    assert_memory_equal(line, begin, strlen(begin));
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    address.sin_port = htons((uint16_t)strtoul(line + strlen(begin), NULL, 10));
    int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(connect(file, (struct sockaddr *)&address, sizeof address), 0);
    return file;
}

static void test_sigterm(void **state)
{
    (void)state;
    const char *threads[] = {"serve --threads 1", "serve --threads 3"};
    for (size_t i = 0; i < 2; i++) {
        struct child child = start(threads[i]);
        int file = connect_to(&child);
        assert_int_equal(kill(child.pid, SIGTERM), 0);
        assert_int_equal(end_of(&child, 2 * MR_NS_PER_S), 0);
        (void)close(file);
    }
}

// A batch that never ends does not keep the program from ending.
static void test_sigterm_while_a_batch_hangs(void **state)
{
    (void)state;
    struct child child = start("serve --mode totals --threads 1");
    int file = connect_to(&child);
    uint8_t frame[MR_FRAME_HEAD_BYTES + 4];
    struct mr_frame_head head = {
        .payload_bytes = 4, .type = MR_FRAME_BATCH, .version = MR_WIRE_VERSION};
    mr_frame_head_encode(&head, frame);
    memcpy(frame + MR_FRAME_HEAD_BYTES, "hang", 4);
    assert_int_equal(write(file, frame, sizeof frame), sizeof frame);
    mr_clock_sleep_until(mr_clock_ns() + 200 * MR_NS_PER_MS);
    assert_int_equal(kill(child.pid, SIGTERM), 0);
    assert_int_equal(end_of(&child, 2 * MR_NS_PER_S), 0);
    (void)close(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_usage),
        cmocka_unit_test(test_environment),
        cmocka_unit_test(test_help),
        cmocka_unit_test(test_sigterm),
        cmocka_unit_test(test_sigterm_while_a_batch_hangs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
