"""dataset_check.py: answers the batches of a dataset on several processes and compares."""

import ctypes
import os
import signal
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

from . import batch
from .dataset import Dataset, Expected

BATCHES_A_TASK = 4
PROGRESS_AFTER_S = 5.0
PR_SET_PDEATHSIG = 1


class Finding(NamedTuple):
    """Of some batches, in order: how much agreed before the first that did not, and that one."""

    batches: int
    records: int
    payload_bytes: int
    digest: int
    wrong: str  # "" when all agreed


class _Worker:
    """What a process of the pool opens once."""

    dataset: Dataset
    both_paths: bool


def _open_dataset(prefix: str, both_paths: bool, parent: int) -> None:
    # Ctrl-C is the parent's to answer, and nobody works on for a parent that has ended.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    _Worker.dataset = Dataset(prefix)
    _Worker.both_paths = both_paths


def _shown(status: int, records: int, digest: int) -> str:
    if status == batch.REJECTED:
        return "rejected"
    return "accepted, %d records, digest %016x" % (records, digest)


def _disagreement(index: int, expected: Expected, got: batch.Answer, who: str) -> str:
    dataset = _Worker.dataset
    reason = " (%s)" % got.error if got.error else ""
    return "batch %d, at byte %d of %s: expected %s; %s got %s%s" % (
        index, dataset.offset(index), dataset.batches_path, _shown(*expected), who,
        _shown(*got[:3]), reason)


def _check(indexes: list) -> Finding:
    records = payload_bytes = digest = 0
    for done, index in enumerate(indexes):
        payload = _Worker.dataset.payload(index)
        expected = _Worker.dataset.expected(index)
        ways = [("the reference", True)]
        if _Worker.both_paths:
            ways.append(("the reference's general path", False))
        for who, fast in ways:
            got = batch.judge(payload, fast).answer
            if got[:3] != expected:
                wrong = _disagreement(index, expected, got, who)
                return Finding(done, records, payload_bytes, digest, wrong)
        records += expected.records
        payload_bytes += len(payload)
        digest += expected.digest
    return Finding(len(indexes), records, payload_bytes, digest, "")


def spread(count: int, sample: int | None) -> list:
    """All of `count` indexes, or `sample` of them at even distances, first and last among them."""
    if sample is None or sample >= count:
        return list(range(count))
    if sample == 1:
        return [0]
    return [index * (count - 1) // (sample - 1) for index in range(sample)]


class _Progress:
    """A line with the time left on standard error, once it takes long; nothing before."""

    def __init__(self, total: int, forced: bool):
        self.total = total
        self.live = sys.stderr.isatty()
        self.wanted = forced or self.live
        self.begin = time.monotonic()
        self.last = self.begin
        self.shown = False

    def show(self, done: int) -> None:
        now = time.monotonic()
        pause = 0.5 if self.live else PROGRESS_AFTER_S
        if not self.wanted or done == 0 or now - self.begin < PROGRESS_AFTER_S:
            return
        if now - self.last < pause:
            return
        self.last = now
        left = (now - self.begin) * (self.total - done) / done
        line = "checked %d of %d batches, about %d s left" % (done, self.total, round(left))
        print(("\r%-60s" if self.live else "%s\n") % line, end="", file=sys.stderr, flush=True)
        self.shown = self.live

    def end(self) -> None:
        if self.shown:
            print("\r%60s\r" % "", end="", file=sys.stderr, flush=True)


def check(dataset: Dataset, indexes: list, jobs: int, both_paths: bool, progress: bool) -> Finding:
    """Answers the batches `indexes` of `dataset` and compares, in order, up to the first that is
    wrong; `both_paths`: by the general path, too."""
    tasks = [indexes[i : i + BATCHES_A_TASK] for i in range(0, len(indexes), BATCHES_A_TASK)]
    line = _Progress(len(indexes), progress)
    total = Finding(0, 0, 0, 0, "")
    options = {"max_workers": jobs, "initializer": _open_dataset,
               "initargs": (dataset.prefix, both_paths, os.getpid())}
    # Not a `with` block: its end would wait for every task, also when the answer is known.
    pool = ProcessPoolExecutor(**options)
    try:
        for part in pool.map(_check, tasks):
            sums = [sum(pair) for pair in zip(total[:4], part[:4])]
            total = Finding(*sums, part.wrong)
            if part.wrong:
                break
            line.show(total.batches)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        line.end()
    return total._replace(digest=total.digest % 2**64)
