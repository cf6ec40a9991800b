#!/usr/bin/env python3
"""new_contestant.py: every skeleton has a contestant.json that keeps its schema; those of Python and C are built and pass the
kit's quick check, outside the tree; a name that is taken or wrong is refused; what fails half-way leaves nothing."""

import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from json_schema import Checker
from small_race import BUILD_DIR, PROGRAM, ROOT, expect, skip_unless_built

TOOLS = os.path.join(ROOT, "tools", "contestants")


def run(*words: str, code: int = 0) -> str:
    done = subprocess.run(words, capture_output=True, text=True, timeout=100, check=False)
    expect(done.returncode == code, "%s: exit code %d, wanted %d: %s" % (words, done.returncode, code, done.stdout + done.stderr))
    return done.stdout + done.stderr


def new(folder: str, name: str, *words: str, code: int = 0) -> str:
    return run(sys.executable, os.path.join(TOOLS, "new_contestant.py"), "--in", folder, *words, "--", name, code=code)


def half_way(folder: str) -> None:
    sys.path.insert(0, TOOLS)
    import new_contestant as tool

    def fail(*_):
        raise OSError(28, "No space left on device")

    written, tool.manifest_of = tool.manifest_of, fail
    try:
        tool.write_whole(os.path.join(folder, "half"), "half", "c")
        expect(False, "a disk that is full is told")
    except OSError:
        expect(not [name for name in os.listdir(folder) if "half" in name or name.startswith(".")], "nothing half is left")
    tool.manifest_of = written


def main() -> None:
    skip_unless_built()
    with open(os.path.join(ROOT, "schemas", "contestant.schema.json"), encoding="utf-8") as file:
        checker = Checker(json.load(file))
    with tempfile.TemporaryDirectory() as folder:
        for language in ("python", "c", "csharp"):
            name = "my-" + language
            new(folder, name, "--language", language)
            with open(os.path.join(folder, name, "contestant.json"), encoding="utf-8") as file:
                manifest = json.load(file)
            expect(not checker.faults(manifest) and manifest["name"] == name, "%s: contestant.json: %s" % (name, checker.faults(manifest)))
            expect(manifest["jobs"] == ["ingest"], "%s: a skeleton of one job: %s" % (name, manifest["jobs"]))
            # Two of one name, side by side: neither builds where the other does.
            expect(not any("MR_BUILD_DIR" in word for word in manifest["run"]), "%s: its own program: %s" % (name, manifest["run"]))
        expect("exists already" in new(folder, "my-c", "--language", "c", code=2), "nothing is overwritten")
        for name in ("My", "a--b", "../up", "-a", ""):
            expect("a name is of lower-case" in new(folder, name, "--language", "c", code=2), "a wrong name: '%s'" % name)
        half_way(folder)
        new(folder, "fine", "--language", "cobol", code=2)
        expect(sorted(os.listdir(folder)) == ["my-c", "my-csharp", "my-python"], "nothing else was written")
        places = [os.path.join(folder, name) for name in ("my-python", "my-c")]
        run(sys.executable, os.path.join(TOOLS, "build_contestants.py"), "--build-dir", BUILD_DIR, *places)
        for place in places:
            expect("quick check passed" in run(PROGRAM, "conform", "--quick", "--mode", "keep", place), "%s keeps the contract" % place)
        for name in ("my-python", "my-c"):  # what the builder remembers of them
            for kind in ("built", "not-installed"):
                for ending in ("", ".log"):
                    path = os.path.join(BUILD_DIR, kind, name + ending)
                    if os.path.exists(path):
                        os.unlink(path)


main()
