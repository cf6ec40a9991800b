#!/usr/bin/env python3
"""reference_example_wire.py: the sentences of the contract's section 5, each on a running server.

MR_CONTESTANT=FOLDER runs it on another contestant than the example.
"""

import json
import os
import socket
import struct
import sys
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "support")]

import contestant_server  # noqa: E402
import wire_client  # noqa: E402
from json_schema import Checker  # noqa: E402
from wire_client import BATCH, ERROR, HELLO, KEPT, STATS, frame  # noqa: E402

ONE = (b'[{"id":5942859575,"timestamp":1764054335349840,"source":"sensor-1186","kind":"event",'
       b'"value":-268.6222,"flags":["urgent"],"message":"india delta alpha bravo"}]')
ONE_DIGEST = 0x954A84D7A74FBBB4
WELCOME_KEYS = {"contestant", "version", "language", "runtime", "mode", "threads", "pid", "kernel",
                "build_flags", "libraries", "knobs"}
UNSENT_MAX = 1 << 20
STUFF_MAX = 24 << 20  # more than the kernel's buffers take on both sides


def follows(schema: str, value) -> list:
    """What is wrong with a reply by one of schemas/."""
    with open(os.path.join(ROOT, "schemas", schema), encoding="utf-8") as file:
        return Checker(json.load(file)).faults(value)


class Served(unittest.TestCase):
    """Starts one server for a test; `mode` and `args` may be set by the class."""

    mode = "keep"
    args = ()

    def setUp(self):
        self.server = contestant_server.serve(self.mode, *self.args)
        self.server.__enter__()
        self.addCleanup(lambda: self.server.__exit__(None))

    def connect(self) -> wire_client.Client:
        client = self.server.connect()
        self.addCleanup(client.close)
        return client

    def works(self, client: wire_client.Client):
        self.assertEqual(client.batch(ONE)[:3], (0, 1, ONE_DIGEST))


class Requests(Served):
    def test_welcome(self):
        client = self.connect()
        self.works(client)
        for _ in range(2):
            welcome = client.hello()
            self.assertLessEqual(WELCOME_KEYS, welcome.keys())
            self.assertEqual(welcome["contestant"], contestant_server.manifest()["name"])
            self.assertEqual((welcome["mode"], welcome["pid"]), ("keep", self.server.process.pid))
            self.assertEqual(follows("welcome.schema.json", welcome), [])

    def test_stats_reply_has_its_form(self):
        client = self.connect()
        reply = client.ask(STATS, wire_client.STATS_REPLY).json()
        self.assertEqual(follows("stats.schema.json", reply), [])
        self.assertEqual(reply.keys(), {"totals", "runtime"})
        self.assertIsNone(reply["totals"]["timestamp_min"])
        for value in [*self.scalars(reply)]:
            self.assertTrue(value is None or (len(value) == 16 and value == "%016x" % int(value, 16)))
        self.assertLessEqual({"gc_pause_ns", "gc_collections", "allocated_bytes", "compiled_methods"},
                             reply["runtime"].keys())

    def scalars(self, value):
        if isinstance(value, (dict, list)):
            for item in value.values() if isinstance(value, dict) else value:
                yield from self.scalars(item)
        else:
            yield value

    def test_replies_in_order_with_their_sequences(self):
        """A STATS holds what its connection asked before it, and nothing that it asked later."""
        client = self.connect()
        requests = [(BATCH, ONE), (STATS, b""), (BATCH, b"[1]"), (HELLO, b""), (BATCH, ONE), (KEPT, b""),
                    (STATS, b""), (BATCH, b"")] * 20
        sequences = [2**64 - 1 - 7 * index for index in range(len(requests))]
        client.send(b"".join(frame(kind, sequence, payload)
                             for (kind, payload), sequence in zip(requests, sequences)))
        accepted = rejected = 0
        for (kind, payload), sequence in zip(requests, sequences):
            reply = client.recv_frame()
            self.assertEqual((reply.kind, reply.sequence), (kind | 0x80, sequence))
            if kind == BATCH:
                accepted += payload == ONE
                rejected += payload != ONE
                self.assertEqual(wire_client.unpack_ack(reply, sequence).status, int(payload != ONE))
            elif kind == STATS:
                totals = reply.json()["totals"]
                self.assertEqual(int(totals["batches_accepted"], 16), accepted)
                self.assertEqual(int(totals["batches_rejected"], 16), rejected)
            elif kind == KEPT:
                self.assertEqual(int(reply.json()["batches"], 16), min(accepted, 64))

    def test_an_empty_batch_takes_a_place_and_a_rejected_one_none(self):
        client = self.connect()
        for _ in range(63):
            self.works(client)
        client.batch(b"[]")
        client.batch(b"[}")
        self.assertEqual(client.kept(), self.kept(64, 63))
        client.batch(b"[]")
        self.assertEqual(client.kept(), self.kept(64, 62))

    def test_minus_zero_is_below_zero(self):
        for values in ((b"0", b"-0"), (b"-0.0", b"0e1"), (b"0", b"-1e-400", b"0")):
            with contestant_server.serve(self.mode) as server, server.connect() as client:
                for value in values:
                    self.assertEqual(client.batch(ONE.replace(b"-268.6222", value)).status, 0)
                totals = client.stats()
                self.assertEqual((totals["value_min"], totals["value_max"], totals["value_sum"]),
                                 ("8000000000000000", "0000000000000000", "0000000000000000"), values)

    @staticmethod
    def kept(batches: int, records: int) -> dict:
        return {"batches": "%016x" % batches, "records": "%016x" % records,
                "digest": "%016x" % (records * ONE_DIGEST % 2**64)}


