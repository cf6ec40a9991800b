// error_keeper.h: takes up what a contestant writes to standard error, as much as it likes, and
// keeps the end of it.
#ifndef MR_CAMPAIGN_ERROR_KEEPER_H
#define MR_CAMPAIGN_ERROR_KEEPER_H

#include <matchrace/attributes.h>

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MR_ERROR_KEPT_BYTES 4096

// A thread reads the pipe, so that a contestant never waits for us; it sleeps where nothing comes.
struct mr_error_keeper {
    pthread_t thread;
    bool started;
    int fd;      // the pipe's, not ours
    int stop_fd; // readable when the thread shall take what is there and end
    char kept[MR_ERROR_KEPT_BYTES];
    uint64_t total_bytes; // byte i is kept at i mod MR_ERROR_KEPT_BYTES
};

// Starts reading `fd`, which must not block and stays the caller's; mr_error_keeper_stop() before
// it is closed. 0 or a negative errno.
MR_NODISCARD int mr_error_keeper_start(struct mr_error_keeper *keeper_out, int fd);

// Takes up what is in the pipe now and ends the thread. May be called again.
void mr_error_keeper_stop(struct mr_error_keeper *keeper);

// The last line, as far as it was kept, with how much there was in all where not everything was; ""
// where nothing came. Behind mr_error_keeper_stop().
void mr_error_keeper_last_line(const struct mr_error_keeper *keeper, char *line_out,
                               size_t capacity);

#endif
