"""campaign_parts.py: entries that the machine cannot run are left out with their reason where the matrix calls
them optional, and nowhere else; parts of the job race unchecked, and nobody else does."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from json_schema import Checker
from small_race import ROOT, Race, expect, skip_unless_built

# Speaks `parse --step` and answers with a digest that is nobody's.
STEPPER = """
import sys, time
repeat = int(sys.argv[sys.argv.index("--repeat") + 1])
for _ in range(repeat):
    if "--step" in sys.argv and not sys.stdin.readline():
        break
    start = time.perf_counter_ns()
    while time.perf_counter_ns() - start < 2000000:
        pass
    print('{"records":1,"bytes":2,"ns":%d,"digest":"0000000000000003"}' % (time.perf_counter_ns() - start),
          flush=True)
"""
LAME = "import sys; print('lame parse: this machine cannot run kernel \\'wings\\'', file=sys.stderr); sys.exit(1)"


def optional(name: str) -> dict:
    return {"contestant": name, "optional": True}


def write(race: Race, entries: list, comparisons: list, rows: int) -> str:
    """A matrix of one stepped cell; the object entries are put in afterwards."""
    path = race.stepped_matrix(["a", "b"])
    with open(path, encoding="utf-8") as file:
        matrix = json.load(file)
    matrix["cells"][0].update(contestants=entries, comparisons=comparisons, rows=rows)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(matrix, file)
    return path


def check_schemas(race: Race) -> None:
    trials = [json.loads(race.text("trials/" + name))
              for name in sorted(os.listdir(os.path.join(race.out, "trials")))]
    for name, value in [("results", race.results()), ("manifest", race.results()["manifest"]),
                        ("matrix", json.loads(race.text("matrix.json")))] + [("trial", t) for t in trials]:
        with open(os.path.join(ROOT, "schemas", name + ".schema.json"), encoding="utf-8") as file:
            faults = Checker(json.load(file)).faults(value)
        expect(not faults, "%s.schema.json is obeyed %s" % (name, faults[:3]))


def pair(a: str, b: str, **more) -> dict:
    return {"a": a, "b": b, "primary": False, **more}


def absent_entries_are_left_out(race: Race) -> None:
    entries = ["c-tuned", "c-yyjson", optional("lame"), optional("gone")]
    done = race.run(write(race, entries, [pair("c-tuned", "c-yyjson", at_least=0.01),
                                          pair("c-tuned", "lame", at_least=1)], 8))
    expect(done.returncode == 0, "the race goes on without them: %d %s" % (done.returncode, done.stderr[-400:]))
    check_schemas(race)
    results = race.results()
    entry = {one["entry"]: one for one in results["cells"][0]["entries"]}
    expect("cannot run kernel 'wings'" in entry["lame"].get("absent", ""), "its own words are the reason")
    expect("cannot be run" in entry["gone"].get("absent", ""), "a missing program is: %s" % entry["gone"].get("absent"))
    expect("absent" not in entry["c-tuned"] and entry["c-tuned"]["trials_counted"] == 8, "the others raced")
    real, lame = results["cells"][0]["comparisons"]
    expect(real["pairs"] == 8 and real["target"]["outcome"] == "met", "they are compared: %s" % real)
    expect(lame["verdict"] == "absent" and lame["pairs"] == 0 and lame["target"]["outcome"] == "open",
           "the absent one is not: %s" % lame)
    expect(results["complete"] and not results["any_wrong"], "nothing is missing and nobody wrong")
    report = race.text("report.md")
    expect(report.count("**ABSENT**") == 2 and "**WRONG**" not in report, "the report names both")


def one_left_is_no_race(race: Race) -> None:
    done = race.run(write(race, ["c-tuned", optional("gone")], [], 2))
    expect(done.returncode == 0 and race.results()["cells"][0]["rows_counted"] == 0,
           "a cell of one has no rows and misses none: %d %s" % (done.returncode, done.stderr[-300:]))


def who_is_not_installed_is_left_out(race: Race) -> None:
    done = race.run(write(race, ["c-tuned", "c-yyjson", "needy"], [pair("c-tuned", "c-yyjson", at_least=0.01)], 6))
    expect(done.returncode == 0, "the race goes on without it: %d %s" % (done.returncode, done.stderr[-400:]))
    entry = {one["entry"]: one for one in race.results()["cells"][0]["entries"]}
    absent = entry["needy"].get("absent", "")
    expect("not installed" in absent and "no-such-program-here" in absent, "no word of the matrix is needed: %s" % absent)
    expect("no-such-program-here" in race.text("report.md"), "the report says why")


def optional_is_no_amnesty(race: Race) -> None:
    done = race.run(write(race, ["c-tuned", "lame"], [], 2))
    expect(done.returncode == 3, "who is not optional must run: %d" % done.returncode)
    done = race.run(write(race, ["c-tuned", optional("fibber")], [], 2))
    wrong = race.results()["cells"][0]["entries"][1]["wrong"]
    expect(done.returncode == 3 and "answers" in wrong, "who answers wrongly is wrong: %s" % wrong)


def parts_are_not_checked(race: Race) -> None:
    done = race.run(write(race, ["c-tuned", "piece"], [pair("c-tuned", "piece", at_most=1000)], 2))
    expect(done.returncode == 0, "a part races with any digest: %d %s" % (done.returncode, done.stderr[-400:]))
    check_schemas(race)
    trials = [json.loads(race.text("trials/" + name)) for name in os.listdir(os.path.join(race.out, "trials"))]
    expect(all(trial["details"]["answers_checked"] == (trial["entry"] == "c-tuned") for trial in trials),
           "each trial says whether answers were checked")
    done = race.run(write(race, ["c-tuned", "piece"], [{"a": "c-tuned", "b": "piece"}], 6))
    expect(done.returncode != 0 and "a part of the job only" in done.stderr,
           "a part gets no verdict: %s" % done.stderr[-300:])


def parts_need_no_conformance(race: Race) -> None:
    path = write(race, ["piece", "morsel", optional("gone")], [pair("piece", "morsel")], 6)
    command = [word for word in race.command(path) if word != "--skip-conform"]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60, check=False)
    expect(done.returncode == 0, "no kit is run on parts, nor on who is not there: %d %s" % (done.returncode, done.stderr[-400:]))
    said = {one["entry"]: one["conformance"] for one in race.results()["manifest"]["contestants"]}
    part = "a part of the job: nothing is checked"
    expect(said == {"piece": part, "morsel": part, "gone": "not checked: absent"},
           "and the manifest says so: %s" % said)


def data_has_its_form(race: Race) -> None:
    """What a matrix asks of its data is in the data, and in its name, so that no other is taken for it."""
    path = write(race, ["c-tuned", "piece"], [], 2)
    with open(path, encoding="utf-8") as file:
        matrix = json.load(file)
    matrix["cells"][0]["data"].update(keys="shuffled", space="lines", record_bytes=400, messy_share=0.05,
                                      escape_share=0.1, non_ascii_share=0.2)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(matrix, file)
    done = race.run(path)
    expect(done.returncode == 0, "a race over such data: %d %s" % (done.returncode, done.stderr[-300:]))
    name = "simple-1-1048576B-64-shuffled-lines-b400-m0.05-e0.1-n0.2.json"
    with open(race.path("data", name), encoding="utf-8") as file:
        form = json.load(file)["form"]
    expect(form == {"keys": "shuffled", "space": "lines", "record_bytes": 400, "messy_percent": 5.0,
                    "escape_percent": 10.0, "non_ascii_percent": 20.0}, "it is as asked: %s" % form)


def shipped_files_obey_their_schemas() -> None:
    files = [("matrix", os.path.join(ROOT, "matrices", name)) for name in sorted(os.listdir(os.path.join(ROOT, "matrices")))]
    files.append(("contestant", os.path.join(ROOT, "apps", "bench", "parse-parts", "contestant.json")))
    for schema, path in files:
        with open(os.path.join(ROOT, "schemas", schema + ".schema.json"), encoding="utf-8") as file:
            checker = Checker(json.load(file))
        with open(path, encoding="utf-8") as file:
            faults = checker.faults(json.load(file))
        expect(not faults, "%s obeys its schema %s" % (os.path.basename(path), faults[:3]))


def main() -> None:
    skip_unless_built()
    shipped_files_obey_their_schemas()
    with Race() as race:
        race.add_contestant("lame", [sys.executable, "-c", LAME])
        race.add_contestant("gone", [race.path("not", "there")])
        race.add_contestant("fibber", [sys.executable, "-c", STEPPER])
        race.add_contestant("needy", [sys.executable, "-c", STEPPER], needs=["no-such-program-here"])
        race.add_contestant("piece", [sys.executable, "-c", STEPPER], **{"class": "part"})
        race.add_contestant("morsel", [sys.executable, "-c", STEPPER], **{"class": "part"})
        absent_entries_are_left_out(race)
        who_is_not_installed_is_left_out(race)
        one_left_is_no_race(race)
        optional_is_no_amnesty(race)
        parts_are_not_checked(race)
        parts_need_no_conformance(race)
        data_has_its_form(race)


if __name__ == "__main__":
    main()
