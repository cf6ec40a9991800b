"""xxh3.py: XXH3_64bits with seed 0 and the default secret, for inputs of any length.

Follows the published description of the algorithm; every step is arithmetic on Python integers,
reduced modulo 2^64 where the algorithm does so. Inputs above 240 bytes take the long form: blocks
of sixteen 64-byte stripes, each stripe spread over eight lanes.
"""

import struct

SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
    "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e"
    "2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
)

PRIME32_1, PRIME32_2, PRIME32_3 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
PRIME64_1, PRIME64_2 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F
PRIME64_3, PRIME64_4 = 0x165667B19E3779F9, 0x85EBCA77C2B2AE63
PRIME64_5 = 0x27D4EB2F165667C5
PRIME_MIX_1, PRIME_MIX_2 = 0x165667919E3779F9, 0x9FB21C651E98DF25

LOW32 = 0xFFFFFFFF
LOW64 = 0xFFFFFFFFFFFFFFFF

STRIPE_BYTES = 64
STRIPES_A_BLOCK = 16  # (192 bytes of secret - 64) / 8
BLOCK_BYTES = STRIPE_BYTES * STRIPES_A_BLOCK
LANES_AT_START = (
    PRIME32_3, PRIME64_1, PRIME64_2, PRIME64_3, PRIME64_4, PRIME32_2, PRIME64_5, PRIME32_1,
)


def _word(data: bytes, offset: int) -> int:
    return int.from_bytes(data[offset : offset + 8], "little")


def _half_word(data: bytes, offset: int) -> int:
    return int.from_bytes(data[offset : offset + 4], "little")


def _secret_words(offset: int, count: int) -> tuple:
    return struct.unpack_from("<%dQ" % count, SECRET, offset)


