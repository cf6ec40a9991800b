"""small_race.py: races small enough for a test: a matrix, a folder of contestants, the program."""

import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.environ.get("MR_SOURCE_DIR")
                       or os.path.join(os.path.dirname(__file__), "..", ".."))
BUILD_DIR = os.path.abspath(os.environ.get("MR_BUILD_DIR") or os.path.join(ROOT, "build", "release"))
PROGRAM = os.path.join(BUILD_DIR, "apps", "matchrace", "matchrace")
os.environ.setdefault("MR_SHARE_CORES", "1")  # its figures count for nothing
NATIVE = ("c-tuned", "c-yyjson")
# A test's windows are too short to judge a host by, and its machine is busy.
HOST_GATES_OFF = {name: {"action": "off"} for name in ("nothing_else_ran", "host_did_not_pause", "machine_unchanged")}


class Race:
    """A folder with data, contestants and results of a test's own."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="matchrace-race-")
        self.contestants = os.path.join(self.folder, "contestants")
        os.mkdir(self.contestants)
        self.runs = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def path(self, *words: str) -> str:
        return os.path.join(self.folder, *words)

    def add_contestant(self, called: str, run: list, **more) -> None:
        """Writes a contestant.json whose program is `run`."""
        folder = os.path.join(self.contestants, called)
        os.mkdir(folder)
        manifest = {"name": called, "jobs": ["ingest"], "language": "Python", "class": "stock",
                    "how": "made by a test", "licence": "MIT", "text": "utf8", "build": None,
                    "run": run, "env": {"PYTHONDONTWRITEBYTECODE": "1"}, "parser_files": [],
                    "memory_safety": "by the language", "any_json": True, "variants": {},
                    "conformance": "full", **more}
        with open(os.path.join(folder, "contestant.json"), "w", encoding="utf-8") as file:
            json.dump(manifest, file)

    def matrix(self, contestants=NATIVE, **changes) -> str:
        """Writes a matrix of one small cell and returns its path; changes go to cell, rules or top."""
        rules = {"warmup_s": 0.05, "window_s": 0.2, "retries_max": 1, "steps": 3,
                 "gates": {"generator_kept_up": {"action": "mark"}, "recorder_sane": {"action": "mark"},
                           "novelty": {"action": "mark"}, **HOST_GATES_OFF}}
        rules.update(changes.pop("rules", {}))
        cell = {"name": "simple/keep", "mode": "keep", "rows": 6,
                "data": {"shape": "simple", "seed": 1, "bytes": "1MiB", "batch_records": 64},
                "load": {"connections": 2, "depth": 2}, "contestants": list(contestants),
                "comparisons": [{"a": contestants[0], "b": contestants[1]}]}
        cell.update(changes.pop("cell", {}))
        matrix = {"name": "small", "title": "A small race", "budget_s": 120, "seed": 7, "rules": rules,
                  "cells": [cell], **changes}
        path = self.path("matrix-%d.json" % self.runs)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(matrix, file, indent=1)
        return path

    def stepped_matrix(self, contestants=NATIVE, **changes) -> str:
        """The same of a stepped cell, which has no load."""
        path = self.matrix(contestants, **changes)
        with open(path, encoding="utf-8") as file:
            matrix = json.load(file)
        cell = matrix["cells"][0]
        cell.update(driver="stepped", mode="totals")
        del cell["load"]
        with open(path, "w", encoding="utf-8") as file:
            json.dump(matrix, file, indent=1)
        return path

    def command(self, matrix: str, *words: str) -> list:
        self.runs += 1
        self.out = self.path("out-%d" % self.runs)
        return [PROGRAM, "run", matrix, "--out", self.out, "--data-dir", self.path("data"),
                "--contestants", os.path.join(ROOT, "contestants"),
                "--contestants", self.contestants, "--skip-conform", *words]

    def run(self, matrix: str, *words: str, timeout_s: float = 120) -> subprocess.CompletedProcess:
        return subprocess.run(self.command(matrix, *words), capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=timeout_s, check=False)

    def results(self) -> dict:
        with open(os.path.join(self.out, "results.json"), encoding="utf-8") as file:
            return json.load(file)

    def text(self, name: str) -> str:
        with open(os.path.join(self.out, name), encoding="utf-8", newline="") as file:
            return file.read()


def at_once(jobs: list, workers: int = 3) -> None:
    """Calls every job with a race of its own, some at one time; for races that mostly wait."""
    def one(job):
        with Race() as race:
            job(race)
            expect(not processes_naming(race.folder), "nothing is left running")
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        tasks = [pool.submit(one, job) for job in jobs]
        try:
            for task in tasks:
                task.result()  # what failed in it ends the test
        finally:
            for task in tasks:
                task.cancel()


def processes_naming(word: str) -> list:
    """Living processes (no zombies) with `word` in their command line, as (pid, command)."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/cmdline" % pid, "rb") as file:
                command = file.read().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if word in command and int(pid) != os.getpid():
            found.append((int(pid), command))
    return found


def expect(truth: bool, what: str) -> None:
    if not truth:
        print("FAILED: " + what, file=sys.stderr)
        sys.exit(1)
    print("ok: " + what)


def skip_unless_built() -> None:
    if not os.path.exists(PROGRAM):
        print("skipped: %s is not built" % os.path.relpath(PROGRAM, ROOT))
        sys.exit(77)
