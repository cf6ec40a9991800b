"""data_variations.py: no two batches alike: what each varied batch must be answered, judged by the reference."""

import os
import struct
import subprocess
import sys

from data_common import BUILD, ROOT, main, path, payloads, run

sys.path.insert(0, ROOT)
from reference import batch  # noqa: E402

WRITER = os.path.join(BUILD, "tests", "unit", "varied_batches")
# The first of each place, later ones, and one far beyond what a run reaches.
TURNS = (0, 1, 2, 3, 7, 4000, 9999999)


def variations(name: str, turns: tuple) -> list:
    """(payload, status, records, digest) of every batch at every turn."""
    done = subprocess.run([WRITER, name, *map(str, turns)], capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    found, at = [], 0
    while at < len(done.stdout):
        size, = struct.unpack_from("<I", done.stdout, at)
        payload = done.stdout[at + 4:at + 4 + size]
        found.append((payload, *struct.unpack_from("<IIQ", done.stdout, at + 4 + size)))
        at += 4 + size + 16
    return found


def check(shape: str, batches: int, records: int) -> None:
    name = path(shape)
    run("make", "--shape", shape, "--seed", "11", "--batches", str(batches), "--batch-records", str(records),
        "--out", name)
    varied = variations(name, TURNS)
    assert len(varied) >= batches, "%d variations of %d batches" % (len(varied), batches)
    for payload, status, count, digest in varied:
        judged = batch.answer(payload)
        assert (judged.status, judged.records, judged.digest) == (status, count, digest), (
            "%s: the reference says %s, the generator expects %s" % (shape, judged, (status, count, digest)))
    seen = {payload for payload, *_ in varied} | set(payloads(name))
    assert len(seen) == len(varied) + len(set(payloads(name))), "two batches are alike"


def test_shapes():
    for shape, batches, records in (("simple", 6, 40), ("messy", 6, 20), ("rejects", 60, 4)):
        check(shape, batches, records)


if __name__ == "__main__":
    if not os.path.exists(WRITER):
        print("varied_batches is not built")
        sys.exit(77)
    main(globals())
