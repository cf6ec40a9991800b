#!/usr/bin/env python3
"""run.py: plants faults in a copy of parser and contract, one after the other; a test must fail for each.

Usage: ./lab prove mutations [--all] [--jobs N] [--list] [FAULT ...]

Each tests/mutation/*.patch is a fault: its first line says which, the rest is a patch. Without names
all of them are planted. The tree itself is not touched. Faults named after a kernel (avx512-…) are in its
code, those named kernel-… in what the vector kernels share; they are left out, and named, where the machine
does not run it. (The AVX-512 kernel is emulated, tests/emulation, so that AVX2 is enough for it.) Behind each test
that fails stands after how many seconds; record_corpus_mutated is the fuzz target on made-up inputs, which goes first
where the parser is at fault: it finds most, and little has to be built for it.

  --all      run all tests on every fault and name every one that fails (slower); else the first
  --jobs N   build and test with N processes (2)
  --list     list the faults and do nothing

Exit codes: 0 every fault was caught; 1 nothing can be said (a patch no longer applies, the tests
fail without any fault); 2 wrong usage; 3 a fault was not caught.

Examples:
  ./lab prove mutations
  ./lab prove mutations --all ring-count negative-zero
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ["cmake", "include", "lib/base", "lib/contract", "lib/record", "tests/support", "tests/differential",
           "tests/fuzz", "tests/emulation", "tests/cases"]
UNIT_TESTS = ["CMakeLists.txt", "record.cmake", "contract_*", "record_*", "base_*"]
SECONDS_A_TEST = 120  # a fault may also make a test hang
# What a processor must have to run a kernel, as /proc/cpuinfo calls it; without AVX-512 that kernel runs emulated.
KERNEL_NEEDS = {"avx512": "avx2", "avx2": "avx2", "kernel": "avx2"}
CPU = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")


class Trouble(Exception):
    """Something that makes the whole run say nothing."""


def run(words, folder):
    """Runs a command; gives (exit code, what it printed)."""
    done = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", check=False)
    return done.returncode, done.stdout


def copy_sources(folder):
    shutil.copy(ROOT / "CMakeLists.txt", folder)
    for name in FOLDERS:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "tests/unit").mkdir()
    for pattern in UNIT_TESTS:
        for path in (ROOT / "tests/unit").glob(pattern):
            shutil.copy(path, folder / "tests/unit")
    (folder / ".deps").symlink_to(ROOT / ".deps")


def build(folder, jobs, target="all"):
    return run(["cmake", "--build", "build", "--parallel", str(jobs), "--target", target], folder)


def failing_tests(folder, jobs, stop, which):
    """Those of some tests that fail, each with its seconds: "keys_test (0.1 s)"."""
    # Tests with the label release-only run contestants, which the copy has not.
    words = ["ctest", "--test-dir", "build", *which, "--label-exclude", "^release-only$",
             "--parallel", str(jobs), "--timeout", str(SECONDS_A_TEST)]
    code, printed = run(words + (["--stop-on-failure"] if stop else []), folder)
    found = re.findall(r"Test +#\d+: (\S+) \.+.*\*\*\*(?!Skipped)\D*([0-9.]+) sec", printed)
    if code != 0 and not found:
        raise Trouble(f"ctest failed:\n{printed[-2000:]}")
    return [f"{name} ({float(seconds):.1f} s)" for name, seconds in found]


def catchers(folder, jobs, every, is_kernel=False):
    """The tests that fail now: of each label, or of the first label that has any."""
    names = []
    # Unit tests see little of a kernel.
    for label in ("differential", "unit") if is_kernel else ("unit", "differential"):
        names += failing_tests(folder, jobs, not every, ["--label-regex", f"^{label}$"])
        if names and not every:
            break
    return names


def prepare(folder, jobs):
    """A built copy whose tests pass."""
    copy_sources(folder)
    for words in (["cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"],
                  ["cmake", "--build", "build", "--parallel", str(jobs)]):
        code, printed = run(words, folder)
        if code != 0:
            raise Trouble(f"{' '.join(words)} failed:\n{printed[-2000:]}")
    names = catchers(folder, jobs, True)
    if names:
        raise Trouble(f"without any fault these tests fail: {' '.join(names)}")


def has(feature):
    return re.search(rf"^flags.*\b{feature}\b", CPU, re.MULTILINE) is not None


def made_up_inputs(kernel):
    """The fuzz target on made-up inputs that runs this kernel: what is built, and its test."""
    emulated = "_avx512_emulated" if kernel == "avx512" and not has("avx512_vbmi2") else ""
    return f"record_mutate{emulated}", f"record_corpus_mutated{emulated}"


def plant(folder, patch, jobs, every):
    """Plants a fault, tests, takes it out again; gives the tests that failed."""
    code, printed = run(["git", "apply", str(patch)], folder)
    if code != 0:
        raise Trouble(f"{patch.name} does not apply any more; make it anew:\n{printed}")
    kernel = patch.stem.split("-")[0]
    mutate, mutated = made_up_inputs(kernel)
    is_parser = "+++ b/lib/record/" in patch.read_text(encoding="utf-8")
    try:
        for target in (mutate, "all") if is_parser and not every else ("all",):
            code, printed = build(folder, jobs, target)
            if code != 0:
                raise Trouble(f"{patch.name} does not compile:\n{printed[-2000:]}")
            names = (catchers(folder, jobs, every, kernel in KERNEL_NEEDS) if target == "all" else
                     failing_tests(folder, jobs, True, ["--tests-regex", f"^{mutated}$"]))
            if names:
                break
        return names
    finally:
        run(["git", "apply", "--reverse", str(patch)], folder)


def all_patches():
    """Every fault: {name: path of its patch}."""
    return {path.stem: path for path in sorted(pathlib.Path(__file__).parent.glob("*.patch"))}


def runs_here(name):
    """Whether this machine runs the kernel that the fault is in."""
    needed = KERNEL_NEEDS.get(name.split("-")[0])
    return needed is None or has(needed)


def main():
    if {"--help", "-h"} & set(sys.argv[1:]):
        print(__doc__.strip())
        return 0
    parser = argparse.ArgumentParser(prog="./lab prove mutations",
                                     usage="./lab prove mutations [--all] [--jobs N] [--list] [FAULT ...] (see --help)", add_help=False)
    parser.add_argument("faults", nargs="*")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    known = all_patches()
    for name in options.faults:
        if name not in known:
            parser.error(f"no such fault: {name} (see --list)")
    left_out = [name for name in options.faults or known if not runs_here(name)]
    patches = [known[name] for name in options.faults or known if name not in left_out]
    if options.list:
        for patch in patches:
            print(f"{patch.stem:26} {patch.read_text().splitlines()[0]}")
        return 0
    survivors = []
    troubles = []
    with tempfile.TemporaryDirectory(prefix="matchrace-mutation-") as name:
        folder = pathlib.Path(name)
        start = time.monotonic()
        prepare(folder, options.jobs)
        print(f"without a fault: all tests pass ({time.monotonic() - start:.0f} s)\n")
        print(f"{'fault':26} {'what it is':76} caught by", flush=True)
        for patch in patches:
            try:
                names = plant(folder, patch, options.jobs, options.all)
            except Trouble as trouble:
                troubles.append(str(trouble))
                names = ["-- no answer, see below --"]
            if not names:
                survivors.append(patch.stem)
            print(f"{patch.stem:26} {patch.read_text().splitlines()[0]:76} "
                  f"{' '.join(names) or '-- NOTHING --'}", flush=True)
    if left_out:
        print(f"\nthis machine does not run the kernel of: {' '.join(left_out)}")
    caught = len(patches) - len(survivors) - len(troubles)
    print(f"\n{caught} of {len(patches)} faults caught"
          + (f"; not caught: {' '.join(survivors)}" if survivors else ""))
    for trouble in troubles:
        print(f"\n{trouble}", file=sys.stderr)
    return 3 if survivors else 1 if troubles else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Trouble as trouble:
        print(trouble, file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
