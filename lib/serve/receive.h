// receive.h: frames out of a socket: whole frames are parsed where they were received, in a buffer
// that all connections of a loop share; only a frame that is cut off moves to memory of its
// connection.
//
// Every payload stands in one piece, with MR_PAD_FRONT bytes before and MR_PAD_BACK behind.
//
// Memory of a connection: none while nothing is cut off and nothing is held; at most the largest
// payload that was allowed (taken exactly as its header says, when its first bytes are there), kept
// for the next until mr_receive_release(); and at most one shared buffer of input held back while
// the client does not read its replies.
#ifndef MR_SERVE_RECEIVE_H
#define MR_SERVE_RECEIVE_H

#include "wire/wire.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// A buffer with readable padding around: `bytes` is what the owner uses.
struct mr_padded {
    uint8_t *bytes; // NULL: none
    size_t capacity;
};

// 0 or -ENOMEM. Ended with mr_padded_fini(), which leaves it empty.
MR_NODISCARD int mr_padded_init(struct mr_padded *padded_out, size_t capacity);
void mr_padded_fini(struct mr_padded *padded);

// The receiving side of one connection. All zero when new.
struct mr_receive {
    uint8_t *run; // received and not yet taken apart; stands in the shared buffer or in `held`
    size_t run_bytes;
    struct mr_padded own;  // the payload that is cut off: own_bytes of head.payload_bytes
    struct mr_padded held; // input put aside by mr_receive_hold()
    size_t own_bytes;
    struct mr_frame_head head; // of the frame that is being received, when in_payload
    uint8_t head_bytes[MR_FRAME_HEAD_BYTES];
    uint32_t head_count; // bytes of a header that is cut off, when not in_payload
    bool in_payload;
};

enum mr_receive_event {
    MR_RECEIVE_MORE,  // nothing more without another mr_receive_fill()
    MR_RECEIVE_HEAD,  // a header is there: receive->head; its payload is not looked at yet
    MR_RECEIVE_FRAME, // a payload is there, valid until the next call
    MR_RECEIVE_MEMORY // no memory for the payload; the connection must end
};

// Frees everything.
void mr_receive_fini(struct mr_receive *receive);

// Whether input waits that needs no fill.
static inline bool mr_receive_waiting(const struct mr_receive *receive)
{
    return receive->run_bytes > 0;
}

// Receives once: what is missing of the frame that is cut off, and what follows, into `shared`
// (as large as it is). Nothing may be waiting. The bytes received, 0 at the end of input, -EAGAIN,
// -ENOMEM or another negative errno.
MR_NODISCARD ssize_t mr_receive_fill(struct mr_receive *receive, int file,
                                     const struct mr_padded *shared);

// The next step through what was received. *payload_out is set with MR_RECEIVE_FRAME only;
// receive->head is that frame's.
MR_NODISCARD enum mr_receive_event mr_receive_next(struct mr_receive *receive,
                                                   uint8_t **payload_out);

// Puts what waits aside, so that the shared buffer can serve another connection; mr_receive_next()
// goes on with it later. 0 or -ENOMEM.
MR_NODISCARD int mr_receive_hold(struct mr_receive *receive);

// Gives back memory that nothing stands in.
void mr_receive_release(struct mr_receive *receive);

#endif
