"""Find what a ruleset uses of what it declares.

In:     a typed model.
Out:    a :class:`Usage`.

Whatever can come into play is followed from where a match begins: ``setup`` and ``match``, triggers, anytime actions,
payments, the effects of pieces, results, invariants, values, and what panels and scenarios name. Rules and functions
that only each other call are not reached.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from patolli.analysis.declare import Table
from patolli.analysis.effects import effect_rules
from patolli.analysis.model import Model
from patolli.analysis.walking import children, sort_of
from patolli.language import tree as t
from patolli.program import types as ty
from patolli.sources import Mapping, Node, Scalar, Sequence

WORD = re.compile(r"[a-z_][a-z0-9_]*")


@dataclass(slots=True)
class Usage:
    """What is used: ids by sort (``rule``, ``place`` ...), counters read and changed, and tags of payments.

    ``all`` holds the kinds whose instances are named together or index something, so that each of them may be meant.
    """

    used: dict[str, set[str]] = field(default_factory=dict)
    read: set[str] = field(default_factory=set)
    changed: dict[str, t.Node] = field(default_factory=dict)
    all: set[str] = field(default_factory=set)
    tags: set[str] = field(default_factory=set)

    def uses(self, sort: str, id_: str) -> bool:
        """Tell whether something is used."""
        return id_ in self.used.get(sort, ())


def usage_of(model: Model) -> Usage:
    """Follow everything that can come into play."""
    return _Follow(model).run()


class _Follow:
    def __init__(self, model: Model) -> None:
        self.model = model
        self.usage = Usage()
        self.open: list[object] = []

    def run(self) -> Usage:
        for root in self._roots():
            self.open.append(root)
        for name in dict.fromkeys(self._named()):
            self._word(name)
        for counter in self.model.counters.values():
            if counter.spend:
                self._mention("rule", counter.spend)
        while self.open:
            self._visit(self.open.pop())
        return self.usage

    # -- where a match begins

    def _roots(self) -> Iterator[object]:
        model = self.model
        for name, rule in model.rules.items():
            if rule.hidden or name in ("setup", "match"):
                self._use("rule", name)
                yield rule.block
        for rule in model.rules.values():
            yield from (trigger.when for trigger in (*rule.before, *rule.after))
        for name, function in model.functions.items():
            if "'" in name:
                self._use("function", name)
                yield function.body
        yield from (model.active, model.score, model.ties, list(model.values.values()))
        yield from (always for always, _ in model.invariants.values())
        yield from (x for action in model.anytime for x in (action.binder, action.when))
        yield from (x for waiver in model.waivers for x in (waiver.binder, waiver.when))
        yield from (discount.when for discount in model.discounts)
        yield from (substitution.when for substitution in model.substitutions)
        for substitution in model.substitutions:
            self.usage.read.update((*substitution.targets, substitution.give.thing or ""))
        yield from self._declared()

    def _declared(self) -> Iterator[object]:
        """Yield the expressions of declarations, and count the kinds that they name."""
        model = self.model
        for kind in model.kinds.values():
            yield from (kind.active, kind.copies)
            self._use("kind", kind.over)
            self._use("kind", kind.lays)
            for _, legend in kind.maps.values():
                yield from legend.values()
            for attribute in (*kind.facts.values(), *kind.fields.values()):
                self._type(attribute.type, but=kind.name)
                yield attribute.default
            for design in kind.designs:
                yield from (design.copies, design.place, *design.facts.values())
        for counter in model.counters.values():
            self._dims(counter.dims)
            yield from (counter.high, counter.start)
        for place in model.places.values():
            self._dims(place.dims)
            self._use("kind", place.of)
            yield place.size
        for constant in model.constants.values():
            self._type(constant.type)

    def _dims(self, dims: tuple[str, ...]) -> None:
        for kind in dims:
            self._use("kind", kind)
            self.usage.all.add(kind)

    def _named(self) -> Iterator[str]:
        """Yield the words of panels, scenarios and documents that are left out; what they name is used."""
        for tree in self.model.composition.left_out:
            for text in texts(tree):
                yield from WORD.findall(text)
        for section in ("panels", "scenarios"):
            for entry in self.model.composition.all(section):
                for text in texts(entry.node):
                    yield from WORD.findall(text)
        for entry in self.model.composition.all("symbols"):
            shown = entry.get("show")
            for text in texts(shown) if shown is not None else ():
                yield from WORD.findall(text)

    def _word(self, name: str) -> None:
        what, owner = self.model.names.get(name, ("", ""))
        if not what:
            return
        for sort, id_ in (("option" if what == "choice" else what, owner if what == "choice" else name),):
            self._mention(sort, id_)
        if what in ("member", "piece"):
            self._use("kind", owner)

    # -- following

    def _use(self, sort: str, id_: str) -> bool:
        """Note that something is used; tell whether that is news."""
        known = self.usage.used.setdefault(sort, set())
        if id_ in known:
            return False
        known.add(id_)
        return True

    def _mention(self, sort: str, id_: str) -> None:
        """Use what stands under a name, and go on with what is inside it."""
        model = self.model
        if sort == "counter":
            self.usage.read.add(id_)
        if not self._use(sort, id_):
            return
        if sort == "rule" and id_ in model.rules:
            rule = model.rules[id_]
            self.open.append(rule.block)
            self._parameters(rule.parameters)
        elif sort == "function" and id_ in model.functions:
            function = model.functions[id_]
            self.open.append(function.body)
            self._parameters(function.parameters)
        elif sort == "constant" and id_ in model.constants:
            self.open.append(model.constants[id_].value)
        elif sort == "group":
            self.usage.read.update(model.groups.get(id_, ()))

    def _parameters(self, parameters: list[tuple[str, ty.AnyType]]) -> None:
        for _, type_ in parameters:
            self._type(type_)

    def _type(self, type_: ty.AnyType, but: str = "") -> None:
        """Use the kinds and groups in a type, except for the kind that it belongs to."""
        match type_:
            case ty.Maybe() | ty.Seq():
                self._type(type_.of, but)
            case ty.Ref() | ty.Design() if type_.kind != but:
                self._use("kind", type_.kind)
            case ty.Group():
                self._mention("group", type_.name)

    def _visit(self, value: object) -> None:
        if isinstance(value, Table):
            self.open.extend((value.by, *value.rows.values()))
            return
        if isinstance(value, str):
            if value in self.model.rules and self.model.rules[value].hidden:
                self._mention("rule", value)
            return
        match value:
            case t.Gain():
                self._changed(value)
                return
            case t.Item() if value.thing is not None:
                self._item(value, reads=True)
                return
            case t.Pay() if value.tag is not None:
                self.usage.tags.add(value.tag)
            case t.SetTo() if sort_of(value.target) == "counter":
                self.usage.changed.setdefault(value.target.note[1], value)
                self.open.extend((*children(value.target), value.value))
                return
            case t.Do() if value.note:
                for name in effect_rules(self.model, value.note[1], value.note[2]):
                    self._mention("rule", name)
        if isinstance(value, t.Expr):
            self._expression(value)
        self.open.extend(inner for inner in children(value) if isinstance(inner, t.Node | list | tuple | str | Table))

    def _changed(self, effect: t.Gain) -> None:
        for item in effect.items:
            self._item(item, reads=item.thing is None, by=effect)
        if effect.who is not None:
            self.open.append(effect.who)

    def _item(self, item: t.Item, reads: bool, by: t.Node | None = None) -> None:
        """Use one part of a cost or gain; costs read what they take."""
        self.open.extend((item.amount, *item.arguments))
        name = item.thing or ""
        members = self.model.groups.get(name, ()) if sort_of(item) == "mix" else (name,)
        if sort_of(item) == "mix":
            self._use("group", name)
        if reads:
            self.usage.read.update(members)
        else:
            for member in members:
                self.usage.changed.setdefault(member, by or item)

    def _expression(self, expr: t.Expr) -> None:
        """Use what an expression names, as the checker noted it."""
        note = t.note_of(expr)
        match note[0]:
            case "rule" | "function" | "constant" | "place" | "counter" | "group" | "option":
                self._mention(note[0], note[1])
            case "member":
                self._mention("counter", note[1])
            case "choice" if isinstance(expr.type, ty.Choice):
                self._use("option", expr.type.option)
            case "kind":
                self._use("kind", note[1])
                self.usage.all.add(note[1])
            case "instance" | "design":
                self._use("kind", note[1])
                self._instance(note[2])
            case "fact" | "field" | "design_of":
                self._use("kind", note[1])
            case "builtin" if note[1] == "place_of" and isinstance(expr, t.Call):
                place = expr.arguments[1]
                if isinstance(place, t.Name):
                    self._mention("place", place.id)

    def _instance(self, name: str) -> None:
        name = name.rpartition(".")[2]
        self._use("piece", name)
        stem, _, number = name.rpartition("_")
        if number.isdigit():
            self._use("piece", stem)


def texts(node: Node) -> Iterator[str]:
    """Yield every text of a YAML tree, keys included."""
    match node:
        case Scalar():
            yield node.value
        case Sequence():
            for item in node.items:
                yield from texts(item)
        case Mapping():
            for key, value in node.items.values():
                yield key.value
                yield from texts(value)
