"""campaign_verify.py: `verify` passes what a race left, and names the file of every change planted in it."""

import glob
import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from small_race import PROGRAM, Race, expect, skip_unless_built


def verify(folder: str) -> subprocess.CompletedProcess:
    return subprocess.run([PROGRAM, "verify", folder], capture_output=True, text=True, timeout=60, check=False)


def all_bytes(folder: str) -> dict:
    found = {}
    for path, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(path, name), "rb") as file:
                found[os.path.relpath(os.path.join(path, name), folder)] = file.read()
    return found


def edit_json(folder: str, name: str, change) -> None:
    path = os.path.join(folder, name)
    with open(path, encoding="utf-8") as file:
        value = json.load(file)
    change(value)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file, indent=2)
        file.write("\n")


def again(folder: str) -> None:
    """Whoever changes a trial may make results and report fit it."""
    for command in ("estimate", "report"):
        subprocess.run([PROGRAM, command, folder], capture_output=True, timeout=60, check=False)


def edit_text(folder: str, name: str, old: str, new: str) -> None:
    path = os.path.join(folder, name)
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    expect(old in text, "%s has %r, which is changed" % (name, old))
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text.replace(old, new, 1))


def trial(number: int) -> str:
    return "trials/%05d.json" % number


def faster(value: dict) -> None:
    for metric in value["metrics"]:
        metric["value"] *= 1.01


def let_pass(value: dict) -> None:
    value["gates"]["generator_kept_up"]["outcome"] = "failed"


def exclude(value: dict) -> None:
    value.update(before_gates="excluded", outcome="excluded", reason="it did not suit me")


def run_twice(folder: str, name: str) -> None:
    """The log as it is where a trial was taken away and its row ran again under its number."""
    path = os.path.join(folder, "run.log")
    with open(path, encoding="utf-8") as file:
        lines = file.readlines()
    at = next(i for i, line in enumerate(lines) if " %s sha256 " % name in line)
    lines.insert(at, lines[at][:-65] + 64 * "0" + "\n")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(lines)


# What is changed, and what verify must say; (name of the file, part of its line).
def planted(trials: int, winner: str) -> dict:
    return {
        "a figure of a trial": (lambda f: edit_json(f, trial(2), faster), trial(2), "but the log has"),
        "a figure of a trial, with results that fit": (
            lambda f: (edit_json(f, trial(2), faster), again(f)), trial(2), "but the log has"),
        "a detail of a trial": (lambda f: edit_json(f, trial(1), lambda v: v["details"].update(more=1)), trial(1), "sha256"),
        "a gate's outcome": (lambda f: edit_json(f, trial(3), let_pass), trial(3), "gate generator_kept_up"),
        "an exclusion": (lambda f: (edit_json(f, trial(3), exclude), again(f)), trial(3), "sha256"),
        "an outcome alone": (lambda f: edit_json(f, trial(3), lambda v: v.update(outcome="excluded")), trial(3),
                             "excluded, judged again counted"),
        "a trial's entry": (lambda f: edit_json(f, trial(1), lambda v: v.update(entry="nobody")), trial(1),
                            "nobody ran where the schedule has"),
        "a trial taken away": (lambda f: os.unlink(os.path.join(f, trial(2))), trial(2), "cannot be read"),
        "the last trial taken away": (lambda f: (os.unlink(os.path.join(f, trial(trials))), again(f)), trial(trials),
                                      "cannot be read"),
        "a trial added": (lambda f: shutil.copy(os.path.join(f, trial(1)), os.path.join(f, trial(trials + 1))),
                          trial(trials + 1), "number 1 where %d is due" % (trials + 1)),
        "a trial cut off": (lambda f: os.truncate(os.path.join(f, trial(4)), 100), trial(4), "no trial"),
        "a trial written twice": (lambda f: run_twice(f, trial(2)), trial(2), "the log has two hashes of it"),
        "the margin": (lambda f: edit_json(f, "matrix.json", lambda v: v["rules"].update(margin=0.001)), "matrix.json", "sha256"),
        "the matrix's seed": (lambda f: (edit_json(f, "matrix.json", lambda v: v.update(seed=8)), again(f)), "matrix.json", "sha256"),
        "the manifest": (lambda f: (edit_json(f, "manifest.json", lambda v: v.update(commit="another")), again(f)),
                         "manifest.json", "sha256"),
        "a verdict": (lambda f: edit_json(f, "results.json", lambda v: v["cells"][0]["comparisons"][0].update(verdict="void")),
                      "results.json", "/cells/0/comparisons/0/verdict is \"void\", computed again \"%s\"" % winner),
        "results written otherwise": (lambda f: edit_text(f, "results.json", "  ", " "), "results.json", "in other bytes"),
        "results taken away": (lambda f: os.unlink(os.path.join(f, "results.json")), "results.json", "missing"),
        "the log": (lambda f: edit_text(f, "run.log", "end:", "END:"), "results.json", "/sha256/run.log"),
        "a hash in the log": (lambda f: edit_text(f, "run.log", "trials/00001.json sha256 ", "trials/00001.json hash "),
                              trial(1), "the log has no hash of it"),
        "the report": (lambda f: edit_text(f, "report.md", "Rows counted", "Rows counted with care"), "report.md",
                       "differs from line"),
        "the page": (lambda f: edit_text(f, "report.html", "<title>", "<title>The best of all: "), "report.html",
                     "differs from line"),
        "trials.csv": (lambda f: edit_text(f, "trials.csv", "\n", "\n\n"), "trials.csv", "differs from line"),
        "the columns": (lambda f: os.unlink(os.path.join(f, "trials-columns.md")), "trials-columns.md", "cannot be read"),
        "the picture": (lambda f: edit_text(f, "ratios.svg", "<svg", "<svg "), "ratios.svg", "differs from line"),
    }


