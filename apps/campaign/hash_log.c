// hash_log.c: see hash_log.h.
#define _GNU_SOURCE
#include "hash_log.h"

#include "base/file.h"

#include <stdio.h>
#include <string.h>

#define MARK " sha256 "

void mr_hash_log(const struct mr_race *race, const char *name)
{
    char path[PATH_MAX];
    char hash[MR_HASH_TEXT_BYTES];
    (void)snprintf(path, sizeof path, "%s/%s", race->folder, name);
    int result = mr_file_hash_of(path, hash);
    if (result != 0) {
        mr_race_log(race, "%s: its hash cannot be taken: %s", name, mr_file_fault(result));
        return;
    }
    mr_race_log(race, "%s" MARK "%s", name, hash);
}

bool mr_hash_line_read(const char *line, struct mr_hash_line *line_out)
{
    const char *end = strchrnul(line, '\n');
    const char *name = memchr(line, ' ', (size_t)(end - line)); // behind the time
    if (name == NULL) {
        return false;
    }
    name++;
    const char *mark = memmem(name, (size_t)(end - name), MARK, strlen(MARK));
    if (mark == NULL) {
        return false;
    }
    *line_out = (struct mr_hash_line){
        .name = name, .name_length = (size_t)(mark - name), .hash = mark + strlen(MARK)};
    line_out->hash_length = (size_t)(end - line_out->hash);
    return line_out->hash_length == MR_HASH_TEXT_BYTES - 1;
}

const char *mr_hash_line_after(const char *line)
{
    const char *end = strchr(line, '\n');
    return end == NULL ? NULL : end + 1;
}

bool mr_hash_logged(const char *log, const char *name, char hash_out[MR_HASH_TEXT_BYTES])
{
    bool logged = false;
    for (const char *line = log; line != NULL; line = mr_hash_line_after(line)) {
        struct mr_hash_line found;
        if (mr_hash_line_read(line, &found) && found.name_length == strlen(name) &&
            strncmp(found.name, name, found.name_length) == 0) {
            memcpy(hash_out, found.hash, found.hash_length);
            hash_out[found.hash_length] = '\0';
            logged = true;
        }
    }
    return logged;
}
