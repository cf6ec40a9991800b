// serve_io_fault_test.c: system calls that take or give less than asked for, are interrupted, or
// fail: the replies are the same, or the connection is over.
#define _GNU_SOURCE
#include "fake_contestant.h"
#include "session_bench.h"

#include <base/rng.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <cmocka.h>

// The names are the linker's (--wrap).
ssize_t __real_recvmsg(int file, struct msghdr *message, int options);
ssize_t __real_recv(int file, void *bytes, size_t size, int options);
ssize_t __real_send(int file, const void *bytes, size_t size, int options);
int __real_shutdown(int file, int how);
ssize_t __wrap_recvmsg(int file, struct msghdr *message, int options);
ssize_t __wrap_recv(int file, void *bytes, size_t size, int options);
ssize_t __wrap_send(int file, const void *bytes, size_t size, int options);
int __wrap_shutdown(int file, int how);

// What happens to the calls on `file`.
static struct {
    int file; // -1: nothing
    struct mr_rng rng;
    int receive_error; // errno of the next receiving call, once; 0: none
    int send_error;
    int shutdown_error;
    bool short_calls; // seldom whole, now and then EINTR or EAGAIN
    uint64_t disturbed;
} faults = {.file = -1};

// The number of bytes that a disturbed call moves, or a negative errno.
static ssize_t disturb(int *error_io, size_t size)
{
    if (*error_io != 0) {
        int error = *error_io;
        *error_io = 0;
        return -error;
    }
    if (!faults.short_calls || size == 0) {
        return (ssize_t)size;
    }
    faults.disturbed++;
    switch (mr_rng_below(&faults.rng, 8)) {
    case 0:
        return -EINTR;
    case 1:
        return -EAGAIN;
    case 2:
        return (ssize_t)size;
    case 3:
        return 1;
    default:
        return 1 + (ssize_t)mr_rng_below(&faults.rng, size < 40 ? size : 40);
    }
}

static ssize_t fail_with(ssize_t negative_errno)
{
    errno = (int)-negative_errno;
    return -1;
}

ssize_t __wrap_recvmsg(int file, struct msghdr *message, int options)
{
    if (file != faults.file) {
        return __real_recvmsg(file, message, options);
    }
    size_t size = 0;
    for (size_t i = 0; i < message->msg_iovlen; i++) {
        size += message->msg_iov[i].iov_len;
    }
    ssize_t limit = disturb(&faults.receive_error, size);
    if (limit < 0) {
        return fail_with(limit);
    }
    struct iovec part[2] = {{0}};
    struct msghdr cut = {.msg_iov = part};
    for (size_t left = (size_t)limit; cut.msg_iovlen < message->msg_iovlen && left > 0;) {
        struct iovec *from = &message->msg_iov[cut.msg_iovlen];
        part[cut.msg_iovlen] =
            (struct iovec){from->iov_base, from->iov_len < left ? from->iov_len : left};
        left -= part[cut.msg_iovlen++].iov_len;
    }
    return __real_recvmsg(file, &cut, options);
}

ssize_t __wrap_recv(int file, void *bytes, size_t size, int options)
{
    ssize_t limit = file == faults.file ? disturb(&faults.receive_error, size) : (ssize_t)size;
    return limit < 0 ? fail_with(limit) : __real_recv(file, bytes, (size_t)limit, options);
}

ssize_t __wrap_send(int file, const void *bytes, size_t size, int options)
{
    ssize_t limit = file == faults.file ? disturb(&faults.send_error, size) : (ssize_t)size;
    return limit < 0 ? fail_with(limit) : __real_send(file, bytes, (size_t)limit, options);
}

int __wrap_shutdown(int file, int how)
{
    if (file == faults.file && faults.shutdown_error != 0) {
        errno = faults.shutdown_error;
        return -1;
    }
    return __real_shutdown(file, how);
}

static struct bench bench;
static struct bench_client client;

