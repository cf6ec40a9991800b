// own_memory.h: what this process takes of memory, as it sees it itself.
#ifndef MR_INPROC_OWN_MEMORY_H
#define MR_INPROC_OWN_MEMORY_H

#include <stdint.h>

// The most bytes that were resident so far (VmHWM); 0: cannot be read. Not getrusage()'s, which
// goes back to before exec.
uint64_t mr_own_peak_rss_bytes(void);

// Bytes that malloc() has handed out and not got back.
uint64_t mr_own_held_bytes(void);

// Page faults so far: those without reading, and those with.
struct mr_own_faults {
    uint64_t minor;
    uint64_t major;
};
struct mr_own_faults mr_own_faults(void);

#endif
