"""campaign_plan.py: what `plan` says of a matrix, alone and from an earlier run, against the reference."""

import json
import math
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from small_race import PROGRAM, ROOT, Race, expect, skip_unless_built

sys.path.insert(0, ROOT)
from reference import stats

ROWS = 12
MOST = 2000  # rows above which none are proposed


def plan(race: Race, matrix: str, *words: str) -> subprocess.CompletedProcess:
    return subprocess.run([PROGRAM, "plan", matrix, "--contestants", race.contestants, *words],
                          capture_output=True, text=True, timeout=60, check=False)


def check_campaigns() -> None:
    """The two campaigns can be planned, controls and all."""
    for name in ("fair-2x2", "campaign"):
        with open(os.path.join(ROOT, "matrices", name + ".json"), encoding="utf-8") as file:
            check_entries(json.load(file))
        found = subprocess.run([PROGRAM, "plan", os.path.join(ROOT, "matrices", name + ".json"), "--contestants",
                                os.path.join(ROOT, "contestants")], capture_output=True, text=True, timeout=60, check=False)
        expect(found.returncode == 0, "%s is planned: %s" % (name, found.stderr))
        expect("controls, part 3: served, 2 contestants, 12 rows" in found.stdout, "with its controls: %s" % found.stdout[-400:])


def check_entries(matrix: dict) -> None:
    """Without .NET the rest races; at a quarter of the load a window of 8 s still has the 10,000 batches of a p99."""
    for cell in matrix["cells"]:
        for one in cell["contestants"]:
            entry = one if isinstance(one, dict) else {"contestant": one}
            expect(entry.get("optional", False) == entry["contestant"].startswith("csharp-"),
                   "%s: only what needs .NET is optional: %s" % (cell["name"], entry))
        if "share" in cell.get("load", {}):
            expect(cell["data"]["batch_records"] == 32, "%s: small batches" % cell["name"])


def check_managed(race: Race) -> None:
    """A server whose runtime compiles is warmed for up to warmup_managed_max_s, but only where it can go on: in a closed loop."""
    rules = {"window_s": 1.0, "warmup_s": 1.0, "warmup_managed_s": 3.0, "warmup_managed_max_s": 20.0}
    for load, managed_s in (({}, 20), ({"load": {"plan": "open", "rate_per_s": 9}, "metric": "latency_p50_ns"}, 3)):
        found = plan(race, race.matrix(("a", "managed"), rules=rules, cell={"driver": "served", "rows": 6, **load}))
        expect("about %.1f min of warm-up" % (6 * (1 + managed_s + 2 * 1) / 60) in found.stdout,
               "%s: warm-up of managed code: %s%s" % (load, found.stdout, found.stderr))


def check_needs(race: Race, printed: str) -> None:
    """Rows for 1, 2 and 5 %, from the pairs in results.json."""
    for comparison in race.results()["cells"][0]["comparisons"]:
        logs = [math.log(ratio) for ratio in comparison["pair_ratios"]]
        line = [one for one in printed.splitlines() if one.startswith("  %(a)s : %(b)s," % comparison)][0]
        expect("by %d earlier pairs" % len(logs) in line, line)
        for percent in (1, 2, 5):
            q = stats.wrong_side(logs, math.log1p(percent / 100))
            rows = stats.pairs_for(q, 0.05 / 2, 0.9, 6, MOST)  # two primary comparisons; three contestants: by sixes
            words = "more than %d rows" % MOST if rows is None else "%d rows" % rows
            expect(re.search(r" %d %%: %s\b" % (percent, words), line), "%d %%: %s in %s" % (percent, words, line))


def main() -> None:
    skip_unless_built()
    with Race() as race:
        for name in ("a", "b", "c"):
            race.add_contestant(name, ["true"])
        race.add_contestant("managed", ["true"], managed=True)
        race.add_contestant("gone", ["true"], needs=["no-such-program"])
        gates = {name: {"action": "off"} for name in ("host_did_not_pause", "machine_unchanged", "server_is_limit")}
        gates["nothing_else_ran"] = {"action": "exclude"}
        matrix = race.matrix(("a", "b", "c"), rules={"window_s": 0.01, "warmup_s": 0.05, "retries_max": 2, "gates": gates},
                             cell={"driver": "simulated", "rows": ROWS,
                                   "comparisons": [{"a": "a", "b": "b"}, {"a": "c", "b": "b"}]})
        found = plan(race, matrix)
        expect(found.returncode == 0 and "3 contestants, %d rows, %d trials" % (ROWS, 3 * ROWS) in found.stdout,
               "rows and trials: %s%s" % (found.stdout, found.stderr))
        expect("about %.1f min of warm-up at its longest and windows" % (3 * ROWS * 0.06 / 60) in found.stdout, "time by the rules")
        done = race.run(matrix)
        expect(done.returncode in (0, 5), "the earlier run: %s" % done.stderr)
        found = plan(race, matrix, "--from", race.out)
        trials = race.results()["trials"]
        excluded = sum(t["outcome"] == "excluded" for t in trials)
        expect(excluded > 0 and "%.1f %% excluded earlier" % (100 * excluded / len(trials)) in found.stdout,
               "expected exclusions: %s%s" % (found.stdout, found.stderr))
        check_needs(race, found.stdout)
        other = race.matrix(("a", "gone"), cell={"driver": "simulated", "rows": 6, "name": "another"})
        found = plan(race, other, "--from", race.out)
        expect("skipped: gone: " in found.stdout and "no-such-program" in found.stdout, "who is missing: %s" % found.stdout)
        expect("a : gone, no earlier pairs" in found.stdout, "a cell that did not run earlier")
        with open(matrix, encoding="utf-8") as file:
            broken = json.load(file)
        broken["cells"][0]["rows"] = 7
        with open(matrix, "w", encoding="utf-8") as file:
            json.dump(broken, file)
        found = plan(race, matrix)
        expect(found.returncode == 2 and "multiple of 6" in found.stderr, "a matrix that `run` refuses: %s" % found.stderr)
        check_managed(race)
    check_campaigns()


main()
