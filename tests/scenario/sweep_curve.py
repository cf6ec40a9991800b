"""sweep_curve.py: small sweeps from end to end: order, rates, medians, files, limit, overload."""

import csv
import io
import json
import math
import os
import statistics
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from json_schema import Checker
from small_race import ROOT, expect, processes_naming, skip_unless_built
from small_sweep import Sweep

LEVELS = ("p50_ns", "p90_ns", "p99_ns", "p99_9_ns", "max_ns")
NEEDS = {"p50_ns": 200, "p90_ns": 1000, "p99_ns": 10000, "p99_9_ns": 100000}


def check_schema(name: str, value, what: str) -> None:
    with open(os.path.join(ROOT, "schemas", name + ".schema.json"), encoding="utf-8") as file:
        faults = Checker(json.load(file)).faults(value)
    expect(not faults, "%s obeys %s.schema.json%s" % (what, name, "".join("\n  " + f for f in faults[:5])))


def check_order(result: dict) -> None:
    """Trials ran in the order of the schedule, contestants back to back, loads once a repeat."""
    wanted = [(row["phase"], row["load_percent"], row["repeat"], entry)
              for row in result["schedule"] for entry in row["order"]
              for _ in range(2 if row["phase"] == "pair" else 1)]
    ran = [(t["phase"], t["load_percent"], t["repeat"], t["entry"])
           for t in result["trials"] if t["phase"] != "limit" and t["attempt"] == 0]
    expect(ran == wanted, "trials ran as scheduled, contestants in turn")
    loads = [row["load_percent"] for row in result["schedule"] if row["phase"] == "load"]
    asked = result["inputs"]["loads_percent"]
    for repeat in range(result["inputs"]["repeats"]):
        part = loads[repeat * len(asked):(repeat + 1) * len(asked)]
        expect(sorted(part) == asked, "every load once in repeat %d" % repeat)
    expect(len({row["order"][0] for row in result["schedule"]}) == len(result["contestants"]),
           "nobody always goes first")


def counted(result: dict, entry: str, phase: str, load=None) -> list:
    return [t for t in result["trials"] if t["entry"] == entry and t["phase"] == phase
            and t["load_percent"] == load and t["outcome"] == "counted"]


def check_spread(point_value, values: list, what: str) -> None:
    if any(value is None for value in values) or not values:
        expect(point_value is None, "%s: null where a trial has none" % what)
        return
    expect(abs(point_value["median"] - statistics.median(values)) < 1e-6
           and point_value["low"] == min(values) and point_value["high"] == max(values),
           "%s: median and range" % what)


def check_points(result: dict) -> None:
    """Maxima, rates and medians, computed again from the trials."""
    for one in result["contestants"]:
        name = one["entry"]
        maximum = statistics.median(t["achieved_per_s"] for t in counted(result, name, "closed"))
        expect(abs(one["maximum"]["batches_per_s"]["median"] - maximum) < 1e-6, name + ": the maximum is the median")
        for point in one["points"]:
            trials = counted(result, name, "load", point["load_percent"])
            what = "%s at %d %%" % (name, point["load_percent"])
            expect(len(trials) == point["trials_counted"] == result["inputs"]["repeats"], what + ": every repeat")
            expect(abs(point["rate_per_s"] - maximum * point["load_percent"] / 100) <= 0.5 + 1e-6,
                   what + ": the rate is that share of its own maximum")
            for series in ("latency", "service_time"):
                for level in LEVELS:
                    check_spread(point[series][level], [t[series][level] for t in trials],
                                 "%s, %s %s" % (what, series, level))
            check_spread(point["achieved_per_s"], [t["achieved_per_s"] for t in trials], what + ", achieved")
            expect(point["overloaded"] == (2 * sum(t["overloaded"] for t in trials) > len(trials)), what + ": overloaded")


def check_trials(sweep: Sweep, result: dict) -> None:
    """Each trial's figures are those of its generator's result, which is kept; too few batches are null."""
    nulls = 0
    for trial in result["trials"]:
        file = sweep.trial(trial["number"])
        check_schema("trial", file, "trial %d" % trial["number"])
        generator = file["details"]["generator"]
        expect(generator["inputs"]["rate_per_s"] == trial["rate_per_s"], "the generator was given that rate")
        expect(generator["window"]["batches_per_s"] == trial["achieved_per_s"], "what it achieved is what it says")
        if trial["rate_per_s"] is None:
            expect(generator["inputs"]["plan"] == "closed" and "latency" not in trial, "a closed loop has no latency")
            continue
        expect(generator["inputs"]["plan"] == result["inputs"]["plan"], "the plan is what was asked for")
        for series in ("latency", "service_time"):
            n = trial[series]["n"]
            expect(n > 0, "there are batches")
            for level, needed in NEEDS.items():
                expect((trial[series][level] is None) == (n < needed), "%s of %d batches" % (level, n))
                expect(trial[series][level] == generator["series"][series][level], "as the generator says")
            nulls += trial[series]["p99_9_ns"] is None
    expect(nulls > 0, "n is too small somewhere, and then it is null")


