// replay_main.c: a fuzz target over given files instead of made-up ones: for every compiler, and as
// a test.
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_BYTES_MAX ((size_t)64 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t count, size_t count_max);

// Nothing is changed here; the fuzz target only asks for it to be linked.
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t count, size_t count_max)
{
    (void)bytes;
    (void)count_max;
    return count;
}

static int replay_file(const char *path)
{
    char *bytes;
    size_t count;
    int result = mr_file_read(path, FILE_BYTES_MAX, &bytes, &count);
    if (result != 0) {
        return result;
    }
    (void)LLVMFuzzerTestOneInput((const uint8_t *)bytes, count);
    free(bytes);
    return 0;
}

// Replays the files of `folder`; their number is added to *count_io.
static int replay_folder(const char *folder, unsigned *count_io)
{
    DIR *opened = opendir(folder);
    if (opened == NULL) {
        return -errno;
    }
    int result = 0;
    for (struct dirent *entry; result == 0 && (entry = readdir(opened)) != NULL;) {
        if (entry->d_name[0] == '.') {
            continue;
        }
        char path[4096];
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        result = replay_file(path);
        *count_io += 1;
    }
    (void)closedir(opened);
    return result;
}

int main(int argc, char **argv)
{
    unsigned count = 0;
    for (int i = 1; i < argc; i++) {
        int result = replay_folder(argv[i], &count);
        if (result == -ENOTDIR) {
            result = replay_file(argv[i]);
            count++;
        }
        if (result != 0) {
            (void)fprintf(stderr, "%s: %s\n", argv[i], strerror(-result));
            return 1;
        }
    }
    printf("%u inputs replayed\n", count);
    // Nothing to replay is a mistake of the caller, no success.
    return count > 0 ? 0 : 2;
}
