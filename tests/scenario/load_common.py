"""load_common.py: what the scenarios of the load generator share: programs, datasets, servers, runs."""

import atexit
import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile
from typing import NamedTuple

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
import plan_replay  # noqa: E402
from json_schema import Checker  # noqa: E402
from wire_client import Server  # noqa: E402

ROOT = os.environ.get("MR_SOURCE_DIR") or os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.abspath(os.environ.get("MR_BUILD_DIR") or os.path.join(ROOT, "build", "release"))
LIAR = [sys.executable, os.path.join(HERE, "liar.py")]
RUN_LIMIT_S = 60.0  # no run of these tests may take longer, whatever goes wrong


def _program() -> str:
    """The main program, or one that stands in for it while only parts are built."""
    for path in (os.environ.get("MR_PROGRAM"), os.path.join(BUILD, "apps", "matchrace", "matchrace"),
                 os.path.join(BUILD, "matchrace")):
        if path and os.access(path, os.X_OK):
            return path
    raise SystemExit("matchrace is not built below %s; set MR_BUILD_DIR" % BUILD)


PROGRAM = _program()
_folder = tempfile.mkdtemp(prefix="mr-load-")
atexit.register(shutil.rmtree, _folder, ignore_errors=True)


def path(name: str) -> str:
    """A place in this test's folder, which goes away at its end."""
    return os.path.join(_folder, name)


def dataset(name: str, *args: str) -> str:
    """Makes a small dataset once; returns its NAME for --data."""
    out = path(name)
    if not os.path.exists(out + ".json"):
        subprocess.run([PROGRAM, "data", "make", "--out", out, *args], check=True,
                       stdout=subprocess.DEVNULL, timeout=RUN_LIMIT_S)
    return out


def simple() -> str:
    return dataset("simple", "--shape", "simple", "--batches", "40", "--batch-records", "6")


def messy() -> str:
    """Batches of more than 64 KiB: each takes several writes."""
    return dataset("messy", "--shape", "messy", "--batches", "20", "--batch-records", "110")


def rejects() -> str:
    return dataset("rejects", "--shape", "rejects", "--batches", "200", "--batch-records", "3")


def contestant(name: str, mode: str, *args: str) -> Server:
    """A server of a contestant of the tree, for a `with` block."""
    folder = os.path.join(ROOT, "contestants", name)
    with open(os.path.join(folder, "contestant.json"), encoding="utf-8") as file:
        manifest = json.load(file)
    command = [word.replace("${MR_BUILD_DIR}", BUILD) for word in manifest["run"]]
    return Server(command, ["--mode", mode, *args], folder=folder, env=manifest.get("env"))


def liar(lie: str, mode: str = "keep") -> Server:
    return Server(LIAR, ["--mode", mode, "--lie", lie], env={"PYTHONDONTWRITEBYTECODE": "1"})


class Run(NamedTuple):
    """One finished run of `matchrace load`."""

    code: int
    out: str
    err: str
    result: dict  # {} when none was written
    times: list   # rows of the CSV of the five times, as integers
    missing: str = ""  # the CSV's last line, where it says that it is not the whole


_schema = Checker(json.load(open(os.path.join(ROOT, "schemas", "load.schema.json"), encoding="utf-8")))


def words(server, data: str, *args: str) -> list:
    """The command line of a short run."""
    address = server if isinstance(server, str) else "%s:%d" % (server.host, server.port)
    plain = {"--warmup": "150ms", "--window": "250ms", "--stall-limit": "5s"}
    for name, value in plain.items():
        if name not in args and not (name == "--window" and "--steps" in args):  # their own time
            args = (*args, name, value)
    return [PROGRAM, "load", "--connect", address, "--data", data, *args]


def start(server, data: str, *args: str, **options) -> subprocess.Popen:
    return subprocess.Popen(words(server, data, *args), stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, **options)


def finish(process: subprocess.Popen, out: str | None = None, times: str | None = None) -> Run:
    """Waits for a run and reads what it left; a result that does not obey its schema is a fault."""
    try:
        text, err = process.communicate(timeout=RUN_LIMIT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise AssertionError("a run took longer than %g s" % RUN_LIMIT_S) from None
    result, rows, missing = {}, [], ""
    if out and os.path.exists(out):
        with open(out, encoding="utf-8") as file:
            result = json.load(file)
        faults = _schema.faults(result)
        assert not faults, "the result does not obey load.schema.json: %s" % faults[:5]
    if times and os.path.exists(times):
        with open(times, encoding="utf-8", newline="") as file:
            lines = file.read().splitlines()
        missing = lines.pop() if lines[-1].startswith("INCOMPLETE: ") else ""
        rows = [{key: int(value) for key, value in row.items()} for row in csv.DictReader(lines)]
    return Run(process.returncode, text, err, result, rows, missing)


def load(server, data: str, *args: str) -> Run:
    """A whole run, with its result and its five times."""
    out, times = path("out.json"), path("times.csv")
    for name in (out, times):
        if os.path.exists(name):
            os.remove(name)
    return finish(start(server, data, "--out", out, "--times", times, *args), out, times)


def await_event(process: subprocess.Popen, name: str) -> dict:
    """Reads events of a run with --events until `name` comes."""
    for text in process.stdout:
        event = json.loads(text)
        if event["event"] == name:
            return event
    raise AssertionError("no event %s: %s" % (name, process.stderr.read()))


def check_replay(run: Run) -> list:
    """Every slot of the plan, computed once more from the result file, was sent and answered, each
    at its due time: none was dropped, thinned out, moved or added. Returns the due times."""
    inputs, times, window = run.result["inputs"], run.result["times"], run.result["window"]
    due = [times["start_ns"] + offset for offset in plan_replay.offsets(inputs)]
    own = {}
    for row in run.times:
        own.setdefault(row["connection"], []).append(row["due_ns"])
    for connection in range(inputs["connections"]):
        planned, got = due[connection::inputs["connections"]], own.get(connection, [])
        assert len(got) == len(planned), "connection %d: %d of %d slots" % (connection, len(got), len(planned))
        assert got == planned, [pair for pair in zip(got, planned) if pair[0] != pair[1]][:3]
    inside = sum(times["window_start_ns"] <= moment < times["window_end_ns"] for moment in due)
    assert window["planned"] == window["due"] == inside > 0, (window, inside)
    assert window["censored"] == 0, window
    return due


def ok(run: Run, what: str) -> Run:
    """Asserts that a run was verified."""
    assert run.code == 0, "%s: exit code %d: %s" % (what, run.code, run.err)
    assert run.result["verdict"] == "ok" and run.result["failure"] is None, what
    assert run.result["complete"] is True and run.missing == "", (what, run.missing)
    assert set(run.result["gates"].values()) == {"pass"}, (what, run.result["gates"])
    assert run.err == "", (what, run.err)
    return run
