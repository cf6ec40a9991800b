"""rows_host.py: disturbances of the host against the gates of a race: excluded with the gate on, counted with it off.

The thresholds of the rules are loosened so far that a shared machine's own noise stays below them: a hog takes half
a core, not a percent.
"""

import contextlib
import functools
import glob
import json
import os
import signal
import subprocess
import sys
import threading
import time
from typing import NamedTuple

import clocked
from clocked import lab
from others import OTHERS_MAX, Watch
from small_race import Race
from table import Noisy, Outcome, Row

MIB = 1 << 20
TRIALS = 4  # two rows of two
SMALL_BYTES = 64 * MIB  # more than a server of ours needs
HOST_GATES = ("nothing_else_ran", "host_did_not_pause", "machine_unchanged", "generator_kept_up")
LOOSE = {
    "nothing_else_ran": {"foreign_share_max": 0.12},
    "host_did_not_pause": {"pause_share_max": 0.12, "pause_longest_floor_ns": 50e6},
    "machine_unchanged": {"machine_change_max": 0.5},
    "generator_kept_up": {"lateness_floor_ns": 1e6},
}
CLOSED = {"connections": 4, "depth": 4}
# p99 of the lateness needs 10,000 batches that were not blocked: many small ones, and room for what a stop delays.
OPEN = {"plan": "open", "connections": 16, "depth": 64, "rate_per_s": 20000}
BATCHES = {True: {"shape": "simple", "seed": 1, "bytes": "1MiB", "batch_records": 4},
           # In a closed loop the server must be the limit, so that the generator keeps up.
           False: {"shape": "simple", "seed": 1, "bytes": "4MiB", "batch_records": 256}}
# The generator measures its own sleep when it starts; grade C judges lateness by that.
SLOW_FROM_S = 0.15
# Becomes the server by exec, in the same process, after it touched 700 MB.
TOUCH = """
import os, sys
block = bytearray(700 << 20)
for at in range(0, len(block), 4096): block[at] = 1
os.execv(sys.argv[1], sys.argv[1:])
"""


class Done(NamedTuple):
    """A race: how it ended, its trials, the cores it took."""

    code: int
    said: str
    trials: list
    cores: dict  # of: list of cores


def descendants(pid: int) -> list:
    found = []
    with contextlib.suppress(OSError):
        with open("/proc/%d/task/%d/children" % (pid, pid), encoding="ascii") as file:
            for child in map(int, file.read().split()):
                found += [child, *descendants(child)]
    return found


def generator_of(pid: int) -> int | None:
    for child in descendants(pid):
        with contextlib.suppress(OSError):
            with open("/proc/%d/cmdline" % child, "rb") as file:
                if b"load" in file.read().split(b"\0")[1:2]:
                    return child
    return None


def throttle(pid: int, over: threading.Event) -> None:
    """Lets each generator run for 2 ms of every 8 ms, from shortly after its start on."""
    first_seen = {}
    while not over.wait(0.002):
        child = generator_of(pid)
        now = time.monotonic()
        if child is None or now < first_seen.setdefault(child, now) + SLOW_FROM_S:
            continue
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGSTOP)
            time.sleep(0.006)
            os.kill(child, signal.SIGCONT)


