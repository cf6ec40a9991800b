"""load_stall.py: a server that stops for a while: the open loop shows it, its queue grows, nothing is
lost; a server that is too slow is "overloaded"; what is unanswered at the limit is censored.
"""

import json
import os
import signal
import sys
import time

import load_common as lab

STOP_S = 0.3
WRITING_NS = 5_000_000  # more than the generator takes to write on when the server reads on
RATE = 400  # batches a second: far below what the server takes


def await_event(process, name: str) -> dict:
    """Reads events until `name` comes."""
    for line in process.stdout:
        event = json.loads(line)
        if event["event"] == name:
            return event
    raise AssertionError("no event %s; %s" % (name, process.stderr.read()))


def stopped_run(plan: tuple, data: str) -> lab.Run:
    """A run in whose window the server is stopped for STOP_S."""
    out, times = lab.path("out.json"), lab.path("times.csv")
    with lab.contestant("c-tuned", "keep") as server:
        process = lab.start(server, data, "--events", "--out", out, "--times", times, "--warmup",
                            "200ms", "--window", "1s", *plan)
        await_event(process, "window_start")
        time.sleep(0.2)
        os.kill(server.process.pid, signal.SIGSTOP)
        time.sleep(0.005)  # it may have been at work on the other core
        stopped = time.monotonic_ns()
        time.sleep(STOP_S)
        went_on = time.monotonic_ns()
        os.kill(server.process.pid, signal.SIGCONT)
        run = lab.ok(lab.finish(process, out, times), "a stopped server")
    return run, stopped, went_on


def excused_ns(result: dict) -> int:
    """Lateness that is no fault of the generator's accounts: it writes on, and the host did not let it run."""
    return WRITING_NS + result["generator"]["pauses"]["total_ns"]


def check_chain(rows: list, excused_ns: int) -> None:
    """Who comes due while a batch that waited for the server is unsent waits for the server, too."""
    connections = {}
    for row in rows:
        connections.setdefault(row["connection"], []).append(row)
    for own in connections.values():
        for before, after in zip(own, own[1:]):
            if before["blocked"] and before["send_complete_ns"] > after["due_ns"]:
                assert after["blocked"] or after["lateness_ns"] < excused_ns, (before, after)


def check_open_loop(data: str) -> None:
    run, stopped, went_on = stopped_run(("--plan", "open", "--rate", str(RATE), "--depth", "1"), data)
    result = run.result
    stop_ns = went_on - stopped
    latency = result["series"]["latency"]
    assert latency["max_ns"] >= stop_ns * 0.95, (latency["max_ns"], stop_ns)
    # Each batch that is due while the server stands waits until it goes on, at least.
    caught = [row for row in run.times if stopped <= row["due_ns"] < went_on]
    assert abs(len(caught) - RATE * stop_ns / 1e9) <= 1, (len(caught), RATE * stop_ns / 1e9)
    assert all(row["reply_ns"] >= went_on for row in caught)
    # The queue stood in the generator: more batches were due than connections may have in flight.
    assert len(caught) > 3 * result["inputs"]["connections"]
    waiting = [row for row in caught if row["blocked"] or row["lateness_ns"] < excused_ns(result)]
    assert len(waiting) >= len(caught) - result["inputs"]["connections"], len(waiting)
    # Their wait is the server's latency, not the generator's lateness.
    assert result["series"]["lateness"]["max_ns"] < max(stop_ns / 2, excused_ns(result)), result["series"]["lateness"]
    check_chain(run.times, excused_ns(result))
    # Service time alone hides it: only those in flight when the server stopped show the stop.
    slow = [row for row in run.times if row["reply_ns"] - row["send_start_ns"] > stop_ns / 2]
    assert len(slow) <= result["inputs"]["connections"], len(slow)
    assert result["window"]["due"] == result["window"]["planned"], "a slot was dropped"
    silent = [i for i, count in enumerate(result["timeline"]["batches"]) if count == 0]
    assert silent, result["timeline"]["batches"]
    print("open loop: %d batches due in %.0f ms of standstill, slowest %.0f ms, %d slow by service time"
          % (len(caught), stop_ns / 1e6, latency["max_ns"] / 1e6, len(slow)))


def check_stopped_generator(data: str) -> None:
    """The generator that stands still is late for everything that came due meanwhile, not only for as
    much as may be in flight when it goes on: what waits for the server then had waited for it before."""
    out, times = lab.path("out.json"), lab.path("times.csv")
    with lab.contestant("c-tuned", "keep") as server:
        process = lab.start(server, data, "--events", "--out", out, "--times", times, "--warmup", "200ms",
                            "--window", "1s", "--plan", "open", "--rate", "2000", "--connections", "4",
                            "--depth", "2")
        await_event(process, "window_start")
        time.sleep(0.2)
        process.send_signal(signal.SIGSTOP)
        time.sleep(0.005)
        stopped = time.monotonic_ns()
        time.sleep(STOP_S)
        went_on = time.monotonic_ns()
        process.send_signal(signal.SIGCONT)
        run = lab.ok(lab.finish(process, out, times), "a stopped generator")
    caught = [row for row in run.times if stopped <= row["due_ns"] < went_on]
    assert len(caught) > 10 * 4 * 2, len(caught)  # many more than may be in flight
    hidden = [row for row in caught if row["blocked"] or row["lateness_ns"] < went_on - row["due_ns"]]
    assert not hidden, "%d of %d late batches are put down to the server" % (len(hidden), len(caught))
    late = run.result["series"]["lateness"]
    assert late["max_ns"] >= (went_on - stopped) * 0.9, late
    beyond = sum(count for low, count in late["buckets"] if low >= STOP_S * 0.25e9)
    assert beyond >= len(caught) / 2, (beyond, len(caught))
    print("generator stopped for %.0f ms: it was late for %d batches" % ((went_on - stopped) / 1e6, len(caught)))


