"""honest.py: a server of the contract made to be broken: every sentence of the wire is one small method.

Nothing here is a contestant. The job itself (parser, totals, ring) is the example contestant's; the wire
and the command line are this file's own, so that mutant.py can replace a method and break one sentence.
Section numbers are those of docs/PROTOCOL.md. Start-up counts: a proof starts it some thousand times.
"""

import ctypes
import json
import os
import resource
import select
import signal
import socket
import struct
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "contestants", "example-python"))
import ingest  # noqa: E402

FRAME = struct.Struct("<IBBHQ")  # payload bytes, type, version, reserved, sequence
ACK = struct.Struct("<IIQIIQ")
HELLO, BATCH, STATS, KEPT = 0x01, 0x02, 0x03, 0x04
WELCOME, ACKNOWLEDGE, STATS_REPLY, KEPT_REPLY, ERROR = 0x81, 0x82, 0x83, 0x84, 0xFF
UNSENT_MAX = 1 << 20
RECEIVE_BYTES = 1 << 18
MAX_PAYLOAD, MAX_KEPT, MAX_CONNECTIONS = 16 << 20, 256 << 20, 4096
MODES = ("drain", "totals", "keep", "fresh")


def fast_digest():
    """XXH3 of the system's library: the example's own, in Python, is slow where a proof runs for minutes."""
    try:
        function = ctypes.CDLL("libxxhash.so.0").XXH3_64bits
    except (OSError, AttributeError):
        return
    function.argtypes, function.restype = (ctypes.c_char_p, ctypes.c_size_t), ctypes.c_uint64
    ingest.xxh3 = lambda form: function(bytes(form), len(form))


class Peer:
    """A connection: what has come, what goes out."""

    def __init__(self, server, sock):
        self.server, self.sock, self.ring = server, sock, server.ingest.ring()
        self.input, self.output = bytearray(), bytearray()
        self.ended = False     # no more input comes
        self.failed = False    # an ERROR is the last reply
        self.deadline = None   # of discarding input behind an ERROR
        self.requests = []     # types so far

    # Replies.

    def put(self, kind, sequence, payload):
        self.output += FRAME.pack(len(payload), kind, 1, 0, sequence) + payload

    def put_json(self, kind, sequence, value):
        self.put(kind, sequence, json.dumps(value, separators=(",", ":")).encode())

    def fail(self, sequence, text):
        self.put(ERROR, sequence, text.encode())
        self.failed = True
        self.input.clear()

    # Requests.

    def judge(self, size, kind, version, reserved):
        """What is wrong with a header, or None."""
        if version != 1:
            return "unknown protocol version"
        if reserved != 0:
            return "the reserved field is not zero"
        if not HELLO <= kind <= KEPT:
            return "unknown type of frame"
        if kind != BATCH and size > 0:
            return "this type has no payload"
        if size > self.server.max_payload:
            return "the payload is longer than --max-payload"
        return None

    def frame(self):
        """Answers the next frame; False when none is whole."""
        if self.failed or len(self.input) < FRAME.size:
            return False
        size, kind, version, reserved, sequence = FRAME.unpack_from(self.input)
        fault = self.judge(size, kind, version, reserved)
        if fault is not None:
            self.fail(sequence, fault)
            return True
        if len(self.input) < FRAME.size + size:
            return False
        payload = bytes(self.input[FRAME.size:FRAME.size + size])
        del self.input[:FRAME.size + size]
        self.answer(kind, sequence, payload)
        self.requests.append(kind)
        return True

    def answer(self, kind, sequence, payload):
        if kind == HELLO:
            self.put_json(WELCOME, sequence, self.server.welcome())
        elif kind == STATS:
            self.put_json(STATS_REPLY, sequence, self.server.stats(self))
        elif kind == KEPT:
            self.put_json(KEPT_REPLY, sequence, self.server.kept(self))
        else:
            answer = self.batch(payload)
            if answer is None:
                self.fail(sequence, "the kept batches are larger than --max-kept")
            else:
                self.put(ACKNOWLEDGE, sequence, self.ack(*answer))

    def batch(self, payload):
        return self.server.ingest.take(payload, self.ring)

    def ack(self, status, records, digest):
        return ACK.pack(status, records, digest, 0, 0, 0)

    # Bytes.

    def receive(self):
        data = self.sock.recv(RECEIVE_BYTES)
        if not data:
            self.ended = True
        elif not self.failed:
            self.input += data

    def send(self):
        try:
            while self.output:
                del self.output[:self.sock.send(self.output[:UNSENT_MAX])]
        except BlockingIOError:
            pass

    def reads(self):
        return not self.ended and len(self.output) <= UNSENT_MAX

    def answer_all(self):
        """All whole frames, as long as the replies are taken."""
        more = True
        while more:
            while len(self.output) <= UNSENT_MAX and (more := self.frame()):
                pass
            self.send()
            more = more and len(self.output) <= UNSENT_MAX

    def shut_down(self):
        self.sock.shutdown(socket.SHUT_WR)
        self.deadline = time.monotonic() + 1

    def over(self):
        return self.ended and not self.output

    def advance(self, events):
        """Does all that can be done now; the events to wait for, 0 when it is over."""
        if events & ~select.EPOLLOUT and self.reads():
            self.receive()
        self.answer_all()
        if self.failed and not self.output and self.deadline is None:
            self.shut_down()
        if self.over():
            return 0
        return (select.EPOLLIN if self.reads() else 0) | (select.EPOLLOUT if self.output else 0)


