#!/usr/bin/env python3
"""notes.py: the reference of the job `notes`: its data, its texts in all profiles, their digests.

Made from docs/SERIAL.md alone; shares no code or table with the C.
"""

import argparse
import ctypes
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from reference import xxh3  # noqa: E402

EXIT_OK, EXIT_ENVIRONMENT, EXIT_USAGE, EXIT_WRONG = 0, 1, 2, 3
LOW64 = (1 << 64) - 1
VARIANTS = 16
CORPORA = ("ascii", "mixed")
PROFILES = ("required", "required-upper", "html")
UNITS = ("utf8", "utf16")
TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "notes_digests.json")

PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ."
SPECIAL = ['"', "\\", "\n", "\t", "\x01", "\u00e9", "\U0001f600", "<", "&", "+", "'", "\u6f22",
           "\r", "\x1f", "/", "\x7f"]
SHORT = {"\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}

EXAMPLES = """examples:
  python3 reference/notes.py text --count 3 --corpus mixed --profile html
  python3 reference/notes.py check --count 1000
  python3 reference/notes.py table --count 1000 --count 2000 --count 1000000 > reference/notes_digests.json

exit codes: 0 agrees, 1 files can't be used, 2 wrong usage, 3 a disagreement
"""


class Draws:
    """SplitMix64."""

    def __init__(self, seed: int):
        self.state = seed

    def next(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & LOW64
        z = self.state
        z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & LOW64
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & LOW64
        return z ^ z >> 31


def symbol(word: int, corpus: str) -> str:
    """The symbol of the six lowest bits, which the word still has."""
    code = word & 63
    if corpus == "mixed" and code < 4:
        return SPECIAL[4 * (word >> 6 & 3) + code]
    return PLAIN[code]


def draw_text(draws: Draws, corpus: str, symbols: int) -> str:
    text = []
    for _ in range(0, symbols, 10):
        word = draws.next()
        text += [symbol(word >> 6 * i, corpus) for i in range(10)]
    return "".join(text[:symbols])


def make_notes(count: int, seed: int, corpus: str) -> list:
    """Notes as (id, title, text), variant 0."""
    draws = Draws(seed)
    notes = []
    for number in range(1, count + 1):
        title = draw_text(draws, corpus, 12 + draws.next() % 17)
        notes.append((number, title, draw_text(draws, corpus, 60 + draws.next() % 81)))
    return notes


def variant_of(notes: list, variant: int) -> list:
    """Variant k: another first id; notes k + 1 and N − k, counted from 1, with their texts exchanged."""
    changed = list(notes)
    one, other = variant, len(notes) - variant - 1
    if variant > 0 and other >= 0:
        changed[one] = (*notes[one][:2], notes[other][2])
        changed[other] = (*notes[other][:2], notes[one][2])
    if changed:
        changed[0] = (1 + variant, *changed[0][1:])
    return changed


def escape_required(match: re.Match) -> str:
    char = match[0]
    return '\\"' if char == '"' else SHORT.get(char) or "\\u%04x" % ord(char)


def escape_upper(match: re.Match) -> str:
    char = match[0]
    return '\\"' if char == '"' else SHORT.get(char) or "\\u%04X" % ord(char)


def escape_html(match: re.Match) -> str:
    char = match[0]
    if char in SHORT:
        return SHORT[char]
    units = char.encode("utf-16-be")
    return "".join("\\u%02X%02X" % (units[i], units[i + 1]) for i in range(0, len(units), 2))


REQUIRED = re.compile(r'[\x00-\x1f"\\]')
HTML = re.compile(r'[\x00-\x1f"\\<>&\'+`\x7f]|[^\x00-\x7f]')
ESCAPES = {"required": (REQUIRED, escape_required), "required-upper": (REQUIRED, escape_upper),
           "html": (HTML, escape_html)}


def write(notes: list, profile: str) -> str:
    """The JSON text."""
    pattern, escape = ESCAPES[profile]
    return "[%s]" % ",".join(
        '{"Id":%d,"Title":"%s","NoteText":"%s"}' % (number, pattern.sub(escape, title), pattern.sub(escape, text))
        for number, title, text in notes)


def encode(text: str, units: str) -> bytes:
    return text.encode("utf-8" if units == "utf8" else "utf-16-le")


def decoded_bytes(notes: list) -> bytes:
    """What the decoded digest is the hash of."""
    parts = []
    for number, title, text in notes:
        title_bytes, text_bytes = title.encode(), text.encode()
        for word in (number, len(title_bytes), len(text_bytes)):
            parts.append((word & 0xFFFFFFFF).to_bytes(4, "little"))
        parts += [title_bytes, text_bytes]
    return b"".join(parts)


def read_back(text: bytes) -> list:
    """The notes of a JSON text as another parser reads them."""
    return [(note["Id"], note["Title"], note["NoteText"]) for note in json.loads(text)]


def library_hash():
    """The hash by the library where it is installed; without it, a million notes take hours."""
    try:
        function = ctypes.CDLL("libxxhash.so.0").XXH3_64bits
    except OSError:
        return xxh3.xxh3_64
    function.restype = ctypes.c_uint64
    function.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    return lambda data: function(data, len(data))


def table_of(count: int, seed: int, hash_of) -> list:
    """An entry for each corpus: the decoded digest, and of each profile and unit all variants."""
    entries = []
    for corpus in CORPORA:
        notes = make_notes(count, seed, corpus)
        entry = {"count": count, "seed": seed, "corpus": corpus,
                 "decoded": "%016x" % hash_of(decoded_bytes(notes)), "texts": {}}
        for profile in PROFILES:
            for variant in range(VARIANTS):
                text = write(variant_of(notes, variant), profile)
                for units in UNITS:
                    data = encode(text, units)
                    row = entry["texts"].setdefault("%s %s" % (profile, units), [])
                    row.append([len(data), "%016x" % hash_of(data)])
        entries.append(entry)
        print("%s, %d notes: done" % (corpus, count), file=sys.stderr)
    return entries


def table_text(entries: list) -> str:
    """One line a row, so that changes can be read."""
    lines = []
    for entry in entries:
        texts = ",\n".join("   %s: %s" % (json.dumps(name), json.dumps(row, separators=(",", ":")))
                           for name, row in entry["texts"].items())
        head = json.dumps({key: value for key, value in entry.items() if key != "texts"})
        lines.append("  %s, \"texts\": {\n%s}}" % (head[:-1], texts))
    return "[\n%s\n]\n" % ",\n".join(lines)


def known(count: int, seed: int, corpus: str) -> dict:
    """The entry of the committed table."""
    with open(TABLE, encoding="utf-8") as file:
        for entry in json.load(file):
            if (entry["count"], entry["seed"], entry["corpus"]) == (count, seed, corpus):
                return entry
    raise ValueError("%s has no entry for %d notes of %s, seed %d" % (TABLE, count, corpus, seed))


def command_check(options: argparse.Namespace) -> int:
    hash_of = library_hash() if options.library else xxh3.xxh3_64
    wrong = 0
    for count in options.count:
        for entry in table_of(count, options.seed, hash_of):
            agrees = entry == known(count, options.seed, entry["corpus"])
            print("%d notes of %s: %s" % (count, entry["corpus"], "as in the table" if agrees else "NOT as in the table"))
            wrong += not agrees
    return EXIT_WRONG if wrong else EXIT_OK


def command_table(options: argparse.Namespace) -> int:
    hash_of = library_hash() if options.library else xxh3.xxh3_64
    entries = [entry for count in options.count for entry in table_of(count, options.seed, hash_of)]
    sys.stdout.write(table_text(entries))
    return EXIT_OK


def command_text(options: argparse.Namespace) -> int:
    notes = variant_of(make_notes(options.count[0], options.seed, options.corpus), options.variant)
    sys.stdout.buffer.write(encode(write(notes, options.profile), options.units))
    return EXIT_OK


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, epilog=EXAMPLES,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, run, about in (("text", command_text, "write the text of one set of notes to standard output"),
                             ("check", command_check, "compare what is computed now with the committed table"),
                             ("table", command_table, "compute the table of digests")):
        command = commands.add_parser(name, help=about)
        command.set_defaults(run=run)
        command.add_argument("--count", type=int, action="append", required=True, help="notes; may be repeated")
        command.add_argument("--seed", type=int, default=42)
        if name == "text":
            command.add_argument("--corpus", choices=CORPORA, default="ascii")
            command.add_argument("--profile", choices=PROFILES, default="required")
            command.add_argument("--units", choices=UNITS, default="utf8")
            command.add_argument("--variant", type=int, choices=range(VARIANTS), default=0)
        else:
            command.add_argument("--library", action="store_true", help="hash by the library xxHash where it is installed")
    options = parser.parse_args()
    try:
        return options.run(options)
    except (OSError, ValueError) as fault:
        print("notes.py: %s" % fault, file=sys.stderr)
        return EXIT_ENVIRONMENT


if __name__ == "__main__":
    sys.exit(main())
