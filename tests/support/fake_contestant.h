// fake_contestant.h: a contestant whose batches are decimal numbers: "3" is a batch of three
// records, anything else is rejected; for tests of lib/serve without a parser.
#ifndef MR_TEST_FAKE_CONTESTANT_H
#define MR_TEST_FAKE_CONTESTANT_H

#include <matchrace/serve.h>

// Digest of a batch of `records` records of this contestant.
uint64_t fake_digest(uint32_t records);

// Reads all bytes that a parser may load around a payload, and overwrites the payload where it may:
// so a server that needs it afterwards, or gives too little padding, is found out.
// A payload "hang" never comes back.
extern const struct mr_contestant fake_contestant;

#endif
