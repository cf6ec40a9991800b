#!/usr/bin/env python3
"""reference_selftest.py: the reference against what others say: a hash library, Python's floats, itself.

Its two paths (the general reader, and the regular expressions that may only accept) must agree. With MR_LONG=1 four times
as much is drawn and gone through.
"""

import ctypes
import math
import os
import random
import struct
import sys
import unittest
from fractions import Fraction

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [ROOT, os.path.join(ROOT, "tests", "support")]

import make_batches  # noqa: E402
from reference import batch, decimal_exact, fast_path, json_strict, record, xxh3  # noqa: E402

SEED = 20240229
LONG = os.environ.get("MR_LONG") == "1"
TURNS = 4 if LONG else 1
EXAMPLE = (b'{"id":5942859575,"timestamp":1764054335349840,"source":"sensor-1186","kind":"event",'
           b'"value":-268.6222,"flags":["urgent"],"message":"india delta alpha bravo"}')


def with_member(key: bytes, old: bytes, new: bytes) -> bytes:
    """The example as a batch, with another value of one key."""
    text = EXAMPLE.replace(b'"%s":%s' % (key, old), b'"%s":%s' % (key, new))
    assert text != EXAMPLE
    return b"[" + text + b"]"


def with_message(text: bytes) -> bytes:
    return with_member(b"message", b'"india delta alpha bravo"', b'"' + text + b'"')


def with_value(token: bytes) -> bytes:
    return with_member(b"value", b"-268.6222", token)


def float_bits(number: float) -> int:
    return struct.unpack("<Q", struct.pack("<d", number))[0]


def bits_float(bits: int) -> float:
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


class Digest(unittest.TestCase):
    def test_xxh3_equals_the_library(self):
        try:
            library = ctypes.CDLL("libxxhash.so.0").XXH3_64bits
        except OSError:
            self.skipTest("libxxhash.so.0 is not here")
        library.restype = ctypes.c_uint64
        library.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
        rng = random.Random(SEED)
        sizes = [*range(0, 2200), *range(3050, 3100), *range(4080, 4200), 16384, 65536, 100001]
        for size in sizes:
            data = rng.randbytes(size)
            self.assertEqual(xxh3.xxh3_64(data), library(data, size), "%d bytes" % size)

    def test_the_contract_s_example(self):
        answer = batch.answer(b"[" + EXAMPLE + b"]")
        self.assertEqual(answer[:3], (0, 1, 0x954A84D7A74FBBB4))
        self.assertEqual(batch.answer(b"[]")[:3], (0, 0, 0))


