#!/usr/bin/env python3
"""reference_example_cases.py: every case over the wire, in all modes: answers, totals, kept copies.

MR_CONTESTANT=FOLDER runs it on another contestant than the example.
"""

import os
import sys
import threading
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "support")]

import case_files  # noqa: E402
import contestant_server  # noqa: E402
import wire_client  # noqa: E402

MODES = ("drain", "totals", "keep", "fresh")


def wanted_answer(case: case_files.Case, mode: str) -> tuple:
    return (0, 0, 0) if mode == "drain" else case.answer


class AllCases(unittest.TestCase):
    def agree(self, case: case_files.Case, ack: wire_client.Ack, mode: str):
        self.assertEqual(ack[:3], wanted_answer(case, mode), case.name)
        if ack.status == 0:
            self.assertEqual(ack[3:], (0, 0, 0), case.name)

    def agree_at_end(self, client: wire_client.Client, name: str, mode: str):
        totals = case_files.drained_totals if mode == "drain" else case_files.totals
        self.assertEqual(client.stats(), totals(name), (name, mode))
        keeps = mode in ("keep", "fresh")
        wanted = case_files.kept(case_files.load(name)) if keeps else case_files.NOTHING_KEPT
        self.assertEqual(client.kept(), wanted, (name, mode))

    def test_one_by_one(self):
        for mode in MODES:
            for name in case_files.NAMES:
                with contestant_server.serve(mode) as server, server.connect() as client:
                    for case in case_files.load(name):
                        self.agree(case, client.batch(case.payload), mode)
                    self.agree_at_end(client, name, mode)

    def test_all_in_one_write(self):
        for mode in MODES:
            for name in case_files.NAMES:
                cases = case_files.load(name)
                with contestant_server.serve(mode) as server, server.connect() as client:
                    client.send(b"".join(wire_client.frame(wire_client.BATCH, index, case.payload)
                                         for index, case in enumerate(cases)))
                    for index, case in enumerate(cases):
                        self.agree(case, wire_client.unpack_ack(client.recv_frame(), index), mode)
                    self.agree_at_end(client, name, mode)

    def test_byte_by_byte(self):
        """The bytes of each frame one at a time; replies are read by another thread."""
        for name in case_files.NAMES:
            cases = case_files.load(name)
            with contestant_server.serve("keep") as server, server.connect(60.0) as client:
                sender = threading.Thread(target=self.dribble, args=(client, cases))
                sender.start()
                try:
                    for index, case in enumerate(cases):
                        self.agree(case, wire_client.unpack_ack(client.recv_frame(), index), "keep")
                finally:
                    sender.join(60.0)
                self.agree_at_end(client, name, "keep")

    @staticmethod
    def dribble(client: wire_client.Client, cases: list):
        for index, case in enumerate(cases):
            data = wire_client.frame(wire_client.BATCH, index, case.payload)
            for place in range(0, len(data), 1 if len(data) < 400 else 13):
                client.send(data[place : place + (1 if len(data) < 400 else 13)])

    def test_totals_and_kept_add_up_over_connections(self):
        for mode in ("keep", "fresh"):
            name = "schema.jsonl"
            cases = case_files.load(name)
            with contestant_server.serve(mode, "--threads", "2") as server:
                clients = [server.connect() for _ in range(5)]
                for index, case in enumerate(cases):
                    self.agree(case, clients[index % 5].batch(case.payload), mode)
                self.assertEqual(clients[3].stats(), case_files.totals(name))
                parts = [case_files.kept(cases[number::5]) for number in range(5)]
                self.assertEqual(clients[2].kept(), self.sum_of(parts))
                clients[4].close()
                self.wait_for_kept(clients[0], self.sum_of(parts[:4]))
                for client in clients[:4]:
                    client.close()

    @staticmethod
    def sum_of(parts: list) -> dict:
        return {key: "%016x" % (sum(int(part[key], 16) for part in parts) % 2**64)
                for key in parts[0]}

    def wait_for_kept(self, client: wire_client.Client, wanted: dict):
        """A ring is gone within 1 s of its connection's end; the rest is for a busy machine."""
        end = threading.Event()
        threading.Timer(2.0, end.set).start()
        while (got := client.kept()) != wanted:
            self.assertFalse(end.is_set(), (got, wanted))
            end.wait(0.02)


if __name__ == "__main__":
    unittest.main()
