#!/usr/bin/env python3
"""serve_limits.py: the largest of everything, with answers that are known beforehand.

MR_CONTESTANT=FOLDER names the contestant; one that lib/serve serves.
"""

import os
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "support")]

import contestant_server  # noqa: E402
from wire_client import BATCH, frame  # noqa: E402

RECORD = (b'{"id":5942859575,"timestamp":1764054335349840,"source":"sensor-1186","kind":"event",'
          b'"value":-268.6222,"flags":["urgent"],"message":"india delta alpha bravo"}')
DIGEST = 0x954A84D7A74FBBB4
PAYLOAD_MAX = 16 << 20
# The value that `number` stands for is -268.6222 in all of these, exactly halfway or far away in none.
MILLION = 10**6
SAME_VALUES = (
    b"-268.6222" + b"0" * MILLION,
    b"-268.6222" + b"0" * MILLION + b"1",
    b"-2686222e-4",
    b"-2686222" + b"0" * 800 + b"e-804",
    b"-2686222" + b"0" * MILLION + b"e-1000004",
    b"-0." + b"0" * MILLION + b"2686222e1000003",
    b"-268.6222e" + b"0" * MILLION,
    b"-268.6222e-" + b"0" * MILLION,
    b"-268.6222e+000",
)
# Halfway between 1 and the next double and beyond the digits that any fixed memory holds.
HALFWAY = b"1.00000000000000011102230246251565404236316680908203125"
ABOVE_ONE = b"1.0000000000000002"


def batch_of(count: int, record: bytes = RECORD) -> bytes:
    return b"[" + b",".join([record] * count) + b"]"


def with_value(number: bytes) -> bytes:
    return b"[" + RECORD.replace(b"-268.6222", number) + b"]"


class Limits(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = contestant_server.serve("keep", "--max-kept", "1GiB")
        cls.server.__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.server.__exit__(None)

    def setUp(self):
        self.client = self.server.connect(60.0)
        self.addCleanup(self.client.close)

    def accepted(self, payload: bytes, count: int):
        ack = self.client.batch(payload)
        self.assertEqual(ack[:3], (0, count, count * DIGEST % 2**64), payload[:200])

    def rejected(self, payload: bytes):
        self.assertEqual(self.client.batch(payload)[:3], (1, 0, 0), payload[:200])

    def test_number_of_records(self):
        self.accepted(batch_of(65535), 65535)
        self.rejected(batch_of(65536))
        self.rejected(b"[" + b"0," * 70000 + b"0]")
        self.accepted(batch_of(1), 1)

    def test_longest_payload(self):
        payload = batch_of(1000)
        self.accepted(payload.ljust(PAYLOAD_MAX), 1000)
        self.accepted(payload.rjust(PAYLOAD_MAX), 1000)
        self.rejected(payload.ljust(PAYLOAD_MAX - 1) + b"]")
        self.rejected(b" " * PAYLOAD_MAX)
        self.rejected(b"[" * PAYLOAD_MAX)
        self.rejected(b'{"a":' * (PAYLOAD_MAX // 5))
        self.rejected(b"[1," + b"1," * (PAYLOAD_MAX // 2 - 2) + b"]")
        self.rejected(b'["' + b"\\" * (PAYLOAD_MAX - 4) + b'"]')
        self.accepted(payload, 1000)

    def test_one_byte_more(self):
        self.client.send((PAYLOAD_MAX + 1).to_bytes(4, "little") + frame(BATCH, 5)[4:])
        self.assertIn("16777217", self.client.recv_error(5))

    def test_long_numbers(self):
        for number in SAME_VALUES:
            self.accepted(with_value(number), 1)
        for number in (b"-268.6222" + b"0" * MILLION + b"e", b"-" + b"0" * MILLION + b"268.6222",
                       b"-268.6222" + b"0" * MILLION + b".", b"9" * MILLION, b"1e" + b"9" * MILLION,
                       b"-268.6222" + b"0" * MILLION + b"x", b"1e400" + b" " * 10, b"1e400"):
            self.rejected(with_value(number))
        self.rejected(with_value(b"1e400").replace(b"india", b"7" * 900))
        self.rejected(with_value(b"0").replace(b"5942859575", b"5" * 1000))
        self.rejected(with_value(b"0").replace(b"5942859575", b"0." + b"0" * 1000))

    def test_halfway_goes_to_even_however_long(self):
        one = self.client.batch(with_value(b"1"))[:3]
        above = self.client.batch(with_value(ABOVE_ONE))[:3]
        self.assertNotEqual(one, above)
        for zeros in (*range(690, 790), 5000, MILLION):
            number = HALFWAY + b"0" * zeros
            self.assertEqual(self.client.batch(with_value(number))[:3], one, zeros)
            self.assertEqual(self.client.batch(with_value(number + b"1"))[:3], above, zeros)
            negative = HALFWAY.replace(b".", b"") + b"0" * zeros + b"e-%d" % (zeros + 53)
            self.assertEqual(self.client.batch(with_value(negative))[:3], one, zeros)

    def test_a_long_number_is_found_wherever_it_stands(self):
        """Slid over more than any stride, between records that are as they are always."""
        one = self.client.batch(with_value(b"1"))
        number = HALFWAY + b"0" * 716  # the shortest that is too long for some
        for shift in range(0, 1400, 7):
            payload = b" " * shift + with_value(number) + b" " * (1400 - shift)
            self.assertEqual(self.client.batch(payload)[:3], one[:3], shift)
        many = batch_of(3)[:-1] + b"," + with_value(number)[1:-1] + b"," + batch_of(4)[1:]
        self.assertEqual(self.client.batch(many)[:3],
                         (0, 8, (7 * DIGEST + one.digest) % 2**64))


if __name__ == "__main__":
    unittest.main()
