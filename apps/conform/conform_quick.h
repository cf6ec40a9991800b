// conform_quick.h: the handful of cases that a race sends before it begins (--quick).
#ifndef MR_CONFORM_QUICK_H
#define MR_CONFORM_QUICK_H

#include "conform_kit.h"

#include <matchrace/attributes.h>

#include <stdbool.h>

// Starts a server in kit->mode, sends two dozen cases one by one, asks STATS and KEPT, ends it by
// SIGTERM. True when all was right. About 20 ms with a native contestant; no process is left.
MR_NODISCARD bool mr_conform_quick(struct mr_kit *kit);

#endif
