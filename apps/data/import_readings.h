// import_readings.h: one text read twice, by lib/record and through yyjson, and whether both agree.
#ifndef MR_IMPORT_READINGS_H
#define MR_IMPORT_READINGS_H

#include "data_buffer.h"
#include "import_yyjson.h"

#include <matchrace/attributes.h>
#include <matchrace/record.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The two readers with their memory, in the caller's storage.
struct mr_readers {
    struct mr_parser *parser;
    struct mr_buffer padded; // a text with the parser's padding
    struct mr_buffer first;  // canonical forms by lib/record
    struct mr_buffer second; // and by yyjson
};

// Both readings of one text. Where `same` and accepted, either buffer holds the records.
struct mr_readings {
    struct mr_result first;
    struct mr_second_reading second;
    bool same; // both rejected, or both accepted with the same records, bit by bit
};

// Ready to read, with lib/record's specification (kernel scalar). 0 or -ENOMEM; ends with
// mr_readers_fini().
MR_NODISCARD int mr_readers_init(struct mr_readers *readers_out);
void mr_readers_fini(struct mr_readers *readers);

// Reads `json` in both ways. 0 or -ENOMEM.
MR_NODISCARD int mr_readers_read(struct mr_readers *readers, const uint8_t *json, size_t json_bytes,
                                 struct mr_readings *readings_out);

// Writes who computed the answers, for the manifest.
void mr_readers_text(const struct mr_readers *readers, char *text_out, size_t capacity);

#endif
