// serve_alloc_fault_test.c: memory that runs out at every place: the connection ends in words or is
// closed, the others go on, totals stay exact, nothing is lost.
#define _GNU_SOURCE
#include "counting_alloc.h"
#include "fake_contestant.h"
#include "session_bench.h"

#include <serve/describe.h>
#include <wire/frames.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#define PAYLOAD_BYTES 900u // cut off, so that it needs memory of its own
#define PLACES_MAX    200u

// What one conversation came to.
struct outcome {
    uint64_t acks;
    uint64_t others;
    bool had_error;
    bool is_over;
};

static void send_cut(struct bench_client *client, struct bench *bench, uint64_t sequence)
{
    uint8_t bytes[MR_FRAME_HEAD_BYTES + PAYLOAD_BYTES];
    struct mr_frame_head head = {.payload_bytes = PAYLOAD_BYTES,
                                 .type = MR_FRAME_BATCH,
                                 .version = MR_WIRE_VERSION,
                                 .sequence = sequence};
    mr_frame_head_encode(&head, bytes);
    memset(bytes + MR_FRAME_HEAD_BYTES, ' ', PAYLOAD_BYTES);
    bytes[sizeof bytes - 1] = '5';
    ssize_t sent = write(client->file, bytes, sizeof bytes / 2);
    assert_int_equal(sent, sizeof bytes / 2);
    bench_run(client, bench);
    if (client->session.state == MR_SESSION_OPEN) {
        sent = write(client->file, bytes + sizeof bytes / 2, sizeof bytes - sizeof bytes / 2);
        assert_int_equal(sent, sizeof bytes - sizeof bytes / 2);
        bench_run(client, bench);
    }
}

static struct outcome take_replies(struct bench_client *client)
{
    struct outcome outcome = {.is_over = client->session.state != MR_SESSION_OPEN};
    struct bench_reply reply;
    bench_receive(client);
    while (bench_reply(client, &reply)) {
        assert_false(outcome.had_error); // ERROR is the last
        if (reply.head.type == MR_FRAME_ACK) {
            struct mr_ack ack = mr_ack_decode(reply.payload);
            assert_true(ack.records == 5 && ack.digest == fake_digest(5) && ack.status == 0);
            assert_int_equal(reply.head.sequence, outcome.acks + outcome.others);
            outcome.acks++;
        } else if (reply.head.type == MR_FRAME_ERROR) {
            outcome.had_error = true;
            assert_true(reply.head.payload_bytes > 10);
        } else {
            outcome.others++;
        }
    }
    return outcome;
}

// A conversation with all requests, whose allocations fail from the `fail_from`th on.
static struct outcome converse(struct bench_client *client, struct bench *bench, uint64_t fail_from)
{
    mr_alloc_fail_from(fail_from);
    uint64_t sequence = 0;
    for (int i = 0; i < 3 && client->session.state == MR_SESSION_OPEN; i++) {
        send_cut(client, bench, sequence++);
    }
    const uint8_t types[] = {MR_FRAME_HELLO, MR_FRAME_STATS, MR_FRAME_KEPT};
    for (size_t i = 0; i < 3 && client->session.state == MR_SESSION_OPEN; i++) {
        bench_send(client, types[i], sequence++, "");
    }
    for (int i = 0; i < 3 && client->session.state == MR_SESSION_OPEN; i++) {
        send_cut(client, bench, sequence++);
    }
    mr_alloc_fail_from(0);
    return take_replies(client);
}

static void check_totals(struct bench *bench, uint64_t acks_least, uint64_t acks_most)
{
    struct mr_totals totals;
    mr_books_totals(&bench->books, &totals);
    assert_true(totals.batches_accepted >= acks_least && totals.batches_accepted <= acks_most);
    assert_int_equal(totals.records, totals.batches_accepted * 5);
    assert_true(totals.digest == totals.batches_accepted * fake_digest(5));
    assert_int_equal(totals.batches_rejected, 0);
}

// Returns whether the conversation came to its end without a failure: then there are no more
// places.
static bool fail_at(enum mr_mode mode, uint64_t place)
{
    struct bench bench;
    struct bench_client client;
    struct bench_client other;
    assert_int_equal(bench_init(&bench, mode), 0);
    assert_int_equal(bench_connect(&client), 0);
    assert_int_equal(bench_connect(&other), 0);
    struct outcome outcome = converse(&client, &bench, place);
    bool whole = outcome.acks == 6 && outcome.others == 3 && !outcome.is_over;
    assert_true(whole || outcome.is_over);
    // The last batch may have been taken before there was no memory for its reply.
    check_totals(&bench, outcome.acks, outcome.acks + (whole ? 0 : 1));
    struct outcome others = converse(&other, &bench, 0);
    assert_true(others.acks == 6 && others.others == 3 && !others.is_over);
    if (client.session.state == MR_SESSION_OVER) {
        mr_session_fini(&client.session, &bench.room); // as its loop does
    }
    struct mr_kept kept;
    mr_books_kept(&bench.books, &kept);
    assert_int_equal(kept.batches, mode == MR_MODE_TOTALS ? 0 : whole ? 12 : 6);
    bench_close(&client, &bench);
    bench_close(&other, &bench);
    bench_fini(&bench);
    return whole;
}

