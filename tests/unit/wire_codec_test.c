// wire_codec_test.c: headers and answers against bytes written by hand from section 5.
#include <wire/wire.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static void test_header(void **state)
{
    (void)state;
    const uint8_t wanted[MR_FRAME_HEAD_BYTES] = {0x04, 0x03, 0x02, 0x01, 0x82, 0x01, 0xCD, 0xAB,
                                                 0x18, 0x17, 0x16, 0x15, 0x14, 0x13, 0x12, 0xF1};
    struct mr_frame_head head = {.payload_bytes = 0x01020304,
                                 .type = 0x82,
                                 .version = 1,
                                 .reserved = 0xABCD,
                                 .sequence = 0xF112131415161718};
    uint8_t bytes[1 + MR_FRAME_HEAD_BYTES] = {0};
    mr_frame_head_encode(&head, bytes + 1); // any alignment
    assert_memory_equal(bytes + 1, wanted, sizeof wanted);
    struct mr_frame_head back = mr_frame_head_decode(bytes + 1);
    assert_int_equal(back.payload_bytes, head.payload_bytes);
    assert_int_equal(back.type, head.type);
    assert_int_equal(back.version, head.version);
    assert_int_equal(back.reserved, head.reserved);
    assert_true(back.sequence == head.sequence);
}

static void test_ack(void **state)
{
    (void)state;
    const uint8_t wanted[MR_ACK_BYTES] = {
        1, 0, 0, 0, 2, 0, 0, 0x80, 0xB4, 0xFB, 0x74, 0xA7, 0xD7, 0x84, 0x4A, 0x95,
        3, 0, 0, 0, 4, 0, 0, 0,    0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11};
    struct mr_ack ack = {.status = 1,
                         .records = 0x80000002,
                         .digest = 0x954A84D7A774FBB4,
                         .error = 3,
                         .error_record = 4,
                         .error_offset = 0x1122334455667788};
    uint8_t bytes[3 + MR_ACK_BYTES] = {0};
    mr_ack_encode(&ack, bytes + 3);
    assert_memory_equal(bytes + 3, wanted, sizeof wanted);
    struct mr_ack back = mr_ack_decode(bytes + 3);
    assert_int_equal(back.status, ack.status);
    assert_int_equal(back.records, ack.records);
    assert_true(back.digest == ack.digest);
    assert_int_equal(back.error, ack.error);
    assert_int_equal(back.error_record, ack.error_record);
    assert_true(back.error_offset == ack.error_offset);
}

static void test_answers_agree_without_the_advice(void **state)
{
    (void)state;
    struct mr_ack left = {.status = 1, .records = 0, .digest = 0, .error = 5, .error_offset = 9};
    struct mr_ack right = {.status = 1, .error = 8, .error_record = 3};
    assert_true(mr_ack_agrees(&left, &right));
    right.status = 0;
    assert_false(mr_ack_agrees(&left, &right));
    right.status = 1;
    right.records = 1;
    assert_false(mr_ack_agrees(&left, &right));
    right.records = 0;
    right.digest = 1ull << 63;
    assert_false(mr_ack_agrees(&left, &right));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_header),
        cmocka_unit_test(test_ack),
        cmocka_unit_test(test_answers_agree_without_the_advice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
