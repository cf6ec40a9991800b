#!/usr/bin/env python3
"""run.py: plants faults in a copy of csharp-tuned's parser, one after the other; Tuned.Fuzz must find each.

Usage: run.py [--executions N] [--list] [FAULT ...]

Each *.patch of this folder is a fault: its first line says which, the rest is a patch. Without names all of them are
planted. The tree itself is not touched; C's part (cmake --build --preset release --target mr_foreign) must be built.
A kernel's faults begin with its name: scalar-…, avx2-…; those of kernels that this machine lacks cannot be found.
Behind each that is found stands after how many executions.

  --executions N   batches before a fault counts as not found (2000000)
  --list           list the faults and do nothing

Exit codes: 0 every fault was found; 1 nothing can be said (a patch no longer applies or compiles, there is a difference
without any fault); 2 wrong usage; 3 a fault was not found.

Example: python3 tests/dotnet/mutation/run.py scalar-tie
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
FOLDERS = ["contestants/csharp-tuned/Record", "tests/dotnet/Tuned.Support", "tests/dotnet/Tuned.Fuzz", "tests/cases"]
FILES = ["Directory.Build.props", "Directory.Packages.props"]
FOREIGN = ROOT / "build/release/tests/dotnet/native/libmr_foreign.so"
PROGRAM = "build/dotnet/bin/Tuned.Fuzz/release/Tuned.Fuzz.dll"


class Trouble(Exception):
    """Something that makes an answer say nothing."""


def run(words, folder):
    """Runs a command; gives (exit code, what it printed)."""
    environment = os.environ | {"MR_FOREIGN": str(FOREIGN), "DOTNET_CLI_TELEMETRY_OPTOUT": "1", "DOTNET_DbgEnableMiniDump": "0"}
    done = subprocess.run(words, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", check=False)
    return done.returncode, done.stdout


def copy_sources(folder):
    for name in FILES:
        shutil.copy(ROOT / name, folder)
    for name in FOLDERS:
        shutil.copytree(ROOT / name, folder / name)


def build(folder):
    code, printed = run(["dotnet", "build", "--configuration", "Release", "tests/dotnet/Tuned.Fuzz"], folder)
    if code != 0:
        raise Trouble(f"does not compile:\n{printed[-2000:]}")


def found(folder, executions):
    """What the fuzzer says of a fault; None: nothing."""
    code, printed = run(["dotnet", PROGRAM, "--executions", str(executions)], folder)
    if code == 3:
        return re.search(r"DIFFERENCE at execution (\d+)", printed)[1]
    # A fault may also write where it must not, or fail one of the parser's own checks.
    if code in (134, 139, -6, -11):
        return "ended by a signal"
    if code != 0:
        raise Trouble(f"Tuned.Fuzz ended with {code}:\n{printed[-2000:]}")
    return None


def plant(folder, patch, executions):
    code, printed = run(["git", "apply", str(patch)], folder)
    if code != 0:
        raise Trouble(f"{patch.name} does not apply any more; make it anew:\n{printed}")
    try:
        build(folder)
        return found(folder, executions)
    finally:
        run(["git", "apply", "--reverse", str(patch)], folder)


def run_all(patches, executions):
    survivors, troubles = [], []
    with tempfile.TemporaryDirectory(prefix="matchrace-mutation-") as name:
        folder = pathlib.Path(name)
        copy_sources(folder)
        build(folder)
        if found(folder, executions // 10) is not None:
            raise Trouble("there is a difference without any fault")
        for patch in patches:
            try:
                answer = plant(folder, patch, executions)
            except Trouble as trouble:
                troubles.append(f"{patch.stem}: {trouble}")
                answer = "-- no answer, see below --"
            if answer is None:
                survivors.append(patch.stem)
            print(f"{patch.stem:26} {patch.read_text().splitlines()[0]:70} {answer or '-- NOTHING --'}", flush=True)
    print(f"\n{len(patches) - len(survivors) - len(troubles)} of {len(patches)} faults found"
          + (f"; not found: {' '.join(survivors)}" if survivors else ""))
    for trouble in troubles:
        print(f"\n{trouble}", file=sys.stderr)
    return 3 if survivors else 1 if troubles else 0


def main():
    if {"--help", "-h"} & set(sys.argv[1:]):
        print(__doc__.strip())
        return 0
    parser = argparse.ArgumentParser(usage="run.py [--executions N] [--list] [FAULT ...] (see --help)", add_help=False)
    parser.add_argument("faults", nargs="*")
    parser.add_argument("--executions", type=int, default=2000000)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    known = {path.stem: path for path in sorted(HERE.glob("*.patch"))}
    for name in options.faults:
        if name not in known:
            parser.error(f"no such fault: {name} (see --list)")
    patches = [known[name] for name in options.faults or known]
    if options.list:
        for patch in patches:
            print(f"{patch.stem:26} {patch.read_text().splitlines()[0]}")
        return 0
    if not FOREIGN.exists():
        raise Trouble(f"{FOREIGN} is not there: cmake --build --preset release --target mr_foreign")
    return run_all(patches, options.executions)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Trouble as trouble:
        print(trouble, file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
