#!/usr/bin/env python3
"""mutant.py: honest.py with one sentence of the contract broken: `mutant.py --mutation NAME serve …`.

Each mutation names the check that must catch it, the mode in which it is tried, and what else it cannot help
breaking, with the reason. `mutant.py --list` prints them.
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import honest  # noqa: E402
import mutants_answers  # noqa: E402, F401
import mutants_wire  # noqa: E402, F401
import mutants_errors  # noqa: E402, F401
import mutants_flow  # noqa: E402, F401
import mutants_command  # noqa: E402, F401
from planting import MUTANTS  # noqa: E402


def print_list():
    for name, entry in MUTANTS.items():
        print("%-26s %-4s %-6s %s" % (name, entry.check, entry.mode, entry.what))


def main(words):
    if words == ["--list"]:
        print_list()
        return 0
    if words[:1] == ["--mutation"] and len(words) >= 2:
        if words[1] not in MUTANTS:
            print("mutant.py: there is no mutation '%s'; --list shows them" % words[1],
                  file=sys.stderr)
            return 2
        MUTANTS[words[1]].apply()
        words = words[2:]
    return honest.main(words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
