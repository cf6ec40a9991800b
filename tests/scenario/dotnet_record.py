#!/usr/bin/env python3
# dotnet_record.py: runs the xunit tests of MatchRace.Record on the native library of this build.
"""`dotnet test` of tests/dotnet/MatchRace.Record.Tests. Skipped (77) without the .NET SDK or the library.

--self-test plants faults in copies of the binding; the test named beside each must fail, or the run must crash."""

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
    ("BatchParser.cs", "if (json.Memory.Overlaps(records))", "if (json.Memory.IsEmpty)", "MemoryForRecordsIsChecked"),
    ("RejectionReason.cs", "Kind = 19", "Kind = 119", "ReasonRecordAndOffset"),
    ("RecordFlags.cs", "Retry = 1 << 2", "Retry = 1 << 3", "KindsAndFlagsByName"),
    ("PaddedJson.cs", "ArgumentOutOfRangeException.ThrowIfLessThan(start, PadBytes);", "", "RimsMustBeThere"),
    ("NativeLayout.cs", "left.CommonPrefixLength(right)", "left[..8].CommonPrefixLength(right) is var same && same == 8 ? left.Length : same",
     "AnyDifferenceIsSeen"),
    ("RecordView.cs", "& ~7;", "& ~3;", "LargestBatch"),
]
# These have a run of their own, for they may end the process: two threads in one parser, memory that moves.
ALONE = [
    ("BatchParser.cs", "if (Interlocked.Exchange(ref _isBusy, 1) != 0)", "if (Interlocked.Exchange(ref _isBusy, 1) > 1)",
     "ASecondThreadIsRefused"),
    ("BatchParser.cs", "fixed (byte* memory = json.Memory, place = records)",
     "byte* memory = (byte*)Unsafe.AsPointer(ref MemoryMarshal.GetReference(json.Memory));\n"
     "        byte* place = (byte*)Unsafe.AsPointer(ref MemoryMarshal.GetReference(records));",
     "ArraysThatMoveAreHeldStillWhileTheyAreParsed"),
]


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


def told(fault, caught, how=""):
    said = " ".join(fault[2].split()) or "nothing"
    print(f"{'caught' if caught else 'MISSED'}{how}: {fault[0]}: {said} instead of {fault[1]}")
    return caught


def together(scratch):
    tree = copy_tree(scratch / "together")
    for fault in PLANTS:
        plant(tree, fault)
    done = run_tests(tree)
    failed = failed_tests(done)
    caught = [told(fault, fault[3] in failed) for fault in PLANTS]
    if not all(caught):
        print(done.stdout[-3000:], done.stderr[-1000:])
    return all(caught)


def alone(scratch, number, fault):
    tree = copy_tree(scratch / f"alone-{number}")
    plant(tree, fault)
    done = run_tests(tree, "--filter", f"FullyQualifiedName~{fault[3]}")
    crashed = "host process crashed" in done.stdout + done.stderr
    caught = told(fault, crashed or fault[3] in failed_tests(done), " (crashed)" if crashed else "")
    if not caught:
        print(done.stdout[-3000:], done.stderr[-1000:])
    return caught


def self_test(scratch):
    caught = [together(scratch)] + [alone(scratch, number, fault) for number, fault in enumerate(ALONE)]
    return 0 if all(caught) else 1


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