def call(*words: str) -> subprocess.CompletedProcess:
    """A command of the program; one that waits for a pipe's writer fails by the time limit."""
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=30, check=False)


def copy_of(race: Race, called: str) -> str:
    folder = race.path(called)
    shutil.copytree(race.out, folder)
    return folder


def check_going_on(race: Race) -> None:
    """Whoever goes on from a folder takes none whose files were changed or taken away."""
    for number, (what, plant, part) in enumerate((
            ("the last trial taken away", lambda f: os.unlink(sorted(glob.glob(f + "/trials/*.json"))[-1]), "was taken away"),
            ("the first trial taken away", lambda f: os.unlink(os.path.join(f, trial(1))), trial(1) + " was taken away"),
            ("a trial changed", lambda f: edit_json(f, trial(2), faster), trial(2) + " was changed"),
            ("a trial written twice", lambda f: run_twice(f, trial(2)), trial(2) + " was taken away and ran again"),
            ("the matrix changed", lambda f: edit_json(f, "matrix.json", lambda v: v.update(seed=9)), "matrix.json was changed"))):
        folder = copy_of(race, "going-on-%d" % number)
        plant(folder)
        before = all_bytes(folder)
        for words in (("run", "--resume", folder), ("status", folder)):
            done = call(*words)
            expect(done.returncode == 2 and part in done.stderr and len(done.stderr.splitlines()) == 1,
                   "%s: %s refuses: %d %s" % (what, words[0], done.returncode, done.stderr))
        expect(all_bytes(folder) == before, "and nothing was written")


def check_kit_again(race: Race) -> None:
    """What the conformance kit said is no part of what was measured: a sitting killed while it spoke goes on."""
    folder = copy_of(race, "kit-again")
    os.unlink(os.path.join(folder, sorted(glob.glob(folder + "/trials/*.json"))[-1]))
    with open(os.path.join(folder, "run.log"), encoding="utf-8") as file:
        last = [line for line in file if " %s sha256 " % trial(len(glob.glob(folder + "/trials/*.json")) + 1) in line]
    expect(len(last) == 1, "the last trial was logged")
    edit_text(folder, "run.log", last[0], last[0][:21] + "conform-one.txt sha256 " + 64 * "0" + "\n")
    with open(os.path.join(folder, "conform-one.txt"), "w", encoding="utf-8") as file:
        file.write("cut off")
    done = call("status", folder)
    expect(done.returncode == 5, "what the kit said was cut off: %d %s" % (done.returncode, done.stderr))


