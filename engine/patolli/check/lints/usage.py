"""Find what a ruleset uses of what it declares.

In:     the resolved program.
Out:    a :class:`Usage`.

Whatever can come into play is followed from where a match begins: ``setup`` and ``match``, triggers, anytime actions,
payments, the effects of pieces, results, invariants, values, and what panels and names hold; then on from what
scenarios name.
Rules and functions that only each other call are not reached.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from patolli.check.analysis.names import named_in
from patolli.check.lints._effects import blindly_changed
from patolli.check.lints.node_names import list_named_things
from patolli.language.diagnostics import Span
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.model import FIELDS, LASTS, Formula, Program, Table, Value
from patolli.language.program.node import Node, children, walk
from patolli.language.sources import Node as YamlNode
from patolli.language.sources import texts
from patolli.language.syntax.phrases import gaps

WORD = re.compile(r"[a-z_][a-z0-9_]*")


@dataclass(slots=True)
class Usage:
    """What is used: ids by sort (``rule``, ``place`` ...), counters that are read, and tags of payments.

    ``changed`` says of counters where they first are changed without a look at them.
    ``tried`` holds the rules that only scenarios carry out, which count as used, too.
    ``all`` holds the kinds whose instances are named together or index something, so that each of them may be meant.
    """

    used: dict[str, set[str]] = field(default_factory=dict)
    read: set[str] = field(default_factory=set)
    changed: dict[str, Span] = field(default_factory=dict)
    all: set[str] = field(default_factory=set)
    tags: set[str] = field(default_factory=set)
    tried: set[str] = field(default_factory=set)

    def uses(self, sort: str, id_: str) -> bool:
        """Return whether something is used."""
        return id_ in self.used.get(sort, ())


def usage_of(program: Program) -> Usage:
    """Follow everything that can come into play."""
    return _Follow(program).run()


Root = Value | Node | Formula | Iterable[Node]


class _Follow:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.usage = Usage()
        self.open: list[Root] = []

    def run(self) -> Usage:
        self.open += self._roots()
        for name in dict.fromkeys(self._list_used_words()):
            self._word(name)
        for counter in self.program.counters.values():
            if counter.spend:
                self._mention("rule", counter.spend)
        self._go_on()
        by_rules = set(self.usage.all)
        self.open += [always for always, _ in self.program.invariants.values()]
        self._go_on()
        self.usage.all = by_rules  # what only an invariant goes through is brought nowhere by that
        played = set(self.usage.used.get("rule", ()))
        tested = dict.fromkeys(self._list_scenario_words())
        for name in tested:
            self._word(name)
        self._go_on()
        self.usage.tried = (self.program.rules.keys() & tested.keys()) - played
        return self.usage

    def _go_on(self) -> None:
        while self.open:
            self._visit(self.open.pop())

    # -- where a match begins

    def _roots(self) -> Iterator[Root]:
        program = self.program
        for name, rule in program.rules.items():
            if rule.hidden or name in ("setup", "match"):
                self._use("rule", name)
                if not name.endswith(LASTS):  # that something is set back at an end is no use of it
                    yield rule.block
                    yield from rule.report_settings.values
        for name, function in program.functions.items():
            if "'" in name:
                self._use("function", name)
                yield function.body
        yield from (trigger.condition for trigger in program.triggers)
        yield from (program.active, *program.formulas)
        yield from (inner for action in program.anytime for inner in (action.binder, action.when))
        yield from (inner for waiver in program.waivers for inner in (waiver.binder, waiver.when))
        for substitution in program.substitutions:
            self.usage.read.update(substitution.targets)
            yield substitution.give
        yield from program.list_payment_conditions()
        yield from self._list_declaration_roots()

    def _list_declaration_roots(self) -> Iterator[Root]:
        """Yield the expressions of declarations, and count the kinds that they name."""
        program = self.program
        for kind in program.kinds.values():
            yield from (kind.active, kind.copies, *kind.sides)
            yield from (one for lines in kind.lines.values() for line in lines for one in line)
            self._use("kind", kind.over)
            self._use("kind", kind.lays)
            for _, legend in kind.maps.values():
                yield from legend.values()
            for attribute in (*kind.facts.values(), *kind.fields.values()):
                self._type(attribute.type, but=kind.name)
                yield attribute.default
            for design in kind.designs:
                yield from (design.copies, design.place, *design.facts.values())
        for counter in program.counters.values():
            self._dims(counter.dims)
            yield from (counter.high, counter.start)
        for place in program.places.values():
            self._dims(place.dims)
            self._use("kind", place.of)
            yield place.size
        for constant in program.constants.values():
            self._type(constant.type)

    def _dims(self, dims: tuple[str, ...]) -> None:
        for kind in dims:
            self._use("kind", kind)
            self.usage.all.add(kind)

    def _list_used_words(self) -> list[str]:
        """Return the words of panels, names, and documents that are left out; what they name is used."""
        composition = self.program.composition
        trees: list[YamlNode] = [*composition.left_out, *(entry.node for entry in composition.all("panels"))]
        symbols = composition.all("symbols")
        trees += [shown for entry in symbols for key in ("show", "picture") if (shown := entry.get(key)) is not None]
        named = (
            node
            for section in ("kinds", "grids", "records", "pieces", "places")
            for _, node in named_in(composition, section)
        )
        words = WORD.findall("\n".join(texts(*trees)))
        return [
            *words,
            *(word for node in named for gap in gaps(node.value) for word in gap.path),
            *self._list_choice_words(),
        ]

    def _list_choice_words(self) -> Iterator[str]:
        """Return the words that stand in braces in what answers are called."""
        for rule in self.program.rules.values():
            for node in walk(rule.block):
                if isinstance(node, e.Choose | e.Option) and node.words is not None:
                    yield from (word for gap in gaps(node.words) for word in gap.path[1:])

    def _list_scenario_words(self) -> list[str]:
        """Return the words of scenarios; what they name is used, too."""
        return WORD.findall("\n".join(texts(*(entry.node for entry in self.program.composition.all("scenarios")))))

    def _word(self, name: str) -> None:
        what, owner = self.program.names.get(name, ("", ""))
        if not what:
            return
        self._mention("option" if what == "choice" else what, owner if what == "choice" else name)
        if what in ("member", "piece"):
            self._use("kind", owner)

    # -- following

    def _use(self, sort: str, id_: str) -> bool:
        """Note that something is used; return whether that is new."""
        known = self.usage.used.setdefault(sort, set())
        if id_ in known:
            return False
        known.add(id_)
        return True

    def _mention(self, sort: str, id_: str) -> None:
        """Use what stands under a name, and go on with what is inside it."""
        program = self.program
        if sort == "counter":
            self.usage.read.add(id_)
        elif sort == "group":
            self.usage.read.update(program.groups.get(id_, ()))
        if not self._use(sort, id_):
            return
        if sort == "rule" and id_ in program.rules:
            rule = program.rules[id_]
            self.open.append(rule.block)
            self.open.extend(rule.report_settings.values)
            self._parameters(rule.parameters)
        elif sort == "function" and id_ in program.functions:
            function = program.functions[id_]
            self.open.append(function.body)
            self._parameters(function.parameters)
        elif sort == "constant" and id_ in program.constants:
            self.open.append(program.constants[id_].value)

    def _parameters(self, parameters: Iterable[x.Variable]) -> None:
        for parameter in parameters:
            self._type(parameter.type)

    def _type(self, type_: ty.AnyType, but: str = "") -> None:
        """Use the kinds and groups in a type, except for the kind that it belongs to."""
        match type_:
            case ty.Maybe() | ty.Seq():
                self._type(type_.of, but)
            case ty.Ref() | ty.Design() if type_.kind != but:
                self._use("kind", type_.kind)
            case ty.Group():
                self._mention("group", type_.name)

    def _visit(self, value: Root) -> None:
        match value:
            case None:
                return
            case str():
                if value in self.program.rules and self.program.rules[value].hidden:
                    self._mention("rule", value)
            case Table():
                self.open.extend((value.by, *value.rows.values()))
            case Formula():
                self.open.append(value.body)
            case Node():
                self._node(value)
            case _:
                self.open.extend(value)

    def _node(self, node: Node) -> None:
        """Use what a node names; what it changes without a look at it is not read by that."""
        self._names(node)
        changed = blindly_changed(node)
        for part in children(node):
            if any(part is one for one in changed):
                self._record_change(part, node.span)
                self.open.extend(children(part))
            else:
                self.open.append(part)

    def _record_change(self, part: Node, span: Span) -> None:
        for sort, id_ in list_named_things(part):
            self._use(sort, id_)
            for counter in (id_,) if sort == "counter" else self.program.groups[id_] if sort == "group" else ():
                self.usage.changed[counter] = min(span, self.usage.changed.get(counter, span))

    def _names(self, node: Node) -> None:
        for sort, id_ in list_named_things(node):
            if sort == "piece":
                self._instance(id_)
            elif sort == "name":
                self._word(id_)
            else:
                self._mention(sort, id_)
        match node:
            case x.Instances(kind=kind) | x.BuiltinCall(name=kind):
                self.usage.all.add(kind)
            case x.FieldOf(kind=kind, field=name) if kind in FIELDS:
                self._use("field", name)
            case e.Pay() if node.tag is not None:
                self.usage.tags.add(node.tag)
            case e.Do():
                for name in self.program.effect_rules(node.kind, node.fact):
                    self._mention("rule", name)

    def _instance(self, name: str) -> None:
        name = name.rpartition(".")[2]
        self._use("piece", name)
        stem, _, number = name.rpartition("_")
        if number.isdigit():
            self._use("piece", stem)
