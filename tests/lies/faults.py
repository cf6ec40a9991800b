#!/usr/bin/env python3
"""faults.py: faults planted in the generator, one at a time: the row of the proof that is there for it must fail.

Each fault is a line of the generator replaced in a copy of the tree, which is built and told the rows. First the
copy without a fault must pass them all. The tree itself is not touched.
Exit codes: 0 every fault was seen; 1 nothing can be said; 3 a fault was not seen.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from typing import NamedTuple

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.environ.get("MR_SOURCE_DIR") or os.path.dirname(os.path.dirname(HERE))
FOLDERS = ("cmake", "include", "lib", "apps", "tests/support")
RUN_LIMIT_S = 900


class Fault(NamedTuple):
    """A line of a source, what it becomes, and the row that must not be right then."""

    file: str
    line: str
    instead: str
    row: str


FAULTS = {
    "latency-from-send": Fault(
        "apps/load/load_sends.c", "slot_due_ns(worker, client->batches_taken, client->connection) : now_ns;",
        "now_ns : now_ns;", "stop-load-2"),
    "thinned-while-late": Fault(
        "apps/load/load_sends.c", "        client->batches_due++;\n        worker->backlog++;\n",
        "        if (client->batches_in_flight < shared_depth(worker)) {\n            client->batches_due++;\n"
        "            worker->backlog++;\n        }\n", "stop-load-2"),
    "censored-dropped": Fault(
        "apps/load/recorder.c", "    recorder->counts.censored++;\n",
        "    recorder->counts.censored++;\n    if (due_ns > 0) {\n        return;\n    }\n", "stopped-at-end"),
    "latency-is-service": Fault(
        "apps/load/recorder.c", "times->reply_ns - times->due_ns", "times->reply_ns - times->send_start_ns",
        "stop-load-2"),
    "reply-stamped-late": Fault(
        "apps/load/load_replies.c", "        uint64_t now_ns = mr_load_time_ns(worker);\n        more =",
        "        uint64_t now_ns = mr_load_time_ns(worker) + 300000;\n        more =", "truth-constant"),
}
HELPERS = {"thinned-while-late": (
    "apps/load/load_sends.c", "void mr_load_take_due(",
    "static uint64_t shared_depth(const struct mr_load_worker *worker)\n{\n    return worker->shared->plan.depth;\n}\n\n"
    "void mr_load_take_due(")}


def replace(folder: str, file: str, line: str, instead: str) -> None:
    path = os.path.join(folder, file)
    with open(path, encoding="utf-8") as source:
        text = source.read()
    if text.count(line) != 1:
        raise SystemExit("faults.py: %s has '%s' %d times, not once: make the fault anew"
                         % (file, line.strip(), text.count(line)))
    with open(path, "w", encoding="utf-8") as source:
        source.write(text.replace(line, instead))


def call(words: list, **more) -> subprocess.CompletedProcess:
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=RUN_LIMIT_S,
                          check=False, **more)


def build(folder: str) -> None:
    done = call(["cmake", "--build", os.path.join(folder, "build"), "--parallel", "2", "--target", "matchrace"])
    if done.returncode != 0:
        raise SystemExit("faults.py: the copy does not build:\n" + done.stdout[-2000:])


def prove(folder: str, row: str) -> tuple:
    """(the row is right, its line)"""
    program = os.path.join(folder, "build", "apps", "matchrace", "matchrace")
    done = call([sys.executable, os.path.join(HERE, "prove.py"), "--only", row],
                env={**os.environ, "MR_PROGRAM": program})
    lines = [line for line in done.stdout.splitlines() if line.startswith(row)]
    line = lines[0] if lines else done.stdout[-300:]
    if "too busy to say" in line or done.returncode not in (0, 3):
        raise SystemExit("faults.py: nothing can be said: " + line)
    return done.returncode == 0, line


def prepare(folder: str) -> None:
    shutil.copy(os.path.join(ROOT, "CMakeLists.txt"), folder)
    for name in FOLDERS:
        shutil.copytree(os.path.join(ROOT, name), os.path.join(folder, name))
    os.symlink(os.path.realpath(os.path.join(ROOT, ".deps")), os.path.join(folder, ".deps"))
    done = call(["cmake", "-S", folder, "-B", os.path.join(folder, "build"), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"])
    if done.returncode != 0:
        raise SystemExit("faults.py: the copy cannot be set up:\n" + done.stdout[-2000:])
    build(folder)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[2],
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fault", nargs="*", help="these faults; else all: " + " ".join(FAULTS))
    names = parser.parse_args().fault or list(FAULTS)
    missed = []
    with tempfile.TemporaryDirectory(prefix="mr-faults-") as folder:
        prepare(folder)
        for row in sorted({FAULTS[name].row for name in names}):
            right, line = prove(folder, row)
            if not right:
                raise SystemExit("faults.py: without any fault: " + line)
        for name in names:
            fault = FAULTS[name]
            with tempfile.TemporaryDirectory(prefix="mr-fault-before-") as before:
                shutil.copy(os.path.join(folder, fault.file), before)
                replace(folder, fault.file, fault.line, fault.instead)
                if name in HELPERS:
                    replace(folder, *HELPERS[name])
                build(folder)
                right, line = prove(folder, fault.row)
                shutil.copy(os.path.join(before, os.path.basename(fault.file)), os.path.join(folder, fault.file))
            print("%-20s %s: %s" % (name, "NOT SEEN" if right else "seen", line), flush=True)
            missed += [name] * right
    return 3 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
