// words.h: the closed sets of words of the contract: keys, kinds, flags; finding one in the text.
#ifndef MR_RECORD_WORDS_H
#define MR_RECORD_WORDS_H

#include <stddef.h>
#include <stdint.h>

#define MR_WORD_NONE (-1)

// The seven keys of a record, in the order of docs/PROTOCOL.md, section 1.
enum mr_key {
    MR_KEY_ID,
    MR_KEY_TIMESTAMP,
    MR_KEY_SOURCE,
    MR_KEY_KIND,
    MR_KEY_VALUE,
    MR_KEY_FLAGS,
    MR_KEY_MESSAGE,
};
#define MR_KEY_COUNT 7u

// A word and the quote that closes it, filled up with zeros.
struct mr_word {
    char text[16];
    uint64_t low_mask;  // which bits of the first eight bytes belong to it
    uint64_t high_mask; // and which of the last eight
    size_t bytes;       // with the quote
};

// A set of at most eight words. Bit i of `starting_with[b]` says that word i begins with byte b.
struct mr_words {
    const struct mr_word *word;
    const uint8_t *starting_with; // 256 entries
};

extern const struct mr_words mr_key_words;  // enum mr_key
extern const struct mr_words mr_kind_words; // codes of mr_kind_names
extern const struct mr_words mr_flag_words; // bits of mr_flag_names

// The index of the word of `words` that stands at `at` with a quote right behind it, both before
// `end`; MR_WORD_NONE when none does. 16 bytes from `at` on must be readable.
int mr_word_at(const struct mr_words *words, const uint8_t *at, const uint8_t *end);

#endif
