#!/usr/bin/env python3
"""serve_books.py: STATS and KEPT asked while others send: whole batches only, own requests exactly.

MR_CONTESTANT=FOLDER names the contestant; one that lib/serve serves.
"""

import os
import sys
import threading
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "support")]

import contestant_server  # noqa: E402
import wire_client  # noqa: E402
from wire_client import BATCH, frame  # noqa: E402

RECORD = (b'{"id":5942859575,"timestamp":1764054335349840,"source":"sensor-1186","kind":"event",'
          b'"value":-268.6222,"flags":["urgent"],"message":"india delta alpha bravo"}')
DIGEST = 0x954A84D7A74FBBB4
COUNT = 9  # records a batch
PAYLOAD = b"[" + b",".join([RECORD] * COUNT) + b"]"
SENDERS = 6
BATCHES = 1600  # a sender


class Books(unittest.TestCase):
    def setUp(self):
        self.faults = []

    def send_all(self, client: wire_client.Client):
        """Eight in flight; a rejected batch now and then."""
        try:
            for begin in range(0, BATCHES, 8):
                client.send(b"".join(frame(BATCH, begin + index, PAYLOAD) for index in range(8)) +
                            frame(BATCH, 2**40, b"[nothing]"))
                for index in range(8):
                    ack = wire_client.unpack_ack(client.recv_frame(), begin + index)
                    if (ack.status, ack.records, ack.digest) != (0, COUNT, COUNT * DIGEST % 2**64):
                        raise wire_client.WireFault("wrong answer: %r" % (ack,))
                wire_client.unpack_ack(client.recv_frame(), 2**40)
        except Exception as fault:  # noqa: BLE001 (told by the main thread)
            self.faults.append(fault)

    def check_totals(self, totals: dict) -> int:
        """Whatever the moment: every figure is a whole number of batches."""
        number = {key: int(value, 16) for key, value in totals.items()
                  if isinstance(value, str)}
        batches = number["batches_accepted"]
        self.assertEqual(number["records"], batches * COUNT)
        self.assertEqual(number["digest"], batches * COUNT * DIGEST % 2**64)
        self.assertEqual(number["payload_bytes"], batches * len(PAYLOAD))
        self.assertEqual([int(kind, 16) for kind in totals["kinds"]],
                         [0, batches * COUNT, 0, 0, 0, 0, 0, 0])
        self.assertEqual(number["message_bytes"], batches * COUNT * 23)
        self.assertEqual(number["value_sum"], -int(268.6222 * 1024) * batches * COUNT % 2**64)
        return batches

    def check_kept(self, kept: dict) -> int:
        batches = int(kept["batches"], 16)
        self.assertLessEqual(batches, 64 * (SENDERS + 1))
        self.assertEqual(int(kept["records"], 16), batches * COUNT)
        self.assertEqual(int(kept["digest"], 16), batches * COUNT * DIGEST % 2**64)
        return batches

    def watch(self, server: wire_client.Server, mode: str):
        """Asks while the senders send; what it sees never goes back."""
        senders = [server.connect() for _ in range(SENDERS)]
        threads = [threading.Thread(target=self.send_all, args=(client,)) for client in senders]
        with server.connect() as client:
            for thread in threads:
                thread.start()
            own, seen, asked = 0, 0, 0
            while any(thread.is_alive() for thread in threads):
                client.send_frame(BATCH, PAYLOAD, sequence=own)
                self.assertEqual(wire_client.unpack_ack(client.recv_frame(), own).records, COUNT)
                own += 1
                batches = self.check_totals(client.stats())
                self.assertGreaterEqual(batches, max(own, seen + 1))
                seen = batches
                kept = self.check_kept(client.kept())
                self.assertGreaterEqual(kept, 0 if mode == "totals" else min(own, 64))
                asked += 1
            for thread in threads:
                thread.join()
            self.assertEqual(self.faults, [])
            self.assertGreater(asked, 3)
            totals = client.stats()
            self.assertEqual(self.check_totals(totals), SENDERS * BATCHES + own)
            self.assertEqual(int(totals["batches_rejected"], 16), SENDERS * BATCHES // 8)
            wanted = 0 if mode == "totals" else SENDERS * 64 + min(own, 64)
            self.assertEqual(self.check_kept(client.kept()), wanted)
            for sender in senders:
                sender.close()

    def test_while_others_send(self):
        for mode in ("totals", "keep", "fresh"):
            for threads in ("1", "2"):
                with self.subTest(mode=mode, threads=threads):
                    with contestant_server.serve(mode, "--threads", threads) as server:
                        self.watch(server, mode)

    def test_while_connections_come_and_go(self):
        """Rings leave with their connections; totals stay."""
        with contestant_server.serve("keep", "--threads", "2") as server, server.connect() as client:
            stop = threading.Event()
            threads = [threading.Thread(target=self.come_and_go, args=(server, stop, number))
                       for number in range(3)]
            for thread in threads:
                thread.start()
            seen = 0
            for _ in range(60):
                self.check_kept(client.kept())
                batches = self.check_totals(client.stats())
                self.assertGreaterEqual(batches, seen)
                seen = batches
            stop.set()
            for thread in threads:
                thread.join()
            self.assertEqual(self.faults, [])
            deadline = threading.Event()
            threading.Timer(1.0, deadline.set).start()
            while self.check_kept(client.kept()) > 0:
                self.assertFalse(deadline.is_set(), "a ring outlived its connection by a second")

    def come_and_go(self, server: wire_client.Server, stop: threading.Event, number: int):
        try:
            while not stop.is_set():
                with server.connect() as client:
                    for _ in range(5):
                        client.batch(PAYLOAD)
                    if number == 0:
                        client.half_close()
                        client.recv_end()
                    elif number == 1:
                        client.send(b"nonsense, and far too much of it")
        except Exception as fault:  # noqa: BLE001 (told by the main thread)
            self.faults.append(fault)


if __name__ == "__main__":
    unittest.main()