# Word w of a block belongs to stripe w // 8, lane w % 8; stripe n uses the secret from byte 8n on.
BLOCK_SECRET = tuple(
    _word(SECRET, 8 * (w // 8) + 8 * (w % 8)) for w in range(8 * STRIPES_A_BLOCK)
)
SCRAMBLE_SECRET = _secret_words(len(SECRET) - STRIPE_BYTES, 8)
LAST_STRIPE_SECRET = _secret_words(len(SECRET) - STRIPE_BYTES - 7, 8)
MERGE_SECRET = _secret_words(11, 8)


def _fold(left: int, right: int) -> int:
    """Both halves of the 128-bit product, one xor the other."""
    product = left * right
    return (product & LOW64) ^ (product >> 64)


def _avalanche(mixed: int) -> int:
    mixed &= LOW64
    mixed ^= mixed >> 37
    mixed = (mixed * PRIME_MIX_1) & LOW64
    return mixed ^ (mixed >> 32)


def _avalanche_xxh64(mixed: int) -> int:
    mixed ^= mixed >> 33
    mixed = (mixed * PRIME64_2) & LOW64
    mixed ^= mixed >> 29
    mixed = (mixed * PRIME64_3) & LOW64
    return mixed ^ (mixed >> 32)


def _rotate_left(value: int, bits: int) -> int:
    return ((value << bits) | (value >> (64 - bits))) & LOW64


def _swap_bytes(value: int, size: int) -> int:
    return int.from_bytes(value.to_bytes(size, "little"), "big")


def _hash_0_to_16(data: bytes) -> int:
    size = len(data)
    if size == 0:
        return _avalanche_xxh64(_word(SECRET, 56) ^ _word(SECRET, 64))
    if size <= 3:
        combined = (data[0] << 16) | (data[size >> 1] << 24) | data[-1] | (size << 8)
        return _avalanche_xxh64(combined ^ _half_word(SECRET, 0) ^ _half_word(SECRET, 4))
    if size <= 8:
        both = _half_word(data, size - 4) + (_half_word(data, 0) << 32)
        mixed = both ^ _word(SECRET, 8) ^ _word(SECRET, 16)
        mixed ^= _rotate_left(mixed, 49) ^ _rotate_left(mixed, 24)
        mixed = (mixed * PRIME_MIX_2) & LOW64
        mixed ^= (mixed >> 35) + size
        mixed = (mixed * PRIME_MIX_2) & LOW64
        return mixed ^ (mixed >> 28)
    low = _word(data, 0) ^ _word(SECRET, 24) ^ _word(SECRET, 32)
    high = _word(data, size - 8) ^ _word(SECRET, 40) ^ _word(SECRET, 48)
    return _avalanche(size + _swap_bytes(low, 8) + high + _fold(low, high))


def _mix_16(data: bytes, offset: int, secret_offset: int) -> int:
    return _fold(
        _word(data, offset) ^ _word(SECRET, secret_offset),
        _word(data, offset + 8) ^ _word(SECRET, secret_offset + 8),
    )


def _hash_17_to_128(data: bytes) -> int:
    size = len(data)
    mixed = size * PRIME64_1
    for pair in range((size - 1) // 32 + 1):
        mixed += _mix_16(data, 16 * pair, 32 * pair)
        mixed += _mix_16(data, size - 16 * (pair + 1), 32 * pair + 16)
    return _avalanche(mixed)


def _hash_129_to_240(data: bytes) -> int:
    size = len(data)
    mixed = size * PRIME64_1
    for piece in range(8):
        mixed += _mix_16(data, 16 * piece, 16 * piece)
    mixed = _avalanche(mixed)
    for piece in range(8, size // 16):
        mixed += _mix_16(data, 16 * piece, 16 * (piece - 8) + 3)
    return _avalanche(mixed + _mix_16(data, size - 16, 136 - 17))


def _accumulate(lanes: list, words: tuple, secret: tuple) -> list:
    """Adds whole stripes, given as words, to the eight lanes."""
    products = []
    for word, key in zip(words, secret):
        keyed = word ^ key
        products.append((keyed & LOW32) * (keyed >> 32))
    return [
        (lanes[lane] + sum(products[lane::8]) + sum(words[lane ^ 1 :: 8])) & LOW64
        for lane in range(8)
    ]


def _scramble(lanes: list) -> list:
    return [
        ((lane ^ (lane >> 47) ^ key) * PRIME32_1) & LOW64
        for lane, key in zip(lanes, SCRAMBLE_SECRET)
    ]


def _hash_long(data: bytes) -> int:
    size = len(data)
    lanes = list(LANES_AT_START)
    # The last byte is never in a whole block or a whole stripe: the last stripe, which ends with
    # the input and may overlap the one before, takes it.
    blocks = (size - 1) // BLOCK_BYTES
    for block in range(blocks):
        words = struct.unpack_from("<128Q", data, block * BLOCK_BYTES)
        lanes = _scramble(_accumulate(lanes, words, BLOCK_SECRET))
    stripes = (size - 1 - blocks * BLOCK_BYTES) // STRIPE_BYTES
    words = struct.unpack_from("<%dQ" % (8 * stripes), data, blocks * BLOCK_BYTES)
    lanes = _accumulate(lanes, words, BLOCK_SECRET)
    words = struct.unpack_from("<8Q", data, size - STRIPE_BYTES)
    lanes = _accumulate(lanes, words, LAST_STRIPE_SECRET)
    mixed = size * PRIME64_1
    for pair in range(0, 8, 2):
        mixed += _fold(lanes[pair] ^ MERGE_SECRET[pair], lanes[pair + 1] ^ MERGE_SECRET[pair + 1])
    return _avalanche(mixed)


def xxh3_64(data: bytes) -> int:
    """XXH3_64bits(data), seed 0, default secret, as an integer below 2^64."""
    size = len(data)
    if size <= 16:
        return _hash_0_to_16(data)
    if size <= 128:
        return _hash_17_to_128(data)
    if size <= 240:
        return _hash_129_to_240(data)
    return _hash_long(data)
