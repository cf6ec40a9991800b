#!/usr/bin/env python3
# structure_parsers.py: the lines of a parser are counted whole: contestant.json leaves none of its files out.
"""Compares `parser_files` with the tree: each exists, and of a room of lib/ that one stands in, all files are named."""

import json
import os
import re

import structure_common as tree

SOURCES = (".c", ".h", ".cpp", ".hpp", ".cs")


def listed(root, manifest):
    """The parser files of a contestant, from the root on."""
    names = json.loads(tree.read(manifest)).get("parser_files", [])
    return {os.path.normpath(os.path.join(manifest.parent.relative_to(root), name)) for name in names}


def check(root):
    faults = []
    manifests = sorted((root / "contestants").glob("*/contestant.json"))
    if not manifests:
        return ["contestants/ has no contestant.json"]
    for manifest in manifests:
        names = listed(root, manifest)
        where = manifest.relative_to(root)
        faults += [f"{where}: {name} is not there" for name in sorted(names) if not (root / name).is_file()]
        rooms = {"/".join(name.split("/")[:2]) for name in names if name.startswith("lib/")}
        for room in sorted(rooms):
            whole = {str(path.relative_to(root)) for path in tree.project_files(root, room, suffixes=SOURCES)}
            faults += [f"{where}: {name} is not counted" for name in sorted(whole - names)]
    return faults


def forget(root):
    path = root / "contestants/c-tuned/contestant.json"
    path.write_text(re.sub(r' *"../../lib/record/avx512/index.h",\n', "", tree.read(path)), encoding="utf-8")


PLANTS = [
    ("a kernel's file that is left out", forget, "lib/record/avx512/index.h is not counted"),
    ("a file that is added to the parser",
     lambda root: tree.write(root, "lib/record/avx2/planted.h", "// \n"), "avx2/planted.h is not counted"),
    ("a file that went away",
     lambda root: (root / "lib/record/words.h").unlink(), "lib/record/words.h is not there"),
]

if __name__ == "__main__":
    tree.main(check, PLANTS, folders=["lib", "contestants"])
