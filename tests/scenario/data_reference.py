"""data_reference.py: the independent reference agrees with every answer of every shape, and of an import."""

import os
import subprocess
import sys

from data_common import ROOT, main, path, payloads, run, write

CHECK = os.path.join(ROOT, "reference", "check.py")


def agrees(name: str) -> None:
    done = subprocess.run([sys.executable, CHECK, "dataset", name, "--jobs", "1"], check=False,
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


def test_shapes():
    for shape, batches, records in (("simple", 8, 256), ("messy", 12, 256), ("rejects", 420, 6),
                                    ("mixed-30", 60, 8)):
        run("make", "--shape", shape, "--seed", "9", "--batches", str(batches), "--batch-records",
            str(records), "--out", path(shape))
        agrees(path(shape))


def test_import():
    files = [write("%d.json" % number, text) for number, text in enumerate(payloads(path("messy")))]
    run("import", *files, "--batch-records", "100", "--out", path("import"))
    agrees(path("import"))


def test_a_wrong_answer_is_seen():
    """The check itself: one answer changed, and the reference says so."""
    name = path("simple")
    with open(name + ".answers", "r+b") as file:
        file.seek(3 * 32 + 8)
        byte = file.read(1)
        file.seek(3 * 32 + 8)
        file.write(bytes([byte[0] ^ 1]))
    done = subprocess.run([sys.executable, CHECK, "dataset", name, "--jobs", "1"], check=False,
                          capture_output=True, text=True, timeout=120)
    assert done.returncode != 0, done.stdout


if __name__ == "__main__":
    if not os.path.exists(CHECK):
        print("reference/check.py is not there yet")
        sys.exit(77)
    main(globals())
