// libraries.h: which libraries a contestant's program loads, with their hashes: another one of the
// same name makes another contestant.
#ifndef MR_CAMPAIGN_LIBRARIES_H
#define MR_CAMPAIGN_LIBRARIES_H

#include "dataset/file_hash.h"

#include <matchrace/attributes.h>

#include <stddef.h>
#include <sys/types.h>

struct mr_race;

struct mr_library {
    char path[512];
    char sha256[MR_HASH_TEXT_BYTES];
};

// Those of one program, by path; none where they could not be seen.
struct mr_libraries {
    struct mr_library *item;
    size_t count;
};

// Reads those that process `pid` has mapped: files called *.so, *.so.* or *.dll. 0; a negative
// errno. The caller ends it with mr_libraries_fini(), whatever happened.
MR_NODISCARD int mr_libraries_read(struct mr_libraries *libraries_out, pid_t pid);
void mr_libraries_fini(struct mr_libraries *libraries);

// Has every entry do a pass over its data (3 s of it at most) and notes what it loaded in
// race->libraries: what it loads late is loaded by then. 0; -EINTR: the run shall end; -ENOMEM.
MR_NODISCARD int mr_race_libraries_find(struct mr_race *race);

#endif
