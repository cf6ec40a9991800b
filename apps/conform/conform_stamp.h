// conform_stamp.h: the proof that a contestant has passed: hashes of what passed.
#ifndef MR_CONFORM_STAMP_H
#define MR_CONFORM_STAMP_H

#include "conform_subject.h"

#include <matchrace/attributes.h>
#include <matchrace/contract.h>

#include <stdbool.h>
#include <stddef.h>

// What a stamp is about and where it stands.
struct mr_stamp_place {
    const struct mr_subject_plan *plan;
    const char *cases;  // folder of the cases
    const char *folder; // of the stamps
    const char *name;   // contestant, with its variant
    const bool *modes;  // MR_MODE_COUNT of them: the modes that it is about
};

struct mr_stamp_fault {
    char text[512];
};

// Writes FOLDER/NAME.json. Modes of an earlier stamp stay in it where nothing has changed since. 0,
// or a negative errno with the fault.
MR_NODISCARD int mr_stamp_write(const struct mr_stamp_place *place,
                                struct mr_stamp_fault *fault_out);

// Whether the stamp is there, has the modes, and everything it was given for is unchanged;
// *fault_out says why not.
MR_NODISCARD bool mr_stamp_valid(const struct mr_stamp_place *place,
                                 struct mr_stamp_fault *fault_out);

// Removes the stamp, if there is one.
void mr_stamp_remove(const struct mr_stamp_place *place);

#endif
