"""campaign_feed.py: a contestant of a stepped cell that reads the dataset's answers from the disk, wherever they lie,
and computes nothing, is wrong: what it is given was varied for this run, and the answers to that stand in no file."""

import glob
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from small_race import Race, expect, skip_unless_built

# Speaks `parse --step`; its digest is the sum of all answers that it finds below FOLDER.
PEEKER = """
import glob, os, struct, sys, time
data = sys.argv[sys.argv.index("--data") + 1]
if glob.glob(data + "*.answers"):
    print("the answers stand beside the batches", file=sys.stderr)
found = glob.glob(os.path.join(%r, "**", "*.answers"), recursive=True)
records, digest = 0, 0
for path in found:
    with open(path, "rb") as file:
        content = file.read()
    for at in range(0, len(content), 32):
        records += struct.unpack_from("<I", content, at + 4)[0]
        digest += struct.unpack_from("<Q", content, at + 8)[0]
size, at = 0, 0
with open(data + ".batches", "rb") as file:
    content = file.read()
while at < len(content):
    length = struct.unpack_from("<I", content, at)[0]
    size, at = size + length, at + 16 + length
while sys.stdin.readline():
    start = time.perf_counter_ns()
    time.sleep(0.002)
    print('{"records":%%d,"bytes":%%d,"ns":%%d,"digest":"%%016x"}'
          %% (records, size, time.perf_counter_ns() - start, digest & (1 << 64) - 1), flush=True)
"""


def digest_of(race: Race) -> int:
    total = 0
    for path in glob.glob(race.path("data", "*.answers")):
        with open(path, "rb") as file:
            content = file.read()
        total += sum(struct.unpack_from("<Q", content, at + 8)[0] for at in range(0, len(content), 32))
    return total & (1 << 64) - 1


def main() -> None:
    skip_unless_built()
    with Race() as race:
        script = race.path("peeker.py")
        with open(script, "w", encoding="utf-8") as file:
            file.write(PEEKER % race.folder)
        race.add_contestant("peeker", [sys.executable, script])
        done = race.run(race.stepped_matrix(("c-tuned", "peeker")))
        expect(done.returncode == 3, "who peeks is wrong (exit code %d: %s)" % (done.returncode, done.stderr))
        trials = {t["entry"]: t for t in race.results()["trials"]}
        expect(trials["peeker"]["outcome"] == "wrong" and trials["peeker"]["reason"].startswith("answers:"),
               "by the gate of answers: %s" % trials["peeker"]["reason"])
        expect("digest %016x" % digest_of(race) in trials["peeker"]["reason"], "what it said are the dataset's own answers")
        expect("stand beside" not in done.stderr, "no answers stand beside what it was given")
        expect(trials["c-tuned"]["outcome"] != "wrong", "who computes is right")
        done = race.run(race.stepped_matrix())
        expect(done.returncode == 0 and race.results()["cells"][0]["rows_counted"] == 6,
               "all rows of honest contestants count (%d: %s)" % (done.returncode, done.stderr))
        expect(not os.path.exists(os.path.join(race.out, "feed")), "nothing of the feed is left")
        seeds = [line for line in race.text("run.log").splitlines() if "drawn with seed" in line]
        expect(len(seeds) == 1, "the log says, behind everything else, how it was drawn: %s" % seeds)


if __name__ == "__main__":
    main()
