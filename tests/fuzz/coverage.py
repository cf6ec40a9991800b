#!/usr/bin/env python3
"""coverage.py: says which share of each kernel's lines was reached, and which lines were not.

Usage: coverage.py ROOT LCOV_FILE

A kernel NAME is lib/record/record_NAME.c and what lies in lib/record/NAME/; what the kernels share is told as well,
but does not count. A kernel of which nothing was reached does not run on this machine.

Exit codes: 0; 1 there is nothing to say; 2 wrong usage; 5 less than 95 % of a kernel that ran.
"""
import pathlib
import sys

WANTED_PERCENT = 95.0


def read_lines(path):
    """{file: {line: how often}}"""
    files = {}
    lines = {}
    for row in path.read_text(encoding="utf-8").splitlines():
        if row.startswith("SF:"):
            lines = files.setdefault(row[3:], {})
        elif row.startswith("DA:"):
            line, count = row[3:].split(",")[:2]
            lines[int(line)] = lines.get(int(line), 0) + int(count)
    return files


def group_of(name, kernels):
    """The kernel that a file of lib/record belongs to, or "shared"."""
    first = name.split("/")[0]
    stem = pathlib.PurePath(first).stem.removeprefix("record_")
    return stem if stem in kernels else "shared"


def spans(numbers):
    """[1, 2, 3, 7] as "1-3 7"."""
    runs = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)


def main(arguments):
    if len(arguments) != 2 or "--help" in arguments:
        print(__doc__.strip(), file=sys.stdout if "--help" in arguments else sys.stderr)
        return 0 if "--help" in arguments else 2
    room = pathlib.Path(arguments[0]) / "lib/record"
    kernels = {path.stem.removeprefix("record_") for path in room.glob("record_*.c")}
    groups = {}
    for path, lines in sorted(read_lines(pathlib.Path(arguments[1])).items()):
        if not path.startswith(f"{room}/"):
            continue
        name = path[len(str(room)) + 1:]
        if lines and not name.startswith("gen_"):
            groups.setdefault(group_of(name, kernels), []).append((name, lines))
    if not groups:
        print("no line of lib/record was counted", file=sys.stderr)
        return 1
    too_few = []
    print(f"{'kernel':10} {'lines':>6} {'reached':>8}")
    for group, files in sorted(groups.items(), key=lambda item: (item[0] == "shared", item[0])):
        count = sum(len(lines) for _, lines in files)
        reached = sum(1 for _, lines in files for times in lines.values() if times > 0)
        percent = 100.0 * reached / count
        print(f"{group:10} {count:6} {percent:7.1f} %"
              + ("  does not run on this machine" if reached == 0 else ""))
        if group != "shared" and 0 < percent < WANTED_PERCENT:
            too_few.append(group)
    print("\nnot reached:")
    for _, files in sorted(groups.items()):
        for name, lines in files:
            missed = sorted(line for line, times in lines.items() if times == 0)
            if missed and len(missed) < len(lines):
                print(f"  lib/record/{name}: {spans(missed)}")
    if too_few:
        print(f"\nless than {WANTED_PERCENT:.0f} % of: {' '.join(too_few)}")
    return 5 if too_few else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
