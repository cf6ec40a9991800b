// wire_frames_test.c: a dataset's frames file read whole; every fault of a file named with its
// place.
#define _GNU_SOURCE
#include <wire/frames.h>
#include <wire/wire.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

// A file under construction, and its path.
struct fixture {
    char path[64];
    uint8_t bytes[4096];
    size_t size;
};

static int make(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    *state = fixture;
    (void)snprintf(fixture->path, sizeof fixture->path, "/tmp/mr-frames-XXXXXX");
    int file = mkstemp(fixture->path);
    return file < 0 ? -1 : close(file);
}

static int drop(void **state)
{
    struct fixture *fixture = *state;
    (void)unlink(fixture->path);
    free(fixture);
    return 0;
}

static void add_frame(struct fixture *fixture, uint64_t sequence, const char *payload)
{
    struct mr_frame_head head = {.payload_bytes = (uint32_t)strlen(payload),
                                 .type = MR_FRAME_BATCH,
                                 .version = MR_WIRE_VERSION,
                                 .sequence = sequence};
    mr_frame_head_encode(&head, fixture->bytes + fixture->size);
    memcpy(fixture->bytes + fixture->size + MR_FRAME_HEAD_BYTES, payload, strlen(payload));
    fixture->size += MR_FRAME_HEAD_BYTES + strlen(payload);
}

static void add_three(struct fixture *fixture)
{
    add_frame(fixture, 0, "[]");
    add_frame(fixture, 1, "");
    add_frame(fixture, 2, "[1, 2]");
}

static void write_file(const struct fixture *fixture, size_t size)
{
    FILE *file = fopen(fixture->path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(fixture->bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

// Reads the file and wants this fault.
static void wants_fault(const struct fixture *fixture, const char *fault_text)
{
    struct mr_frames frames;
    struct mr_frames_fault fault;
    assert_int_equal(mr_frames_init(&frames, fixture->path, &fault), -EBADMSG);
    assert_string_equal(fault.text, fault_text);
    assert_null(frames.bytes);
    assert_null(frames.frame);
}

static void test_whole(void **state)
{
    struct fixture *fixture = *state;
    add_three(fixture);
    write_file(fixture, fixture->size);
    struct mr_frames frames;
    struct mr_frames_fault fault;
    assert_int_equal(mr_frames_init(&frames, fixture->path, &fault), 0);
    assert_string_equal(fault.text, "");
    assert_int_equal(frames.count, 3);
    assert_int_equal(frames.size_bytes, 3 * 16 + 8);
    assert_int_equal(frames.payload_bytes, 8);
    assert_int_equal(frames.payload_bytes_max, 6);
    assert_memory_equal(mr_frames_payload(&frames, 0), "[]", 2);
    assert_int_equal(frames.frame[1].payload_bytes, 0);
    assert_memory_equal(mr_frames_payload(&frames, 2), "[1, 2]", 6);
    // Padding before and behind is the file's reader's to write on.
    memset(frames.bytes - 64, 0xAA, 64);
    memset(frames.bytes + frames.size_bytes, 0xAA, 64);
    mr_frames_fini(&frames);
    assert_null(frames.bytes);
}

// The places grow several times.
static void test_many(void **state)
{
    struct fixture *fixture = *state;
    FILE *file = fopen(fixture->path, "wb");
    assert_non_null(file);
    for (uint64_t i = 0; i < 3000; i++) {
        fixture->size = 0;
        add_frame(fixture, i, i % 3 == 0 ? "[]" : "");
        assert_int_equal(fwrite(fixture->bytes, 1, fixture->size, file), fixture->size);
    }
    assert_int_equal(fclose(file), 0);
    struct mr_frames frames;
    struct mr_frames_fault fault;
    assert_int_equal(mr_frames_init(&frames, fixture->path, &fault), 0);
    assert_int_equal(frames.count, 3000);
    assert_int_equal(frames.payload_bytes, 2000);
    assert_memory_equal(mr_frames_payload(&frames, 2997), "[]", 2);
    mr_frames_fini(&frames);
}

// Cut at every length but those at which it is a shorter whole file.
static void test_truncated(void **state)
{
    struct fixture *fixture = *state;
    add_three(fixture);
    for (size_t size = 0; size < fixture->size; size++) {
        size_t frame = size < 18 ? 0 : size < 34 ? 1 : 2;
        const size_t start[3] = {0, 18, 34};
        const unsigned payload[3] = {2, 0, 6};
        char text[160] = "the file is empty";
        if (size == 18 || size == 34) {
            continue;
        }
        if (size > 0 && size < start[frame] + 16) {
            (void)snprintf(text, sizeof text,
                           "frame %zu at byte %zu: the file ends within the header", frame,
                           start[frame]);
        } else if (size > 0) {
            (void)snprintf(text, sizeof text,
                           "frame %zu at byte %zu: the file ends within its payload of %u bytes",
                           frame, start[frame], payload[frame]);
        }
        write_file(fixture, size);
        wants_fault(fixture, text);
    }
}

static void test_wrong_headers(void **state)
{
    struct fixture *fixture = *state;
    add_three(fixture);
    const struct {
        size_t offset;
        uint8_t byte;
        const char *text;
    } faults[] = {
        {18 + 4, 0x03, "frame 1 at byte 18: type 0x03 is not BATCH"},
        {34 + 5, 0x02, "frame 2 at byte 34: protocol version 2 is not 1"},
        {34 + 6, 0x01, "frame 2 at byte 34: the reserved field is 0x0001, not 0"},
        {34 + 7, 0x80, "frame 2 at byte 34: the reserved field is 0x8000, not 0"},
        {18 + 8, 0x07, "frame 1 at byte 18: sequence 7 is not the frame's number"},
        {0 + 15, 0x01, "frame 0 at byte 0: sequence 72057594037927936 is not the frame's number"},
        {0 + 3, 0xFF, "frame 0 at byte 0: the file ends within its payload of 4278190082 bytes"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        uint8_t kept = fixture->bytes[faults[i].offset];
        fixture->bytes[faults[i].offset] = faults[i].byte;
        write_file(fixture, fixture->size);
        wants_fault(fixture, faults[i].text);
        fixture->bytes[faults[i].offset] = kept;
    }
}

static void test_foreign(void **state)
{
    struct fixture *fixture = *state;
    memcpy(fixture->bytes, "[{\"id\":5942859575,\"timestamp\":17", 32);
    write_file(fixture, 32);
    wants_fault(fixture, "frame 0 at byte 0: protocol version 34 is not 1");
}

static void test_unreadable(void **state)
{
    struct fixture *fixture = *state;
    struct mr_frames frames;
    struct mr_frames_fault fault;
    assert_int_equal(mr_frames_init(&frames, "/tmp", &fault), -EISDIR);
    assert_int_equal(mr_frames_init(&frames, "/dev/null", &fault), -ESPIPE);
    assert_int_equal(unlink(fixture->path), 0);
    assert_int_equal(mr_frames_init(&frames, fixture->path, &fault), -ENOENT);
    assert_string_equal(fault.text, "");
    assert_null(frames.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_whole, make, drop),
        cmocka_unit_test_setup_teardown(test_many, make, drop),
        cmocka_unit_test_setup_teardown(test_truncated, make, drop),
        cmocka_unit_test_setup_teardown(test_wrong_headers, make, drop),
        cmocka_unit_test_setup_teardown(test_foreign, make, drop),
        cmocka_unit_test_setup_teardown(test_unreadable, make, drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
