// import_yyjson.h: the second reading of imported records: yyjson and the contract's rules, without
// anything of lib/record.
#ifndef MR_IMPORT_YYJSON_H
#define MR_IMPORT_YYJSON_H

#include "data_buffer.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What this reading says of a batch.
struct mr_second_reading {
    bool accepted;
    uint32_t count;
    uint32_t failed_record; // where it stopped, when rejected
    const char *why;        // a constant text, when rejected
};

// Reads `json` by section 1 of the contract; canonical forms go into `records_out`, which is
// emptied first. 0, or -ENOMEM.
MR_NODISCARD int mr_second_read(const uint8_t *json, size_t json_bytes,
                                struct mr_buffer *records_out,
                                struct mr_second_reading *reading_out);

#endif