def check_full_socket(data: str) -> None:
    """A server that does not read: a batch is stuck half sent, those behind it wait for the server."""
    run, stopped, went_on = stopped_run(("--plan", "open", "--rate", "800", "--connections", "1",
                                         "--depth", "1000"), data)
    result, stop_ns = run.result, went_on - stopped
    stuck = [row for row in run.times if row["send_start_ns"] < went_on <= row["send_complete_ns"]]
    assert len(stuck) == 1, stuck
    behind = [row for row in run.times if stuck[0]["released_ns"] < row["due_ns"] < went_on]
    assert len(behind) > 20, len(behind)
    assert all(row["blocked"] or row["lateness_ns"] < excused_ns(result) for row in behind), len(behind)
    assert all(row["reply_ns"] >= went_on for row in behind)
    check_chain(run.times, excused_ns(result))
    lateness = result["series"]["lateness"]
    blocked = sum(row["blocked"] for row in behind)
    assert lateness["n"] <= result["window"]["due"] - blocked, (lateness, blocked)
    assert (lateness["max_ns"] or 0) < max(stop_ns / 2, excused_ns(result)), lateness
    assert result["window"]["due"] == result["window"]["planned"], "a slot was dropped"
    print("full socket: one batch half sent for %.0f ms, %d waited behind it"
          % ((stuck[0]["send_complete_ns"] - stuck[0]["send_start_ns"]) / 1e6, len(behind)))


def check_closed_loop(data: str) -> None:
    run, stopped, went_on = stopped_run(("--plan", "closed",), data)
    result = run.result
    longest = result["series"]["round_trip"]["max_ns"]
    assert longest >= (went_on - stopped) * 0.95, (longest, went_on - stopped)
    assert result["series"]["latency"] is None
    print("closed loop: longest round trip %.0f ms" % (longest / 1e6))


# Batches a second: several times what the Python server manages on any machine, so that no drain catches up.
OVERLOAD = 15000


def check_overload(data: str) -> None:
    """A rate beyond the server's: a result, with its backlog; what is late is censored, not dropped."""
    with lab.liar("dribble") as server:
        run = lab.load(server, data, "--plan", "open", "--rate", str(OVERLOAD), "--connections", "4",
                       "--drain-limit", "200ms", "--window", "400ms")
    lab.ok(run, "overload")
    window, latency = run.result["window"], run.result["series"]["latency"]
    assert window["overloaded"] and window["backlog_end"] > window["backlog_begin"], window
    assert window["censored"] >= window["censored_never_sent"] > 0, window
    # A batch is due every 67 us, less than the stretch that it spins: only because nothing more may be in flight it sleeps.
    assert run.result["generator"]["sleeps"] > 0, run.result["generator"]
    assert window["due"] == window["planned"] == OVERLOAD * 4 // 10 == latency["n"], (window, latency)
    assert latency["max_ns"] >= 200_000_000
    if window["censored"] > window["planned"] // 2:
        assert latency["p50_ns"] >= 200_000_000, latency
    # In the histogram, each of them is at the limit at least.
    beyond = sum(count for low, count in latency["buckets"] if low >= 199_000_000)
    assert beyond >= window["censored"], (beyond, window)
    assert window["batches"] > 0 and run.result["verification"]["replies_verified"] > window["batches"]
    print("overload: %d of %d censored" % (window["censored"], window["planned"]))


def check_stopped_for_good(data: str) -> None:
    """Stopped and never set going again: the run ends by itself and says why."""
    out = lab.path("out.json")
    with lab.contestant("c-tuned", "keep") as server:
        process = lab.start(server, data, "--events", "--out", out, "--window", "30s",
                            "--stall-limit", "500ms")
        await_event(process, "window_start")
        os.kill(server.process.pid, signal.SIGSTOP)
        begin = time.monotonic()
        run = lab.finish(process, out)
        took = time.monotonic() - begin
        os.kill(server.process.pid, signal.SIGCONT)
    assert run.code == 1 and run.result["verdict"] == "stalled", (run.code, run.result["verdict"])
    assert took < 5, took
    assert "no reply for 500 ms" in run.err and len(run.err.splitlines()) == 1, run.err
    assert run.result["window"]["complete"] is False
    assert run.result["window"]["batches_per_s"] is None and run.result["window"]["busy_share"] is None
    events = [json.loads(line) for line in run.out.splitlines()]
    assert [event["event"] for event in events] == ["done"], events
    assert events[0]["verdict"] == "stalled" and events[0]["gate"] == "answers"


def main() -> None:
    data = lab.simple()
    check_open_loop(data)
    check_stopped_generator(data)
    check_full_socket(lab.messy())
    check_closed_loop(data)
    check_overload(data)
    check_stopped_for_good(data)


if __name__ == "__main__":
    main()
    sys.exit(0)
