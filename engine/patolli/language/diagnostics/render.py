"""One door to all ways of showing problems."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from patolli.language.diagnostics.machine import render_github, render_json, render_sarif
from patolli.language.diagnostics.problem import Problem
from patolli.language.diagnostics.suppression import Allowed
from patolli.language.diagnostics.text import Read, from_disk, render_text

MACHINES: dict[str, Callable[[Iterable[Problem], Iterable[Allowed]], str]] = {
    "json": render_json,
    "sarif": render_sarif,
    "github": render_github,
}
FORMATS = ("text", *MACHINES)


def render(
    problems: Iterable[Problem],
    form: str,
    read: Read = from_disk,
    colour: bool = False,
    allowed: Iterable[Allowed] = (),
) -> str:
    """Write *problems* in one of ``FORMATS``.

    *read* and *colour* count for ``text`` alone, which does not show what is *allowed*.

    Raises:
        KeyError: there is no such format.
    """
    return render_text(problems, read, colour) if form == "text" else MACHINES[form](problems, allowed)
