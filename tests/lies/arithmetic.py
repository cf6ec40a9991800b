"""arithmetic.py: what queueing theory says must be measured: plans, one queue, stops, distributions.

Times are integers in ns where they come from a clock; nothing here looks at what a generator computed.
"""

import math


def constant_plan(start_ns: int, rate: int, count: int) -> list:
    """Due times of a constant rate: slot k at start + floor(k · 10^9 / rate)."""
    return [start_ns + k * 1_000_000_000 // rate for k in range(count)]


def recursion(due: list, services: list) -> list:
    """Lindley's recursion for one server and one queue: when each batch is done.

    Lindley (1952), The theory of queues with a single server: a batch begins when it is there and the one
    before it is done. `due` is sorted; services[k] is how long batch k takes.
    """
    done, free = [], -math.inf
    for at, service in zip(due, services):
        free = max(at, free) + service
        done.append(free)
    return done


def busy_starts(due: list, done: list) -> list:
    """For each batch, the number of the batch that began its busy period."""
    starts, begin = [], 0
    for k, at in enumerate(due):
        if k == 0 or at >= done[k - 1]:
            begin = k
        starts.append(begin)
    return starts


def slower_than(rate: float, stop_s: float, limit_s: float, load: float) -> float:
    """How many batches take longer than limit_s when the server stands still for stop_s.

    Who is due x after the stop waits until the end of it and for x · rate others: stop − x + x · load.
    """
    return rate * max(0.0, stop_s - limit_s) / (1 - load)


def frozen_quantile(share: float, stop_s: float, window_s: float, load: float) -> float:
    """The latency that `share` of a window's batches stay below when the server stands for stop_s in it."""
    return max(0.0, stop_s - (1 - share) * window_s * (1 - load))


def quantile(values: list, share: float) -> float:
    """The smallest value that at least `share` of all are not above."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def median(values: list) -> float:
    return quantile(values, 0.5)


def distance(values: list, distribution) -> float:
    """Kolmogorov's distance of values from a continuous distribution function."""
    ordered, n = sorted(values), len(values)
    return max(max((k + 1) / n - distribution(x), distribution(x) - k / n) for k, x in enumerate(ordered))


def distance_limit(n: int, chance: float = 1e-4) -> float:
    """What independent values of the distribution exceed with this chance at most (Massart 1990)."""
    return math.sqrt(math.log(2 / chance) / (2 * n))


def exponential(rate: float):
    return lambda x: 1 - math.exp(-rate * x) if x > 0 else 0.0


def md1_wait(load: float, service: float):
    """P(wait ≤ t) of random arrivals at a server with a fixed service time (M/D/1).

    Erlang (1909): (1 − ρ) Σ_{k ≤ t/s} (−u)^k / k! · e^u with u = λ(t − ks). The terms alternate: at most some
    20 service times out their sum is good to many digits.
    """

    def cdf(t: float) -> float:
        if t < 0:
            return 0.0
        terms, at = [math.exp(load * t / service)], t / service
        for k in range(1, int(at) + 1):
            u = load * (at - k)
            terms.append((-1) ** k * math.exp(k * math.log(u) - math.lgamma(k + 1) + u) if u > 0 else 0.0)
        return min(1.0, max(0.0, (1 - load) * math.fsum(terms)))

    return cdf
