"""campaign_load.py: open cells by share: who sets the rate, that it is one rate for all and for good, and
what a cell that measures the generator may switch off."""

import json
import math
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from json_schema import Checker
from small_race import PROGRAM, ROOT, Race, at_once, expect, skip_unless_built

SMALL = {"shape": "simple", "seed": 1, "bytes": "64KiB", "batch_records": 4}
RULES = {"warmup_s": 0.05, "window_s": 0.2, "drain_limit_s": 10}


def matrix(race: Race, entries, load: dict, rows: int = 2, **cell) -> str:
    return race.matrix(entries, rules=RULES, cell={"data": SMALL, "load": load, "rows": rows, "comparisons": [], **cell})


def expect_well(race: Race, done, what: str) -> None:
    """Exit code 0; otherwise why trials did not count."""
    trials = race.results()["trials"] if os.path.exists(os.path.join(race.out, "results.json")) else []
    expect(done.returncode == 0, "%s: exit code 0: %d %s %s" % (what, done.returncode, done.stderr,
                                                               {t["reason"] for t in trials}))


def manifest(race: Race) -> dict:
    return json.loads(race.text("manifest.json"))


def check_schema(name: str, value) -> None:
    with open(os.path.join(ROOT, "schemas", name + ".schema.json"), encoding="utf-8") as file:
        faults = Checker(json.load(file)).faults(value)
    expect(not faults, "%s.schema.json is obeyed%s" % (name, "".join("\n  " + f for f in faults[:5])))


def generator_inputs(race: Race) -> list:
    """What each trial's generator was really asked for."""
    found = []
    for name in sorted(os.listdir(os.path.join(race.out, "trials"))):
        trial = json.loads(race.text(os.path.join("trials", name)))
        if "generator" in trial.get("details", {}):
            found.append(trial["details"]["generator"]["inputs"])
    return found


def check_rate(race: Race, share: float, slowest: str) -> int:
    """One rate: that share of the median of the slowest one's maxima, in every place where it stands."""
    written = manifest(race)
    check_schema("manifest", written)
    by_name = {one["contestant"]: one for one in written["maxima"]}
    expect([n for n, one in by_name.items() if one["slowest"]] == [slowest], "%s sets the rate: %s" % (slowest, by_name))
    measured = sorted(by_name[slowest]["batches_per_s"])
    expect(len(measured) == 3 and measured[1] == by_name[slowest]["median_per_s"], "median of three")
    rate = max(1, math.floor(share * measured[1]))
    loads = written["loads"]
    expect(all(one["load"]["rate_per_s"] == rate and one["load"]["share"] == share for one in loads), "the manifest has %d" % rate)
    asked = generator_inputs(race)
    expect(asked and all(one["rate_per_s"] == rate and one["plan"] == "open" for one in asked),
           "every trial's generator got %d: %s" % (rate, [one["rate_per_s"] for one in asked]))
    results = race.results()
    check_schema("results", results)
    expect(all(e["load"]["rate_per_s"] == rate for e in results["cells"][0]["entries"]), "results.json has it")
    page = race.text("report.md")
    expect("Offered to all alike: open, %d (%g of the slowest maximum) batches/s" % (rate, share) in page, "the report shows it")
    expect("the slowest: it sets the rates" in page, "the report says who set it")
    return rate


def slow_one_sets_the_rate(race: Race) -> None:
    add_sleepy(race)
    done = race.run(matrix(race, ("c-tuned", "sleepy"), {"plan": "open", "share": 0.5}))
    expect_well(race, done, "it ends well")
    rate = check_rate(race, 0.5, "sleepy")
    check_maxima(race)
    check_again(race, rate)


def check_maxima(race: Race) -> None:
    """Every figure of a maximum has its raw file. (One that did nothing in its window has one too, and was repeated.)"""
    folder, kept = os.path.join(race.out, "maxima"), []
    for name in os.listdir(folder):
        trial = json.loads(race.text(os.path.join(folder, name)))
        paces = [metric["value"] for metric in trial["metrics"] if metric["name"] == "batches_per_s"]
        kept += [(trial["entry"], pace) for pace in paces if pace]
    told = [(one["contestant"], pace) for one in manifest(race)["maxima"] for pace in one["batches_per_s"]]
    expect(len(told) == 6 and sorted(told) == sorted(kept), "raw files of the maxima are kept: %s, %s" % (told, kept))


def check_again(race: Race, rate: int) -> None:
    """A manifest that is read again gives its own rate; nothing is measured or computed anew."""
    before = race.text("results.json")
    again = subprocess.run([PROGRAM, "estimate", race.out], capture_output=True, text=True, timeout=60, check=False)
    expect(again.returncode == 0 and race.text("results.json") == before, "the same bytes again: %s" % again.stderr)
    path = os.path.join(race.out, "manifest.json")
    written = manifest(race)
    for one in written["loads"]:
        one["load"]["rate_per_s"] = rate + 17
    with open(path, "w", encoding="utf-8") as file:
        json.dump(written, file)
    subprocess.run([PROGRAM, "estimate", race.out], timeout=60, check=True)
    expect(all(e["load"]["rate_per_s"] == rate + 17 for e in race.results()["cells"][0]["entries"]), "the manifest's rate counts")
    written["loads"] = []
    with open(path, "w", encoding="utf-8") as file:
        json.dump(written, file)
    lost = subprocess.run([PROGRAM, "estimate", race.out], capture_output=True, text=True, timeout=60, check=False)
    expect(lost.returncode == 2 and "the manifest says no rate" in lost.stderr, "a manifest without it is refused: %s" % lost.stderr)


