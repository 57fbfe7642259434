"""Compare the pieces of a layout with the component lists of the packs.

Each pack states what it adds, so that modules which know nothing of each other get along: the numbers of all lists
together are the number of pieces. Of what every player has there are as many as the most players need, as in the box. A
number that turns on the players or an option in another way fits no list, and is left out.

Errors: P0201 a kind in a list that is not there, P0410 the numbers of the lists differ from the pieces.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from patolli.language.diagnostics import Problem, Span, instead, nearest
from patolli.language.packs.manifest import Pack
from patolli.language.program import expressions as x
from patolli.language.program.model import Stated, Table
from patolli.language.program.node import walk
from patolli.language.sources import Mapping, plain

if TYPE_CHECKING:
    from patolli.run.compiler.layout import Instance, Layout


def check_components(layout: Layout) -> None:
    """Report the lists that say another number of pieces than there is."""
    wrong = {problem.span for problem in (*layout.problems, *layout.constants.problems)}
    designs = layout.model.designs.values()
    unsure = any(design.copies is not None and design.copies.span in wrong for design in designs)
    for name, lists in layout.model.components.items():
        pieces = _pieces(layout, name)
        if pieces is None:
            near = nearest(name, {*layout.instances, *layout.model.designs} - {*layout.model.components})
            help_ = f"did you mean {near!r}?" if near else ""
            message = f"unknown kind {name!r} in the component list"
            layout.problems += [
                Problem("P0201", message, one.name, help_, fixes=instead(one.name, near)) for one in lists
            ]
        elif not unsure:
            problem = _difference(layout, name, lists, pieces)
            layout.problems += [problem] if problem else []


def _pieces(layout: Layout, name: str) -> list[Instance] | None:
    """Return the pieces that a line of a list counts; those that wait for other packs are in no list."""
    guests = layout.model.composition.guests
    if name in layout.instances:
        return [one for one in layout.instances[name] if one.design is None or one.design.id not in guests]
    design = layout.model.designs.get(name)
    return [one for one in layout.instances[design.kind] if one.design is design] if design is not None else None


def _difference(layout: Layout, name: str, lists: list[Stated], pieces: list[Instance]) -> Problem | None:
    """Return what is wrong with the number of some pieces, reported at the pack that says another one than it adds."""
    composition = layout.model.composition
    declared, first = _find_declaration(layout, name)
    by = _numbers(layout, declared, pieces)
    said = {stated.pack: stated for stated in lists}
    if declared not in said:  # a base without a list has as many as it likes
        by = Counter({pack: number for pack, number in by.items() if pack in said})
    for silent in [pack for pack in by if pack not in said and _turning(layout, name, pack)]:
        del by[silent]
    wanted, found = sum(stated.number for stated in lists), by.total()
    if wanted == found:
        return None
    differ = [p.id for p in composition.packs if by[p.id] != (said[p.id].number if p.id in said else 0)]
    pack = differ[-1] if differ else lists[-1].pack
    if pack not in said:
        return _unsaid(layout, name, pack, by[pack], pieces)
    stated = said[pack]
    where = (first, "declared here")
    if name in layout.model.designs:
        where = (layout.model.designs[name].span, "its pieces begin here")
    turns = _turning(layout, name, pack)
    if turns:
        lists_ = "list says" if len(said) == 1 else "lists together say"
        message = f"the component {lists_} {wanted} of {name!r}, {_when(layout, turns)} there are {found}"
        help_ = f"leave {name!r} out of the list, its number differs from match to match"
        return Problem("P0410", message, stated.span, help_, (where,))
    if len(said) == 1 and set(by) <= set(said):
        message = f"the component list says {wanted} of {name!r}, the pack has {found}"
        help_ = "add a piece, or raise some 'copies'" if found < wanted else "a piece or its 'copies' are too many"
        if all(one.design is None for one in pieces):  # cells of a grid, and their like
            help_ = "correct its size"
        help_ = f"{help_}; or correct the list{_for_each(layout, pieces)}"
        return Problem("P0410", message, stated.span, help_, (where,))
    others = tuple((one.span, f"{one.pack!r} says {one.number}") for one in lists if one is not stated)
    message = f"the component lists together say {wanted} of {name!r}, the packs have {found}"
    removes = any(who == pack for (section, _), (who, _) in composition.removed.items() if section == "pieces")
    adds = f"{pack!r} adds {stated.number + found - wanted if removes else by[pack]}"
    help_ = f"a list says what its pack adds, not how many there are then: {adds}" if stated.number == found else adds
    return Problem("P0410", message, stated.span, help_, (*others, where))


def _find_declaration(layout: Layout, name: str) -> tuple[str, Span]:
    """Return which pack declares a kind or a piece, and where."""
    sections, model = layout.model.composition.sections, layout.model
    if name in layout.instances:
        entry = next((sections[part][name] for part in ("kinds", "grids", "enums") if name in sections[part]), None)
        return entry.pack if entry is not None else "", model.kinds[name].span
    return sections["pieces"][name].pack, model.designs[name].span


def _when(layout: Layout, turns: list[str]) -> str:
    """Say in which matches a number is such."""
    model = layout.model
    players = layout.seats - model.automated
    parts = [f"{players} {'player' if players == 1 else 'players'}"] if "seats" in turns else []
    for name in turns:
        if name != "seats":
            choices, value = model.options[name].choices, model.chosen[name]
            parts.append(f"{name}={choices[value] if choices else value}")
    return f"with {' and '.join(parts)}"


def _numbers(layout: Layout, declared: str, pieces: list[Instance]) -> Counter[str]:
    """Return how many of some pieces each pack adds; of what every player has, for as many as the base lets play.

    A module that lets more of them play brings a set of everything for them, also of kinds that it does not know.
    """
    packs = [(one, _adder(layout, declared, one)) for one in pieces]
    found = Counter(pack for one, pack in packs if one.owner < 0)
    most = _most(layout.model.composition.packs[0])
    found.update({pack: n * most for pack, n in Counter(pack for one, pack in packs if one.owner == 0).items()})
    return found


def _adder(layout: Layout, declared: str, piece: Instance) -> str:
    """Return the pack of a piece: that of its kind where the kind says the number, and it has no entry of its own."""
    entries = layout.model.composition.sections["pieces"]
    return entries[piece.design.id].pack if piece.design is not None and piece.design.id in entries else declared


def _most(pack: Pack) -> int:
    """Return the most players of a pack, 1 where it does not say."""
    players = pack.manifest.get("players")
    most = players.get("max") if isinstance(players, Mapping) else None
    number = plain(most) if most is not None else None
    return number if isinstance(number, int) else 1


def _for_each(layout: Layout, pieces: list[Instance]) -> str:
    """Say how the number of what every player has comes about."""
    each = sum(one.owner == 0 for one in pieces)
    most = _most(layout.model.composition.packs[0])
    return f" (up to {most} players have {each} each)" if each and most > 1 else ""


def _turning(layout: Layout, name: str, pack: str) -> list[str]:
    """Return on what the number of some pieces turns that a pack adds: ``seats`` and options."""
    model = layout.model
    entries = model.composition.sections["pieces"]
    found: set[str] = set()
    named: set[str] = set()
    designs = model.kinds[name].designs if name in layout.instances else [model.designs[name]]
    base = _find_declaration(layout, name)[0]  # a kind with a number of its own has no entry of a piece
    own = [one for one in designs if (entries[one.id].pack if one.id in entries else base) == pack]
    open_: list[object] = [design.copies for design in own]
    while open_:
        here = open_.pop()
        if isinstance(here, Table):
            open_ += [here.by, *here.rows.values()]
        for part in walk(here) if isinstance(here, x.Expr) else ():
            if isinstance(part, x.Seats):
                found.add("seats")
            elif isinstance(part, x.OptionValue):
                found.add(part.option)
            elif isinstance(part, x.ConstantNamed) and part.name not in named:
                named.add(part.name)
                open_.append(model.constants[part.name].value)
    return sorted(found)


def _unsaid(layout: Layout, name: str, pack: str, number: int, pieces: list[Instance]) -> Problem:
    """Return that a pack adds pieces that its list does not name."""
    declared = _find_declaration(layout, name)[0]
    own = (one.design.span for one in pieces if one.design is not None and _adder(layout, declared, one) == pack)
    also = tuple((one.span, f"{one.pack!r} says {one.number}") for one in layout.model.components[name])
    message = f"{pack!r} adds {number} of {name!r}, and its component list does not say so"
    help_ = f"write 'components: {{{name}: {number}}}' in its pack.yaml"
    return Problem("P0410", message, next(own, layout.model.components[name][-1].span), help_, also)