class Decimals(unittest.TestCase):
    def equal_to_float(self, token: str):
        self.assertEqual(decimal_exact.to_bits(token.encode()), float_bits(float(token)),
                         token if len(token) < 100 else "%s… (%d)" % (token[:100], len(token)))

    def test_random_tokens(self):
        rng = random.Random(SEED)
        for _ in range(5000 * TURNS):
            self.equal_to_float(make_batches.number(rng))
            self.equal_to_float(repr(abs(bits_float(rng.getrandbits(63) % (0x7FF << 52)))))
            self.equal_to_float("%d.%de%d" % (rng.randrange(10), rng.getrandbits(90),
                                              rng.randrange(-345, 310)))

    def test_halfway_points_and_their_neighbours(self):
        rng = random.Random(SEED)
        chosen = [0, 1, 2, (1 << 52) - 1, 1 << 52, (0x7FE << 52) | (1 << 52) - 1]
        chosen += [rng.getrandbits(63) % (0x7FF << 52) for _ in range(100 * TURNS)]
        for bits in chosen:
            above = Fraction(bits_float(bits + 1)) if bits + 1 < 0x7FF << 52 else Fraction(2**1024)
            digits, power = self.exact_decimal((Fraction(bits_float(bits)) + above) / 2)
            for text, power_off in ((digits, 0), (digits + "0" * 900 + "1", -901),
                                    (str(int(digits) - 1) + "9" * 900, -900)):
                token = "%se%d" % (text, power + power_off)
                self.equal_to_float(token)

    @staticmethod
    def exact_decimal(number: Fraction) -> tuple:
        """Digits and power of ten of a fraction whose denominator is a power of two."""
        twos = number.denominator.bit_length() - 1
        return str(number.numerator * 5**twos), -twos

    def test_millions_of_digits(self):
        tokens = ["1" * 10**6 + "e-999990", "0." + "0" * 10**6 + "1e1000001", "1e" + "0" * 10**6 + "5",
                  "1e-" + "9" * 10**6, "-0." + "0" * 10**6, "0e" + "9" * 10**6, "0.1" + "0" * 10**6 + "1"]
        got = [decimal_exact.to_bits(token.encode()) for token in tokens]
        wanted = [1111111111.1111111111, 1.0, 1e5, 0.0, -0.0, 0.0, 0.1]
        self.assertEqual(got, [float_bits(number) for number in wanted])
        self.assertEqual(decimal_exact.to_bits(b"9e" + b"9" * 10**6), decimal_exact.INFINITY_BITS)

    def test_range_of_the_rounded_number(self):
        for token, accepted in ((b"1e15", True), (b"-1e15", True), (b"1000000000000000.0625", True),
                                (b"1000000000000000.06250000001", False), (b"1000000000000000.125", False),
                                (b"-1000000000000000.125", False), (b"1e400", False), (b"-1e309", False),
                                (b"1e-400", True), (b"-0", True), (b"1e16", False)):
            self.assertEqual(batch.answer(with_value(token)).status == 0, accepted, token)

    def test_integers(self):
        tokens = {b"0": True, b"00": False, b"-0": False, b"1.0": False, b"1e3": False, b"": False, b"+1": False}
        for key, old, most in ((b"id", b"5942859575", 2**63 - 1),
                               (b"timestamp", b"1764054335349840", 253402300799999999)):
            limits = {b"%d" % most: True, b"%d" % (most + 1): False, b"%d0" % most: False,
                      b"9" * 5000: False, b"%d" % 2**64: False}
            for token, accepted in {**tokens, **limits}.items():
                payload = with_member(key, old, token)
                for fast in (True, False):
                    answer = batch.judge(payload, fast).answer
                    self.assertEqual(answer.status == batch.ACCEPTED, accepted, (key, token))

    def test_order_and_scaling(self):
        rng = random.Random(SEED)
        numbers = [bits_float(float_bits(rng.uniform(-1e15, 1e15))) for _ in range(2000)]
        numbers += [0.0, -0.0, 5e-324, -5e-324, 1e15, -1e15, 1 / 1024, -1 / 1024, 0.9999 / 1024]
        for number in numbers:
            self.assertEqual(decimal_exact.scaled_1024(float_bits(number)), int(number * 1024), number)
        by_key = sorted(numbers, key=lambda number: decimal_exact.order_key(float_bits(number)))
        by_number = sorted(numbers, key=lambda number: (number, math.copysign(1, number)))
        self.assertEqual([float_bits(n) for n in by_key], [float_bits(n) for n in by_number])


