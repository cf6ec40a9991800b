// frames.c: reads a dataset's frames file whole and finds its frames.
#include "frames.h"

#include "wire.h"

#include "base/file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAD_BYTES 64u

// Reads `size_bytes` bytes and makes sure that nothing follows. 0; -ESTALE when the file is longer
// or shorter by now; another negative errno.
static int read_whole(int file, uint8_t *bytes, size_t size_bytes)
{
    size_t at = 0;
    for (;;) {
        uint8_t beyond;
        ssize_t got = at < size_bytes ? read(file, bytes + at, size_bytes - at)
                                      : read(file, &beyond, sizeof beyond);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return -errno;
        }
        if (at == size_bytes || got == 0) {
            return at == size_bytes && got == 0 ? 0 : -ESTALE;
        }
        at += (size_t)got;
    }
}

// Loads `path` into memory with PAD_BYTES before and behind. The pages are touched by the reading
// itself; the padding is set, so that tools for uninitialised memory stay quiet.
static int load(const char *path, struct mr_frames *frames)
{
    size_t size_bytes;
    int file = mr_file_open(path, &size_bytes);
    if (file < 0) {
        return file;
    }
    frames->size_bytes = size_bytes;
    uint8_t *block = malloc(PAD_BYTES + size_bytes + PAD_BYTES);
    int result = block == NULL ? -ENOMEM : 0;
    if (result == 0) {
        memset(block, 0, PAD_BYTES);
        memset(block + PAD_BYTES + frames->size_bytes, 0, PAD_BYTES);
        frames->bytes = block + PAD_BYTES;
        result = read_whole(file, frames->bytes, frames->size_bytes);
    }
    (void)close(file);
    return result;
}

// What is wrong with the frame whose header stands at `at`, or NULL. `index` is its number.
static const char *head_fault(const struct mr_frame_head *head, size_t index, char text[96])
{
    if (head->version != MR_WIRE_VERSION) {
        (void)snprintf(text, 96, "protocol version %u is not %u", head->version, MR_WIRE_VERSION);
    } else if (head->type != MR_FRAME_BATCH) {
        (void)snprintf(text, 96, "type 0x%02x is not BATCH", head->type);
    } else if (head->reserved != 0) {
        (void)snprintf(text, 96, "the reserved field is 0x%04x, not 0", head->reserved);
    } else if (head->sequence != index) {
        (void)snprintf(text, 96, "sequence %" PRIu64 " is not the frame's number", head->sequence);
    } else {
        return NULL;
    }
    return text;
}

// Reads the header at `at`, or says what is wrong there.
static int read_head(const struct mr_frames *frames, uint64_t at, struct mr_frame_head *head_out,
                     struct mr_frames_fault *fault)
{
    uint64_t left = frames->size_bytes - at;
    char text[96];
    const char *wrong = NULL;
    if (left < MR_FRAME_HEAD_BYTES) {
        (void)snprintf(text, sizeof text, "the file ends within the header");
        wrong = text;
    } else {
        *head_out = mr_frame_head_decode(frames->bytes + at);
        wrong = head_fault(head_out, frames->count, text);
        if (wrong == NULL && head_out->payload_bytes > left - MR_FRAME_HEAD_BYTES) {
            (void)snprintf(text, sizeof text, "the file ends within its payload of %u bytes",
                           head_out->payload_bytes);
            wrong = text;
        }
    }
    if (wrong != NULL) {
        (void)snprintf(fault->text, sizeof fault->text, "frame %zu at byte %" PRIu64 ": %s",
                       frames->count, at, wrong);
        return -EBADMSG;
    }
    return 0;
}

static int add_place(struct mr_frames *frames, size_t *capacity_io, struct mr_frame_place place)
{
    if (frames->count == *capacity_io) {
        size_t capacity = *capacity_io == 0 ? 256 : *capacity_io * 2;
        struct mr_frame_place *grown = realloc(frames->frame, capacity * sizeof *grown);
        if (grown == NULL) {
            return -ENOMEM;
        }
        frames->frame = grown;
        *capacity_io = capacity;
    }
    frames->frame[frames->count++] = place;
    return 0;
}

static int find_frames(struct mr_frames *frames, struct mr_frames_fault *fault)
{
    if (frames->size_bytes == 0) {
        (void)snprintf(fault->text, sizeof fault->text, "the file is empty");
        return -EBADMSG;
    }
    size_t capacity = 0;
    uint64_t at = 0;
    while (at < frames->size_bytes) {
        struct mr_frame_head head;
        int result = read_head(frames, at, &head, fault);
        if (result != 0) {
            return result;
        }
        at += MR_FRAME_HEAD_BYTES;
        struct mr_frame_place place = {.offset = at, .payload_bytes = head.payload_bytes};
        result = add_place(frames, &capacity, place);
        if (result != 0) {
            return result;
        }
        frames->payload_bytes += head.payload_bytes;
        if (head.payload_bytes > frames->payload_bytes_max) {
            frames->payload_bytes_max = head.payload_bytes;
        }
        at += head.payload_bytes;
    }
    return 0;
}

int mr_frames_init(struct mr_frames *frames_out, const char *path,
                   struct mr_frames_fault *fault_out)
{
    *frames_out = (struct mr_frames){0};
    fault_out->text[0] = '\0';
    int result = load(path, frames_out);
    if (result == 0) {
        result = find_frames(frames_out, fault_out);
    }
    if (result != 0) {
        mr_frames_fini(frames_out);
    }
    return result;
}

void mr_frames_fini(struct mr_frames *frames)
{
    if (frames->bytes != NULL) {
        free(frames->bytes - PAD_BYTES);
    }
    free(frames->frame);
    *frames = (struct mr_frames){0};
}
