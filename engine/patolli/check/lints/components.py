"""Compare a pack with its list of components; differing numbers are found when matches are laid out (P0410)."""

from __future__ import annotations

from collections.abc import Iterator

from patolli.check.lints.check import Reviewed, check
from patolli.language.diagnostics import Problem


@check("P0443")
def no_components(reviewed: Reviewed) -> Iterator[Problem]:
    """Find base packs that have copies of pieces and no list of how many there should be.

    Where each piece is written once, there is no number that could be wrong.
    """
    composition = reviewed.program.composition
    base = composition.packs[0]
    own = next((e for e in composition.all("pieces") if e.pack == base.id and e.get("copies") is not None), None)
    if own is not None and base.manifest.get("components") is None:
        where = base.manifest.get("title")
        text = f"the pack {base.id!r} has copies of pieces, but no list of its components"
        help_ = "write 'components: {kind: number}' in pack.yaml, from the box or the rulebook"
        also = ((own.key.span, "the first of them"),)
        yield Problem("P0443", text, where.span if where else base.manifest.span, help_, also, "warning")
