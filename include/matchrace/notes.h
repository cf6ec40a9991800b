// notes.h: the notes writer: notes to one JSON text, [{"Id":1,"Title":"…","NoteText":"…"},…],
// without white space. RFC 8259; which characters are escaped, and how, a profile says.
#ifndef MATCHRACE_NOTES_H
#define MATCHRACE_NOTES_H

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

// A note. Both texts are UTF-8 of the caller, without a zero byte behind, and may be NULL when they
// have no bytes. Nothing outside of them is read.
struct mr_note {
    const uint8_t *title;
    const uint8_t *text;
    uint32_t title_bytes;
    uint32_t text_bytes;
    int32_t id;
};

// What is escaped. All profiles write \\ \b \t \n \f \r for these six.
enum mr_notes_profile {
    MR_NOTES_REQUIRED,       // \" and other bytes below 20h as \u00xx, lower-case; the rest is raw
    MR_NOTES_REQUIRED_UPPER, // the same, upper-case
    MR_NOTES_HTML, // \u0022; other controls, U+007F, all from U+0080 on and < > & ' + ` as \uXXXX,
                   // upper-case, surrogate pairs where needed
    MR_NOTES_PROFILE_COUNT
};

// "required", "required-upper", "html"; NULL for what is no profile.
static inline const char *mr_notes_profile_name(int profile)
{
    return profile == MR_NOTES_REQUIRED         ? "required"
           : profile == MR_NOTES_REQUIRED_UPPER ? "required-upper"
           : profile == MR_NOTES_HTML           ? "html"
                                                : NULL;
}

// A way to write them, by instruction set: a constant of the library, chosen once and told with
// each call. All kernels write the same bytes.
struct mr_notes_kernel;

// The kernel called `name`; NULL: the fastest that runs here. 0; -ENOENT: there is none of this
// name; -ENOTSUP: this processor lacks its instructions.
MR_NODISCARD int mr_notes_kernel_choose(const char *name,
                                        const struct mr_notes_kernel **kernel_out);

// Its name: "scalar", "avx2".
const char *mr_notes_kernel_name(const struct mr_notes_kernel *kernel);

// The kernels by number, the slowest first; NULL behind the last.
const struct mr_notes_kernel *mr_notes_kernel_by_index(size_t index);

// What is written, and how.
struct mr_notes_job {
    const struct mr_notes_kernel *kernel;
    const struct mr_note *notes; // may be NULL when count is 0
    size_t count;
    enum mr_notes_profile profile;
};

enum mr_notes_verdict {
    MR_NOTES_WRITTEN,
    MR_NOTES_SHORT_BUFFER, // the text is longer than the buffer, whose content is undefined
    MR_NOTES_NOT_UTF8,     // a text is not well-formed UTF-8 (RFC 3629); nothing must be used
};

struct mr_notes_result {
    enum mr_notes_verdict verdict;
    size_t length;   // WRITTEN: units written (bytes or 16-bit ones); SHORT_BUFFER: units needed
    size_t note;     // NOT_UTF8: index of the note,
    bool in_text;    // false: in its title,
    uint32_t offset; // and the first byte of the sequence that is none
};

// Writes the text to `buffer`, whose `capacity` bytes may be too few: never a byte behind. A
// buffer of exactly the text's size is enough. The bytes behind the text, up to the capacity, are
// undefined afterwards. Thread-safe; allocates nothing.
enum mr_notes_verdict mr_notes_write(const struct mr_notes_job *job, void *buffer, size_t capacity,
                                     struct mr_notes_result *result_out);

// The same text as UTF-16 code units; `capacity` and length count units.
enum mr_notes_verdict mr_notes_write_utf16(const struct mr_notes_job *job, uint16_t *buffer,
                                           size_t capacity, struct mr_notes_result *result_out);

// At least as many bytes as any text of these notes takes, and as many units; SIZE_MAX where that
// is more than a size_t holds.
size_t mr_notes_bound(const struct mr_note *notes, size_t count);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
