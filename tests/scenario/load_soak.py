"""load_soak.py: a server stopped for half a second under each plan with due times: its queue grows in
the generator, and not one slot is dropped, thinned out or moved.
"""

import os
import signal
import sys
import time

import load_common as lab

STOP_S = 0.5
PLANS = {
    "open": ("--plan", "open", "--rate", "2000", "--window", "1s"),
    "poisson": ("--plan", "poisson", "--rate", "2000", "--window", "1s"),
    "bursts": ("--plan", "bursts", "--burst", "100", "--period", "50ms", "--window", "1s"),
    "steps": ("--plan", "steps", "--steps", "500-4000:400ms,4000-500:400ms,1000:200ms"),
}


def check_stopped(name: str, data: str) -> None:
    out, times = lab.path("out.json"), lab.path("times.csv")
    with lab.contestant("c-tuned", "keep") as server:
        process = lab.start(server, data, "--events", "--out", out, "--times", times, "--depth", "2",
                            "--connections", "8", *PLANS[name])
        lab.await_event(process, "window_start")
        time.sleep(0.15)
        os.kill(server.process.pid, signal.SIGSTOP)
        time.sleep(0.01)  # it may have been at work on another core
        stopped = time.monotonic_ns()
        time.sleep(STOP_S)
        went_on = time.monotonic_ns()
        os.kill(server.process.pid, signal.SIGCONT)
        run = lab.ok(lab.finish(process, out, times), name)
    due = lab.check_replay(run)
    caught = [row for row in run.times if stopped <= row["due_ns"] < went_on]
    planned = sum(stopped <= moment < went_on for moment in due)
    assert len(caught) == planned > 3 * 8 * 2, (len(caught), planned)  # more than may be in flight
    assert all(row["reply_ns"] >= went_on for row in caught), "answered by a stopped server"
    longest = run.result["series"]["latency"]["max_ns"]
    assert longest >= max(row["reply_ns"] - row["due_ns"] for row in caught) * 0.999
    # Their wait is put down to the server but for what it took to fill up what may be in flight.
    excused_ns = STOP_S * 0.1e9 + run.result["generator"]["pauses"]["total_ns"]  # the host's doing
    waiting = sum(row["blocked"] or row["lateness_ns"] < excused_ns for row in caught)
    assert waiting >= len(caught) - 2 * 8, (waiting, len(caught))
    print("%s: %d batches due while the server stood for %.0f ms, all sent; slowest %.0f ms"
          % (name, len(caught), (went_on - stopped) / 1e6, longest / 1e6))


def main() -> None:
    data = lab.simple()
    for name in PLANS:
        check_stopped(name, data)


if __name__ == "__main__":
    main()
    sys.exit(0)
