"""The history of leads in matches: who leads when, whether the leader wins, and when a match is decided."""

from __future__ import annotations

from typing import Any

import numpy as np

from patolli.measure.lab.frame import Frame
from patolli.measure.lab.statistics import Indices, Numbers

QUARTERS = (0.25, 0.5, 0.75)
"""Parts of a match after which the leader is determined."""


def standing(frame: Frame, part: float) -> Any:
    """Return by match who leads alone when a part of its turns is over, as it was last noted before; -1 for none."""
    match, over, leads = frame.leading
    found = np.full(len(frame), -1)
    kept = over <= part
    found[match[kept]] = leads[kept]  # of several the last one stays
    return found


def find_standing_scores(frame: Frame, part: float) -> Numbers:
    """Return by match and seat the scores when a part of its turns is over, as :func:`standing`; NaN if unknown."""
    match, over, _ = frame.leading
    found = np.full((len(frame), frame.seats), np.nan)
    kept = over <= part
    found[match[kept]] = frame.course[2][kept]
    return found


def winner(frame: Frame) -> Indices:
    """Return by match the sole winner; -2 for several winners or none."""
    single = (frame.wins > 0).sum(axis=1) == 1
    return np.asarray(np.where(single, frame.wins.argmax(axis=1), -2), dtype=np.int64)


def lead_changes(frame: Frame) -> Numbers:
    """Return by match how often the sole leader changes; NaN without noted scores."""
    match, _, leads = frame.leading
    alone = leads >= 0
    at, who = match[alone], leads[alone]
    changed = (at[1:] == at[:-1]) & (who[1:] != who[:-1])
    return np.where(frame.has_course, np.bincount(at[1:][changed], minlength=len(frame)), np.nan)


def ahead_wins(frame: Frame, part: float) -> Numbers:
    """Return by match 1 if the sole leader after a part of the turns wins, else 0; NaN without a sole leader."""
    who, best = standing(frame, part), winner(frame)
    return np.where((best >= 0) & (who >= 0), (who == best).astype(float), np.nan)


def find_decision_points(frame: Frame) -> Numbers:
    """Return by match after which part of its turns the later winner always leads alone; NaN if unknown.

    Without one winner and without noted scores it is unknown. It is so from the first noted score on behind which it
    never is otherwise; if that is none, at the end.
    """
    match, over, leads = frame.leading
    best = winner(frame)
    behind = (leads != best[match]) & (best[match] >= 0)
    ends = np.append(match[1:] != match[:-1], True)  # the last noted score of each match
    after = np.where(ends, 1.0, np.append(over[1:], 1.0))
    found = np.zeros(len(frame))
    np.maximum.at(found, match[behind], after[behind])
    found[(best < 0) | ~frame.has_course] = np.nan
    return found


def find_lost_leads(frame: Frame) -> Numbers:
    """Return by match the mean of lost leads, the largest of each leader before another one leads; NaN without any."""
    match, _, leads = frame.leading
    ordered = np.sort(frame.course[2], axis=1)
    alone = leads >= 0
    at, who, lead = match[alone], leads[alone], (ordered[:, -1] - ordered[:, -2])[alone]
    starts = np.flatnonzero(np.append(True, (at[1:] != at[:-1]) | (who[1:] != who[:-1]))) if len(at) else at
    of, largest = at[starts], np.maximum.reduceat(lead, starts) if len(starts) else lead
    lost = np.append(of[1:] == of[:-1], False)[: len(of)]  # another leader follows in the same match
    many = np.bincount(of[lost], minlength=len(frame))
    total = np.bincount(of[lost], largest[lost], len(frame))
    return np.asarray(np.divide(total, many, out=np.full(len(frame), np.nan), where=many > 0), dtype=float)


def find_comebacks(frame: Frame) -> Numbers:
    """Return by match how many points the later winner was behind the best other seat at most; NaN if unknown.

    0 if it never was behind. Without one winner and without noted scores it is unknown.
    """
    match, _, scores = frame.course
    best = winner(frame)[match]
    kept = best >= 0
    match, best, scores = match[kept], best[kept], scores[kept]
    own = scores[np.arange(len(best)), best]
    found = np.where((winner(frame) >= 0) & frame.has_course, 0.0, np.nan)
    np.maximum.at(found, match, scores.max(axis=1, initial=0.0) - own if len(own) else own)
    return found
