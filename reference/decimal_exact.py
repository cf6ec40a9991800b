"""decimal_exact.py: a JSON number token to binary64, rounded once, by exact integer arithmetic.

A token is sign × digits × 10^exponent. The quotient of two integers gives the 53 bits (fewer for a
subnormal) and its remainder says to which side they round, so nothing is ever rounded twice.

Tokens of any length are cut to DIGITS_KEPT significant digits and one sticky digit: a point halfway
between two neighbouring doubles has at most 767 significant digits, so a 1 behind the kept digits
stands on the same side of every such point as the digits that were cut.
"""

import re

TOKEN = re.compile(rb"(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?)([0-9]+))?")

DIGITS_KEPT = 800
# Beyond these powers of ten of the first digit every double is an overflow or rounds to zero.
FIRST_DIGIT_POWER_MAX = 309
FIRST_DIGIT_POWER_MIN = -326
# Exponents of more digits than this outweigh any number of digits that fits in memory.
EXPONENT_DIGITS_MAX = 18

SIGN_BIT = 1 << 63
INFINITY_BITS = 0x7FF << 52
FRACTION_BITS = 52
LOWEST_POWER = -1074  # of two: the last bit of every subnormal
VALUE_LIMIT = 10**15

_POWERS_OF_TEN = [10**power for power in range(400)]


def _power_of_ten(power: int) -> int:
    return _POWERS_OF_TEN[power] if power < 400 else 10**power


def _round_quotient(numerator: int, denominator: int) -> int:
    """Bits of the double nearest to numerator / denominator (both positive), ties to even."""
    power = numerator.bit_length() - denominator.bit_length() - FRACTION_BITS - 1
    power = max(power, LOWEST_POWER)
    while True:
        # significand × 2^power <= quotient < (significand + 1) × 2^power
        if power >= 0:
            divisor = denominator << power
            significand, rest = divmod(numerator, divisor)
        else:
            divisor = denominator
            significand, rest = divmod(numerator << -power, divisor)
        if significand < 1 << (FRACTION_BITS + 1):
            break
        power += 1
    twice = 2 * rest
    if twice > divisor or (twice == divisor and significand & 1):
        significand += 1
    # A significand that reaches 2^52 or 2^53 by rounding carries into the exponent by itself.
    if power == LOWEST_POWER:
        return significand
    bits = ((power - LOWEST_POWER) << FRACTION_BITS) + significand
    return min(bits, INFINITY_BITS)


def _exponent(sign: bytes, digits: bytes) -> int:
    digits = digits.lstrip(b"0")
    if len(digits) > EXPONENT_DIGITS_MAX:
        digits = b"1" + b"0" * EXPONENT_DIGITS_MAX
    exponent = int(digits or b"0")
    return -exponent if sign == b"-" else exponent


def to_bits(token: bytes) -> int:
    """The binary64 of a number token as bits; overflow gives an infinity.

    ValueError when `token` is not a number of RFC 8259.
    """
    match = TOKEN.fullmatch(token)
    if match is None:
        raise ValueError("not a number of RFC 8259")
    minus, whole, fraction, exponent_sign, exponent_digits = match.groups()
    exponent = _exponent(exponent_sign, exponent_digits) if exponent_digits else 0
    digits = whole
    if fraction:
        digits = whole + fraction
        exponent -= len(fraction)
    digits = digits.lstrip(b"0")
    sign = SIGN_BIT if minus else 0
    if not digits:
        return sign
    first_digit_power = exponent + len(digits) - 1
    if first_digit_power > FIRST_DIGIT_POWER_MAX:
        return sign | INFINITY_BITS
    if first_digit_power < FIRST_DIGIT_POWER_MIN:
        return sign
    if len(digits) > DIGITS_KEPT:
        rest = digits[DIGITS_KEPT:]
        exponent += len(rest)
        digits = digits[:DIGITS_KEPT]
        if rest.strip(b"0"):
            digits += b"1"
            exponent -= 1
    number = int(digits)
    if exponent >= 0:
        return sign | _round_quotient(number * _power_of_ten(exponent), 1)
    return sign | _round_quotient(number, _power_of_ten(-exponent))


def in_range(bits: int) -> bool:
    """Whether the rounded number is finite and within ±1e15, compared as an exact integer."""
    magnitude = bits & ~SIGN_BIT
    exponent = magnitude >> FRACTION_BITS
    if exponent == 0x7FF:
        return False
    if exponent == 0:
        return True
    significand = (magnitude & ((1 << FRACTION_BITS) - 1)) | 1 << FRACTION_BITS
    power = exponent - 1 + LOWEST_POWER
    if power >= 0:
        return significand << power <= VALUE_LIMIT
    return significand <= VALUE_LIMIT << -power


def order_key(bits: int) -> int:
    """An integer that is smaller for the smaller number; -0.0 comes before +0.0."""
    return -1 - (bits & ~SIGN_BIT) if bits & SIGN_BIT else bits


def scaled_1024(bits: int) -> int:
    """trunc(value × 1024), toward zero, of a finite number."""
    magnitude = bits & ~SIGN_BIT
    exponent = magnitude >> FRACTION_BITS
    fraction = magnitude & ((1 << FRACTION_BITS) - 1)
    significand = fraction | 1 << FRACTION_BITS if exponent else fraction
    power = max(exponent - 1, 0) + LOWEST_POWER + 10
    scaled = significand << power if power >= 0 else significand >> -power
    return -scaled if bits & SIGN_BIT else scaled
