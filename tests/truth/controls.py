#!/usr/bin/env python3
"""controls.py: short real campaigns whose truth is known: equal pairs, planted doses, planted liars; what was found.

Usage: controls.py [--equal N] [--planted N] [--baseline NAME] [--liar NAME]… [--seed N] [--out FOLDER] [--simulated]

An equal campaign races a contestant against itself: every verdict that tells the two apart is false. A planted one has
doses of 1, 2 and 5 % and a liar among its controls; the seed draws another one each time. The table says how often what
was found. On a quiet machine an equal campaign takes about half a minute and a planted one a minute.

Exit codes: 0 as it must be; 1 environment; 2 wrong usage; 3 a lie was believed, or more equal pairs were told apart than
a chance of 5 % a campaign makes likely (once in a thousand such proofs).
"""
import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(os.environ.get("MR_SOURCE_DIR") or pathlib.Path(__file__).parents[2]).resolve()
BUILD = pathlib.Path(os.environ.get("MR_BUILD_DIR") or ROOT / "build" / "release").resolve()
PROGRAM = BUILD / "apps" / "matchrace" / "matchrace"
DOSES = (0.01, 0.02, 0.05)
# Those that lie within the first answers of any trial.
LIES = ("skip-records", "stale-digest", "accept-all", "reject-all", "before-parsing", "reorder", "duplicate",
        "wrong-sequence", "wrong-stats", "forget-stats", "wrong-kept", "lazy-kept", "close", "error-frame", "bad-frame",
        "nonsense")
APART = ("faster", "slower", "faster_size_open", "slower_size_open")
EQUAL_ROWS, PLANTED_ROWS = 8, 6
OFF, MARK = {"action": "off"}, {"action": "mark"}
GATES = {"generator_kept_up": MARK, "recorder_sane": MARK, "novelty": MARK, "host_did_not_pause": OFF,
         "machine_unchanged": OFF, "nothing_else_ran": OFF}
RULES = {"warmup_s": 0.3, "warmup_managed_s": 3, "window_s": 0.5, "drain_limit_s": 5, "retries_max": 2, "gates": GATES}
FALSE_ALARM = 0.001


class Campaigns:
    """Where they run, and what was found so far."""

    def __init__(self, options, folder):
        self.options, self.folder = options, pathlib.Path(folder)
        self.contestants = self.folder / "contestants" if options.simulated else ROOT / "contestants"
        self.equal = {"same": 0, "not_resolved": 0, "apart": 0}
        self.found = {dose: [0, 0] for dose in DOSES}
        self.cpu = {dose: [] for dose in DOSES}
        self.twins, self.lies, self.liars = [0, 0], [0, 0], []
        self.first_fault = None
        if options.simulated:
            for name in (options.baseline, *options.liar):
                self.add_simulated(name)

    def add_simulated(self, name):
        place = self.contestants / name
        place.mkdir(parents=True)
        manifest = {"name": name, "jobs": ["ingest"], "language": "none", "class": "stock", "how": "it never runs",
                    "licence": "MIT", "text": "utf8", "build": None, "run": ["true"], "env": {}, "parser_files": [],
                    "memory_safety": "none", "any_json": True, "variants": {}, "conformance": "full"}
        (place / "contestant.json").write_text(json.dumps(manifest), encoding="utf-8")

    def run(self, kind, number, rows, primary, controls):
        """Runs one; its results."""
        again = {"contestant": self.options.baseline, "as": "again"}
        cell = {"name": "equal", "driver": "simulated" if self.options.simulated else "served", "mode": "keep",
                "rows": rows, "data": {"shape": "simple", "seed": 42, "bytes": "16MiB", "batch_records": 256},
                "load": {"plan": "closed", "connections": 16, "depth": 4},
                "contestants": [self.options.baseline, again],
                "comparisons": [{"a": self.options.baseline, "b": "again", "primary": primary}]}
        rules = {**RULES, "window_s": 0.002, "retries_max": 10} if self.options.simulated else RULES
        matrix = {"name": kind, "seed": self.options.seed * 1000 + number, "budget_s": 600, "rules": rules, "cells": [cell],
                  **controls}
        path = self.folder / ("%s-%d.json" % (kind, number))
        path.write_text(json.dumps(matrix), encoding="utf-8")
        out = self.folder / ("%s-%d" % (kind, number))
        done = subprocess.run([str(PROGRAM), "run", str(path), "--out", str(out), "--data-dir", str(self.folder / "data"),
                               "--contestants", str(self.contestants), "--skip-conform"],
                              capture_output=True, text=True, check=False)
        if not (out / "results.json").exists():
            raise OSError("a campaign came to no results: %s" % done.stderr.strip())
        results = json.loads((out / "results.json").read_text(encoding="utf-8"))
        if done.returncode != 0:
            self.first_fault = self.first_fault or done.stderr.strip()
        return results

    def run_equal(self, number):
        results = self.run("equal", number, EQUAL_ROWS, True, {})
        verdict = results["cells"][0]["comparisons"][0]["verdict"]
        self.equal["apart" if verdict in APART else "same" if verdict == "same" else "not_resolved"] += 1
        return verdict

    def run_planted(self, number):
        controls = {"like": "equal", "rows": PLANTED_ROWS, "baselines": [self.options.baseline], "doses": list(DOSES),
                    "liars": self.options.liar}
        results = self.run("planted", number, 2, False, {"controls": controls})
        for one in results["controls"]["of"]:
            self.take(one)
        return ", ".join("%s: %s" % (self.name_of(one), one["outcome"]) for one in results["controls"]["of"])

    def name_of(self, one):
        return "%g %%" % (100 * one["planted"]) if one["is"] == "dose" else one["contestant"] if one["is"] == "liar" else "twin"

    def take(self, one):
        if one["outcome"] == "not_run":
            return
        if one["is"] == "dose":
            self.found[one["planted"]][0] += one["outcome"] == "found"
            self.found[one["planted"]][1] += 1
            if one["cpu_extra"] is not None:
                self.cpu[one["planted"]].append(one["cpu_extra"])
        elif one["is"] == "twin":
            self.twins[0] += one["outcome"] == "differs"
            self.twins[1] += 1
        else:
            self.lies[0] += one["outcome"] == "caught"
            self.lies[1] += 1
            self.liars += [] if one["outcome"] == "caught" else [one["contestant"]]


