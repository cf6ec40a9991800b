// family.h: a process with all that descend from it: what they used, and where they may run.
#ifndef MR_HOST_FAMILY_H
#define MR_HOST_FAMILY_H

#include "reading.h"

#include <base/pin.h>

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define MR_FAMILY_MAX 256

// A process and its living descendants, as the kernel listed them: the first one comes first.
// Descendants whose parent has ended belong to whoever adopted them and are not found.
struct mr_family {
    pid_t pid[MR_FAMILY_MAX];
    size_t count;
    bool whole; // false: there are more
};

// Reads the family of `pid`. A file or two for each thread of each process: not for the inside of
// what is timed. A process that is gone has an empty family.
void mr_family_read(pid_t pid, struct mr_family *family_out);

// CPU time of all of them since their start, in ns, exact; unavailable where one of them is not
// readable, or more are there than fit.
struct mr_reading mr_family_exec_ns(const struct mr_family *family);

// A thread that may run on another core than its family was given.
struct mr_stray {
    pid_t pid;
    pid_t tid;
    struct mr_cores cores; // that it may run on
};

// Looks for a thread of the family that may run elsewhere than on `cores`; true and *stray_out
// where there is one. What ends meanwhile strays nowhere.
MR_NODISCARD bool mr_family_strays(const struct mr_family *family, const struct mr_cores *cores,
                                   struct mr_stray *stray_out);

#endif
