// hash_log.h: hashes of a run's files as its log has them: a second witness beside results.json.
//
// A line "TIME FILE sha256 HEX" is written when a file is whole; FILE is relative to the run's
// folder.
#ifndef MR_CAMPAIGN_HASH_LOG_H
#define MR_CAMPAIGN_HASH_LOG_H

#include "race.h"

#include "dataset/file_hash.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>

// Writes the hash of `folder`/`name` to the run's log, or that it cannot be read.
void mr_hash_log(const struct mr_race *race, const char *name);

// The last hash of `name` in `log`, the text of a run's log. False: it has none.
MR_NODISCARD bool mr_hash_logged(const char *log, const char *name,
                                 char hash_out[MR_HASH_TEXT_BYTES]);

// The line behind `line` in a text; NULL behind the last.
const char *mr_hash_line_after(const char *line);

// One such line; both texts point into the line.
struct mr_hash_line {
    const char *name;
    size_t name_length;
    const char *hash;
    size_t hash_length;
};

// Reads `line` (its end is a zero byte or a line feed). False: it is another one.
MR_NODISCARD bool mr_hash_line_read(const char *line, struct mr_hash_line *line_out);

#endif
