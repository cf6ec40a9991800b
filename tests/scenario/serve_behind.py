#!/usr/bin/env python3
"""serve_behind.py: what stands behind a batch, the next frame's header, is never taken for a part of it.

A frame begins with its payload's length, so that its first byte may be `]`, `}`, a quote, a digit. Batches that lack
what this byte would give them are sent with such a frame behind, in one write; whole batches, too.
MR_CONTESTANT=FOLDER names the contestant; KERNEL=NAME is given to its --kernel.
"""

import os
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "support")]

import contestant_server  # noqa: E402
from wire_client import BATCH, frame, unpack_ack  # noqa: E402

RECORD = (b'{"id":5942859575,"timestamp":1764054335349840,"source":"sensor-1186","kind":"event",'
          b'"value":-268.6222,"flags":["urgent"],"message":"india delta alpha bravo"}')
DIGEST = 0x954A84D7A74FBBB4
WHOLE = b"[" + RECORD + b"]"
# Ends with flags: with `}` and `]` behind it, it would be whole.
FLAGS_LAST = (b'[{"id":5942859575,"timestamp":1764054335349840,"source":"sensor-1186","kind":"event",'
              b'"value":-268.6222,"message":"india delta alpha bravo","flags":["urgent"]}]')
VALUE_LAST = (b'[{"id":5942859575,"timestamp":1764054335349840,"source":"sensor-1186","kind":"event",'
              b'"flags":["urgent"],"message":"india delta alpha bravo","value":-268.6222}]')
BEHIND = b']}[{",:\\ 0158e.-+\n\t\x00utf\x7f\xff\xef'


def cut_batches() -> list:
    """Every beginning of four kinds of batches that ends near a bracket, and some that end elsewhere."""
    found = [b"[", b"[ ", b'["', b"[[]", b"[{}", b"", b" ", b"[1", b"[-", b"[" * 1025, b"[[" + RECORD + b"]"]
    for batch in (WHOLE, FLAGS_LAST, VALUE_LAST, b"[" + RECORD + b"," + RECORD + b"]"):
        found += [batch[:end] for end in range(len(batch) - 24, len(batch))]
        found += [batch[:end].ljust(64 * 6) for end in range(len(batch) - 4, len(batch))]
    return found


def second_payload(first_byte: int) -> bytes:
    """A whole batch whose frame begins with this byte."""
    return WHOLE.ljust(256 + first_byte)


class Behind(unittest.TestCase):
    def setUp(self):
        words = ["--kernel", os.environ["KERNEL"]] if os.environ.get("KERNEL") else []
        self.server = contestant_server.serve("keep", *words)
        self.server.__enter__()
        self.addCleanup(self.server.__exit__, None)

    def answers(self, payloads: list) -> list:
        """Sends all in one write; (status, records, digest) of each."""
        with self.server.connect() as client:
            client.send(b"".join(frame(BATCH, number, text) for number, text in enumerate(payloads)))
            return [unpack_ack(client.recv_frame(), number)[:3] for number in range(len(payloads))]

    def test_cut_batches_are_rejected(self):
        for first_byte in BEHIND:
            payloads = [part for cut in cut_batches() for part in (cut, second_payload(first_byte))]
            got = self.answers(payloads)
            for payload, rejected, accepted in zip(payloads[::2], got[::2], got[1::2]):
                self.assertEqual(rejected, (1, 0, 0), (chr(first_byte), payload))
                self.assertEqual(accepted, (0, 1, DIGEST), (chr(first_byte), payload))

    def test_whole_batches_are_accepted(self):
        for first_byte in BEHIND:
            for whole in (WHOLE, FLAGS_LAST, VALUE_LAST):
                payloads = [part for spaces in range(65) for part in (whole + b" " * spaces, second_payload(first_byte))]
                for got in self.answers(payloads):
                    self.assertEqual(got, (0, 1, DIGEST), (chr(first_byte), whole))

    def test_more_than_a_batch_is_rejected(self):
        for first_byte in BEHIND:
            payloads = [WHOLE + end for end in (b"]", b"[", b"{", b"}", b",", b" 1", b" ]", b"[]", b'"', b'""', b"\x00")]
            for got in self.answers([part for text in payloads for part in (text, second_payload(first_byte))])[::2]:
                self.assertEqual(got, (1, 0, 0), chr(first_byte))


if __name__ == "__main__":
    unittest.main()