class Server:
    """All connections, one thread."""

    def __init__(self, mode, options):
        self.mode, self.threads = mode, options.get("--threads", 1)
        self.max_payload = options.get("--max-payload", MAX_PAYLOAD)
        self.max_connections = options.get("--max-connections", MAX_CONNECTIONS)
        self.ingest = ingest.Ingest(mode, options.get("--max-kept", MAX_KEPT))
        self.epoll, self.peers, self.refused = select.epoll(), {}, {}

    def welcome(self):
        return {"contestant": os.environ.get("MR_MUTANT_NAME", "honest"), "version": "1",
                "language": "Python", "runtime": sys.version.split()[0], "mode": self.mode,
                "threads": self.threads, "pid": os.getpid(), "kernel": "json", "build_flags": "",
                "libraries": [{"name": "json", "version": "1", "path": json.__file__}],
                "knobs": {"max_payload": self.max_payload}}

    def totals(self, _peer):
        return self.ingest.totals.reply()

    def runtime(self):
        return {"gc_pause_ns": None, "gc_collections": [ingest.hex16(0)] * 3,
                "allocated_bytes": None, "compiled_methods": None}

    def stats(self, peer):
        return {"totals": self.totals(peer), "runtime": self.runtime()}

    def kept_rings(self, _peer):
        return [peer.ring for peer in self.peers.values()]

    def kept(self, peer):
        sums = (sum(column) for column in zip((0, 0, 0), *(r.recompute() for r in self.kept_rings(peer))))
        return dict(zip(("batches", "records", "digest"), map(ingest.hex16, sums)))

    def full(self):
        return len(self.peers) >= self.max_connections

    def no_delay(self, sock):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def accept(self, listener):
        while True:
            try:
                sock, _ = listener.accept()
            except OSError:  # no more, or no descriptors
                return
            sock.setblocking(False)
            self.no_delay(sock)
            full = self.full()
            peer = Peer(self, sock)
            (self.refused if full else self.peers)[sock.fileno()] = peer
            self.epoll.register(sock, select.EPOLLIN)
            if full:
                self.refuse(peer)

    def refuse(self, peer):
        peer.fail(0, "too many connections; see --max-connections")
        self.step(peer.sock.fileno(), 0)

    def close(self, fd, peer):
        self.peers.pop(fd, None)
        self.refused.pop(fd, None)
        peer.sock.close()

    def step(self, fd, events):
        peer = self.peers.get(fd) or self.refused.get(fd)
        if peer is None:
            return
        try:
            wanted = peer.advance(events)
        except OSError:  # the other side is gone
            wanted = 0
        if wanted:
            self.epoll.modify(fd, wanted)
        else:
            self.close(fd, peer)

    def lingering(self):
        return [(fd, peer) for table in (self.peers, self.refused)
                for fd, peer in list(table.items()) if peer.deadline is not None]

    def bind(self, host, port):
        return socket.create_server((host, port), backlog=4096)

    def announce(self, host, listener):
        print("listening %s:%d" % (host, listener.getsockname()[1]), flush=True)

    def exit_code(self):
        return 0

    def terminate(self, *_):
        os._exit(self.exit_code())

    def run(self, host, port):
        listener = self.bind(host, port)
        listener.setblocking(False)
        self.epoll.register(listener, select.EPOLLIN)
        signal.signal(signal.SIGTERM, self.terminate)
        self.announce(host, listener)
        while True:
            for fd, events in self.epoll.poll(0.05 if self.lingering() else None):
                if fd == listener.fileno():
                    self.accept(listener)
                else:
                    self.step(fd, events)
            for fd, peer in self.lingering():
                if time.monotonic() > peer.deadline:
                    self.close(fd, peer)