def check_speaking_up(race: Race) -> None:
    """estimate and report say what was edited, on standard error and at the head of the page."""
    folder = copy_of(race, "speaking-up")
    edit_json(folder, trial(2), faster)
    done = call("report", folder)
    expect(done.returncode == 2 and trial(2) in done.stderr and "estimate" in done.stderr, "report refuses: %s" % done.stderr)
    done = call("estimate", folder)
    expect(done.returncode == 3 and "1 file is not what the run's log vouches for" in done.stderr, "estimate: %s" % done.stderr)
    expect(call("report", folder).returncode == 0, "then a report")
    # Only the last trial can have been written just before a kill, and so not be in the log.
    last = len(glob.glob(os.path.join(race.out, "trials", "*.json")))
    for number, code in ((last, call("estimate", copy_of(race, "logged")).returncode), (1, 3)):
        unlogged = copy_of(race, "unlogged-%d" % number)
        edit_text(unlogged, "run.log", "%s sha256 " % trial(number), "%s hash " % trial(number))
        done = call("estimate", unlogged)
        expect(done.returncode == code, "trial %d of %d, not in the log: %d %s" % (number, last, done.returncode, done.stderr))
    for name in ("report.md", "report.html"):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            text = file.read()
        expect("Not what the run left." in text and trial(2) in text[text.index("Not what the run left."):][:600],
               "%s says it at its head" % name)


def check_places(race: Race) -> None:
    """One rule for folders that are none: usage, in one line, and no waiting for pipes."""
    pipes = copy_of(race, "pipes")
    for name in ("run.log", trial(1)):
        os.unlink(os.path.join(pipes, name))
        os.mkfifo(os.path.join(pipes, name))
    matrix = race.stepped_matrix()
    readers = (("status",), ("verify",), ("estimate",), ("report",), ("run", "--resume"), ("plan", matrix, "--from"))
    for place, part in ((race.path("nowhere"), "nowhere"), (matrix, "matrix"), ("", "--help)"), (pipes, "pipe")):
        for words in readers:
            if place == pipes and words[0] == "report":
                continue  # reads results.json, which is whole
            done = call(*words, place)
            expect(done.returncode == 2 and part in done.stderr and len(done.stderr.splitlines()) == 1,
                   "%s of %r is usage: %d %s" % (" ".join(words), place, done.returncode, done.stderr))


def check_complete(race: Race, before: dict) -> None:
    """Going on with a run that is complete writes nothing, unless a kill had left something out."""
    done = call("run", "--resume", race.out)
    expect("every row ran already" in done.stdout and all_bytes(race.out) == before, "nothing to go on with: %s" % done.stderr)
    os.unlink(os.path.join(race.out, "results.json"))
    os.unlink(os.path.join(race.out, "report.html"))
    expect(call("run", "--resume", race.out).returncode == done.returncode, "killed before its results were written")
    expect(all_bytes(race.out) == before, "they are made, and nothing else")


def main() -> None:
    skip_unless_built()
    with Race() as race:
        temporary = race.path("temporary")
        os.mkdir(temporary)
        os.environ["TMPDIR"] = temporary
        done = race.run(race.stepped_matrix())
        expect(done.returncode in (0, 5), "a race to verify: %s" % done.stderr)
        before = all_bytes(race.out)
        found = verify(race.out)
        expect(found.returncode == 0 and "the same again" in found.stdout, "untouched: %s%s" % (found.stdout, found.stderr))
        expect(all_bytes(race.out) == before, "verify changes nothing")
        results = race.results()
        faults = planted(len(results["trials"]), results["cells"][0]["comparisons"][0]["verdict"])
        if not os.path.exists(os.path.join(race.out, "ratios.svg")):
            print("no picture was drawn here: its change is left out")
            del faults["the picture"]
        for number, (what, (plant, name, words)) in enumerate(faults.items()):
            folder = race.path("planted-%d" % number)
            shutil.copytree(race.out, folder)
            plant(folder)
            found = verify(folder)
            lines = [line for line in found.stdout.splitlines() if line.startswith("%s/%s" % (folder, name)) and words in line]
            expect(found.returncode == 3 and lines, "%s changed: %s%s" % (what, found.stdout, found.stderr))
        expect(glob.glob(os.path.join(temporary, "matchrace-verify-*")) == [], "nothing is left of what was made again")
        check_going_on(race)
        check_kit_again(race)
        check_speaking_up(race)
        check_places(race)
        check_complete(race, before)


main()
