// frames.h: a dataset's NAME.batches in memory: BATCH frames as on the wire, sequence 0, 1, 2, …
#ifndef MR_WIRE_FRAMES_H
#define MR_WIRE_FRAMES_H

#include <matchrace/attributes.h>

#include <stddef.h>
#include <stdint.h>

// One frame: where its payload stands in `bytes`.
struct mr_frame_place {
    uint64_t offset; // of the payload; the header stands MR_FRAME_HEAD_BYTES before it
    uint32_t payload_bytes;
};

// All frames of a file, read whole and prefaulted; 64 readable and writable bytes stand before
// `bytes` and behind its end, so that every payload has the padding that a parser may load.
struct mr_frames {
    uint8_t *bytes;
    uint64_t size_bytes;
    struct mr_frame_place *frame;
    size_t count;
    uint64_t payload_bytes; // of all frames
    uint32_t payload_bytes_max;
};

// What is wrong with a file that could be read, for people; empty when nothing is.
struct mr_frames_fault {
    char text[160]; // "frame 7 at byte 1234: type 0x03 is not BATCH"
};

// Reads `path` whole. 0; -EBADMSG: not such a file, *fault_out says where and why; another negative
// errno: it could not be read. The caller ends it with mr_frames_fini(). An empty file is a fault.
MR_NODISCARD int mr_frames_init(struct mr_frames *frames_out, const char *path,
                                struct mr_frames_fault *fault_out);
void mr_frames_fini(struct mr_frames *frames);

// The payload of frame `index` < count.
static inline uint8_t *mr_frames_payload(const struct mr_frames *frames, size_t index)
{
    return frames->bytes + frames->frame[index].offset;
}

#endif