static void begin(void)
{
    assert_int_equal(bench_init(&bench, MR_MODE_KEEP), 0);
    assert_int_equal(bench_connect(&client), 0);
    faults.file = client.session.file;
    faults.disturbed = 0;
}

static void end(void)
{
    faults.file = -1;
    faults.short_calls = false;
    faults.receive_error = faults.send_error = faults.shutdown_error = 0;
    bench_close(&client, &bench);
    bench_fini(&bench);
}

// A conversation with every request, pieces and all, ended by ERROR. The bytes of its replies stay
// in client.input.
static void converse(void)
{
    char spaces[701];
    memset(spaces, ' ', sizeof spaces);
    spaces[699] = '4';
    spaces[700] = '\0';
    for (uint64_t i = 0; i < 40; i++) {
        bench_send(&client, MR_FRAME_BATCH, i, i % 3 == 0 ? spaces : "2");
        bench_send(&client, (uint8_t)(MR_FRAME_STATS + i % 2), 1000 + i, "");
        bench_send(&client, MR_FRAME_BATCH, i, i % 5 == 0 ? "nonsense" : "");
        if (i % 4 == 0) {
            bench_run(&client, &bench);
        }
    }
    bench_send(&client, 0x55, 7, "");
    bench_send(&client, MR_FRAME_BATCH, 99, spaces);
    for (int i = 0; i < 1000 && !client.ended; i++) {
        bench_run(&client, &bench);
        bench_receive(&client);
    }
    assert_true(client.ended);
    assert_int_equal(client.session.state, MR_SESSION_LINGERING);
}

static void test_short_calls_change_nothing(void **state)
{
    (void)state;
    begin();
    converse();
    size_t wanted_bytes = client.input_bytes;
    uint8_t *wanted = malloc(wanted_bytes);
    assert_non_null(wanted);
    memcpy(wanted, client.input, wanted_bytes);
    assert_int_equal(faults.disturbed, 0);
    end();
    for (uint64_t seed = 1; seed <= 20; seed++) {
        begin();
        faults.rng = mr_rng_seeded(seed);
        faults.short_calls = true;
        converse();
        assert_true(faults.disturbed > 100);
        assert_int_equal(client.input_bytes, wanted_bytes);
        assert_memory_equal(client.input, wanted, wanted_bytes);
        end();
    }
    free(wanted);
}

static void test_lost_while_receiving(void **state)
{
    (void)state;
    const int errors[] = {ECONNRESET, ETIMEDOUT, ENOMEM};
    for (size_t i = 0; i < 3; i++) {
        begin();
        bench_send(&client, MR_FRAME_BATCH, 1, "2");
        faults.receive_error = errors[i];
        bench_run(&client, &bench);
        assert_int_equal(client.session.state, MR_SESSION_OVER);
        end();
    }
}

static void test_lost_while_sending(void **state)
{
    (void)state;
    const int errors[] = {EPIPE, ECONNRESET};
    for (size_t i = 0; i < 2; i++) {
        begin();
        bench_send(&client, MR_FRAME_BATCH, 1, "2");
        faults.send_error = errors[i];
        bench_run(&client, &bench);
        assert_int_equal(client.session.state, MR_SESSION_OVER);
        end();
    }
}

static void test_lost_while_ending(void **state)
{
    (void)state;
    begin();
    bench_send(&client, 0x55, 1, "");
    faults.shutdown_error = ENOTCONN;
    bench_run(&client, &bench);
    assert_int_equal(client.session.state, MR_SESSION_OVER);
    end();
    begin();
    bench_send(&client, 0x55, 1, "");
    bench_run(&client, &bench);
    assert_int_equal(client.session.state, MR_SESSION_LINGERING);
    bench_send(&client, MR_FRAME_BATCH, 2, "2");
    faults.receive_error = ECONNRESET;
    bench_run(&client, &bench);
    assert_int_equal(client.session.state, MR_SESSION_OVER);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short_calls_change_nothing),
        cmocka_unit_test(test_lost_while_receiving),
        cmocka_unit_test(test_lost_while_sending),
        cmocka_unit_test(test_lost_while_ending),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
