// load_events.h: what happens, as JSON lines on standard output for whoever started the generator.
#ifndef MR_LOAD_EVENTS_H
#define MR_LOAD_EVENTS_H

#include "load_run.h"

#include <stdint.h>

// Prints {"event":"…","t_ns":…} and flushes, where --events asks for it. Never called by a thread
// that measures. "connected" adds the planned edges of the window, "done" how the run ended.
void mr_load_event(const struct mr_load_run *run, const char *event, uint64_t time_ns);

#endif
