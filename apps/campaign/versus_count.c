// versus_count.c: see versus_count.h.
#include "versus_count.h"

#include "entry.h"

#include "base/cli.h"
#include "base/clock.h"
#include "host/line_reader.h"
#include "host/process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_BYTES 65536
#define LIMIT_NS   (3600 * MR_NS_PER_S)

// The number behind "Collected : " in what callgrind prints.
static bool read_collected(const char *line, uint64_t *instructions_out)
{
    static const char word[] = "Collected : ";
    const char *found = strstr(line, word);
    if (found == NULL) {
        return false;
    }
    char *end;
    *instructions_out = strtoull(found + sizeof word - 1, &end, 10);
    return end != found + sizeof word - 1;
}

// Reads standard error to its end; the program's own last line, which is none of valgrind's, is
// kept for the message of a failure.
static int read_output(struct mr_process *process, uint64_t *instructions_out,
                       struct mr_trial_fault *last_out)
{
    char *bytes = malloc(LINE_BYTES);
    if (bytes == NULL) {
        return -ENOMEM;
    }
    struct mr_line_reader lines;
    struct mr_patience patience = mr_patience_for(LIMIT_NS);
    mr_line_reader_init(&lines, process->err, bytes, LINE_BYTES);
    char *line;
    size_t length;
    int result;
    bool found = false;
    while ((result = mr_line_reader_next(&lines, &patience, &line, &length)) == 0) {
        found |= read_collected(line, instructions_out);
        if (strncmp(line, "==", 2) != 0) {
            mr_trial_fault_set(last_out, ": %.300s", line);
        }
    }
    free(bytes);
    return result != -ENODATA ? result : found ? 0 : -EPROTO;
}

static int count_passes(const struct mr_versus_count *count, const struct mr_entry *entry,
                        const char *passes, uint64_t *instructions_out,
                        struct mr_trial_fault *fault)
{
    const char *words[] = {"parse",     "--data",   count->dataset, "--mode",
                           count->mode, "--repeat", passes,         NULL};
    struct mr_entry_command command;
    if (!mr_entry_command(entry, words, &command)) {
        mr_trial_fault_set(fault, "%s: its command has too many words", entry->name);
        return -E2BIG;
    }
    const char *argv[MR_ENTRY_WORDS_MAX + 3] = {"valgrind", "--tool=callgrind",
                                                "--callgrind-out-file=/dev/null"};
    memcpy(argv + 3, command.argv, sizeof command.argv);
    struct mr_process_plan plan = {.argv = argv,
                                   .folder = entry->contestant.folder,
                                   .environment = command.env,
                                   .out = {.kind = MR_STREAM_NULL},
                                   .err = {.kind = MR_STREAM_PIPE}};
    struct mr_process process;
    int result = mr_process_start(&process, &plan, NULL);
    if (result != 0) {
        mr_trial_fault_set(fault, "valgrind cannot be run: %s; ./lab setup installs it",
                           strerror(-result));
        return -EINVAL;
    }
    struct mr_trial_fault last = {{0}};
    struct mr_process_end end = {.exited = false};
    struct mr_patience patience = mr_patience_for(LIMIT_NS);
    result = read_output(&process, instructions_out, &last);
    if (result == 0 || result == -EPROTO) {
        int waited = mr_process_wait(&process, &patience, &end);
        result = waited != 0 ? waited : result;
    }
    mr_process_fini(&process);
    if (result == 0 && (!end.exited || end.exit_code != MR_EXIT_OK)) {
        result = -EPROTO;
    }
    if (result == -EPROTO) {
        mr_trial_fault_set(fault, "%s cannot be counted by callgrind: exit code %d%.300s",
                           entry->name, end.exited ? end.exit_code : -1, last.text);
    } else if (result != 0) {
        mr_trial_fault_set(fault, "%s cannot be counted: %s", entry->name, strerror(-result));
    }
    return result;
}

int mr_versus_count(const struct mr_versus_count *count, const char *folder, double *per_record_out,
                    struct mr_trial_fault *fault)
{
    struct mr_entry *entry = calloc(1, sizeof *entry);
    if (entry == NULL) {
        mr_trial_fault_set(fault, "out of memory");
        return -ENOMEM;
    }
    uint64_t one = 0;
    uint64_t three = 0;
    int result = mr_contestant_load(&entry->contestant, folder, count->build_dir, fault);
    if (result == 0) {
        (void)snprintf(entry->name, sizeof entry->name, "%s", entry->contestant.name);
        entry->text = entry->name;
    }
    if (result == 0 && entry->contestant.managed) {
        mr_trial_fault_set(fault,
                           "%s is compiled while it runs, which callgrind cannot count: use "
                           "times, with --measure parse",
                           folder);
        result = -EINVAL;
    }
    if (result == 0) {
        result = count_passes(count, entry, "1", &one, fault);
    }
    if (result == 0) {
        result = count_passes(count, entry, "3", &three, fault);
    }
    if (result == 0 && three <= one) { // a quotient of such counts would pass for "no change"
        mr_trial_fault_set(fault,
                           "%s: three passes took no more instructions (%llu) than one (%llu)",
                           folder, (unsigned long long)three, (unsigned long long)one);
        result = -EPROTO;
    }
    if (result == 0) {
        *per_record_out = ((double)three - (double)one) / 2 / (double)count->records;
    }
    mr_contestant_fini(&entry->contestant);
    free(entry);
    return result;
}
