// call.h: one question and its reply on an idle connection, before and after the timed part: HELLO,
// STATS, KEPT.
#ifndef MR_LOAD_CALL_H
#define MR_LOAD_CALL_H

#include "client.h"
#include "load_failure.h"

#include "wire/wire.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Sequence numbers of questions have this bit; those of batches never reach it.
#define MR_QUESTION_SEQUENCE (1ull << 63)

// A reply's JSON, with a zero byte behind it; owned, ended by free().
struct mr_call_reply {
    char *json;
    size_t json_bytes;
    uint64_t at_ns; // when it was there
};

struct mr_call_params {
    enum mr_frame_type question; // without payload
    enum mr_frame_type answer;   // the reply's type
    uint64_t timeout_ns;         // until the reply is whole
    int cancel_fd;               // -1: none
};

// Asks and waits. Where a gate is switched off, what it would have failed is passed over; then true
// with no JSON may be returned: there was no answer. False: *failure says what went wrong: ERROR
// frame or a wrong frame (protocol), end of the connection (lost), nothing within the timeout
// (stalled), signal (interrupted).
MR_NODISCARD bool mr_call(struct mr_client *client, const struct mr_call_params *params,
                          struct mr_call_reply *reply_out, struct mr_load_failure *failure);

// Says in *failure why receive or send of a connection ended with `error` (0: end of stream,
// otherwise a negative errno); returns as mr_load_fail() does.
bool mr_call_lost(const struct mr_client *client, int error, struct mr_load_failure *failure);

// Says in *failure that the frame is an ERROR with its text; returns as mr_load_fail() does.
bool mr_call_error_frame(const struct mr_client *client, const struct mr_client_frame *frame,
                         struct mr_load_failure *failure);

#endif
