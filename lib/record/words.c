// words.c: see words.h.
#include "words.h"

#include "swar.h"

// Masks of the first `bytes` bytes of a pair of 64-bit words.
#define LOW_MASK(bytes)  ((bytes) >= 8 ? UINT64_MAX : (1ull << 8 * ((bytes) % 8)) - 1)
#define HIGH_MASK(bytes) ((bytes) <= 8 ? 0 : (1ull << 8 * ((bytes) % 8)) - 1)

// sizeof counts the zero byte of the literal; here it counts the quote.
#define WORD(literal)                                                                              \
    {                                                                                              \
        literal "\"", LOW_MASK(sizeof(literal)), HIGH_MASK(sizeof(literal)), sizeof(literal)       \
    }

static const struct mr_word keys[MR_KEY_COUNT] = {
    [MR_KEY_ID] = WORD("id"),          [MR_KEY_TIMESTAMP] = WORD("timestamp"),
    [MR_KEY_SOURCE] = WORD("source"),  [MR_KEY_KIND] = WORD("kind"),
    [MR_KEY_VALUE] = WORD("value"),    [MR_KEY_FLAGS] = WORD("flags"),
    [MR_KEY_MESSAGE] = WORD("message")};
static const uint8_t keys_starting_with[256] = {
    ['i'] = 1u << MR_KEY_ID,     ['t'] = 1u << MR_KEY_TIMESTAMP, ['s'] = 1u << MR_KEY_SOURCE,
    ['k'] = 1u << MR_KEY_KIND,   ['v'] = 1u << MR_KEY_VALUE,     ['f'] = 1u << MR_KEY_FLAGS,
    ['m'] = 1u << MR_KEY_MESSAGE};
const struct mr_words mr_key_words = {keys, keys_starting_with};

static const struct mr_word kinds[] = {WORD("metric"), WORD("event"), WORD("log"),  WORD("trace"),
                                       WORD("alert"),  WORD("audit"), WORD("span"), WORD("state")};
static const uint8_t kinds_starting_with[256] = {
    ['m'] = 1u << 0, ['e'] = 1u << 1,           ['l'] = 1u << 2,
    ['t'] = 1u << 3, ['a'] = 1u << 4 | 1u << 5, ['s'] = 1u << 6 | 1u << 7};
const struct mr_words mr_kind_words = {kinds, kinds_starting_with};

static const struct mr_word flags[] = {WORD("urgent"),   WORD("sampled"),   WORD("retry"),
                                       WORD("internal"), WORD("encrypted"), WORD("batched"),
                                       WORD("partial"),  WORD("replayed")};
static const uint8_t flags_starting_with[256] = {
    ['u'] = 1u << 0, ['s'] = 1u << 1, ['r'] = 1u << 2 | 1u << 7, ['i'] = 1u << 3, ['e'] = 1u << 4,
    ['b'] = 1u << 5, ['p'] = 1u << 6};
const struct mr_words mr_flag_words = {flags, flags_starting_with};

int mr_word_at(const struct mr_words *words, const uint8_t *at, const uint8_t *end)
{
    if (at == end) {
        return MR_WORD_NONE;
    }
    size_t room = (size_t)(end - at);
    for (unsigned left = words->starting_with[*at]; left != 0; left &= left - 1) {
        int index = __builtin_ctz(left);
        const struct mr_word *word = &words->word[index];
        const uint8_t *text = (const uint8_t *)word->text;
        uint64_t low = (mr_swar_load(at) ^ mr_swar_load(text)) & word->low_mask;
        uint64_t high = (mr_swar_load(at + 8) ^ mr_swar_load(text + 8)) & word->high_mask;
        if ((low | high) == 0 && word->bytes <= room) {
            return index;
        }
    }
    return MR_WORD_NONE;
}
