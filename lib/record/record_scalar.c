// record_scalar.c: the parser as a specification: plain C, one byte of the text after the other.
//
// Accepts what docs/PROTOCOL.md, section 1, accepts. Every other kernel must give the same results,
// the reasons of rejections included, so here is what they are. The text is read once, from left to
// right, and reading stops at the first fault:
//
//  1. `error_record` is the number of records whose closing brace has been read. `error_offset` is
//     where the fault stands, by the following rules; at most the length of the text.
//  2. Where one of some bytes must stand and another does: that byte, SYNTAX unless a rule below
//     has a better name; UTF8 if it is the first of no well-formed UTF-8 sequence. Where the text
//     ends instead: its length, TRUNCATED; EMPTY when only white space was read; in a string also
//     when the end cuts off a UTF-8 sequence that was well-formed so far.
//     Instead of SYNTAX: BOM, at 0, when the text begins with EF BB BF; TRAILING behind the array.
//  3. A record begins with a brace, and the 65,536th one is RECORDS_MAX.
//  4. A value's first byte decides its type. First bytes of values of another type are TYPE (also
//     of elements of `flags`), and + . N I in place of a number are NUMBER.
//  5. A string is read whole before it is understood. Faults inside: CONTROL and UTF8 at the byte
//     (of a sequence: the first); ESCAPE at the byte behind the backslash that is no escape letter,
//     or the one that is no hexadecimal digit; SURROGATE at the backslash of the escape that names
//     half a pair: a low one first, or a high one with anything else behind than \u and four digits
//     that are a low one. (What comes first in the text wins: a bad digit of the second escape is
//     ESCAPE, the end of the text TRUNCATED.)
//     Faults of the whole string are at its opening quote: KEY_UNKNOWN, KEY_TWICE, KIND, FLAG,
//     FLAG_TWICE, LENGTH.
//  6. A number is read whole before it is understood, too. NUMBER: at a byte where a digit must
//  stand
//     and does not, or at the digit behind a leading 0. A number ends where its grammar does, so
//     that in 1.2.3 the second point is SYNTAX; where that is the end of the text, it is TRUNCATED,
//     for more digits might have followed. Faults of the whole number are at its first byte: TYPE
//     (an id or timestamp of more than digits), INTEGER_RANGE, VALUE_RANGE.
//  7. KEY_MISSING is at the closing brace of the record.
#include "kernels.h"

#include "reader.h"
#include "record_scalar.h"
#include "scan_number.h"
#include "scan_string.h"
#include "words.h"

#include <string.h>

// Where a message waits that comes before the source of its record.
#define MESSAGE_WAITS_AT (MR_SOURCE_BYTES_MAX + MR_SCAN_STRING_SLACK)

#define ALL_KEYS ((1u << MR_KEY_COUNT) - 1)

// The record being read. Text is written where it belongs: behind the place of the head, which is
// written when the record is complete. While a record grows, at most MESSAGE_WAITS_AT bytes more
// are in use than the text that it came from has; MR_RECORDS_SLACK covers this.
struct open_record {
    struct mr_record head;
    unsigned keys; // bit i: enum mr_key i has been read
    uint8_t *text; // behind the head's place
};

static bool has_key(const struct open_record *record, enum mr_key key)
{
    return (record->keys >> key & 1u) != 0;
}

// Room for words that must be unescaped to be known.
static uint8_t *free_room(const struct open_record *record)
{
    return record->text + MESSAGE_WAITS_AT + record->head.message_bytes;
}

// Reads one of `words` as a string; the opening quote stands at `quote`. *word_out may be
// MR_WORD_NONE.
static const uint8_t *read_word(struct mr_reader *reader, const uint8_t *quote,
                                const struct mr_words *words, uint8_t *room, int *word_out)
{
    *word_out = mr_word_at(words, quote + 1, reader->end);
    if (*word_out != MR_WORD_NONE) {
        return quote + 1 + words->word[*word_out].bytes;
    }
    size_t bytes = 0;
    const uint8_t *at = mr_scan_string(reader, quote + 1, room, &bytes);
    if (at == NULL) {
        return NULL;
    }
    room[bytes] = '"';
    *word_out = mr_word_at(words, room, room + bytes + 1);
    // The text itself may hold quotes: id\"x is not id.
    if (*word_out != MR_WORD_NONE && words->word[*word_out].bytes != bytes + 1) {
        *word_out = MR_WORD_NONE;
    }
    return at;
}

