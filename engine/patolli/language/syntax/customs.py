"""Effects in the words of rulebooks and of other languages: what a whole line begins with, and how it is said here.

Out:    for an effect at which the parser stopped, the place of the slip and what to write.

``slips`` knows single signs and words; here the line round them shows what was meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from patolli.language.syntax.slips import NEAR, Slip, statement

_WHO = r"(?P<who>[a-z_]\w*(?:\([^()]*\))?)"
_VERBS = r"(?P<verb>gain|lose|pay|draw|move|choose)s?"
_ITEM = r"[0-9]+\s+(?:any\s+)?[a-z_]\w*(?:\([^()]*\))?"
_ITEMS = rf"{_ITEM}(?:\s+and\s+{_ITEM})*"


class _Custom(NamedTuple):
    """A row: what stands before the place and from there on, and what to say.

    ``help`` may name groups of either pattern. ``instead`` replaces what ``here`` matched, where that is sure.
    """

    before: str
    here: str
    help: str
    instead: str | None = None


_FOR_ALL = "for each player, one after the other: 'for p in players: as p: {verb} ..'"
_TURN = "'stop' ends this rule, and with it what it does of a turn; 'end match' ends the match"
_DICE = "chance is an effect that gives a name: 'random x in 1..6'"
_PASSED_ON = "say both halves: 'lose 1 coin' and 'gain 1 coin for ..'; a piece goes with 'move x to ..'"
_CUSTOMS = (
    _Custom(r"choose\s+", r'"[^"\n]*"', "a menu is written: choose one {0}:", "one {0}"),
    _Custom(r'"[^"\n]*"\s+', r"if\b", "a line of a menu has its condition after 'when'", "when"),
    _Custom(r'"[^"\n]*"\s+', r"unless\b", "a line of a menu has its condition after 'when', as in 'when not ..'"),
    _Custom(
        rf"(?P<effect>(?:gain|lose|pay)\s+{_ITEMS})\s+",
        r"if\b(?!.*\belse\b)",
        "a condition comes first: 'if ..: {effect}'",
    ),
    _Custom(
        rf"(?P<effect>(?:gain|lose|pay)\s+{_ITEMS})\s+", r"unless\b", "a condition comes first: 'if not ..: {effect}'"
    ),
    _Custom(
        rf"(?P<verb>gain|lose|pay)\s+{_ITEMS}\s+",
        r"or\b",
        "one of several is chosen with 'choose one:', and a line for each below it; "
        "'pay 1 any ..' takes what is in a group",
    ),
    _Custom(r"choose\s+.*\"\s*", r"where\b", "'where' comes before the question"),
    _Custom(r"choose\s+an?\s+", r"[a-z_]\w*", "a choice gives a name to what is chosen: 'choose x in .. \"Which?\"'"),
    _Custom(r"choose\s+(?P<name>[a-z_]\w*)\s+", r"from\b", "write 'choose {name} in ..'", "in"),
    _Custom(r"for\s+(?:each|every|all)\s+", r"(?P<name>[a-z_]\w*)\s+in\b", "write 'for {name} in ..'"),
    _Custom(r"move\s+(?P<number>[0-9]+)\s+", r"[a-z_]\w*", "write 'draw {number} from .. to ..' for the top of a pile"),
    _Custom(r"move\s+(?P<what>\S+)\s+", r"from\b", "each piece is in one place: 'move {what} to ..', without 'from'"),
    _Custom(r"draw\s+(?P<number>\S+)\s+", r"(?P<what>[a-z_]\w*)\s+from\b", "write 'draw {number} from ..'"),
    _Custom(rf"(?P<verb>gain|lose)\s+{_ITEMS}\s+", r"(?:to|from)\s+(?P<who>\w+(?:\(\w*\))?)",
        "write '{verb} .. for {who}'"),
    _Custom(rf"pay\s+{_ITEMS}\s+", r"to\b", "no player gets what is paid: add 'gain .. for ..' with the other one"),
    _Custom(r".*\bin\s+(?P<low>\w+)\s+", r"to\s+(?P<high>\w+)", "a range is written {low}..{high}", ".. {high}"),
    _Custom(r".*\b(?P<low>\w+)\.\.", r"\.\s*(?P<high>\w+)", "a range has two dots: {low}..{high}"),
    _Custom(r"say\s+.*\"\s*", r"\+", "values come after the text: say \"..\" a, b"),
    _Custom(r"", r"-\s*(?=\")", "a line of a menu begins with its label, without '-'"),
    _Custom(r"repeat\s+(?:until|while)\s+", r"\w+", "write 'loop:', and in it 'if ..: break'"),
    _Custom(r"end\s+", r"(?:if|for|loop|repeat|while|choose|rule)\b", "a block ends with its indentation: delete this"),
    _Custom(r"end\s+", r"(?:turn|round|phase|step)\b", _TURN),
    _Custom(r"end\s+", r"game\b", "did you mean 'match'?", "match"),
    _Custom(r"(?:roll|throw)\s+", r"[\w\"].*", _DICE),
    _Custom(r"(?:give|transfer|hand)\s+", r"[\w\"]", _PASSED_ON),
    _Custom(r"(?:for\s+)?(?:each|every|all)\s+", rf"players?\b:?\s*(?:{_VERBS}\b)?", _FOR_ALL),
    _Custom(
        r"(?P<verb>gain|lose)\s+(?P<items>[^\n]*?)\s+for\s+(?:each|every|all)\s+",
        r"players?\b",
        "for each player, one after the other: 'for p in players: {verb} {items} for p'",
    ),
    _Custom(r"players\s+", rf"{_VERBS}\b", _FOR_ALL),
    _Custom(r"me\s+", rf"{_VERBS}\b", "the acting player is meant if no other is named: '{verb} ..'"),
    _Custom(
        rf"{_WHO}\s+", r"(?P<verb>gain|lose)s?\b", "name the player at the end: '{verb} .. for {who}'"
    ),
    _Custom(rf"{_WHO}\s+", r"(?P<verb>pay|draw|move|choose)s?\b", "write 'as {who}: {verb} ..'"),
    _Custom(r".*\bmy\s+", r"(?P<what>[a-z_]\w*)", "what the acting player has is written with (me): '{what}(me)'"),
    _Custom(rf"{_WHO}\s*", r"\.\s*(?P<field>[a-z_]\w*)\s*=(?!=)", "write 'set {who}.{field} to ..'"),
)  # fmt: skip
"""The first row that fits is meant."""


def custom_at(value: str, offset: int, known: Callable[[str], bool]) -> Slip | None:
    """Recognize the effect in which the parser stopped; *known* says which words begin an effect here."""
    found = _other_line(value, offset)
    if found is not None:
        return found
    before, _ = statement(value[max(0, offset - NEAR) : offset], min(offset, NEAR))
    rest = value[offset : offset + NEAR].partition("\n")[0]
    for row in _CUSTOMS:
        behind, here = re.fullmatch(row.before, before), re.match(row.here, rest)
        if behind is None or here is None or known(behind.groupdict().get("who") or ""):
            continue
        names = {"verb": "gain", **behind.groupdict()} | {k: v for k, v in here.groupdict().items() if v}
        word = re.match(r"\w+|.", here[0])
        length = len(here[0]) if row.instead or word is None else word.end()
        meant = row.instead and row.instead.format(here[0], **names)
        return Slip(offset, offset + length, row.help.format(here[0], **names), "", meant)
    return None


def _other_line(value: str, offset: int) -> Slip | None:
    """Recognize ``else:`` and ``default:`` at the depth of the lines of a menu."""
    word = re.match(r"(?:else|default)(?=\s*:)", value[offset:])
    start = value.rfind("\n", 0, offset) + 1
    margin = value[start:offset]
    if word is None or margin.strip() or not margin:
        return None
    above = [line for line in value[max(0, start - NEAR) : start].split("\n") if line.strip()]
    beside = next((line for line in reversed(above) if len(line) - len(line.lstrip()) <= len(margin)), "")
    if not re.match(rf'{margin}(?:"|for\b.*")', beside):
        return None
    return Slip(offset, offset + len(word[0]), "write 'otherwise'", "", "otherwise")
