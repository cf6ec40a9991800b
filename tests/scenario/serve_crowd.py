#!/usr/bin/env python3
"""serve_crowd.py: many connections: how they spread, what they cost, and what happens beyond the limits.

MR_CONTESTANT=FOLDER names the contestant; one that lib/serve serves.
"""

import os
import subprocess
import sys
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "support")]

import contestant_server  # noqa: E402
import wire_client  # noqa: E402
from wire_client import BATCH, ERROR, frame  # noqa: E402

ONE = (b'[{"id":5942859575,"timestamp":1764054335349840,"source":"sensor-1186","kind":"event",'
       b'"value":-268.6222,"flags":["urgent"],"message":"india delta alpha bravo"}]')
CROWD = 1100
DESCRIPTORS_APART = 40  # what a server keeps for other things than connections, beside its threads


def resident_bytes(server: wire_client.Server) -> int:
    with open("/proc/%d/statm" % server.process.pid, encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def processor_s(server: wire_client.Server) -> float:
    """Processor time of the server so far."""
    with open("/proc/%d/stat" % server.process.pid, encoding="ascii") as file:
        words = file.read().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def watched(server: wire_client.Server) -> list:
    """How many descriptors each of the server's epolls watches, in ascending order."""
    counts = []
    folder = "/proc/%d" % server.process.pid
    for number in os.listdir(folder + "/fd"):
        if os.readlink("%s/fd/%s" % (folder, number)) == "anon_inode:[eventpoll]":
            with open("%s/fdinfo/%s" % (folder, number), encoding="ascii") as file:
                counts.append(sum(line.startswith("tfd:") for line in file))
    return sorted(counts)


def connect_many(test: unittest.TestCase, server: wire_client.Server, count: int) -> list:
    clients = [server.connect() for _ in range(count)]
    for client in clients:
        test.addCleanup(client.close)
    return clients


class Crowd(unittest.TestCase):
    def test_connections_spread_evenly_over_the_threads(self):
        for threads in (1, 2, 4):
            with contestant_server.serve("keep", "--threads", str(threads)) as server:
                clients = connect_many(self, server, 16)
                for client in clients:
                    self.assertEqual(client.hello()["threads"], threads)
                # Every loop watches the end, too, and the first one the listener.
                share = 16 // threads
                self.assertEqual(watched(server), [share + 1] * (threads - 1) + [share + 2])

    def test_idle_connections_cost_little(self):
        with contestant_server.serve("keep", "--threads", "2") as server:
            first = server.connect()
            self.addCleanup(first.close)
            first.hello()
            before = resident_bytes(server)
            clients = connect_many(self, server, CROWD)
            for client in clients:
                client.send_frame(wire_client.HELLO)
            for client in clients:
                self.assertEqual(client.recv_frame().kind, wire_client.WELCOME)
            time.sleep(0.5)  # an idle connection gives back what it does not need
            self.assertLess(resident_bytes(server) - before, CROWD * 4096)

    def test_a_frame_that_is_cut_off_costs_what_has_come_of_it(self):
        with contestant_server.serve("keep") as server:
            clients = connect_many(self, server, 200)
            clients[0].hello()
            before = resident_bytes(server)
            for client in clients:  # a header of 16 MiB each, and little behind it
                client.send(wire_client.HEAD.pack(16 << 20, BATCH, 1, 0, 1) + b" " * 1000)
            time.sleep(0.3)
            self.assertEqual(clients[0].socket.send(b" "), 1)
            self.assertLess(resident_bytes(server) - before, 200 * 65536)

    def test_memory_of_a_large_frame_goes(self):
        """Six times 16 MiB are received and parsed; idle, only the allocator's own reserve is left."""
        big = b" " * (16 << 20)
        with contestant_server.serve("totals") as server:
            clients = connect_many(self, server, 6)
            small = resident_bytes(server)
            for client in clients:
                client.send(frame(BATCH, 1, big)[:-1])
            time.sleep(0.1)
            self.assertGreater(resident_bytes(server) - small, 5 * len(big))
            for client in clients:
                client.send(b" ")
                self.assertEqual(wire_client.unpack_ack(client.recv_frame(), 1).status, 1)
            time.sleep(0.6)
            with server.connect() as client:
                client.hello()
                self.assertLess(resident_bytes(server) - small, 3 * len(big))

    def test_a_thousand_and_a_hundred_connections_at_work(self):
        with contestant_server.serve("keep", "--threads", "2") as server:
            clients = connect_many(self, server, CROWD)
            for round_number in range(2):
                for client in clients:
                    client.send_frame(BATCH, ONE)
                for client in clients:
                    reply = client.recv_frame()
                    self.assertEqual(wire_client.unpack_ack(reply, round_number).records, 1)
            self.assertEqual(int(clients[7].stats()["records"], 16), 2 * CROWD)
            self.assertEqual(int(clients[8].kept()["batches"], 16), 2 * CROWD)


class Descriptors(unittest.TestCase):
    LIMIT = 100

    def serve_with_few(self) -> wire_client.Server:
        command = ["bash", "-c", 'ulimit -n %d && exec "$@" 2>/dev/null' % self.LIMIT, "bash",
                   *contestant_server.command()]
        return wire_client.Server(command, ["--mode", "keep"], folder=contestant_server.FOLDER)

    def test_out_of_descriptors(self):
        """Refused ones hold descriptors for a second: with enough of them none is left to accept."""
        with self.serve_with_few() as server:
            capacity = self.LIMIT - DESCRIPTORS_APART - 1
            clients = connect_many(self, server, capacity)
            for client in clients:
                client.hello()
            flood = connect_many(self, server, 2 * DESCRIPTORS_APART)
            time.sleep(0.2)
            begin = processor_s(server)
            time.sleep(0.7)
            self.assertLess(processor_s(server) - begin, 0.2)  # waits, does not spin
            self.assertEqual(clients[3].batch(ONE).records, 1)
            for client in flood:  # in the end each is told
                reply = client.recv_frame()
                self.assertEqual(reply.kind, ERROR)
                client.close()
            clients.pop().close()
            self.works_again(server)

    def works_again(self, server: wire_client.Server):
        deadline = time.monotonic() + 5
        while True:
            with server.connect() as client:
                client.send(frame(BATCH, 1, ONE))
                if client.recv_frame().kind == wire_client.ACK:
                    return
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)

    def test_far_too_few(self):
        command = ["bash", "-c", 'ulimit -n 30 && exec "$@"', "bash", *contestant_server.command(),
                   "serve", "--mode", "keep"]
        process = subprocess.run(command, cwd=contestant_server.FOLDER, capture_output=True, text=True,
                                 timeout=10, check=False)
        self.assertEqual((process.returncode, process.stdout), (1, ""))
        self.assertIn("30 descriptors are too few", process.stderr)
        self.assertEqual(process.stderr.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