static const uint8_t *read_source(struct mr_reader *reader, const uint8_t *quote,
                                  struct open_record *record)
{
    size_t bytes = 0;
    const uint8_t *at = mr_scan_string(reader, quote + 1, record->text, &bytes);
    if (at == NULL) {
        return NULL;
    }
    if (bytes == 0 || bytes > MR_SOURCE_BYTES_MAX) {
        return mr_stop(reader, MR_ERROR_LENGTH, quote);
    }
    record->head.source_bytes = (uint16_t)bytes;
    if (has_key(record, MR_KEY_MESSAGE)) {
        memmove(record->text + bytes, record->text + MESSAGE_WAITS_AT, record->head.message_bytes);
    }
    return at;
}

static const uint8_t *read_message(struct mr_reader *reader, const uint8_t *quote,
                                   struct open_record *record)
{
    size_t place = has_key(record, MR_KEY_SOURCE) ? record->head.source_bytes : MESSAGE_WAITS_AT;
    size_t bytes = 0;
    const uint8_t *at = mr_scan_string(reader, quote + 1, record->text + place, &bytes);
    if (at == NULL) {
        return NULL;
    }
    if (bytes > MR_MESSAGE_BYTES_MAX) {
        return mr_stop(reader, MR_ERROR_LENGTH, quote);
    }
    record->head.message_bytes = (uint32_t)bytes;
    return at;
}

static const uint8_t *read_kind(struct mr_reader *reader, const uint8_t *quote,
                                struct open_record *record)
{
    int kind;
    const uint8_t *at = read_word(reader, quote, &mr_kind_words, free_room(record), &kind);
    if (at != NULL && kind == MR_WORD_NONE) {
        return mr_stop(reader, MR_ERROR_KIND, quote);
    }
    record->head.kind = (uint8_t)kind;
    return at;
}

static const uint8_t *read_flag(struct mr_reader *reader, const uint8_t *quote,
                                struct open_record *record)
{
    int flag;
    const uint8_t *at = read_word(reader, quote, &mr_flag_words, free_room(record), &flag);
    if (at == NULL) {
        return NULL;
    }
    if (flag == MR_WORD_NONE) {
        return mr_stop(reader, MR_ERROR_FLAG, quote);
    }
    if ((record->head.flags >> flag & 1) != 0) {
        return mr_stop(reader, MR_ERROR_FLAG_TWICE, quote);
    }
    record->head.flags |= (uint8_t)(1u << flag);
    return at;
}

// Reads the array whose bracket stands at `at`.
static const uint8_t *read_flags(struct mr_reader *reader, const uint8_t *at,
                                 struct open_record *record)
{
    at = mr_skip_space(reader, at + 1);
    if (mr_is_at(reader, at, ']')) {
        return at + 1;
    }
    for (;;) {
        if (!mr_is_at(reader, at, '"')) {
            return mr_stop_other_value(reader, at);
        }
        at = read_flag(reader, at, record);
        if (at == NULL) {
            return NULL;
        }
        at = mr_skip_space(reader, at);
        if (mr_is_at(reader, at, ']')) {
            return at + 1;
        }
        if (!mr_is_at(reader, at, ',')) {
            return mr_stop_unexpected(reader, MR_ERROR_SYNTAX, at);
        }
        at = mr_skip_space(reader, at + 1);
    }
}

