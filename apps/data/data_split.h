// data_split.h: finding the records of a file that holds a JSON array, or one record a line.
//
// A splitter only proposes: whether a piece is a record is for the parsers to say. Between pieces
// nothing but white space and single commas is passed over.
#ifndef MR_DATA_SPLIT_H
#define MR_DATA_SPLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A splitter over bytes of the caller's.
struct mr_splitter {
    const uint8_t *bytes;
    size_t size_bytes;
    size_t at;
    bool array; // otherwise: lines
    bool ended;
};

// What comes next.
enum mr_split {
    MR_SPLIT_PIECE, // bytes [start, end), without white space around
    MR_SPLIT_END,
    MR_SPLIT_FAULT, // at `start`, `why` says what; nothing follows
};

struct mr_piece {
    size_t start;
    size_t end;
    const char *why;
};

// Looks at the first byte that is no white space: '[' means an array, all else lines.
struct mr_splitter mr_splitter_init(const uint8_t *bytes, size_t size_bytes);

// The next piece, the end, or a fault of the array around the pieces.
enum mr_split mr_splitter_next(struct mr_splitter *splitter, struct mr_piece *piece_out);

#endif
