#!/usr/bin/env python3
"""reference_example_limits.py: batches at the limits: 65,535 records, 16 MiB, very many digits, floods.

What the example answers must be what the reference says; MR_CONTESTANT=FOLDER tests another one. With MR_LONG=1 numbers
have a million digits instead of a hundred thousand, and floods 16 MiB instead of 2.
"""

import os
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [ROOT, os.path.join(ROOT, "tests", "support")]

import contestant_server  # noqa: E402
from reference import batch  # noqa: E402

PAYLOAD_MAX = 16 << 20
LONG = os.environ.get("MR_LONG") == "1"
DIGITS = 10**6 if LONG else 10**5
FLOOD_BYTES = PAYLOAD_MAX if LONG else 2 << 20
RECORD = (b'{"id":%d,"timestamp":2,"source":"s","kind":"log","value":%s,"flags":[],"message":"%s"}')


def record(value: bytes = b"1.5", message: bytes = b"", identity: int = 7) -> bytes:
    return RECORD % (identity, value, message)


def batch_of(records: list) -> bytes:
    return b"[" + b",".join(records) + b"]"


def padded(payload: bytes) -> bytes:
    """White space in front, up to the longest payload."""
    return payload.rjust(PAYLOAD_MAX)


def numbers() -> list:
    """Values of DIGITS digits and more, of every notation."""
    return [b"7" * DIGITS + b"e-%d" % (DIGITS - 10), b"-0." + b"0" * DIGITS + b"25e%d" % (DIGITS + 10),
            b"1" + b"0" * 14 + b"." + b"0" * DIGITS + b"1", b"1e" + b"0" * DIGITS + b"14",
            b"1e-" + b"9" * DIGITS, b"1000000000000000.0625" + b"0" * DIGITS,
            b"1000000000000000.0625" + b"0" * DIGITS + b"1", b"9" * DIGITS, b"1e" + b"9" * DIGITS,
            b"0e" + b"9" * DIGITS, b"-" + b"0" * DIGITS, b"1." + b"0" * DIGITS + b"x"]


class Limits(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = contestant_server.serve("keep", "--max-kept", str(1 << 30))
        cls.server.__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.server.__exit__(None)

    def setUp(self):
        self.client = self.server.connect(120.0)
        self.addCleanup(self.client.close)

    def agree(self, payload: bytes) -> int:
        """Contestant and reference say the same; returns the status."""
        wanted = batch.answer(payload)
        self.assertEqual(self.client.batch(payload)[:3], wanted[:3], wanted.error)
        return wanted.status

    def refuse(self, payload: bytes):
        """The contestant says that this is no JSON; no reader of ours takes seconds to agree."""
        self.assertEqual(self.client.batch(payload)[:3], (batch.REJECTED, 0, 0))

    def test_number_of_records(self):
        records = [record(b"%d.5" % (index % 977), b"m" * (index % 50), index) for index in range(65536)]
        self.assertEqual(self.agree(batch_of(records[:65535])), batch.ACCEPTED)
        self.assertEqual(self.agree(batch_of(records)), batch.REJECTED)
        self.refuse(batch_of(records[:65535])[:-1] + b",]")

    def test_sixteen_mebibytes(self):
        message = "grüße 東京 🚀 \\n\\u00e9\\ud83d\\ude00 ".encode() * 60
        records = [record(b"-%d.25e-3" % index, message, index) for index in range(6000)]
        payload = padded(batch_of(records))
        self.assertEqual(len(payload), PAYLOAD_MAX)
        self.assertEqual(self.agree(payload), batch.ACCEPTED)
        self.refuse(payload[:-1] + b"}")
        self.assertEqual(self.agree(padded(b"[]")), batch.ACCEPTED)
        self.assertEqual(self.agree(b" " * PAYLOAD_MAX), batch.REJECTED)

    def test_long_numbers(self):
        verdicts = [self.agree(batch_of([record(value)])) for value in numbers()]
        self.assertEqual(verdicts.count(batch.ACCEPTED), 7)
        for token in (b"9" * DIGITS, b"0" * DIGITS, b"-" + b"1" * DIGITS, b"1e" + b"0" * DIGITS):
            self.assertEqual(self.agree(batch_of([record().replace(b":7,", b":" + token + b",")])),
                             batch.REJECTED)

    def test_floods(self):
        """Texts that a careless reader answers by filling its memory or its stack."""
        for piece, end in ((b"[", b""), (b'[{"id":', b""), (b"1,", b"1]"), (b'"",', b'""]'), (b"{},", b"{}]"),
                           (b"[],", b"[]]"), (b'"\\u0041",', b"1]"), (b"null,", b"null]")):
            payload = (b"[" + piece * (FLOOD_BYTES // len(piece)))[: FLOOD_BYTES - len(end)] + end
            self.assertEqual(self.agree(payload), batch.REJECTED)
        for text in (b"\\n" * (FLOOD_BYTES // 2), "é".encode() * (FLOOD_BYTES // 4), b"a" * FLOOD_BYTES, b"\\" * 1001):
            self.assertEqual(self.agree(batch_of([record(message=text[:FLOOD_BYTES - 200])])),
                             batch.REJECTED)

    def test_long_texts(self):
        for unit, size in ((b"a", 1), ("é".encode(), 2), (b"\\u20AC", 3), ("🚀".encode(), 4),
                           (b"\\ud83d\\ude80", 4), (b"\\/", 1)):
            fits = 4096 // size
            rest = b"x" * (4096 - fits * size)
            self.assertEqual(self.agree(batch_of([record(message=unit * fits + rest)])), batch.ACCEPTED)
            self.assertEqual(self.agree(batch_of([record(message=unit * fits + rest + b"y")])),
                             batch.REJECTED)


if __name__ == "__main__":
    unittest.main()
