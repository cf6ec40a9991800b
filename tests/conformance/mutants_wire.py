"""mutants_wire.py: mutants that break headers, limits, sequences and the form of replies (section 5)."""

import os

import honest
import ingest
from honest import Peer, Server
from planting import around, mutant, repack


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
