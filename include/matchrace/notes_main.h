// notes_main.h: what a native contestant needs to take part in the job `notes`: a table of
// functions, and the main of `CONTESTANT notes …`.
//
// lib/inproc makes the notes, keeps the clock, verifies, repeats until warm and prints, as
// docs/SERIAL.md says; the contestant writes. Usable from C and C++.
#ifndef MATCHRACE_NOTES_MAIN_H
#define MATCHRACE_NOTES_MAIN_H

#include <matchrace/library.h>
#include <matchrace/notes.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

// What the result is, and whose memory it stands in.
enum mr_notes_form {
    MR_FORM_BYTES_REUSE,  // UTF-8 in memory that is kept, large enough and touched beforehand
    MR_FORM_BYTES_FRESH,  // UTF-8 in new memory of the general allocator
    MR_FORM_STRING_FRESH, // UTF-16 units in new memory
    MR_FORM_COUNT
};

// "bytes-reuse", "bytes-fresh", "string-fresh".
extern const char *const mr_notes_form_names[MR_FORM_COUNT];

// What a writer is made for. The notes are those of the first iteration: what memory they take may
// be found out with them, nothing else may be kept of them.
struct mr_notes_task {
    enum mr_notes_form form;
    enum mr_notes_profile profile;
    const char *kernel; // --kernel, or NULL: the best that runs here
    const struct mr_note *notes;
    size_t count;
};

// What an iteration gave.
struct mr_notes_output {
    const void *data; // the whole text in one piece, until release() is called
    size_t bytes;
    uint64_t build_ns; // of the time taken, what a document took before it was written; 0: there is
                       // no such part
};

// A contestant. All functions must be there; all texts are constant.
struct mr_notes_contestant {
    const char *name;
    const char *version;
    const char *language;
    const char *build_flags;  // compiler and flags of the writer's own source
    const char *kernels_help; // the words that --kernel takes, for --help
    // Whether it has this form and this profile.
    bool (*can)(enum mr_notes_form form, enum mr_notes_profile profile);
    // Makes a writer. 0; -ENOENT: no such kernel; -ENOTSUP: this machine can't run it; another
    // negative errno.
    int (*create)(const struct mr_notes_task *task, void **writer_out);
    void (*destroy)(void *writer);
    // Writes the notes: the timed part. 0, or a negative errno (-EILSEQ: a text is no UTF-8).
    int (*write)(void *writer, const struct mr_note *notes, size_t count,
                 struct mr_notes_output *output_out);
    // Ends what write() gave, when its digest is taken: new memory goes back.
    void (*release)(void *writer);
    // The variant that really runs.
    const char *(*kernel)(const void *writer);
    // Fills at most MR_LIBRARIES_MAX entries, returns their number.
    size_t (*libraries)(const void *writer, struct mr_library *libraries_out);
};

// The main of `notes`, with the words of `argv` after argv[0]. Returns the exit code (0, 1, 2).
int mr_notes_main(int argc, char **argv, const struct mr_notes_contestant *contestant);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
