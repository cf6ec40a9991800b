"""case_files.py: the cases of tests/cases/ for tests that are written in Python."""

import base64
import json
import os
from typing import NamedTuple

ROOT = os.environ.get("MR_SOURCE_DIR") or os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(ROOT, "tests", "cases")
NAMES = ("cases.jsonl", "schema.jsonl")
RING_PLACES = 64


class Case(NamedTuple):
    """A batch with the answer that the contract asks for."""

    name: str
    payload: bytes
    status: int
    records: int
    digest: int

    @property
    def answer(self) -> tuple:
        return self.status, self.records, self.digest


def load(name: str) -> list:
    """The cases of one file."""
    cases = []
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        for line in file:
            entry = json.loads(line)
            cases.append(Case(entry["name"], base64.b64decode(entry["payload_b64"], validate=True),
                              entry["status"], entry["records"], int(entry["digest"], 16)))
    assert cases, "%s holds no case" % name
    return cases


def totals(name: str) -> dict:
    """What STATS must say after the cases of one file."""
    with open(os.path.join(FOLDER, "totals.json"), encoding="utf-8") as file:
        return json.load(file)[name]


def drained_totals(name: str) -> dict:
    """What STATS must say after the cases of one file in mode drain."""
    cases = load(name)
    zero = "%016x" % 0
    drained = {key: [zero] * len(value) if isinstance(value, list) else zero
               for key, value in totals(name).items()}
    for key in ("timestamp_min", "timestamp_max", "value_min", "value_max"):
        drained[key] = None
    drained["batches_accepted"] = "%016x" % len(cases)
    drained["payload_bytes"] = "%016x" % sum(len(case.payload) for case in cases)
    return drained


def kept(cases: list) -> dict:
    """What KEPT must say after `cases` on one connection in the modes keep and fresh."""
    last = [case for case in cases if case.status == 0][-RING_PLACES:]
    return {
        "batches": "%016x" % len(last),
        "records": "%016x" % sum(case.records for case in last),
        "digest": "%016x" % (sum(case.digest for case in last) % 2**64),
    }


NOTHING_KEPT = kept([])
