// load_client_test.c: replies come out whole however they come in, and what is no reply is named.
#include <client.h>
#include <load_options.h>

#include <base/clock.h>

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cmocka.h>

// A client and the other end of its connection.
struct link {
    struct mr_client client;
    int peer;
};

static void open_link(struct link *link, size_t buffer_bytes)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t bytes = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, bytes), 0);
    assert_int_equal(listen(listener, 1), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &bytes), 0);
    const struct mr_client_params params = {.connection = 3,
                                            .requests = 4,
                                            .buffer_bytes = buffer_bytes,
                                            .address = (struct sockaddr *)&address,
                                            .address_bytes = bytes,
                                            .cancel_fd = -1,
                                            .deadline_ns = mr_clock_ns() + 5 * MR_NS_PER_S};
    assert_int_equal(mr_client_init(&link->client, &params), 0);
    link->peer = accept(listener, NULL, NULL);
    assert_true(link->peer >= 0);
    (void)close(listener);
}

static void close_link(struct link *link)
{
    mr_client_fini(&link->client);
    if (link->peer >= 0) {
        (void)close(link->peer);
    }
}

static void await_bytes(struct link *link)
{
    assert_int_equal(mr_client_await(link->client.fd, POLLIN, -1, mr_clock_ns() + 5 * MR_NS_PER_S),
                     0);
    assert_true(mr_client_receive(&link->client) > 0);
}

static size_t make_frame(uint8_t *bytes, uint8_t type, uint64_t sequence, uint32_t payload_bytes)
{
    const struct mr_frame_head head = {.payload_bytes = payload_bytes,
                                       .type = type,
                                       .version = MR_WIRE_VERSION,
                                       .sequence = sequence};
    mr_frame_head_encode(&head, bytes);
    for (uint32_t i = 0; i < payload_bytes; i++) {
        bytes[16 + i] = (uint8_t)(sequence + i);
    }
    return 16 + payload_bytes;
}

// Acknowledgements and a long reply, cut at every length, in a buffer for hardly two.
static void test_frames_in_pieces(void **state)
{
    (void)state;
    for (size_t step = 1; step < 300; step += step < 60 ? 1 : 37) {
        struct link link;
        static uint8_t wire[40 * 48 + 5000];
        size_t bytes = 0;
        open_link(&link, 100);
        for (uint64_t i = 0; i < 20; i++) {
            bytes += make_frame(wire + bytes, MR_FRAME_ACK, i, MR_ACK_BYTES);
        }
        bytes += make_frame(wire + bytes, MR_FRAME_STATS_REPLY, 20, 3000);
        for (uint64_t i = 21; i < 30; i++) {
            bytes += make_frame(wire + bytes, MR_FRAME_ACK, i, MR_ACK_BYTES);
        }
        uint64_t taken = 0;
        for (size_t sent = 0; sent < bytes; sent += step) {
            size_t size = bytes - sent < step ? bytes - sent : step;
            assert_int_equal(send(link.peer, wire + sent, size, 0), size);
            await_bytes(&link);
            struct mr_client_frame frame;
            char fault[160];
            enum mr_frame_status status;
            while ((status = mr_client_frame(&link.client, &frame, fault, sizeof fault)) ==
                   MR_FRAME_WHOLE) {
                assert_int_equal(frame.head.sequence, taken);
                assert_int_equal(frame.head.payload_bytes, taken == 20 ? 3000 : 32);
                for (uint32_t i = 0; i < frame.head.payload_bytes; i++) {
                    assert_int_equal(frame.payload[i], (uint8_t)(taken + i));
                }
                taken++;
            }
            assert_int_equal(status, MR_FRAME_PARTIAL);
        }
        while (taken < 30) { // what the small buffer left in the kernel
            await_bytes(&link);
            struct mr_client_frame frame;
            char fault[160];
            while (mr_client_frame(&link.client, &frame, fault, sizeof fault) == MR_FRAME_WHOLE) {
                assert_int_equal(frame.head.sequence, taken++);
            }
        }
        close_link(&link);
    }
}

