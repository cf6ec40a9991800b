#!/usr/bin/env python3
"""make_notes_cases.py: prints tests/cases/notes.jsonl: notes made by hand, with the texts that the reference gives.

Of bad ones the first byte that begins no UTF-8, found by Python's own decoder.
"""

import base64
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

from reference import notes as reference  # noqa: E402

WIDTHS = (0, 1, 3, 4, 15, 16, 31, 32, 33, 63, 64, 65)
SPECIAL = ('"', "\\", "/", "\b", "\t", "\n", "\f", "\r", "\x00", "\x01", "\x0b", "\x1f", " ", "\x7e", "\x7f", "<",
           ">", "&", "'", "+", "`", "\u0080", "\u00e9", "\u07ff", "\u0800", "\u2028", "\u6f22", "\ud7ff", "\ue000",
           "\ufeff", "\uffff", "\U00010000", "\U0001f600", "\U0010ffff")
BAD = ("80", "bf", "c0af", "c1bf", "c3", "c328", "e0a0", "e09fbf", "e6bc", "e6bc61", "eda080", "edbfbf", "f09f98",
       "f0808080", "f08fbfbf", "f4908080", "f5808080", "ff", "fe", "c3a9a9", "61e9")


def good_cases():
    yield "empty array", []
    yield "empty texts", [(1, "", "")]
    yield "ids", [(number, "id", "") for number in (0, -1, 9, 10, 99, 100, 2147483647, -2147483648)]
    for char in SPECIAL:
        name = "U+%04X" % ord(char)
        yield name + " alone", [(1, char, char)]
        yield name + " at the edges of blocks", [(n, "a" * n + char, "b" * n + char + "c" * (40 - n % 33)) for n in WIDTHS]
        yield name + " again and again", [(n, char * (n % 40), char * n) for n in WIDTHS]
    yield "all of ASCII", [(1, "".join(map(chr, range(128))), "".join(map(chr, reversed(range(128)))))]
    yield "long text", [(1, "t" * 500, ("0123456789 \u00e9\"" * 300))]


def bad_cases():
    for hexed in BAD:
        for width in (0, 1, 30, 31, 32, 33, 61, 64):
            bad = b"a" * width + bytes.fromhex(hexed) + b"b" * (3 if width % 2 else 0)
            yield "%s at %d" % (hexed, width), [(1, b"fine", b""), (2, b"", bad), (3, bad, b"")]
            yield "%s at %d of a title" % (hexed, width), [(1, bad, bad)]


def packed(notes):
    return [[number, base64.b64encode(title).decode(), base64.b64encode(text).decode()]
            for number, title, text in notes]


def first_fault(notes):
    for index, (_, title, text) in enumerate(notes):
        for in_text, data in enumerate((title, text)):
            try:
                data.decode()
            except UnicodeDecodeError as fault:
                return [index, bool(in_text), fault.start]
    raise ValueError("nothing is wrong")


def main():
    for name, notes in good_cases():
        encoded = [(number, title.encode(), text.encode()) for number, title, text in notes]
        case = {"name": name, "notes": packed(encoded)}
        for profile in reference.PROFILES:
            case[profile] = base64.b64encode(reference.write(notes, profile).encode()).decode()
        print(json.dumps(case, separators=(",", ":")))
    for name, notes in bad_cases():
        print(json.dumps({"name": name, "notes": packed(notes), "fault": first_fault(notes)}, separators=(",", ":")))


if __name__ == "__main__":
    main()
