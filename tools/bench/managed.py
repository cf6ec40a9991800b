#!/usr/bin/env python3
"""managed.py: of a finished campaign over servers: start-up, warm-up, memory and collections of each entry, native and managed
by the same definitions, as managed.md in its folder and on standard output, and the warm-up curves as warmup.svg.

Memory beyond what is kept: (peak - kept) / kept. Peak is the resident peak of the window; kept are the bytes of the copies
that the contract has the server keep (the canonical forms of the last 64 batches of each connection), reckoned from the
server's own totals and KEPT. Collections and pauses are what the runtime says, of the window; medians over the trials.
"""

import json
import math
import os
import shutil
import statistics
import subprocess
import sys
from typing import NamedTuple

RECORD_HEAD_BYTES = 32  # of the canonical form: docs/PROTOCOL.md, section 2
STEADY_SHARE = 0.95
STEADY_BINS = 5
SVG_LIMIT_S = 60


def number(text) -> float:
    """A count of STATS or KEPT, which are hexadecimal; NAN where it is missing."""
    return float(int(text, 16)) if isinstance(text, str) else math.nan


class Trial(NamedTuple):
    """What one trial tells. NAN: it cannot be known."""

    startup_ms: float
    records_per_s: float
    steady_s: float
    peak_bytes: float
    kept_bytes: float
    pause_share: float
    collections: tuple
    allocated_bytes_per_record: float
    compiled_methods: float
    curve: list  # records a second, bin by bin from the first
    bin_s: float


def kept_bytes(generator: dict) -> float:
    totals = (generator["stats_after"] or {}).get("reply", {}).get("totals", {})
    records = number(totals.get("records"))
    if not records > 0:
        return math.nan
    text_bytes = (number(totals["source_bytes"]) + number(totals["message_bytes"])) / records
    return number((generator["kept_final"] or {}).get("records")) * (RECORD_HEAD_BYTES + text_bytes)


def steady_after_s(curve: list, bin_s: float, steady: float) -> float:
    """The first moment from which STEADY_BINS bins in a row reach the share; NAN where none do."""
    for at in range(len(curve) - STEADY_BINS + 1):
        if min(curve[at:at + STEADY_BINS]) >= STEADY_SHARE * steady:
            return at * bin_s
    return math.nan


def runtime_change(generator: dict, key: str) -> list:
    """What the runtime counted in the window: a list of one or more numbers, of NAN where it has no such count."""
    before, after = (generator[which]["reply"]["runtime"].get(key) for which in ("stats_before", "stats_after"))
    if after is None or before is None:
        return [math.nan] * 3
    pairs = zip(after, before) if isinstance(after, list) else [(after, before)]
    return [number(a) - number(b) for a, b in pairs]


def read_trial(path: str):
    """(cell, entry, Trial), or None of one that did not count."""
    with open(path, encoding="utf-8") as file:
        trial = json.load(file)
    generator = trial["details"].get("generator") if trial["outcome"] == "counted" else None
    if not generator:
        return None
    metrics = {one["name"]: math.nan if one["value"] is None else one["value"] for one in trial["metrics"]}
    window, times = generator["window"], generator["times"]
    bin_s = generator["timeline"]["bin_ns"] / 1e9
    bins = int((times["window_end_ns"] - generator["timeline"]["start_ns"]) / generator["timeline"]["bin_ns"])
    curve = [records / bin_s for records in generator["timeline"]["records"][:bins]]
    return trial["cell"], trial["entry"], Trial(
        metrics["startup_ns"] / 1e6, window["records_per_s"],
        steady_after_s(curve, bin_s, statistics.median(curve[-int(window["ns"] / 1e9 / bin_s):])),
        metrics["peak_rss_bytes"], kept_bytes(generator), runtime_change(generator, "gc_pause_ns")[0] / window["ns"],
        tuple(runtime_change(generator, "gc_collections")),
        runtime_change(generator, "allocated_bytes")[0] / max(1, window["records"]),
        runtime_change(generator, "compiled_methods")[0], curve, bin_s)


def read_trials(folder: str) -> dict:
    """Cell to entry to trials; entries by name, so that variants stand behind what they vary."""
    found = {}
    place = os.path.join(folder, "trials")
    for name in sorted(os.listdir(place)):
        read = read_trial(os.path.join(place, name)) if name.endswith(".json") else None
        if read:
            found.setdefault(read[0], {}).setdefault(read[1], []).append(read[2])
    return {cell: dict(sorted(entries.items())) for cell, entries in found.items()}


