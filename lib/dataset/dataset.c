// dataset.c: opening a dataset: every file against the manifest, and all of them with each other.
#include "dataset.h"

#include "dataset_edits.h"
#include "dataset_manifest.h"
#include "file_hash.h"

#include "base/file.h"
#include "base/mr_assert.h"
#include "base/pages.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// An opening under way.
struct opening {
    struct mr_dataset *dataset;
    struct mr_dataset_fault *fault;
    struct mr_manifest manifest;
    char base[PATH_MAX]; // the path without the end of a file's name
    char path[PATH_MAX]; // of the file at hand
    bool trusted;        // the hashes were checked just before, by whoever started this process
};

// Takes `path` as the dataset's name: its base, and the last part for people.
static int take_path(struct opening *opening, const char *path)
{
    if (mr_dataset_base(path, opening->base, sizeof opening->base) != 0) {
        (void)mr_dataset_bad(opening->fault, "the path of the dataset is too long: %.60s…", path);
        return -ENAMETOOLONG;
    }
    const char *slash = strrchr(opening->base, '/');
    const char *last = slash == NULL ? opening->base : slash + 1;
    if (*last == '\0') {
        (void)mr_dataset_bad(opening->fault,
                             "'%s' names no dataset: give the common part of its files, "
                             "\"data/messy\" for data/messy.json",
                             path);
        return -ENOENT;
    }
    (void)snprintf(opening->dataset->name, sizeof opening->dataset->name, "%.63s", last);
    return 0;
}

static void set_path(struct opening *opening, const char *end)
{
    int length = snprintf(opening->path, sizeof opening->path, "%.*s.%s",
                          (int)(sizeof opening->path - sizeof ".batches"), opening->base, end);
    MR_ASSERT(length > 0 && (size_t)length < sizeof opening->path);
}

static int fail_errno(struct opening *opening, int error)
{
    (void)mr_dataset_bad(opening->fault, "%s: %s", opening->path, mr_file_fault(error));
    return error;
}

// Points opening->path at `file` and checks its size, which catches most accidents at once.
static int check_size(struct opening *opening, enum mr_dataset_file file)
{
    set_path(opening, mr_dataset_file_names[file]);
    struct stat status;
    if (stat(opening->path, &status) != 0) {
        return fail_errno(opening, -errno);
    }
    uint64_t claimed = opening->manifest.file[file].size_bytes;
    if ((uint64_t)status.st_size != claimed) {
        return mr_dataset_bad(
            opening->fault,
            "%s: has %llu bytes, the manifest says %llu: %s; make the dataset "
            "again",
            opening->path, (unsigned long long)status.st_size, (unsigned long long)claimed,
            (uint64_t)status.st_size < claimed ? "truncated or of another dataset"
                                               : "of another dataset, or something was added");
    }
    return 0;
}

static int check_hash(struct opening *opening, enum mr_dataset_file file, const void *bytes,
                      size_t size_bytes)
{
    if (opening->trusted) {
        return 0;
    }
    struct mr_file_hash hash;
    char text[MR_HASH_TEXT_BYTES];
    mr_file_hash_init(&hash);
    mr_file_hash_add(&hash, bytes, size_bytes);
    mr_file_hash_text(&hash, text);
    if (strcmp(text, opening->manifest.file[file].sha256) != 0) {
        return mr_dataset_bad(opening->fault,
                              "%s: its bytes are not those of the manifest (SHA-256 %.16s…, the "
                              "manifest says %.16s…): changed, or of another dataset; make the "
                              "dataset again",
                              opening->path, text, opening->manifest.file[file].sha256);
    }
    return 0;
}

static int check_count(struct opening *opening, size_t count, const char *what)
{
    if (count != opening->manifest.batches) {
        return mr_dataset_bad(
            opening->fault, "%s: holds %zu %s, the manifest says %llu: make the dataset again",
            opening->path, count, what, (unsigned long long)opening->manifest.batches);
    }
    return 0;
}

static int open_batches(struct opening *opening)
{
    struct mr_frames *frames = &opening->dataset->frames;
    int result = check_size(opening, MR_FILE_BATCHES);
    if (result != 0) {
        return result;
    }
    struct mr_frames_fault fault = {{0}};
    result = mr_frames_init(frames, opening->path, &fault);
    if (result == -EBADMSG) {
        *frames = (struct mr_frames){0};
        return mr_dataset_bad(opening->fault, "%s: %s", opening->path, fault.text);
    }
    if (result != 0) {
        *frames = (struct mr_frames){0};
        return fail_errno(opening, result);
    }
    result = check_hash(opening, MR_FILE_BATCHES, frames->bytes, frames->size_bytes);
    return result == 0 ? check_count(opening, frames->count, "batches") : result;
}

