// serial_notes_test.c: the notes writer: worked texts, every character at every place of a block,
// buffers that are too short, texts that are no UTF-8.
#include "notes_checker.h"

#include "base/cpu.h"
#include "serial/notes_kernels.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct mr_notes_checker checker;

static struct mr_note note_of(int32_t id, const char *title, const char *text)
{
    return (struct mr_note){.id = id,
                            .title = (const uint8_t *)title,
                            .title_bytes = (uint32_t)strlen(title),
                            .text = (const uint8_t *)text,
                            .text_bytes = (uint32_t)strlen(text)};
}

static void expect(const struct mr_note *notes, size_t count, enum mr_notes_profile profile,
                   const char *expected)
{
    for (size_t i = 0; i < mr_notes_kernels_count; i++) {
        const struct mr_notes_kernel *kernel;
        if (mr_notes_kernel_choose(mr_notes_kernels[i].name, &kernel) != 0) {
            continue;
        }
        struct mr_notes_job job = {kernel, notes, count, profile};
        struct mr_notes_result result;
        char out[2048];
        assert_int_equal(mr_notes_write(&job, out, sizeof out, &result), MR_NOTES_WRITTEN);
        assert_int_equal(result.length, strlen(expected));
        assert_memory_equal(out, expected, result.length);
    }
    assert_null(mr_notes_check(&checker, notes, count));
}

static void test_worked_texts(void **context)
{
    (void)context;
    struct mr_note note = note_of(1, "a", "");
    expect(&note, 0, MR_NOTES_REQUIRED, "[]");
    expect(&note, 1, MR_NOTES_REQUIRED, "[{\"Id\":1,\"Title\":\"a\",\"NoteText\":\"\"}]");
    const struct mr_note two[] = {note_of(INT32_MIN, "\"\\/\b\t\n\f\r\x01\x1F\x7F", "<&+'>`"),
                                  note_of(INT32_MAX, "\u00E9\u6F22", "x\U0001F600")};
    expect(two, 2, MR_NOTES_REQUIRED,
           "[{\"Id\":-2147483648,\"Title\":\"\\\"\\\\/\\b\\t\\n\\f\\r\\u0001\\u001f\x7F\","
           "\"NoteText\":\"<&+'>`\"},{\"Id\":2147483647,\"Title\":\"\u00E9\u6F22\","
           "\"NoteText\":\"x\U0001F600\"}]");
    expect(two, 2, MR_NOTES_REQUIRED_UPPER,
           "[{\"Id\":-2147483648,\"Title\":\"\\\"\\\\/\\b\\t\\n\\f\\r\\u0001\\u001F\x7F\","
           "\"NoteText\":\"<&+'>`\"},{\"Id\":2147483647,\"Title\":\"\u00E9\u6F22\","
           "\"NoteText\":\"x\U0001F600\"}]");
    expect(two, 2, MR_NOTES_HTML,
           "[{\"Id\":-2147483648,\"Title\":\"\\u0022\\\\/\\b\\t\\n\\f\\r\\u0001\\u001F\\u007F\","
           "\"NoteText\":\"\\u003C\\u0026\\u002B\\u0027\\u003E\\u0060\"},"
           "{\"Id\":2147483647,\"Title\":\"\\u00E9\\u6F22\",\"NoteText\":\"x\\uD83D\\uDE00\"}]");
}

static void test_ids(void **context)
{
    (void)context;
    struct mr_note note = note_of(0, "", "");
    for (int64_t power = 1; power <= 1000000000; power *= 10) {
        for (int64_t id = power - 2; id <= power + 1; id++) {
            for (int sign = -1; sign <= 1; sign += 2) {
                char text[128];
                note.id = (int32_t)(sign * id);
                (void)snprintf(text, sizeof text, "[{\"Id\":%d,\"Title\":\"\",\"NoteText\":\"\"}]",
                               note.id);
                expect(&note, 1, MR_NOTES_REQUIRED, text);
            }
        }
    }
}

// A sequence in a text of `bytes` plain ones, which ends at a forbidden page or begins behind one.
static void check_placed(const struct mr_guarded *pages, const uint8_t *sequence, size_t length,
                         size_t bytes, size_t offset)
{
    size_t whole = bytes + length;
    uint8_t *places[] = {mr_guarded_last(pages, whole, 0), mr_guarded_first(pages, whole, 0)};
    for (size_t i = 0; i < 2; i++) {
        memset(places[i], 'a', whole);
        memcpy(places[i] + offset, sequence, length);
        const struct mr_note note = {.id = 7,
                                     .title = places[i],
                                     .text = places[i],
                                     .title_bytes = (uint32_t)whole,
                                     .text_bytes = (uint32_t)whole};
        const char *complaint = mr_notes_check(&checker, &note, 1);
        if (complaint != NULL) {
            fail_msg("%zu bytes from %02x on at %zu of %zu: %s", length, sequence[0], offset, whole,
                     complaint);
        }
    }
}

