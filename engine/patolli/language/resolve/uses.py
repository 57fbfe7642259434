"""Collect what the names in texts were resolved to, for those who look up and rename: each name, where it stands.

In:     the syntax of a name, and what the pass has found that it means.
Out:    :class:`Use`, one for each place; a name that is looked at again counts as what it was found to be at last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from patolli.language.diagnostics import Span
from patolli.language.program import expressions as x
from patolli.language.program.builtins import BUILTINS
from patolli.language.resolve.model import Model, Use
from patolli.language.syntax import tree as t
from patolli.language.syntax.words import QUANTIFIERS

NAMING = (t.Name, t.Call, t.Attribute, t.Quantifier)
CALLED = QUANTIFIERS | set(BUILTINS)
BUILT_IN_VARIABLES = ("me", "it", "copy")


class Uses:
    """All names that were resolved, in order; computed on demand, as most checks of a pack never need them."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.owner = ""  # whose variables are meant: a rule, a function, or whatever else holds the text
        self._later: list[Callable[[], None]] = []
        self._found: dict[tuple[int, int], Use] = {}

    def __iter__(self) -> Iterator[Use]:
        self._found.clear()
        for one in self._later:
            one()
        return iter(list(self._found.values()))

    def __len__(self) -> int:
        return len(self._later)

    def cut(self, known: int) -> list[Callable[[], None]]:
        """Take away all but the first notes, and return them."""
        later = self._later[known:]
        del self._later[known:]
        return later

    def restore_notes(self, later: list[Callable[[], None]]) -> None:
        """Put notes back that were taken away."""
        self._later += later

    @contextmanager
    def of(self, owner: str) -> Iterator[None]:
        """Let the variables of what is resolved meanwhile belong to an owner."""
        outer, self.owner = self.owner, owner
        yield
        self.owner = outer

    # -- what was resolved

    def record_resolution(self, expr: t.Expr, found: x.Expr) -> None:
        """Note what an expression was found to be."""
        if isinstance(expr, NAMING):
            self._later.append(partial(self._record_resolution, self.owner, expr, found))

    def record_name(self, expr: t.Name | t.Call) -> None:
        """Note a name that means the same wherever it stands."""
        self._later.append(partial(self._by_itself, expr, expr.at.start, expr.id))

    def word(self, expr: t.Name) -> None:
        """Note a name that is a word of the language."""
        self._later.append(partial(self._add, expr, expr.at.start, expr.id, "builtin", expr.id))

    def rule(self, call: t.Call, id_: str) -> None:
        """Note the call of a rule."""
        self._later.append(partial(self._rule, call, id_))

    def binder(self, binder: t.Binder) -> None:
        """Note the variable that a binder names."""
        self._later.append(partial(self._variable, self.owner, binder, binder.at.start, binder.id, True))

    def record_declaration(self, effect: t.Let | t.Random) -> None:
        """Note the variable that an effect names."""
        self._later.append(partial(self._record_declaration, self.owner, effect))

    def record_given(self, given: t.Given) -> None:
        """Note the variable that a line before an expression names."""
        offset = word_after(given.at.text.value, given.at.start + len("let"), given.id)
        self._later.append(partial(self._variable, self.owner, given, offset, given.id, True))

    def item(self, item: t.Item, sort: str, id_: str = "") -> None:
        """Note what a part of a cost or gain names; with the sort ``variable`` one of the rule, with an id that one."""
        self._later.append(partial(self._item, self.owner, item, sort, id_))

    def tag(self, effect: t.Pay) -> None:
        """Note the tag of a payment."""
        self._later.append(partial(self._tag, effect))

    # -- what it is

    def _add(self, node: t.Node, offset: int, name: str, sort: str, id_: str, declares: bool = False) -> None:
        """Note a name, if it stands where it should: adjustments and replaced rules have nodes that no author wrote."""
        text, end = node.at.text, offset + len(name)
        if text.value[offset:end] == name and not text.value[end : end + 1].isidentifier():
            self._found[(id(text), offset)] = Use(text, offset, name, sort, id_, declares)

    def _record_resolution(self, owner: str, expr: t.Expr, found: x.Expr) -> None:
        match expr:
            case t.Name():
                self._name(owner, expr, expr.id, found)
            case t.Call():
                self._name(owner, expr, "original" if "'" in expr.id else expr.id, found)
            case t.Quantifier() if expr.id != "list":
                self._add(expr, expr.at.start, expr.id, "builtin", expr.id)
            case t.Attribute():
                self._attribute(expr, found)

    def _name(self, owner: str, expr: t.Name | t.Call, name: str, found: x.Expr) -> None:
        start = expr.at.start
        match found:
            case x.Local() | x.CopyNumber():
                self._variable(owner, expr, start, name)
            case x.FunctionCall(function=id_):
                self._add(expr, start, name, "function", id_.partition("'")[0])
            case x.Can(rule=id_) if isinstance(expr, t.Call) and expr.id == id_:
                self._rule(expr, id_)
            case x.CounterAt(counter=id_) | x.CounterNamed(counter=id_) if expr.id == id_:
                self._add(expr, start, name, "counter", id_)
            case x.Seats() | x.Instances(kind="player") if name in ("seats", "players"):
                self._add(expr, start, name, "builtin", name)
            case x.Expr() if isinstance(expr, t.Call) and expr.id in CALLED and expr.id not in self.model.names:
                self._add(expr, start, name, "builtin", name)
            case _:
                self._by_itself(expr, start, expr.id)

    def _attribute(self, expr: t.Attribute, found: x.Expr) -> None:
        offset = expr.at.end - len(expr.name)
        match found:
            case x.FactOf(kind=kind) | x.FieldOf(kind=kind):
                self._add(expr, offset, expr.name, "fact", f"{kind}.{expr.name}")
            case x.CounterAt(counter=counter):
                self._add(expr, offset, expr.name, "counter", counter)
            case x.DesignOf():
                self._add(expr, offset, expr.name, "builtin", "design")
            case x.FunctionCall(function=id_) if "." in id_:
                self._add(expr, offset, expr.name, "fact", id_)
            case x.Instance() | x.FunctionCall():
                self._by_itself(expr, offset, expr.name)

    def _by_itself(self, node: t.Node, offset: int, name: str) -> None:
        found = identify_name(self.model, name)
        if found is not None:
            self._add(node, offset, found.name, found.sort, found.id)

    def _rule(self, call: t.Call, id_: str) -> None:
        rule, _, step = call.id.partition("/")
        if step:
            self._add(call, call.at.start, rule, "rule", rule)
            self._add(call, call.at.start + len(rule) + 1, step, "step", call.id)
            return
        self._add(call, call.at.start, "original" if "'" in call.id else call.id, "rule", id_.partition("'")[0])

    def _variable(self, owner: str, node: t.Node, offset: int, name: str, declares: bool = False) -> None:
        if name in BUILT_IN_VARIABLES and not declares:
            self._add(node, offset, name, "builtin", name)
        else:
            self._add(node, offset, name, "variable", f"{owner}'{name}", declares)

    def record_choice(self, effect: t.ChooseSome) -> Span:
        """Note the variable that holds several things that were chosen; return where it is named."""
        behind = effect.where.at.end if effect.where is not None else effect.binder.at.end
        offset = word_after(effect.at.text.value, behind, effect.id)
        self._later.append(partial(self._variable, self.owner, effect, offset, effect.id, True))
        return effect.at.text.place(offset, len(effect.id))

    def _record_declaration(self, owner: str, effect: t.Let | t.Random) -> None:
        offset = word_after(effect.at.text.value, effect.at.start + len(type(effect).__name__), effect.id)
        self._variable(owner, effect, offset, effect.id, True)

    def _item(self, owner: str, item: t.Item, sort: str, id_: str) -> None:
        name = item.thing or ""
        offset = word_after(item.at.text.value, item.amount.at.end, name)
        if sort == "variable":
            self._variable(owner, item, offset, name)
        elif id_ and name != id_:
            self._add(item, offset, name, "noun", f"{id_}.{name}")
        else:
            self._add(item, offset, name, sort, id_ or name)

    def _tag(self, effect: t.Pay) -> None:
        """Note a tag: it ends the line of the payment, but not the payment, which may have a block."""
        if effect.tag is not None:
            offset = word_after(effect.at.text.value, effect.items[-1].at.end, effect.tag)
            self._add(effect, offset, effect.tag, "tag", effect.tag, True)


@dataclass(frozen=True, slots=True)
class Named:
    """What an id stands for by itself: its name as far as that is meant, the sort of it, and its id."""

    name: str
    sort: str
    id: str


def identify_name(model: Model, name: str) -> Named | None:
    """Say what an id stands for by itself; a copy such as ``card_2`` counts as its piece."""
    kind = model.kinds.get(name)
    if kind is not None and kind.lays:
        name = kind.lays  # the kind of its placements is named after a grid
    if name in model.names:
        what, owner = model.names[name]
        return Named(name, "fact", f"{owner}.{name}") if what == "field" else Named(name, what, name)
    if name == "player":
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
