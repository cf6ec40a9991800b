// file.c: see file.h.
#define _GNU_SOURCE
#include "file.h"

#include "mr_assert.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int mr_file_open(const char *path, size_t *size_bytes_out)
{
    *size_bytes_out = 0;
    // Opening a pipe would wait for its writer, perhaps for ever.
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        return errno == ENXIO ? -ESPIPE : -errno; // a socket's name
    }
    struct stat status;
    int result = fstat(file, &status) == 0 ? file : -errno;
    if (result >= 0 && !S_ISREG(status.st_mode)) {
        result = S_ISDIR(status.st_mode) ? -EISDIR : -ESPIPE;
    }
    if (result < 0) {
        (void)close(file);
        return result;
    }
    *size_bytes_out = (size_t)status.st_size;
    return file;
}

const char *mr_file_fault(int result)
{
    return result == -ESPIPE ? "a pipe or a device; it is read more than once, so save it as a file"
                             : strerror(-result);
}

int mr_map_init(struct mr_map *map_out, const char *path)
{
    *map_out = (struct mr_map){0};
    size_t size_bytes;
    int file = mr_file_open(path, &size_bytes);
    if (file < 0) {
        return file;
    }
    int result = 0;
    if (size_bytes > 0) {
        void *bytes = mmap(NULL, size_bytes, PROT_READ, MAP_SHARED, file, 0);
        result = bytes == MAP_FAILED ? -errno : 0;
        if (result == 0) {
            map_out->bytes = bytes;
            map_out->size_bytes = size_bytes;
        }
    }
    (void)close(file);
    return result;
}

void mr_map_fini(struct mr_map *map)
{
    if (map->bytes != NULL) {
        int failed = munmap((void *)(uintptr_t)map->bytes, map->size_bytes);
        MR_ASSERT(failed == 0);
    }
    *map = (struct mr_map){0};
}

static int read_all(int file, char *bytes, size_t size_bytes)
{
    size_t at = 0;
    while (at < size_bytes) {
        ssize_t got = read(file, bytes + at, size_bytes - at);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return got < 0 ? -errno : -EIO;
        }
        at += (size_t)got;
    }
    return 0;
}

int mr_file_read(const char *path, size_t limit_bytes, char **bytes_out, size_t *size_bytes_out)
{
    size_t size_bytes;
    int file = mr_file_open(path, &size_bytes);
    if (file < 0) {
        return file;
    }
    int result = size_bytes > limit_bytes ? -EFBIG : 0;
    char *bytes = NULL;
    if (result == 0) {
        bytes = malloc(size_bytes + 1);
        result = bytes == NULL ? -ENOMEM : read_all(file, bytes, size_bytes);
    }
    (void)close(file);
    if (result != 0) {
        free(bytes);
        return result;
    }
    bytes[size_bytes] = '\0';
    *bytes_out = bytes;
    *size_bytes_out = size_bytes;
    return 0;
}

static int write_all(int file, const char *bytes, size_t size_bytes)
{
    while (size_bytes > 0) {
        ssize_t written = write(file, bytes, size_bytes);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            return -errno;
        }
        bytes += written;
        size_bytes -= (size_t)written;
    }
    return 0;
}

static int sync_folder_of(const char *path)
{
    char folder[PATH_MAX];
    (void)snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash == NULL) {
        (void)snprintf(folder, sizeof folder, ".");
    } else {
        slash[slash == folder ? 1 : 0] = '\0';
    }
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) {
        return -errno;
    }
    int result = fsync(file) == 0 ? 0 : -errno;
    (void)close(file);
    return result;
}

int mr_file_write(const char *path, const void *bytes, size_t size_bytes)
{
    char temporary[PATH_MAX];
    int length = snprintf(temporary, sizeof temporary, "%s.tmp", path);
    if (length < 0 || (size_t)length >= sizeof temporary) {
        return -ENAMETOOLONG;
    }
    int file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0) {
        return -errno;
    }
    int result = write_all(file, bytes, size_bytes);
    if (result == 0 && fsync(file) != 0) {
        result = -errno;
    }
    if (close(file) != 0 && result == 0) {
        result = -errno;
    }
    if (result == 0 && rename(temporary, path) != 0) {
        result = -errno;
    }
    if (result != 0) {
        (void)unlink(temporary);
        return result;
    }
    return sync_folder_of(path);
}

int mr_folder_make(const char *path)
{
    char partial[PATH_MAX];
    int length = snprintf(partial, sizeof partial, "%s", path);
    if (length < 0 || (size_t)length >= sizeof partial) {
        return -ENAMETOOLONG;
    }
    for (char *at = partial + 1;; at++) {
        if (*at != '/' && *at != '\0') {
            continue;
        }
        char kept = *at;
        *at = '\0';
        if (mkdir(partial, 0755) != 0 && errno != EEXIST) {
            return -errno;
        }
        *at = kept;
        if (kept == '\0') {
            break;
        }
    }
    struct stat status;
    if (stat(path, &status) != 0) {
        return -errno;
    }
    return S_ISDIR(status.st_mode) ? 0 : -ENOTDIR;
}
