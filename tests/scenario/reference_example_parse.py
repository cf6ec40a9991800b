#!/usr/bin/env python3
"""reference_example_parse.py: the contestant's command line: `parse`, `--step`, ends and exit codes.

MR_CONTESTANT=FOLDER runs it on another contestant than the example.
"""

import json
import os
import select
import socket
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "support")]

import case_files  # noqa: E402
import contestant_server  # noqa: E402
import frames_file  # noqa: E402
import wire_client  # noqa: E402

MODES = ("drain", "totals", "keep", "fresh")
OK, ENVIRONMENT, USAGE = 0, 1, 2


class WithDataset(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="mr-parse-")
        self.addCleanup(folder.cleanup)
        self.data = os.path.join(folder.name, "set")
        self.cases = case_files.load("schema.jsonl")
        frames_file.write(self.data, self.cases)
        os.unlink(self.data + ".answers")  # never given to contestants

    def agree(self, line: str, mode: str):
        got = json.loads(line)
        self.assertEqual(got.keys(), {"records", "bytes", "ns", "digest"})
        self.assertTrue(all(type(got[key]) is int for key in ("records", "bytes", "ns")))
        self.assertGreater(got["ns"], 0)
        accepted = [case for case in self.cases if case.status == 0 and mode != "drain"]
        self.assertEqual(got["records"], sum(case.records for case in accepted))
        self.assertEqual(got["bytes"], sum(len(case.payload) for case in self.cases))
        self.assertEqual(got["digest"], "%016x" % (sum(case.digest for case in accepted) % 2**64))


class Parse(WithDataset):
    def test_repetitions(self):
        for mode in MODES:
            code, output, errors = contestant_server.run("parse", "--data", self.data, "--mode", mode,
                                                         "--repeat", "3")
            self.assertEqual((code, errors), (OK, ""))
            lines = output.splitlines()
            self.assertEqual(len(lines), 3)
            for line in lines:
                self.agree(line, mode)

    def start_stepping(self) -> subprocess.Popen:
        process = contestant_server.start("parse", "--data", self.data, "--mode", "keep", "--step",
                                          stdin=subprocess.PIPE)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process: subprocess.Popen):
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            pipe.close()

    def test_steps(self):
        process = self.start_stepping()
        for _ in range(5):
            self.assertEqual(select.select([process.stdout], [], [], 0.3)[0], [], "did not wait")
            process.stdin.write("go\n")
            process.stdin.flush()
            self.assertTrue(select.select([process.stdout], [], [], 20.0)[0], "said nothing")
            self.agree(process.stdout.readline(), "keep")
        process.stdin.close()
        self.assertEqual(process.wait(5.0), OK)
        self.assertEqual(process.stdout.read(), "")

    def test_steps_without_a_line(self):
        process = self.start_stepping()
        process.stdin.close()
        self.assertEqual(process.wait(5.0), OK)

    def test_files_that_are_none(self):
        path = self.data + ".batches"
        for size in (-1, 15, 0, None):
            frames_file.write(self.data, self.cases)
            if size is None:
                os.unlink(path)
            else:
                os.truncate(path, size if size >= 0 else os.path.getsize(path) + size)
            self.refused("set.batches")
        for offset, byte in ((4, b"\3"), (5, b"\2"), (8, b"\1")):
            frames_file.write(self.data, self.cases)
            frames_file.patch(path, offset, byte)
            self.refused("set.batches")

    def refused(self, name: str):
        code, output, errors = contestant_server.run("parse", "--data", self.data, "--mode", "keep",
                                                     "--repeat", "1")
        self.assertEqual((code, output), (ENVIRONMENT, ""))
        self.assertIn(name, errors)
        self.assertEqual(errors.count("\n"), 1, errors)


class Ends(unittest.TestCase):
    def test_wrong_usage(self):
        for words in ((), ("race",), ("serve", "--mode", "fast"), ("serve", "--threads", "0"),
                      ("serve", "--threads", "two"), ("serve", "--listen", "nowhere"),
                      ("serve", "--listen", "127.0.0.1:65536"), ("serve", "--no-such-option"),
                      ("serve", "--max-payload", "-1"), ("serve", "extra"),
                      ("parse", "--mode", "keep"), ("parse", "--data")):
            code, output, errors = contestant_server.run(*words, timeout_s=10.0)
            self.assertEqual((code, output), (USAGE, ""), words)
            self.assertEqual(errors.count("\n"), 1, (words, errors))

    def test_port_in_use(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            address = "127.0.0.1:%d" % taken.getsockname()[1]
            code, output, errors = contestant_server.run("serve", "--listen", address, "--mode", "keep",
                                                         "--threads", "1", timeout_s=10.0)
        self.assertEqual((code, output), (ENVIRONMENT, ""))
        self.assertEqual(errors.count("\n"), 1, errors)
        self.assertIn(address, errors)

    def test_sigterm_in_the_middle_of_work(self):
        """Server's own end checks the exit code and the two seconds."""
        big = b"[" + b"1," * (7 << 20) + b"1]"
        with contestant_server.serve("keep") as server, server.connect() as client:
            client.send(wire_client.frame(wire_client.BATCH, 1, b"[]") * 1000)
            client.send(wire_client.frame(wire_client.BATCH, 2, big))
            client.send(wire_client.frame(wire_client.BATCH, 3, b"[]")[:-1])

    def test_sigterm_while_a_client_does_not_read(self):
        with contestant_server.serve("keep") as server, server.connect() as client:
            client.socket.settimeout(0.3)
            try:
                while True:
                    client.socket.send(wire_client.frame(wire_client.HELLO, 1) * 4096)
            except TimeoutError:
                pass

    def test_the_descriptor_limit_is_raised(self):
        limits = "ulimit -Sn 256 && exec \"$@\""
        command = ["bash", "-c", limits, "bash", *contestant_server.command()]
        server = wire_client.Server(command, ["--mode", "keep"], folder=contestant_server.FOLDER)
        with server:
            with open("/proc/%d/limits" % server.process.pid, encoding="ascii") as file:
                line = next(line for line in file if line.startswith("Max open files"))
            soft, hard = line.split()[3:5]
            self.assertEqual(soft, hard)


if __name__ == "__main__":
    unittest.main()
