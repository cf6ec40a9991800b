"""clocked.py: the server with a known service time, on a core of its own, with its log of every batch."""

import csv
import os
import signal
import subprocess
import sys
import time
from typing import NamedTuple

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "scenario"), os.path.join(HERE, "..", "support")]
import load_common as lab  # noqa: E402
from load_stall import await_event  # noqa: E402

PROGRAM = os.path.join(lab.BUILD, "tests", "support", "clocked_server")
# A server's batch that took so much longer than it should was interrupted.
PAUSE_NS = 20_000


def cores() -> tuple:
    """(the server's, the generator's); the same where there is but one."""
    usable = sorted(os.sched_getaffinity(0))
    return usable[0], usable[-1]


class Visit(NamedTuple):
    """One batch as the server saw it."""

    seen_ns: int
    begin_ns: int
    end_ns: int


AWAKE = ("import os\nos.sched_setaffinity(0, {%d})\nos.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))\n"
         "while os.getppid() == %d: pass")


def keep_awake() -> list:
    """A process on each core that runs only where nobody else would: the cores never halt.

    Waking a halted core takes a virtual machine 50 to 250 us, more the longer it slept. That is the host's, it
    depends on the load, and it is what a known service time cannot predict. (Not where a backlog drains: there they
    would take a little of a core that never rests.)
    """
    return [subprocess.Popen([sys.executable, "-c", AWAKE % (core, os.getpid())]) for core in sorted(set(cores()))]


class Clocked(lab.Server):
    """A clocked server for a `with` block; behind it, `visits` is its log in the order of service."""

    count = 0

    def __init__(self, service_ns: int, mode: str = "totals", awake: bool = False):
        Clocked.count += 1
        self.log = lab.path("visits-%d.csv" % Clocked.count)
        self.service_ns = service_ns
        self.visits = []
        self.wants_awake, self.awake = awake, []
        super().__init__([PROGRAM, "--service-ns", str(service_ns), "--log", self.log], ["--mode", mode])

    def __enter__(self):
        super().__enter__()
        os.sched_setaffinity(self.process.pid, {cores()[0]})
        self.awake = keep_awake() if self.wants_awake else []
        return self

    def __exit__(self, *what):
        for process in self.awake:
            process.kill()
            process.wait()
        super().__exit__(*what)
        if os.path.exists(self.log):
            with open(self.log, encoding="utf-8", newline="") as file:
                self.visits = [Visit(*map(int, row.values())) for row in csv.DictReader(file)]

    def matched(self, rows: list):
        """Each row's number with its visit and when the visit before it ended, in the order of service. `rows` are
        all of a run from some moment on: the log is laid beside them."""
        visits = sorted(self.visits, key=lambda visit: visit.seen_ns)
        by_reply = sorted(range(len(rows)), key=lambda k: rows[k]["reply_ns"])
        first = min(row["send_start_ns"] for row in rows)
        at = next(k for k, visit in enumerate(visits) if visit.seen_ns >= first)
        free = 0
        for number, k in enumerate(by_reply):
            visit, row = visits[at + number], rows[k]
            assert row["send_start_ns"] <= visit.seen_ns and visit.end_ns <= row["reply_ns"], (
                "the server's log and the generator's times contradict each other")
            yield k, visit, free
            free = visit.end_ns

    def taken(self, rows: list, cost_ns: float = 100_000) -> list:
        """For each row (by due time) what the host took while it was under way, in ns.

        Recorded are: a service that took longer than its clock (the server's log), a server that was free and
        looked late (its log against the generator's sends), and a look of the generator that came late (the gap
        before the reply), the latter two beyond the cost_ns that wire and wake-up cost anyway.
        """
        taken = [0] * len(rows)
        for k, visit, free in self.matched(rows):
            row = rows[k]
            gaps = (visit.end_ns - visit.begin_ns - self.service_ns,
                    visit.begin_ns - max(row["send_complete_ns"], free) - cost_ns,
                    row["reply_gap_ns"] - cost_ns)
            taken[k] = sum(ns for ns in gaps if ns > PAUSE_NS)
        return taken

    def way_back_ns(self, rows: list) -> int:
        """The shortest time from the end of a service, by the server's log, to the moment that the generator noted as
        the reply's. Of many batches one at least finds a quiet host: what is left is the wire, and the generator."""
        return min(rows[k]["reply_ns"] - visit.end_ns for k, visit, _ in self.matched(rows))

    def lost(self, rows: list, begin_ns: int, end_ns: int, cost_ns: float = 100_000) -> int:
        """What the host took of a time in which the server always had work, in ns: nothing is too small to count.

        A service begins when the one before was due to be done, or the batch was not there yet: what is beyond that
        is lost for good. Looks of the generator that came late are added, each once, however many replies it found.
        """
        lost, due_ns, looks = 0, 0, set()
        for k, visit, _ in self.matched(rows):
            if begin_ns <= visit.seen_ns and visit.end_ns <= end_ns:
                lost += max(0, visit.begin_ns - max(begin_ns, due_ns, rows[k]["send_complete_ns"]))
                gap_ns = rows[k]["reply_gap_ns"]
                if gap_ns - cost_ns > PAUSE_NS:
                    looks.add(gap_ns)
            due_ns = visit.begin_ns + self.service_ns
        return lost + sum(looks)


