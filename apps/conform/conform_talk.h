// conform_talk.h: a conversation with a server on behalf of a check: what does not come as it must
// fails the check, so that checks read as the sentence they are about.
//
// The functions return false when the check has failed by it; its text is written already.
#ifndef MR_CONFORM_TALK_H
#define MR_CONFORM_TALK_H

#include "conform_kit.h"
#include "conform_link.h"
#include "conform_stats.h"

#include <stdbool.h>
#include <stdint.h>

struct mr_talk {
    struct mr_kit *kit;
    enum mr_rule rule; // whom a failure is put down to; may be changed between calls
    struct mr_link link;
    uint64_t sequence; // of the next request that these functions make
};

// Connects and says HELLO, so that only W6 depends on HELLO being optional. Ended by
// mr_talk_close(), whatever happened.
bool mr_talk_open(struct mr_talk *talk_out, struct mr_kit *kit, enum mr_rule rule,
                  const struct mr_subject *subject);

// Connects and says nothing. `receive_bytes`: SO_RCVBUF, or 0.
bool mr_talk_open_bare(struct mr_talk *talk_out, struct mr_kit *kit, enum mr_rule rule,
                       const struct mr_subject *subject, int receive_bytes);
void mr_talk_close(struct mr_talk *talk);

// Sends a script.
bool mr_talk_send(struct mr_talk *talk, const struct mr_bytes *script);
bool mr_talk_request(struct mr_talk *talk, uint8_t type, const void *payload, size_t payload_bytes);

// The next frame, of whatever type. `what` names what is expected, for the failure.
bool mr_talk_frame(struct mr_talk *talk, const char *what, struct mr_reply *reply_out);

// The next frame, which must be of that type.
bool mr_talk_expect(struct mr_talk *talk, uint8_t type, struct mr_reply *reply_out);

// The end of the connection must come; frames before it fail the check.
bool mr_talk_end(struct mr_talk *talk);

// Request and reply.
bool mr_talk_batch(struct mr_talk *talk, const void *payload, size_t payload_bytes,
                   struct mr_ack *ack_out);
bool mr_talk_batch_text(struct mr_talk *talk, const char *json, struct mr_ack *ack_out);
bool mr_talk_stats(struct mr_talk *talk, struct mr_stats_seen *seen_out);
bool mr_talk_kept(struct mr_talk *talk, struct mr_kept *kept_out);

// The answer in an ACK; a payload of another size than 32 bytes is filled up with zeros or cut.
struct mr_ack mr_reply_ack(const struct mr_reply *reply);

// Puts a failure down to the talk's check.
MR_PRINTF(3, 4)
bool mr_talk_fail(struct mr_talk *talk, const char *expected, const char *format, ...);

// "ACK (0x82)"; a static text for known types, else written into `text` of at least 24 bytes.
const char *mr_frame_name(uint8_t type);

#endif
