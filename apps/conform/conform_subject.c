// conform_subject.c: see conform_subject.h.
#define _GNU_SOURCE
#include "conform_subject.h"

#include "base/clock.h"
#include "base/mr_assert.h"
#include "conform_clock.h"
#include "conform_stop.h"

#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define OUTPUT_BYTES_MAX (64u << 20)
#define LOOK_NS          (MR_NS_PER_MS / 2) // between two looks at its output

MR_PRINTF(3, 4)
static int fail(struct mr_subject_fault *fault, int result, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(fault->text, sizeof fault->text, format, arguments);
    va_end(arguments);
    return result;
}

static const char *stage_text(enum mr_process_stage stage)
{
    switch (stage) {
    case MR_STAGE_FOLDER:
        return "its folder cannot be entered";
    case MR_STAGE_EXEC:
        return "the program cannot be run (is it built?)";
    default:
        return "it cannot be started";
    }
}

static size_t add_words(const char **words_out, size_t at, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count && at < MR_SUBJECT_WORDS_MAX; i++) {
        words_out[at++] = words[i];
    }
    return at;
}

static size_t count_words(const char *const *words)
{
    size_t count = 0;
    while (words[count] != NULL) {
        count++;
    }
    return count;
}

// The stream is a memory file, opened by its name below /proc: writing to it never blocks.
static struct mr_stream memory_stream(int fd, char *path, size_t capacity)
{
    (void)snprintf(path, capacity, "/proc/self/fd/%d", fd);
    return (struct mr_stream){.kind = MR_STREAM_FILE, .path = path};
}

static int start_process(struct mr_subject *subject, const struct mr_subject_plan *plan,
                         const char *const *argv, bool with_input, struct mr_subject_fault *fault)
{
    const char *environment[2 * MR_CONTESTANT_ENV_MAX + 1];
    size_t count = add_words(environment, 0, plan->contestant->env, plan->contestant->env_count);
    if (plan->variant != NULL) {
        count = add_words(environment, count, plan->variant->env, plan->variant->env_count);
    }
    environment[count] = NULL;
    char out_path[40];
    char err_path[40];
    struct mr_process_plan process_plan = {
        .argv = argv,
        .folder = plan->contestant->folder,
        .environment = environment,
        .in = {.kind = with_input ? MR_STREAM_PIPE : MR_STREAM_NULL},
        .out = memory_stream(subject->out_fd, out_path, sizeof out_path),
        .err = memory_stream(subject->err_fd, err_path, sizeof err_path),
    };
    enum mr_process_stage stage;
    int result = mr_process_start(&subject->process, &process_plan, &stage);
    if (result != 0) {
        return fail(fault, result, "%s: %s: %s: %s", plan->contestant->name, argv[0],
                    stage_text(stage), strerror(-result));
    }
    subject->running = true;
    mr_conform_clock_watch(subject->process.pid);
    return 0;
}

int mr_subject_start(struct mr_subject *subject_out, const struct mr_subject_plan *plan,
                     const char *const *words, bool with_input, struct mr_subject_fault *fault_out)
{
    *subject_out = (struct mr_subject){
        .process = {.pid_fd = -1, .in = -1, .out = -1, .err = -1}, .out_fd = -1, .err_fd = -1};
    const char *argv[MR_SUBJECT_WORDS_MAX + 1];
    size_t run_count;
    const char *const *run = mr_contestant_run(plan->contestant, plan->variant, &run_count);
    size_t count = add_words(argv, 0, run, run_count);
    count = add_words(argv, count, words, count_words(words));
    if (plan->variant != NULL) {
        count = add_words(argv, count, plan->variant->args, plan->variant->args_count);
    }
    argv[count] = NULL;
    subject_out->out_fd = memfd_create("standard output", MFD_CLOEXEC);
    subject_out->err_fd = memfd_create("standard error", MFD_CLOEXEC);
    if (subject_out->out_fd < 0 || subject_out->err_fd < 0) {
        return fail(fault_out, -errno, "a memory file cannot be made: %s", strerror(errno));
    }
    return start_process(subject_out, plan, argv, with_input, fault_out);
}

size_t mr_subject_written(int fd)
{
    struct stat status;
    MR_ASSERT(fstat(fd, &status) == 0);
    return (size_t)status.st_size;
}

struct mr_bytes mr_subject_read(int fd)
{
    struct mr_bytes text = {0};
    size_t size = mr_subject_written(fd);
    size = size > OUTPUT_BYTES_MAX ? OUTPUT_BYTES_MAX : size;
    mr_bytes_reserve(&text, size + 1);
    while (text.length < size) {
        ssize_t count = pread(fd, text.bytes + text.length, size - text.length, (off_t)text.length);
        if (count <= 0) {
            break;
        }
        text.length += (size_t)count;
    }
    text.bytes[text.length] = '\0';
    return text;
}

