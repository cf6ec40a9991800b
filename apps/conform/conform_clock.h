// conform_clock.h: the kit's clock: it stands still while a contestant, or the kit, could go on and
// waits for a core.
//
// So a deadline of this clock says something of the contestant, however busy the host is. Of any
// time at least a tenth passes, so that even what spins for ever on a host without a free core is
// found out; and as much as the contestant itself ran, on all cores that it may use: whose many
// threads wait for each other's cores wins no time by it. All that the kit decides by time is
// decided by this clock; sleeps are by the wall's. Global like the stop of conform_stop.h, for
// every wait looks at it; for one thread.
#ifndef MR_CONFORM_CLOCK_H
#define MR_CONFORM_CLOCK_H

#include <stdint.h>
#include <sys/types.h>

// Now, in ns; comparable with itself alone. Looks at the contestants at most every 100 ms.
uint64_t mr_conform_now_ns(void);

// The moment of mr_clock_ns() before which the moment `deadline_ns` of this clock cannot come; it
// may come later: ask again then.
uint64_t mr_conform_wall_ns(uint64_t deadline_ns);

// Counts the waiting of this process and of its descendants from now on, until it is forgotten. At
// most eight are watched; more are left out.
void mr_conform_clock_watch(pid_t pid);
void mr_conform_clock_forget(pid_t pid);

#endif
