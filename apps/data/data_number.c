// data_number.c: see data_number.h. Digits are drawn, the bits follow from them exactly.
//
// Here and in all files of the emitter: no two draws stand in one expression, whose order of
// evaluation every compiler may choose.
#include "data_number.h"

#include "data_decimal.h"

#include "base/mr_assert.h"

#include <matchrace/contract.h>

#include <stdbool.h>

#define SIGN_BIT     (1ull << 63)
#define LIMIT_BITS   0x430C6BF526340000ull // 1e15
#define LIMIT_POINT  15                    // numbers below 0.1 × 10^16 = 1e15
#define SUBNORMAL_TO (1ull << 52)

// Bits of a binary64 ≥ 0 whose biased exponent is uniform in [low, high].
static uint64_t draw_bits(struct mr_rng *rng, uint64_t low, uint64_t high)
{
    uint64_t field = mr_rng_between(rng, low, high);
    return field << 52 | mr_rng_next(rng) >> 12;
}

// `count` random digits, the first not zero, × 10^exponent.
static void draw_digits(struct mr_rng *rng, uint32_t count, int32_t exponent,
                        struct mr_decimal *out)
{
    out->count = count;
    out->exponent = exponent;
    for (uint32_t i = 0; i < count; i++) {
        out->digit[i] = (char)(i == 0 ? '1' + mr_rng_below(rng, 9) : '0' + mr_rng_below(rng, 10));
    }
}

static void append_digits(struct mr_rng *rng, uint32_t count, struct mr_decimal *io)
{
    for (uint32_t i = 0; i < count; i++) {
        io->digit[io->count++] = (char)('0' + mr_rng_below(rng, 10));
    }
    io->exponent -= (int32_t)count;
}

// -268.6222, 17.5: what sensors say.
static void make_short(struct mr_rng *rng, struct mr_decimal *out)
{
    uint32_t count = (uint32_t)mr_rng_between(rng, 1, 8);
    draw_digits(rng, count, -(int32_t)mr_rng_between(rng, 1, 6), out);
}

static void make_integer(struct mr_rng *rng, struct mr_decimal *out)
{
    draw_digits(rng, (uint32_t)mr_rng_between(rng, 1, LIMIT_POINT), 0, out);
}

// 17 digits of a binary64 of everyday size: what programs print that must not lose a bit.
static void make_seventeen(struct mr_rng *rng, struct mr_decimal *out)
{
    mr_decimal_from_bits(draw_bits(rng, 1023 - 30, 1023 + 48), out);
    mr_decimal_round(out, 17);
}

// 1 to 17 digits, the point anywhere near.
static void make_length(struct mr_rng *rng, struct mr_decimal *out)
{
    uint32_t count = (uint32_t)mr_rng_between(rng, 1, 17);
    int32_t point = (int32_t)mr_rng_between(rng, 0, 21) - 6;
    draw_digits(rng, count, point - (int32_t)count, out);
}

// 1 to 17 digits, any decimal exponent that the range has.
static void make_exponent(struct mr_rng *rng, struct mr_decimal *out)
{
    uint32_t count = (uint32_t)mr_rng_between(rng, 1, 17);
    int32_t point = (int32_t)mr_rng_between(rng, 0, 330) - 315;
    draw_digits(rng, count, point - (int32_t)count, out);
}

// A binary64 of any binary exponent in the range, in 17 digits.
static void make_binary_exponent(struct mr_rng *rng, struct mr_decimal *out)
{
    mr_decimal_from_bits(draw_bits(rng, 1, 1023 + 48), out);
    mr_decimal_round(out, 17);
}

// All digits of a binary64, and sometimes more behind them.
static void make_exact(struct mr_rng *rng, struct mr_decimal *out)
{
    mr_decimal_from_bits(draw_bits(rng, 1023 - 40, 1023 + 48), out);
    if (mr_rng_below(rng, 2) == 0) {
        append_digits(rng, (uint32_t)mr_rng_between(rng, 1, 30), out);
    }
}

// On the midpoint of two neighbours, or a hair beside it: where rounding goes wrong.
static void make_midpoint(struct mr_rng *rng, struct mr_decimal *out)
{
    mr_decimal_midpoint_above(draw_bits(rng, 1023 - 20, 1023 + 48), out);
    uint64_t side = mr_rng_below(rng, 3);
    if (side == 1) { // above
        append_digits(rng, (uint32_t)mr_rng_below(rng, 20), out);
        out->digit[out->count++] = '1';
        out->exponent--;
    } else if (side == 2) { // below: the last digit of a midpoint is 5
        out->digit[out->count - 1] = '4';
        append_digits(rng, (uint32_t)mr_rng_below(rng, 20), out);
    }
}

