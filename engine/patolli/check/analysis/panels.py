"""Read and check the panels: how a match looks is content, too.

In:     a model whose names are declared.
Out:    the panels in order; ``symbols`` reads how things in them are written.
Errors: P0501 a panel shows what nothing declares, P0502 a panel shows what cannot be shown so, P0503 a
        symbol for what nothing declares, P0504 a key that only another way of drawing has.

A check is a row of ``CHECKS``: for a way of drawing and a key, which names fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from patolli.check.analysis.check import check
from patolli.check.analysis.symbols import leaves
from patolli.language.diagnostics import Problem, instead, nearest
from patolli.language.packs.composition import Entry
from patolli.language.program import types as ty
from patolli.language.program.model import TABLE, Program
from patolli.language.program.model import Attribute as ResolvedAttribute
from patolli.language.program.model import Kind as ResolvedKind
from patolli.language.resolve.kinds import CELLS
from patolli.language.resolve.model import UNKNOWN, Attribute, Counter, Kind, Model, Place
from patolli.language.resolve.stateless import functions_of
from patolli.language.sources import Mapping, Node, Plain, Scalar, plain
from patolli.language.sources.nodes import list_scalars, text_at


@dataclass(frozen=True, slots=True)
class Limit:
    """The value of a counter, or the option that says it, at which a match ends; won or lost, and a sentence why."""

    counter: str
    at: str | int
    end: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """One panel. Which of the keys count depends on ``shows``; what was left out is empty.

    ``rows`` also holds the lines of a ring, the counters of a track, and what a grid shows when that is a list.
    """

    id: str
    shows: str
    title: str = ""
    note: str = ""
    main: bool = False
    beside: bool = False
    asked: bool = False
    of: str = ""
    show: str = ""
    rows: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    levels: str = ""
    sides: str = ""
    up: bool = False
    empty: str = "·"
    shape: str = "loop"
    to: int = 0
    step: str = ""
    who: str = "me"
    parts: str = ""
    inside: str = ""
    at: str = ""
    only: tuple[str, ...] = ()
    by: str = ""
    behind: tuple[tuple[str, str], ...] = ()
    pattern: str = "plain"
    paths: str = ""
    art: str = ""
    form: str = "list"
    on: str = ""
    spots: tuple[tuple[str, tuple[int, ...]], ...] = ()
    level: str = ""
    rim: str = ""
    limits: tuple[Limit, ...] = ()
    fee: str = ""
    columns: tuple[str, ...] = ()
    line_facts: tuple[str, ...] = ()


TEXTS = (
    "of show note levels sides step shape who empty parts inside at by pattern paths art form on level rim fee".split()
)
LISTS = {"lines": "rows", "counters": "rows", "show": "rows"}
LISTS |= {key: key for key in ("rows", "facts", "only", "columns", "line_facts")}


def panels_of(model: Model | Program) -> list[Panel]:
    """Return the declared panels in order; empty when a pack declares none."""
    return [_panel(entry) for entry in model.composition.all("panels") if isinstance(entry.node, Mapping)]


def _panel(entry: Entry) -> Panel:
    assert isinstance(entry.node, Mapping)
    data = {key: plain(value) for key, (_, value) in entry.node.items.items()}
    lists = {LISTS[key]: tuple(str(x) for x in value) for key, value in data.items() if isinstance(value, list)}
    text = {key: str(data[key]) for key in TEXTS if key in data and not isinstance(data[key], list)}
    if "marks" in data:
        text["of"] = str(data["marks"])
    to, behind, spots, limits = data.get("to"), data.get("behind"), data.get("spots"), data.get("limits")
    return Panel(
        entry.id,
        str(data.get("shows")),
        str(data.get("title") or entry.id.replace("_", " ").capitalize()),
        main=bool(data.get("main")),
        beside=bool(data.get("beside")),
        asked=bool(data.get("asked")),
        up=bool(data.get("up")),
        to=to if isinstance(to, int) else 0,
        spots=tuple(_spots(spots)) if isinstance(spots, dict) else (),
        limits=tuple(_limits(limits)) if isinstance(limits, dict) else (),
        behind=tuple((str(k), str(v)) for k, v in behind.items()) if isinstance(behind, dict) else (),
        **lists,  # type: ignore[arg-type]
        **text,  # type: ignore[arg-type]
    )


def _spots(spots: dict[str, Plain]) -> Iterator[tuple[str, tuple[int, ...]]]:
    for name, spot in spots.items():
        yield str(name), tuple(part for part in spot if isinstance(part, int)) if isinstance(spot, list) else ()


def _limits(limits: dict[str, Plain]) -> Iterator[Limit]:
    for name, limit in limits.items():
        at = limit.get("at") if isinstance(limit, dict) else None
        if isinstance(limit, dict) and isinstance(at, int | str):
            yield Limit(str(name), at, str(limit.get("end")), str(limit.get("reason") or ""))


def _scalars(entry: Entry, key: str) -> list[Scalar]:
    node = entry.get(key)
    if isinstance(node, Scalar):
        return [node]
    if isinstance(node, Mapping):
        return [x for _, x in node.items.values() if isinstance(x, Scalar)]
    return list_scalars(node)


# ---- which names fit where


def _grid(model: Model, entry: Entry) -> Iterable[str]:
    return [kind.name for kind in model.kinds.values() if kind.grid and not kind.over]


def _in_cell(model: Model, entry: Entry) -> Iterable[str]:
    kind = model.kinds.get(text_at(entry, "of"))
    return [
        *_list_attributes(model, kind),
        *(p.name for p in model.places.values() if kind and p.dims == (kind.name,)),
        *_list_stacked_places(model, entry),
    ]


def _list_attributes(model: Model, kind: Kind | None) -> list[str]:
    """Return what is known of each piece of a kind: fields, facts, and functions that read nothing but the piece."""
    return [*kind.fields, *kind.facts, *functions_of(model, kind.name)] if kind is not None else []


def _known_there(model: Model, entry: Entry) -> Iterable[str]:
    return _list_attributes(model, model.kinds.get(text_at(entry, "of")))


def _shown_there(model: Model, entry: Entry) -> Iterable[str]:
    return [scalar.value for scalar in _scalars(entry, "facts")]


def _list_stacked_places(model: Model, entry: Entry) -> Iterable[str]:
    over = {kind.name for kind in model.kinds.values() if kind.over and kind.over == text_at(entry, "of")}
    return [place.name for place in model.places.values() if len(place.dims) == 1 and place.dims[0] in over]


def _list_side_places(model: Model, entry: Entry) -> Iterable[str]:
    """Return the places of each record of a cell of the grid and one of four directions."""
    of = text_at(entry, "of")
    return [p.name for p in model.places.values() if len(p.dims) == 1 and find_side_facts(model, p.dims[0], of)]


def find_side_facts(model: Model | Program, kind: str, grid: str) -> tuple[str, str] | None:
    """Return the facts of a record that are a cell of a grid and one of four directions; None for any other kind."""
    declared = model.kinds[kind]
    if not declared.is_record or len(declared.facts) != 2:
        return None
    first, second = declared.facts.values()
    for cell, way in ((first, second), (second, first)):
        if cell.type == ty.Ref(grid) and _count_values(model, way) == 4:
            return cell.name, way.name
    return None


def _count_values(model: Model | Program, fact: Attribute | ResolvedAttribute) -> int:
    """Return how many values a fact may have; 0 if that is not known."""
    if isinstance(fact.type, ty.Ref):
        kind = model.kinds[fact.type.kind]
        return len(kind.members if kind.members is not None else kind.designs)
    return fact.high - fact.low + 1 if fact.low is not None and fact.high is not None else 0


def _constant(model: Model, entry: Entry) -> Iterable[str]:
    kind = model.kinds.get(text_at(entry, "of"))
    return [fact.name for fact in kind.facts.values() if not isinstance(fact.type, ty.Seq)] if kind else ()


def _other_grids(model: Model, entry: Entry) -> Iterable[str]:
    panels = model.composition.all("panels")
    return [
        other.id
        for other in panels
        if text_at(other, "shows") == "grid" and text_at(other, "of") != text_at(entry, "of")
    ]


def _cells_there(model: Model, entry: Entry) -> Iterable[str]:
    for other in model.composition.all("panels"):
        kind = model.kinds.get(text_at(other, "of"))
        if other.id == text_at(entry, "inside") and kind is not None:
            return [*kind.cells] or kind.members or ()
    return ()


def _on_ring(model: Model, entry: Entry) -> Iterable[str]:
    """Return the things around rings, and the rings if each piece of the panel belongs to one of their things."""
    of, own = model.kinds.get(text_at(entry, "of")), text_at(entry, "shows") == "list"
    for other in model.composition.all("panels"):
        ring = text_at(other, "of") if text_at(other, "shows") == "ring" else ""
        kind = model.kinds.get(model.places[ring].of if ring in model.places else ring)
        if kind is not None:
            yield from (*(kind.members or ()), *(design.id for design in kind.designs))
            if own and of is not None and (of is kind or find_link_fact(of, kind.name)):
                yield other.id


def _paths(model: Model, entry: Entry) -> Iterable[str]:
    wanted = ty.Seq(ty.Seq(ty.Ref(text_at(entry, "of"))))
    return [constant.name for constant in model.constants.values() if constant.type == wanted]


def _list_lines(model: Model, entry: Entry) -> Iterable[str]:
    """Return what joins pieces of a kind: graphs and facts that list such pieces, and kinds that name two of them."""
    kind, one = model.kinds.get(text_at(entry, "of")), ty.Ref(text_at(entry, "of"))
    if kind is None:
        return []
    lists = [fact.name for fact in kind.facts.values() if ty.strip(fact.type) == ty.Seq(one)]
    return [*lists, *(other.name for other in model.kinds.values() if len(list_ends(other, kind.name)) == 2)]


def _line_facts(model: Model, entry: Entry) -> Iterable[str]:
    kind = model.kinds.get(text_at(entry, "paths"))
    return [*kind.facts] if kind is not None else []


def _fees(model: Model, entry: Entry) -> Iterable[str]:
    """Return the functions of one thing around a ring that are numbers."""
    of = text_at(entry, "of")
    wanted = [ty.Ref(model.places[of].of if of in model.places else of)]
    for function in model.functions.values():
        types = [type_ for _, type_ in function.parameters]
        if types == wanted and function.type is not None and ty.strip(function.type) == ty.INT:
            yield function.name


def list_ends(kind: Kind | ResolvedKind, of: str) -> list[str]:
    """Return the facts of a kind that name a piece of another kind: of a line those for its two ends."""
    return [fact.name for fact in kind.facts.values() if ty.strip(fact.type) == ty.Ref(of)]


def _circle(model: Model, entry: Entry) -> Iterable[str]:
    rows = [place.name for place in model.places.values() if place.type == "row" and not place.dims]
    return [*rows, *(kind.name for kind in model.kinds.values() if kind.name != "player")]


def _on_circle(model: Model, entry: Entry) -> Iterable[str]:
    of = text_at(entry, "of")
    kind = model.kinds.get(model.places[of].of if of in model.places else of)
    if kind is None:
        return []
    dims = [(kind.name,), *((other.name,) for other in model.kinds.values() if find_link_fact(other, kind.name))]
    places = [place.name for place in model.places.values() if place.dims in dims]
    counters = [counter.name for counter in model.counters.values() if counter.dims == (kind.name,)]
    return [*places, *counters, *kind.fields, *kind.facts]


def find_link_fact(kind: Kind | ResolvedKind, to: str) -> str:
    """Return the one fact of *kind* that names a piece of the kind *to*, or nothing."""
    found = [fact.name for fact in kind.facts.values() if ty.strip(fact.type) == ty.Ref(to)]
    return found[0] if len(found) == 1 else ""


def _steps(model: Model, entry: Entry) -> Iterable[str]:
    return [c.name for c in model.counters.values() if c.dims[:1] in ((), ("player",)) and len(c.dims) < 3]


def _marks(model: Model, entry: Entry) -> Iterable[str]:
    return [place.name for place in model.places.values() if len(place.dims) == 1 and place.dims != ("player",)]


def _mark_step(model: Model, entry: Entry) -> Iterable[str]:
    place = model.places.get(text_at(entry, "marks"))
    kind = model.kinds[place.dims[0]] if place is not None and place.dims else None
    return [fact.name for fact in kind.facts.values() if fact.type == ty.INT] if kind else []


def _list_table_columns(model: Model, entry: Entry) -> Iterable[str]:
    """Return the counters and places that are for the same kind as the first that is named."""
    every: list[Counter | Place] = [*model.counters.values(), *model.places.values()]
    dims = {thing.name: thing.dims for thing in every if thing.dims}
    first = next((scalar.value for scalar in _scalars(entry, "rows")), "")
    kind = dims[first][0] if first in dims else "player"
    return [name for name, kinds in dims.items() if kinds[0] == kind]


def _goods(model: Model, entry: Entry) -> Iterable[str]:
    counters = [counter.name for counter in model.counters.values() if counter.dims in ((), ("player",))]
    return [*counters, *(model.kinds[TABLE].fields if TABLE in model.kinds else ())]


def _row(model: Model, entry: Entry) -> Iterable[str]:
    return [place.name for place in model.places.values() if place.type == "row"]


def _place(model: Model, entry: Entry) -> Iterable[str]:
    return [place.name for place in model.places.values() if len(place.dims) < 3]


def _piece_facts(model: Model, entry: Entry) -> Iterable[str]:
    place = model.places.get(text_at(entry, "of"))
    kind = model.kinds.get(place.of) if place is not None else None
    if kind is None:
        return []
    marked = [counter.name for counter in model.counters.values() if counter.dims == ("player", kind.name)]
    return ["text", "sign", *_list_attributes(model, kind), *marked]


def _kinds(model: Model, entry: Entry) -> Iterable[str]:
    return [kind.name for kind in model.kinds.values() if kind.name != "player" or kind.fields]


def _numbers(model: Model, entry: Entry) -> Iterable[str]:
    kind = model.kinds.get(text_at(entry, "of"))
    return [fact.name for fact in kind.facts.values() if fact.type == ty.INT] if kind else []


def _of_each(model: Model, entry: Entry) -> Iterable[str]:
    kind = model.kinds.get(text_at(entry, "of"))
    if kind is None:
        return []
    dims = ((kind.name,), ("player", kind.name))
    return [
        "text", "sign", *_list_attributes(model, kind),
        *(counter.name for counter in model.counters.values() if counter.dims in dims),
        *(place.name for place in model.places.values() if place.dims in dims and place.type != "row"),
    ]  # fmt: skip


Fits = Callable[[Model, Entry], Iterable[str]]

CHECKS: dict[tuple[str, str], tuple[Fits, str]] = {
    ("grid", "of"): (_grid, "a grid"),
    ("grid", "show"): (_in_cell, "a field or fact of the grid, or a place of its cells or of a stack over it"),
    ("grid", "behind"): (_known_there, "a field or fact of the grid"),
    ("grid", "levels"): (_list_stacked_places, "a place of a stack over the grid"),
    ("grid", "sides"): (_list_side_places, "a place of each record of a cell of the grid and one of four directions"),
    ("grid", "parts"): (_constant, "a fact of the grid"),
    ("grid", "inside"): (_other_grids, "a panel that shows another grid"),
    ("grid", "at"): (_cells_there, "a cell of the grid in which it is drawn"),
    ("grid", "paths"): (_paths, "a constant that is a list of lists of cells of the grid"),
    ("ring", "of"): (_circle, "a row, or a kind"),
    ("ring", "lines"): (_on_circle, "a place, counter or fact of the things around the ring"),
    ("ring", "fee"): (_fees, "a function that computes a number for the things around the ring"),
    ("track", "counters"): (_steps, "a counter of the table or of players"),
    ("track", "marks"): (_marks, "a place of what has a step"),
    ("track", "step"): (_mark_step, "a fact that is a number"),
    ("table", "rows"): (_list_table_columns, "a counter or a place of players, or of the kind of the first one"),
    ("row", "of"): (_row, "a row"),
    ("row", "facts"): (_piece_facts, "'text', a fact or field of its pieces, or a counter of players and pieces"),
    ("goods", "rows"): (_goods, "a counter of players or of the table, or a field of the table"),
    ("pieces", "of"): (_place, "a place"),
    ("pieces", "facts"): (_piece_facts, "'text', a fact or field of its pieces, or a counter of players and pieces"),
    **{(shows, "on"): (_on_ring, "something on a ring, or the panel of a ring") for shows in ("row", "pieces", "list")},
    ("columns", "of"): (_kinds, "a kind"),
    ("columns", "by"): (_numbers, "a fact that is a number"),
    ("columns", "lines"): (_on_circle, "a place, counter or fact of the kind"),
    ("list", "of"): (_kinds, "a kind"),
    ("list", "paths"): (_list_lines, "a graph or fact that lists pieces of the kind, or a kind that names two of them"),
    ("list", "line_facts"): (_line_facts, "a fact of the kind in 'paths'"),
    ("list", "level"): (_shown_there, "a name from 'facts'"),
    ("list", "rim"): (_shown_there, "a name from 'facts'"),
    ("list", "only"): (_of_each, "a fact or field of the kind, or a counter or place that its pieces have"),
    ("list", "facts"): (_of_each, "'text', a fact or field of the kind, or a counter or place that its pieces have"),
}
"""For a way of drawing and a key: the names that fit, and what they are in words."""


KEYS: dict[str, str] = {
    "grid": "of show behind levels sides up empty who parts inside at pattern paths art",
    "ring": "of lines fee shape",
    "track": "counters to marks step",
    "table": "rows",
    "row": "of facts on",
    "goods": "rows limits",
    "pieces": "of facts who form on",
    "list": "of facts only columns on paths line_facts spots level rim",
    "columns": "of by lines",
}
"""For a way of drawing: the keys that it has, besides those of all."""


@check
def check_panels(model: Model) -> None:
    """Check every name in panels and symbols; problems go to the model."""
    for entry in model.composition.all("panels"):
        model.problems.extend(_panel_problems(model, entry))
    model.problems.extend(_drawn_problems(model))
    model.problems.extend(_cover_problems(model))
    known = {*model.names, *_players(model), *(a for kind in model.kinds.values() for a in (*kind.facts, *kind.fields))}
    for entry in model.composition.all("symbols"):
        if entry.id not in known:
            near = nearest(entry.id, known - {*model.composition.sections["symbols"]})
            help_ = f"did you mean {near!r}?" if near else "nothing of this name is drawn; remove it"
            text = f"a symbol for {entry.id!r}, which nothing declares"
            model.problems.append(
                Problem("P0503", text, entry.key.span, help_, fixes=instead(entry.key.span, near), missing=entry.id)
            )
        else:
            model.problems.extend(_symbol_problems(model, entry))


def _symbol_problems(model: Model, entry: Entry) -> Iterator[Problem]:
    """Find names in a symbol that say nothing about its pieces."""
    kinds = [kind for kind in model.kinds.values() if kind.name == entry.id or entry.id in (d.id for d in kind.designs)]
    good = ["text", *(name for kind in kinds for name in _list_attributes(model, kind))]
    card = entry.get("card")
    corners = [leaf for _, node in card.items.values() for leaf in leaves(node)] if isinstance(card, Mapping) else []
    for scalar in [*leaves(entry.get("show")), *corners]:
        if scalar.value not in good:
            yield _wrong(model, scalar, good if kinds else [], "a fact or field of its pieces")
    for scalar in leaves(entry.get("icon")):
        if scalar.value not in icon_names():
            near = nearest(scalar.value, icon_names())
            help_ = f"did you mean {near!r}?" if near else f"there are: {', '.join(icon_names())}"
            yield Problem(
                "P0501", f"unknown icon {scalar.value!r}", scalar.span, help_, fixes=instead(scalar.span, near)
            )
    yield from _tile_problems(model, entry, good if kinds else [])
    picture = entry.get("picture")
    attributes = [one for kind in kinds for one in (*kind.facts.values(), *kind.fields.values())]
    lists = [one.name for one in attributes if isinstance(ty.strip(one.type), ty.Seq)]
    for scalar in leaves(picture.get("of")) if isinstance(picture, Mapping) else ():
        if scalar.value not in lists:
            yield _wrong(model, scalar, lists, "a fact or field of its pieces that is a list")


def _tile_problems(model: Model, entry: Entry, good: list[str]) -> Iterator[Problem]:
    """Find sides of a tile that are not known of it, and looks of what nothing declares."""
    tile = entry.get("tile")
    if isinstance(tile, Mapping):
        for scalar in [*leaves(tile.get("sides")), *leaves(tile.get("node"))]:
            if scalar.value not in good:
                yield _wrong(model, scalar, good, "a fact or field of its pieces")
        for scalar in _keys(tile.get("draw")):
            if scalar.value not in model.names:
                yield _wrong(model, scalar, [*model.names], "a value of a side")


@cache
def icon_names() -> tuple[str, ...]:
    """Return the shapes that the page of the studio has; a program in ``tools/page`` writes the list."""
    return tuple(Path(__file__).with_name("icon_names.txt").read_text("utf-8").split())


def _players(model: Model) -> list[str]:
    """Return the seats that any of the packs allows: a module may leave fewer of them."""
    nodes = [node for pack in model.composition.packs if (node := pack.manifest.get("players")) is not None]
    highest = [node.get("max") for node in nodes if isinstance(node, Mapping)]
    most = max((int(x.value) for x in highest if isinstance(x, Scalar) and x.value.isdigit()), default=0)
    return [f"player_{seat}" for seat in range(1, max(most, model.players[1] + model.automated) + 1)]


def _drawn_problems(model: Model) -> Iterator[Problem]:
    """Report the panel with which all boards together have more cells than are drawn."""
    drawn = 0
    for entry in model.composition.all("panels"):
        kind = model.kinds.get(text_at(entry, "of")) if text_at(entry, "shows") == "grid" else None
        drawn += len(kind.members or ()) if kind is not None and kind.grid else 0
        if drawn > CELLS:
            message = f"all panels together draw more than {CELLS:,} cells, with these"
            yield Problem("P0054", message, entry.key.span, "draw large boards in fewer panels")
            return


def _panel_problems(model: Model, entry: Entry) -> Iterator[Problem]:
    shows = text_at(entry, "shows")
    yield from _idle_keys(entry, shows)
    named = {scalar.value for way, key in CHECKS if way == shows for scalar in _scalars(entry, key)}
    if named & _half_known(model):
        return  # what is wrong with it is reported where it is declared
    bad = False
    for (way, key), (fits, words) in CHECKS.items():
        if way != shows or (bad and key not in ("of", "counters", "rows", "marks")):
            continue  # a wrong name would only be reported twice
        good = list(fits(model, entry))
        for scalar in _scalars(entry, key):
            if scalar.value in good:
                continue
            bad = True
            yield _wrong(model, scalar, good, words)
    kind = model.kinds.get(text_at(entry, "of"))
    pieces = [*(kind.members or ()), *(design.id for design in kind.designs)] if kind is not None else []
    for scalar in _keys(entry.get("spots")) if not bad else ():
        if scalar.value not in pieces:
            yield _wrong(model, scalar, pieces, "a piece of the kind")
    yield from _limit_problems(model, entry) if not bad else ()
    layers = [scalar.value for scalar in _scalars(entry, "show")]
    for scalar in _keys(entry.get("behind")) if shows == "grid" and not bad else ():
        if scalar.value not in layers:
            yield _wrong(model, scalar, layers, "a name from 'show'")


def _limit_problems(model: Model, entry: Entry) -> Iterator[Problem]:
    """Find limits of what the panel does not show or what each player has, and values that no option says."""
    limits, rows = entry.get("limits"), {scalar.value for scalar in _scalars(entry, "rows")}
    for key, node in limits.items.values() if isinstance(limits, Mapping) else ():
        shared = [name for name in rows if name in model.counters and not model.counters[name].dims]
        if key.value not in shared:
            yield _wrong(model, key, shared, "a counter of the table from 'rows'")
        at = node.get("at") if isinstance(node, Mapping) else None
        if isinstance(at, Scalar) and isinstance(plain(at), str) and at.value not in model.options:
            yield _wrong(model, at, [*model.options], "a number or an option")


def _cover_problems(model: Model) -> Iterator[Problem]:
    """Find covers that name no panel."""
    for pack in model.composition.packs:
        cover = pack.manifest.get("cover")
        panel = cover.get("panel") if isinstance(cover, Mapping) else None
        if isinstance(panel, Scalar) and panel.value not in model.composition.sections["panels"]:
            yield _wrong(model, panel, [*model.composition.sections["panels"]], "a panel")


def _keys(node: Node | None) -> list[Scalar]:
    return [key for key, _ in node.items.values()] if isinstance(node, Mapping) else []


def _half_known(model: Model) -> set[str]:
    """Return the places and counters that are declared with an unknown kind."""
    places = {place.name for place in model.places.values() if UNKNOWN in (place.of, *place.dims)}
    return places | {counter.name for counter in model.counters.values() if UNKNOWN in counter.dims}


def _idle_keys(entry: Entry, shows: str) -> Iterator[Problem]:
    """Find keys that another way of drawing has; the schema finds those that none has."""
    known = {key for keys in KEYS.values() for key in keys.split()}
    own = KEYS.get(shows, "").split()
    for name, (key, _) in entry.node.items.items() if isinstance(entry.node, Mapping) and own else ():
        if name in known and name not in own:
            text = f"a panel that shows a {shows!r} has no key {name!r}"
            yield Problem("P0504", text, key.span, f"it has: {', '.join(own)}")


def _wrong(model: Model, scalar: Scalar, good: list[str], words: str) -> Problem:
    name = scalar.value
    near = nearest(name, good)
    known = [*dict.fromkeys(good)]
    help_ = f"did you mean {near!r}?" if near else (f"there are: {', '.join(known[:8])}" if known else "")
    fixes = instead(scalar.span, near)
    function = model.functions.get(name)
    if function is not None and not near and "fact" in words:
        help_ = "a panel shows only functions that read nothing but facts of the piece"
    if name in model.names:
        also = ((model.spans[name], "declared here"),) if name in model.spans else ()
        text = f"{name!r} is {ty.article(model.names[name][0])}; expected {words}"
        return Problem("P0502", text, scalar.span, help_, also, fixes=fixes)
    message = f"unknown {name!r}; expected {words}"
    return Problem("P0501", message, scalar.span, help_, fixes=fixes, missing=name)
