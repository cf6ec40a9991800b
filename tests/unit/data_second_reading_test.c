// data_second_reading_test.c: the reading of imports through yyjson gives the answer of every known
// case, and agrees with the emitter and with lib/record bit by bit.
#include "data_test_support.h"

#include "data_emit.h"
#include "import_readings.h"

#include <yyjson.h>

// Decodes base64 of RFC 4648 with padding; `bytes_out` has room.
static size_t decode_base64(const char *text, uint8_t *bytes_out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t count = 0;
    uint32_t group = 0;
    unsigned bits = 0;
    for (; *text != '\0' && *text != '='; text++) {
        const char *digit = strchr(digits, *text);
        assert_non_null(digit);
        group = group << 6 | (uint32_t)(digit - digits);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes_out[count++] = (uint8_t)(group >> bits);
        }
    }
    return count;
}

static void check_case(yyjson_val *line, struct mr_buffer *payload, struct mr_buffer *records)
{
    const char *encoded = yyjson_get_str(yyjson_obj_get(line, "payload_b64"));
    payload->length = 0;
    assert_true(mr_buffer_reserve(payload, strlen(encoded) + 1));
    payload->length = decode_base64(encoded, payload->bytes);
    struct mr_second_reading reading;
    assert_int_equal(mr_second_read(payload->bytes, payload->length, records, &reading), 0);

    const char *name = yyjson_get_str(yyjson_obj_get(line, "name"));
    bool accepted = yyjson_get_uint(yyjson_obj_get(line, "status")) == 0;
    uint64_t digest = strtoull(yyjson_get_str(yyjson_obj_get(line, "digest")), NULL, 16);
    if (reading.accepted != accepted) {
        fail_msg("%s: %s", name, accepted ? reading.why : "accepted");
    }
    if (accepted) {
        assert_int_equal(reading.count, yyjson_get_uint(yyjson_obj_get(line, "records")));
        if (mr_records_digest(records->bytes, reading.count) != digest) {
            fail_msg("%s: another digest", name);
        }
    } else {
        assert_non_null(reading.why);
    }
}

static void check_cases(const char *file, size_t expected)
{
    char path[512];
    (void)snprintf(path, sizeof path, MR_SOURCE_DIR "/tests/cases/%s", file);
    FILE *cases = fopen(path, "r");
    assert_non_null(cases);
    char *text = NULL;
    size_t capacity = 0;
    size_t count = 0;
    struct mr_buffer payload = {0};
    struct mr_buffer records = {0};
    ssize_t length;
    while ((length = getline(&text, &capacity, cases)) > 0) {
        yyjson_doc *doc = yyjson_read(text, (size_t)length, YYJSON_READ_NOFLAG);
        assert_non_null(doc);
        check_case(yyjson_doc_get_root(doc), &payload, &records);
        yyjson_doc_free(doc);
        count++;
    }
    assert_int_equal(count, expected);
    mr_buffer_fini(&payload);
    mr_buffer_fini(&records);
    free(text);
    assert_int_equal(fclose(cases), 0);
}

static void test_known_cases(void **state)
{
    (void)state;
    check_cases("cases.jsonl", 718);
    check_cases("schema.jsonl", 433);
}

static void test_emitted_batches(void **state)
{
    (void)state;
    struct mr_readers readers;
    struct mr_emitter emitter;
    struct mr_batch batch;
    assert_int_equal(mr_readers_init(&readers), 0);
    assert_int_equal(mr_batch_init(&batch), 0);
    mr_emitter_init(&emitter, 21, &(struct mr_form){0});
    for (int i = 0; i < 24; i++) {
        assert_int_equal(mr_emitter_batch(&emitter, (enum mr_look)(i % 2), 128, &batch), 0);
        struct mr_readings readings;
        assert_int_equal(mr_readers_read(&readers, batch.json.bytes, batch.json.length, &readings),
                         0);
        assert_true(readings.same && readings.second.accepted);
        assert_int_equal(readers.second.length, batch.records.length);
        assert_memory_equal(readers.second.bytes, batch.records.bytes, batch.records.length);
    }
    mr_emitter_fini(&emitter);
    mr_batch_fini(&batch);
    mr_readers_fini(&readers);
}

// Two texts that differ in one bit of meaning are told apart.
static void test_differences_are_seen(void **state)
{
    (void)state;
    static const char one[] =
        "[{\"id\":1,\"timestamp\":2,\"source\":\"s\",\"kind\":\"log\",\"value\":0,"
        "\"flags\":[],\"message\":\"m\"}]";
    struct mr_readers readers;
    struct mr_readings readings;
    assert_int_equal(mr_readers_init(&readers), 0);
    assert_int_equal(mr_readers_read(&readers, (const uint8_t *)one, strlen(one), &readings), 0);
    assert_true(readings.same);
    assert_int_equal(readings.first.records, 1);
    assert_memory_equal(readers.first.bytes, readers.second.bytes, MR_RECORD_HEAD_BYTES + 2);
    assert_int_equal(mr_readers_read(&readers, (const uint8_t *)one, strlen(one) - 1, &readings),
                     0);
    assert_true(readings.same);
    assert_false(readings.second.accepted);
    char text[128];
    mr_readers_text(&readers, text, sizeof text);
    assert_non_null(strstr(text, "scalar"));
    assert_non_null(strstr(text, "yyjson 0."));
    mr_readers_fini(&readers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_cases),
        cmocka_unit_test(test_emitted_batches),
        cmocka_unit_test(test_differences_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
