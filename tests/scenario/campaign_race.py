"""campaign_race.py: small races from end to end: files, schemas, figures, the same bytes again. --stepped: the one in-process."""

import csv
import io
import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from json_schema import Checker
from small_race import PROGRAM, ROOT, Race, at_once, expect, skip_unless_built


def check_schema(name: str, value, what: str) -> None:
    with open(os.path.join(ROOT, "schemas", name + ".schema.json"), encoding="utf-8") as file:
        faults = Checker(json.load(file)).faults(value)
    expect(not faults, "%s obeys %s.schema.json%s" % (what, name, "".join("\n  " + f for f in faults[:5])))


def check_files(race: Race, trials: int) -> None:
    results = race.results()
    check_schema("results", results, "results.json")
    check_schema("manifest", results["manifest"], "manifest.json")
    with open(os.path.join(race.out, "matrix.json"), encoding="utf-8") as file:
        check_schema("matrix", json.load(file), "matrix.json")
    names = sorted(os.listdir(os.path.join(race.out, "trials")))
    expect(len(names) == trials, "%d trial files (%d there)" % (trials, len(names)))
    for name in names:
        with open(os.path.join(race.out, "trials", name), encoding="utf-8") as file:
            trial = json.load(file)
        check_schema("trial", trial, name)
        if "generator" in trial.get("details", {}):
            check_schema("welcome", trial["details"]["generator"]["welcome"], "WELCOME in " + name)


def check_csv(race: Race, trials: int) -> None:
    rows = list(csv.DictReader(io.StringIO(race.text("trials.csv"))))
    expect(len(rows) == trials, "trials.csv has a line a trial")
    columns = race.text("trials-columns.md")
    missing = [name for name in rows[0] if "| %s |" % name not in columns]
    expect(not missing, "every column is explained %s" % missing)
    expect(all(row["records_per_s"] != "" for row in rows), "every trial has its figure")


def check_order(results: dict) -> None:
    """Every trial of a row stands where the schedule put it, and orders are balanced."""
    firsts = {}
    for row in results["manifest"]["schedule"]:
        ran = [t["entry"] for t in results["trials"] if t["row"] == row["row"] and t["cell"] == row["cell"]]
        expect(ran == row["order"], "row %d ran as scheduled" % row["row"])
        firsts[ran[0]] = firsts.get(ran[0], 0) + 1
    expect(len(set(firsts.values())) == 1, "every contestant began equally often: %s" % firsts)


def check_figures(results: dict) -> None:
    """The median of the ratios, computed again from the trials."""
    cell = results["cells"][0]
    comparison = cell["comparisons"][0]
    speeds = {}
    for trial in results["trials"]:
        speeds[trial["row"], trial["entry"]] = trial["metrics"][cell["metric"]]
    ratios = sorted(speeds[row, comparison["a"]] / speeds[row, comparison["b"]]
                    for row in range(cell["rows_planned"]))
    if cell["metric"].endswith("_ns") or cell["metric"] == "ns_per_record":
        ratios = sorted(1 / r for r in ratios)
    middle = len(ratios) // 2
    median = (ratios[middle - 1] * ratios[middle]) ** 0.5
    expect(abs(comparison["ratio"] / median - 1) < 1e-9, "the ratio is the median of the pairs' ratios")
    expect(comparison["pairs"] == cell["rows_planned"], "every row is a pair")
    expect(comparison["ratio_low"] <= comparison["ratio"] <= comparison["ratio_high"], "the interval holds it")


def check_again(race: Race) -> None:
    """estimate and report give the same bytes again."""
    names = ("results.json", "report.md", "trials.csv", "trials-columns.md")
    before = {name: race.text(name) for name in names}
    for command in ("estimate", "report"):
        done = subprocess.run([PROGRAM, command, race.out], capture_output=True, text=True, timeout=60, check=False)
        expect(done.returncode == 0, "%s again: %s" % (command, done.stderr))
    for name in names:
        expect(race.text(name) == before[name], name + " is the same, byte for byte")


def check_unfinished(race: Race) -> None:
    """A run that was killed: no results yet, and what to do about it. Numbers beyond five digits keep their order."""
    folder = race.path("killed")
    shutil.copytree(race.out, folder)
    os.unlink(os.path.join(folder, "results.json"))
    trials = os.path.join(folder, "trials")
    with open(os.path.join(folder, "run.log"), encoding="utf-8") as file:
        log = file.read()
    for name, later in zip(sorted(os.listdir(trials))[-2:], ("99999.json", "100000.json")):
        os.rename(os.path.join(trials, name), os.path.join(trials, later))
        log = log.replace("trials/" + name, "trials/" + later)
    with open(os.path.join(folder, "run.log"), "w", encoding="utf-8") as file:
        file.write(log)

    def call(command):
        return subprocess.run([PROGRAM, command, folder], capture_output=True, text=True, timeout=30, check=False)
    done = call("report")
    expect(done.returncode == 2 and "`matchrace estimate %s`" % folder in done.stderr,
           "report names the step before it: %d %s" % (done.returncode, done.stderr))
    expect(call("estimate").returncode == 0 and call("report").returncode == 0, "and then it works")
    with open(os.path.join(folder, "results.json"), encoding="utf-8") as file:
        numbers = [trial["number"] for trial in json.load(file)["trials"]]
    expect(numbers == sorted(numbers), "trials in the order of their numbers: %s" % numbers)