def median(values) -> float:
    known = [value for value in values if not math.isnan(value)]
    return statistics.median(known) if known else math.nan


def shown(value: float, form: str) -> str:
    return "–" if math.isnan(value) else format(value, form)


def row(entry: str, trials: list) -> str:
    beyond = median((one.peak_bytes - one.kept_bytes) / one.kept_bytes if one.kept_bytes > 0 else math.nan for one in trials)
    collections = " / ".join(shown(median(one.collections[age] for one in trials), ".0f") for age in range(3))
    cells = [entry, str(len(trials)), shown(median(one.startup_ms for one in trials), ".0f"),
             shown(median(one.steady_s for one in trials), ".1f"),
             shown(median(one.records_per_s for one in trials) / 1e6, ".3f"),
             shown(median(one.peak_bytes for one in trials) / 2**20, ".1f"),
             shown(median(one.kept_bytes for one in trials) / 2**20, ".1f"), shown(beyond, ".2f"), collections,
             shown(100 * median(one.pause_share for one in trials), ".2f"),
             shown(median(one.allocated_bytes_per_record for one in trials), ".1f"),
             shown(median(one.compiled_methods for one in trials), ".0f")]
    return "| " + " | ".join(cells) + " |"


HEADING = ("| entry | trials | start ms | steady after s | 10^6 records/s | peak MiB | kept MiB | (peak − kept) / kept | "
           "collections 0 / 1 / 2 | paused % | allocated bytes a record | compiled methods |")


def table(cell: str, entries: dict) -> list:
    rule = "|---|" + "---|" * (HEADING.count("|") - 2)
    return [f"### {cell}", "", HEADING, rule, *(row(entry, trials) for entry, trials in entries.items()), ""]


def curve_of(trials: list) -> list:
    """(second, share of the steady throughput): the median over the trials, bin by bin; nothing where that is 0."""
    steady = median(one.records_per_s for one in trials)
    if not steady > 0:
        return []
    bins = min(len(one.curve) for one in trials)
    return [((at + 0.5) * trials[0].bin_s, median(one.curve[at] for one in trials) / steady) for at in range(bins)]


def draw(cells: dict, path: str) -> None:
    """One panel a cell. Says so where there is no gnuplot."""
    if shutil.which("gnuplot") is None:
        print("no warmup.svg: gnuplot is not in PATH", file=sys.stderr)
        return
    script = [f"set terminal svg size 960,{420 * len(cells)} dynamic background rgb 'white'", f"set output '{path}'",
              f"set multiplot layout {len(cells)},1", "set xlabel 's of load'", "set ylabel 'share of its own steady throughput'",
              "set yrange [0:1.2]", "set grid", "set key outside right noenhanced"]
    for panel, (cell, entries) in enumerate(cells.items()):
        names = []
        for index, (entry, trials) in enumerate(entries.items()):
            curve = curve_of(trials)
            if not curve:
                print(f"no curve of {entry} in {cell}: it answered nothing in its window", file=sys.stderr)
                continue
            name = f"$curve{panel}_{index}"
            script += [f"{name} << EOD", *(f"{second:.3f} {share:.4f}" for second, share in curve), "EOD"]
            names.append(f"{name} using 1:2 with lines linewidth 1.5 title '{entry}'")
        title = cell.replace("'", "")
        script += [f"set title '{title}' noenhanced", "plot " + (", ".join(names) or "NaN notitle")]
    subprocess.run(["gnuplot"], input="\n".join([*script, "unset multiplot", ""]), text=True, check=True, timeout=SVG_LIMIT_S)


def main() -> int:
    folder = sys.argv[1]
    cells = read_trials(folder)
    if not cells:
        print("managed.py: no trial of a server counted", file=sys.stderr)
        return 1
    lines = [line for cell, entries in cells.items() for line in table(cell, entries)]
    text = "\n".join(["## Start-up, warm-up, memory and collections", "", *lines])
    with open(os.path.join(folder, "managed.md"), "w", encoding="utf-8") as file:
        file.write(text)
    print(text)
    draw(cells, os.path.join(folder, "warmup.svg"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
