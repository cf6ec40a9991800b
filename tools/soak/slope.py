"""slope.py: the slope of a series and its interval, by Theil and Sen: no outlier moves it, and no distribution is assumed.

The slope is the median of the slopes of all pairs; the interval takes the ranks that Kendall's S leaves open at 95 %
(P. K. Sen, "Estimates of the regression coefficient based on Kendall's tau", JASA 63, 1968).
"""

import math
from typing import NamedTuple

Z_95 = 1.959964  # two-sided


class Slope(NamedTuple):
    """Units of y a unit of x."""

    estimate: float
    low: float
    high: float


def theil_sen(x: list, y: list) -> Slope:
    """At least 10 points, x rising."""
    count = len(x)
    if count < 10 or len(y) != count:
        raise ValueError(f"a slope of {count} points says nothing")
    slopes = sorted((y[j] - y[i]) / (x[j] - x[i]) for i in range(count) for j in range(i + 1, count))
    variance = count * (count - 1) * (2 * count + 5) / 18  # of S, without ties: the widest
    reach = Z_95 * math.sqrt(variance)
    low = max(0, math.floor((len(slopes) - reach) / 2) - 1)  # the rank, counted from 0
    middle = len(slopes) // 2
    estimate = slopes[middle] if len(slopes) % 2 else (slopes[middle - 1] + slopes[middle]) / 2
    return Slope(estimate, slopes[low], slopes[-1 - low])
