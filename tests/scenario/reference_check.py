#!/usr/bin/env python3
"""reference_check.py: the reference's command line: all cases, datasets, single batches, bad input."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "support")]

import case_files  # noqa: E402
import frames_file  # noqa: E402

OK, ENVIRONMENT, USAGE, WRONG = 0, 1, 2, 3


class Check(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="mr-reference-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def check(self, code: int, *words: str, stdin: bytes = b"") -> str:
        """Runs check.py, demands the exit code, returns what it said."""
        done = subprocess.run([sys.executable, os.path.join(ROOT, "reference", "check.py"), *words],
                              input=stdin, capture_output=True, timeout=100)
        said = (done.stdout + done.stderr).decode()
        self.assertEqual(done.returncode, code, said)
        self.assertNotIn("Traceback", said)
        return said


class Cases(Check):
    def test_all_cases(self):
        said = self.check(OK, "cases", case_files.FOLDER)
        self.assertIn("718 cases, all agree, totals and kept agree", said)
        self.assertIn("433 cases, all agree, totals and kept agree", said)

    def changed(self, name: str, old: str, new: str) -> str:
        """A copy of the cases in which one text is another."""
        folder = os.path.join(self.folder, "cases")
        shutil.copytree(case_files.FOLDER, folder)
        path = os.path.join(folder, name)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.assertIn(old, text)
        os.chmod(path, 0o600)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(old, new, 1))
        return folder

    def test_a_wrong_answer_is_named(self):
        folder = self.changed("schema.jsonl", "7b0139d7c357e683", "7b0139d7c357e684")
        self.assertIn("schema/kind/metric: expected", self.check(WRONG, "cases", folder))

    def test_wrong_totals_are_named(self):
        folder = self.changed("totals.json", "0000018beb2726e0", "0000018beb2726e1")
        self.assertIn("totals of", self.check(WRONG, "cases", folder))

    def test_folders_that_are_none(self):
        self.check(ENVIRONMENT, "cases", self.folder)
        for text in ("{}", "[]", "{", '{"none.jsonl": {}}'):
            with open(os.path.join(self.folder, "totals.json"), "w", encoding="utf-8") as file:
                file.write(text)
            self.check(ENVIRONMENT, "cases", self.folder)


class Dataset(Check):
    def setUp(self):
        super().setUp()
        self.data = os.path.join(self.folder, "set")
        self.cases = [case for name in case_files.NAMES for case in case_files.load(name)]
        frames_file.write(self.data, self.cases)

    def test_agreement(self):
        accepted = [case for case in self.cases if case.status == 0]
        said = self.check(OK, "dataset", self.data)
        self.assertIn("%d of %d batches, %d records" % (
            len(self.cases), len(self.cases), sum(case.records for case in accepted)), said)
        self.assertIn("digest %016x" % (sum(case.digest for case in accepted) % 2**64), said)
        self.assertIn("SHA-256 as in the manifest", said)
        self.check(OK, "dataset", self.data, "--jobs", "1", "--both-paths", "--all")
        self.assertIn("7 of 1151", self.check(OK, "dataset", self.data, "--sample", "7"))

    def test_a_wrong_answer_is_named(self):
        for index in (0, 500, len(self.cases) - 1):
            case = self.cases[index]
            wrong = case._replace(status=1 - case.status, records=0, digest=0)
            cases = [*self.cases]
            cases[index] = wrong
            frames_file.write(self.data, cases)
            self.assertIn("batch %d, at byte" % index, self.check(WRONG, "dataset", self.data))

    def test_the_first_of_several_is_named(self):
        cases = [case._replace(digest=case.digest ^ 1) if case.status == 0 and index >= 300 else case
                 for index, case in enumerate(self.cases)]
        frames_file.write(self.data, cases)
        first = next(i for i, case in enumerate(cases) if case != self.cases[i])
        self.assertIn("batch %d, at byte" % first, self.check(WRONG, "dataset", self.data))

    def test_sampling_takes_first_and_last(self):
        for index in (0, len(self.cases) - 1):
            cases = [*self.cases]
            cases[index] = cases[index]._replace(status=0, records=9, digest=9)
            frames_file.write(self.data, cases)
            self.check(WRONG, "dataset", self.data, "--sample", "2")

    def test_files_that_do_not_belong_together(self):
        accepted = next(i for i, case in enumerate(self.cases) if case.status == 0)
        faults = [
            ("batches", -1, b"!", "SHA-256"),
            ("answers", 32 * accepted + 8, b"\x01\x02", "SHA-256"),
            ("batches", 4, b"\x03", "not the header of a BATCH"),
            ("batches", 8, b"\x01", "has sequence 1"),
            ("answers", 20, b"\x01", "answer 0"),
            ("answers", 0, b"\x02", "answer 0"),
        ]
        for name, offset, data, text in faults:
            frames_file.write(self.data, self.cases)
            frames_file.patch("%s.%s" % (self.data, name), offset, data)
            said = self.check(ENVIRONMENT, "dataset", self.data)
            self.assertIn("set." + name, said)
            self.assertIn(text, said)

    def test_files_that_are_cut_or_missing(self):
        for name, size in (("batches", -3), ("batches", 7), ("answers", -32), ("answers", 31),
                           ("batches", 0), ("json", 5), ("json", None), ("answers", None)):
            frames_file.write(self.data, self.cases)
            path = "%s.%s" % (self.data, name)
            if size is None:
                os.unlink(path)
            else:
                os.truncate(path, size if size >= 0 else os.path.getsize(path) + size)
            self.assertIn("set." + name, self.check(ENVIRONMENT, "dataset", self.data))

    def test_a_manifest_that_counts_otherwise(self):
        for name in ("batches", "batches_accepted", "batches_rejected", "records_accepted"):
            with open(self.data + ".json", "w", encoding="utf-8") as file:
                json.dump({name: 5}, file)
            self.assertIn("says %s 5" % name, self.check(ENVIRONMENT, "dataset", self.data))

    def test_a_manifest_without_sums_is_said(self):
        with open(self.data + ".json", "w", encoding="utf-8") as file:
            json.dump({}, file)
        self.assertIn("manifest names no SHA-256", self.check(OK, "dataset", self.data))


class Signals(Check):
    def setUp(self):
        super().setUp()
        self.data = os.path.join(self.folder, "set")
        long = max((case for name in case_files.NAMES for case in case_files.load(name)
                    if case.status == 0), key=lambda case: len(case.payload))
        frames_file.write(self.data, [long] * 2500)

    def test_nothing_is_left_behind(self):
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)):
            process = subprocess.Popen([sys.executable, os.path.join(ROOT, "reference", "check.py"),
                                        "dataset", self.data, "--jobs", "2"],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            workers = self.wait_for_workers(process)
            process.send_signal(number)
            said = b"".join(process.communicate(timeout=20))  # ends when no worker holds the pipes
            self.assertEqual(process.returncode, code, said)
            self.assertNotIn(b"Traceback", said)
            for worker in workers:
                self.assertNotIn(b"check.py", self.command_line(worker), number)

    @staticmethod
    def command_line(process_id: int) -> bytes:
        try:
            with open("/proc/%d/cmdline" % process_id, "rb") as file:
                return file.read()
        except OSError:
            return b""

    def wait_for_workers(self, process: subprocess.Popen) -> list:
        path = "/proc/%d/task/%d/children" % (process.pid, process.pid)
        deadline = time.monotonic() + 20
        while True:
            with open(path, encoding="ascii") as file:
                workers = [int(word) for word in file.read().split()]
            if len(workers) == 2:
                time.sleep(0.3)
                return workers
            self.assertLess(time.monotonic(), deadline, "no workers")
            self.assertIsNone(process.poll(), "ended by itself")
            time.sleep(0.02)


class Single(Check):
    def test_one_batch(self):
        self.assertEqual(self.check(OK, "batch", "-", stdin=b" [] "),
                         "accepted: 0 records, digest 0000000000000000\n")
        self.assertIn("rejected: byte 1: a value expected", self.check(OK, "batch", "-", stdin=b"[,"))
        case = next(case for name in case_files.NAMES for case in case_files.load(name)
                    if case.records > 1)
        path = os.path.join(self.folder, "one.json")
        with open(path, "wb") as file:
            file.write(case.payload)
        self.assertIn("%d records, digest %016x" % case.answer[1:], self.check(OK, "batch", path))
        self.check(ENVIRONMENT, "batch", path + ".not")

    def test_wrong_usage(self):
        for words in ((), ("race",), ("dataset",), ("dataset", "x", "--sample", "0"),
                      ("dataset", "x", "--jobs", "-1"), ("dataset", "x", "--all", "--sample", "1"),
                      ("batch", "x", "y")):
            self.check(USAGE, *words)
        self.assertIn("examples:", self.check(OK, "--help"))


if __name__ == "__main__":
    unittest.main()
