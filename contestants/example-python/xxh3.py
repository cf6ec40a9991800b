"""xxh3.py: XXH3_64bits (seed 0, default secret) for the 33 bytes and more of a canonical form."""

from operator import xor
from struct import unpack_from

SECRET = bytes.fromhex("""
    b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221
    b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8
    a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb
    170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e
""")
M64 = (1 << 64) - 1
SIZE_FACTOR = 0x9E3779B185EBCA87
LANES = [0xC2B2AE3D, 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9,
         0x85EBCA77C2B2AE63, 0x85EBCA77, 0x27D4EB2F165667C5, 0x9E3779B1]
# The secret that meets each of the 128 words of a block: 16 stripes of 8, each 8 bytes further on.
BLOCK_KEYS = [key for stripe in range(16) for key in unpack_from("<8Q", SECRET, 8 * stripe)]
SCRAMBLE_KEYS = unpack_from("<8Q", SECRET, 128)
LAST_KEYS = unpack_from("<8Q", SECRET, 121)
FINAL_KEYS = unpack_from("<8Q", SECRET, 11)


def fold(a, b):
    product = a * b
    return product >> 64 ^ product & M64


def avalanche(h):
    h &= M64
    h = (h ^ h >> 37) * 0x165667919E3779F9 & M64
    return h ^ h >> 32


def mix16(data, at, secret_at):
    (a, b), (k, l) = unpack_from("<2Q", data, at), unpack_from("<2Q", SECRET, secret_at)
    return fold(a ^ k, b ^ l)


def medium(data, size):
    """33 to 240 bytes."""
    h = size * SIZE_FACTOR
    if size <= 128:
        for i in range((size + 31) // 32):
            h += mix16(data, 16 * i, 32 * i) + mix16(data, size - 16 * i - 16, 32 * i + 16)
        return avalanche(h)
    h = avalanche(h + sum(mix16(data, 16 * i, 16 * i) for i in range(8)))
    h += sum(mix16(data, 16 * i, 16 * i - 125) for i in range(8, size // 16))
    return avalanche(h + mix16(data, size - 16, 119))


def stripes(lanes, words, keys):
    """Each word meets its key; halves of the result are multiplied, the word goes next door."""
    products = [(x & 0xFFFFFFFF) * (x >> 32) for x in map(xor, words, keys)]
    return [lanes[i] + sum(products[i::8]) + sum(words[i ^ 1::8]) & M64 for i in range(8)]


def long(data, size):
    lanes, at = LANES, 0
    while size - at > 1024:
        lanes = stripes(lanes, unpack_from("<128Q", data, at), BLOCK_KEYS)
        lanes = [(x ^ x >> 47 ^ k) * 0x9E3779B1 & M64 for x, k in zip(lanes, SCRAMBLE_KEYS)]
        at += 1024
    lanes = stripes(lanes, unpack_from("<%dQ" % ((size - at - 1) // 64 * 8), data, at), BLOCK_KEYS)
    lanes = stripes(lanes, unpack_from("<8Q", data, size - 64), LAST_KEYS)
    x = list(map(xor, lanes, FINAL_KEYS))
    return avalanche(size * SIZE_FACTOR + sum(fold(x[i], x[i + 1]) for i in (0, 2, 4, 6)))


def xxh3(data):
    size = len(data)
    return long(data, size) if size > 240 else medium(data, size)
