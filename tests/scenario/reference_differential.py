#!/usr/bin/env python3
"""reference_differential.py: contestants and the reference answer the same wild batches alike.

They share no line, so a slip of either one shows here. The reference judges each batch once, whoever is asked: a FOLDER
with a contestant.json by the wire, the word "example" (where nobody is named: the example alone) by direct calls.
"""

import argparse
import contextlib
import os
import random
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [ROOT, os.path.join(ROOT, "tests", "support"),
                os.path.join(ROOT, "contestants", "example-python")]

import contestant_server  # noqa: E402
import ingest  # noqa: E402
import make_batches  # noqa: E402
from reference.batch import ACCEPTED, judge  # noqa: E402
from reference.totals import Ring, Totals  # noqa: E402
from reference.xxh3 import xxh3_64  # noqa: E402
from xxh3 import xxh3 as example_xxh3  # noqa: E402

ROUNDS = 6000
SEED = 7


class Direct:
    """The example's own functions."""

    name = "example"

    def __init__(self):
        self.work = ingest.Ingest("keep", 1 << 40)
        self.ring = self.work.ring()

    def answer(self, payload: bytes) -> tuple:
        return self.work.take(payload, self.ring)

    def totals(self) -> dict:
        return self.work.totals.reply()

    def kept(self) -> dict:
        return dict(zip(("batches", "records", "digest"), map(ingest.hex16, self.ring.recompute())))


class ByWire:
    """A contestant behind a connection."""

    def __init__(self, name: str, client):
        self.name = name
        self.client = client

    def answer(self, payload: bytes) -> tuple:
        return tuple(self.client.batch(payload)[:3])

    def totals(self) -> dict:
        return self.client.stats()

    def kept(self) -> dict:
        return self.client.kept()


def variations(rng: random.Random) -> list:
    """A batch that is right, and three that are damaged."""
    whole = make_batches.batch(rng, rng.randrange(4), rng.choice((0, 0.1, 1)))
    return [whole] + [make_batches.damaged(rng, whole) for _ in range(3)]


def differences(rng: random.Random, others: list) -> str:
    """The first difference between the reference and one of `others`; "" when there is none."""
    totals, ring = Totals(), Ring()
    seen = [0, 0]
    for _ in range(ROUNDS):
        for payload in variations(rng):
            judged = judge(payload)
            for other in others:
                got = other.answer(payload)
                if judged.answer[:3] != got:
                    return "the reference says %s, %s %s on %r" % (judged.answer, other.name, got, payload)
            seen[judged.answer.status] += 1
            if judged.answer.status == ACCEPTED:
                totals.accept(len(payload), judged.records, judged.answer.digest)
                ring.keep(judged.records)
            else:
                totals.reject()
    for other in others:
        if totals.as_reply() != other.totals():
            return "totals of %s differ: %s, %s" % (other.name, totals.as_reply(), other.totals())
        if ring.as_reply() != other.kept():
            return "kept copies of %s differ: %s, %s" % (other.name, ring.as_reply(), other.kept())
    print("%d accepted and %d rejected batches alike: the reference, %s" % (
        *seen, ", ".join(other.name for other in others)))
    # Both kinds must be there in number, or the damage was too much or too little to prove anything.
    return "" if min(seen) > ROUNDS else "too few of a kind: %s" % seen


def differing_digest(rng: random.Random) -> str:
    """XXH3 of reference and example, for every length that a canonical form can have."""
    for size in range(33, 32 + 64 + 4096 + 1):
        data = rng.randbytes(size)
        if example_xxh3(data) != xxh3_64(data):
            return "XXH3 of %d bytes differs: %s" % (size, data.hex())
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("whom", nargs="*", default=["example"], metavar='FOLDER or "example"')
    options = parser.parse_args()
    with contextlib.ExitStack() as stack:
        others = []
        for word in options.whom:
            if word == "example":
                others.append(Direct())
                continue
            server = stack.enter_context(contestant_server.serve("keep", folder=os.path.abspath(word)))
            others.append(ByWire(os.path.basename(word), stack.enter_context(server.connect())))
        rng = random.Random(options.seed)
        found = differences(rng, others)
    if not found and "example" in options.whom:
        found = differing_digest(rng)
    if found:
        print("seed %d: %s" % (options.seed, found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
