"""Say how a text of the effect language can be changed in one place, so that it still says something.

In:     the tree of a text: an effect, an expression or a cost.
Out:    changes, in the order of the text. What they say may be wrong; the checker refuses it then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from patolli.author.scenarios.mutation.mutant import Change
from patolli.language.syntax import tree as t

COMPARISONS = {"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "in": "not in", "not in": "in"}
ARITHMETIC = {"+": "-", "-": "+", "*": "+", "div": "*", "mod": "div"}
QUANTIFIERS = {"any": "all", "all": "any", "min": "max", "max": "min", "lowest": "highest", "highest": "lowest",
               "sum": "count"}  # fmt: skip
NEIGHBORS = {"next": "previous", "previous": "next"}
BARE = (t.Name, t.Attribute, t.Call, t.Index)
"""Conditions without a word in them that could be changed; ``not`` is put in front of them."""
_BLOCKS_AND_NAMES = re.compile(r"\b(Block|Option|Binder)\b")
"""The types of the fields that hold blocks, or variables that a statement names."""
OTHER = "next(me)"
"""Another player than `me`."""


def changes(tree: Any, value: str) -> list[Change]:
    """Return all changes of a text, in order, each once."""
    found = _Changes(value)
    found.node(tree)
    return sorted(dict.fromkeys(found.all), key=lambda change: change[1:])


def numbers(value: int, start: int, end: int, kind: str = "number") -> Iterator[Change]:
    """Make a number that stands in a text one more, and one less unless it is 0."""
    yield Change(kind, start, end, str(value + 1))
    if value > 0:
        yield Change(kind, start, end, str(value - 1))


class _Changes:
    def __init__(self, value: str) -> None:
        self.value = value
        self.all: list[Change] = []
        self.players: tuple[str, ...] = ()  # variables that stand for players
        self.acting = ""  # the one of them that is me

    def add(self, kind: str, start: int, end: int, new: str) -> None:
        self.all.append(Change(kind, start, end, new))

    def word(self, kind: str, old: str, new: str, start: int, end: int) -> None:
        """Replace a word or sign, which stands once between two places."""
        pattern = rf"\b{re.escape(old)}\b".replace(r"\ ", r"\s+") if old[0].isalpha() else re.escape(old)
        found = re.compile(pattern).search(self.value, start, end)
        if found is not None:
            self.add(kind, found.start(), found.end(), new)

    # -- the tree

    def node(self, node: Any) -> None:
        """Change something in a node or in what stands inside it."""
        if isinstance(node, list | tuple):
            for item in node:
                self.node(item)
            return
        if not is_dataclass(node) or isinstance(node, t.At) or _is_report(node):
            return
        change = getattr(self, f"_{type(node).__name__.lower()}", None)
        if change is not None:
            change(node)
        if isinstance(node, t.Effect) and _may_be_left_out(type(node)):
            self._left_out(node)
        known = self.players, self.acting
        bound = _binders(node)
        self.players += tuple(b.id for b in bound if _are_players(b.source))
        if any(b.id == self.acting for b in bound):
            self.acting = ""
        for field in fields(node):
            if field.name == "body":
                self.acting = _acting(node) or self.acting
            if field.name != "at":
                self.node(getattr(node, field.name))
        self.players, self.acting = known

    # -- effects

    def _statement(self, node: t.Effect) -> tuple[int, int]:
        """Return where a statement begins and ends; a comment or blank space behind it is not part of it."""
        written = self.value[node.at.start : node.at.end].partition("\n")[0].partition("#")[0]
        return node.at.start, node.at.start + len(written.rstrip(" ;"))

    def _left_out(self, node: t.Effect) -> None:
        start, end = self._statement(node)
        if isinstance(node, t.Pay) and self.value[start:end].endswith(":"):
            return  # it has a block, and is changed in other ways
        self.add("effect", start, end, "nothing")

    def _gain(self, node: t.Gain) -> None:
        start, end = self._statement(node)
        if node.less:
            self.word("payment", "lose", "gain", start, end)
        elif node.who is None:
            self.word("payment", "gain", "pay", start, end)
        else:
            self.word("payment", "gain", "lose", start, end)
        if node.who is None:
            self.add("player", end, end, f" for {OTHER}")

    def _pay(self, node: t.Pay) -> None:
        start, end = self._statement(node)
        last = node.items[-1].at.end
        if not self.value[start:end].endswith(":"):
            self.add("payment", start, end, f"gain{self.value[start + len('pay') : last]}")

    def _return(self, node: t.Return) -> None:
        if node.condition is not None:
            old, new = ("unless", "if") if node.negated else ("if", "unless")
            self.word("condition", old, new, node.at.start, node.condition.at.start)

    def _require(self, node: t.Require) -> None:
        self._negate_condition(node.condition)

    def _if(self, node: t.If) -> None:
        self._negate_condition(node.condition)

    def _option(self, node: t.Option) -> None:
        self._negate_condition(node.condition)

    def _for(self, node: t.For) -> None:
        self._negate_condition(node.where)

    def _choose(self, node: t.Choose) -> None:
        self._negate_condition(node.where)

    # -- expressions

    def _negate_condition(self, condition: t.Expr | None) -> None:
        if isinstance(condition, BARE):
            start = condition.at.start
            self.add("condition", start, start, "not ")

    def _number(self, node: t.Number) -> None:
        self.all += numbers(node.value, node.at.start, node.at.end)

    def _truth(self, node: t.Truth) -> None:
        self.add("value", node.at.start, node.at.end, "false" if node.value else "true")

    def _name(self, node: t.Name) -> None:
        if node.id == "me":
            self.add("player", node.at.start, node.at.end, OTHER)
        elif node.id in self.players and node.id != self.acting:
            self.add("player", node.at.start, node.at.end, "me")

    def _call(self, node: t.Call) -> None:
        start = node.at.start
        if node.id in NEIGHBORS:
            self.word("player", node.id, NEIGHBORS[node.id], start, start + len(node.id))
        self._swap_quantifier(node)

    def _quantifier(self, node: t.Quantifier) -> None:
        self._negate_condition(node.where)
        self._swap_quantifier(node)

    def _swap_quantifier(self, node: t.Call | t.Quantifier) -> None:
        start = node.at.start
        if node.id in QUANTIFIERS:
            self.word("quantifier", node.id, QUANTIFIERS[node.id], start, start + len(node.id))

    def _binary(self, node: t.Binary) -> None:
        self.word("operator", node.op, ARITHMETIC[node.op], node.left.at.end, node.right.at.start)

    def _compare(self, node: t.Compare) -> None:
        last = node.first
        for op, right in node.rest:
            self.word("comparison", op, COMPARISONS[op], last.at.end, right.at.start)
            last = right

    def _logic(self, node: t.Logic) -> None:
        self.word("operator", node.op, "or" if node.op == "and" else "and", node.left.at.end, node.right.at.start)
        for part in (node.left, node.right):
            self._negate_condition(part)

    def _not(self, node: t.Not) -> None:
        start = node.at.start
        inner = re.compile(r"not\s*").match(self.value, start, node.of.at.start)
        if inner is not None:
            self.add("operator", start, inner.end(), "")

    def _ifelse(self, node: t.IfElse) -> None:
        self._negate_condition(node.condition)


def _may_be_left_out(kind: type[t.Effect]) -> bool:
    """Return whether a statement of a kind can be left out: it has no block, and names nothing that others use."""
    return not any(_BLOCKS_AND_NAMES.search(str(field.type)) or field.name == "id" for field in fields(kind))


def _acting(node: Any) -> str:
    """Return the variable that stands for the same player as ``me`` in the body of a statement, if any does."""
    match node:
        case t.As(who=t.Name(id=name)) | t.AsBy(who=t.Name(id=name)) | t.Simultaneously(binder=t.Binder(id=name)):
            return str(name)
        case t.As() | t.AsBy():
            return "me"
    return ""


def _is_report(node: Any) -> bool:
    """Return whether a statement does nothing but show people something, so that no match depends on what it says."""
    match node:
        case t.Say() | t.Reveal() | t.Nothing():
            return True
        case t.As() | t.AsBy() | t.For(any_order=False):
            return all(map(_is_report, node.body))
        case t.If():
            return all(map(_is_report, (*node.then, *node.other)))
    return False


def _binders(node: Any) -> list[t.Binder]:
    found = getattr(node, "binders", None) or [getattr(node, "binder", None)]
    return [binder for binder in found if isinstance(binder, t.Binder)]


def _are_players(source: t.Expr) -> bool:
    """Return whether the items of a list are players, as far as its words say so."""
    if isinstance(source, t.Name):
        return source.id == "players"
    return isinstance(source, t.Call) and source.id in ("others", "turn_order")
