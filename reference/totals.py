"""totals.py: the numbers of section 3 and the ring of kept batches of section 4."""

from collections import deque

from .decimal_exact import order_key, scaled_1024
from .record import Record, digest

RING_PLACES = 64
_MASK = 2**64 - 1


def hex16(number: int | None) -> str | None:
    """As STATS_REPLY gives a scalar: 16 hexadecimal digits, two's complement; null for nothing."""
    return None if number is None else "%016x" % (number & _MASK)


class Totals:
    """Totals since start, over any number of batches in any order."""

    def __init__(self):
        self.batches_accepted = 0
        self.batches_rejected = 0
        self.records = 0
        self.payload_bytes = 0
        self.digest = 0
        self.kinds = [0] * 8
        self.flags = [0] * 8
        self.source_bytes = 0
        self.message_bytes = 0
        self.timestamp_min = None
        self.timestamp_max = None
        self.value_min = None
        self.value_max = None
        self.value_sum = 0

    def reject(self) -> None:
        self.batches_rejected += 1

    def accept(self, payload_bytes: int, records: list, batch_digest: int) -> None:
        self.batches_accepted += 1
        self.payload_bytes += payload_bytes
        self.records += len(records)
        self.digest = (self.digest + batch_digest) & _MASK
        for record in records:
            self._add(record)

    def _add(self, record: Record) -> None:
        self.kinds[record.kind] += 1
        for bit in range(8):
            self.flags[bit] += record.flags >> bit & 1
        self.source_bytes += len(record.source)
        self.message_bytes += len(record.message)
        self.value_sum = (self.value_sum + scaled_1024(record.value)) & _MASK
        if self.timestamp_min is None:
            self.timestamp_min = self.timestamp_max = record.timestamp
            self.value_min = self.value_max = record.value
            return
        self.timestamp_min = min(self.timestamp_min, record.timestamp)
        self.timestamp_max = max(self.timestamp_max, record.timestamp)
        self.value_min = min(self.value_min, record.value, key=order_key)
        self.value_max = max(self.value_max, record.value, key=order_key)

    def as_reply(self) -> dict:
        """The object `totals` of STATS_REPLY."""
        reply = {}
        for name, number in vars(self).items():
            reply[name] = [hex16(n) for n in number] if isinstance(number, list) else hex16(number)
        return reply


class Ring:
    """The last 64 accepted batches of one connection."""

    def __init__(self):
        self._places = deque(maxlen=RING_PLACES)

    def keep(self, records: list) -> None:
        self._places.append(records)

    def as_reply(self) -> dict:
        """KEPT_REPLY of a server with this one connection, recomputed from the records."""
        return {
            "batches": hex16(len(self._places)),
            "records": hex16(sum(len(records) for records in self._places)),
            "digest": hex16(sum(digest(records) for records in self._places)),
        }
