// data_writer.c: see data_writer.h.
#include "data_writer.h"

#include "base/file.h"
#include "base/mr_assert.h"
#include "dataset/dataset_edits.h"
#include "wire/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PENDING_LIMIT (1u << 20) // bytes that are gathered before they are written
#define END_BYTES_MAX 32u        // ".answers.partial" and a zero byte

struct path {
    char text[PATH_MAX];
};

static struct path path_of(const struct mr_writer *writer, const char *name, const char *end)
{
    struct path path;
    int length = snprintf(path.text, sizeof path.text, "%.*s.%s%s",
                          (int)(sizeof path.text - END_BYTES_MAX), writer->base, name, end);
    MR_ASSERT(length > 0 && (size_t)length < sizeof path.text);
    return path;
}

static struct path partial_path(const struct mr_writer *writer, size_t file)
{
    return path_of(writer, mr_dataset_file_names[file], ".partial");
}

// Says what failed, and returns `error`.
static int fail(struct mr_writer *writer, const char *path, int error)
{
    (void)mr_dataset_bad(writer->fault, "%s: %s; nothing of the dataset was left behind", path,
                         strerror(-error));
    return error;
}

// Refuses to touch what is there.
static int check_free(struct mr_writer *writer)
{
    static const char *const names[] = {"json", "batches", "answers", "edits"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct path path = path_of(writer, names[i], "");
        struct stat status;
        if (lstat(path.text, &status) == 0) {
            (void)mr_dataset_bad(writer->fault,
                                 "%s exists: give another --out, or --force to replace the dataset",
                                 path.text);
            return -EEXIST;
        }
    }
    return 0;
}

static int make_folder(struct mr_writer *writer)
{
    struct path folder;
    (void)snprintf(folder.text, sizeof folder.text, "%s", writer->base);
    char *slash = strrchr(folder.text, '/');
    if (slash == NULL || slash == folder.text) {
        return 0;
    }
    *slash = '\0';
    int result = mr_folder_make(folder.text);
    return result == 0 ? 0 : fail(writer, folder.text, result);
}

// Opens a partial file that nobody else is writing.
static int open_partial(struct mr_writer *writer, size_t file)
{
    struct path path = partial_path(writer, file);
    int descriptor = open(path.text, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (descriptor < 0) {
        return fail(writer, path.text, -errno);
    }
    struct stat opened;
    struct stat named;
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 || fstat(descriptor, &opened) != 0 ||
        stat(path.text, &named) != 0 || opened.st_ino != named.st_ino) {
        (void)close(descriptor);
        (void)mr_dataset_bad(writer->fault, "%s: another program is writing this dataset",
                             path.text);
        return -EBUSY;
    }
    writer->file[file].descriptor = descriptor;
    return ftruncate(descriptor, 0) == 0 ? 0 : fail(writer, path.text, -errno);
}

static int write_pending(struct mr_writer *writer, size_t file)
{
    struct mr_writer_file *out = &writer->file[file];
    if (out->pending.failed) {
        return fail(writer, partial_path(writer, file).text, -ENOMEM);
    }
    mr_file_hash_add(&out->hash, out->pending.bytes, out->pending.length);
    out->claim.size_bytes += out->pending.length;
    size_t at = 0;
    while (at < out->pending.length) {
        ssize_t written = write(out->descriptor, out->pending.bytes + at, out->pending.length - at);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            return fail(writer, partial_path(writer, file).text, -errno);
        }
        at += (size_t)written;
    }
    out->pending.length = 0;
    return 0;
}

int mr_writer_init(struct mr_writer *writer_out, const char *base, bool replace,
                   struct mr_dataset_fault *fault_out)
{
    *writer_out = (struct mr_writer){.replace = replace, .fault = fault_out};
    for (size_t i = 0; i < MR_DATASET_FILES; i++) {
        writer_out->file[i].descriptor = -1;
        mr_file_hash_init(&writer_out->file[i].hash);
    }
    size_t length = strlen(base);
    if (length == 0 || base[length - 1] == '/' ||
        length + END_BYTES_MAX > sizeof writer_out->base) {
        (void)mr_dataset_bad(fault_out,
                             "--out '%.60s' is no name for a dataset: give the common part of its "
                             "files, like data/messy",
                             base);
        return -EINVAL;
    }
    memcpy(writer_out->base, base, length + 1);
    int result = replace ? 0 : check_free(writer_out);
    result = result == 0 ? make_folder(writer_out) : result;
    for (size_t i = 0; result == 0 && i < MR_DATASET_FILES; i++) {
        result = open_partial(writer_out, i);
    }
    if (result != 0) {
        mr_writer_abandon(writer_out);
        return result;
    }
    mr_buffer_add(&writer_out->file[MR_FILE_EDITS].pending, MR_EDITS_MAGIC, MR_EDITS_MAGIC_BYTES);
    return 0;
}

