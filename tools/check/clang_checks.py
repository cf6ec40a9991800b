#!/usr/bin/env python3
# clang_checks.py: clang's warnings and clang-tidy on every source of C and C++, two at a time, remembering what passed.
"""Runs `clang -fsyntax-only` and `clang-tidy` on the sources that the compile databases name.

A file that passed is remembered by the hash of everything the verdict depends on: the tool, its
configuration, the flags, the file and every header of the project that it includes. So a second run
only looks at what changed.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">]', re.M)
# Words of a compile command that say what to make, not how to read the source.
DROPPED_WITH_VALUE = {"-o", "-MF", "-MT", "-MQ"}
DROPPED = {"-c", "-MD", "-MMD"}
# Words that only gcc knows.
DROPPED |= {"-fno-gnu-unique", "-Wno-maybe-uninitialized"}
# Words that clang of Debian 12 spells differently.
SPELLED = {"-std=gnu++23": "-std=gnu++2b"}


class Unit:
    """One source with the flags it is compiled with."""

    def __init__(self, path, flags, folder):
        self.path = path
        self.flags = flags
        self.folder = folder
        self.include_dirs = [path.parent]
        for flag, value in zip(flags, flags[1:] + [""]):
            if flag in ("-I", "-isystem"):
                self.include_dirs.append(Path(folder, value))
            elif flag.startswith("-I"):
                self.include_dirs.append(Path(folder, flag[2:]))

    def name(self):
        return str(self.path.relative_to(ROOT))


def units_of(database, seen):
    for entry in json.loads(database.read_text()):
        path = Path(entry["directory"], entry["file"]).resolve()
        words = shlex.split(entry["command"])[1:]
        flags, skip = [], False
        for word in words:
            if skip:
                skip = False
            elif word in DROPPED_WITH_VALUE:
                skip = True
            elif word not in DROPPED and Path(entry["directory"], word).resolve() != path:
                flags.append(SPELLED.get(word, word))
        if path.is_relative_to(ROOT) and path not in seen and path.exists():
            seen.add(path)
            yield Unit(path, flags, entry["directory"])


def project_headers(unit):
    """The source and every file of the project that it includes, directly or not."""
    found, waiting = [], [unit.path]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.append(path)
        for name in INCLUDE.findall(path.read_text(errors="replace")):
            for folder in [path.parent, *unit.include_dirs]:
                candidate = Path(os.path.normpath(folder / name))
                if candidate.is_file() and candidate.is_relative_to(ROOT):
                    waiting.append(candidate)
                    break
    return sorted(found)


def key_of(unit, command, fixed):
    digest = hashlib.sha256(fixed)
    digest.update("\0".join(command).encode())
    for path in project_headers(unit):
        digest.update(str(path).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def run_one(command, unit, remembered):
    done = subprocess.run(command, cwd=unit.folder, text=True, capture_output=True, check=False)
    if done.returncode == 0:
        remembered.parent.mkdir(parents=True, exist_ok=True)
        remembered.touch()
        return True, ""
    # clang-tidy counts suppressed warnings on standard error; only what it found is wanted.
    return False, (done.stdout if done.stdout.strip() else done.stderr)


def tool_version(tool):
    return subprocess.run([tool, "--version"], capture_output=True, check=True).stdout


def tasks_of(units, cache):
    pinned = ROOT / ".deps/installed.txt"
    libraries = pinned.read_bytes() if pinned.exists() else b""
    clang = tool_version("clang") + libraries
    tidy = tool_version("clang-tidy") + libraries + (ROOT / ".clang-tidy").read_bytes()
    for unit in units:
        yield ("clang", unit, ["clang", "-fsyntax-only", "-Werror", *unit.flags, str(unit.path)], clang)
        yield ("clang-tidy", unit,
               ["clang-tidy", "--quiet", str(unit.path), "--", *unit.flags], tidy)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("database", nargs="+", type=Path, help="compile_commands.json")
    parser.add_argument("--cache", type=Path, required=True, help="folder of what passed before")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="only sources whose path contains this")
    arguments = parser.parse_args()

    seen, units = set(), []
    for database in arguments.database:
        units += [unit for unit in units_of(database, seen) if arguments.only in unit.name()]
    if not units:
        print("clang_checks: the compile databases name no source", file=sys.stderr)
        return 1
    started, known, failed, waiting = time.monotonic(), 0, [], []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for tool, unit, command, fixed in tasks_of(units, arguments.cache):
            remembered = arguments.cache / key_of(unit, command, fixed)
            if remembered.exists():
                known += 1
            else:
                waiting.append((tool, unit, pool.submit(run_one, command, unit, remembered)))
        for tool, unit, future in waiting:
            passed, text = future.result()
            if not passed:
                failed.append(f"{unit.name()} ({tool})")
                print(f"--- {failed[-1]}\n{text.rstrip()}", flush=True)
    print(f"{len(units)} sources with clang and clang-tidy: {len(failed)} failed, {known} of "
          f"{2 * len(units)} known to pass, {time.monotonic() - started:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
