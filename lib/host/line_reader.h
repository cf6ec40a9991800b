// line_reader.h: lines from a descriptor that never blocks, each with a deadline.
#ifndef MR_HOST_LINE_READER_H
#define MR_HOST_LINE_READER_H

#include "patience.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>

// A reader over the caller's buffer and descriptor, both of which must outlive it.
struct mr_line_reader {
    int fd;
    char *bytes;
    size_t capacity;
    size_t begin; // of the bytes not handed out yet
    size_t end;
    bool ended; // end of file was read
};

// A reader of `fd`, which must be non-blocking (asserted); the pipes of struct mr_process are. A
// line may be `capacity` − 2 bytes long (capacity ≥ 3, asserted).
void mr_line_reader_init(struct mr_line_reader *reader_out, int fd, char *bytes, size_t capacity);

// Hands out the next line without its newline, with a zero byte behind it; it stays until the next
// call. A last line that ends without newline is handed out too. 0; −ENODATA: end of file, no more
// lines; −EMSGSIZE: the line does not fit (its beginning is dropped, the rest follows as lines);
// −ETIMEDOUT or −EINTR of mr_patience_poll(): call again to go on, nothing is lost; else another
// negative errno.
MR_NODISCARD int mr_line_reader_next(struct mr_line_reader *reader,
                                     const struct mr_patience *patience, char **line_out,
                                     size_t *length_out);

#endif
