// utf8_sequences_test.c: all sequences of up to three bytes, and those of four at the borders of
// what is allowed, at the places around the border of a block; one of each class at every place.
//
// The verdict is checked with a definition of UTF-8 of its own (RFC 3629, section 4).
#include "builder.h"
#include "check_main.h"

#include "base/mr_assert.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define BLOCK 64u

// A batch with room for a sequence in its message, at a place of a block; blocks count from behind
// the opening bracket. `behind` is what stands behind the message.
struct frame {
    uint8_t bytes[1024];
    size_t sequence; // where it begins
    size_t count;
};

static void put(struct frame *frame, const char *string)
{
    memcpy(frame->bytes + frame->count, string, strlen(string));
    frame->count += strlen(string);
}

// `canonical`: in the layout that a kernel may guess, with enough behind.
static struct frame make_frame(size_t place, size_t room, bool canonical)
{
    struct frame frame = {.count = MR_PAD_FRONT};
    put(&frame, canonical
                    ? "[{\"id\":1,\"timestamp\":2,\"source\":\"s\",\"kind\":\"log\",\"value\":3,"
                      "\"flags\":[],\"message\":\""
                    : "[{\"message\":\"");
    while ((frame.count - MR_PAD_FRONT - 1) % BLOCK != place) {
        put(&frame, "x");
    }
    frame.sequence = frame.count;
    for (size_t i = 0; i < room; i++) {
        put(&frame, "y");
    }
    put(&frame, canonical ? "\"}"
                          : "\",\"id\":1,\"timestamp\":2,\"source\":\"s\",\"kind\":\"log\","
                            "\"value\":3,\"flags\":[]}");
    for (unsigned i = 0; i < (canonical ? 3u : 0u); i++) {
        put(&frame, ",{\"id\":1,\"timestamp\":2,\"source\":\"s\",\"kind\":\"log\",\"value\":3,"
                    "\"flags\":[],\"message\":\"\"}");
    }
    put(&frame, "]");
    return frame;
}

static bool is_continuation(uint8_t byte)
{
    return byte >= 0x80 && byte <= 0xBF;
}

// Whether bytes[0..count) may stand in a string: characters without '"', '\' and control.
static bool is_good(const uint8_t *bytes, size_t count)
{
    size_t i = 0;
    while (i < count) {
        uint8_t first = bytes[i];
        size_t more = first < 0x80 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
        if (first < 0x20 || first == '"' || first == '\\' || (first >= 0x80 && first < 0xC2) ||
            first > 0xF4 || count - i - 1 < more) {
            return false;
        }
        for (size_t j = 1; j <= more; j++) {
            if (!is_continuation(bytes[i + j])) {
                return false;
            }
        }
        uint8_t second = more > 0 ? bytes[i + 1] : 0;
        if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
            (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) {
            return false;
        }
        i += 1 + more;
    }
    return true;
}

// Puts the sequence into the frame and parses it with every kernel.
static void check(struct mr_checker *checker, struct frame *frame, const uint8_t *sequence,
                  size_t count)
{
    _Alignas(8) static uint8_t records[4096];
    const uint8_t *json = frame->bytes + MR_PAD_FRONT;
    memcpy(frame->bytes + frame->sequence, sequence, count);
    struct mr_result expected = {0};
    for (size_t i = 0; i < checker->parsers; i++) {
        struct mr_result result;
        mr_parser_parse(checker->parser[i], json, frame->count - MR_PAD_FRONT, records, &result);
        if (i == 0) {
            expected = result;
        }
        if (result.error != expected.error || result.digest != expected.digest ||
            result.error_offset != expected.error_offset ||
            (result.error == MR_OK) != is_good(sequence, count)) {
            fail_msg("%s: %s for %02x %02x %02x %02x (%zu of them) at offset %zu",
                     mr_parser_kernel(checker->parser[i]), mr_error_text(result.error), sequence[0],
                     sequence[1], sequence[2], sequence[3], count, frame->sequence - MR_PAD_FRONT);
        }
    }
    memset(frame->bytes + frame->sequence, 'y', count);
}

static const size_t border_places[] = {0, 61, 62, 63};

static void test_one_and_two_bytes(void **context)
{
    for (size_t place = 0; place < 4 * 2; place++) {
        struct frame frame = make_frame(border_places[place / 2], 4, place % 2 == 0);
        for (uint32_t pair = 0; pair <= 0xFFFF; pair++) {
            const uint8_t bytes[4] = {(uint8_t)(pair >> 8), (uint8_t)pair};
            // '"' and '\' end or begin something else, which other tests look at.
            if (is_good(bytes, 2) ||
                (bytes[0] != '"' && bytes[0] != '\\' && bytes[1] != '"' && bytes[1] != '\\')) {
                check(*context, &frame, bytes, 2);
            }
        }
    }
}