@contextlib.contextmanager
def hog(core: int | None):
    """A process that takes what it gets of a core."""
    if core is None:
        yield
        return
    # Its share is that of any process, even where the proof itself is run with a priority.
    # Two: one alone is pushed aside by a thread that often sleeps.
    words = [sys.executable, "-c", "import os\nos.sched_setaffinity(0, {%d})\n"
             "os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))\nwhile True: pass" % core]
    processes = [subprocess.Popen(words) for _ in range(2)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def read(path: str) -> dict:
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def read_trials(folder: str) -> list:
    return [read(path) for path in sorted(glob.glob(os.path.join(folder, "trials", "*.json")))]


def race(load: dict, on: tuple, core: int | None = None, slowed: bool = False, run: list | None = None) -> Done:
    """Races two contestants under rules whose gates `on` exclude, and whose other host gates are off.

    With `run` the second one is this program, and the trials are its own alone.
    """
    with Race() as small:
        names = ["c-tuned", "under-test" if run else "c-yyjson"]
        if run:
            small.add_contestant(names[1], run)
        gates = {gate: {"action": "exclude" if gate in on else "off", **(LOOSE[gate] if gate in on else {})}
                 for gate in HOST_GATES} | {"novelty": {"action": "off"}}
        matrix = small.matrix(names, rules={"warmup_s": 0.2, "window_s": 0.8, "retries_max": 0, "gates": gates},
                              cell={"rows": 2, "load": load, "data": BATCHES["plan" in load],
                                    "comparisons": [{"a": names[0], "b": names[1], "primary": False}]})
        with hog(core):
            process = subprocess.Popen(small.command(matrix), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.PIPE, text=True)
            over = threading.Event()
            beside = threading.Thread(target=throttle, args=(process.pid, over)) if slowed else None
            if beside:
                beside.start()
            try:
                said = process.communicate(timeout=90)[1]
            finally:
                over.set()
                if beside:
                    beside.join()
                process.kill()
                process.wait()
        if not os.path.exists(os.path.join(small.out, "manifest.json")):
            raise AssertionError("the race did not begin: " + said.strip())
        trials = [trial for trial in read_trials(small.out) if not run or trial["entry"] == names[1]]
        environment = read(os.path.join(small.out, "manifest.json"))["environment"]
        cores = {of: [int(core) for core in environment["cores_" + of].split(",") if core.isdigit()]
                 for of in ("server", "generator", "spare")}
        return Done(process.returncode, said.strip(), trials, cores)


@functools.cache
def honest(mode: str) -> tuple:
    """(a race on this host as it is, what others took of a core meanwhile)"""
    watch = Watch()
    done = race(OPEN if mode == "open" else CLOSED, HOST_GATES)
    return done, watch.share()


def excuse(failed: set, share: float) -> None:
    """Noisy where gates of the host's failed in an honest race and others were at work; it will be run anew."""
    if failed & set(HOST_GATES) and share > OTHERS_MAX:
        honest.cache_clear()
        raise Noisy("others took %.0f %% of a core while an honest race failed %s" % (
            share * 100, ", ".join(sorted(failed))))


def states(done: Done, outcome: str) -> set:
    return {gate for trial in done.trials for gate, said in trial["gates"].items() if said["outcome"] == outcome}


def figure(done: Done, gate: str) -> str:
    judged = [trial["gates"][gate] for trial in done.trials]
    texts = ["%s" % ("unavailable" if one["figure"] is None else "%.4g" % one["figure"]) for one in judged]
    return "%s of %s allowed" % (", ".join(texts), judged[0]["threshold"])


def prove_honest(mode: str) -> Outcome:
    done, share = honest(mode)
    excuse(states(done, "failed"), share)
    failed, unavailable = states(done, "failed"), states(done, "unavailable") - {"server_is_limit"}
    caught = (done.code == 0 and len(done.trials) == TRIALS and not failed and
              all(trial["outcome"] == "counted" for trial in done.trials))
    return Outcome(caught, None, "%d trials counted%s" % (
        len(done.trials), "; this host cannot see: " + ", ".join(sorted(unavailable)) if unavailable else ""),
        tuple(sorted(failed)))


def prove_disturbed(gate: str, load: dict, where: str | None = None, slowed: bool = False) -> Outcome:
    """The gate excludes every trial; with this gate and its neighbours off they all count."""
    plain, share = honest("open" if "plan" in load else "closed")
    excuse(states(plain, "failed") & {gate}, share)
    core = None
    if where:
        of = honest("closed")[0].cores
        core = (of.get(where) or of["generator"])[0]
    on = race(load, HOST_GATES, core, slowed)
    failed = states(on, "failed")
    caught = len(on.trials) >= 1 and all(
        trial["outcome"] == "excluded" and trial["gates"][gate]["outcome"] == "failed" for trial in on.trials)
    off = race(load, (), core, slowed)
    through = off.code == 0 and len(off.trials) == TRIALS and all(trial["outcome"] == "counted" for trial in off.trials)
    said = figure(on, gate) if on.trials else on.said[-120:]
    if gate in states(plain, "failed"):
        return Outcome(False, through, "an honest race fails it as well: this host is not quiet; " + said)
    return Outcome(caught, through, said, tuple(sorted(failed - {gate})), off=tuple(sorted(failed)))


def memory(done: Done) -> list:
    return [trial["details"]["host"]["server"]["memory"] for trial in done.trials]


def prove_touched() -> Outcome:
    """What a process touched before it became the server is in getrusage's peak, and not in ours."""
    server = os.path.join(lab.BUILD, "contestants", "c-tuned", "c-tuned")
    done = race(CLOSED, (), run=[sys.executable, "-c", TOUCH, server])
    peaks = [trial_memory["peak_bytes"] for trial_memory in memory(done)]
    process = subprocess.Popen([sys.executable, "-c", TOUCH, server, "serve"], stdout=subprocess.PIPE)
    process.stdout.readline()
    process.send_signal(signal.SIGTERM)
    usage = os.wait4(process.pid, 0)[2].ru_maxrss * 1024
    process.returncode = 0
    process.stdout.close()
    return Outcome(len(peaks) == 2 and max(peaks) < SMALL_BYTES, usage > 700 * MIB,
                   "peak %.1f MiB; by getrusage %.0f MiB" % (max(peaks) / MIB, usage / MIB), off=("VmHWM",))


def prove_page_cache() -> Outcome:
    """A file of 512 MB that the server reads stands in the column of files, not in the server's own memory."""
    file = lab.path("large-file")
    with open(file, "wb") as made:
        made.truncate(512 * MIB)
    done = race(CLOSED, (), run=[clocked.PROGRAM, "--map", file])
    os.unlink(file)
    own = [one["anonymous_bytes"] for one in memory(done)]
    files = [one["file_bytes"] for one in memory(done)]
    return Outcome(len(own) == 2 and max(own) < SMALL_BYTES and min(files) >= 512 * MIB, None,
                   "own memory %.1f MiB, pages of files %.0f MiB" % (max(own) / MIB, min(files) / MIB))


def prove_overloaded_race() -> Outcome:
    """A server that cannot keep up with a cell's rate has a result: its trials count, and say so."""
    load = {"plan": "open", "connections": 4, "depth": 1, "rate_per_s": 1300}
    done = race(load, ("generator_kept_up",), run=[clocked.PROGRAM, "--service-ns", "1000000"])
    windows = [trial["details"]["generator"]["window"] for trial in done.trials]
    caught = (len(windows) == 2 and all(window["overloaded"] for window in windows)
              and all(trial["outcome"] == "counted" for trial in done.trials))
    return Outcome(caught, None, "2 trials counted, backlog at the end %s; %s" % (
        ", ".join(str(window["backlog_end"]) for window in windows), done.said[-80:] or "no complaint"))


def rows() -> list:
    return [
        Row("host-honest", "none", "a race on this host as it is", lambda: prove_honest("closed")),
        Row("host-honest-open", "none", "the same with a constant rate", lambda: prove_honest("open")),
        Row("hog-server-core", "nothing_else_ran", "something else runs on the server's core",
            lambda: prove_disturbed("nothing_else_ran", CLOSED, "server")),
        Row("hog-generator-core", "nothing_else_ran", "something else runs on the generator's core",
            lambda: prove_disturbed("nothing_else_ran", CLOSED, "generator")),
        Row("hog-pause-watch", "host_did_not_pause", "something else takes the core that watches for pauses",
            lambda: prove_disturbed("host_did_not_pause", CLOSED, "spare")),
        Row("generator-slowed", "generator_kept_up", "the generator is stopped for 6 ms of every 8 ms",
            lambda: prove_disturbed("generator_kept_up", OPEN, slowed=True)),
        Row("overload-race", "overloaded", "a cell's rate is 130 % of what the server can take", prove_overloaded_race),
        Row("touched-700-mb", "memory", "the process touched 700 MB before it became the server", prove_touched),
        Row("maps-512-mb", "memory", "the server reads a file of 512 MB", prove_page_cache),
    ]
