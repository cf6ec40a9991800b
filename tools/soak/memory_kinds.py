"""memory_kinds.py: a process's memory by what it is for, as its mappings tell: of a .NET program the garbage collector's heap, the
JIT's code and data, files, and the rest, which is native."""

import re

HEAP_RESERVED_BYTES = 1 << 34  # a collector reserves its whole range at once, and nobody else asks for so much
LINE = re.compile(r"^([0-9a-f]+)-([0-9a-f]+) (\S{4}) \S+ \S+ (\d+) *(.*)$")


class Mapping:
    def __init__(self, begin: int, end: int, inode: int, name: str):
        self.begin, self.end, self.inode, self.name, self.rss_bytes = begin, end, inode, name, 0


def mappings_of(text: str) -> list:
    """What /proc/PID/smaps says."""
    found = []
    for line in text.splitlines():
        match = LINE.match(line)
        if match:
            found.append(Mapping(int(match[1], 16), int(match[2], 16), int(match[4]), match[5]))
        elif line.startswith("Rss:"):
            found[-1].rss_bytes = 1024 * int(line.split()[1])
    return found


def heaps_of(mappings: list) -> set:
    """The mappings that lie within one large reserved range: neighbours without a gap and without a name."""
    runs, run = [], []
    for mapping in mappings:
        if mapping.name or (run and run[-1].end != mapping.begin):
            runs.append(run)
            run = []
        if not mapping.name:
            run.append(mapping)
    runs.append(run)
    return {one for run in runs if run and run[-1].end - run[0].begin >= HEAP_RESERVED_BYTES for one in run}


def split(text: str) -> dict:
    """Bytes in memory by kind: heap, code, files, other."""
    mappings = mappings_of(text)
    heaps = heaps_of(mappings)
    kinds = {"heap": 0, "code": 0, "files": 0, "other": 0}
    for mapping in mappings:
        if mapping in heaps:
            kind = "heap"
        elif "doublemapper" in mapping.name:
            kind = "code"
        else:
            kind = "files" if mapping.inode else "other"
        kinds[kind] += mapping.rss_bytes
    return kinds


def kinds_of(pid: int) -> dict:
    with open(f"/proc/{pid}/smaps", encoding="utf-8", errors="replace") as file:
        return split(file.read())
