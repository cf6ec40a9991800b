"""stats.py: what lib/stats computes, written again from the definitions.

Probabilities are fractions of whole numbers. Small cases are enumerated: every choice of signs for the signed-rank
test, every subset of hypotheses for Holm's procedure (which is the closure of Bonferroni's test: a hypothesis falls when
every intersection that holds it falls), every chain of contestants for the places of a table.
"""
import fractions
import itertools
import math

F = fractions.Fraction
ENUMERATED = 14  # values up to which all signs are tried


def coin_tail(count, heads):
    """P(at most so many heads in `count` throws)."""
    return F(sum(math.comb(count, k) for k in range(heads + 1)), 2 ** count)


def largest_order(tail, alpha):
    """The largest k with 2 · tail(k − 1) ≤ alpha, tail rising."""
    order = 0
    while 2 * tail(order) <= alpha:
        order += 1
    return order


def sign_order(count, alpha):
    return largest_order(lambda k: coin_tail(count, k), F(alpha)) if count else 0


def sign_p_value(values):
    """Ties count against both sides."""
    above = sum(v > 0 for v in values)
    below = sum(v < 0 for v in values)
    return min(F(1), 2 * coin_tail(len(values), len(values) - max(above, below)))


def rank_sums(count):
    """How many of the 2^count choices of signs give each sum of the positive ranks."""
    total = count * (count + 1) // 2
    ways = [0] * (total + 1)
    if count <= ENUMERATED:
        for signs in itertools.product((0, 1), repeat=count):
            ways[sum(rank for rank, sign in enumerate(signs, 1) if sign)] += 1
        return ways
    ways[0] = 1
    for rank in range(1, count + 1):
        ways = [ways[s] + (ways[s - rank] if s >= rank else 0) for s in range(total + 1)]
    return ways


def signed_rank_order(count, alpha):
    ways = rank_sums(count)
    return largest_order(lambda k: F(sum(ways[:k + 1]), 2 ** count), F(alpha)) if count else 0


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def interval(ordered, order):
    """[x(k), x(n + 1 − k)], or None."""
    return (ordered[order - 1], ordered[-order]) if order else None


def hodges_lehmann(values, alpha):
    """(shift, interval)."""
    walsh = sorted((a + b) / 2 for a, b in itertools.combinations_with_replacement(values, 2))
    return median(walsh), interval(walsh, signed_rank_order(len(values), alpha))


def pairs_needed(comparisons, alpha):
    """The smallest number of pairs whose most extreme outcome is rare enough."""
    pairs = 1
    while F(2 * comparisons, 2 ** pairs) > F(alpha):
        pairs += 1
    return pairs


def holm_rejects(p_values, alpha):
    """By closed testing: i falls when Bonferroni rejects every set of hypotheses that i is in."""
    everyone = range(len(p_values))
    sets = [s for size in range(1, len(p_values) + 1) for s in itertools.combinations(everyone, size)]
    falls = {s: min(p_values[i] for i in s) * len(s) <= alpha for s in sets}
    return [all(falls[s] for s in sets if i in s) for i in everyone]


def side(bounds):
    """1: all above 0, −1: all below, 0: neither."""
    return 0 if bounds is None or bounds[0] <= 0 <= bounds[1] else 1 if bounds[0] > 0 else -1


def verdict(bounds, margin):
    """Rule 13 for log ratios of which more is better, in its order: beyond, inside, crossing, else."""
    limit = math.log1p(margin)
    if bounds is None:
        return "not_resolved"
    low, high = bounds
    if low > limit or high < -limit:
        return "faster" if low > 0 else "slower"
    if -limit < low and high < limit:
        return "same"
    return {1: "faster_size_open", -1: "slower_size_open", 0: "not_resolved"}[side(bounds)]


def chance_of_power(count, order, power):
    """q with P(Bin(count, q) ≤ order − 1) = power, by halving."""
    low, high = 0.0, 1.0
    for _ in range(100):
        q = (low + high) / 2
        at_most = math.fsum(math.comb(count, i) * q ** i * (1 - q) ** (count - i) for i in range(order))
        low, high = (q, high) if at_most >= power else (low, q)
    return low


def normal_quantile(probability):
    low, high = -40.0, 40.0
    for _ in range(200):
        z = (low + high) / 2
        low, high = (z, high) if math.erfc(-z / math.sqrt(2)) / 2 < probability else (low, z)
    return low


def resolvable(logs, alpha, power):
    """The smallest difference that so many pairs resolve, as lib/stats/paired.h defines it."""
    order = sign_order(len(logs), alpha)
    if order == 0:
        return math.inf
    q = chance_of_power(len(logs), order, power)
    centre = median(logs)
    apart = sorted(abs(v - centre) for v in logs)
    rank = min(max(math.ceil((1 - 2 * q) * (len(logs) + 1)), 1), len(logs))
    return max(apart[rank - 1], normal_quantile(1 - q) * 1.4826022185056018 * median(apart))


def wrong_side(logs, difference):
    """The chance that one pair falls on the wrong side of 0, as lib/stats/power.h defines it."""
    centre = median(logs)
    apart = [abs(v - centre) for v in logs]
    counted = min((sum(v >= difference for v in apart) + 0.5) / len(logs), 1) / 2
    scale = 1.4826022185056018 * median(apart)
    if len(logs) >= 40 or scale <= 0:
        return counted
    return max(counted, math.erfc(difference / scale / math.sqrt(2)) / 2)


def pairs_for(q, alpha, power, step, most):
    """The smallest multiple of `step` with P(Bin(n, q) ≤ k − 1) ≥ power; None above `most`."""
    for count in range(step, most + 1, step):
        order = sign_order(count, alpha)
        if math.fsum(math.comb(count, i) * q ** i * (1 - q) ** (count - i) for i in range(order)) >= power:
            return count
    return None


def places(ahead):
    """ahead[i][j]: i was found ahead of j. j is surely before i when no chain of "not found behind" leads from i to j."""
    count = len(ahead)

    def reaches(start):
        seen = {start}
        waiting = [start]
        while waiting:
            at = waiting.pop()
            new = {j for j in range(count) if not ahead[j][at]} - seen
            seen |= new
            waiting += new
        return seen
    return [1 + count - len(reaches(i)) for i in range(count)]
