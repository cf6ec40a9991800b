// host_line_reader_test.c: lines however they arrive, and what is said when they do not.
#define _GNU_SOURCE
#include <host/line_reader.h>

#include <base/clock.h>

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

struct channel {
    struct mr_line_reader reader;
    int writing;
    int reading;
    char bytes[16];
};

static int make(void **state)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
        return -1;
    }
    struct channel *channel = calloc(1, sizeof *channel);
    assert_non_null(channel);
    channel->reading = ends[0];
    channel->writing = ends[1];
    mr_line_reader_init(&channel->reader, ends[0], channel->bytes, sizeof channel->bytes);
    *state = channel;
    return 0;
}

static int drop(void **state)
{
    struct channel *channel = *state;
    (void)close(channel->reading);
    if (channel->writing >= 0) {
        (void)close(channel->writing);
    }
    free(channel);
    return 0;
}

static void put(struct channel *channel, const char *text)
{
    assert_int_equal(write(channel->writing, text, strlen(text)), (ssize_t)strlen(text));
}

static void end(struct channel *channel)
{
    (void)close(channel->writing);
    channel->writing = -1;
}

static int next(struct channel *channel, char **line)
{
    struct mr_patience patience = mr_patience_for(MR_NS_PER_MS);
    size_t length = 0;
    int result = mr_line_reader_next(&channel->reader, &patience, line, &length);
    if (result == 0) {
        assert_int_equal(length, strlen(*line));
    }
    return result;
}

static void expect(struct channel *channel, const char *text)
{
    char *line;
    assert_int_equal(next(channel, &line), 0);
    assert_string_equal(line, text);
}

static void test_lines(void **state)
{
    struct channel *channel = *state;
    char *line;
    put(channel, "one\n\ntwo\nthr");
    expect(channel, "one");
    expect(channel, "");
    expect(channel, "two");
    assert_int_equal(next(channel, &line), -ETIMEDOUT);
    put(channel, "ee\nlast");
    expect(channel, "three");
    end(channel);
    expect(channel, "last");
    assert_int_equal(next(channel, &line), -ENODATA);
    assert_int_equal(next(channel, &line), -ENODATA);
}

static void test_byte_by_byte(void **state)
{
    struct channel *channel = *state;
    char *line;
    for (int round = 0; round < 10; round++) {
        for (const char *at = "abcdef"; *at != '\0'; at++) {
            put(channel, (const char[]){*at, '\0'});
            assert_int_equal(next(channel, &line), -ETIMEDOUT);
        }
        put(channel, "\n");
        expect(channel, "abcdef");
    }
}

// 14 bytes and a newline fill the 15 that a buffer of 16 holds; 15 bytes do not fit.
static void test_longest_line(void **state)
{
    struct channel *channel = *state;
    char *line;
    put(channel, "12345678901234\n");
    expect(channel, "12345678901234");
    put(channel, "123456789012345\nnext\n");
    assert_int_equal(next(channel, &line), -EMSGSIZE);
    expect(channel, "");
    expect(channel, "next");
    end(channel);
    assert_int_equal(next(channel, &line), -ENODATA);
}

static void test_zero_bytes_are_kept(void **state)
{
    struct channel *channel = *state;
    assert_int_equal(write(channel->writing, "a\0b\n", 4), 4);
    struct mr_patience patience = mr_patience_for(MR_NS_PER_MS);
    char *line;
    size_t length;
    assert_int_equal(mr_line_reader_next(&channel->reader, &patience, &line, &length), 0);
    assert_int_equal(length, 3);
    assert_memory_equal(line, "a\0b", 4);
}

static void test_end_without_a_word(void **state)
{
    struct channel *channel = *state;
    char *line;
    end(channel);
    assert_int_equal(next(channel, &line), -ENODATA);
}

// A deadline that has passed still lets through what has arrived.
static void test_passed_deadline(void **state)
{
    struct channel *channel = *state;
    struct mr_patience patience = {.deadline_ns = 0, .wake_fd = -1};
    char *line;
    size_t length;
    assert_int_equal(mr_line_reader_next(&channel->reader, &patience, &line, &length), -ETIMEDOUT);
    put(channel, "here\n");
    assert_int_equal(mr_line_reader_next(&channel->reader, &patience, &line, &length), 0);
    assert_string_equal(line, "here");
}

static void test_patience(void **state)
{
    struct channel *channel = *state;
    uint64_t begin_ns = mr_clock_ns();
    struct mr_patience patience = mr_patience_for(3 * MR_NS_PER_MS);
    assert_int_equal(mr_patience_poll(&patience, -1, 0), -ETIMEDOUT);
    assert_true(mr_clock_ns() - begin_ns >= 3 * MR_NS_PER_MS);
    put(channel, "x");
    patience = (struct mr_patience){.deadline_ns = MR_FOREVER, .wake_fd = channel->reading};
    assert_int_equal(mr_patience_poll(&patience, -1, 0), -EINTR);
    assert_int_equal(mr_patience_poll(&patience, channel->reading, 1 /* POLLIN */), -EINTR);
    assert_true(mr_patience_for(MR_FOREVER).deadline_ns == MR_FOREVER);
    patience.wake_fd = -1;
    assert_int_equal(mr_patience_poll(&patience, 100000, 1), -EBADF);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_lines, make, drop),
        cmocka_unit_test_setup_teardown(test_byte_by_byte, make, drop),
        cmocka_unit_test_setup_teardown(test_longest_line, make, drop),
        cmocka_unit_test_setup_teardown(test_zero_bytes_are_kept, make, drop),
        cmocka_unit_test_setup_teardown(test_end_without_a_word, make, drop),
        cmocka_unit_test_setup_teardown(test_passed_deadline, make, drop),
        cmocka_unit_test_setup_teardown(test_patience, make, drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
