#!/usr/bin/env python3
"""soak_leaks.py: a short soak finds memory and descriptors that are left behind, and finds nothing where nothing is."""

import json
import os
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from small_race import ROOT, expect, skip_unless_built

HERE = os.path.dirname(os.path.abspath(__file__))
SOAK = os.path.join(ROOT, "tools", "soak", "soak.py")
SECONDS = "6"

sys.path.insert(0, os.path.dirname(SOAK))
from memory_kinds import split  # noqa: E402
from slope import theil_sen  # noqa: E402
from soak import EXIT_WRONG, Bin, Failure, Server, counted_of, watch  # noqa: E402

# Of a .NET program's smaps: a reserved range with pieces in use, the JIT's code, a library, the C heap.
SMAPS = """\
10000-30000 rw-p 00000000 00:00 0 
Rss:                 100 kB
30000-500000000 ---p 00000000 00:00 0 
Rss:                   0 kB
500000000-500010000 rw-p 00000000 00:00 0 
Rss:                  20 kB
500020000-500030000 rw-p 00000000 00:00 0 
Rss:                   3 kB
600000000-600010000 rw-s 00000000 00:01 77 /memfd:doublemapper (deleted)
Rss:                   7 kB
700000000-700010000 r-xp 00000000 08:01 99 /usr/lib/some library.so
Rss:                  11 kB
700010000-700020000 rw-p 00000000 00:00 0 [heap]
Rss:                  13 kB
"""


def slopes_are_right() -> None:
    """Against worked values: a line, a line with outliers, and a rise far below the noise."""
    x = [float(i) for i in range(20)]
    line = theil_sen(x, [3 * value + 1 for value in x])
    expect(line == (3, 3, 3), "a line is its own slope: %s" % (line,))
    spoiled = [3 * value + (1000 if value in (4, 11) else 0) for value in x]
    expect(theil_sen(x, spoiled).estimate == 3, "two outliers move nothing: %s" % (theil_sen(x, spoiled),))
    noise = [i * 7919 % 101 + 0.01 * i for i in range(20)]
    expect(theil_sen(x, noise).low < 0 < theil_sen(x, noise).high, "noise has no slope: %s" % (theil_sen(x, noise),))
    # 10 points are 45 pairs, of which S may be 1.96 * sqrt(10 * 9 * 25 / 18) = 21.9: the 11th to the 35th slope.
    steps = theil_sen(x[:10], [value * value for value in x[:10]])
    pairs = sorted(i + j for i in range(10) for j in range(i))
    expect(steps == (pairs[22], pairs[10], pairs[34]), "ranks by Sen's interval: %s" % (steps,))


class Process:
    """This very process, in place of a server and of its load."""

    pid = os.getpid()

    def poll(self) -> None:
        return None


class Dying(Server):
    """Ends when it is asked for its collections."""

    def __init__(self, error: Exception):
        self.error, self.name, self.process = error, "dying", Process()

    def collections(self) -> int:
        raise self.error


def who_ends_when_asked() -> None:
    """No traceback: the soak ends early, which is told, or says what the answer was."""
    for error in (ConnectionResetError("gone"), struct.error("half a head")):
        expect(watch(Dying(error), Process(), 0.1) == [], "an end: %s" % error)
    try:
        watch(Dying(ValueError("no JSON")), Process(), 0.1)
        expect(False, "an answer that is none")
    except Failure as failure:
        expect(failure.code == EXIT_WRONG and "no JSON" in str(failure), str(failure))


def kinds_are_told() -> None:
    kinds = {kind: rss // 1024 for kind, rss in split(SMAPS).items()}
    expect(kinds == {"heap": 120, "code": 7, "files": 11, "other": 16}, "kinds of memory: %s" % (kinds,))


def time_counts_late() -> None:
    """The later half, and of a runtime that collects only what comes behind its second collection."""
    def bins(collections):
        return [Bin(float(at), 1.0, 1, {}, count) for at, count in enumerate(collections)]

    expect(len(counted_of(bins([-1] * 30))) == 15, "without collections half of the bins count")
    expect(len(counted_of(bins([1] * 20 + [2] * 10))) == 10, "before its second collection none counts")
    expect(len(counted_of(bins([0] * 5 + [9] * 25))) == 15, "the first half is warm-up anyway")


def soak(matchrace: str, build_dir: str, data: str, folder: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, SOAK, "--program", matchrace, "--build-dir", build_dir, "--data", data,
                           "--seconds", SECONDS, folder], capture_output=True, text=True, check=False)


def leaky_folder(scratch: str, leak: str) -> str:
    """A contestant.json as the example's, over leaky.py."""
    with open(os.path.join(ROOT, "contestants", "example-python", "contestant.json"), encoding="utf-8") as file:
        manifest = json.load(file)
    folder = os.path.join(scratch, "leaky-" + leak)
    os.makedirs(folder)
    manifest |= {"name": "leaky-" + leak, "variants": {}, "run": [sys.executable, os.path.join(HERE, "leaky.py"), leak]}
    with open(os.path.join(folder, "contestant.json"), "w", encoding="utf-8") as file:
        json.dump(manifest, file)
    return folder


def main() -> int:
    skip_unless_built()
    build_dir = os.environ.get("MR_BUILD_DIR", os.path.join(ROOT, "build", "release"))
    matchrace = os.path.join(build_dir, "apps", "matchrace", "matchrace")
    slopes_are_right()
    kinds_are_told()
    who_ends_when_asked()
    time_counts_late()
    with tempfile.TemporaryDirectory() as scratch:
        data = os.path.join(scratch, "data")
        subprocess.run([matchrace, "data", "make", "--shape", "simple", "--batches", "400", "--batch-records", "2",
                        "--out", data], check=True, stdout=subprocess.DEVNULL)
        for leak, code, word in (("none", 0, ""), ("memory", 3, "resident size"), ("descriptors", 3, "descriptors")):
            done = soak(matchrace, build_dir, data, leaky_folder(scratch, leak))
            rising = [line for line in done.stdout.splitlines() if "RISING" in line]
            expect(done.returncode == code and len(rising) == bool(word) and all(word in line for line in rising),
                   "%s: code %d\n%s%s" % (leak, done.returncode, done.stdout, done.stderr))
    return 0


if __name__ == "__main__":
    sys.exit(main())
