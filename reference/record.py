"""record.py: the schema of a record: from the strict reader's nodes to typed records."""

import struct
from typing import NamedTuple

from . import decimal_exact
from .json_strict import ARRAY, NUMBER, OBJECT, STRING, JsonFault, Node, read
from .xxh3 import xxh3_64

KINDS = (b"metric", b"event", b"log", b"trace", b"alert", b"audit", b"span", b"state")
FLAGS = (b"urgent", b"sampled", b"retry", b"internal", b"encrypted", b"batched", b"partial",
         b"replayed")
KEYS = (b"id", b"timestamp", b"source", b"kind", b"value", b"flags", b"message")

RECORDS_MAX = 65535
DEPTH_MAX = 3  # the batch, a record, its flags
ID_MAX = 2**63 - 1
TIMESTAMP_MAX = 253402300799999999
SOURCE_BYTES_MAX = 64
MESSAGE_BYTES_MAX = 4096

_HEAD = struct.Struct("<QQQBBHI")


class Record(NamedTuple):
    """A typed record; `value` is the bits of its binary64, texts are UTF-8."""

    id: int
    timestamp: int
    value: int
    kind: int
    flags: int
    source: bytes
    message: bytes


class RecordFault(JsonFault):
    """Like JsonFault, with the index of the record."""

    def __init__(self, text: str, offset: int, index: int):
        super().__init__(text, offset)
        self.index = index


def integer(token: bytes, maximum: int) -> int | None:
    """The integer of a token of digits only, or None when it is not one, or too large."""
    if not token.isdigit() or (token[0] == ord("0") and len(token) > 1):
        return None
    if len(token) > len(str(maximum)):
        return None
    number = int(token)
    return number if number <= maximum else None


def canonical(record: Record) -> bytes:
    """The canonical form of section 2."""
    head = _HEAD.pack(record.id, record.timestamp, record.value, record.kind, record.flags,
                      len(record.source), len(record.message))
    return head + record.source + record.message


def digest(records: list) -> int:
    """The digest of a batch."""
    return sum([xxh3_64(canonical(record)) for record in records]) % 2**64


def _name(text: bytes) -> str:
    shown = text[:40].decode("utf-8", "replace")
    return '"%s"%s' % (shown, "…" if len(text) > 40 else "")


def _want(node: Node, kind: str, key: str) -> object:
    if node.kind != kind:
        article = "an" if node.kind[0] in "ao" else "a"
        raise JsonFault("%s must be a %s, is %s %s" % (key, kind, article, node.kind), node.offset)
    return node.content


def _integer(node: Node, key: str, maximum: int) -> int:
    number = integer(_want(node, NUMBER, key), maximum)
    if number is None:
        raise JsonFault("%s must be digits only, from 0 to %d" % (key, maximum), node.offset)
    return number


def _text(node: Node, key: str, least: int, most: int) -> bytes:
    text = _want(node, STRING, key)
    if not least <= len(text) <= most:
        raise JsonFault("%s has %d bytes, must have %d to %d" % (key, len(text), least, most),
                        node.offset)
    return text


def _value(node: Node) -> int:
    bits = decimal_exact.to_bits(_want(node, NUMBER, "value"))
    if not decimal_exact.in_range(bits):
        raise JsonFault("value is outside ±1e15", node.offset)
    return bits


def _kind(node: Node) -> int:
    name = _want(node, STRING, "kind")
    if name not in KINDS:
        raise JsonFault("%s is no kind" % _name(name), node.offset)
    return KINDS.index(name)


def _flags(node: Node) -> int:
    if node.kind != ARRAY:
        raise JsonFault("flags must be an array", node.offset)
    bits = 0
    for item in node.content:
        name = _want(item, STRING, "a flag")
        if name not in FLAGS:
            raise JsonFault("%s is no flag" % _name(name), item.offset)
        bit = 1 << FLAGS.index(name)
        if bits & bit:
            raise JsonFault("flag %s is there twice" % _name(name), item.offset)
        bits |= bit
    return bits


def _record(node: Node) -> Record:
    if node.kind != OBJECT:
        raise JsonFault("a record must be an object", node.offset)
    fields = {}
    for key, value in node.content:
        if key.content not in KEYS:
            raise JsonFault("unknown key %s" % _name(key.content), key.offset)
        if key.content in fields:
            raise JsonFault("key %s is there twice" % _name(key.content), key.offset)
        fields[key.content] = value
    for key in KEYS:
        if key not in fields:
            raise JsonFault("key %s is missing" % _name(key), node.offset)
    return Record(
        _integer(fields[b"id"], "id", ID_MAX),
        _integer(fields[b"timestamp"], "timestamp", TIMESTAMP_MAX),
        _value(fields[b"value"]),
        _kind(fields[b"kind"]),
        _flags(fields[b"flags"]),
        _text(fields[b"source"], "source", 1, SOURCE_BYTES_MAX),
        _text(fields[b"message"], "message", 0, MESSAGE_BYTES_MAX),
    )


def read_batch(payload: bytes) -> list:
    """The records of a batch, read by the general path. JsonFault when the batch is rejected;
    a RecordFault when a record breaks the schema."""
    root = read(payload, DEPTH_MAX, RECORDS_MAX)
    if root.kind != ARRAY:
        raise JsonFault("a batch must be an array", root.offset)
    records = []
    for index, node in enumerate(root.content):
        try:
            records.append(_record(node))
        except JsonFault as fault:
            raise RecordFault(fault.text, fault.offset, index) from None
    return records
