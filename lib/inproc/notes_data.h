// notes_data.h: the notes of the job `notes`: seeded texts, the same on every machine and in every
// language, and their sixteen variants.
#ifndef MR_INPROC_NOTES_DATA_H
#define MR_INPROC_NOTES_DATA_H

#include <matchrace/attributes.h>
#include <matchrace/notes.h>

#include <stddef.h>
#include <stdint.h>

enum mr_corpus {
    MR_CORPUS_ASCII, // letters, digits, blank and full stop: nothing that anyone escapes
    MR_CORPUS_MIXED, // one symbol in sixteen is one of sixteen special ones
    MR_CORPUS_COUNT
};

// "ascii", "mixed".
extern const char *const mr_corpus_names[MR_CORPUS_COUNT];

#define MR_NOTES_VARIANTS  16u
#define MR_NOTES_COUNT_MAX 10000000u

struct mr_notes_data {
    struct mr_note *notes; // as the variant set last has them
    size_t count;
    unsigned variant;
    uint64_t text_bytes; // of all titles and texts
};

// Draws the notes as variant 0, each text in memory of its own, in the order of the notes, and
// writes its share of the work done to *progress (may be NULL). 0 or -ENOMEM. Ended with
// mr_notes_data_fini().
struct mr_notes_data_params {
    size_t count; // at most MR_NOTES_COUNT_MAX
    enum mr_corpus corpus;
    uint64_t seed;
};
MR_NODISCARD int mr_notes_data_init(struct mr_notes_data *data_out,
                                    const struct mr_notes_data_params *params);
void mr_notes_data_fini(struct mr_notes_data *data);

// Turns the notes into variant k < MR_NOTES_VARIANTS of the original: the id of note 1 is 1 + k
// and, for k > 0, notes k + 1 and count − k (from 1) have exchanged texts, where there are both. In
// constant time.
void mr_notes_data_set_variant(struct mr_notes_data *data, unsigned variant);

#endif
