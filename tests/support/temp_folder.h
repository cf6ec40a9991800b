// temp_folder.h: a folder of a test's own, gone when the test is.
#ifndef MR_TESTS_TEMP_FOLDER_H
#define MR_TESTS_TEMP_FOLDER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <ftw.h>

struct temp_folder {
    char path[64];
};

static inline struct temp_folder temp_folder_make(void)
{
    struct temp_folder folder = {"/tmp/matchrace-test-XXXXXX"};
    if (mkdtemp(folder.path) == NULL) {
        abort();
    }
    return folder;
}

static inline int temp_folder_remove_one(const char *path, const struct stat *status, int kind,
                                         struct FTW *walk)
{
    (void)status;
    (void)kind;
    (void)walk;
    return remove(path);
}

static inline void temp_folder_remove(struct temp_folder *folder)
{
    (void)nftw(folder->path, temp_folder_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

// Writes `text` to `name` in the folder and gives its path, in a buffer of the caller's.
static inline const char *temp_folder_write(const struct temp_folder *folder, const char *name,
                                            const char *text, char path_out[256])
{
    (void)snprintf(path_out, 256, "%s/%s", folder->path, name);
    FILE *file = fopen(path_out, "w");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) {
        abort();
    }
    return path_out;
}

#endif
