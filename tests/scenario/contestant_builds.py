#!/usr/bin/env python3
"""contestant_builds.py: build lines of contestant.json run once for each change; who can't be built is not installed, with
the reason, for the builder, the conformance kit and a race, and hinders nobody else."""

import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from small_race import ROOT, Race, expect, skip_unless_built

BUILDER = os.path.join(ROOT, "tools", "contestants", "build_contestants.py")


class Small:
    """A contestant in a scratch folder, whose build line counts its calls."""

    def __init__(self, scratch: str, name: str, **more):
        self.scratch, self.name, self.folder = scratch, name, os.path.join(scratch, "contestants", name)
        self.build_dir = os.path.join(scratch, "build")
        os.makedirs(self.folder)
        os.makedirs(self.build_dir, exist_ok=True)
        self.write("server.py", "import sys; sys.exit(1)\n")
        manifest = {"name": name, "jobs": ["ingest"], "language": "Python", "class": "stock", "how": "not at all",
                    "licence": "MIT", "text": "utf8", "run": ["python3", "server.py"], "parser_files": ["server.py"],
                    "memory_safety": "by the language", "any_json": True, "conformance": "full",
                    "build": f'echo called >>"$MR_BUILD_DIR/{name}.calls"', **more}
        self.write("contestant.json", json.dumps(manifest))

    def write(self, name: str, text: str) -> None:
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def build(self, *options: str) -> subprocess.CompletedProcess:
        return subprocess.run([sys.executable, BUILDER, "--build-dir", self.build_dir, *options, self.folder],
                              capture_output=True, text=True, check=False)

    def calls(self, variant: str = "") -> int:
        try:
            with open(os.path.join(self.build_dir, self.name + variant + ".calls"), encoding="utf-8") as file:
                return len(file.readlines())
        except OSError:
            return 0

    def reason(self, variant: str = "") -> str:
        try:
            with open(os.path.join(self.build_dir, "not-installed", self.name + variant), encoding="utf-8") as file:
                return file.read().strip()
        except OSError:
            return ""


def once_for_each_change(scratch: str) -> None:
    shared = os.path.join(scratch, "shared.txt")
    with open(shared, "w", encoding="utf-8") as file:
        file.write("one\n")
    small = Small(scratch, "counted", build_inputs=["../../shared.txt"])
    small.build()
    small.build()
    expect(small.calls() == 1, "twice without a change is one build: %d" % small.calls())
    small.write("more.py", "\n")
    small.build()
    expect(small.calls() == 2, "a new file is a change: %d" % small.calls())
    with open(shared, "a", encoding="utf-8") as file:
        file.write("two\n")
    small.build()
    expect(small.calls() == 3, "so is one of build_inputs: %d" % small.calls())
    small.folder = shutil.copytree(small.folder, os.path.join(scratch, "contestants", "copied"))
    small.build()
    expect(small.calls() == 4, "and the same files in another folder: %d" % small.calls())


def failures_are_reasons(scratch: str) -> None:
    failing = Small(scratch, "failing", build="echo before; echo 'main.x: error 7: no such thing'; echo behind; exit 3")
    done = failing.build()
    expect(done.returncode == 0, "a build that fails hinders nobody: %d" % done.returncode)
    expect("code 3" in failing.reason() and "error 7: no such thing" in failing.reason(),
           "its own words are the reason: %s" % failing.reason())
    needy = Small(scratch, "needy", needs=["no-such-program-here"])
    needy.build()
    expect(needy.calls() == 0 and "no-such-program-here" in needy.reason(), "what is needed comes first: %s" % needy.reason())
    path = os.path.join(failing.folder, "contestant.json")
    with open(path, encoding="utf-8") as file:
        manifest = json.load(file)
    manifest["build"] = "true"
    failing.write("contestant.json", json.dumps(manifest))
    failing.build()
    expect(failing.reason() == "", "a build that succeeds takes the reason away: %s" % failing.reason())


def variants_when_asked_for(scratch: str, matchrace: str) -> None:
    variants = {"other": {"build": 'echo called >>"$MR_BUILD_DIR/forms@other.calls"', "run": ["true"]},
                "broken": {"build": "echo 'no such compiler'; exit 4", "run": ["true"]},
                "knob": {"env": {"A": "b"}}}
    small = Small(scratch, "forms", variants=variants)
    small.build()
    expect((small.calls(), small.calls("@other"), small.reason("@broken")) == (1, 0, ""), "nobody asks, nobody builds a variant")
    kit = [matchrace, "conform", "--quick", "--stamp-dir", scratch, "--build-dir", small.build_dir, "--variant"]
    unasked = subprocess.run([*kit, "other", small.folder], capture_output=True, text=True, check=False)
    expect(unasked.returncode == 1 and "forms@other: not installed" in unasked.stdout and "--variants" in unasked.stdout,
           "the kit says how to get it: %s" % unasked.stdout)
    matrix = os.path.join(scratch, "matrix.json")
    with open(matrix, "w", encoding="utf-8") as file:
        json.dump({"cells": [{"contestants": ["forms", {"contestant": "forms@other"}, "forms@knob"]}]}, file)
    small.build("--matrix", matrix)
    expect((small.calls("@other"), small.reason("@broken")) == (1, ""), "a matrix builds what it names")
    small.build("--all-variants")
    expect(small.calls("@other") == 1 and "no such compiler" in small.reason("@broken"),
           "all of them, each once: %d, %s" % (small.calls("@other"), small.reason("@broken")))
    broken = subprocess.run([*kit, "broken", small.folder], capture_output=True, text=True, check=False)
    expect("forms@broken: not installed" in broken.stdout and "no such compiler" in broken.stdout,
           "the kit says why: %s" % broken.stdout)
    # What is there now is asked: it runs, and is no server.
    there = subprocess.run([*kit, "other", small.folder], capture_output=True, text=True, check=False)
    expect(there.returncode == 3 and "not installed" not in there.stdout, "%d %s" % (there.returncode, there.stdout))
    with open(matrix, "w", encoding="utf-8") as file:
        json.dump({"cells": [{"contestants": ["somebody-else"]}]}, file)
    other = Small(scratch, "unnamed")
    other.build("--matrix", matrix)
    expect(other.calls() == 0, "whom the matrix doesn't name is not built")


def the_kit_names_them(scratch: str, matchrace: str) -> None:
    needy = os.path.join(scratch, "contestants", "needy")
    words = [matchrace, "conform", "--stamp-dir", scratch, "--build-dir", os.path.join(scratch, "build")]
    alone = subprocess.run([*words, needy], capture_output=True, text=True, check=False)
    expect(alone.returncode == 1 and "needy: not installed" in alone.stdout, "alone it ends with 1: %s" % alone.stdout)
    native = subprocess.run([matchrace, "conform", "--stamp-dir", scratch, "--quick", needy,
                             os.path.join(ROOT, "contestants", "c-tuned")], capture_output=True, text=True, check=False)
    expect(native.returncode == 0 and "needy: not installed" in native.stdout and "c-tuned: quick check passed" in native.stdout,
           "beside others it is left out: %d %s" % (native.returncode, native.stdout))


def main() -> int:
    skip_unless_built()
    with tempfile.TemporaryDirectory() as scratch:
        once_for_each_change(scratch)
        failures_are_reasons(scratch)
        matchrace = os.path.join(os.environ.get("MR_BUILD_DIR", os.path.join(ROOT, "build", "release")),
                                 "apps", "matchrace", "matchrace")
        the_kit_names_them(scratch, matchrace)
        variants_when_asked_for(scratch, matchrace)
    return 0


if __name__ == "__main__":
    sys.exit(main())