def null_contestants_set_none(race: Race) -> None:
    """The null contestant here is slower than the other: it still sets no rate."""
    add_sleepy(race)
    done = race.run(matrix(race, ("c-tuned", "sleepy@drain"), {"plan": "open", "share": 0.02}))
    expect_well(race, done, "it ends well")
    check_rate(race, 0.02, "c-tuned")
    by_name = {one["contestant"]: one for one in manifest(race)["maxima"]}
    expect(by_name["sleepy@drain"]["null_contestant"] and by_name["sleepy@drain"]["median_per_s"] <
           by_name["c-tuned"]["median_per_s"], "the null contestant would have been the slowest: %s" % by_name)
    done = race.run(matrix(race, ("c-tuned@drain", "sleepy@drain"), {"plan": "open", "share": 0.5}))
    expect(done.returncode == 2 and "only null contestants" in done.stderr, "nobody to set it: %d %s" % (done.returncode, done.stderr))


def wrong_ones_set_none(race: Race) -> None:
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "liar.py")
    subprocess.run([sys.executable, script, "manifests", race.path("liars")], check=True, timeout=30)
    done = race.run(matrix(race, ("c-tuned", "liar-reject-all"), {"plan": "open", "share": 0.02}), "--contestants", race.path("liars"))
    expect(done.returncode == 3, "a wrong contestant: exit code 3 (%d: %s)" % (done.returncode, done.stderr))
    by_name = {one["contestant"]: one for one in manifest(race)["maxima"]}
    expect(by_name["c-tuned"]["slowest"], "the right one sets the rate")
    wrong = by_name["liar-reject-all"]
    expect(wrong["median_per_s"] is None and wrong["reason"].startswith("answers:"), "the wrong one says why not: %s" % wrong)


def overload_is_a_mark(race: Race) -> None:
    # 20 times what noise may have made of its maximum is still more than it can take. All that was due is waited for.
    add_sleepy(race)
    done = race.run(race.matrix(("c-tuned", "sleepy"), rules={**RULES, "warmup_s": 0.02, "window_s": 0.1},
                                cell={"data": SMALL, "load": {"plan": "open", "share": 20, "connections": 2},
                                      "rows": 2, "comparisons": []}))
    expect_well(race, done, "a rate beyond the slowest")
    check_rate(race, 20, "sleepy")
    entries = {e["entry"]: e for e in race.results()["cells"][0]["entries"]}
    slow = entries["sleepy"]
    expect(slow["marks"]["overloaded"]["marked"] == 2 and slow["trials_counted"] == 2 and slow["trials_excluded"] == 0, "marked, not excluded")
    expect("**Overloaded**: sleepy" in race.text("report.md"), "the report says so")


def generator_cells(race: Race) -> None:
    few = {"contestant": "c-tuned", "as": "few", "load": {"connections": 40, "depth": 4, "in_flight": 3}}
    blind = {"contestant": "c-tuned", "as": "blind", "load": {"verify": False, "record": False, "vary": False}}
    cell = {"measures": "generator", "metric": "generator_ns_per_batch",
            "comparisons": [{"a": "few", "b": "blind", "primary": False, "at_least": 1e-9, "at_most": 1e9}]}
    # Six pairs are the fewest that have an interval.
    done = race.run(race.matrix(("c-tuned", "few"), rules=RULES,
                                cell={"data": SMALL, "rows": 6, "contestants": [few, blind], **cell}))
    expect_well(race, done, "it ends well")
    results = race.results()
    check_schema("results", results)
    trials = results["trials"]
    expect(all(t["gates"]["answers"] == ("unavailable" if t["entry"] == "blind" else "passed") for t in trials),
           "what is not verified never passes: %s" % [t["gates"]["answers"] for t in trials])
    expect(all(t["metrics"]["generator_ns_per_batch"] > 0 for t in trials), "the generator's time is there")
    asked = {(one["connections"], one["depth"], one["in_flight"]) for one in generator_inputs(race)}
    expect(asked == {(40, 4, 3), (2, 2, None)}, "each entry gets its own load: %s" % asked)
    expect(results["cells"][0]["comparisons"][0]["target"]["outcome"] == "met", "a target is told")
    page = race.text("report.md")
    for part in ("This cell measures the load generator", "not verified not recorded always the same batches", "| met |"):
        expect(part in page, "report.md holds '%s'" % part)


def add_sleepy(race: Race) -> None:
    race.add_contestant("sleepy", [sys.executable, os.path.join(ROOT, "tests", "support", "sleepy_server.py")])


def main() -> None:
    skip_unless_built()
    at_once([overload_is_a_mark, slow_one_sets_the_rate, null_contestants_set_none, generator_cells,
             wrong_ones_set_none])


if __name__ == "__main__":
    main()
