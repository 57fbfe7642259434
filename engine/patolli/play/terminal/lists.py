"""Draw what is listed: rows, the pieces in a place, all pieces of a kind."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.text import Text

from patolli.check.analysis.panels import Panel
from patolli.language.program import types as ty
from patolli.play.scene.listings import count_markers, heading, list_indices
from patolli.play.scene.seat_scene import SHAPE, one_of
from patolli.play.scene.tricks import list_taken_tricks
from patolli.play.terminal.canvas import DIM, Canvas, ink, ink_rows
from patolli.play.terminal.flow import crowd, fold_text, pad
from patolli.play.terminal.thumbs import beside, thumb

LABEL = 16
"""Cells of the widest words above the shape of a piece."""
TAKEN = 44
"""Cells of the lines with a trick that was taken, so that other panels find room beside it."""
NONE = Text("none", DIM)
"""What is drawn where nothing lies."""


def row(scene: Canvas, panel: Panel) -> RenderableType:
    """Draw the numbered spots of a row; pieces that have a picture stand side by side."""
    place = scene.place(panel.of)
    lines: list[Text] = []
    for index in list_indices(scene, place.dims, "me"):
        if place.dims:
            lines.append(_describe_owner(scene, place.dims, index))
        found, _ = scene.pieces(panel.of, *index)
        if any(piece is not None and scene.picture(place.of, piece) for piece in found):
            lines.extend(_draw_pictures(scene, panel, place.of, found))
            continue
        width = _name_width(scene, panel, place.of, found)
        for number, piece in enumerate(found, 1):
            words = _describe_piece(scene, panel, place.of, piece, width) if piece is not None else Text("empty", DIM)
            lines.extend(fold_text(Text(f"{number:>2}  ", DIM), words, scene.width, width if piece is not None else 0))
    return Group(*lines)


def _draw_pictures(scene: Canvas, panel: Panel, kind: str, found: list[str | None]) -> list[Text]:
    """Return pieces as pictures with their numbers, and below each what else is shown of it."""
    thumbs = []
    for number, piece in enumerate(found, 1):
        if piece is None:
            thumbs.append(thumb(Text(f"{number:>2}  ", DIM), Text("empty", DIM), [], []))
            continue
        reported = [fact for fact in (_describe_fact(scene, kind, piece, name) for name in panel.facts) if fact.plain]
        label = scene.label(kind, piece)
        head = Text(label if cell_len(label) <= LABEL else "")  # a longer one would only say what is seen
        thumbs.append(thumb(Text(f"{number:>2}  ", DIM), head, ink_rows(scene.picture(kind, piece)), reported))
    return beside(thumbs, scene.width)


def members(scene: Canvas, panel: Panel) -> RenderableType:
    """Draw all pieces of a kind, each with what is known about it and what lies on it."""
    names = scene.names(panel.of)
    labels = {name: scene.label(panel.of, name) for name in names}
    if "text" in panel.facts:  # which a label would only repeat
        labels = {name: scene.short(panel.of, name) for name in names}
    shown = [
        name
        for name in names
        if not panel.only or any(_describe_value(scene, panel.of, name, x).plain for x in panel.only)
    ]
    width = max((cell_len(labels[name]) for name in shown), default=0) + 2
    shapes = {fact.name for fact in scene.model.kinds[panel.of].facts.values() if ty.strip(fact.type) == SHAPE}
    if shapes & set(panel.facts):
        others = [fact for fact in panel.facts if fact not in shapes]
        return Group(*_draw_shapes(scene, panel.of, {name: labels[name] for name in shown}, others))
    heads = {name: pad(ink(scene.mark(panel.of, name).color_words(labels[name])), width) for name in shown}
    reported = {
        name: [_describe_value(scene, panel.of, name, what, "text" in panel.facts) for what in panel.facts]
        for name in shown
    }
    if headed := _draw_columns(scene, panel, heads, reported):
        return Group(*headed)
    lines: list[Text] = []
    for name, head in heads.items():
        lines.extend(fold_text(head, Text("  ").join(text for text in reported[name] if text.plain), scene.width))
    return Group(*lines) if lines else NONE


def _draw_columns(scene: Canvas, panel: Panel, heads: dict[str, Text], reported: dict[str, list[Text]]) -> list[Text]:
    """Return what is known of each piece in columns below what they are called; nothing where they need no names.

    One column is what the title says, a note says what stands in several, and sentences speak for themselves.
    """
    used = [n for n, _ in enumerate(panel.facts) if any(texts[n].plain for texts in reported.values())]
    kind = scene.model.kinds[panel.of]
    long = {fact.name for fact in kind.facts.values() if one_of(fact.type) in (ty.TEXT, ty.EFFECT, ty.COST)} | {"text"}
    if len(used) < 2 or panel.note or long & {panel.facts[n] for n in used}:
        return []
    names = [Text(heading(scene, panel.of, panel.facts[n]), DIM) for n in used]
    wide = [max(cell_len(x.plain) for x in [name, *(texts[n] for texts in reported.values())]) + 2
            for n, name in zip(used, names, strict=True)]  # fmt: skip
    first = max(cell_len(head.plain) for head in heads.values())
    if first + sum(wide[:-1]) + cell_len(names[-1].plain) > scene.width:
        return []
    lines: list[Text] = []
    for head, texts in [
        (Text(""), names),
        *((head, [reported[name][n] for n in used]) for name, head in heads.items()),
    ]:
        before = Text.assemble(pad(head, first), *(pad(x, w) for x, w in zip(texts[:-1], wide[:-1], strict=True)))
        for line in fold_text(before, texts[-1], scene.width):
            line.rstrip()
            lines.append(line)
    return lines


def _draw_shapes(scene: Canvas, kind: str, labels: dict[str, str], facts: list[str]) -> list[Text]:
    """Return pieces with their shapes side by side, and what else is shown of each below."""
    thumbs = []
    for name, label in labels.items():
        reported = [text for text in (_describe_value(scene, kind, name, fact) for fact in facts) if text.plain]
        head = ink(scene.mark(kind, name).color_words(label))
        thumbs.append(thumb(Text(""), head, ink_rows(scene.picture(kind, name)), [Text("  ").join(reported)], LABEL))
    return beside(thumbs, scene.width)


def _describe_value(scene: Canvas, kind: str, name: str, what: str, written: bool = False) -> Text:
    """Return a fact or field of a piece, the pieces in a place that it has, or a counter that it has.

    If what is *written* on a piece stands beside it, its copies in a place are only counted.
    """
    sign = scene.sign_of(what)
    before = Text.assemble(ink(sign), " ") if sign is not None else Text("")
    if what in scene.model.places:
        if len(scene.place(what).dims) == 1:
            if written and (copies := _count_copies(scene, what, name)):
                return Text.assemble(before, f"{copies}x")
            marks = _lying(scene, what, name)
            return Text.assemble(before, crowd(marks)) if marks else Text("")
        each = [(player, _lying(scene, what, player, name)) for player in scene.names("player")]
        held = [Text.assemble(ink(scene.mark("player", player)), ": ", crowd(marks)) for player, marks in each if marks]
        return Text.assemble(before, Text("  ").join(held)) if held else Text("")
    if what not in scene.model.counters:
        text = ink(scene.fact(kind, name, what))
        return Text.assemble(before, text) if text.plain else text
    if len(scene.counter(what).dims) == 1:
        value = scene.count(what, name)
        return Text.assemble(before if sign is not None else f"{scene.title(what)} ", str(value)) if value else Text("")
    marks = [ink(scene.mark("player", player)) for player, n in count_markers(scene, what, name) for _ in range(n)]
    return Text.assemble(before, crowd(marks)) if marks else Text("")


def _count_copies(scene: Canvas, place: str, name: str) -> int:
    """Return how many pieces lie in the place of a design if all are copies of it, else 0."""
    found, hidden = scene.pieces(place, name)
    designs = [scene.design(scene.place(place).of, piece) for piece in found if piece is not None]
    return len(designs) if not hidden and all(design and design.id == name for design in designs) else 0


def _lying(scene: Canvas, place: str, *index: str) -> list[Text]:
    """Return the words for what lies in a place."""
    found, hidden = scene.pieces(place, *index)
    marks = [ink(scene.words(scene.place(place).of, piece)) for piece in found if piece is not None]
    return [*marks, Text(f"{hidden} hidden", DIM)] if hidden else marks


def pieces(scene: Canvas, panel: Panel) -> RenderableType:
    """Draw the pieces in a place, equal ones once with their number."""
    place = scene.place(panel.of)
    held = {index: scene.pieces(panel.of, *index) for index in list_indices(scene, place.dims, panel.who)}
    every = [piece for found, _ in held.values() for piece in found if piece is not None]
    width = _name_width(scene, panel, place.of, every)
    reported = {
        index: _describe_pieces(scene, panel, place.of, found, hidden, width) for index, (found, hidden) in held.items()
    }
    own = panel.who == "me" and scene.own == [scene.me] and place.dims == ("player",)
    heads = {
        index: Text("") if own else _describe_owner(scene, place.dims, index)
        for index, words in reported.items()
        if words
    }
    wide = max((cell_len(head.plain) for head in heads.values()), default=0)
    lines: list[Text] = []
    for index, head in heads.items():
        head = pad(head, wide + 2) if wide else head
        if panel.facts:
            blank = Text(" " * cell_len(head.plain))
            for number, words in enumerate(reported[index]):
                lines.extend(fold_text(blank if number else head, words, scene.width, width))
        else:
            lines.extend(fold_text(head, Text(", ").join(reported[index]), scene.width))
    lines = lines or _describe_taken_trick(scene, panel)
    return Group(*lines) if lines else NONE


def _describe_taken_trick(scene: Canvas, panel: Panel) -> list[Text]:
    """Return the trick that was taken from the table last: who took it, and below that who played what."""
    kind, dims = scene.place(panel.of).of, scene.place(panel.of).dims
    lines: list[Text] = []
    for trick in list_taken_tricks(scene, panel)[-1:]:
        played = []
        for index, name in trick.pieces:
            owners = [ink(scene.mark(of, one)) for of, one in zip(dims, index, strict=True)]
            played.append(Text(" ").join([*owners, _describe_piece(scene, panel, kind, name, 0)]))
        lines.append(Text(f"{trick.title}:", DIM))
        lines.extend(fold_text(Text(""), Text(", ").join(played), min(scene.width, TAKEN)))
    return lines


def _describe_pieces(
    scene: Canvas, panel: Panel, kind: str, found: list[str | None], hidden: int, width: int
) -> list[Text]:
    """Return the words for the pieces in one place: those that are equal in all that is known of them only once."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for piece in found:
        if piece is not None:
            words = _describe_piece(scene, panel, kind, piece, width).plain
            alike.setdefault((words, *scene.facts(kind, piece)), []).append(piece)
    lines = []
    for (words, *_), group in alike.items():
        several = f"{len(group)}x " if len(group) > 1 else ""
        more = ink(scene.difference(kind, group[0])) if sum(other[0] == words for other in alike) > 1 else Text("")
        lines.append(
            (
                several,
                Text.assemble(_describe_piece(scene, panel, kind, group[0], width), " " if more.plain else "", more),
            )
        )
    times = max((len(several) for several, _ in lines), default=0) if panel.facts else 0
    reported = [Text.assemble((several.rjust(times), DIM), words) for several, words in lines]
    return [*reported, Text(f"{hidden} hidden", DIM)] if hidden else reported


