// gen_schema_tables.c: prints schema_tables.c from the words of words.c; runs at build time.
#include "schema_tables.h"

#include "words.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 8u

static unsigned slot_of(const struct mr_word *word, uint32_t prefix_mask, uint32_t multiplier)
{
    uint32_t prefix;
    memcpy(&prefix, word->text, sizeof prefix);
    return (prefix & prefix_mask) * multiplier >> 29;
}

// A multiplier under which no two of the words share a slot.
static uint32_t find_multiplier(const struct mr_word *words, unsigned count, uint32_t prefix_mask)
{
    for (uint32_t multiplier = 1; multiplier != 0; multiplier += 2) {
        unsigned used = 0;
        for (unsigned i = 0; i < count; i++) {
            used |= 1u << slot_of(&words[i], prefix_mask, multiplier);
        }
        if (__builtin_popcount(used) == (int)count) {
            return multiplier;
        }
    }
    (void)fprintf(stderr, "gen_schema_tables: no perfect hash for these words\n");
    exit(1);
}

static uint32_t shortest_prefix(const struct mr_word *words, unsigned count)
{
    size_t bytes = sizeof(uint32_t);
    for (unsigned i = 0; i < count; i++) {
        bytes = words[i].bytes < bytes ? words[i].bytes : bytes;
    }
    return bytes == sizeof(uint32_t) ? UINT32_MAX : (1u << 8 * bytes) - 1;
}

static void print_slot(const struct mr_word *word, unsigned code)
{
    uint64_t low;
    memcpy(&low, word->text, sizeof low);
    printf("  {%u, %zu, 0x%016" PRIx64 ", 0x%016" PRIx64 ", 0x%04x, {", code, word->bytes,
           low & word->low_mask, word->low_mask, (1u << word->bytes) - 1);
    for (unsigned i = 0; i < sizeof word->text; i++) {
        printf("%u,", (unsigned)(uint8_t)word->text[i]);
    }
    printf("}},\n");
}

static void print_words(const char *name, const struct mr_words *set, unsigned count)
{
    uint32_t prefix_mask = shortest_prefix(set->word, count);
    uint32_t multiplier = find_multiplier(set->word, count, prefix_mask);
    // A free slot: a byte that no text has at that place in valid UTF-8.
    static const struct mr_word nothing = {
        .text = "\xFF", .low_mask = UINT64_MAX, .high_mask = 0, .bytes = 1};
    const struct mr_word *slot[SLOTS];
    unsigned code[SLOTS] = {0};
    for (unsigned i = 0; i < SLOTS; i++) {
        slot[i] = &nothing;
    }
    for (unsigned i = 0; i < count; i++) {
        unsigned at = slot_of(&set->word[i], prefix_mask, multiplier);
        slot[at] = &set->word[i];
        code[at] = i;
    }
    printf("const struct mr_word_table %s = {.prefix_mask = 0x%08" PRIx32 ", .multiplier = %" PRIu32
           "u, .slot = {\n",
           name, prefix_mask, multiplier);
    for (unsigned i = 0; i < SLOTS; i++) {
        print_slot(slot[i], code[i]);
    }
    printf("}};\n");
}

// Copies `piece` to stream[used…]. Returns the bytes that are used then.
static size_t append(char stream[MR_STREAM_BYTES], size_t used, const char *piece)
{
    while (*piece != '\0') {
        stream[used++] = *piece++;
    }
    return used;
}

static void print_template(unsigned flags)
{
    static const char head[] = "{\"\":0,\"\":0,\"\":\"\",\"\":\"\",\"\":0,\"\":[";
    static const char tail[] = "],\"\":\"\"}";
    char stream[MR_STREAM_BYTES + 1] = {0};
    size_t used = append(stream, 0, head);
    for (unsigned i = 0; i < flags; i++) {
        used = append(stream, used, i == 0 ? "\"\"" : ",\"\"");
    }
    (void)append(stream, used, tail);
    uint64_t care = 0;
    printf("  {{");
    for (unsigned i = 0; i < MR_STREAM_BYTES; i++) {
        printf("%u,", (unsigned)(uint8_t)stream[i]);
        care |= stream[i] != '\0' && stream[i] != '0' ? 1ull << i : 0;
    }
    printf("}, 0x%016" PRIx64 "u},\n", care);
}

// A literal with a blank for each underscore (behind a colon) and circumflex (behind a comma), or
// nothing in their place.
static unsigned put_literal(const char *pattern, bool colon_blank, bool comma_blank, uint8_t *out)
{
    unsigned length = 0;
    for (; *pattern != '\0'; pattern++) {
        bool blank = *pattern == '_' || *pattern == '^';
        if (!blank) {
            out[length++] = (uint8_t)*pattern;
        } else if (*pattern == '_' ? colon_blank : comma_blank) {
            out[length++] = ' ';
        }
    }
    return length;
}

