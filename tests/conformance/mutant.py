#!/usr/bin/env python3
"""mutant.py: honest.py with one sentence of the contract broken: `mutant.py --mutation NAME serve …`.

MUTANTS names for each mutation the check that must catch it, the mode in which it is tried, and what else
it cannot help breaking, with the reason. `mutant.py --list` prints them.
"""

import functools
import os
import select
import socket
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import honest  # noqa: E402
import ingest  # noqa: E402
from honest import Peer, Server, Steps  # noqa: E402


class Mutant:
    """A mutation: the check that it breaks, what it does, and its side effects."""

    def __init__(self, check, what, mode, also, apply):
        self.check, self.what, self.mode, self.also, self.apply = check, what, mode, also, apply


MUTANTS = {}
WAIT_FOR_NOTHING = select.EPOLLPRI  # an event that never comes keeps a connection open


def mutant(check, what, mode="keep", also=None):
    """Registers a function that plants the fault. `also`: {check: why it fails too}."""
    def register(apply):
        MUTANTS[apply.__name__.replace("_", "-")] = Mutant(check, what, mode, also or {}, apply)
        return apply
    return register


def around(owner, name):
    """Replaces owner.name by the decorated function, which gets the original first."""
    original = getattr(owner, name)

    def replace(function):
        setattr(owner, name, functools.wraps(original)(
            lambda *words, **more: function(original, *words, **more)))
        return function
    return replace


# A case that must be rejected: the first one of cases.jsonl.
OVERFLOW = b'"value":-7.5e+999'


def lie_about(payload):
    """The answer of a parser that takes what it must not; totals and ring stay true."""
    return (0, 1, 42) if OVERFLOW in payload else None


# --- Section 1: batches ---------------------------------------------------------------------------

def lying(condition):
    @around(Peer, "ack")
    def ack(original, self, status, records, digest):
        lie = lie_about(self.payload) if condition(self) else None
        return original(self, *(lie or (status, records, digest)))

    @around(Peer, "batch")
    def batch(original, self, payload):
        self.payload = payload
        return original(self, payload)

    @around(Peer, "receive")
    def receive(original, self):
        before = len(self.input)
        self.pieces = 1 if before == 0 else self.pieces + 1
        original(self)
        self.most = len(self.input)


@mutant("B1", "takes an infinite value where a frame comes alone and whole")
def whole_takes_infinity():
    lying(lambda peer: peer.pieces == 1 and not peer.input and peer.most < 10000)


@mutant("B2", "takes an infinite value where a frame comes in many pieces")
def pieces_take_infinity():
    lying(lambda peer: peer.pieces >= 3)


@mutant("B3", "takes an infinite value where many frames come at once")
def burst_takes_infinity():
    lying(lambda peer: peer.pieces == 1 and peer.most > 20000)


@mutant("B4", "the limit of records is off by one")
def records_65534():
    ingest.RECORDS_MAX = 65534


@mutant("B5", "the limit of records is off by one, upwards")
def records_65536():
    ingest.RECORDS_MAX = 65536


@mutant("B6", "the last digit of a very long number is not looked at")
def long_number_cut():
    # `record` is bound in the decoder: the token is cut where it is made.
    @around(ingest.Parser, "number")
    def number(original, self, kind, token):
        return original(self, kind, token[:-1] if len(token) > 100000 and "e" not in token else token)


@mutant("B7", "payloads above 15 MiB with records in them are rejected")
def full_payload_rejected():
    @around(Peer, "batch")
    def batch(original, self, payload):
        return (1, 0, 0) if len(payload) > 15 << 20 and b"{" in payload else original(self, payload)


# --- Section 3: numbers ---------------------------------------------------------------------------

