"""Parses requests for new tables, and converts saves to acts and back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING, Any

from patolli.language.diagnostics import ContentError, Problem
from patolli.language.packs.selection_file import expand_selections
from patolli.run.compiler.layout import SEED
from patolli.run.runtime import SaveError
from patolli.run.runtime.edits import with_edits
from patolli.run.runtime.errors import MatchError
from patolli.run.runtime.seals import add_checksums
from patolli.run.runtime.vocabulary import by_seat
from patolli.serve.studio.acts import CHOICE, EDIT, Act, Made, Setup
from patolli.serve.studio.bots import kind_for
from patolli.serve.studio.clocks import parse_clock
from patolli.serve.studio.past import next_seat
from patolli.serve.studio.refusals import Refused

if TYPE_CHECKING:
    from patolli.run.runtime import Match, Ruleset
    from patolli.run.runtime.edits import Edit
    from patolli.serve.studio.table import Table

SEEDS = 2**53
"""The limit for seeds: whole numbers that JavaScript can represent exactly (RFC 8259, section 6)."""
BOTS = "bots"
"""The key for the bots of a save, by seat. Only saves of the studio have it."""
ID = re.compile(r"[a-z_][a-z0-9_]{0,80}")


def line_of(rules: Ruleset, text: str) -> list[Act]:
    """Return the choices of a save as acts. Raises Refused: other content, or choices that do not lead to its state."""
    line: list[Act] = []

    def note(kind: str, data: dict[str, Any]) -> None:
        line.append(Act(len(line) + 1, kind, data))

    try:
        kept = rules.restore(text)
        match = rules.start(kept.players - rules.model.automated, kept.state[SEED])
        match = _apply_edits(match, kept.edits, note)
        for index in kept.choices:
            decision = match.decision
            if decision is None or not 0 <= index < len(decision.options):
                raise SaveError("the save is damaged: one of its choices is not available")
            made = Made.at(decision, index)
            match.pick(index)
            note(CHOICE, replace(made, then=next_seat(match)).to_data())
            match = _apply_edits(match, kept.edits, note)
        if match.state != kept.state:
            raise SaveError("the choices of the save do not lead to its state, so the match cannot continue")
    except (SaveError, MatchError, ValueError) as error:
        raise Refused(422, str(error)) from None
    return line


def save_of(table: Table) -> dict[str, Any]:
    """Return the whole save of a match, with the kind of bot of each seat, empty for a person."""
    data = json.loads(table.match.to_json())
    bots = [seat.bot for seat in table.seats.places[: table.setup.players]]
    return add_checksums({**data, BOTS: bots})


def names_of(kept: dict[str, Any], number: int) -> list[str]:
    """Return the names of the players of a save; empty for default names."""
    names, usual = [*kept.get("names", [])], by_seat(kept["players"])
    return ["" if at >= len(names) or names[at] == usual[at] else names[at] for at in range(number)]


def bots_of(kept: dict[str, Any], number: int) -> list[str] | None:
    """Return the bots of the players of a save, empty for people.

    Return None if the save does not say who plays, or names an unknown bot.
    """
    bots = kept.get(BOTS, [""] if number == 1 else [])
    if len(bots) != number:
        return None
    try:
        return [kind_for(bot) if bot else "" for bot in bots]
    except Refused:
        return None


def _apply_edits(match: Match, edits: Sequence[Edit], note: Callable[[str, dict[str, Any]], None]) -> Match:
    """Return a match with the edits at this point, and record them as acts."""
    for edit in edits:
        if edit.at == len(match.choices):
            note(EDIT, edit_data(edit))
    return with_edits(match, edits)


def edit_data(edit: Edit) -> dict[str, Any]:
    """Return an edit as the data of an act."""
    return {"kind": edit.kind, "name": edit.name, "to": edit.to}


def parse_setup(data: dict[str, Any], paths: bool = False) -> tuple[Setup, list[tuple[str, str]]]:
    """Parse a request for a new table; *paths* are for the studio's owner only. Raises Refused: it is invalid."""
    pack, modules, options = data.get("pack"), data.get("modules", []), data.get("options", {})
    players, seed, seats = data.get("players"), data.get("seed"), data.get("seats", [])
    if not isinstance(pack, str) or not pack:
        raise Refused(422, "'pack' must be the id of an installed pack")
    if not isinstance(modules, list) or not all(isinstance(one, str) for one in modules):
        raise Refused(422, "'modules' must be a list of ids")
    named = [pack, *modules]
    if not paths and not all(map(ID.fullmatch, named)):
        raise Refused(403, "use ids of packs; only the owner of the studio can use folders")
    pack, *modules = (one if ID.fullmatch(one) else str(Path(one).absolute()) for one in named)
    if not isinstance(options, dict) or not all(isinstance(one, str | int) for one in options.values()):
        raise Refused(422, "'options' must map names to numbers or texts")
    try:
        pack, modules, options = expand_selections(pack, modules, options)
    except ContentError as error:
        raise Refused(422, str(error)) from None
    if type(players) is not int:
        raise Refused(422, "'players' must be the number of players")
    if seed is None:
        seed = SystemRandom().randrange(SEEDS)
    if type(seed) is not int or abs(seed) >= SEEDS:
        raise Refused(422, f"'seed' must be a whole number below {SEEDS}")
    if not isinstance(seats, list) or len(seats) > players or not all(isinstance(one, dict) for one in seats):
        raise Refused(422, "'seats' must be a list with at most one entry per player, each with 'name' or 'bot'")
    kinds = [(str(one.get("name") or ""), kind_for(one["bot"]) if one.get("bot") else "") for one in seats]
    clock = parse_clock(data.get("clock"))
    return Setup(pack, tuple(modules), options, players, seed, bool(data.get("open")), clock), kinds


def problems_data(problems: Iterable[Problem]) -> list[dict[str, Any]]:
    """Return problems of content as data."""
    return [
        {
            "code": one.code, "severity": one.severity, "message": one.message, "help": one.help,
            "file": one.span.path, "line": one.span.line,
        }
        for one in problems
    ]  # fmt: skip
