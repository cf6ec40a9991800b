"""load_warmup.py: a warm-up without a fixed end: the window begins when the server is warm, at the limit at the latest,
and is as long as it was asked for.
"""

import math

import load_common as lab


def run(server, *args: str):
    out = lab.path("warm.json")
    return lab.finish(lab.start(server, lab.simple(), "--connections", "1", "--depth", "1", "--threads", "1",
                                "--window", "300ms", "--events", "--out", out, *args), out)


def check_window(result: dict, low_s: float, high_s: float) -> None:
    times = result["times"]
    warmup_s = (times["window_start_ns"] - times["start_ns"]) / 1e9
    assert low_s <= warmup_s <= high_s, warmup_s
    assert times["window_end_ns"] - times["window_start_ns"] == 300_000_000, times
    assert result["stats_before"]["at_ns"] >= times["window_start_ns"], "STATS of a look, not of the window"
    assert result["stats_after"]["at_ns"] >= times["window_end_ns"]
    # What is counted are the answers in it: all bins that lie wholly in it, and no more than those that it touches.
    line = result["timeline"]
    first, behind = ((times[key] - line["start_ns"]) / line["bin_ns"] for key in ("window_start_ns", "window_end_ns"))
    inside = sum(line["records"][math.ceil(first):math.floor(behind)])
    touched = sum(line["records"][math.floor(first):math.ceil(behind)])
    assert inside <= result["window"]["records"] <= touched, (inside, result["window"]["records"], touched)


def main() -> None:
    with lab.contestant("c-tuned", "keep") as server:
        # Nothing is compiled, throughput is flat: warm at the fourth look, a second apart.
        done = lab.ok(run(server, "--warmup", "100ms", "--warmup-max", "20s"), "warm")
        check_window(done.result, 3.2, 15)
        assert done.result["inputs"]["warmup_max_ns"] == 20_000_000_000
        done = lab.ok(run(server, "--warmup", "100ms", "--warmup-max", "600ms"), "at its limit")
        check_window(done.result, 0.6, 0.6)
        for words in (("--plan", "open", "--rate", "10"), ("--no-record",)):
            refused = run(server, "--warmup", "100ms", "--warmup-max", "1s", *words)
            assert refused.code == 2 and "--warmup-max" in refused.err, (refused.code, refused.err)


if __name__ == "__main__":
    main()
