"""load_honest.py: contestants in all modes, closed and open, one and two threads: verified, and every
figure of the result computed once more from the five times of each batch.
"""

import math
import sys

import load_common as lab

# The example in Python is slow: it gets one run a mode, and few connections to recompute KEPT for.
RUNS = [
    (name, mode, data, ("--plan", plan, *rate, "--threads", str(threads)))
    for name, data in (("c-tuned", "simple"), ("c-yyjson", "messy"))
    for mode in ("drain", "totals", "keep", "fresh")
    for plan, rate, threads in (("closed", (), 1), ("open", ("--rate", "1500"), 2))
] + [
    ("c-tuned", "keep", "rejects", ("--plan", "closed", "--threads", "2", "--connections", "7")),
    ("c-tuned", "keep", "simple", ("--plan", "open", "--rate", "3333", "--connections", "5")),
    ("c-tuned", "keep", "simple", ("--plan", "poisson", "--rate", "3000", "--connections", "7", "--threads", "3")),
    ("c-yyjson", "fresh", "messy", ("--plan", "bursts", "--burst", "23", "--period", "25ms", "--threads", "2")),
    ("c-tuned", "drain", "rejects", ("--plan", "steps", "--steps", "900:80ms,900-4000:90ms,0:30ms,2000:50ms")),
    ("c-tuned", "drain", "simple", ("--connections", "200", "--depth", "1")),
    ("c-tuned", "keep", "simple", ("--connections", "1", "--depth", "1", "--spin", "0ns")),
] + [
    ("example-python", mode, "simple", ("--connections", "2", "--depth", "3"))
    for mode in ("drain", "totals", "keep", "fresh")
]


def percentile(values: list, share: float) -> int:
    """The value of rank ⌈share · n⌉."""
    return sorted(values)[max(1, math.ceil(share * len(values))) - 1]


def close_to(got: int, exact: int) -> bool:
    """Within a bucket of three digits."""
    return exact <= got <= exact * (1 + 1 / 1024) + 1


def check_times(rows: list, result: dict) -> None:
    """The five times of each batch stand in order; requests and replies of a connection, too."""
    connections = {}
    for row in rows:
        assert (row["due_ns"] <= row["released_ns"] <= row["send_start_ns"] < row["send_complete_ns"]
                and row["send_start_ns"] < row["reply_ns"]), row
        connections.setdefault(row["connection"], []).append(row)
    assert len({row["sequence"] for row in rows}) == len(rows), "a sequence number came twice"
    depth, count = result["inputs"]["depth"], result["inputs"]["connections"]
    for connection, own in connections.items():
        assert all(row["sequence"] % count == connection for row in own)
        for before, after in zip(own, own[1:]):
            assert before["sequence"] < after["sequence"]
            assert before["reply_ns"] <= after["reply_ns"]
            assert before["send_complete_ns"] <= after["released_ns"], "released behind unsent bytes"
        for before, after in zip(own, own[depth:]):
            assert before["reply_ns"] <= after["send_start_ns"], "more in flight than --depth"


def check_series(series: dict, values: list, name: str) -> None:
    assert series["n"] == len(values), (name, series["n"], len(values))
    if not values:
        return
    assert (series["min_ns"], series["max_ns"]) == (min(values), max(values)), name
    assert abs(series["mean_ns"] - sum(values) / len(values)) < 1e-6 * max(values) + 1, name
    for key, share in (("p50_ns", 0.5), ("p90_ns", 0.9), ("p99_ns", 0.99), ("p99_9_ns", 0.999)):
        allowed = len(values) * (1 - share) >= 100 - 1e-6
        assert (series[key] is not None) == allowed, (name, key, series[key], len(values))
        assert not allowed or close_to(series[key], percentile(values, share)), (name, key)
    assert sum(count for _, count in series["buckets"]) == len(values)


