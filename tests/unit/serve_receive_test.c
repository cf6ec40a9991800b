// serve_receive_test.c: frames out of a socket whatever pieces they come in, and the memory that
// stays.
#include <serve/receive.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cmocka.h>

#define SHARED_BYTES 100u // smaller than some frames: they must be gathered
#define FRAMES       5u

static const uint32_t payload_bytes[FRAMES] = {3, 0, 250, 84, 1};

// Two ends of a stream, the shared buffer, and the bytes of FRAMES frames.
struct fixture {
    int ours;
    int theirs;
    struct mr_padded shared;
    struct mr_receive receive;
    uint8_t stream[1024];
    size_t stream_bytes;
};

static uint8_t payload_byte(size_t frame, size_t at)
{
    return (uint8_t)(frame * 31 + at * 7 + 1);
}

static void make(struct fixture *fixture)
{
    int files[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, files), 0);
    *fixture = (struct fixture){.ours = files[0], .theirs = files[1]};
    assert_int_equal(mr_padded_init(&fixture->shared, SHARED_BYTES), 0);
    for (size_t i = 0; i < FRAMES; i++) {
        struct mr_frame_head head = {.payload_bytes = payload_bytes[i],
                                     .type = MR_FRAME_BATCH,
                                     .version = MR_WIRE_VERSION,
                                     .sequence = i};
        mr_frame_head_encode(&head, fixture->stream + fixture->stream_bytes);
        fixture->stream_bytes += MR_FRAME_HEAD_BYTES;
        for (size_t k = 0; k < payload_bytes[i]; k++) {
            fixture->stream[fixture->stream_bytes++] = payload_byte(i, k);
        }
    }
}

static void drop(struct fixture *fixture)
{
    mr_receive_fini(&fixture->receive);
    mr_padded_fini(&fixture->shared);
    (void)close(fixture->ours);
    (void)close(fixture->theirs);
}

// Takes all frames that are whole; *frame_io counts them. `hold`: put the rest aside after each.
static void take_frames(struct fixture *fixture, size_t *frame_io, bool hold)
{
    for (;;) {
        uint8_t *payload = NULL;
        switch (mr_receive_next(&fixture->receive, &payload)) {
        case MR_RECEIVE_MORE:
            assert_false(mr_receive_waiting(&fixture->receive));
            return;
        case MR_RECEIVE_HEAD:
            assert_true(*frame_io < FRAMES);
            assert_int_equal(fixture->receive.head.sequence, *frame_io);
            break;
        case MR_RECEIVE_FRAME:
            assert_int_equal(fixture->receive.head.payload_bytes, payload_bytes[*frame_io]);
            for (size_t k = 0; k < payload_bytes[*frame_io]; k++) {
                assert_int_equal(payload[k], payload_byte(*frame_io, k));
            }
            memset(payload, 0, payload_bytes[*frame_io]); // it is the parser's to change
            (*frame_io)++;
            if (hold) {
                assert_int_equal(mr_receive_hold(&fixture->receive), 0);
                memset(fixture->shared.bytes, 0x55, SHARED_BYTES); // others receive meanwhile
            }
            break;
        case MR_RECEIVE_MEMORY:
            fail_msg("no memory");
        }
    }
}

// Feeds `bytes` of the stream and receives until nothing is left.
static void feed(struct fixture *fixture, size_t *at_io, size_t bytes, size_t *frame_io, bool hold)
{
    assert_int_equal(write(fixture->theirs, fixture->stream + *at_io, bytes), bytes);
    *at_io += bytes;
    ssize_t got;
    while ((got = mr_receive_fill(&fixture->receive, fixture->ours, &fixture->shared)) > 0) {
        take_frames(fixture, frame_io, hold);
    }
    assert_int_equal(got, -EAGAIN);
}

// The stream in three pieces, cut at every two places.
static void test_every_cut(void **state)
{
    (void)state;
    struct fixture fixture;
    make(&fixture);
    for (int hold = 0; hold < 2; hold++) {
        for (size_t first = 1; first < fixture.stream_bytes - 1; first++) {
            for (size_t second = first + 1; second < fixture.stream_bytes; second += 3) {
                size_t at = 0;
                size_t frame = 0;
                feed(&fixture, &at, first, &frame, hold == 1);
                feed(&fixture, &at, second - first, &frame, hold == 1);
                feed(&fixture, &at, fixture.stream_bytes - second, &frame, hold == 1);
                assert_int_equal(frame, FRAMES);
            }
        }
    }
    drop(&fixture);
}

