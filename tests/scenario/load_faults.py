"""load_faults.py: bad input, dying servers and signals: one clear line, the right exit code, nothing
half-written, nothing left behind.
"""

import json
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time

import load_common as lab


def line(run, code: int, *parts: str) -> None:
    """Asserts that a run ended with `code` and one line on standard error that holds `parts`."""
    assert run.code == code, (run.code, code, run.err, run.out)
    assert len(run.err.splitlines()) == 1 and run.err.startswith("matchrace load: "), run.err
    for part in parts:
        assert part in run.err, (part, run.err)


def plain(*args: str) -> lab.Run:
    process = subprocess.Popen([lab.PROGRAM, "load", *args], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    return lab.finish(process)


def closed_port() -> str:
    """An address where nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return "127.0.0.1:%d" % probe.getsockname()[1]


def check_usage(data: str) -> None:
    here = ("--connect", "127.0.0.1:9", "--data", data)
    line(plain("--data", data), 2, "--connect HOST:PORT is missing")
    line(plain("--connect", "127.0.0.1:9"), 2, "--data NAME is missing")
    line(plain("--connect", "nowhere", "--data", data), 2, "not HOST:PORT")
    line(plain(*here, "--plan", "open"), 2, "needs --rate")
    line(plain(*here, "--rate", "100"), 2, "--plan open")
    line(plain(*here, "--connections", "60000", "--depth", "4000"), 2, "in flight")
    line(plain(*here, "--mode", "fast"), 2, "--mode")
    line(plain(*here, "--connections", "2", "--threads", "3"), 2, "--threads is larger")
    line(plain(*here, "--cores", "one"), 2, "--cores")
    line(plain(*here, "--window", "soon"), 2, "--window")
    line(plain(*here, "more"), 2, "one word too many")
    line(plain(*here, "--out", lab.path("same"), "--times", lab.path("same")), 2, "the same file")
    shown = plain("--help")
    assert shown.code == 0 and "Examples:" in shown.out and "Exit codes" in shown.out, shown


def check_plans(data: str) -> None:
    """Impossible plans are wrong usage, told before anybody is asked, with the limit."""
    here = ("--connect", "127.0.0.1:9", "--data", data)
    for words, said in (
            ("open", "needs --rate"), ("poisson", "needs --rate"),
            ("open --rate 0", "N, 1 to 5000000"), ("poisson --rate 0", "N, 1 to 5000000"),
            ("open --rate 5000001", "5000000"), ("poisson --rate 5000001", "5000000"),
            ("open --rate 1 --warmup 100ms --window 200ms", "no batch is due inside the window"),
            ("poisson --rate 1 --seed 1 --warmup 0s --window 1ms", "no batch is due inside the window"),
            ("poisson --rate 5000000 --warmup 0s --window 14s", "33554432 fit into the 256 MiB"),
            ("bursts", "needs --burst"), ("bursts --burst 5", "--period"), ("bursts --period 1s", "--burst"),
            ("bursts --burst 0 --period 1s", "N, 1 to 1048576"), ("bursts --burst 5 --period 0s", "TIME, 1us to"),
            ("bursts --burst 5 --period 100ms --rate 3", "--rate means nothing"),
            ("bursts --burst 1048577 --period 1s", "1048576"),
            ("bursts --burst 5001 --period 1ms --window 1s", "5000000 batches a second"),
            ("bursts --burst 5 --period 300ms --window 1s", "whole number of --period"),
            ("open --rate 5 --burst 5", "say --plan bursts"), ("closed --period 1s", "say --plan bursts"),
            ("steps", "needs --steps"), ("open --rate 5 --steps 5:1s", "say --plan steps"),
            ("steps --steps 5", "RATE:TIME"), ("steps --steps 5:1s,", "RATE:TIME"),
            ("steps --steps 5000001:1s", "5000000"), ("steps --steps 5:0s", "last more than 0"),
            ("steps --steps 0:1s,0-0:1s", "not one batch due"), ("steps --steps 1:500ms", "not one batch due"),
            ("steps --steps 100:1s --window 2s", "as long as the steps"),
            ("steps --steps 5000000:14s", "33554432 fit into the 256 MiB")):
        run = plain(*here, "--plan", *words.split())
        line(run, 2, said)
    # All batches of a burst stand somewhere at once: more than the machine's memory is refused.
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGESIZE")
    large = lab.messy()
    batch = os.path.getsize(large + ".batches") // 20
    if batch * 1048576 > memory * 1.1:
        line(plain("--connect", "127.0.0.1:9", "--data", large, "--plan", "bursts", "--burst", "1048576",
                   "--period", "10s", "--window", "10s"), 2, "this machine's memory", "at most --burst")


def check_outputs(data: str) -> None:
    """What cannot be written is told before the run, and nothing is left, or put in its place."""
    folder = lab.path("outputs")
    os.mkdir(folder)
    before = os.stat("/dev/full").st_rdev
    with lab.contestant("c-tuned", "keep") as server:
        for option in ("--out", "--times"):
            for place in (lab.path("no/such/file"), folder, "/dev/full", os.path.join(folder, "n" * 255),
                          os.path.join(data + ".json", "file")):
                begin = time.monotonic()
                run = lab.finish(lab.start(server, data, option, place, "--window", "20s"))
                line(run, 2, "cannot be written", place)
                assert time.monotonic() - begin < 5, "told only after the run"
    assert os.listdir(folder) == [], os.listdir(folder)
    assert os.stat("/dev/full").st_rdev == before, "a device was replaced"


def check_never_answers(data: str) -> None:
    """A server that greets and takes batches, but never answers one: stalled, and its answers failed."""
    command = [sys.executable, os.path.join(lab.HERE, "mute.py")]
    with lab.Server(command, ["--mode", "keep"], env={"PYTHONDONTWRITEBYTECODE": "1"}) as server:
        for plan in (("--plan", "closed"), ("--plan", "poisson", "--rate", "500")):
            begin = time.monotonic()
            run = lab.load(server, data, *plan, "--stall-limit", "400ms")
            line(run, 1, "the server stopped answering", "no reply for 400 ms (--stall-limit)")
            assert time.monotonic() - begin < 5
            assert run.result["verdict"] == "stalled" and run.result["gates"]["answers"] == "fail"
            assert run.result["window"]["complete"] is False and run.times == []
            assert run.result["complete"] is False and "stalled" in run.missing, run.missing


def check_environment(data: str) -> None:
    line(plain("--connect", closed_port(), "--data", data), 1, "nothing listens", "is the server running")
    line(plain("--connect", closed_port(), "--data", lab.path("none")), 2, "none")
    with lab.contestant("c-tuned", "totals") as server:
        address = "%s:%d" % (server.host, server.port)
        run = lab.load(server, data)
        line(run, 1, "mode totals, not keep", "--mode totals")
        assert run.result["verdict"] == "failed" and run.result["failure"]["gate"] is None
        line(plain("--connect", address, "--data", data, "--out", lab.path("no/such/out.json")), 2,
             "cannot be written")
        line(plain("--connect", address, "--data", data, "--mode", "totals", "--cores", "1023"), 1,
             "--cores")


def check_datasets(data: str) -> None:
    """A truncated, a changed and a mixed-up dataset are told before anybody is asked."""
    for name, change in (("cut", lambda text: text[:-7]), ("changed", lambda text: text[:-9] + b"9" + text[-8:])):
        for suffix in (".batches", ".answers", ".edits"):
            copy = lab.path(name)
            for part in (".batches", ".answers", ".edits", ".json"):
                shutil.copyfile(data + part, copy + part)
            with open(copy + suffix, "rb") as file:
                text = file.read()
            with open(copy + suffix, "wb") as file:
                file.write(change(text))
            line(plain("--connect", closed_port(), "--data", copy), 2, name + suffix)
    shutil.copyfile(lab.rejects() + ".answers", copy + ".answers")
    line(plain("--connect", closed_port(), "--data", copy), 2, "changed.")


def check_descriptors(data: str) -> None:
    """Too few descriptors: the limit and what to type."""
    def lower():
        resource.setrlimit(resource.RLIMIT_NOFILE, (100, 100))
    with lab.contestant("c-tuned", "keep") as server:
        run = lab.finish(lab.start(server, data, "--connections", "64", preexec_fn=lower))
    line(run, 1, "64 connections need 130 descriptors", "hard limit is 100", "'ulimit -n 130'",
         "at most --connections 34")
    with lab.contestant("c-tuned", "keep") as server:  # what the message advises works
        lab.ok(lab.finish(lab.start(server, data, "--connections", "34", "--out", lab.path("descriptors.json"),
                                    preexec_fn=lower), lab.path("descriptors.json")), "few descriptors")


class Listener:
    """A listening socket that greets nobody."""

    def __enter__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.address = "127.0.0.1:%d" % self.socket.getsockname()[1]
        return self

    def __exit__(self, *_):
        self.socket.close()


def check_greeting(data: str) -> None:
    with Listener() as silent:
        begin = time.monotonic()
        run = lab.load(silent.address, data, "--stall-limit", "300ms")
        line(run, 1, "does not greet", "no answer to HELLO")
        assert time.monotonic() - begin < 10
    with Listener() as rude:
        process = lab.start(rude.address, data)
        peer, _ = rude.socket.accept()
        peer.recv(16)
        peer.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        line(lab.finish(process), 1, "does not greet")
        peer.close()
    with lab.contestant("c-tuned", "keep", "--max-connections", "3") as server:
        line(lab.load(server, data), 1, "does not greet", "ERROR")


def check_killed_server(data: str) -> None:
    """kill -9 in mid-run: the lost connection is the result, at once."""
    out = lab.path("out.json")
    with lab.contestant("c-tuned", "keep") as server:
        process = lab.start(server, data, "--events", "--out", out, "--window", "30s")
        lab.await_event(process, "window_start")
        begin = time.monotonic()
        server.kill()
        run = lab.finish(process, out)
    assert time.monotonic() - begin < 3
    line(run, 3, "gate 'lost' failed", "was lost")
    assert run.result["verdict"] == "wrong" and run.result["gates"]["lost"] == "fail"
    assert run.result["gates"]["stats"] == "not reached" and run.result["window"]["complete"] is False
    assert run.result["verification"]["replies_verified"] > 0


def check_signals(data: str) -> None:
    """Ctrl-C and SIGTERM end a run within a second, wherever it is; the result says so."""
    out, times = lab.path("out.json"), lab.path("times.csv")
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        for plan in (("--plan", "closed", "--threads", "2"), ("--plan", "open", "--rate", "50"),
                     ("--plan", "poisson", "--rate", "200", "--times", times),
                     ("--plan", "bursts", "--burst", "20", "--period", "50ms"),
                     ("--plan", "steps", "--steps", "100-300:20s,300:10s")):
            with lab.contestant("c-tuned", "keep") as server:
                process = lab.start(server, data, "--events", "--out", out, "--window", "30s", *plan)
                lab.await_event(process, "window_start")
                time.sleep(0.1)
                begin = time.monotonic()
                process.send_signal(number)
                run = lab.finish(process, out, times if times in plan else None)
                assert time.monotonic() - begin < 1.0, "took too long to end"
            line(run, code, "interrupted by " + signal.Signals(number).name)
            assert run.result["verdict"] == "interrupted" and run.result["window"]["complete"] is False
            assert "pass" not in run.result["gates"].values(), run.result["gates"]
            assert run.result["complete"] is False and run.result["window"]["batches"] > 0
            assert times not in plan or (run.times and "interrupted" in run.missing), "taken for the whole"
            assert run.result["window"]["batches_per_s"] is None, "a rate over a part of the window"
            events = [json.loads(text) for text in run.out.splitlines()]
            assert [event["event"] for event in events] == ["done"], events
            os.remove(out)
    with lab.contestant("c-tuned", "keep") as server:  # for people: what was measured so far, and that
        process = lab.start(server, data, "--window", "30s")
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        run = lab.finish(process)
        line(run, 130, "interrupted by SIGINT")
        assert run.out.startswith("incomplete: interrupted after 0.") and "verified" in run.out, run.out
    with Listener() as silent:  # while it waits for WELCOME
        process = lab.start(silent.address, data)
        peer, _ = silent.socket.accept()
        peer.recv(16)
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        run = lab.finish(process)
        assert run.code == 130 and time.monotonic() - begin < 1.0, run
        peer.close()


def check_interrupted_standstill(data: str) -> None:
    """Ctrl-C while the server stands still: who waits is in the figures with what it waited so far."""
    out = lab.path("out.json")
    for plan in (("--plan", "open", "--rate", "200"), ("--plan", "closed")):
        with lab.contestant("c-tuned", "keep") as server:
            process = lab.start(server, data, "--events", "--out", out, "--window", "30s", *plan)
            lab.await_event(process, "window_start")
            time.sleep(0.1)
            server.process.send_signal(signal.SIGSTOP)
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            run = lab.finish(process, out)
            server.process.send_signal(signal.SIGCONT)
        line(run, 130, "interrupted by SIGINT")
        window, series = run.result["window"], run.result["series"]
        waits = series["latency" if "open" in plan else "round_trip"]
        assert window["due"] == waits["n"] > window["censored"], (window, waits)
        assert window["backlog_end"] is None and window["batches_per_s"] is None, window
        assert waits["max_ns"] >= 450_000_000, waits
        if "open" in plan:  # 200 a second for half a second, one every 5 ms
            assert window["overloaded"] is None and window["censored"] >= 80, window
            assert sum(count for low, count in waits["buckets"] if low >= 240_000_000) >= 40, waits
        else:
            assert window["censored"] == 64, window  # 16 connections with 4 each
        os.remove(out)


def check_events(data: str) -> None:
    """The events in their order, with the times that the result has."""
    out = lab.path("out.json")
    with lab.contestant("c-tuned", "keep") as server:
        process = lab.start(server, data, "--events", "--out", out)
        run = lab.ok(lab.finish(process, out), "events")
    events = [json.loads(text) for text in run.out.splitlines()]
    names = [event["event"] for event in events]
    assert names == ["connected", "window_start", "window_end", "drained", "done"], names
    times = run.result["times"]
    assert events[0]["t_ns"] == times["connected_ns"]
    assert events[0]["window_start_ns"] == events[1]["t_ns"] == times["window_start_ns"]
    assert events[0]["window_end_ns"] == events[2]["t_ns"] == times["window_end_ns"]
    assert events[2]["t_ns"] < events[3]["t_ns"] == times["drained_ns"] <= events[4]["t_ns"]
    assert events[4]["verdict"] == "ok"


def check_reader_gone(data: str) -> None:
    """Whoever reads the events may go away: the run goes on and leaves its result."""
    out = lab.path("gone.json")
    with lab.contestant("c-tuned", "keep") as server:
        process = lab.start(server, data, "--events", "--out", out)
        process.stdout.close()
        process.stdout = None
        lab.ok(lab.finish(process, out), "no reader")


def check_full_disk(data: str) -> None:
    """A result that does not fit leaves no part of it."""
    def lower():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
    folder = lab.path("full")
    os.mkdir(folder)
    with lab.contestant("c-tuned", "keep") as server:
        run = lab.finish(lab.start(server, data, "--out", os.path.join(folder, "out.json"),
                                   preexec_fn=lower))
    line(run, 1, "out.json", "File too large")
    assert os.listdir(folder) == [], os.listdir(folder)


def check_times_max(data: str) -> None:
    """Five times that were left out are missed in the file itself; the run is complete all the same."""
    with lab.contestant("c-tuned", "keep") as server:
        run = lab.load(server, data, "--plan", "open", "--rate", "400", "--times-max", "10")
    assert run.code == 0 and run.result["complete"] is True, run.err
    assert len(run.times) == 10 and "--times-max" in run.missing, run.missing
    timed = run.result["verification"]["replies_verified"] - run.result["inputs"]["connections"]
    assert int(run.missing.split()[1]) == timed - 10, run.missing


def check_used_up(_: str) -> None:
    """A dataset whose few variations run out: said so, and what to do; one that has none at all."""
    for name, timestamp, said in (("few", 10, "used up"), ("none", 5, "can be varied")):
        text = '{"id":1,"timestamp":%d,"source":"a","kind":"log","value":0,"flags":[],"message":""}\n'
        with open(lab.path(name + ".input"), "w", encoding="utf-8") as file:
            file.write(text % timestamp)
        out = lab.path(name)
        subprocess.run([lab.PROGRAM, "data", "import", "--out", out, lab.path(name + ".input")],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=30)
        with lab.contestant("c-tuned", "keep") as server:
            run = lab.load(server, out, "--connections", "2")
        line(run, 1, said)
        assert run.result["verdict"] == "failed" and run.result["failure"]["gate"] is None


def main() -> None:
    data = lab.simple()
    for check in (check_usage, check_plans, check_outputs, check_never_answers, check_environment,
                  check_datasets, check_descriptors, check_greeting, check_killed_server, check_signals,
                  check_interrupted_standstill, check_events, check_reader_gone, check_full_disk,
                  check_times_max,
                  check_used_up):
        check(data)
        print("%s: passed" % check.__name__)


if __name__ == "__main__":
    main()
    sys.exit(0)
