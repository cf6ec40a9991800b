#!/usr/bin/env python3
# structure_names.py: no source of apps/ or lib/ names a contestant: contestant.json is all the lab knows.
"""Looks for the folder names of contestants/ in every file of apps/ and lib/."""

import re

import structure_common as tree


def contestants(root):
    return sorted(path.name for path in (root / "contestants").iterdir() if path.is_dir())


def check(root):
    names = contestants(root)
    if not names:
        return ["contestants/ has no folder"]
    pattern = re.compile(r"(?<![\w-])(" + "|".join(map(re.escape, names)) + r")(?![\w-])", re.I)
    faults = []
    for path in tree.project_files(root, "apps", "lib"):
        for number, line in enumerate(tree.read(path).splitlines(), 1):
            for match in pattern.finditer(line):
                faults.append(f"{path.relative_to(root)}:{number}: names the contestant {match[0]}")
    return faults


PLANTS = [
    ("a name in a condition",
     lambda root: tree.write(root, "apps/load/planted.c", 'if (!strcmp(name, "c-tuned")) {\n'),
     "planted.c:1: names the contestant c-tuned"),
    ("a variant's name in a comment",
     lambda root: tree.write(root, "lib/host/planted.h", "\n// as C-YYJSON@drain does\n"),
     "planted.h:2: names the contestant C-YYJSON"),
    ("the name of a contestant that is added later",
     lambda root: (tree.write(root, "contestants/rust-new/contestant.json", "{}\n"),
                   tree.write(root, "apps/report/CMakeLists.txt", "# rust-new\n")),
     "names the contestant rust-new"),
]

if __name__ == "__main__":
    tree.main(check, PLANTS, folders=["lib", "apps", "contestants"])
