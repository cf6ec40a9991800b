#!/usr/bin/env python3
"""csharp_without_sdk.py: without the .NET SDK the C# contestants are "not installed", each with the reason, and neither
./lab smoke nor a bench needs one of them: the other contestants race on.

That races, reports and the kit leave out who is not installed is contestant_builds.py's."""

import glob
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from small_race import ROOT, expect

BUILDER = os.path.join(ROOT, "tools", "contestants", "build_contestants.py")


def read(path: str):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def not_installed(folders: list, build_dir: str) -> dict:
    """Name to reason, by a PATH in which nothing is."""
    empty = os.path.join(build_dir, "no programs")
    os.makedirs(empty)
    done = subprocess.run([sys.executable, BUILDER, "--all-variants", "--build-dir", build_dir, *folders],
                          env={**os.environ, "PATH": empty}, capture_output=True, text=True, check=False)
    expect(done.returncode == 0, f"the builder goes on: {done.stderr[-300:]}")
    reasons = {}
    for path in glob.glob(os.path.join(build_dir, "not-installed", "*")):
        with open(path, encoding="utf-8") as file:
            reasons[os.path.basename(path)] = file.read().strip()
    return reasons


def needed_entries(matrix: dict) -> set:
    """Contestants without which a cell of it cannot be raced."""
    return {entry.split("@")[0] if isinstance(entry, str) else entry["contestant"].split("@")[0]
            for cell in matrix["cells"] for entry in cell["contestants"]
            if isinstance(entry, str) or not entry.get("optional", False)}


def main() -> int:
    folders = sorted(os.path.dirname(path) for path in glob.glob(os.path.join(ROOT, "contestants", "*", "contestant.json"))
                     if read(path)["language"] == "C#")
    names = {read(os.path.join(folder, "contestant.json"))["name"] for folder in folders}
    expect(len(names) >= 8, f"C# contestants: {sorted(names)}")
    with tempfile.TemporaryDirectory() as scratch:
        reasons = not_installed(folders, scratch)
    wrong = [name for name in names if "'dotnet'" not in reasons.get(name, "")]
    expect(not wrong, f"each says that it needs 'dotnet'; {wrong} do not")
    matrices = [path for name in ("smoke", "bench-*") for path in glob.glob(os.path.join(ROOT, "matrices", name + ".json"))]
    stuck = {os.path.basename(path): sorted(needed_entries(read(path)) & names) for path in matrices}
    stuck = {matrix: needed for matrix, needed in stuck.items() if needed}
    expect(len(matrices) >= 5 and not stuck, f"neither smoke nor a bench needs a C# contestant: {stuck}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
