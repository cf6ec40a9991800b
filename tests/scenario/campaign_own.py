"""campaign_own.py: contestants that take what is others': a core that they were not given, or time between their own
passes. Both are right in every answer, and neither gets a figure."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from small_race import BUILD_DIR, Race, expect, skip_unless_built

YYJSON = os.path.join(BUILD_DIR, "contestants", "c-yyjson", "c-yyjson")
# Sets its own mask back to all cores, and is an honest program then.
WIDE = """
import os, sys
os.sched_setaffinity(0, range(os.cpu_count()))
os.execv(%r, [%r, *sys.argv[1:]])
"""
# An honest program in a child; another child is busy except in the honest one's passes.
BURNER = """
import os, signal, subprocess, sys
honest = subprocess.Popen([%r, *sys.argv[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
while sys.stdin.readline():
    busy.send_signal(signal.SIGSTOP)
    honest.stdin.write(b"\\n")
    honest.stdin.flush()
    line = honest.stdout.readline()
    if %r:
        busy.send_signal(signal.SIGCONT)
    os.write(1, line)
honest.stdin.close()
busy.kill()
busy.wait()
sys.exit(honest.wait())
"""


def stepped(race: Race, contestants: tuple) -> str:
    return race.stepped_matrix(contestants, rules={"retries_max": 0, "steps": 8})


def add(race: Race, name: str, source: str) -> None:
    path = race.path(name + ".py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(source)
    race.add_contestant(name, [sys.executable, path])


def trials_of(race: Race, name: str) -> list:
    return [t for t in race.results()["trials"] if t["entry"] == name]


def other_cores(race: Race) -> None:
    if len(os.sched_getaffinity(0)) < 2:
        print("skipped: one core cannot be left")
        return
    add(race, "wide", WIDE % (YYJSON, YYJSON))
    for matrix in (race.matrix(("c-tuned", "wide")), stepped(race, ("c-tuned", "wide"))):
        done = race.run(matrix)
        trials = trials_of(race, "wide")
        expect(done.returncode == 3 and trials[0]["outcome"] == "wrong" and trials[0]["reason"].startswith("cores:"),
               "who leaves its cores is wrong: %s %s" % (done.returncode, trials[0]["reason"]))
        expect(all(t["outcome"] != "wrong" for t in trials_of(race, "c-tuned")), "who stays is not")


def between_passes(race: Race) -> None:
    """The burner is off first: the same wrapper, quiet between its passes, is left alone."""
    add(race, "quiet", BURNER % (YYJSON, False))
    add(race, "burner", BURNER % (YYJSON, True))
    race.run(stepped(race, ("c-tuned", "quiet")))
    expect(not any("turns:" in t["reason"] for t in trials_of(race, "quiet")), "work in its own passes is no fault")
    race.run(stepped(race, ("c-tuned", "burner")))
    trials = trials_of(race, "burner")
    expect(trials and all(t["outcome"] == "excluded" and t["reason"].startswith("turns:") for t in trials),
           "who works in others' passes gets no figure: %s" % [t["reason"] for t in trials][:1])


def main() -> None:
    skip_unless_built()
    with Race() as race:
        other_cores(race)
        between_passes(race)


if __name__ == "__main__":
    main()
