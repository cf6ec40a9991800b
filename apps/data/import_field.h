// import_field.h: which field of a record a fault is in, for the message about it.
#ifndef MR_IMPORT_FIELD_H
#define MR_IMPORT_FIELD_H

#include <stddef.h>
#include <stdint.h>

// Enough for either sentence.
#define MR_FIELD_TEXT_BYTES 128

// Writes `, field "value"` for a fault at byte `offset` of the record, or an empty text where no
// field has begun. The text of a record may be anything: it is read no further than it makes sense.
void mr_field_at(const uint8_t *json, size_t json_bytes, size_t offset,
                 char text_out[MR_FIELD_TEXT_BYTES]);

// Writes `, without "flags", "message"`: the fields of the schema that the record does not have. An
// empty text where none is missing, or where a name is written with escapes, which is not read
// here.
void mr_fields_missing(const uint8_t *json, size_t json_bytes, char text_out[MR_FIELD_TEXT_BYTES]);

#endif