def check_files(sweep: Sweep, result: dict, printed: str) -> None:
    rows = list(csv.DictReader(io.StringIO(sweep.text("sweep.csv"))))
    points = [(one["entry"], point) for one in result["contestants"] for point in one["points"]]
    expect(len(rows) == len(points), "sweep.csv has a line a point")
    for row, (entry, point) in zip(rows, points):
        expect(None not in row and None not in row.values(), "as many fields as names")
        expect(row["entry"] == entry and int(row["load_percent"]) == point["load_percent"], "in order")
        for series in ("latency", "service_time"):
            for level in LEVELS:
                value = point[series][level]
                texts = [row["%s_%s%s" % (series, level, end)] for end in ("", "_low", "_high")]
                wanted = ["", "", ""] if value is None else [value["median"], value["low"], value["high"]]
                expect([text if text == "" else float(text) for text in texts] == wanted, "the same figures")
    # Who never had the 200 batches of a median has no curve: on a crowded machine that happens.
    drawn = [one["entry"] for one in result["contestants"] if any(p["latency"]["p50_ns"] for p in one["points"])]
    expect(os.path.exists(os.path.join(sweep.out, "latency.svg")) == bool(drawn), "there is a picture where there is a curve")
    if drawn:
        picture = sweep.text("latency.svg")
        expect(picture.rstrip().endswith("</svg>") and all(name + " p50" in picture for name in drawn),
               "the picture is whole and names everybody")
        for one in result["contestants"]:
            for level, key in (("p99", "p99_ns"), ("p99.9", "p99_9_ns")):
                there = any(point["latency"][key] for point in one["points"])
                expect(("%s %s<" % (one["entry"], level) in picture) == there, "%s is named where it is drawn" % level)
    expect(sweep.text("sweep.txt") in printed and "n small" in printed, "the table is printed and kept")
    expect(("indicative" in printed) == (result["environment"]["grade"] == "C") == result["latency_is_indicative"],
           "in grade C latency is indicative, and it is said")


def curves(sweep: Sweep) -> None:
    done = sweep.run("c-tuned", "c-yyjson", "--loads", "110,25,50", "--repeats", "2", "--window", "300ms",
                     "--pairs", "2")
    expect(done.returncode == 0, "a sweep ends with exit code 0: %s" % done.stderr)
    result = sweep.result()
    check_schema("sweep", result, "sweep.json")
    expect(result["complete"] and result["ended"] == "complete" and result["missing"] == "", "it is complete")
    check_order(result)
    check_points(result)
    check_trials(sweep, result)
    check_files(sweep, result, done.stdout)
    check_saturation(result)
    expect(done.stdout.count("Saturation: ") == 2, "and it is printed")


def check_saturation(result: dict) -> None:
    """Of pairs that ran side by side, each way round once; the ratio is computed again from their trials."""
    for one in result["contestants"]:
        name, found, ratios, sustained = one["entry"], one["saturation"], [], 0
        for pair in range(result["inputs"]["pairs"]):
            trials = [t for t in counted(result, name, "pair") if t["repeat"] == pair]
            expect(len(trials) == 2 and trials[1]["number"] == trials[0]["number"] + 1, name + ": side by side")
            closed, opened = sorted(trials, key=lambda t: t["rate_per_s"] or 0)
            expect(closed["rate_per_s"] is None and trials.index(closed) == pair % 2, name + ": in alternating order")
            shown = [t["achieved_per_s"] for t in result["trials"] if t["entry"] == name and t["number"] < opened["number"]
                     and t["phase"] == "pair" and t["rate_per_s"] is None and t["outcome"] == "counted"]
            most = max([one["maximum"]["batches_per_s"]["median"], *shown])
            expect(abs(opened["rate_per_s"] - 1.1 * most) <= 0.5 + 1e-6, name + ": 110 % of the most that it has shown")
            sustained += not opened["overloaded"]
            ratios.append(opened["achieved_per_s"] / closed["achieved_per_s"])
        expect(found["pairs"] == len(ratios) and found["pairs_sustained"] == sustained, name + ": the pairs are counted")
        wanted = math.exp(statistics.median(map(math.log, ratios))) if ratios else None
        expect(found["ratio"] == wanted or abs(found["ratio"] / wanted - 1) < 1e-9, name + ": the median of the ratios")
        expect(found["ratio_low"] is None and found["verdict"] == "open", name + ": two pairs have no interval")