static void test_malformed(void **state)
{
    (void)state;
    static const struct {
        struct mr_frame_head head;
        const char *fault;
    } bad[] = {
        {{32, MR_FRAME_ACK, 2, 0, 0}, "version 2"},
        {{32, MR_FRAME_ACK, 1, 7, 0}, "reserved field is 7"},
        {{31, MR_FRAME_ACK, 1, 0, 0}, "an ACK announces 31"},
        {{0xffffffff, MR_FRAME_ERROR, 1, 0, 0}, "announces 4294967295"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct link link;
        uint8_t bytes[16];
        struct mr_client_frame frame;
        char fault[160] = "";
        open_link(&link, 4096);
        mr_frame_head_encode(&bad[i].head, bytes);
        assert_int_equal(send(link.peer, bytes, sizeof bytes, 0), sizeof bytes);
        await_bytes(&link);
        assert_int_equal(mr_client_frame(&link.client, &frame, fault, sizeof fault),
                         MR_FRAME_MALFORMED);
        assert_non_null(strstr(fault, bad[i].fault));
        close_link(&link);
    }
}

static void test_waiting(void **state)
{
    (void)state;
    struct link link;
    int cancel[2];
    open_link(&link, 4096);
    assert_int_equal(pipe(cancel), 0);
    assert_int_equal(mr_client_receive(&link.client), -EAGAIN);
    assert_int_equal(mr_client_await(link.client.fd, POLLIN, -1, mr_clock_ns() + 1000000),
                     -ETIMEDOUT);
    assert_int_equal(write(cancel[1], "x", 1), 1);
    assert_int_equal(
        mr_client_await(link.client.fd, POLLIN, cancel[0], mr_clock_ns() + 5 * MR_NS_PER_S),
        -ECANCELED);
    (void)close(link.peer);
    link.peer = -1;
    assert_int_equal(mr_client_await(link.client.fd, POLLIN, -1, mr_clock_ns() + 5 * MR_NS_PER_S),
                     0);
    assert_int_equal(mr_client_receive(&link.client), 0);
    (void)close(cancel[0]);
    (void)close(cancel[1]);
    close_link(&link);
}

static void test_addresses(void **state)
{
    (void)state;
    char host[256];
    char port[8];
    assert_true(mr_load_split_address("127.0.0.1:7000", host, port));
    assert_string_equal(host, "127.0.0.1");
    assert_string_equal(port, "7000");
    assert_true(mr_load_split_address("[::1]:07", host, port));
    assert_string_equal(host, "::1");
    assert_string_equal(port, "7");
    static const char *const bad[] = {
        "",     ":",        ":7000",   "host",  "host:", "h:0",     "h:65536",
        "h:7a", "::1:7000", "[]:7000", "[h:70", "h:-1",  "h:999999"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(mr_load_split_address(bad[i], host, port));
    }
}

// While `depth` batches are answered the buffer is never full, but where it has its limit.
static void test_buffer(void **state)
{
    (void)state;
    for (uint64_t depth = 1; depth < 300; depth++) {
        assert_true(mr_client_buffer_bytes(depth) > depth * MR_CLIENT_REPLY_BYTES);
    }
    assert_int_equal(mr_client_buffer_bytes(1), MR_CLIENT_BUFFER_MIN);
    assert_int_equal(mr_client_buffer_bytes(1000), MR_CLIENT_BUFFER_MAX);
    assert_int_equal(mr_client_buffer_bytes(UINT64_MAX), MR_CLIENT_BUFFER_MAX);
}

// Requests come back in their order; an empty ring begins anew, at the same place.
static void test_outstanding(void **state)
{
    (void)state;
    struct mr_outstanding ring;
    assert_int_equal(mr_outstanding_init(&ring, 3), 0);
    assert_int_equal((uintptr_t)ring.request % MR_CACHE_LINE_BYTES, 0);
    for (int round = 0; round < 3; round++) {
        assert_null(mr_outstanding_oldest(&ring));
        assert_ptr_equal(mr_outstanding_place(&ring), ring.request);
        for (uint64_t i = 0; i < 4; i++) {
            struct mr_request *place = mr_outstanding_place(&ring);
            assert_ptr_equal(mr_outstanding_push(&ring), place);
            place->sequence = i;
        }
        assert_int_equal(mr_outstanding_newest(&ring)->sequence, 3);
        for (uint64_t i = 0; i < 2; i++) {
            assert_int_equal(mr_outstanding_oldest(&ring)->sequence, i);
            mr_outstanding_pop(&ring);
        }
        mr_outstanding_push(&ring)->sequence = 4;
        for (uint64_t i = 2; i < 5; i++) {
            assert_int_equal(mr_outstanding_count(&ring), 5 - i);
            assert_int_equal(mr_outstanding_oldest(&ring)->sequence, i);
            mr_outstanding_pop(&ring);
        }
    }
    mr_outstanding_fini(&ring);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames_in_pieces), cmocka_unit_test(test_malformed),
        cmocka_unit_test(test_waiting),          cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_buffer),           cmocka_unit_test(test_outstanding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