static void test_byte_by_byte(void **state)
{
    (void)state;
    struct fixture fixture;
    make(&fixture);
    size_t at = 0;
    size_t frame = 0;
    while (at < fixture.stream_bytes) {
        feed(&fixture, &at, 1, &frame, false);
    }
    assert_int_equal(frame, FRAMES);
    drop(&fixture);
}

// Own memory is as large as the header says, once payload is there; it goes when it is idle.
static void test_memory(void **state)
{
    (void)state;
    struct fixture fixture;
    make(&fixture);
    size_t at = 0;
    size_t frame = 0;
    feed(&fixture, &at, 3 + 2 * MR_FRAME_HEAD_BYTES, &frame, false); // two frames
    feed(&fixture, &at, MR_FRAME_HEAD_BYTES, &frame, false);         // a header
    assert_int_equal(frame, 2);
    assert_null(fixture.receive.own.bytes);
    feed(&fixture, &at, 1, &frame, false);
    assert_int_equal(fixture.receive.own.capacity, 250);
    mr_receive_release(&fixture.receive); // in use
    assert_int_equal(fixture.receive.own.capacity, 250);
    feed(&fixture, &at, 249, &frame, false);
    assert_int_equal(frame, 3);
    assert_int_equal(fixture.receive.own.capacity, 250);
    mr_receive_release(&fixture.receive);
    assert_null(fixture.receive.own.bytes);
    assert_null(fixture.receive.held.bytes);
    drop(&fixture);
}

// What is held goes on, is let go when it is used up, and the next input is held again.
static void test_hold_again(void **state)
{
    (void)state;
    struct fixture fixture;
    make(&fixture);
    uint8_t *payload = NULL;
    for (int round = 0; round < 3; round++) {
        // Two empty frames: the first is taken, the second is held at its very end.
        uint8_t head[2 * MR_FRAME_HEAD_BYTES];
        for (size_t i = 0; i < 2; i++) {
            struct mr_frame_head plain = {
                .type = MR_FRAME_STATS, .version = MR_WIRE_VERSION, .sequence = 10 + i};
            mr_frame_head_encode(&plain, head + i * MR_FRAME_HEAD_BYTES);
        }
        assert_int_equal(write(fixture.theirs, head, sizeof head), sizeof head);
        assert_int_equal(mr_receive_fill(&fixture.receive, fixture.ours, &fixture.shared), 32);
        assert_int_equal(mr_receive_next(&fixture.receive, &payload), MR_RECEIVE_HEAD);
        assert_int_equal(mr_receive_next(&fixture.receive, &payload), MR_RECEIVE_FRAME);
        assert_int_equal(mr_receive_hold(&fixture.receive), 0);
        memset(fixture.shared.bytes, 0x55, SHARED_BYTES);
        assert_true(mr_receive_waiting(&fixture.receive));
        assert_int_equal(mr_receive_next(&fixture.receive, &payload), MR_RECEIVE_HEAD);
        assert_int_equal(fixture.receive.head.sequence, 11);
        assert_int_equal(mr_receive_next(&fixture.receive, &payload), MR_RECEIVE_FRAME);
        assert_int_equal(mr_receive_hold(&fixture.receive), 0);
        assert_false(mr_receive_waiting(&fixture.receive));
    }
    drop(&fixture);
}

static void test_end_and_error(void **state)
{
    (void)state;
    struct fixture fixture;
    make(&fixture);
    assert_int_equal(shutdown(fixture.theirs, SHUT_WR), 0);
    assert_int_equal(mr_receive_fill(&fixture.receive, fixture.ours, &fixture.shared), 0);
    assert_int_equal(mr_receive_fill(&fixture.receive, -1, &fixture.shared), -EBADF);
    drop(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_cut),     cmocka_unit_test(test_byte_by_byte),
        cmocka_unit_test(test_memory),        cmocka_unit_test(test_hold_again),
        cmocka_unit_test(test_end_and_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
