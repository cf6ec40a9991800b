// session_bench.h: a session of lib/serve over a socket pair, with the fake contestant behind it:
// turn by turn, no threads, no waiting.
#ifndef MR_TEST_SESSION_BENCH_H
#define MR_TEST_SESSION_BENCH_H

#include <serve/session.h>
#include <wire/wire.h>

#include <stddef.h>
#include <stdint.h>

#define BENCH_INPUT_BYTES (8u << 20)

// One book, its room, and sessions over it.
struct bench {
    struct mr_books books;
    struct mr_session_room room;
};

// A client's end and what came out of it so far.
struct bench_client {
    struct mr_session session;
    int file;
    uint8_t *input; // BENCH_INPUT_BYTES
    size_t input_bytes;
    size_t taken;
    bool ended; // the server has shut its side
};

// A reply taken from the client's input; `payload` points into it.
struct bench_reply {
    struct mr_frame_head head;
    const uint8_t *payload;
};

// 0 or a negative errno. The limits may be changed in `room` afterwards.
int bench_init(struct bench *bench_out, enum mr_mode mode);
void bench_fini(struct bench *bench);

int bench_connect(struct bench_client *client_out);
void bench_close(struct bench_client *client, struct bench *bench);

// Writes a frame to the server; the socket must have room.
void bench_send(struct bench_client *client, uint8_t type, uint64_t sequence, const char *payload);

// Turns until the session has nothing more to do without its client, as epoll would: input turns
// while there is any and it is wanted, output turns while the socket takes any.
void bench_run(struct bench_client *client, struct bench *bench);

// Receives what the server has sent.
void bench_receive(struct bench_client *client);

// Takes the next whole reply; false when there is none.
bool bench_reply(struct bench_client *client, struct bench_reply *reply_out);

#endif
