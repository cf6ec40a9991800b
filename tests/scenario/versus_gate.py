#!/usr/bin/env python3
"""versus_gate.py: `matchrace versus`: its exit codes, what it writes, and that builds run as they would from their own folder."""

import json
import os
import subprocess
import sys
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from small_race import BUILD_DIR, PROGRAM, ROOT, Race, expect, skip_unless_built

CONTESTANTS = os.path.join(ROOT, "contestants")
runs = 0


def versus(race: Race, *words: str, codes=(0,)) -> tuple:
    """Its words, and the folder that it left."""
    global runs
    runs += 1
    out = race.path("versus-%d" % runs)
    done = subprocess.run([PROGRAM, "versus", *words, "--out", out, "--data-dir", race.path("data")],
                          capture_output=True, text=True, timeout=100, check=False)
    expect(done.returncode in codes, "%s: exit code %d, wanted %s: %s%s" %
           (" ".join(words), done.returncode, codes, done.stdout, done.stderr))
    return done.stdout + done.stderr, out


def read(*words: str) -> str:
    with open(os.path.join(*words), encoding="utf-8") as file:
        return file.read()


def refusals(race: Race) -> None:
    one, two = (os.path.join(CONTESTANTS, name) for name in ("c-tuned", "c-yyjson"))
    odd = race.path("odd")
    os.mkdir(odd)
    with open(os.path.join(odd, "contestant.json"), "w", encoding="utf-8") as file:
        file.write('{"name": "../up"}')
    # Two folders whose program is the same file of the build folder.
    twins = [race.path("twins", which, "server") for which in ("old", "new")]
    for folder in twins:
        os.makedirs(folder)
        with open(os.path.join(folder, "contestant.json"), "w", encoding="utf-8") as file:
            json.dump({"name": "server", "run": ["dotnet", "${MR_BUILD_DIR}/../server.dll"]}, file)
    for words, says in (((), "which two builds?"), ((one,), "which two builds?"),
                        ((one, two, "--again", one), "takes no builds"),
                        ((one, two, "--fail-if", "slower:3"), "is like slower:3%"),
                        ((one, two, "--fail-if", "faster:3%"), "is like slower:3%"),
                        ((one, two, "--fail-if", "slower:0%"), "is like slower:3%"),
                        ((one, race.path("nowhere")), "No such file"),
                        ((one, race.folder), "contestant.json: No such file"), ((one, odd), "this is no contestant.json")):
        said, _ = versus(race, *words, codes=(2,))
        expect(says in said, "says: %s" % says)
    said, out = versus(race, *twins, codes=(2,))
    expect("run one and the same program" in said and not os.path.exists(out), "a program against itself: %s" % said)


def a_build_in_its_place(race: Race) -> None:
    """A contestant's folder at another place: links, absolute words, nothing to build."""
    race.add_contestant("mine", ["./bin/server", "plain", "${MR_BUILD_DIR}/x"], build="make", build_inputs=["../lib"],
                        variants={"fast": {"label": "x", "build": "make fast", "run": ["./bin/server"]}})
    folder = os.path.join(race.contestants, "mine")
    os.mkdir(os.path.join(folder, "bin"))
    with open(os.path.join(folder, "bin", "server"), "w", encoding="utf-8"):
        pass
    _, out = versus(race, folder, folder, "--measure", "simulated", "--max-minutes", "1", "--skip-conform",
                    "--build-dir-change", "/elsewhere", codes=(0, 5))
    for name, build_dir in (("base", BUILD_DIR), ("change", "/elsewhere")):
        placed = json.loads(read(out, "builds", name, "mine", "contestant.json"))
        expect(placed["name"] == "mine" and placed["build"] is None and "build_inputs" not in placed, "%s: nothing to build" % name)
        expect(placed["run"] == [os.path.join(folder, "bin", "server"), "plain", build_dir + "/x"], "its words: %s" % placed["run"])
        expect("build" not in placed["variants"]["fast"], "nor for its variants")
        expect(os.path.samefile(os.path.join(out, "builds", name, "mine", "bin"), os.path.join(folder, "bin")), "its files")


