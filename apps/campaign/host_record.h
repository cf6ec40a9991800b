// host_record.h: what the host did beside a trial, as its file has it; unavailable is null.
#ifndef MR_CAMPAIGN_HOST_RECORD_H
#define MR_CAMPAIGN_HOST_RECORD_H

#include "host/window_watch.h"

#include <yyjson.h>

// A figure, null where it is unavailable (or NAN).
void mr_record_reading(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key,
                       struct mr_reading reading);
void mr_record_number(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key, double number);

// Adds what happened in the window: processes, threads, cores, foreign CPU time, memory of sockets.
void mr_record_window(yyjson_mut_doc *doc, yyjson_mut_val *object, const struct mr_window_use *use);

#endif
