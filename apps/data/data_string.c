// data_string.c: see data_string.h.
#include "data_string.h"

#include "base/mr_assert.h"

#include <stdbool.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static const char *const spelling[26] = {
    "alpha",  "bravo", "charlie", "delta",  "echo",     "foxtrot", "golf",   "hotel",  "india",
    "juliet", "kilo",  "lima",    "mike",   "november", "oscar",   "papa",   "quebec", "romeo",
    "sierra", "tango", "uniform", "victor", "whiskey",  "xray",    "yankee", "zulu"};

// What else logs are made of; some of it looks like the JSON around it.
static const char *const fragments[] = {
    "timeout after 30s",
    "GET /api/v2/items?id=17&page=3",
    "user=4711",
    "{id:1,timestamp:2}",
    "[1, 2, 3]",
    "},{",
    "]]",
    ":",
    "null",
    "-0.5e-3",
    "timestamp",
    "value",
    "flags",
    "message",
    "0x7FFE03",
    "cpu 98%",
    "'quoted'",
    "a,b;c|d",
    "<tag attr='x'>",
    "#!$~^*()=+",
    "\x7f",
    "retrying...",
    "eth0: link up",
    "2026-11-30T14:48:30Z",
    "    ",
    "C:/tmp/x.log",
    "@@",
};

// Ranges of characters by their length in UTF-8, with the edges of each length among them.
struct range {
    uint32_t first;
    uint32_t last;
};
static const struct range two_bytes[] = {{0x80, 0x80},   {0xC0, 0xFF},   {0x100, 0x17F},
                                         {0x391, 0x3C9}, {0x410, 0x44F}, {0x5D0, 0x5EA},
                                         {0x7C0, 0x7FF}};
static const struct range three_bytes[] = {{0x800, 0x800},   {0x905, 0x939},   {0x2010, 0x2044},
                                           {0x20A0, 0x20BF}, {0x3041, 0x30FF}, {0x4E00, 0x9FFF},
                                           {0xAC00, 0xD7A3}, {0xD7FF, 0xD7FF}, {0xE000, 0xE0FF},
                                           {0xFEFF, 0xFEFF}, {0xFDD0, 0xFDEF}, {0xFFFD, 0xFFFF}};
static const struct range four_bytes[] = {{0x10000, 0x10010},
                                          {0x1D400, 0x1D4FF},
                                          {0x1F300, 0x1F64F},
                                          {0x20000, 0x2A6DF},
                                          {0x10FFFE, 0x10FFFF}};

// Characters of one escape: everything below 0x20 first, then what needn't be escaped.
static const struct range escaped_alone[] = {
    {0x00, 0x00},    {0x01, 0x1F},     {0x20, 0x7F},     {0x80, 0xFF},     {0x370, 0x7FF},
    {0x800, 0x9FFF}, {0xA000, 0xD7FF}, {0xE000, 0xFDCF}, {0xFDD0, 0xFDEF}, {0xFFF0, 0xFFFF}};

static uint32_t draw_character(struct mr_rng *rng, const struct range *ranges, size_t count)
{
    const struct range *range = &ranges[mr_rng_below(rng, count)];
    return (uint32_t)mr_rng_between(rng, range->first, range->last);
}

// Writes `character` as UTF-8 and returns its length.
static size_t encode(uint32_t character, uint8_t bytes_out[4])
{
    if (character < 0x80) {
        bytes_out[0] = (uint8_t)character;
        return 1;
    }
    size_t length = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
    static const uint8_t lead[5] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = length - 1; i > 0; i--) {
        bytes_out[i] = (uint8_t)(0x80 | (character & 0x3F));
        character >>= 6;
    }
    bytes_out[0] = (uint8_t)(lead[length] | character);
    return length;
}

static void say(uint32_t character, struct mr_buffer *said)
{
    uint8_t bytes[4];
    mr_buffer_add(said, bytes, encode(character, bytes));
}

// \uXXXX with digits in lower, upper or mixed case.
static void write_escape(struct mr_rng *rng, uint32_t unit, struct mr_buffer *raw)
{
    uint64_t upper = mr_rng_below(rng, 3) == 0   ? mr_rng_next(rng)
                     : mr_rng_below(rng, 2) == 0 ? 0
                                                 : 15;
    char text[6] = {'\\', 'u'};
    for (int i = 0; i < 4; i++) {
        bool big = (upper >> i & 1) != 0;
        text[2 + i] = (big ? "0123456789ABCDEF" : "0123456789abcdef")[unit >> (12 - 4 * i) & 15];
    }
    mr_buffer_add(raw, text, sizeof text);
}

void mr_string_word(struct mr_rng *rng, struct mr_buffer *out)
{
    mr_buffer_text(out, spelling[mr_rng_below(rng, COUNT_OF(spelling))]);
}

void mr_string_escaped(struct mr_rng *rng, const char *plain, size_t escaped, struct mr_buffer *raw)
{
    for (size_t i = 0; plain[i] != '\0'; i++) {
        if (i < escaped) {
            write_escape(rng, (uint8_t)plain[i], raw);
        } else {
            mr_buffer_byte(raw, plain[i]);
        }
    }
}

// A string being mixed; `room` is what may still be said.
struct mixing {
    struct mr_rng *rng;
    struct mr_string_parts left;
    uint32_t room;
    struct mr_string_out *out;
};

