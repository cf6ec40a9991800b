// yyjson_record.h: one element of a batch, as yyjson read it, to a typed record.
#ifndef C_YYJSON_RECORD_H
#define C_YYJSON_RECORD_H

#include <matchrace/attributes.h>
#include <matchrace/contract.h>
#include <matchrace/result.h>

#include <yyjson.h>

// Up to this many bytes behind a text are read (they stand in its document or in the padding of a
// payload) and behind a record are written (MR_RECORDS_SLACK).
#define YYJSON_RECORD_OVERRUN_BYTES 32u

// Writes the record of `element` to `record_out`, text included. MR_OK, or the first rule of
// section 1 of docs/PROTOCOL.md that it breaks; then the record is undefined. No state; any thread.
MR_NODISCARD enum mr_error yyjson_record_write(yyjson_val *element, struct mr_record *record_out);

#endif