def a_build_against_itself(race: Race) -> None:
    """Never slower: an equal build is found so much slower once in forty times at the most, and not these times."""
    build = os.path.join(CONTESTANTS, "c-tuned")
    for seed in ("1", "2", "3"):
        said, out = versus(race, build, build, "--measure", "simulated", "--max-minutes", "1", "--skip-conform", "--seed", seed,
                           "--fail-if", "slower:5%", "--call-base", "main & <b>", codes=(0, 5))
        expect("Passed: " in said or "Not resolved: " in said, said)
        results = json.loads(read(out, "race", "results.json"))
        entries = [one["entry"] for one in results["cells"][0]["entries"]]
        expect(entries == ["base", "base-twice", "change"] and results["rules"]["margin"] == 0.05, "who raced: %s" % entries)
        case = xml.etree.ElementTree.parse(os.path.join(out, "versus.xml")).getroot().find("testcase")
        expect("main & <b>" in case.get("name"), "names are text in the XML: %s" % case.get("name"))
        outcome = "passed" if "Passed: " in said else "not resolved"
        expect((case.find("skipped") is None) == (outcome == "passed") and case.find("failure") is None, "the XML says %s" % outcome)
        expect(read(out, "versus.md").startswith("### Speed: %s\n" % outcome), "so does the Markdown")
    with open(os.path.join(out, "race", "results.json"), "w", encoding="utf-8") as file:
        for one in results["cells"][0]["comparisons"]:
            one.update(ratio=0.9, ratio_low=0.88, ratio_high=0.92) if one["a"] == "change" else one.update(ratio_low=0.99, ratio_high=1.01)
        json.dump(results, file)
    again = subprocess.run([PROGRAM, "versus", "--again", out], capture_output=True, text=True, timeout=60, check=False)
    expect(again.returncode == 4 and "Failed: the change is slower by more than 5 %: 10.0 % slower" in again.stdout,
           "results that say slower: exit code 4: %s%s" % (again.stdout, again.stderr))
    case = xml.etree.ElementTree.parse(os.path.join(out, "versus.xml")).getroot().find("testcase")
    expect(case.find("failure") is not None and case.find("skipped") is None, "and a failure in the XML")
    for entry in results["cells"][0]["entries"]:
        entry["metrics"] = {name: {"median": 1e308} for name in ("records_per_s", "ns_per_record", "peak_rss_bytes")}
    with open(os.path.join(out, "race", "results.json"), "w", encoding="utf-8") as file:
        json.dump(results, file)
    again = subprocess.run([PROGRAM, "versus", "--again", out], capture_output=True, text=True, timeout=60, check=False)
    expect(again.returncode == 1 and "results.json: cannot be read" in again.stderr, "figures beyond all measure: %s" % again.stderr)


def by_instructions(race: Race) -> None:
    quick, slow = (os.path.join(CONTESTANTS, name) for name in ("c-tuned", "c-yyjson"))
    words = ("--count", "instructions", "--shape", "simple", "--fail-if", "slower:1%", "--skip-conform")
    said, out = versus(race, quick, slow, *words, codes=(4,))
    expect("more instructions a record" in said and "differs by 0.0" in said, "twice the instructions: %s" % said)
    expect("instructions a record" in read(out, "versus.md"), "told in the Markdown")
    race.add_contestant("managed", ["true"], managed=True)
    managed = os.path.join(race.contestants, "managed")
    said, _ = versus(race, managed, managed, *words, codes=(2,))
    expect("callgrind cannot count" in said, "managed code is refused")
    race.add_contestant("broken", ["sh", "-c", "echo no such file >&2; exit 9"])
    broken = os.path.join(race.contestants, "broken")
    said, _ = versus(race, broken, broken, *words, codes=(1,))
    expect("cannot be counted by callgrind: exit code 9: no such file" in said, "a build that fails: %s" % said)
    said, _ = versus(race, broken, broken, *words[:-1], codes=(3,))
    expect("wrong answers" in said, "whose answers are wrong is not counted: %s" % said)
    race.add_contestant("lazy", ["sh", "-c", "exit 0"])
    lazy = os.path.join(race.contestants, "lazy")
    said, _ = versus(race, lazy, lazy, *words, codes=(1,))
    expect("took no more instructions" in said, "who does nothing does not pass: %s" % said)


def main() -> None:
    skip_unless_built()
    with Race() as race:
        refusals(race)
        a_build_in_its_place(race)
        a_build_against_itself(race)
        by_instructions(race)


main()
