"""Draw what is counted: markers on steps, tables of players or of things, goods."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.text import Text

from patolli.language.program import types as ty
from patolli.play.terminal.boards import DIM
from patolli.play.terminal.flow import crowd, folded, pad, wrapped
from patolli.play.terminal.scene import STYLES, Scene

if TYPE_CHECKING:
    from patolli.check.analysis.panels import Panel

# ---- tracks


def track(scene: Scene, panel: Panel) -> RenderableType:
    """Draw markers on steps, a line for each counter and each thing that it counts for."""
    lines = [(words, thing, _collect_spots(markers)) for words, thing, markers in _collect_markers(scene, panel)]
    last = panel.to or max(_step_limit(scene, name) for name in panel.rows)
    last = max([last, *(step for _, _, spots in lines for step in spots)])
    label = max((cell_len(words) for words, _, _ in lines), default=0) + 1
    marks = [mark for _, _, spots in lines for mark in spots.values()]
    width = max([len(str(last)) + 1, *(cell_len(mark.plain) + 1 for mark in marks)])
    short = len(str(last)) + 1
    if label + (last + 1) * width > scene.width and label + (last + 1) * short + width <= scene.width:
        return Group(*_draw_steps(scene, panel, lines, last, (label, short)))
    if label + (last + 1) * width > scene.width:
        return Group(*(line for words, _, spots in lines for line in _format_step(scene, words, spots, label)))
    return Group(*_draw_steps(scene, panel, lines, last, (label, width)))


def _draw_steps(
    scene: Scene, panel: Panel, lines: list[tuple[str, str, dict[int, Text]]], last: int, size: tuple[int, int]
) -> Iterator[Text]:
    """Yield steps from left to right; a marker that needs more room than a step has takes that of the next ones."""
    label, width = size
    yield Text(" " * label) + Text("").join(pad(Text(str(step), DIM), width, "right") for step in range(last + 1))
    for words, thing, spots in lines:
        line = pad(Text(words), label)
        for step in range(last + 1):
            end = label + (step + 1) * width
            mark = spots.get(step) or Text("·", DIM)
            blank = max(1, end - cell_len(line.plain) - cell_len(mark.plain))
            if step in spots or cell_len(line.plain) + cell_len(mark.plain) < end:
                line = Text.assemble(line, " " * blank, mark)
        yield line
        yield from _draw_beside(scene, panel, thing, label)


def _format_step(scene: Scene, words: str, spots: dict[int, Text], label: int) -> list[Text]:
    parts = [Text.assemble(mark, f" {step}") for step, mark in spots.items()]
    return folded(pad(Text(words), label), Text("   ").join(parts), scene.width)


def _collect_spots(markers: list[tuple[int, Text]]) -> dict[int, Text]:
    """Return what stands on each step."""
    return {at: crowd([mark for step, mark in markers if step == at], "") for at, _ in sorted(markers, key=_step_of)}


def _step_of(marker: tuple[int, Text]) -> int:
    return marker[0]


def _step_limit(scene: Scene, name: str) -> int:
    high = scene.layout.limits[name]
    return high if high is not None else 0


def _collect_markers(scene: Scene, panel: Panel) -> Iterator[tuple[str, str, list[tuple[int, Text]]]]:
    """Yield words, the thing that is counted for, and the markers with their steps, for each line."""
    table = [name for name in panel.rows if not scene.counter(name).dims]
    if table:
        yield "", "", [(scene.count(name), _table_mark(scene, name)) for name in table]
    for name in panel.rows:
        dims = scene.counter(name).dims
        if len(dims) == 1:
            yield (scene.title(name) if len(panel.rows) > 1 else ""), "", _mark_players(scene, name)
        for thing in scene.names(dims[1]) if len(dims) == 2 else ():
            yield scene.label(dims[1], thing), thing, _mark_players(scene, name, thing)


def _table_mark(scene: Scene, name: str) -> Text:
    return scene.sign_of(name) or Text(name[0].upper(), "bold")


def _mark_players(scene: Scene, name: str, *index: str) -> list[tuple[int, Text]]:
    values = [(player, scene.count(name, player, *index)) for player in scene.names("player")]
    return [(value, scene.mark("player", player)) for player, value in values if value is not None]


def _draw_beside(scene: Scene, panel: Panel, thing: str, label: int) -> Iterator[Text]:
    """Yield what lies beside the steps of one line."""
    if not panel.of:
        return
    place = scene.place(panel.of)
    index = place.dims[0]
    for one in scene.names(index):
        if not belongs(scene, index, one, thing):
            continue
        found, hidden = scene.pieces(panel.of, one)
        marks = [scene.mark(place.of, piece) for piece in found if piece is not None]
        marks += [Text(f"{hidden} hidden", DIM)] if hidden else []
        if marks:
            head = Text.assemble(" " * (label + 1), (f"at {scene.number(index, one, panel.step)}: ", DIM))
            yield from folded(head, crowd(marks, ", "), scene.width)


def belongs(scene: Scene, index: str, one: str, thing: str) -> bool:
    """Tell whether a thing with a step belongs to a line: its first reference names it, or there is none."""
    kind = scene.model.kinds[index]
    named = [fact for fact in kind.facts.values() if isinstance(ty.strip(fact.type), ty.Ref)]
    if not named:
        return True
    type_ = ty.strip(named[0].type)
    assert isinstance(type_, ty.Ref)
    number = scene.number(index, one, named[0].name)
    return (scene.names(type_.kind)[number] if number >= 0 else "") == thing


# ---- tables


def table(scene: Scene, panel: Panel) -> RenderableType:
    """Draw how much of what each player has, or each thing of another kind; lying where that is shorter and fits."""
    kind = dims_of(scene, panel.rows[0])[0]
    columns = scene.names(kind)
    heads = [scene.head(one) if kind == "player" else Text(scene.label(kind, one), "bold") for one in columns]
    rows = [
        (words, [_describe_amount(scene, row, one, *rest) for one in columns])
        for row, rest, words in _collect_rows(scene, panel)
    ]
    standing = _draw_columns(heads, rows, scene.width)
    if kind != "player" or len(columns) > len(rows):
        return Group(*standing)
    turned = [(head, [cells[number] for _, cells in rows]) for number, head in enumerate(heads)]
    for broken in (False, True):
        lying = _draw_rows([words for words, _ in rows], turned, broken)
        if max(cell_len(line.plain) for line in lying) <= scene.width and len(lying) < len(standing):
            return Group(*lying)
    return Group(*standing)


def _draw_columns(heads: list[Text], rows: list[tuple[Text, list[Text]]], width: int) -> list[Text]:
    """Return a line for each row; columns for which there is no room stand below."""
    label = max(cell_len(words.plain) for words, _ in rows) + 1
    least = max([3, *(cell_len(cell.plain) for _, values in rows for cell in values)])
    words_ = max(cell_len(word) for head in heads for word in head.plain.split() or [""])
    room = (width - label) // len(heads) - 1
    wide = 1 + max(least, min(max(cell_len(head.plain) for head in heads), max(room, words_)))
    across = max(1, (width - label) // wide)
    lines: list[Text] = []
    for first in range(0, len(heads), across):
        part = slice(first, first + across)
        lines += [Text.assemble(" " * label, *row) for row in _break_heads(heads[part], [wide] * len(heads[part]), 1)]
        for words, values in rows:
            lines.append(Text.assemble(pad(words, label), *(pad(value, wide, "right") for value in values[part])))
    return lines


def _draw_rows(heads: list[Text], rows: list[tuple[Text, list[Text]]], broken: bool) -> list[Text]:
    """Return a line for each row, below heads that may be broken between words."""
    label = max(cell_len(words.plain) for words, _ in rows)
    words = [head.plain.split() if broken else [head.plain] for head in heads]
    wide = [
        max([3, *(cell_len(word) for word in parts), *(cell_len(cells[n].plain) for _, cells in rows)]) + 2
        for n, parts in enumerate(words)
    ]
    lines = [Text.assemble(" " * label, *row) for row in _break_heads(heads, wide, 2)]
    for name, cells in rows:
        line = (pad(x, w, "right") for x, w in zip(cells, wide, strict=True))
        lines.append(Text.assemble(pad(name, label), *line))
    return lines


def _break_heads(heads: list[Text], wide: list[int], gap: int) -> list[list[Text]]:
    """Return the lines of heads that are broken between words, so that all end in the last line."""
    parts = [wrapped(head, width - gap) for head, width in zip(heads, wide, strict=True)]
    high = max(map(len, parts))
    return [
        [
            pad(lines[n - high] if n >= high - len(lines) else Text(""), w, "right")
            for lines, w in zip(parts, wide, strict=True)
        ]
        for n in range(high)
    ]


def dims_of(scene: Scene, row: str) -> tuple[str, ...]:
    """Return the kinds that a counter or place is for."""
    return scene.counter(row).dims if row in scene.model.counters else scene.place(row).dims


def _collect_rows(scene: Scene, panel: Panel) -> Iterator[tuple[str, tuple[str, ...], Text]]:
    """Yield the lines of a table: a counter or place, its further indices, and the words for them."""
    for row in panel.rows:
        kinds = dims_of(scene, row)[1:]
        for rest in product(*(scene.names(kind) for kind in kinds)):
            things = ", ".join(scene.label(kind, one) for kind, one in zip(kinds, rest, strict=True))
            alone = bool(things) and len(panel.rows) == 1
            title = Text("") if alone else _name_row(scene, row)
            yield row, rest, Text.assemble(title, ": " if things and not alone else "", things)


def _name_row(scene: Scene, row: str) -> Text:
    symbol = scene.symbols.get(row)
    return Text(scene.title(row), STYLES.get(symbol.colour, "") if symbol else "")


def _describe_amount(scene: Scene, row: str, *index: str) -> Text:
    """Return how much there is, and by how much that changed since the last look."""
    if row in scene.model.counters:
        value = scene.count(row, *index)
        if value is None:
            return Text("?")
        change = scene.change(row, *index)
        told = (f"({change:+d}) ", "green" if change > 0 else "red") if change else ""
        return Text.assemble(told, (str(value), DIM if value == 0 else "bold" if index[0] == scene.me else ""))
    found, hidden = scene.pieces(row, *index)
    number = len([x for x in found if x is not None]) + hidden
    return Text(str(number), "" if number else DIM)


def _visible_owners(scene: Scene, row: str) -> list[tuple[str, ...]]:
    """Return of whom a counter is told: of who looks, or of all to somebody who only looks on."""
    if not scene.counter(row).dims:
        return [()]
    return [(scene.me,)] if scene.seat >= 0 else [(name,) for name in scene.names("player")]


def goods(scene: Scene, panel: Panel) -> RenderableType:
    """Draw counters in one line."""
    parts = []
    for row in panel.rows:
        if row not in scene.model.counters:
            parts.append(Text.assemble(_name_row(scene, row), " ", scene.of_table(row)))
            continue
        told = [_name_row(scene, row)]
        for index in _visible_owners(scene, row):
            value = scene.count(row, *index)
            told += [scene.mark("player", index[0])] if index and scene.seat < 0 else []
            told.append(Text("?" if value is None else str(value), "bold"))
        parts.append(Text(" ").join(told))
    return Group(*folded(Text(""), Text(" · ", DIM).join(parts), scene.width))