int mr_writer_add(struct mr_writer *writer, const struct mr_buffer *json,
                  const struct mr_ack *answer, const struct mr_batch_notes *notes)
{
    struct mr_frame_head head = {.payload_bytes = (uint32_t)json->length,
                                 .type = MR_FRAME_BATCH,
                                 .version = MR_WIRE_VERSION,
                                 .sequence = writer->batches};
    uint8_t head_bytes[MR_FRAME_HEAD_BYTES];
    mr_frame_head_encode(&head, head_bytes);
    mr_buffer_add(&writer->file[MR_FILE_BATCHES].pending, head_bytes, sizeof head_bytes);
    mr_buffer_add(&writer->file[MR_FILE_BATCHES].pending, json->bytes, json->length);

    uint8_t answer_bytes[MR_ACK_BYTES];
    mr_ack_encode(answer, answer_bytes);
    mr_buffer_add(&writer->file[MR_FILE_ANSWERS].pending, answer_bytes, sizeof answer_bytes);

    struct mr_buffer *edits = &writer->file[MR_FILE_EDITS].pending;
    size_t bytes = mr_edits_bytes(notes);
    if (mr_buffer_reserve(edits, bytes)) {
        mr_edits_encode(notes, edits->bytes + edits->length);
        edits->length += bytes;
    }
    writer->batches++;
    for (size_t i = 0; i < MR_DATASET_FILES; i++) {
        if (writer->file[i].pending.failed || writer->file[i].pending.length >= PENDING_LIMIT) {
            int result = write_pending(writer, i);
            if (result != 0) {
                return result;
            }
        }
    }
    return 0;
}

int mr_writer_close(struct mr_writer *writer)
{
    for (size_t i = 0; i < MR_DATASET_FILES; i++) {
        struct mr_writer_file *file = &writer->file[i];
        int result = write_pending(writer, i);
        if (result != 0) {
            return result;
        }
        mr_file_hash_text(&file->hash, file->claim.sha256);
        if (fsync(file->descriptor) != 0) {
            return fail(writer, partial_path(writer, i).text, -errno);
        }
    }
    return 0;
}

int mr_writer_finish(struct mr_writer *writer, const char *manifest, size_t manifest_bytes)
{
    struct path manifest_path = path_of(writer, "json", "");
    if (writer->replace && unlink(manifest_path.text) != 0 && errno != ENOENT) {
        return fail(writer, manifest_path.text, -errno);
    }
    for (size_t i = 0; i < MR_DATASET_FILES; i++) {
        struct path partial = partial_path(writer, i);
        struct path path = path_of(writer, mr_dataset_file_names[i], "");
        if (rename(partial.text, path.text) != 0) {
            return fail(writer, path.text, -errno);
        }
        writer->file[i].renamed = true;
    }
    int result = mr_file_write(manifest_path.text, manifest, manifest_bytes);
    if (result != 0) {
        return fail(writer, manifest_path.text, result);
    }
    for (size_t i = 0; i < MR_DATASET_FILES; i++) {
        (void)close(writer->file[i].descriptor);
        mr_buffer_fini(&writer->file[i].pending);
    }
    return 0;
}

void mr_writer_abandon(struct mr_writer *writer)
{
    for (size_t i = 0; i < MR_DATASET_FILES; i++) {
        struct mr_writer_file *file = &writer->file[i];
        if (file->descriptor >= 0) {
            struct path path = file->renamed ? path_of(writer, mr_dataset_file_names[i], "")
                                             : partial_path(writer, i);
            (void)unlink(path.text);
            (void)close(file->descriptor);
            file->descriptor = -1;
        }
        mr_buffer_fini(&file->pending);
    }
}
