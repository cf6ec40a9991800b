// notes_scalar.c: the specification of the text, written to be read: one piece after the other. It
// also writes what a kernel leaves: the last notes before the end of a buffer, and texts that are
// no UTF-8.
#include "notes_cursor.h"

#include "note_escape.h"

#include <string.h>

struct mr_notes_cursor mr_notes_cursor_init(const struct mr_notes_job *job)
{
    return (struct mr_notes_cursor){
        .notes = job->notes,
        .count = job->count,
        .profile = job->profile,
        .part = job->count == 0 ? MR_PART_END : MR_PART_HEAD,
    };
}

size_t mr_notes_put_id(int32_t id, uint8_t *out)
{
    uint8_t digits[10];
    size_t count = 0;
    uint32_t left = id < 0 ? 0u - (uint32_t)id : (uint32_t)id;
    do {
        digits[count++] = (uint8_t)('0' + left % 10);
        left /= 10;
    } while (left != 0);
    size_t length = 0;
    if (id < 0) {
        out[length++] = '-';
    }
    while (count > 0) {
        out[length++] = digits[--count];
    }
    return length;
}

static size_t put(uint8_t *out, const char *text)
{
    size_t length = strlen(text);
    memcpy(out, text, length);
    return length;
}

static size_t put_head(const struct mr_notes_cursor *cursor, uint8_t *out)
{
    size_t length = put(out, cursor->note == 0 ? "[{\"Id\":" : ",{\"Id\":");
    length += mr_notes_put_id(cursor->notes[cursor->note].id, out + length);
    return length + put(out + length, ",\"Title\":\"");
}

// A character of a text. *taken_out: its bytes in the text, 0 where it is no UTF-8.
static size_t put_character(enum mr_notes_profile profile, const uint8_t *at, const uint8_t *end,
                            uint8_t *out, size_t *taken_out)
{
    if (*at < 0x80) {
        *taken_out = 1;
        memcpy(out, &mr_note_escapes[profile][*at], 8);
        return (size_t)(mr_note_escapes[profile][*at] >> MR_ESCAPE_LENGTH_SHIFT);
    }
    uint32_t scalar = 0;
    *taken_out = mr_decode(at, end, &scalar);
    if (*taken_out != 0 && profile == MR_NOTES_HTML) {
        return mr_escape_scalar(mr_hex_digits(profile), scalar, out);
    }
    memcpy(out, at, *taken_out);
    return *taken_out;
}

// Characters of the text that the cursor stands in, as long as they fit; at its end goes on to the
// next part.
static size_t put_text(struct mr_notes_cursor *cursor, uint8_t *out, size_t capacity)
{
    const struct mr_note *note = &cursor->notes[cursor->note];
    bool in_title = cursor->part == MR_PART_TITLE;
    const uint8_t *text = in_title ? note->title : note->text;
    uint32_t bytes = in_title ? note->title_bytes : note->text_bytes;
    size_t length = 0;
    while (cursor->offset < bytes) {
        uint8_t piece[MR_PIECE_BYTES];
        size_t taken;
        size_t piece_bytes =
            put_character(cursor->profile, text + cursor->offset, text + bytes, piece, &taken);
        cursor->is_faulty = taken == 0;
        if (cursor->is_faulty || piece_bytes > capacity - length) {
            return length;
        }
        memcpy(out + length, piece, piece_bytes);
        length += piece_bytes;
        cursor->offset += (uint32_t)taken;
    }
    cursor->offset = 0;
    cursor->part++;
    return length;
}

// The piece that the cursor stands before, where that is no character of a text.
static size_t put_frame(const struct mr_notes_cursor *cursor, uint8_t *out)
{
    switch (cursor->part) {
    case MR_PART_HEAD:
        return put_head(cursor, out);
    case MR_PART_BETWEEN:
        return put(out, "\",\"NoteText\":\"");
    case MR_PART_TAIL:
        return put(out, "\"}");
    default:
        return put(out, cursor->count == 0 ? "[]" : "]");
    }
}

static void step_over_frame(struct mr_notes_cursor *cursor)
{
    if (cursor->part == MR_PART_TAIL) {
        cursor->note++;
        cursor->part = cursor->note < cursor->count ? MR_PART_HEAD : MR_PART_END;
    } else {
        cursor->part++;
    }
}

size_t mr_notes_scalar(struct mr_notes_cursor *cursor, uint8_t *out, size_t capacity)
{
    size_t length = 0;
    size_t first = cursor->note;
    while (cursor->part != MR_PART_NONE && (cursor->note == first || cursor->part == MR_PART_END)) {
        enum mr_notes_part before = cursor->part;
        if (before == MR_PART_TITLE || before == MR_PART_TEXT) {
            length += put_text(cursor, out + length, capacity - length);
            if (cursor->part == before) {
                break;
            }
            continue;
        }
        uint8_t piece[MR_PIECE_BYTES];
        size_t piece_bytes = put_frame(cursor, piece);
        if (piece_bytes > capacity - length) {
            break;
        }
        memcpy(out + length, piece, piece_bytes);
        length += piece_bytes;
        step_over_frame(cursor);
    }
    return length;
}
