"""rows_gates.py: lying servers against the generator's own gates: on, and switched off one after the other."""

import re
import shutil

import clocked
from clocked import lab
from table import Outcome, Row
import liar
import liars

# A server's lie that takes a thousand replies needs a longer run to be told while the gate is off.
SLOW = {"skip-1000th": "3s", "close-1000th": "3s", "close-random": "1s"}
# For the tests: of each gate one. (With their gates on, all of them are a test: liars.py.)
QUICK = ("stale-digest", "duplicate", "early", "close-each", "wrong-stats", "wrong-kept", "bad-frame")
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


def copy_data(name: str) -> str:
    """A copy of the dataset of one's own."""
    data, copy = lab.simple(), lab.path(name)
    for end in (".batches", ".answers", ".edits", ".json"):
        shutil.copy(data + end, copy + end)
    return copy


def spoil(path: str, pattern: bytes, put: bytes) -> int:
    """Writes `put` over the begin of every match, in place; returns how many there were."""
    with open(path, "r+b") as file:
        found = [match.start() for match in re.finditer(pattern, file.read())]
        for at in found:
            file.seek(at)
            file.write(put)
    return len(found)


def run_changed_data(*words: str) -> "lab.Run":
    """An honest server; under way the records that expected answers are made of change in their file."""
    copy = copy_data("changed")

    def change(begin_ns: int) -> int:
        clocked.sleep_until(begin_ns + 200_000_000)
        return spoil(copy + ".edits", rb"[a-z]{6,}", b"A")

    with lab.contestant("c-tuned", "totals") as server:
        run, changed = clocked.run(server, copy, "--connections", "4", "--window", "1s", *words, disturb=change)
    assert changed > 0, "nothing was changed"
    return run


def prove_swapped_data() -> Outcome:
    """Other batches than those whose hash stands in the manifest: refused, or caught by the answers."""
    copy = copy_data("swapped")
    assert spoil(copy + ".batches", rb'(?<="id":)\s*\d', b"7") > 0
    with lab.contestant("c-tuned", "keep") as server:
        on = lab.load(server, copy, "--connections", "4")
    caught = on.code == 2 and "SHA-256" in on.err and not on.times

    def run_it(*words: str) -> "lab.Run":
        with lab.contestant("c-tuned", "keep") as server:
            return lab.load(server, copy, "--connections", "4", "--trust-hashes", *words)

    second = run_it()
    through, off, _ = without(run_it, "answers")
    caught = caught and second.code == 3 and failed_gates(second) == ["answers"]
    return Outcome(caught, through, "refused before a batch is sent; trusted blindly, 'answers' catches it",
                   off=("sha-256", *off))


def rows() -> list:
    honest = [Row("honest", "none", "an honest server", lambda: prove_honest("honest"), True)]
    for what in ("dribble", "hasty", "hoard"):
        honest.append(Row(what, "none", "allowed: " + liar.ODDITIES[what],
                          lambda what=what: prove_honest(what)))
    lies = [Row(lie, liar.LIES[lie].gate, liar.LIES[lie].what, lambda lie=lie: prove_liar(lie), lie in QUICK)
            for lie in liar.LIES]
    return honest + lies + [
        Row("dataset-changed", "answers", "the dataset's expected answers change in their file under way",
            lambda: outcome("answers", run_changed_data(), run_changed_data)),
        Row("dataset-swapped", "sha-256", "the dataset's batches are not those of its manifest",
            prove_swapped_data, True)]
