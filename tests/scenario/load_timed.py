"""load_timed.py: what the generator's threads do not do while they time: allocate, free, lock; and
that they sleep with a slack of 1 ns, under every plan.
"""

import json
import os
import sys

import load_common as lab

PRELOAD = os.path.join(lab.BUILD, "tests", "support", "libmr_timed_calls.so")
SKIPPED = 77
PLANS = {
    "closed": ("--plan", "closed"),
    "open": ("--plan", "open", "--rate", "2000"),
    "poisson": ("--plan", "poisson", "--rate", "2000"),
    "bursts": ("--plan", "bursts", "--burst", "100", "--period", "50ms"),
    "steps": ("--plan", "steps", "--steps", "500-4000:150ms,1000:100ms"),
}


def slack_of_threads(process) -> list:
    """The timer slack of every thread but the first, in ns; empty where the kernel does not tell."""
    found = []
    for thread in os.listdir("/proc/%d/task" % process.pid):
        try:
            with open("/proc/%s/timerslack_ns" % thread, encoding="ascii") as file:
                found.append((int(thread), int(file.read())))
        except (OSError, ValueError):
            return []
    return [slack for thread, slack in found if thread != process.pid]


def check_plan(name: str, data: str) -> None:
    out, calls = lab.path("out.json"), lab.path("calls.json")
    environment = os.environ | {"LD_PRELOAD": PRELOAD, "MR_TIMED_CALLS": calls}
    with lab.contestant("c-tuned", "keep") as server:
        process = lab.start(server, data, "--events", "--out", out, "--times", lab.path("times.csv"),
                            "--threads", "2", *PLANS[name], env=environment)
        lab.await_event(process, "window_start")
        slack = slack_of_threads(process)
        run = lab.ok(lab.finish(process, out), name)
    with open(calls, encoding="ascii") as file:
        seen = json.load(file)
    os.remove(calls)
    # Twice two threads: those of the opening, then those that time. The first thread allocates.
    assert seen["threads"] == 4 and seen["first_allocations"] > 100, seen
    assert seen["allocations"] == seen["frees"] == seen["locks"] == 0, (name, seen)
    assert all(value == 1 for value in slack), (name, slack)
    generator = run.result["generator"]
    assert name == "closed" or generator["sleeps"] > 0, "half a millisecond between slots, and it only spins"
    assert generator["clock_cost_ns"] > 0 and generator["sleep_overshoot_p50_ns"] > 0, generator
    assert (generator["sleep_overshoot_p50_ns"] <= generator["sleep_overshoot_p99_ns"]
            <= generator["sleep_overshoot_max_ns"]), generator
    print("%s: no allocation, no lock; slack of the threads: %s" % (name, slack or "not to be read"))


def main() -> int:
    if not os.path.exists(PRELOAD):  # not built where sanitizers bring allocators of their own
        print("skipped: %s is not built" % PRELOAD)
        return SKIPPED
    data = lab.simple()
    for name in PLANS:
        check_plan(name, data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
