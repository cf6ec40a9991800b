// load_sender_test.c: a request leaves byte for byte right, however the kernel and the limits cut
// it.
#include "load_dataset.h"

#include <outstanding.h>
#include <sender.h>

#include <base/rng.h>

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cmocka.h>

#define WIRE_MAX 65536

static const struct load_batch batches[] = {
    {.records = 3, .digits_count = 16, .text_bytes = 60},
    {.records = 40, .digits_count = 12, .text_bytes = 1000},
};

static void make_request(const struct mr_dataset *dataset, size_t batch, uint64_t turn,
                         struct mr_request *request)
{
    *request = (struct mr_request){.batch = batch,
                                   .sequence = 77 + turn,
                                   .payload_bytes = dataset->frames.frame[batch].payload_bytes};
    assert_true(mr_edit_make(dataset, batch, turn, &request->edit));
    const struct mr_frame_head head = {.payload_bytes = request->payload_bytes,
                                       .type = MR_FRAME_BATCH,
                                       .version = 1,
                                       .sequence = request->sequence};
    mr_frame_head_encode(&head, request->head);
}

// What has to be on the wire, put together by copying.
static size_t expected_wire(const struct mr_dataset *dataset, const struct mr_request *request,
                            uint8_t *wire)
{
    memcpy(wire, request->head, 16);
    memcpy(wire + 16, mr_frames_payload(&dataset->frames, request->batch), request->payload_bytes);
    memcpy(wire + 16 + request->edit.offset, request->edit.digits, request->edit.count);
    return 16 + request->payload_bytes;
}

static void test_pieces_at_every_cut(void **state)
{
    (void)state;
    struct mr_dataset dataset;
    struct mr_request request;
    static uint8_t wire[WIRE_MAX];
    load_dataset_make(&dataset, batches, 2);
    make_request(&dataset, 0, 5, &request);
    size_t bytes = expected_wire(&dataset, &request, wire);
    assert_memory_not_equal(wire + 16, mr_frames_payload(&dataset.frames, 0), bytes - 16);
    for (size_t from = 0; from < bytes; from++) {
        static const size_t limits[] = {1, 2, 7, 16, 17, 100, 65536};
        for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
            struct iovec pieces[MR_SEND_PIECES];
            request.sent_bytes = from;
            size_t count = mr_sender_pieces(&request, mr_frames_payload(&dataset.frames, 0),
                                            limits[i], pieces);
            size_t at = from;
            for (size_t k = 0; k < count; k++) {
                assert_true(pieces[k].iov_len > 0);
                assert_memory_equal(pieces[k].iov_base, wire + at, pieces[k].iov_len);
                at += pieces[k].iov_len;
            }
            size_t whole = bytes - from;
            assert_int_equal(at - from, whole < limits[i] ? whole : limits[i]);
        }
    }
    load_dataset_drop(&dataset);
}

static void make_pair(int pair[2])
{
    int small = 4096;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    assert_int_equal(setsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &small, sizeof small), 0);
    assert_int_equal(fcntl(pair[1], F_SETFL, O_NONBLOCK), 0);
}

// A kernel that takes a part only, and nothing at times: what arrives is the request.
static void test_partial_writes(void **state)
{
    (void)state;
    struct mr_dataset dataset;
    struct mr_request request;
    static uint8_t wire[WIRE_MAX];
    static uint8_t got[WIRE_MAX];
    int pair[2];
    load_dataset_make(&dataset, batches, 2);
    make_pair(pair);
    struct mr_rng rng = mr_rng_seeded(3);
    int refused = 0;
    int parts = 0;
    for (uint64_t turn = 0; turn < 20; turn++) {
        make_request(&dataset, 1, turn, &request);
        size_t bytes = expected_wire(&dataset, &request, wire);
        assert_true(bytes > 40000 && bytes <= sizeof got);
        size_t received = 0;
        while (received < bytes) {
            if (request.sent_bytes < bytes) {
                size_t limit = 1 + (size_t)mr_rng_below(&rng, 20000);
                uint64_t before = request.sent_bytes;
                ssize_t sent = mr_sender_write(pair[0], &request,
                                               mr_frames_payload(&dataset.frames, 1), limit);
                assert_true(sent > 0 || sent == -EAGAIN);
                refused += sent == -EAGAIN;
                parts += sent > 0;
                assert_int_equal(request.sent_bytes - before, sent > 0 ? sent : 0);
            }
            if (mr_rng_below(&rng, 3) == 0 || request.sent_bytes == bytes) {
                ssize_t taken = read(pair[1], got + received, 1 + (size_t)mr_rng_below(&rng, 9000));
                received += taken > 0 ? (size_t)taken : 0;
            }
        }
        assert_memory_equal(got, wire, bytes);
    }
    assert_true(refused > 20 && parts > 100);
    (void)close(pair[0]);
    (void)close(pair[1]);
    load_dataset_drop(&dataset);
}

static void test_hold_keeps_the_last_byte(void **state)
{
    (void)state;
    struct mr_dataset dataset;
    struct mr_request request;
    static uint8_t got[WIRE_MAX];
    int pair[2];
    load_dataset_make(&dataset, batches, 2);
    make_pair(pair);
    make_request(&dataset, 0, 1, &request);
    request.hold = true;
    size_t bytes = 16 + request.payload_bytes;
    const uint8_t *payload = mr_frames_payload(&dataset.frames, 0);
    assert_int_equal(mr_sender_write(pair[0], &request, payload, 65536), bytes - 1);
    assert_int_equal(read(pair[1], got, sizeof got), bytes - 1);
    request.hold = false;
    assert_int_equal(mr_sender_write(pair[0], &request, payload, 65536), 1);
    assert_int_equal(read(pair[1], got, sizeof got), 1);
    assert_int_equal(got[0], ']');
    (void)close(pair[1]);
    make_request(&dataset, 0, 2, &request);
    assert_int_equal(mr_sender_write(pair[0], &request, payload, 65536), -EPIPE); // and no SIGPIPE
    (void)close(pair[0]);
    load_dataset_drop(&dataset);
}

static void test_ring(void **state)
{
    (void)state;
    struct mr_outstanding ring;
    assert_int_equal(mr_outstanding_init(&ring, 5), 0);
    assert_null(mr_outstanding_oldest(&ring));
    assert_null(mr_outstanding_newest(&ring));
    uint64_t pushed = 0;
    uint64_t popped = 0;
    struct mr_rng rng = mr_rng_seeded(9);
    for (int i = 0; i < 1000; i++) {
        if (mr_outstanding_count(&ring) < 5 && mr_rng_below(&rng, 2) == 0) {
            struct mr_request *request = mr_outstanding_push(&ring);
            assert_int_equal(request->times.reply_ns + request->sent_bytes, 0);
            request->sequence = pushed++;
            request->times.reply_ns = 99;
            request->sent_bytes = 99;
            request->hold = request->blocked = request->answered_early = request->refused = true;
        } else if (mr_outstanding_count(&ring) > 0) {
            assert_int_equal(mr_outstanding_oldest(&ring)->sequence, popped++);
            mr_outstanding_pop(&ring);
        }
        assert_int_equal(mr_outstanding_count(&ring), pushed - popped);
        if (pushed > popped) {
            assert_int_equal(mr_outstanding_newest(&ring)->sequence, pushed - 1);
        }
    }
    assert_true(popped > 300);
    mr_outstanding_fini(&ring);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces_at_every_cut),
        cmocka_unit_test(test_partial_writes),
        cmocka_unit_test(test_hold_keeps_the_last_byte),
        cmocka_unit_test(test_ring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
