# structure_common.py: what the structure tests share: the files of the tree, and the self-test that plants faults.
"""A structure test is a function `check(root) -> [fault, ...]` and a list of plants.

`main(check, plants)` runs the check on the tree. With --self-test it copies the tree, plants each fault
in the copy and demands that the check then names it: a check that cannot fail proves nothing.
"""

import argparse
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

# Made or unpacked by the lab, never part of the project.
NOT_THE_PROJECT = {"build", ".deps", "data", "out", ".git"}
SKIPPED = 77


def source_dir():
    return Path(os.environ.get("MR_SOURCE_DIR") or Path(__file__).resolve().parents[2])


def build_dir():
    return Path(os.environ.get("MR_BUILD_DIR") or source_dir() / "build/release")


def project_files(root, *folders, suffixes=None):
    """Files below the folders (the whole project where none is named), sorted, with one of the suffixes."""
    found = []
    for folder in folders or ("",):
        for path in (root / folder).rglob("*"):
            parts = path.relative_to(root).parts
            if parts[0] in NOT_THE_PROJECT or "__pycache__" in parts or not path.is_file():
                continue
            if suffixes is None or path.suffix in suffixes:
                found.append(path)
    return sorted(set(found))


def read(path):
    return path.read_text(encoding="utf-8", errors="replace")


CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def code_only(text):
    """C without comments and without the insides of literals; lines keep their numbers."""
    def blank(match):
        kept = '""' if match[0][0] == '"' else "''" if match[0][0] == "'" else " "
        return kept + "\n" * match[0].count("\n")
    return CODE.sub(blank, text)


def write(root, name, text):
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def append(root, name, text):
    path = root / name
    path.write_text(read(path) + text, encoding="utf-8")


def copy_tree(root, target, folders=None):
    """Copies the project, or only these folders of it."""
    for folder in folders or ():
        shutil.copytree(root / folder, target / folder)
    if folders:
        return

    def ignored(folder, names):
        top = Path(folder) == root
        return [name for name in names if name == "__pycache__" or (top and name in NOT_THE_PROJECT)]
    shutil.copytree(root, target, ignore=ignored, symlinks=True)


def self_test(root, check, plants, folders=None):
    """Every plant (name, function that plants, pattern of the fault) must add a fault to those there."""
    missed, before = [], None
    with tempfile.TemporaryDirectory(prefix="mr-structure-") as scratch:
        for number, (name, plant, pattern) in enumerate(plants):
            copy = Path(scratch, str(number))
            copy_tree(root, copy, folders)
            if before is None:
                before = set(check(copy))
            plant(copy)
            added = [fault for fault in check(copy) if fault not in before]
            caught = [fault for fault in added if re.search(pattern, fault)]
            print(f"{'caught' if caught else 'MISSED'}: {name}{': ' + caught[0] if caught else ''}")
            if not caught:
                missed.append(name)
            shutil.rmtree(copy)
    return missed


def main(check, plants, folders=None):
    """`folders`: what of the tree the self-test needs, where the whole would take long."""
    parser = argparse.ArgumentParser(description=(sys.modules["__main__"].__doc__ or "").strip())
    parser.add_argument("--self-test", action="store_true", help="plant faults in a copy of the tree")
    arguments = parser.parse_args()
    name = Path(sys.argv[0]).stem
    if arguments.self_test:
        missed = self_test(source_dir(), check, plants, folders)
        print(f"{name}: {len(plants) - len(missed)} of {len(plants)} planted faults caught")
        sys.exit(1 if missed else 0)
    faults = check(source_dir())
    for fault in faults:
        print(fault)
    print(f"{name}: {len(faults)} faults")
    sys.exit(1 if faults else 0)
