#!/usr/bin/env python3
"""race_own_data.py: `matchrace race` from a file of somebody's own to a report, and what it says of what it cannot take."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from json_schema import Checker
from small_race import PROGRAM, ROOT, Race, expect, skip_unless_built



def lines(count: int, **changes) -> str:
    return "".join(json.dumps({"id": number, "timestamp": 1764000000000000 + number, "source": "s", "kind": "log",
                               "value": number / 8, "flags": [], "message": "m%d" % number, **changes}) + "\n"
                   for number in range(count))


def write(race: Race, name: str, text: str) -> str:
    with open(race.path(name), "w", encoding="utf-8") as file:
        file.write(text)
    return race.path(name)


def run(race: Race, *words: str, code: int = 0) -> str:
    done = subprocess.run([PROGRAM, "race", "--contestants-dir", os.path.join(ROOT, "contestants"),
                           "--contestants-dir", race.contestants, "--data-dir", race.path("data"), *words],
                          capture_output=True, text=True, timeout=60, check=False)
    expect(done.returncode == code, "%s: exit code %d, wanted %d: %s" % (words, done.returncode, code, done.stderr))
    return done.stdout + done.stderr


def refusals(race: Race, file: str) -> None:
    two = ("--contestants", "c-tuned,c-yyjson")
    for words, says in (
            ((*two,), "--data FILE is missing"),
            (("--data", file), "--contestants A,B is missing"),
            (("--data", file, "--contestants", "c-tuned"), "a race needs two"),
            (("--data", file, "--contestants", "c-tuned,contestants/c-tuned"), 'two are called "c-tuned"'),
            (("--data", file, "--contestants", "a,b,c,d,e,f,g"), "at most 6"),
            (("--data", file, "--contestants", "c-tuned,nobody"), "no folder nobody with a contestant.json"),
            (("--data", file, "--contestants", "c-tuned,%s/nobody" % race.folder), "there is no %s/nobody/contestant.json" % race.folder),
            (("--data", race.path("gone.json"), *two), "No such file"),
            (("--data", file, "--contestants", "c-tuned,managed", "--minutes", "1"), "min is too little: 3 entries need 6 rows to decide anything, which takes 5 minutes")):
        expect(says in run(race, *words, code=2), "says: %s" % says)
    bad = write(race, "bad.ndjson", lines(3) + lines(1, value="5"))
    said = run(race, "--data", bad, *two, code=3)
    expect('line 4, byte ' in said and 'record 4, field "value": ' in said and "nothing to race" in said,
           "which record, which field: %s" % said)


def written_matrix(race: Race, file: str) -> dict:
    """By path and by name, with a verdict where there may be one, within the minutes, and by the schema."""
    said = run(race, "--data", file, "--contestants", "c-tuned,%s/gappy/,c-yyjson@drain" % race.contestants,
               "--contestants", "c-yyjson", "--minutes", "3", "--matrix-only")
    path = said.strip().rsplit("the matrix is ", 1)[1]
    with open(path, encoding="utf-8") as opened:
        matrix = json.load(opened)
    with open(os.path.join(ROOT, "schemas", "matrix.schema.json"), encoding="utf-8") as opened:
        faults = Checker(json.load(opened)).faults(matrix)
    expect(not faults, "the matrix keeps its schema: %s" % faults)
    cell = matrix["cells"][0]
    names = [entry["as"] for entry in cell["contestants"]]
    expect(names == ["c-tuned", "gappy", "c-yyjson@drain", "c-yyjson", "c-tuned@drain"], "who races: %s" % names)
    verdicts = [(one["a"], one["b"]) for one in cell["comparisons"] if one["primary"]]
    expect(verdicts == [("c-tuned", "c-yyjson")], "gaps and null contestants get no verdict: %s" % verdicts)
    expect(len(cell["comparisons"]) == 6 and cell["rows"] % 10 == 0, "every pair is shown, in whole designs")
    expect(cell["rows"] * 5 * 2.6 <= 0.9 * 180, "%d rows fit into three minutes" % cell["rows"])
    return matrix


def own_ceiling(race: Race, file: str) -> None:
    """The null contestant is entered once, by whatever path its program was named."""
    said = run(race, "--data", file, "--contestants", "%s/contestants/c-tuned,c-tuned@drain" % ROOT, "--matrix-only")
    with open(said.strip().rsplit("the matrix is ", 1)[1], encoding="utf-8") as opened:
        names = [entry["as"] for entry in json.load(opened)["cells"][0]["contestants"]]
    expect(names == ["c-tuned", "c-tuned@drain"], "who races: %s" % names)


def race_of_it(race: Race, matrix: dict) -> None:
    """The written matrix, with trials as short as a test's, is one that `run` takes."""
    cell = matrix["cells"][0]
    cell["contestants"] = [one for one in cell["contestants"] if one["as"] in ("c-tuned", "c-yyjson")]
    cell["comparisons"] = [one for one in cell["comparisons"] if one["primary"]]
    cell["rows"] = 6
    matrix["rules"].update(warmup_s=0.05, window_s=0.2)
    done = race.run(write(race, "short.json", json.dumps(matrix)))
    expect(done.returncode == 0, "it races: %s" % done.stderr)
    entries = race.results()["cells"][0]["entries"]
    expect([one["trials_counted"] for one in entries] == [6, 6], "every answer about the reader's own data was right")


def main() -> None:
    skip_unless_built()
    with Race() as race:
        for number, name in enumerate(("absent", "gone")):
            race.add_contestant(name, ["true"], needs=["no-such-program-%d" % number])
        race.add_contestant("managed", ["true"], managed=True)
        race.add_contestant("gappy", ["true"], conformance=["W44-connections-1024"])
        file = write(race, "my data.ndjson", lines(3000))
        refusals(race, file)
        own_ceiling(race, file)
        race_of_it(race, written_matrix(race, file))
        made = sorted(os.listdir(race.path("data", "own")))
        expect(made[0].startswith("my-data-") and len(made) == 5, "one dataset for all of them, and its matrix: %s" % made)
        # Nobody is there to race, so that the whole way to the report takes no time.
        run(race, "--data", file, "--contestants", "absent,gone", "--out", race.path("out"))
        with open(race.path("out", "report.md"), encoding="utf-8") as opened:
            expect("A race on " in opened.read(), "a report")
        name = race.path("data", "own", made[0].split(".")[0])
        expect("the matrix is %s.race.json" % name in run(race, "--data", name, "--contestants", "absent,gone", "--matrix-only"),
               "a dataset by its name")


main()
