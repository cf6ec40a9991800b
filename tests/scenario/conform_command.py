#!/usr/bin/env python3
# conform_command.py: the command line of `matchrace conform`: choices, messages, JSON, progress.
"""What a person types, and what comes back."""

import json
import os
import pty
import re
import subprocess
import tempfile

from conform_common import PROGRAM, ROOT, TIMEOUT_S, Run, check, finish, mutant


def expect(result, code, *texts):
    check(result.code == code, "exit code %d, not %d: %s" % (result.code, code, result))
    for text in texts:
        check(text in result.out + result.err, "no '%s' in: %s" % (text, result))
    return result


def on_a_terminal(folder, place):
    """The line that a terminal shows, and the table on standard output."""
    ours, theirs = pty.openpty()
    done = subprocess.Popen([PROGRAM, "conform", "--mode", "keep", "--phase", "wire", "--stamp-dir",
                             folder, place], stdout=subprocess.PIPE, stderr=theirs, text=True)
    os.close(theirs)
    shown = b""
    while True:
        try:
            more = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not more:
            break
        shown += more
    table = done.communicate(timeout=TIMEOUT_S)[0]
    os.close(ours)
    check(done.returncode == 0, "on a terminal: exit code %d:\n%s" % (done.returncode, table))
    text = shown.decode()
    check(re.search(r"honest, keep: W\d+-\S+ +\(\d+ %, about \d+ s left\)", text),
          "no progress with time left in %r" % text[-200:])
    check("\r" not in table, "the progress line is on standard output")


def main():
    expect(Run(), 2, "which contestant?")
    expect(Run("--mode", "sideways", "x"), 2, "sideways", "drain, totals, keep, fresh")
    expect(Run("--only", "W5,W500", "x"), 2, "W500", "--list")
    expect(Run("--phase", "noon", "x"), 2, "noon", "cases, large, kept, wire, command")
    expect(Run("--help"), 0, "Examples:", "--stamped", "Exit codes")
    listed = expect(Run("--list"), 0, "W5-sequence-echoed", "C15-nothing-learnt")
    check(len(listed.out.splitlines()) > 80, "--list is short")
    with tempfile.TemporaryDirectory() as folder:
        place = mutant(os.path.join(folder, "one"))
        expect(Run("--cases", folder, place), 2, "cases.jsonl", "--cases FOLDER")
        expect(Run("--variant", "odd", place), 2, "no variant 'odd'")
        expect(Run("--build-dir", os.path.join(folder, "nowhere"), place), 2, "nowhere")
        file = os.path.join(folder, "findings.json")
        # A contestant.json names its folder too, and so does the folder's name from inside.
        expect(Run("--only", "W5,W32-reply-order", "--json", file, os.path.join(place, "contestant.json")),
               0, "8 passed, 0 failed")
        with open(file, encoding="utf-8") as handle:
            found = json.load(handle)["contestants"][0]
        check(found["conformant"] and not found["complete"] and len(found["checks"]) == 8 and
              all(one["outcome"] == "ok" for one in found["checks"]), "JSON: %s" % found)
        check(not os.path.exists(os.path.join(folder, "honest.json")), "a part of the checks is stamped")
        expect(Run("--only", "W5", "--json", os.path.join(folder, "no", "x.json"), place), 2, "x.json")
        wrong = mutant(os.path.join(folder, "two"), "sequence-own")
        result = expect(Run("--only", "W5", "--mode", "keep", "--json", file, wrong), 3,
                        "W5-sequence-echoed, keep: FAILED: expected", "; got ", "NOT CONFORMANT")
        check(len([line for line in result.out.splitlines() if "FAILED: " in line]) == 1, str(result))
        with open(file, encoding="utf-8") as handle:
            found = json.load(handle)["contestants"][0]
        check(not found["conformant"] and found["checks"][0]["outcome"] == "failed" and
              found["checks"][0]["expected"] and found["checks"][0]["got"], "JSON: %s" % found)
        both = expect(Run("--only", "W5", "--mode", "keep", place, wrong), 3, "honest: conformant",
                      "honest: NOT CONFORMANT")
        check(both.out.index("honest: conformant") < both.out.index("NOT CONFORMANT"), str(both))
        expect(Run("--quick", place), 0, "quick check passed")
        for mode in ("drain", "totals", "fresh"):
            expect(Run("--quick", "--mode", mode, place), 0, "quick check passed")
        for name, text in (("whole-takes-infinity", "B1-cases-whole"), ("rejected-adds-bytes", "N1-totals"),
                           ("sigterm-idle-1", "C3-sigterm")):
            lying = mutant(os.path.join(folder, name), name)
            expect(Run("--quick", lying), 3, text, "quick check FAILED")
        on_a_terminal(folder, place)
    check(os.path.isdir(os.path.join(ROOT, "tests", "cases")), "the cases are gone")
    finish()


if __name__ == "__main__":
    main()
