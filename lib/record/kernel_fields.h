// kernel_fields.h: one record of the vector kernels: from its entries in the index to its typed
// form. The same for all instruction sets: plain C over masks of 64 entries.
#ifndef MR_RECORD_KERNEL_FIELDS_H
#define MR_RECORD_KERNEL_FIELDS_H

#include "ablation.h"
#include "kernel_chunk.h"
#include "kernel_numbers.h"
#include "schema_tables.h"
#include "words.h"

#include <matchrace/contract.h>

// Each kernel's own. Of the 64 bytes from `at` on: those that are `byte`, or that differ.
static inline uint64_t equal_bytes(const uint8_t *at, uint8_t byte);
static inline uint64_t differing_bytes(const uint8_t *at, const uint8_t *other);

// Each kernel's own: not 0 where the word of `slot` does not stand at `at`.
static inline uint32_t word_differs(const struct mr_word_slot *slot, const uint8_t *at);

// Each kernel's own: the three numbers of a record into its head. False: something is no number of
// its kind.
static inline bool read_numbers(struct token id, struct token timestamp, struct token value,
                                const uint8_t *text_end, struct mr_record *head);

// Each kernel's own: copies the text [from, end) of the chunk to `out`, escapes decoded. Returns
// its bytes there; up to 127 more are overwritten.
static inline size_t copy_text(const struct chunk *chunk, size_t from, size_t end, uint8_t *out);

// Where a record's entries stand in the index: of each value the first one.
struct layout {
    uint64_t values; // byte k: of key k, from the record's brace on
    unsigned flags_count;
    unsigned end; // its closing brace
};

// The entry where the value of `key` begins. (In a register: with an array, written by a code found
// in the text and read at once, gcc's builds of the same lines took 20 ns a record more or not, as
// the code happened to be placed; docs/PARSER.md.)
static inline unsigned value_of(const struct layout *layout, unsigned key)
{
    return (unsigned)(layout->values >> 8 * key) & 63;
}

static inline const struct mr_word_slot *find_word(const struct mr_word_table *table, uint64_t word)
{
    uint32_t prefix = (uint32_t)word & table->prefix_mask;
    return &table->slot[(prefix * table->multiplier) >> 29];
}

static inline bool is_word(const struct mr_word_slot *slot, uint64_t word)
{
    return ((word ^ slot->low) & slot->low_mask) == 0;
}

static inline uint64_t value_at(unsigned key, unsigned entry)
{
    return (uint64_t)entry << 8 * key;
}

// Whether the keys stand in the order of the contract, at the entries that the template names.
static inline bool match_canonical(const struct chunk *chunk, size_t first, struct layout *layout)
{
    const uint8_t *stream = chunk->scratch->stream + first;
    uint64_t closing = equal_bytes(stream, ']') >> MR_STREAM_FLAGS;
    // The bracket closes at 1 without flags, at 3 · flags otherwise.
    unsigned distance = (unsigned)_tzcnt_u64(closing);
    unsigned flags = (distance * 11) >> 5;
    if (flags > 8) {
        return false;
    }
    const struct mr_stream_template *wanted = &mr_stream_templates[flags];
    if ((differing_bytes(stream, wanted->bytes) & wanted->care) != 0) {
        return false;
    }
    unsigned message = MR_STREAM_FLAGS + distance + 2;
    const uint16_t *position = chunk->scratch->position + first;
    const uint8_t *text = chunk->text + 1;
    uint64_t id = load_u64(text + position[MR_STREAM_ID]) ^ 0x226469;
    uint64_t time = load_u64(text + position[MR_STREAM_TIMESTAMP]) ^ 0x6D617473656D6974;
    uint64_t stamp = load_u64(text + position[MR_STREAM_TIMESTAMP] + 8) ^ 0x2270;
    uint64_t source = load_u64(text + position[MR_STREAM_SOURCE]) ^ 0x22656372756F73;
    uint64_t kind = load_u64(text + position[MR_STREAM_KIND]) ^ 0x22646E696B;
    uint64_t value = load_u64(text + position[MR_STREAM_VALUE]) ^ 0x2265756C6176;
    uint64_t flag = load_u64(text + position[MR_STREAM_FLAGS_KEY]) ^ 0x227367616C66;
    uint64_t text_key = load_u64(text + position[message]) ^ 0x226567617373656D;
    uint64_t wrong = id << 40 | time | stamp << 48 | source << 8 | kind << 24 | value << 16 |
                     flag << 16 | text_key;
    layout->values =
        value_at(MR_KEY_ID, MR_STREAM_ID + 3) |
        value_at(MR_KEY_TIMESTAMP, MR_STREAM_TIMESTAMP + 3) |
        value_at(MR_KEY_SOURCE, MR_STREAM_SOURCE + 3) | value_at(MR_KEY_KIND, MR_STREAM_KIND + 3) |
        value_at(MR_KEY_VALUE, MR_STREAM_VALUE + 3) | value_at(MR_KEY_FLAGS, MR_STREAM_FLAGS) |
        value_at(MR_KEY_MESSAGE, message + 3);
    layout->flags_count = flags;
    layout->end = message + 5;
    return wrong == 0;
}

