"""Show the text of a rule where words for it would be a riddle.

In:     an expression of the resolved program, and the function that says it in English.
Out:    the words; or the text as its author wrote it, in backquotes, where the words are longer than people can follow.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from patolli.check.prose import words as w
from patolli.check.prose.words import Speech
from patolli.language.diagnostics import Span
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.model import Program
from patolli.language.program.node import walk

MOST = 14
"""Words that one value or condition may have."""
LONGEST = 140
"""Letters of a rule that a sentence shows; of a longer text, or of several statements, it names the place."""

E = TypeVar("E", bound=x.Expr)


def shorten(expr: E, say: Callable[[E, Speech], str], speech: Speech) -> str:
    """Say an expression, or show its text where a sentence about a rule would become a riddle."""
    if not speech.shortens:
        return say(expr, speech)
    said = say(expr, replace(speech, shortens=False))
    if len(said.split()) <= MOST and not _is_nested(expr, speech):
        return said
    text = show(expr.span, speech)
    if text.startswith("line "):
        return f"{text} says so" if expr.type == ty.BOOL else f"what {text} says"
    return text or said


def refer(said: str) -> str:
    """Return a sentence for all that a function computes: "see the rule" before its text or place."""
    said = said.removeprefix("what ").removesuffix(" says").removesuffix(" says so") if " of `" in said else said
    return f"See the rule: {said}." if said.startswith(("`", "line ")) else f"{w.capital(said)}."


def show(span: Span, speech: Speech) -> str:
    """Return a stretch of a file in backquotes, or its place where it is long; nothing where the file is not known.

    Where packs are compared (``speech.labels``), a long text stands there, too: a place says nothing about a change.
    """
    lines = _read_lines(span.path, speech.program)[span.line - 1 : span.end_line]
    if not lines:
        return ""
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    text = " ".join(" ".join(re.sub(r" #[^\"]*$", "", line) for line in lines).split())
    if speech.labels or (len(text) <= LONGEST and not text.startswith(("let ", "expect "))):
        return f"`{text}`"
    return f"line {span.line} of `{span.path.replace(chr(92), '/').rpartition('/')[2]}`"


def _read_lines(path: str, program: Program) -> list[str]:
    """Return the lines of a file as they were when its pack was loaded."""
    documents = (document for pack in program.composition.packs for document in pack.documents)
    source = next((one.tree.source for one in documents if one.path == path), None)
    return source.text.split("\n") if source is not None else []


def _is_nested(expr: x.Expr, speech: Speech) -> bool:
    """Return whether functions without a phrase of their own are called inside one another, or with several values."""
    return any(
        any(map(is_condition, one.arguments))
        if isinstance(one, x.Can)
        else _lacks_words(one, speech) and (len(one.arguments) > 1 or _calls_another(one, speech))
        for one in walk(expr)
        if isinstance(one, x.Can | x.FunctionCall)
    )


def _calls_another(call: x.FunctionCall, speech: Speech) -> bool:
    return any(isinstance(one, x.FunctionCall) and _lacks_words(one, speech) for one in walk(call.arguments))


def is_condition(expr: x.Expr) -> bool:
    """Return whether a value is a condition that would stand inside another one."""
    return isinstance(expr, x.Compare | x.Logic | x.Not)


def _lacks_words(call: x.FunctionCall, speech: Speech) -> bool:
    return not w.phrase(speech.program, "functions", call.function)