class Errors(Served):
    args = ("--max-payload", "200")

    def test_each_wrong_header(self):
        other = self.connect()
        wrong = [frame(kind, 77, b"x") for kind in (HELLO, STATS, KEPT)]
        wrong += [frame(kind, 77) for kind in (0, 5, 0x7F, 0x81, 0x82, ERROR)]
        wrong += [frame(BATCH, 77, ONE, version=version) for version in (0, 2, 255)]
        wrong += [frame(BATCH, 77, ONE, reserved=reserved) for reserved in (1, 0x100)]
        # Decided from the header: the payload isn't even sent.
        wrong += [wire_client.HEAD.pack(size, BATCH, 1, 0, 77) for size in (201, 2**32 - 1)]
        for number, data in enumerate(wrong):
            client = self.connect()
            client.send(frame(BATCH, 5, ONE) + data + frame(BATCH, 6, ONE))
            self.assertEqual(wire_client.unpack_ack(client.recv_frame(), 5).status, 0, data)
            client.half_close()
            self.assertGreater(len(client.recv_error(77)), 5, data)
            self.works(other)
            self.assertEqual(int(other.stats()["batches_accepted"], 16), 2 * (number + 1), data)

    def test_the_end_comes_within_a_second_without_the_client_s(self):
        client = self.connect()
        client.send(frame(9, 1))
        begin = time.monotonic()
        client.recv_error(1)
        self.assertLess(time.monotonic() - begin, 0.7)  # its side is shut down at once
        while time.monotonic() - begin < 5:
            try:
                client.send(b"x" * 100)  # is discarded, then meets a closed connection
            except OSError:
                break
            time.sleep(0.02)
        self.assertLess(time.monotonic() - begin, 2.5)
        self.assertGreater(time.monotonic() - begin, 0.5)

    def test_a_flood_behind_the_fault_does_not_lose_the_error(self):
        client = self.connect()
        client.send(frame(3, 8, b"!"))
        client.send(b"\0" * (4 << 20))
        client.half_close()
        client.recv_error(8)

    def test_the_longest_payload_is_taken(self):
        client = self.connect()
        self.assertEqual(client.batch(ONE + b" " * (200 - len(ONE))).status, 0)
        client.send(frame(BATCH, 3, ONE + b" " * (201 - len(ONE))))
        client.recv_error(3)


