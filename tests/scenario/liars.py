"""liars.py: every lie fails the run of the load generator by its named gate; honest servers pass.

One line a lie: what it does, the gate that must catch it, what the generator said.
"""

import json
import os
import subprocess
import sys

import load_common as lab
import liar
from json_schema import Checker

# An early answer is a guess, which is right in drain alone: elsewhere it may be caught as wrong.
MODES = {"early": "drain", "early-later": "drain"}
# Lies told once more about batches that take several writes.
LARGE = ("early", "skip-records")
# Lies that take many replies: the run ends with the lie, so a long window is long only on a slow machine.
PATIENT = ("skip-1000th", "close-1000th", "close-random")


def check(lie: str, data: str) -> None:
    gate, mode = liar.LIES[lie].gate, MODES.get(lie, "keep")
    with lab.liar(lie, mode) as server:
        # Who behaves at first is caught by the probes of a warm-up that is long enough to have some.
        more = ("--warmup", "600ms") if lie == "early-later" else ()
        more += ("--window", "20s") if lie in PATIENT else ()
        run = lab.load(server, data, "--connections", "4", "--mode", mode, *more)
    said = run.err.strip()
    assert run.code == 3, "%s (%s): exit code %d, not 3: %s" % (lie, mode, run.code, said or run.out)
    assert run.result["verdict"] == "wrong", (lie, run.result["verdict"])
    assert run.result["failure"]["gate"] == gate, (lie, run.result["failure"])
    assert run.result["gates"][gate] == "fail", (lie, run.result["gates"])
    others = {state for name, state in run.result["gates"].items() if name != gate}
    assert "fail" not in others, (lie, run.result["gates"])
    assert len(said.splitlines()) == 1 and "gate '%s' failed" % gate in said, (lie, said)
    print("%-16s %-6s %-9s %s" % (lie, mode, gate, said.partition("failed: ")[2][:90]))


def check_wrong_answer_is_named(data: str) -> None:
    """The first mismatch says batch, sequence, turn, expected and got; the result has them too."""
    with lab.liar("stale-digest") as server:
        run = lab.load(server, data)
    failure = run.result["failure"]
    for key in ("batch", "sequence", "turn", "connection"):
        assert "%s %d" % (key, failure[key]) in run.err, (key, failure, run.err)
    assert ": expected accepted, 6 records, digest " in run.err and "; got accepted, " in run.err, run.err


def check_silent_ones(data: str) -> None:
    """Who never answers one batch of a connection at depth 1 is waited for, but not for ever."""
    with lab.liar("swallow") as server:
        run = lab.load(server, data, "--connections", "2", "--depth", "1", "--stall-limit", "700ms",
                       "--warmup", "0ms", "--window", "20s")
    assert run.code == 1, (run.code, run.err)
    assert run.result["verdict"] == "stalled" and run.result["failure"]["gate"] == "answers", run.result
    assert "stopped answering" in run.err and len(run.err.splitlines()) == 1, run.err
    print("%-16s %-6s %-9s %s" % ("swallow, depth 1", "keep", "stalled", run.err.strip()[:90]))


def check_honest(data: str) -> None:
    for what in ("honest", *liar.ODDITIES):
        for mode in ("keep", "totals") if what == "honest" else ("keep",):
            text = lab.rejects() if what == "hasty" else data
            with lab.liar(what, mode) as server:
                run = lab.load(server, text, "--connections", "4", "--mode", mode, "--warmup", "400ms")
            lab.ok(run, "%s in %s" % (what, mode))
            assert run.result["verification"]["early_probes"] >= 4, run.result["verification"]
            print("%-16s %-6s passed" % (what, mode))


def check_switch(data: str) -> None:
    """A run with a gate switched off is never verified, however honest the server; the gate must exist."""
    run = lab.load("127.0.0.1:1", data, "--without-gate", "kept,noise")
    assert run.code == 2 and run.result == {} and len(run.err.splitlines()) == 1, (run.code, run.err)
    assert "'noise'" in run.err and "protocol" in run.err, run.err
    with lab.liar("honest") as server:
        run = lab.load(server, data, "--connections", "2", "--without-gate", "kept,answers")
    result = run.result
    assert run.code == 5 and result["verdict"] == "not verified" and result["failure"] is None, (run.code, run.err)
    assert result["gates_off"] == ["answers", "kept"] and result["overlooked"] == {"answers": 0, "kept": 0}, result
    assert {name for name, state in result["gates"].items() if state == "off"} == {"answers", "kept"}, result["gates"]
    assert "NOT VERIFIED" in run.out and run.err.count("not verified: gate") == 2, (run.out, run.err)
    with lab.liar("honest") as server:
        result = lab.ok(lab.load(server, data, "--connections", "2"), "no gate off").result
    assert result["gates_off"] == [] and result["overlooked"] == {}, result


def check_manifests(data: str) -> None:
    """Each liar can enter a campaign: its contestant.json is right, and run by it the liar lies."""
    folder = lab.path("liars")
    subprocess.run([*lab.LIAR, "manifests", folder], check=True, timeout=30)
    with open(os.path.join(lab.ROOT, "schemas", "contestant.schema.json"), encoding="utf-8") as file:
        schema = Checker(json.load(file))
    assert sorted(os.listdir(folder)) == sorted("liar-" + lie for lie in ("honest", *liar.LIES, *liar.RACE_LIES))
    for name in os.listdir(folder):
        with open(os.path.join(folder, name, "contestant.json"), encoding="utf-8") as file:
            manifest = json.load(file)
        faults = schema.faults(manifest)
        assert not faults and manifest["name"] == name, (name, faults)
    for name, code in (("liar-honest", 0), ("liar-reject-all", 3)):
        with open(os.path.join(folder, name, "contestant.json"), encoding="utf-8") as file:
            manifest = json.load(file)
        with lab.Server(manifest["run"], ["--mode", "keep"], os.path.join(folder, name),
                        manifest["env"]) as server:
            assert lab.load(server, data, "--connections", "2").code == code, name


def main() -> None:
    data, large = lab.simple(), lab.messy()
    check_manifests(data)
    check_switch(data)
    check_honest(data)
    for lie in liar.LIES:
        check(lie, data)
    for lie in LARGE:
        check(lie, large)
    check_wrong_answer_is_named(data)
    check_silent_ones(data)


if __name__ == "__main__":
    main()
    sys.exit(0)
