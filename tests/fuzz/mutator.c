// mutator.c: see mutator.h.
#include "mutator.h"

#include "base/rng.h"
#include "builder.h"

#include <matchrace/contract.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

// A text that is changed in place.
struct text {
    uint8_t *bytes;
    size_t count;
    size_t count_max;
    struct mr_rng rng;
};

static size_t draw(struct text *text, size_t bound)
{
    return (size_t)mr_rng_below(&text->rng, bound);
}

// Replaces [at, at + length) by `count` bytes. Does nothing where there is no room.
static void replace(struct text *text, size_t at, size_t length, const void *bytes, size_t count)
{
    if (at + length > text->count || text->count - length + count > text->count_max) {
        return;
    }
    memmove(text->bytes + at + count, text->bytes + at + length, text->count - at - length);
    memcpy(text->bytes + at, bytes, count);
    text->count += count - length;
}

static void insert(struct text *text, size_t at, const char *string)
{
    replace(text, at, 0, string, strlen(string));
}

// A place where one of `wanted` stands, at or behind a random one; text->count where none does.
static size_t find_any(struct text *text, const char *wanted)
{
    size_t from = draw(text, text->count);
    for (size_t i = 0; i < text->count; i++) {
        size_t at = (from + i) % text->count;
        if (text->bytes[at] != '\0' && strchr(wanted, text->bytes[at]) != NULL) {
            return at;
        }
    }
    return text->count;
}

static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
static const char digits[] = "0123456789";

// Where the string that begins with the quote at `at` ends: at its other quote, or the text's end.
static size_t skip_string(const struct text *text, size_t at)
{
    for (at++; at < text->count && text->bytes[at] != '"'; at++) {
        at += text->bytes[at] == '\\' ? 1 : 0;
    }
    return at;
}

// The members of one record: member i is [from[i], to[i]).
struct members {
    size_t from[16];
    size_t to[16];
    size_t count;
    size_t begin; // of the record, its brace
    size_t end;   // behind its closing brace
};

// Finds the members of a record somewhere. False: there is none.
static bool find_members(struct text *text, struct members *members)
{
    size_t at = find_any(text, "{");
    members->begin = at;
    members->count = 0;
    unsigned depth = 0;
    size_t from = at + 1;
    for (at++; at < text->count && members->count < COUNT_OF(members->from); at++) {
        uint8_t byte = text->bytes[at];
        if (byte == '"') {
            at = skip_string(text, at);
        } else if (byte == '[') {
            depth++;
        } else if (byte == ']') {
            depth--;
        } else if (byte == '}' || (byte == ',' && depth == 0)) {
            members->from[members->count] = from;
            members->to[members->count++] = at;
            from = at + 1;
            if (byte == '}') {
                members->end = at + 1;
                return true;
            }
        }
    }
    return false;
}

static void swap_members(struct text *text)
{
    struct members members;
    uint8_t copy[8192];
    if (!find_members(text, &members) || members.count < 2) {
        return;
    }
    size_t i = draw(text, members.count - 1);
    size_t j = i + 1 + draw(text, members.count - 1 - i);
    size_t all = members.to[j] - members.from[i];
    if (all > sizeof copy) {
        return;
    }
    size_t first = members.to[i] - members.from[i];
    size_t last = members.to[j] - members.from[j];
    size_t between = all - first - last;
    memcpy(copy, text->bytes + members.from[j], last);
    memcpy(copy + last, text->bytes + members.to[i], between);
    memcpy(copy + last + between, text->bytes + members.from[i], first);
    memcpy(text->bytes + members.from[i], copy, all);
}

static void drop_or_double_member(struct text *text)
{
    struct members members;
    uint8_t copy[8192];
    if (!find_members(text, &members) || members.count < 2) {
        return;
    }
    size_t i = 1 + draw(text, members.count - 1);
    size_t length = members.to[i] - members.from[i] + 1; // with the comma before
    if (draw(text, 2) == 0) {
        replace(text, members.from[i] - 1, length, "", 0);
    } else if (length <= sizeof copy) {
        memcpy(copy, text->bytes + members.from[i] - 1, length);
        replace(text, members.to[draw(text, members.count)], 0, copy, length);
    }
}

static void drop_or_double_record(struct text *text)
{
    struct members members;
    static uint8_t copy[65536];
    if (!find_members(text, &members)) {
        return;
    }
    size_t length = members.end - members.begin;
    if (draw(text, 4) == 0) {
        bool comma = members.end < text->count && text->bytes[members.end] == ',';
        replace(text, members.begin, length + (comma ? 1 : 0), "", 0);
        return;
    }
    if (length + 1 > sizeof copy) {
        return;
    }
    memcpy(copy, text->bytes + members.begin, length);
    copy[length] = ',';
    for (size_t times = 1 + draw(text, 6); times > 0; times--) {
        replace(text, members.begin, 0, copy, length + 1);
    }
}