class Ends(Served):
    def test_half_close_answers_whole_frames_only(self):
        client = self.connect()
        client.send(frame(BATCH, 1, ONE) * 300 + frame(STATS, 2) + frame(BATCH, 3, ONE)[:-1])
        client.half_close()
        for _ in range(300):
            self.assertEqual(wire_client.unpack_ack(client.recv_frame(), 1).status, 0)
        self.assertEqual(client.recv_frame().sequence, 2)
        client.recv_end()
        self.assertEqual(int(self.connect().stats()["batches_accepted"], 16), 300)

    def test_half_close_within_a_header_or_at_once(self):
        for data in (b"", frame(STATS, 3)[:15]):
            client = self.connect()
            client.send(data)
            client.half_close()
            client.recv_end()

    def test_a_reset_takes_its_ring_along(self):
        other = self.connect()
        client = self.connect()
        self.works(client)
        self.assertEqual(int(other.kept()["records"], 16), 1)
        client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("<ii", 1, 0))
        client.close()
        self.wait_for_no_ring(other)

    def test_a_client_that_never_reads_takes_its_ring_along(self):
        other = self.connect()
        client = self.connect()
        self.works(client)
        self.stuff(client, frame(HELLO, 1) * 4096)
        self.assertEqual(int(other.kept()["records"], 16), 1)
        client.close()
        self.wait_for_no_ring(other)

    def wait_for_no_ring(self, other: wire_client.Client):
        deadline = time.monotonic() + 2  # 1 s by the contract; the rest is for a busy machine
        while int(other.kept()["records"], 16):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)

    def stuff(self, client: wire_client.Client, data: bytes) -> int:
        """Sends until the server takes no more; returns how many bytes it took."""
        client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 16)
        client.socket.settimeout(0.5)
        taken, ticks = 0, -1
        while taken < STUFF_MAX:
            try:
                taken += client.socket.send(data[taken % len(data) :])
            except TimeoutError:
                # On a busy machine it may only be slow: it has stopped when it does no work.
                before, ticks = ticks, self.cpu_ticks()
                if ticks == before:
                    client.socket.settimeout(wire_client.TIMEOUT_S)
                    return taken
        self.fail("the server took %d bytes of a client that does not read" % taken)

    def cpu_ticks(self) -> int:
        with open("/proc/%d/stat" % self.server.process.pid, encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])

    def test_back_pressure_stops_that_connection_only(self):
        other = self.connect()
        client = self.connect()
        request = frame(HELLO, 1)
        reply_bytes = wire_client.HEAD.size + len(client.ask(HELLO, wire_client.WELCOME).payload)
        before = self.memory_bytes()
        taken = self.stuff(client, request * 4096)
        self.assertGreater(taken // len(request) * reply_bytes, UNSENT_MAX)
        self.assertLess(self.memory_bytes() - before, 16 * UNSENT_MAX)
        self.works(other)
        for _ in range(taken // len(request)):
            self.assertEqual(client.recv_frame().sequence, 1)
        if taken % len(request):
            client.send(request[taken % len(request) :])
            client.recv_frame()
        self.works(client)

    def memory_bytes(self) -> int:
        """The most that the server had resident so far."""
        with open("/proc/%d/status" % self.server.process.pid, encoding="ascii") as file:
            line = next(line for line in file if line.startswith("VmHWM"))
        return int(line.split()[1]) << 10


class Limits(unittest.TestCase):
    def test_a_thousand_connections(self):
        with contestant_server.serve("keep") as server:
            clients = [server.connect() for _ in range(1024)]
            for client in clients:
                client.send_frame(BATCH, ONE)
            for client in clients:
                self.assertEqual(wire_client.unpack_ack(client.recv_frame(), 0).status, 0)
            self.assertEqual(int(clients[0].kept()["records"], 16), 1024)
            for client in clients:
                client.close()

    def test_max_connections(self):
        with contestant_server.serve("totals", "--max-connections", "3") as server:
            clients = [server.connect() for _ in range(3)]
            for client in clients:
                client.hello()
            for _ in range(4):
                with server.connect() as refused:
                    refused.send(frame(BATCH, 9, ONE))
                    reply = refused.recv_frame()
                    self.assertEqual(reply.kind, ERROR)
                    refused.recv_end()
            clients.pop().close()
            time.sleep(0.3)
            with server.connect() as client:
                self.assertEqual(client.batch(ONE).status, 0)
            for client in clients:
                self.assertEqual(client.batch(ONE).status, 0)
                client.close()

    def test_max_kept(self):
        big = b"[" + b",".join([ONE[1:-1].replace(b"india", b"i" * 4000)] * 10) + b"]"
        with contestant_server.serve("keep", "--max-kept", "200000") as server:
            with server.connect() as client, server.connect() as other:
                for _ in range(4):
                    self.assertEqual(client.batch(big).records, 10)
                sequence = client.send_frame(BATCH, big)
                client.recv_error(sequence)
                self.assertEqual(other.batch(big).records, 10)
        with contestant_server.serve("totals", "--max-kept", "1000") as server:
            with server.connect() as client:
                for _ in range(9):
                    self.assertEqual(client.batch(big).records, 10)

    def test_a_ring_that_stays_below_max_kept_goes_on(self):
        with contestant_server.serve("fresh", "--max-kept", "10000") as server:
            with server.connect() as client:
                for _ in range(500):  # 64 × 66 bytes at a time
                    self.assertEqual(client.batch(ONE).status, 0)


if __name__ == "__main__":
    unittest.main()
