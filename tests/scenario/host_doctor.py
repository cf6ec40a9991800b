"""host_doctor.py: `matchrace doctor` says what can be read here, truly, and which gates that lets be judged."""

import os
import re
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from small_race import PROGRAM, expect, skip_unless_built


def doctor(*words: str, cores: str = "") -> subprocess.CompletedProcess:
    command = (["taskset", "-c", cores] if cores else []) + [PROGRAM, "doctor", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def counters(text: str) -> dict:
    """The rows of the first table: counter → (readable, step, gate)."""
    rows = re.findall(r"^  (\S.{30,32}?) +(yes|unavailable) +(\S+(?: \w+)?) +(\S.*)$", text, re.M)
    return {name.strip(): (word == "yes", step, gate) for name, word, step, gate in rows}


def gates(text: str) -> dict:
    return {name: (word, why) for name, word, why in
            re.findall(r"^  (nothing_else_ran|host_did_not_pause|machine_unchanged) +(judged|unavailable) +(.*)$", text, re.M)}


def readable(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return bool(file.read())
    except OSError:
        return False


def check_counters(rows: dict) -> None:
    expect(len(rows) >= 15, "the table has its rows (%d)" % len(rows))
    core = min(os.sched_getaffinity(0))
    truth = {"frequency of a core": readable("/sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq" % core),
             "their wait for a core": readable("/proc/self/schedstat"),
             "all threads of a core (cpuacct)": os.path.exists("/sys/fs/cgroup/cpuacct/release_agent")
             and readable("/sys/fs/cgroup/cpuacct/cpuacct.usage_percpu"),
             "swapped pages": readable("/proc/vmstat")}
    for name, there in truth.items():
        expect(rows[name][0] == there, "%s: %s" % (name, "readable" if there else "unavailable"))
    tick_ms = 1000 / os.sysconf("SC_CLK_TCK")
    expect(rows["user and system time (samples)"][1] == "%.1f ms" % tick_ms, "tick samples have the tick's step")


def check_windows(rows: dict, judged: dict) -> None:
    by_tasks = rows["all threads of a core (cpuacct)"][0]
    step_s = time.clock_getres(6) if by_tasks else 1 / os.sysconf("SC_CLK_TCK")  # 6: CLOCK_MONOTONIC_COARSE
    if judged["nothing_else_ran"][1].startswith("no counter"):
        return
    edge_s = 4 * step_s / 0.005
    for window_s, word in ((1.01 * edge_s, "judged"), (0.99 * edge_s, "unavailable")):
        done = doctor("--window", "%.0fus" % (window_s * 1e6))
        found = gates(done.stdout)["nothing_else_ran"]
        expect(found[0] == word, "windows of %.3f s: nothing_else_ran is %s" % (window_s, word))
    expect("from windows of %.1f s on" % edge_s in done.stdout, "the length that would do is named")


def main() -> None:
    skip_unless_built()
    begun = time.monotonic()
    done = doctor()
    expect(done.stderr == "", "no word on standard error where it is no terminal")
    cores = len(os.sched_getaffinity(0))
    expect(done.returncode == (1 if cores < 2 else 0), "exit code %d with %d cores" % (done.returncode, cores))
    print("took %.1f s" % (time.monotonic() - begun))
    rows = counters(done.stdout)
    check_counters(rows)
    expect(set(gates(done.stdout)) == {"nothing_else_ran", "host_did_not_pause", "machine_unchanged"}, "three gates")
    for core in os.sched_getaffinity(0):
        expect(re.search(r"^  core %d +\d+ +[\d.]+ ms +[\d.]+ %%" % core, done.stdout, re.M), "core %d was watched" % core)
    for what in ("a look at the clock +[0-9]+ ns", "sleep, late by +p50 [0-9.]+ us, p99", "what else ran, in a second +[0-9.]+ %|unavailable"):
        expect(re.search(what, done.stdout), "measured: " + what)
    check_windows(rows, gates(done.stdout))
    alone = doctor(cores=str(min(os.sched_getaffinity(0))))
    expect(alone.returncode == 1, "one core: exit code 1")
    expect(gates(alone.stdout)["host_did_not_pause"][0] == "unavailable", "one core: no watch")
    expect(doctor("--window", "0s").returncode == 2, "a window of nothing: exit code 2")
    expect("Examples" in doctor("--help").stdout, "--help has examples")


if __name__ == "__main__":
    main()