static void print_style(bool colon_blank, bool comma_blank)
{
    static const char *const patterns[8] = {
        "{\"id\":_",       ",^\"timestamp\":_", ",^\"source\":_\"",   "\",^\"kind\":_\"",
        "\",^\"value\":_", ",^\"flags\":_[",    "],^\"message\":_\"", ""};
    uint8_t literals[128] = {0};
    uint64_t care[2] = {0, 0};
    for (unsigned lane = 0; lane < 8; lane++) {
        unsigned length =
            put_literal(patterns[lane], colon_blank, comma_blank, literals + (size_t)16 * lane);
        care[lane / 4] |= ((1ull << length) - 1) << 16 * (lane % 4);
    }
    printf("  {{");
    for (unsigned i = 0; i < sizeof literals; i++) {
        printf("%s%u,", i == 0 ? "{" : i == 64 ? "},{" : "", (unsigned)literals[i]);
    }
    printf("}}, {0x%016" PRIx64 "u, 0x%016" PRIx64 "u}, {", care[0], care[1]);
    for (unsigned i = 0; i < sizeof literals; i++) {
        printf("%u,", literals[i] == 0 ? 0u : 255u);
    }
    printf("}, %d, %d},\n", colon_blank, comma_blank);
}

static uint32_t last_letters(const struct mr_word *key)
{
    return (uint32_t)(uint8_t)key->text[key->bytes - 3] |
           (uint32_t)(uint8_t)key->text[key->bytes - 2] << 8;
}

// A multiplier under which no two keys share a slot by their last two letters.
static uint32_t find_literals_multiplier(void)
{
    for (uint32_t multiplier = 1; multiplier != 0; multiplier += 2) {
        unsigned used = 0;
        for (unsigned key = 0; key < MR_KEY_COUNT; key++) {
            used |= 1u << (last_letters(&mr_key_words.word[key]) * multiplier >> 29);
        }
        if (__builtin_popcount(used) == (int)MR_KEY_COUNT) {
            return multiplier;
        }
    }
    (void)fprintf(stderr, "gen_schema_tables: no perfect hash for the keys' last letters\n");
    exit(1);
}

static void print_bytes(const uint8_t *bytes, size_t count)
{
    printf("{");
    for (size_t i = 0; i < count; i++) {
        printf("%u,", (unsigned)bytes[i]);
    }
    printf("}, ");
}

// The literal of `key`, MR_KEY_COUNT for none.
static void print_key_literal(unsigned key, bool blank)
{
    static const char *const opening[MR_KEY_COUNT] = {"", "", "\"", "\"", "", "[", "\""};
    uint8_t text[16];
    uint8_t care[16];
    // None: a byte that cannot stand where the key's closing quote does.
    memset(text, 0xFF, sizeof text);
    memset(care, 0xFF, sizeof care);
    unsigned letters = 0;
    unsigned tail = 1;
    if (key < MR_KEY_COUNT) {
        const struct mr_word *word = &mr_key_words.word[key];
        char literal[32];
        int length = snprintf(literal, sizeof literal, "\"%s:%s%s", word->text, blank ? " " : "",
                              opening[key]);
        memset(care, 0, sizeof care - (size_t)length);
        memcpy(text + sizeof text - length, literal, (size_t)length);
        letters = (unsigned)word->bytes - 1;
        tail = (unsigned)length - 1 - letters;
    }
    printf("  {");
    print_bytes(text, sizeof text);
    print_bytes(care, sizeof care);
    printf("%u, %u, %u},\n", key, letters, tail);
}

static void print_key_literals(void)
{
    uint32_t multiplier = find_literals_multiplier();
    printf("const uint32_t mr_key_literals_multiplier = %" PRIu32 "u;\n", multiplier);
    printf("const struct mr_key_literal mr_key_literals[2][8] = {\n");
    for (unsigned blank = 0; blank < 2; blank++) {
        printf("{");
        for (unsigned slot = 0; slot < SLOTS; slot++) {
            unsigned key = 0;
            while (key < MR_KEY_COUNT &&
                   last_letters(&mr_key_words.word[key]) * multiplier >> 29 != slot) {
                key++;
            }
            print_key_literal(key, blank != 0);
        }
        printf("},\n");
    }
    printf("};\n");
}

static void print_repeated(void)
{
    static const uint8_t bytes[MR_ALL_COUNT] = {
        [MR_ALL_TWOS] = 2,     [MR_ALL_BACKSLASHES] = '\\', [MR_ALL_EXCLAMATIONS] = '!',
        [MR_ALL_COMMAS] = ',', [MR_ALL_BRACES] = '}',       [MR_ALL_DOTS] = '.',
        [MR_ALL_ZEROS] = '0',  [MR_ALL_NINES] = 9,
    };
    printf("const uint8_t mr_all[MR_ALL_COUNT][32] = {\n");
    for (unsigned row = 0; row < MR_ALL_COUNT; row++) {
        for (unsigned i = 0; i < 32; i++) {
            printf("%s%u,", i == 0 ? "  {" : "", (unsigned)bytes[row]);
        }
        printf("},\n");
    }
    printf("};\n");
}

int main(void)
{
    printf("// Made by gen_schema_tables.c.\n#include \"schema_tables.h\"\n");
    print_words("mr_key_table", &mr_key_words, MR_KEY_COUNT);
    print_words("mr_kind_table", &mr_kind_words, 8);
    print_words("mr_flag_table", &mr_flag_words, 8);
    printf("const struct mr_stream_template mr_stream_templates[9] = {\n");
    for (unsigned flags = 0; flags <= 8; flags++) {
        print_template(flags);
    }
    printf("};\nconst struct mr_record_style mr_record_styles[4] = {\n");
    for (unsigned style = 0; style < 4; style++) {
        print_style((style & 1) != 0, (style & 2) != 0);
    }
    printf("};\n");
    print_key_literals();
    print_repeated();
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