def overload(sweep: Sweep) -> None:
    """Three times the slow one's maximum: the same rate for both; for one of them a result, not a failure."""
    done = sweep.run("example-python", "c-tuned", "--loads", "300", "--of", "slowest", "--window", "800ms",
                     "--drain-limit", "20ms")
    expect(done.returncode == 0, "a rate beyond the capacity is no failure: %s" % done.stderr)
    result = sweep.result()
    check_schema("sweep", result, "sweep.json")
    slow, fast = result["contestants"]
    expect(slow["maximum"]["batches_per_s"]["median"] < fast["maximum"]["batches_per_s"]["median"], "one is slower")
    rates = [one["points"][0]["rate_per_s"] for one in (slow, fast)]
    expect(rates[0] == rates[1] and abs(rates[0] - 3 * slow["maximum"]["batches_per_s"]["median"]) <= 0.5 + 1e-6,
           "one rate, of the slowest one's")
    point = slow["points"][0]
    expect(point["overloaded"] and point["trials_counted"] == 1, "overloaded, and it counts")
    expect(point["backlog_end"]["median"] > point["backlog_begin"]["median"], "its backlog grew")
    expect(point["censored"] > 0, "what the drain limit cut off is counted")
    expect(fast["saturation"] is None, "without pairs nobody's saturation is known")
    expect("overloaded: backlog" in done.stdout, "the table says so")
    data = sweep.text("latency.gnuplot").split("$entry0 << EOD\n")[1].split("EOD")[0].split()
    expect(data[7] == "1", "and its point is hollow")


def limit(sweep: Sweep) -> None:
    done = sweep.run("c-tuned", "--loads", "50,100", "--slo", "60m")
    expect(done.returncode in (0, 5), "a limit is looked for: %s" % done.stderr)
    result = sweep.result()
    check_schema("sweep", result, "sweep.json")
    slo = result["contestants"][0]["slo"]
    for rate in slo["rates"]:
        trials = [t for t in result["trials"] if t["rate_per_s"] == rate["rate_per_s"]
                  and (t["phase"] == "limit") == rate["searched"]]
        expect(len(trials) == 1, "each rate was tried as often as it takes")
        verdict = "broke" if trials[0]["overloaded"] else "kept"  # an hour breaks nobody's p99
        expect(rate["verdict"] == verdict, "%d batches/s %s it" % (rate["rate_per_s"], verdict))
    broke = min((r["rate_per_s"] for r in slo["rates"] if r["verdict"] == "broke"), default=None)
    kept = max((r["rate_per_s"] for r in slo["rates"] if r["verdict"] == "kept"
                and (broke is None or r["rate_per_s"] < broke)), default=None)
    expect(slo["kept_per_s"] == kept and slo["broke_per_s"] == broke, "the bracket follows from the rates")
    expect(any(r["searched"] for r in slo["rates"]), "rates beside the loads were tried")
    expect("p99 within 3.6e+03 s: " in done.stdout, "the table says so")


def limit_without_p99(sweep: Sweep) -> None:
    """Nobody answers within a nanosecond; halved often enough, a rate has too few batches to tell."""
    done = sweep.run("c-tuned", "--loads", "50", "--slo", "1ns")
    expect(done.returncode == 5 and "longer --window" in done.stderr, "what to do is said: %s" % done.stderr)
    slo = sweep.result()["contestants"][0]["slo"]
    expect(slo["ended"] == "n too small" and slo["kept_per_s"] is None and slo["broke_per_s"] is not None,
           "the search says how it ended: %s" % slo["ended"])


def same_seed(sweep: Sweep) -> None:
    schedules = []
    for seed in ("1", "1", "9"):
        done = sweep.run("c-tuned", "c-yyjson", "--loads", "10,20,30,40,50,60,70,80", "--repeats", "3",
                         "--budget", "1ms", "--seed", seed)
        expect(done.returncode == 5, "a budget too small for one trial: %s" % done.stderr)
        schedules.append(sweep.result()["schedule"])
    expect(schedules[0] == schedules[1] != schedules[2], "the seed alone fixes the order")


def poisson(sweep: Sweep) -> None:
    """The plan where nothing is said."""
    command = sweep.command("c-tuned", "--loads", "50")
    del command[command.index("--plan"):command.index("--plan") + 2]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    expect(done.returncode == 0, "Poisson arrivals by default: %s" % done.stderr)
    result = sweep.result()
    check_schema("sweep", result, "sweep.json")
    check_points(result)
    expect(result["inputs"]["plan"] == "poisson" and "Poisson" in done.stdout, "and the result says so")
    trial = sweep.trial(result["trials"][-1]["number"])
    expect(trial["details"]["generator"]["inputs"]["plan"] == "poisson", "the generator was told")


def main() -> None:
    """With --quick the smallest sweep alone."""
    skip_unless_built()
    with Sweep() as sweep:
        poisson(sweep)
        if "--quick" not in sys.argv[1:]:
            curves(sweep)
            overload(sweep)
            limit(sweep)
            limit_without_p99(sweep)
            same_seed(sweep)
        expect(not processes_naming(sweep.folder), "nothing is left running")


if __name__ == "__main__":
    main()
