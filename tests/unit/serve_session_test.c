// serve_session_test.c: the states of a conversation, turn by turn.
#define _GNU_SOURCE
#include "fake_contestant.h"
#include "session_bench.h"

#include <base/clock.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cmocka.h>

static struct bench bench;
static struct bench_client client;

static void begin(enum mr_mode mode)
{
    assert_int_equal(bench_init(&bench, mode), 0);
    assert_int_equal(bench_connect(&client), 0);
}

static void end(void)
{
    bench_close(&client, &bench);
    bench_fini(&bench);
}

static void run(void)
{
    bench_run(&client, &bench);
    bench_receive(&client);
}

static struct bench_reply wants_reply(enum mr_frame_type type, uint64_t sequence)
{
    struct bench_reply reply = {0};
    assert_true(bench_reply(&client, &reply));
    assert_int_equal(reply.head.type, type);
    assert_int_equal(reply.head.version, MR_WIRE_VERSION);
    assert_int_equal(reply.head.reserved, 0);
    assert_int_equal(reply.head.sequence, sequence);
    return reply;
}

static void wants_ack(uint64_t sequence, uint32_t records)
{
    struct bench_reply reply = wants_reply(MR_FRAME_ACK, sequence);
    assert_int_equal(reply.head.payload_bytes, MR_ACK_BYTES);
    struct mr_ack ack = mr_ack_decode(reply.payload);
    assert_int_equal(ack.status, 0);
    assert_int_equal(ack.records, records);
    assert_true(ack.digest == fake_digest(records));
    assert_true(ack.error == 0 && ack.error_record == 0 && ack.error_offset == 0);
}

static void wants_no_more(void)
{
    assert_int_equal(client.taken, client.input_bytes);
}

static struct mr_totals totals(void)
{
    struct mr_totals totals;
    mr_books_totals(&bench.books, &totals);
    return totals;
}

static struct mr_kept kept(void)
{
    struct mr_kept kept;
    mr_books_kept(&bench.books, &kept);
    return kept;
}

static void test_each_request(void **state)
{
    (void)state;
    begin(MR_MODE_KEEP);
    bench_send(&client, MR_FRAME_HELLO, 9, "");
    bench_send(&client, MR_FRAME_BATCH, 8, "3");
    bench_send(&client, MR_FRAME_BATCH, 7, "x");
    bench_send(&client, MR_FRAME_STATS, 6, "");
    bench_send(&client, MR_FRAME_KEPT, 5, "");
    bench_send(&client, MR_FRAME_BATCH, 4, "");
    run();
    struct bench_reply reply = wants_reply(MR_FRAME_WELCOME, 9);
    assert_memory_equal(reply.payload, bench.room.welcome, bench.room.welcome_bytes);
    wants_ack(8, 3);
    struct mr_ack rejected = mr_ack_decode(wants_reply(MR_FRAME_ACK, 7).payload);
    assert_true(rejected.status == 1 && rejected.records == 0 && rejected.digest == 0);
    assert_true(rejected.error == MR_ERROR_SYNTAX && rejected.error_record == 7 &&
                rejected.error_offset == 1);
    reply = wants_reply(MR_FRAME_STATS_REPLY, 6);
    // All that came before, nothing that came behind.
    const char *begin_text = "{\"totals\":{\"batches_accepted\":\"0000000000000001\","
                             "\"batches_rejected\":\"0000000000000001\","
                             "\"records\":\"0000000000000003\"";
    assert_memory_equal(reply.payload, begin_text, strlen(begin_text));
    reply = wants_reply(MR_FRAME_KEPT_REPLY, 5);
    char kept_text[128];
    (void)snprintf(kept_text, sizeof kept_text,
                   "{\"batches\":\"0000000000000001\",\"records\":\"0000000000000003\","
                   "\"digest\":\"%016llx\"}",
                   (unsigned long long)fake_digest(3));
    assert_int_equal(reply.head.payload_bytes, strlen(kept_text));
    assert_memory_equal(reply.payload, kept_text, strlen(kept_text));
    assert_int_equal(mr_ack_decode(wants_reply(MR_FRAME_ACK, 4).payload).status, 1);
    wants_no_more();
    assert_int_equal(client.session.state, MR_SESSION_OPEN);
    end();
}

