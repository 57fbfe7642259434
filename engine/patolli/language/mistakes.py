"""Say what is wrong with a text that does not follow the grammar.

In:     the text, and what the parser met.
Out:    a problem with code P0101, and help where a likely slip is known.
"""

from __future__ import annotations

import re

from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from patolli.diagnostics import Problem, nearest
from patolli.language import tree as t
from patolli.language.words import STATEMENTS

_WORDS = {
    "COLON": "':'", "RPAR": "')'", "RSQB": "']'", "RBRACE": "'}'", "COMMA": "','", "NAME": "a name", "INT": "a number",
    "STRING": 'a label in double quotes', "TO": "'to'", "IN": "'in'", "ELSE": "'else'", "FROM": "'from'",
    "TIMES": "'times'",
    "EQUAL": "'='", "WITH": "'with'", "MATCH": "'match'", "_LPAR": "'('", "IF": "'if'", "UNLESS": "'unless'",
    "_FOR": "'for'",
    "_INDENT": "an indented block",
}  # fmt: skip

_KEYWORDS = frozenset(
    "and any as bottom by div else for from if in match mod none not or order otherwise times to unless when where with"
    .split()
)  # fmt: skip


def syntax_problem(text: t.Text, lead: int, start: str, error: UnexpectedInput) -> Problem:
    """Describe where the parser stopped; *lead* spaces of the text were left out, *start* says what it should be."""
    offset = min((error.pos_in_stream or 0) + lead, len(text.value))
    if isinstance(error, UnexpectedCharacters):
        character = text.value[offset : offset + 1]
        return Problem(
            "P0101", f"unexpected character {character!r}", text.place(offset, 1), _character_help(character)
        )
    assert isinstance(error, UnexpectedToken)
    token = error.token
    accepts = {str(a) for a in error.accepts or error.expected or ()}
    if token.type in ("_NL", "$END", "_DEDENT"):
        end = len(text.value[:offset].rstrip()) if token.type == "_NL" else len(text.value.rstrip())
        what = "line" if text.value[end:].strip() else start
        return Problem("P0101", f"the {what} ends too early", text.place(max(0, end - 1), 1), _missing(accepts))
    if token.type == "_INDENT":
        offset += len(text.value[offset:]) - len(text.value[offset:].lstrip())
        return Problem(
            "P0101",
            "this line is indented, but the line before opens no block",
            text.place(offset, 1),
            "a block follows ':'",
        )
    unknown = _unknown_effect(text, offset)
    if unknown is not None:
        return unknown
    word = str(token).strip()
    return Problem(
        "P0101",
        f"unexpected {word!r}",
        text.place(offset, max(1, len(word))),
        _word_help(text.value, offset, word, accepts),
    )


_HABITS = {
    "get": "gain", "add": "gain", "earn": "gain", "score": "gain", "take": "gain", "increase": "gain", "spend": "pay",
    "subtract": "lose", "remove": "lose", "decrease": "lose", "put": "move", "place": "move", "discard": "move",
    "exchange": "swap", "pick": "choose", "select": "choose", "ask": "choose", "while": "loop", "foreach": "for",
    "call": "do", "exit": "stop", "var": "let", "assign": "set", "change": "set", "elseif": "elif", "skip": "nothing",
    "print": "say",
}  # fmt: skip
"""How effects are called elsewhere."""


def _unknown_effect(text: t.Text, offset: int) -> Problem | None:
    """Report the word that begins the effect of a place, when it begins none and another value follows it."""
    value = text.value
    found = re.search(r"(?:^|[\n;:])[ ]*([a-z_][a-z0-9_]*)[ ]+$", value[:offset])
    if not found or found[1] in STATEMENTS or not re.match(r"[a-z0-9_\"]", value[offset : offset + 1]):
        return None
    near = _HABITS.get(found[1]) or nearest(found[1], STATEMENTS)
    help_ = f"did you mean {near!r}?" if near else ""
    return Problem("P0101", f"no effect begins with {found[1]!r}", text.place(found.start(1), len(found[1])), help_)


def dedent_problem(text: t.Text) -> Problem:
    """Find the first line that goes back to a depth which no block has."""
    depths, offset = [0], 0
    for line in text.value.split("\n"):
        body = line.lstrip(" \t")
        depth = len(line) - len(body)
        if body and not body.startswith("#"):
            if depth > depths[-1]:
                depths.append(depth)
            while depth < depths[-1]:
                depths.pop()
            if depth != depths[-1]:
                help_ = f"the blocks around it are indented by {', '.join(map(str, depths))} or more"
                return Problem(
                    "P0101", "this line is indented like no line above it", text.place(offset, len(line)), help_
                )
        offset += len(line) + 1
    return Problem("P0101", "the indentation does not fit together", text.place(0, 1))


def _character_help(character: str) -> str:
    table = {
        "=": "comparing is '==', naming is 'let x = ...'",
        "'": 'labels stand in double quotes: "label"',
        "/": "whole numbers are divided with 'div'",
        "%": "the rest of a division is 'mod'",
        "&": "write 'and'",
        "|": "write 'or'",
        "!": "write 'not'",
    }
    return table.get(character, "names are written in small letters" if character.isupper() else "")


def _missing(accepts: set[str]) -> str:
    if "ADD" in accepts:  # a value may go on with any operator, so these two say nothing
        accepts = accepts - {"IN", "IF"}
    names = [word for key, word in _WORDS.items() if key in accepts]
    if {"NAME", "INT"} <= accepts:
        return "a value is missing"
    return f"expected {' or '.join(names[:3])}" if names else ""


def _begins(value: str, offset: int) -> str:
    """Return the word with which the effect around a place begins."""
    words = re.split(r"[\n;:]", value[:offset])[-1].split()
    return words[0] if words else ""


def _word_help(value: str, offset: int, word: str, accepts: set[str]) -> str:
    if word == "=" and "EQUAL" not in accepts:
        return "comparing is '==', naming is 'let x = ...'"
    if word == "," and "AND" in accepts and _begins(value, offset) in ("gain", "lose", "pay"):
        return "amounts are joined by 'and'"
    if word in ("else", "elif") and not _begins(value, offset):
        return f"there is no 'if' above this {word!r}, at the same depth"
    if word in ("else", "elif", "otherwise"):
        return f"{word!r} stands at the beginning of a line"
    before = re.search(r"([a-z_][a-z0-9_]*)\s*$", value[:offset])
    line_start = value.rfind("\n", 0, offset) + 1
    alone = before is not None and value[line_start : before.start()].strip() == ""
    if before is not None and alone and before.group(1) in ("else", "elif"):
        return f"there is no 'if' above this {before.group(1)!r}, at the same depth"
    near = nearest(word, {accepted.strip("_").lower() for accepted in accepts} & _KEYWORDS)
    if near:
        return f"did you mean {near!r}?"
    return _missing(accepts)
