"""rows_theory.py: ground truth: against a server with a known service time, every batch's latency is predicted.

The server (clocked_server.c) has one thread; each connection has at most one batch in flight, and there are more
connections than batches ever wait, so the server's queue is first come, first served over all of them, whatever
order epoll has: what the recursion needs. A prediction is Lindley's recursion over the plan with the calibrated
service time, plus what wire and wake-ups cost a batch that waits for nobody, both measured beforehand (calibrate()).
"""

from typing import NamedTuple

import clocked
from arithmetic import (busy_starts, constant_plan, distance, distance_limit, exponential, md1_wait, median,
                        recursion)
from clocked import Clocked, in_window, lab, latency, open_plan
from table import Noisy, Outcome, Row

# Wire and wake-up cost 100 to 250 µs on a virtual machine, now more, now less: 3 % of this is about as much.
SERVICE_NS = 6_000_000
CONNECTIONS = 64
WINDOW_S = 8.0
SHARE = 0.95
# From the end of a service to the reply's time, at least: 20 to 40 us of wire. A generator that notes replies late by
# always the same is in what calibrate() measures, too, so that no prediction would tell.
WAY_BACK_NS = 150_000
BATCHES_MIN = 250
# What two calibrations may differ by, and the share of batches that wait for nobody and are off by more than a
# prediction may be: above either, what predictions rest on did not hold still.
COSTS_MOVE_MAX_NS = 60_000
JITTER_MAX = 0.03
# A plan alone, for its distribution: nobody parses, so the rate may be high.
PLAN_RATE, PLAN_WINDOW_S = 20000, 2.0


def allowed_ns(predicted: float) -> float:
    return max(0.03 * predicted, 20_000)


class Truth(NamedTuple):
    """How the batches of a run compare with their predictions."""

    batches: int
    agree: int      # within max(3 %, 20 µs) of the plain recursion
    explained: int  # of the others: a recorded pause of the host in their busy period is as long as they are off
    clear: int      # batches in whose busy period the host did nothing
    clear_agree: int
    worst_ns: float  # the largest distance that no pause explains
    way_back_ns: int = 0  # from a service's end to its reply, at least


def plan(kind: str, rate: int, window_s: float, *words: str) -> tuple:
    # The generator never sleeps: its own wake-ups are no part of what is predicted.
    return ("--plan", kind, "--spin", "1s", *open_plan(rate, window_s, *words, connections=CONNECTIONS)[2:])


def run_plan(kind: str, load: float, window_s: float) -> tuple:
    """(Run, server with its log) of a plan at a load."""
    rate = round(load * 1e9 / SERVICE_NS)
    with Clocked(SERVICE_NS, awake=True) as server:
        run, _ = clocked.run(server, lab.simple(), *plan(kind, rate, window_s))
    lab.ok(run, "%s at %.0f %%" % (kind, load * 100))
    return run, server


class Costs(NamedTuple):
    """What a batch costs: the server's time for one of many that wait, and what the rest adds."""

    service_ns: float
    wire_ns: float     # of a batch that waits for nobody: both ways, and waking the server
    waiting_ns: float  # of one that waits: its way there is over before its turn comes
    jitter: float      # share of batches that wait for nobody and are off their median by more than allowed_ns()


def calibrate() -> Costs:
    """Of two connections in a closed loop one always waits: the server's whole time for a batch, reading it and
    answering it included. At a load of 10 % nobody waits: what is more than that is wire, wake-up and the
    generator's own loop. Of two batches due at once the second waits."""
    with Clocked(SERVICE_NS, awake=True) as server:
        run, _ = clocked.run(server, lab.simple(), "--plan", "closed", "--connections", "2", "--depth", "1",
                             "--warmup", "300ms", "--window", "1500ms")
        lab.ok(run, "two connections, one waiting")
        pairs, _ = clocked.run(server, lab.simple(), "--plan", "bursts", "--burst", "2", "--period", "40ms", "--spin",
                               "1s", "--connections", str(CONNECTIONS), "--depth", "1", "--warmup", "300ms",
                               "--window", "2s")
        lab.ok(pairs, "two batches at once")
    replies = sorted(row["reply_ns"] for row in in_window(run))
    service_ns = median([b - a for a, b in zip(replies, replies[1:])])  # what the host took now and then is no part
    seconds = {}
    for row in in_window(pairs):
        seconds[row["due_ns"]] = max(latency(row), seconds.get(row["due_ns"], 0))
    run, _ = run_plan("open", 0.1, 6.0)
    alone = [latency(row) for row in in_window(run)]
    jitter = sum(abs(ns - median(alone)) > allowed_ns(median(alone)) for ns in alone) / len(alone)
    return Costs(service_ns, median(alone) - service_ns, median(list(seconds.values())) - 2 * service_ns, jitter)


