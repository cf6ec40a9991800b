// scratch.h: the memory that the vector kernels work in: index, stream, masks, escapes.
#ifndef MR_RECORD_SCRATCH_H
#define MR_RECORD_SCRATCH_H

#include <matchrace/attributes.h>

#include <stddef.h>
#include <stdint.h>

// Grows to what the largest batch needs; pages that no batch has used are never touched. Entries
// of index and stream begin anew with every chunk; `keep` and `copy` have the whole batch.
struct mr_scratch {
    void *memory; // owned; NULL: none yet
    size_t json_bytes_max;
    uint32_t *position;   // of each structural byte in the text
    uint8_t *stream;      // the byte itself
    uint64_t *keep;       // by block of 64 bytes: the bytes that stay when text is unescaped
    uint8_t *copy;        // the text with letters of escapes replaced, where there are escapes
    uint8_t *digits;      // of \\uXXXX, four for each
    uint32_t *unit_at;    // where its u stands
    uint8_t *unit_text;   // its UTF-8, three bytes for each
    uint64_t *unit_marks; // by block with units: its number, and which bytes are the letter u
};

// Makes room for a text of `json_bytes`. 0 or -ENOMEM, *scratch being as it was.
MR_NODISCARD int mr_scratch_fit(struct mr_scratch *scratch, size_t json_bytes);
void mr_scratch_fini(struct mr_scratch *scratch);

#endif
