"""Read the small texts inside entries: types with bounds and defaults, expressions, costs, effects."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from patolli.language.diagnostics import Fix, Problem, Span, instead, nearest
from patolli.language.program import types as ty
from patolli.language.resolve.model import Attribute, Model
from patolli.language.resolve.sayings import own_words
from patolli.language.sources import Mapping, Node, Scalar
from patolli.language.sources.lookalikes import advice, is_unseen, name_character, plain_form
from patolli.language.sources.nodes import text_at
from patolli.language.sources.phrases import describe_value as value_found
from patolli.language.sources.phrases import on_one_line
from patolli.language.syntax import tree as t
from patolli.language.syntax.depth import TYPES
from patolli.language.syntax.parser import parse_cost, parse_effect, parse_expression
from patolli.language.syntax.syntax_walk import nodes

_T = TypeVar("_T")
_WORD = re.compile(r"[a-z_][a-z0-9_]*\Z")
_NUMBER = re.compile(r"[0-9]{1,15}\Z")
_TYPE = re.compile(
    r"\s*(?P<type>(?:list of )*[a-z_][a-z0-9_]*\??)(?P<maybe>\s+or\s+none)?"
    r"(?:\s+(?P<low>-?[0-9]+)\.\.(?P<high>-?[0-9]+))?\s*(?:=\s*(?P<default>.+?))?\s*\Z",
    re.S,
)
FORMULA = "formula"
_FORMULA = re.compile(rf"\s*{FORMULA}\s*(?:=\s*(?P<default>.+?))?\s*\Z", re.S)
_QUOTED = re.compile(r"(['\"]).*\1", re.S)
_PLAIN = {"int": ty.INT, "bool": ty.BOOL, "text": ty.TEXT, "effect": ty.EFFECT, "cost": ty.COST}
_ELSEWHERE = dict.fromkeys(("number", "float", "decimal"), "int") | dict.fromkeys(("string", "str", "char"), "text")
"""How types are called elsewhere, where the name is not alike."""


@dataclass(slots=True)
class Part:
    """A part of a text, which knows its own place."""

    whole: t.Text
    offset: int
    value: str

    @property
    def language(self) -> int:
        """The version of the language of the whole text."""
        return self.whole.language

    def place(self, offset: int, length: int) -> Span:
        """Map an offset of this part to the file."""
        return self.whole.place(self.offset + offset, length)


def _expression(text: t.Text) -> tuple[t.Expr | None, list[Problem]]:
    """Parse an expression; plain words and numbers do not need the grammar."""
    value = text.value.strip()
    at = t.At(text, 0, len(text.value))
    if _NUMBER.match(value):
        return t.Number(int(value), at=at), []
    if value in ("true", "false"):
        return t.Truth(value == "true", at=at), []
    if value == "none":
        return t.NoValue(at=at), []
    if _WORD.match(value) and value not in ("any", "not"):
        return t.Name(value, at=at), []
    return parse_expression(text)


class Reader:
    """Parses texts of one ruleset and collects what is wrong with them."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.stepped: list[t.Call] = []  # calls of steps as rules

    def problem(
        self,
        code: str,
        message: str,
        span: Span,
        help_: str = "",
        *also: tuple[Span, str],
        fixes: tuple[Fix, ...] = (),
        missing: str = "",
    ) -> None:
        """Record a problem; *missing* is the name that nothing declares."""
        self.model.problems.append(Problem(code, message, span, help_, also, fixes=fixes, missing=missing))

    def one_line(self, value: str, name: str, span: Span) -> None:
        """Report a value of type text that has a line break: it may stand in a name, a label or a line of the log."""
        if "\n" in value:
            self.problem(
                "P0055", f"{name} must be a text of one line, found {value_found(value)}", span, on_one_line(value)
            )

    def unknown(self, what: str, node: Node, name: str, known: Iterable[str]) -> None:
        """Report a name that nothing declares, with the nearest of those that are known."""
        gone = self.model.composition.removed_ids.get(name, ())
        near = nearest(name, known) if not gone else None
        also = ((self.model.spans[near], "declared here"),) if near in self.model.spans else gone
        help_ = f"did you mean {near!r}?" if near else ""
        if what == "kind" and name == "design" and near is None:
            help_ = "the designs of a kind are named after it, as in 'card_design'"
        place = node.span
        if isinstance(node, Scalar) and node.value != name and name in node.value:
            place = node.place(node.value.index(name), len(name))
        message, fixes = f"unknown {what} {name!r}", instead(place, near)
        self.problem("P0201", message, node.span, help_, *also, fixes=fixes, missing=name)

    def scalar(self, node: Node | None, what: str) -> Scalar | None:
        """Return the node when it is a scalar; a wrong shape has been reported by the schema already."""
        return node if isinstance(node, Scalar) else None

    def expression(self, text: t.Text | None) -> t.Expr | None:
        """Parse an expression."""
        return None if text is None else self._parse_cached(_expression, text)

    def effect(self, text: t.Text | None) -> t.Block | None:
        """Parse an effect."""
        return None if text is None else self._parse_cached(parse_effect, text)

    def cost(self, text: t.Text | None) -> t.Cost | None:
        """Parse a cost."""
        return None if text is None else self._parse_cached(parse_cost, text)

    def _parse_cached(self, parse: Callable[[t.Text], tuple[_T | None, list[Problem]]], text: t.Text) -> _T | None:
        """Parse a text, once for all rulesets in which its node takes part.

        A parser sees nothing but the text: its value, its language, and where it stands. None of them changes while the
        node lives, and no code changes a tree after it was made, so the tree that another ruleset got is as good as
        new.
        """
        if not isinstance(text, Scalar):
            result, problems = parse(text)
        else:
            readings = text.readings
            if readings is None:
                readings = text.readings = {}
            known = readings.get(parse.__name__)
            if known is None:
                known = readings[parse.__name__] = parse(text)
            result, problems = known
        self.model.problems.extend(problems)
        if result is not None and "/" in text.value:
            self.stepped += [one for one in nodes(result) if isinstance(one, t.Call) and "/" in one.id]
        return result

    def formula(self, name: str, node: Node) -> Attribute | None:
        """Read the declaration of a fact that is a formula; nothing if it is another one."""
        about, text = (node.get("text"), node.get("type")) if isinstance(node, Mapping) else (None, node)
        found = _FORMULA.match(text.value) if isinstance(text, Scalar) else None
        if found is None or not isinstance(text, Scalar):
            return None
        said, default = about.value if isinstance(about, Scalar) else "", found["default"]
        attribute = Attribute(name, ty.INT, text.span, False, has_default=default is not None, text=said)
        if default is not None:
            attribute.default = self.expression(Part(text, found.start("default"), default))
        return attribute

    def attribute(self, name: str, node: Node, mutable: bool, owned: bool = True) -> Attribute | None:
        """Read the declaration of a fact, field or constant type such as ``int 1..6 = 1``.

        What cannot be read has any type, so that its name is known at least. What is *owned* belongs to a piece, which
        is known.
        """
        said, reported, saying, visible, unless, lasts = "", False, "", "all", "", None
        text = node
        if isinstance(node, Mapping):
            text = node.get("type") or node
            said = text_at(node, "text")
            announced = node.get("told")
            if isinstance(announced, Scalar):
                reported, saying = own_words(
                    self, announced, ("piece", "old", "new", "me") if owned else ("old", "new")
                )
            visible, unless = text_at(node, "visible") or "all", text_at(node, "unless")
            lasts = node.get("lasts")
        if not isinstance(text, Scalar):
            return None
        fixes: tuple[Fix, ...] = ()
        odd = next((at for at, letter in enumerate(text.value) if is_unseen(letter)), None)
        if odd is not None:
            message = f"unexpected {name_character(text.value[odd])}"
            fixes = instead(text.place(odd, 1), plain_form(text.value[odd]), sure=True)
            self.problem("P0103", message, text.place(odd, 1), advice(text.value[odd]), fixes=fixes)
            return Attribute(name, ty.ANY, text.span, mutable, has_default=True)
        found = _TYPE.match(text.value)
        if not found:
            help_ = "write it like 'int 1..6 = 1', 'list of int' or 'player or none'"
            fixes = ()
            first, _, rest = text.value.partition(" of ")
            if rest and nearest(first, ["list"]):
                help_ = f"did you mean 'list of {rest}'?"
                fixes = instead(text.place(0, len(first)), "list")
            self.problem("P0103", f"{text.value!r} is not a type", text.span, help_, fixes=fixes)
            return Attribute(name, ty.ANY, text.span, mutable, has_default=True)
        kind = self.named_type(found["type"], text, found.start("type"))
        if found["maybe"]:
            kind = ty.Maybe(kind)
        low = int(found["low"]) if found["low"] else None
        high = int(found["high"]) if found["high"] else None
        if low is not None and high is not None and low > high:
            place = text.place(found.start("low"), found.end("high") - found.start("low"))
            fixes = instead(place, f"{high}..{low}")
            self.problem("P0103", f"no number is from {low} to {high}", place, f"write {high}..{low}", fixes=fixes)
            low = high = None
        attribute = Attribute(name, kind, text.span, mutable, low, high, text=said, told=reported)
        attribute.visible, attribute.unless, attribute.saying = visible, unless, saying
        attribute.lasts = lasts if isinstance(lasts, Scalar) else None
        if found["default"] is not None:
            attribute.has_default = True
            default = found["default"]
            plain = ty.strip(kind)
            only = ("nothing", "none") if plain == ty.EFFECT else ("none",) if plain == ty.COST else None
            if only is not None and default not in only:
                span = text.place(found.start("default"), len(default))
                words = f"the default of {kind} can only be '{only[0]}'"
                self.problem("P0103", words, span, f"write {only[0]!r}", fixes=instead(span, only[0]))
            elif isinstance(kind, ty.Seq) and default == "[]":
                pass  # as without it: a list is empty unless said
            elif plain == ty.TEXT and (kind == ty.TEXT or default != "none"):
                attribute.words = default[1:-1] if _QUOTED.fullmatch(default) else default
                place = text.place(found.start("default"), len(default))
                self.one_line(attribute.words, f"the default of `{name}`", place)
            elif kind != ty.EFFECT and plain != ty.ANY:
                attribute.default = self.expression(Part(text, found.start("default"), default))
        return attribute

    def named_type(self, name: str, text: t.Text, offset: int) -> ty.AnyType:
        """Return the type with this name; an unknown one is reported and becomes ``any``."""
        if name.count("list of ") > TYPES:
            self.problem("P0103", "lists inside lists inside lists, too deeply", text.place(offset, len(name)))
            return ty.ANY
        if name.startswith("list of "):
            return ty.Seq(self.named_type(name.removeprefix("list of ").strip(), text, offset + 8))
        if name.endswith("?"):
            return ty.Maybe(self.named_type(name[:-1], text, offset))
        if name in _PLAIN:
            return _PLAIN[name]
        if name in self.model.kinds:
            return ty.Ref(name)
        if name in self.model.groups:
            return ty.Group(name)
        known = [*_PLAIN, *self.model.kinds, *self.model.groups]
        gone = self.model.composition.removed_ids.get(name, ())
        near = (nearest(name, known) or _ELSEWHERE.get(name)) if not gone else None
        help_ = f"did you mean {near!r}?" if near else ""
        help_ = "only a fact of a kind of pieces may be a formula" if name == FORMULA else help_
        also = ((self.model.spans[near], "declared here"),) if near in self.model.spans else gone
        span = text.place(offset, len(name))
        self.problem("P0201", f"unknown type {name!r}", span, help_, *also, fixes=instead(span, near), missing=name)
        return ty.ANY
