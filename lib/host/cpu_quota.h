// cpu_quota.h: how much CPU time a control group lets us have, whatever the number of cores.
#ifndef MR_HOST_CPU_QUOTA_H
#define MR_HOST_CPU_QUOTA_H

#include "reading.h"

#include <matchrace/attributes.h>

#include <stdbool.h>

// No limit.
#define MR_QUOTA_NONE UINT64_MAX

// The tightest limit of our control group and those above it in thousandths of a core, rounded
// down, or MR_QUOTA_NONE; unavailable where no control group file can be read. Version 2 (cpu.max)
// and version 1 (cpu.cfs_quota_us). `root` is put before /proc and /sys: "" for this machine.
struct mr_reading mr_cpu_quota_read(const char *root);

// Takes the text of a version 2 cpu.max ("max 100000", "150000 100000") apart, in thousandths of a
// core or MR_QUOTA_NONE. False where it is no such text.
MR_NODISCARD bool mr_cpu_max_parse(const char *text, uint64_t *millicores_out);

#endif