class Texts(unittest.TestCase):
    def verdict(self, payload: bytes) -> bool:
        """Accepted? By both paths, which must agree."""
        fast, general = (batch.judge(payload, way).answer for way in (True, False))
        self.assertEqual(fast, general, payload[:200])
        return fast.status == batch.ACCEPTED

    def test_utf8_equals_python_s_strict_decoder(self):
        classes = [0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2]
        leads = [*range(0x80, 0x100)]
        texts = [bytes([lead, *tail]) for lead in leads for tail in self.tails(classes)]
        for text in texts:
            try:
                text.decode("utf-8", "strict")
                valid = True
            except UnicodeDecodeError:
                valid = False
            self.assertEqual(self.read_string(text), valid, text)

    @staticmethod
    def tails(classes: list) -> list:
        tails = [()]
        for size in range(3):
            tails += [(*tail, byte) for tail in tails if len(tail) == size for byte in classes]
        return tails

    @staticmethod
    def read_string(text: bytes) -> bool:
        try:
            return json_strict.read(b'"' + text + b'"', 1, 1).content == text
        except json_strict.JsonFault:
            return False

    def test_every_single_byte_and_unit(self):
        for byte in range(256):
            valid = 0x20 <= byte < 0x80 and byte not in b'"\\'
            self.assertEqual(self.verdict(with_message(bytes([byte]))), valid, byte)
            self.assertEqual(self.verdict(with_message(b"a%c " % byte)), valid, byte)
            valid = chr(byte) in '"\\/bfnrt'
            self.assertEqual(self.verdict(with_message(b"\\" + bytes([byte]))), valid, byte)
        for unit in range(0, 65536, 7 if LONG else 29):
            valid = not 0xD800 <= unit <= 0xDFFF
            self.assertEqual(self.verdict(with_message(b"\\u%04x" % unit)), valid, unit)
        for unit in (0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000):
            valid = not 0xD800 <= unit <= 0xDFFF
            self.assertEqual(self.verdict(with_message(b"\\u%04X" % unit)), valid, unit)

    def test_surrogate_pairs(self):
        for high, low in ((0xD800, 0xDC00), (0xD83D, 0xDE80), (0xDBFF, 0xDFFF)):
            wanted = struct.pack("<2H", high, low).decode("utf-16-le").encode()
            records = batch.judge(with_message(b"\\u%04x\\u%04X" % (high, low))).records
            self.assertEqual(records[0].message, wanted)
            self.assertFalse(self.verdict(with_message(b"\\u%04x\\u%04x" % (low, high))))
            self.assertFalse(self.verdict(with_message(b"\\u%04x\\u%04x" % (high, high))))
            self.assertFalse(self.verdict(with_message(b"\\u%04x x" % high)))

    def test_only_space_stands_around(self):
        whole = b"[" + EXAMPLE + b"]"
        for byte in map(bytes, zip(range(256))):
            accepted = byte in b" \t\n\r"
            for text in (whole + byte, byte + whole, whole[:-1] + byte + b"]", b"[" + byte + whole[1:],
                         whole.replace(b":", b":" + byte, 1), whole.replace(b":", byte + b":", 1)):
                with self.subTest(text=text[:60] + text[-20:]):
                    longer_id = b":" + byte + b"5" in text and byte in b"123456789"
                    self.assertEqual(self.verdict(text), accepted or longer_id)

    def test_every_mark_in_place_of_every_other(self):
        whole = b"[" + EXAMPLE.replace(b'["urgent"]', b'["urgent","retry"]') + b"," + EXAMPLE + b"]"
        self.assertTrue(self.verdict(whole))
        for place in range(len(whole)):
            if whole[place] in b'{}[],:"':
                for mark in [b"", b" ", *map(bytes, zip(b'{}[],:"0\\'))]:
                    changed = whole[:place] + mark + whole[place + 1 :]
                    self.assertEqual(self.verdict(changed), changed == whole, changed)

    def test_grammar(self):
        for text in (b"01", b"-01", b"1.", b"1.e5", b".5", b"-.5", b"+1", b"-", b"1e", b"1e+", b"1.5e-", b"--1",
                     b"0x10", b"1_0", b"Infinity", b"NaN", b"nul", b"truex", b"True", b"'a'", b"[1,]", b"[,1]",
                     b"[1 2]", b'{"a" 1}', b'{"a":1,}', b'{"a":}', b"{a:1}", b'{1:1}', b"[1}", b'{"a":1]', b"]",
                     b"}", b",", b":", b"/**/1", b"1//", b"", b" ", rb'"\x"', rb'"\U0041"', rb'"\u004"', b'"\\'):
            with self.assertRaises(json_strict.JsonFault, msg=text):
                json_strict.read(text, 9, 9)
        for text in (b"0", b"-0", b"1.5e+5", b"1E05", b"true", b"false", b"null", b'""', b"[[[]]]", b'{"":{}}'):
            json_strict.read(text, 9, 9)

    def test_cut_at_every_length(self):
        rng = random.Random(SEED)
        for text in (b"[" + EXAMPLE + b"]", make_batches.batch(rng, 2).strip()):
            for size in range(len(text)):
                self.assertFalse(self.verdict(text[:size]), size)
            self.assertTrue(self.verdict(text))

    def test_a_million_brackets(self):
        for text in (b"[" * 10**6, b'[{"flags":' * 10**5, b"[" * 10**6 + b"]" * 10**6, b'{"a":' * 10**6):
            self.assertFalse(self.verdict(text))

    def test_limit_of_records(self):
        small = EXAMPLE.replace(b"india delta alpha bravo", b"")
        full = b"[" + b",".join([small] * 65535) + b"]"
        self.assertEqual(batch.answer(full).records, 65535)
        self.assertEqual(batch.answer(full[:-1] + b"," + small + b"]").status, batch.REJECTED)
        self.assertIsNone(fast_path.read_batch(full[:-1] + b"," + small + b"]"))


class Paths(unittest.TestCase):
    def test_fast_path_equals_general_path(self):
        rng = random.Random(SEED)
        accepted = by_fast = damaged_accepted = 0
        for _ in range(1000 * TURNS):
            whole = make_batches.batch(rng, rng.randrange(4), rng.choice((0, 0.1, 1)))
            for payload in (whole, make_batches.damaged(rng, whole)):
                try:
                    general = record.read_batch(payload)
                except json_strict.JsonFault:
                    general = None
                fast = fast_path.read_batch(payload)
                self.assertIn(fast, (None, general), payload)
                by_fast += fast is not None
                accepted += general is not None
                damaged_accepted += general is not None and payload is not whole
        # Of the texts: half accepted by make, some damages do no harm, the fast path must work.
        self.assertGreaterEqual(accepted - damaged_accepted, 1000 * TURNS)
        self.assertGreater(damaged_accepted, 25 * TURNS)
        self.assertGreater(by_fast, 0.7 * accepted)


if __name__ == "__main__":
    program = unittest.main(exit=False)
    if not program.result.wasSuccessful():
        sys.exit(1)
    sys.exit(77 if program.result.skipped else 0)
