// describe.h: the JSON of WELCOME, STATS_REPLY and KEPT_REPLY.
#ifndef MR_SERVE_DESCRIBE_H
#define MR_SERVE_DESCRIBE_H

#include <matchrace/attributes.h>
#include <matchrace/contract.h>
#include <matchrace/serve.h>

#include <stddef.h>
#include <stdint.h>

// Bytes that hold any STATS_REPLY and any KEPT_REPLY.
#define MR_STATS_TEXT_BYTES 2048u
#define MR_KEPT_TEXT_BYTES  128u

// What WELCOME says beside the contestant's own table.
struct mr_welcome {
    const struct mr_contestant *contestant;
    const void *parser; // one that was made: its kernel is the one that really runs
    enum mr_mode mode;
    unsigned threads;
    uint64_t dose_ppm; // planted slowness; 0: none
};

// The text of WELCOME, malloc'ed, ended by a zero byte that *bytes_count_out does not count.
// 0 or -ENOMEM.
MR_NODISCARD int mr_describe_welcome(const struct mr_welcome *welcome, char **text_out,
                                     size_t *bytes_count_out);

// The text of STATS_REPLY and of KEPT_REPLY; the number of bytes without the zero byte behind.
size_t mr_describe_stats(const struct mr_totals *totals, char text_out[MR_STATS_TEXT_BYTES]);
size_t mr_describe_kept(const struct mr_kept *kept, char text_out[MR_KEPT_TEXT_BYTES]);

#endif
