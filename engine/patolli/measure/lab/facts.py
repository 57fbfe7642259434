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
    "seed": ("int64", "Its seed: with the choices of the bots it decides everything."),
    "digest": ("string", "A hash of the final state; empty when the match did not reach its end."),
    "fault": ("string", "Why the match could not go on; empty otherwise."),
    "seconds": ("float64", "How long it took, in seconds; no part of the digest of a run."),
    "choices": ("int32", "How many choices among two options or more were made, by all."),
    "forced": (
        "int32",
        "How many choices the program made by itself because there was one option; they do not count as choices.",
    ),
    "offers": ("int64", "The sum of the numbers of options; divided by `choices` it is the branching."),
    "turns": ("int32", "A turn is a stretch of choices and forced choices of one seat without another between them."),
    "dead_turns": ("int32", "Of these, those in which all choices were forced."),
    "rounds": (
        "int32",
        "Rounds around the table, none of the game's own: one ends before the turn of a seat that has had one in it.",
    ),
    "seat_score": ("int64*", "By seat, the score at the end; no list when the match did not reach it."),
    "seat_rank": ("int16*", "By seat, 1 for the best; empty where the pack says who wins and no more."),
    "seat_won": ("bool*", "By seat, whether it has won."),
    "seat_choices": ("int32*", "By seat, its choices."),
    "seat_forced": ("int32*", "By seat, its forced choices."),
    "seat_offers": ("int64*", "By seat, the sum of the numbers of its options."),
    "seat_turns": ("int32*", "By seat, its turns."),
    "seat_dead_turns": ("int32*", "By seat, its turns in which all choices were forced."),
    "course_turn": (
        "int32*",
        "Turns before which the scores were noted: all, or every second, fourth and so on; no list if none were.",
    ),
    "course_score": ("int64*", "The scores there: those of all seats for the first of these turns, then the next."),
    "option_id": ("string*", "An option: the rule that asks, the line of its menu, and the designs that it names."),
    "option_seat": ("int16*", "Who was offered it, from 0."),
    "option_offered": ("int32*", "At how many questions it was offered."),
    "option_chosen": ("int32*", "How often it was chosen."),
    "option_first": ("int32*", "The number of the choice, from 0, that chose it first; -1 when none did."),
    "option_points": (
        "int64*",
        "By how much the score of the seat grew before the next question, summed; no list if scores were not noted.",
    ),
    "gift_option": ("string*", "An option with which the score of another seat changed before the next question."),
    "gift_seat": ("int16*", "Who chose it, from 0."),
    "gift_to": ("int16*", "Whose score changed, from 0."),
    "gift_times": ("int32*", "With how many of the choices."),
    "gift_points": ("int64*", "By how much, summed."),
    "seen_piece": ("string*", "A piece, as kind/design, that lay where all or one of the seats see it."),
    "seen_round": ("int32*", "The round before which that was first so, from 1; 0 is the end of the set-up."),
    "seen_copies": ("int32*", "How many copies of the design that was so for."),
    "taken_piece": ("string*", "A piece, as kind/design, that came into a place of a seat where it did not begin."),
    "taken_seat": ("int16*", "Whose place that is, from 0."),
    "taken_round": ("int32*", "The round before which it first lay there."),
    "taken_copies": ("int32*", "How many copies of the design the seat took; one that comes again counts once."),
    "came_place": ("string*", "A part of a board, as place/part, that pieces came to lie in after the set-up."),
    "came_times": ("int32*", "How many pieces that were, as they lay before rounds and at the end."),
    "used_piece": ("string*", "A piece, as kind/design, with an effect or a trigger that was carried out."),
    "used_seat": ("int16*", "Who was `me` of it, from 0."),
    "used_round": ("int32*", "The round in which that was first so; 0 is the set-up."),
    "used_times": ("int32*", "How often that was so."),
    "counter_id": ("string*", "A counter."),
    "counter_seat": ("int16*", "Whose it is; -1 for one of the table."),
    "counter_value": ("int64*", "Its value at the end; summed where there is one for each of several things."),
    "phase_id": ("string*", "A phase that ended: a rule with a heading that is not about who acts."),
    "phase_nth": ("int32*", "Which one of this name it was, from 1; of more than 4 every second, fourth and so on."),
    "phase_counters": (
        "int64*",
        "The counters then, in the order of `counter_id`: those of the first of these phases, then of the next.",
    ),
    "measure_id": ("string*", "A measure that the pack declares."),
    "measure_nth": (
        "int32*",
        "Which one of its moments it was, from 1; of more than 16 every second and so on, and the last.",
    ),
    "measure_seat": ("int16*", "For whom it was taken, from 0; -1 where it is one for the table."),
    "measure_value": ("int64*", "Its value; of a condition 1 where it holds and 0 where not."),
    "source_id": ("string*", "A category of the score sheet; no list in matches whose sheet was not made."),
    "source_seat": ("int16*", "Whose points these are."),
    "source_points": ("int64*", "How many points."),
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
