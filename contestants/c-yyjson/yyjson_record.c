// yyjson_record.c: finds the seven members of an object, then reads them in the order of the
// record.
//
// Words of the schema are looked up without a branch for each candidate: the first four bytes of
// each set of words hash to different places of a table of eight, so one comparison decides. Keys
// in the order of the contract's table are found by comparing alone; others by look-up, into a
// place for each member, so that the reading itself is one straight line in either case.
#include "yyjson_record.h"

#include <stdbool.h>
#include <string.h>

#define MEMBERS                   7u
#define MEMBER_BYTES              9u // longest word of the schema
#define UNKNOWN_CODE              255u
#define HEAD_OF_WORD              8u // bytes that are compared at one time
#define TEXT_AT_ONCE              YYJSON_RECORD_OVERRUN_BYTES
#define SLOT_OF(head, multiplier) (((uint32_t)(head) * (multiplier)) >> 29)

// A word of the schema: its first eight bytes, its length, and what it stands for.
struct word {
    uint64_t head;
    uint8_t length;
    uint8_t code;
};

#define HEAD(a, b, c, d, e, f, g, h)                                                               \
    ((uint64_t)(a) | (uint64_t)(b) << 8 | (uint64_t)(c) << 16 | (uint64_t)(d) << 24 |              \
     (uint64_t)(e) << 32 | (uint64_t)(f) << 40 | (uint64_t)(g) << 48 | (uint64_t)(h) << 56)

// Members in the order of section 1.
enum member { ID, TIMESTAMP, SOURCE, KIND, VALUE, FLAGS, MESSAGE };

#define HEAD_ID        HEAD('i', 'd', 0, 0, 0, 0, 0, 0)
#define HEAD_TIMESTAMP HEAD('t', 'i', 'm', 'e', 's', 't', 'a', 'm')
#define HEAD_SOURCE    HEAD('s', 'o', 'u', 'r', 'c', 'e', 0, 0)
#define HEAD_KIND      HEAD('k', 'i', 'n', 'd', 0, 0, 0, 0)
#define HEAD_VALUE     HEAD('v', 'a', 'l', 'u', 'e', 0, 0, 0)
#define HEAD_FLAGS     HEAD('f', 'l', 'a', 'g', 's', 0, 0, 0)
#define HEAD_MESSAGE   HEAD('m', 'e', 's', 's', 'a', 'g', 'e', 0)

// The multipliers were found by trial: with them no two words of a set share a slot (the compiler
// would refuse the table).
#define KEY_MULTIPLIER                     0x478C281Du
#define KIND_MULTIPLIER                    0x9059129Fu
#define FLAG_MULTIPLIER                    0x345158DBu
#define AT(multiplier, head, length, code) [SLOT_OF(head, multiplier)] = {head, length, code}

static const struct word keys[8] = {
    AT(KEY_MULTIPLIER, HEAD_ID, 2, ID),           AT(KEY_MULTIPLIER, HEAD_TIMESTAMP, 9, TIMESTAMP),
    AT(KEY_MULTIPLIER, HEAD_SOURCE, 6, SOURCE),   AT(KEY_MULTIPLIER, HEAD_KIND, 4, KIND),
    AT(KEY_MULTIPLIER, HEAD_VALUE, 5, VALUE),     AT(KEY_MULTIPLIER, HEAD_FLAGS, 5, FLAGS),
    AT(KEY_MULTIPLIER, HEAD_MESSAGE, 7, MESSAGE),
};

static const struct word kinds[8] = {
    AT(KIND_MULTIPLIER, HEAD('m', 'e', 't', 'r', 'i', 'c', 0, 0), 6, 0),
    AT(KIND_MULTIPLIER, HEAD('e', 'v', 'e', 'n', 't', 0, 0, 0), 5, 1),
    AT(KIND_MULTIPLIER, HEAD('l', 'o', 'g', 0, 0, 0, 0, 0), 3, 2),
    AT(KIND_MULTIPLIER, HEAD('t', 'r', 'a', 'c', 'e', 0, 0, 0), 5, 3),
    AT(KIND_MULTIPLIER, HEAD('a', 'l', 'e', 'r', 't', 0, 0, 0), 5, 4),
    AT(KIND_MULTIPLIER, HEAD('a', 'u', 'd', 'i', 't', 0, 0, 0), 5, 5),
    AT(KIND_MULTIPLIER, HEAD('s', 'p', 'a', 'n', 0, 0, 0, 0), 4, 6),
    AT(KIND_MULTIPLIER, HEAD('s', 't', 'a', 't', 'e', 0, 0, 0), 5, 7),
};

