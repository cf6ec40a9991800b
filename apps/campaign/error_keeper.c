// error_keeper.c: see error_keeper.h.
#define _GNU_SOURCE
#include "error_keeper.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

static void keep(struct mr_error_keeper *keeper, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        keeper->kept[keeper->total_bytes++ % MR_ERROR_KEPT_BYTES] = bytes[i];
    }
}

// Takes up to a pipe's worth, so that a writer without end cannot hold the thread up. False at end
// of file, or where the pipe fails.
static bool take(struct mr_error_keeper *keeper)
{
    char bytes[4096];
    for (int i = 0; i < 16; i++) {
        ssize_t got = read(keeper->fd, bytes, sizeof bytes);
        if (got > 0) {
            keep(keeper, bytes, (size_t)got);
        } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
            return false;
        } else if (errno == EAGAIN) {
            break;
        }
    }
    return true;
}

static void *keep_reading(void *argument)
{
    struct mr_error_keeper *keeper = argument;
    struct pollfd waited[2] = {{.fd = keeper->stop_fd, .events = POLLIN},
                               {.fd = keeper->fd, .events = POLLIN}};
    for (;;) {
        if (poll(waited, 2, -1) < 0 && errno != EINTR) {
            break;
        }
        bool open = take(keeper);
        if (waited[0].revents != 0) {
            break;
        }
        if (!open) {
            waited[1].fd = -1;
        }
    }
    return NULL;
}

int mr_error_keeper_start(struct mr_error_keeper *keeper_out, int fd)
{
    *keeper_out = (struct mr_error_keeper){.fd = fd, .stop_fd = eventfd(0, EFD_CLOEXEC)};
    if (keeper_out->stop_fd < 0) {
        return -errno;
    }
    int result = pthread_create(&keeper_out->thread, NULL, keep_reading, keeper_out);
    if (result != 0) {
        (void)close(keeper_out->stop_fd);
        return -result;
    }
    keeper_out->started = true;
    return 0;
}

void mr_error_keeper_stop(struct mr_error_keeper *keeper)
{
    if (keeper->started) {
        (void)!eventfd_write(keeper->stop_fd, 1);
        (void)pthread_join(keeper->thread, NULL);
        (void)close(keeper->stop_fd);
        keeper->started = false;
    }
}

void mr_error_keeper_last_line(const struct mr_error_keeper *keeper, char *line_out,
                               size_t capacity)
{
    uint64_t end = keeper->total_bytes;
    uint64_t first = end > MR_ERROR_KEPT_BYTES ? end - MR_ERROR_KEPT_BYTES : 0;
    while (end > first && keeper->kept[(end - 1) % MR_ERROR_KEPT_BYTES] == '\n') {
        end--;
    }
    uint64_t begin = end;
    while (begin > first && keeper->kept[(begin - 1) % MR_ERROR_KEPT_BYTES] != '\n') {
        begin--;
    }
    char cut[64] = "";
    if (keeper->total_bytes > MR_ERROR_KEPT_BYTES) {
        (void)snprintf(cut, sizeof cut, " (the last of %" PRIu64 " bytes on standard error)",
                       keeper->total_bytes);
    }
    size_t room = capacity - 1 > strlen(cut) ? capacity - 1 - strlen(cut) : 0;
    size_t length = end - begin < room ? (size_t)(end - begin) : room;
    for (size_t i = 0; i < length; i++) {
        char byte = keeper->kept[(begin + i) % MR_ERROR_KEPT_BYTES];
        line_out[i] = byte == '\0' ? '?' : byte;
    }
    (void)snprintf(line_out + length, capacity - length, "%s", cut);
}