static void change_digit(struct text *text)
{
    size_t at = find_any(text, digits);
    if (at < text->count) {
        text->bytes[at] = (uint8_t)('0' + draw(text, 10));
    }
}

static void change_number(struct text *text)
{
    static const char *const numbers[] = {"0",
                                          "-0",
                                          "-0.0",
                                          "1e-400",
                                          "9223372036854775807",
                                          "9223372036854775808",
                                          "253402300799999999",
                                          "253402300800000000",
                                          "9007199254740993",
                                          "562949953421312.0625",
                                          "562949953421312.06250000000000000000001",
                                          "1.7976931348623157e-308",
                                          "1000000000000000.0625",
                                          "1000000000000000.0626",
                                          "0.1e16",
                                          "123456789012345678901234567890e-20",
                                          "1234567890123456789.5e-5",
                                          "-12345678901234567890.0625e-6",
                                          "2.2250738585072011e-308",
                                          "00",
                                          "1.",
                                          "1e5"};
    size_t from = find_any(text, "-0123456789");
    size_t to = from;
    while (to < text->count && strchr("+-.eE0123456789", text->bytes[to]) != NULL &&
           text->bytes[to] != '\0') {
        to++;
    }
    const char *number = numbers[draw(text, COUNT_OF(numbers))];
    replace(text, from, to - from, number, strlen(number));
}

static void grow_number(struct text *text)
{
    static const char *const more[] = {"0",
                                       "5",
                                       "9",
                                       "00000000",
                                       "12345678",
                                       ".",
                                       ".5",
                                       "e1",
                                       "E-3",
                                       "-",
                                       "000000000000000000000001"};
    size_t at = find_any(text, digits);
    insert(text, at + draw(text, 2), more[draw(text, COUNT_OF(more))]);
}

static void add_space(struct text *text)
{
    static const char spaces[] = " \t\r\n";
    uint8_t run[700];
    size_t count = draw(text, 3) != 0 ? 1 : 1 + draw(text, sizeof run - 1);
    memset(run, spaces[draw(text, 4)], count);
    size_t at = find_any(text, "{}[]:,\"");
    replace(text, at + draw(text, 2), 0, run, count);
}

// A letter, digit or anything else of a text becomes an escape.
static void escape_letter(struct text *text)
{
    size_t at = find_any(text, draw(text, 4) == 0 ? digits : letters);
    if (at >= text->count) {
        return;
    }
    char escape[16];
    (void)snprintf(escape, sizeof escape, draw(text, 2) == 0 ? "\\u%04x" : "\\u%04X",
                   (unsigned)text->bytes[at]);
    replace(text, at, 1, escape, strlen(escape));
}

static void insert_piece(struct text *text)
{
    static const char *const pieces[] = {"\\n",
                                         "\\\\",
                                         "\\\"",
                                         "\\/",
                                         "\\b",
                                         "\\u0000",
                                         "\\u0022",
                                         "\\u005c",
                                         "\\u00e9",
                                         "\\u07FF",
                                         "\\u20AC",
                                         "\\uFFFF",
                                         "\\ud83d\\ude00",
                                         "\\udbff\\udfff",
                                         "\\ud800",
                                         "\\udc00",
                                         "\\x",
                                         "\\u12",
                                         "\\",
                                         "\\ud83d\\n",
                                         "\xC3\xA9",
                                         "\xE2\x82\xAC",
                                         "\xED\xA0\x80",
                                         "\xF0\x9F\x98\x80",
                                         "\xF4\x90\x80\x80",
                                         "\xC3",
                                         "\x80",
                                         "\x1F",
                                         "\x7F",
                                         "]",
                                         "}",
                                         ",",
                                         "\""};
    size_t at = find_any(text, letters);
    for (size_t times = draw(text, 4) == 0 ? 1 + draw(text, 60) : 1; times > 0; times--) {
        insert(text, at, pieces[draw(text, draw(text, 3) == 0 ? COUNT_OF(pieces) : 14)]);
    }
}

static void insert_run(struct text *text)
{
    uint8_t run[4200];
    static const size_t bounds[] = {4, 70, 300, sizeof run};
    size_t count = 1 + draw(text, bounds[draw(text, 4)] - 1);
    memset(run, letters[draw(text, 26)], count);
    replace(text, find_any(text, letters), 0, run, count);
}

static void change_flags(struct text *text)
{
    char flag[32];
    size_t at = find_any(text, "[");
    if (at >= text->count) {
        return;
    }
    bool empty = at + 1 < text->count && text->bytes[at + 1] == ']';
    (void)snprintf(flag, sizeof flag, empty ? "\"%s\"" : "\"%s\",",
                   mr_flag_names[draw(text, MR_FLAG_COUNT)]);
    insert(text, at + 1, flag);
}

