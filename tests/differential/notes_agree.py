#!/usr/bin/env python3
"""notes_agree.py: the notes writer, every kernel, against the cases of tests/cases and the reference.

Usage: notes_agree.py PROGRAM [KERNEL…]

PROGRAM is notes_answers. Exit codes: 0 all agree; 1 they do not, with the first question that differs; 2 wrong usage.
"""

import base64
import json
import pathlib
import random
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from reference import notes as reference  # noqa: E402

KERNELS = ["scalar", "avx2"]
DRAWN = 400
ALPHABET = [*map(chr, range(128)), "\u0080", "\u00e9", "\u07ff", "\u0800", "\u2028", "\ud7ff", "\ue000", "\uffff",
            "\U00010000", "\U0001f600", "\U0010ffff"]


def load_cases():
    """Notes as bytes, and what is right: a text for each profile, or a fault."""
    with open(ROOT / "tests/cases/notes.jsonl", encoding="utf-8") as file:
        for line in file:
            case = json.loads(line)
            notes = [(number, base64.b64decode(title), base64.b64decode(text)) for number, title, text in case["notes"]]
            fault = case.get("fault")
            texts = {} if fault else {name: base64.b64decode(case[name]).decode() for name in reference.PROFILES}
            yield case["name"], notes, fault, texts


def draw_text(draw, length_max):
    plain = draw.random()
    return "".join(draw.choice("abc XYZ") if draw.random() < plain else draw.choice(ALPHABET)
                   for _ in range(draw.randint(0, length_max)))


def draw_cases(draw):
    for index in range(DRAWN):
        notes = [(draw.randint(-(2**31), 2**31 - 1), draw_text(draw, 40), draw_text(draw, 150))
                 for _ in range(draw.randint(1, 4))]
        texts = {name: reference.write(notes, name) for name in reference.PROFILES}
        yield "draw %d" % index, [(n, title.encode(), text.encode()) for n, title, text in notes], None, texts


def questions(cases, kernels):
    """(name, question, the right answer)."""
    for name, notes, fault, texts in cases:
        words = "".join(" %d -%s -%s" % (number, title.hex(), text.hex()) for number, title, text in notes)
        for profile in reference.PROFILES:
            for units in reference.UNITS:
                right = ("fault %d %d %d" % tuple(fault) if fault
                         else "written " + reference.encode(texts[profile], units).hex())
                for kernel in kernels:
                    yield name, "%s %s %s%s" % (kernel, profile, units, words), right


def check_reference(cases):
    """The cases are texts of this time, and another reader gets the notes back."""
    for name, notes, fault, texts in cases:
        if fault:
            continue
        decoded = [(number, title.decode(), text.decode()) for number, title, text in notes]
        for profile, text in texts.items():
            if text != reference.write(decoded, profile) or reference.read_back(text.encode()) != decoded:
                yield "%s, %s: the reference gives another text" % (name, profile)


def main():
    if len(sys.argv) < 2:
        print("usage: notes_agree.py PROGRAM [KERNEL…]", file=sys.stderr)
        return 2
    cases = [*load_cases(), *draw_cases(random.Random(20240229))]
    wrong = list(check_reference(cases))
    asked = list(questions(cases, sys.argv[2:] or KERNELS))
    done = subprocess.run([sys.argv[1]], input="".join(question + "\n" for _, question, _ in asked), text=True,
                          stdout=subprocess.PIPE, check=True)
    answers = done.stdout.splitlines()
    absent = answers.count("absent")
    assert len(answers) == len(asked) and absent < len(asked), "%d answers" % len(answers)
    for (name, question, right), answer in zip(asked, answers):
        if answer not in (right, "absent"):
            wrong.append("%s: %.300s\n  right: %.300s\n  given: %.300s" % (name, question, right, answer))
    print("%d cases, %d answers, %d from kernels that do not run here, %d wrong" % (
        len(cases), len(answers), absent, len(wrong)))
    if wrong:
        print(wrong[0])
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