static void test_conversation(void **state)
{
    (void)state;
    const enum mr_mode modes[] = {MR_MODE_TOTALS, MR_MODE_KEEP, MR_MODE_FRESH};
    for (size_t i = 0; i < 3; i++) {
        struct mr_alloc_counts before = mr_alloc_counts();
        uint64_t place = 1;
        while (!fail_at(modes[i], place)) {
            place++;
            assert_true(place < PLACES_MAX);
        }
        assert_true(place > 4); // ring, place, own memory, replies at least
        assert_int_equal(mr_alloc_counts().live, before.live);
    }
}

// Sends requests until the session takes no more or is over; the number of them.
static uint64_t clog_up(struct bench_client *client, struct bench *bench, uint64_t sequence)
{
    do {
        for (int i = 0; i < 100; i++) {
            bench_send(client, MR_FRAME_STATS, sequence++, "");
        }
        bench_run(client, bench);
        assert_true(sequence < 100000);
    } while (client->session.state == MR_SESSION_OPEN &&
             (mr_session_wants(&client->session) & MR_WANTS_INPUT) != 0);
    return sequence;
}

// Takes replies until the session has nothing unsent; the last of them.
static struct bench_reply take_all(struct bench_client *client, struct bench *bench,
                                   uint64_t *sequence_io)
{
    struct bench_reply reply = {.head.type = MR_FRAME_STATS_REPLY};
    do {
        bench_run(client, bench);
        bench_receive(client);
        while (bench_reply(client, &reply) && reply.head.type == MR_FRAME_STATS_REPLY) {
            assert_int_equal(reply.head.sequence, *sequence_io);
            (*sequence_io)++;
        }
    } while (mr_replies_unsent_bytes(&client->session.replies) > 0);
    client->input_bytes = 0;
    client->taken = 0;
    return reply;
}

// Input behind unread replies cannot be put aside: ERROR, after all replies.
static void test_no_memory_to_hold_input(void **state)
{
    (void)state;
    struct bench bench;
    struct bench_client client;
    assert_int_equal(bench_init(&bench, MR_MODE_TOTALS), 0);
    assert_int_equal(bench_connect(&client), 0);
    // The first time makes the queue of replies as large as it ever needs to be.
    uint64_t sent = clog_up(&client, &bench, 0);
    uint64_t answered = 0;
    (void)take_all(&client, &bench, &answered);
    assert_int_equal(answered, sent);
    mr_alloc_fail_from(1);
    sent = clog_up(&client, &bench, sent);
    mr_alloc_fail_from(0);
    assert_int_equal(client.session.state, MR_SESSION_FAILED);
    struct bench_reply last = take_all(&client, &bench, &answered);
    assert_int_equal(last.head.type, MR_FRAME_ERROR);
    assert_true(answered < sent);
    assert_true(client.ended);
    bench_close(&client, &bench);
    bench_fini(&bench);
}

static void test_start(void **state)
{
    (void)state;
    struct mr_alloc_counts before = mr_alloc_counts();
    int failed = -ENOMEM;
    for (uint64_t place = 1; failed != 0; place++) {
        struct bench bench;
        mr_alloc_fail_from(place);
        failed = bench_init(&bench, MR_MODE_KEEP);
        mr_alloc_fail_from(0);
        assert_true(failed == 0 || failed == -ENOMEM);
        assert_true(failed != 0 || place == 4); // books, shared buffer, parser
        if (failed == 0) {
            bench_fini(&bench);
        }
    }
    char *text = NULL;
    size_t bytes = 0;
    struct mr_welcome welcome = {.contestant = &fake_contestant, .mode = MR_MODE_KEEP};
    mr_alloc_fail_from(1);
    assert_int_equal(mr_describe_welcome(&welcome, &text, &bytes), -ENOMEM);
    mr_alloc_fail_from(0);
    assert_int_equal(mr_alloc_counts().live, before.live);
}

static void test_frames_file(void **state)
{
    (void)state;
    char path[] = "/tmp/mr-alloc-fault-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    for (uint64_t i = 0; i < 600; i++) {
        uint8_t bytes[MR_FRAME_HEAD_BYTES];
        struct mr_frame_head head = {
            .type = MR_FRAME_BATCH, .version = MR_WIRE_VERSION, .sequence = i};
        mr_frame_head_encode(&head, bytes);
        assert_int_equal(write(file, bytes, sizeof bytes), sizeof bytes);
    }
    assert_int_equal(close(file), 0);
    int failed = -ENOMEM;
    for (uint64_t place = 1; failed != 0; place++) {
        struct mr_frames frames;
        struct mr_frames_fault fault;
        mr_alloc_fail_from(place);
        failed = mr_frames_init(&frames, path, &fault);
        mr_alloc_fail_from(0);
        assert_true(failed == 0 || failed == -ENOMEM);
        assert_true(failed != 0 || (place == 5 && frames.count == 600));
        mr_frames_fini(&frames);
    }
    assert_int_equal(unlink(path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conversation),
        cmocka_unit_test(test_no_memory_to_hold_input),
        cmocka_unit_test(test_start),
        cmocka_unit_test(test_frames_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
