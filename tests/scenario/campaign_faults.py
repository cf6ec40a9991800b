"""campaign_faults.py: what can go wrong with a race: told in one line, listed, nothing left running. --stepped: with those in-process."""

import json
import os
import resource
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from small_race import PROGRAM, ROOT, Race, at_once, expect, processes_naming, skip_unless_built

# Contestants that fail in the ways a program can. (Who is deaf fails by the generator's stall limit: see the liars.)
FAILING = {
    "dies": "import sys; sys.stderr.write('no luck today\\n'); sys.exit(7)",
    "talks": "import time; print('hello', flush=True); time.sleep(60)",
    "mute": "import os; os.close(1); import time; time.sleep(60)",
    "latin": "import sys; sys.stderr.buffer.write(b'Gr\\xf6\\xdfe\\n'); sys.exit(7)",
    "chatty": "import sys\nfor i in range(300000): sys.stderr.write('line %d\\n' % i)\nsys.exit(7)",
    "forks": "import os, sys, time; sys.argv = sys.argv[1:]\nif os.fork() == 0:\n os.setsid(); time.sleep(60)\n"
             "print('listening 127.0.0.1:1', flush=True); sys.exit(5)",
    "nowhere": "import time; print('listening nowhere', flush=True); time.sleep(60)",
    "stubborn": "import os, signal, sys, runpy; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
                " sys.argv = sys.argv[1:]; print('listening 127.0.0.1:1', flush=True);"
                " import time; time.sleep(60)",
}


def one_line(done, code: int, part: str, what: str) -> None:
    lines = done.stderr.strip().splitlines()
    expect(done.returncode == code, "%s: exit code %d (got %d: %s)" % (what, code, done.returncode, done.stderr))
    expect(len(lines) == 1 and part in lines[0], "%s: one line with '%s': %s" % (what, part, done.stderr))


