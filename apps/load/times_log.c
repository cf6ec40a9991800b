// times_log.c: see times_log.h.
#include "times_log.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int mr_times_log_init(struct mr_times_log *log_out, size_t capacity)
{
    *log_out = (struct mr_times_log){.capacity = capacity};
    if (capacity == 0) {
        return 0;
    }
    log_out->entry = malloc(capacity * sizeof *log_out->entry);
    if (log_out->entry == NULL) {
        return -ENOMEM;
    }
    memset(log_out->entry, 0, capacity * sizeof *log_out->entry);
    return 0;
}

void mr_times_log_fini(struct mr_times_log *log)
{
    free(log->entry);
    *log = (struct mr_times_log){0};
}

void mr_times_log_add(struct mr_times_log *log, const struct mr_request *request,
                      uint32_t connection)
{
    if (log->entry == NULL) {
        return;
    }
    if (log->count == log->capacity) {
        log->left_out++;
        return;
    }
    log->entry[log->count++] = (struct mr_times_entry){.times = request->times,
                                                       .sequence = request->sequence,
                                                       .reply_gap_ns = request->reply_gap_ns,
                                                       .lateness_ns = request->lateness_ns,
                                                       .batch = (uint32_t)request->batch,
                                                       .connection = connection,
                                                       .blocked = request->blocked};
}

static void write_entries(FILE *file, const struct mr_times_logs *logs)
{
    (void)fprintf(file, "connection,sequence,batch,due_ns,released_ns,send_start_ns,"
                        "send_complete_ns,reply_ns,reply_gap_ns,lateness_ns,blocked\n");
    for (size_t i = 0; i < logs->count; i++) {
        const struct mr_times_log *log = logs->log_at(logs->context, i);
        for (size_t k = 0; k < log->count; k++) {
            const struct mr_times_entry *entry = &log->entry[k];
            (void)fprintf(file,
                          "%" PRIu32 ",%" PRIu64 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
                          ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%d\n",
                          entry->connection, entry->sequence, entry->batch, entry->times.due_ns,
                          entry->times.released_ns, entry->times.send_start_ns,
                          entry->times.send_complete_ns, entry->times.reply_ns, entry->reply_gap_ns,
                          entry->lateness_ns, entry->blocked ? 1 : 0);
        }
    }
}

// Only words in the place of a number: no comma, no comment sign that a reader would pass over.
static void write_missing(FILE *file, const struct mr_times_logs *logs)
{
    uint64_t left_out = 0;
    for (size_t i = 0; i < logs->count; i++) {
        left_out += logs->log_at(logs->context, i)->left_out;
    }
    if (logs->missing != NULL) {
        (void)fprintf(file, "INCOMPLETE: %s: the batches above are not all of the run\n",
                      logs->missing);
    } else if (left_out > 0) {
        (void)fprintf(file,
                      "INCOMPLETE: %" PRIu64 " more batches were answered than --times-max keeps\n",
                      left_out);
    }
}

int mr_times_log_write(const char *path, const struct mr_times_logs *logs)
{
    char beside[PATH_MAX];
    int length = snprintf(beside, sizeof beside, "%s.%ld.tmp", path, (long)getpid());
    if (length < 0 || (size_t)length >= sizeof beside) {
        return -ENAMETOOLONG;
    }
    FILE *file = fopen(beside, "we");
    if (file == NULL) {
        return -errno;
    }
    write_entries(file, logs);
    write_missing(file, logs);
    int result = 0;
    if (fflush(file) != 0 || ferror(file) != 0) {
        result = errno != 0 ? -errno : -EIO;
    }
    if (fclose(file) != 0 && result == 0) {
        result = -errno;
    }
    if (result == 0 && rename(beside, path) != 0) {
        result = -errno;
    }
    if (result != 0) {
        (void)unlink(beside);
    }
    return result;
}
