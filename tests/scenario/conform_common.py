# conform_common.py: what the scenarios of the conformance kit share: contestants made up on the spot, the kit's runs.
"""Contestants are folders outside the tree; nothing of them may be left running."""

import json
import os
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("MR_BUILD_DIR") or os.path.join(ROOT, "build", "release")
PROGRAM = os.path.join(BUILD, "apps", "matchrace", "matchrace")
MUTANT = os.path.join(ROOT, "tests", "conformance", "mutant.py")
TIMEOUT_S = 120

faults = []


def check(condition, text):
    """Notes a fault; the scenario goes on."""
    if not condition:
        print("FAULT: " + text)
        faults.append(text)
    return condition


def finish():
    print("%d faults" % len(faults) if faults else "all as it must be")
    sys.exit(1 if faults else 0)


def make_contestant(folder, words, **changes):
    """A folder with a contestant.json that runs `words`."""
    os.makedirs(folder, exist_ok=True)
    contestant = {"name": "honest", "jobs": ["ingest"], "language": "Python", "class": "stock",
                  "how": "Made up for a test.", "licence": "MIT", "text": "utf8", "run": words,
                  "parser_files": [], "memory_safety": "by the language", "any_json": True,
                  "conformance": "full", **changes}
    with open(os.path.join(folder, "contestant.json"), "w", encoding="utf-8") as file:
        json.dump(contestant, file)
    return folder


def mutant(folder, name=None, **changes):
    words = [sys.executable, "-S", "-E", MUTANT] + (["--mutation", name] if name else [])
    return make_contestant(folder, words, **changes)


class Run:
    """One run of the kit: what it printed, its exit code, how long it took."""

    def __init__(self, *words, stamps=None):
        begin = time.monotonic()
        place = ["--stamp-dir", stamps] if stamps else []
        done = subprocess.run([PROGRAM, "conform", *place, *words], capture_output=True, text=True,
                              timeout=TIMEOUT_S, check=False)
        self.out, self.err, self.code = done.stdout, done.stderr, done.returncode
        self.seconds = time.monotonic() - begin

    def __str__(self):
        return "exit code %d after %.1f s\n%s%s" % (self.code, self.seconds, self.out, self.err)


def running(mark):
    """Pids of living processes whose command line holds `mark`, but for ours."""
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        try:
            with open("/proc/%s/cmdline" % name, "rb") as file:
                words = file.read()
            with open("/proc/%s/stat" % name, encoding="utf-8", errors="replace") as file:
                state = file.read().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if mark.encode() in words and state != "Z":
            found.append(int(name))
    return found


def check_nothing_left(mark, what):
    deadline = time.monotonic() + 5
    while running(mark) and time.monotonic() < deadline:
        time.sleep(0.05)
    check(not running(mark), "%s: left running: %s" % (what, running(mark)))