static void make_subnormal(struct mr_rng *rng, struct mr_decimal *out)
{
    uint64_t bits = 1 + mr_rng_below(rng, SUBNORMAL_TO >> mr_rng_below(rng, 52));
    mr_decimal_from_bits(bits, out);
    mr_decimal_round(out, (uint32_t)mr_rng_between(rng, 1, 17));
}

// Hundreds of digits: a subnormal or its midpoint, whole.
static void make_whole_subnormal(struct mr_rng *rng, struct mr_decimal *out)
{
    uint64_t bits = 1 + mr_rng_below(rng, SUBNORMAL_TO);
    if (mr_rng_below(rng, 2) == 0) {
        mr_decimal_from_bits(bits, out);
    } else {
        mr_decimal_midpoint_above(bits, out);
    }
}

// Too small for anything but zero.
static void make_underflow(struct mr_rng *rng, struct mr_decimal *out)
{
    uint32_t count = (uint32_t)mr_rng_between(rng, 1, 25);
    draw_digits(rng, count,
                -(int32_t)(mr_rng_below(rng, 8) == 0 ? mr_rng_between(rng, 400, 999999)
                                                     : mr_rng_between(rng, 350, 400)),
                out);
}

static void make_long(struct mr_rng *rng, struct mr_decimal *out)
{
    uint32_t count = (uint32_t)mr_rng_between(rng, 18, 300);
    int32_t point = (int32_t)mr_rng_between(rng, 0, 35) - 20;
    draw_digits(rng, count, point - (int32_t)count, out);
}

static void make_zero(struct mr_rng *rng, struct mr_decimal *out)
{
    *out = (struct mr_decimal){.exponent = -(int32_t)mr_rng_below(rng, 6)};
}

// The edge of the range: 1e15 itself, what rounds to it from above, and what stays below.
static void make_limit(struct mr_rng *rng, struct mr_decimal *out)
{
    static const struct {
        const char *digits;
        int32_t exponent;
    } edges[] = {
        {"1", 15},
        {"1000000000000000", 0},
        {"10000000000000000", -1},
        {"10000000000000000625", -4},         // a tie: to even, 1e15
        {"100000000000000006249999999", -11}, // just below that tie
        {"9999999999999999375", -4},          // a tie between 1e15 and its smaller neighbour
        {"99999999999999993749999999", -11},  // just below that tie
        {"999999999999999875", -3},           // the largest number below 1e15
        {"999999999999999", 0},
        {"1000000000000000000000000000001", -15},
    };
    uint64_t edge = mr_rng_below(rng, sizeof edges / sizeof edges[0]);
    out->exponent = edges[edge].exponent;
    out->count = (uint32_t)strlen(edges[edge].digits);
    memcpy(out->digit, edges[edge].digits, out->count);
}

// How a number is written.
enum form { FORM_PLAIN, FORM_SCIENTIFIC, FORM_EITHER };

// The mix of messy numbers, in parts of 1,000.
static const struct {
    uint32_t parts;
    enum form form;
    void (*make)(struct mr_rng *rng, struct mr_decimal *out);
} mix[] = {
    {330, FORM_PLAIN, make_short},         {90, FORM_PLAIN, make_integer},
    {200, FORM_PLAIN, make_seventeen},     {100, FORM_EITHER, make_length},
    {100, FORM_SCIENTIFIC, make_exponent}, {60, FORM_SCIENTIFIC, make_binary_exponent},
    {35, FORM_EITHER, make_exact},         {25, FORM_EITHER, make_midpoint},
    {15, FORM_SCIENTIFIC, make_subnormal}, {1, FORM_EITHER, make_whole_subnormal},
    {10, FORM_SCIENTIFIC, make_underflow}, {4, FORM_EITHER, make_long},
    {20, FORM_EITHER, make_zero},          {10, FORM_EITHER, make_limit},
};
#define MIX_COUNT (sizeof mix / sizeof mix[0])

static void write_plain(const struct mr_decimal *decimal, struct mr_buffer *out)
{
    int32_t point = mr_decimal_point(decimal);
    if (decimal->exponent >= 0) {
        mr_buffer_add(out, decimal->digit, decimal->count);
        mr_buffer_fill(out, '0', decimal->count == 0 ? 1 : (size_t)decimal->exponent);
    } else if (decimal->count > 0 && point > 0) {
        mr_buffer_add(out, decimal->digit, (size_t)point);
        mr_buffer_byte(out, '.');
        mr_buffer_add(out, decimal->digit + point, decimal->count - (size_t)point);
    } else {
        mr_buffer_text(out, "0.");
        mr_buffer_fill(out, '0', (size_t)-point);
        mr_buffer_add(out, decimal->digit, decimal->count);
    }
}

