"""The one way in which Patolli says "did you mean"."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Find the name in *known* that the author probably meant by *name*.

    A name in other letters (``Coin`` for ``coin``) or with other separators
    comes first, then its plural or singular; then the closest one with at least three letters in five alike,
    three in four when it begins with another letter; or, of two letters, with
    the same first one.
    Equal candidates are decided by the alphabet, never by the order of *known*.
    """
    from difflib import SequenceMatcher

    wanted = _fold_case(name)
    best: tuple[float, str] | None = None
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(wanted)
    for other in sorted(set(known) - {name}):
        candidate = _fold_case(other)
        if candidate == wanted:
            return other
        if wanted == f"{candidate}s" or candidate == f"{wanted}s":
            best = (1.0, other)
            continue
        matcher.set_seq1(candidate)
        floor = max(best[0] if best else 0, _floor(wanted, candidate))
        if matcher.real_quick_ratio() <= floor or matcher.quick_ratio() <= floor:
            continue
        ratio = matcher.ratio()
        if ratio > floor:
            best = (ratio, other)
    return best[1] if best else None


def _floor(wanted: str, candidate: str) -> float:
    short = len(wanted) == len(candidate) == 2 and wanted[0] == candidate[0]
    if short:
        return 0.5 - 1e-9
    return (0.6 if wanted[:1] == candidate[:1] else 0.75) - 1e-9


def _fold_case(name: str) -> str:
    return name.casefold().replace("-", "_").replace(" ", "_")
