#!/usr/bin/env python3
# csharp_reasons.py: the reasons of a rejection have the numbers of include/matchrace/result.h wherever they stand.
"""The .NET binding, the layer of the C# contestants and the port each list them, for they share no code; where one of
them is added in C, all three must follow. --self-test plants another number and a missing one."""

import os
import re
import sys

ROOT = os.path.abspath(os.environ.get("MR_SOURCE_DIR") or os.path.join(os.path.dirname(__file__), "..", ".."))
HEADER = "include/matchrace/result.h"
LISTS = ("bindings/dotnet/MatchRace.Record/RejectionReason.cs", "contestants/csharp-common/BatchError.cs",
         "contestants/csharp-tuned/Record/Result.cs")
# Names that .NET would not shorten as C does.
SAME = {"none": "ok", "byteordermark": "bom", "outofmemory": "memory"}


def read(name):
    with open(os.path.join(ROOT, name), encoding="utf-8") as file:
        return file.read()


def in_c(text):
    return {name.replace("ERROR_", "").replace("_", "").lower(): int(number)
            for name, number in re.findall(r"^\s*MR_(OK|ERROR_\w+) = (\d+)", text, re.M)}


def in_cs(text):
    body = re.search(r"enum (?:BatchError|Error|RejectionReason)\b[^{]*{(.*?)^}", text, re.M | re.S)[1]
    return {name.lower(): int(number) for name, number in re.findall(r"^\s*(\w+) = (\d+)", body, re.M)}


def faults_of(name, text, wanted):
    found = {SAME.get(key, key): number for key, number in in_cs(text).items()}
    return [f"{name}: {key} is {found.get(key)}, {HEADER} says {wanted.get(key)}"
            for key in sorted(found.keys() | wanted.keys()) if found.get(key) != wanted.get(key)]


def self_test(wanted):
    missed = 0
    for name in LISTS:
        text = read(name)
        for planted in (re.sub(r"FlagTwice = 21", "FlagTwice = 24", text), re.sub(r"FlagTwice = 21,", "", text)):
            missed += len(faults_of(name, planted, wanted)) != 1
    print(f"csharp_reasons: {missed} planted faults missed")
    return 1 if missed else 0


def main():
    wanted = in_c(read(HEADER))
    if sys.argv[1:] == ["--self-test"]:
        return self_test(wanted)
    faults = [fault for name in LISTS for fault in faults_of(name, read(name), wanted)]
    for fault in faults:
        print(fault)
    print(f"csharp_reasons: {len(wanted)} reasons, {len(faults)} faults")
    return 1 if faults or len(wanted) < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
