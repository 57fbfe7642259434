"""Collect what the names in texts were resolved to, for those who look up and rename: each name, where it stands.

In:     the syntax of a name, and what the pass has found that it means.
Out:    :class:`Use`, one for each place; a name that is looked at again counts as what it was found to be at last.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from patolli.analysis.model import Model, Use
from patolli.language import tree as t
from patolli.program import expressions as x

BUILT_IN_VARIABLES = ("me", "it", "copy")


class Uses:
    """All names that were resolved, in the order in which they were."""

    def __init__(self, model: Model) -> None:
        """Begin with none."""
        self.model = model
        self.owner = ""  # whose variables are meant: a rule, a function, or whatever else holds the text
        self._found: dict[tuple[int, int], Use] = {}

    def __iter__(self) -> Iterator[Use]:
        """Go through all of them."""
        return iter(self._found.values())

    @contextmanager
    def of(self, owner: str) -> Iterator[None]:
        """Let the variables of what is resolved meanwhile belong to somebody."""
        outer, self.owner = self.owner, owner
        yield
        self.owner = outer

    def drop(self, known: int) -> None:
        """Forget all but the first ones."""
        for key in list(self._found)[known:]:
            del self._found[key]

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._found)

    def add(self, node: t.Node, offset: int, name: str, sort: str, id_: str, declares: bool = False) -> None:
        """Note a name, if it stands where it should: adjustments and replaced rules have nodes that nobody wrote."""
        text, end = node.at.text, offset + len(name)
        if text.value[offset:end] == name and not text.value[end : end + 1].isidentifier():
            self._found[(id(text), offset)] = Use(text, offset, name, sort, id_, declares)

    # -- what was resolved

    def resolved(self, expr: t.Expr, found: x.Expr) -> None:
        """Note what an expression was found to be."""
        match expr:
            case t.Name():
                self._name(expr, expr.id, found)
            case t.Call():
                self._name(expr, "original" if "'" in expr.id else expr.id, found)
            case t.Quantifier() if expr.id != "list":
                self.add(expr, expr.at.start, expr.id, "builtin", expr.id)
            case t.Attribute():
                self._attribute(expr, found)

    def _name(self, expr: t.Name | t.Call, name: str, found: x.Expr) -> None:
        start = expr.at.start
        match found:
            case x.Local() | x.CopyNumber():
                self.variable(expr, start, name)
            case x.FunctionCall(function=id_):
                self.add(expr, start, name, "function", id_.partition("'")[0])
            case x.Can(rule=id_) if expr.id == id_:
                self.add(expr, start, name, "rule", id_.partition("'")[0])
            case x.CounterAt(counter=id_) | x.CounterNamed(counter=id_) if expr.id == id_:
                self.add(expr, start, name, "counter", id_)
            case _ if isinstance(expr, t.Call) and expr.id not in self.model.names:
                self.add(expr, start, name, "builtin", name)
            case _:
                self.named(expr)

    def _attribute(self, expr: t.Attribute, found: x.Expr) -> None:
        offset = expr.at.end - len(expr.name)
        match found:
            case x.FactOf(kind=kind) | x.FieldOf(kind=kind):
                self.add(expr, offset, expr.name, "fact", f"{kind}.{expr.name}")
            case x.CounterAt(counter=counter):
                self.add(expr, offset, expr.name, "counter", counter)
            case x.DesignOf():
                self.add(expr, offset, expr.name, "builtin", "design")
            case x.Instance():
                self._by_itself(expr, offset, expr.name)

    # -- what is named elsewhere than in expressions

    def named(self, expr: t.Name | t.Call) -> None:
        """Note a name that means the same everywhere."""
        self._by_itself(expr, expr.at.start, expr.id)

    def _by_itself(self, node: t.Node, offset: int, name: str) -> None:
        found = named(self.model, name)
        if found is not None:
            self.add(node, offset, found.name, found.sort, found.id)

    def rule(self, call: t.Call, id_: str) -> None:
        """Note the call of a rule."""
        name = "original" if "'" in call.id else call.id
        self.add(call, call.at.start, name, "rule", id_.partition("'")[0])

    def variable(self, node: t.Node, offset: int, name: str, declares: bool = False) -> None:
        """Note a variable; some are of the language."""
        if name in BUILT_IN_VARIABLES and not declares:
            self.add(node, offset, name, "builtin", name)
        else:
            self.add(node, offset, name, "variable", f"{self.owner}'{name}", declares)

    def item(self, item: t.Item, sort: str) -> None:
        """Note what a part of a cost or gain names; with the sort ``variable`` one of the rule."""
        name = item.thing or ""
        offset = word_after(item.at.text.value, item.amount.at.end, name)
        if sort == "variable":
            self.variable(item, offset, name)
        else:
            self.add(item, offset, name, sort, name)

    def tag(self, effect: t.Pay) -> None:
        """Note the tag of a payment; it ends the line of the payment, but not the payment, which may have a block."""
        if effect.tag is not None:
            offset = word_after(effect.at.text.value, effect.items[-1].at.end, effect.tag)
            self.add(effect, offset, effect.tag, "tag", effect.tag)

    def declared(self, effect: t.Let | t.Random) -> None:
        """Note the variable that an effect names."""
        offset = word_after(effect.at.text.value, effect.at.start + len(type(effect).__name__), effect.id)
        self.variable(effect, offset, effect.id, True)


@dataclass(frozen=True, slots=True)
class Named:
    """What an id stands for by itself: its name as far as that is meant, the sort of it, and its id."""

    name: str
    sort: str
    id: str


def named(model: Model, name: str) -> Named | None:
    """Say what an id stands for by itself; a copy such as ``card_2`` counts as its piece."""
    kind = model.kinds.get(name)
    if kind is not None and kind.lays:
        name = kind.lays  # the kind of its placements is named after a grid
    if name in model.names:
        return Named(name, model.names[name][0], name)
    if name in ("player", "players", "seats", "box"):
        return Named(name, "builtin", name)
    stem, _, number = name.rpartition("_")
    if number.isdigit() and stem in model.designs:
        return Named(stem, "piece" if model.names.get(stem, ("piece",))[0] == "piece" else model.names[stem][0], stem)
    if number.isdigit() and stem == "player":
        return Named(name, "builtin", name)
    return None


def word_after(value: str, offset: int, word: str) -> int:
    """Find a whole word at or behind an offset; the end of the text when it is not there."""
    while (found := value.find(word, offset)) >= 0:
        end = found + len(word)
        if not _letter(value[found - 1 : found]) and not _letter(value[end : end + 1]):
            return found
        offset = end
    return len(value)


def _letter(text: str) -> bool:
    return text.isalnum() or text == "_"
