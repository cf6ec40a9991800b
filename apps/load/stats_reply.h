// stats_reply.h: reading the server's JSON: WELCOME, STATS_REPLY and KEPT_REPLY, strictly.
#ifndef MR_LOAD_STATS_REPLY_H
#define MR_LOAD_STATS_REPLY_H

#include <matchrace/attributes.h>
#include <matchrace/contract.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What is wrong with a reply, for people.
struct mr_reply_fault {
    char text[160]; // "totals.records is not a string of 16 lower-case hex digits"
};

// The mode that WELCOME names. False: no JSON object, or no such mode.
MR_NODISCARD bool mr_welcome_mode(const uint8_t *json, size_t json_bytes, enum mr_mode *mode_out,
                                  struct mr_reply_fault *fault_out);

// The totals of STATS_REPLY. `runtime` must be an object (contract section 5) and is not looked
// into. Minima and maxima must be null exactly while there is no record.
MR_NODISCARD bool mr_stats_reply_totals(const uint8_t *json, size_t json_bytes,
                                        struct mr_totals *totals_out,
                                        struct mr_reply_fault *fault_out);

// runtime.compiled_methods of STATS_REPLY; 0 where the reply does not tell. Allocates nothing:
// `room` has mr_stats_reply_room_bytes(json_bytes at most).
uint64_t mr_stats_reply_compiled_methods(const char *json, size_t json_bytes, void *room);
size_t mr_stats_reply_room_bytes(size_t json_bytes);

// KEPT_REPLY.
MR_NODISCARD bool mr_kept_reply(const uint8_t *json, size_t json_bytes, struct mr_kept *kept_out,
                                struct mr_reply_fault *fault_out);

#endif
