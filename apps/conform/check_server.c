// check_server.c: the command line of `serve`: what it prints, how it ends, what it refuses (C1 to
// C6, C9).
#include "conform_checks.h"
#include "conform_clock.h"
#include "conform_talk.h"

#include "base/clock.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define SIGTERM_NS    (2 * MR_NS_PER_S)    // contract
#define TOLERANCE_NS  (500 * MR_NS_PER_MS) // for a busy machine
#define QUIET_BATCHES 200

static const char *const no_options[] = {NULL};

// What a program printed, short enough for a finding; quotes newlines as "\n".
static void quote(int fd, char *text_out, size_t capacity)
{
    struct mr_bytes text = mr_subject_read(fd);
    size_t at = 0;
    for (size_t i = 0; i < text.length && at + 8 < capacity; i++) {
        uint8_t byte = text.bytes[i];
        if (byte == '\n') {
            text_out[at++] = '\\';
            text_out[at++] = 'n';
        } else {
            text_out[at++] = (char)(byte < 0x20 ? '?' : byte);
        }
    }
    text_out[at] = '\0';
    mr_bytes_fini(&text);
}

static size_t count_lines(int fd)
{
    struct mr_bytes text = mr_subject_read(fd);
    size_t lines = text.length > 0 && text.bytes[text.length - 1] != '\n' ? 1 : 0;
    for (size_t i = 0; i < text.length; i++) {
        lines += text.bytes[i] == '\n';
    }
    mr_bytes_fini(&text);
    return lines;
}

static bool is_listening_line(const struct mr_subject *subject)
{
    char line[64];
    int length = snprintf(line, sizeof line, "listening 127.0.0.1:%u\n",
                          (unsigned)ntohs(subject->address.sin_port));
    struct mr_bytes text = mr_subject_read(subject->out_fd);
    bool same = text.length == (size_t)length && memcmp(text.bytes, line, text.length) == 0;
    mr_bytes_fini(&text);
    return same;
}

// Right after the start, and at the end: that line, the only one.
static void judge_line(struct mr_kit *kit, const struct mr_subject *subject)
{
    char printed[160];
    if (is_listening_line(subject)) {
        mr_kit_ok(kit, MR_RULE_C1);
    } else {
        quote(subject->out_fd, printed, sizeof printed);
        mr_kit_fail(kit, MR_RULE_C1, "standard output \"listening 127.0.0.1:PORT\\n\"", "\"%s\"",
                    printed);
    }
}

static void judge_quiet(struct mr_kit *kit, const struct mr_subject *subject)
{
    struct mr_talk talk;
    struct mr_ack ack;
    bool going =
        mr_talk_open(&talk, kit, MR_RULE_C2, subject) && mr_talk_batch_text(&talk, "[]", &ack);
    size_t out_bytes = mr_subject_written(subject->out_fd);
    size_t err_bytes = mr_subject_written(subject->err_fd);
    for (unsigned i = 0; i < QUIET_BATCHES && going; i++) {
        going = mr_talk_batch_text(&talk, i % 2 == 0 ? "[]" : "[1", &ack);
    }
    out_bytes = mr_subject_written(subject->out_fd) - out_bytes;
    err_bytes = mr_subject_written(subject->err_fd) - err_bytes;
    if (going && out_bytes + err_bytes == 0) {
        mr_kit_ok(kit, MR_RULE_C2);
    } else if (going) {
        (void)mr_talk_fail(&talk, "nothing is printed for 200 batches", "%zu bytes",
                           out_bytes + err_bytes);
    }
    mr_talk_close(&talk);
}

void mr_judge_sigterm(struct mr_kit *kit, enum mr_rule rule, struct mr_subject *subject)
{
    uint64_t begin_ns = mr_conform_now_ns();
    char how[64];
    if (mr_process_signal(&subject->process, SIGTERM) != 0) {
        mr_kit_fail(kit, rule, "a server that runs", "it has ended");
    } else if (!mr_subject_wait(subject, begin_ns + SIGTERM_NS + TOLERANCE_NS)) {
        mr_kit_fail(kit, rule, "exit code 0 within 2 s of SIGTERM", "it still runs");
    } else if (!subject->end.exited || subject->end.exit_code != 0) {
        mr_subject_end_text(&subject->end, how, sizeof how);
        mr_kit_fail(kit, rule, "exit code 0 after SIGTERM", "%s", how);
    } else {
        mr_kit_ok(kit, rule);
    }
}

