"""What a plain scalar means: the few words that YAML 1.2 keeps, and the many that look like more.

A value that one YAML reader takes for text and another for a number, a truth
value or a date is refused, so that the author says which is meant.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_WORDS: dict[str, bool | None] = {"": None, "null": None, "true": True, "false": False}
_DIGITS = frozenset("0123456789")
_NUMBER = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17})")


def word(text: str) -> int | bool | str | None:
    """Give the value of a plain scalar: ``true``, ``false``, ``null``, a whole number, or its text."""
    if text in _WORDS:
        return _WORDS[text]
    if text[-1] in _DIGITS and _NUMBER.fullmatch(text):
        return int(text)
    return text


class Doubt(NamedTuple):
    """One way in which a plain scalar can be misread, with what to say about it."""

    code: str
    pattern: str
    looks: str
    help: str
    in_keys: bool = True


_QUOTE = "if text is meant, put it in quotes"
DOUBTS = (
    Doubt(
        "P0020",
        r"[-+]?0(?:[0-9][0-9_]*|o[0-7_]+)",
        "some programs read it as an octal number",
        f"write the number without leading zeros; {_QUOTE}",
    ),
    Doubt(
        "P0021",
        r"[-+]?0(?:[xX][0-9a-fA-F_]+|[bB][01_]+)",
        "some programs read it as a hexadecimal or binary number",
        f"write the number in decimal digits; {_QUOTE}",
    ),
    Doubt(
        "P0022",
        r"[-+]?[0-9][0-9_]*_[0-9_]*",
        "some programs read it as one number",
        f"write the digits together; {_QUOTE}",
    ),
    Doubt(
        "P0023",
        r"[-+]?(?:\.[0-9][0-9_]*|[0-9][0-9_]*\.[0-9_]*|[0-9][0-9_]*(?=[eE]))(?:[eE][-+]?[0-9]+)?"
        r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
        "it is a number with a fraction, and there are only whole numbers here",
        f"write a whole number; {_QUOTE}",
    ),
    Doubt(
        "P0024",
        r"(?:[Yy]es|YES|[Nn]o|NO|[Oo]n|ON|[Oo]ff|OFF)",
        "some programs read it as true or false",
        "write true or false; if the word is meant, put it in quotes",
        in_keys=False,
    ),
    Doubt(
        "P0025",
        r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}.*)?"
        r"|[-+]?[0-9]+(?::[0-5]?[0-9])+(?:\.[0-9]*)?",
        "some programs read it as a date or a time",
        "put it in quotes",
    ),
    Doubt(
        "P0026",
        r"(?:True|TRUE|False|FALSE|Null|NULL|~)",
        "it is another spelling of a word that YAML knows",
        "write true, false or null in small letters; if the word is meant, put it in quotes",
    ),
    Doubt("P0027", r"[-+]?[1-9][0-9]{18,}", "it is a number of more than 18 digits", f"use a smaller number; {_QUOTE}"),
)
SUSPECT_WORDS = frozenset(
    {
        *("~", "True", "TRUE", "False", "FALSE", "Null", "NULL"),
        *("yes", "Yes", "YES", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF"),
    }
)
"""All words that are in doubt."""
SUSPECT_SIGNS = frozenset("0123456789+-.")
"""The first signs of all other values that are in doubt."""


_REWRITABLE = 100
"""Characters of a number that is still written in another way."""


def readings(doubt: Doubt, text: str) -> list[str]:
    """Write a value that is in doubt in the ways in which it can have been meant, the likeliest first."""
    number, lower, meant = text.replace("_", ""), text.lower(), ""
    if len(number) > _REWRITABLE:
        return [f'"{text}"']
    if doubt.code in ("P0020", "P0022") and re.fullmatch(r"[-+]?[0-9]+", number):
        meant = str(int(number))
    elif doubt.code == "P0021":
        meant = str(int(number, 0))
    elif doubt.code == "P0024":
        meant = "true" if lower in ("yes", "on") else "false"
    elif doubt.code == "P0026":
        meant = "null" if text == "~" else lower
    return [meant, f'"{text}"'] if meant else [f'"{text}"']


def in_doubt(text: str, *, key: bool) -> Doubt | None:
    """Return how the plain scalar *text* could be misread, or ``None`` when it is clear.

    Keys are always text, so a *key* may be a word such as ``on``.
    """
    if text[:1] not in SUSPECT_SIGNS:
        if text not in SUSPECT_WORDS:
            return None
    elif _NUMBER.fullmatch(text):
        return None
    for doubt in DOUBTS:
        if (doubt.in_keys or not key) and re.fullmatch(doubt.pattern, text):
            return doubt
    return None
