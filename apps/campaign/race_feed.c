// race_feed.c: see race_feed.h.
#include "race_feed.h"

#include "driver.h"

#include "base/file.h"
#include "base/rng.h"
#include "dataset/dataset.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#define FEED_FOLDER "feed"

static bool needs_feed(const struct mr_race *race, size_t cell)
{
    return mr_driver_by_name(race->matrix.cells[cell].driver) == &mr_driver_stepped;
}

// The cell before `cell` that has the feed of the same dataset, or `cell` itself.
static size_t first_with_it(const struct mr_race *race, size_t cell)
{
    for (size_t i = 0; i < cell; i++) {
        if (needs_feed(race, i) && strcmp(race->data[i].path, race->data[cell].path) == 0) {
            return i;
        }
    }
    return cell;
}

// Varies every batch that can be varied where it lies, and returns the digest of them all.
static uint64_t vary(struct mr_dataset *dataset, struct mr_rng *rng)
{
    uint64_t digest = 0;
    for (size_t i = 0; i < dataset->frames.count; i++) {
        struct mr_edit edit;
        uint64_t turns = mr_edit_turns(dataset, i);
        if (turns == 0 || !mr_edit_make(dataset, i, mr_rng_below(rng, turns), &edit)) {
            digest += dataset->answers[i].digest;
            continue;
        }
        memcpy(mr_frames_payload(&dataset->frames, i) + edit.offset, edit.digits, edit.count);
        digest += edit.answer.digest;
    }
    return digest;
}

static int write_feed(struct mr_race_data *data, struct mr_rng *rng, struct mr_trial_fault *fault)
{
    struct mr_dataset dataset;
    struct mr_dataset_fault dataset_fault = {{0}};
    int result = mr_dataset_init_trusted(&dataset, data->path, &dataset_fault);
    if (result != 0) {
        mr_trial_fault_set(fault, "%s", dataset_fault.text);
        return result;
    }
    data->feed_digest = vary(&dataset, rng);
    char path[PATH_MAX + 16];
    (void)snprintf(path, sizeof path, "%s.batches", data->feed_path);
    result = mr_file_write(path, dataset.frames.bytes, dataset.frames.size_bytes);
    if (result != 0) {
        mr_trial_fault_set(fault, "%s: cannot be written: %s", path, strerror(-result));
    }
    mr_dataset_fini(&dataset);
    return result;
}

// The folder as an absolute path: contestants run in folders of their own.
static int make_folder(const struct mr_race *race, char *folder_out, struct mr_trial_fault *fault)
{
    char folder[PATH_MAX];
    int length = snprintf(folder, sizeof folder, "%s/" FEED_FOLDER, race->folder);
    int result =
        length < 0 || (size_t)length >= sizeof folder ? -ENAMETOOLONG : mr_folder_make(folder);
    if (result == 0 && realpath(folder, folder_out) == NULL) {
        result = -errno;
    }
    if (result != 0) {
        mr_trial_fault_set(fault, "%s: cannot be made: %s", folder, strerror(-result));
    }
    return result;
}

static int feed_cell(struct mr_race *race, size_t cell, const char *folder, struct mr_rng *rng,
                     struct mr_trial_fault *fault)
{
    struct mr_race_data *data = &race->data[cell];
    size_t first = first_with_it(race, cell);
    if (first != cell) {
        memcpy(data->feed_path, race->data[first].feed_path, sizeof data->feed_path);
        data->feed_digest = race->data[first].feed_digest;
        return 0;
    }
    // Two folders may hold datasets of one name, so the cell's number is part of the feed's.
    int length =
        snprintf(data->feed_path, sizeof data->feed_path, "%s/%zu-%s", folder, cell, data->name);
    if (length < 0 || (size_t)length >= sizeof data->feed_path) {
        mr_trial_fault_set(fault, "%s: the path is too long", folder);
        return -ENAMETOOLONG;
    }
    return write_feed(data, rng, fault);
}

int mr_race_feed_prepare(struct mr_race *race, struct mr_trial_fault *fault)
{
    char folder[PATH_MAX] = "";
    struct mr_rng rng = {0};
    int result = 0;
    for (size_t cell = 0; cell < race->matrix.cells_count && result == 0; cell++) {
        if (!needs_feed(race, cell)) {
            continue;
        }
        if (folder[0] == '\0') {
            if (getrandom(&race->feed_seed, sizeof race->feed_seed, 0) !=
                (ssize_t)sizeof race->feed_seed) {
                mr_trial_fault_set(fault, "no random numbers from the kernel: %s", strerror(errno));
                return -EIO;
            }
            rng = mr_rng_seeded(race->feed_seed);
            result = make_folder(race, folder, fault);
        }
        result = result == 0 ? feed_cell(race, cell, folder, &rng, fault) : result;
    }
    return result;
}

void mr_race_feed_remove(struct mr_race *race)
{
    char path[PATH_MAX + 16];
    for (size_t cell = 0; cell < race->matrix.cells_count; cell++) {
        if (race->data[cell].feed_path[0] != '\0') {
            (void)snprintf(path, sizeof path, "%s.batches", race->data[cell].feed_path);
            (void)unlink(path);
            race->data[cell].feed_path[0] = '\0';
        }
    }
    if (race->log != NULL && race->feed_seed != 0) {
        mr_race_log(race, "feed: its timestamps were drawn with seed %016llx",
                    (unsigned long long)race->feed_seed);
        race->feed_seed = 0;
    }
    if (race->folder != NULL) {
        (void)snprintf(path, sizeof path, "%s/" FEED_FOLDER, race->folder);
        (void)rmdir(path);
    }
}
