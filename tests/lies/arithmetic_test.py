"""arithmetic_test.py: the arithmetic that judges the slow proofs, against simulations, and with planted faults.

Nothing runs here: runs are made up, right and wrong, and the checks of the proofs must tell them apart.
"""

import random
import sys

import arithmetic as theory
import clocked
import others
import prove
import rows_theory
import rows_time
from clocked import lab
from table import Noisy, Outcome, Row

S = rows_theory.SERVICE_NS
COST_NS = 90_000
COSTS = rows_theory.Costs(rows_theory.SERVICE_NS, COST_NS, COST_NS, 0)
START_NS = 1_000_000_000


def check_recursion() -> None:
    assert theory.recursion([0, 1, 2, 20], [5, 5, 5, 5]) == [5, 10, 15, 25]
    assert theory.busy_starts([0, 1, 2, 20], [5, 10, 15, 25]) == [0, 0, 0, 3]
    assert theory.constant_plan(7, 3, 4) == [7, 333_333_340, 666_666_673, 1_000_000_007]
    assert theory.quantile([3, 1, 2, 4], 0.5) == 2 and theory.quantile([5], 0.99) == 5


def check_stops() -> None:
    """A stop is a batch with a long service: the counts and the percentiles are those of the recursion."""
    for load in (0.02, 0.5):
        rate, stop_s, window_s = 4000, 0.5, 2.5
        due = theory.constant_plan(0, rate, int(rate * window_s))
        services = [load * 1e9 / rate] * len(due)
        services[len(due) // 4] += stop_s * 1e9
        took = [(done - at) / 1e9 for at, done in zip(due, theory.recursion(due, services))]
        for limit in (0.05, 0.1, 0.25, 0.4):
            got, said = sum(t > limit for t in took), theory.slower_than(rate, stop_s, limit, load)
            assert abs(got - said) <= 0.005 * said + 2, (load, limit, got, said)
        for share in (0.9, 0.95, 0.99):
            got, said = theory.quantile(took, share), theory.frozen_quantile(share, stop_s, window_s, load)
            assert abs(got - said) <= 0.005, (load, share, got, said)


def poisson(rate: float, count: int) -> list:
    source, at, due = random.Random(5), 0.0, []
    for _ in range(count):
        at += source.expovariate(rate)
        due.append(at)
    return due


def check_distributions() -> None:
    due = poisson(1.0, 60000)
    gaps = [b - a for a, b in zip(due, due[1:])]
    assert theory.distance(gaps, theory.exponential(1.0)) < theory.distance_limit(len(gaps))
    assert theory.distance(gaps, theory.exponential(1.05)) > theory.distance_limit(len(gaps)), "5 % is seen"
    even = [1.0] * len(gaps)
    assert theory.distance(even, theory.exponential(1.0)) > 0.5, "a constant plan is not a random one"
    for load in (0.3, 0.6, 0.8):
        cdf = theory.md1_wait(load, load)
        assert abs(cdf(0) - (1 - load)) < 1e-9
        step = load / 200
        mean = sum((1 - cdf(k * step)) * step for k in range(200 * 18)) - step * load / 2
        said = load * load / (2 * (1 - load))  # Pollaczek and Khinchine
        assert abs(mean - said) < 0.01 * said + step, (load, mean, said)
        done = theory.recursion(due, [load] * len(due))
        waits = [end - load - at for at, end in zip(due, done)]
        for t in (0.0, load / 2, load, 3 * load):
            share = sum(wait <= t + 1e-9 for wait in waits) / len(waits)
            assert abs(share - cdf(t)) < 0.02, (load, t, share, cdf(t))


def made_up(load: float, pauses: dict | None = None) -> tuple:
    """A run and a server as they would be found: (Run, server); `pauses`: number of a batch → ns of a pause in it."""
    rate, count = round(load * 1e9 / S), 700
    due = theory.constant_plan(START_NS, rate, count)
    source = random.Random(3)
    rows, visits, free = [], [], 0
    for k, at in enumerate(due):
        send = at + 2000
        seen = max(send + 45_000 + source.randrange(10_000), free)
        end = seen + S + (pauses or {}).get(k, 0)
        free = end
        rows.append({"connection": k % 64, "due_ns": at, "released_ns": at, "send_start_ns": send,
                     "send_complete_ns": send + 1000, "reply_ns": end + 40_000, "reply_gap_ns": 500, "blocked": 0})
        visits.append(clocked.Visit(seen, seen, end))
    server = object.__new__(clocked.Clocked)
    server.service_ns, server.visits = S, visits
    return make_run(rows, rate, due[100], due[-1] + 1), server


def make_run(rows: list, rate: int, begin_ns: int, end_ns: int) -> "lab.Run":
    inside = sum(begin_ns <= row["due_ns"] < end_ns for row in rows)
    result = {"times": {"start_ns": START_NS, "window_start_ns": begin_ns, "window_end_ns": end_ns},
              "inputs": {"rate_per_s": rate, "drain_limit_ns": 10 ** 9, "connections": 64},
              "window": {"due": inside, "planned": inside, "censored": 0}}
    return lab.Run(0, "", "", result, rows)


def accepts(run: "lab.Run", server, rate: int) -> bool:
    try:
        truth = rows_theory.compare(run, server, COSTS)
    except AssertionError as fault:
        assert "contradict" in str(fault), fault
        return False
    return (rows_theory.judge(truth) and rows_theory.is_the_plan(run, "open", rate) and rows_time.complete(run))


def changed(run: "lab.Run", change) -> "lab.Run":
    rows = [change(dict(row)) for row in run.times]
    return run._replace(times=[row for row in rows if row is not None])


def check_faults() -> None:
    """What a generator could do wrong: each is told from an honest run."""
    for load in (0.3, 0.8):
        rate = round(load * 1e9 / S)
        run, server = made_up(load)
        assert accepts(run, server, rate), "an honest run"
        # 200 ms of pause, as the server's log has it: explained, and the run is right.
        paused, pausing = made_up(load, {650: 200_000_000})
        assert accepts(paused, pausing, rate), "a recorded pause"
        truth = rows_theory.compare(paused, pausing, COSTS)
        assert truth.agree < truth.batches and truth.explained == truth.batches - truth.agree, truth
        # The same pause, not recorded.
        hidden = object.__new__(clocked.Clocked)
        hidden.service_ns = S
        hidden.visits = [visit._replace(end_ns=min(visit.end_ns, visit.begin_ns + S)) for visit in pausing.visits]
        truth = rows_theory.compare(paused, hidden, COSTS)
        assert truth.worst_ns > 0 and truth.explained < truth.batches - truth.agree, truth
    run, server = made_up(0.8)
    rate = round(0.8 * 1e9 / S)
    faults = {
        "latency from the send": lambda row: {**row, "due_ns": row["send_start_ns"]},
        "every tenth slot thinned": lambda row: None if row["connection"] % 10 == 3 else row,
        "replies stamped 300 us late": lambda row: {**row, "reply_ns": row["reply_ns"] + 300_000},
        "replies stamped 300 us early": lambda row: {**row, "reply_ns": row["reply_ns"] - 300_000},
        "replies stamped half a service late": lambda row: {**row, "reply_ns": row["reply_ns"] + S // 2},
    }
    for name, fault in faults.items():
        assert not accepts(changed(run, fault), server, rate), name
    try:
        rows_theory.judge(rows_theory.Truth(900, 900, 0, 100, 100, 0.0))
    except Noisy:
        pass
    else:
        raise AssertionError("a host that paused all the time says nothing")
    # Calibrated with the same generator: the prediction has its delay, but the server's log has not.
    late = rows_theory.Costs(S, COST_NS + 300_000, COST_NS + 300_000, 0)
    truth = rows_theory.compare(changed(run, faults["replies stamped 300 us late"]), server, late)
    assert truth.agree >= 0.95 * truth.batches and not rows_theory.judge(truth), truth
    window = {**run.result["window"], "planned": run.result["window"]["planned"] + 30}
    assert not rows_time.complete(run._replace(result={**run.result, "window": window})), "30 slots never due"
    dropped = changed(run, lambda row: None if row["due_ns"] > run.times[-1]["due_ns"] - 10 ** 8 else row)
    assert not rows_time.complete(dropped._replace(result={**run.result, "window": {
        **run.result["window"], "censored": 0}})), "unanswered ones dropped"


def check_unrest() -> None:
    """What lets a row of the ground truth run again: the host's own costs, on both sides of each limit."""
    near = COSTS._replace(wire_ns=COST_NS + 60_000, waiting_ns=COST_NS - 60_000, jitter=0.03)
    assert rows_theory.unrest(COSTS, COSTS) == "" and rows_theory.unrest(COSTS, near) == "", "costs that hold still"
    for words, restless in (
            ("behind the run", COSTS._replace(wire_ns=COST_NS + 60_001)),
            ("behind the run", COSTS._replace(waiting_ns=COST_NS - 60_001)),
            ("4 % of batches", COSTS._replace(jitter=0.04)),
            ("30 us more", COSTS._replace(waiting_ns=COST_NS + 30_000))):
        assert words in rows_theory.unrest(COSTS, restless), words
        assert words in rows_theory.unrest(restless, COSTS), words


STOP_S, STOP_RATE, STOP_SERVICE_NS = 0.5, 1000, 500_000


def stopped(misses_rounds: bool = False, pauses: dict | None = None, behind: int = 0) -> tuple:
    """A run in which the server stood still, as it would be found: (Run, server, Stop).

    `misses_rounds`: a server that takes all events at once, so that the connection served last misses a round.
    `pauses`: number of a service → ns that the host took after it. `behind`: batches late when the stop came.
    """
    connections, begin = rows_time.MANY, START_NS + 1_000_000_000
    stop = clocked.Stop(begin, begin + int(STOP_S * 1e9))
    queues = [[] for _ in range(connections)]  # due times of a connection that are not answered
    for k, at in enumerate(theory.constant_plan(START_NS, STOP_RATE, 3000)):
        queues[k % connections].append(at)
    frees = [0] * connections  # a connection has one batch in flight: when it may send the next
    turn = {c: (queues[c][0], 0) for c in range(connections)}  # whose turn is first
    rows, visits, now, served = [], [], 0, 0
    round_left = []
    while any(queues):
        sends = {c: max(queues[c][0], frees[c]) for c in range(connections) if queues[c]}
        now = max(now, min(sends.values()))
        if begin - behind * 1_000_000 <= now < stop.end_ns:
            now = stop.end_ns
        if not (misses_rounds and round_left):
            round_left = sorted((c for c, at in sends.items() if at <= now), key=lambda c: turn[c])
            turn.update((c, (now, place)) for place, c in enumerate(round_left))  # behind all that were ready
        c = round_left.pop(0)
        due, send, end = queues[c].pop(0), sends[c], now + STOP_SERVICE_NS
        visits.append(clocked.Visit(now + 10, now, end))
        rows.append({"connection": c, "due_ns": due, "released_ns": send, "send_start_ns": send,
                     "send_complete_ns": send, "reply_ns": end + 20_000, "reply_gap_ns": 500, "blocked": 0})
        frees[c] = end + 30_000
        if not (misses_rounds and round_left):
            turn[c] = (frees[c], c)  # not ready when it is asked for again: it comes back at the end
        now, served = end + (pauses or {}).get(served, 0), served + 1
    server = object.__new__(clocked.Clocked)
    server.service_ns, server.visits = STOP_SERVICE_NS, visits
    run = make_run(rows, STOP_RATE, START_NS + 500_000_000, START_NS + 3_000_000_000)
    took = [clocked.latency(row) for row in clocked.in_window(run)]
    run.result.update(verdict="ok", gates={"answers": "pass"}, series={
        "latency": {"buckets": [[ns, 1] for ns in sorted(took)], "max_ns": max(took)}})
    run.result["inputs"]["connections"] = connections
    return run, server, stop


def stop_is_right(run: "lab.Run", server, stop) -> bool:
    return rows_time.judge_stop(server, run, stop, STOP_RATE * STOP_SERVICE_NS / 1e9).right()


def is_noisy(run: "lab.Run", server, stop) -> bool:
    try:
        stop_is_right(run, server, stop)
    except Noisy:
        return True
    return False


def check_stopped_runs() -> None:
    assert stop_is_right(*stopped()), "an honest run"
    assert stop_is_right(*stopped(behind=8)), "a server that was behind when the stop came"
    assert stop_is_right(*stopped(pauses={1100: 6_000_000})), "a pause while it drained"
    assert not stop_is_right(*stopped(misses_rounds=True)), "some connections are overtaken by the others"
    assert is_noisy(*stopped(behind=20)) and is_noisy(*stopped(pauses={1100: 12_000_000})), "too much of a pause"
    small = {k: 15_000 for k in range(1000, 1900)}  # each of them below what counts as a pause
    run, server, stop = stopped(pauses=small)
    lost = rows_time.host_pause_ns(server, run, stop)
    assert 13_000_000 > lost > 0 or is_noisy(run, server, stop), lost
    run, server, stop = stopped()
    faults = {
        "latency from the send": lambda row: {**row, "due_ns": row["send_start_ns"]},
        "every tenth slot thinned": lambda row: None if row["due_ns"] // 1_000_000 % 10 == 3 else row,
        "the stop is taken off": lambda row: {**row, "reply_ns": row["reply_ns"] - 30_000_000}
                                 if row["reply_ns"] > stop.end_ns + 50_000_000 else row,
    }
    for name, fault in faults.items():
        try:
            assert not stop_is_right(changed(run, fault), server, stop), name
        except AssertionError as seen:
            assert "contradict" in str(seen), seen


def check_repeats() -> None:
    """A row that the host made say nothing runs again, so often and no longer; what is wrong on a quiet host does not."""
    calls = []
    share = others.Watch.share

    def row(*outcomes) -> Row:
        left = list(outcomes)

        def run() -> Outcome:
            calls.append(1)
            if left[0] is Noisy:
                raise left.pop(0)("busy")
            return left.pop(0)
        return Row("made-up", "none", "", run)

    good, wrong = Outcome(True, None, ""), Outcome(False, None, "")
    quiet, busy = others.OTHERS_MAX, others.OTHERS_MAX + 0.001
    for outcomes, left_s, right, times, taken in (
            ((Noisy, Noisy, good), 60, True, 3, quiet), ((wrong, good), 60, False, 1, quiet),
            ((Noisy,) * 3 + (good,), 60, False, 3, quiet), ((Noisy, good), -1, False, 1, quiet),
            ((Noisy, wrong, good), 60, False, 2, quiet), ((wrong, good), 60, True, 2, busy),
            ((wrong,) * 3 + (good,), 60, False, 3, busy), ((wrong, good), -1, False, 1, busy),
            ((good, wrong), 60, True, 1, busy)):
        calls.clear()
        others.Watch.share = lambda _, taken=taken: taken
        outcome, lost_s = prove.prove(row(*outcomes), left_s)
        assert outcome.right() == right and len(calls) == times and lost_s >= 0, (outcomes, outcome, calls)
        assert ("said nothing" in outcome.figures) == (lost_s > 0), outcome
    others.Watch.share = share


def main() -> None:
    check_recursion()
    check_stops()
    check_distributions()
    check_faults()
    check_unrest()
    check_stopped_runs()
    check_repeats()


if __name__ == "__main__":
    main()
    sys.exit(0)
