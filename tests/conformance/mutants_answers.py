"""mutants_answers.py: mutants that break batches, numbers and modes (sections 1, 3, 4)."""

import ingest
from honest import Peer, Server
from planting import around, mutant


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
    # Two are enough: a slow server on a busy machine finds many bytes at once.
    lying(lambda peer: peer.pieces >= 2)


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
