"""Put together what a caller asks for: a pack, modules, options.

In:     names, and options by name; the value of an option may stand for a module.
Out:    the packs in order of composition, the base first, and the options that are left.
Errors: P0110 to P0117 of ``packs.selection``; P0130 an option that is not there, P0131 a value it cannot have.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from patolli.language.diagnostics import Problem, Span, instead, nearest
from patolli.language.packs.acquaintance import STANDARD, switches
from patolli.language.packs.manifest import DISK, Files, Pack
from patolli.language.packs.selection import select, switched_on
from patolli.language.packs.selection_file import ORDER, expand_selections, list_ordered


def choose(
    pack: str, modules: Iterable[str], options: dict[str, Any], files: Files = DISK
) -> tuple[list[Pack], dict[str, Any]]:
    """Read the packs that are asked for, by name or in a selection file, with those that they bring along.

    Raises:
        ContentError: One is not there, or they do not go together.
    """
    pack, named, options = expand_selections(pack, modules, options, files)
    more, left = switched_on(pack, options, files)
    base, active = select(pack, [*named, *more], files, tuple(list_ordered(options)))
    return [base, *active], left


def wrong_options(packs: list[Pack], options: dict[str, Any]) -> dict[str, Problem]:
    """Say for each option what is wrong with it, when something is; the base comes first in *packs*."""
    known = {option.name: option for pack in packs for option in pack.options()}
    problems = {}
    for name, value in options.items():
        option = known.get(name)
        if name == ORDER:
            continue
        if option is None:
            problems[name] = _report_unknown_option(packs[0].id, list(known), name, value)
        elif option.choices and str(value) not in option.choices:
            help_ = f"one of {', '.join(option.choices)}"
            problems[name] = Problem("P0131", f"option {name!r} cannot be {value!r}", option.span, help_)
        elif not option.choices and not (str(value).lstrip("-").isdigit() and option.low <= int(value) <= option.high):
            help_ = f"a number from {option.low} to {option.high}"
            problems[name] = Problem("P0131", f"option {name!r} cannot be {value!r}", option.span, help_)
    return problems


def _report_unknown_option(base: str, known: list[str], name: str, value: Any) -> Problem:
    by_name = [switch[name] for switch in switches(base).values() if name in switch]
    if by_name:
        help_ = f"one of {', '.join(sorted({STANDARD, *by_name}))}"
        return Problem("P0131", f"option {name!r} cannot be {value!r}", Span("options", 1, 1, 1, 1), help_)
    offered = sorted({f"{option}={choice}" for by in switches(base).values() for option, choice in by.items()})
    option = nearest(name, known)
    near = option or nearest(f"{name}={value}", offered)
    help_ = f"did you mean {near!r}?" if near else f"there are: {', '.join([*known, *offered]) or 'none'}"
    place = Span("options", 1, 1, 1, 1)
    return Problem("P0130", f"there is no option {name!r}", place, help_, fixes=instead(place, option))