// Finds "listening …HOST:PORT" in any line that is whole, whatever stands around it.
static bool find_address(const char *text, struct sockaddr_in *address_out)
{
    const char *word = strcasestr(text, "listening");
    if (word == NULL || strchr(word, '\n') == NULL) {
        return false;
    }
    for (const char *at = word; *at != '\n'; at++) {
        char host[INET_ADDRSTRLEN];
        size_t length = strspn(at, "0123456789.");
        if (length == 0 || length >= sizeof host || at[length] != ':') {
            continue;
        }
        (void)snprintf(host, sizeof host, "%.*s", (int)length, at);
        unsigned long port = strtoul(at + length + 1, NULL, 10);
        if (port > 0 && port < 65536 && inet_pton(AF_INET, host, &address_out->sin_addr) == 1) {
            address_out->sin_family = AF_INET;
            address_out->sin_port = htons((uint16_t)port);
            return true;
        }
    }
    return false;
}

void mr_subject_end_text(const struct mr_process_end *end, char *text_out, size_t capacity)
{
    if (end->exited) {
        (void)snprintf(text_out, capacity, "exit code %d", end->exit_code);
    } else {
        (void)snprintf(text_out, capacity, "signal %d (%s)", end->signal, strsignal(end->signal));
    }
}

// What it printed, for the message: standard error where there is some.
static void quote_output(const struct mr_subject *subject, char *text_out, size_t capacity)
{
    struct mr_bytes text = mr_subject_read(subject->err_fd);
    if (text.length == 0) {
        mr_bytes_fini(&text);
        text = mr_subject_read(subject->out_fd);
    }
    size_t length = text.length;
    while (length > 0 && text.bytes[length - 1] == '\n') {
        length--;
    }
    // The end says more than the beginning: of a stack trace it is the last line.
    size_t cut = length > 200 ? length - 200 : 0;
    for (size_t i = cut; i < length; i++) {
        text.bytes[i] = text.bytes[i] < 0x20 ? ' ' : text.bytes[i];
    }
    (void)snprintf(text_out, capacity, "%s%.*s%s",
                   length == 0 ? "it printed nothing" : "it printed: ", (int)(length - cut),
                   (const char *)text.bytes + cut, cut > 0 ? " (the end of it)" : "");
    mr_bytes_fini(&text);
}

static int no_address(struct mr_subject *subject, uint64_t started_ns,
                      struct mr_subject_fault *fault)
{
    char printed[300];
    quote_output(subject, printed, sizeof printed);
    if (!subject->running) {
        char how[64];
        mr_subject_end_text(&subject->end, how, sizeof how);
        return fail(fault, -ECHILD, "it ended with %s before it listened; %s", how, printed);
    }
    if (mr_conform_stop_asked()) {
        return fail(fault, -EINTR, "interrupted");
    }
    return fail(fault, -ETIMEDOUT, "it did not say where it listens within %.1f s; %s",
                (double)(mr_clock_ns() - started_ns) / 1e9, printed);
}

int mr_subject_listen(struct mr_subject *subject, uint64_t deadline_ns,
                      struct mr_subject_fault *fault_out)
{
    uint64_t started_ns = mr_clock_ns();
    size_t seen = 0;
    for (;;) {
        bool alive = mr_subject_alive(subject);
        size_t written = mr_subject_written(subject->out_fd);
        if (written > seen) {
            struct mr_bytes text = mr_subject_read(subject->out_fd);
            bool found = find_address((const char *)text.bytes, &subject->address);
            mr_bytes_fini(&text);
            seen = written;
            if (found) {
                return 0;
            }
        }
        uint64_t now_ns = mr_conform_now_ns();
        if (!alive || now_ns >= deadline_ns || mr_conform_stop_asked()) {
            return no_address(subject, started_ns, fault_out);
        }
        // Its end wakes us at once, a line of it after this step.
        (void)mr_subject_wait(subject, now_ns + LOOK_NS);
    }
}

bool mr_subject_wait(struct mr_subject *subject, uint64_t deadline_ns)
{
    if (!subject->running) {
        return true;
    }
    int result;
    do {
        struct mr_patience patience = {.deadline_ns = mr_conform_wall_ns(deadline_ns),
                                       .wake_fd = mr_conform_stop_fd()};
        result = mr_process_wait(&subject->process, &patience, &subject->end);
    } while (result == -ETIMEDOUT && mr_conform_now_ns() < deadline_ns);
    MR_ASSERT(result == 0 || result == -ETIMEDOUT || result == -EINTR);
    subject->running = result != 0;
    if (!subject->running) {
        mr_conform_clock_forget(subject->process.pid);
    }
    return !subject->running;
}

bool mr_subject_alive(struct mr_subject *subject)
{
    return !mr_subject_wait(subject, 0);
}

void mr_subject_end(struct mr_subject *subject, uint64_t grace_ns)
{
    if (subject->running) {
        enum mr_process_stop stop;
        int result = mr_process_stop(&subject->process, grace_ns, &subject->end, &stop);
        subject->running = false;
        mr_conform_clock_forget(subject->process.pid);
        MR_ASSERT(result == 0 || result == -ETIMEDOUT);
    }
    mr_process_fini(&subject->process);
    if (subject->out_fd >= 0) {
        (void)close(subject->out_fd);
        subject->out_fd = -1;
    }
    if (subject->err_fd >= 0) {
        (void)close(subject->err_fd);
        subject->err_fd = -1;
    }
}
