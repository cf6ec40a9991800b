"""mutants_flow.py: mutants that break order, back-pressure, ends and connections (section 5)."""

import socket

import honest
import ingest
from honest import Peer, Server
from planting import WAIT_FOR_NOTHING, around, mutant


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