def _describe_owner(scene: Canvas, dims: tuple[str, ...], index: tuple[str, ...]) -> Text:
    """Return whose a place is, or for what it is."""
    parts = [
        ink(scene.head(one)) if kind == "player" else Text(scene.label(kind, one))
        for kind, one in zip(dims, index, strict=True)
    ]
    return Text(", ").join(parts)


def _name_width(scene: Canvas, panel: Panel, kind: str, found: Sequence[str | None]) -> int:
    """Return the cells for the names of pieces, which stand in one column; none where nothing stands behind them."""
    if not panel.facts:
        return 0
    return max((cell_len(scene.label(kind, piece)) + 2 for piece in found if piece is not None), default=0)


def _describe_piece(scene: Canvas, panel: Panel, kind: str, piece: str, width: int) -> Text:
    """Return the words for a piece: its name, and the facts that the panel shows."""
    if not panel.facts:
        return ink(scene.mark(kind, piece))
    name = ink(scene.mark(kind, piece).color_words(scene.label(kind, piece)))
    reported = Text("  ").join(
        fact for fact in (_describe_fact(scene, kind, piece, fact) for fact in panel.facts) if fact.plain
    )
    return Text.assemble(pad(name, width), reported)


def _describe_fact(scene: Canvas, kind: str, piece: str, fact: str) -> Text:
    """Return a fact or field, or who has a marker on the piece."""
    if fact not in scene.model.counters:
        return ink(scene.fact(kind, piece, fact))
    marks = [ink(scene.mark("player", player)) for player, number in count_markers(scene, fact, piece) if number]
    return Text.assemble(("[", DIM), crowd(marks, ""), ("]", DIM)) if marks else Text("")
