"""Check several packs: which rulesets are looked at, and what was found in all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from patolli.diagnostics import ContentError, Problem, start_of
from patolli.diagnostics.order import in_order


@dataclass(frozen=True, slots=True)
class Checked:
    """What was checked, and every problem in order, each once."""

    rulesets: tuple[str, ...]
    problems: list[Problem]

    @property
    def summary(self) -> str:
        """Say what was checked."""
        return ", ".join(self.rulesets) or "nothing"


def check_all(packs: tuple[str, ...], modules: tuple[str, ...], options: dict[str, Any]) -> Checked:
    """Check packs by id or path with modules; without *packs* everything that is installed, each pack by itself."""
    from patolli.packs.discovery import installed

    names: list[str] = []
    problems: list[Problem] = []
    for name in packs or installed():
        found, more = _check(name, modules, options)
        names.append(found)
        problems.extend(more)
    return Checked(tuple(names), in_order(problems))


def _check(name: str, modules: tuple[str, ...], options: dict[str, Any]) -> tuple[str, list[Problem]]:
    from patolli.runtime import inspect

    try:
        base, below = _requirements(name)
        active = [*dict.fromkeys([*below, *modules])]
        _, problems = inspect(base, active, options)
    except ContentError as error:
        return name, list(error.problems)
    except Exception as error:
        return name, [_crash(name, error)]
    return " + ".join([base, *active]), problems


def _crash(name: str, error: Exception) -> Problem:
    words = f"the checker itself stumbled over {name!r}: {type(error).__name__}: {error}"
    return Problem("P0900", words, start_of(name), "this is a fault of the program; please report it")


def _requirements(name: str) -> tuple[str, list[str]]:
    """Return the base pack that a module needs, and the modules that go with it; a base pack stands alone."""
    from patolli.packs.manifest import read_pack

    order: list[str] = []
    bases: list[str] = []

    def visit(wanted: str) -> None:
        if wanted in order or wanted in bases:
            return
        pack = read_pack(wanted)
        if pack.requires:
            order.append(wanted)
            for needed in pack.requires:
                visit(needed)
        else:
            bases.append(wanted)

    visit(name)
    return (bases[0], order) if bases else (name, [])


__all__ = ["Checked", "check_all"]
