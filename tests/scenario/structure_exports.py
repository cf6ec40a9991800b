#!/usr/bin/env python3
# structure_exports.py: libmatchrace.so shows what the public headers declare, and nothing else.
"""Compares the shared library's dynamic symbols with the declarations of its headers. Skipped (77) where it is not built."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import structure_common as tree

HEADERS = ["abi", "contract", "record", "result"]
LIBRARY = "lib/record/libmatchrace.so"
FUNCTION = re.compile(r"^(?!static|#)[A-Za-z][^;{}=#]*?\b(mr_\w+)\s*\([^;{}]*\)\s*;", re.M)
VARIABLE = re.compile(r"^extern const [^;]*\b(mr_\w+)\[", re.M)


def declared(root):
    names = set()
    for header in HEADERS:
        text = tree.code_only(tree.read(root / f"include/matchrace/{header}.h"))
        names |= set(FUNCTION.findall(text)) | set(VARIABLE.findall(text))
    return names


def exported(library):
    lines = subprocess.run(["nm", "-D", "--defined-only", str(library)], capture_output=True, text=True,
                           check=True).stdout.splitlines()
    return {line.split()[-1].split("@")[0] for line in lines}


def soname(library):
    text = subprocess.run(["readelf", "-d", str(library)], capture_output=True, text=True, check=True).stdout
    match = re.search(r"\(SONAME\).*\[(.+)\]", text)
    return match[1] if match else None


def abi_version(root):
    return re.search(r"#define MR_ABI_VERSION (\d+)u", tree.read(root / "include/matchrace/abi.h"))[1]


def check(root, library):
    here, there = declared(root), exported(library)
    faults = [f"{LIBRARY} does not export {name}" for name in sorted(here - there)]
    faults += [f"{LIBRARY} exports {name}, which no public header declares" for name in sorted(there - here)]
    wanted = f"libmatchrace.so.{abi_version(root)}"
    if soname(library) != wanted:
        faults.append(f"{LIBRARY} is called {soname(library)}, not {wanted}")
    return faults


def plant(scratch, names, name):
    """A library in the scratch folder that exports `names` and is called `name`."""
    source = "".join(f"int {one}(void); int {one}(void) {{ return 0; }}\n" for one in sorted(names))
    subprocess.run(["gcc", "-shared", "-fPIC", "-x", "c", "-", f"-Wl,-soname,{name}",
                    "-o", str(scratch / "libmatchrace.so")], input=source, text=True, check=True)
    return scratch / "libmatchrace.so"


def self_test(root):
    names = declared(root)
    name = f"libmatchrace.so.{abi_version(root)}"
    plants = [
        ("an honest library", names, name, None),
        ("a function is hidden", names - {"mr_parser_parse"}, name, "does not export mr_parser_parse"),
        ("something inside is shown", names | {"mr_scan_string"}, name, "exports mr_scan_string"),
        ("another number", names, "libmatchrace.so.77", "is called libmatchrace.so.77"),
    ]
    missed = 0
    for what, there, called, pattern in plants:
        with tempfile.TemporaryDirectory(prefix="mr-exports-") as scratch:
            faults = check(root, plant(Path(scratch), there, called))
        good = not faults if pattern is None else any(pattern in fault for fault in faults)
        print(f"{'caught' if good else 'MISSED'}: {what}: {faults}")
        missed += not good
    return 1 if missed or "mr_parser_parse" not in names or "mr_kind_names" not in names else 0


def main():
    root = tree.source_dir()
    if sys.argv[1:] == ["--self-test"]:
        return self_test(root)
    library = tree.build_dir() / LIBRARY
    if not library.is_file():
        print(f"structure_exports: {os.path.relpath(library)} is not built: skipped")
        return tree.SKIPPED
    faults = check(root, library)
    for fault in faults:
        print(fault)
    print(f"structure_exports: {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
