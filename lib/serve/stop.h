// stop.h: SIGTERM as a flag that every loop sees and an event that wakes every loop: the only
// global state of lib/serve, because a signal handler can reach nothing else.
#ifndef MR_SERVE_STOP_H
#define MR_SERVE_STOP_H

#include <matchrace/attributes.h>

#include <stdbool.h>

// Catches SIGTERM from now on. *event_out becomes readable when it comes, and stays so; it is never
// read. When the program has not ended 1.5 s after SIGTERM (a single batch may take longer than
// section 6 of docs/PROTOCOL.md leaves), it ends with exit code 0 without further ado.
// 0, or a negative errno. At most once a process.
MR_NODISCARD int mr_stop_init(int *event_out);

// Does what SIGTERM does, for a server that must give up. Thread-safe, after mr_stop_init().
void mr_stop_request(void);

// Whether SIGTERM came. Thread-safe, one load.
bool mr_stop_requested(void);

#endif
