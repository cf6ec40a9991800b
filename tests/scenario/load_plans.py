"""load_plans.py: every plan with due times, replayed from its result file; what is due is due whatever
the connections, threads and server do; a rate beyond the server's is "overloaded"; the backlog at both
ends of the window is that of the batches due before them.
"""

import sys

import load_common as lab
import plan_replay

PLANS = {
    "open": ("--plan", "open", "--rate", "1700"),
    "poisson": ("--plan", "poisson", "--rate", "1700", "--seed", "12"),
    "bursts": ("--plan", "bursts", "--burst", "41", "--period", "25ms"),
    "steps": ("--plan", "steps", "--steps", "600:61ms,600-4000:90ms,0:40ms,3000-100:70ms"),
}
# The same for a server that manages a thousand batches a second or two.
BEYOND = {
    "open": ("--plan", "open", "--rate", "15000"),
    "poisson": ("--plan", "poisson", "--rate", "15000"),
    "bursts": ("--plan", "bursts", "--burst", "750", "--period", "50ms"),
    "steps": ("--plan", "steps", "--steps", "2000-20000:150ms,20000:150ms"),
}


def check_backlogs(run: lab.Run) -> None:
    """At each end of the window: of the batches due before it, those not answered yet; the look comes
    a moment later, so that it may find some answered meanwhile."""
    for key, moment in (("backlog_begin", run.result["times"]["window_start_ns"]),
                        ("backlog_end", run.result["times"]["window_end_ns"])):
        open_then = sum(row["due_ns"] < moment <= row["reply_ns"] for row in run.times)
        assert run.result["window"][key] <= open_then, (key, run.result["window"][key], open_then)
    window = run.result["window"]
    grown = window["backlog_end"] - window["backlog_begin"]
    assert window["overloaded"] == (grown > 0.01 * window["planned"]), window


def check_plan(name: str, data: str) -> None:
    """The due times are a function of the plan alone: not of connections, threads, depth or server."""
    offsets = []
    for more in (("--connections", "5", "--threads", "2", "--depth", "1"), ("--connections", "16", "--depth", "9")):
        with lab.contestant("c-tuned", "keep") as server:
            run = lab.ok(lab.load(server, data, *PLANS[name], *more), name)
        assert run.result["inputs"]["plan"] == name
        due = lab.check_replay(run)
        check_backlogs(run)
        offsets.append([moment - run.result["times"]["start_ns"] for moment in due])
    assert offsets[0] == offsets[1]
    print("%s: %d due times replayed, twice" % (name, len(offsets[0])))


def check_burst_at_the_begin(data: str) -> None:
    """A burst due when the window begins belongs to it, and is no backlog of the time before."""
    with lab.contestant("c-tuned", "keep") as server:
        run = lab.ok(lab.load(server, data, "--plan", "bursts", "--burst", "60", "--period", "50ms",
                              "--warmup", "100ms"), "burst at the begin")
    lab.check_replay(run)
    check_backlogs(run)
    assert run.result["window"]["planned"] == 300, run.result["window"]


def check_other_seed(data: str) -> None:
    """Another seed is another Poisson plan; the same seed is the same one, run after run."""
    inputs = {"plan": "poisson", "rate_per_s": 1700, "warmup_ns": 0, "window_ns": 10**8, "seed": 12}
    other = inputs | {"seed": 13}
    assert plan_replay.offsets(inputs) != plan_replay.offsets(other)
    with lab.contestant("c-tuned", "keep") as server:
        run = lab.ok(lab.load(server, data, "--plan", "poisson", "--rate", "1700", "--seed", "13"), "seed")
    lab.check_replay(run)


def check_beyond(name: str, data: str) -> None:
    """Overloaded: a result with its backlog; due is due, what is late is censored and not dropped."""
    with lab.liar("dribble") as server:
        run = lab.load(server, data, *BEYOND[name], "--connections", "4", "--drain-limit", "100ms",
                       *(() if name == "steps" else ("--window", "300ms")))
    lab.ok(run, name)
    window, inputs = run.result["window"], run.result["inputs"]
    offsets = plan_replay.offsets(inputs)
    planned = sum(offset >= inputs["warmup_ns"] for offset in offsets)
    assert window["overloaded"], window
    assert window["backlog_end"] - window["backlog_begin"] > planned // 100, window
    assert window["due"] == window["planned"] == planned == run.result["series"]["latency"]["n"], window
    assert window["censored"] >= window["censored_never_sent"] > 0, window
    beyond = sum(count for low, count in run.result["series"]["latency"]["buckets"] if low >= 99_900_000)
    assert beyond >= window["censored"], (beyond, window)
    print("%s: overloaded, %d of %d censored" % (name, window["censored"], planned))


def main() -> None:
    data = lab.simple()
    for name in PLANS:
        check_plan(name, data)
    check_burst_at_the_begin(data)
    check_other_seed(data)
    for name in BEYOND:
        check_beyond(name, data)


if __name__ == "__main__":
    main()
    sys.exit(0)
