// scan_string.c: see scan_string.h; RFC 8259 section 7.
#include "scan_string.h"

#include "swar.h"
#include "utf8.h"

// What the letter behind a backslash stands for; 0: no such escape (or u).
static const uint8_t escape_letters[256] = {
    ['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
    ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t'};

// A hexadecimal digit's value plus one; 0: not a digit.
static const uint8_t hex_digits[256] = {
    ['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,  ['6'] = 7,  ['7'] = 8,
    ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
    ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16};

#define UNIT_DIGITS 4

static bool is_high_surrogate(uint32_t unit)
{
    return unit >= 0xD800 && unit <= 0xDBFF;
}

static bool is_low_surrogate(uint32_t unit)
{
    return unit >= 0xDC00 && unit <= 0xDFFF;
}

// Reads the four digits of a \uXXXX at `at`.
static const uint8_t *read_unit(struct mr_reader *reader, const uint8_t *at, uint32_t *unit_out)
{
    uint32_t unit = 0;
    for (int i = 0; i < UNIT_DIGITS; i++, at++) {
        uint32_t digit = at < reader->end ? hex_digits[*at] : 0;
        if (digit == 0) {
            return mr_stop_unexpected(reader, MR_ERROR_ESCAPE, at);
        }
        unit = unit << 4 | (digit - 1);
    }
    *unit_out = unit;
    return at;
}

// Reads what must follow the high surrogate `unit` of the escape at `escape`; `at` stands behind
// it.
static const uint8_t *read_low_surrogate(struct mr_reader *reader, const uint8_t *escape,
                                         const uint8_t *at, uint32_t *scalar_io)
{
    for (const char *wanted = "\\u"; *wanted != '\0'; wanted++, at++) {
        if (at == reader->end) {
            return mr_stop(reader, MR_ERROR_TRUNCATED, at);
        }
        if (*at != (uint8_t)*wanted) {
            return mr_stop(reader, MR_ERROR_SURROGATE, escape);
        }
    }
    uint32_t low = 0;
    at = read_unit(reader, at, &low);
    if (at == NULL) {
        return NULL;
    }
    if (!is_low_surrogate(low)) {
        return mr_stop(reader, MR_ERROR_SURROGATE, escape);
    }
    *scalar_io = 0x10000 + ((*scalar_io - 0xD800) << 10) + (low - 0xDC00);
    return at;
}

// Reads the escape at `at` (a backslash); writes 1 to 4 bytes to `out`.
static const uint8_t *read_escape(struct mr_reader *reader, const uint8_t *at, uint8_t *out,
                                  size_t *bytes_out)
{
    const uint8_t *letter = at + 1;
    if (letter == reader->end) {
        return mr_stop(reader, MR_ERROR_TRUNCATED, letter);
    }
    if (escape_letters[*letter] != 0) {
        *out = escape_letters[*letter];
        *bytes_out = 1;
        return letter + 1;
    }
    if (*letter != 'u') {
        return mr_stop_unexpected(reader, MR_ERROR_ESCAPE, letter);
    }
    uint32_t scalar = 0;
    const uint8_t *next = read_unit(reader, letter + 1, &scalar);
    if (next != NULL && is_low_surrogate(scalar)) {
        return mr_stop(reader, MR_ERROR_SURROGATE, at);
    }
    if (next != NULL && is_high_surrogate(scalar)) {
        next = read_low_surrogate(reader, at, next, &scalar);
    }
    if (next != NULL) {
        *bytes_out = mr_utf8_write(scalar, out);
    }
    return next;
}

// Copies the UTF-8 sequence at `at`.
static const uint8_t *read_sequence(struct mr_reader *reader, const uint8_t *at, uint8_t *out,
                                    size_t *bytes_out)
{
    int length = mr_utf8_sequence(at, reader->end);
    if (length == MR_UTF8_CUT) {
        return mr_stop(reader, MR_ERROR_TRUNCATED, reader->end);
    }
    if (length == MR_UTF8_MALFORMED) {
        return mr_stop(reader, MR_ERROR_UTF8, at);
    }
    for (int i = 0; i < length; i++) {
        out[i] = at[i];
    }
    *bytes_out = (size_t)length;
    return at + length;
}

const uint8_t *mr_scan_string(struct mr_reader *reader, const uint8_t *at, uint8_t *out,
                              size_t *bytes_out)
{
    uint8_t *to = out;
    while (at < reader->end) {
        // Eight bytes are copied before it is known how many of them are plain; what is too much
        // gets overwritten, or is slack.
        uint64_t word = mr_swar_load(at);
        memcpy(to, &word, sizeof word);
        uint64_t marks = mr_swar_not_plain(word);
        size_t plain = marks == 0 ? sizeof word : mr_swar_first(marks);
        at += plain;
        to += plain;
        if (marks == 0) {
            continue;
        }
        if (at >= reader->end) {
            break;
        }
        if (*at == '"') {
            *bytes_out = (size_t)(to - out);
            return at + 1;
        }
        if (*at < 0x20) {
            return mr_stop(reader, MR_ERROR_CONTROL, at);
        }
        size_t bytes = 0;
        at = *at == '\\' ? read_escape(reader, at, to, &bytes)
                         : read_sequence(reader, at, to, &bytes);
        if (at == NULL) {
            return NULL;
        }
        to += bytes;
    }
    return mr_stop(reader, MR_ERROR_TRUNCATED, reader->end);
}
