// reader.h: where the scalar reader stands in the text, and how it stops at the first fault.
//
// The functions that read take a position and return the one behind what they have read, or NULL
// after they have noted the fault. Positions lie in [begin, end]; bytes at `end` and behind may be
// loaded (MR_PAD_BACK) but decide nothing.
#ifndef MR_RECORD_READER_H
#define MR_RECORD_READER_H

#include <matchrace/result.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A text being read. `error` and `fault` are set once, by mr_stop().
struct mr_reader {
    const uint8_t *begin;
    const uint8_t *end;
    enum mr_error error;
    const uint8_t *fault;
};

// Notes the fault `error` at `fault` in [begin, end]; returns NULL, to be returned by the caller.
const uint8_t *mr_stop(struct mr_reader *reader, enum mr_error error, const uint8_t *fault);

// Stops at `at` because no allowed byte stands there. `error` is said of ASCII and of characters;
// the end of the text is MR_ERROR_TRUNCATED, what is no UTF-8 character MR_ERROR_UTF8.
const uint8_t *mr_stop_unexpected(struct mr_reader *reader, enum mr_error error, const uint8_t *at);

// Stops at `at` where a value was to begin that only other first bytes can begin: MR_ERROR_TYPE for
// the first byte of another JSON value, else as mr_stop_unexpected() with MR_ERROR_SYNTAX.
const uint8_t *mr_stop_other_value(struct mr_reader *reader, const uint8_t *at);

// Whether `byte` is white space of RFC 8259 section 2.
static inline bool mr_is_space(uint8_t byte)
{
    return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
}

// The first position at or behind `at` without white space, or the end.
static inline const uint8_t *mr_skip_space(const struct mr_reader *reader, const uint8_t *at)
{
    while (at < reader->end && mr_is_space(*at)) {
        at++;
    }
    return at;
}

// Whether `byte` stands at `at`.
static inline bool mr_is_at(const struct mr_reader *reader, const uint8_t *at, uint8_t byte)
{
    return at < reader->end && *at == byte;
}

#endif