static const struct word flags[8] = {
    AT(FLAG_MULTIPLIER, HEAD('u', 'r', 'g', 'e', 'n', 't', 0, 0), 6, 0),
    AT(FLAG_MULTIPLIER, HEAD('s', 'a', 'm', 'p', 'l', 'e', 'd', 0), 7, 1),
    AT(FLAG_MULTIPLIER, HEAD('r', 'e', 't', 'r', 'y', 0, 0, 0), 5, 2),
    AT(FLAG_MULTIPLIER, HEAD('i', 'n', 't', 'e', 'r', 'n', 'a', 'l'), 8, 3),
    AT(FLAG_MULTIPLIER, HEAD('e', 'n', 'c', 'r', 'y', 'p', 't', 'e'), 9, 4),
    AT(FLAG_MULTIPLIER, HEAD('b', 'a', 't', 'c', 'h', 'e', 'd', 0), 7, 5),
    AT(FLAG_MULTIPLIER, HEAD('p', 'a', 'r', 't', 'i', 'a', 'l', 0), 7, 6),
    AT(FLAG_MULTIPLIER, HEAD('r', 'e', 'p', 'l', 'a', 'y', 'e', 'd'), 8, 7),
};

// The first eight bytes of a text, zeros where it is shorter.
static inline uint64_t head_of(const char *text, size_t length)
{
    uint64_t head;
    memcpy(&head, text, sizeof head);
    return length >= HEAD_OF_WORD ? head : head & ((1ull << (8 * length)) - 1);
}

// Whether `string` is the word. `last` is the ninth byte of a word of nine.
static inline bool is_word(yyjson_val *string, uint64_t head, size_t length, char last)
{
    // The type first: what is no string has no text to look at.
    return unsafe_yyjson_is_str(string) && unsafe_yyjson_get_len(string) == length &&
           head_of(unsafe_yyjson_get_str(string), length) == head &&
           (length < MEMBER_BYTES || unsafe_yyjson_get_str(string)[HEAD_OF_WORD] == last);
}

// The code of a string by `table`, or UNKNOWN_CODE. `last` as above.
static inline uint32_t code_of(yyjson_val *string, const struct word table[8], uint32_t multiplier,
                               char last)
{
    const char *text = unsafe_yyjson_get_str(string);
    size_t length = unsafe_yyjson_get_len(string);
    uint64_t head = head_of(text, length);
    const struct word *word = &table[SLOT_OF(head, multiplier)];
    bool same = word->head == head && word->length == length &&
                (length < MEMBER_BYTES || text[HEAD_OF_WORD] == last);
    return same ? word->code : UNKNOWN_CODE;
}

// Finds the members when they stand in the order of section 1; `object` has seven. When a value is
// a container that it may not be, what is looked at may stand inside of it: then its own reading
// finds the fault. In either case fourteen values follow the object, and that is how far this goes.
static inline bool find_in_order(yyjson_val *object, yyjson_val *found[MEMBERS])
{
    yyjson_val *key = unsafe_yyjson_get_first(object);
    if (!is_word(key, HEAD_ID, 2, 0) || !is_word(key + 2, HEAD_TIMESTAMP, 9, 'p') ||
        !is_word(key + 4, HEAD_SOURCE, 6, 0) || !is_word(key + 6, HEAD_KIND, 4, 0) ||
        !is_word(key + 8, HEAD_VALUE, 5, 0) || !is_word(key + 10, HEAD_FLAGS, 5, 0)) {
        return false;
    }
    for (size_t i = ID; i <= FLAGS; i++) {
        found[i] = key + 2 * i + 1;
    }
    yyjson_val *last = unsafe_yyjson_get_next(found[FLAGS]);
    found[MESSAGE] = last + 1;
    return is_word(last, HEAD_MESSAGE, 7, 0);
}

// Finds the members in any order, of an object of any size.
static enum mr_error find_by_key(yyjson_val *object, yyjson_val *found[MEMBERS])
{
    size_t count = unsafe_yyjson_get_len(object);
    yyjson_val *key = unsafe_yyjson_get_first(object);
    uint32_t seen = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t member = code_of(key, keys, KEY_MULTIPLIER, 'p');
        if (member >= MEMBERS) {
            return MR_ERROR_KEY_UNKNOWN;
        }
        if ((seen & (1u << member)) != 0) {
            return MR_ERROR_KEY_TWICE;
        }
        seen |= 1u << member;
        found[member] = key + 1;
        key = unsafe_yyjson_get_next(key + 1);
    }
    return seen == (1u << MEMBERS) - 1 ? MR_OK : MR_ERROR_KEY_MISSING;
}

static inline enum mr_error read_integer(yyjson_val *value, uint64_t limit, uint64_t *number_out)
{
    // The subtype UINT is what yyjson gives to digits alone; "-0" is SINT, "1.0" and "1e3" REAL.
    if (!unsafe_yyjson_is_uint(value)) {
        return MR_ERROR_TYPE;
    }
    *number_out = unsafe_yyjson_get_uint(value);
    return *number_out <= limit ? MR_OK : MR_ERROR_INTEGER_RANGE;
}

