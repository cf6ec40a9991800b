// check_parse.c: the command line of `parse`: its lines, their numbers, --step (C10 to C14).
#define _GNU_SOURCE
#include "conform_checks.h"
#include "conform_clock.h"
#include "conform_link.h"
#include "conform_made.h"

#include "base/clock.h"
#include "base/file.h"
#include "conform_stop.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yyjson.h>

#define REPEAT      3
#define BATCHES     40u
#define STEP_NS     (100 * MR_NS_PER_MS) // how long a program that does not wait is given
#define LOOK_NS     MR_NS_PER_MS
#define FOLDER_NAME "/tmp/matchrace-conform-XXXXXX"

// Datasets of our own in a folder that goes away, and what one repetition must say.
struct data {
    char folder[sizeof FOLDER_NAME];
    char plain[PATH_MAX];    // all accepted
    char rejected[PATH_MAX]; // the same and rejected ones between
    uint64_t records;
    uint64_t digest;
    uint64_t plain_bytes;
    uint64_t rejected_bytes;
};

static int write_batches(const char *name, const struct mr_bytes *frames)
{
    char path[PATH_MAX + 16];
    (void)snprintf(path, sizeof path, "%s.batches", name);
    return mr_file_write(path, frames->bytes, frames->length);
}

static int make_data(struct data *data)
{
    *data = (struct data){.folder = FOLDER_NAME};
    if (mkdtemp(data->folder) == NULL) {
        return -errno;
    }
    (void)snprintf(data->plain, sizeof data->plain, "%s/plain", data->folder);
    (void)snprintf(data->rejected, sizeof data->rejected, "%s/rejected", data->folder);
    static const char bad[] = "[{\"id\":1,\"timestamp\":01}]";
    struct mr_bytes plain = {0};
    struct mr_bytes rejected = {0};
    struct mr_made made = {0};
    uint64_t sequence = 0;
    for (uint32_t i = 0; i < BATCHES; i++) {
        mr_made_plain(&made, i, i % 5);
        mr_add_frame(&plain, MR_FRAME_BATCH, i, made.json.bytes, made.json.length);
        mr_add_frame(&rejected, MR_FRAME_BATCH, sequence++, made.json.bytes, made.json.length);
        mr_add_frame(&rejected, MR_FRAME_BATCH, sequence++, bad, sizeof bad - 1);
        data->records += made.records;
        data->digest += made.digest;
        data->plain_bytes += made.json.length;
        data->rejected_bytes += made.json.length + sizeof bad - 1;
    }
    int result = write_batches(data->plain, &plain);
    result = result != 0 ? result : write_batches(data->rejected, &rejected);
    mr_bytes_fini(&plain);
    mr_bytes_fini(&rejected);
    mr_made_fini(&made);
    return result;
}

static void remove_data(const struct data *data)
{
    const char *const names[] = {data->plain, data->rejected};
    for (size_t i = 0; i < 2; i++) {
        char path[PATH_MAX + 16];
        (void)snprintf(path, sizeof path, "%s.batches", names[i]);
        (void)unlink(path);
    }
    (void)rmdir(data->folder);
}

// The folder and files of a run, or a skipped check.
static bool have_data(struct mr_kit *kit, enum mr_rule rule, struct data *data)
{
    int result = make_data(data);
    if (result == 0) {
        return true;
    }
    char why[MR_FINDING_BYTES];
    (void)snprintf(why, sizeof why, "no dataset can be written below /tmp: %s", strerror(-result));
    mr_kit_skip(kit, rule, why);
    remove_data(data);
    return false;
}

static bool start(struct mr_kit *kit, enum mr_rule rule, const char *dataset, bool step,
                  struct mr_subject *subject_out)
{
    const char *const words[] = {"parse",
                                 "--data",
                                 dataset,
                                 "--mode",
                                 mr_mode_names[kit->mode],
                                 "--repeat",
                                 step ? "50" : "3",
                                 step ? "--step" : NULL,
                                 NULL};
    struct mr_subject_fault fault;
    if (mr_subject_start(subject_out, &kit->plan, words, step, &fault) == 0) {
        return true;
    }
    mr_kit_fail(kit, rule, "`parse` starts", "%s", fault.text);
    return false;
}

