"""What a match is worth to those who search, by its rules: what ``players.search.matches`` asks."""

from __future__ import annotations

from typing import Any

from patolli.kernel.state import State
from patolli.run.native.driver.piece_effects import is_hidden
from patolli.run.native.driver.tables import (
    CRITERIA,
    HOLDINGS,
    MENUS,
    SCORE,
    SEATS,
    SECRET,
    UNSEEN_LINES,
    VALUE,
    WINS,
    Match,
)
from patolli.run.native.intrinsics import load64
from patolli.run.native.memory import SCORED, TOGETHER
from patolli.run.native.support.chance import renew
from patolli.run.native.support.worth import (
    all_level,
    levels_get,
    measured_as,
    plain_payoffs,
    refine_levels,
    teach_outcome,
    teach_value,
    winners_get,
)


def measure(s: State, function: Any) -> None:
    """Work out a measure for every seat."""
    for seat in range(SEATS):
        renew()
        measured_as(seat, int(function(s, seat)))


def outcome(m: Match) -> None:
    """Work out who has won a match that is over."""
    s: State = m[0]
    if WINS is not None:
        wins = WINS
        measure(s, wins)
        winners_get()
        return
    all_level()
    for criterion in CRITERIA:
        measure(s, criterion)
        refine_levels()
    levels_get()


def payoff(m: Match) -> None:
    """Work out what the seats are taught at the end of a match, whose outcome was computed."""
    s: State = m[0]
    if load64(SCORED) and not load64(TOGETHER):
        score = SCORE
        measure(s, score)
        teach_outcome()
    else:
        plain_payoffs()


def seems_worth(m: Match) -> int:
    """Compute what a match seems to be worth to the seats; return whether there is an estimate."""
    if VALUE is None:
        return 0
    s: State = m[0]
    value = VALUE
    measure(s, value)
    teach_value()
    return 1


def score_of(m: Match, seat: int) -> int:
    """Return the score of a seat; 0 without any."""
    if SCORE is None:
        return 0
    s: State = m[0]
    score = SCORE
    renew()
    return int(score(s, seat))


def holding(s: State, seat: int) -> Any:
    """Return what only this seat sees."""
    held = HOLDINGS[seat]
    if held is None:
        return None
    found: list[Any] = [s[slot] for slot in held[0]]
    for slot, designs in held[1]:
        found.append(sorted([designs[piece] for piece in s[slot]]))
    return found


def get_visible_choice(m: Match, index: int) -> Any:
    """Return what others see of an answer."""
    value, number = m[1][index], m[0][0][-1][0]
    if m[2] and index >= len(m[1]) - m[2]:
        return value
    lines = UNSEEN_LINES[number]
    line = value[0] if number in MENUS else 0
    return "unseen" if lines[line] else value


def is_sealed(m: Match) -> int:
    """Return whether the others learn the answer to the open question only when all have answered."""
    if not SECRET:
        return 0
    return is_hidden(m[0][0])