static int decode_answers(struct opening *opening, const struct mr_map *map)
{
    struct mr_dataset *dataset = opening->dataset;
    size_t count = dataset->frames.count;
    if (map->size_bytes % MR_ACK_BYTES != 0) {
        return mr_dataset_bad(opening->fault, "%s: not a whole number of answers of %u bytes",
                              opening->path, MR_ACK_BYTES);
    }
    int result = check_count(opening, map->size_bytes / MR_ACK_BYTES, "answers");
    if (result != 0) {
        return result;
    }
    dataset->answers = mr_pages_array(count, sizeof *dataset->answers);
    if (dataset->answers == NULL) {
        return fail_errno(opening, -ENOMEM);
    }
    for (size_t i = 0; i < count; i++) {
        struct mr_ack answer = mr_ack_decode(map->bytes + i * MR_ACK_BYTES);
        if (answer.status > 1 || answer.records > MR_BATCH_RECORDS_MAX ||
            (answer.status == 1 && (answer.records != 0 || answer.digest != 0))) {
            return mr_dataset_bad(opening->fault,
                                  "%s: answer %zu is none of the contract's: make the dataset "
                                  "again",
                                  opening->path, i);
        }
        dataset->answers[i] = answer;
        dataset->records += answer.records;
    }
    return 0;
}

static int open_answers(struct opening *opening)
{
    int result = check_size(opening, MR_FILE_ANSWERS);
    if (result != 0) {
        return result;
    }
    struct mr_map map;
    result = mr_map_init(&map, opening->path);
    if (result != 0) {
        return fail_errno(opening, result);
    }
    result = check_hash(opening, MR_FILE_ANSWERS, map.bytes, map.size_bytes);
    result = result == 0 ? decode_answers(opening, &map) : result;
    mr_map_fini(&map);
    return result;
}

static int open_edits(struct opening *opening)
{
    struct mr_dataset *dataset = opening->dataset;
    int result = check_size(opening, MR_FILE_EDITS);
    if (result != 0) {
        return result;
    }
    dataset->notes = mr_pages_array(dataset->frames.count, sizeof *dataset->notes);
    struct mr_map *map = calloc(1, sizeof *map);
    if (dataset->notes == NULL || map == NULL) {
        free(map);
        return fail_errno(opening, -ENOMEM);
    }
    dataset->edits_map = map;
    result = mr_map_init(map, opening->path);
    if (result != 0) {
        return fail_errno(opening, result);
    }
    result = check_hash(opening, MR_FILE_EDITS, map->bytes, map->size_bytes);
    return result == 0 ? mr_edits_decode(map->bytes, map->size_bytes, opening->path, dataset,
                                         opening->fault)
                       : result;
}

static int open_all(struct opening *opening)
{
    struct mr_dataset *dataset = opening->dataset;
    set_path(opening, "json");
    int result = mr_manifest_read(opening->path, &opening->manifest, opening->fault);
    result = result == 0 ? open_batches(opening) : result;
    result = result == 0 ? open_answers(opening) : result;
    if (result == 0 && dataset->records != opening->manifest.records_accepted) {
        result =
            mr_dataset_bad(opening->fault, "%s: holds %llu records in all, the manifest says %llu",
                           opening->path, (unsigned long long)dataset->records,
                           (unsigned long long)opening->manifest.records_accepted);
    }
    result = result == 0 ? open_edits(opening) : result;
    memcpy(dataset->shape, opening->manifest.shape, sizeof dataset->shape);
    memcpy(dataset->sha256, opening->manifest.file[MR_FILE_BATCHES].sha256, sizeof dataset->sha256);
    return result;
}

static int open_dataset(struct mr_dataset *dataset_out, const char *path, bool trusted,
                        struct mr_dataset_fault *fault_out)
{
    *dataset_out = (struct mr_dataset){0};
    *fault_out = (struct mr_dataset_fault){{0}};
    struct opening opening = {.dataset = dataset_out, .fault = fault_out, .trusted = trusted};
    int result = take_path(&opening, path);
    result = result == 0 ? open_all(&opening) : result;
    if (result != 0) {
        mr_dataset_fini(dataset_out);
    }
    return result;
}

int mr_dataset_init(struct mr_dataset *dataset_out, const char *path,
                    struct mr_dataset_fault *fault_out)
{
    return open_dataset(dataset_out, path, false, fault_out);
}

int mr_dataset_init_trusted(struct mr_dataset *dataset_out, const char *path,
                            struct mr_dataset_fault *fault_out)
{
    return open_dataset(dataset_out, path, true, fault_out);
}

void mr_dataset_settle(struct mr_dataset *dataset)
{
    struct mr_frames *frames = &dataset->frames;
    mr_pages_make_large(frames->bytes, frames->size_bytes);
    mr_pages_make_large(frames->frame, frames->count * sizeof *frames->frame);
}

void mr_dataset_fini(struct mr_dataset *dataset)
{
    if (dataset->frames.bytes != NULL) {
        mr_frames_fini(&dataset->frames);
    }
    free(dataset->answers);
    free(dataset->notes);
    if (dataset->edits_map != NULL) {
        mr_map_fini(dataset->edits_map);
        free(dataset->edits_map);
    }
    *dataset = (struct mr_dataset){0};
}
