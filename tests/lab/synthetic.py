"""Facts of matches of a made-up game, with known effects: seats, options and pieces with chosen worth."""

from __future__ import annotations

from random import Random

from patolli.measure.lab.facts import COLUMNS

OPTIONS = [f"build: tile_{n}" for n in range(8)]


def row(
    number: int,
    random: Random,
    worth=None,
    seats: int = 2,
    advantage: float = 0.0,
    never=(),
    gift: int = 0,
    uses: int = 1,
    half: float = 6.0,
):
    """Return one match: every option is offered to every seat, and taken by half of them, up to *uses* times.

    *half* is by how much the scores at half time differ from half of those at the end.
    """
    worth = worth or {}
    scores = [random.gauss(20, 6) + (advantage if seat == 0 else 0) for seat in range(seats)]
    found = {name: [] for name in COLUMNS}
    for seat in range(seats):
        for name in OPTIONS:
            took = (random.random() < 0.5 if uses == 1 else random.randint(0, uses)) * (name not in never)
            scores[seat] += worth.get(name, 0) * took
            for column, value in zip(
                ("id", "seat", "offered", "chosen", "first", "points"), (name, seat, max(random.randint(1, 3), took), int(took), -1, 0),
                strict=True,
            ):  # fmt: skip
                found[f"option_{column}"].append(value)
    for seat in range(seats) if gift else ():
        to = (seat + random.randrange(1, seats)) % seats
        scores[to] += gift
        for column, value in zip(
            ("option", "seat", "to", "times", "points"), (OPTIONS[0], seat, to, 1, gift), strict=True
        ):
            found[f"gift_{column}"].append(value)
    whole = [round(one) for one in scores]
    won = [one == max(whole) for one in whole]
    halves = Random(f"half {number} of {whole}")  # of its own, so that the other numbers do not depend on it
    course = [0] * seats + [round(one / 2 + halves.gauss(0, half)) for one in whole] + whole
    found |= {
        "match": number, "seed": number, "digest": "d", "fault": "", "seconds": 0.1, "choices": 40, "forced": 2,
        "offers": 120, "turns": 3, "rounds": 2, "seat_score": whole, "seat_rank": [2 - w for w in won], "seat_won": won,
        "seat_choices": [20] * seats, "seat_forced": [1] * seats, "seat_offers": [60] * seats, "seat_turns": [2] * seats,
        "dead_turns": 1, "seat_dead_turns": [1] + [0] * (seats - 1),
        "course_turn": [0, 1, 2], "course_score": course, "source_id": None, "source_seat": None, "source_points": None,
    }  # fmt: skip
    return found
