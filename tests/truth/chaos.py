#!/usr/bin/env python3
"""chaos.py: campaigns killed at random moments go on to the results of one that nobody disturbed.

Usage: chaos.py [--kills N] [--seed N]

A campaign of simulated trials (figures drawn from a seed; one in twelve is disturbed, so rows run again) is killed by
SIGKILL at random moments, a tenth of the time ended by SIGTERM, and goes on by --resume until it is whole; then another
one, until there were N kills. Of each: every finished trial is kept as it was, the schedule is the same, `verify` finds
nothing, and results.json equals the undisturbed one's byte for byte but for the fields of LISTED. Then the refusals:
an edited matrix, another contestant, a folder in use.

Exit codes: 0 all of that; 1 environment; 2 wrong usage; 3 not so.
"""
import argparse
import hashlib
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

BUILD = pathlib.Path(os.environ.get("MR_BUILD_DIR") or "build/release").resolve()
PROGRAM = BUILD / "apps" / "matchrace" / "matchrace"
# What a disturbed campaign may have otherwise: when it ran, which trials were cut short and what follows from their being
# listed (numbers of trials, attempts, counts of gates and exclusions), hashes of what holds these.
LISTED_TOP = ("sha256", "trials")
LISTED_MANIFEST = ("started_utc", "reproduce", "environment")
LISTED_CELL = ("rows_repeated", "gates", "marks", "uneven")
LISTED_ENTRY = ("trials_excluded", "gates", "marks")
LISTED_TRIAL = ("file", "sha256", "number", "attempt", "started_utc")


class NotSo(Exception):
    """A promise that was broken."""


def expect(truth, what):
    if not truth:
        raise NotSo(what)


