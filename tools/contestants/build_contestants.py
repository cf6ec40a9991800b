#!/usr/bin/env python3
"""build_contestants.py: runs the "build" lines of contestant.json files, where what they read has changed.

For each folder: nothing where "build" is null; where a program of "needs" is not in PATH or the line fails, the reason
goes to BUILD_DIR/not-installed/NAME, which races and the conformance kit read, and everything else goes on. A line that
succeeded is remembered in BUILD_DIR/built/NAME by the hash of the folder (its path and files), of "build_inputs" and of
the line. Lines of variants run where they are asked for (--variant, --matrix, --all-variants), and are NAME@VARIANT in
both places.
"""

import argparse
import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys

# Of what a tool leaves in a source folder nothing is a source.
IGNORED = {"__pycache__", "bin", "obj", "node_modules", "target"}
REASON_LINES = ("error", "Error", "ERROR", "fatal")


def files_of(path: str) -> list:
    """Every file at or below `path`, sorted."""
    if os.path.isfile(path):
        return [path]
    found = []
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if name not in IGNORED)
        found += [os.path.join(folder, name) for name in names]
    return sorted(found)


def inputs_hash(folder: str, manifest: dict, line: str) -> str:
    # The folder, too: of two of one name, the one's program is not the other's.
    digest = hashlib.sha256(f"{folder}\0{line}".encode())
    for place in [".", *manifest.get("build_inputs", [])]:
        root = os.path.normpath(os.path.join(folder, place))
        for path in files_of(root):
            digest.update(os.path.relpath(path, folder).encode() + b"\0")
            with open(path, "rb") as file:
                digest.update(hashlib.sha256(file.read()).digest())
    return digest.hexdigest()


def missing_program(manifest: dict) -> str:
    return next((name for name in manifest.get("needs", []) if shutil.which(name) is None), "")


def matrix_entries(path: str) -> set:
    """The NAME and NAME@VARIANT of a matrix; none of a file that is none, which the race tells better."""
    try:
        with open(path, encoding="utf-8") as file:
            matrix = json.load(file)
        entries = [entry for cell in matrix["cells"] for entry in cell["contestants"]]
        controls = matrix.get("controls", {})
        entries += controls.get("baselines", []) + controls.get("object_orders", [])
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return set()
    return {str(entry.get("contestant", "") if isinstance(entry, dict) else entry) for entry in entries}


class Wanted:
    """Which contestants and variants are asked for."""

    def __init__(self, variants: list, matrices: list, all_variants: bool):
        self.variants, self.all_variants = set(variants), all_variants
        self.entries = set().union(*map(matrix_entries, matrices)) if matrices else None

    def contestant(self, name: str) -> bool:
        return self.entries is None or any(entry.split("@")[0] == name for entry in self.entries)

    def variant(self, name: str, variant: str) -> bool:
        return self.all_variants or variant in self.variants or f"{name}@{variant}" in (self.entries or ())


def first_complaint(text: str) -> str:
    """The line of a build's output that says most: the first that speaks of an error, else the last."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next((line for line in lines if any(word in line for word in REASON_LINES)), lines[-1] if lines else "it says nothing")


class Builder:
    def __init__(self, build_dir: str):
        self.build_dir = os.path.realpath(build_dir)
        self.reasons = os.path.join(self.build_dir, "not-installed")
        self.built = os.path.join(self.build_dir, "built")
        for folder in (self.reasons, self.built):
            os.makedirs(folder, exist_ok=True)

    def note(self, place: str, name: str, text: str) -> None:
        path = os.path.join(place, name)
        if not text:
            if os.path.exists(path):
                os.unlink(path)
            return
        with open(path + ".new", "w", encoding="utf-8") as file:
            file.write(text + "\n")
        os.replace(path + ".new", path)

    def remembered(self, name: str) -> str:
        try:
            with open(os.path.join(self.built, name), encoding="utf-8") as file:
                return file.read().strip()
        except OSError:
            return ""

    def not_installed(self, name: str, reason: str) -> None:
        self.note(self.built, name, "")
        self.note(self.reasons, name, reason)
        print(f"{name}: not installed: {reason}", file=sys.stderr)

    def build(self, folder: str, wanted: Wanted) -> None:
        with open(os.path.join(folder, "contestant.json"), encoding="utf-8") as file:
            manifest = json.load(file)
        name = manifest["name"]
        if not wanted.contestant(name):
            return
        lines = {name: manifest.get("build")}
        for variant, words in manifest.get("variants", {}).items():
            if wanted.variant(name, variant):
                lines[f"{name}@{variant}"] = words.get("build")
        for entry, line in lines.items():
            if line is not None:
                self.run_line(folder, manifest, entry, line)

    def run_line(self, folder: str, manifest: dict, name: str, line: str) -> None:
        program = missing_program(manifest)
        if program:
            self.not_installed(name, f"it needs '{program}', which is not in PATH")
            return
        if self.remembered(name) == inputs_hash(folder, manifest, line):
            return
        print(f"{name}: {line}", file=sys.stderr)
        done = subprocess.run(["sh", "-c", line], cwd=folder, env={**os.environ, "MR_BUILD_DIR": self.build_dir},
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", check=False)
        with open(os.path.join(self.built, name + ".log"), "w", encoding="utf-8") as file:
            file.write(done.stdout)
        if done.returncode != 0:
            self.not_installed(name, f"its build ended with code {done.returncode}: {first_complaint(done.stdout)}")
            return
        # The build may write what the hash reads (a lock file), so that it is taken anew.
        self.note(self.built, name, inputs_hash(folder, manifest, line))
        self.note(self.reasons, name, "")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build-dir", required=True, metavar="FOLDER", help="what ${MR_BUILD_DIR} stands for")
    parser.add_argument("--variant", action="append", default=[], metavar="NAME", help="also the program of this variant")
    parser.add_argument("--all-variants", action="store_true", help="also the programs of all variants")
    parser.add_argument("--matrix", action="append", default=[], metavar="FILE",
                        help="of the folders only what this matrix names, with its variants")
    parser.add_argument("folders", nargs="+", metavar="FOLDER", help="with a contestant.json")
    options = parser.parse_args()
    builder = Builder(options.build_dir)
    wanted = Wanted(options.variant, options.matrix, options.all_variants)
    # One at a time: projects of different contestants share libraries, and so their output.
    with open(os.path.join(builder.built, "lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for folder in options.folders:
            builder.build(os.path.realpath(folder), wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main())