def check_window(rows: list, result: dict) -> None:
    """Counts, series and the integral, computed again from the rows."""
    begin, end = result["times"]["window_start_ns"], result["times"]["window_end_ns"]
    window, series = result["window"], result["series"]
    answered = [row for row in rows if begin <= row["reply_ns"] < end]
    due = [row for row in rows if begin <= row["due_ns"] < end]
    assert window["batches"] == len(answered) == window["accepted"] + window["rejected"]
    assert window["due"] == len(due) and window["censored"] == 0
    assert math.isclose(window["batches_per_s"], len(answered) * 1e9 / window["ns"], rel_tol=1e-9)
    service = [row["reply_ns"] - row["send_start_ns"] for row in due]
    if result["inputs"]["plan"] == "closed":
        check_series(series["round_trip"], service, "round_trip")
        assert series["latency"] is None and series["lateness"] is None
        assert all(row["due_ns"] == row["released_ns"] for row in rows)
    else:
        assert series["round_trip"] is None
        check_series(series["service_time"], service, "service_time")
        check_series(series["latency"], [row["reply_ns"] - row["due_ns"] for row in due], "latency")
        check_series(series["lateness"], [row["lateness_ns"] for row in due if not row["blocked"]], "lateness")
        assert all(row["lateness_ns"] <= row["released_ns"] - row["due_ns"] for row in rows)
        assert all(row["lateness_ns"] == 0 for row in rows if row["blocked"])
        low = [max(0, row["reply_ns"] - row["due_ns"] - row["reply_gap_ns"]) for row in due]
        check_series(series["latency_low"], low, "latency_low")
        assert window["blocked"] == sum(row["blocked"] for row in due)
    gaps = [row["reply_gap_ns"] for row in due]
    assert series["reply_gap"]["n"] == len(gaps)
    assert not gaps or (min(gaps) > 0 and series["reply_gap"]["max_ns"] == max(gaps))
    assert series["poll_gap"]["n"] == result["generator"]["polls"]
    flying = sum(max(0, min(row["reply_ns"], end) - max(row["send_start_ns"], begin)) for row in rows)
    assert window["in_flight_integral_ns"] == flying, (window["in_flight_integral_ns"], flying)
    assert window["recorder_deviation_over_limit"] == 0, window  # to the nanosecond
    assert 0 < result["generator"]["burst_max_bytes"] <= 65536, result["generator"]
    assert sum(result["timeline"]["batches"]) == len(rows)
    assert result["timeline"]["in_flight"][-1] == 0


def check_run(run: lab.Run, mode: str) -> None:
    result, rows = run.result, run.times
    opening = result["inputs"]["connections"]  # one batch each, before anything is timed
    assert result["verification"]["replies_verified"] == len(rows) + opening
    assert result["verification"]["early_probes"] >= opening
    assert result["inputs"]["mode"] == result["welcome"]["mode"] == mode
    check_times(rows, result)
    check_window(rows, result)
    if result["inputs"]["plan"] != "closed":
        lab.check_replay(run)
    totals, kept = result["verification"]["totals_got"], result["verification"]["kept_got"]
    assert totals == result["verification"]["totals_expected"]
    assert totals["batches_accepted"] + totals["batches_rejected"] == len(rows) + opening
    assert (kept["batches"] > 0) == (mode in ("keep", "fresh")), kept
    at = [int(result[key]["reply"]["totals"]["batches_accepted"], 16)
          for key in ("stats_before", "stats_after")]
    assert at[0] <= at[1] <= totals["batches_accepted"], (at, totals)
    assert result["stats_before"]["at_ns"] >= result["times"]["window_start_ns"]
    assert 0 < result["window"]["busy_share"] <= 1.001
    assert len(result["generator"]["threads"]) == result["inputs"]["threads"]


def check_same_sequence(data: str) -> None:
    """The same seed gives every contestant the same batches in the same order, another seed others."""
    seen = {}
    for name, seed in (("c-tuned", "5"), ("c-yyjson", "5"), ("c-tuned", "6")):
        with lab.contestant(name, "keep") as server:
            run = lab.ok(lab.load(server, data, "--seed", seed), name)
        seen[name, seed] = {row["sequence"]: row["batch"] for row in run.times}
    first, second, other = seen.values()
    both = first.keys() & second.keys()
    assert len(both) > 50 and all(first[key] == second[key] for key in both)
    both = first.keys() & other.keys()
    assert any(first[key] != other[key] for key in both)


def check_second_run(data: str) -> None:
    """A server that was used before: what it had counted is taken into account."""
    with lab.contestant("c-tuned", "keep") as server:
        lab.ok(lab.load(server, data), "first run")
        again = lab.ok(lab.load(server, data, "--connections", "3"), "second run")
    before = again.result["verification"]["totals_before_us"]
    assert before["records"] > 0, before


def main() -> None:
    data = {"simple": lab.simple(), "messy": lab.messy(), "rejects": lab.rejects()}
    for name, mode, shape, args in RUNS:
        with lab.contestant(name, mode) as server:
            run = lab.load(server, data[shape], "--mode", mode, *args)
        what = "%s %s %s %s" % (name, mode, shape, " ".join(args))
        check_run(lab.ok(run, what), mode)
        print("%-80s %6d batches" % (what, run.result["window"]["batches"]))
    rejects = lab.rejects()
    with lab.contestant("c-yyjson", "keep") as server:
        run = lab.ok(lab.load(server, rejects), "rejects")
    assert run.result["window"]["rejected"] > 0 and run.result["window"]["accepted"] > 0
    check_same_sequence(data["simple"])
    check_second_run(data["simple"])


if __name__ == "__main__":
    main()
    sys.exit(0)
