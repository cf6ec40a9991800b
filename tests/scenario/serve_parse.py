#!/usr/bin/env python3
"""serve_parse.py: `parse` over all cases and over wild batches: sums, steps, limits, pipes that break.

MR_CONTESTANT=FOLDER names the contestant; one that lib/serve serves.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [ROOT, os.path.join(ROOT, "tests", "support")]

import case_files  # noqa: E402
import contestant_server  # noqa: E402
import frames_file  # noqa: E402
import make_batches  # noqa: E402
from reference import batch  # noqa: E402

ONE = (b'[{"id":5942859575,"timestamp":1764054335349840,"source":"sensor-1186","kind":"event",'
       b'"value":-268.6222,"flags":["urgent"],"message":"india delta alpha bravo"}]')
ONE_DIGEST = 0x954A84D7A74FBBB4
SEED = 11
WILD = 400


def wild_cases() -> list:
    """Batches, right and damaged, with the reference's answers."""
    rng = random.Random(SEED)
    cases = []
    for number in range(WILD):
        payload = make_batches.batch(rng, rng.randrange(6), rng.choice((0, 0.1, 1)))
        if number % 3 == 0:
            payload = make_batches.damaged(rng, payload)
        answer = batch.answer(payload)
        cases.append(case_files.Case("wild %d" % number, payload, *answer[:3]))
    return cases


class Parse(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="mr-parse-")
        self.addCleanup(folder.cleanup)
        self.data = os.path.join(folder.name, "set")

    def write(self, cases: list):
        frames_file.write(self.data, cases)
        self.cases = cases

    def lines(self, *words: str) -> list:
        code, output, errors = contestant_server.run("parse", "--data", self.data, *words)
        self.assertEqual((code, errors), (0, ""))
        return output.splitlines()

    def agree(self, line: str, mode: str):
        got = json.loads(line)
        self.assertEqual(list(got), ["records", "bytes", "ns", "digest"])
        accepted = [case for case in self.cases if case.status == 0 and mode != "drain"]
        self.assertEqual(got["records"], sum(case.records for case in accepted))
        self.assertEqual(got["bytes"], sum(len(case.payload) for case in self.cases))
        self.assertEqual(got["digest"], "%016x" % (sum(case.digest for case in accepted) % 2**64))
        self.assertGreater(got["ns"], 0)

    def test_all_cases(self):
        for name in case_files.NAMES:
            self.write(case_files.load(name))
            for mode in ("drain", "totals", "keep", "fresh"):
                lines = self.lines("--mode", mode, "--repeat", "2")
                self.assertEqual(len(lines), 2)
                for line in lines:
                    self.agree(line, mode)

    def test_wild_batches(self):
        self.write(wild_cases())
        self.assertGreater(sum(case.status == 0 for case in self.cases), WILD // 4)
        self.assertGreater(sum(case.status == 1 for case in self.cases), WILD // 8)
        for line in self.lines("--mode", "keep", "--repeat", "3"):
            self.agree(line, "keep")

    def test_one_pass_is_the_default(self):
        self.write(case_files.load("schema.jsonl"))
        self.assertEqual(len(self.lines()), 1)

    def test_the_ring_goes_on(self):
        """A pass keeps 20 records of 72 bytes; what two passes keep is over the limit."""
        self.write([case_files.Case("one", ONE, 0, 1, ONE_DIGEST)] * 20)
        words = ("--mode", "fresh", "--max-kept", "2000")
        self.assertEqual(len(self.lines(*words)), 1)
        code, output, errors = contestant_server.run("parse", "--data", self.data, *words,
                                                     "--repeat", "9")
        self.assertEqual((code, output.count("\n")), (1, 1))
        self.assertEqual(errors, "%s parse: the kept batches are over --max-kept 2000 bytes\n"
                         % contestant_server.manifest()["name"])
        # 64 places are 4,608 bytes: no number of passes keeps more.
        words = ("--mode", "keep", "--max-kept", "4608", "--repeat", "20")
        self.assertEqual(len(self.lines(*words)), 20)

    def step(self, data: bytes, *words: str) -> tuple:
        process = contestant_server.start("parse", "--data", self.data, "--step", *words,
                                          stdin=subprocess.PIPE)
        output, errors = process.communicate(data.decode(), timeout=30.0)
        return process.returncode, output.count("\n"), errors

    def test_steps_end_with_the_lines_or_the_number(self):
        self.write(case_files.load("schema.jsonl"))
        self.assertEqual(self.step(b"\n\nlonger words\n"), (0, 3, ""))
        self.assertEqual(self.step(b"\n\n\n\n\n", "--repeat", "2"), (0, 2, ""))
        self.assertEqual(self.step(b""), (0, 0, ""))
        self.assertEqual(self.step(b"\nno line"), (0, 1, ""))

    def test_output_that_nobody_takes(self):
        self.write(case_files.load("schema.jsonl"))
        command = [*contestant_server.command(), "parse", "--data", self.data, "--repeat", "100000"]
        with open("/dev/full", "wb") as full:
            process = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=full,
                                     stderr=subprocess.PIPE, timeout=10.0, check=False)
        self.assertEqual(process.returncode, 1)
        self.assertIn(b"cannot write to standard output: No space left on device", process.stderr)
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        process.stdout.readline()
        process.stdout.close()
        errors = process.stderr.read()
        process.stderr.close()
        self.assertEqual(process.wait(10.0), 1)
        self.assertIn(b"cannot write to standard output: Broken pipe", errors)

    def test_a_file_for_several(self):
        """Whoever shares a file as output gets its lines behind those of the others."""
        self.write(case_files.load("schema.jsonl"))
        command = [*contestant_server.command(), "parse", "--data", self.data, "--repeat", "2"]
        with tempfile.TemporaryFile() as shared:
            for _ in range(2):
                os.write(shared.fileno(), b"before\n")
                subprocess.run(command, stdin=subprocess.DEVNULL, stdout=shared, timeout=30.0,
                               check=True)
            os.lseek(shared.fileno(), 0, os.SEEK_SET)
            lines = shared.read().decode().splitlines()
        self.assertEqual([line[:6] for line in lines], ["before", '{"reco', '{"reco'] * 2)

    def test_data_that_is_none(self):
        for path, words in ((self.data, "No such file or directory"),
                            (os.path.join(os.path.dirname(self.data), "x" * 300), "File name too long")):
            code, output, errors = contestant_server.run("parse", "--data", path)
            self.assertEqual((code, output, errors.count("\n")), (1, "", 1))
            self.assertIn(words, errors)
        os.mkdir(self.data + ".batches")
        self.assertIn("Is a directory", contestant_server.run("parse", "--data", self.data)[2])


if __name__ == "__main__":
    unittest.main()