static void change_word(struct text *text)
{
    static const char *const words[] = {"metric", "event", "log",   "trace", "alert",
                                        "audit",  "span",  "state", "id",    "timestamp",
                                        "source", "kind",  "value", "flags", "message"};
    size_t from = find_any(text, "\"");
    size_t to = skip_string(text, from);
    size_t which = draw(text, COUNT_OF(words) + MR_FLAG_COUNT);
    const char *word =
        which < COUNT_OF(words) ? words[which] : mr_flag_names[which - COUNT_OF(words)];
    if (from < text->count && to < text->count) {
        replace(text, from + 1, to - from - 1, word, strlen(word));
    }
}

static void change_byte(struct text *text)
{
    static const char wanted[] = "\"\\{}[],:-.0 u\x01\x80\xFF";
    if (text->count > 0) {
        text->bytes[draw(text, text->count)] = (uint8_t)wanted[draw(text, sizeof wanted)];
    }
}

static void cut(struct text *text)
{
    if (text->count == 0) {
        return;
    }
    size_t at = draw(text, text->count);
    if (draw(text, 4) == 0) {
        text->count = at;
        return;
    }
    size_t left = text->count - at;
    size_t most = draw(text, 2) == 0 ? 4 : 200;
    replace(text, at, 1 + draw(text, left < most ? left : most), "", 0);
    text->count = text->count > text->count_max ? text->count_max : text->count;
}

static void put_word(struct text *text, const char *word)
{
    insert(text, text->count, "\"");
    insert(text, text->count, word);
    insert(text, text->count, "\"");
}

static void put_flags(struct text *text)
{
    insert(text, text->count, "[");
    size_t first = draw(text, MR_FLAG_COUNT);
    size_t flags = draw(text, 4) == 0 ? draw(text, 9) : draw(text, 3);
    for (size_t i = 0; i < flags; i++) {
        insert(text, text->count, i == 0 ? "" : ",");
        put_word(text, mr_flag_names[(first + i) % MR_FLAG_COUNT]);
    }
    insert(text, text->count, "]");
}

// A record as a writer makes it, its members in a row or turned by some.
static void put_record(struct text *text, size_t turned, const char *space)
{
    insert(text, text->count, "{");
    for (size_t i = 0; i < MR_KEY_COUNT; i++) {
        size_t key = (i + turned) % MR_KEY_COUNT;
        char number[32];
        insert(text, text->count, i == 0 ? "" : ",");
        insert(text, text->count, space);
        put_word(text, mr_key_texts[key]);
        insert(text, text->count, ":");
        insert(text, text->count, space);
        if (key == MR_KEY_FLAGS) {
            put_flags(text);
        } else if (key == MR_KEY_KIND) {
            put_word(text, mr_kind_names[draw(text, MR_KIND_COUNT)]);
        } else if (key == MR_KEY_VALUE) {
            (void)snprintf(number, sizeof number, "%.*f", (int)draw(text, 5),
                           (double)draw(text, 1000000) / 1000 - 500);
            insert(text, text->count, number);
        } else {
            insert(text, text->count, mr_value_texts[key]);
        }
    }
    insert(text, text->count, space);
    insert(text, text->count, "}");
}

static void put_new_batch(struct text *text)
{
    static const char *const spaces[] = {"", " ", "\n    "};
    size_t turned = draw(text, 2) == 0 ? 0 : draw(text, MR_KEY_COUNT);
    const char *space = spaces[draw(text, 2) == 0 ? 0 : draw(text, 3)];
    text->count = 0;
    insert(text, 0, "[");
    for (size_t records = 1 + draw(text, 12), i = 0; i < records; i++) {
        insert(text, text->count, i == 0 ? "" : ",");
        put_record(text, turned, space);
    }
    insert(text, text->count, "]");
}

size_t mr_mutate(uint8_t *bytes, size_t count, size_t count_max, uint64_t seed)
{
    static void (*const ways[])(struct text * text) = {swap_members,
                                                       drop_or_double_member,
                                                       drop_or_double_record,
                                                       change_digit,
                                                       change_number,
                                                       grow_number,
                                                       add_space,
                                                       escape_letter,
                                                       escape_letter,
                                                       insert_piece,
                                                       insert_piece,
                                                       insert_run,
                                                       change_flags,
                                                       change_word,
                                                       change_byte,
                                                       change_byte,
                                                       cut};
    struct text text = {bytes, count, count_max, mr_rng_seeded(seed)};
    if (count == 0 || draw(&text, 200) == 0) {
        put_new_batch(&text);
    } else {
        ways[draw(&text, COUNT_OF(ways))](&text);
    }
    return text.count;
}

size_t mr_cross(uint8_t *bytes, size_t count, size_t count_max, const uint8_t *other,
                size_t other_count, uint64_t seed)
{
    struct text text = {bytes, count, count_max, mr_rng_seeded(seed)};
    // Without the other's closing bracket, and a comma in its place; ours without the opening one.
    if (count > 2 && other_count > 2 && other[other_count - 1] == ']' && bytes[0] == '[') {
        replace(&text, 0, 1, other, other_count);
        if (text.count != count) {
            text.bytes[other_count - 1] = ',';
        }
    }
    return text.count;
}
