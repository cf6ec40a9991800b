"""batch.py: the answer that every contestant must give to a batch."""

from typing import NamedTuple

from . import fast_path, record
from .json_strict import JsonFault

ACCEPTED, REJECTED = 0, 1


class Answer(NamedTuple):
    """What ACK says, and for people why a batch was rejected ("" when it was not)."""

    status: int
    records: int
    digest: int
    error: str


class Judgement(NamedTuple):
    """An answer with the typed records behind it ([] when rejected)."""

    answer: Answer
    records: list


def _fault_text(fault: JsonFault) -> str:
    place = "byte %d" % fault.offset
    if isinstance(fault, record.RecordFault):
        place = "record %d, %s" % (fault.index, place)
    return "%s: %s" % (place, fault.text)


def judge(payload: bytes, fast: bool = True) -> Judgement:
    """Like answer(), with the records; `fast` false: by the general path only."""
    records = fast_path.read_batch(payload) if fast else None
    if records is None:
        try:
            records = record.read_batch(payload)
        except JsonFault as fault:
            return Judgement(Answer(REJECTED, 0, 0, _fault_text(fault)), [])
    return Judgement(Answer(ACCEPTED, len(records), record.digest(records), ""), records)


def answer(payload: bytes) -> Answer:
    """(status, records, digest, error text) of one JSON text; any bytes are taken."""
    return judge(bytes(payload)).answer
