"""fast_path.py: reads well-formed batches with a few regular expressions; knows only how to accept.

Where anything is unusual (an escape in a key, a name that no table has, a fault) the answer is None,
and the general path of record.py decides. So this file may be wrong in one direction only, and
tests compare both paths on batches of every kind.
"""

import re

from . import decimal_exact
from .record import (FLAGS, ID_MAX, KEYS, KINDS, MESSAGE_BYTES_MAX, RECORDS_MAX, SOURCE_BYTES_MAX,
                     TIMESTAMP_MAX, Record, integer)

_WS = rb"[ \t\n\r]*"
# A run, then any number of escapes each with the run behind it: one way only to match a text, so a
# mismatch costs no more than a match. More than 4096 escapes are too long for every text.
_RUN = rb'[^"\\\x00-\x1f]*'
_STRING = rb'"(' + _RUN + rb'(?:\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})' + _RUN + rb'){0,4096})"'
_NUMBER = rb"(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)"
_FLAG = rb'"[a-z]{5,9}"' + _WS
_FLAG_LIST = rb"\[" + _WS + rb"((?:" + _FLAG + rb"(?:," + _WS + _FLAG + rb"){0,7})?)\]"

_OPEN = re.compile(_WS + rb"\[" + _WS + rb"(?:\{|(\])" + _WS + rb"\Z)")
_MEMBER = re.compile(
    _WS + rb'"([a-z]{2,9})"' + _WS + rb":" + _WS
    + rb"(?:" + _STRING + rb"|" + _NUMBER + rb"|" + _FLAG_LIST + rb")" + _WS + rb"([,}])"
)
_NEXT = re.compile(_WS + rb"(?:," + _WS + rb"\{|(\])" + _WS + rb"\Z)")
_FLAG_NAME = re.compile(rb"[a-z]+")
_ESCAPE = re.compile(
    rb"\\u([dD][89abAB][0-9A-Fa-f]{2})\\u([dD][c-fC-F][0-9A-Fa-f]{2})"
    rb"|\\u([0-9A-Fa-f]{4})"
    rb"|\\(.)"
)

_KIND_CODES = {name: code for code, name in enumerate(KINDS)}
_FLAG_BITS = {name: 1 << bit for bit, name in enumerate(FLAGS)}
_SHORT = dict(zip(b'"\\/bfnrt', (b'"', b"\\", b"/", b"\b", b"\f", b"\n", b"\r", b"\t")))
_MEMBERS = len(KEYS)


class _Unusual(Exception):
    """The general path must decide."""


def _unescaped(match: re.Match) -> bytes:
    high, low, unit, letter = match.groups()
    if letter is not None:
        return _SHORT[letter[0]]
    if high is not None:
        code_point = 0x10000 + ((int(high, 16) & 0x3FF) << 10) + (int(low, 16) & 0x3FF)
    else:
        code_point = int(unit, 16)
        if 0xD800 <= code_point <= 0xDFFF:
            raise _Unusual
    return chr(code_point).encode("utf-8")


def _text(raw: bytes | None, least: int, most: int) -> bytes:
    if raw is None:
        raise _Unusual
    text = _ESCAPE.sub(_unescaped, raw) if b"\\" in raw else raw
    if not least <= len(text) <= most:
        raise _Unusual
    return text


def _flags(names: bytes | None) -> int:
    if names is None:
        raise _Unusual
    bits = 0
    for name in _FLAG_NAME.findall(names):
        bit = _FLAG_BITS.get(name)
        if bit is None or bits & bit:
            raise _Unusual
        bits |= bit
    return bits


def _value(token: bytes | None) -> int:
    if token is None:
        raise _Unusual
    bits = decimal_exact.to_bits(token)
    if not decimal_exact.in_range(bits):
        raise _Unusual
    return bits


def _record(fields: dict) -> Record:
    """`fields`, of seven members: per key its (string, number, flags), of which one is not None. A key
    that is unknown or there twice leaves another one missing."""
    try:
        identity = integer(fields[b"id"][1] or b"", ID_MAX)
        timestamp = integer(fields[b"timestamp"][1] or b"", TIMESTAMP_MAX)
        if identity is None or timestamp is None:
            raise _Unusual
        return Record(
            identity,
            timestamp,
            _value(fields[b"value"][1]),
            _KIND_CODES[fields[b"kind"][0]],
            _flags(fields[b"flags"][2]),
            _text(fields[b"source"][0], 1, SOURCE_BYTES_MAX),
            _text(fields[b"message"][0], 0, MESSAGE_BYTES_MAX),
        )
    except KeyError:
        raise _Unusual from None


def _records(payload: bytes) -> list:
    records = []
    step = _OPEN.match(payload)
    while step is not None:
        if step.group(1):
            return records
        offset = step.end()
        fields = {}
        for _ in range(_MEMBERS):
            member = _MEMBER.match(payload, offset)
            if member is None:
                raise _Unusual
            key, string, number, flags, end = member.groups()
            fields[key] = (string, number, flags)
            offset = member.end()
            if end == b"}":
                break
        if end != b"}" or len(records) == RECORDS_MAX:
            raise _Unusual
        records.append(_record(fields))
        step = _NEXT.match(payload, offset)
    raise _Unusual


def read_batch(payload: bytes) -> list | None:
    """The records of a batch, or None where the general path must decide."""
    try:
        payload.decode("utf-8", "strict")
        return _records(payload)
    except (UnicodeDecodeError, _Unusual):
        return None