def most_likely(campaigns):
    """So many false alarms of 5 % each are exceeded once in a thousand."""
    tail, at = 1.0, -1
    while tail > FALSE_ALARM:
        at += 1
        tail -= math.comb(campaigns, at) * 0.05 ** at * 0.95 ** (campaigns - at)
    return at


def write_table(found):
    equal = sum(found.equal.values())
    print("\n| planted | found |\n|---|---|")
    if equal > 0:
        print("| nothing: a contestant beside itself, with verdict | %d of %d called different (%d same, %d not resolved) |"
              % (found.equal["apart"], equal, found.equal["same"], found.equal["not_resolved"]))
    if found.twins[1] > 0:
        print("| nothing: twins among controls | %d of %d called different |" % tuple(found.twins))
    for dose in DOSES:
        if found.found[dose][1] > 0:
            cpu = "%.2f %%" % (100 * statistics.median(found.cpu[dose])) if found.cpu[dose] else "unavailable"
            print("| %g %% more work | %d of %d; CPU time beyond the baseline's, median: %s"
                  " |" % (100 * dose, *found.found[dose], cpu))
    if found.lies[1] > 0:
        print("| a liar | %d of %d caught%s |" % (*found.lies, "".join("; believed: " + one for one in found.liars)))


def judge(found):
    """What must not be."""
    faults = ["a planted lie was believed: %s" % one for one in found.liars]
    for told, all_, what in ((found.equal["apart"], sum(found.equal.values()), "equal campaigns"), (*found.twins, "twins")):
        if told > most_likely(all_):
            faults.append("%d of %d %s were told apart; chance makes at most %d likely" % (told, all_, what, most_likely(all_)))
    return faults


def prove(options, folder):
    found = Campaigns(options, folder)
    began = time.monotonic()
    total = options.equal + options.planted
    kinds = [("equal", found.run_equal, i) for i in range(options.equal)]
    kinds += [("planted", found.run_planted, i) for i in range(options.planted)]
    # In turn, so that both kinds meet the same times of the day.
    kinds.sort(key=lambda one: (one[2] + 0.5) / (options.equal if one[0] == "equal" else options.planted))
    for done, (kind, run, number) in enumerate(kinds, 1):
        said = run(number)
        left_min = (time.monotonic() - began) / done * (total - done) / 60
        print("%d of %d, %s: %s (%.0f min left)" % (done, total, kind, said, left_min), flush=True)
    write_table(found)
    if found.first_fault:
        print("first remark of a campaign: %s" % found.first_fault)
    faults = judge(found)
    for fault in faults:
        print("controls: NOT SO: %s" % fault, file=sys.stderr)
    return 3 if faults else 0


def main():
    parser = argparse.ArgumentParser(description="Short campaigns whose truth is known: what they found.")
    parser.add_argument("--equal", type=int, default=40, help="campaigns of a contestant beside itself (default 40)")
    parser.add_argument("--planted", type=int, default=20, help="campaigns with doses and a liar (default 20)")
    parser.add_argument("--baseline", default="c-yyjson", help="the contestant; it must know --dose-ppm (default c-yyjson)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", help="keep the campaigns in this folder, which may not exist yet")
    parser.add_argument("--liar", action="append", help="draw from these contestants; may be given again (default: all that lie at once)")
    parser.add_argument("--simulated", action="store_true", help="nobody runs: figures drawn from a seed, for a test of this proof")
    options = parser.parse_args()
    options.liar = options.liar or (["liar-a", "liar-b"] if options.simulated else ["liar-" + lie for lie in LIES])
    if not PROGRAM.exists():
        print("skipped: %s is not built" % PROGRAM)
        return 77
    try:
        if options.out:
            os.makedirs(options.out)
            return prove(options, options.out)
        with tempfile.TemporaryDirectory(prefix="matchrace-controls-") as folder:
            return prove(options, folder)
    except OSError as fault:
        print("controls: %s" % fault, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
