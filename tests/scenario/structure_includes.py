#!/usr/bin/env python3
# structure_includes.py: the include graph obeys the table of rooms in docs/ARCHITECTURE.md.
"""Checks every #include of include/, lib/, apps/ and contestants/ against the table of rooms."""

import re
from pathlib import PurePosixPath

import structure_common as tree

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)
ROW = re.compile(r"^\| `([^`]+)` \|[^|]*\| ([^|]+) \|", re.M)
STANDARD_C = {name + ".h" for name in """assert complex ctype errno fenv float inttypes iso646 limits locale
    math setjmp signal stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string
    tgmath threads time uchar wchar wctype""".split()}
# A rival's library may not come in through a room that contestants link.
LINKED_BY_CONTESTANTS = ("base", "contract", "record", "serial", "wire", "serve", "inproc")
PARSER_LIBRARIES = re.compile(r"^(yyjson|simdjson)\b")


def allowed_rooms(root):
    """The table of docs/ARCHITECTURE.md: for each lib room the rooms that it may include."""
    rooms = {}
    for folder, may in ROW.findall(tree.read(root / "docs/ARCHITECTURE.md")):
        if folder.startswith("lib/"):
            rooms[folder.split("/")[1]] = set(re.findall(r"[a-z]+", may)) - {"nothing", "here"}
    return rooms


def resolve(root, path, name, angled):
    """The project's file outside include/ that an include means, or None."""
    for folder in (root / "lib",) if angled else (path.parent, root / "lib"):
        candidate = PurePosixPath(folder, name)
        parts = []
        for part in candidate.parts:
            if part == "..":
                parts.pop()
            else:
                parts.append(part)
        found = root.joinpath(*parts)
        if found.is_file():
            return found.relative_to(root)
    return None


def room_of(path):
    """("lib", "base"), ("apps", "load"), ("contestants", "c-tuned"), ("include", "matchrace")."""
    return path.parts[0], path.parts[1] if len(path.parts) > 2 else ""


def judge_inside(own, target, rooms):
    """What is wrong with a file of room `own` including the project's file `target`, or None."""
    other = room_of(target)
    if other == own:
        return None
    kind, name = own
    if kind == "lib":
        if other[0] == "lib" and other[1] in rooms.get(name, set()):
            return None
        return f"lib/{name} may include: {', '.join(sorted(rooms.get(name, set()))) or 'nothing'}"
    if kind == "apps":
        if other[0] == "lib" or (name == "matchrace" and other[0] == "apps" and target.name == "cmd.h"):
            return None
        return "an app includes libraries, never another app's inside"
    if kind == "contestants":
        return "a contestant includes <matchrace/…> and its own files only"
    return "a public header includes the standard library and <matchrace/…> only"


def judge_outside(own, name):
    kind, room = own
    if kind == "include" and not name.startswith("matchrace/") and name not in STANDARD_C:
        return "a public header includes the standard library and <matchrace/…> only"
    if kind == "lib" and room in LINKED_BY_CONTESTANTS and PARSER_LIBRARIES.match(name):
        return f"contestants link lib/{room}, so no parser's library may come in here"
    return None


def check(root):
    faults = []
    rooms = allowed_rooms(root)
    if "base" not in rooms or "record" not in rooms:
        return ["docs/ARCHITECTURE.md: the table of rooms was not found"]
    for path in tree.project_files(root, "include", "lib", "apps", "contestants",
                                   suffixes={".c", ".h", ".cc", ".cpp", ".hpp"}):
        own = room_of(path.relative_to(root))
        if own[0] == "lib" and own[1] not in rooms:
            faults.append(f"{path.relative_to(root)}: docs/ARCHITECTURE.md has no room lib/{own[1]}")
            continue
        for bracket, name in INCLUDE.findall(tree.read(path)):
            target = resolve(root, path, name, bracket == "<")
            if target:
                wrong = judge_inside(own, target, rooms)
            elif bracket == "<":
                wrong = judge_outside(own, name)
            else:
                wrong = 'neither a file of its own folder nor "room/file.h" of lib/'
            if wrong:
                faults.append(f"{path.relative_to(root)}: includes {name}: {wrong}")
    return faults


def planted(name, line):
    return lambda root: tree.write(root, name, f"// planted.c: a fault.\n#include {line}\n")


PLANTS = [
    ("base reaches up", planted("lib/base/planted.c", '"wire/wire.h"'), "lib/base may include: nothing"),
    ("wire includes contract by a relative path",
     lambda root: (tree.write(root, "lib/contract/inner.h", "// inner.h: a header.\n"),
                   tree.write(root, "lib/wire/planted.c", '#include "../contract/inner.h"\n')),
     "lib/wire may include: base"),
    ("a header of another room without its room",
     planted("lib/stats/planted.c", '"clock.h"'), "neither a file of its own folder"),
    ("an app includes another app's cmd.h",
     lambda root: (tree.write(root, "apps/data/cmd.h", "// cmd.h: a header.\n"),
                   tree.write(root, "apps/load/planted.c", '#include "../data/cmd.h"\n')),
     "never another app's inside"),
    ("the program includes an app's inside",
     lambda root: (tree.write(root, "apps/load/inner.h", "// inner.h: a header.\n"),
                   tree.write(root, "apps/matchrace/planted.c", '#include "../load/inner.h"\n')),
     "never another app's inside"),
    ("a contestant includes a library of the lab",
     planted("contestants/c-tuned/planted.c", '"base/clock.h"'), "its own files only"),
    ("a contestant includes it in angle brackets",
     planted("contestants/c-yyjson/planted.c", "<base/clock.h>"), "its own files only"),
    ("a room reaches up in angle brackets", planted("lib/stats/planted.h", "<trial/rules.h>"),
     "lib/stats may include: base"),
    ("a public header includes the system",
     planted("include/matchrace/planted.h", "<unistd.h>"), "standard library and"),
    ("a public header includes a library of the lab",
     planted("include/matchrace/planted.h", '"base/clock.h"'), "standard library and"),
    ("the server's room takes a rival's library",
     planted("lib/serve/planted.c", "<yyjson.h>"), "no parser's library"),
    ("a room that the table does not have",
     planted("lib/attic/planted.c", "<stdio.h>"), "has no room lib/attic"),
]

if __name__ == "__main__":
    tree.main(check, PLANTS, folders=["docs", "include", "lib", "apps", "contestants"])
