// varied_batches.c: writes batches of a dataset as the load generator varies them, each with the
// answer that it expects, for a reader that shares no code with it.
//
// varied_batches DATASET TURN…: for every batch and turn that it has, on standard output:
// bytes of the payload (u32), payload, status (u32), records (u32), digest (u64); little-endian.
#include "dataset/dataset.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool put(const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, stdout) == size;
}

static bool put_variation(const struct mr_dataset *dataset, size_t index, uint64_t turn)
{
    struct mr_edit edit;
    if (!mr_edit_make(dataset, index, turn, &edit)) {
        return true; // the batch has fewer variations
    }
    uint32_t size = dataset->frames.frame[index].payload_bytes;
    const uint8_t *payload = mr_frames_payload(&dataset->frames, index);
    size_t behind = (size_t)edit.offset + edit.count;
    return put(&size, sizeof size) && put(payload, edit.offset) && put(edit.digits, edit.count) &&
           put(payload + behind, size - behind) && put(&edit.answer.status, sizeof(uint32_t)) &&
           put(&edit.answer.records, sizeof(uint32_t)) &&
           put(&edit.answer.digest, sizeof(uint64_t));
}

int main(int argc, char **argv)
{
    struct mr_dataset dataset;
    struct mr_dataset_fault fault = {{0}};
    if (argc < 3 || mr_dataset_init(&dataset, argv[1], &fault) != 0) {
        (void)fprintf(stderr, "varied_batches DATASET TURN…: %s\n", fault.text);
        return 2;
    }
    bool fine = true;
    for (size_t index = 0; fine && index < dataset.frames.count; index++) {
        for (int i = 2; fine && i < argc; i++) {
            fine = put_variation(&dataset, index, strtoull(argv[i], NULL, 10));
        }
    }
    mr_dataset_fini(&dataset);
    return fine && fflush(stdout) == 0 ? 0 : 1;
}
