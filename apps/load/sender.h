// sender.h: putting one request on the wire: header and three pieces of payload in one write, not
// a byte copied.
#ifndef MR_LOAD_SENDER_H
#define MR_LOAD_SENDER_H

#include "outstanding.h"

#include <matchrace/attributes.h>

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

// At most so many bytes are written between two polls (measuring rule 4), so that a large batch
// does not hide the replies of others for long.
#define MR_WRITE_LIMIT_BYTES 65536u

// Header, payload before the changed digits, the digits, payload behind them.
#define MR_SEND_PIECES 4

// The pieces of `request` from its sent_bytes on, at most `limit_bytes` of them. `payload` is the
// batch as in the dataset; unused for requests without payload. Returns how many pieces; pieces are
// never empty.
size_t mr_sender_pieces(const struct mr_request *request, const uint8_t *payload,
                        size_t limit_bytes, struct iovec pieces_out[MR_SEND_PIECES]);

// Writes at most `limit_bytes` ≥ 1 of what is unsent (never the last byte while `hold` is set) and
// adds to sent_bytes what the kernel took. Returns that, -EAGAIN when it took nothing, or another
// negative errno. Does not block and raises no SIGPIPE.
MR_NODISCARD ssize_t mr_sender_write(int fd, struct mr_request *request, const uint8_t *payload,
                                     size_t limit_bytes);

#endif
