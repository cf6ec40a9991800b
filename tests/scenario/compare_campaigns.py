#!/usr/bin/env python3
"""compare_campaigns.py: `matchrace compare` over simulated campaigns: equal ones, a slower contestant, and what is refused.

By hand, `--cells 8` makes forty comparisons of equal campaigns out of two, and counts verdicts and signs.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from small_race import PROGRAM, Race, expect, skip_unless_built

NAMES = ("anchor", "a", "b", "c", "d", "e")
OFF = {name: {"action": "off"} for name in ("nothing_else_ran", "host_did_not_pause", "machine_unchanged", "server_is_limit")}


def campaign(race: Race, seed: int, cells: int) -> str:
    matrix = race.matrix(NAMES[:2], rules={"window_s": 0.001, "warmup_s": 0.05, "gates": OFF}, seed=seed)
    with open(matrix, encoding="utf-8") as file:
        value = json.load(file)
    value["cells"] = [{**value["cells"][0], "name": "cell %d" % number, "driver": "simulated", "rows": 12,
                       "contestants": list(NAMES), "comparisons": []} for number in range(cells)]
    with open(matrix, "w", encoding="utf-8") as file:
        json.dump(value, file)
    done = race.run(matrix, timeout_s=900)
    expect(done.returncode == 0, "a campaign: %s" % done.stderr)
    return race.out


def compare(*words: str, code: int = 0) -> str:
    done = subprocess.run([PROGRAM, "compare", *words], capture_output=True, text=True, timeout=60, check=False)
    expect(done.returncode == code, "exit code %d, wanted %d: %s" % (done.returncode, code, done.stdout + done.stderr))
    return done.stdout + done.stderr


def rows_of(printed: str) -> dict:
    """(cell, contestant) → (ratio, verdict)."""
    found = re.findall(r"^\| (cell \d+) \| (\w+) \| ([0-9.]+) \| .* \| ([a-z, ]+) \|$", printed, re.M)
    return {(cell, name): (float(ratio), verdict) for cell, name, ratio, verdict in found}


def changed(race: Race, folder: str, name: str, change, vouched: bool = True) -> str:
    """A copy of a campaign in which `change` was at work on one of its JSON files, or on all trials; its log knows."""
    race.runs += 1
    copy = race.path("copy-%d" % race.runs)
    shutil.copytree(folder, copy)
    names = [os.path.join("trials", one) for one in os.listdir(os.path.join(copy, "trials"))] if name == "trials" else [name]
    for one in names:
        with open(os.path.join(copy, one), encoding="utf-8") as file:
            value = json.load(file)
        change(value)
        with open(os.path.join(copy, one), "w", encoding="utf-8") as file:
            json.dump(value, file)
        if vouched:
            vouch(copy, one)
    return copy


def vouch(folder: str, name: str) -> None:
    """The log as if the file had been written so."""
    log = os.path.join(folder, "run.log")
    with open(os.path.join(folder, name), "rb") as file:
        now = hashlib.sha256(file.read()).hexdigest()
    with open(log, encoding="utf-8") as file:
        text = re.sub("( %s sha256 )[0-9a-f]{64}" % re.escape(name), r"\g<1>" + now, file.read())
    with open(log, "w", encoding="utf-8") as file:
        file.write(text)


def slow_down(trial: dict) -> None:
    if trial["entry"] == "c":
        trial["metrics"][0]["value"] *= 0.7


def wrong(entry: str):
    def change(trial: dict) -> None:
        if trial["entry"] == entry:
            trial.update(before_gates="wrong", outcome="wrong", reason="answers: a lie")
    return change


def left_out(race: Race, old: str, new: str) -> None:
    """Who gave wrong answers has no speed; shares are shares of something else each time."""
    said = compare(old, changed(race, new, "trials", wrong("c")), "--anchor", "anchor")
    expect('left out: c in "cell 0": it was wrong' in said and sorted(name for _, name in rows_of(said)) == ["a", "b", "d", "e"],
           "a contestant that was wrong: %s" % said)
    said = compare(old, changed(race, new, "trials", wrong("anchor")), "--anchor", "anchor", code=2)
    expect('left out: cell "cell 0": the anchor was wrong' in said, "an anchor that was wrong: %s" % said)

    def share(matrix: dict) -> None:
        matrix["cells"][0]["load"] = {"plan": "open", "share": 0.5, "connections": 1, "depth": 1}
    both = [changed(race, one, "matrix.json", share) for one in (old, new)]
    said = compare(*both, "--anchor", "anchor", code=2)
    expect("its rate is a share of what each campaign measured anew" in said, "shares: %s" % said)


def not_as_run(race: Race, old: str, new: str) -> None:
    """Whoever may stop, or change a file, when he likes what he sees, has compared nothing."""
    edited = changed(race, new, "trials", slow_down, vouched=False)
    expect("was changed after it was written" in compare(old, edited, "--anchor", "anchor", code=2), "edited trials are refused")
    expect("was changed after it was written" in compare(edited, new, "--anchor", "anchor", code=2), "on the other side, too")
    strata = changed(race, new, "manifest.json", lambda manifest: None)
    shutil.copy(os.path.join(strata, "manifest.json"), os.path.join(strata, "manifest-2.json"))
    expect("changed on the way" in compare(old, strata, "--anchor", "anchor", code=2), "two builds under one name are refused")
    done = race.run(os.path.join(new, "matrix.json"), "--max-minutes", "0")
    expect(done.returncode == 5, "a campaign that has only begun: %s" % done.stderr)
    expect("rows are still to run" in compare(old, race.out, "--anchor", "anchor", code=2), "it is refused")


def refusals(race: Race, old: str, new: str) -> None:
    def set_to(path: str, value):
        def change(document):
            *parents, last = path.split("/")
            for word in parents:
                document = document[int(word) if word.isdigit() else word]
            document[last] = value
        return change

    for change, says in ((set_to("environment/cpu_model", "another"), 'cpu_model was'),
                         (set_to("environment/grade", "A"), "grade was"),
                         (set_to("rules/window_s", 9.0), "/window_s was"),
                         (set_to("datasets/0/sha256", "00"), "has other data")):
        said = compare(old, changed(race, new, "manifest.json", change), "--anchor", "anchor", code=2)
        expect(says in said, "refused: %s" % said)
    mode = changed(race, new, "matrix.json", set_to("cells/0/mode", "totals"))
    expect("has another mode" in compare(old, mode, "--anchor", "anchor", code=2), "another workload is refused")
    expect("--anchor is missing" in compare(old, new, code=2), "an anchor is asked for")
    expect("no cell of both campaigns has the anchor" in compare(old, new, "--anchor", "nobody", code=2), "an unknown anchor")
    expect("no contestant ran in both" in compare(old, new, "--anchor", "a", "--contestant", "z", code=2), "an unknown contestant")
    expect("No such file" in compare(old, race.path("nowhere"), "--anchor", "a", code=2), "no campaign")
    other = changed(race, new, "manifest.json", set_to("contestants/0/program_sha256", "00"))
    expect("The anchor's program is not known to be the same" in compare(old, other, "--anchor", "anchor"), "another anchor is told")


def main() -> None:
    skip_unless_built()
    cells = int(sys.argv[2]) if sys.argv[1:2] == ["--cells"] else 1
    with Race() as race:
        for name in NAMES:
            race.add_contestant(name, ["true"])
        old, new = campaign(race, 1, cells), campaign(race, 2, cells)
        rows = rows_of(compare(old, new, "--anchor", "anchor"))
        expect(len(rows) == 5 * cells, "every contestant of every cell: %d" % len(rows))
        verdicts = [key for key, (_, verdict) in rows.items() if verdict not in ("not resolved", "the same")]
        above = sum(ratio > 1 for ratio, _ in rows.values())
        expect(len(verdicts) <= len(rows) / 20, "equal campaigns, called different: %s; %d of %d above 1" % (verdicts, above, len(rows)))
        if cells >= 8:
            expect(len(rows) / 4 <= above <= 3 * len(rows) / 4, "signs are balanced: %d of %d" % (above, len(rows)))
        slower = rows_of(compare(old, changed(race, new, "trials", slow_down), "--anchor", "anchor", "--contestant", "c"))
        expect(slower["cell 0", "c"][1] == "slower" and slower["cell 0", "c"][0] < 0.8, "a slower contestant is found: %s" % slower)
        if cells == 1:
            refusals(race, old, new)
            left_out(race, old, new)
            not_as_run(race, old, new)


main()