// Waits for the end, which must be exit code 0.
static bool judge_exit(struct mr_kit *kit, enum mr_rule rule, struct mr_subject *subject)
{
    if (!mr_subject_wait(subject, mr_kit_deadline(kit))) {
        mr_kit_timed_out(kit);
        mr_kit_fail(kit, rule, "`parse` ends", "it goes on running");
        return false;
    }
    if (!subject->end.exited || subject->end.exit_code != 0) {
        char how[64];
        mr_subject_end_text(&subject->end, how, sizeof how);
        mr_kit_fail(kit, rule, "`parse` ends with exit code 0", "%s", how);
        return false;
    }
    return true;
}

// What one line says; read leniently, its form is judged beside.
struct line {
    bool read;
    bool exact; // exactly the four keys, with the types of the contract
    uint64_t records;
    uint64_t bytes;
    uint64_t digest;
};

static bool is_hex(const char *text)
{
    return text != NULL && strlen(text) == 16 && strspn(text, "0123456789abcdef") == 16;
}

static struct line read_line(const char *text, size_t length)
{
    struct line line = {0};
    yyjson_doc *document = yyjson_read(text, length, 0);
    yyjson_val *root = yyjson_doc_get_root(document);
    yyjson_val *records = yyjson_obj_get(root, "records");
    yyjson_val *bytes = yyjson_obj_get(root, "bytes");
    yyjson_val *ns = yyjson_obj_get(root, "ns");
    const char *digest = yyjson_get_str(yyjson_obj_get(root, "digest"));
    line.read = yyjson_is_obj(root);
    line.exact = yyjson_obj_size(root) == 4 && yyjson_is_uint(records) && yyjson_is_uint(bytes) &&
                 yyjson_is_uint(ns) && yyjson_get_uint(ns) > 0 && is_hex(digest);
    line.records = yyjson_get_uint(records);
    line.bytes = yyjson_get_uint(bytes);
    line.digest = digest == NULL ? 0 : strtoull(digest, NULL, 16);
    yyjson_doc_free(document);
    return line;
}

// All lines of its output so far, at most `max`; the number of lines, whole ones only.
static size_t read_lines(const struct mr_subject *subject, struct line *lines_out, size_t max)
{
    struct mr_bytes text = mr_subject_read(subject->out_fd);
    const char *at = (const char *)text.bytes;
    size_t count = 0;
    for (const char *end; (end = strchr(at, '\n')) != NULL; at = end + 1) {
        if (count < max) {
            lines_out[count] = read_line(at, (size_t)(end - at));
        }
        count++;
    }
    mr_bytes_fini(&text);
    return count;
}

static void judge_numbers(struct mr_kit *kit, enum mr_rule rule, const struct line *lines,
                          size_t count, const struct data *data, uint64_t bytes)
{
    bool drain = kit->mode == MR_MODE_DRAIN;
    uint64_t records = drain ? 0 : data->records;
    uint64_t digest = drain ? 0 : data->digest;
    for (size_t i = 0; i < count; i++) {
        if (lines[i].records != records || lines[i].bytes != bytes || lines[i].digest != digest) {
            char expected[MR_FINDING_BYTES];
            (void)snprintf(expected, sizeof expected,
                           "repetition %zu: %" PRIu64 " records, %" PRIu64
                           " bytes, digest %016" PRIx64,
                           i + 1, records, bytes, digest);
            mr_kit_fail(kit, rule, expected, "%" PRIu64 ", %" PRIu64 ", %016" PRIx64,
                        lines[i].records, lines[i].bytes, lines[i].digest);
            return;
        }
    }
    mr_kit_ok(kit, rule);
}

