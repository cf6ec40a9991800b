"""rows_time.py: what time does to a run: stops, freezes, delays, loads: the figures that must show it.

What is allowed beside 5 % is what the host itself did, as the server's own log and the generator's polls tell.
"""

import time

import clocked
from arithmetic import constant_plan, frozen_quantile, median, quantile, slower_than
from clocked import Clocked, in_window, lab, latency, open_plan, service
from table import Noisy, Outcome, Row
import liar

MS = 1_000_000
LIMITS_MS = (50, 100, 250, 400)
CONNECTIONS = 4
# While a backlog drains, epoll's turns are the slots' order only where a reply's answer, the connection's next batch, is
# there before its turn comes round: with few connections some are favoured, and their batches overtake the others'.
MANY = 32
OVERTAKEN_MAX = MANY // 2  # places; a round that was missed would be MANY - 1


def verified(run) -> bool:
    return run.code == 0 and run.result["verdict"] == "ok" and set(run.result["gates"].values()) == {"pass"}


def complete(run) -> bool:
    """Nothing was dropped: every slot of the window is there, and due when the plan says."""
    window, times, rate = run.result["window"], run.result["times"], run.result["inputs"]["rate_per_s"]
    rows = in_window(run)
    slots = set(constant_plan(times["start_ns"], rate,
                              (times["window_end_ns"] - times["start_ns"]) * rate // 1_000_000_000 + 1))
    limit_ns = times["window_end_ns"] + run.result["inputs"]["drain_limit_ns"]
    answered = sum(row["reply_ns"] < limit_ns for row in rows)
    # Replies that were read in the last look before the limit may bear a time behind it; those of later looks are
    # in the rows, too, though they are censored.
    return (window["due"] == window["planned"] and answered <= window["due"] - window["censored"] <= len(rows)
            and all(row["due_ns"] in slots for row in rows) and len({row["due_ns"] for row in rows}) == len(rows))


def after(server: Clocked, stop: clocked.Stop) -> int:
    """When the server was really at work again: its own log says."""
    return min(visit.seen_ns for visit in server.visits if visit.seen_ns > stop.end_ns - MS
               and visit.seen_ns > stop.begin_ns + MS)


def drained_ns(run, stop: clocked.Stop) -> int:
    """When everything that came due before the server went on was answered."""
    return max(row["reply_ns"] for row in in_window(run) if row["due_ns"] < stop.end_ns)


def waiting_since(run, stop: clocked.Stop) -> int:
    """The due time of the oldest batch that was unanswered when the server went on.

    The queue knows no other beginning of a stop: what was late already when it came is as if it had come earlier.
    """
    return min(row["due_ns"] for row in in_window(run) if row["reply_ns"] > stop.end_ns)


def host_pause_ns(server: Clocked, run, stop: clocked.Stop) -> int:
    """What the host added while the backlog of a stop drained; Noisy where that, or a pause elsewhere, is too much."""
    rows = sorted(run.times, key=lambda row: row["due_ns"])
    done_ns, elsewhere = drained_ns(run, stop), 0
    draining = server.lost(rows, after(server, stop), done_ns)
    for row, taken_ns in zip(rows, server.taken(rows)):
        if row["reply_ns"] < stop.begin_ns or row["due_ns"] > done_ns:
            elsewhere = max(elsewhere, taken_ns)
    before = stop.begin_ns - waiting_since(run, stop)
    most = 0.02 * (stop.end_ns - stop.begin_ns)
    if draining > most or before > most or elsewhere > LIMITS_MS[0] * MS / 4:
        raise Noisy("%.1f ms lost while the backlog of %.0f ms drained, %.1f ms behind before, a pause of %.1f ms"
                    " elsewhere" % (draining / MS, (stop.end_ns - stop.begin_ns) / MS, before / MS, elsewhere / MS))
    return draining


def overtaken(run, stop: clocked.Stop) -> int:
    """By how many places, at most, a batch of the backlog was answered behind its turn."""
    rows = [row for row in in_window(run) if stop.end_ns < row["reply_ns"] <= drained_ns(run, stop)]
    order = sorted(range(len(rows)), key=lambda k: rows[k]["reply_ns"])
    return max(place - k for place, k in enumerate(order))


# --- a server that stands still -------------------------------------------------------------------

def prove_stop(load: float, service_ns: int, connections: int) -> Outcome:
    """SIGSTOP for 500 ms: the number of slow batches is that of the arithmetic."""
    rate = round(load * 1e9 / service_ns)
    with Clocked(service_ns) as server:
        run, stop = clocked.run(server, lab.simple(), *open_plan(rate, 2.5, connections=connections),
                                disturb=lambda begin: clocked.stop(server, begin + 500 * MS, 500 * MS))
    return judge_stop(server, run, stop, load)


def judge_stop(server: Clocked, run, stop: clocked.Stop, load: float) -> Outcome:
    rate, connections = run.result["inputs"]["rate_per_s"], run.result["inputs"]["connections"]
    stood_ns = after(server, stop) - waiting_since(run, stop)
    rows, series = in_window(run), run.result["series"]["latency"]
    longest = max(map(latency, rows))
    extra_ns = host_pause_ns(server, run, stop)
    fits, said = True, []
    for limit in LIMITS_MS:
        got = sum(latency(row) > limit * MS for row in rows)
        due = slower_than(rate, stood_ns / 1e9, limit / 1e3, load)
        most = due * 1.05 + rate * extra_ns / 1e9 / (1 - load) + 1  # a whole number is counted
        kept = sum(count for low, count in series["buckets"] if low >= limit * MS)
        fits = fits and due * 0.95 - 1 <= got <= most and due >= 20 and abs(kept - got) <= 2
        said.append("%d/%.0f" % (got, due))
    hidden = [sum(service(row) > limit * MS for row in rows) for limit in LIMITS_MS]
    places = overtaken(run, stop)
    caught = (verified(run) and complete(run) and fits and places <= OVERTAKEN_MAX
              and longest >= max(stood_ns, stop.end_ns - stop.begin_ns) * 0.99
              and series["max_ns"] >= longest * 0.999)
    return Outcome(caught, max(hidden) <= connections,
                   "stood %.0f ms, max %.0f ms; over 50, 100, 250, 400 ms: %s (got/arithmetic; host %.1f ms, at most %d"
                   " places out of turn); by service time %s" % (stood_ns / MS, longest / MS, " ".join(said),
                                                                 extra_ns / MS, places, " ".join(map(str, hidden))),
                   off=("due times",))


def prove_freeze() -> Outcome:
    """Half of the run frozen: the percentiles are those of the arithmetic, the backlog's draining included."""
    service_ns, rate, window_s, stop_s = 100_000, 2500, 4.0, 2.0
    load = rate * service_ns / 1e9
    with Clocked(service_ns) as server:
        run, stop = clocked.run(server, lab.simple(), *open_plan(rate, window_s, connections=MANY),
                                disturb=lambda begin: clocked.stop(server, begin + 800 * MS, int(stop_s * 1e9)))
    rows = in_window(run)
    stood_s = (after(server, stop) - waiting_since(run, stop)) / 1e9
    extra_s = host_pause_ns(server, run, stop) / 1e9
    series, fits, said = run.result["series"]["latency"], True, []
    for name, share in (("p50", 0.5), ("p90", 0.9), ("p99", 0.99)):
        got, due = series[name + "_ns"] / 1e9, frozen_quantile(share, stood_s, window_s, load)
        fits = fits and due * 0.95 <= got <= due * 1.05 + extra_s / (1 - load) + 0.005
        said.append("%s %.3f/%.3f" % (name, got, due))
    hidden = quantile([service(row) for row in rows], 0.9)
    return Outcome(verified(run) and complete(run) and fits and len(rows) >= 10000, hidden < 0.01 * stood_s * 1e9,
                   "frozen %.2f s of %.0f s: %s s (got/arithmetic; host %.1f ms); service time's p90 %.2f ms"
                   % (stood_s, window_s, " ".join(said), extra_s * 1e3, hidden / MS), off=("due times",))


def prove_censored() -> Outcome:
    """Stopped two seconds before the end: what has no answer is counted, and stands at the limit or above."""
    rate, limit_ns, window_s = 500, 300 * MS, 2.5
    with Clocked(100_000) as server:
        def disturb(begin_ns):
            at = begin_ns + int(window_s * 1e9) - 2_000 * MS
            return clocked.stop(server, at, 2_000 * MS + limit_ns + 200 * MS)
        run, stop = clocked.run(server, lab.simple(), *open_plan(
            rate, window_s, "--drain-limit", "300ms", connections=CONNECTIONS), disturb=disturb)
    window, series = run.result["window"], run.result["series"]["latency"]
    stood_s = (run.result["times"]["window_end_ns"] - stop.begin_ns) / 1e9
    due = rate * stood_s
    beyond = sum(count for low, count in series["buckets"] if low >= limit_ns * 0.999)
    answered = [latency(row) for row in in_window(run) if row["reply_ns"] <= stop.begin_ns]
    caught = (run.code == 0 and abs(window["censored"] - due) <= 0.05 * due and beyond >= window["censored"]
              and window["due"] == window["planned"] == series["n"] and series["p50_ns"] >= limit_ns
              and series["max_ns"] >= stood_s * 1e9 * 0.99)
    return Outcome(caught, len(answered) > 100 and median(answered) < limit_ns / 10,
                   "%d censored (%.0f due while it stood), all at or above %.0f ms, p50 %.2f s; of the answered alone"
                   " %.2f ms" % (window["censored"], due, limit_ns / MS, series["p50_ns"] / 1e9,
                                 median(answered) / MS), off=("censoring",))


# --- one connection's delay, one late byte --------------------------------------------------------

def prove_delay() -> Outcome:
    """A second's delay on one connection of ten is seen there, and nowhere else."""
    words = ("--mode", "keep", "--connections", "10", "--window", "2s", "--warmup", "300ms")
    plan = ("--plan", "open", "--rate", "200", "--depth", "64")
    runs = {}
    for what, more in (("honest", plan), ("delay", plan), ("closed", ("--depth", "1"))):
        with lab.liar("delay" if what == "closed" else what) as server:
            runs[what] = lab.ok(lab.load(server, lab.simple(), *words, *more), what)
    by_connection = {}
    for row in in_window(runs["delay"]):
        by_connection.setdefault(row["connection"], []).append(latency(row))
    late = [own for own in by_connection.values() if min(own) >= liar.DELAY_S * 1e9]
    others = [ns for own in by_connection.values() if own not in late for ns in own]
    plain = [latency(row) for row in in_window(runs["honest"])]
    # The host's own pauses are in both; the delay would be a second.
    caught = (len(late) == 1 and len(late[0]) >= 30 and len(others) >= 300 and max(others) < liar.DELAY_S * 1e9 / 2
              and median(others) <= median(plain) + 5 * MS)
    shown = [row["reply_ns"] - row["send_start_ns"] for row in in_window(runs["closed"])]
    share = sum(ns >= liar.DELAY_S * 1e9 for ns in shown) / len(shown)
    return Outcome(caught, share < 0.01,
                   "%d of %d a second late, on one connection; the others' p50 %.2f ms (honest %.2f), max %.0f ms; in a"
                   " closed loop %.2f %% are late" % (len(late[0]) if late else 0, len(plain), median(others) / MS,
                                                     median(plain) / MS, max(others) / MS, share * 100),
                   off=("open loop",))


def prove_late_byte() -> Outcome:
    """A reply is there with its last byte."""
    with lab.liar("late-byte") as server:
        run = lab.ok(lab.load(server, lab.simple(), "--connections", "4", "--depth", "1", "--window", "600ms"), "")
        with server.connect() as client:
            client.send_frame(0x02, b"[]")
            begin = time.monotonic_ns()
            client.socket.recv(1)
            first = time.monotonic_ns() - begin
    least = min(service(row) for row in in_window(run))
    late = liar.LATE_BYTE_S * 1e9
    return Outcome(len(in_window(run)) >= 20 and least >= late, first < late,
                   "shortest of %d service times %.1f ms; first byte there after %.1f ms" %
                   (len(in_window(run)), least / MS, first / MS), off=("the last byte",))


# --- loads ----------------------------------------------------------------------------------------

def latencies(service_ns: int, rate: int, window_s: float) -> tuple:
    """(latencies, the server's wake-ups: from the last byte sent to the first look), both in ns."""
    with Clocked(service_ns, awake=True) as server:
        run, _ = clocked.run(server, lab.simple(), *open_plan(rate, window_s, connections=CONNECTIONS))
    rows = in_window(run)
    if not (verified(run) and complete(run)):
        raise AssertionError("a plain run failed: %s" % (run.err or run.result["window"]))
    # Alone in the server, so a batch's log entry is the first one behind its send.
    seen = sorted(visit.seen_ns for visit in server.visits)
    wakes, at = [], 0
    for row in sorted(rows, key=lambda row: row["send_start_ns"]):
        while at < len(seen) and seen[at] < row["send_start_ns"]:
            at += 1
        if at < len(seen) and seen[at] < row["reply_ns"]:
            wakes.append(seen[at] - row["send_start_ns"])
    return [latency(row) for row in rows], wakes


def spread(values: list, parts: int = 8) -> float:
    """How far the medians of a run's parts lie apart: its noise."""
    size = len(values) // parts
    medians = [median(values[k * size:(k + 1) * size]) for k in range(parts)]
    return max(medians) - min(medians)


def prove_slower() -> Outcome:
    """A millisecond more a batch is measured to be a millisecond more."""
    samples = {1: [], 2: []}
    noise = 0.0
    for ms in (1, 2, 2, 1):
        values, _ = latencies(ms * MS, 200, 1.5)
        samples[ms] += values
        noise = max(noise, spread(values, 3))
    if noise > 0.1 * MS:
        raise Noisy("the p50 of a run's thirds lie %.2f ms apart" % (noise / MS))
    more = median(samples[2]) - median(samples[1])
    return Outcome(len(samples[1]) >= 500 and abs(more - MS) <= 0.03 * MS + noise, None,
                   "p50 %.3f and %.3f ms: %.3f ms more (noise within a run %.3f ms)" %
                   (median(samples[1]) / MS, median(samples[2]) / MS, more / MS, noise / MS))


def prove_loads() -> Outcome:
    """Response time does not fall as load rises, or what it falls by is what waking the server costs less."""
    service_ns, figures = 500_000, []
    for load, window_s in ((0.05, 4), (0.25, 2), (0.5, 2), (0.75, 2)):
        values, wakes = latencies(service_ns, round(load * 1e9 / service_ns), window_s)
        figures.append((load, median(values), median(wakes), spread(values, 4), len(values), len(wakes)))
    fits = all(figure[4] >= 300 and figure[5] >= 0.5 * figure[4] for figure in figures)
    for before, behind in zip(figures, figures[1:]):
        noise = before[3] + behind[3] + 0.03 * service_ns
        if before[3] + behind[3] > 0.2 * service_ns:
            raise Noisy("the p50 of a run's quarters lie %.0f us apart" % (max(before[3], behind[3]) / 1e3))
        fits = fits and behind[1] >= before[1] - max(0, before[2] - behind[2]) - noise
    return Outcome(fits, None, "p50 (of it waking) at " + ", ".join(
        "%d %%: %.0f (%.0f) us" % (load * 100, p50 / 1e3, wake / 1e3) for load, p50, wake, *_ in figures))


def prove_overload() -> Outcome:
    """More than the server can take is a result, with its backlog: not an exclusion, and no latency to be proud of."""
    service_ns, rate, window_s = MS, 1300, 1.5
    with Clocked(service_ns) as server:
        run, _ = clocked.run(server, lab.simple(), *open_plan(rate, window_s, "--drain-limit", "200ms",
                                                              connections=CONNECTIONS))
    window = run.result["window"]
    done = run.result["window"]["batches"]
    # What came in and did not go out. The host may have made the server slower than its clock says.
    grown = window["backlog_end"] - window["backlog_begin"]
    expected = rate * window_s - done
    answered = [service(row) for row in in_window(run)]
    caught = (verified(run) and window["overloaded"] is True and complete(run) and abs(grown - expected) <= 3
              and grown >= 0.95 * (rate - 1e9 / service_ns) * window_s and window["censored"] > 0)
    return Outcome(caught, median(answered) < 10 * CONNECTIONS * service_ns,
                   "verified and \"overloaded\": backlog %d -> %d (server's rate %.0f of %d/s), %d censored; p50 %.2f s,"
                   " by service time %.1f ms" % (window["backlog_begin"], window["backlog_end"], done / window_s, rate,
                                                 window["censored"], (run.result["series"]["latency"]["p50_ns"] or 0)
                                                 / 1e9, median(answered) / MS), off=("due times",))


def rows() -> list:
    return [
        Row("stop-load-2", "latency", "the server stands still for 500 ms at a load of 2 %",
            lambda: prove_stop(0.02, 30_000, CONNECTIONS)),
        Row("stop-load-50", "latency", "the server stands still for 500 ms at a load of 50 %",
            lambda: prove_stop(0.5, 500_000, MANY)),  # long enough for a batch's overhead not to count
        Row("freeze-half", "latency", "the server stands still for half of the run", prove_freeze),
        Row("stopped-at-end", "censored", "the server stands still from 2 s before the end on", prove_censored),
        Row("delay-one-in-ten", "latency", liar.ODDITIES["delay"], prove_delay),
        Row("late-byte", "last byte", liar.ODDITIES["late-byte"], prove_late_byte),
        Row("spins-1-ms-more", "latency", "the server takes 1 ms more for each batch", prove_slower),
        Row("loads", "latency", "5, 25, 50 and 75 % of what the server can take", prove_loads),
        Row("overload", "overloaded", "130 % of what the server can take", prove_overload),
    ]
