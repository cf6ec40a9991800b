// part_data.c: what parts need before they are timed: batches, typed records, spoiled batches.
#define _GNU_SOURCE
#include "part.h"
#include "part_join.h"

#include "base/mr_assert.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Answers of the specification to batch `index`, its records at data->place.
static struct mr_result judge(struct mr_part_data *data, struct mr_parser *scalar, size_t index)
{
    struct mr_result result;
    mr_parser_parse(scalar, data->batch[index].json, data->batch[index].json_bytes, data->place,
                    &result);
    return result;
}

static int add_canonical(struct mr_part_data *data, const struct mr_result *result)
{
    size_t bytes = data->canonical_bytes + result->used_bytes;
    uint8_t *grown = realloc(data->canonical, bytes + 1);
    if (grown == NULL) {
        return -ENOMEM;
    }
    memcpy(grown + data->canonical_bytes, data->place, result->used_bytes);
    data->canonical = grown;
    data->canonical_bytes = bytes;
    return 0;
}

// Puts a bracket in the place of the last record's brace. False: the batch has none.
static bool spoil(struct mr_part_data *data, size_t index)
{
    uint8_t *brace = memrchr(data->batch[index].json, '}', data->batch[index].json_bytes);
    if (brace != NULL) {
        *brace = ']';
    }
    return brace != NULL;
}

// A batch that is accepted, and where the part spoils it, rejected for its last record.
static int prepare_batch(struct mr_part_data *data, const struct mr_part *part,
                         struct mr_parser *scalar, size_t index, struct mr_frames_fault *fault_out)
{
    struct mr_result result = judge(data, scalar, index);
    int failed = 0;
    if (result.error == MR_OK) {
        data->records += result.records;
        failed = part->needs_canonical ? add_canonical(data, &result) : 0;
    }
    if (failed != 0 || !part->spoils) {
        return failed;
    }
    uint32_t records = result.records;
    bool spoilt = result.error == MR_OK && records > 0 && spoil(data, index);
    result = judge(data, scalar, index);
    if (!spoilt || result.error == MR_OK || result.error_record != records - 1) {
        (void)snprintf(fault_out->text, sizeof fault_out->text,
                       "batch %zu is not one that is accepted, so no fault can be planted in its "
                       "last record",
                       index);
        return -EBADMSG;
    }
    return 0;
}

static int prepare_all(struct mr_part_data *data, const struct mr_part *part,
                       struct mr_frames_fault *fault_out)
{
    struct mr_parser *scalar;
    int failed = mr_parser_create("scalar", &scalar);
    if (failed != 0) {
        return failed;
    }
    size_t bytes_max = 0;
    for (size_t i = 0; i < data->batches; i++) {
        data->payload_bytes += data->batch[i].json_bytes;
        bytes_max = data->batch[i].json_bytes > bytes_max ? data->batch[i].json_bytes : bytes_max;
    }
    size_t capacity = mr_records_capacity(bytes_max);
    data->place = aligned_alloc(64, (capacity + 63) / 64 * 64);
    failed = data->place == NULL ? -ENOMEM : 0;
    for (size_t i = 0; failed == 0 && i < data->batches; i++) {
        failed = prepare_batch(data, part, scalar, i, fault_out);
    }
    mr_parser_destroy(scalar);
    return failed;
}

// The batches as they stand in the frames.
static int take_frames(struct mr_part_data *data)
{
    data->batches = data->frames.count;
    data->batch = calloc(data->batches, sizeof *data->batch);
    for (size_t i = 0; data->batch != NULL && i < data->batches; i++) {
        data->batch[i] = (struct mr_part_batch){mr_frames_payload(&data->frames, i),
                                                data->frames.frame[i].payload_bytes};
    }
    return data->batch == NULL ? -ENOMEM : 0;
}

int mr_part_data_init(struct mr_part_data *data_out, const struct mr_part *part, const char *path,
                      struct mr_frames_fault *fault_out)
{
    *data_out = (struct mr_part_data){0};
    *fault_out = (struct mr_frames_fault){{0}};
    mr_totals_init(&data_out->totals);
    if (part->needs_kernel) {
        int failed = mr_parser_create("avx512", &data_out->parser);
        if (failed != 0) {
            return failed;
        }
    }
    char file[PATH_MAX];
    int length = snprintf(file, sizeof file, "%s.batches", path);
    if (length < 0 || (size_t)length >= sizeof file) {
        return -ENAMETOOLONG;
    }
    int failed = mr_frames_init(&data_out->frames, file, fault_out);
    if (failed == 0) {
        failed = part->batch_records == 0 ? take_frames(data_out)
                                          : mr_part_join(data_out, part->batch_records, fault_out);
    }
    return failed != 0 ? failed : prepare_all(data_out, part, fault_out);
}

void mr_part_data_fini(struct mr_part_data *data)
{
    mr_parser_destroy(data->parser);
    mr_frames_fini(&data->frames);
    free(data->place);
    free(data->canonical);
    free(data->batch);
    free(data->joined);
    *data = (struct mr_part_data){0};
}
