#!/usr/bin/env python3
# dotnet_record.py: runs the xunit tests of MatchRace.Record on the native library of this build.
"""`dotnet test` of tests/dotnet/MatchRace.Record.Tests. Skipped (77) without the .NET SDK or the library.

--self-test plants faults in copies of the binding; the tests named beside each must fail, or the run must crash."""

import re
import shutil
import sys
import tempfile
from pathlib import Path

import dotnet_common as lab

TESTS = "tests/dotnet/MatchRace.Record.Tests"
AT_LEAST = 35  # a run that finds no tests is no success

# Faults that one run can show side by side: file, what stands there, what is planted, the test that must fail.
PLANTS = [
    ("BatchParser.cs", "if (Interlocked.Exchange(ref _isBusy, 1) != 0)", "if (Interlocked.Exchange(ref _isBusy, 1) > 1)",
     "ASecondThreadIsRefused"),
    ("BatchParser.cs", "if (json.Memory.Overlaps(records))", "if (json.Memory.IsEmpty)", "MemoryForRecordsIsChecked"),
    ("RejectionReason.cs", "Kind = 19", "Kind = 119", "ReasonRecordAndOffset"),
    ("RecordFlags.cs", "Retry = 1 << 2", "Retry = 1 << 3", "KindsAndFlagsByName"),
    ("PaddedJson.cs", "ArgumentOutOfRangeException.ThrowIfLessThan(start, PadBytes);", "", "RimsMustBeThere"),
    ("NativeLayout.cs", "left.CommonPrefixLength(right)", "left[..8].CommonPrefixLength(right) is var same && same == 8 ? left.Length : same",
     "AnyDifferenceIsSeen"),
    ("RecordView.cs", "& ~7;", "& ~3;", "LargestBatch"),
]
# This one must have a run of its own: memory that is not held still may end the process.
UNPINNED = ("BatchParser.cs", "fixed (byte* memory = json.Memory, place = records)",
            "byte* memory = (byte*)Unsafe.AsPointer(ref MemoryMarshal.GetReference(json.Memory));\n"
            "        byte* place = (byte*)Unsafe.AsPointer(ref MemoryMarshal.GetReference(records));",
            "ArraysThatMoveAreHeldStillWhileTheyAreParsed")


def run_tests(root, *more):
    return lab.dotnet(root / TESTS, "test", "-c", "Release", *lab.ALONE, f"-p:MatchRaceNativeLibrary={lab.LIBRARY}", *more)


def copy_tree(target):
    target.mkdir()
    for name in ("Directory.Build.props", "Directory.Packages.props", "LICENSE"):
        shutil.copy(lab.ROOT / name, target)
    for name in ("bindings", TESTS, "tests/cases"):
        shutil.copytree(lab.ROOT / name, target / name)
    return target


def plant(root, fault):
    name, old, new, _ = fault
    path = root / "bindings/dotnet/MatchRace.Record" / name
    text = path.read_text(encoding="utf-8")
    if text.count(old) < 1:
        sys.exit(f"dotnet_record: {name} has no {old!r} to plant a fault in")
    path.write_text(text.replace(old, new), encoding="utf-8")


def failed_tests(done):
    return set(re.findall(r"^ *Failed [\w.]*\.(\w+)(?:\(| \[)", done.stdout, re.M))


def self_test(scratch):
    tree = copy_tree(scratch / "many")
    for fault in PLANTS:
        plant(tree, fault)
    done = run_tests(tree)
    failed = failed_tests(done)
    missed = [fault for fault in PLANTS if fault[3] not in failed]
    for fault in PLANTS:
        print(f"{'MISSED' if fault in missed else 'caught'}: {fault[0]}: {fault[2].strip() or 'nothing'} instead of {fault[1]}")
    alone = copy_tree(scratch / "alone")
    plant(alone, UNPINNED)
    unpinned = run_tests(alone, "--filter", f"Name~{UNPINNED[3]}")
    crashed = "Test host process crashed" in unpinned.stdout + unpinned.stderr
    seen = crashed or UNPINNED[3] in failed_tests(unpinned)
    print(f"{'caught' if seen else 'MISSED'}: arrays that are not held still{' (crashed)' if crashed else ''}")
    if missed or not seen:
        print(done.stdout[-3000:], unpinned.stdout[-2000:])
    return 1 if missed or not seen else 0


def main():
    lab.skip_without_sdk()
    if sys.argv[1:] == ["--self-test"]:
        with tempfile.TemporaryDirectory(prefix="mr-record-") as name:
            return self_test(Path(name))
    done = run_tests(lab.ROOT)
    passed = re.search(r"Passed!.*Passed: +(\d+)", done.stdout)
    if done.returncode != 0 or not passed or int(passed[1]) < AT_LEAST:
        print(done.stdout[-6000:], done.stderr[-2000:])
        return 1
    print(f"dotnet_record: {passed[1]} tests passed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