static void test_drain_looks_at_nothing(void **state)
{
    (void)state;
    begin(MR_MODE_DRAIN);
    bench_send(&client, MR_FRAME_BATCH, 1, "hang");
    bench_send(&client, MR_FRAME_BATCH, 2, "12");
    run();
    wants_ack(1, 0);
    wants_ack(2, 0);
    assert_int_equal(totals().batches_accepted, 2);
    assert_int_equal(totals().payload_bytes, 6);
    assert_int_equal(totals().records, 0);
    assert_int_equal(kept().batches, 0);
    assert_null(client.session.shelf.ring);
    end();
}

// A header and what is wrong with it.
struct wrong_head {
    struct mr_frame_head head;
    const char *text;
};

static void test_wrong_headers(void **state)
{
    (void)state;
    const struct wrong_head wrong[] = {
        {{.type = MR_FRAME_BATCH, .version = 2}, "protocol version 2 is not spoken here, only 1"},
        {{.type = MR_FRAME_BATCH, .version = 1, .reserved = 256},
         "the reserved field is 0x0100 and must be 0"},
        {{.type = 0x05, .version = 1}, "unknown frame type 0x05"},
        {{.type = MR_FRAME_ACK, .version = 1}, "unknown frame type 0x82"},
        {{.type = MR_FRAME_HELLO, .version = 1, .payload_bytes = 1},
         "a frame of type 0x01 has no payload, not 1 bytes"},
        {{.type = MR_FRAME_STATS, .version = 1, .payload_bytes = 4000000000u},
         "a frame of type 0x03 has no payload, not 4000000000 bytes"},
        {{.type = MR_FRAME_KEPT, .version = 1, .payload_bytes = 2},
         "a frame of type 0x04 has no payload, not 2 bytes"},
        {{.type = MR_FRAME_BATCH, .version = 1, .payload_bytes = 1001},
         "a payload of 1001 bytes is over the limit of 1000"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        begin(MR_MODE_KEEP);
        bench_send(&client, MR_FRAME_BATCH, 1, "2");
        uint8_t bytes[MR_FRAME_HEAD_BYTES];
        struct mr_frame_head head = wrong[i].head;
        head.sequence = 0xABCD;
        mr_frame_head_encode(&head, bytes);
        assert_int_equal(write(client.file, bytes, sizeof bytes), sizeof bytes);
        bench_send(&client, MR_FRAME_BATCH, 2, "2");
        run();
        wants_ack(1, 2);
        struct bench_reply reply = wants_reply(MR_FRAME_ERROR, 0xABCD);
        assert_int_equal(reply.head.payload_bytes, strlen(wrong[i].text));
        assert_memory_equal(reply.payload, wrong[i].text, strlen(wrong[i].text));
        wants_no_more();
        assert_true(client.ended);
        assert_int_equal(client.session.state, MR_SESSION_LINGERING);
        assert_int_equal(totals().batches_accepted, 1);
        assert_int_equal(kept().batches, 0); // the conversation is over, its ring is gone
        end();
    }
}

static void test_lingering_ends_with_the_client(void **state)
{
    (void)state;
    begin(MR_MODE_KEEP);
    bench_send(&client, 0x77, 1, "");
    run();
    wants_reply(MR_FRAME_ERROR, 1);
    bench_send(&client, MR_FRAME_BATCH, 2, "2");
    run();
    assert_int_equal(client.session.state, MR_SESSION_LINGERING);
    wants_no_more();
    assert_int_equal(shutdown(client.file, SHUT_WR), 0);
    run();
    assert_int_equal(client.session.state, MR_SESSION_OVER);
    end();
}

static void test_lingering_ends_after_a_second(void **state)
{
    (void)state;
    begin(MR_MODE_KEEP);
    bench_send(&client, 0x77, 1, "");
    uint64_t before_ns = mr_clock_ns();
    run();
    uint64_t after_ns = mr_clock_ns();
    assert_true(mr_session_rest(&client.session, before_ns + MR_LINGER_NS - 1));
    assert_int_equal(client.session.state, MR_SESSION_LINGERING);
    (void)mr_session_rest(&client.session, after_ns + MR_LINGER_NS);
    assert_int_equal(client.session.state, MR_SESSION_OVER);
    end();
}

// One byte each; the frame that is cut off gets no reply.
static void test_half_close(void **state)
{
    (void)state;
    begin(MR_MODE_TOTALS);
    uint8_t bytes[256];
    size_t size = 0;
    for (uint64_t i = 0; i < 3; i++) {
        struct mr_frame_head head = {
            .payload_bytes = 2, .type = MR_FRAME_BATCH, .version = 1, .sequence = i};
        mr_frame_head_encode(&head, bytes + size);
        // NOLINTNEXTLINE(bugprone-not-null-terminated-result): bytes of a frame, no string
        memcpy(bytes + size + MR_FRAME_HEAD_BYTES, "05", 2);
        size += MR_FRAME_HEAD_BYTES + 2;
    }
    for (size_t i = 0; i < size - 1; i++) {
        assert_int_equal(write(client.file, bytes + i, 1), 1);
        run();
    }
    assert_int_equal(shutdown(client.file, SHUT_WR), 0);
    run();
    wants_ack(0, 5);
    wants_ack(1, 5);
    wants_no_more();
    assert_int_equal(client.session.state, MR_SESSION_OVER);
    assert_int_equal(totals().batches_accepted, 2);
    assert_int_equal(totals().payload_bytes, 4);
    end();
}

static void test_max_kept(void **state)
{
    (void)state;
    begin(MR_MODE_KEEP);
    bench.room.worker.max_kept_bytes = 5 * 32;
    bench_send(&client, MR_FRAME_BATCH, 1, "2");
    bench_send(&client, MR_FRAME_BATCH, 2, "3");
    bench_send(&client, MR_FRAME_BATCH, 3, "1");
    bench_send(&client, MR_FRAME_BATCH, 4, "1");
    run();
    wants_ack(1, 2);
    wants_ack(2, 3);
    struct bench_reply reply = wants_reply(MR_FRAME_ERROR, 3);
    const char *text = "the kept batches are over the limit of 160 bytes";
    assert_memory_equal(reply.payload, text, strlen(text));
    wants_no_more();
    // A batch without an answer is in no total.
    assert_int_equal(totals().batches_accepted, 2);
    assert_int_equal(kept().batches, 0);
    end();
}

// Fills the client's side until the server stops reading, and says how many requests it has sent.
static uint64_t clog_up(uint8_t type)
{
    uint64_t sequence = 0;
    for (;;) {
        for (int i = 0; i < 100; i++) {
            bench_send(&client, type, sequence++, "");
        }
        bench_run(&client, &bench);
        if ((mr_session_wants(&client.session) & MR_WANTS_INPUT) == 0) {
            return sequence;
        }
        assert_true(sequence < 1000000);
    }
}

static void test_clogged_and_resumed(void **state)
{
    (void)state;
    begin(MR_MODE_TOTALS);
    uint64_t sent = clog_up(MR_FRAME_STATS);
    size_t unsent = mr_replies_unsent_bytes(&client.session.replies);
    assert_true(unsent > MR_UNSENT_REPLY_BYTES_LIMIT);
    assert_true(unsent < MR_UNSENT_REPLY_BYTES_LIMIT + 2048); // one reply more, not all of them
    assert_true(mr_receive_waiting(&client.session.receive));
    bench_send(&client, MR_FRAME_HELLO, sent, "");
    // The client reads: everything comes, in order, and nothing waits for another event.
    for (uint64_t sequence = 0; sequence < sent;) {
        bench_receive(&client);
        struct bench_reply reply;
        while (sequence < sent && bench_reply(&client, &reply)) {
            assert_int_equal(reply.head.sequence, sequence);
            assert_int_equal(reply.head.type, MR_FRAME_STATS_REPLY);
            sequence++;
        }
        memmove(client.input, client.input + client.taken, client.input_bytes - client.taken);
        client.input_bytes -= client.taken;
        client.taken = 0;
        unsigned wants = mr_session_wants(&client.session);
        assert_true(wants != 0); // or nobody would call it again
        bench_run(&client, &bench);
    }
    bench_receive(&client);
    wants_reply(MR_FRAME_WELCOME, sent);
    wants_no_more();
    assert_int_equal(mr_session_wants(&client.session), MR_WANTS_INPUT);
    end();
}

static void test_clogged_and_gone(void **state)
{
    (void)state;
    begin(MR_MODE_TOTALS);
    (void)clog_up(MR_FRAME_HELLO);
    assert_int_equal(close(client.file), 0);
    client.file = -1;
    bench_run(&client, &bench);
    assert_int_equal(client.session.state, MR_SESSION_OVER);
    end();
}

// An ERROR behind a clogged conversation comes last; input is discarded once there is room.
static void test_error_behind_unread_replies(void **state)
{
    (void)state;
    begin(MR_MODE_TOTALS);
    uint64_t sequence = 0;
    while (mr_replies_unsent_bytes(&client.session.replies) < 10000) {
        bench_send(&client, MR_FRAME_STATS, sequence++, "");
        bench_run(&client, &bench);
    }
    bench_send(&client, 0x66, 0xE, "");
    bench_run(&client, &bench);
    assert_int_equal(client.session.state, MR_SESSION_FAILED);
    assert_true((mr_session_wants(&client.session) & MR_WANTS_INPUT) != 0);
    assert_int_equal(shutdown(client.file, SHUT_WR), 0);
    uint64_t next = 0;
    while (client.session.state != MR_SESSION_OVER) {
        run();
    }
    bench_receive(&client);
    for (; next < sequence; next++) {
        wants_reply(MR_FRAME_STATS_REPLY, next);
    }
    wants_reply(MR_FRAME_ERROR, 0xE);
    wants_no_more();
    assert_true(client.ended);
    end();
}

// An idle session gives its memory back at the second call; a cut-off frame stays.
static void test_rest(void **state)
{
    (void)state;
    begin(MR_MODE_KEEP);
    struct mr_frame_head head = {.payload_bytes = 900, .type = MR_FRAME_BATCH, .version = 1};
    uint8_t bytes[MR_FRAME_HEAD_BYTES + 900];
    mr_frame_head_encode(&head, bytes);
    memset(bytes + MR_FRAME_HEAD_BYTES, ' ', 899);
    bytes[sizeof bytes - 1] = '1';
    assert_int_equal(write(client.file, bytes, 500), 500);
    run();
    assert_true(mr_session_rest(&client.session, 1));
    assert_false(mr_session_rest(&client.session, 2));
    assert_int_equal(client.session.receive.own.capacity, 900);
    assert_int_equal(write(client.file, bytes + 500, sizeof bytes - 500), sizeof bytes - 500);
    run();
    wants_ack(0, 1);
    assert_non_null(client.session.receive.own.bytes);
    assert_non_null(client.session.replies.bytes);
    assert_true(mr_session_rest(&client.session, 3));
    assert_false(mr_session_rest(&client.session, 4));
    assert_null(client.session.receive.own.bytes);
    assert_null(client.session.replies.bytes);
    assert_int_equal(kept().batches, 1); // the ring is no idle memory
    end();
}

// Totals and kept copies of several connections add up; they go with their connection.
static void test_two_connections(void **state)
{
    (void)state;
    begin(MR_MODE_FRESH);
    struct bench_client other;
    assert_int_equal(bench_connect(&other), 0);
    for (uint64_t i = 0; i < 70; i++) {
        bench_send(&client, MR_FRAME_BATCH, i, "1");
        bench_send(&other, MR_FRAME_BATCH, i, i % 2 == 0 ? "2" : "no");
        run();
        bench_run(&other, &bench);
    }
    assert_int_equal(totals().batches_accepted, 105);
    assert_int_equal(totals().batches_rejected, 35);
    assert_int_equal(totals().records, 140);
    assert_int_equal(kept().batches, 64 + 35);
    assert_int_equal(kept().records, 64 + 70);
    assert_true(kept().digest == 64 * fake_digest(1) + 35 * fake_digest(2));
    bench_close(&other, &bench);
    assert_int_equal(kept().batches, 64);
    assert_int_equal(totals().batches_accepted, 105);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_request),
        cmocka_unit_test(test_drain_looks_at_nothing),
        cmocka_unit_test(test_wrong_headers),
        cmocka_unit_test(test_lingering_ends_with_the_client),
        cmocka_unit_test(test_lingering_ends_after_a_second),
        cmocka_unit_test(test_half_close),
        cmocka_unit_test(test_max_kept),
        cmocka_unit_test(test_clogged_and_resumed),
        cmocka_unit_test(test_clogged_and_gone),
        cmocka_unit_test(test_error_behind_unread_replies),
        cmocka_unit_test(test_rest),
        cmocka_unit_test(test_two_connections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
