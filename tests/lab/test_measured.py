"""Measures of matches without some of their moments: of long ones only every second, and so on."""

from __future__ import annotations

import numpy as np

from patolli.measure.lab.moments import thin_out
from patolli.measure.lab.pack_measures import _kept_by_all, latest


def moments(*lengths: int) -> tuple[np.ndarray, np.ndarray]:
    """Matches that had so many moments, about four of them kept: match and number of each."""
    found = [(one, nth) for one, length in enumerate(lengths) for nth, _ in thin_out(range(length), 4, last=True)]
    return np.array([one for one, _ in found]), np.array([nth for _, nth in found])


def test_times_are_reported_that_no_match_has_lost():
    match, nth = moments(3, 7, 2, 8)
    last = latest(5, match, nth)

    assert last.tolist() == [3, 7, 2, 8, 0]
    assert _kept_by_all(match, nth, last) == [2, 4, 6, 8]


def test_all_times_are_reported_where_all_are_kept():
    match, nth = moments(3, 1, 4)

    assert _kept_by_all(match, nth, latest(3, match, nth)) == [1, 2, 3, 4]
