#!/usr/bin/env python3
"""bench_managed.py: the table of start-up, warm-up, memory and collections, from trials with worked values."""

import json
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOL = os.path.join(ROOT, "tools", "bench", "managed.py")
MIB = 1 << 20


def hexadecimal(value: int) -> str:
    return f"{value:016x}"


def trial(number: int, entry: str, managed: bool, **more) -> dict:
    """3 s of warm-up, the first of them at half the pace, 1 s of window; 32,768 records kept of 32 + 96 bytes: 4 MiB."""
    records = [500] * 10 + [1000] * 30
    runtime = lambda after: {"gc_pause_ns": hexadecimal(10_000_000 * after) if managed else None,
                             "gc_collections": [hexadecimal(n * after) for n in (5, 2, 1)] if managed else None,
                             "allocated_bytes": hexadecimal(1000 * 80 * after) if managed else None,
                             "compiled_methods": hexadecimal(3 * after) if managed else None}
    totals = {"records": hexadecimal(1000), "source_bytes": hexadecimal(16_000), "message_bytes": hexadecimal(80_000)}
    generator = {"timeline": {"bin_ns": 100_000_000, "start_ns": 0, "records": records + [7]},
                 "times": {"window_end_ns": 4_000_000_000}, "window": {"ns": 1_000_000_000, "records": 10_000,
                                                                      "records_per_s": 10_000},
                 "stats_before": {"reply": {"runtime": runtime(1)}},
                 "stats_after": {"reply": {"totals": totals, "runtime": runtime(2)}},
                 "kept_final": {"records": hexadecimal(32_768)}}
    return {"number": number, "cell": "a cell", "entry": entry, "outcome": "counted", "details": {"generator": generator},
            "metrics": [{"name": "startup_ns", "value": 70_000_000}, {"name": "peak_rss_bytes", "value": 5 * MIB}], **more}


def run(folder: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, TOOL, folder], capture_output=True, text=True, check=False)


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        os.makedirs(os.path.join(scratch, "trials"))
        excluded = trial(3, "managed", True, outcome="excluded")
        excluded["metrics"][0]["value"] = 10**12
        stuck = trial(4, "stuck", False)
        stuck["details"]["generator"]["window"] |= {"records": 0, "records_per_s": 0}
        for one in (trial(2, "native", False), trial(1, "managed", True), excluded, stuck):
            with open(os.path.join(scratch, "trials", "%05d.json" % one["number"]), "w", encoding="utf-8") as file:
                json.dump(one, file)
        done = run(scratch)
        assert done.returncode == 0, done.stderr
        lines = done.stdout.splitlines()
        # Steady after 1 s: the tenth bin is the first of five at the full pace. 80,000 bytes over 10,000 records.
        assert "| managed | 1 | 70 | 1.0 | 0.010 | 5.0 | 4.0 | 0.25 | 5 / 2 / 1 | 1.00 | 8.0 | 3 |" in lines, done.stdout
        assert "| native | 1 | 70 | 1.0 | 0.010 | 5.0 | 4.0 | 0.25 | – / – / – | – | – | – |" in lines, done.stdout
        rows = [line.split(" | ")[0] for line in lines if line.startswith("| ") and "ms" not in line]
        assert rows == ["| managed", "| native", "| stuck"], rows
        assert ("no curve of stuck in a cell" in done.stderr) == bool(shutil.which("gnuplot")), done.stderr
        with open(os.path.join(scratch, "managed.md"), encoding="utf-8") as file:
            assert file.read().strip() == done.stdout.strip()
        if shutil.which("gnuplot"):
            with open(os.path.join(scratch, "warmup.svg"), encoding="utf-8") as file:
                picture = file.read()
            assert ">managed<" in picture and ">native<" in picture and "a cell" in picture
        shutil.rmtree(os.path.join(scratch, "trials"))
        os.makedirs(os.path.join(scratch, "trials"))
        assert run(scratch).returncode == 1, "nothing is no table"
    print("bench_managed: worked values are right")


if __name__ == "__main__":
    main()
