"""host_truth.py: what a race records of the host: a hog is seen on the core where it ran, memory is the server's own."""

import glob
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from small_race import BUILD_DIR, HOST_GATES_OFF, Race, expect, skip_unless_built

MIB = 1 << 20
SERVER = os.path.join(BUILD_DIR, "contestants", "c-tuned", "c-tuned")
# Becomes the server by exec, in the same process, after it touched 700 MB and read a file of 512 MB.
LARGE_START = """
import os, sys
block = bytearray(700 << 20)
for at in range(0, len(block), 4096): block[at] = 1
with open(sys.argv[1], "rb", buffering=0) as file:
    while file.read(1 << 20): pass
os.execv(sys.argv[2], sys.argv[2:])
"""


def make_matrix(race: Race, other: str, action: str) -> str:
    return race.matrix(("c-tuned", other),
                       cell={"rows": 2, "comparisons": [{"a": "c-tuned", "b": other, "primary": False}]},
                       rules={"warmup_s": 0.1, "window_s": 0.3, "retries_max": 0,
                              "gates": {name: {"action": action} for name in
                                        (*HOST_GATES_OFF, "generator_kept_up", "recorder_sane")}})


def run(race: Race, other: str, action: str, hog_core: int = -1) -> list:
    """The trials of a small race, with a hog on that core all the while."""
    hog = None
    if hog_core >= 0:
        hog = subprocess.Popen(["taskset", "-c", str(hog_core), sys.executable, "-c", "while True: pass"])
    try:
        done = race.run(make_matrix(race, other, action))
    finally:
        if hog is not None:
            hog.kill()
            hog.wait()
    expect(done.returncode == 0, "the race runs: %d %s" % (done.returncode, done.stderr))
    trials = []
    for path in sorted(glob.glob(os.path.join(race.out, "trials", "*.json"))):
        with open(path, encoding="utf-8") as file:
            trials.append(json.load(file))
    expect(len(trials) == 4, "four trials")
    return trials


def cores(race: Race, of: str) -> list:
    with open(os.path.join(race.out, "manifest.json"), encoding="utf-8") as file:
        text = json.load(file)["environment"]["cores_" + of]
    return [] if text == "none" else [int(core) for core in text.split(",")]


def check_recorded(race: Race, trial: dict) -> None:
    host = trial["details"]["host"]
    wall_ns = host["wall_ns"]
    assert 0.15e9 <= wall_ns <= 3e9, wall_ns  # the lab may be woken late at either edge
    assert [core["core"] for core in host["cores"]] == cores(race, "server") + cores(race, "generator"), host["cores"]
    for who in ("server", "generator"):
        process = host[who]
        assert 0 < process["exec_ns"] <= 1.05 * wall_ns * len(cores(race, who)), (who, process["exec_ns"], wall_ns)
        assert process["threads"] and process["memory"]["resident_bytes"] > 0, process
        threads_ns = sum(thread["exec_ns"] for thread in process["threads"])
        assert process["threads_ended"] or abs(threads_ns - process["exec_ns"]) < 0.2 * wall_ns, (threads_ns, process["exec_ns"])
        memory = process["memory"]
        parts = memory["anonymous_bytes"] + memory["file_bytes"] + memory["shared_bytes"]
        assert abs(parts - memory["resident_bytes"]) < MIB, memory
    foreign = host["foreign"]
    assert (foreign["source"] == "unavailable") == (foreign["share"] is None), foreign
    if not os.path.exists("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq"):
        assert all(core["frequency_khz"] is None for core in host["cores"]), "what cannot be read is null, not 0"


def check_hog(trials: list, core: int, who: str) -> None:
    for trial in trials:
        host = trial["details"]["host"]
        share = host["foreign"]["share"]
        if share is None:
            print("skipped: no counter tells what else ran")
            return
        there = next(c for c in host["cores"] if c["core"] == core)
        # The scheduler gives a hog about what the thread beside it does not want, half a core at least if that is busy.
        assert share > 0.02, (who, share)
        if there["tasks_ns"] is not None:
            own_ns = host[who]["exec_ns"]
            assert there["tasks_ns"] - own_ns > 0.02 * host["wall_ns"], (who, there, own_ns)
        assert trial["gates"]["nothing_else_ran"]["outcome"] in ("failed", "unavailable"), trial["gates"]
    expect(True, "a hog on the %s's core is seen in every trial" % who)


def check_memory(trials: list) -> None:
    for trial in trials:
        memory = trial["details"]["host"]["server"]["memory"]
        expect(memory["peak_bytes"] < 64 * MIB, "%s: peak %.1f MiB" % (trial["entry"], memory["peak_bytes"] / MIB))
        metric = {m["name"]: m["value"] for m in trial["metrics"]}["peak_rss_bytes"]
        expect(metric < 64 * MIB, "%s: so the figure of the trial" % trial["entry"])


def main() -> None:
    skip_unless_built()
    with Race() as race:
        file = race.path("large-file")
        with open(file, "wb") as made:
            made.truncate(512 * MIB)
        race.add_contestant("large-start", [sys.executable, "-c", LARGE_START, file, SERVER])
        for trial in run(race, "large-start", "off"):
            check_recorded(race, trial)
            assert trial["details"]["host"]["fixed_work"] is None, "with the gates off no work is done"
            assert trial["details"]["host"]["pauses"] is None, "with the gates off nobody spins"
        server, generator, spare = cores(race, "server")[0], cores(race, "generator")[0], cores(race, "spare")
        trials = run(race, "large-start", "mark", hog_core=server)
        check_memory(trials)
        check_hog(trials, server, "server")
        for trial in trials:
            host = trial["details"]["host"]
            assert [c["core"] for c in host["fixed_work"]["cores"]] == [server, generator], host["fixed_work"]
            assert (host["pauses"] is None) == (not spare), "a spinner where a core is spare"
        trials = run(race, "c-yyjson", "mark", hog_core=generator)
        check_hog(trials, generator, "generator")
        for trial in trials:
            pauses = trial["details"]["generator"]["generator"]["pauses"]
            assert pauses["longest_ns"] <= pauses["total_ns"], pauses
            assert spare or trial["gates"]["host_did_not_pause"]["outcome"] == "failed", trial["gates"]
        expect(True, "the generator's loop sees the hog beside it as pauses")


if __name__ == "__main__":
    main()