// The entries of one record as bits, by their kind.
struct entry_bits {
    uint64_t quote, colon, comma, number;
    unsigned open, close, end; // of the flags' brackets and the closing brace
};

// Checks the grammar of a record with its keys in any order, all of it at once: what must stand
// before and behind each colon. Values of flags are checked by their pattern.
static inline bool match_grammar(const struct entry_bits *bits, struct layout *layout)
{
    uint64_t all = _bzhi_u64(UINT64_MAX, bits->end);
    uint64_t quote = bits->quote & all;
    uint64_t colon = bits->colon & all;
    uint64_t comma = bits->comma & all;
    uint64_t number = bits->number & all;
    uint64_t end = 1ull << bits->end;
    if (_mm_popcnt_u64(colon) != MR_KEY_COUNT || (colon & 7) != 0 || bits->close <= bits->open ||
        bits->close >= bits->end) {
        return false;
    }
    uint64_t open = 1ull << bits->open;
    unsigned inner = bits->close - bits->open - 1;
    uint64_t inside = _bzhi_u64(UINT64_MAX, inner) << 1 << bits->open;
    uint64_t flag_quotes = (0x00DB6DB6DB6DB6DBu << 1 << bits->open) & inside;
    uint64_t value = colon << 1;
    uint64_t string = value & quote;
    uint64_t expected_quotes = colon >> 2 | colon >> 1 | string | string << 1 | flag_quotes;
    uint64_t value_ends = string << 2 | number << 1 | 1ull << bits->close << 1;
    uint64_t expected_commas = (value_ends & ~end) | (inside & ~flag_quotes);
    layout->flags_count = (inner + 1) / 3;
    layout->end = bits->end;
    // Nothing, or a flag's two quotes and a comma before each other one.
    const uint32_t inner_counts = 0x924925;
    bool fits = quote == expected_quotes && comma == expected_commas && (value_ends & end) != 0 &&
                (colon >> 3) == ((value_ends & ~end) | 1) && number == (value & number) &&
                value == (string | number | open);
    return fits && inner <= 23 && (inner_counts >> inner & 1) != 0;
}

// The slot of the word whose opening quote is entry `entry`, which may be written with escapes, or
// NULL.
__attribute__((noinline)) static const struct mr_word_slot *
find_escaped_word(const struct chunk *chunk, const struct mr_word_table *table, size_t entry)
{
    uint8_t room[4 * BLOCK] = {0};
    size_t from = chunk->scratch->position[entry] + 1u;
    size_t end = chunk->scratch->position[entry + 1];
    // The longest word, each of its letters as \uXXXX.
    if (end <= chunk->escapes_from || end - from > BLOCK || end >= chunk->dirty_from) {
        return NULL;
    }
    size_t bytes = copy_text(chunk, from, end, room);
    memset(room + bytes, 0, sizeof room - bytes);
    room[bytes] = '"';
    const struct mr_word_slot *slot = find_word(table, load_u64(room));
    uint32_t differs = word_differs(slot, room);
    // The text itself may hold quotes: id\"x is not id.
    bool is_whole = bytes < sizeof slot->text && slot->text_mask == (1u << (bytes + 1)) - 1;
    return differs == 0 && is_whole ? slot : NULL;
}

// Notes that the key of `slot` has its colon at entry `colon`.
static inline void note_key(struct layout *layout, unsigned *seen_io,
                            const struct mr_word_slot *slot, unsigned colon)
{
    *seen_io |= 1u << slot->code;
    layout->values |= value_at(slot->code, colon + 1);
}

// Finds the keys of a record, some of them written with escapes. False: one is unknown.
__attribute__((noinline)) static bool find_escaped_keys(const struct chunk *chunk, size_t first,
                                                        uint64_t colon, struct layout *layout,
                                                        unsigned *seen_out)
{
    *seen_out = 0;
    layout->values = 0;
    for (; colon != 0; colon = _blsr_u64(colon)) {
        unsigned at = (unsigned)_tzcnt_u64(colon);
        const uint8_t *text = chunk->text + chunk->scratch->position[first + at - 2] + 1;
        const struct mr_word_slot *slot = find_word(&mr_key_table, load_u64(text));
        if (word_differs(slot, text) != 0) {
            slot = find_escaped_word(chunk, &mr_key_table, first + at - 2);
        }
        if (slot == NULL) {
            return false;
        }
        note_key(layout, seen_out, slot, at);
    }
    return true;
}

