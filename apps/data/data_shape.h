// data_shape.h: the shapes of made datasets by name, and what each one is made of.
#ifndef MR_DATA_SHAPE_H
#define MR_DATA_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

// What a batch's records look like.
enum mr_look { MR_LOOK_SIMPLE, MR_LOOK_MESSY };

// A shape. All counts are means over records.
struct mr_shape {
    char name[16];
    bool simple; // batches of simple records are drawn
    bool messy;  // batches of messy records are drawn; with both, each batch is one or the other
    uint32_t reject_bp; // batches with a fault by default, in hundredths of a percent
    bool keep_places;   // only faults that leave good records: every batch can be varied and raced
};

// The shape called `name`: simple, messy, rejects, or mixed-N with N in 1..99. False when there is
// none.
bool mr_shape_by_name(const char *name, struct mr_shape *shape_out);

// What records of one look weigh, in bytes of their batch and in tokens, each a mean per record.
struct mr_look_targets {
    uint32_t bytes;
    uint32_t short_escapes;
    uint32_t unicode_escapes;
    uint32_t wide_bytes;
};
extern const struct mr_look_targets mr_look_targets[2]; // by enum mr_look

#endif
