"""The facts of a match: one row, what its columns mean, and the hash that shows whether two rows say the same.

A row is flat. What there is several of (seats, options, pieces) stands in lists beside each other: the lists whose
names begin with the same word are equally long, and what stands at the same position belongs together. So a row takes
a few hundred bytes in a Parquet file, and is unnested by any tool that reads one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from itertools import pairwise
from marshal import dumps
from typing import Any

Row = dict[str, Any]
"""The facts of a match by column; each column of :data:`COLUMNS` is there."""

COLUMNS: dict[str, tuple[str, str]] = {
    "match": (
        "int64",
        "The number of the match in the run, from 0; the same number has the same seed in all variants.",
    ),
    "seed": ("int64", "The random seed of the match."),
    "digest": ("string", "A hash of the final state; empty when the match did not reach its end."),
    "fault": ("string", "Why the match failed; empty otherwise."),
    "seconds": ("float64", "Its duration in seconds; the digest of a run does not include it."),
    "choices": ("int32", "The number of choices among at least two options, of all seats."),
    "forced": (
        "int32",
        "The number of questions with only one option, which is chosen automatically; not part of `choices`.",
    ),
    "offers": ("int64", "The sum of the numbers of options; divided by `choices`, it is the branching."),
    "turns": ("int32", "The number of turns; a turn is a sequence of choices, forced or not, of one seat."),
    "dead_turns": ("int32", "The number of turns in which all choices were forced."),
    "rounds": (
        "int32",
        "Rounds around the table; rules may count others. A round ends when a seat takes its second turn.",
    ),
    "seat_score": ("int64*", "By seat, the score at the end; no list if the match did not reach it."),
    "seat_rank": ("int16*", "By seat, 1 for the best; empty if the pack only says who wins."),
    "seat_won": ("bool*", "By seat, whether it has won."),
    "seat_choices": ("int32*", "By seat, its choices."),
    "seat_forced": ("int32*", "By seat, its forced choices."),
    "seat_offers": ("int64*", "By seat, the sum of the numbers of its options."),
    "seat_turns": ("int32*", "By seat, its turns."),
    "seat_dead_turns": ("int32*", "By seat, its turns in which all choices were forced."),
    "course_turn": (
        "int32*",
        "The turns before which scores were recorded: all, or every second, fourth and so on; no list if none were.",
    ),
    "course_score": ("int64*", "These scores: those of all seats at the first of these turns, then at the next."),
    "option_id": ("string*", "An option: the rule that asks, the line of its menu, and the designs that it names."),
    "option_seat": ("int16*", "The seat that was offered it, from 0."),
    "option_offered": ("int32*", "At how many questions it was offered."),
    "option_chosen": ("int32*", "How often it was chosen."),
    "option_first": ("int32*", "The number of the choice, from 0, that chose it first; -1 if none did."),
    "option_points": (
        "int64*",
        "By how much the score of the seat grew before the next question, summed; no list if scores were not recorded.",
    ),
    "gift_option": ("string*", "An option with which the score of another seat changed before the next question."),
    "gift_seat": ("int16*", "The seat that chose it, from 0."),
    "gift_to": ("int16*", "The seat whose score changed, from 0."),
    "gift_times": ("int32*", "The number of choices that did this."),
    "gift_points": ("int64*", "The sum of these changes."),
    "seen_piece": ("string*", "A piece, as kind/design, at a place that at least one seat could see."),
    "seen_round": ("int32*", "The round before which it was first seen, from 1; 0 is the end of the set-up."),
    "seen_copies": ("int32*", "The number of copies of the design that were seen."),
    "taken_piece": ("string*", "A piece, as kind/design, that was moved to a place of a seat."),
    "taken_seat": ("int16*", "The seat of this place, from 0."),
    "taken_round": ("int32*", "The round before which it was first there."),
    "taken_copies": ("int32*", "The number of copies that the seat took; a copy that comes back counts once."),
    "came_place": ("string*", "A part of a board, as place/part, to which pieces were moved after the set-up."),
    "came_times": ("int32*", "The number of these pieces, checked before each round and at the end."),
    "used_piece": ("string*", "A piece, as kind/design, whose effect or trigger was carried out."),
    "used_seat": ("int16*", "The acting seat (`me`), from 0."),
    "used_round": ("int32*", "The round in which it was first used; 0 is the set-up."),
    "used_times": ("int32*", "How often it was used."),
    "counter_id": ("string*", "A counter."),
    "counter_seat": ("int16*", "Its seat, from 0; -1 for a counter of the table."),
    "counter_value": ("int64*", "Its value at the end; the sum if the counter belongs to several things."),
    "phase_id": ("string*", "A phase that ended: a rule with a heading that is not about who acts."),
    "phase_nth": (
        "int32*",
        "Its number among phases of this name, from 1; of more than 4, every second, fourth and so on.",
    ),
    "phase_counters": (
        "int64*",
        "The counters at its end, in the order of `counter_id`: those of the first phase, then of the next.",
    ),
    "measure_id": ("string*", "A measure that the pack declares."),
    "measure_nth": (
        "int32*",
        "The number of the moment, from 1; of more than 16, every second and so on, and the last.",
    ),
    "measure_seat": ("int16*", "The seat that was measured, from 0; -1 for the table."),
    "measure_value": ("int64*", "Its value; 1 for a true condition, 0 for a false one."),
    "source_id": ("string*", "A category of the score sheet; no list in matches without a score sheet."),
    "source_seat": ("int16*", "The seat with these points, from 0."),
    "source_points": ("int64*", "The number of points."),
}
"""Name of a column: what stands in it (``*``: a list of that), and what it means."""
UNHASHED = "seconds"
"""The one column that is not the same when a match is played again."""

_HASHED = tuple(name for name in COLUMNS if name != UNHASHED)


def fingerprint(row: Mapping[str, Any]) -> str:
    """Return a hash of all facts of a row but how long the match took.

    Version 2 of ``marshal`` writes equal values alike, whichever objects they are, in a third of the time of JSON.
    """
    return blake2b(dumps([row[name] for name in _HASHED], 2), digest_size=16).hexdigest()


def lead(scores: Sequence[int]) -> int:
    """Return the seat that is ahead of all others; -1 when there is none."""
    best = max(scores, default=0)
    return scores.index(best) if list(scores).count(best) == 1 else -1


def lead_changes(row: Mapping[str, Any]) -> int | None:
    """Return how often another seat than the last one came to lead alone, at the turns that are noted; None without."""
    seats, course = len(row["seat_choices"]), row["course_score"]
    if course is None:
        return None
    leaders = [lead(course[at : at + seats]) for at in range(0, len(course), seats)] if seats else []
    alone = [seat for seat in leaders if seat >= 0]
    return sum(one != other for one, other in pairwise(alone))