def trial_files(race: Race) -> list:
    folder = os.path.join(race.out, "trials")
    found = []
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            found.append(json.load(file))
    return found


def reasons(race: Race) -> list:
    """Why trials of the race do not count, where it came to trials."""
    return [t["reason"] for t in trial_files(race) if t["outcome"] != "counted"] if os.path.isdir(os.path.join(race.out, "trials")) else []


def check_judged_again(race: Race) -> None:
    """From its observation every trial is judged as in its file; under another threshold, otherwise."""
    stored = {t["number"]: {name: gate["outcome"] for name, gate in t["gates"].items()} for t in trial_files(race)}
    results = race.results()
    expect(all(t["gates"] == stored[t["number"]] for t in results["trials"]), "judged again, every gate says the same")
    expect(results["judged_otherwise"] == 0, "and results.json says so")
    path = os.path.join(race.out, "matrix.json")
    matrix = race.text("matrix.json")
    changed = json.loads(matrix)
    changed["rules"]["gates"]["generator_kept_up"] = {"action": "exclude", "generator_busy_max": 0, "server_busy_min": 2}
    with open(path, "w", encoding="utf-8") as file:
        json.dump(changed, file)
    subprocess.run([PROGRAM, "estimate", race.out], capture_output=True, timeout=60, check=False)
    subprocess.run([PROGRAM, "report", race.out], capture_output=True, timeout=60, check=False)
    otherwise = race.results()
    expect(all(t["gates"]["generator_kept_up"] == "failed" and t["outcome"] == "excluded" and
               "gate generator_kept_up: generator busy" in t["reason"] for t in otherwise["trials"]),
           "a threshold that nobody meets excludes all")
    expect(otherwise["judged_otherwise"] == len(stored) and not otherwise["complete"], "which the results say")
    expect("Judged again under other rules" in race.text("report.md"), "and the report")
    with open(path, "w", encoding="utf-8") as file:
        file.write(matrix)
    subprocess.run([PROGRAM, "estimate", race.out], capture_output=True, timeout=60, check=True)
    expect(race.results() == results, "under the old rules everything is as it was")


def served(race: Race) -> None:
    done = race.run(race.matrix())
    expect(done.returncode == 0, "a served race ends with exit code 0: %s" % done.stderr)
    check_files(race, 12)
    check_csv(race, 12)
    results = race.results()
    check_order(results)
    check_figures(results)
    page = race.text("report.md")
    for part in ("# A small race", "c-tuned", "What may be concluded", "Grade", "How to reproduce", "None: all 12 trials count"):
        expect(part in page, "report.md holds '%s'" % part)
    expect(os.path.exists(os.path.join(race.out, "ratios.svg")), "the picture is there")
    expect(results["complete"] and not results["any_wrong"], "complete, nobody wrong")
    expect(all(t["gates"]["answers"] == "passed" for t in results["trials"]), "answers verified in every trial")
    check_again(race)
    check_unfinished(race)
    check_judged_again(race)


def four_entries(race: Race) -> None:
    entries = ("c-tuned", "c-yyjson", "c-tuned@drain", "c-yyjson@drain")
    done = race.run(race.matrix(entries, cell={"rows": 8}, rules={"warmup_s": 0.02, "window_s": 0.1}))
    expect(done.returncode == 0, "four entries with null contestants: %s" % done.stderr)
    results = race.results()
    check_order(results)
    expect(results["cells"][0]["headroom"] is not None, "headroom over the null contestant is there")
    drained = [t for t in results["trials"] if t["entry"].endswith("@drain")]
    expect(all(t["gates"]["generator_kept_up"] == "exempt" for t in drained), "null contestants are exempt")


def stepped(race: Race) -> None:
    # A folder named from here, as by default: contestants run elsewhere and must find it all the same.
    done = race.run(race.matrix(cell={"driver": "stepped", "name": "simple/parse"}),
                    "--data-dir", os.path.relpath(race.path("data")))
    expect(done.returncode == 0, "a stepped race ends with exit code 0: %s %s" % (done.stderr, reasons(race)))
    check_files(race, 12)
    check_figures(race.results())


