// words.hpp: the words of the schema, compared as they stand in the text, closing quote included.
//
// A raw string of JSON begins behind its opening quote. Where its bytes are those of a word with a
// quote behind, it is that word: no escape is among them, so that the quote is the string's end.
// Sixteen bytes from the string's beginning on are loaded; those behind its end change nothing.
#ifndef CPP_SIMDJSON_WORDS_HPP
#define CPP_SIMDJSON_WORDS_HPP

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace words
{

// Not a word of its set.
inline constexpr unsigned unknown = 8;

// Members in the order of section 1 of docs/PROTOCOL.md.
enum member : unsigned { id, timestamp, source, kind, value, flags, message, members };
using names = std::array<std::string_view, 8>;
inline constexpr names keys{"id", "timestamp", "source", "kind", "value", "flags", "message", ""};
inline constexpr names kinds{"metric", "event", "log", "trace", "alert", "audit", "span", "state"};
inline constexpr names flag_names{"urgent",    "sampled", "retry",   "internal",
                                  "encrypted", "batched", "partial", "replayed"};

inline uint64_t load8(const char *at)
{
    uint64_t bytes;
    std::memcpy(&bytes, at, sizeof bytes);
    return bytes;
}

// A word and its closing quote as two overlapping halves of eight bytes, and the mask of its first.
struct pattern {
    uint64_t head = 0;
    uint64_t head_mask = 0;
    uint64_t tail = 0;
    uint32_t tail_at = 0;
    uint32_t code = 0;

    constexpr pattern() = default;
    constexpr pattern(std::string_view word, unsigned code_of_word)
        : head(bytes_of(word, 0)), head_mask(mask_of(word.size() + 1)),
          tail_at(word.size() >= 8 ? static_cast<uint32_t>(word.size() - 7) : 0), code(code_of_word)
    {
        tail = bytes_of(word, tail_at);
    }

    static constexpr uint64_t mask_of(size_t bytes)
    {
        return bytes >= 8 ? ~0ull : (1ull << (8 * bytes)) - 1;
    }

    // Eight bytes of the word and its quote from `at` on; zeros behind.
    static constexpr uint64_t bytes_of(std::string_view word, size_t at)
    {
        uint64_t bytes = 0;
        for (size_t i = 0; i < 8 && at + i <= word.size(); i++) {
            char byte = at + i < word.size() ? word[at + i] : '"';
            bytes |= static_cast<uint64_t>(static_cast<uint8_t>(byte)) << (8 * i);
        }
        return bytes;
    }

    bool is_at(const char *raw) const
    {
        // The tail of a short word is its head, under the same mask.
        uint64_t wrong = ((load8(raw) ^ head) | (load8(raw + tail_at) ^ tail)) & head_mask;
        return wrong == 0;
    }
};

// Whether the raw string is this word, whose pattern is known while compiling.
template <const names &set, unsigned code> inline bool is_word(const char *raw)
{
    constexpr pattern word(set[code], code);
    if constexpr (set[code].size() < 8) {
        return (load8(raw) & word.head_mask) == word.head;
    } else {
        return load8(raw) == word.head && load8(raw + word.tail_at) == word.tail;
    }
}

// `code` where the raw string is that key, otherwise `unknown`.
template <unsigned code> inline unsigned key_if(const char *raw)
{
    return is_word<keys, code>(raw) ? code : unknown;
}

// The member of a raw key. Keys mostly come in the order of the record before, and a branch that is
// foreseen costs less than to wait for a table.
inline unsigned key_of(const char *raw)
{
    switch (*raw) {
    case 'i':
        return key_if<id>(raw);
    case 't':
        return key_if<timestamp>(raw);
    case 's':
        return key_if<source>(raw);
    case 'k':
        return key_if<kind>(raw);
    case 'v':
        return key_if<value>(raw);
    case 'f':
        return key_if<flags>(raw);
    case 'm':
        return key_if<message>(raw);
    default:
        return unknown;
    }
}

// A table of the words of a set, each at the place that its first four bytes hash to: kinds and
// flags come in no order that could be foreseen.
template <const names &set> class table
{
  public:
    // The code of the raw string, or `unknown`. No branch depends on which word it is.
    static unsigned code_of(const char *raw)
    {
        const pattern &candidate = patterns[place_of(load8(raw), multiplier)];
        return candidate.is_at(raw) ? candidate.code : unknown;
    }

  private:
    static constexpr unsigned place_of(uint64_t head, uint32_t factor)
    {
        return (static_cast<uint32_t>(head) * factor) >> 29;
    }

    static constexpr bool is_perfect(uint32_t factor)
    {
        unsigned taken = 0;
        for (std::string_view word : set) {
            unsigned place = 1u << place_of(pattern::bytes_of(word, 0), factor);
            if ((taken & place) != 0) {
                return false;
            }
            taken |= place;
        }
        return true;
    }

    static constexpr uint32_t find_multiplier()
    {
        uint32_t factor = 0x9E3779B1u;
        while (!is_perfect(factor)) {
            factor = factor * 1664525u + 1013904223u;
        }
        return factor;
    }

    static constexpr std::array<pattern, 8> make_patterns()
    {
        std::array<pattern, 8> made{};
        for (unsigned code = 0; code < set.size(); code++) {
            pattern word(set[code], code);
            made[place_of(word.head, multiplier)] = word;
        }
        return made;
    }

    static constexpr uint32_t multiplier = find_multiplier();
    static constexpr std::array<pattern, 8> patterns = make_patterns();
};

// The code of an unescaped text, or `unknown`.
inline unsigned code_of_text(const names &set, std::string_view text)
{
    for (unsigned code = 0; code < set.size(); code++) {
        if (!text.empty() && text == set[code]) {
            return code;
        }
    }
    return unknown;
}

} // namespace words

#endif
