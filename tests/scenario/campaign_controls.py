"""campaign_controls.py: controls of known size from the matrix to the first page, by simulated trials; nobody runs."""

import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from small_race import PROGRAM, Race, expect, skip_unless_built

GATES = {name: {"action": "off"} for name in ("host_did_not_pause", "machine_unchanged", "server_is_limit")}
# Who begins so is caught in simulation; "quiet" is a liar that nobody catches.
LIARS = ("liar-a", "liar-b")
# Of files that the log does not vouch for; the results are computed all the same.
EDITED = 3


def make_matrix(race: Race, contestants, **changes) -> str:
    controls = {"like": "race", "rows": 12, "baselines": ["n", "m"], "doses": [0.01, 0.02, 0.05], "liars": list(LIARS)}
    controls.update(changes.pop("controls", {}))
    cell = {"name": "race", "driver": "simulated", "rows": 24, "load": {}}
    return race.matrix(contestants, cell=cell, rules={"window_s": 0.002, "retries_max": 10, "gates": GATES},
                       controls=controls, **changes)


def entries_of(results: dict) -> dict:
    return {one["entry"]: one for one in results["controls"]["of"]}


def check_first_pages(race: Race, results: dict) -> None:
    controls = results["controls"]
    for name in ("report.md", "report.html"):
        text = race.text(name)
        expect("2 of 2 caught" in text and "0 of 2 equal pairs called different" in text, "%s tells of lies and twins" % name)
        expect("5 % found beside 2 of 2" in text, "%s tells what was found" % name)
        expect("%.1f %%, the largest bound" % (100 * controls["noise_floor"]) in text, "%s has the noise floor" % name)
        place = re.sub("&[a-z0-9#]+;|[\"`\\\\]", "", text)
        expect(place.count("by records_per_s in the cell race") == 2, "%s says of both where they hold" % name)
        expect(text.index("5 % found beside") < text.index("simulated: nobody ran"), "%s has it before the cells" % name)
    expect("WRONG" not in race.text("report.md"), "a planted liar is no contestant that was wrong")


def check_exclusions(race: Race, results: dict) -> None:
    """Who lost how many trials, and the ratio with and without exclusions, stand beside the comparison."""
    said = results["cells"][0]["comparisons"][0]
    lost = {side: said["exclusions"][side] for side in "ab"}
    ran = [t for t in results["trials"] if t["cell"] == "race"]
    for side, one in lost.items():
        own = [t for t in ran if t["entry"] == said[side]]
        expect(one == {"lost": sum(t["outcome"] == "excluded" for t in own), "trials": len(own)}, "what %s lost: %s" % (said[side], one))
    expect(sum(one["lost"] for one in lost.values()) > 0, "something was excluded")
    words = "Excluded: %d of %d trials of %s" % (lost["a"]["lost"], lost["a"]["trials"], said["a"])
    for name in ("report.md", "report.html"):
        expect(words in race.text(name) and "without, of the attempts in which both ran, " in race.text(name), "%s says so" % name)


def check_codes(race: Race, results: dict) -> None:
    """Before its end nothing that judges has anything but code names."""
    codes = entries_of(results)
    expect(len(codes) == 10 and sorted(one["is"] for one in codes.values()).count("liar") == 2, "ten controls: %s" % list(codes))
    for number in range(1, len(results["trials"]) + 1):
        trial = json.loads(race.text("trials/%05d.json" % number))
        if trial["cell"].startswith("controls"):
            expect(re.fullmatch(r"code-\d\d", trial["entry"]) is not None, "trial %d has a code name" % number)


def check_interleaved(results: dict) -> None:
    """Rows of controls lie among those of the race from its beginning to its end."""
    cells = [row["cell"] for row in results["manifest"]["schedule"]]
    for part in ("controls, part 1", "controls, part 2"):
        at = [i for i, cell in enumerate(cells) if cell == part]
        gaps = [b - a for a, b in zip([-1, *at], [*at, len(cells)])]
        expect(len(at) == 12 and max(gaps) <= 6, "%s stands everywhere: %s" % (part, at))


def again(folder: str, command: str, code: int) -> str:
    done = subprocess.run([PROGRAM, command, folder], capture_output=True, text=True, timeout=60, check=False)
    expect(done.returncode == code, "%s ends with %d: %d %s%s" % (command, code, done.returncode, done.stdout, done.stderr))
    return done.stdout + done.stderr


def results_of(folder: str) -> dict:
    with open(os.path.join(folder, "results.json"), encoding="utf-8") as file:
        return json.load(file)


def change_trials(folder: str, change) -> None:
    place = os.path.join(folder, "trials")
    for name in os.listdir(place):
        path = os.path.join(place, name)
        with open(path, encoding="utf-8") as file:
            trial = json.load(file)
        change(trial)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(trial, file, indent=2)


def check_edited_sensitivity(race: Race) -> None:
    """A better sensitivity than was measured is found out."""
    folder = race.path("edited")
    shutil.copytree(race.out, folder)
    path = os.path.join(folder, "results.json")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    changed = re.sub(r'"claims_from": [0-9.]+', '"claims_from": 0.001', text)
    expect(changed != text, "claims_from is edited")
    with open(path, "w", encoding="utf-8") as file:
        file.write(changed)
    expect("/controls/claims_from is 0.001" in again(folder, "verify", 3), "verify names what was edited")


