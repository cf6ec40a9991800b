#!/usr/bin/env python3
"""serve_pressure.py: clients that do not read, send without end, or send by the byte: the others notice nothing.

MR_CONTESTANT=FOLDER names the contestant; one that lib/serve serves.
"""

import os
import random
import socket
import sys
import threading
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "support")]

import contestant_server  # noqa: E402
import wire_client  # noqa: E402
from wire_client import BATCH, HELLO, KEPT, STATS, frame  # noqa: E402

ONE = (b'[{"id":5942859575,"timestamp":1764054335349840,"source":"sensor-1186","kind":"event",'
       b'"value":-268.6222,"flags":["urgent"],"message":"india delta alpha bravo"}]')
ONE_DIGEST = 0x954A84D7A74FBBB4
WAIT_S = 5.0  # a judgement of "answered while others are busy", generous on purpose


def batch_of(count: int) -> bytes:
    return b"[" + b",".join([ONE[1:-1]] * count) + b"]"


class Pressure(unittest.TestCase):
    threads = os.environ.get("MR_THREADS", "1")

    def serve(self, mode: str = "keep", *args: str) -> wire_client.Server:
        server = contestant_server.serve(mode, "--threads", self.threads, *args)
        server.__enter__()
        self.addCleanup(server.__exit__, None)
        return server

    def connect(self, server: wire_client.Server) -> wire_client.Client:
        client = server.connect()
        self.addCleanup(client.close)
        return client

    def requests(self, seed: int, count: int) -> list:
        rng = random.Random(seed)
        return [(rng.choice((BATCH, BATCH, STATS, STATS, STATS, HELLO, KEPT)), rng.getrandbits(64))
                for _ in range(count)]

    @staticmethod
    def payload_of(kind: int, sequence: int) -> bytes:
        if kind != BATCH:
            return b""
        # The spaces make the requests more than the buffers of both kernels take.
        return (ONE, b"[]", b"{" + b" " * 8000, batch_of(20), b"")[sequence % 5]

    def check(self, reply: wire_client.Frame, kind: int, sequence: int, counts: list):
        """`counts`: accepted and rejected batches so far."""
        self.assertEqual((reply.kind, reply.sequence), (kind | 0x80, sequence))
        if kind == BATCH:
            ack = wire_client.unpack_ack(reply, sequence)
            records = (1, 0, None, 20, None)[sequence % 5]
            self.assertEqual(ack.status, int(records is None))
            self.assertEqual(ack.records, records or 0)
            self.assertEqual(ack.digest, (records or 0) * ONE_DIGEST % 2**64)
            counts[ack.status] += 1
        elif kind == STATS:
            totals = reply.json()["totals"]
            self.assertEqual([int(totals[key], 16) for key in ("batches_accepted", "batches_rejected")],
                             counts)

    def send_until_full(self, client: wire_client.Client, data: bytes) -> int:
        """Sends until the server takes no more for half a second; the number of bytes taken."""
        client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 16)
        client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
        client.socket.settimeout(0.5)
        at = 0
        try:
            while at < len(data):
                at += client.socket.send(data[at : at + 65536])
        except TimeoutError:
            pass
        client.socket.settimeout(wire_client.TIMEOUT_S)
        return at

    def test_not_reading_then_reading(self):
        """Every reply comes, in order, each STATS exact, after the server had stopped for long."""
        server = self.serve("totals")
        other, client = self.connect(server), self.connect(server)
        requests = self.requests(3, 40000)
        data = b"".join(frame(kind, sequence, self.payload_of(kind, sequence))
                        for kind, sequence in requests)
        at = self.send_until_full(client, data)
        self.assertLess(at, len(data), "the server took everything of a client that does not read")
        self.assertEqual(other.kept()["batches"], "%016x" % 0)
        sender = threading.Thread(target=client.send, args=(data[at:],))
        sender.start()
        counts = [0, 0]
        for kind, sequence in requests:
            self.check(client.recv_frame(), kind, sequence, counts)
        sender.join(WAIT_S)
        self.assertFalse(sender.is_alive())
        self.assertGreater(min(counts), 1000)

    def test_not_reading_then_half_closing(self):
        """All whole frames are answered even if the end came while the server did not read."""
        server = self.serve("totals")
        client = self.connect(server)
        requests = self.requests(4, 20000)
        data = b"".join(frame(kind, sequence, self.payload_of(kind, sequence))
                        for kind, sequence in requests)
        at = self.send_until_full(client, data)
        client.half_close()
        ends, end = [], 0
        for kind, sequence in requests:
            end += wire_client.HEAD.size + len(self.payload_of(kind, sequence))
            ends.append(end)
        whole = sum(end <= at for end in ends)
        self.assertGreater(whole, 100)
        counts = [0, 0]
        for kind, sequence in requests[:whole]:
            self.check(client.recv_frame(), kind, sequence, counts)
        client.recv_end()

    def test_fairness(self):
        """While some send without end, another one is answered and new ones are accepted."""
        server = self.serve("totals")
        stop = threading.Event()
        busy = [self.connect(server) for _ in range(4)]
        threads = [threading.Thread(target=self.flood, args=(client, stop)) for client in busy]
        threads += [threading.Thread(target=self.swallow, args=(client, stop)) for client in busy]
        for thread in threads:
            thread.start()
        try:
            time.sleep(0.2)
            calm = self.connect(server)
            slowest = 0.0
            for _ in range(30):
                begin = time.monotonic()
                self.assertEqual(calm.batch(ONE).records, 1)
                with server.connect() as fresh:
                    self.assertEqual(fresh.batch(b"[]").status, 0)
                slowest = max(slowest, time.monotonic() - begin)
            self.assertLess(slowest, WAIT_S)
        finally:
            stop.set()
            for client in busy:
                client.socket.shutdown(socket.SHUT_RDWR)
            for thread in threads:
                thread.join(WAIT_S)

    @staticmethod
    def flood(client: wire_client.Client, stop: threading.Event):
        data = frame(BATCH, 1, batch_of(200)) * 8
        try:
            while not stop.is_set():
                client.send(data)
        except OSError:
            pass

    @staticmethod
    def swallow(client: wire_client.Client, stop: threading.Event):
        try:
            while not stop.is_set() and client.socket.recv(1 << 16):
                pass
        except OSError:
            pass

    def test_a_large_frame_in_drops(self):
        """16 MiB by small pieces while another connection works."""
        server = self.serve("totals")
        slow, quick = self.connect(server), self.connect(server)
        payload = batch_of(20).ljust(16 << 20)
        data = frame(BATCH, 77, payload) + frame(STATS, 78)
        step = len(data) // 150
        count = 0
        for at in range(0, len(data), step):
            slow.send(data[at : at + step])
            self.assertEqual(quick.batch(ONE).records, 1)
            count += 1
        self.assertEqual(wire_client.unpack_ack(slow.recv_frame(), 77).records, 20)
        totals = slow.recv_frame().json()["totals"]
        self.assertIn(int(totals["records"], 16), (20 + count - 1, 20 + count))
        self.assertEqual(int(quick.stats()["records"], 16), 20 + count)

    def test_half_close_byte_by_byte(self):
        server = self.serve("keep")
        client = self.connect(server)
        data = frame(BATCH, 1, ONE) + frame(HELLO, 2) + frame(BATCH, 3, b"") + frame(BATCH, 4, ONE)
        for at in range(len(data) - 1):
            client.send(data[at : at + 1])
        client.half_close()
        self.assertEqual(wire_client.unpack_ack(client.recv_frame(), 1).digest, ONE_DIGEST)
        self.assertEqual(client.recv_frame().json()["mode"], "keep")
        self.assertEqual(wire_client.unpack_ack(client.recv_frame(), 3).status, 1)
        client.recv_end()
        totals = self.connect(server).stats()
        self.assertEqual((totals["records"], totals["payload_bytes"]),
                         ("%016x" % 1, "%016x" % len(ONE)))


if __name__ == "__main__":
    unittest.main()
