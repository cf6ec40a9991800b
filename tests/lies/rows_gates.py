"""rows_gates.py: lying servers against the generator's own gates: on, and switched off one after the other."""

import os
import shutil
import time

import clocked
from clocked import lab
from table import Outcome, Row
import liar
import liars

# A server's lie that takes a thousand replies needs a longer run to be told while the gate is off.
SLOW = {"skip-1000th": "3s", "close-1000th": "3s", "close-random": "1s"}
# For the tests: of each gate one, and those of which only half the work shows.
QUICK = ("stale-digest", "before-parsing", "reorder", "duplicate", "swallow", "early", "close-each",
         "wrong-stats", "wrong-kept", "error-frame", "bad-frame")
FIGURES_MAX = 110


def window(lie: str, on: bool) -> str:
    """With the gate on a run ends with the lie: it may be long, so that a slow machine is not too slow."""
    if on:
        return "20s" if lie in SLOW else "400ms"
    return SLOW.get(lie, "400ms")


def run_liar(lie: str, data: str, on: bool, *words: str) -> "lab.Run":
    mode = liars.MODES.get(lie, "keep")
    with lab.liar(lie, mode) as server:
        # Who behaves at first is caught by the probes of a warm-up that is long enough to have some.
        warmup = "600ms" if lie == "early-later" else "150ms"
        return lab.load(server, data, "--connections", "4", "--mode", mode, "--warmup", warmup, "--window",
                        window(lie, on), "--drain-limit", "300ms", *words)


def failed_gates(run: "lab.Run") -> list:
    return [name for name, state in run.result.get("gates", {}).items() if state == "fail"]


def without(run_it, gate: str) -> tuple:
    """Runs without the gate, then without whichever gate caught the lie in its place, until it gets through.

    Returns (it got through, the gates that were off, the last run). A second gate that catches the lie is a
    second line of defence; the lie must have been told while the first was off.
    """
    off = [gate]
    while True:
        run = run_it("--without-gate", ",".join(off))
        others = failed_gates(run)
        if run.code != 3 or not others or others[0] in off:
            break
        off.append(others[0])
    through = (run.code == 5 and run.result["verdict"] == "not verified" and run.result["failure"] is None
               and run.result["gates_off"] == sorted(off, key=list(run.result["gates"]).index)
               and run.result["overlooked"][gate] > 0 and run.result["window"]["batches"] > 0)
    return through, tuple(off), run


def outcome(gate: str, on: "lab.Run", run_it) -> Outcome:
    tripped = failed_gates(on)
    caught = on.code == 3 and on.result["verdict"] == "wrong" and gate in tripped
    through, off, last = without(run_it, gate)
    said = on.err.strip().partition("failed: ")[2] or on.err.strip() or on.result["verdict"]
    figures = "%d overlooked; %s" % (last.result["overlooked"].get(gate, 0), said)
    if not through:
        figures = "without %s: exit code %d, %s; %s" % (",".join(off), last.code, last.result.get("verdict"),
                                                        last.err.strip()[-100:])
    return Outcome(caught, through, figures[:FIGURES_MAX], tuple(set(tripped) - {gate}), off)


def prove_liar(lie: str) -> Outcome:
    data, gate = lab.simple(), liar.LIES[lie].gate
    on = run_liar(lie, data, True)
    return outcome(gate, on, lambda *words: run_liar(lie, data, False, *words))


def prove_honest(what: str) -> Outcome:
    data = lab.rejects() if what == "hasty" else lab.simple()
    with lab.liar(what, "keep") as server:
        run = lab.load(server, data, "--connections", "4", "--warmup", "400ms")
    states = run.result["gates"]
    passed = run.code == 0 and run.result["verdict"] == "ok" and set(states.values()) == {"pass"}
    probes = run.result["verification"]["early_probes"]
    return Outcome(passed and probes >= 4 and run.result["window"]["batches"] > 0, None,
                   "%d replies verified, %d probes for early answers" %
                   (run.result["verification"]["replies_verified"], probes),
                   tuple(name for name, state in states.items() if state != "pass"))


def spoil(path: str) -> int:
    """Changes the first record's id in every batch of a file of frames, in place; returns how many."""
    changed = 0
    with open(path, "r+b") as file:
        data = file.read()
        at = 0
        while (at := data.find(b'"id":', at)) >= 0:
            digit = at + 5
            while data[digit:digit + 1] == b" ":
                digit += 1
            file.seek(digit)
            file.write(b"7" if data[digit:digit + 1] != b"7" else b"3")
            changed += 1
            at = digit
    return changed


def run_changed_data(*words: str) -> "lab.Run":
    """An honest server; the dataset's file is changed while the generator sends from it."""
    data, name = lab.simple(), lab.path("changed")
    for end in (".batches", ".answers", ".edits", ".json"):
        if os.path.exists(data + end):
            shutil.copy(data + end, name + end)
    with lab.contestant("c-tuned", "keep") as server:
        run, _ = clocked.run(server, name, "--mode", "keep", "--connections", "4", "--window", "1s", *words,
                             disturb=lambda _: (time.sleep(0.2), spoil(name + ".batches")))
    return run


def prove_changed_data() -> Outcome:
    return outcome("answers", run_changed_data(), run_changed_data)


def rows() -> list:
    honest = [Row("honest", "none", "an honest server", lambda: prove_honest("honest"), True)]
    for what in ("dribble", "hasty", "hoard"):
        honest.append(Row(what, "none", "allowed: " + liar.ODDITIES[what],
                          lambda what=what: prove_honest(what)))
    lies = [Row(lie, liar.LIES[lie].gate, liar.LIES[lie].what, lambda lie=lie: prove_liar(lie), lie in QUICK)
            for lie in liar.LIES]
    return honest + lies + [
        Row("dataset-changed", "answers", "the dataset's file is changed while it is sent", prove_changed_data)]
