// file.h: whole files: reading, mapping, and writing so that a crash leaves the old file or the new
// one.
#ifndef MR_BASE_FILE_H
#define MR_BASE_FILE_H

#include <matchrace/attributes.h>

#include <stddef.h>
#include <stdint.h>

// Opens `path` for reading, never waiting for whoever would write to a pipe. The descriptor, which
// the caller closes, or a negative errno: -EISDIR a folder, -ESPIPE a pipe, socket or device.
MR_NODISCARD int mr_file_open(const char *path, size_t *size_bytes_out);

// What the negative errno of a call of this file means, in words for people.
const char *mr_file_fault(int result);

// A file mapped read-only, shared with the page cache. `bytes` is NULL for an empty file.
struct mr_map {
    const uint8_t *bytes;
    size_t size_bytes;
};

// Maps `path`. 0, or a negative errno; on success the caller ends it with mr_map_fini().
MR_NODISCARD int mr_map_init(struct mr_map *map_out, const char *path);

// Unmaps; the struct may be used again.
void mr_map_fini(struct mr_map *map);

// Reads `path` whole into a malloc'ed buffer with a zero byte behind it (not counted). 0, or a
// negative errno (-EFBIG above `limit_bytes`); the caller frees *bytes_out.
MR_NODISCARD int mr_file_read(const char *path, size_t limit_bytes, char **bytes_out,
                              size_t *size_bytes_out);

// Writes `path` whole: to a temporary name beside it, fsync, rename, fsync of the folder. After a
// crash or a full disk the old file is there, or the new one. 0, or a negative errno.
MR_NODISCARD int mr_file_write(const char *path, const void *bytes, size_t size_bytes);

// Makes `path` and the folders above it. 0, or a negative errno; a folder that exists is no error.
MR_NODISCARD int mr_folder_make(const char *path);

#endif
