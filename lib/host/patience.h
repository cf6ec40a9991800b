// patience.h: waiting for a descriptor with a deadline, and with a way to be called off.
#ifndef MR_HOST_PATIENCE_H
#define MR_HOST_PATIENCE_H

#include <matchrace/attributes.h>

#include <stdint.h>

// Waits without end.
#define MR_FOREVER UINT64_MAX

// How long to wait. `wake_fd` becomes readable when the wait shall be called off, for example a
// signalfd or the reading end of a pipe that a signal handler writes to; it is never read here, so
// every later wait is called off too. −1: nothing calls it off.
struct mr_patience {
    uint64_t deadline_ns; // of mr_clock_ns(), or MR_FOREVER
    int wake_fd;
};

// Patience of `duration_ns` from now that nothing calls off.
struct mr_patience mr_patience_for(uint64_t duration_ns);

// Waits until `fd` has one of `events` of poll(2), or an error or hang-up. 0: it has; −EINTR:
// called off by wake_fd (which is looked at first); −ETIMEDOUT: the deadline passed (a descriptor
// that is ready already is still reported); else another negative errno. Signals alone end no wait.
// A negative `fd` is never ready: then only time and wake_fd count.
MR_NODISCARD int mr_patience_poll(const struct mr_patience *patience, int fd, short events);

#endif
