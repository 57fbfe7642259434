"""Draw what is counted: markers on steps, tables of players or of things, goods."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.text import Text

from patolli.check.analysis.panels import Panel
from patolli.play.scene import counts
from patolli.play.scene.captions import STRONG, caption
from patolli.play.terminal.canvas import DIM, Canvas, ink
from patolli.play.terminal.flow import crowd, fold_text, pad, wrap_text

# ---- tracks


def track(scene: Canvas, panel: Panel) -> RenderableType:
    """Draw markers on steps, a line for each counter and each thing that it counts for."""
    lines = [(line.title, line.thing, _collect_spots(scene, line)) for line in counts.track_lines(scene, panel)]
    last = counts.last_step(scene, panel)
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
    scene: Canvas, panel: Panel, lines: list[tuple[str, str, dict[int, Text]]], last: int, size: tuple[int, int]
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


def _format_step(scene: Canvas, words: str, spots: dict[int, Text], label: int) -> list[Text]:
    parts = [Text.assemble(mark, f" {step}") for step, mark in spots.items()]
    return fold_text(pad(Text(words), label), Text("   ").join(parts), scene.width)


def _collect_spots(scene: Canvas, line: counts.TrackLine) -> dict[int, Text]:
    """Return what stands on each step."""
    marks: dict[int, list[Text]] = {}
    for step, name in sorted(line.markers, key=itemgetter(0)):
        shared = name in scene.model.counters
        marks.setdefault(step, []).append(_table_mark(scene, name) if shared else ink(scene.mark("player", name)))
    return {step: crowd(found, "") for step, found in marks.items()}


def _table_mark(scene: Canvas, name: str) -> Text:
    return ink(scene.sign_of(name) or caption(name[0].upper(), tone=STRONG))


def _draw_beside(scene: Canvas, panel: Panel, thing: str, label: int) -> Iterator[Text]:
    """Yield what lies beside the steps of one line."""
    for beside in counts.pieces_beside(scene, panel, thing):
        marks = [ink(scene.mark(scene.place(panel.of).of, piece)) for piece in beside.pieces]
        marks += [Text(f"{beside.hidden} hidden", DIM)] if beside.hidden else []
        head = Text.assemble(" " * (label + 1), (f"at {beside.step}: ", DIM))
        yield from fold_text(head, crowd(marks, ", "), scene.width)


# ---- tables


def table(scene: Canvas, panel: Panel) -> RenderableType:
    """Draw how much of what each player has, or each thing of another kind; lying where that is shorter and fits."""
    kind = counts.dims_of(scene, panel.rows[0])[0]
    columns = scene.names(kind)
    heads = [ink(scene.head(one)) if kind == "player" else Text(scene.label(kind, one), "bold") for one in columns]
    rows = [
        (_title_row(scene, row), [_describe_amount(scene, row.name, one, *row.others) for one in columns])
        for row in counts.table_rows(scene, panel)
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
    parts = [wrap_text(head, width - gap) for head, width in zip(heads, wide, strict=True)]
    high = max(map(len, parts))
    return [
        [
            pad(lines[n - high] if n >= high - len(lines) else Text(""), w, "right")
            for lines, w in zip(parts, wide, strict=True)
        ]
        for n in range(high)
    ]


def _title_row(scene: Canvas, row: counts.TableRow) -> Text:
    return _name_row(scene, row.name, row.counted) + Text(row.title.removeprefix(row.counted))


def _name_row(scene: Canvas, row: str, title: str) -> Text:
    symbol = scene.symbols.get(row)
    return ink(caption(title, symbol.colour if symbol else ""))


def _describe_amount(scene: Canvas, row: str, *index: str) -> Text:
    """Return how much there is, and by how much that changed since the last look."""
    value = counts.amount_of(scene, row, *index)
    if value is None:
        return Text("?")
    if row not in scene.model.counters:
        return Text(str(value), "" if value else DIM)
    change = scene.change(row, *index)
    shown = (f"({change:+d}) ", "green" if change > 0 else "red") if change else ""
    return Text.assemble(shown, (str(value), DIM if value == 0 else "bold" if index[0] == scene.me else ""))


def _visible_owners(scene: Canvas, row: str) -> list[tuple[str, ...]]:
    """Return the indices of a counter that are shown: of the players whose things are the reader's own."""
    return [(name,) for name in scene.own] if scene.counter(row).dims else [()]


def goods(scene: Canvas, panel: Panel) -> RenderableType:
    """Draw counters in one line."""
    parts = []
    for row in panel.rows:
        if row not in scene.model.counters:
            parts.append(Text.assemble(_name_row(scene, row, scene.title(row)), " ", ink(scene.of_table(row))))
            continue
        shown = [_name_row(scene, row, scene.title(row))]
        for index in _visible_owners(scene, row):
            value = scene.count(row, *index)
            shown += [ink(scene.mark("player", index[0]))] if index and len(scene.own) > 1 else []
            shown.append(Text("?" if value is None else str(value), "bold"))
        shown += [Text(f"of {counts.limit_value(scene, limit)}") for limit in panel.limits if limit.counter == row]
        parts.append(Text(" ").join(shown))
    return Group(*fold_text(Text(""), Text(" · ", DIM).join(parts), scene.width))
