"""plan_replay.py: every due time of a run, computed from its result file alone.

Nothing here is shared with the generator: the words of apps/load/plan.h, plan_poisson.h and
plan_steps.h, in whole numbers of any size. A result's plan can be replayed with it.
"""

import math

MASK = 2**64 - 1
NS_PER_S = 10**9
POISSON_STREAM = 0x506F6973736F6E31
POISSON_LN2 = 2977044471819572071  # ln 2 · 10^9 · 2^32


def draws(seed: int):
    """SplitMix64: output i is a mix of seed + (i + 1) times the golden gamma."""
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) & MASK
        z = (seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
        yield z ^ (z >> 31)


def gap(draw: int) -> int:
    """−log2 of (2 draw + 1) / 2^65 in units of 2^-32, digit by digit."""
    odd = 2 * draw + 1
    whole = odd.bit_length() - 1
    mantissa = odd << (63 - whole) if whole < 64 else odd >> 1
    digits = 0
    for _ in range(32):
        mantissa = mantissa * mantissa >> 63
        digits = 2 * digits + (mantissa >= 2**64)
        if mantissa >= 2**64:
            mantissa >>= 1
    return (65 << 32) - ((whole << 32) + digits)


def poisson(rate: int, seed: int, length: int):
    total = 0
    for draw in draws(seed ^ POISSON_STREAM):
        total += gap(draw)
        due = (total * POISSON_LN2 // rate) >> 64
        if due >= length:
            return
        yield due


def evenly(rate: int, length: int):
    slot = 0
    while slot * NS_PER_S // rate < length:
        yield slot * NS_PER_S // rate
        slot += 1


def bursts(batches: int, period: int, length: int):
    for begin in range(0, length, period):
        for _ in range(batches):
            yield begin


def within(step: dict, area: int) -> int:
    """The latest whole time in a step by which at most `area` half billionths of a batch came due:
    the lesser root of slope · t² + 2 · from · length · t = area · length, by whole square roots."""
    first, slope, length = step["from_per_s"], step["to_per_s"] - step["from_per_s"], step["length_ns"]
    if slope == 0:
        return area // (2 * first)
    linear = first * length
    inside = linear * linear + slope * area * length
    if slope > 0:
        return (math.isqrt(inside) - linear) // slope
    root_up = math.isqrt(inside)
    root_up += root_up * root_up < inside
    return (linear - root_up) // -slope


def steps(steps_list: list, warmup: int):
    """Constant rates and ramps; the warm-up runs at the first rate."""
    first = steps_list[0]["from_per_s"]
    whole = [{"from_per_s": first, "to_per_s": first, "length_ns": warmup}] if warmup else []
    begin = before = slot = 0
    for step in whole + steps_list:
        area = (step["from_per_s"] + step["to_per_s"]) * step["length_ns"]
        while 2 * NS_PER_S * slot - before < area:
            yield begin + within(step, 2 * NS_PER_S * slot - before)
            slot += 1
        begin, before = begin + step["length_ns"], before + area


def offsets(inputs: dict) -> list:
    """When each slot of a result's plan was due, in ns after times.start_ns, slot by slot."""
    length = inputs["warmup_ns"] + inputs["window_ns"]
    plan = inputs["plan"]
    if plan == "open":
        return list(evenly(inputs["rate_per_s"], length))
    if plan == "poisson":
        return list(poisson(inputs["rate_per_s"], inputs["seed"], length))
    if plan == "bursts":
        return list(bursts(inputs["burst_batches"], inputs["period_ns"], length))
    if plan == "steps":
        return list(steps(inputs["steps"], inputs["warmup_ns"]))
    raise ValueError("a plan without due times: %s" % plan)
