"""Read the words that an author has for a change of a counter or field: ``told: "{piece} rises to rank {new}"``.

Errors: P0472 something in braces that cannot stand there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from patolli.language.diagnostics import instead, nearest
from patolli.language.sources import Node, Scalar

if TYPE_CHECKING:
    from patolli.language.resolve.texts import Reader

HOLE = re.compile(r"\{([^{}]*)\}|[{}]")


def own_words(reader: Reader, node: Node | None, known: Iterable[str], reported: bool = True) -> tuple[bool, str]:
    """Return whether people read about something, and in which words; in braces they have words that are *known*."""
    if not isinstance(node, Scalar):
        return reported, ""
    if node.value in ("true", "false") and not node.style:
        return node.value == "true", ""
    names = list(known)
    for hole in HOLE.finditer(node.value):
        name = (hole[1] or "").strip()
        if name not in names:
            near = name.lower() if name.lower() in names else nearest(name, names)
            help_ = f"did you mean {near!r}?" if near else f"there are: {', '.join(names)}"
            words = (
                f"{name!r} cannot be shown here" if hole[1] is not None else "an opening or closing brace is missing"
            )
            fixes = instead(node.place(hole.start(1), len(hole[1])), near) if hole[1] is not None else ()
            reader.problem("P0472", words, node.place(hole.start(), len(hole[0])), help_, fixes=fixes)
            return reported, ""
    return True, node.value
