"""wire_client.py: a blocking client of the wire, and a server under test; every wait has its limit.

    with Server([sys.executable, "server.py"], ["--mode", "keep"], folder=FOLDER) as server:
        with server.connect() as client:
            ack = client.batch(b"[]")

Written for tests: what can't be true raises WireFault, what takes too long raises TimeoutError.
"""

import json
import os
import select
import signal
import socket
import struct
import subprocess
import time
from typing import NamedTuple

HEAD = struct.Struct("<IBBHQ")
ACK_PAYLOAD = struct.Struct("<IIQIIQ")
VERSION = 1
HELLO, BATCH, STATS, KEPT = 0x01, 0x02, 0x03, 0x04
WELCOME, ACK, STATS_REPLY, KEPT_REPLY, ERROR = 0x81, 0x82, 0x83, 0x84, 0xFF
ACCEPTED, REJECTED = 0, 1

TIMEOUT_S = 30.0
START_TIMEOUT_S = 10.0
END_TIMEOUT_S = 2.5  # the contract gives a server 2 s after SIGTERM; the rest is for a busy machine


class WireFault(AssertionError):
    """The peer did what the contract forbids."""


class Frame(NamedTuple):
    """A frame as received."""

    kind: int
    sequence: int
    payload: bytes

    def json(self) -> dict:
        return json.loads(self.payload)


class Ack(NamedTuple):
    """The payload of ACK."""

    status: int
    records: int
    digest: int
    error: int
    error_record: int
    error_offset: int


def frame(kind: int, sequence: int, payload: bytes = b"", version: int = VERSION,
          reserved: int = 0) -> bytes:
    """The bytes of a frame, right or wrong as wanted."""
    return HEAD.pack(len(payload), kind, version, reserved, sequence) + payload


def unpack_ack(reply: Frame, sequence: int) -> Ack:
    """The answer in `reply`; WireFault when it is anything else than an ACK of `sequence`."""
    if reply.kind != ACK or reply.sequence != sequence or len(reply.payload) != ACK_PAYLOAD.size:
        raise WireFault("ACK of %d expected, got %r" % (sequence, reply))
    return Ack(*ACK_PAYLOAD.unpack(reply.payload))


class Client:
    """One connection. Closes with its `with` block."""

    def __init__(self, host: str, port: int, timeout_s: float = TIMEOUT_S):
        self.socket = socket.create_connection((host, port), timeout=timeout_s)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.sequence = 0
        self._input = bytearray()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def close(self) -> None:
        self.socket.close()

    def half_close(self) -> None:
        self.socket.shutdown(socket.SHUT_WR)

    def send(self, data: bytes) -> None:
        """Any bytes."""
        self.socket.sendall(data)

    def send_frame(self, kind: int, payload: bytes = b"", sequence: int | None = None) -> int:
        """Sends a frame and returns its sequence: the given one, or the connection's next."""
        if sequence is None:
            sequence = self.sequence
            self.sequence += 1
        self.send(frame(kind, sequence, payload))
        return sequence

    def _fill(self, size: int) -> bool:
        """Receives until `size` bytes are there; False at the end of the stream."""
        while len(self._input) < size:
            data = self.socket.recv(1 << 18)
            if not data:
                return False
            self._input += data
        return True

    def recv_frame(self) -> Frame:
        """The next frame; WireFault when the stream ends instead."""
        if not self._fill(HEAD.size):
            raise WireFault("the server closed; %d bytes of a header were there" % len(self._input))
        size, kind, version, reserved, sequence = HEAD.unpack_from(self._input)
        if version != VERSION or reserved != 0:
            raise WireFault("a reply of version %d, reserved field %d" % (version, reserved))
        if not self._fill(HEAD.size + size):
            raise WireFault("the server closed within a frame of %d bytes" % size)
        payload = bytes(self._input[HEAD.size : HEAD.size + size])
        del self._input[: HEAD.size + size]
        return Frame(kind, sequence, payload)

    def recv_end(self) -> None:
        """Waits for the end of the stream; WireFault when anything comes before. A reset is an end,
        too: it is what a client sees that had bytes under way when the server closed."""
        try:
            if self._fill(1):
                raise WireFault("the end expected, got %r" % bytes(self._input[:64]))
        except ConnectionResetError:
            pass

    def recv_error(self, sequence: int) -> str:
        """Waits for the ERROR that echoes `sequence`, then for the end; returns its text."""
        reply = self.recv_frame()
        if reply.kind != ERROR or reply.sequence != sequence:
            raise WireFault("ERROR of %d expected, got %r" % (sequence, reply))
        text = reply.payload.decode("utf-8", "strict")
        self.recv_end()
        return text

    def ask(self, kind: int, reply_kind: int, payload: bytes = b"") -> Frame:
        """Sends a request and returns its reply."""
        sequence = self.send_frame(kind, payload)
        reply = self.recv_frame()
        if reply.kind != reply_kind or reply.sequence != sequence:
            raise WireFault("reply 0x%02x of %d expected, got %r" % (reply_kind, sequence, reply))
        return reply

    def batch(self, payload: bytes) -> Ack:
        sequence = self.send_frame(BATCH, payload)
        return unpack_ack(self.recv_frame(), sequence)

    def hello(self) -> dict:
        return self.ask(HELLO, WELCOME).json()

    def stats(self) -> dict:
        """The totals of STATS_REPLY."""
        return self.ask(STATS, STATS_REPLY).json()["totals"]

    def kept(self) -> dict:
        return self.ask(KEPT, KEPT_REPLY).json()


