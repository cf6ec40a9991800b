"""mutants_command.py: mutants that break the command line (section 6)."""

import sys

import honest
from honest import Peer, Server, Steps
from planting import around, mutant


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


@mutant("C1", "a line on standard output follows when it ends")
def says_goodbye():
    @around(Server, "terminate")
    def terminate(original, self, *words):
        print("good bye", flush=True)
        original(self, *words)


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
