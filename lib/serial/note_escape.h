// note_escape.h: how each character is written: the rules of the profiles, one byte or one UTF-8
// sequence at a time.
#ifndef MR_SERIAL_NOTE_ESCAPE_H
#define MR_SERIAL_NOTE_ESCAPE_H

#include <matchrace/notes.h>

#include <string.h>

// An escape by one store: the bytes to write from the lowest on, and their number (1 to 6) in the
// highest byte.
#define MR_ESCAPE_LENGTH_SHIFT 56

// [profile][byte]; of bytes from 80h on only that they are one byte long and stay as they are,
// which counts for the profiles that leave them raw. Made by gen_note_escapes.c.
extern const uint64_t mr_note_escapes[MR_NOTES_PROFILE_COUNT][256];

static inline const char *mr_hex_digits(enum mr_notes_profile profile)
{
    return profile == MR_NOTES_REQUIRED ? "0123456789abcdef" : "0123456789ABCDEF";
}

// Writes \uXXXX for a UTF-16 code unit; returns 6.
static inline size_t mr_escape_unit(const char *digits, uint32_t unit, uint8_t *out)
{
    out[0] = '\\';
    out[1] = 'u';
    out[2] = (uint8_t)digits[unit >> 12 & 15];
    out[3] = (uint8_t)digits[unit >> 8 & 15];
    out[4] = (uint8_t)digits[unit >> 4 & 15];
    out[5] = (uint8_t)digits[unit & 15];
    return 6;
}

// Writes a Unicode scalar value as \uXXXX, or as two of them; returns 6 or 12.
static inline size_t mr_escape_scalar(const char *digits, uint32_t scalar, uint8_t *out)
{
    if (scalar < 0x10000) {
        return mr_escape_unit(digits, scalar, out);
    }
    (void)mr_escape_unit(digits, 0xD800 + ((scalar - 0x10000) >> 10), out);
    return 6 + mr_escape_unit(digits, 0xDC00 + (scalar & 0x3FF), out + 6);
}

// The letter of the escapes that have one, or 0. \" has one in the profiles `required` alone.
static inline char mr_escape_letter(enum mr_notes_profile profile, uint8_t byte)
{
    switch (byte) {
    case '\\':
        return '\\';
    case '\b':
        return 'b';
    case '\t':
        return 't';
    case '\n':
        return 'n';
    case '\f':
        return 'f';
    case '\r':
        return 'r';
    case '"':
        return profile == MR_NOTES_HTML ? '\0' : '"';
    default:
        return '\0';
    }
}

// Whether an ASCII character is written as an escape.
static inline bool mr_is_escaped(enum mr_notes_profile profile, uint8_t byte)
{
    return byte < 0x20 || byte == '"' || byte == '\\' ||
           (profile == MR_NOTES_HTML && (byte == 0x7F || strchr("<>&'+`", byte) != NULL));
}

// Writes an ASCII character; returns 1, 2 or 6.
static inline size_t mr_escape_ascii(enum mr_notes_profile profile, uint8_t byte, uint8_t *out)
{
    if (!mr_is_escaped(profile, byte)) {
        out[0] = byte;
        return 1;
    }
    char letter = mr_escape_letter(profile, byte);
    if (letter == '\0') {
        return mr_escape_unit(mr_hex_digits(profile), byte, out);
    }
    out[0] = '\\';
    out[1] = (uint8_t)letter;
    return 2;
}

// Bytes (2 to 4) of the well-formed UTF-8 sequence that begins at `at` < `end` with a byte from 80h
// on, and its scalar value; 0: none does (RFC 3629, section 4).
static inline size_t mr_decode(const uint8_t *at, const uint8_t *end, uint32_t *scalar_out)
{
    size_t rest = (size_t)(end - at);
    uint32_t lead = at[0];
    if (rest >= 2 && lead >= 0xC2 && lead < 0xE0 && (at[1] & 0xC0) == 0x80) {
        *scalar_out = (lead & 0x1F) << 6 | (at[1] & 0x3Fu);
        return 2;
    }
    if (rest < 3 || lead < 0xE0 || (at[1] & 0xC0) != 0x80 || (at[2] & 0xC0) != 0x80) {
        return 0;
    }
    uint32_t scalar = (at[1] & 0x3Fu) << 6 | (at[2] & 0x3Fu);
    if (lead < 0xF0) {
        scalar |= (lead & 0xF) << 12;
        *scalar_out = scalar;
        return scalar >= 0x800 && (scalar < 0xD800 || scalar > 0xDFFF) ? 3 : 0;
    }
    if (rest < 4 || lead > 0xF4 || (at[3] & 0xC0) != 0x80) {
        return 0;
    }
    scalar = (lead & 7) << 18 | scalar << 6 | (at[3] & 0x3Fu);
    *scalar_out = scalar;
    return scalar >= 0x10000 && scalar <= 0x10FFFF ? 4 : 0;
}

#endif
