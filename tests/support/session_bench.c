// session_bench.c: see session_bench.h.
#define _GNU_SOURCE
#include "session_bench.h"

#include "fake_contestant.h"

#include <base/mr_assert.h>

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define SHARED_BYTES 4096u
#define WELCOME_TEXT "{\"contestant\":\"fake\"}"

int bench_init(struct bench *bench_out, enum mr_mode mode)
{
    *bench_out = (struct bench){0};
    int failed = mr_books_init(&bench_out->books, 1);
    if (failed != 0) {
        return failed;
    }
    bench_out->room.books = &bench_out->books;
    bench_out->room.welcome = WELCOME_TEXT;
    bench_out->room.welcome_bytes = sizeof WELCOME_TEXT - 1;
    bench_out->room.max_payload_bytes = 1000;
    failed = mr_padded_init(&bench_out->room.shared, SHARED_BYTES);
    struct mr_worker_params params = {.contestant = &fake_contestant,
                                      .book = bench_out->books.book,
                                      .mode = mode,
                                      .max_kept_bytes = 1 << 20};
    if (failed == 0) {
        failed = mr_worker_init(&bench_out->room.worker, &params);
    }
    if (failed != 0) {
        bench_fini(bench_out);
    }
    return failed;
}

void bench_fini(struct bench *bench)
{
    mr_worker_fini(&bench->room.worker);
    mr_padded_fini(&bench->room.shared);
    mr_books_fini(&bench->books);
}

int bench_connect(struct bench_client *client_out)
{
    *client_out = (struct bench_client){.file = -1};
    int files[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, files) != 0) {
        return -errno;
    }
    client_out->input = malloc(BENCH_INPUT_BYTES);
    MR_ASSERT(client_out->input != NULL);
    client_out->file = files[1];
    mr_session_init(&client_out->session, files[0]);
    return 0;
}

void bench_close(struct bench_client *client, struct bench *bench)
{
    if (client->session.file >= 0) {
        mr_session_fini(&client->session, &bench->room);
    }
    if (client->file >= 0) {
        (void)close(client->file);
    }
    free(client->input);
    *client = (struct bench_client){.file = -1};
}

void bench_send(struct bench_client *client, uint8_t type, uint64_t sequence, const char *payload)
{
    uint8_t bytes[4096];
    size_t payload_bytes = strlen(payload);
    MR_ASSERT(payload_bytes <= sizeof bytes - MR_FRAME_HEAD_BYTES);
    struct mr_frame_head head = {.payload_bytes = (uint32_t)payload_bytes,
                                 .type = type,
                                 .version = MR_WIRE_VERSION,
                                 .sequence = sequence};
    mr_frame_head_encode(&head, bytes);
    // NOLINTNEXTLINE(bugprone-not-null-terminated-result): bytes of a frame, no string
    memcpy(bytes + MR_FRAME_HEAD_BYTES, payload, payload_bytes);
    size_t size = MR_FRAME_HEAD_BYTES + payload_bytes;
    for (size_t at = 0; at < size;) {
        ssize_t sent = send(client->file, bytes + at, size - at, MSG_NOSIGNAL);
        MR_ASSERT(sent > 0);
        at += (size_t)sent;
    }
}

void bench_run(struct bench_client *client, struct bench *bench)
{
    struct mr_session *session = &client->session;
    while (session->state != MR_SESSION_OVER) {
        unsigned wants = mr_session_wants(session);
        struct pollfd ready = {
            .fd = session->file,
            .events = (short)(((wants & MR_WANTS_INPUT) != 0 ? POLLIN : 0) |
                              ((wants & MR_WANTS_OUTPUT) != 0 ? POLLOUT : 0)),
        };
        // As epoll: what is not asked for is not told, but for errors.
        if (poll(&ready, 1, 0) <= 0 || (ready.revents & ~POLLHUP) == 0) {
            return;
        }
        mr_session_turn(session, &bench->room, (ready.revents & (POLLIN | POLLERR)) != 0);
    }
}

void bench_receive(struct bench_client *client)
{
    ssize_t got;
    while ((got = recv(client->file, client->input + client->input_bytes,
                       BENCH_INPUT_BYTES - client->input_bytes, MSG_DONTWAIT)) > 0) {
        client->input_bytes += (size_t)got;
    }
    client->ended = client->ended || got == 0;
}

bool bench_reply(struct bench_client *client, struct bench_reply *reply_out)
{
    size_t left = client->input_bytes - client->taken;
    if (left < MR_FRAME_HEAD_BYTES) {
        return false;
    }
    reply_out->head = mr_frame_head_decode(client->input + client->taken);
    reply_out->payload = client->input + client->taken + MR_FRAME_HEAD_BYTES;
    size_t whole = MR_FRAME_HEAD_BYTES + (size_t)reply_out->head.payload_bytes;
    if (left < whole) {
        return false;
    }
    client->taken += whole;
    return true;
}