static const uint8_t *read_value(struct mr_reader *reader, const uint8_t *at,
                                 struct open_record *record)
{
    struct mr_decimal decimal;
    const uint8_t *behind = mr_scan_decimal(reader, at, &decimal);
    if (behind == NULL) {
        return NULL;
    }
    uint64_t bits = mr_double_from_decimal(&decimal);
    double value;
    memcpy(&value, &bits, sizeof value);
    if (!(value >= -MR_VALUE_LIMIT && value <= MR_VALUE_LIMIT)) {
        return mr_stop(reader, MR_ERROR_VALUE_RANGE, at);
    }
    record->head.value_bits = bits;
    return behind;
}

// Reads the number of `key` at `at`.
static const uint8_t *read_number(struct mr_reader *reader, const uint8_t *at, enum mr_key key,
                                  struct open_record *record)
{
    if (at < reader->end && *at != '-' && !(*at >= '0' && *at <= '9')) {
        bool elsewhere_a_number = *at == '+' || *at == '.' || *at == 'N' || *at == 'I';
        return elsewhere_a_number ? mr_stop(reader, MR_ERROR_NUMBER, at)
                                  : mr_stop_other_value(reader, at);
    }
    if (key == MR_KEY_ID) {
        return mr_scan_integer(reader, at, MR_ID_MAX, &record->head.id);
    }
    if (key == MR_KEY_TIMESTAMP) {
        return mr_scan_integer(reader, at, MR_TIMESTAMP_US_MAX, &record->head.timestamp_us);
    }
    return read_value(reader, at, record);
}

// Reads the value of `key` at `at`.
static const uint8_t *read_value_of(struct mr_reader *reader, const uint8_t *at, enum mr_key key,
                                    struct open_record *record)
{
    if (key == MR_KEY_ID || key == MR_KEY_TIMESTAMP || key == MR_KEY_VALUE) {
        return read_number(reader, at, key, record);
    }
    if (!mr_is_at(reader, at, key == MR_KEY_FLAGS ? '[' : '"')) {
        return mr_stop_other_value(reader, at);
    }
    switch (key) {
    case MR_KEY_SOURCE:
        return read_source(reader, at, record);
    case MR_KEY_MESSAGE:
        return read_message(reader, at, record);
    case MR_KEY_KIND:
        return read_kind(reader, at, record);
    default:
        return read_flags(reader, at, record);
    }
}

// Reads a key, its colon and its value; `quote` is where the key must begin.
static const uint8_t *read_member(struct mr_reader *reader, const uint8_t *quote,
                                  struct open_record *record)
{
    if (!mr_is_at(reader, quote, '"')) {
        return mr_stop_unexpected(reader, MR_ERROR_SYNTAX, quote);
    }
    int key;
    const uint8_t *at = read_word(reader, quote, &mr_key_words, free_room(record), &key);
    if (at == NULL) {
        return NULL;
    }
    if (key == MR_WORD_NONE) {
        return mr_stop(reader, MR_ERROR_KEY_UNKNOWN, quote);
    }
    if (has_key(record, (enum mr_key)key)) {
        return mr_stop(reader, MR_ERROR_KEY_TWICE, quote);
    }
    at = mr_skip_space(reader, at);
    if (!mr_is_at(reader, at, ':')) {
        return mr_stop_unexpected(reader, MR_ERROR_SYNTAX, at);
    }
    at = read_value_of(reader, mr_skip_space(reader, at + 1), (enum mr_key)key, record);
    record->keys |= 1u << key;
    return at;
}

// Reads the record whose brace stands at `at`; writes it to `place`.
static const uint8_t *read_record(struct mr_reader *reader, const uint8_t *at, uint8_t *place)
{
    struct open_record record = {.text = place + MR_RECORD_HEAD_BYTES};
    at = mr_skip_space(reader, at + 1);
    bool more = !mr_is_at(reader, at, '}');
    while (more) {
        at = read_member(reader, at, &record);
        if (at == NULL) {
            return NULL;
        }
        at = mr_skip_space(reader, at);
        more = mr_is_at(reader, at, ',');
        if (more) {
            at = mr_skip_space(reader, at + 1);
        }
    }
    if (!mr_is_at(reader, at, '}')) {
        return mr_stop_unexpected(reader, MR_ERROR_SYNTAX, at);
    }
    if (record.keys != ALL_KEYS) {
        return mr_stop(reader, MR_ERROR_KEY_MISSING, at);
    }
    memcpy(place, &record.head, sizeof record.head);
    return at + 1;
}