// A server that was started, has worked a little, and ends.
static void line_and_quiet(struct mr_kit *kit)
{
    struct mr_subject subject;
    if (!mr_kit_serve(kit, MR_RULE_C1, no_options, &subject)) {
        return;
    }
    judge_line(kit, &subject);
    judge_quiet(kit, &subject);
    mr_judge_sigterm(kit, MR_RULE_C3, &subject);
    // What came with the batches is C2's.
    if (kit->finding[kit->mode][MR_RULE_C2].outcome == MR_OUTCOME_OK) {
        judge_line(kit, &subject);
    }
    mr_kit_stop(kit, &subject);
}

// With an idle connection, one that does not read its replies, and one in the middle of a frame.
static void sigterm_busy(struct mr_kit *kit)
{
    struct mr_subject subject;
    if (!mr_kit_serve(kit, MR_RULE_C4, no_options, &subject)) {
        return;
    }
    struct mr_bytes script = {0};
    for (unsigned i = 0; i < 20000; i++) {
        mr_add_frame(&script, i % 4 == 0 ? MR_FRAME_BATCH : MR_FRAME_STATS, i, "[]",
                     i % 4 == 0 ? 2 : 0);
    }
    struct mr_talk idle;
    struct mr_talk greedy = {.link = {.fd = -1}};
    struct mr_talk half = {.link = {.fd = -1}};
    if (mr_talk_open(&idle, kit, MR_RULE_C4, &subject) &&
        mr_talk_open(&greedy, kit, MR_RULE_C4, &subject) &&
        mr_talk_open(&half, kit, MR_RULE_C4, &subject)) {
        (void)mr_link_push(&half.link, script.bytes, 17);
        (void)mr_link_push(&greedy.link, script.bytes, script.length);
        mr_judge_sigterm(kit, MR_RULE_C4, &subject);
    }
    mr_talk_close(&idle);
    mr_talk_close(&greedy);
    mr_talk_close(&half);
    mr_bytes_fini(&script);
    mr_kit_stop(kit, &subject);
}

// A socket of ours that listens on a free port of 127.0.0.1; −1 when there is none.
static int take_port(struct sockaddr_in *address_out)
{
    *address_out =
        (struct sockaddr_in){.sin_family = AF_INET, .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
    socklen_t length = sizeof *address_out;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && (bind(fd, (struct sockaddr *)address_out, length) != 0 || listen(fd, 1) != 0 ||
                    getsockname(fd, (struct sockaddr *)address_out, &length) != 0)) {
        (void)close(fd);
        fd = -1;
    }
    return fd;
}

// Runs a command that must refuse: exit code `code`, one line on standard error, no output.
static void judge_refusal(struct mr_kit *kit, enum mr_rule rule, const char *const *words, int code)
{
    char line[160] = "";
    for (size_t i = 0; words[i] != NULL; i++) {
        size_t at = strlen(line);
        (void)snprintf(line + at, sizeof line - at, "%s%s", i == 0 ? "" : " ", words[i]);
    }
    struct mr_subject subject;
    struct mr_subject_fault fault;
    char expected[MR_FINDING_BYTES];
    (void)snprintf(expected, sizeof expected, "`%s`: exit code %d, one line on standard error",
                   line, code);
    if (mr_subject_start(&subject, &kit->plan, words, false, &fault) != 0) {
        mr_kit_fail(kit, rule, expected, "%s", fault.text);
    } else if (!mr_subject_wait(&subject, mr_kit_deadline(kit))) {
        mr_kit_timed_out(kit);
        mr_kit_fail(kit, rule, expected, "it goes on running");
    } else {
        char how[64];
        char printed[120];
        size_t lines = count_lines(subject.err_fd);
        size_t out_bytes = mr_subject_written(subject.out_fd);
        mr_subject_end_text(&subject.end, how, sizeof how);
        quote(subject.err_fd, printed, sizeof printed);
        if (!subject.end.exited || subject.end.exit_code != code || lines != 1 || out_bytes > 0) {
            mr_kit_fail(kit, rule, expected, "%s, %zu lines \"%s\"%s", how, lines, printed,
                        out_bytes > 0 ? ", standard output too" : "");
        }
        mr_kit_ok(kit, rule);
    }
    mr_kit_stop(kit, &subject);
}

