// data_form.h: in which form simple records are made: order of keys, white space, size, what is
// mixed in.
#ifndef MR_DATA_FORM_H
#define MR_DATA_FORM_H

#include "data_space.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MR_FORM_RECORD_BYTES_MIN 140u
#define MR_FORM_RECORD_BYTES_MAX 2048u

// All zero: the shape's own form, whose bytes never change. Shares are hundredths of a percent.
struct mr_form {
    bool shuffled_keys;
    enum mr_space space;   // MR_SPACE_NONE, MR_SPACE_DUMPED or MR_SPACE_LINES
    uint32_t record_bytes; // mean, white space not counted; 0: the shape's own
    uint32_t messy_bp;     // of the records: messy ones instead
    uint32_t escape_bp;    // of the message's bytes as written: in escapes
    uint32_t non_ascii_bp; // of the message's bytes as written: of characters beyond ASCII
};

// Names of `space` as options have them; NULL ends them.
extern const char *const mr_form_spaces[];

// Sets form_io->space by its name; false when there is none.
MR_NODISCARD bool mr_form_space_by_name(const char *name, struct mr_form *form_io);
const char *mr_form_space_name(const struct mr_form *form);

bool mr_form_is_plain(const struct mr_form *form);

// Appends the options of `matchrace data make` that ask for the form, each with a blank before it,
// to the text in `text_io`.
void mr_form_options(const struct mr_form *form, char *text_io, size_t capacity);

#endif
