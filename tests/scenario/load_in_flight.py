"""load_in_flight.py: the limit over all connections, and the switches that benchmarks of the generator have."""

import load_common as lab


def most_at_once(rows: list) -> int:
    """Batches in flight at the worst moment, from send start to reply."""
    moments = sorted([(row["send_start_ns"], 1) for row in rows] + [(row["reply_ns"], 0) for row in rows])
    now = most = 0
    for _, begins in moments:
        now += 1 if begins else -1
        most = max(most, now)
    return most


def run(server, data: str, *args: str):
    out, times = lab.path("result.json"), lab.path("times.csv")
    return lab.finish(lab.start(server, data, "--out", out, "--times", times, *args), out, times)


def limited(limit: int, *args: str) -> None:
    with lab.contestant("c-tuned", "keep") as server:
        done = run(server, lab.simple(), "--in-flight", str(limit), *args)
    assert done.code == 0, (args, done.err)
    assert done.result["inputs"]["in_flight"] == limit
    worst = most_at_once(done.times)
    assert 0 < worst <= limit, "%d in flight, %d allowed (%s)" % (worst, limit, args)
    spread = done.result["connections"]
    # First come, first served: nobody is left out for long.
    assert spread["batches_min"] > 0, (args, spread)


def limit_of_an_open_plan() -> None:
    """What waits for the limit waits for the server: no slot is lost, none of it counts as lateness."""
    with lab.contestant("c-tuned", "keep") as server:
        done = run(server, lab.simple(), "--plan", "open", "--rate", "200000", "--in-flight", "1", "--connections", "9",
                   "--warmup", "1ms", "--window", "50ms", "--drain-limit", "20s")
    window = done.result["window"]
    assert done.code == 0 and window["overloaded"], (done.err, window)
    assert window["due"] == window["planned"], window
    assert most_at_once(done.times) == 1
    late = done.result["series"]["lateness"]["n"]
    answered = done.result["series"]["service_time"]["n"]
    # But for what came due while the host did not let the generator run.
    excused = 200000 * done.result["generator"]["pauses"]["total_ns"] / 1e9
    assert late <= answered / 20 + excused and answered > 100, "of %d, %d count as late" % (answered, late)


def switches() -> None:
    for words, off in ((("--no-verify",), ["verification"]), (("--no-record",), ["recording"]),
                       (("--same-batches",), ["variation"]),
                       (("--no-verify", "--no-record", "--same-batches"), ["verification", "recording", "variation"])):
        with lab.contestant("c-tuned", "keep") as server:
            done = run(server, lab.simple(), *words)
        result = done.result
        assert done.code == 5 and result["verdict"] == "not verified", (words, done.code, done.err)
        assert result["switched_off"] == off, result["switched_off"]
        assert result["window"]["batches"] > 0 and "NOT VERIFIED" in done.out, done.out
        checked = "--no-verify" not in words
        assert (result["verification"]["replies_verified"] > 0) == checked
        assert result["gates"]["answers"] == ("pass" if checked else "not reached"), result["gates"]
        assert result["gates"]["kept"] == ("pass" if checked else "not reached"), result["gates"]
        recorded = "--no-record" not in words
        assert (result["series"]["round_trip"]["n"] > 0) == recorded
    with lab.contestant("c-tuned", "keep") as server:
        done = run(server, lab.simple())
    assert done.code == 0 and done.result["verdict"] == "ok" and done.result["switched_off"] == []


def what_the_switches_let_through() -> None:
    """A server that remembers answers passes only where batches come again; a wrong one where nobody looks."""
    for lie, switch, gate in (("remember", "--same-batches", "stats"), ("reject-all", "--no-verify", None)):
        with lab.liar(lie) as server:
            caught = run(server, lab.simple(), "--connections", "2")
        assert caught.code == 3 and caught.result["failure"]["gate"] == "answers", (lie, caught.err)
        with lab.liar(lie) as server:
            passed = run(server, lab.simple(), "--connections", "2", switch)
        # What it remembers gets past every reply; only its totals give it away.
        assert passed.code == (3 if gate else 5), (lie, passed.code, passed.err)
        assert gate is None or passed.result["failure"]["gate"] == gate, (lie, passed.err)


def null_sender() -> None:
    """It sends the dataset's frames within the limits of connections and depth; the server answers every one."""
    for connections, depth in ((1, 64), (3, 4), (200, 1)):
        with lab.contestant("c-tuned", "keep") as server:
            done = run(server, lab.simple(), "--null-sender", "--connections", str(connections), "--depth", str(depth),
                       "--in-flight", "64", "--window", "200ms")
            after = run(server, lab.simple(), "--window", "1ms", "--warmup", "1ms")
        result, window, thread = done.result, done.result["window"], done.result["generator"]["threads"][0]
        assert done.code == 5 and result["verdict"] == "not verified", (done.code, done.err)
        assert result["switched_off"] == ["verification", "recording", "variation", "everything but system calls"]
        assert window["complete"] and window["batches"] > 0 and window["backlog_end"] <= min(64, connections * depth)
        assert result["series"]["round_trip"]["n"] == 0
        assert 0 < thread["busy_share"] <= 1 and thread["busy_paused_ns"] <= thread["busy_share"] * window["ns"]
        # What it counted the server has counted, and frames have the dataset's size.
        totals = after.result["stats_initial"]["totals"]
        assert int(totals["batches_accepted"], 16) >= window["batches"] and int(totals["batches_rejected"], 16) == 0
        assert abs(window["received_bytes"] / 48 - window["batches"]) <= connections, window  # replies in two pieces
        mean = result["inputs"]["dataset_payload_bytes"] / result["inputs"]["dataset_batches"] + 16
        sent = window["sent_bytes"] / window["batches"]
        assert 0.5 * mean < sent < 2 * mean or window["batches"] < 200, (sent, mean)


def bad_words() -> None:
    with lab.contestant("c-tuned", "keep") as server:
        for words, says in ((("--in-flight", "0"), "--in-flight"),
                            (("--null-sender", "--plan", "open", "--rate", "5"), "--null-sender knows no due times"), (("--in-flight", "1", "--threads", "2"), "a thread could send nothing")):
            done = run(server, lab.simple(), *words)
            assert done.code == 2 and says in done.err, (words, done.code, done.err)


def main() -> None:
    limited(64, "--connections", "300", "--depth", "1", "--window", "1s")  # long enough for all of them, on any machine
    limited(7, "--connections", "20", "--depth", "4", "--threads", "2")
    limited(1, "--connections", "5")
    limited(5, "--connections", "30", "--plan", "open", "--rate", "3000")
    limit_of_an_open_plan()
    switches()
    null_sender()
    what_the_switches_let_through()
    bad_words()


if __name__ == "__main__":
    main()
