"""make_batches.py: seeded batches of every shape for tests that are written in Python.

Not the lab's datasets: small and wild texts whose one purpose is to reach every path of a reader.
"""

import random
import struct

KINDS = "metric event log trace alert audit span state".split()
FLAGS = "urgent sampled retry internal encrypted batched partial replayed".split()
WORDS = "india delta alpha bravo grüße 東京 🚀 naïve \u0001 \" \\ / \t ﷽ 𝔘 \uffff \x7f".split(" ")

TIES = ("1.00000000000000011102230246251565404236316680908203125", "281474976710656.03125",
        "-1.00000000000000033306690738754696212708950042724609375", "-562949953421312.03125")


def _space(rng: random.Random) -> str:
    return rng.choice(("", "", "", "", " ", "\n", "\r\n\t", "   "))


def _escaped(rng: random.Random, character: str) -> str:
    code_point = ord(character)
    if code_point > 0xFFFF:
        high, low = divmod(code_point - 0x10000, 0x400)
        return "\\u%04x\\u%04X" % (0xD800 + high, 0xDC00 + low)
    short = {'"': '\\"', "\\": "\\\\", "/": "\\/", "\n": "\\n", "\t": "\\t", "\b": "\\b"}
    if character in short and rng.random() < 0.7:
        return short[character]
    return "\\u%04x" % code_point


def string(rng: random.Random, text: str, escapes: float) -> str:
    """The JSON string of `text`; a share of `escapes` of its characters is escaped needlessly."""
    pieces = []
    for character in text:
        must = character in '"\\' or ord(character) < 0x20
        pieces.append(_escaped(rng, character) if must or rng.random() < escapes else character)
    return '"%s"' % "".join(pieces)


def number(rng: random.Random) -> str:
    """A number token inside the range of `value`: of any length, notation and exponent."""
    style = rng.randrange(7)
    if style == 0:
        return "%.*f" % (rng.randrange(8), rng.uniform(-1e6, 1e6))
    if style == 1:
        return str(rng.randrange(-(10**15), 10**15))
    if style == 2:
        bits = rng.getrandbits(64) & ~(1 << 62)  # below 2 in magnitude, down to subnormals
        return repr(struct.unpack("<d", struct.pack("<Q", bits))[0])
    if style == 3:
        return "%d.%sE%+d" % (rng.randrange(10), str(rng.getrandbits(200)), rng.randrange(-340, 14))
    if style == 4:
        return rng.choice(("-0", "0", "-0.0", "0e5", "1e15", "-1E15", "5e-324", "0.1", "1e-400"))
    if style == 5:
        # Halfway between two doubles; zeros behind change nothing, however many, a digit does.
        zeros = rng.choice((0, 1, 700, 713, 714, 715, 716, 746, 747, 748, 760, 800, 900))
        return rng.choice(TIES) + "0" * zeros + rng.choice(("", "", "1"))
    return "%s0.%s" % (rng.choice(("", "-")), "0" * rng.randrange(30) + str(rng.getrandbits(2000)))


def record(rng: random.Random, escapes: float = 0.1) -> str:
    """One record that the contract accepts, its keys in any order."""
    text = " ".join(rng.choice(WORDS) for _ in range(rng.randrange(40)))
    source = "sensor-%d%s" % (rng.randrange(9999), rng.choice(WORDS))
    flags = rng.sample(FLAGS, rng.choice((0, 0, 1, 1, 2, 3, 8)))
    members = {
        "id": str(rng.randrange(2**63)),
        "timestamp": str(rng.randrange(253402300800000000)),
        "source": string(rng, source, escapes),
        "kind": string(rng, rng.choice(KINDS), escapes if rng.random() < 0.1 else 0),
        "value": number(rng),
        "flags": "[%s]" % ("%s,%s" % (_space(rng), _space(rng))).join(
            string(rng, flag, 0) for flag in flags),
        "message": string(rng, text[:900], escapes),
    }
    keys = list(members)
    rng.shuffle(keys)
    pieces = []
    for key in keys:
        name = string(rng, key, 0.2 if rng.random() < 0.02 else 0)
        pieces.append(_space(rng) + name + _space(rng) + ":" + _space(rng) + members[key])
    return "{%s%s}" % (",".join(pieces), _space(rng))


def batch(rng: random.Random, records: int, escapes: float = 0.1) -> bytes:
    """A batch of `records` records that the contract accepts."""
    pieces = [_space(rng) + record(rng, escapes) + _space(rng) for _ in range(records)]
    return ("%s[%s]%s" % (_space(rng), ",".join(pieces), _space(rng))).encode("utf-8")


def damaged(rng: random.Random, payload: bytes) -> bytes:
    """`payload` with one to three bytes exchanged, removed or put in; often a fault, not always."""
    text = bytearray(payload)
    alphabet = b'"\\{}[],:0123456789eE+-. \n\tuUdDcCaAfF/bnrt\x00\x1f\x7f\x80\xbf\xc0\xe0\xed\xf4\xff'
    for _ in range(rng.randrange(1, 4)):
        place = rng.randrange(len(text) + 1)
        action = rng.randrange(4)
        if action == 0:
            text[place : place + 1] = bytes([rng.choice(alphabet)])
        elif action == 1:
            text[place:place] = bytes([rng.choice(alphabet)])
        elif action == 2:
            del text[place : place + rng.choice((1, 1, 2, 6))]
        else:
            begin = rng.randrange(len(text) + 1)
            text[place:place] = text[begin : begin + rng.randrange(1, 12)]
    return bytes(text)
