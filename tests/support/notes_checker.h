// notes_checker.h: notes through every kernel of the notes writer, in all profiles and units,
// against the specification, an independent look at UTF-8 and a JSON library that reads the text
// back.
#ifndef MR_TESTS_NOTES_CHECKER_H
#define MR_TESTS_NOTES_CHECKER_H

#include <matchrace/notes.h>

#include "guard_page.h"

#define MR_NOTES_CHECKED_BYTES_MAX ((size_t)1 << 20)

// Buffers that end at forbidden pages.
struct mr_notes_checker {
    struct mr_guarded spec;
    struct mr_guarded out;
    char complaint[256];
};

struct mr_notes_checker mr_notes_checker_init(void);
void mr_notes_checker_fini(struct mr_notes_checker *checker);

// What is wrong, in one line that lives until the next call; NULL: nothing. The texts take at most
// MR_NOTES_CHECKED_BYTES_MAX / 16 bytes together with 64 for each note.
const char *mr_notes_check(struct mr_notes_checker *checker, const struct mr_note *notes,
                           size_t count);

#endif
