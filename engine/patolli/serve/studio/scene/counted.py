"""Panels that count: tracks with markers, tables of players or things, and goods."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from patolli.check.analysis.panels import Limit, Panel
from patolli.language.program import types as ty
from patolli.language.program.effects import Block, CounterItem, Gain
from patolli.language.program.expressions import Number
from patolli.language.program.model import TABLE
from patolli.play.scene import counts
from patolli.serve.studio.scene.sketch import Mark, Sketch, id_of, marks_text

# ---- tracks


def track(sketch: Sketch, panel: Panel) -> dict[str, Any]:
    """Return a track: markers on steps, with a line for each counter and each thing that it counts for."""
    lines = [_line(sketch, panel, line) for line in counts.track_lines(sketch.eye, panel)]
    return {"last": counts.last_step(sketch.eye, panel), "lines": lines}


def _line(sketch: Sketch, panel: Panel, line: counts.TrackLine) -> Mark:
    marks = [(step, _marker(sketch, name)) for step, name in line.markers]
    markers = [{"step": step, "mark": mark, "says": f"{marks_text([mark])} at {step}"} for step, mark in marks]
    drawn: Mark = {"title": line.title, "markers": markers, "beside": list(_beside(sketch, panel, line.thing))}
    if not line.thing:
        return drawn
    symbol = sketch.eye.symbol(line.kind, line.thing)
    drawn |= {"colour": symbol.colour} if symbol is not None and symbol.colour else {}
    rewards = _list_rewards(sketch, line, counts.last_step(sketch.eye, panel) + 1)
    return drawn | {"id": id_of(line.kind, line.thing), **({"rewards": rewards} if any(rewards) else {})}


def _list_rewards(sketch: Sketch, line: counts.TrackLine, steps: int) -> list[list[Mark]]:
    """Return what each step of a line gives: amounts of counters with icons, and nothing for other effects.

    A fact of the thing that holds an effect for each step, no more and no less, says what the steps give.
    """
    design = sketch.eye.design(line.kind, line.thing)
    for fact in sketch.eye.model.kinds[line.kind].facts.values():
        type_ = ty.strip(fact.type)
        if design is None or not isinstance(type_, ty.Seq) or type_.of != ty.EFFECT:
            continue
        rules = [sketch.eye.model.rules.get(f"{design.id}.{fact.name}[{step}]") for step in range(steps + 1)]
        if rules[-1] is None and None not in rules[:-1]:
            return [[*_list_gains(sketch, rule.block)] for rule in rules if rule is not None]
    return []


def _list_gains(sketch: Sketch, block: Block) -> Iterator[Mark]:
    """Yield the amounts that a block gains for certain, if it does nothing else."""
    items = [item for effect in block if isinstance(effect, Gain) and not effect.less for item in effect.items]
    if not all(isinstance(effect, Gain) for effect in block):
        return
    for item in items:
        if isinstance(item, CounterItem) and isinstance(item.amount, Number) and (icon := sketch.icon(item.counter)):
            yield {**icon, "amount": item.amount.value, "says": sketch.eye.title(item.counter)}


def _marker(sketch: Sketch, name: str) -> Mark:
    return _of_table(sketch, name) if name in sketch.eye.model.counters else sketch.piece("player", name)


def _of_table(sketch: Sketch, name: str) -> Mark:
    return next(iter(sketch.sign(name)), {"sign": name[0].upper(), "says": sketch.eye.title(name)})


def _beside(sketch: Sketch, panel: Panel, thing: str) -> Iterator[Mark]:
    """Yield the pieces beside the steps of one line."""
    for beside in counts.pieces_beside(sketch.eye, panel, thing):
        marks = [sketch.piece(sketch.eye.place(panel.of).of, piece) for piece in beside.pieces]
        lying = {"id": id_of(beside.kind, beside.thing), "step": beside.step, "marks": marks, "hidden": beside.hidden}
        yield lying | sketch.icon(panel.of)


# ---- tables


def table(sketch: Sketch, panel: Panel) -> dict[str, Any]:
    """Return a table of the amounts of each player, or of each thing of another kind."""
    kind = counts.dims_of(sketch.eye, panel.rows[0])[0]
    heads = [sketch.whose(kind, one) for one in sketch.eye.names(kind)]
    return {"heads": heads, "rows": [_row(sketch, row, kind) for row in counts.table_rows(sketch.eye, panel)]}


def _row(sketch: Sketch, row: counts.TableRow, kind: str) -> Mark:
    values = [counts.amount_of(sketch.eye, row.name, one, *row.others) for one in sketch.eye.names(kind)]
    return {"id": f"counter:{row.name}", "title": row.title, "values": values, **_color_mark(sketch, row.name)}


def _color_mark(sketch: Sketch, row: str) -> Mark:
    symbol = sketch.eye.symbols.get(row)
    if symbol is None:
        return {}
    return {key: value for key, value in (("colour", symbol.colour), ("icon", symbol.icon)) if value}


# ---- goods


def goods(sketch: Sketch, panel: Panel) -> dict[str, Any]:
    """Return the counters of the viewing player and of the table."""
    limits = {limit.counter: limit for limit in panel.limits}
    return {"items": [item | _limit(sketch, limits.get(row)) for row in panel.rows for item in _good(sketch, row)]}


def _limit(sketch: Sketch, limit: Limit | None) -> Mark:
    """Return what a meter needs: the value that ends the match, how it ends, and why."""
    if limit is None:
        return {}
    at = counts.limit_value(sketch.eye, limit)
    return {"limit": {"at": at, "end": limit.end, **({"reason": limit.reason} if limit.reason else {})}}


def _good(sketch: Sketch, row: str) -> Iterator[Mark]:
    eye = sketch.eye
    head = {"id": f"counter:{row}", "title": eye.title(row), **_color_mark(sketch, row)}
    if row not in eye.model.counters:
        fields = eye.view["pieces"][TABLE][TABLE]
        shown = sketch.draw_fact(TABLE, TABLE, row) if row in fields else [{"text": "?"}]
        no = [{"text": "no"}] if fields.get(row) is False else [{"text": "-"}]
        yield {**head, "marks": shown or no}
    elif not eye.counter(row).dims or sketch.me:
        # Who decides for another player needs the goods of both, each with its sign.
        owners = eye.own if eye.counter(row).dims else []
        values = [eye.count(row, owner) for owner in owners] or [eye.count(row)]
        texts = [{"text": "?" if value is None else str(value)} for value in values]
        signs = [sketch.piece("player", owner) for owner in owners if len(owners) > 1]
        yield {**head, "marks": [mark for pair in zip(signs, texts, strict=True) for mark in pair] if signs else texts}
