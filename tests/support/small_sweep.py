"""small_sweep.py: sweeps small enough for a test, on the data and contestants of a small race."""

import json
import os
import subprocess

from small_race import PROGRAM, ROOT, Race, expect

# Long enough for a median, too short for a p99: what a test asks is whether the books are right.
SMALL = ("--bytes", "1MiB", "--batch-records", "64", "--connections", "2", "--depth", "2",
         "--warmup", "50ms", "--window", "150ms", "--repeats", "1", "--pairs", "0")


class Sweep(Race):
    """A race's folder whose runs are sweeps."""

    def command(self, *words: str) -> list:
        self.runs += 1
        self.out = self.path("out-%d" % self.runs)
        return [PROGRAM, "sweep", "--data-dir", self.path("data"), "--contestants",
                os.path.join(ROOT, "contestants"), "--contestants", self.contestants,
                "--skip-conform", "--plan", "open", *SMALL, "--out", self.out, *words]

    def run(self, *words: str, timeout_s: float = 300, env=None) -> subprocess.CompletedProcess:
        return subprocess.run(self.command(*words), capture_output=True, text=True, env=env,
                              stdin=subprocess.DEVNULL, timeout=timeout_s, check=False)

    def start(self, *words: str) -> subprocess.Popen:
        return subprocess.Popen(self.command(*words), stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)

    def result(self) -> dict:
        with open(os.path.join(self.out, "sweep.json"), encoding="utf-8") as file:
            return json.load(file)

    def trial(self, number: int) -> dict:
        with open(os.path.join(self.out, "trials", "%05d.json" % number), encoding="utf-8") as file:
            return json.load(file)


def one_line(done, code: int, part: str, what: str) -> None:
    lines = done.stderr.strip().splitlines()
    expect(done.returncode == code, "%s: exit code %d (got %d: %s)" % (what, code, done.returncode, done.stderr))
    expect(len(lines) == 1 and part in lines[0], "%s: one line with '%s': %s" % (what, part, done.stderr))