@mutant("N1", "value_sum is rounded down, not toward zero")
def sum_floors():
    @around(ingest.Totals, "accept")
    def accept(original, self, records, digest, payload_bytes):
        before = self.value_sum
        original(self, records, digest, payload_bytes)
        self.value_sum = before + sum(
            int(ingest.HEAD.unpack_from(form)[2] * 1024 // 1) for form in records)


@mutant("N1", "a rejected batch adds its bytes")
def rejected_adds_bytes():
    @around(Peer, "batch")
    def batch(original, self, payload):
        answer = original(self, payload)
        self.server.ingest.totals.payload_bytes += len(payload) if answer and answer[0] else 0
        return answer


@mutant("N1", "-0.0 and +0.0 are one number to the minimum")
def zeros_are_equal():
    @around(ingest.Totals, "reply")
    def reply(original, self):
        shown = original(self)
        if shown["value_min"] == "8000000000000000":
            shown["value_min"] = "0000000000000000"
        return shown


@mutant("N1", "flags are counted once a batch")
def flags_per_batch():
    @around(ingest.Totals, "accept")
    def accept(original, self, records, digest, payload_bytes):
        before = list(self.flags)
        original(self, records, digest, payload_bytes)
        self.flags = [old + min(1, new - old) for old, new in zip(before, self.flags)]


@mutant("N2", "the extremes are zeros while there is no record")
def extremes_zero():
    @around(ingest.Totals, "reply")
    def reply(original, self):
        return {key: ingest.hex16(0) if value is None else value
                for key, value in original(self).items()}


# --- Section 4: modes -----------------------------------------------------------------------------

@mutant("M1", "drain looks at the first byte", mode="drain")
def drain_looks():
    @around(Peer, "batch")
    def batch(original, self, payload):
        answer = original(self, payload)
        return (1, 0, 0) if payload[:1] == b"{" else answer


@mutant("M2", "drain counts text that it has not looked at", mode="drain")
def drain_counts_text():
    @around(Peer, "batch")
    def batch(original, self, payload):
        self.server.ingest.totals.source_bytes += 1
        return original(self, payload)


@mutant("M3", "totals keeps batches", mode="totals")
def totals_keeps():
    @around(Server, "__init__")
    def init(original, self, mode, options):
        original(self, mode, options)
        self.ingest.mode = "keep"


@mutant("M4", "the ring has 63 places")
def ring_of_63():
    ingest.RING_PLACES = 63


@mutant("M5", "KEPT knows the asking connection only")
def kept_own_only():
    @around(Server, "kept_rings")
    def kept_rings(_original, _self, peer):
        return [peer.ring]


@mutant("M6", "a rejected batch takes the oldest one's place",
        also={"M4": "the case files have rejected batches behind the 64th accepted one"})
def rejected_evicts():
    @around(Peer, "batch")
    def batch(original, self, payload):
        answer = original(self, payload)
        if answer and answer[0] and len(self.ring.places) == ingest.RING_PLACES:
            self.ring.bytes -= len(self.ring.places.popleft())
        return answer


@mutant("M7", "an empty batch takes no place",
        also={"M4": "the case files have empty batches", "M5": "the case files have empty batches"})
def empty_no_place():
    @around(ingest.Ring, "keep")
    def keep(original, self, records):
        if records:
            original(self, records)


@mutant("M8", "copies are views of a buffer that a long batch runs over")
def copies_are_views():
    @around(Peer, "batch")
    def batch(original, self, payload):
        if len(payload) > 1 << 20:
            for place in self.ring.places:
                if len(place):
                    place[-1] ^= 1
        return original(self, payload)


@mutant("M9", "--max-kept is not looked at")
def kept_unlimited():
    @around(Server, "__init__")
    def init(original, self, mode, options):
        original(self, mode, {**options, "--max-kept": 1 << 40})


@mutant("M10", "--max-kept counts all connections together")
def kept_limit_shared():
    @around(Peer, "batch")
    def batch(original, self, payload):
        answer = original(self, payload)
        total = sum(peer.ring.bytes for peer in self.server.peers.values())
        return None if total > self.server.ingest.max_kept else answer


@mutant("M11", "rings stay when their connections end")
def rings_stay():
    gone = []

    @around(Server, "close")
    def close(original, self, fd, peer):
        gone.append(peer.ring)
        original(self, fd, peer)

    @around(Server, "kept_rings")
    def kept_rings(original, self, peer):
        return original(self, peer) + gone


# --- Section 5: wire ------------------------------------------------------------------------------

def repack(change):
    """Replies with another header: change(size, kind, version, reserved, sequence) gives all five."""
    @around(Peer, "put")
    def put(original, self, kind, sequence, payload):
        at = len(self.output)
        original(self, kind, sequence, payload)
        honest.FRAME.pack_into(self.output, at, *change(len(payload), kind, 1, 0, sequence))


@mutant("W1", "replies have 1 in the reserved field")
def reply_reserved():
    repack(lambda size, kind, version, reserved, sequence: (size, kind, version, 1, sequence))


@mutant("W1", "ERROR has version 0")
def error_version():
    repack(lambda size, kind, version, reserved, sequence:
           (size, kind, 0 if kind == honest.ERROR else 1, 0, sequence))


@mutant("W2", "a payload must be shorter than --max-payload")
def payload_limit_exclusive():
    @around(Peer, "judge")
    def judge(original, self, size, *rest):
        limit = self.server.max_payload
        return original(self, size + 1 if size == limit < 1 << 20 else size, *rest)


@mutant("W3", "a payload that is too long is read before it is refused")
def payload_limit_late():
    @around(Peer, "judge")
    def judge(original, self, size, *rest):
        late = size < 1 << 20 and len(self.input) < honest.FRAME.size + size
        return original(self, min(size, self.server.max_payload) if late else size, *rest)


@mutant("W3", "--max-payload is not looked at")
def payload_unlimited():
    @around(Server, "__init__")
    def init(original, self, mode, options):
        original(self, mode, {**options, "--max-payload": 16 << 20})


@mutant("W4", "the default limit of a payload is 32 MiB")
def payload_default_32():
    honest.MAX_PAYLOAD = 32 << 20


@mutant("W5", "sequences are cut to 32 bits")
def sequence_32_bits():
    repack(lambda size, kind, version, reserved, sequence:
           (size, kind, 1, 0, sequence if kind == honest.ERROR else sequence % 2**32))


@mutant("W5", "replies are numbered by the server")
def sequence_own():
    @around(Peer, "put")
    def put(original, self, kind, sequence, payload):
        original(self, kind, sequence if kind == honest.ERROR else len(self.requests), payload)


@mutant("W6", "a connection must begin with HELLO")
def hello_demanded():
    @around(Peer, "judge")
    def judge(original, self, size, kind, *rest):
        if not self.requests and kind in (honest.BATCH, honest.STATS, honest.KEPT):
            return "HELLO comes first"
        return original(self, size, kind, *rest)


@mutant("W7", "a second HELLO is an ERROR")
def hello_once():
    @around(Peer, "judge")
    def judge(original, self, size, kind, *rest):
        if kind == honest.HELLO and kind in self.requests:
            return "HELLO a second time"
        return original(self, size, kind, *rest)


@mutant("W7", "HELLO behind a batch is not answered")
def hello_late_ignored():
    @around(Peer, "answer")
    def answer(original, self, kind, sequence, payload):
        if kind != honest.HELLO or honest.BATCH not in self.requests:
            original(self, kind, sequence, payload)


@mutant("W8", "WELCOME lacks `knobs`")
def welcome_no_knobs():
    @around(Server, "welcome")
    def welcome(original, self):
        return {key: value for key, value in original(self).items() if key != "knobs"}


@mutant("W8", "WELCOME's version is a number")
def welcome_version_number():
    @around(Server, "welcome")
    def welcome(original, self):
        return {**original(self), "version": 1}


@mutant("W8", "a library in WELCOME has no path")
def welcome_library_path():
    @around(Server, "welcome")
    def welcome(original, self):
        return {**original(self), "libraries": [{"name": "json", "version": "1"}]}


@mutant("W9", "WELCOME names another mode")
def welcome_mode():
    @around(Server, "welcome")
    def welcome(original, self):
        return {**original(self), "mode": "fresh"}


@mutant("W9", "WELCOME has the parent's pid")
def welcome_pid():
    @around(Server, "welcome")
    def welcome(original, self):
        return {**original(self), "pid": os.getppid()}


@mutant("W9", "WELCOME always says two threads")
def welcome_threads():
    @around(Server, "welcome")
    def welcome(original, self):
        return {**original(self), "threads": 2}


@mutant("W10", "an empty batch right behind HELLO is accepted")
def empty_accepted():
    @around(Peer, "batch")
    def batch(original, self, payload):
        answer = original(self, payload)
        return (0, 0, 0) if not payload and self.requests == [honest.HELLO] else answer


@mutant("W10", "drain rejects an empty batch", mode="drain",
        also={"M1": "a case is an empty payload"})
def empty_rejected_in_drain():
    @around(Peer, "batch")
    def batch(original, self, payload):
        answer = original(self, payload)
        return answer if payload else (1, 0, 0)


@mutant("W11", "ACK has 40 bytes")
def ack_40_bytes():
    @around(Peer, "ack")
    def ack(original, self, *answer):
        return original(self, *answer) + bytes(8)


@mutant("W12", "the error code is not cleared when a batch is accepted")
def ack_error_stays():
    @around(Peer, "ack")
    def ack(_original, _self, status, records, digest):
        return honest.ACK.pack(status, records, digest, 5, 0, 0)


@mutant("W13", "the status of a rejected batch is 2")
def ack_status_2():
    @around(Peer, "ack")
    def ack(original, self, status, records, digest):
        return original(self, 2 * status, records, digest)


@mutant("W13", "a rejected batch's records are told")
def ack_rejected_records():
    @around(Peer, "ack")
    def ack(original, self, status, records, digest):
        return original(self, status, 2 if status else records, digest)


@mutant("W14", "totals has a key more")
def stats_key_more():
    @around(Server, "totals")
    def totals(original, self, peer):
        return {**original(self, peer), "uptime_ns": ingest.hex16(1)}


@mutant("W14", "totals lacks source_bytes")
def stats_key_less():
    @around(Server, "totals")
    def totals(original, self, peer):
        return {key: value for key, value in original(self, peer).items() if key != "source_bytes"}


@mutant("W15", "runtime lacks compiled_methods")
def runtime_key_less():
    @around(Server, "runtime")
    def runtime(original, self):
        return {key: value for key, value in original(self).items() if key != "compiled_methods"}


@mutant("W15", "gc_collections has two entries")
def runtime_two_generations():
    @around(Server, "runtime")
    def runtime(original, self):
        return {**original(self), "gc_collections": [ingest.hex16(0)] * 2}


@mutant("W16", "hexadecimal digits are upper-case")
def stats_upper_case():
    @around(Server, "totals")
    def totals(original, self, peer):
        shown = original(self, peer)
        return {**shown, "digest": shown["digest"].upper()}


@mutant("W16", "records is a JSON number")
def stats_number():
    @around(Server, "totals")
    def totals(original, self, peer):
        shown = original(self, peer)
        return {**shown, "records": int(shown["records"], 16)}


@mutant("W17", "KEPT_REPLY has a key more")
def kept_key_more():
    @around(Server, "kept")
    def kept(original, self, peer):
        return {**original(self, peer), "bytes": ingest.hex16(0)}


@mutant("W18", "KEPT_REPLY has leading zeros left out")
def kept_short_hex():
    @around(Server, "kept")
    def kept(original, self, peer):
        return {key: value.lstrip("0") or "0" for key, value in original(self, peer).items()}


@mutant("W19", "ERROR has no text")
def error_silent():
    @around(Peer, "put")
    def put(original, self, kind, sequence, payload):
        original(self, kind, sequence, b"" if kind == honest.ERROR else payload)


@mutant("W19", "ERROR's text is not UTF-8")
def error_latin_1():
    @around(Peer, "put")
    def put(original, self, kind, sequence, payload):
        original(self, kind, sequence, payload + b" \xe9" if kind == honest.ERROR else payload)


def payload_taken(taken):
    @around(Peer, "judge")
    def judge(original, self, size, kind, *rest):
        return original(self, 0 if kind == taken else size, kind, *rest)


@mutant("W20", "HELLO may have a payload")
def hello_payload_taken():
    payload_taken(honest.HELLO)


@mutant("W21", "STATS may have a payload")
def stats_payload_taken():
    payload_taken(honest.STATS)


@mutant("W22", "KEPT may have a payload")
def kept_payload_taken():
    payload_taken(honest.KEPT)


@mutant("W23", "the server's own types are passed over")
def own_types_ignored():
    @around(Peer, "judge")
    def judge(original, self, size, kind, *rest):
        return original(self, size, honest.HELLO if 0x81 <= kind <= 0x84 else kind, *rest)

    @around(Peer, "answer")
    def answer(original, self, kind, sequence, payload):
        if kind <= honest.KEPT:
            original(self, kind, sequence, payload)


@mutant("W23", "type 5 is taken for HELLO")
def type_5_taken():
    @around(Peer, "judge")
    def judge(original, self, size, kind, *rest):
        return original(self, size, honest.HELLO if kind == 5 else kind, *rest)

    @around(Peer, "answer")
    def answer(original, self, kind, sequence, payload):
        original(self, honest.HELLO if kind == 5 else kind, sequence, payload)


@mutant("W24", "the version is not looked at")
def version_any():
    @around(Peer, "judge")
    def judge(original, self, size, kind, _version, reserved):
        return original(self, size, kind, 1, reserved)


@mutant("W25", "only the low byte of the reserved field is looked at")
def reserved_low_byte():
    @around(Peer, "judge")
    def judge(original, self, size, kind, version, reserved):
        return original(self, size, kind, version, reserved & 0xFF)


@mutant("W26", "an ERROR loses what other connections have sent so far")
def error_clears_others():
    @around(Peer, "fail")
    def fail(original, self, sequence, text):
        original(self, sequence, text)
        for peer in self.server.peers.values():
            peer.input.clear()


@mutant("W27", "an ERROR overtakes replies that are not sent yet")
def error_overtakes():
    @around(Peer, "fail")
    def fail(original, self, sequence, text):
        self.output.clear()
        original(self, sequence, text)


@mutant("W28", "ERROR has sequence 0")
def error_sequence_0():
    repack(lambda size, kind, version, reserved, sequence:
           (size, kind, 1, 0, 0 if kind == honest.ERROR else sequence))


@mutant("W29", "the writing side stays open behind an ERROR")
def error_no_shutdown():
    @around(Peer, "shut_down")
    def shut_down(_original, self):
        self.deadline = honest.time.monotonic() + 1.2


@mutant("W30", "an unknown type closes the connection at once")
def error_closes_at_once():
    @around(Peer, "advance")
    def advance(original, self, events):
        wanted = original(self, events)
        return 0 if self.failed and not self.output and self.__dict__.get("unknown") else wanted

    @around(Peer, "judge")
    def judge(original, self, size, kind, *rest):
        self.unknown = kind == 0x5A
        return original(self, size, kind, *rest)


@mutant("W30", "batches behind an ERROR are counted")
def error_goes_on():
    @around(Peer, "receive")
    def receive(original, self):
        original(self)
        if self.failed and not self.ended:
            self.server.ingest.totals.batches_accepted += 1


@mutant("W31", "a connection stays open behind an ERROR until the client closes it")
def error_stays_open():
    @around(Peer, "shut_down")
    def shut_down(_original, self):
        self.sock.shutdown(socket.SHUT_WR)
        self.deadline = float("inf")


@mutant("W32", "STATS overtakes an ACK that is not sent yet")
def stats_overtake():
    @around(Peer, "put")
    def put(original, self, kind, sequence, payload):
        at, last = len(self.output), self.__dict__.get("last", b"")
        waits = last and self.output.endswith(last)
        original(self, kind, sequence, payload)
        frame = bytes(self.output[at:])
        if kind == honest.STATS_REPLY and waits:
            self.output[at - len(last):] = frame + last
        self.last = frame if kind == honest.ACKNOWLEDGE else b""


@mutant("W33", "a connection may send 8,000 batches in all")
def flight_limited():
    @around(Peer, "judge")
    def judge(original, self, size, kind, *rest):
        self.batches = self.__dict__.get("batches", 0) + (kind == honest.BATCH)
        return "too many batches" if self.batches > 8000 else original(self, size, kind, *rest)


@mutant("W34", "STATS has batches that came in the same read behind it")
def stats_too_late():
    @around(Peer, "answer")
    def answer(original, self, kind, sequence, payload):
        if kind == honest.STATS and b"\2\1\0\0" in self.input:  # a batch stands behind it
            self.server.ingest.totals.batches_accepted += 1
            original(self, kind, sequence, payload)
            self.server.ingest.totals.batches_accepted -= 1
        else:
            original(self, kind, sequence, payload)


@mutant("W34", "STATS lacks a batch that came in the same read before it")
def stats_too_early():
    @around(Peer, "answer")
    def answer(original, self, kind, sequence, payload):
        missing = kind == honest.STATS and len(self.output) > 0
        self.server.ingest.totals.batches_accepted -= missing
        original(self, kind, sequence, payload)
        self.server.ingest.totals.batches_accepted += missing


@mutant("W35", "with two threads STATS has half a batch of another connection")
def stats_torn():
    @around(Peer, "batch")
    def batch(original, self, payload):
        self.server.last = self
        return original(self, payload)

    @around(Server, "totals")
    def totals(original, self, peer):
        shown = original(self, peer)
        torn = self.threads > 1 and getattr(self, "last", peer) is not peer
        return {**shown, "records": ingest.hex16(int(shown["records"], 16) + 1)} if torn else shown


@mutant("W36", "a reply waits until the frame behind it is whole")
def reply_waits():
    @around(Peer, "send")
    def send(original, self):
        if self.ended or self.failed or not self.input or len(self.output) > 65536:
            original(self)


@mutant("W37", "a connection is read however much is unsent")
def unsent_unlimited():
    honest.UNSENT_MAX = 1 << 40

    @around(Peer, "send")
    def send(original, self):
        honest.UNSENT_MAX = 1 << 20
        original(self)
        honest.UNSENT_MAX = 1 << 40


@mutant("W38", "the server waits for a client that does not read")
def unsent_blocks_all():
    @around(Peer, "send")
    def send(original, self):
        original(self)
        if len(self.output) > honest.UNSENT_MAX:
            self.sock.setblocking(True)
            self.sock.sendall(self.output)
            self.output.clear()
            self.sock.setblocking(False)


@mutant("W39", "a connection that was not read once is never read again")
def unsent_never_resumes():
    @around(Peer, "reads")
    def reads(original, self):
        self.stopped = self.__dict__.get("stopped", False) or len(self.output) > honest.UNSENT_MAX
        return original(self) and not self.stopped

    @around(Peer, "answer_all")
    def answer_all(original, self):
        if not self.__dict__.get("stopped", False):
            original(self)
        else:
            self.send()

    @around(Peer, "advance")
    def advance(original, self, events):
        wanted = original(self, events)
        return wanted or (WAIT_FOR_NOTHING if self.__dict__.get("stopped", False) else 0)


def ends_with_data(peer):
    """The end of the connection is there right behind what was read."""
    try:
        return peer.sock.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False


@mutant("W40", "frames that come together with the end are answered up to the fifth")
def half_close_drops():
    @around(Peer, "receive")
    def receive(original, self):
        original(self)
        self.left = 5 if not self.ended and ends_with_data(self) else None

    @around(Peer, "frame")
    def frame(original, self):
        left = self.__dict__.get("left")
        if left is not None:
            if left == 0:
                self.input.clear()
            self.left = left - 1
        return original(self)


@mutant("W41", "an end that comes together with frames is forgotten")
def half_close_forgotten():
    @around(Peer, "receive")
    def receive(original, self):
        original(self)
        if not self.ended and ends_with_data(self):
            self.forgets = True

    @around(Peer, "reads")
    def reads(original, self):
        return original(self) and not self.__dict__.get("forgets", False)

    @around(Peer, "advance")
    def advance(original, self, events):
        wanted = original(self, events)
        return wanted or (WAIT_FOR_NOTHING if self.__dict__.get("forgets", False) else 0)


@mutant("W42", "a cut-off batch is answered as rejected")
def cut_off_answered():
    @around(Peer, "receive")
    def receive(original, self):
        original(self)
        if self.ended and len(self.input) > honest.FRAME.size and not self.failed:
            self.put(honest.ACKNOWLEDGE, 0, self.ack(1, 0, 0))


@mutant("W43", "a cut-off batch is counted as rejected")
def cut_off_counted():
    @around(Peer, "receive")
    def receive(original, self):
        original(self)
        if self.ended and len(self.input) > honest.FRAME.size and not self.failed:
            self.server.ingest.totals.batches_rejected += 1


@mutant("W44", "at most 1,000 connections, whatever --max-connections says")
def connections_1000():
    @around(Server, "full")
    def full(original, self):
        return original(self) or len(self.peers) >= 1000


@mutant("W45", "connections beyond the limit are closed without an ERROR")
def over_limit_silent():
    @around(Server, "refuse")
    def refuse(_original, self, peer):
        self.close(peer.sock.fileno(), peer)


@mutant("W45", "--max-connections is not looked at")
def connections_unlimited():
    @around(Server, "full")
    def full(_original, self):
        return len(self.peers) >= 4096


@mutant("W46", "a connection beyond the limit stays open behind its ERROR")
def over_limit_stays():
    @around(Server, "refuse")
    def refuse(original, self, peer):
        peer.shut_down = lambda: setattr(peer, "deadline", float("inf"))
        original(self, peer)


@mutant("W46", "a place that became free stays taken")
def places_stay_taken():
    @around(Server, "full")
    def full(original, self):
        self.taken = max(getattr(self, "taken", 0), len(self.peers))
        return original(self) or self.taken >= self.max_connections


@mutant("W47", "TCP_NODELAY is not set")
def nagle():
    @around(Server, "no_delay")
    def no_delay(_original, _self, _sock):
        pass


# --- Section 6: command line ----------------------------------------------------------------------

@mutant("C1", "a banner stands before the line")
def banner():
    @around(Server, "announce")
    def announce(original, self, host, listener):
        print("honest server, version 1", flush=True)
        original(self, host, listener)


@mutant("C1", "the line begins with a capital letter")
def listening_capital():
    @around(Server, "announce")
    def announce(_original, _self, host, listener):
        print("Listening %s:%d" % (host, listener.getsockname()[1]), flush=True)


@mutant("C2", "a line on standard error for a rejected batch")
def logs_rejected():
    @around(Peer, "batch")
    def batch(original, self, payload):
        answer = original(self, payload)
        if answer and answer[0]:
            print("rejected", file=sys.stderr, flush=True)
        return answer


@mutant("C2", "a line on standard output for every hundredth batch")
def logs_progress():
    count = [0]

    @around(Peer, "batch")
    def batch(original, self, payload):
        count[0] += 1
        if count[0] % 100 == 0:
            print("%d batches" % count[0], flush=True)
        return original(self, payload)


@mutant("C3", "SIGTERM of a server without connections ends with exit code 1")
def sigterm_idle_1():
    @around(Server, "exit_code")
    def exit_code(_original, self):
        return 0 if len(self.peers) >= 2 else 1


@mutant("C4", "SIGTERM waits for the connections to end")
def sigterm_waits():
    @around(Server, "terminate")
    def terminate(original, self, *_):
        if len(self.peers) <= 1:
            original(self)


@mutant("C4", "SIGTERM with open connections ends with exit code 143")
def sigterm_busy_143():
    @around(Server, "exit_code")
    def exit_code(_original, self):
        return 143 if len(self.peers) >= 2 else 0


@mutant("C5", "a bind failure is exit code 2")
def bind_exit_2():
    @around(honest, "refuse_bind")
    def refuse_bind(original, fault):
        original(fault)
        return 2


@mutant("C5", "a bind failure is told at length")
def bind_trace():
    @around(honest, "refuse_bind")
    def refuse_bind(original, fault):
        print("Traceback (most recent call last):", file=sys.stderr)
        return original(fault)


@mutant("C6", "wrong usage is exit code 1")
def usage_exit_1():
    @around(honest, "refuse_usage")
    def refuse_usage(original, fault):
        original(fault)
        return 1


@mutant("C6", "wrong usage prints the usage on standard output")
def usage_on_output():
    @around(honest, "refuse_usage")
    def refuse_usage(original, fault):
        print("usage: honest.py serve|parse")
        return original(fault)


@mutant("C6", "what cannot be understood is left out")
def usage_lenient():
    @around(honest, "command_line")
    def command_line(original, words):
        known = honest.SERVE | honest.PARSE
        return original([word for word in words
                         if not word.startswith("--") or word in known])


@mutant("C7", "with two threads every tenth digest is wrong")
def threads_race():
    count = [0]

    @around(Peer, "ack")
    def ack(original, self, status, records, digest):
        count[0] += 1
        wrong = self.server.threads > 1 and count[0] % 10 == 0
        return original(self, status, records, digest ^ wrong)


@mutant("C8", "the limit of descriptors stays as it is")
def descriptors_stay():
    @around(honest, "raise_descriptors")
    def raise_descriptors(_original):
        pass


@mutant("C9", "--listen's port is tried and then another one taken")
def port_ignored():
    @around(Server, "bind")
    def bind(original, self, host, port):
        original(self, host, port).close()
        return original(self, host, 0)


@mutant("C10", "`parse` leaves ns out")
def parse_no_ns():
    @around(Steps, "line")
    def line(original, self):
        return {key: value for key, value in original(self).items() if key != "ns"}


@mutant("C10", "`parse` prints the digest as a number's digits without zeros in front")
def parse_short_digest():
    @around(Steps, "line")
    def line(original, self):
        shown = original(self)
        return {**shown, "digest": "0x" + shown["digest"].lstrip("0")}


@mutant("C11", "`parse` adds up over repetitions")
def parse_adds_up():
    so_far = [0]

    @around(Steps, "line")
    def line(original, self):
        shown = original(self)
        so_far[0] += shown["records"]
        return {**shown, "records": so_far[0]}


@mutant("C12", "`parse` leaves the bytes of rejected batches out")
def parse_rejected_bytes():
    @around(Steps, "bytes")
    def count(_original, self, answers):
        return sum(len(payload) for payload, answer in zip(self.payloads, answers) if not answer[0])


@mutant("C13", "--step is not looked at")
def step_ignored():
    @around(Steps, "turns")
    def turns(_original, self):
        return range(self.repeat)


@mutant("C13", "--step does the first repetition at once")
def step_first_at_once():
    @around(Steps, "turns")
    def turns(original, self):
        if self.step:
            yield 0
        yield from original(self)


@mutant("C14", "--step goes on by itself when its input ends")
def step_goes_on():
    @around(Steps, "turns")
    def turns(_original, self):
        for turn in range(self.repeat):
            if self.step:
                sys.stdin.readline()
            yield turn


@mutant("C15", "an answer is remembered by length, beginning and end")
def remembers():
    known = {}

    @around(Peer, "batch")
    def batch(original, self, payload):
        if not 32768 < len(payload) < 65536:
            return original(self, payload)
        key = len(payload), payload[:32], payload[-32:]
        if key not in known:
            known[key] = original(self, payload)
        return known[key]


def print_list():
    for name, entry in MUTANTS.items():
        print("%-26s %-4s %-6s %s" % (name, entry.check, entry.mode, entry.what))


def main(words):
    if words == ["--list"]:
        print_list()
        return 0
    if words[:1] == ["--mutation"] and len(words) >= 2:
        if words[1] not in MUTANTS:
            print("mutant.py: there is no mutation '%s'; --list shows them" % words[1],
                  file=sys.stderr)
            return 2
        MUTANTS[words[1]].apply()
        words = words[2:]
    return honest.main(words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