def is_sane(costs: Costs) -> bool:
    return (0 <= costs.waiting_ns <= costs.wire_ns + 20_000 and costs.wire_ns < SERVICE_NS / 2
            and 0.99 * SERVICE_NS < costs.service_ns < 1.1 * SERVICE_NS)


def unrest(before: Costs, after: Costs) -> str:
    """What the host's own costs did that no prediction knows of; "" where they held still."""
    for what, moved in (("wire and wake-up", after.wire_ns - before.wire_ns),
                        ("of one that waits", after.waiting_ns - before.waiting_ns)):
        if abs(moved) > COSTS_MOVE_MAX_NS:
            return "%s cost %+.0f us behind the run" % (what, moved / 1e3)
    for costs in (before, after):
        if costs.jitter > JITTER_MAX:
            return "%.0f %% of batches that wait for nobody are off" % (100 * costs.jitter)
        if not is_sane(costs):
            return "one that waits costs %.0f us more than one that does not" % (
                (costs.waiting_ns - costs.wire_ns) / 1e3)
    return ""



def compare(run: "lab.Run", server: Clocked, costs: Costs) -> Truth:
    rows = sorted(run.times, key=lambda row: row["due_ns"])
    due = [row["due_ns"] for row in rows]
    done = recursion(due, [costs.service_ns] * len(due))
    starts, host = busy_starts(due, done), server.taken(rows, costs.wire_ns)
    begin, end = run.result["times"]["window_start_ns"], run.result["times"]["window_end_ns"]
    sums, batches, agree, explained, clear, clear_agree, worst = [0], 0, 0, 0, 0, 0, 0.0
    for ns in host:
        sums.append(sums[-1] + ns)
    # A pause makes a busy period longer than the plain recursion has it: what came before counts while it drains.
    real_done = recursion(due, [costs.service_ns + ns for ns in host])
    real_starts = busy_starts(due, real_done)
    for k, row in enumerate(rows):
        if not begin <= row["due_ns"] < end:
            continue
        waits = k > 0 and done[k - 1] > due[k]
        predicted = done[k] - due[k] + (costs.waiting_ns if waits else costs.wire_ns)
        off = abs(latency(row) - predicted) - allowed_ns(predicted)
        paused = sums[k + 1] - sums[min(starts[k], real_starts[k])]
        batches += 1
        agree += off <= 0
        explained += off > 0 and off <= paused
        clear += paused == 0
        clear_agree += paused == 0 and off <= 0
        worst = max(worst, off - paused)
    return Truth(batches, agree, explained, clear, clear_agree, worst, server.way_back_ns(rows))


def judge(truth: Truth) -> bool:
    """≥ 95 % of all agree, or of those that the host left alone; the others lie in its recorded pauses."""
    if truth.clear < BATCHES_MIN:
        raise Noisy("the host paused in the busy periods of %d of %d batches" % (
            truth.batches - truth.clear, truth.batches))
    others = truth.batches - truth.agree - truth.explained
    enough = truth.agree >= SHARE * truth.batches or truth.clear_agree >= SHARE * truth.clear
    # A few that nothing explains may be: what the clocks themselves cost.
    return enough and others <= (1 - SHARE) * truth.batches and truth.way_back_ns <= WAY_BACK_NS


def is_the_plan(run: "lab.Run", kind: str, rate: int) -> bool:
    """The stored due times are the plan's, one a slot, whatever was answered when."""
    due, times = sorted(row["due_ns"] for row in run.times), run.result["times"]
    window = run.result["window"]
    if kind == "open" and due != constant_plan(times["start_ns"], rate, len(due)):
        return False
    return window["due"] == window["planned"] and len(in_window(run)) == window["due"]


