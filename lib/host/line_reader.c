// line_reader.c: see line_reader.h.
#define _GNU_SOURCE
#include "line_reader.h"

#include <base/mr_assert.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

void mr_line_reader_init(struct mr_line_reader *reader_out, int fd, char *bytes, size_t capacity)
{
    MR_ASSERT(capacity >= 3 && (fcntl(fd, F_GETFL) & O_NONBLOCK) != 0);
    *reader_out = (struct mr_line_reader){.fd = fd, .bytes = bytes, .capacity = capacity};
}

// Takes `length` bytes and the newline or nothing behind them.
static void hand_out(struct mr_line_reader *reader, size_t length, size_t skip, char **line_out)
{
    *line_out = reader->bytes + reader->begin;
    reader->bytes[reader->begin + length] = '\0';
    reader->begin += length + skip;
}

static int read_more(struct mr_line_reader *reader, const struct mr_patience *patience)
{
    if (reader->begin > 0) {
        memmove(reader->bytes, reader->bytes + reader->begin, reader->end - reader->begin);
        reader->end -= reader->begin;
        reader->begin = 0;
    }
    // One byte stays free for the zero behind a last line.
    size_t room = reader->capacity - 1 - reader->end;
    if (room == 0) {
        reader->end = 0;
        return -EMSGSIZE;
    }
    ssize_t got = read(reader->fd, reader->bytes + reader->end, room);
    if (got > 0) {
        reader->end += (size_t)got;
        return 0;
    }
    if (got == 0) {
        reader->ended = true;
        return 0;
    }
    if (errno != EAGAIN && errno != EINTR) {
        return -errno;
    }
    return mr_patience_poll(patience, reader->fd, POLLIN);
}

int mr_line_reader_next(struct mr_line_reader *reader, const struct mr_patience *patience,
                        char **line_out, size_t *length_out)
{
    size_t searched = 0;
    for (;;) {
        const char *from = reader->bytes + reader->begin;
        size_t held = reader->end - reader->begin;
        const char *newline = memchr(from + searched, '\n', held - searched);
        if (newline != NULL) {
            *length_out = (size_t)(newline - from);
            hand_out(reader, *length_out, 1, line_out);
            return 0;
        }
        searched = held;
        if (reader->ended && held == 0) {
            return -ENODATA;
        }
        if (reader->ended) {
            *length_out = held;
            hand_out(reader, held, 0, line_out);
            return 0;
        }
        int result = read_more(reader, patience);
        if (result != 0) {
            return result;
        }
    }
}