def check_twin_that_differs(race: Race, results: dict) -> None:
    folder = race.path("differs")
    shutil.copytree(race.out, folder)
    twin = next(code for code, one in entries_of(results).items() if one["is"] == "twin")

    def faster(trial):
        if trial["entry"] == twin and trial["outcome"] == "counted":
            next(one for one in trial["metrics"] if one["name"] == "records_per_s")["value"] *= 1.2
    change_trials(folder, faster)
    again(folder, "estimate", EDITED)
    void = results_of(folder)
    expect(void["controls"]["void"] and entries_of(void)[twin]["outcome"] == "differs", "the twin is called different")
    expect(void["cells"][0]["comparisons"][0]["verdict"] == "void", "nothing of the table stands")
    again(folder, "report", 0)
    for name in ("report.md", "report.html"):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            expect("and its identical twin differ (speed ratio" in file.read(), "%s says so in words" % name)


def check_renaming(race: Race, results: dict) -> None:
    """Other names of contestants and code names: the same gates, figures and verdicts."""
    folder = race.path("renamed")
    shutil.copytree(race.out, folder)
    names = {"i": "zz", "n": "aa", "m": "bb", **{liar: "first-" + liar for liar in LIARS}}

    def rename(value):
        if isinstance(value, dict):
            return {rename(key): rename(one) for key, one in value.items()}
        if isinstance(value, list):
            return [rename(one) for one in value]
        return names.get(value, value) if isinstance(value, str) else value
    for name in ("matrix.json", "manifest.json"):
        path = os.path.join(folder, name)
        with open(path, encoding="utf-8") as file:
            renamed = rename(json.load(file))
        with open(path, "w", encoding="utf-8") as file:
            json.dump(renamed, file)
    change_trials(folder, lambda trial: trial.update(rename(dict(trial))))
    again(folder, "estimate", EDITED)
    changed = results_of(folder)
    expect(changed["judged_otherwise"] == 0, "every gate says the same of every trial")
    back = {new: old for old, new in names.items()}
    names.clear()
    names.update(back)
    for part in ("cells", "controls"):
        expect(rename(changed[part]) == results[part], "%s are the same but for names" % part)


def check_unfinished(race: Race) -> None:
    """A race that is whole gets no verdict while the rows of its controls are missing."""
    folder = race.path("unfinished")
    shutil.copytree(race.out, folder)
    place = os.path.join(folder, "trials")
    for name in sorted(os.listdir(place)):
        with open(os.path.join(place, name), encoding="utf-8") as file:
            trial = json.load(file)
        if trial["cell"].startswith("controls") and trial["row"] == 11:
            os.remove(os.path.join(place, name))
    again(folder, "estimate", EDITED)
    results = results_of(folder)
    expect(not results["controls"]["finished"] and results["cells"][0]["comparisons"][0]["verdict"] == "not_resolved",
           "no verdict before the controls ran")


def check_believed(race: Race, contestants) -> None:
    """A lie that nobody catches ends with exit code 3, and nothing stands."""
    done = race.run(make_matrix(race, contestants, controls={"liars": ["quiet"], "baselines": ["n"], "doses": [0.01, 0.05, 0.1]}))
    expect(done.returncode == 3 and "a planted lie was believed" in done.stderr, "exit code 3: %d %s" % (done.returncode, done.stderr))
    results = race.results()
    expect(results["controls"]["lies_caught"] == 0 and results["controls"]["void"], "the lie was believed")
    expect(results["cells"][0]["comparisons"][0]["verdict"] == "void", "nothing of the table stands")
    expect("told a planted lie and was believed" in race.text("report.md"), "the report says so")


def check_below(race: Race, contestants) -> None:
    """A claim smaller than the smallest dose that was found gets no verdict; a larger one does."""
    for doses, verdict in (([0.5], "below_control"), ([0.05], None)):
        done = race.run(make_matrix(race, contestants, controls={"doses": doses, "baselines": ["n"]}))
        expect(done.returncode == 0, "it runs: %s" % done.stderr)
        said = race.results()["cells"][0]["comparisons"][0]
        expect((said["verdict"] == "below_control") == (verdict == "below_control"), "doses %s: %s" % (doses, said["verdict"]))
    expect(abs(said["ratio"] - 1) > 0.05, "12 % apart are more than 5 %")


def main() -> None:
    skip_unless_built()
    with Race() as race:
        # The last letter is the speed: i is 12 % slower than m.
        contestants = ("i", "m")
        for name in ("i", "n", "m", "quiet", *LIARS):
            race.add_contestant(name, ["true"])
        check_believed(race, contestants)
        check_below(race, contestants)
        done = race.run(make_matrix(race, contestants))
        expect(done.returncode == 0, "planted liars are no failure: %d %s" % (done.returncode, done.stderr))
        results = race.results()
        again(race.out, "verify", 0)
        check_first_pages(race, results)
        check_codes(race, results)
        check_exclusions(race, results)
        check_interleaved(results)
        check_edited_sensitivity(race)
        check_twin_that_differs(race, results)
        check_renaming(race, results)
        check_unfinished(race)


if __name__ == "__main__":
    main()
