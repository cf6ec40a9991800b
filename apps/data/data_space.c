// data_space.c: see data_space.h.
#include "data_space.h"

#include <stddef.h>

enum mr_space mr_space_draw(struct mr_rng *rng)
{
    static const enum mr_space mix[10] = {
        MR_SPACE_NONE,  MR_SPACE_NONE,  MR_SPACE_SPACED, MR_SPACE_SPACED,  MR_SPACE_SPACED,
        MR_SPACE_LINES, MR_SPACE_LINES, MR_SPACE_LINES,  MR_SPACE_WINDOWS, MR_SPACE_WILD};
    return mix[mr_rng_below(rng, sizeof mix / sizeof mix[0])];
}

static void add_line(enum mr_space space, enum mr_gap gap, struct mr_buffer *out)
{
    if (gap == MR_GAP_VALUE) {
        mr_buffer_byte(out, ' ');
    }
    if (gap != MR_GAP_KEY && gap != MR_GAP_CLOSE && gap != MR_GAP_RECORD &&
        gap != MR_GAP_NEXT_RECORD) {
        return;
    }
    mr_buffer_text(out, space == MR_SPACE_WINDOWS ? "\r\n" : "\n");
    if (gap == MR_GAP_KEY) {
        mr_buffer_text(out, space == MR_SPACE_WINDOWS ? "\t" : "    ");
    }
}

void mr_space_add(struct mr_rng *rng, enum mr_space space, enum mr_gap gap, struct mr_buffer *out)
{
    switch (space) {
    case MR_SPACE_NONE:
        return;
    case MR_SPACE_SPACED:
        if (gap == MR_GAP_KEY || gap == MR_GAP_VALUE) {
            mr_buffer_byte(out, ' ');
        }
        return;
    case MR_SPACE_LINES:
    case MR_SPACE_WINDOWS:
        add_line(space, gap, out);
        return;
    case MR_SPACE_DUMPED:
        if (gap == MR_GAP_KEY || gap == MR_GAP_VALUE || gap == MR_GAP_NEXT_FLAG ||
            gap == MR_GAP_NEXT_RECORD) {
            mr_buffer_byte(out, ' ');
        }
        return;
    case MR_SPACE_WILD:
        for (uint64_t count = mr_rng_below(rng, 4); count > 0; count--) {
            mr_buffer_byte(out, " \t\n\r"[mr_rng_below(rng, 4)]);
        }
        return;
    }
}
