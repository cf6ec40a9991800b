"""ingest.py: what the job is: a batch's text to typed records, totals, kept copies.

Section numbers are those of docs/PROTOCOL.md.
"""
import collections, json, math, struct
from xxh3 import M64, xxh3

KINDS = {name: code for code, name in enumerate(
    "metric event log trace alert audit span state".split())}
FLAGS = {name: 1 << bit for bit, name in enumerate(
    "urgent sampled retry internal encrypted batched partial replayed".split())}
KEYS = {"id", "timestamp", "source", "kind", "value", "flags", "message"}
HEAD = struct.Struct("<QQdBBHI")  # the first 32 bytes of the canonical form, section 2
RECORDS_MAX, RING_PLACES = 65535, 64


# --- One batch: JSON text to typed records (section 1) -------------------------------------------

class Integer(str):
    """A number token without fraction and exponent, as it is written."""
    __slots__ = ()

class Real(str):
    """Any other number token, as it is written."""
    __slots__ = ()

class Rejected(ValueError):
    """The batch breaks the contract."""

def whole(token, maximum):
    if type(token) is not Integer or token[0] == "-" or len(token) > 19 or int(token) > maximum:
        raise Rejected("an integer is out of its rule")
    return int(token)

def record(pairs):
    """json calls this with the members of every object; the answer is the canonical form."""
    fields = dict(pairs)
    if len(pairs) != 7 or fields.keys() != KEYS:
        raise Rejected("a key is unknown, missing or there twice")
    source, kind, message, flags = (fields[key] for key in ("source", "kind", "message", "flags"))
    if not type(source) is type(kind) is type(message) is str or type(flags) is not list:
        raise Rejected("a value has another type")
    if type(fields["value"]) not in (Integer, Real):
        raise Rejected("value is not a number")
    value = float(fields["value"])  # rounds right; too large becomes inf
    if not -1e15 <= value <= 1e15 or kind not in KINDS:
        raise Rejected("value or kind is out of its rule")
    bits = 0
    for flag in flags:
        bit = FLAGS.get(flag, 0) if type(flag) is str else 0
        if bit == 0 or bits & bit:
            raise Rejected("a flag is unknown or there twice")
        bits |= bit
    source, message = source.encode(), message.encode()  # ValueError: lone surrogate
    if not 1 <= len(source) <= 64 or len(message) > 4096:
        raise Rejected("a text is too long or too short")
    return HEAD.pack(whole(fields["id"], 2**63 - 1), whole(fields["timestamp"], 253402300799999999),
                     value, KINDS[kind], bits, len(source), len(message)) + source + message

class Parser:
    def __init__(self):
        self.numbers = 0
        self.decoder = json.JSONDecoder(
            object_pairs_hook=record, parse_constant=self.constant,
            parse_int=lambda token: self.number(Integer, token),
            parse_float=lambda token: self.number(Real, token))

    def constant(self, name):
        raise Rejected(name + " is not JSON")

    def number(self, kind, token):
        self.numbers += 1
        if self.numbers > 3 * RECORDS_MAX:  # don't fill the memory with what must be rejected
            raise Rejected("more numbers than the records may have")
        return kind(token)

    def parse(self, payload):
        """The records of a batch in canonical form; Rejected otherwise."""
        self.numbers = 0
        try:
            batch = self.decoder.decode(str(payload, "utf-8"))
        except (ValueError, RecursionError) as fault:
            raise Rejected(str(fault)) from None
        if type(batch) is not list or len(batch) > RECORDS_MAX or {*map(type, batch)} - {bytes}:
            raise Rejected("not an array of at most 65,535 records")
        return batch


# --- What a server knows: totals (section 3) and kept copies (section 4) -------------------------

def hex16(number):
    return None if number is None else "%016x" % (number & M64)

def order(value):
    return value, math.copysign(1, value)

class Totals:
    def __init__(self):
        self.batches_accepted = self.batches_rejected = self.records = self.payload_bytes = 0
        self.digest, self.kinds, self.flags = 0, [0] * 8, [0] * 8
        self.source_bytes = self.message_bytes = self.value_sum = 0
        self.timestamp_min = self.timestamp_max = self.value_min = self.value_max = None

    def accept(self, records, digest, payload_bytes):
        self.batches_accepted += 1
        self.payload_bytes += payload_bytes
        self.records += len(records)
        self.digest += digest
        if not records:
            return
        _, times, values, kinds, flags, sources, messages = zip(*map(HEAD.unpack_from, records))
        for code, count in collections.Counter(kinds).items():
            self.kinds[code] += count
        for bits, count in collections.Counter(flags).items():
            self.flags = [n + count * (bits >> i & 1) for i, n in enumerate(self.flags)]
        self.source_bytes += sum(sources)
        self.message_bytes += sum(messages)
        self.value_sum += sum(int(value * 1024) for value in values)
        if self.timestamp_min is not None:
            times += self.timestamp_min, self.timestamp_max
            values += self.value_min, self.value_max
        self.timestamp_min, self.timestamp_max = min(times), max(times)
        self.value_min, self.value_max = min(values, key=order), max(values, key=order)

    def reply(self):
        def shown(number):
            if isinstance(number, float):
                number = struct.unpack("<Q", struct.pack("<d", number))[0]
            return [*map(hex16, number)] if isinstance(number, list) else hex16(number)
        return {name: shown(number) for name, number in vars(self).items()}

class Ring:
    """The last 64 accepted batches of a connection: canonical forms, one after the other."""

    def __init__(self, reuse):
        self.reuse, self.places, self.bytes = reuse, collections.deque(), 0

    def keep(self, records):
        oldest = self.places.popleft() if len(self.places) == RING_PLACES else b""
        self.bytes -= len(oldest)
        place = b"".join(records)  # mode fresh: new memory
        if self.reuse:             # mode keep: the oldest batch's memory
            new, place = place, oldest or bytearray()
            place[:] = new
        self.bytes += len(place)
        self.places.append(place)

    def recompute(self):
        batches, records, digest = len(self.places), 0, 0
        for place in self.places:
            at = 0
            while at < len(place):
                *_, source_bytes, message_bytes = HEAD.unpack_from(place, at)
                end = at + HEAD.size + source_bytes + message_bytes
                records, digest, at = records + 1, digest + xxh3(place[at:end]), end
        return batches, records, digest

class Ingest:
    """The work of all modes on one batch."""

    def __init__(self, mode, max_kept):
        self.mode, self.max_kept, self.totals, self.parser = mode, max_kept, Totals(), Parser()

    def ring(self):
        return Ring(reuse=self.mode == "keep")

    def take(self, payload, ring):
        """(status, records, digest), or None when the ring holds more than --max-kept now."""
        if self.mode == "drain":
            self.totals.accept([], 0, len(payload))
            return 0, 0, 0
        try:
            records = self.parser.parse(payload)
        except Rejected:
            self.totals.batches_rejected += 1
            return 1, 0, 0
        digest = sum(map(xxh3, records)) & M64
        if self.mode != "totals":
            ring.keep(records)
            if ring.bytes > self.max_kept:
                return None
        self.totals.accept(records, digest, len(payload))
        return 0, len(records), digest
