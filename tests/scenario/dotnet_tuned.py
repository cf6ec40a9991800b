#!/usr/bin/env python3
# dotnet_tuned.py: runs the xunit tests of csharp-tuned's parser against the C of this build.
"""`dotnet test` of tests/dotnet/Tuned.Tests: tables, digests and numbers equal to C's, passes of the AVX2 kernel array by
array, cases with each kernel at every alignment, a seeded run of changed batches. The longer suites need --all, as a
person types it. Skipped (77) without the .NET SDK.

--self-test plants a fault in a copy of the tables; the comparison with C's must fail."""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import dotnet_common as lab

TESTS = "tests/dotnet/Tuned.Tests"
LIBRARIES = {"MR_FOREIGN": "tests/dotnet/native/libmr_foreign.so", "MR_PARITY": "tests/dotnet/parity/libmr_parity.so"}
SHORT = ["TablesTest", "Xxh3Test", "ParserTest", "PassesTest", "MutationsTest", "EveryKernelOfThisMachine"]
SUITES = ["cases", "keys", "direct", "totals"]
AT_LEAST = 20  # a run that finds no tests is no success
# A wrong rounding, which a million changed batches do not show: only the comparison of tables does.
FAULT = ("PowerTable.cs", "RoundedUpFrom = -27;", "RoundedUpFrom = -26;")


def short_filter():
    names = [f"FullyQualifiedName~{name}" for name in SHORT]
    return "|".join(names + [f"(FullyQualifiedName~AgreesWithTheSpecification&DisplayName~{suite})" for suite in SUITES])


def build_c():
    done = subprocess.run(["cmake", "--build", str(lab.BUILD), "--target", "mr_foreign", "mr_parity"],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit("dotnet_tuned: C's part cannot be built:\n" + done.stdout[-3000:] + done.stderr[-1000:])


def run_tests(root, *more):
    environment = {name: str(lab.BUILD / path) for name, path in LIBRARIES.items()}
    return lab.dotnet(root / TESTS, "test", "-c", "Release", *lab.ALONE, *more, **environment)


def self_test(scratch):
    for name in ("Directory.Build.props", "Directory.Packages.props", "CMakePresets.json"):
        shutil.copy(lab.ROOT / name, scratch)
    for name in ("contestants/csharp-tuned", TESTS, "tests/dotnet/Tuned.Support"):
        shutil.copytree(lab.ROOT / name, scratch / name)
    name, old, new = FAULT
    path = scratch / "contestants/csharp-tuned/Record" / name
    text = path.read_text(encoding="utf-8")
    if text.count(old) != 1:
        sys.exit(f"dotnet_tuned: {name} has no {old!r} to plant a fault in")
    path.write_text(text.replace(old, new), encoding="utf-8")
    done = run_tests(scratch, "--filter", "FullyQualifiedName~IsTheTableOfC")
    caught = "Failed MatchRace.Tuned.Tests.TablesTest.IsTheTableOfC" in done.stdout and done.returncode != 0
    print(f"{'caught' if caught else 'MISSED'}: {new} instead of {old}")
    if not caught:
        print(done.stdout[-3000:], done.stderr[-1000:])
    return 0 if caught else 1


def main():
    lab.skip_without_sdk()
    build_c()
    if sys.argv[1:] == ["--self-test"]:
        with tempfile.TemporaryDirectory(prefix="mr-tuned-") as name:
            return self_test(Path(name))
    done = run_tests(lab.ROOT, *([] if sys.argv[1:] == ["--all"] else ["--filter", short_filter()]))
    passed = re.search(r"Passed!.*Passed: +(\d+)", done.stdout)
    if done.returncode != 0 or not passed or int(passed[1]) < AT_LEAST:
        print(done.stdout[-6000:], done.stderr[-2000:])
        return 1
    print(f"dotnet_tuned: {passed[1]} tests passed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