class Campaign:
    """A folder with contestants that never run, and a matrix of two simulated cells."""

    def __init__(self, folder, rows):
        self.folder = pathlib.Path(folder)
        for name in ("a", "b", "c"):
            self.contestant(name, "true")
        cells = [{"name": name, "driver": "simulated", "mode": "keep", "rows": rows[name],
                  "data": {"shape": "simple", "seed": 1, "bytes": "1MiB", "batch_records": 64},
                  "contestants": entries, "comparisons": comparisons}
                 for name, entries, comparisons in (
                     ("two", ["a", "b"], [{"a": "a", "b": "b"}]),
                     ("three", ["a", "b", "c"], [{"a": "a", "b": "c"}, {"a": "b", "b": "c", "primary": False}]))]
        gates = {name: {"action": "off"} for name in ("host_did_not_pause", "machine_unchanged", "server_is_limit")}
        matrix = {"name": "chaos", "budget_s": 600, "seed": 5, "cells": cells,
                  "rules": {"window_s": 0.01, "retries_max": 1, "gates": gates}}
        self.matrix = self.folder / "matrix.json"
        self.matrix.write_text(json.dumps(matrix), encoding="utf-8")

    def contestant(self, name, run):
        place = self.folder / "contestants" / name
        place.mkdir(parents=True, exist_ok=True)
        (place / "program").write_text("#!/bin/sh\n%s\n" % run, encoding="utf-8")
        manifest = {"name": name, "jobs": ["ingest"], "language": "none", "class": "stock", "how": "it never runs",
                    "licence": "MIT", "text": "utf8", "build": None, "run": ["sh", "program"], "env": {},
                    "parser_files": [], "memory_safety": "none", "any_json": True, "variants": {}, "conformance": "full"}
        (place / "contestant.json").write_text(json.dumps(manifest), encoding="utf-8")

    def start(self, out, resume, *more):
        words = ["--resume", str(out), *more] if resume else [str(self.matrix), "--out", str(out)]
        return subprocess.Popen([str(PROGRAM), "run", *words, "--data-dir", str(self.folder / "data"), "--contestants",
                                 str(self.folder / "contestants"), "--skip-conform"],
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def run(self, out, resume=False, *more):
        process = self.start(out, resume, *more)
        _, said = process.communicate(timeout=300)
        return process.returncode, said


def trials_of(out):
    """The bytes of every finished trial."""
    return {path.name: path.read_bytes() for path in (out / "trials").glob("*.json")} if (out / "trials").is_dir() else {}


def without(value, keys):
    return {key: one for key, one in value.items() if key not in keys}


def comparable(out):
    """results.json without the listed fields, and the trials of each row's last attempt, as bytes."""
    results = json.loads((out / "results.json").read_text(encoding="utf-8"))
    last = {}
    for trial in results["trials"]:
        row = trial["cell"], trial["row"]
        last[row] = max(last.get(row, 0), trial["attempt"])
    kept = [without(t, LISTED_TRIAL) for t in results["trials"] if t["attempt"] == last[t["cell"], t["row"]]]
    kept.sort(key=lambda t: (t["cell"], t["row"], t["position"]))
    plain = without(results, LISTED_TOP)
    plain["manifest"] = without(plain["manifest"], LISTED_MANIFEST)
    plain["cells"] = [without({**cell, "entries": [without(e, LISTED_ENTRY) for e in cell["entries"]]}, LISTED_CELL)
                      for cell in plain["cells"]]
    return json.dumps([plain, kept], indent=1).encode()


def kill_once(campaign, out, draw, began, tally):
    """Runs until a random moment; True when the campaign came to its end."""
    before = trials_of(out)
    process = campaign.start(out, began)
    # Most of the time from the moment at which trials begin, so that most kills meet one; some while it prepares.
    wait_trials = draw.random() < 0.9
    end = time.monotonic() + 60
    while wait_trials and process.poll() is None and len(trials_of(out)) == len(before) and time.monotonic() < end:
        time.sleep(0.002)
    time.sleep(draw.uniform(0, 0.5))
    polite = draw.random() < 0.1
    process.send_signal(signal.SIGTERM if polite else signal.SIGKILL)
    _, said = process.communicate(timeout=60)
    after = trials_of(out)
    expect(all(after.get(name) == text for name, text in before.items()), "a finished trial was lost or changed")
    tally["kills"] += process.returncode < 0 or process.returncode > 128
    tally["trials"] += len(after) - len(before)
    expect(process.returncode in (0, 5, 1, 143, -signal.SIGKILL, -signal.SIGTERM), "exit code %d: %s" % (process.returncode, said))
    expect(process.returncode != 1, "it could not go on: %s" % said)
    return process.returncode in (0, 5)


def one_campaign(campaign, out, draw, expected, tally, kills):
    while tally["kills"] < kills:
        began = (out / "manifest.json").exists()
        if out.exists() and not began:
            code, said = campaign.run(out, resume=True)
            expect(code in (1, 2) and "start it anew" in said, "killed before its first trial: %d %s" % (code, said))
            shutil.rmtree(out)
        if kill_once(campaign, out, draw, began, tally):
            break
    if not (out / "manifest.json").exists():
        shutil.rmtree(out, ignore_errors=True)
        campaign.run(out)
    code, said = campaign.run(out, resume=True)
    expect(code in (0, 5), "the last sitting: %d %s" % (code, said))
    verified = subprocess.run([str(PROGRAM), "verify", str(out)], capture_output=True, text=True, check=False)
    expect(verified.returncode == 0, "verify: %s%s" % (verified.stdout, verified.stderr))
    expect(comparable(out) == expected, "results.json differs from the undisturbed one's beyond the listed fields")


def tree_hash(folder):
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            digest.update(str(path).encode() + path.read_bytes())
    return digest.hexdigest()


def begun(campaign, out):
    """A campaign that was killed in mid-way; the number of its finished trials."""
    process = campaign.start(out, False)
    end = time.monotonic() + 60
    while len(trials_of(out)) < 40 and time.monotonic() < end:
        time.sleep(0.01)
    process.kill()
    process.communicate()
    return len(trials_of(out))


def refusals(campaign, half):
    """What may not go on, with what must be said; nothing in the folder changes."""
    def refused(what, change, words, restore=lambda: None):
        folder = campaign.folder / "refused"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(half, folder)
        change(folder)
        before = tree_hash(folder)
        code, said = campaign.run(folder, resume=True)
        restore()
        expect(code == 2 and words in said and len(said.splitlines()) == 1, "%s: %d %s" % (what, code, said))
        expect(tree_hash(folder) == before, "%s: the folder was changed" % what)

    def edit(name, old, new):
        def change(folder):
            text = (folder / name).read_text(encoding="utf-8")
            expect(old in text, "%s has %s" % (name, old))
            (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")
        return change
    refused("an edited matrix", edit("matrix.json", '"seed": 5', '"seed": 6'), "matrix.json was changed")
    refused("an edited manifest", edit("manifest.json", '"seed": 5', '"seed": 6'), "manifest.json was changed")
    refused("an edited trial", edit("trials/00001.json", '"seed": ', '"seed":  '), "00001.json was changed")
    refused("another program of a contestant", lambda _: campaign.contestant("b", "exit 0"), "/contestants/b was",
            lambda: campaign.contestant("b", "true"))
    # Another kernel: the manifest of another machine, which the log vouches for.
    def moved(folder):
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        manifest["environment"]["kernel"] = "5.4.0-other"
        old = hashlib.sha256((folder / "manifest.json").read_bytes()).hexdigest()
        (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
        new = hashlib.sha256((folder / "manifest.json").read_bytes()).hexdigest()
        edit("run.log", old, new)(folder)
    refused("another kernel", moved, "/environment/kernel was \"5.4.0-other\"")


def strata(campaign, out):
    """Half a campaign, then another program of a contestant: refused, and with --new-stratum kept apart."""
    first = begun(campaign, out)
    campaign.contestant("b", "exit 0")
    code, said = campaign.run(out, resume=True)
    expect(code == 2 and "--new-stratum goes on" in said, "another program: %d %s" % (code, said))
    code, said = campaign.run(out, True, "--new-stratum")
    expect(code in (0, 5), "a new stratum: %d %s" % (code, said))
    code, said = campaign.run(out, True)
    expect(code in (0, 5), "going on within it: %d %s" % (code, said))
    campaign.contestant("b", "true")
    results = json.loads((out / "results.json").read_text(encoding="utf-8"))
    expect([s["first_trial"] for s in results["strata"]] == [1, first + 1], "strata begin where they do")
    expect("/contestants/b was" in results["strata"][1]["changes"], "and say what changed")
    for cell in results["cells"]:
        for comparison in cell["comparisons"]:
            parts = comparison["strata"]
            expect(len(parts) == 2 and all(part["pairs"] > 0 for part in parts) and
                   sum(part["pairs"] for part in parts) == comparison["pairs"], "pairs lie in one stratum each")
            ratios = comparison["pair_ratios"]
            for part, some in zip(parts, (ratios[:parts[0]["pairs"]], ratios[parts[0]["pairs"]:])):
                some.sort()
                middle = len(some) // 2
                median = some[middle] if len(some) % 2 else (some[middle - 1] * some[middle]) ** 0.5
                expect(abs(part["ratio"] / median - 1) < 1e-9, "a stratum's ratio is the median of its pairs")
    report = (out / "report.md").read_text(encoding="utf-8")
    expect("From trial %d on something else ran" % (first + 1) in report and "by strata" in report, "the report says so")
    verified = subprocess.run([str(PROGRAM), "verify", str(out)], capture_output=True, text=True, check=False)
    expect(verified.returncode == 0, "verify of two strata: %s%s" % (verified.stdout, verified.stderr))


def in_use(campaign, out):
    """Two runs in one folder: the second is refused, the first goes on."""
    first = campaign.start(out, False)
    end = time.monotonic() + 60
    while not trials_of(out) and time.monotonic() < end:
        time.sleep(0.01)
    code, said = campaign.run(out, resume=True)
    expect(code == 1 and "another run is at work" in said, "a folder in use: %d %s" % (code, said))
    expect(first.wait(timeout=120) in (0, 5), "the first run came to its end")


def prove(folder, kills, draw):
    campaign = Campaign(folder, {"two": 24, "three": 18})
    whole = campaign.folder / "undisturbed"
    code, said = campaign.run(whole)
    expect(code in (0, 5), "the undisturbed run: %d %s" % (code, said))
    expected = comparable(whole)
    again = campaign.folder / "again"
    campaign.run(again)
    expect(comparable(again) == expected, "two undisturbed runs are alike")
    # Where every row ran nothing is left to refuse.
    begun(campaign, campaign.folder / "half")
    refusals(campaign, campaign.folder / "half")
    in_use(campaign, campaign.folder / "used")
    strata(campaign, campaign.folder / "strata")
    tally = {"kills": 0, "trials": 0, "campaigns": 0}
    while tally["kills"] < kills:
        out = campaign.folder / ("out-%d" % tally["campaigns"])
        one_campaign(campaign, out, draw, expected, tally, kills)
        tally["campaigns"] += 1
        print("%(kills)d kills, %(campaigns)d campaigns, %(trials)d trials kept" % tally, flush=True)


def main():
    parser = argparse.ArgumentParser(description="Campaigns killed at random moments.")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not PROGRAM.exists():
        print("skipped: %s is not built" % PROGRAM)
        return 77
    with tempfile.TemporaryDirectory(prefix="matchrace-chaos-") as folder:
        try:
            prove(folder, options.kills, random.Random(options.seed))
        except NotSo as broken:
            print("chaos: NOT SO: %s" % broken, file=sys.stderr)
            return 3
    print("chaos: every finished trial kept, the same schedule, the same results")
    return 0


if __name__ == "__main__":
    sys.exit(main())
