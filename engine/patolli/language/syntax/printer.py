"""Print a syntax tree as canonical text.

In:     expressions, costs, or the block of an effect, with or without the text that it was read from.
Out:    text that parses to an equal tree: blocks indented by two, one blank round operators, no needless brackets.

Without its text a tree is printed with one effect on a line. With it, what the author put on one line stays there
(``a; b``, ``if c: a``), comments and single blank lines are kept, and a long effect that was broken inside brackets
stays broken where it was. Printing what was printed changes nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast

from patolli.language.syntax import inline_printer
from patolli.language.syntax import tree as t

STEP = 2
WIDE = 100
"""An effect that its author broke is joined again when it fits into so many columns."""
FAR = 1 << 60
_COMMENT = re.compile(r'"[^"\n]*"|(#[^\n]*)')


def print_expression(expr: t.Expr) -> str:
    """Print an expression on one line."""
    return inline_printer.spell(expr)


def print_effect(block: t.Block, source: str | None = None) -> str:
    """Print an effect, without a line end behind the last line.

    Args:
        block: What the parser made, or a tree without places.
        source: The text that the block was parsed from; places and comments are looked up there.
    """
    return _Printer(_Source(source)).text(block)


def print_naming(naming: t.Naming, source: str | None = None) -> str:
    """Print an expression with the lines before it that name values, like an effect of so many lines."""
    lines: t.Block = [
        t.Let(one.id, one.value, at=one.at)
        if isinstance(one, t.Given)
        else t.Expect(one.condition, one.reason, at=one.at)
        for one in naming.given
    ]
    last: Any = _Value(naming.value, naming.value.at)
    return _Printer(_Source(source)).text([*lines, last])


@dataclass(slots=True)
class _Value:
    """An expression on a line of its own, which is printed as effects are."""

    value: t.Expr
    at: t.At


def comments(source: str) -> list[str]:
    """Return the comments of a text in order, without blanks behind them."""
    return [found[1].rstrip() for found in _COMMENT.finditer(source) if found[1]]


@dataclass(slots=True)
class _Comment:
    at: int
    text: str


class _Source:
    """What the author wrote, asked by offsets; of a tree without text nothing is known."""

    def __init__(self, text: str | None) -> None:
        self.known = text is not None
        self.text = text or ""
        found = _COMMENT.finditer(self.text)
        self.comments = [_Comment(m.start(), m[1].rstrip()) for m in found if m[1]]

    def begin(self, offset: int) -> int:
        """Return where the line of an offset begins."""
        return self.text.rfind("\n", 0, offset) + 1

    def opens(self, offset: int) -> bool:
        """Return whether only blanks stand before an offset on its line."""
        return not self.known or not self.text[self.begin(offset) : offset].strip()

    def column(self, offset: int) -> int:
        """Return the column of an offset, from 0."""
        return offset - self.begin(offset)

    def blank_above(self, offset: int) -> bool:
        """Return whether the line above is blank."""
        start = self.begin(offset)
        return start > 1 and not self.text[self.begin(start - 1) : start].strip()

    def find(self, word: str, start: int, end: int) -> int:
        """Return where a word that opens a line stands between two offsets, or *end*."""
        found = re.compile(rf"(?:^|;)[ \t]*({word})\b", re.M).search(self.text, start, end)
        return found.start(1) if found else end

    def broken(self, at: t.At) -> bool:
        """Return whether a stretch goes over several lines."""
        return "\n" in self.text[at.start : at.end]


class _Printer:
    """Writes lines; comments that were not written yet wait in ``waiting``."""

    def __init__(self, source: _Source) -> None:
        self.source = source
        self.waiting = source.comments
        self.lines: list[str] = []

    def text(self, block: t.Block) -> str:
        self.block(block, 0, FAR)
        self.flush(FAR, 0)
        return "\n".join(self.lines)

    # -- lines and comments

    def start(self, node: t.Node) -> int:
        return node.at.start if self.source.known else 0

    def add(self, depth: int, text: str, start: int = -1, end: int = -1) -> None:
        """Write a line; *start* is where it began, *end* lies on the last line that it took."""
        first = start >= 0 and self.source.known and self.source.opens(start)
        if first and self.source.blank_above(start):
            self._blank()
        behind = ""
        if self.source.known and end >= 0:
            stop = self.source.text.find("\n", end)
            stop = FAR if stop < 0 else stop
            if self.waiting and end <= self.waiting[0].at < stop:
                behind = f"  {self.waiting.pop(0).text}"
        self.lines.append(" " * (STEP * depth) + text + behind)

    def _blank(self) -> None:
        """Leave a line blank, but neither the first nor a second one."""
        if self.lines and self.lines[-1]:
            self.lines.append("")

    def flush(self, limit: int, depth: int, column: int = 0) -> None:
        """Write the comments before *limit* that stand at *column* or further in, each on a line of its own."""
        while self.waiting and self.waiting[0].at < limit:
            first = self.waiting[0]
            if self.source.column(first.at) < column:
                return
            self.waiting.pop(0)
            if self.source.opens(first.at) and self.source.blank_above(first.at):
                self._blank()
            self.lines.append(" " * (STEP * depth) + first.text)

    # -- blocks

    def block(self, effects: t.Block, depth: int, limit: int) -> None:
        """Write the effects of a block; what is written after it begins at *limit*."""
        groups = self._groups(effects)
        for group, after in pairwise([*groups, None]):
            assert group is not None
            self.flush(self.start(group[0]), depth)
            self._group(group, depth, limit if after is None else self.start(after[0]))
        if effects and self.source.known and self.source.opens(self.start(effects[0])):
            self.flush(limit, depth, max(1, self.source.column(self.start(effects[0]))) if depth else 0)

    def _groups(self, effects: t.Block) -> list[t.Block | None]:
        """Divide effects into those that share a line; a payment with a block keeps what is in it."""
        groups: list[t.Block | None] = []
        until = -1
        for effect in effects:
            joins = self.source.known and (self.start(effect) < until or not self.source.opens(self.start(effect)))
            if groups and joins:
                assert groups[-1] is not None
                groups[-1].append(effect)
            else:
                groups.append([effect])
            if isinstance(effect, t.Pay) and self.source.known:
                until = max(until, effect.at.end)
        return groups

    def _group(self, group: t.Block, depth: int, limit: int) -> None:
        """Write effects that share a line; the last of them may have a block."""
        start, before = self.start(group[0]), ""
        for i, effect in enumerate(group):
            if isinstance(effect, t.Pay) and self._holds(group, i):
                line = before + (inline_printer.simple(effect) or "")
                self._suite(line, group[i + 1 :], depth, (start, limit))
                return
            if i < len(group) - 1:
                before += f"{inline_printer.simple(effect)}; "
            else:
                self._last(effect, before, depth, (start, limit))

    def _holds(self, group: t.Block, index: int) -> bool:
        """Return whether a payment was written with a block."""
        after = group[index + 1 : index + 2]
        return self.source.known and bool(after) and group[index].at.end > after[0].at.start

    def _last(self, effect: t.Effect, before: str, depth: int, reach: tuple[int, int]) -> None:
        start, limit = reach
        kind: type = type(effect)
        text = inline_printer.spell(cast(Any, effect).value) if kind is _Value else inline_printer.simple(effect)
        if text is None:
            self._compound(effect, before, depth, reach)
            return
        otherwise = effect.otherwise if isinstance(effect, t.Choose | t.ChooseSome) else None
        end = effect.at.end if self.source.known else -1
        self._simple(effect, before + text, depth, start)
        if otherwise is not None:
            at = self.source.find("otherwise", end, self.start(otherwise[0])) if self.source.known else 0
            self.flush(at, depth)
            self._suite("otherwise", otherwise, depth, (at, limit))

    def _simple(self, effect: t.Effect, text: str, depth: int, start: int) -> None:
        """Write effects without a block, broken where the author broke a long one."""
        if not self.source.known:
            self.add(depth, text)
            return
        end = effect.at.end
        inside = any(start < comment.at < end for comment in self.waiting)
        wide = STEP * depth + len(text) > WIDE
        if not (self.source.broken(t.At(effect.at.text, start, end)) and (inside or wide)):
            self.add(depth, text, start, end)
            return
        first, *rest = self.source.text[start:end].split("\n")
        shift = STEP * depth - self.source.column(start)
        self.waiting = [comment for comment in self.waiting if not start < comment.at < end]
        self.add(depth, first.rstrip(), start)
        for line in rest[:-1]:
            self.lines.append(_shift_line(line, shift))
        self.add(0, _shift_line(rest[-1], shift), end=end)

    # -- effects with blocks

    def _compound(self, effect: t.Effect, before: str, depth: int, reach: tuple[int, int]) -> None:
        line = before + inline_printer.header(effect)
        body = _body(effect)
        if isinstance(effect, t.If):
            self._if(effect, line, depth, reach)
        elif isinstance(effect, t.Menu) and body is None:
            self._menu(effect, line, depth, reach)
        elif body is not None:
            self._suite(line, body, depth, reach)

    def _if(self, effect: t.If, line: str, depth: int, reach: tuple[int, int]) -> None:
        start, limit = reach
        if not effect.other:
            self._suite(line, effect.then, depth, reach)
            return
        first = effect.other[0]
        chained = len(effect.other) == 1 and isinstance(first, t.If)
        at = self.start(first)
        if self.source.known and not self.source.text.startswith("elif", at):
            chained = False
            at = self.source.find("else", effect.then[-1].at.start, at)
        self._suite(line, effect.then, depth, (start, at))
        self.flush(at, depth)
        if chained:
            assert isinstance(first, t.If)
            self._if(first, f"elif {inline_printer.spell(first.condition)}", depth, (at, limit))
        else:
            self._suite("else", effect.other, depth, (at, limit))

    def _menu(self, menu: t.Menu, line: str, depth: int, reach: tuple[int, int]) -> None:
        start, limit = reach
        self.add(depth, f"{line}:", start, self._header_end(start, menu.options))
        ends = [self.start(option) for option in menu.options[1:]] + [limit]
        at = limit
        if menu.otherwise is not None and self.source.known:
            at = self.source.find("otherwise", self.start(menu.options[-1]), self.start(menu.otherwise[0]))
            ends[-1] = at
        for option, end in zip(menu.options, ends, strict=True):
            self.flush(self.start(option), depth + 1)
            self._suite(inline_printer.option(option), option.body, depth + 1, (self.start(option), end))
        if menu.otherwise is not None:
            self.flush(at, depth + 1)
            self._suite("otherwise", menu.otherwise, depth + 1, (at, limit))

    def _header_end(self, start: int, inner: list[t.Option]) -> int:
        """Return an offset on the last line of a header, behind which a comment may stand."""
        if not self.source.known:
            return -1
        return start if not inner else max(start, self.source.text.rfind(":", start, self.start(inner[0])))

    def _suite(self, line: str, body: t.Block, depth: int, reach: tuple[int, int]) -> None:
        """Write a header and its block, on the same line when the author did so."""
        start, limit = reach
        first = self.start(body[0])
        inline = None if not self.source.known or self.source.opens(first) else self._inline(body)
        if inline is not None:
            self.add(depth, f"{line}: {inline}", start, body[-1].at.start)
            return
        end = -1 if not self.source.known else max(start, self.source.text.rfind(":", start, first))
        self.add(depth, f"{line}:", start, end)
        self.block(body, depth + 1, limit)

    def _inline(self, body: t.Block) -> str | None:
        """Write a block on one line; None when it was not on one, or cannot be."""
        parts: list[str] = []
        for i, effect in enumerate(body):
            text = inline_printer.simple(effect)
            held = isinstance(effect, t.Pay) and self._holds(body, i)
            broken = text is not None and not held and self.source.broken(effect.at)
            if broken or (i and self.source.opens(effect.at.start)):
                return None
            if held:
                inner = self._inline(body[i + 1 :])
                return None if inner is None else "; ".join([*parts, f"{text}: {inner}"])
            if text is None:
                if i < len(body) - 1 or (isinstance(effect, t.If) and effect.other):
                    return None
                text = self._one_line(effect)
            elif isinstance(effect, t.Choose | t.ChooseSome) and effect.otherwise is not None:
                return None
            if text is None:
                return None
            parts.append(text)
        return "; ".join(parts)

    def _one_line(self, effect: t.Effect) -> str | None:
        """Write an effect with a block on one line, or return None."""
        inner = _body(effect)
        text = None if inner is None else self._inline(inner)
        return None if text is None else f"{inline_printer.header(effect)}: {text}"


def _body(effect: t.Effect) -> t.Block | None:
    """Return the block right below the line of an effect; None of a menu, which has lines of its own."""
    match effect:
        case t.If():
            return effect.then
        case t.Menu():
            return effect.options[0].body if effect.may else None
    body: t.Block | None = getattr(effect, "body", None)
    return body


def _shift_line(line: str, by: int) -> str:
    """Move a line to the right, or to the left as far as it has blanks."""
    inner = line.strip()
    return " " * max(0, len(line) - len(line.lstrip()) + by) + inner if inner else ""