static void write_exponent(struct mr_rng *rng, int32_t exponent, struct mr_buffer *out)
{
    mr_buffer_byte(out, mr_rng_below(rng, 3) == 0 ? 'E' : 'e');
    bool minus = exponent < 0 || (exponent == 0 && mr_rng_below(rng, 3) == 0);
    if (minus) {
        mr_buffer_byte(out, '-');
    } else if (mr_rng_below(rng, 2) == 0) {
        mr_buffer_byte(out, '+');
    }
    if (mr_rng_below(rng, 5) == 0) {
        mr_buffer_fill(out, '0', mr_rng_between(rng, 1, 4));
    }
    mr_buffer_number(out, (uint64_t)(exponent < 0 ? -exponent : exponent));
}

// Digits with the point after the first few, or zeros before the digits, and an exponent.
static void write_scientific(struct mr_rng *rng, const struct mr_decimal *decimal,
                             struct mr_buffer *out)
{
    if (decimal->count == 0) {
        mr_buffer_text(out, mr_rng_below(rng, 2) == 0 ? "0" : "0.0");
        write_exponent(rng, (int32_t)mr_rng_below(rng, 1000) - 500, out);
        return;
    }
    uint32_t shown = 1; // digits before the point
    if (mr_rng_below(rng, 4) == 0) {
        shown = (uint32_t)mr_rng_below(rng, (decimal->count < 6 ? decimal->count : 6) + 1u);
    }
    int32_t exponent = mr_decimal_point(decimal) - (int32_t)shown;
    mr_buffer_add(out, decimal->digit, shown);
    if (shown == 0) {
        uint64_t zeros = mr_rng_below(rng, 4);
        mr_buffer_text(out, "0.");
        mr_buffer_fill(out, '0', zeros);
        exponent += (int32_t)zeros;
    } else if (shown < decimal->count) {
        mr_buffer_byte(out, '.');
    } else if (mr_rng_below(rng, 4) == 0) {
        mr_buffer_text(out, ".0");
    }
    mr_buffer_add(out, decimal->digit + shown, decimal->count - shown);
    write_exponent(rng, exponent, out);
}

static uint64_t write_number(struct mr_rng *rng, const struct mr_decimal *decimal, enum form form,
                             struct mr_buffer *out)
{
    uint64_t bits = mr_decimal_nearest(decimal);
    MR_ASSERT(bits <= LIMIT_BITS);
    bool negative = mr_rng_below(rng, 3) == 0;
    if (negative) {
        mr_buffer_byte(out, '-');
    }
    if (form == FORM_SCIENTIFIC || (form == FORM_EITHER && mr_rng_below(rng, 2) == 0)) {
        write_scientific(rng, decimal, out);
    } else {
        write_plain(decimal, out);
    }
    return bits | (negative ? SIGN_BIT : 0);
}

uint64_t mr_number_simple(struct mr_rng *rng, struct mr_buffer *out)
{
    struct mr_decimal decimal;
    uint32_t count = (uint32_t)mr_rng_between(rng, 5, 7);
    int32_t decimals = (int32_t)mr_rng_between(rng, 1, 4);
    draw_digits(rng, count, -decimals, &decimal);
    return write_number(rng, &decimal, FORM_PLAIN, out);
}

uint64_t mr_number_messy(struct mr_rng *rng, struct mr_buffer *out)
{
    uint64_t draw = mr_rng_below(rng, 1000);
    size_t row = 0;
    while (draw >= mix[row].parts) {
        draw -= mix[row].parts;
        row++;
        MR_ASSERT(row < MIX_COUNT);
    }
    struct mr_decimal decimal;
    mix[row].make(rng, &decimal);
    return write_number(rng, &decimal, mix[row].form, out);
}

uint64_t mr_number_of_digits(struct mr_rng *rng, uint64_t max)
{
    uint64_t low = 0; // of the numbers with as many digits
    uint64_t high = 9;
    unsigned digits = 1;
    for (uint64_t rest = max / 10; rest > 0; rest /= 10) {
        digits++;
    }
    for (uint64_t skip = mr_rng_below(rng, digits); skip > 0; skip--) {
        low = high + 1;
        high = high > (UINT64_MAX - 9) / 10 ? UINT64_MAX : high * 10 + 9;
    }
    return mr_rng_between(rng, low, high < max ? high : max);
}