def stepped_host(race: Race) -> None:
    """Beside a stepped trial the host is told as beside a served one, and its gates are judged."""
    done = race.run(race.matrix(cell={"driver": "stepped", "name": "simple/parse"},
                                rules={"warmup_s": 0.1, "steps": 6,
                                       "gates": {name: {"action": "mark"} for name in MARKED}}))
    expect(done.returncode == 0, "a stepped race whose gates mark ends with exit code 0: %s" % done.stderr)
    trials = trial_files(race)
    expect(len(trials) == 12, "all trials are there")
    work = {}
    for trial in trials:
        host, seen, gates = trial["details"]["host"], trial["observation"], trial["gates"]
        number = trial["number"]
        expect(host is not None and host["wall_ns"] > 0, "trial %d: there was a window" % number)
        expect({"exec_ns", "major_faults", "run_delay_ns", "memory", "threads"} <= set(host["server"]),
               "trial %d: the process is told" % number)
        expect(host["server"]["exec_ns"] >= 0.5 * sum(trial["details"]["pass_exec_ns"]),
               "trial %d: the process did its passes in the window" % number)
        expect(host["generator"]["exec_ns"] is None, "trial %d: there is no generator to tell of" % number)
        expect(len(host["cores"]) >= 1 and "steal_ns" in host["cores"][0], "trial %d: steal" % number)
        paused = trial["details"]["paused_ns"]
        own = [max(0.0, c - e) for c, e in zip(trial["details"]["pass_ns"], trial["details"]["pass_exec_ns"])]
        expect(abs(paused - sum(own)) <= 1 + 1e-9 * paused, "trial %d: pauses add up" % number)
        expect(seen["in_process"] and 0 <= seen["pause_share"] <= 1, "trial %d: pauses were seen" % number)
        expect(seen["machine_change"] >= 0 and seen["machine_spread"] >= 0, "trial %d: fixed work" % number)
        for gate in ("generator_kept_up", "recorder_sane", "novelty"):
            expect(gates[gate]["outcome"] == "exempt", "trial %d: no generator took part" % number)
        for gate in ("host_did_not_pause", "machine_unchanged"):
            expect(gates[gate]["outcome"] in ("passed", "failed", "unavailable") and gates[gate]["figure"] is not None,
                   "trial %d: %s is judged: %s" % (number, gate, gates[gate]["outcome"]))
        said = gates["nothing_else_ran"]["outcome"]
        expect(said == "unavailable" or seen["foreign_share"] is not None, "trial %d: foreign: %s" % (number, said))
        work.setdefault((trial["row"], trial["attempt"]), []).append(host["fixed_work"])
    expect(len(work) == 6 and all(len(two) == 2 and two[0] == two[1] for two in work.values()),
           "a row's fixed work is done once, for all of its trials")


def open_loop(race: Race) -> None:
    done = race.run(race.matrix(cell={"load": {"plan": "open", "connections": 2, "depth": 8, "rate_per_s": 400},
                                      "rows": 2, "comparisons": []}))
    expect(done.returncode == 0, "an open loop ends with exit code 0: %s" % done.stderr)
    metrics = race.results()["trials"][0]["metrics"]
    expect("latency_p50_ns" in metrics and metrics["round_trip_p50_ns"] is None, "open loops have latency, not round trips")


MARKED = ("generator_kept_up", "recorder_sane", "novelty", "nothing_else_ran", "host_did_not_pause", "machine_unchanged")


def latency(race: Race) -> None:
    """Latency is compared where a core is spare, and only shown where none is."""
    done = race.run(race.matrix(cell={"load": {"plan": "open", "connections": 2, "depth": 8, "rate_per_s": 2000},
                                      "metric": "latency_p50_ns"},
                                rules={"gates": {name: {"action": "mark"} for name in MARKED}}))
    expect(done.returncode == 0, "a race by latency ends with exit code 0: %s" % done.stderr)
    check_files(race, 12)
    results = race.results()
    check_figures(results)
    comparison = results["cells"][0]["comparisons"][0]
    for grade, verdicts in (("C", {"indicative"}), ("B", {"not_resolved", "faster", "slower", "same",
                                                          "faster_size_open", "slower_size_open"})):
        path = os.path.join(race.out, "manifest.json")
        with open(path, encoding="utf-8") as file:
            manifest = json.load(file)
        manifest["environment"]["grade"] = grade
        with open(path, "w", encoding="utf-8") as file:
            json.dump(manifest, file)
        subprocess.run([PROGRAM, "estimate", race.out], capture_output=True, timeout=60, check=True)
        again = race.results()["cells"][0]["comparisons"][0]
        expect(again["verdict"] in verdicts, "grade %s: the verdict is %s" % (grade, again["verdict"]))
        expect(again["ratio"] == comparison["ratio"], "the ratio is shown in any case")
    for trial in trial_files(race):
        seen = trial["observation"]
        expect(seen["open_loop"] and seen["gap_ns"] == 5e5 and seen["overloaded"] in (0, 1), "trial %d: gap of 2000 a second" % trial["number"])
        expect(trial["marks"]["overloaded"]["outcome"] in ("clear", "marked"), "an open loop can be overloaded")
        for gate, fields in (("host_did_not_pause", ("pause_share", "pause_longest_ns")),
                             ("nothing_else_ran", ("foreign_share", "foreign_step_share")),
                             ("machine_unchanged", ("machine_change",))):
            said = trial["gates"][gate]["outcome"]
            expect(said != "off" and (said != "passed" or all(seen[f] is not None for f in fields)),
                   "%s of trial %d is %s: what was not seen did not pass" % (gate, trial["number"], said))


def main() -> None:
    skip_unless_built()
    if sys.argv[1:] == ["--stepped"]:
        at_once([stepped, stepped_host], workers=1)
        return
    at_once([served, latency, four_entries, open_loop], workers=2)


if __name__ == "__main__":
    main()
