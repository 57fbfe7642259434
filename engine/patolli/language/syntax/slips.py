"""What people write from habit where this language says it otherwise: signs and words of other languages.

Out:    for a text that the grammar refuses, the place of the slip and how it is said here.

A row of ``SIGNS`` is a run of signs, of ``WORDS`` a word in the midst of an effect, of ``NAMES`` a name that nothing
declares, of ``BEGINNINGS`` the first word of an effect.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_EQUAL = "to compare, write '=='; to name a value, write 'let x = ...'"
_CHANGE = "write 'gain 1 {0}', 'lose 1 {0}' or 'set {0} to ..'"
_COMMENT = "a comment begins with '#'"
_SAME = {
    "&&": "and", "&": "and", "||": "or", "|": "or", "!": "not", "<>": "!=", "!==": "!=", "===": "==", "=<": "<=",
    "=>": ">=", "=!": "!=", "is": "==", "equals": "==", "isnt": "!=", "over": ">", "under": "<", "plus": "+",
    "minus": "-",
}  # fmt: skip
"""Signs and words of elsewhere that stand for one of here, wherever they are written."""
SIGNS = {
    **{sign: f"write {same!r}" for sign, same in _SAME.items() if not sign.isalpha()},
    "**": "write it as a product: a * a",
    "^": "write it as a product: a * a",
    "//": f"whole numbers are divided with 'div'; {_COMMENT}",
    "/": "whole numbers are divided with 'div'",
    "%": "the rest of a division is 'mod'",
    "--": _COMMENT,
    "?": "write 'a if condition else b'",
    "$": "write names without a sign before them",
    "@": "write names without a sign before them",
    "'": 'write labels in double quotes: "label"',
    "`": 'write labels in double quotes: "label"',
}
WORDS = {
    **{word: f"write {same!r}" for word, same in _SAME.items() if word.isalpha()},
    "between": "write '1 <= x <= 3', or 'x in 1..3'",
    "contains": "write 'thing in list'",
    "has": "write 'thing in list'",
    "xor": "write '!=' between the two conditions",
    "x": "write '*'",
}
BEGINNINGS = {
    "get": "gain", "add": "gain", "earn": "gain", "score": "gain", "take": "gain", "increase": "gain", "spend": "pay",
    "subtract": "lose", "remove": "lose", "decrease": "lose", "put": "move", "place": "move", "discard": "move",
    "exchange": "swap", "pick": "choose", "select": "choose", "ask": "choose", "while": "loop", "foreach": "for",
    "unless": "if not",
    "exit": "stop", "quit": "stop", "var": "let", "assign": "set", "change": "set", "elseif": "elif",
    "skip": "nothing", "pass": "nothing", "print": "say", "assert": "require", "const": "let",
}  # fmt: skip
"""How effects are called elsewhere."""
MISSING = {
    "call": "a rule is carried out by its name alone: 'name(..)'",
    "continue": "put what is to be left out under an 'if'",
    "def": "rules and functions are entries of their own in a document of kind `rules`",
    "function": "functions are entries of their own in a document of kind `rules`",
}
"""Beginnings for which there is no effect, and what is done instead."""
_NUMBERS = {"a": 1, "an": 1} | {
    word: number for number, word in enumerate("one two three four five six seven eight nine ten".split(), 1)
}
MEANT = {
    **{word: str(number) for word, number in _NUMBERS.items()},
    **dict.fromkeys(("null", "nil", "nobody", "undefined", "empty"), "none"),
    **dict.fromkeys(("len", "length", "number_of"), "size"),
    **dict.fromkeys(("player_count", "number_of_players", "num_players", "player_number"), "seats"),
    **dict.fromkeys(("current_player", "active_player", "this_player", "my"), "me"),
    **dict.fromkeys(("all_players", "everyone", "everybody", "all"), "players"),
    **dict.fromkeys(("opponents", "other_players"), "others(me)"),
    **dict.fromkeys(("opponent", "next_player"), "next(me)"),
    **{"previous_player": "previous(me)", "yes": "true", "no": "false"},
    **{"exists": "any", "every": "all", "maximum": "max", "minimum": "min"},
}
"""Names of other languages, and what is called so here."""
NAMES = {
    **{word: f"did you mean {name!r}?" for word, name in MEANT.items()},
    **{word: f"write {number}" for word, number in _NUMBERS.items()},
    **dict.fromkeys(("this", "self"), "the acting player is 'me'; in an effect of a piece the piece is 'it'"),
    **dict.fromkeys(("all_players", "everyone", "everybody", "all"), "all of them are 'players'"),
    "range": "numbers from 1 to n are written 1..n",
    **dict.fromkeys(("random", "randint", "rand", "dice"), "chance is an effect: 'random x in 1..6'"),
    **dict.fromkeys(("floor", "round", "ceil"), "all numbers are whole: 'a div b' rounds down"),
    "filter": "write '[x in list where condition]'",
    "map": "write '[value for x in list]'",
    "average": "write 'sum(..) div size(..)'",
    "contains": "write 'thing in list'",
    **dict.fromkeys(
        ("score", "scores"),
        "only the end of a match reads the 'result': make its score a function; scenarios have the key 'scores'",
    ),
    **dict.fromkeys(
        ("winner", "winners"), "only the end of a match reads the 'result'; scenarios have the key 'winners'"
    ),
    "original": "only an 'instead' has an original; in a step, 'original()' is an effect without a value",
}
"""Names that other languages know; reported when nothing declares them."""
COUNTED = {
    word: f"the rules count it: declare a counter {word!r} of the table, and 'gain 1 {word}' in the loop"
    for word in ("round", "turn", "phase", "round_number", "turn_number")
}
"""Numbers that other systems keep by themselves."""


NEAR = 2_000
"""Letters on either side of a place that are looked at, so that a hostile text costs no more than another."""


class Slip(NamedTuple):
    """Where a slip stands in a text, and how it is said here; ``message`` where the usual one would mislead.

    ``instead`` is what can be written in its place, where that is known to the letter; ``sure`` is that nothing else
    can have been meant.
    """

    start: int
    end: int
    help: str
    message: str = ""
    instead: str | None = None
    sure: bool = False


def statement(value: str, offset: int) -> tuple[str, int]:
    """Return what stands between the beginning of an effect and a place in it, and where it begins."""
    start = max(value.rfind(sign, 0, offset) for sign in "\n;:") + 1
    start += len(value[start:offset]) - len(value[start:offset].lstrip())
    return value[start:offset], start


def slip_at(value: str, offset: int, effect: bool) -> Slip | None:
    """Recognize what stands at, or round, the place at which the parser stopped, of an effect or an expression."""
    first = max(0, offset - NEAR)
    found = _recognize_slip(value[first : offset + NEAR], offset - first, effect)
    return found and found._replace(start=found.start + first, end=found.end + first)


def _recognize_slip(value: str, offset: int, effect: bool) -> Slip | None:
    found = _run_of_signs(value, offset)
    if found is not None:
        return found if effect or value[found.start : found.end] != "=" else found._replace(help=_EQUAL)
    for recognize in (
        _method,
        _else_if,
        _number_last,
        _fraction,
        _hyphen,
        _object,
        _so_many,
        _word,
        _menu,
        _split_number,
    ):
        found = recognize(value, offset)
        if found is not None:
            return found
    return None


def _run_of_signs(value: str, offset: int) -> Slip | None:
    start, end = offset, offset
    while start > 0 and value[start - 1] in "+-*/<>=!&|:":
        start -= 1
    while value[end : end + 1] and (value[end] in "+-*/<>=!&|" or value[end : end + 2] == ":="):
        end += 1
    run = value[start:end]
    before, _ = statement(value, start)
    named = re.fullmatch(r"([a-z_]\w*)\s*(?:[(\[][^()\[\]]*[)\]])?\s*", before)
    if run in ("+=", "-=", "++", "*=", "/=") or (run == "--" and named and not re.match(r" *[^ \n;]", value[end:])):
        return Slip(start, end, _CHANGE.format(named[1] if named else "x"))
    if run in ("==", ":=", "<-") and before.startswith(("let ", "random ")):
        return Slip(start, end, "a value gets its name with one '='", "", "=", True)
    if run == "=" and re.match(r"set\s", before):
        return Slip(start, end, "expected 'to'", "", "to", True)
    if run == "=" and named:
        name = named[1]
        return Slip(start, end, f"write 'set {name} to ..' to change it, or 'let {name} = ..' for a new name")
    if run == "=":
        return Slip(start, end, _EQUAL)
    if len(run) > 1 and run in SIGNS:
        return Slip(start, end, SIGNS[run], "", _SAME.get(run), run in _SAME)
    sign = value[offset : offset + 1]
    step = re.match(r"/([a-z_]\w*)(?!\w|\s*\()", value[offset:])
    if step and re.fullmatch(r"[a-z_]\w*", before):
        return Slip(
            offset, offset + len(step[0]), f"a step is called as '{before}{step[0]}(..)', with what its rule takes"
        )
    return Slip(offset, offset + 1, SIGNS[sign], "", _SAME.get(sign), sign in _SAME) if sign in SIGNS else None


def _method(value: str, offset: int) -> Slip | None:
    """Recognize ``p.best(2)``."""
    found = re.search(r"([a-z_]\w*(?:\([^()]*\))?)\.([a-z_]\w*)$", value[:offset])
    if found is None or value[offset : offset + 1] != "(":
        return None
    rest = "" if re.match(r"\(\s*\)", value[offset:]) else ", .."
    return Slip(offset, offset + 1, f"a function takes everything in brackets: '{found[2]}({found[1]}{rest})'")


def _else_if(value: str, offset: int) -> Slip | None:
    found = re.search(r"\belse\s+$", value[:offset])
    if found and re.match(r"if\b", value[offset:]) and not statement(value, found.start())[0]:
        return Slip(found.start(), offset + 2, "write 'elif'", "unexpected 'else if'", "elif", True)
    return None


def _number_last(value: str, offset: int) -> Slip | None:
    before, start = statement(value, offset)
    found = re.fullmatch(r"(gain|lose|pay)\s+([a-z_]\w*)\s+", before)
    number = re.match(r"[0-9]+", value[offset:])
    if found and number:
        help_ = f"the number comes first: '{number[0]} {found[2]}'"
        message, turned = f"unexpected {number[0]!r}", f"{number[0]} {found[2]}"
        return Slip(start + found.start(2), offset + len(number[0]), help_, message, turned, True)
    return None


def _fraction(value: str, offset: int) -> Slip | None:
    whole = re.search(r"[0-9]+\.$", value[:offset])
    rest = re.match(r"[0-9]+", value[offset:])
    if whole and rest:
        message = f"unexpected {whole[0] + rest[0]!r}"
        return Slip(whole.start(), offset + len(rest[0]), "there are only whole numbers", message)
    return None


def _hyphen(value: str, offset: int) -> Slip | None:
    first, rest = re.search(r"[a-z_]\w*$", value[:offset]), re.match(r"-([a-z]\w*)(-[a-z]\w*)*", value[offset:])
    if first and rest and not statement(value, first.start())[0]:
        name = first[0] + rest[0]
        joined = name.replace("-", "_")
        help_ = f"the words of a name are joined by '_': {joined!r}"
        return Slip(first.start(), offset + len(rest[0]), help_, f"unexpected {name!r}", joined)
    return None


def _object(value: str, offset: int) -> Slip | None:
    before, _ = statement(value, offset)
    if re.match(r"\[|\.\w", value[offset:]) and re.fullmatch(r"[a-z_]\w*", before):
        words = "an effect is the call of a rule, or begins with a word such as 'gain', 'set' or 'move'"
        return Slip(offset, offset + 1, words)
    return None


def _word(value: str, offset: int) -> Slip | None:
    found = re.match(r"[a-z_]+", value[offset:])
    if not found or found[0] not in WORDS or not re.search(r"[\w)\]]\s+$", value[:offset]):
        return None
    if found[0] == "x" and not re.match(r"x\s+(?!in\b)[\w(]", value[offset:]):
        return None
    if found[0] == "is" and (empty := _is_empty(value, offset)) is not None:
        return empty
    if found[0] == "is" and re.match(r"is\s+not\b", value[offset:]):
        end = offset + value[offset:].index("not") + len("not")
        return Slip(offset, end, "write '!='", "unexpected 'is not'", "!=", True)
    same = _SAME.get(found[0])
    return Slip(offset, offset + len(found[0]), WORDS[found[0]], "", same, same is not None)


def _is_empty(value: str, offset: int) -> Slip | None:
    """Recognize ``deck is empty``."""
    found = re.match(r"is\s+(not\s+)?empty\b", value[offset:])
    of = re.search(r"[a-z_]\w*(?:\.[a-z_]\w*)*(?:\([^()]*\))?\s+$", value[:offset])
    if found is None or of is None:
        return None
    said = of[0].strip() if found[1] else f"not {of[0].strip()}"
    return Slip(of.start(), offset + found.end(), f"write '{said}'", f"unexpected {found[0]!r}", said)


def _so_many(value: str, offset: int) -> Slip | None:
    """Recognize ``2 of coin``."""
    number = re.search(r"\b([0-9]+)\s+$", value[:offset])
    found = re.match(r"of\s+([a-z_]\w*)", value[offset:])
    if number is None or found is None:
        return None
    begun = re.fullmatch(r"(?:gain|lose|pay)\s+(?:.*\band\s+)?[0-9]+\s+", statement(value, offset)[0])
    if begun:
        return Slip(offset, offset + 2, f"write '{number[1]} {found[1]}'")
    return Slip(
        offset, offset + 2, f"write '{found[1]} >= {number[1]}' for at least that many, or '==' for exactly that many"
    )


def _menu(value: str, offset: int) -> Slip | None:
    if value[offset : offset + 1] == '"':  # `one of` might have been a number of things
        offset -= len(value[:offset]) - len(re.sub(r"\bof\s+$", "", value[:offset]))
    if not re.search(r"\bchoose\s+one\s+$", value[:offset]):
        return None
    found = re.match(r"\w+", value[offset:])
    return Slip(offset, offset + len(found[0]), 'a menu is written: choose one "question":') if found else None


def _split_number(value: str, offset: int) -> Slip | None:
    name, number = re.search(r"([a-z_]\w*)\s+$", value[:offset]), re.match(r"[0-9]+", value[offset:])
    before = statement(value, name.start())[0] if name else ""
    if name and number and before and not before.startswith(("set", "let", "random", "move", "swap")):
        joined = f"{name[1]}_{number[0]}"
        help_ = f"names contain no blank; if a name is meant, write {joined!r}"
        return Slip(offset, offset + len(number[0]), help_)
    return None