// What a character is written as does not depend on its byte alone where blocks begin and end.
static void test_every_character_at_every_place(void **context)
{
    (void)context;
    struct mr_guarded pages = mr_guarded_init(4096);
    for (unsigned byte = 0; byte < 0x100; byte++) {
        const uint8_t sequence[] = {(uint8_t)byte};
        for (size_t offset = 0; offset <= 70; offset += byte % 3 == 0 ? 1 : 7) {
            check_placed(&pages, sequence, 1, 70, offset);
        }
    }
    static const char *const sequences[] = {
        "\"",
        "\\\\",
        "\n\x01",
        "\u00E9",
        "\u07FF",
        "\u0800",
        "\uFFFF",
        "\u6F22",
        "\U0001F600",
        "\U0010FFFF",
        "\u00E9\"\U0001F600\\",
        "\r\u6F22<",
        "\xE0\x9F\xBF",
        "\xF0\x8F\xBF\xBF",
        "\xED\x9F\xBF",
        "\xEE\x80\x80",
        "\xBF",
        "\xC3",
        "\xE6\xBC",
        "\xF0\x9F\x98",
        "\xED\xA0\x80",
        "\xC0\xAF",
        "\xF4\x90\x80\x80",
    };
    for (size_t i = 0; i < sizeof sequences / sizeof sequences[0]; i++) {
        for (size_t bytes = 0; bytes <= 100; bytes += bytes < 40 ? 1 : 9) {
            for (size_t offset = 0; offset <= bytes; offset++) {
                check_placed(&pages, (const uint8_t *)sequences[i], strlen(sequences[i]), bytes,
                             offset);
            }
        }
    }
    mr_guarded_fini(&pages);
}

static void test_blocks_of_special_characters(void **context)
{
    (void)context;
    static const char *const repeated[] = {"\"",     "\x1F", "\u00E9", "\U0001F600",
                                           "\u6F22", "a\n",  "<",      "\\\u00E9"};
    char text[600];
    for (size_t i = 0; i < sizeof repeated / sizeof repeated[0]; i++) {
        size_t length = strlen(repeated[i]);
        for (size_t count = 1; count * length < 140; count++) {
            for (size_t k = 0; k < count; k++) {
                memcpy(text + k * length, repeated[i], length + 1);
            }
            const struct mr_note notes[] = {note_of(1, text, text), note_of(2, "", text)};
            assert_null(mr_notes_check(&checker, notes, 2));
        }
    }
}

// Every capacity from none to more than is ever needed: a clear answer and no byte behind.
static void check_capacities(const struct mr_notes_job *job)
{
    struct mr_guarded pages = mr_guarded_init(8192);
    struct mr_notes_result whole;
    assert_int_equal(mr_notes_write(job, NULL, 0, &whole), MR_NOTES_SHORT_BUFFER);
    size_t last = mr_notes_bound(job->notes, job->count) + 1;
    for (size_t capacity = 0; capacity <= last; capacity++) {
        struct mr_notes_result result;
        uint8_t *out = mr_guarded_last(&pages, capacity, 0);
        enum mr_notes_verdict verdict = mr_notes_write(job, out, capacity, &result);
        assert_int_equal(verdict,
                         capacity < whole.length ? MR_NOTES_SHORT_BUFFER : MR_NOTES_WRITTEN);
        assert_int_equal(result.length, whole.length);
    }
    mr_guarded_fini(&pages);
}

static void test_every_capacity(void **context)
{
    (void)context;
    const struct mr_note mixed[] = {
        note_of(1, "first \"\u00E9", "text\n"),
        note_of(-12, "\U0001F600", "0123456789012345678901234567890123"), note_of(3, "", "")};
    const struct mr_note long_ones[] = {note_of(INT32_MIN, "<<<<<<<<", "<<<<<<<<<<<<<<<<<<<<<<<<"),
                                        note_of(INT32_MIN, "&&&&&&&&", "&&&&&&&&&&&&&&&&&&&&&&&&")};
    for (size_t i = 0; i < mr_notes_kernels_count; i++) {
        const struct mr_notes_kernel *kernel;
        if (mr_notes_kernel_choose(mr_notes_kernels[i].name, &kernel) == 0) {
            check_capacities(&(struct mr_notes_job){kernel, mixed, 3, MR_NOTES_HTML});
            check_capacities(&(struct mr_notes_job){kernel, long_ones, 2, MR_NOTES_HTML});
        }
    }
}

