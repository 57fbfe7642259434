"""Openings: how varied the first choices of a seat are."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp, sqrt

import numpy as np

from patolli.measure.lab.frame import OPTION, Frame
from patolli.measure.lab.statistics import Indices, Known
from patolli.measure.simulation.estimates import Z


def count_openings(frame: Frame) -> Iterator[Indices]:
    """Yield for each seat how often each option was its first choice; empty if all its options have one name."""
    table = frame.table("option", OPTION)
    taken = np.flatnonzero(table["first"] >= 0)
    seats = table.match[taken] * frame.seats + table["seat"][taken]
    order = np.lexsort((table["first"][taken], seats))
    _, first = np.unique(seats[order], return_index=True)
    opened = taken[order[first]]
    for seat in range(frame.seats):
        several = len(np.unique(table["id"][table["seat"] == seat])) > 1
        counts = np.bincount(table["id"][opened[table["seat"][opened] == seat]])
        yield counts[counts > 0] if several else counts[:0]


def estimate_variety(counts: Indices) -> Known:
    """Estimate how many options that are equally frequent would be as varied: the exponential of the entropy.

    One more option that was seen once is added for the error, so that there is a doubt if all openings are the same.

    Source:
        The bias and the variance of the entropy: G. A. Miller, in: Information Theory in Psychology (1955) 95;
        G. P. Basharin, Theory Probab. Appl. 4 (1959) 333.
    """
    many = int(counts.sum())
    if many < 2:
        return Known.nothing(many)
    shares, more = counts / many, np.append(counts, 1) / (many + 1)
    entropy = -float(shares @ np.log(shares)) + (len(counts) - 1) / (2 * many)
    logs = np.log(more)
    half = Z * sqrt(max(0.0, float(more @ logs**2) - float(more @ logs) ** 2) / many)
    return Known(exp(entropy), exp(max(0.0, entropy - half)), exp(entropy + half), many)
