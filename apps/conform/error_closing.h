// error_closing.h: a connection that stays open behind its ERROR, for W31: begun, left alone while
// other checks run, then looked at.
#ifndef MR_CONFORM_ERROR_CLOSING_H
#define MR_CONFORM_ERROR_CLOSING_H

#include "conform_talk.h"

#include <stdbool.h>
#include <stdint.h>

struct mr_error_closing {
    struct mr_kit *kit;
    struct mr_subject subject; // a server of its own: what the others do to theirs is not seen here
    struct mr_talk talk;
    bool serves;
    bool waits;        // ERROR has come
    uint64_t error_ns; // when
};

// Gets an ERROR on a connection, if W31 is to be checked.
void mr_error_closing_begin(struct mr_error_closing *closing_out, struct mr_kit *kit);

// Sends a byte now and then until it is refused, judges W31, frees everything.
void mr_error_closing_end(struct mr_error_closing *closing);

#endif
