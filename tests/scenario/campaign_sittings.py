"""campaign_sittings.py: a run over several sittings: --max-minutes, --resume, status, --json-progress, a full disk."""

import ctypes.util
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from small_race import BUILD_DIR, PROGRAM, ROOT, Race, expect, skip_unless_built

ROWS = 8


def simulated(race: Race, window_s: float) -> str:
    for name in ("a", "o"):  # the driver makes o 40 % faster
        if not os.path.isdir(os.path.join(race.contestants, name)):
            race.add_contestant(name, ["true"])
    gates = {name: {"action": "off"} for name in ("nothing_else_ran", "host_did_not_pause", "machine_unchanged", "server_is_limit")}
    return race.matrix(("a", "o"), cell={"driver": "simulated", "rows": ROWS},
                       rules={"window_s": window_s, "gates": gates})


def resume(race: Race, *words: str) -> subprocess.CompletedProcess:
    return subprocess.run([PROGRAM, "run", "--resume", race.out, "--data-dir", race.path("data"), "--contestants",
                           race.contestants, "--skip-conform", *words],
                          capture_output=True, text=True, timeout=120, check=False)


def status(race: Race) -> subprocess.CompletedProcess:
    return subprocess.run([PROGRAM, "status", race.out], capture_output=True, text=True, timeout=60, check=False)


def sittings(race: Race) -> None:
    done = race.run(simulated(race, 0.01), "--max-minutes", "0")
    expect(done.returncode == 5 and "the time budget ended" in done.stderr, "no minute, no row: %d %s" % (done.returncode, done.stderr))
    expect(os.listdir(os.path.join(race.out, "trials")) == [], "and no trial")
    found = status(race)
    expect(found.returncode == 5 and "row 0 of %d, 0 trials" % ROWS in found.stdout and "nobody is at work" in found.stdout,
           "status says so: %s" % found.stdout)
    done = resume(race, "--json-progress")
    expect(done.returncode == 0, "the second sitting runs them all: %s" % done.stderr)
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    expect([line["trial"] for line in lines] == list(range(1, 2 * ROWS + 1)), "a line of JSON a trial")
    last = lines[-1]
    expect(last["trials_done"] == last["trials_planned"] == 2 * ROWS and last["left_s"] == 0, "the last one: %s" % last)
    expect(last["row"] == last["rows"] == ROWS and last["excluded"] == 0 and last["outcome"] == "counted", "and its row")
    found = status(race)
    expect(found.returncode == 0 and "row %d of %d" % (ROWS, ROWS) in found.stdout and "all rows ran" in found.stdout,
           "status says so: %s" % found.stdout)
    results = race.results()
    expect(results["complete"] and "simulated: nobody ran" in race.text("report.md"), "complete, and the report owns up")
    # A third sitting has nothing left to do.
    expect(resume(race).returncode == 0 and race.results()["cells"] == results["cells"], "going on with nothing changes nothing")