// Finds the keys of a record that match_grammar() has accepted.
static inline bool match_keys(const struct chunk *chunk, size_t first, uint64_t colons,
                              const struct entry_bits *bits, struct layout *layout)
{
    const uint16_t *position = chunk->scratch->position + first;
    unsigned seen = 0;
    uint64_t unknown = 0;
    uint64_t colon = colons;
    for (unsigned i = 0; i < MR_KEY_COUNT; i++) {
        unsigned at = (unsigned)_tzcnt_u64(colon);
        colon = _blsr_u64(colon);
        uint64_t word = load_u64(chunk->text + position[at - 2] + 1);
        const struct mr_word_slot *slot = find_word(&mr_key_table, word);
        unknown |= (word ^ slot->low) & slot->low_mask;
        note_key(layout, &seen, slot, at);
    }
    // The one key that is longer than a word.
    uint16_t tail;
    unsigned timestamp = value_of(layout, MR_KEY_TIMESTAMP); // 0: there is none
    timestamp = timestamp < 3 ? 3 : timestamp;
    memcpy(&tail, chunk->text + position[timestamp - 3] + 9, sizeof tail);
    unknown |= (uint64_t)(tail ^ ('p' | '"' << 8));
    if (__builtin_expect(unknown != 0, 0) &&
        !find_escaped_keys(chunk, first, colons, layout, &seen)) {
        return false;
    }
    uint64_t numbers = 1ull << value_of(layout, MR_KEY_ID) |
                       1ull << value_of(layout, MR_KEY_TIMESTAMP) |
                       1ull << value_of(layout, MR_KEY_VALUE);
    uint64_t strings = 1ull << value_of(layout, MR_KEY_SOURCE) |
                       1ull << value_of(layout, MR_KEY_KIND) |
                       1ull << value_of(layout, MR_KEY_MESSAGE);
    return seen == (1u << MR_KEY_COUNT) - 1 && (numbers & ~bits->number) == 0 &&
           (strings & ~bits->quote) == 0 && value_of(layout, MR_KEY_FLAGS) == bits->open;
}

// A record whose keys may stand in any order.
static inline bool match_any_order(const struct chunk *chunk, size_t first, struct layout *layout)
{
    layout->values = 0;
    const uint8_t *stream = chunk->scratch->stream + first;
    struct entry_bits bits;
    bits.quote = equal_bytes(stream, '"');
    bits.colon = equal_bytes(stream, ':');
    bits.comma = equal_bytes(stream, ',');
    uint64_t closing = equal_bytes(stream, '}');
    uint64_t open = equal_bytes(stream, '[');
    uint64_t close = equal_bytes(stream, ']');
    uint64_t brace = equal_bytes(stream, '{');
    if (closing == 0 || open == 0 || close == 0 || (brace & 1) == 0) {
        return false;
    }
    bits.end = (unsigned)_tzcnt_u64(closing);
    bits.open = (unsigned)_tzcnt_u64(open);
    bits.close = (unsigned)_tzcnt_u64(close);
    bits.number = ~(bits.quote | bits.colon | bits.comma | closing | open | close | brace);
    // One bracket of each kind, one brace, up to the end.
    uint64_t all = _bzhi_u64(UINT64_MAX, bits.end);
    if (((open & all) ^ 1ull << bits.open) != 0 || ((close & all) ^ 1ull << bits.close) != 0 ||
        (brace & all) != 1) {
        return false;
    }
    return match_grammar(&bits, layout) &&
           match_keys(chunk, first, bits.colon & all, &bits, layout);
}

static inline struct token number_at(const struct chunk *chunk, size_t entry)
{
    const uint16_t *position = chunk->scratch->position + entry;
    struct token token = {chunk->text + position[0], chunk->text + position[1]};
    // Only white space may be left out: a control character belongs to the token, and spoils it.
    while (__builtin_expect(token.end[-1] <= ' ', 0) && mr_is_space(token.end[-1])) {
        token.end--;
    }
    return token;
}

