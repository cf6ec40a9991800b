// core_lock.h: a lock that keeps two runs off the same cores: each would measure the other.
//
// A core is held by an abstract socket of its name, which the kernel frees however its holder ends,
// and which needs no file that users could not share. Abstract names are those of a network
// namespace: runs in different ones (containers) on the same cores do not see each other.
#ifndef MR_CAMPAIGN_CORE_LOCK_H
#define MR_CAMPAIGN_CORE_LOCK_H

#include "base/pin.h"
#include "trial/fault.h"

#include <matchrace/attributes.h>

#include <stdbool.h>

// Holds `cores` until this process ends. 0; -EBUSY with *fault naming core and process: another run
// is at work on one of them; another negative errno; *fault is set.
MR_NODISCARD int mr_core_lock_take(const struct mr_cores *cores, struct mr_trial_fault *fault);

// Whether MR_SHARE_CORES in the environment asks for runs beside others, as tests of the lab do,
// whose figures count for nothing. The manifest says so.
bool mr_core_lock_is_waived(void);

#endif