class Server:
    """A contestant that serves on a free port of the loopback for the time of a `with` block.

    At the end it gets SIGTERM and must end with code 0 within two seconds (WireFault otherwise),
    unless the block failed already or the test has ended it by kill(). One that has ended by then, by
    itself or by a signal of the test's, must have ended with code 0, too.
    """

    def __init__(self, command: list, args: list = (), folder: str | None = None,
                 env: dict | None = None):
        self.command = [*command, "serve", "--listen", "127.0.0.1:0", *args]
        self.folder = folder
        self.env = {**os.environ, **(env or {})}
        self.process = None
        self.killed = False
        self.host, self.port = "", 0

    def __enter__(self) -> "Server":
        self.process = subprocess.Popen(self.command, cwd=self.folder, env=self.env,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        try:
            self.host, self.port = self._listening()
        except BaseException:
            self.kill()
            raise
        return self

    def __exit__(self, kind, *_) -> None:
        try:
            if kind is None and self.process.poll() is None:
                self.terminate()
            elif kind is None and self.process.returncode != 0 and not self.killed:
                raise WireFault("the server ended by itself with code %d" % self.process.returncode)
        finally:
            self.kill()

    def _listening(self) -> tuple:
        """Reads the line `listening HOST:PORT`."""
        line = b""
        deadline = time.monotonic() + START_TIMEOUT_S
        while not line.endswith(b"\n"):
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                raise WireFault("%s said %r, not where it listens" % (self.command, line))
            byte = os.read(self.process.stdout.fileno(), 1)
            if not byte:
                raise WireFault("%s ended with code %s before it listened"
                                % (self.command, self.process.wait(END_TIMEOUT_S)))
            line += byte
        word, _, address = line.decode().strip().partition(" ")
        host, _, port = address.rpartition(":")
        if word != "listening" or not port.isdigit():
            raise WireFault("%s said %r, not where it listens" % (self.command, line))
        return host, int(port)

    def connect(self, timeout_s: float = TIMEOUT_S) -> Client:
        return Client(self.host, self.port, timeout_s)

    def terminate(self) -> None:
        """SIGTERM; the server must end with code 0 in time and have said nothing more."""
        self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(END_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            raise WireFault("no end within %g s of SIGTERM" % END_TIMEOUT_S) from None
        if code != 0:
            raise WireFault("exit code %d after SIGTERM" % code)
        rest = self.process.stdout.read()
        if rest:
            raise WireFault("more than one line on standard output: %r" % rest[:200])

    def kill(self) -> None:
        """Leaves nothing behind."""
        if self.process.poll() is None:
            self.killed = True
            self.process.kill()
        self.process.wait(START_TIMEOUT_S)
        self.process.stdout.close()