// Reads the record whose brace must stand at `at` and adds it to `result`.
static const uint8_t *add_record(struct mr_reader *reader, const uint8_t *at, uint8_t *place,
                                 struct mr_result *result)
{
    if (!mr_is_at(reader, at, '{')) {
        return mr_stop_unexpected(reader, MR_ERROR_SYNTAX, at);
    }
    if (result->records == MR_BATCH_RECORDS_MAX) {
        return mr_stop(reader, MR_ERROR_RECORDS_MAX, at);
    }
    at = read_record(reader, at, place);
    if (at != NULL) {
        result->records++;
        result->used_bytes += mr_record_stride((const struct mr_record *)(const void *)place);
    }
    return at;
}

enum mr_step mr_scalar_step(struct mr_reader *reader, const uint8_t **at_io, uint8_t *records,
                            struct mr_result *result)
{
    const uint8_t *at = mr_skip_space(reader, *at_io);
    bool first = result->records == 0;
    if (mr_is_at(reader, at, ']')) {
        *at_io = at + 1;
        return MR_STEP_END;
    }
    if (!first) {
        if (!mr_is_at(reader, at, ',')) {
            (void)mr_stop_unexpected(reader, MR_ERROR_SYNTAX, at);
            return MR_STEP_FAULT;
        }
        at = mr_skip_space(reader, at + 1);
    }
    at = add_record(reader, at, records + result->used_bytes, result);
    if (at == NULL) {
        return MR_STEP_FAULT;
    }
    *at_io = at;
    return MR_STEP_RECORD;
}

const uint8_t *mr_scalar_begin(struct mr_reader *reader)
{
    static const uint8_t byte_order_mark[3] = {0xEF, 0xBB, 0xBF};
    const uint8_t *at = reader->begin;
    if (reader->end - at >= 3 && memcmp(at, byte_order_mark, sizeof byte_order_mark) == 0) {
        return mr_stop(reader, MR_ERROR_BOM, at);
    }
    at = mr_skip_space(reader, at);
    if (at == reader->end) {
        return mr_stop(reader, MR_ERROR_EMPTY, at);
    }
    return *at == '[' ? at + 1 : mr_stop_unexpected(reader, MR_ERROR_SYNTAX, at);
}

void mr_scalar_end(struct mr_reader *reader, const uint8_t *at)
{
    at = mr_skip_space(reader, at);
    if (at < reader->end) {
        (void)mr_stop_unexpected(reader, MR_ERROR_TRAILING, at);
    }
}

struct mr_result mr_scalar_result(const struct mr_reader *reader, const struct mr_result *read)
{
    if (reader->error == MR_OK) {
        return *read;
    }
    return (struct mr_result){.error = reader->error,
                              .error_record = read->records,
                              .error_offset = (uint64_t)(reader->fault - reader->begin)};
}

void mr_record_scalar(struct mr_parser *parser, const uint8_t *json, size_t json_bytes,
                      uint8_t *records_out, struct mr_result *result_out)
{
    (void)parser;
    struct mr_reader reader = {.begin = json, .end = json + json_bytes};
    struct mr_result result = {0};
    const uint8_t *at = mr_scalar_begin(&reader);
    enum mr_step step = at == NULL ? MR_STEP_FAULT : MR_STEP_RECORD;
    while (step == MR_STEP_RECORD) {
        step = mr_scalar_step(&reader, &at, records_out, &result);
    }
    if (step == MR_STEP_END) {
        mr_scalar_end(&reader, at);
    }
    // All digests at once: reading a record back while its stores are under way is slower.
    result.digest = reader.error == MR_OK ? mr_records_digest(records_out, result.records) : 0;
    *result_out = mr_scalar_result(&reader, &result);
}
