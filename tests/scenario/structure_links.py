#!/usr/bin/env python3
# structure_links.py: what each native contestant links: its own parser and no rival's.
"""Looks into the built contestants: symbols by nm, needed libraries by readelf.

The lab's own parser and writer are recognised by the global symbols of their archives, so nothing depends on
how their functions are called. Skipped (77) where no contestant is built.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import structure_common as tree

# Which parser or writer a native contestant may hold. One that is not named here may hold none.
PARSER_OF = {"c-tuned": "record", "c-writer": "serial", "c-yyjson": "yyjson", "cpp-simdjson": "simdjson"}
# The rooms of lib/ that are such a parser or writer, and their archives.
ROOMS = {"record": "lib/record/libmr_record.a", "serial": "lib/serial/libmr_serial.a"}
# How a library's symbols begin (in C++ its namespace, mangled), and what its shared objects are called.
LIBRARY_SYMBOL = {"yyjson": re.compile(r"^yyjson_"), "simdjson": re.compile(r"^_ZNK?8simdjson")}
# Made only where the package is there: see cmake/simdjson.cmake.
OPTIONAL = {"cpp-simdjson"}
ELF = b"\x7fELF"


def lines_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def global_symbols(path):
    """Names of the global symbols that a program or an archive defines."""
    found = set()
    for line in lines_of("nm", "--defined-only", "--extern-only", str(path)):
        words = line.split()
        if len(words) == 3:
            found.add(words[2])
    return found


def needed_libraries(path):
    return {match[1] for line in lines_of("readelf", "-d", str(path))
            if (match := re.search(r"\(NEEDED\).*\[(.+)\]", line))}


def native_contestants(build):
    for folder in sorted((build / "contestants").glob("*")):
        program = folder / folder.name
        if program.is_file() and program.read_bytes()[:4] == ELF:
            yield folder.name, program


def judge(name, program, room_symbols):
    symbols, needed = global_symbols(program), needed_libraries(program)
    own, faults = PARSER_OF.get(name), []
    for room, of_room in room_symbols.items():
        held = sorted(symbols & of_room)
        if held and own != room:
            faults.append(f"{name} links lib/{room}: {held[0]} and {len(held) - 1} more symbols")
        # Its own parser must be seen, or these eyes see nothing.
        if own == room and not held:
            faults.append(f"{name} holds no symbol of lib/{room}: is this check still looking at it?")
    for library, symbol in LIBRARY_SYMBOL.items():
        found = sorted(filter(symbol.match, symbols)) + sorted(one for one in needed if library in one)
        if found and own != library:
            faults.append(f"{name} links {library}: {found[0]}")
        if own == library and not found:
            faults.append(f"{name} does not link {library}: is this check still looking at it?")
    return faults


def check(build):
    """The faults of a build tree, or None where nothing is built."""
    built = list(native_contestants(build))
    if not all((build / archive).is_file() for archive in ROOMS.values()) or not built:
        return None
    room_symbols = {room: global_symbols(build / archive) for room, archive in ROOMS.items()}
    faults = [f"{name} is not built" for name in PARSER_OF
              if name not in dict(built) and name not in OPTIONAL]
    for name, program in built:
        faults += judge(name, program, room_symbols)
    return faults


def compile_program(folder, name, source, *words):
    path = folder / "contestants" / name / name
    path.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["gcc", "-x", "c", "-", "-o", str(path), *words], input=source, text=True, check=True)


RECORD = "int mr_planted_parse(void) { return 1; }\n"
SERIAL = "int mr_planted_write(void) { return 1; }\n"
WITH_SERIAL = "int mr_planted_write(void);\nint main(void) { return mr_planted_write(); }\n"
PLAIN = "int main(void) { return 0; }\n"
WITH_RECORD = "int mr_planted_parse(void);\nint main(void) { return mr_planted_parse(); }\n"
WITH_LIBRARY = "int yyjson_planted(void);\nint main(void) { return yyjson_planted(); }\n"
STATIC_LIBRARY = "int yyjson_planted(void) { return 0; }\nint main(void) { return yyjson_planted(); }\n"

# Name of the plant, sources of the two contestants and of a third one, the fault that must be seen.
PLANTS = [
    ("an honest tree", WITH_RECORD, WITH_LIBRARY, None, None),
    ("c-yyjson links lib/record", WITH_RECORD, WITH_LIBRARY + "int mr_planted_parse(void);\n"
     "int (*const mr_keep)(void) = mr_planted_parse;\n", None, "c-yyjson links lib/record"),
    ("c-tuned needs libyyjson", WITH_RECORD + "int yyjson_planted(void);\n"
     "int (*const mr_keep)(void) = yyjson_planted;\n", WITH_LIBRARY, None, "c-tuned links yyjson"),
    ("c-tuned holds yyjson's code", WITH_RECORD + "int yyjson_planted(void) { return 0; }\n",
     WITH_LIBRARY, None, "c-tuned links yyjson: yyjson_planted"),
    ("a contestant that nobody told of", WITH_RECORD, STATIC_LIBRARY, WITH_RECORD,
     "rust-new links lib/record"),
    ("the check looks at another program", PLAIN, WITH_LIBRARY, None, "c-tuned holds no symbol"),
    ("c-yyjson holds simdjson's code", WITH_RECORD, WITH_LIBRARY +
     "int _ZN8simdjson7plantedEv(void) { return 0; }\n", None, "c-yyjson links simdjson"),
    ("c-yyjson links lib/serial", WITH_RECORD, WITH_LIBRARY + "int mr_planted_write(void);\n"
     "int (*const mr_keep)(void) = mr_planted_write;\n", None, "c-yyjson links lib/serial"),
    ("the other one too", WITH_RECORD, PLAIN, None, "c-yyjson does not link yyjson"),
]


def make_tree(folder, tuned, rival, third):
    library, archives = folder / "libyyjson.so.0", []
    for room, source in (("record", RECORD), ("serial", SERIAL)):
        archive, part = folder / ROOMS[room], folder / f"{room}.o"
        archive.parent.mkdir(parents=True)
        subprocess.run(["gcc", "-c", "-x", "c", "-", "-o", str(part)], input=source, text=True, check=True)
        subprocess.run(["ar", "rcs", str(archive), str(part)], check=True)
        archives.append(str(archive))
    subprocess.run(["gcc", "-shared", "-fPIC", "-x", "c", "-", "-Wl,-soname,libyyjson.so.0",
                    "-o", str(library)], input="int yyjson_planted(void) { return 0; }\n",
                   text=True, check=True)
    # Archives and libraries are named always; the linker takes what the source asks for.
    words = ["-x", "none", *archives, "-Wl,--as-needed", str(library)]
    compile_program(folder, "c-tuned", tuned, *words)
    compile_program(folder, "c-writer", WITH_SERIAL, *words)
    compile_program(folder, "c-yyjson", rival, *words)
    if third:
        compile_program(folder, "rust-new", third, *words)


def self_test():
    missed = 0
    for name, tuned, rival, third, pattern in PLANTS:
        with tempfile.TemporaryDirectory(prefix="mr-structure-") as scratch:
            make_tree(Path(scratch), tuned, rival, third)
            faults = check(Path(scratch))
            good = not faults if pattern is None else any(pattern in fault for fault in faults)
            print(f"{'caught' if good else 'MISSED'}: {name}: {faults}")
            missed += not good
    print(f"structure_links: {len(PLANTS) - missed} of {len(PLANTS)} planted trees judged rightly")
    return 1 if missed else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    faults = check(tree.build_dir())
    if faults is None:
        print(f"structure_links: no contestant is built in {os.path.relpath(tree.build_dir())}: skipped")
        return tree.SKIPPED
    for fault in faults:
        print(fault)
    print(f"structure_links: {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
