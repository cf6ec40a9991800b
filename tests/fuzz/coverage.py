#!/usr/bin/env python3
"""coverage.py: says which share of each kernel's lines was reached, file by file, and which lines were not.

Usage: coverage.py ROOT EXPORT

EXPORT is what `llvm-cov export -format=text` says. What counts for a kernel NAME: lib/record/record_NAME.c and what
lies in lib/record/NAME/, and kernel_*.h as it was compiled into that kernel: a line that only another kernel has
reached is not reached. Scalar has the specification's files instead. What all of them share is told as well, but does
not count. A kernel of which nothing was reached does not run on this machine.

Exit codes: 0; 1 there is nothing to say; 2 wrong usage; 5 less than 95 % of a kernel that ran.
"""
import json
import pathlib
import re
import sys

WANTED_PERCENT = 95.0
SPECIFICATION = re.compile(r"(record_scalar|scan_string|scan_number|reader|words)\.[ch]|utf8\.h")
CODE_REGION = 0
GAP_REGION = 3  # white space between two others


def lines_of(regions):
    """{line: how often} of one function: of each line the innermost region that goes on in it, and what begins in it."""
    counts = {}
    # A later region is inside of an earlier one, or behind it.
    regions = sorted((first, column, -last, kind, count) for first, column, last, _, count, _, _, kind in regions
                     if kind in (CODE_REGION, GAP_REGION))
    for first, _, last, kind, count in regions:
        counts.update((line, count) for line in range(first + 1, -last + 1))
        if kind == CODE_REGION:
            counts[first] = max(count, counts.get(first, 0))
    for first, _, _, kind, count in regions:
        if kind == CODE_REGION:
            counts[first] = max(count, counts[first])
    return counts


def group_of(function, name, kernels):
    """What a file of lib/record counts for where `function` has it compiled in."""
    for kernel in kernels - {"scalar"}:
        own = name.startswith((f"record_{kernel}.", f"{kernel}/"))
        if own or (name.startswith("kernel_") and function.startswith(f"record_{kernel}.c:")):
            return kernel
    return "scalar" if SPECIFICATION.fullmatch(name) else "shared"


def read_groups(room, export):
    """{group: {file: {line: how often}}}"""
    kernels = {path.stem.removeprefix("record_") for path in room.glob("record_*.c")}
    groups = {}
    for function in export["data"][0]["functions"]:
        for index, path in enumerate(function["filenames"]):
            regions = [region for region in function["regions"] if region[5] == index]
            name = path.removeprefix(f"{room}/")
            if name == path or name.startswith("gen_") or not regions:
                continue
            lines = groups.setdefault(group_of(function["name"], name, kernels), {}).setdefault(name, {})
            for line, count in lines_of(regions).items():
                lines[line] = lines.get(line, 0) + count
    return groups


def spans(numbers):
    """[1, 2, 3, 7] as "1-3 7"."""
    runs = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)


def print_row(name, lines, remark):
    reached = sum(1 for count in lines if count > 0)
    print(f"{name:26} {len(lines):6} {100.0 * reached / len(lines):7.1f} %{'  ' if remark else ''}{remark}")
    return 100.0 * reached / len(lines)


def print_group(group, files):
    """Gives the percentage."""
    percent = print_row(group, [count for lines in files.values() for count in lines.values()], "")
    for name, lines in sorted(files.items()):
        missed = sorted(line for line, count in lines.items() if count == 0)
        print_row(f"  {name}", lines.values(), f"not: {spans(missed)}" if missed and percent > 0 else "")
    if percent == 0:
        print("  does not run on this machine")
    return percent


def main(arguments):
    if len(arguments) != 2 or "--help" in arguments:
        print(__doc__.strip(), file=sys.stdout if "--help" in arguments else sys.stderr)
        return 0 if "--help" in arguments else 2
    room = pathlib.Path(arguments[0]) / "lib/record"
    groups = read_groups(room, json.loads(pathlib.Path(arguments[1]).read_text(encoding="utf-8")))
    if not groups:
        print("no line of lib/record was counted", file=sys.stderr)
        return 1
    too_few = []
    print(f"{'kernel, its files':26} {'lines':>6} {'reached':>8}")
    for group, files in sorted(groups.items(), key=lambda item: (item[0] == "shared", item[0])):
        if 0 < print_group(group, files) < WANTED_PERCENT and group != "shared":
            too_few.append(group)
    if too_few:
        print(f"\nless than {WANTED_PERCENT:.0f} % of: {' '.join(too_few)}")
    return 5 if too_few else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
