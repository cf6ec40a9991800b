#!/usr/bin/env python3
"""results_page.py: tables of docs/RESULTS.md from the results.json of benches.

Usage: results_page.py FOLDER ...

Each FOLDER is one that `./lab bench NAME` has written. Prints Markdown: the machine, the versions and one table a
bench: each ratio with its interval, its number of pairs, its target, and whether the interval's nearer end meets it.

Examples:
  tools/bench/results_page.py out/bench-parse/20260101T000000Z
  tools/bench/results_page.py results/bench/*/
"""
import json
import pathlib
import sys



def versions(results: dict) -> list:
    """One line an entry: kernel, build flags, libraries, as the program itself said them."""
    lines = []
    for entry, welcome in sorted(dict(results["welcomes"]).items()):
        libraries = ", ".join("%s %s" % (one["name"], one["version"]) for one in welcome.get("libraries", []))
        lines.append("- %s: kernel %s; %s; %s" % (entry, welcome.get("kernel"), welcome.get("build_flags"), libraries))
    return lines


def target(wanted: dict) -> str:
    for key, sign in (("at_least", "≥"), ("at_most", "≤")):
        if wanted.get(key) is not None:
            return "%s %g" % (sign, wanted[key])
    return ""


def verdict(wanted: dict, low: float, high: float) -> str:
    """By the end of the interval that is nearer to the target's wrong side."""
    least, most = wanted.get("at_least"), wanted.get("at_most")
    if least is not None:
        return "met" if low >= least else "missed" if high < least else "open"
    if most is not None:
        return "met" if high <= most else "missed" if low > most else "open"
    return ""


def targets(folder: pathlib.Path) -> dict:
    """What the matrix wants of each comparison, by (cell, a, b)."""
    matrix = json.loads((folder / "matrix.json").read_text(encoding="utf-8"))
    return {(cell["name"], one["a"], one["b"]): one for cell in matrix["cells"] for one in cell.get("comparisons", [])}


def table(results: dict, wanted: dict) -> list:
    lines = ["| cell | a over b | ratio | interval | pairs | target | |", "|---|---|--:|---|--:|---|---|"]
    for cell in results["cells"]:
        for one in cell["comparisons"]:
            want = wanted.get((cell["name"], one["a"], one["b"]), {})
            low, high = one.get("ratio_low"), one.get("ratio_high")
            if one.get("ratio") is None or low is None:
                lines.append("| %s | %s over %s | not resolved | | %s | %s | |" % (
                    cell["name"], one["a"], one["b"], one.get("pairs", 0), target(want)))
                continue
            lines.append("| %s | %s over %s | %.2f | %.2f to %.2f | %d | %s | %s |" % (
                cell["name"], one["a"], one["b"], one["ratio"], low, high, one["pairs"], target(want),
                verdict(want, low, high)))
    return lines


def section(folder: pathlib.Path) -> list:
    results = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    manifest = results["manifest"]
    machine = manifest["environment"]
    head = ["## %s" % manifest["title"], "", "`%s`, %s, commit %s; %s, %d cores, kernel %s, grade %s. Raw: `%s`." % (
        manifest["reproduce"], manifest["started_utc"], manifest["commit"][:7], machine["cpu_model"],
        machine["cores_usable"], machine["kernel"], machine["grade"], folder), ""]
    return head + table(results, targets(folder)) + [""] + versions(results) + [""]


def main() -> int:
    if len(sys.argv) < 2 or "-h" in sys.argv or "--help" in sys.argv:
        print(__doc__)
        return 0 if len(sys.argv) > 1 else 2
    for name in sys.argv[1:]:
        print("\n".join(section(pathlib.Path(name))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