// MR_ALL_SEQUENCES: whatever the first byte is; else those with a lead of three bytes.
static void test_three_bytes(void **context)
{
#ifdef MR_ALL_SEQUENCES
    const uint32_t first = 0x000000;
    const uint32_t last = 0xFFFFFF;
    const uint32_t step = 1;
#else
    const uint32_t first = 0xE00000;
    const uint32_t last = 0xEFFFFF;
    const uint32_t step = MR_SEQUENCES_STEP;
#endif
    for (size_t place = 0; place < 4; place++) {
        struct frame frame = make_frame(border_places[place], 4, false);
        for (uint32_t three = first; three <= last; three += step) {
            const uint8_t bytes[4] = {(uint8_t)(three >> 16), (uint8_t)(three >> 8),
                                      (uint8_t)three};
            if (memchr(bytes, '"', 3) == NULL && memchr(bytes, '\\', 3) == NULL) {
                check(*context, &frame, bytes, 3);
            }
        }
    }
}

// Bytes at and around every border of a class of the second, third and fourth byte.
static const uint8_t borders[] = {0x20, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0,
                                  0xBF, 0xC0, 0xC2, 0xDF, 0xE0, 0xF0, 0xFF};
#define BORDERS (sizeof borders)

static void check_followers(struct mr_checker *checker, struct frame *frame, uint8_t lead)
{
    for (size_t mix = 0; mix < BORDERS * BORDERS * BORDERS; mix++) {
        const uint8_t bytes[4] = {lead, borders[mix % BORDERS], borders[mix / BORDERS % BORDERS],
                                  borders[mix / BORDERS / BORDERS]};
        check(checker, frame, bytes, 4);
    }
}

static void test_four_bytes(void **context)
{
    for (size_t place = 0; place < 4; place++) {
        struct frame frame = make_frame(border_places[place], 5, false);
        for (unsigned lead = 0xC0; lead <= 0xFF; lead++) {
            check_followers(*context, &frame, (uint8_t)lead);
        }
    }
}

static void test_one_of_each_class_everywhere(void **context)
{
    static const uint8_t sequences[][4] = {{0x7F},
                                           {0x80},
                                           {0xBF},
                                           {0xC0, 0x80},
                                           {0xC1, 0xBF},
                                           {0xC2, 0x80},
                                           {0xDF, 0xBF},
                                           {0xC3, 0x28},
                                           {0xE0, 0x9F, 0xBF},
                                           {0xE0, 0xA0, 0x80},
                                           {0xE2, 0x82, 0xAC},
                                           {0xE2, 0x82, 0x28},
                                           {0xED, 0x9F, 0xBF},
                                           {0xED, 0xA0, 0x80},
                                           {0xEE, 0x80, 0x80},
                                           {0xF0, 0x8F, 0xBF, 0xBF},
                                           {0xF0, 0x90, 0x80, 0x80},
                                           {0xF0, 0x9F, 0x98, 0x80},
                                           {0xF0, 0x9F, 0x98, 0x28},
                                           {0xF4, 0x8F, 0xBF, 0xBF},
                                           {0xF4, 0x90, 0x80, 0x80},
                                           {0xF5, 0x80, 0x80, 0x80},
                                           {0xFF},
                                           {0xFE, 0x80, 0x80, 0x80},
                                           {0xC3, 0xA9, 0xC3, 0xA9},
                                           {0xC3, 0xA9, 0xA9},
                                           {0x01},
                                           {0x1F},
                                           {0x00, 'x'}};
    for (size_t place = 0; place < 2 * BLOCK; place++) {
        for (size_t i = 0; i < sizeof sequences / sizeof sequences[0]; i++) {
            size_t count = 4;
            while (count > 1 && sequences[i][count - 1] == 0) {
                count--;
            }
            // At the end of the message, and with text behind.
            for (size_t room = count; room <= count + 9; room += 9) {
                struct frame frame = make_frame(place % BLOCK, room, place / BLOCK == 0);
                check(*context, &frame, sequences[i], count);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_and_two_bytes),
        cmocka_unit_test(test_three_bytes),
        cmocka_unit_test(test_four_bytes),
        cmocka_unit_test(test_one_of_each_class_everywhere),
    };
    return mr_check_main(tests, sizeof tests / sizeof tests[0], 4096);
}
