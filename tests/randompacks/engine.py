"""The only file here that reaches into the checker and the compiler.

``checked`` gives what the checker says of a pack; what it refuses because something may fail can be compiled all the
same, to see whether it ever does. Everything else needs no more than matches and their layout.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from patolli.check.analysis import analyze
from patolli.check.lints import lint
from patolli.kernel.faults import RuleFault
from patolli.language.diagnostics import Problem
from patolli.language.packs.compose import compose
from patolli.language.packs.selection import select
from patolli.language.program import types as ty
from patolli.language.program.builtins import BUILTINS
from patolli.run.runtime import Match, MatchError, Ruleset

FAR = 4
"""How far above the least a number begins that has no greatest."""
PROOF = re.compile(r"P040\d|P041[4-8]|P048[569]|P0491")
"""What is refused because nothing shows that it cannot fail; everything else is wrong by itself."""


@dataclass
class Checked:
    """What the checker said: errors, and the rules themselves where they can be played, allowed or not.

    ``open`` are the demands that it could not decide.
    """

    errors: list[Problem]
    rules: Ruleset | None
    open: tuple[Problem, ...] = ()

    @property
    def accepted(self) -> bool:
        """Whether the pack may be played."""
        return not self.errors

    @property
    def wrong(self) -> bool:
        """Whether the pack is wrong by itself."""
        return any(not PROOF.fullmatch(problem.code) for problem in self.errors)


class Workshop:
    """A folder, in memory where there is one, in which one pack after the other is checked."""

    def __init__(self) -> None:
        """Make the folder."""
        memory = "/dev/shm"
        self.folder = Path(tempfile.mkdtemp(prefix="packs", dir=memory if os.path.isdir(memory) else None))

    def close(self) -> None:
        """Take the folder away."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def checked(self, files: dict[str, str], options: dict[str, str]) -> Checked:
        """Check a pack; the folders of *files* besides the first are modules of it."""
        shutil.rmtree(self.folder, ignore_errors=True)
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        base, *modules = dict.fromkeys(name.partition("/")[0] for name in files)
        pack, active = select(str(self.folder / base), [str(self.folder / module) for module in modules])
        model = analyze(
            compose(pack, active),
            dict(options),
        )
        errors = [problem for problem in model.problems if problem.severity == "error"]
        if not errors:
            errors = lint(model.program, model.prover.summaries, warnings=False)
        checked = Checked(errors, None, tuple(one for one in model.problems if one.severity == "open"))
        if not checked.wrong:
            checked.rules = Ruleset(model, dict(options))
        return checked


def builtin_names() -> frozenset[str]:
    """Return the names of the built-in functions."""
    return frozenset(BUILTINS)


Numbers = tuple[str, str, range, int, "int | None"]


def numbers_of(match: Match) -> Iterator[Numbers]:
    """Yield for each counter: the sort of it, its name, its slots in the state, and its bounds."""
    layout = match.program.layout
    for counter in layout.model.counters.values():
        base, sizes = layout.counters[counter.name]
        yield "counter", counter.name, layout.slots(base, sizes), counter.low, layout.limits[counter.name]


def fields_of(match: Match) -> Iterator[Numbers]:
    """Yield the same for each field; what is no number is the index of something, or -1 for none."""
    layout = match.program.layout
    for kind in layout.model.kinds.values():
        for field in kind.fields.values():
            base = layout.fields[(kind.name, field.name)]
            slots = range(base, base + layout.size(kind.name))
            if isinstance(field.type, ty.Seq):
                continue
            if field.type == ty.INT:
                yield "field", field.name, slots, -(10**12) if field.low is None else field.low, field.high
                continue
            of = ty.strip(field.type)
            most = layout.size(of.kind) - 1 if isinstance(of, ty.Ref) else 1
            yield "field", field.name, slots, -1 if isinstance(field.type, ty.Maybe) else 0, most


def piles_of(match: Match) -> Iterator[tuple[str, int, int, list[int]]]:
    """Yield for each kind of pieces: its name, the first slot that says where a piece is, how many, and its places."""
    layout = match.program.layout
    for kind, first in layout.at.items():
        places = [place for place in layout.model.places.values() if place.of == kind]
        slots = [slot for place in places for slot in layout.slots(*layout.places[place.name])]
        yield kind, first, layout.size(kind), slots


def chanced(match: Match) -> bool:
    """Return whether anything was left to chance so far."""
    return bool(match.state[3])


def begun_otherwise(rules: Ruleset, seats: int, seed: int, draw: Random) -> Match:
    """Begin a match from another state that the declarations allow: other numbers, pieces in other places.

    Numbers stay within their bounds, and what may be none may be none. Of the pieces some are moved to other piles and
    areas, or out of the match. Now and then all is as little as it can be, or all pieces are in one place.
    """
    match = rules.fresh(seats + rules.model.automated, seed, False, False)
    state = match.state
    often, far = draw.choice((0.3, 0.7, 1.0)), draw.choice((0, 1, FAR))
    for *_, slots, low, high in (*numbers_of(match), *fields_of(match)):
        low = max(low, -FAR)
        for slot in slots:
            if draw.random() < often:
                state[slot] = draw.randint(low, min(high, low + far) if high is not None else low + far)
    often = draw.choice((0.3, 0.7, 1.0))
    for _, first, number, places in piles_of(match):
        piles = [slot for slot in places if isinstance(state[slot], list)]
        there = draw.sample([0, *piles], draw.randint(1, len(piles) + 1))
        for piece in range(number):
            here = state[first + piece]
            if (not here or here in piles) and draw.random() < often:
                new = draw.choice(there)
                if here:
                    state[here].remove(piece)
                if new:
                    state[new].append(piece)
                state[first + piece] = new
    match.begin()
    return match


def told(error: Exception) -> tuple[str, str]:
    """Return the sort of an error in a match, and its reason.

    ``engine`` is what no content should be able to cause, ``endless`` what ran out of its steps, ``fault`` the rest.
    """
    cause = error.__cause__ if isinstance(error, MatchError) else error
    reason = error.reason if isinstance(error, MatchError) else str(error) or type(error).__name__
    if not isinstance(cause, RuleFault | ZeroDivisionError | IndexError | RecursionError | OverflowError):
        return "engine", f"{type(cause).__name__}: {reason}"
    return "endless" if "too long" in reason or "without an end" in reason else "fault", reason


__all__ = [
    "Any", "Checked", "Match", "MatchError", "Ruleset", "Workshop", "begun_otherwise", "builtin_names", "chanced", "fields_of", "numbers_of", "piles_of",
    "told",
]  # fmt: skip