static inline enum mr_error read_value(yyjson_val *value, uint64_t *bits_out)
{
    double number;
    if (unsafe_yyjson_is_real(value)) {
        number = unsafe_yyjson_get_real(value);
    } else if (unsafe_yyjson_is_uint(value)) {
        number = (double)unsafe_yyjson_get_uint(value);
    } else if (unsafe_yyjson_is_sint(value)) {
        int64_t integer = unsafe_yyjson_get_sint(value);
        number = integer == 0 ? -0.0 : (double)integer; // a positive 0 is UINT
    } else {
        return MR_ERROR_TYPE;
    }
    memcpy(bits_out, &number, sizeof number);
    return number >= -MR_VALUE_LIMIT && number <= MR_VALUE_LIMIT ? MR_OK : MR_ERROR_VALUE_RANGE;
}

static inline enum mr_error read_kind(yyjson_val *value, uint8_t *kind_out)
{
    if (!unsafe_yyjson_is_str(value)) {
        return MR_ERROR_TYPE;
    }
    uint32_t code = code_of(value, kinds, KIND_MULTIPLIER, 0);
    *kind_out = (uint8_t)code;
    return code < MR_KIND_COUNT ? MR_OK : MR_ERROR_KIND;
}

static inline enum mr_error read_flags(yyjson_val *value, uint8_t *flags_out)
{
    if (!unsafe_yyjson_is_arr(value)) {
        return MR_ERROR_TYPE;
    }
    uint32_t seen = 0;
    yyjson_val *item = unsafe_yyjson_get_first(value);
    for (size_t left = unsafe_yyjson_get_len(value); left > 0; left--) {
        if (!unsafe_yyjson_is_str(item)) {
            return MR_ERROR_TYPE;
        }
        uint32_t code = code_of(item, flags, FLAG_MULTIPLIER, 'd');
        if (code >= MR_FLAG_COUNT) {
            return MR_ERROR_FLAG;
        }
        if ((seen & (1u << code)) != 0) {
            return MR_ERROR_FLAG_TWICE;
        }
        seen |= 1u << code;
        item++; // a string is one value
    }
    *flags_out = (uint8_t)seen;
    return MR_OK;
}

// Copies a text of at least `least` and at most `most` bytes to `place`.
static inline enum mr_error read_text(yyjson_val *value, size_t least, size_t most, uint8_t *place)
{
    if (!unsafe_yyjson_is_str(value)) {
        return MR_ERROR_TYPE;
    }
    size_t length = unsafe_yyjson_get_len(value);
    if (length < least || length > most) {
        return MR_ERROR_LENGTH;
    }
    const char *text = unsafe_yyjson_get_str(value);
    if (length <= TEXT_AT_ONCE) {
        memcpy(place, text, TEXT_AT_ONCE); // most are this short: no call, no branch on the length
    } else {
        memcpy(place, text, length);
    }
    return MR_OK;
}

static inline enum mr_error read_members(yyjson_val *found[MEMBERS], struct mr_record *record_out)
{
    uint8_t *text = (uint8_t *)record_out + MR_RECORD_HEAD_BYTES;
    enum mr_error error = read_integer(found[ID], MR_ID_MAX, &record_out->id);
    if (error == MR_OK) {
        error = read_integer(found[TIMESTAMP], MR_TIMESTAMP_US_MAX, &record_out->timestamp_us);
    }
    if (error == MR_OK) {
        error = read_text(found[SOURCE], 1, MR_SOURCE_BYTES_MAX, text);
        record_out->source_bytes = (uint16_t)unsafe_yyjson_get_len(found[SOURCE]);
    }
    if (error == MR_OK) {
        error = read_kind(found[KIND], &record_out->kind);
    }
    if (error == MR_OK) {
        error = read_value(found[VALUE], &record_out->value_bits);
    }
    if (error == MR_OK) {
        error = read_flags(found[FLAGS], &record_out->flags);
    }
    if (error == MR_OK) {
        text += record_out->source_bytes;
        error = read_text(found[MESSAGE], 0, MR_MESSAGE_BYTES_MAX, text);
        record_out->message_bytes = (uint32_t)unsafe_yyjson_get_len(found[MESSAGE]);
    }
    return error;
}

enum mr_error yyjson_record_write(yyjson_val *element, struct mr_record *record_out)
{
    if (!unsafe_yyjson_is_obj(element)) {
        return MR_ERROR_TYPE;
    }
    yyjson_val *found[MEMBERS];
    if (unsafe_yyjson_get_len(element) != MEMBERS || !find_in_order(element, found)) {
        enum mr_error error = find_by_key(element, found);
        if (error != MR_OK) {
            return error;
        }
    }
    return read_members(found, record_out);
}