# The command line (section 6).

class Usage(Exception):
    """Wrong words on the command line."""


def read_payloads(path):
    with open(path + ".batches", "rb") as file:
        data, at, payloads = file.read(), 0, []
    while at < len(data):
        size = FRAME.unpack_from(data, at)[0]
        payloads.append(data[at + FRAME.size:at + FRAME.size + size])
        at += FRAME.size + size
    return payloads


class Steps:
    """`parse`: repetitions and their lines."""

    def __init__(self, mode, options):
        self.ingest, self.payloads = ingest.Ingest(mode, 1 << 62), read_payloads(options["--data"])
        self.ring, self.repeat = self.ingest.ring(), options.get("--repeat", 1)
        self.step = "--step" in options

    def turns(self):
        return zip(range(self.repeat), sys.stdin) if self.step else range(self.repeat)

    def line(self):
        begin = time.perf_counter_ns()
        answers = [self.ingest.take(payload, self.ring) for payload in self.payloads]
        ns = time.perf_counter_ns() - begin
        _, records, digests = map(sum, zip(*answers))
        return {"records": records, "bytes": self.bytes(answers), "ns": ns,
                "digest": ingest.hex16(digests)}

    def bytes(self, _answers):
        return sum(map(len, self.payloads))

    def run(self):
        for _ in self.turns():
            print(json.dumps(self.line()), flush=True)


SERVE = {"--listen", "--mode", "--threads", "--max-payload", "--max-kept", "--max-connections"}
PARSE = {"--data", "--mode", "--repeat", "--step"}
TEXTS = {"--listen", "--mode", "--data"}


def command_line(words):
    """Command, mode and options."""
    if not words or words[0] not in ("serve", "parse"):
        raise Usage("the command is serve or parse")
    known, options, rest = SERVE if words[0] == "serve" else PARSE, {}, iter(words[1:])
    for word in rest:
        if word not in known:
            raise Usage("unknown '%s'" % word)
        value = True if word == "--step" else next(rest, None)
        if value is None:
            raise Usage("%s needs a value" % word)
        if word not in TEXTS and value is not True:
            if not value.isdigit() or int(value) < 1:
                raise Usage("%s needs a number above 0" % word)
            value = int(value)
        options[word] = value
    if options.setdefault("--mode", "keep") not in MODES:
        raise Usage("there is no mode '%s'" % options["--mode"])
    if words[0] == "parse" and "--data" not in options:
        raise Usage("parse needs --data")
    return words[0], options["--mode"], options


def raise_descriptors():
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def refuse_usage(fault):
    print("honest.py: %s" % fault, file=sys.stderr)
    return 2


def refuse_bind(fault):
    print("honest.py: %s" % fault, file=sys.stderr)
    return 1


def main(words):
    fast_digest()
    raise_descriptors()
    try:
        command, mode, options = command_line(words)
    except Usage as fault:
        return refuse_usage(fault)
    try:
        if command == "parse":
            Steps(mode, options).run()
            return 0
        host, _, port = options.get("--listen", "127.0.0.1:0").rpartition(":")
        Server(mode, options).run(host, int(port))
    except OSError as fault:
        return refuse_bind(fault)
    return 0
