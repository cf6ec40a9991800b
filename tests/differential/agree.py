"""agree.py: emitter, reference and native contestants agree on many records of each shape.

Makes each shape, lets the independent reference compute every answer again, and lets every native contestant parse
them all in-process: records and digest must be the sum of the answers. Exit code 3 where anybody differs.
"""

import argparse
import glob
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
BUILD_DIR = os.path.abspath(os.environ.get("MR_BUILD_DIR") or os.path.join(ROOT, "build", "release"))
PROGRAM = os.path.join(BUILD_DIR, "apps", "matchrace", "matchrace")
SHAPES = ("simple", "messy", "rejects")
BATCH_RECORDS = 256
EXAMPLES = """examples:
  ./lab prove answers
  ./lab prove answers --records 1000000 --seed 7
"""


def sum_of_answers(path: str) -> tuple:
    """Records and digest of one pass over the dataset, from its answers."""
    records, digest = 0, 0
    with open(path + ".answers", "rb") as file:
        data = file.read()
    for at in range(0, len(data), 32):
        _, of_batch, digest_of_batch = struct.unpack_from("<IIQ", data, at)
        records += of_batch
        digest += digest_of_batch
    return records, "%016x" % (digest % (1 << 64))


def native_contestants() -> list:
    found = []
    for described in sorted(glob.glob(os.path.join(ROOT, "contestants", "*", "contestant.json"))):
        name = os.path.basename(os.path.dirname(described))
        with open(described, encoding="utf-8") as file:
            ingests = "ingest" in json.load(file).get("jobs", ["ingest"])
        program = os.path.join(BUILD_DIR, "contestants", name, name)
        if ingests and os.access(program, os.X_OK):
            found.append((name, program))
    return found


def parse(program: str, path: str) -> tuple:
    done = subprocess.run([program, "parse", "--data", path, "--mode", "keep", "--repeat", "1"],
                          capture_output=True, text=True, check=True)
    line = json.loads(done.stdout)
    return line["records"], line["digest"]


def check_shape(shape: str, options, folder: str) -> bool:
    path = os.path.join(folder, shape)
    batches = -(-options.records // BATCH_RECORDS)
    subprocess.run([PROGRAM, "data", "make", "--shape", shape, "--seed", str(options.seed), "--batches",
                    str(batches), "--batch-records", str(BATCH_RECORDS), "--out", path],
                   check=True, stdout=subprocess.DEVNULL)
    wanted = sum_of_answers(path)
    print("%-8s %d batches, %d accepted records, digest %s" % (shape, batches, *wanted), flush=True)
    done = subprocess.run([sys.executable, os.path.join(ROOT, "reference", "check.py"), "dataset", path, "--all"],
                          capture_output=True, text=True, check=False)
    print("%-8s reference: %s" % (shape, (done.stdout + done.stderr).strip().splitlines()[-1]), flush=True)
    agree = done.returncode == 0
    for name, program in native_contestants():
        got = parse(program, path)
        agree &= got == wanted
        print("%-8s %-10s %s" % (shape, name, "agrees" if got == wanted else "DIFFERS: %d records, digest %s" % got),
              flush=True)
    return agree


def main() -> int:
    parser = argparse.ArgumentParser(prog="./lab prove answers", description=__doc__.split("\n", maxsplit=1)[0], epilog=EXAMPLES,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=100000, help="records of each shape at least")
    parser.add_argument("--seed", type=int, default=2026)
    options = parser.parse_args()
    if len(native_contestants()) < 2:
        print("agree.py: contestants are not built: ./lab build", file=sys.stderr)
        return 1
    folder = tempfile.mkdtemp(prefix="matchrace-agree-")
    try:
        agree = [check_shape(shape, options, folder) for shape in SHAPES]
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print("all agree" if all(agree) else "NOT all agree")
    return 0 if all(agree) else 3


if __name__ == "__main__":
    sys.exit(main())