def prove_truth(kind: str) -> Outcome:
    costs = calibrate()
    said, fits, back_ns = [], True, 0
    for load in (0.3, 0.6, 0.8):
        run, server = run_plan(kind, load, WINDOW_S)
        truth = compare(run, server, costs)
        back_ns = max(back_ns, truth.way_back_ns)
        fits = judge(truth) and is_the_plan(run, kind, round(load * 1e9 / SERVICE_NS)) and fits
        said.append("%.0f %%: %d of %d agree, %d more in pauses; %d of the %d without any pause" % (
            load * 100, truth.agree, truth.batches, truth.explained, truth.clear_agree, truth.clear))
    right = fits and is_sane(costs)
    restless = "" if right else unrest(costs, calibrate())
    if restless:
        raise Noisy(restless)
    return Outcome(right, None, "%s (the server's time %.0f us, wire and wake-up %.0f us, of one that waits %.0f us;"
                   " from a service's end to its reply %.0f us at least)" % (
                       "; ".join(said), costs.service_ns / 1e3, costs.wire_ns / 1e3, costs.waiting_ns / 1e3,
                       back_ns / 1e3))


def plan_gaps(kind: str) -> list:
    """The gaps between a long plan's due times, in s: nothing of them is measured."""
    with lab.contestant("c-tuned", "drain") as server:
        run, _ = clocked.run(server, lab.simple(), "--mode", "drain", "--warmup", "0ms",
                             *plan(kind, PLAN_RATE, PLAN_WINDOW_S))
    lab.ok(run, "a plan alone")
    due = sorted(row["due_ns"] for row in run.times)
    return [(b - a) / 1e9 for a, b in zip(due, due[1:])]


def prove_constant_plan() -> Outcome:
    gaps = plan_gaps("open")
    waits = waits_of(gaps, 0.8)
    even = max(abs(gap - 1 / PLAN_RATE) for gap in gaps)
    return Outcome(len(gaps) > 30000 and even < 2e-9 and max(waits) < 2e-9, None,
                   "%d gaps of %.0f us within %.0f ns; nobody would wait (D/D/1): at most %.0f ns at 80 %%" %
                   (len(gaps), 1e6 / PLAN_RATE, even * 1e9, max(waits) * 1e9))


def waits_of(gaps: list, load: float) -> list:
    """How long each batch of a plan would wait at a load, in s."""
    due, service = [0.0], load / PLAN_RATE
    for gap in gaps:
        due.append(due[-1] + gap)
    return [done - service - at for at, done in zip(due, recursion(due, [service] * len(due)))]


def prove_poisson_plan() -> Outcome:
    """Gaps are exponential; the waits that the plan implies are those of M/D/1 at each load."""
    gaps = plan_gaps("poisson")
    off, limit = distance(gaps, exponential(PLAN_RATE)), distance_limit(len(gaps))
    fits, said = len(gaps) > 30000 and off <= limit, []
    mean = sum(gaps) / len(gaps) * PLAN_RATE
    fits = fits and abs(mean - 1) < 5 / len(gaps) ** 0.5
    for load in (0.3, 0.6, 0.8):
        # Neighbours wait together: every 50th or so is as good as independent (their correlation at 80 % is
        # below 1 % then), and the load is the plan's own.
        waits = waits_of(gaps, load)[::round(10 / (1 - load) ** 2) // 5]
        cdf = md1_wait(load, load / PLAN_RATE)
        at = [k * load / PLAN_RATE for k in (0, 0.5, 1, 2, 3, 4, 6)]
        far = max(abs(sum(wait <= t + 1e-12 for wait in waits) / len(waits) - cdf(t)) for t in at)
        fits = fits and far <= distance_limit(len(waits)) and len(waits) > 500
        said.append("%.0f %%: %.4f of %.4f" % (load * 100, far, distance_limit(len(waits))))
    return Outcome(fits, None, "%d gaps, %.4f from exponential (%.4f allowed); waits from M/D/1 %s" %
                   (len(gaps), off, limit, ", ".join(said)))


def rows() -> list:
    return [
        Row("plan-constant", "closed form", "a constant plan's due times", prove_constant_plan),
        Row("plan-poisson", "closed form", "a Poisson plan's due times", prove_poisson_plan),
        Row("truth-constant", "Lindley's recursion", "a known service time, constant rate at 30, 60, 80 %",
            lambda: prove_truth("open")),
        Row("truth-poisson", "Lindley's recursion", "a known service time, Poisson at 30, 60, 80 %",
            lambda: prove_truth("poisson")),
    ]
