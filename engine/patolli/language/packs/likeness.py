"""Give a piece the keys of another one that its ``like:`` names.

In:     a composition, and the pieces that a pack has just added or replaced.
Out:    the same pieces. One with ``like: farm`` has all keys of ``farm`` that it does not write, and no ``like``, so
        modules that apply later change it like any other. A piece that cannot be completed is left out.
Errors: P0201 a piece that is not there, or a pack of an earlier language; P0202 not one piece of this kind;
        P0205 pieces that are like each other in a circle; P0054 more is copied than ``LARGEST``.
"""

from __future__ import annotations

from collections.abc import Iterable

from patolli.language.diagnostics import Problem, instead, nearest
from patolli.language.packs.composition import Composition, Entry
from patolli.language.packs.recovery import collect_words
from patolli.language.sources import Mapping, Node, Scalar
from patolli.language.syntax.words import help_with_later

LIKE = "like"
LARGEST = 200_000
"""How many characters all pieces of a ruleset may copy: each copy is checked and proved like a text of its own."""
SHOWN = 4
"""How many pieces of a circle are named."""
_LATER = "'like' comes with a later version of the language"


def copy_keys(result: Composition, pieces: Iterable[Entry]) -> None:
    """Copy to each of *pieces* the keys of the one that it is like."""
    for piece in pieces:
        if piece.id in result.sections["pieces"]:
            _copy_keys(result, piece, ())


def _copy_keys(result: Composition, piece: Entry, way: tuple[str, ...]) -> None:
    """Copy keys to a piece, and before that to the one that it is like; *way* has the ids of those that wait for it."""
    node, way = piece.node, (*way, piece.id)
    if not isinstance(node, Mapping) or LIKE not in node.items or _is_fact(result, piece):
        return
    like = node.items[LIKE][1]
    problem = _find_problem(result, piece, like, way)
    other = result.sections["pieces"].get(like.value) if isinstance(like, Scalar) and problem is None else None
    if other is not None:
        _copy_keys(result, other, way)
        other = result.sections["pieces"].get(other.id)
    shared = other.node.items if other is not None and isinstance(other.node, Mapping) else {}
    own = {name: item for name, item in node.items.items() if name != LIKE}
    before = result.copied
    result.copied += sum(value.end - value.start for name, (_, value) in shared.items() if name not in own)
    if result.copied > LARGEST:
        other = None
        if before <= LARGEST:
            message = f"pieces copy more than {LARGEST:,} characters from those that they are like, up to here"
            help_ = "make rules of long effects, and write only calls of them into pieces"
            problem = Problem("P0054", message, like.span, help_)
    if other is None:
        del result.sections["pieces"][piece.id]
        result.unused |= collect_words(piece.key, node)
    else:
        piece.node = Mapping({**shared, **own}, node.span)
    if problem is not None and not (problem.message == _LATER and any(p.message == _LATER for p in result.problems)):
        result.problems.append(problem)


def _is_fact(result: Composition, piece: Entry) -> bool:
    """Return whether the kind of a piece has a fact of this name, which then is what the key means."""
    kind = result.sections["kinds"].get(piece.kind)
    facts = kind.get("facts") if kind is not None else None
    return isinstance(facts, Mapping) and LIKE in facts


def _find_problem(result: Composition, piece: Entry, like: Node, way: tuple[str, ...]) -> Problem | None:
    """Say why a piece cannot be like what is written; a piece that is left out has been reported itself."""
    if result.language_of(like.span.path) < 3:
        return Problem("P0201", _LATER, like.span, help_with_later(3))
    if not isinstance(like, Scalar):
        return Problem("P0202", "'like' is the id of one piece", like.span, "write the id of a piece of the same kind")
    other = result.sections["pieces"].get(like.value)
    if other is None:
        return None if like.value in result.lost_words else _report_unknown(result, piece, like)
    also = ((other.key.span, "declared here"),)
    if other.kind != piece.kind:
        words = f"{piece.id!r} is a {piece.kind!r}, and {other.id!r} a {other.kind!r}"
        return Problem("P0202", words, like.span, "a piece is like another of its own kind", also)
    if other.id in way:
        steps = [f"{one!r} is like {two!r}" for one, two in zip(way, (*way[1:], other.id), strict=True)]
        more = len(steps) - SHOWN - 1
        if more > 0:
            steps[SHOWN:-1] = [f"and so on through {more:,} more"]
        return Problem("P0205", ", ".join(steps), like.span, "write the keys in one of them", also)
    return None


def _report_unknown(result: Composition, piece: Entry, like: Scalar) -> Problem:
    """Report a piece that is not there, or not there any more."""
    pieces, gone = result.sections["pieces"], result.removed_ids.get(like.value)
    near = None if gone else nearest(like.value, [one.id for one in pieces.values() if one.kind == piece.kind])
    help_ = f"did you mean {near!r}?" if near else "name a piece of this pack, or of one that applies before it"
    also = gone or (((pieces[near].key.span, "declared here"),) if near else ())
    fixes = instead(like.span, near)
    return Problem("P0201", f"unknown piece {like.value!r}", like.span, help_, also, fixes=fixes)
