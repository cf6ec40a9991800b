"""mutants_errors.py: mutants that break what is an ERROR and what happens around one (section 5)."""

import socket

import honest
from honest import Peer
from planting import around, mutant, repack


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
