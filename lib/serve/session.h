// session.h: the protocol state of one connection: section 5 of docs/PROTOCOL.md from the server's
// side, over any stream socket.
//
// A session is driven by turns: its loop calls mr_session_turn() when the socket is ready for what
// mr_session_wants() said. A turn receives once, answers what is whole, and hands the replies to
// the kernel: so one connection costs its loop at most one shared buffer of small frames, or one
// large frame, before the others have their turn.
//
// Memory of a connection, beside the ring that section 4 asks for: this struct; nothing more while
// it is idle. While it is not: its cut-off payload (receive.h), its unsent replies (replies.h),
// and input held back (receive.h). mr_session_rest() gives back what is not in use.
#ifndef MR_SERVE_SESSION_H
#define MR_SERVE_SESSION_H

#include "books.h"
#include "receive.h"
#include "replies.h"
#include "worker.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What the sessions of one loop share. Used by that loop's thread alone.
struct mr_session_room {
    struct mr_worker worker;
    struct mr_padded shared; // every session receives into it; nothing stays there over turns
    struct mr_books *books;  // of all loops
    const char *welcome;     // the text of WELCOME
    size_t welcome_bytes;
    uint32_t max_payload_bytes;
};

enum mr_session_state {
    MR_SESSION_OPEN,      // requests are read and answered
    MR_SESSION_ENDING,    // the client sends no more: what is unsent goes out, then it is over
    MR_SESSION_FAILED,    // ERROR is the last reply: what is unsent goes out, input is discarded
    MR_SESSION_LINGERING, // the writing side is shut; input is discarded until its end or a time
    MR_SESSION_OVER,      // to be closed
};

// How long a client has to end its side after ERROR. Section 5.
#define MR_LINGER_NS 1000000000ull

struct mr_session {
    int file;
    enum mr_session_state state;
    bool was_active;          // had a turn since the last mr_session_rest()
    bool input_ended;         // the client has shut its writing side
    uint64_t linger_until_ns; // of mr_clock_ns(), when lingering
    struct mr_receive receive;
    struct mr_replies replies;
    struct mr_shelf shelf;
};

// A session over `file`, a non-blocking stream socket that it owns from now on.
void mr_session_init(struct mr_session *session_out, int file);

// Ends ring and memory and closes the socket.
void mr_session_fini(struct mr_session *session, struct mr_session_room *room);

// Ends the conversation with ERROR: `text` is for people, `sequence` the offending one.
void mr_session_fail(struct mr_session *session, struct mr_session_room *room, uint64_t sequence,
                     const char *text);

// Does what can be done without waiting. `readable`: the socket has input, an end or an error.
void mr_session_turn(struct mr_session *session, struct mr_session_room *room, bool readable);

// What the session waits for: any of MR_WANTS_INPUT and MR_WANTS_OUTPUT.
#define MR_WANTS_INPUT  1u
#define MR_WANTS_OUTPUT 2u
unsigned mr_session_wants(const struct mr_session *session);

// To be called now and then: ends a session that has lingered long enough, gives memory back when
// it had no turn since the last call. True when there is something left to do for a later call.
bool mr_session_rest(struct mr_session *session, uint64_t now_ns);

#endif
