// survivors.h: processes that a contestant left behind: they would run on the cores of the next
// trials.
#ifndef MR_CAMPAIGN_SURVIVORS_H
#define MR_CAMPAIGN_SURVIVORS_H

#include <matchrace/attributes.h>

#include <stddef.h>
#include <sys/types.h>

// From now on every descendant whose parent ends becomes our child, sessions of their own included.
// 0, or a negative errno.
MR_NODISCARD int mr_survivors_adopt(void);

// Kills and reaps every child that we have except the `count` ones in `ours` (numbers ≤ 0 mean
// nobody). How many of them were still alive, or had been killed with the group that they were in.
size_t mr_survivors_end(const pid_t *ours, size_t count);

#endif
