#!/usr/bin/env python3
# structure_style.py: file names, first lines, function lengths, banned calls and include guards.
"""Checks what the style asks of every source and clang-format cannot see."""

import re
from collections import defaultdict

import structure_common as tree

C_SUFFIXES = {".c", ".h", ".cc", ".cpp", ".hpp"}
C_FOLDERS = ("include", "lib", "apps", "contestants", "tests")
LINES_MAX = 70
# What to use instead stands in the fault.
BANNED = {
    "atoi": "strtol or base/cli.h", "atol": "strtol or base/cli.h", "atof": "strtod",
    "strcpy": "memcpy or base/text.h", "strcat": "base/text.h", "strncpy": "memcpy or base/text.h",
    "sprintf": "snprintf or base/text.h", "vsprintf": "vsnprintf", "gets": "fgets",
    "rand": "base/rng.h", "srand": "base/rng.h", "gettimeofday": "base/clock.h",
}
BANNED_CALL = re.compile(r"(?<![\w.>])(" + "|".join(BANNED) + r")\s*\(")
# Every app has one, and a program may have its main.c: they are told apart by their folder.
COMMON_NAMES = {"cmd.h", "cmd.c", "main.c"}
# The same pieces for other instructions: they too are told apart by their folder.
KERNEL_FOLDERS = ("lib/record/avx512", "lib/record/avx2")


def unique_names(root):
    places = defaultdict(list)
    for path in tree.project_files(root, "lib", "apps", suffixes=C_SUFFIXES):
        place = path.relative_to(root)
        seen = [folder for folder in KERNEL_FOLDERS if (root / folder / path.name).exists()]
        if path.name not in COMMON_NAMES and str(place.parent) not in seen[1:]:
            places[path.name].append(str(place))
    return [f"{name}: the name is not unique: {', '.join(found)}"
            for name, found in sorted(places.items()) if len(found) > 1]


def docstring(lines):
    """A Python file may say its sentence in the docstring instead of a comment: its first paragraph."""
    text = "\n".join(lines)
    if not text.startswith('"""'):
        return ""
    return " ".join(text[3:].split('"""')[0].split("\n\n")[0].split())


def first_line(root):
    faults = []
    marks = [(path, "//") for path in tree.project_files(root, *C_FOLDERS, suffixes=C_SUFFIXES)]
    marks += [(path, "#") for path in tree.project_files(root, suffixes={".py", ".sh", ".cmake"})]
    for path, mark in marks:
        lines = tree.read(path).splitlines()
        if lines and lines[0].startswith("#!"):
            lines = lines[1:]
        comment = []
        for line in lines:
            if not line.startswith(mark) or (comment and line.strip() == mark):
                break
            comment.append(line[len(mark):].strip())
        text = " ".join(comment)
        if path.suffix == ".py" and not text:
            text = docstring(lines)
        if not text.startswith(f"{path.name}: "):
            faults.append(f"{path.relative_to(root)}: the first line is not '{mark} {path.name}: …'")
        elif not re.search(r"[.?!:)](\s|$)", text[len(path.name) + 2:]):
            faults.append(f"{path.relative_to(root)}: the first line is not a sentence with its full stop")
    return faults


def long_functions(root):
    """A body is what stands between a brace alone in the first column and its partner (.clang-format)."""
    faults = []
    for path in tree.project_files(root, *C_FOLDERS, suffixes={".c", ".cpp"}):
        opened = None
        for number, line in enumerate(tree.read(path).splitlines(), 1):
            if line == "{":
                opened = number
            elif line == "}" and opened is not None:
                if number - opened - 1 > LINES_MAX:
                    faults.append(f"{path.relative_to(root)}:{opened}: a function of "
                                  f"{number - opened - 1} lines, {LINES_MAX} is the limit")
                opened = None
    return faults


def banned_calls(root):
    faults = []
    for path in tree.project_files(root, *C_FOLDERS, suffixes=C_SUFFIXES):
        for number, line in enumerate(tree.code_only(tree.read(path)).splitlines(), 1):
            for match in BANNED_CALL.finditer(line):
                faults.append(f"{path.relative_to(root)}:{number}: {match[1]} is banned: "
                              f"use {BANNED[match[1]]}")
    return faults


def include_guards(root):
    """A header's guard is named after it, and is no other header's: else one of the two would be left out."""
    faults, owners = [], {}
    for path in tree.project_files(root, *C_FOLDERS, suffixes={".h", ".hpp"}):
        place = path.relative_to(root)
        found = re.search(r"^#ifndef (\w+)\n#define (\w+)$", tree.read(path), re.M)
        if found is None or found[1] != found[2]:
            faults.append(f"{place}: no include guard (#ifndef X, #define X)")
            continue
        name = re.sub(r"\W", "_", path.name).upper().removeprefix("MR_")
        if not found[1].endswith("_" + name):
            faults.append(f"{place}: its include guard is {found[1]}, which does not end in _{name}")
        if found[1] in owners:
            faults.append(f"{place}: its include guard {found[1]} is that of {owners[found[1]]}, too")
        owners[found[1]] = place
    return faults


def check(root):
    return (unique_names(root) + first_line(root) + long_functions(root) + banned_calls(root)
            + include_guards(root))


def planted(text, name="lib/base/planted.c"):
    return lambda root: tree.write(root, name, text)


HEAD = "// planted.c: a source that is at fault.\n"
PLANTS = [
    ("the same name in two rooms", planted("// clock.c: a second one.\n", "lib/host/clock.c"),
     "clock.c: the name is not unique"),
    ("a kernel's piece named like another file", planted("// clock.h: a piece.\n", "lib/record/avx512/clock.h"),
     "clock.h: the name is not unique"),
    ("no first line", planted("int mr_planted;\n"), "planted.c: the first line is not"),
    ("another file's first line", planted("// plant.c: a source.\n"), "planted.c: the first line is not"),
    ("a first line without a full stop", planted("// planted.c: things and such\n\nint a;\n"),
     "is not a sentence"),
    ("a script without a first line", planted("#!/bin/sh\necho\n", "tools/planted.sh"),
     "planted.sh: the first line is not"),
    ("a function of 71 lines", planted(HEAD + "void f(void)\n{\n" + "    g();\n" * 71 + "}\n"),
     "planted.c:3: a function of 71 lines"),
    ("a header without a guard", planted("// planted.h: a header.\n\nint mr_planted;\n", "lib/base/planted.h"),
     "planted.h: no include guard"),
    ("a guard of another name", planted("// planted.h: a header.\n#ifndef MR_BASE_PLAN_H\n#define MR_BASE_PLAN_H\n#endif\n",
                                        "lib/base/planted.h"), "which does not end in _PLANTED_H"),
    ("a guard that is another header's", planted("// clock.h: a header.\n#ifndef MR_BASE_CLOCK_H\n#define MR_BASE_CLOCK_H\n"
                                                 "#endif\n", "tests/support/clock.h"), "is that of"),
    ("a banned call", planted(HEAD + '/* atoi( */ int a = "atoi(" ? atoi(b) : 0;\n'),
     "planted.c:2: atoi is banned"),
    ("a banned call in a test", planted(HEAD + "int a = rand ();\n", "tests/unit/planted.c"),
     "planted.c:2: rand is banned"),
]

if __name__ == "__main__":
    tree.main(check, PLANTS, folders=["lib/base", "lib/host", "tools"])
