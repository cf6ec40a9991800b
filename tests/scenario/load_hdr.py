"""load_hdr.py: the interval log, decoded by base64, zlib and zigzag here, holds what the result and the
five times of each batch hold, second by second; the percentile file does, and can be drawn.
"""

import base64
import math
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import time
import zlib
from collections import Counter

import load_common as lab
from load_stall import await_event

SECOND = 10**9
HOUR = 3600 * SECOND
# Of HdrHistogram's arithmetic for 3 digits: 2048 sub-buckets, of which the upper half is new in each bucket.
SUB_BUCKETS, HALF, HALF_BITS = 2048, 1024, 10


def index_of(value: int) -> int:
    """Where HdrHistogram's countsArrayIndex() puts a value."""
    bucket = max(0, value.bit_length() - 1 - HALF_BITS)
    return ((bucket + 1) << HALF_BITS) + (value >> bucket) - HALF


def value_of(index: int) -> int:
    """The smallest value of a bucket: valueFromIndex()."""
    bucket, sub = (index >> HALF_BITS) - 1, (index & (HALF - 1)) + HALF
    return sub << bucket if bucket >= 0 else sub - HALF


def highest_of(index: int) -> int:
    """The largest value of a bucket."""
    return value_of(index + 1) - 1


def numbers(data: bytes):
    """ZigZag LEB128: seven bits a byte, the ninth has eight."""
    place = 0
    while place < len(data):
        value, shift = 0, 0
        for step in range(9):
            byte = data[place]
            place += 1
            value |= (byte if step == 8 else byte & 0x7f) << shift
            shift += 7
            if step == 8 or byte < 0x80:
                break
        yield (value >> 1) ^ -(value & 1)


def decode(text: str) -> Counter:
    """The counts of a line's last column, by index."""
    data = base64.b64decode(text, validate=True)
    cookie, length = struct.unpack(">II", data[:8])
    assert cookie == 0x1c849314 and length == len(data) - 8, (hex(cookie), length, len(data))
    plain = zlib.decompress(data[8:])
    head = struct.unpack(">IIiiqqd", plain[:40])
    assert head == (0x1c849303 | 0x10, len(plain) - 40, 0, 3, 1, HOUR, 1.0), head
    counts, index = Counter(), 0
    for number in numbers(plain[40:]):
        if number < 0:
            index -= number
        else:
            counts[index] += number
            index += 1
    assert index <= 33 * HALF, index
    return +counts


def read_log(path: str) -> tuple:
    """Comments, and per tag a list of (start, length, counts)."""
    with open(path, encoding="ascii") as file:
        lines = file.read().splitlines()
    assert all(len(line) < 127 for line in lines if line[0] in '#"'), "HdrHistogram_c reads 127 characters"
    legend = lines.index('"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"')
    assert all(line.startswith("#") for line in lines[:legend])
    assert "#[Histogram log format version 1.3]" in lines[:legend]
    for name in ("StartTime", "BaseTime"):
        [start] = [line for line in lines[:legend] if line.startswith("#[%s: " % name)]
        assert abs(float(start.split()[1]) - time.time()) < 60, start
    series = {}
    for line in lines[legend + 1:]:
        words = line.split(",")
        tag = words.pop(0)[len("Tag="):] if line.startswith("Tag=") else None
        start, length, longest, text = words
        counts = decode(text)
        top = highest_of(max(counts)) if counts else 0
        assert longest == "%.3f" % (top / 1e6), (longest, top)
        series.setdefault(tag, []).append((float(start), float(length), counts))
    return lines[:legend], series


def check_series(lines: list, values: list, json_series: dict, what: str) -> None:
    """Each second holds the values of the batches that were answered in it; all of them are the result's.
    `values` are (second, value)."""
    wanted = [Counter() for _ in lines]
    for second, value in values:
        wanted[second][index_of(value)] += 1
    total = Counter()
    for second, (start, length, counts) in enumerate(lines):
        assert start == second and (length == 1 or second == len(lines) - 1), (what, start, length)
        assert counts == wanted[second], (what, second, counts - wanted[second], wanted[second] - counts)
        total += counts
    assert sum(total.values()) == json_series["n"], (what, sum(total.values()), json_series["n"])
    buckets = {low: count for low, count in json_series["buckets"]}
    assert {value_of(index): count for index, count in total.items()} == buckets, what


