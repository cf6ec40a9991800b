// fault.h: what is wrong with a file or a trial, in one line for people.
#ifndef MR_TRIAL_FAULT_H
#define MR_TRIAL_FAULT_H

#include <matchrace/attributes.h>

// One line that names the thing and says what to do; empty when nothing is wrong.
struct mr_trial_fault {
    char text[512];
};

// Writes the line as printf does, cut where it does not fit.
MR_PRINTF(2, 3) void mr_trial_fault_set(struct mr_trial_fault *fault, const char *format, ...);

#endif