static void bind_failure(struct mr_kit *kit)
{
    struct sockaddr_in address;
    int fd = take_port(&address);
    if (fd < 0) {
        mr_kit_skip(kit, MR_RULE_C5, "no port of 127.0.0.1 is free here");
        return;
    }
    char listen_at[32];
    (void)snprintf(listen_at, sizeof listen_at, "127.0.0.1:%u", (unsigned)ntohs(address.sin_port));
    const char *const in_use[] = {
        "serve", "--listen", listen_at, "--mode", mr_mode_names[kit->mode], "--threads", "1", NULL};
    judge_refusal(kit, MR_RULE_C5, in_use, 1);
    (void)close(fd);
    // An address of nobody (RFC 5737).
    const char *const foreign[] = {
        "serve",     "--listen", "192.0.2.1:0", "--mode", mr_mode_names[kit->mode],
        "--threads", "1",        NULL};
    judge_refusal(kit, MR_RULE_C5, foreign, 1);
}

static void wrong_usage(struct mr_kit *kit)
{
    static const char *const wrong[][8] = {
        {NULL},
        {"dance", NULL},
        {"serve", "--no-such-option", NULL},
        {"serve", "--mode", "sideways", NULL},
        {"serve", "--mode", NULL},
        {"serve", "--mode", "keep", "--threads", "0", NULL},
        {"serve", "--mode", "keep", "--threads", "many", NULL},
        {"serve", "--mode", "keep", "--max-payload", "-1", NULL},
        {"serve", "--mode", "keep", "superfluous", NULL},
        {"parse", "--mode", "keep", NULL},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0] && !mr_kit_over(kit); i++) {
        judge_refusal(kit, MR_RULE_C6, wrong[i], 2);
    }
}

// One try with a port that was free a moment ago.
static void listen_once(struct mr_kit *kit, const struct sockaddr_in *address)
{
    char listen_at[32];
    (void)snprintf(listen_at, sizeof listen_at, "127.0.0.1:%u", (unsigned)ntohs(address->sin_port));
    const char *const words[] = {
        "serve", "--listen", listen_at, "--mode", mr_mode_names[kit->mode], "--threads", "1", NULL};
    struct mr_subject subject;
    struct mr_subject_fault fault;
    int result = mr_subject_start(&subject, &kit->plan, words, false, &fault);
    result = result != 0 ? result : mr_subject_listen(&subject, mr_kit_deadline(kit), &fault);
    if (result != 0) {
        mr_kit_fail(kit, MR_RULE_C9, listen_at, "%s", fault.text);
    } else if (subject.address.sin_port != address->sin_port) {
        mr_kit_fail(kit, MR_RULE_C9, listen_at, "it listens on port %u",
                    (unsigned)ntohs(subject.address.sin_port));
    } else {
        subject.address = *address;
        struct mr_talk talk;
        if (mr_talk_open(&talk, kit, MR_RULE_C9, &subject)) {
            mr_kit_ok(kit, MR_RULE_C9);
        }
        mr_talk_close(&talk);
    }
    mr_kit_stop(kit, &subject);
}

// Somebody else may take the port before the contestant does, but hardly thrice.
static void listen_port(struct mr_kit *kit)
{
    struct mr_finding *finding = &kit->finding[kit->mode][MR_RULE_C9];
    for (int attempt = 0; attempt < 3 && finding->outcome != MR_OUTCOME_OK; attempt++) {
        struct sockaddr_in address;
        int fd = take_port(&address);
        if (fd < 0) {
            mr_kit_skip(kit, MR_RULE_C9, "no port of 127.0.0.1 is free here");
            return;
        }
        (void)close(fd);
        finding->outcome = MR_OUTCOME_NONE;
        listen_once(kit, &address);
    }
}

const struct mr_procedure mr_procedures_server[] = {
    {line_and_quiet,
     MR_PHASE_COMMAND,
     false,
     30,
     {MR_RULE_C1, MR_RULE_C2, MR_RULE_C3, MR_RULE_NONE}},
    {sigterm_busy, MR_PHASE_COMMAND, false, 30, {MR_RULE_C4, MR_RULE_NONE}},
    {bind_failure, MR_PHASE_COMMAND, true, 20, {MR_RULE_C5, MR_RULE_NONE}},
    {wrong_usage, MR_PHASE_COMMAND, true, 50, {MR_RULE_C6, MR_RULE_NONE}},
    {listen_port, MR_PHASE_COMMAND, true, 20, {MR_RULE_C9, MR_RULE_NONE}},
    {.run = NULL},
};