class Stop(NamedTuple):
    """A time in which the server stood still."""

    begin_ns: int  # it was known to stand
    end_ns: int    # it was told to go on


def sleep_until(at_ns: int) -> None:
    while (left := at_ns - time.monotonic_ns()) > 0:
        time.sleep(left / 1e9)


def stop(server, at_ns: int, for_ns: int) -> Stop:
    """Stops the server at a moment, for a time; its parent is told when it really stands."""
    pid = server.process.pid
    sleep_until(at_ns)
    os.kill(pid, signal.SIGSTOP)
    os.waitpid(pid, os.WUNTRACED)
    begin_ns = time.monotonic_ns()
    sleep_until(begin_ns + for_ns)
    end_ns = time.monotonic_ns()
    os.kill(pid, signal.SIGCONT)
    return Stop(begin_ns, end_ns)


def run(server, data: str, *words: str, disturb=None) -> tuple:
    """A run from the generator's own core; disturb(window_start_ns) happens beside it. (Run, its result)"""
    out, times = lab.path("out.json"), lab.path("times.csv")
    for name in (out, times):
        if os.path.exists(name):
            os.remove(name)
    process = lab.start(server, data, "--mode", "totals", "--cores", str(cores()[1]), "--events", "--out", out,
                        "--times", times, *words)
    everywhere = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {cores()[1]})  # the server's core is the server's
    try:
        seen = disturb(await_event(process, "window_start")["t_ns"]) if disturb else None
        return lab.finish(process, out, times), seen
    finally:
        os.sched_setaffinity(0, everywhere)
        if process.poll() is None:
            process.kill()
        process.wait()


def open_plan(rate: int, window_s: float, *words: str, connections: int = 4) -> tuple:
    """The words of a constant rate at depth 1."""
    return ("--plan", "open", "--rate", str(rate), "--connections", str(connections), "--depth", "1",
            "--window", "%dms" % round(window_s * 1000), *words)


def in_window(run_: "lab.Run") -> list:
    """The rows of the batches due in the window, in the order in which they were due."""
    times = run_.result["times"]
    rows = [row for row in run_.times if times["window_start_ns"] <= row["due_ns"] < times["window_end_ns"]]
    return sorted(rows, key=lambda row: row["due_ns"])


def latency(row: dict) -> int:
    return row["reply_ns"] - row["due_ns"]


def service(row: dict) -> int:
    return row["reply_ns"] - row["send_start_ns"]
