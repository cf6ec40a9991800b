"""report_run.py: a run for tests of the report: three kinds of cells, raced small, then made hostile by hand."""

import json
import os
import subprocess

from small_race import PROGRAM, Race, expect

# Every sign that means something to HTML, attributes, scripts or JSON.
HOSTILE = "<script>alert(1)</script>\"'&amp;</title><!-- ]]>"


def three_cells(race: Race) -> str:
    """A matrix with a closed, two open and a stepped cell; the open ones differ in their rate."""
    path = race.matrix(rules={"warmup_s": 0.1, "window_s": 0.3})
    with open(path, encoding="utf-8") as file:
        matrix = json.load(file)
    closed = matrix["cells"][0]
    shown = {"comparisons": [{**closed["comparisons"][0], "primary": False}]}  # six rows are enough for one verdict
    for rate in (800, 1600):
        matrix["cells"].append({**closed, **shown, "name": "open/%d" % rate, "metric": "latency_p50_ns",
                                "load": {"plan": "open", "rate_per_s": rate, "connections": 2, "depth": 4}})
    stepped = {**closed, **shown, "name": "parse", "driver": "stepped", "mode": "totals"}
    del stepped["load"]
    matrix["cells"].append(stepped)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(matrix, file)
    return path


def report(folder: str) -> None:
    done = subprocess.run([PROGRAM, "report", folder], capture_output=True, text=True, timeout=120, check=False)
    expect(done.returncode == 0, "the report is written: %s" % done.stderr)


def page_of(folder: str) -> str:
    with open(os.path.join(folder, "report.html"), encoding="utf-8") as file:
        return file.read()


def change_results(folder: str, change) -> None:
    """`change` gets results.json as a value and may do with it what it likes."""
    path = os.path.join(folder, "results.json")
    with open(path, encoding="utf-8") as file:
        results = json.load(file)
    change(results)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(results, file)


def rename(value, old: str, new: str):
    """The same value with every text that is `old` replaced, keys too."""
    if isinstance(value, dict):
        return {rename(key, old, new): rename(one, old, new) for key, one in value.items()}
    if isinstance(value, list):
        return [rename(one, old, new) for one in value]
    return new if value == old else value


def make_hostile(folder: str, old: str) -> None:
    """The contestant `old` is called HOSTILE, and all that contestants write of themselves is hostile too."""
    def change(results: dict) -> None:
        renamed = rename(results, old, HOSTILE)
        results.clear()
        results.update(renamed)
        for welcome in results["welcomes"].values():
            welcome.update(runtime=HOSTILE, build_flags=HOSTILE, kernel=HOSTILE)
        results["manifest"]["title"] = HOSTILE
        results["cells"][0]["entries"][0]["wrong"] = HOSTILE
        exclude_first(results, HOSTILE)
    change_results(folder, change)


def exclude_first(results: dict, reason: str) -> None:
    results["trials"][0].update(outcome="excluded", reason=reason)
