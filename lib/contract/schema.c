// schema.c: the names of the contract in the order of their codes: kinds, flags, modes.
#include <matchrace/contract.h>

#include <string.h>

const char *const mr_kind_names[8] = {"metric", "event", "log",  "trace",
                                      "alert",  "audit", "span", "state"};
const char *const mr_flag_names[8] = {"urgent",    "sampled", "retry",   "internal",
                                      "encrypted", "batched", "partial", "replayed"};
const char *const mr_mode_names[4] = {"drain", "totals", "keep", "fresh"};

int mr_mode_by_name(const char *name)
{
    for (int mode = 0; mode < MR_MODE_COUNT; mode++) {
        if (strcmp(mr_mode_names[mode], name) == 0) {
            return mode;
        }
    }
    return -1;
}
