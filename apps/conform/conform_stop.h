// conform_stop.h: Ctrl-C and SIGTERM as a flag and a descriptor that every wait of the kit looks
// at: the kit's only global state, because a signal handler can reach nothing else.
#ifndef MR_CONFORM_STOP_H
#define MR_CONFORM_STOP_H

#include <matchrace/attributes.h>

#include <stdbool.h>

// Catches SIGINT, SIGTERM and SIGHUP from now on, ignores SIGPIPE. 0, or a negative errno.
MR_NODISCARD int mr_conform_stop_catch(void);

// Readable once one of them came; never read. −1 before mr_conform_stop_catch().
int mr_conform_stop_fd(void);

// Whether one of them came.
bool mr_conform_stop_asked(void);

// 130 after SIGINT, 143 after SIGTERM, 129 after SIGHUP; 0 when none came.
int mr_conform_stop_exit_code(void);

#endif
