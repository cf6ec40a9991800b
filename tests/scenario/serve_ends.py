#!/usr/bin/env python3
"""serve_ends.py: how a server begins and ends: addresses, a port in use, SIGTERM in the middle of everything.

MR_CONTESTANT=FOLDER names the contestant; one that lib/serve serves.
"""

import ctypes
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "support")]

import contestant_server  # noqa: E402
import wire_client  # noqa: E402
from wire_client import BATCH, frame  # noqa: E402

RECORD = (b'{"id":5942859575,"timestamp":1764054335349840,"source":"sensor-1186","kind":"event",'
          b'"value":-268.6222,"flags":["urgent"],"message":"india delta alpha bravo"}')
BATCH_OF_200 = b"[" + b",".join([RECORD] * 200) + b"]"


def has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as probe:
            probe.bind(("::1", 0))
        return True
    except OSError:
        return False


class Begin(unittest.TestCase):
    def start(self, address: str) -> tuple:
        """Starts a server at `address`; (process, what it printed)."""
        process = contestant_server.start("serve", "--listen", address, "--mode", "keep",
                                          stdin=subprocess.DEVNULL)
        self.addCleanup(self.end, process)
        return process, process.stdout.readline().strip()

    @staticmethod
    def end(process: subprocess.Popen):
        process.kill()
        process.communicate()

    def serves_at(self, address: str, host: str, printed: str):
        process, line = self.start(address)
        self.assertTrue(line.startswith("listening " + printed + ":"), line)
        port = int(line.rpartition(":")[2])
        with wire_client.Client(host, port) as client:
            self.assertEqual(client.batch(BATCH_OF_200).records, 200)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(2.0), 0)

    def test_addresses(self):
        self.serves_at("127.0.0.1:0", "127.0.0.1", "127.0.0.1")
        self.serves_at("localhost:0", "localhost", "127.0.0.1")
        self.serves_at("0.0.0.0:0", "127.0.0.1", "0.0.0.0")

    @unittest.skipUnless(has_ipv6(), "no IPv6 loopback")
    def test_ipv6(self):
        self.serves_at("[::1]:0", "::1", "[::1]")

    def test_the_same_port_again_at_once(self):
        """Connections of the last server that wait for their time do not keep the port."""
        process, line = self.start("127.0.0.1:0")
        address = line.split()[1]
        host, _, port = address.partition(":")
        with wire_client.Client(host, int(port)) as client:
            client.hello()
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(2.0), 0)
            client.recv_end()
        self.assertEqual(self.start(address)[1], "listening " + address)

    def test_a_port_in_use(self):
        line = self.start("127.0.0.1:0")[1]
        address = line.split()[1]
        code, output, errors = contestant_server.run("serve", "--listen", address, timeout_s=10.0)
        self.assertEqual((code, output), (1, ""))
        self.assertEqual(errors, "%s serve: cannot listen on %s: Address already in use\n"
                         % (contestant_server.manifest()["name"], address))

    def test_a_name_that_is_none(self):
        code, output, errors = contestant_server.run("serve", "--listen", "no.such.host.invalid:0")
        self.assertEqual((code, output), (1, ""))
        self.assertIn("cannot listen on no.such.host.invalid:0: ", errors)

    def test_standard_output_is_full(self):
        with open("/dev/full", "wb") as full:
            process = subprocess.Popen([*contestant_server.command(), "serve", "--mode", "keep"],
                                       stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE)
            self.addCleanup(self.end, process)
            errors = process.communicate(timeout=10.0)[1]
        self.assertEqual(process.returncode, 1)
        self.assertIn(b"cannot write to standard output: No space left on device", errors)


class Sockets(unittest.TestCase):
    PIDFD_GETFD = 438

    def test_replies_are_not_delayed(self):
        """The server's own sockets are asked: TCP_NODELAY is on."""
        with contestant_server.serve("keep") as server:
            clients = [server.connect() for _ in range(3)]
            for client in clients:
                client.hello()
            found = [option for option in map(self.nodelay, self.sockets(server)) if option is not None]
            self.assertEqual(len(found), 3)
            self.assertTrue(all(found))
            for client in clients:
                client.close()
            # The copies are still open here: what is closed there is closed for the server.
            with server.connect() as client:
                self.assertEqual(client.batch(BATCH_OF_200).records, 200)
            self.assertIsNone(server.process.poll())

    def sockets(self, server: wire_client.Server) -> list:
        """Copies of the server's connected sockets."""
        process = os.pidfd_open(server.process.pid)
        self.addCleanup(os.close, process)
        folder = "/proc/%d/fd" % server.process.pid
        copies = []
        for number in os.listdir(folder):
            if not os.readlink("%s/%s" % (folder, number)).startswith("socket:"):
                continue
            copy = ctypes.CDLL(None, use_errno=True).syscall(self.PIDFD_GETFD, process, int(number), 0)
            if copy < 0:
                self.skipTest("pidfd_getfd: " + os.strerror(ctypes.get_errno()))
            copies.append(socket.socket(fileno=copy))
            self.addCleanup(copies[-1].close)
        return copies

    @staticmethod
    def nodelay(copy: socket.socket):
        try:
            copy.getpeername()
        except OSError:
            return None  # it listens
        return copy.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0


class Sigterm(unittest.TestCase):
    """wire_client.Server itself sends SIGTERM and wants code 0 within two seconds."""

    def flood(self, client: wire_client.Client, begun: threading.Event):
        data = frame(BATCH, 1, BATCH_OF_200) * 20
        try:
            while True:
                client.send(data)
                begun.set()
        except OSError:
            pass

    def swallow(self, client: wire_client.Client):
        try:
            while client.socket.recv(1 << 16):
                pass
        except OSError:
            pass

    def test_in_mid_stream(self):
        for threads in ("1", "2"):
            with contestant_server.serve("keep", "--threads", threads) as server:
                clients = [server.connect() for _ in range(16)]
                begun = [threading.Event() for _ in clients]
                workers = [threading.Thread(target=self.flood, args=pair)
                           for pair in zip(clients, begun)]
                workers += [threading.Thread(target=self.swallow, args=(client,))
                            for client in clients[:12]]  # the others never read
                for worker in workers:
                    worker.start()
                for event in begun:
                    self.assertTrue(event.wait(10.0))
                server.terminate()
                for worker in workers:
                    worker.join(10.0)
                    self.assertFalse(worker.is_alive())
                for client in clients:
                    client.close()

    def test_while_connections_come(self):
        with contestant_server.serve("totals") as server:
            stop = threading.Event()
            worker = threading.Thread(target=self.keep_connecting, args=(server, stop))
            worker.start()
            time.sleep(0.2)
            server.terminate()
            with self.assertRaises(OSError):
                server.connect(1.0)
            stop.set()
            worker.join(10.0)

    @staticmethod
    def keep_connecting(server: wire_client.Server, stop: threading.Event):
        while not stop.is_set():
            try:
                with server.connect(1.0) as client:
                    client.hello()
            except (OSError, wire_client.WireFault):
                time.sleep(0.01)

    def test_twice(self):
        with contestant_server.serve("keep") as server, server.connect() as client:
            client.hello()
            server.process.send_signal(signal.SIGTERM)
            server.process.send_signal(signal.SIGTERM)
            self.assertEqual(server.process.wait(2.0), 0)


if __name__ == "__main__":
    unittest.main()