// Where there is room, a kernel leaves nothing to the specification, which would hide that it could
// not go on.
static void test_kernels_write_all(void **context)
{
    (void)context;
    const struct mr_note notes[] = {
        note_of(1, "a\u00E9\u6F22\U0001F600b",
                "\"\u00E9\\\n\u00E9\u00E9\x01\U0001F600\u6F22\u6F22/"),
        note_of(2, "0123456789012345678901234567\U0001F600\u00E9", "\u00E9"),
        note_of(3, "abc", "0123456789012345678901234567890\U0001F600\"\u6F22\u6F22 and more"),
    };
    for (size_t i = 0; i < mr_notes_kernels_count; i++) {
        const struct mr_notes_kernel *kernel;
        if (mr_notes_kernel_choose(mr_notes_kernels[i].name, &kernel) != 0 ||
            kernel->write == NULL) {
            continue;
        }
        for (int profile = 0; profile < MR_NOTES_PROFILE_COUNT; profile++) {
            struct mr_notes_job job = {kernel, notes, 3, (enum mr_notes_profile)profile};
            struct mr_notes_cursor cursor = mr_notes_cursor_init(&job);
            uint8_t out[4096];
            size_t length = kernel->write(&cursor, out, sizeof out);
            assert_int_equal(cursor.part, MR_PART_END);
            assert_int_equal(cursor.note, 3);
            assert_in_range(length, 100, mr_notes_bound(notes, 3));
        }
    }
}

// A fault in a later note is told even where the buffer was too short before it, and the first one
// counts.
static void test_first_fault(void **context)
{
    (void)context;
    struct mr_note notes[40];
    for (size_t i = 0; i < 40; i++) {
        notes[i] =
            note_of((int32_t)i, "title of a note", "0123456789012345678901234567890123456789");
    }
    notes[33] = note_of(33, "title", "01234567890123456789\xC3");
    notes[35] = note_of(35, "\xFF", "");
    struct mr_notes_job job = {NULL, notes, 40, MR_NOTES_REQUIRED};
    assert_int_equal(mr_notes_kernel_choose(NULL, &job.kernel), 0);
    for (size_t capacity = 0; capacity <= 3000; capacity += 100) {
        char out[3000];
        struct mr_notes_result result;
        assert_int_equal(mr_notes_write(&job, out, capacity, &result), MR_NOTES_NOT_UTF8);
        assert_int_equal(result.note, 33);
        assert_true(result.in_text);
        assert_int_equal(result.offset, 20);
    }
    assert_null(mr_notes_check(&checker, notes, 40));
}

static void test_kernels(void **context)
{
    (void)context;
    const struct mr_notes_kernel *kernel = NULL;
    assert_int_equal(mr_notes_kernel_choose("none", &kernel), -ENOENT);
    assert_int_equal(mr_notes_kernel_choose("scalar", &kernel), 0);
    assert_string_equal(mr_notes_kernel_name(kernel), "scalar");
    assert_ptr_equal(kernel, mr_notes_kernel_by_index(0));
    assert_null(mr_notes_kernel_by_index(mr_notes_kernels_count));
    for (size_t i = 0; i < mr_notes_kernels_count; i++) {
        bool runs = (mr_notes_kernels[i].features & ~mr_cpu_features()) == 0;
        assert_int_equal(mr_notes_kernel_choose(mr_notes_kernels[i].name, &kernel),
                         runs ? 0 : -ENOTSUP);
    }
    // What the compiler may use of that kernel is what the processor is asked for.
    assert_string_equal(MR_NOTES_AVX2_FLAGS, "-O3 -mavx2 -mbmi -mbmi2 -mtune=skylake");
    assert_int_equal(mr_notes_kernels[1].features, MR_CPU_AVX2 | MR_CPU_BMI1 | MR_CPU_BMI2);
}

static int begin(void **context)
{
    (void)context;
    checker = mr_notes_checker_init();
    return 0;
}

static int finish(void **context)
{
    (void)context;
    mr_notes_checker_fini(&checker);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_worked_texts),
        cmocka_unit_test(test_ids),
        cmocka_unit_test(test_every_character_at_every_place),
        cmocka_unit_test(test_blocks_of_special_characters),
        cmocka_unit_test(test_every_capacity),
        cmocka_unit_test(test_kernels_write_all),
        cmocka_unit_test(test_first_fault),
        cmocka_unit_test(test_kernels),
    };
    return cmocka_run_group_tests(tests, begin, finish);
}