def check_log(path: str, run: lab.Run) -> None:
    """The log against the five times and the result of a run in which nothing was censored."""
    _, series = read_log(path)
    result, begin = run.result, run.result["times"]["window_start_ns"]
    due = [row for row in run.times if begin <= row["due_ns"] < result["times"]["window_end_ns"]]
    seconds = [(row["reply_ns"] - begin) // SECOND for row in due]
    service = [(at, row["reply_ns"] - row["send_start_ns"]) for at, row in zip(seconds, due)]
    if result["inputs"]["plan"] == "closed":
        assert series.keys() == {None}, series.keys()
        check_series(series[None], service, result["series"]["round_trip"], "round_trip")
        return
    assert series.keys() == {None, "service_time", "lateness"}, series.keys()
    assert len({len(lines) for lines in series.values()}) == 1
    latency = [(at, row["reply_ns"] - row["due_ns"]) for at, row in zip(seconds, due)]
    late = [(at, row["lateness_ns"]) for at, row in zip(seconds, due) if not row["blocked"]]
    check_series(series[None], latency, result["series"]["latency"], "latency")
    check_series(series["service_time"], service, result["series"]["service_time"], "service_time")
    check_series(series["lateness"], late, result["series"]["lateness"], "lateness")
    window_s = result["window"]["ns"] / 1e9
    assert len(series[None]) >= window_s, "a second of the window has no line"


def read_table(path: str) -> tuple:
    """Rows (value in ns, percentile, count), and the foot."""
    with open(path, encoding="ascii") as file:
        lines = file.read().splitlines()
    assert lines[0].split() == ["Value", "Percentile", "TotalCount", "1/(1-Percentile)"] and lines[1] == ""
    rows = []
    for line in lines[2:]:
        if line.startswith("#["):
            continue
        words = line.split()
        assert len(words) == (3 if words[1] == "1.000000000000" else 4), line
        if len(words) == 4:
            # Two decimals, of a percentile with twelve.
            exact = 1 / (1 - float(words[1]))
            assert math.isclose(float(words[3]), exact, rel_tol=1e-6, abs_tol=0.006), line
        rows.append((round(float(words[0]) * 1000), float(words[1]), int(words[2])))
    return rows, [line for line in lines if line.startswith("#[")]


def check_table(path: str, run: lab.Run, name: str) -> None:
    """Each row counts the values up to its own; each percentile is reached there and not a bucket before."""
    rows, foot = read_table(path)
    series = run.result["series"][name]
    buckets = {index_of(low): count for low, count in series["buckets"]}
    assert rows[-1] == (series["max_ns"], 1.0, series["n"]), (rows[-1], series["max_ns"])
    for value, percentile, count in rows:
        index = index_of(value)
        assert value == min(highest_of(index), series["max_ns"]), (value, index)
        assert count == sum(n for at, n in buckets.items() if at <= index), (value, count)
        assert count >= percentile * series["n"] - 1e-3 and count - buckets[index] < percentile * series["n"] + 1e-3
    assert [row[1] for row in rows] == sorted({row[1] for row in rows}), "a percentile came twice"
    text = "\n".join(foot)
    assert re.search(r"^#\[Mean +=", foot[0]) and re.search(r"Total count +=  *%d\]" % series["n"], text), foot
    assert "[Values in microseconds]" in text and "[Censored = %d:" % run.result["window"]["censored"] in text
    assert ("no latency" in text) == (name == "round_trip"), foot
    allowed = float(re.search(r"Rows above percentile ([0-9.]+) ", text)[1])
    assert abs(allowed - max(0, 1 - 100 / series["n"])) < 1e-6, (allowed, series["n"])


def check_drawn(path: str, rows: int) -> None:
    """The plot that --help shows has a curve with a point for each row that has all four columns."""
    gnuplot = shutil.which("gnuplot")
    assert gnuplot, "gnuplot is not there: ./lab setup installs it"
    help_text = subprocess.run([lab.PROGRAM, "load", "--help"], capture_output=True, text=True, check=True).stdout
    command = re.search(r'gnuplot -e "(.*)" >curve\.svg', help_text)[1]
    drawn = subprocess.run([gnuplot, "-e", command.replace("FILE", path)], capture_output=True, text=True, check=True)
    assert drawn.stdout.rstrip().endswith("</svg>") and drawn.stderr == "", drawn.stderr
    curve = re.search(r"<path stroke='rgb[^']*'\s+d='([^']*)'", drawn.stdout.split('id="gnuplot_plot_1"')[1])[1]
    points = re.findall(r"\d+\.\d+,\d+\.\d+", curve)[2:]  # the first two are the key's
    assert len(points) == rows - 1, "%d points of %d rows" % (len(points), rows)
    heights = [float(point.split(",")[1]) for point in points]
    assert max(heights) - min(heights) > 50, "a flat line"


def files_run(server, data: str, *args: str) -> tuple:
    log, table = lab.path("run.hlog"), lab.path("run.hgrm")
    run = lab.ok(lab.load(server, data, "--hdr-log", log, "--percentiles", table, *args), " ".join(args))
    return run, log, table


def check_timeline(run: lab.Run) -> None:
    """p50, max and count of each 100 ms, computed again."""
    timeline, closed = run.result["timeline"], run.result["inputs"]["plan"] == "closed"
    assert timeline["of"] == ("round_trip" if closed else "latency")
    bins = {}
    for row in run.times:
        value = row["reply_ns"] - row["send_start_ns" if closed else "due_ns"]
        bins.setdefault((row["reply_ns"] - timeline["start_ns"]) // timeline["bin_ns"], []).append(value)
    medians = 0
    for at, (count, p50, longest) in enumerate(zip(timeline["batches"], timeline["p50_ns"], timeline["max_ns"])):
        values = sorted(bins.get(at, []))
        assert count == len(values) and longest == max(values, default=0), (at, count, len(values))
        assert (p50 is not None) == (count >= 200), (at, count, p50)
        if p50 is not None:
            medians += 1
            exact = values[(count + 1) // 2 - 1]
            assert abs(p50 - exact) <= max(32, timeline["p50_error"] * exact) + 1, (at, p50, exact)
    assert medians > 0, "no bin had enough batches"


def check_open(data: str) -> None:
    with lab.contestant("c-tuned", "keep") as server:
        run, log, table = files_run(server, data, "--plan", "open", "--rate", "5000", "--threads", "2",
                                    "--window", "1200ms")
    check_log(log, run)
    check_table(table, run, "latency")
    check_timeline(run)
    rows, _ = read_table(table)
    check_drawn(table, len(rows))
    print("open loop: %d batches, a table of %d rows" % (run.result["window"]["due"], len(rows)))


def check_closed(data: str) -> None:
    with lab.contestant("c-tuned", "keep") as server:
        run, log, table = files_run(server, data, "--connections", "5", "--depth", "3")
    check_log(log, run)
    check_table(table, run, "round_trip")
    check_timeline(run)
    comments, _ = read_log(log)
    assert any("Round trips at depth 3" in line and "no latency" in line for line in comments), comments


def check_censored(data: str) -> None:
    """A server that stands still over the limit: what is unanswered then is in the last second of the drain."""
    out, log, table = lab.path("out.json"), lab.path("cut.hlog"), lab.path("cut.hgrm")
    with lab.contestant("c-tuned", "keep") as server:
        process = lab.start(server, data, "--plan", "open", "--rate", "500", "--window", "400ms", "--drain-limit",
                            "700ms", "--events", "--out", out, "--hdr-log", log, "--percentiles", table)
        await_event(process, "window_start")
        os.kill(server.process.pid, signal.SIGSTOP)
        time.sleep(1.6)
        os.kill(server.process.pid, signal.SIGCONT)
        run = lab.ok(lab.finish(process, out), "censored")
    window, latency = run.result["window"], run.result["series"]["latency"]
    assert window["censored"] > 100 and window["due"] == window["planned"] == latency["n"] == 200, window
    comments, series = read_log(log)
    assert "#[Censored = %d:" % window["censored"] in "\n".join(comments), comments
    assert sum(sum(counts.values()) for _, _, counts in series[None]) == latency["n"]
    late = Counter({index: n for index, n in series[None][1][2].items() if highest_of(index) >= 700_000_000})
    assert len(series[None]) == 2 and sum(late.values()) == window["censored"], (late, window)
    check_table(table, run, "latency")
    if window["censored"] == window["due"]:
        assert latency["p50_ns"] >= 700_000_000
    print("censored: %d of %d" % (window["censored"], window["due"]))


def check_unwritable(data: str) -> None:
    """Said before the run, and in a run that fails nothing is taken for whole."""
    for option in ("--hdr-log", "--percentiles"):
        run = lab.finish(lab.start("127.0.0.1:1", data, option, "/nowhere/at/all"))
        assert run.code == 2 and "/nowhere/at" in run.err and len(run.err.splitlines()) == 1, run.err
    run = lab.finish(lab.start("127.0.0.1:1", data, "--hdr-log", lab.path("x"), "--window", "3600s",
                                "--threads", "4"))
    assert run.code == 2 and "--hdr-log takes 132 KiB a second" in run.err, (run.code, run.err)
    log, table = lab.path("wrong.hlog"), lab.path("wrong.hgrm")
    with lab.liar("close") as server:
        run = lab.load(server, data, "--hdr-log", log, "--percentiles", table)
    assert run.code != 0
    comments, _ = read_log(log)
    _, foot = read_table(table)
    for lines in (comments, foot):
        assert any("Not verified" in line and run.result["verdict"] in line for line in lines), lines


def check_interrupted(data: str) -> None:
    """Ctrl-C: what was measured so far is there, and is marked."""
    out, log, table = lab.path("out.json"), lab.path("int.hlog"), lab.path("int.hgrm")
    with lab.contestant("c-tuned", "keep") as server:
        process = lab.start(server, data, "--plan", "open", "--rate", "2000", "--window", "30s", "--events", "--out",
                            out, "--hdr-log", log, "--percentiles", table)
        await_event(process, "window_start")
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        run = lab.finish(process, out)
    assert run.code == 130 and run.result["verdict"] == "interrupted", (run.code, run.err)
    comments, series = read_log(log)
    assert sum(sum(counts.values()) for _, _, counts in series[None]) == run.result["series"]["latency"]["n"] > 0
    rows, foot = read_table(table)
    assert rows[-1][2] == run.result["series"]["latency"]["n"]
    assert len(series[None]) < 20, "seconds that never were"
    for lines in (comments, foot):
        assert any("incomplete" in line and "interrupted" in line for line in lines), lines


def main() -> None:
    data = lab.simple()
    check_open(data)
    check_closed(data)
    check_censored(data)
    check_unwritable(data)
    check_interrupted(data)


if __name__ == "__main__":
    main()
    sys.exit(0)