def at_work(race: Race) -> None:
    process = subprocess.Popen(race.command(simulated(race, 0.3)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 60
    while time.monotonic() < end and not os.path.exists(os.path.join(race.out, "trials", "%05d.json" % (2 * ROWS - 2))):
        time.sleep(0.02)
    found = status(race)
    verified = subprocess.run([PROGRAM, "verify", race.out], capture_output=True, text=True, timeout=60, check=False)
    process.send_signal(signal.SIGINT)
    expect(process.wait(timeout=60) == 130, "SIGINT ends the run")
    cut = race.results()["cells"][0]["comparisons"][0]
    expect(cut["pairs"] == ROWS - 1 and cut["ratio_high"] < 0.9 and cut["verdict"] == "not_resolved",
           "who stops early has no verdict, however clear it looks: %s" % cut)
    expect(verified.returncode == 5 and "a run is at work in it" in verified.stderr, "verify beside a run: %s" % verified.stderr)
    expect(found.returncode == 5 and "a run is at work" in found.stdout and "min of trials left" in found.stdout,
           "status beside a run: %s" % found.stdout)
    with open(os.path.join(race.out, "run.log"), "a", encoding="utf-8") as log:
        log.write("2026-01-01T00:00:00Z trials/0")  # as a full disk leaves it
    expect(resume(race).returncode == 0, "which goes on afterwards")
    verified = subprocess.run([PROGRAM, "verify", race.out], capture_output=True, text=True, timeout=60, check=False)
    expect(verified.returncode == 0, "half a line of the log spoils none behind it: %s" % verified.stdout)
    expect(race.results()["cells"][0]["comparisons"][0]["verdict"] == "slower", "a whole one has a verdict")
    attempts = [t["attempt"] for t in race.results()["trials"] if t["outcome"] == "counted"]
    expect(len(attempts) >= 2 * ROWS and max(attempts) <= 1, "the row that was cut off ran again, once")


def wrong_words(race: Race) -> None:
    for words, part in ((("--resume", race.out, "matrix.json"), "no MATRIX"), ((), "which MATRIX"),
                        (("--resume", race.path("nowhere")), "nowhere")):
        done = subprocess.run([PROGRAM, "run", *words], capture_output=True, text=True, timeout=30, check=False)
        expect(done.returncode in (1, 2) and part in done.stderr and len(done.stderr.splitlines()) == 1,
               "%s: %s" % (words, done.stderr))


def full_disk(race: Race) -> None:
    """On a small file system the run ends with a clear line; with room it goes on."""
    race.run(simulated(race, 0.01), "--max-minutes", "0")  # the dataset is made outside
    place = race.path("small")
    os.mkdir(place)
    command = race.command(simulated(race, 0.01))
    race.out = os.path.join(place, "out")
    command[command.index("--out") + 1] = race.out
    copy = race.path("copy")
    script = ('mount -t tmpfs -o size=72k none "$1" || exit 77; shift; "$@" >&2; code=$?; cp -r "$PLACE" "$COPY";'
              ' mount -o remount,size=8m "$PLACE" || exit 78; "$PROGRAM" run --resume "$PLACE/out" --data-dir "$DATA"'
              ' --contestants "$WHO" --skip-conform >&2; echo "$code $?"; "$PROGRAM" verify "$PLACE/out" >&2; echo $?')
    found = subprocess.run(["unshare", "-rm", "sh", "-c", script, "sh", place, *command], capture_output=True, text=True,
                           timeout=120, check=False,
                           env={**os.environ, "PLACE": place, "COPY": copy, "PROGRAM": PROGRAM,
                                "DATA": race.path("data"), "WHO": race.contestants})
    if found.returncode == 77 or not os.path.isdir(copy):
        print("a small file system cannot be mounted here: a full disk is left out (%s)" % found.stderr.strip())
        return
    expect("No space left on device" in found.stderr, "a full disk is told: %s" % found.stderr)
    expect(found.stdout.split() == ["1", "0", "0"], "it ends with 1, goes on with room, and is verified: %s%s" % (found.stdout, found.stderr))
    kept = [name for name in os.listdir(os.path.join(copy, "out", "trials")) if name.endswith(".json")]
    expect(0 < len(kept) < 2 * ROWS, "it was full in mid-run: %d trials" % len(kept))
    shutil.rmtree(copy)


def told_after_many(said: str) -> bool:
    """Whether who holds the core named there can be asked for another twenty times."""
    core = re.search(r"core (\d+): another run", said)
    try:
        for _ in range(20 if core is not None else 0):
            with socket.socket(socket.AF_UNIX) as asking:
                asking.setblocking(False)
                asking.connect("\0matchrace-core-" + core.group(1))
    except BlockingIOError:
        return False
    return core is not None


def held_cores(race: Race) -> None:
    """Two runs do not share cores, unless they are tests, whose manifest says so."""
    matrix = race.stepped_matrix()
    alone = {name: value for name, value in os.environ.items() if name != "MR_SHARE_CORES"}
    sockets = []
    for core in os.sched_getaffinity(0):
        held = socket.socket(socket.AF_UNIX)
        try:
            held.bind("\0matchrace-core-%d" % core)
            held.listen(0)
        except OSError:
            print("core %d is held by a run of this machine" % core)
        sockets.append(held)
    # The holder accepts nobody, so the first who asks fills its queue: the second is not left waiting there.
    for asks in ("first", "second"):
        done = subprocess.run(race.command(matrix), capture_output=True, text=True, timeout=60, check=False, env=alone)
        expect(done.returncode == 1 and "another run is at work on it (process" in done.stderr and not os.path.exists(race.out),
               "a core that is held, asked for the %s time: %s" % (asks, done.stderr))
    for held in sockets:
        held.close()
    process = subprocess.Popen(race.command(matrix), env=alone, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < end and not os.path.exists(race.out):
        time.sleep(0.01)
    second = subprocess.run(race.command(matrix), capture_output=True, text=True, timeout=60, check=False, env=alone)
    told = told_after_many(second.stderr)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=60)[1]
    if "another run is at work on it" in said:
        print("a run of this machine came first")
        return
    expect(second.returncode == 1 and "(process %d)" % process.pid in second.stderr, "a run holds its cores: %s" % second.stderr)
    expect(told, "its queue has room for many who ask")
    expect(race.run(matrix, "--max-minutes", "0").returncode == 5, "a test's run may share them")
    expect('"cores_shared_with_other_runs": true' in race.text("manifest.json"), "which its manifest says")


def other_library(race: Race) -> None:
    """Another library under a contestant's feet is another contestant."""
    library = race.path("libown.sort.so.1")
    found = ctypes.util.find_library("z") or "libc.so.6"
    shutil.copy(next(path for path in mapped_by(found) if found in path), library)
    race.add_contestant("mine", [os.path.join(BUILD_DIR, "contestants", "c-tuned", "c-tuned")],
                        env={"LD_PRELOAD": library})
    done = race.run(race.stepped_matrix(("mine", "c-yyjson")), "--max-minutes", "0")
    expect(done.returncode == 5, "a run that has not begun: %s" % done.stderr)
    with open(os.path.join(race.out, "manifest.json"), encoding="utf-8") as file:
        listed = {one["path"] for one in json.load(file)["contestants"][0]["libraries"]}
    expect(library in listed and any("libc.so" in path for path in listed), "its libraries are in the manifest: %s" % listed)
    words = ("--contestants", os.path.join(ROOT, "contestants"), "--max-minutes", "0")
    done = resume(race, *words)
    expect(done.returncode == 5, "it goes on with the same: %s" % done.stderr)
    with open(library, "ab") as file:
        file.write(b"another build")
    done = resume(race, *words)
    expect(done.returncode == 2 and "/libraries/mine/libown.sort.so.1 was" in done.stderr, "not with another: %s" % done.stderr)
    expect(resume(race, *words, "--new-stratum").returncode == 5, "but as a new stratum")


def mapped_by(name: str) -> set:
    """Paths of the libraries that this process has mapped, `name` among them."""
    ctypes.CDLL(name)
    with open("/proc/self/maps", encoding="utf-8") as file:
        return {line.split(maxsplit=5)[5].strip() for line in file if "/" in line}


def main() -> None:
    skip_unless_built()
    for part in (sittings, at_work, held_cores, other_library, full_disk):
        with Race() as race:
            part(race)
            if part is sittings:
                wrong_words(race)


main()