static void judge_form(struct mr_kit *kit, const struct line *lines, size_t count)
{
    if (count != REPEAT) {
        mr_kit_fail(kit, MR_RULE_C10, "3 lines for --repeat 3", "%zu lines", count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (!lines[i].exact) {
            mr_kit_fail(kit, MR_RULE_C10,
                        "numbers records, bytes, ns above 0, digest of 16 hexadecimal digits",
                        "line %zu: %s", i + 1,
                        lines[i].read ? "other keys or types" : "no JSON object");
            return;
        }
    }
    mr_kit_ok(kit, MR_RULE_C10);
}

static void parse_plain(struct mr_kit *kit)
{
    struct data data;
    if (!have_data(kit, MR_RULE_C10, &data)) {
        return;
    }
    struct mr_subject subject;
    if (start(kit, MR_RULE_C10, data.plain, false, &subject) &&
        judge_exit(kit, MR_RULE_C10, &subject)) {
        struct line lines[REPEAT] = {{0}};
        size_t count = read_lines(&subject, lines, REPEAT);
        judge_form(kit, lines, count);
        judge_numbers(kit, MR_RULE_C11, lines, count < REPEAT ? count : REPEAT, &data,
                      data.plain_bytes);
    }
    mr_kit_stop(kit, &subject);
    remove_data(&data);
}

static void parse_rejected(struct mr_kit *kit)
{
    struct data data;
    if (!have_data(kit, MR_RULE_C12, &data)) {
        return;
    }
    struct mr_subject subject;
    if (start(kit, MR_RULE_C12, data.rejected, false, &subject) &&
        judge_exit(kit, MR_RULE_C12, &subject)) {
        struct line lines[REPEAT] = {{0}};
        size_t count = read_lines(&subject, lines, REPEAT);
        // One line: what repetitions add up is C11's.
        judge_numbers(kit, MR_RULE_C12, lines, count == 0 ? 0 : 1, &data, data.rejected_bytes);
    }
    mr_kit_stop(kit, &subject);
    remove_data(&data);
}

// Waits until there are `wanted` lines, or it ends. The number of lines.
static size_t wait_lines(const struct mr_kit *kit, struct mr_subject *subject, size_t wanted)
{
    struct line none;
    uint64_t deadline_ns = mr_kit_deadline(kit);
    size_t count = 0;
    for (;;) {
        bool alive = mr_subject_alive(subject);
        count = read_lines(subject, &none, 0);
        if (count >= wanted || !alive || mr_conform_now_ns() >= deadline_ns ||
            mr_conform_stop_asked()) {
            return count;
        }
        mr_clock_sleep_until(mr_clock_ns() + LOOK_NS);
    }
}

// Two lines in, each with a line out; between them nothing; then the end of input.
static void judge_step(struct mr_kit *kit, struct mr_subject *subject)
{
    struct line none;
    struct mr_patience patience = {.deadline_ns = mr_conform_wall_ns(mr_kit_deadline(kit)),
                                   .wake_fd = mr_conform_stop_fd()};
    for (size_t step = 1; step <= 2; step++) {
        (void)mr_subject_wait(subject, mr_conform_now_ns() + STEP_NS);
        size_t count = read_lines(subject, &none, 0);
        if (count != step - 1) {
            mr_kit_fail(kit, MR_RULE_C13, "no repetition before its line on standard input",
                        "%zu lines of output after %zu of input", count, step - 1);
            return;
        }
        if (mr_process_write(&subject->process, "\n", 1, &patience) != 0 ||
            wait_lines(kit, subject, step) < step) {
            mr_kit_fail(kit, MR_RULE_C13, "a repetition for a line on standard input", "none");
            return;
        }
    }
    mr_kit_ok(kit, MR_RULE_C13);
    mr_process_close_in(&subject->process);
    if (judge_exit(kit, MR_RULE_C14, subject)) {
        size_t count = read_lines(subject, &none, 0);
        if (count != 2) {
            mr_kit_fail(kit, MR_RULE_C14, "2 lines for 2 lines of input", "%zu lines", count);
        }
        mr_kit_ok(kit, MR_RULE_C14);
    }
}

static void parse_step(struct mr_kit *kit)
{
    struct data data;
    if (!have_data(kit, MR_RULE_C13, &data)) {
        return;
    }
    struct mr_subject subject;
    if (start(kit, MR_RULE_C13, data.plain, true, &subject)) {
        judge_step(kit, &subject);
    }
    mr_kit_stop(kit, &subject);
    remove_data(&data);
}

const struct mr_procedure mr_procedures_parse[] = {
    {parse_plain, MR_PHASE_COMMAND, false, 10, {MR_RULE_C10, MR_RULE_C11, MR_RULE_NONE}},
    {parse_rejected, MR_PHASE_COMMAND, false, 10, {MR_RULE_C12, MR_RULE_NONE}},
    {parse_step, MR_PHASE_COMMAND, true, 450, {MR_RULE_C13, MR_RULE_C14, MR_RULE_NONE}},
    {.run = NULL},
};
