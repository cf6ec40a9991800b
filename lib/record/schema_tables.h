// schema_tables.h: the schema of a record as the vector kernels look at it: word tables and the
// pattern of its punctuation. The tables are computed at build time from words.c, once for all
// kernels.
#ifndef MR_RECORD_SCHEMA_TABLES_H
#define MR_RECORD_SCHEMA_TABLES_H

#include <stdint.h>

// A perfect hash over one closed set of words. A word stands in the text with its closing quote;
// slot = (first four bytes & prefix_mask) · multiplier >> 29.
struct mr_word_slot {
    uint8_t code;       // of enum mr_key, kind or flag
    uint8_t bytes;      // the word and its quote
    uint64_t low;       // the first eight bytes, the quote included, zeros behind
    uint64_t low_mask;  // which bits of them count
    uint16_t text_mask; // bit i: text[i] counts
    uint8_t text[16];   // the word and its quote, zeros behind
};
struct mr_word_table {
    uint32_t prefix_mask;
    uint32_t multiplier;
    struct mr_word_slot slot[8]; // a free one matches no valid text
};

extern const struct mr_word_table mr_key_table;
extern const struct mr_word_table mr_kind_table;
extern const struct mr_word_table mr_flag_table;

// The structural stream of a record whose keys stand in the order of docs/PROTOCOL.md: one byte
// for each brace, bracket, colon, comma and quote, and one for each number's start (not compared).
// Template f is for f flags; entries behind the record are not compared either.
#define MR_STREAM_BYTES 64u
struct mr_stream_template {
    uint8_t bytes[MR_STREAM_BYTES];
    uint64_t care; // bit i: bytes[i] counts
};
extern const struct mr_stream_template mr_stream_templates[9];

// Where the entries of a record in that order stand: the opening quote of each key, which the
// closing one, the colon and the value follow. The flags' opening bracket is MR_STREAM_FLAGS.
enum {
    MR_STREAM_ID = 1,
    MR_STREAM_TIMESTAMP = 6,
    MR_STREAM_SOURCE = 11,
    MR_STREAM_KIND = 17,
    MR_STREAM_VALUE = 23,
    MR_STREAM_FLAGS_KEY = 28,
    MR_STREAM_FLAGS = 31,
};

// How a record in that order is spaced: with or without a blank behind each colon and behind each
// comma. What stands between its values, in seven lanes of sixteen bytes (the eighth is free).
struct mr_record_style {
    uint8_t literals[2][64]; // first to fourth lane, fifth to seventh
    uint64_t care[2];        // bit i: byte i counts
    uint8_t care_bytes[128]; // the same as bytes
    uint8_t colon_blanks;
    uint8_t comma_blanks;
};

// By colon_blanks + 2 · comma_blanks.
extern const struct mr_record_style mr_record_styles[4];

// What stands in front of a value: its key from the opening quote on, the colon, a blank or none,
// and the quote or bracket that opens the value. Found by the last two letters of the key: slot =
// (these as a little-endian number) · multiplier >> 29.
struct mr_key_literal {
    uint8_t text[16];       // right-aligned
    uint8_t care_bytes[16]; // 0xFF: the byte counts
    uint8_t code;           // of enum mr_key; MR_KEY_COUNT: a free slot, which matches no text
    uint8_t key_bytes;      // the key without its quotes
    uint8_t tail_bytes;     // from the key's closing quote on
};
extern const uint32_t mr_key_literals_multiplier;
extern const struct mr_key_literal mr_key_literals[2][8]; // without a blank, with one

// Bytes, 32 of each, that vectors are compared with. In memory, for gcc 12 makes a constant of one
// repeated byte anew wherever it is used, with three instructions.
enum {
    MR_ALL_TWOS,
    MR_ALL_BACKSLASHES,
    MR_ALL_EXCLAMATIONS,
    MR_ALL_COMMAS,
    MR_ALL_BRACES,
    MR_ALL_DOTS,
    MR_ALL_ZEROS,
    MR_ALL_NINES,
    MR_ALL_COUNT
};
extern const uint8_t mr_all[MR_ALL_COUNT][32];

#endif
