// notes_cursor.h: how far the writing has come: the text is made piece by piece, and may stop and
// go on between any two of them.
#ifndef MR_SERIAL_NOTES_CURSOR_H
#define MR_SERIAL_NOTES_CURSOR_H

#include <matchrace/notes.h>

// The next piece: a note is HEAD to TAIL, END closes the array.
enum mr_notes_part {
    MR_PART_HEAD,    // [{"Id":1,"Title":" or ,{"Id":…
    MR_PART_TITLE,   // one character of it
    MR_PART_BETWEEN, // ","NoteText":"
    MR_PART_TEXT,    // one character of it
    MR_PART_TAIL,    // "}
    MR_PART_END,     // ] or []
    MR_PART_NONE,    // nothing is left
};

struct mr_notes_cursor {
    const struct mr_note *notes;
    size_t count;
    size_t note; // index; `count` from END on
    enum mr_notes_profile profile;
    enum mr_notes_part part;
    uint32_t offset; // of the next character, in TITLE and TEXT
    bool is_faulty;  // what stands there is no UTF-8; the cursor stays there
};

struct mr_notes_cursor mr_notes_cursor_init(const struct mr_notes_job *job);

// No piece is longer.
#define MR_PIECE_BYTES 32u
// A note takes at most so many bytes, and a kernel may write so many more behind it.
#define MR_NOTE_FRAME_BYTES 64u
#define MR_KERNEL_SLACK     32u

// At least as many bytes as the note takes, comma included.
static inline size_t mr_note_bound(const struct mr_note *note)
{
    return MR_NOTE_FRAME_BYTES + 6 * ((size_t)note->title_bytes + note->text_bytes);
}

// The specification: writes pieces up to the end of the note, or the end of the array behind the
// last, as long as they fit; returns the bytes written, never more than `capacity`.
size_t mr_notes_scalar(struct mr_notes_cursor *cursor, uint8_t *out, size_t capacity);

// Writes the number as JSON has it, 1 to 11 bytes; 16 bytes of `out` may be changed. Returns the
// bytes written.
size_t mr_notes_put_id(int32_t id, uint8_t *out);

#endif
