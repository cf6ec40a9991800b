#!/usr/bin/env python3
# conform_gaps.py: cases that contestant.json declares as gaps must be answered otherwise than is right, checks may fail,
# everything else must pass.
"""Gaps by check and by case, each with the same server undeclared beside it."""

import os
import tempfile

from conform_common import Run, check, finish, mutant

NEAR = ("--mode", "keep", "--only", "B1,N1,M4,W5,W28", "--sample", "64")


def main():
    with tempfile.TemporaryDirectory() as folder:
        def run(name, gaps, *words):
            place = mutant(os.path.join(folder, "one"), name, conformance=gaps)
            return Run(*(words or NEAR), place, stamps=folder)

        result = run("sequence-own", ["W5"])
        check(result.code == 0 and "declared gap" in result.out and "1 declared gap" in result.out,
              "a check by number: %s" % result)
        result = run("sequence-own", ["W5-sequence-echoed"])
        check(result.code == 0, "a check by name: %s" % result)
        result = run("sequence-own", ["W28"])
        check(result.code == 3 and "W5-sequence-echoed, keep: FAILED" in result.out,
              "another check: %s" % result)

        case = "number/value/overflow-neg@value"
        result = run("whole-takes-infinity", "full")
        check(result.code == 3 and case in result.out, "a case undeclared: %s" % result)
        result = run("whole-takes-infinity", ["number/value/overflow-neg"])
        check(result.code == 0 and "2 cases declared as gaps" in result.out,
              "a case declared: %s" % result)
        # A whole name is that case and no other.
        result = run("whole-takes-infinity", [case])
        check(result.code == 3 and "1 case declared" in result.out and case + "-last" in result.out,
              "one of two cases declared: %s" % result)
        result = run("whole-takes-infinity",
                     [{"gap": "It takes an infinity", "cases": [case, case + "-last"]}])
        check(result.code == 0 and "gap: It takes an infinity (%s and 1 more)" % case in result.out,
              "a sentence and its cases: %s" % result)
        # What is declared must be so.
        result = run(None, ["number/value/overflow-neg"])
        check(result.code == 3 and "this gap is not there" in result.out and case in result.out,
              "a gap that is not there: %s" % result)
        result = run("whole-takes-infinity", ["number/id/"])
        check(result.code == 3 and case in result.out, "other cases declared: %s" % result)
        # The totals are still judged where they follow from the answers.
        result = run("rejected-adds-bytes", ["number/value/overflow-neg"])
        check(result.code == 3 and "N1-totals, keep: FAILED" in result.out,
              "totals beside a gap: %s" % result)
        # A check that is not reached because of a declared gap is no fault of its own.
        result = run("unsent-blocks-all", ["W38"], "--mode", "keep", "--only", "W37,W38,W39",
                     "--patience", "1500ms")
        check(result.code == 0 and "not run" in result.out, "not reached: %s" % result)
    finish()


if __name__ == "__main__":
    main()
