"""Draw what is counted or listed: tracks, tables, rows, goods, pieces."""

from __future__ import annotations

from collections import Counter as Count
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.text import Text

from patolli.program import types as ty
from patolli.terminal.boards import DIM, WIDTH, console, pad
from patolli.terminal.scene import STYLES, Scene

if TYPE_CHECKING:
    from patolli.analysis.panels import Panel

LABEL = 14
"""Cells for the words in front of a line."""
NONE = Text("none", DIM)
"""What is drawn where nothing lies."""
CROWD = 6
"""Markers of one player in one spot that are drawn one by one; more are counted."""


# ---- tracks


def track(scene: Scene, panel: Panel) -> RenderableType:
    """Draw markers on steps, a line for each counter and each thing that it counts for."""
    lines = list(_markers(scene, panel))
    last = panel.to or max(_limit(scene, name) for name in panel.rows)
    last = max([last, *(step for _, _, markers in lines for step, _ in markers)])
    label = min(LABEL, max((cell_len(words) for words, _, _ in lines), default=0) + 1)
    crowd = max((max(Count(step for step, _ in m).values(), default=1) for _, _, m in lines), default=1)
    width = min(max(3, crowd + 1), (WIDTH - label) // (last + 1))
    if width < 2 or width <= len(str(last)):
        return Group(*(_told(words, markers, label) for words, _, markers in lines))
    head = Text("").join(pad(Text(str(step), DIM), width, "right") for step in range(last + 1))
    drawn: list[Text] = [Text(" " * label) + head]
    for words, thing, markers in lines:
        on = {step: Text("").join(mark for at, mark in markers if at == step) for step in range(last + 1)}
        steps = [pad(on[step] if on[step].plain else Text("·", DIM), width, "right") for step in range(last + 1)]
        drawn.append(pad(Text(words), label) + Text("").join(steps))
        drawn.extend(_beside(scene, panel, thing, label))
    return Group(*drawn)


def _told(words: str, markers: list[tuple[int, Text]], label: int) -> Text:
    parts = [mark + Text(f" {step}") for step, mark in markers]
    return pad(Text(words), label) + Text("   ").join(parts)


def _limit(scene: Scene, name: str) -> int:
    high = scene.layout.limits[name]
    return high if high is not None else 0


def _markers(scene: Scene, panel: Panel) -> Iterator[tuple[str, str, list[tuple[int, Text]]]]:
    """Yield words, the thing that is counted for, and the markers with their steps, for each line."""
    table = [name for name in panel.rows if not scene.counter(name).dims]
    if table:
        yield "", "", [(scene.count(name), _table_mark(scene, name)) for name in table]
    for name in panel.rows:
        dims = scene.counter(name).dims
        if len(dims) == 1:
            yield (scene.title(name) if len(panel.rows) > 1 else ""), "", _players(scene, name)
        for thing in scene.names(dims[1]) if len(dims) == 2 else ():
            yield scene.label(dims[1], thing), thing, _players(scene, name, thing)


def _table_mark(scene: Scene, name: str) -> Text:
    symbol = scene.symbols.get(name)
    return Text(symbol.sign or name[0], STYLES.get(symbol.colour, "")) if symbol else Text(name[0].upper(), "bold")


def _players(scene: Scene, name: str, *index: str) -> list[tuple[int, Text]]:
    values = [(player, scene.count(name, player, *index)) for player in scene.names("player")]
    return [(value, scene.mark("player", player)) for player, value in values if value is not None]


def _beside(scene: Scene, panel: Panel, thing: str, label: int) -> Iterator[Text]:
    """Yield what lies beside the steps of one line."""
    if not panel.of:
        return
    place = scene.place(panel.of)
    index = place.dims[0]
    for one in scene.names(index):
        if not _belongs(scene, index, one, thing):
            continue
        found, hidden = scene.pieces(panel.of, one)
        marks = [scene.mark(place.of, piece) for piece in found if piece is not None]
        marks += [Text(f"{hidden} hidden", DIM)] if hidden else []
        if marks:
            step = Text(f"at {scene.number(index, one, panel.step)}: ", DIM)
            yield Text(" " * label) + step + Text(", ").join(marks)


def _belongs(scene: Scene, index: str, one: str, thing: str) -> bool:
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
    """Draw a line for each counter or place, a column for each player."""
    players = scene.names("player")
    label = max(cell_len(scene.title(row)) for row in panel.rows) + 1
    rows = [[_held(scene, row, player) for player in players] for row in panel.rows]
    width = max([3, *(cell_len(x) for row in rows for x in row)]) + 1
    heads = [pad(_head(scene, player), width, "right") for player in players]
    lines = [Text(" " * label) + Text("").join(heads)]
    for row, values in zip(panel.rows, rows, strict=True):
        cells = [pad(Text(value, DIM if value == "0" else ""), width, "right") for value in values]
        lines.append(pad(_named(scene, row), label) + Text("").join(cells))
    return Group(*lines)


def _head(scene: Scene, player: str) -> Text:
    mark = scene.mark("player", player)
    mark.stylize("bold underline" if player == scene.me else "bold")
    return mark


def _named(scene: Scene, row: str) -> Text:
    symbol = scene.symbols.get(row)
    return Text(scene.title(row), STYLES.get(symbol.colour, "") if symbol else "")


def _held(scene: Scene, row: str, player: str) -> str:
    if row in scene.model.counters:
        value = scene.count(row, player)
        return "?" if value is None else str(value)
    found, hidden = scene.pieces(row, player)
    return str(len([x for x in found if x is not None]) + hidden)


def goods(scene: Scene, panel: Panel) -> RenderableType:
    """Draw counters in one line."""
    parts = []
    for row in panel.rows:
        mine = (scene.me,) if scene.counter(row).dims else ()
        parts.append(_named(scene, row) + Text(f" {scene.count(row, *mine)}", "bold"))
    return Text(" · ", DIM).join(parts)


# ---- pieces


def row(scene: Scene, panel: Panel) -> RenderableType:
    """Draw the numbered spots of a row."""
    place = scene.place(panel.of)
    lines: list[Text] = []
    for index in _indices(scene, place.dims, "me"):
        if place.dims:
            lines.append(Text(scene.label(place.dims[0], index[0]), "bold"))
        found, _ = scene.pieces(panel.of, *index)
        name = _widest(scene, place.of, found)
        for number, piece in enumerate(found):
            words = _line(scene, panel, place.of, piece, name) if piece is not None else Text("empty", DIM)
            lines.extend(_folded(Text(f"{number:>2}  ", DIM), words, name))
    return Group(*lines)


def members(scene: Scene, panel: Panel) -> RenderableType:
    """Draw all pieces of a kind, each with what is known about it and what lies on it."""
    names = scene.names(panel.of)
    labels = {name: scene.label(panel.of, name) for name in names}
    if "text" in panel.facts:  # which a label would only repeat
        labels = {name: scene.short(panel.of, name).replace("_", " ") for name in names}
    width = max(cell_len(label) for label in labels.values()) + 2
    lines: list[Text] = []
    for name in names:
        told = [text for text in (_known(scene, panel.of, name, what) for what in panel.facts) if text.plain]
        if not panel.only or any(_known(scene, panel.of, name, what).plain for what in panel.only):
            head = pad(Text(labels[name], scene.mark(panel.of, name).style), width)
            lines.extend(_folded(head, Text("  ").join(told), 0))
    return Group(*lines) if lines else NONE


def _known(scene: Scene, kind: str, name: str, what: str) -> Text:
    """Return a fact or field of a piece, the pieces in a place that it has, or a counter that it has."""
    symbol = scene.symbols.get(what)
    sign = Text(f"{symbol.sign} ", STYLES.get(symbol.colour, DIM)) if symbol is not None and symbol.sign else Text("")
    if what in scene.model.places:
        place = scene.place(what)
        found, hidden = scene.pieces(what, name)
        marks = [scene.words(place.of, piece) for piece in found if piece is not None]
        marks += [Text(f"{hidden} hidden", DIM)] if hidden else []
        return sign + Text(" ").join(marks) if marks else Text("")
    if what not in scene.model.counters:
        text = scene.fact(kind, name, what)
        return sign + text if text.plain else text
    if len(scene.counter(what).dims) == 1:
        value = scene.count(what, name)
        return Text(f"{sign.plain or scene.title(what) + ' '}{value}", sign.style) if value else Text("")
    held = [(scene.mark("player", player), scene.count(what, player, name)) for player in scene.names("player")]
    marks = [_crowd(mark, n) for mark, n in held if n]
    return sign + Text(" ").join(marks) if marks else Text("")


def _crowd(mark: Text, number: int) -> Text:
    """Return so many markers; those that are figures stand apart, as they would read like one number."""
    if number > CROWD:
        return mark + Text(f"x{number}")
    return Text(" " if mark.plain.isdigit() else "").join([mark] * number)


def pieces(scene: Scene, panel: Panel) -> RenderableType:
    """Draw the pieces in a place, equal ones once with their number."""
    place = scene.place(panel.of)
    lines: list[Text] = []
    heads = [scene.label(place.dims[0], name) for name in scene.names(place.dims[0])] if place.dims else []
    wide = max([LABEL, *(cell_len(head) + 1 for head in heads)])
    held = {index: scene.pieces(panel.of, *index) for index in _indices(scene, place.dims, panel.who)}
    name = _widest(scene, place.of, [piece for found, _ in held.values() for piece in found])
    shown = {}
    for index, (found, _) in held.items():
        texts = [_line(scene, panel, place.of, piece, name) for piece in found if piece is not None]
        alike = Count(text.plain for text in texts)
        shown[index] = [(alike[plain], text) for plain, text in {text.plain: text for text in texts}.items()]
    times = max([len(_times(n)) for line in shown.values() for n, _ in line] if panel.facts else [0], default=0)
    for index, (_, hidden) in held.items():
        told = [Text(_times(n).rjust(times), DIM) + text for n, text in shown[index]]
        told += [Text(f"{hidden} hidden", DIM)] if hidden else []
        lines.extend(_listed(scene, place.dims, index, told, times + name if panel.facts else 0, wide))
    return Group(*lines) if lines else NONE


def _times(number: int) -> str:
    """Return what stands before a piece that lies there more than once."""
    return f"{number}x " if number > 1 else ""


def _listed(
    scene: Scene, dims: tuple[str, ...], index: tuple[str, ...], shown: list[Text], name: int, wide: int
) -> list[Text]:
    if not dims or (dims[0] == "player" and index[0] == scene.me and name):
        head = Text("")
    elif dims[0] == "player":
        head = scene.mark("player", index[0]) + Text("  ")
    else:
        head = pad(Text(scene.label(dims[0], index[0])), wide)
    if name:
        blank = Text(" " * cell_len(head.plain))
        return [line for n, text in enumerate(shown) for line in _folded(blank if n else head, text, name)]
    return [head + Text(", ").join(shown)] if shown else []


def _indices(scene: Scene, dims: tuple[str, ...], who: str) -> list[tuple[str, ...]]:
    if not dims:
        return [()]
    if dims[0] == "player" and who == "me":
        return [(scene.me,)]
    return [(name,) for name in scene.names(dims[0])]


def _widest(scene: Scene, kind: str, found: list[str | None]) -> int:
    """Return the cells for the names of pieces, which stand in one column."""
    return max([LABEL, *(cell_len(scene.short(kind, piece)) + 1 for piece in found if piece is not None)])


def _line(scene: Scene, panel: Panel, kind: str, piece: str, width: int) -> Text:
    """Return the words for a piece: its name, and the facts that the panel tells."""
    mark = scene.mark(kind, piece)
    if not panel.facts:
        return mark
    name = Text(scene.short(kind, piece), mark.style)
    told = Text("  ").join(fact for fact in (_fact(scene, kind, piece, fact) for fact in panel.facts) if fact.plain)
    return pad(name, width) + told


def _fact(scene: Scene, kind: str, piece: str, fact: str) -> Text:
    """Return a fact or field, or who has a marker on the piece."""
    if fact not in scene.model.counters:
        return scene.fact(kind, piece, fact)
    marks = [scene.mark("player", player) for player in scene.names("player") if scene.count(fact, player, piece)]
    return Text("[", DIM) + Text("").join(marks) + Text("]", DIM) if marks else Text("")


def _folded(head: Text, words: Text, indent: int) -> list[Text]:
    """Return *head* and *words* in lines that fit; what goes on is set in by so many cells."""
    if "\n" in words.plain:
        blank = Text(" " * cell_len(head.plain))
        rows = [line for n, row in enumerate(words.split("\n")) for line in _folded(blank if n else head, row, 2)]
        return rows
    room = WIDTH - 2 - cell_len(head.plain)
    if cell_len(words.plain) <= room:
        return [head + words]
    first = words.wrap(console(), room, no_wrap=False)[0]
    first.rstrip()
    rest = words[len(first.plain) :]
    rest = rest[len(rest.plain) - len(rest.plain.lstrip()) :]
    blank = Text(" " * (cell_len(head.plain) + indent))
    return [head + first, *(blank + line for line in rest.wrap(console(), room - indent))]
