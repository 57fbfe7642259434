"""Parse the small texts of a pack: effects, expressions, costs, signatures and types.

In:     a text that knows its place in a file.
Out:    a syntax tree, or None.
Errors: P0101 a text that does not follow the grammar, P0102 a bad signature, P0103 a bad type.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput
from lark.indenter import DedentError, Indenter

from patolli.language.diagnostics import Problem
from patolli.language.sources.home import folder_of_user
from patolli.language.syntax import forms
from patolli.language.syntax import tree as t
from patolli.language.syntax.build import Branch, build
from patolli.language.syntax.depth import BRANCHES, LEVELS
from patolli.language.syntax.margins import joined_lines, reason
from patolli.language.syntax.mistakes import dedent_problem, report_later_form, syntax_problem
from patolli.language.syntax.signatures import Parameter, Signature, parse_signature
from patolli.language.syntax.words import NEWEST, QUANTIFIERS, STATEMENTS

GRAMMAR = Path(__file__).with_name("grammar.lark")
_SINCE = re.compile(r"// since ([0-9]+)$")


class _Blocks(Indenter):
    NL_type = "_NL"
    OPEN_PAREN_types = ["_LPAR", "LSQB", "LBRACE"]  # noqa: RUF012 - lark's base class declares them so
    CLOSE_PAREN_types = ["RPAR", "RSQB", "RBRACE"]  # noqa: RUF012
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 8

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """Use an instance for each text: threads that load packs share the parser, but not its open brackets."""
        tokens: Iterator[Token] = Indenter.process(_Blocks(), stream)  # type: ignore[no-untyped-call]
        return tokens


def _cache_file(language: int) -> str:
    """Return where the parser's tables are kept; lark makes them again when the grammar or lark itself has changed."""
    caches = folder_of_user("XDG_CACHE_HOME", ".cache")
    if caches is None:
        return ""
    folder = caches / "patolli"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return ""
    return str(folder / f"grammar-{language}.lark.cache") if os.access(folder, os.W_OK) else ""


@cache
def _grammar(language: int) -> Lark:
    return Lark(
        grammar_text(language),
        cache=_cache_file(language) or False,
        parser="lalr",
        start=["effect", "expression", "cost"],
        postlex=_Blocks(),
        propagate_positions=True,
        maybe_placeholders=True,
    )


def grammar_text(language: int = NEWEST) -> str:
    """Return the grammar of one version of the language: the lines that are not marked as of a later one."""
    lines = f"{GRAMMAR.read_text(encoding='utf-8')}\n{forms.grammar()}".splitlines(keepends=True)
    marks = [_SINCE.search(line.rstrip()) for line in lines]
    return "".join(line for line, mark in zip(lines, marks, strict=True) if not mark or int(mark[1]) <= language)


def parse_effect(text: t.Text) -> tuple[t.Block | None, list[Problem]]:
    """Parse an effect; the block is None when it cannot be read."""
    return _parse(text, "effect")


def parse_expression(text: t.Text) -> tuple[t.Expr | None, list[Problem]]:
    """Parse an expression; None when it cannot be read."""
    return _parse(text, "expression")


def parse_cost(text: t.Text) -> tuple[t.Cost | None, list[Problem]]:
    """Parse a cost such as ``1 coin and 2 any good``; None when it cannot be read."""
    return _parse(text, "cost")


def _parse(text: t.Text, start: str) -> tuple[Any, list[Problem]]:
    value = text.value.rstrip()
    lead = len(value) - len(value.lstrip(" "))
    try:
        parsed, deep = _parse_text(value[lead:] + "\n", start, text.language)
    except UnexpectedInput as error:
        return None, [_why(text, lead, start, error)]
    except DedentError:
        return None, [dedent_problem(text)]
    if deep is not None:
        help_ = "give the inner parts names of their own, as functions, rules, or with 'let'"
        return None, [Problem("P0101", f"the {start} is nested too deeply", text.place(deep + lead, 1), help_)]
    return build(parsed, text, lead)


def _why(text: t.Text, lead: int, start: str, error: UnexpectedInput) -> Problem:
    """Say why a text cannot be read: because of its lines, or of what stands where the parser stopped."""

    def fails_at(value: str) -> int | None:
        try:
            _grammar(text.language).parse(value.strip(" ").rstrip() + "\n", start=start)
        except UnexpectedInput as other:
            return (other.pos_in_stream or 0) + lead
        except DedentError:
            return 0
        return None

    offset = min((error.pos_in_stream or 0) + lead, len(text.value))
    if (since := _find_version_beyond(text, lead, start, offset)) is not None:
        return report_later_form(text, offset, since)
    if start == "effect" and (joined := joined_lines(text, offset)) is not None:
        return joined
    return reason(text, offset, fails_at) or syntax_problem(text, lead, start, error)


def _find_version_beyond(text: t.Text, lead: int, start: str, offset: int) -> int | None:
    """Return the first later version of the language that reads the whole line of an offset; None if there is none."""
    value = text.value[lead:].rstrip() + "\n"
    end = value.find("\n", offset - lead)
    for version in range(text.language + 1, NEWEST + 1):
        try:
            _grammar(version).parse(value, start=start)
        except UnexpectedInput as other:
            if (other.pos_in_stream or 0) > end:
                return version
        except DedentError:
            continue
        else:
            return version
    return None


@lru_cache(maxsize=4096)
def _parse_text(value: str, start: str, language: int) -> tuple[Branch, int | None]:
    """Parse a text, and return where it is nested too deeply; parsing is cached, what is made of it is not."""
    parsed = _grammar(language).parse(value, start=start)
    return parsed, _too_deep(parsed)


def _too_deep(parsed: Branch) -> int | None:
    """Return where a parse tree passes the depth that the later stages can follow, or None."""
    open_ = [(parsed, 0)]
    while open_:
        here, depth = open_.pop()
        inside = [child for child in here.children if isinstance(child, Tree)]
        if depth > LEVELS or sum(child.data == "elif_part" for child in inside) > BRANCHES:
            return here.meta.start_pos
        open_.extend((child, depth + 1) for child in inside)
    return None


__all__ = [
    "QUANTIFIERS",
    "STATEMENTS",
    "Parameter",
    "Signature",
    "grammar_text",
    "parse_cost",
    "parse_effect",
    "parse_expression",
    "parse_signature",
]
