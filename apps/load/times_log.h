// times_log.h: the five times of every batch of a run as they are, for checking everything that is
// computed from them.
#ifndef MR_LOAD_TIMES_LOG_H
#define MR_LOAD_TIMES_LOG_H

#include "outstanding.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// One answered batch.
struct mr_times_entry {
    struct mr_times times;
    uint64_t sequence;
    uint64_t reply_gap_ns;
    uint64_t lateness_ns;
    uint32_t batch;
    uint32_t connection;
    bool blocked;
};

// Room for entries, made beforehand; what does not fit is counted.
struct mr_times_log {
    struct mr_times_entry *entry; // owned; NULL: nothing is kept
    size_t capacity;
    size_t count;
    uint64_t left_out;
};

// Room for `capacity` entries, prefaulted; 0 of them: no log. 0 or -ENOMEM.
MR_NODISCARD int mr_times_log_init(struct mr_times_log *log_out, size_t capacity);
void mr_times_log_fini(struct mr_times_log *log);

// Keeps an answered batch. No allocation.
void mr_times_log_add(struct mr_times_log *log, const struct mr_request *request,
                      uint32_t connection);

// Writes the entries of `count` logs (log_at(context, i), one thread's each, in order of replies)
// as CSV with a header line to `path`, whole or not at all. Where batches are missing, because the
// run ended before its time (`missing`, NULL: it did not) or a log was full, the last line says so
// in place of numbers: "INCOMPLETE: …", at which whoever reads numbers stumbles. 0 or a negative
// errno.
struct mr_times_logs {
    const struct mr_times_log *(*log_at)(const void *context, size_t index);
    const void *context;
    size_t count;
    const char *missing; // why batches are missing; one line
};
MR_NODISCARD int mr_times_log_write(const char *path, const struct mr_times_logs *logs);

#endif