def usage(race: Race) -> None:
    def run(*words):
        return subprocess.run([PROGRAM, "run", *words], capture_output=True, text=True, timeout=30, check=False)
    one_line(run(), 2, "MATRIX", "no matrix")
    one_line(run("absent.json"), 2, "absent.json", "a matrix that is not there")
    one_line(run("a", "b"), 2, "too many", "two matrices")
    with open(race.matrix(), encoding="utf-8") as file:
        matrix = json.load(file)
    matrix["cells"][0]["windw"] = 1
    path = race.path("typo.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(matrix, file, indent=1)
    line = open(path, encoding="utf-8").read()[:open(path, encoding="utf-8").read().index("windw")].count("\n") + 1
    one_line(run(path), 2, "typo.json:%d: unknown key \"windw\"" % line, "an unknown key, with its line")
    one_line(race.run(race.matrix(("c-tuned", "nobody"))), 2, "nobody", "a contestant that is not there")
    one_line(race.run(race.matrix(("c-tuned", "c-yyjson@fast"))), 2, "no variant \"fast\"", "a variant that is not there")
    with open(race.matrix(), encoding="utf-8") as file:
        piped = subprocess.run([PROGRAM, "run", "/dev/stdin"], input=file.read(), capture_output=True, text=True,
                               timeout=30, check=False)
    one_line(piped, 2, "save it as a file", "a matrix from a pipe")
    one_line(run(race.folder), 2, race.folder, "a folder in a matrix's place")
    one_line(run(os.path.join(path, "matrix.json")), 2, "matrix.json", "a matrix behind a file")
    if os.geteuid() != 0:  # root may read everything
        os.chmod(path, 0)
        one_line(run(path), 1, "typo.json", "a matrix that nobody may read")
    race.add_contestant("alias", ["true"], name="c-tuned")
    one_line(race.run(race.matrix(("c-yyjson", "alias"))), 2, '"name" is "c-tuned", but its folder is alias',
             "a name that is not its folder's")
    race.add_contestant("idler", ["true"], jobs=["notes"])
    one_line(race.run(race.matrix(("c-yyjson", "idler"))), 2, 'idler does not do the job "ingest"', "another job")
    one_line(run("--out", "", race.matrix()), 2, "this option needs a value: '--out'", "an empty folder name")
    os.mkdir(race.path("out-here"))
    done = subprocess.run([PROGRAM, "run", race.matrix(), "--out", race.path("out-here")], capture_output=True,
                          text=True, timeout=30, check=False)
    one_line(done, 2, "exists already", "a folder that exists")


def dataset(race: Race) -> None:
    path = race.path("foreign")
    for suffix in (".batches", ".answers", ".edits", ".json"):
        with open(path + suffix, "wb") as file:
            file.write(b"not a dataset at all")
    done = race.run(race.matrix(cell={"data": {"path": path}}))
    expect(done.returncode in (1, 2) and "foreign" in done.stderr, "a foreign dataset is named: %s" % done.stderr)
    done = race.run(race.matrix(cell={"data": {"path": race.path("nothing")}}))
    expect(done.returncode in (1, 2) and "nothing" in done.stderr, "a missing dataset is named: %s" % done.stderr)
    expect(not os.path.exists(os.path.join(race.out, "report.md")), "no partial result is left as a whole one")


REASONS = {"dies": "no luck today", "talks": "hello", "mute": "without saying where it listens",
           "stubborn": "", "latin": "Gr??e", "chatty": "line 299999 (the last of 3488890 bytes on standard error)",
           "forks": "", "nowhere": "listening nowhere"}


def failing(name: str):
    """The race against one of them."""
    def run(race: Race) -> None:
        race.add_contestant(name, ["python3", "-c", FAILING[name]])
        done = race.run(race.matrix(("c-tuned", name)))
        expect(done.returncode == 3, "%s: exit code 3 (got %d: %s)" % (name, done.returncode, done.stderr))
        results = race.results()
        wrong = results["cells"][0]["entries"][1]["wrong"]
        expect(wrong is not None and REASONS[name] in wrong, "%s is listed: %s" % (name, wrong))
        expect(len([t for t in results["trials"] if t["entry"] == name]) == 1, "%s is not run again" % name)
        page = race.text("report.md")
        expect("WRONG" in page and "one of them was wrong" in page, "the report says so, and gives no verdict")
        expect(not processes_naming(race.folder), "%s: nothing is left running" % name)
    return run


def wait_for(condition, what: str, limit_s: float = 30):
    end = time.monotonic() + limit_s
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.02)
    expect(False, "waited for " + what)
    return None


def servers_of(pid: int) -> list:
    """Contestant servers that the run with this pid has started."""
    found = []
    for child, command in processes_naming(" serve "):
        try:
            with open("/proc/%d/stat" % child, encoding="ascii") as file:
                parent = int(file.read().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
        if parent == pid:
            found.append((child, command))
    return found


def killed_server(race: Race) -> None:
    command = race.command(race.matrix(rules={"window_s": 0.6}, cell={"rows": 2, "comparisons": []}))
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    pid = wait_for(lambda: servers_of(run.pid), "a server")[0][0]
    time.sleep(0.3)
    os.kill(pid, signal.SIGKILL)
    _, errors = run.communicate(timeout=120)
    expect(run.returncode == 0, "a killed server's row runs again and the race ends well: %s" % errors)
    results = race.results()
    excluded = [t for t in results["trials"] if t["outcome"] == "excluded"]
    expect(len(excluded) == 1 and "killed from outside" in excluded[0]["reason"], "it is listed: %s" % excluded)
    expect(results["cells"][0]["rows_repeated"] == 1 and results["complete"], "its row ran again")
    expect("killed from outside" in race.text("report.md"), "the report lists it")


def interrupted(number: int, code: int):
    return lambda race: interrupt(race, number, code)


def interrupt(race: Race, number: int, code: int) -> None:
    command = race.command(race.matrix(rules={"window_s": 0.5}))
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: len(os.listdir(race.out + "/trials")) >= 2 if os.path.exists(race.out + "/trials") else False,
             "two trials")
    wait_for(lambda: servers_of(run.pid), "a server")
    run.send_signal(number)
    _, errors = run.communicate(timeout=30)
    expect(run.returncode == code, "signal %d: exit code %d (got %d: %s)" % (number, code, run.returncode, errors))
    expect("incomplete" in errors, "it says so: %s" % errors)
    results = race.results()
    expect(not results["complete"] and len(results["trials"]) >= 2, "what was finished is reported")
    expect("Incomplete" in race.text("report.md"), "the page says that it is incomplete")
    expect(not processes_naming(race.folder), "nothing is left running")


