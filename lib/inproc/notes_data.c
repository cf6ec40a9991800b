// notes_data.c: see notes_data.h.
#include "notes_data.h"

#include "base/mr_assert.h"
#include "base/rng.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SYMBOLS_A_DRAW 10u
#define SYMBOLS_MAX    (60u + 80u)
#define SYMBOL_BYTES   4u

const char *const mr_corpus_names[MR_CORPUS_COUNT] = {"ascii", "mixed"};

static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .";
static const char *const special[16] = {"\"",         "\\",   "\n", "\t",  "\x01", "\u00E9",
                                        "\U0001F600", "<",    "&",  "+",   "'",    "\u6F22",
                                        "\r",         "\x1F", "/",  "\x7F"};

// Draws `symbols` symbols; returns their bytes.
static size_t draw_text(struct mr_rng *rng, enum mr_corpus corpus, size_t symbols, uint8_t *out)
{
    size_t length = 0;
    uint64_t word = 0;
    for (size_t i = 0; i < symbols; i++) {
        if (i % SYMBOLS_A_DRAW == 0) {
            word = mr_rng_next(rng);
        }
        unsigned code = word & 63;
        word >>= 6;
        if (corpus == MR_CORPUS_MIXED && code < 4) {
            const char *symbol = special[4 * (word & 3) + code];
            size_t bytes = strlen(symbol);
            memcpy(out + length, symbol, bytes);
            length += bytes;
        } else {
            out[length++] = (uint8_t)plain[code];
        }
    }
    return length;
}

// A text of `least` to least + spread − 1 symbols in memory of its own. NULL: there is none.
static uint8_t *make_text(struct mr_rng *rng, enum mr_corpus corpus, size_t least, size_t spread,
                          uint32_t *bytes_out)
{
    uint8_t text[SYMBOLS_MAX * SYMBOL_BYTES];
    size_t symbols = least + mr_rng_next(rng) % spread;
    size_t bytes = draw_text(rng, corpus, symbols, text);
    uint8_t *own = malloc(bytes);
    if (own != NULL) {
        memcpy(own, text, bytes);
    }
    *bytes_out = (uint32_t)bytes;
    return own;
}

int mr_notes_data_init(struct mr_notes_data *data_out, const struct mr_notes_data_params *params)
{
    MR_ASSERT(params->count <= MR_NOTES_COUNT_MAX);
    struct mr_rng rng = mr_rng_seeded(params->seed);
    struct mr_notes_data data = {.count = params->count};
    data.notes = calloc(params->count + 1, sizeof data.notes[0]);
    if (data.notes == NULL) {
        return -ENOMEM;
    }
    for (size_t i = 0; i < data.count; i++) {
        struct mr_note *note = &data.notes[i];
        note->id = (int32_t)(i + 1);
        note->title = make_text(&rng, params->corpus, 12, 17, &note->title_bytes);
        note->text = make_text(&rng, params->corpus, 60, 81, &note->text_bytes);
        if (note->title == NULL || note->text == NULL) {
            mr_notes_data_fini(&data);
            return -ENOMEM;
        }
        data.text_bytes += (uint64_t)note->title_bytes + note->text_bytes;
    }
    *data_out = data;
    return 0;
}

void mr_notes_data_fini(struct mr_notes_data *data)
{
    for (size_t i = 0; data->notes != NULL && i < data->count; i++) {
        free((void *)(uintptr_t)data->notes[i].title);
        free((void *)(uintptr_t)data->notes[i].text);
    }
    free(data->notes);
    *data = (struct mr_notes_data){0};
}

// Its own inverse.
static void exchange(struct mr_notes_data *data, unsigned variant)
{
    if (variant == 0 || data->count <= variant) {
        return;
    }
    struct mr_note *one = &data->notes[variant];
    struct mr_note *other = &data->notes[data->count - variant - 1];
    const uint8_t *text = one->text;
    uint32_t bytes = one->text_bytes;
    one->text = other->text;
    one->text_bytes = other->text_bytes;
    other->text = text;
    other->text_bytes = bytes;
}

void mr_notes_data_set_variant(struct mr_notes_data *data, unsigned variant)
{
    MR_ASSERT(variant < MR_NOTES_VARIANTS);
    exchange(data, data->variant);
    exchange(data, variant);
    data->variant = variant;
    if (data->count > 0) {
        data->notes[0].id = (int32_t)(1 + variant);
    }
}
