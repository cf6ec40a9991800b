// reader.c: see reader.h.
#include "reader.h"

#include "base/mr_assert.h"
#include "utf8.h"

#include <string.h>

__attribute__((cold)) const uint8_t *mr_stop(struct mr_reader *reader, enum mr_error error,
                                             const uint8_t *fault)
{
    MR_ASSERT(reader->error == MR_OK && error != MR_OK);
    MR_ASSERT(fault >= reader->begin && fault <= reader->end);
    reader->error = error;
    reader->fault = fault;
    return NULL;
}

__attribute__((cold)) const uint8_t *mr_stop_unexpected(struct mr_reader *reader,
                                                        enum mr_error error, const uint8_t *at)
{
    if (at == reader->end) {
        return mr_stop(reader, MR_ERROR_TRUNCATED, at);
    }
    if (*at >= 0x80 && mr_utf8_sequence(at, reader->end) <= 0) {
        return mr_stop(reader, MR_ERROR_UTF8, at);
    }
    return mr_stop(reader, error, at);
}

__attribute__((cold)) const uint8_t *mr_stop_other_value(struct mr_reader *reader,
                                                         const uint8_t *at)
{
    bool other = at < reader->end && *at != '\0' && strchr("\"{[-0123456789tfn", *at) != NULL;
    return mr_stop_unexpected(reader, other ? MR_ERROR_TYPE : MR_ERROR_SYNTAX, at);
}
