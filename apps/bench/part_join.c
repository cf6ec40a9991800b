// part_join.c: see part_join.h.
#include "part_join.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The batch being put together at the end of data->joined.
struct joining {
    struct mr_part_data *data;
    uint8_t *at;      // behind what is written
    uint32_t records; // in the last batch
};

// Behind the string that begins at `at`.
static const uint8_t *skip_string(const uint8_t *at, const uint8_t *end)
{
    for (at++; at < end && *at != '"'; at++) {
        at += *at == '\\';
    }
    return at + 1;
}

// Behind the record that begins at `at`: a record holds no other braces but in strings.
static const uint8_t *skip_record(const uint8_t *at, const uint8_t *end)
{
    while (at < end && *at != '}') {
        at = *at == '"' ? skip_string(at, end) : at + 1;
    }
    return at + 1;
}

// Begins a batch, with its padding before it.
static void begin_batch(struct joining *joining)
{
    joining->at += MR_PAD_FRONT;
    joining->data->batch[joining->data->batches++].json = joining->at;
    joining->records = 0;
}

static void end_batch(struct joining *joining)
{
    struct mr_part_batch *batch = &joining->data->batch[joining->data->batches - 1];
    *joining->at++ = ']';
    batch->json_bytes = (uint32_t)(joining->at - batch->json);
    joining->at += MR_PAD_BACK;
}

static void add_record(struct joining *joining, const uint8_t *record, size_t bytes,
                       uint32_t records_max)
{
    if (joining->records == 0) {
        begin_batch(joining);
    }
    *joining->at++ = joining->records == 0 ? '[' : ',';
    memcpy(joining->at, record, bytes);
    joining->at += bytes;
    if (++joining->records == records_max) {
        end_batch(joining);
        joining->records = 0;
    }
}

// Adds the records of one frame. False: there is something that is none.
static bool add_frame(struct joining *joining, size_t index, uint32_t records_max)
{
    const struct mr_frames *frames = &joining->data->frames;
    const uint8_t *at = mr_frames_payload(frames, index);
    const uint8_t *end = at + frames->frame[index].payload_bytes;
    while (at < end && (at = memchr(at, '{', (size_t)(end - at))) != NULL) {
        const uint8_t *behind = skip_record(at, end);
        if (behind > end) {
            return false;
        }
        add_record(joining, at, (size_t)(behind - at), records_max);
        at = behind;
    }
    return true;
}

int mr_part_join(struct mr_part_data *data, uint32_t records, struct mr_frames_fault *fault_out)
{
    // A record has 78 bytes at least, so there are never more batches, paddings or brackets.
    size_t batches_max = data->frames.payload_bytes / 78 / records + 2;
    size_t bytes =
        data->frames.payload_bytes + batches_max * (MR_PAD_FRONT + MR_PAD_BACK + 2) + MR_PAD_BACK;
    data->batch = calloc(batches_max, sizeof *data->batch);
    data->joined = calloc(bytes, 1);
    if (data->batch == NULL || data->joined == NULL) {
        return -ENOMEM;
    }
    struct joining joining = {.data = data, .at = data->joined};
    for (size_t i = 0; i < data->frames.count; i++) {
        if (!add_frame(&joining, i, records)) {
            (void)snprintf(fault_out->text, sizeof fault_out->text,
                           "batch %zu does not end as records do", i);
            return -EBADMSG;
        }
    }
    if (joining.records > 0) {
        end_batch(&joining);
    }
    if (data->batches == 0) {
        (void)snprintf(fault_out->text, sizeof fault_out->text, "there is no record");
        return -EBADMSG;
    }
    return 0;
}
