"""data_common.py: what the scenarios of `matchrace data` share: the program, a folder, a dataset's files."""

import atexit
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
from json_schema import Checker  # noqa: E402

ROOT = os.environ.get("MR_SOURCE_DIR") or os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.abspath(os.environ.get("MR_BUILD_DIR") or os.path.join(ROOT, "build", "release"))
PROGRAM = os.environ.get("MR_PROGRAM") or os.path.join(BUILD, "apps", "matchrace", "matchrace")
RUN_LIMIT_S = 120.0
ENDS = ("batches", "answers", "edits", "json")

if not os.access(PROGRAM, os.X_OK):
    raise SystemExit("%s is not built; set MR_BUILD_DIR" % PROGRAM)

FOLDER = tempfile.mkdtemp(prefix="mr-data-")
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)

with open(os.path.join(ROOT, "schemas", "dataset.schema.json"), encoding="utf-8") as schema_file:
    SCHEMA = Checker(json.load(schema_file))


def path(name: str) -> str:
    """A place in this test's folder, which goes away at its end."""
    return os.path.join(FOLDER, name)


def fresh(name: str) -> str:
    """An empty folder of this test's."""
    os.mkdir(path(name))
    return path(name)


def run(*words, code: int = 0, **options) -> subprocess.CompletedProcess:
    """Runs `matchrace data WORDS…` and expects its exit code."""
    done = subprocess.run([PROGRAM, "data", *words], capture_output=True, text=True,
                          errors="replace", timeout=RUN_LIMIT_S, check=False, **options)
    assert done.returncode == code, "matchrace data %s: exit code %d, not %d\n%s%s" % (
        " ".join(words), done.returncode, code, done.stdout, done.stderr)
    return done


def complains(code: int, *says, words: tuple, **options) -> str:
    """Runs and expects one line on standard error that says all of `says`."""
    done = run(*words, code=code, **options)
    lines = done.stderr.splitlines()
    assert len(lines) == 1 and done.stdout == "", (done.stdout, done.stderr)
    for what in says:
        assert what in lines[0], (what, lines[0])
    return lines[0]


def read(name: str, end: str) -> bytes:
    with open("%s.%s" % (name, end), "rb") as file:
        return file.read()


def write(name: str, text) -> str:
    with open(path(name), "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())
    return path(name)


def manifest(name: str) -> dict:
    return json.loads(read(name, "json"))


def payloads(name: str) -> list:
    """The JSON texts of NAME.batches, read by the contract's section 5 alone."""
    data = read(name, "batches")
    found = []
    at = 0
    while at < len(data):
        size, kind, version, reserved, sequence = struct.unpack_from("<IBBHQ", data, at)
        assert (kind, version, reserved, sequence) == (2, 1, 0, len(found))
        found.append(data[at + 16 : at + 16 + size])
        assert len(found[-1]) == size
        at += 16 + size
    return found


def answers(name: str) -> list:
    """(status, records, digest) of each batch; the error fields are zero."""
    found = []
    for status, records, digest, *error in struct.iter_unpack("<IIQIIQ", read(name, "answers")):
        assert error == [0, 0, 0]
        found.append((status, records, digest))
    return found


def left_in(folder: str) -> list:
    return sorted(os.listdir(folder))


def main(tests: dict) -> None:
    """Runs the functions called test_… of a module, in their order."""
    failed = 0
    for name, test in list(tests.items()):
        if name.startswith("test_"):
            try:
                test()
                print("ok   %s" % name)
            except AssertionError as error:
                failed += 1
                print("FAIL %s: %s" % (name, error))
    sys.exit(1 if failed else 0)