static uint32_t least(uint32_t left, uint32_t right)
{
    return left < right ? left : right;
}

static void mix_ascii(struct mixing *mixing)
{
    const char *text = mr_rng_below(mixing->rng, 3) == 0
                           ? fragments[mr_rng_below(mixing->rng, COUNT_OF(fragments))]
                           : spelling[mr_rng_below(mixing->rng, COUNT_OF(spelling))];
    uint32_t limit = least(mixing->left.ascii_bytes, mixing->room);
    uint32_t length = least((uint32_t)strlen(text), limit);
    mr_buffer_add(mixing->out->raw, text, length);
    mr_buffer_add(mixing->out->said, text, length);
    if (length < limit) {
        mr_buffer_byte(mixing->out->raw, ' ');
        mr_buffer_byte(mixing->out->said, ' ');
        length++;
    }
    mixing->left.ascii_bytes -= length;
    mixing->room -= length;
}

// One short escape, or a run of them.
static void mix_short(struct mixing *mixing)
{
    static const char written[8] = {'"', '\\', '/', 'b', 'f', 'n', 'r', 't'};
    static const char meant[8] = {'"', '\\', '/', '\b', '\f', '\n', '\r', '\t'};
    uint32_t run =
        mr_rng_below(mixing->rng, 5) == 0 ? (uint32_t)mr_rng_between(mixing->rng, 2, 6) : 1;
    run = least(least(run, mixing->left.short_escapes), mixing->room);
    for (uint32_t i = 0; i < run; i++) {
        // Quotes and backslashes are what logs hold most of.
        uint64_t which = mr_rng_below(mixing->rng, 12);
        which = which < 8 ? which : which % 2;
        mr_buffer_byte(mixing->out->raw, '\\');
        mr_buffer_byte(mixing->out->raw, written[which]);
        mr_buffer_byte(mixing->out->said, meant[which]);
    }
    mixing->left.short_escapes -= run;
    mixing->room -= run;
}

static void mix_unicode(struct mixing *mixing)
{
    bool pair = mixing->left.unicode_escapes >= 2 && mr_rng_below(mixing->rng, 4) == 0;
    uint32_t character = pair ? draw_character(mixing->rng, four_bytes, COUNT_OF(four_bytes))
                              : draw_character(mixing->rng, escaped_alone, COUNT_OF(escaped_alone));
    uint8_t bytes[4];
    uint32_t length = (uint32_t)encode(character, bytes);
    mixing->left.unicode_escapes -= pair ? 2 : 1;
    if (length > mixing->room) {
        return;
    }
    if (pair) {
        write_escape(mixing->rng, 0xD800 + ((character - 0x10000) >> 10), mixing->out->raw);
        write_escape(mixing->rng, 0xDC00 + (character & 0x3FF), mixing->out->raw);
    } else {
        write_escape(mixing->rng, character, mixing->out->raw);
    }
    say(character, mixing->out->said);
    mixing->room -= length;
}

// A few characters of one length: a word of one script.
static void mix_wide(struct mixing *mixing)
{
    static const struct {
        const struct range *ranges;
        size_t count;
        uint32_t length;
    } scripts[3] = {{two_bytes, COUNT_OF(two_bytes), 2},
                    {three_bytes, COUNT_OF(three_bytes), 3},
                    {four_bytes, COUNT_OF(four_bytes), 4}};
    uint32_t left = mixing->left.wide_bytes;
    uint64_t script = mr_rng_below(mixing->rng, left >= 4 ? 3 : left >= 3 ? 2 : 1);
    uint32_t length = scripts[script].length;
    uint32_t run = (uint32_t)mr_rng_between(mixing->rng, 1, 5);
    if (left < length || mixing->room < length) {
        mixing->left.wide_bytes = 0; // not even one character goes in any more
        return;
    }
    for (; run > 0 && mixing->left.wide_bytes >= length && mixing->room >= length; run--) {
        uint32_t character =
            draw_character(mixing->rng, scripts[script].ranges, scripts[script].count);
        uint8_t bytes[4];
        size_t encoded = encode(character, bytes);
        MR_ASSERT(encoded == length);
        mr_buffer_add(mixing->out->raw, bytes, length);
        mr_buffer_add(mixing->out->said, bytes, length);
        mixing->left.wide_bytes -= length;
        mixing->room -= length;
    }
}

void mr_string_messy(struct mr_rng *rng, struct mr_string_parts parts, uint32_t said_max,
                     struct mr_string_out *out)
{
    struct mixing mixing = {.rng = rng, .left = parts, .room = said_max, .out = out};
    while (mixing.room > 0) {
        // Each part is drawn in proportion to the bytes that are left of it.
        uint32_t shorts = 2 * mixing.left.short_escapes;
        uint32_t unicodes = 6 * mixing.left.unicode_escapes;
        uint32_t total = mixing.left.ascii_bytes + shorts + unicodes + mixing.left.wide_bytes;
        if (total == 0) {
            return;
        }
        uint64_t draw = mr_rng_below(rng, total);
        if (draw < shorts) {
            mix_short(&mixing);
        } else if (draw < shorts + unicodes) {
            mix_unicode(&mixing);
        } else if (draw < shorts + unicodes + mixing.left.wide_bytes) {
            mix_wide(&mixing);
        } else {
            mix_ascii(&mixing);
        }
    }
}
