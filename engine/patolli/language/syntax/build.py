"""Turn the parse tree into the syntax tree.

In:     a parse tree, and where its text starts.
Out:    nodes of ``language.tree``.
Errors: P0101 what the grammar takes and the language does not: ``otherwise`` without a question, a quantifier without
        a variable.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from lark import Token, Tree

from patolli.language.diagnostics import Problem
from patolli.language.syntax import tree as t
from patolli.language.syntax.forms import FORMS, Form
from patolli.language.syntax.words import words

_PLAIN: dict[str, Callable[..., t.Node]] = {
    "cost": t.Cost, "not_": t.Not, "span_of": t.SpanOf, "negative": t.Negative, "index": t.Index, "none": t.NoValue,
}  # fmt: skip
"""Rules of the grammar whose parts are those of a node."""
Branch: TypeAlias = Tree[Token]
"""What a rule of the grammar matched."""
DIGITS = 15
"""A number in a text has no more: counters and fields hold no larger ones (P0805)."""
_FORMED = {form.rule: (kind, form) for kind, form in FORMS.items()}


class _Shift:
    """Where a parsed text starts inside the text that the author wrote."""

    __slots__ = ("offset", "text")

    def __init__(self, text: t.Text, offset: int) -> None:
        self.text, self.offset = text, offset

    def at(self, tree: Branch) -> t.At:
        """Place what a rule of the grammar matched."""
        return t.At(self.text, tree.meta.start_pos + self.offset, tree.meta.end_pos + self.offset)


def build(parsed: Branch, text: t.Text, offset: int) -> tuple[Any, list[Problem]]:
    """Make the syntax tree of a *text* whose first *offset* characters the parser did not see."""
    maker = _Build(_Shift(text, offset))
    return maker.transform(parsed), maker.problems


class _Build:
    """Turn the parse tree into the syntax tree; a method for each rule of ``grammar.lark`` that is no plain node.

    Lark's own transformer wraps each call of a method, which takes longer than what the methods do. It also hands
    tokens on, which hold six positions each: here a token is its text.
    """

    def __init__(self, shift: _Shift) -> None:
        self.shift = shift
        self.problems: list[Problem] = []

    def transform(self, tree: Branch) -> Any:
        """Make what a part of the parse tree stands for, its own parts first."""
        children: list[Any] = [
            self.transform(child) if isinstance(child, Tree) else child and str(child) for child in tree.children
        ]
        if tree.data in _PLAIN:
            return _PLAIN[tree.data](*children, at=self.shift.at(tree))
        if tree.data in _FORMED:
            return self._build_statement(*_FORMED[tree.data], tree, children)
        return getattr(self, tree.data)(tree, children)

    def _build_statement(self, kind: type, form: Form, meta: Branch, c: list[Any]) -> Any:
        """Make a statement that declares its form."""
        body = {"body": _suite(c[-1])} if form.block else {}
        return kind(**form.values(c), **body, at=self.shift.at(meta))

    # -- blocks

    def effect(self, meta: Branch, lines: list[Any]) -> t.Block:
        return self._attach(_flat(lines))

    def block(self, meta: Branch, lines: list[Any]) -> t.Block:
        return self._attach(_flat(lines))

    def simple_line(self, meta: Branch, effects: list[Any]) -> t.Block:
        return self._attach(_flat(effects))

    def _attach(self, effects: list[Any]) -> t.Block:
        """Join ``otherwise`` to the question before it."""
        result: t.Block = []
        for effect in effects:
            if not isinstance(effect, tuple):
                result.append(effect)
                continue
            body, at = effect
            before = result[-1] if result else None
            if isinstance(before, t.Choose | t.ChooseSome) and before.otherwise is None:
                before.otherwise = body
            else:
                self.problems.append(
                    Problem(
                        "P0101", "'otherwise' without a 'choose' before it", at.span, "put it right below a 'choose'"
                    )
                )
        return result

    def otherwise_block(self, meta: Branch, children: list[Any]) -> Any:
        return (_suite(children[0]), self.shift.at(meta))

    # -- effects that are written in several ways

    def gain(self, meta: Branch, c: list[Any]) -> t.Gain:
        return t.Gain(c[0], c[1], False, at=self.shift.at(meta))

    def lose(self, meta: Branch, c: list[Any]) -> t.Gain:
        return t.Gain(c[0], c[1], True, at=self.shift.at(meta))

    def pay_block(self, meta: Branch, c: list[Any]) -> list[Any]:
        return [t.Pay(c[0], _text(c[1]), c[2], at=self.shift.at(meta)), *_suite(c[3])]

    def items(self, meta: Branch, c: list[Any]) -> list[t.Item]:
        return c

    def item_any(self, meta: Branch, c: list[Any]) -> t.Item:
        return t.Item(c[0], str(c[2]), [], True, at=self.shift.at(meta))

    def item_amount(self, meta: Branch, c: list[Any]) -> t.Item:
        return t.Item(c[0], str(c[1]), c[2] if len(c) > 2 and c[2] else [], at=self.shift.at(meta))

    def item_cost(self, meta: Branch, c: list[Any]) -> t.Item:
        return t.Item(c[0], at=self.shift.at(meta))

    def call_rule(self, meta: Branch, c: list[Any]) -> t.CallRule:
        at = self.shift.at(meta)
        return t.CallRule(t.Call(str(c[0]), c[1] or [], at=at), at=at)

    def give_back(self, meta: Branch, c: list[Any]) -> t.Return:
        return t.Return(c[0], at=self.shift.at(meta))

    def stop_now(self, meta: Branch, c: list[Any]) -> t.Return:
        return t.Return(None, at=self.shift.at(meta))

    def stop_if(self, meta: Branch, c: list[Any]) -> t.Return:
        return t.Return(None, c[0], at=self.shift.at(meta))

    def stop_unless(self, meta: Branch, c: list[Any]) -> t.Return:
        return t.Return(None, c[0], True, at=self.shift.at(meta))

    # -- questions

    def decline_none(self, meta: Branch, c: list[Any]) -> str:
        return "none"

    def decline_label(self, meta: Branch, c: list[Any]) -> str:
        return _unquote(c[1]) or "none"

    def how_many(self, meta: Branch, c: list[Any]) -> t.HowMany:
        least, *most = c if isinstance(c[0], t.Expr) else [None]
        return t.HowMany(least, most[0] if most else None, at=self.shift.at(meta))

    def menu(self, meta: Branch, c: list[Any]) -> t.Menu:
        options = [o for o in c[2] if isinstance(o, t.Option)]
        others = [o for o in c[2] if not isinstance(o, t.Option)]
        return t.Menu(_unquote(c[1]), options, others[0] if others else None, at=self.shift.at(meta))

    def menu_body(self, meta: Branch, c: list[Any]) -> list[Any]:
        return c

    def menu_option(self, meta: Branch, c: list[Any]) -> t.Option:
        return t.Option(_unquote(c[0]), c[1], [], _suite(c[2]), at=self.shift.at(meta))

    def menu_each(self, meta: Branch, c: list[Any]) -> t.Option:
        return t.Option(_unquote(c[2]), c[1], c[0], _suite(c[4]), _unquote(c[3]), at=self.shift.at(meta))

    def menu_otherwise(self, meta: Branch, c: list[Any]) -> t.Block:
        return _suite(c[0])

    def may(self, meta: Branch, c: list[Any]) -> t.Menu:
        at = self.shift.at(meta)
        yes = t.Option(_unquote(c[0]), None, [], _suite(c[1]), at=at)
        no = t.Option("no", None, [], [], at=at)
        return t.Menu(None, [yes, no], None, may=True, at=at)

    # -- blocks with a header

    def if_block(self, meta: Branch, c: list[Any]) -> t.If:
        condition, then, *rest = c[0], _suite(c[1]), *c[2:]
        other = rest.pop() if rest and not isinstance(rest[-1], t.If) else None  # an elif is an If, an else a list
        block: t.Block = other or []
        for part in reversed(rest):
            part.other = block
            block = [part]
        return t.If(condition, then, block, at=self.shift.at(meta))

    def elif_part(self, meta: Branch, c: list[Any]) -> t.If:
        return t.If(c[0], _suite(c[1]), [], at=self.shift.at(meta))

    def else_part(self, meta: Branch, c: list[Any]) -> t.Block:
        return _suite(c[0])

    def for_block(self, meta: Branch, c: list[Any]) -> t.For:
        return t.For(c[0], c[1], c[2] is not None, _unquote(c[3]), _suite(c[4]), at=self.shift.at(meta))

    def binders(self, meta: Branch, c: list[Any]) -> list[t.Binder]:
        return c

    def binder(self, meta: Branch, c: list[Any]) -> t.Binder:
        return t.Binder(str(c[0]), c[1], at=self.shift.at(meta))

    def where(self, meta: Branch, c: list[Any]) -> Any:
        return c[0]

    # -- expressions

    def expression(self, meta: Branch, c: list[Any]) -> Any:
        return c[0]

    def if_else(self, meta: Branch, c: list[Any]) -> t.IfElse:
        return t.IfElse(c[1], c[0], c[2], at=self.shift.at(meta))

    def or_(self, meta: Branch, c: list[Any]) -> t.Logic:
        return t.Logic("or", c[0], c[1], at=self.shift.at(meta))

    def and_(self, meta: Branch, c: list[Any]) -> t.Logic:
        return t.Logic("and", c[0], c[1], at=self.shift.at(meta))

    def compare(self, meta: Branch, c: list[Any]) -> t.Compare:
        return t.Compare(c[0], list(zip(c[1::2], c[2::2], strict=True)), at=self.shift.at(meta))

    def compare_op(self, meta: Branch, c: list[Any]) -> str:
        return " ".join(str(c[0]).split())

    def binary(self, meta: Branch, c: list[Any]) -> t.Binary:
        return t.Binary(str(c[1]), c[0], c[2], at=self.shift.at(meta))

    def given(self, meta: Branch, c: list[Any]) -> t.Given:
        whole = self.shift.at(meta)  # with the end of its line
        return t.Given(str(c[0]), c[1], at=t.At(whole.text, whole.start, c[1].at.end))

    def promise(self, meta: Branch, c: list[Any]) -> t.Promise:
        whole = self.shift.at(meta)  # with the end of its line
        reason = None if c[1] is None else str(c[1])[1:-1]
        return t.Promise(c[0], reason, at=t.At(whole.text, whole.start, c[0].at.end))

    def naming(self, meta: Branch, c: list[Any]) -> t.Naming:
        return t.Naming(c[:-1], c[-1], at=self.shift.at(meta))

    def attribute(self, meta: Branch, c: list[Any]) -> t.Attribute:
        return t.Attribute(c[0], str(c[1]), at=self.shift.at(meta))

    def number(self, meta: Branch, c: list[Any]) -> t.Number:
        at = self.shift.at(meta)
        if len(c[0]) > DIGITS:
            self.problems.append(
                Problem("P0101", "this number is too large", at.span, f"write one of {DIGITS} digits at most")
            )
        return t.Number(int(c[0][:DIGITS]), at=at)

    def name(self, meta: Branch, c: list[Any]) -> t.Name:
        return t.Name(str(c[0]), at=self.shift.at(meta))

    def true(self, meta: Branch, c: list[Any]) -> t.Truth:
        return t.Truth(True, at=self.shift.at(meta))

    def false(self, meta: Branch, c: list[Any]) -> t.Truth:
        return t.Truth(False, at=self.shift.at(meta))

    def call(self, meta: Branch, c: list[Any]) -> t.Expr:
        at, name, arguments = self.shift.at(meta), str(c[0]), c[1] or []
        several = len(arguments) == 1 or (len(arguments) > 1 and self.shift.text.language > 1)
        if name in words(self.shift.text.language).quantifiers and several and all(map(_is_binder, arguments)):
            return t.Quantifier(name, None, [_binder(one) for one in arguments], None, None, at=at)
        return t.Call(name, arguments, at=at)

    def arguments(self, meta: Branch, c: list[Any]) -> list[t.Expr]:
        return c

    def quantifier(self, meta: Branch, c: list[Any]) -> t.Expr:
        return self._quantifier(self.shift.at(meta), str(c[0]), c[1], c[2])

    def several_of(self, meta: Branch, c: list[Any]) -> t.Expr:
        """``count(a in A, b in B where P)``: with several variables, the last one is what is gone through."""
        odd = next((one for one in c[1] if not _is_binder(one)), None)
        if odd is None:
            return t.Quantifier(str(c[0]), None, [_binder(one) for one in c[1]], c[2], c[3], at=self.shift.at(meta))
        self.problems.append(Problem("P0101", "a list for each variable", odd.span, "write it as 'x in xs'"))
        return t.Quantifier(str(c[0]), odd, [], c[2], c[3], at=self.shift.at(meta))

    def list_of(self, meta: Branch, c: list[Any]) -> t.Expr:
        return self._quantifier(self.shift.at(meta), "list", c[0], c[1])

    def bracketed(self, meta: Branch, c: list[Any]) -> t.Expr:
        """``[a, b]`` are these items; ``[x in S]`` alone are those of S."""
        at = self.shift.at(meta)
        if len(c) == 1 and _is_binder(c[0]):
            return self._quantifier(at, "list", c[0], (None, None, None))
        if all(map(_is_binder, c)):
            say = "write what is collected first, as in '[x for x in xs, y in ys]'"
            self.problems.append(Problem("P0101", "of several lists, nothing says what is collected", at.span, say))
        return t.Listing(list(c), square=True, at=at)

    def _quantifier(self, at: t.At, name: str, first: t.Expr, tail: Any) -> t.Expr:
        binders, where, by = tail
        value: t.Expr | None = first
        if binders is None:
            if _is_binder(first):
                binders, value = [_binder(first)], None
            else:
                message, say = "the variable is missing", f"write it as '{_shape(name)}'"
                self.problems.append(Problem("P0101", message, first.span, say))
                binders, value = [], None
        return t.Quantifier(name, value, binders, where, by, at=at)

    def comprehension(self, meta: Branch, c: list[Any]) -> Any:
        return (c[0], c[1], c[2])

    def comprehension_where(self, meta: Branch, c: list[Any]) -> Any:
        return (None, c[0], c[1])

    def comprehension_by(self, meta: Branch, c: list[Any]) -> Any:
        return (None, None, c[0])

    def no_items(self, meta: Branch, c: list[Any]) -> t.Listing:
        return t.Listing([], square=True, at=self.shift.at(meta))

    def listing(self, meta: Branch, c: list[Any]) -> t.Listing:
        return t.Listing([x for x in c if x is not None], at=self.shift.at(meta))


def _shape(name: str) -> str:
    return "[x in xs where ...]" if name == "list" else f"{name}(x in xs where ...)"


def _suite(part: Any) -> t.Block:
    """Return the effects behind a colon; one that stands alone comes without a list."""
    return list(part) if isinstance(part, list) else [part]


def _flat(parts: list[Any]) -> list[Any]:
    return [x for part in parts for x in (part if isinstance(part, list) else [part])]


def _text(token: str | None) -> str | None:
    return None if token is None else str(token)


def _unquote(token: str | None) -> str | None:
    return None if token is None else str(token)[1:-1]


def _is_binder(expr: t.Expr) -> bool:
    return (
        isinstance(expr, t.Compare)
        and isinstance(expr.first, t.Name)
        and len(expr.rest) == 1
        and expr.rest[0][0] == "in"
    )


def _binder(expr: t.Expr) -> t.Binder:
    assert isinstance(expr, t.Compare)
    assert isinstance(expr.first, t.Name)
    return t.Binder(expr.first.id, expr.rest[0][1], at=expr.at)
