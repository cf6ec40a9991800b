// hdr_files.h: the two files of a run that HdrHistogram's viewers read: the interval log and the
// percentile table.
#ifndef MR_LOAD_HDR_FILES_H
#define MR_LOAD_HDR_FILES_H

#include "load_run.h"

#include <matchrace/attributes.h>

// Both are of the run's main series: latency, or in a closed loop round trips, which are no
// latency: the file says so. Of a run that was not verified they hold what there was until then,
// and say that it is not. Written whole or not at all. 0 or a negative errno.

// The interval log, format 1.3: one line for each second from the window's begin to the end of the
// drain, by when the reply came; censored batches in the last one. Lines of the main series have no
// tag, so that every viewer takes them up; those of service time and lateness have one.
MR_NODISCARD int mr_hdr_log_write(const struct mr_load_run *run, const char *path);

// The percentile table, in microseconds.
MR_NODISCARD int mr_hdr_percentiles_write(const struct mr_load_run *run, const char *path);

#endif