def budget(race: Race) -> None:
    begun = time.monotonic()
    done = race.run(race.matrix(budget_s=1.5, rules={"window_s": 0.3}))
    expect(done.returncode == 5 and "time budget" in done.stderr, "the budget is a hard stop: %d %s" % (done.returncode, done.stderr))
    expect(time.monotonic() - begun < 10, "and it holds")
    expect(not race.results()["complete"], "the results say what is missing")


def datasets_of_cells(race: Race) -> None:
    """Datasets are made once each, however many cells want them, and a folder of data only where one is made."""
    with open(race.matrix(budget_s=1), encoding="utf-8") as file:
        matrix = json.load(file)
    cell = matrix["cells"][0]
    seeds = (11, 12, 11, 13, 12)
    matrix["cells"] = [{**cell, "name": "c%d" % i, "data": {**cell["data"], "seed": seed},
                        "comparisons": cell["comparisons"] if i == 0 else []} for i, seed in enumerate(seeds)]
    path = race.path("cells.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(matrix, file)
    done = race.run(path)
    made = [name for name in os.listdir(race.path("data")) if name.startswith("simple-1") and name.endswith(".json")
            and name.split("-")[1] in ("11", "12", "13")]
    expect(done.returncode == 5 and len(made) == 3, "three datasets for five cells: %d %s %s" % (done.returncode, made, done.stderr))
    matrix["cells"] = [{**matrix["cells"][0], "data": {"path": race.path("data", made[0][:-len(".json")])}}]
    with open(path, "w", encoding="utf-8") as file:
        json.dump(matrix, file)
    done = race.run(path, "--data-dir", race.path("unwanted"))
    expect(done.returncode == 5 and not os.path.exists(race.path("unwanted")), "no folder for nothing: %s" % done.stderr)


def lying_clock(race: Race) -> None:
    """A contestant in-process says how long it took; what it says must fit what is seen from outside."""
    program = os.path.join(os.path.dirname(PROGRAM), "..", "..", "contestants", "c-tuned", "c-tuned")
    code = ("import json, subprocess, sys; p = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE,"
            " stdout=subprocess.PIPE, text=True)\n"
            "for line in sys.stdin:\n p.stdin.write(line); p.stdin.flush(); said = json.loads(p.stdout.readline());"
            " said['ns'] = 1; print(json.dumps(said), flush=True)\n"
            "p.stdin.close(); p.wait()")
    race.add_contestant("quick", ["python3", "-c", code, os.path.abspath(program)])
    done = race.run(race.matrix(("c-tuned", "quick"), cell={"driver": "stepped"}))
    wrong = race.results()["cells"][0]["entries"][1]["wrong"]
    expect(done.returncode == 3 and wrong is not None and "times do not fit" in wrong, "a lying clock is wrong: %s" % wrong)


def strays_of_a_row(race: Race) -> None:
    """Contestants of a stepped row live side by side: who leaves a process behind is named, and the row runs again."""
    program = os.path.join(os.path.dirname(PROGRAM), "..", "..", "contestants", "c-tuned", "c-tuned")
    code = ("import os, subprocess, sys, time\n"
            "code = subprocess.call(sys.argv[1:])\n"
            "if os.fork() == 0:\n os.setsid(); os.close(0); os.close(1); os.close(2); time.sleep(60)\n"
            "sys.exit(code)")
    for name in ("leaver", "leaver-too"):
        race.add_contestant(name, ["python3", "-c", code, os.path.abspath(program)])
    # Four in a row: two of them leave something behind, wherever they stand in it.
    done = race.run(race.matrix(("c-tuned", "leaver", "c-yyjson", "leaver-too"), cell={"driver": "stepped", "rows": 8}))
    results = race.results()
    expect(done.returncode == 3, "leavers are wrong: %d %s" % (done.returncode, done.stderr))
    for entry in results["cells"][0]["entries"]:
        leaves = entry["entry"].startswith("leaver")
        expect((entry["wrong"] is not None) == leaves, "%s is %s: %s" % (entry["entry"], "named" if leaves else "not blamed", entry["wrong"]))
        expect(not leaves or "left 1 process behind" in entry["wrong"], "for what it did: %s" % entry["wrong"])
    excluded = [t for t in results["trials"] if t["outcome"] == "excluded"]
    expect(len(excluded) == 2 and all("left processes behind, which ran beside it" in t["reason"] for t in excluded),
           "what ran beside them does not count: %s" % [t["reason"] for t in excluded])
    expect(results["cells"][0]["rows_counted"] == 8, "and its row ran again without them")
    # Who daemonises at once cannot be told from the others: nobody is blamed, and nothing counts.
    # (It waits until it has daemonised: beside much load that could last until its own end, which would name it.)
    early = ("import os, subprocess, sys, time\n"
             "child = os.fork()\n"
             "if child == 0:\n os.setsid()\n if os.fork() == 0:\n  os.close(0); os.close(1); time.sleep(60)\n os._exit(0)\n"
             "os.waitpid(child, 0)\n"
             "sys.exit(subprocess.call(sys.argv[1:]))")
    race.add_contestant("early", ["python3", "-c", early, os.path.abspath(program)])
    done = race.run(race.matrix(("c-tuned", "early"), cell={"driver": "stepped", "rows": 2, "comparisons": []}))
    trials = race.results()["trials"]
    expect(done.returncode == 5, "its rows cannot count: %d %s %s" % (done.returncode, done.stderr, {t["reason"] for t in trials}))
    expect(all(t["outcome"] == "excluded" and t["reason"].startswith("a contestant of this row left processes") for t in trials),
           "and nobody is blamed: %s" % {t["reason"] for t in trials})
    expect(not processes_naming(race.folder), "nothing is left running")


def without_gnuplot(race: Race) -> None:
    done = subprocess.run([PROGRAM, "report", race.out], capture_output=True, text=True, timeout=30, check=False,
                          env={**os.environ, "PATH": "/nonexistent"})
    expect(done.returncode == 0 and "gnuplot" in done.stderr, "without gnuplot: a page without picture: %d %s"
           % (done.returncode, done.stderr))
    expect("ratios.svg" not in race.text("report.md"), "and the page names none")


def full_disk(race: Race) -> None:
    """A limit on file sizes stands in for a full disk: trials of more than a few bytes cannot be written."""
    race.run(race.matrix())  # so that the data are there, and something to draw
    without_gnuplot(race)
    command = race.command(race.matrix())

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000))
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, preexec_fn=limit)
    expect(done.returncode == 1, "a full disk: exit code 1 (got %d: %s)" % (done.returncode, done.stderr))
    expect("cannot be written" in done.stderr, "it names the file: %s" % done.stderr)
    expect(not processes_naming(race.folder), "nothing is left running")


def main() -> None:
    skip_unless_built()
    if sys.argv[1:] == ["--stepped"]:
        # What a contestant in-process says of its time is compared with what is seen from outside: one at a time.
        at_once([lying_clock, strays_of_a_row], workers=1)
        return
    names = sorted(FAILING, key=("stubborn", "mute").__contains__, reverse=True)
    at_once([killed_server, *map(failing, names), interrupted(signal.SIGINT, 130), interrupted(signal.SIGTERM, 143),
             usage, dataset, budget, datasets_of_cells, full_disk])


if __name__ == "__main__":
    main()
