#!/usr/bin/env python3
"""serve_agree.py: wild batches over the wire, many in one write: answers as the reference gives them.

Over the wire the payload may be changed in place, and what stands behind it is the next frame: a
parser that leaves a trace there spoils its neighbour. MR_CONTESTANT=FOLDER names the contestant.
"""

import os
import random
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [ROOT, os.path.join(ROOT, "tests", "support")]

import contestant_server  # noqa: E402
import make_batches  # noqa: E402
import wire_client  # noqa: E402
from reference.batch import ACCEPTED, judge  # noqa: E402
from reference.totals import Ring, Totals  # noqa: E402

ROUNDS = 1200
SEED = 23


# Values that stand where a reader that goes by places would look for the next key.
ODD_VALUES = (b"[]", b"{}", b"[[1,2,3,4,5,6,7,8,9]]", b"[[1,2,3,4,5,6]]", b'["timestamp"]',
              b'["timestamp",5,"source","a","kind","log","value",1,"flags",[],"message"]',
              b'{"timestamp":5,"source":"a","kind":"log","value":1,"flags":[],"message":""}',
              b'{"id":1}', b"[{}]", b"[[[[[[[[]]]]]]]]", b"null", b"true", b'""', b'"id"', b"-0", b"0",
              b"1.0", b"18446744073709551615", b"18446744073709551616", b"-1", b"1e15", b"-1e15",
              b"1000000000000000.0625", b"1000000000000000.0626", b"5e-324", b"1e-400", b"-1e-400")


def odd_batches() -> list:
    """Every odd value for every member, in the order of the contract and backwards."""
    members = [(b"id", b"7"), (b"timestamp", b"8"), (b"source", b'"s"'), (b"kind", b'"log"'),
               (b"value", b"1"), (b"flags", b'["retry"]'), (b"message", b'"m"')]
    made = []
    for place in range(len(members)):
        for value in ODD_VALUES:
            changed = [*members]
            changed[place] = (members[place][0], value)
            for order in (changed, changed[::-1]):
                made.append(b"[{%s}]" % b",".join(b'"%s":%s' % member for member in order))
    return made


def batches(seed: int) -> list:
    rng = random.Random(seed)
    made = []
    for _ in range(ROUNDS):
        whole = make_batches.batch(rng, rng.randrange(5), rng.choice((0, 0.1, 1)))
        made += [whole, make_batches.damaged(rng, whole), whole[: rng.randrange(len(whole) + 1)]]
    return made


def main() -> int:
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else SEED
    payloads = odd_batches() + batches(seed)
    totals, ring = Totals(), Ring()
    seen = [0, 0]
    with contestant_server.serve("keep") as server, server.connect() as client:
        for begin in range(0, len(payloads), 60):
            some = payloads[begin : begin + 60]
            client.send(b"".join(wire_client.frame(wire_client.BATCH, begin + index, payload)
                                 for index, payload in enumerate(some)))
            for index, payload in enumerate(some):
                judged = judge(payload)
                got = wire_client.unpack_ack(client.recv_frame(), begin + index)
                if got[:3] != judged.answer[:3]:
                    print("seed %d: reference %s, got %s on %r" % (seed, judged.answer, got, payload))
                    return 1
                seen[judged.answer.status] += 1
                if judged.answer.status == ACCEPTED:
                    totals.accept(len(payload), judged.records, judged.answer.digest)
                    ring.keep(judged.records)
                else:
                    totals.reject()
        if client.stats() != totals.as_reply() or client.kept() != ring.as_reply():
            print("seed %d: STATS or KEPT differ: %s, %s" % (seed, client.stats(), totals.as_reply()))
            return 1
    print("seed %d: %d accepted and %d rejected batches alike" % (seed, *seen))
    return 0 if min(seen) > ROUNDS // 2 else 1


if __name__ == "__main__":
    sys.exit(main())
