"""sweep_faults.py: what can go wrong with a sweep: told in one line, listed, nothing left running."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from json_schema import Checker
from small_race import BUILD_DIR, ROOT, expect, processes_naming, skip_unless_built
from small_sweep import Sweep, one_line

# Runs a real server as often as its file says, then ends before it listens.
MORTAL = ("import os, sys\n"
          "left = int(open(%(file)r).read())\n"
          "open(%(file)r, 'w').write(str(left - 1))\n"
          "if left <= 0:\n sys.stderr.write('worn out\\n'); sys.exit(7)\n"
          "os.execv(%(server)r, [%(server)r] + sys.argv[1:])\n")
SERVER = os.path.join(BUILD_DIR, "contestants", "c-tuned", "c-tuned")


def check_schema(result: dict) -> None:
    with open(os.path.join(ROOT, "schemas", "sweep.schema.json"), encoding="utf-8") as file:
        faults = Checker(json.load(file)).faults(result)
    expect(not faults, "sweep.json obeys its schema%s" % "".join("\n  " + f for f in faults[:5]))


def usage(sweep: Sweep) -> None:
    one_line(sweep.run(), 2, "CONTESTANT", "nobody")
    one_line(sweep.run("nobody"), 2, "nobody", "a contestant that is not there")
    one_line(sweep.run("c-tuned@fast"), 2, "no variant \"fast\"", "a variant that is not there")
    one_line(sweep.run("c-tuned", "c-tuned"), 2, "twice", "the same one twice")
    one_line(sweep.run("c-tuned", "--loads", "10,x"), 2, "--loads", "a load that is none")
    one_line(sweep.run("c-tuned", "--plan", "closed"), 2, "closed", "a closed plan")
    one_line(sweep.run("c-tuned", "--slo", "0ms"), 2, "--slo", "a limit of nothing")
    expect(not os.path.exists(sweep.out), "no folder is left by wrong usage")
    os.mkdir(sweep.path("there"))
    one_line(sweep.run("c-tuned", "--out", sweep.path("there")), 2, "exists already", "a folder that exists")
    with open(sweep.path("file"), "w", encoding="utf-8"):
        pass
    one_line(sweep.run("c-tuned", "--out", sweep.path("file", "in-it")), 1, "cannot be made", "a folder that cannot be made")
    one_line(sweep.run("c-tuned", "--data", sweep.path("nothing")), 2, "nothing", "a dataset that is not there")


def dies(sweep: Sweep) -> None:
    """Its closed loop and two loads go well, then it is gone: named, kept up to there; the other goes on."""
    counter = sweep.path("lives")
    with open(counter, "w", encoding="ascii") as file:
        file.write("3")
    sweep.add_contestant("mortal", ["python3", "-c", MORTAL % {"file": counter, "server": SERVER}])
    done = sweep.run("mortal", "c-tuned", "--loads", "10,20,30,40", "--slo", "1ns")
    one_line(done, 3, "mortal: it ended (exit code 7) before it listened: worn out", "a contestant that dies")
    result = sweep.result()
    check_schema(result)
    mortal, other = result["contestants"]
    expect("worn out" in mortal["wrong"] and other["wrong"] is None, "it alone is wrong")
    trials = [t["outcome"] for t in result["trials"] if t["entry"] == "mortal"]
    expect(trials == ["counted"] * 3 + ["wrong"], "what it did stands, and it is not run again: %s" % trials)
    expect(mortal["maximum"]["batches_per_s"] is not None and
           sum(p["trials_counted"] for p in mortal["points"]) == 2, "its curve ends there")
    expect([p["trials_counted"] for p in other["points"]] == [1] * 4, "the other one has every load")
    expect("WRONG, out of the sweep" in done.stdout, "the table says so")
    expect("mortal" not in result["missing"], "who is out misses nothing")


def everybody_dies(sweep: Sweep) -> None:
    sweep.add_contestant("stillborn", ["python3", "-c", "import sys; sys.exit(9)"])
    done = sweep.run("stillborn", "--loads", "10")
    one_line(done, 3, "exit code 9", "nobody left")
    result = sweep.result()
    check_schema(result)
    expect(len(result["trials"]) == 1 and result["contestants"][0]["points"] == [], "it is asked once")
    expect(not os.path.exists(os.path.join(sweep.out, "latency.svg")), "there is nothing to draw")


def not_conformant(sweep: Sweep) -> None:
    sweep.add_contestant("mute", ["python3", "-c", "import sys; sys.exit(9)"])
    command = sweep.command("mute", "--loads", "10")
    command.remove("--skip-conform")
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    one_line(done, 3, "not conformant", "a contestant that fails the kit")
    expect(sweep.result()["trials"] == [], "is not timed")


def wait_for(condition, what: str, limit_s: float = 30):
    end = time.monotonic() + limit_s
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.02)
    expect(False, "waited for " + what)
    return None


def trials_of(sweep: Sweep) -> int:
    folder = os.path.join(sweep.out, "trials")
    return len(os.listdir(folder)) if os.path.exists(folder) else 0


def servers_of(pid: int) -> list:
    found = []
    for child, _ in processes_naming(" serve "):
        try:
            with open("/proc/%d/stat" % child, encoding="ascii") as file:
                if int(file.read().rsplit(")", 1)[1].split()[1]) == pid:
                    found.append(child)
        except OSError:
            pass
    return found


def killed_server(sweep: Sweep) -> None:
    run = sweep.start("c-tuned", "--loads", "20,40", "--window", "700ms")
    os.kill(wait_for(lambda: trials_of(sweep) >= 1 and servers_of(run.pid), "a server")[0], signal.SIGKILL)
    _, errors = run.communicate(timeout=60)
    expect(run.returncode == 0, "a server killed from outside runs again: %d %s" % (run.returncode, errors))
    result = sweep.result()
    check_schema(result)
    excluded = [t for t in result["trials"] if t["outcome"] == "excluded"]
    expect(len(excluded) == 1 and "killed from outside" in excluded[0]["reason"], "it is listed: %s" % excluded)
    again = result["trials"][result["trials"].index(excluded[0]) + 1]
    expect(again["attempt"] == 1 and again["load_percent"] == excluded[0]["load_percent"]
           and again["outcome"] == "counted", "and the same point again")
    expect(sum(p["trials_excluded"] for p in result["contestants"][0]["points"]) == 1 and result["complete"],
           "every point has its trials")


def interrupted(sweep: Sweep, number: int, code: int) -> None:
    run = sweep.start("c-tuned", "c-yyjson", "--loads", "10,30,50", "--window", "500ms")
    wait_for(lambda: trials_of(sweep) >= 3, "three trials")
    wait_for(lambda: servers_of(run.pid), "a server")
    run.send_signal(number)
    _, errors = run.communicate(timeout=30)
    expect(run.returncode == code, "signal %d: exit code %d (got %d: %s)" % (number, code, run.returncode, errors))
    expect("incomplete: a signal ended it" in errors and "missing: " in errors, "it says what is missing: %s" % errors)
    result = sweep.result()
    check_schema(result)
    kept = [t for t in result["trials"] if t["outcome"] == "counted"]
    expect(not result["complete"] and result["ended"] == "signal" and len(kept) >= 3, "what was measured is kept")
    expect(os.path.exists(os.path.join(sweep.out, "sweep.csv")), "in every file")
    expect(not processes_naming(sweep.folder), "nothing is left running")


def budget(sweep: Sweep) -> None:
    begun = time.monotonic()
    done = sweep.run("c-tuned", "--loads", "10,20,30,40,50,60,70,80", "--window", "500ms", "--budget", "2500ms")
    one_line(done, 5, "incomplete: the time budget ended; missing: c-tuned: ", "the budget is a hard stop")
    expect(time.monotonic() - begun < 10, "and it holds")
    result = sweep.result()
    check_schema(result)
    expect(not result["complete"] and result["ended"] == "time budget" and result["missing"] in done.stderr,
           "the result says what is missing")
    measured = [p["load_percent"] for p in result["contestants"][0]["points"] if p["trials_counted"] > 0]
    expect(all("%d %%" % load not in result["missing"] for load in measured), "which is what was not measured")


def disk(sweep: Sweep) -> None:
    """A trial that cannot be written ends the sweep: nothing goes on unseen."""
    run = sweep.start("c-tuned", "--loads", "10,30,50", "--window", "500ms")
    wait_for(lambda: trials_of(sweep) >= 1, "a trial")
    shutil.rmtree(os.path.join(sweep.out, "trials"))
    _, errors = run.communicate(timeout=30)
    expect(run.returncode == 1 and "cannot be written" in errors, "a full or broken disk: %d %s" % (run.returncode, errors))


def no_gnuplot(sweep: Sweep) -> None:
    done = sweep.run("c-tuned", "--loads", "100", "--window", "1s", env={**os.environ, "PATH": "/nonexistent"})
    expect(done.returncode == 0 and "gnuplot is missing" in done.stdout, "without gnuplot there is no picture: %s" % done.stderr)
    expect(not [n for n in os.listdir(sweep.out) if n.startswith("latency.svg")], "nor half of one")
    expect(os.path.exists(os.path.join(sweep.out, "latency.gnuplot")), "but what draws it")


def main() -> None:
    skip_unless_built()
    with Sweep() as sweep:
        usage(sweep)
        dies(sweep)
        everybody_dies(sweep)
        not_conformant(sweep)
        killed_server(sweep)
        interrupted(sweep, signal.SIGINT, 130)
        interrupted(sweep, signal.SIGTERM, 143)
        budget(sweep)
        disk(sweep)
        no_gnuplot(sweep)
        expect(not processes_naming(sweep.folder), "nothing is left running")


if __name__ == "__main__":
    main()
