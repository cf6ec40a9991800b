#!/usr/bin/env python3
"""record.py: the pairs of a finished race of twins as series for mr_aa, on standard output.

Usage: record.py RESULTS.json

Each comparison becomes a series, named after its cell; what the machine was stands above them.
"""
import json
import sys


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    with open(sys.argv[1], encoding="utf-8") as file:
        results = json.load(file)
    manifest = results["manifest"]
    print("# Ratios of pairs of one contestant against itself, made by record.py.")
    print("# Race \"%s\", begun %s, matchrace %s." % (manifest["name"], manifest["started_utc"], manifest["program_version"]))
    environment = manifest["environment"]
    print("# %s, kernel %s, grade %s." % (environment["cpu_model"], environment["kernel"], environment["grade"]))
    for cell in results["cells"]:
        for comparison in cell["comparisons"]:
            print("series %s" % cell["name"])
            for ratio in comparison["pair_ratios"]:
                print("%.9f" % ratio)
    return 0


if __name__ == "__main__":
    sys.exit(main())