// Reads `count` flags whose opening quotes stand at every third entry from `entry` on. Always
// `steps` of them are looked at, so that nothing depends on a count that cannot be foreseen.
static inline bool read_some_flags(const struct chunk *chunk, size_t entry, unsigned count,
                                   unsigned steps, uint8_t *flags_out)
{
    const uint16_t *position = chunk->scratch->position + entry;
    unsigned flags = 0;
    uint32_t wrong = 0;
    for (unsigned i = 0; i < steps; i++) {
        const uint8_t *at = chunk->text + position[(size_t)3 * i] + 1;
        const struct mr_word_slot *slot = find_word(&mr_flag_table, load_u64(at));
        uint32_t differs = word_differs(slot, at);
        // Arithmetic where a condition would become a branch.
        unsigned bit = (unsigned)(i < count) << slot->code;
        wrong |= (differs & (0u - (i < count))) | (flags & bit);
        flags |= bit;
    }
    *flags_out = (uint8_t)flags;
    return wrong == 0;
}

// Reads flags of which some may be written with escapes.
__attribute__((noinline)) static bool read_escaped_flags(const struct chunk *chunk, size_t entry,
                                                         unsigned count, uint8_t *flags_out)
{
    *flags_out = 0;
    for (unsigned i = 0; i < count; i++) {
        uint8_t flag = 0;
        if (!read_some_flags(chunk, entry + (size_t)3 * i, 1, 1, &flag)) {
            const struct mr_word_slot *slot =
                find_escaped_word(chunk, &mr_flag_table, entry + (size_t)3 * i);
            if (slot == NULL) {
                return false;
            }
            flag = (uint8_t)(1u << slot->code);
        }
        if ((*flags_out & flag) != 0) {
            return false;
        }
        *flags_out |= flag;
    }
    return true;
}

static inline bool read_plain_flags(const struct chunk *chunk, size_t entry, unsigned count,
                                    uint8_t *flags_out)
{
    if (count <= 2) {
        return read_some_flags(chunk, entry, count, 2, flags_out);
    }
    if (count <= 4) {
        return read_some_flags(chunk, entry, count, 4, flags_out);
    }
    return read_some_flags(chunk, entry, count, 8, flags_out);
}

static inline bool read_flags(const struct chunk *chunk, size_t entry, unsigned count,
                              uint8_t *flags_out)
{
    return read_plain_flags(chunk, entry, count, flags_out) ||
           read_escaped_flags(chunk, entry, count, flags_out);
}

// Reads the record whose brace is entry `first` and writes it to `place`. False: not read, the
// specification must look at it. Needs 64 more entries, of whatever content.
static inline bool read_fields(const struct chunk *chunk, size_t first, const struct layout *layout,
                               uint8_t *place)
{
    const uint16_t *position = chunk->scratch->position + first;
    const uint8_t *text_end = chunk->text + chunk->bytes;
    struct mr_record *head = (struct mr_record *)(void *)place;
    bool good =
        read_numbers(number_at(chunk, first + value_of(layout, MR_KEY_ID)),
                     number_at(chunk, first + value_of(layout, MR_KEY_TIMESTAMP)),
                     number_at(chunk, first + value_of(layout, MR_KEY_VALUE)), text_end, head);
    uint64_t kind = load_u64(chunk->text + position[value_of(layout, MR_KEY_KIND)] + 1);
    const struct mr_word_slot *slot = find_word(&mr_kind_table, kind);
    if (__builtin_expect(!is_word(slot, kind), 0)) {
        slot = find_escaped_word(chunk, &mr_kind_table, first + value_of(layout, MR_KEY_KIND));
        if (slot == NULL) {
            return false;
        }
    }
    head->kind = slot->code;
    good &= read_flags(chunk, first + value_of(layout, MR_KEY_FLAGS) + 1, layout->flags_count,
                       &head->flags);
    if (!good) {
        return false;
    }
    const uint16_t *source = position + value_of(layout, MR_KEY_SOURCE);
    const uint16_t *message = position + value_of(layout, MR_KEY_MESSAGE);
    uint8_t *text = place + MR_RECORD_HEAD_BYTES;
    size_t source_bytes =
        copy_text(chunk, source[0] + 1, source[1], MR_WITHOUT_COPIES ? NULL : text);
    if (source_bytes - 1 >= MR_SOURCE_BYTES_MAX) {
        return false;
    }
    size_t message_bytes = copy_text(chunk, message[0] + 1, message[1],
                                     MR_WITHOUT_COPIES ? NULL : text + source_bytes);
    head->source_bytes = (uint16_t)source_bytes;
    head->message_bytes = (uint32_t)message_bytes;
    return message_bytes <= MR_MESSAGE_BYTES_MAX;
}

#endif
