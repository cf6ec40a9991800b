// data_space.h: white space between tokens, in the manners that programs and people have.
#ifndef MR_DATA_SPACE_H
#define MR_DATA_SPACE_H

#include "data_buffer.h"

#include "base/rng.h"

// How a record is laid out.
enum mr_space {
    MR_SPACE_NONE,    // {"a":1,"b":2}
    MR_SPACE_SPACED,  // {"a": 1, "b": 2}
    MR_SPACE_LINES,   // a key a line, LF, indented by spaces or tabs
    MR_SPACE_WINDOWS, // the same with CR LF
    MR_SPACE_WILD,    // 0 to 3 of space, tab, LF, CR in every gap
    MR_SPACE_DUMPED,  // a blank behind every colon and comma, as many programs dump; never drawn
};

// Where space may stand.
enum mr_gap {
    MR_GAP_OUTSIDE, // before and behind the array
    MR_GAP_RECORD,  // before the first record, and behind each
    MR_GAP_NEXT_RECORD,
    MR_GAP_KEY,   // before a key
    MR_GAP_CLOSE, // before the closing brace
    MR_GAP_COLON, // before a colon
    MR_GAP_VALUE, // behind a colon
    MR_GAP_COMMA, // before a comma
    MR_GAP_FLAG,  // before the first flag, and behind the last
    MR_GAP_NEXT_FLAG,
};

// Draws a manner: what is drawn how often stands in data_space.c.
enum mr_space mr_space_draw(struct mr_rng *rng);

// Appends what stands in `gap` in that manner.
void mr_space_add(struct mr_rng *rng, enum mr_space space, enum mr_gap gap, struct mr_buffer *out);

#endif
