// scan_number.c: see scan_number.h; RFC 8259 section 6.
#include "scan_number.h"

#include "swar.h"

// Exponents beyond this are as good as infinite: no text is so long that its digits could make up
// for it. Counting stops here, so that nothing overflows.
#define EXPONENT_LIMIT 100000000000000000

static bool is_digit(const struct mr_reader *reader, const uint8_t *at)
{
    return at < reader->end && *at >= '0' && *at <= '9';
}

// Reads digits as long as there are any: *number_io = *number_io * 10 + digit for each, mod 2^64.
static const uint8_t *take_digits(const struct mr_reader *reader, const uint8_t *at,
                                  uint64_t *number_io)
{
    uint64_t number = *number_io;
    while (reader->end - at >= 8 && mr_swar_all_digits(mr_swar_load(at))) {
        number = number * 100000000 + mr_swar_number(mr_swar_load(at));
        at += 8;
    }
    for (; is_digit(reader, at); at++) {
        number = number * 10 + (uint64_t)(*at - '0');
    }
    *number_io = number;
    return at;
}

// Reads "e+05" at `at` (which stands on the e).
static const uint8_t *read_exponent(struct mr_reader *reader, const uint8_t *at,
                                    int64_t *exponent_out)
{
    at++;
    bool negative = mr_is_at(reader, at, '-');
    if (negative || mr_is_at(reader, at, '+')) {
        at++;
    }
    if (!is_digit(reader, at)) {
        return mr_stop_unexpected(reader, MR_ERROR_NUMBER, at);
    }
    int64_t exponent = 0;
    for (; is_digit(reader, at); at++) {
        if (exponent < EXPONENT_LIMIT) {
            exponent = exponent * 10 + (*at - '0');
        }
    }
    *exponent_out = negative ? -exponent : exponent;
    return at;
}

// The first MR_SIGNIFICAND_DIGITS digits of [at, end), in which a dot may stand; `end` may come
// first. *behind_out: behind the last one of them.
static uint64_t first_digits(const uint8_t *at, const uint8_t *end, const uint8_t **behind_out)
{
    uint64_t significand = 0;
    for (int64_t kept = 0; kept < MR_SIGNIFICAND_DIGITS && at < end; at++) {
        if (*at != '.') {
            significand = significand * 10 + (uint64_t)(*at - '0');
            kept++;
        }
    }
    *behind_out = at;
    return significand;
}

// Keeps the first MR_SIGNIFICAND_DIGITS digits of the mantissa in [digits, digits_end) if it has
// more, leading zeros not counted. The exponent grows by one for each digit left out. `dot`: where
// it stands, or `digits_end`.
static void limit_digits(struct mr_decimal *decimal, const uint8_t *digits, const uint8_t *dot,
                         const uint8_t *digits_end)
{
    while (digits < digits_end && (*digits == '0' || *digits == '.')) {
        digits++;
    }
    const uint8_t *behind;
    uint64_t significand = first_digits(digits, digits_end, &behind);
    int64_t left_out = digits_end - behind - (dot >= behind && dot < digits_end);
    if (left_out > 0) {
        decimal->significand = significand;
        decimal->exponent += left_out;
        decimal->digits_cut = true;
        decimal->digits = digits;
        decimal->digits_end = digits_end;
    }
}

const uint8_t *mr_scan_decimal(struct mr_reader *reader, const uint8_t *at,
                               struct mr_decimal *decimal_out)
{
    *decimal_out = (struct mr_decimal){.negative = mr_is_at(reader, at, '-')};
    if (decimal_out->negative) {
        at++;
    }
    const uint8_t *digits = at;
    at = take_digits(reader, at, &decimal_out->significand);
    if (at == digits) {
        return mr_stop_unexpected(reader, MR_ERROR_NUMBER, at);
    }
    if (*digits == '0' && at > digits + 1) {
        return mr_stop(reader, MR_ERROR_NUMBER, digits + 1);
    }
    const uint8_t *dot = at;
    int64_t digits_count = at - digits;
    if (mr_is_at(reader, at, '.')) {
        const uint8_t *fraction = at + 1;
        at = take_digits(reader, fraction, &decimal_out->significand);
        if (at == fraction) {
            return mr_stop_unexpected(reader, MR_ERROR_NUMBER, at);
        }
        digits_count += at - fraction;
        decimal_out->exponent = fraction - at;
    }
    const uint8_t *digits_end = at;
    if (mr_is_at(reader, at, 'e') || mr_is_at(reader, at, 'E')) {
        int64_t exponent = 0;
        at = read_exponent(reader, at, &exponent);
        decimal_out->exponent += exponent;
    }
    if (at == reader->end) {
        return mr_stop(reader, MR_ERROR_TRUNCATED, at);
    }
    if (digits_count > MR_SIGNIFICAND_DIGITS) {
        limit_digits(decimal_out, digits, dot, digits_end);
    }
    return at;
}

// Whether [token, behind) is an integer token of a length that fits 64 bits, if it is a token at
// all: no leading zero, and nothing behind it that would go on with the number.
static bool is_plain_integer(const struct mr_reader *reader, const uint8_t *token,
                             const uint8_t *behind)
{
    ptrdiff_t length = behind - token;
    bool fits = length >= 1 && length <= MR_SIGNIFICAND_DIGITS && (*token != '0' || length == 1);
    return fits && behind < reader->end && *behind != '.' && *behind != 'e' && *behind != 'E';
}

const uint8_t *mr_scan_integer(struct mr_reader *reader, const uint8_t *at, uint64_t max,
                               uint64_t *integer_out)
{
    uint64_t integer = 0;
    const uint8_t *behind = take_digits(reader, at, &integer);
    if (is_plain_integer(reader, at, behind) && integer <= max) {
        *integer_out = integer;
        return behind;
    }
    // It is a fault; which one depends on the whole token.
    struct mr_decimal decimal;
    const uint8_t *token_end = mr_scan_decimal(reader, at, &decimal);
    if (token_end == NULL) {
        return NULL;
    }
    return mr_stop(reader, token_end == behind ? MR_ERROR_INTEGER_RANGE : MR_ERROR_TYPE, at);
}
