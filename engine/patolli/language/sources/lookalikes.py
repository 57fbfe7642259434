"""Letters that look like others: what a word processor, a phone or another keyboard puts in the place of plain ones."""

# ruff: noqa: RUF001 - letters that look like others are what this module is about

from __future__ import annotations

import unicodedata

_PLAIN = {
    **dict.fromkeys("“”„‟«»″", '"'),
    **dict.fromkeys("‘’‚‛′´", "'"),
    **dict.fromkeys("‐‑‒–—―−", "-"),
    **dict.fromkeys("×∗•·", "*"),
    "÷": "div", "≤": "<=", "≥": ">=", "≠": "!=", "…": "..", "⁄": "div", "∧": "and", "∨": "or", "¬": "not", "∈": "in",
}  # fmt: skip
_ALIKE = dict(zip("аеорсухіјѕԁһнкмтвΑΒΕΗΙΚΜΝΟΡΤΧαορν", "aeopcyxijsdhhkmtbABEHIKMNOPTXaopv", strict=True))


def plain_form(character: str) -> str | None:
    """Return what was meant by a letter that no content holds outside of texts: plain signs, a blank, or nothing."""
    if character in _PLAIN or character in _ALIKE:
        return _PLAIN.get(character) or _ALIKE[character]
    if ord(character) < 128:
        return None
    if character.isspace():
        return " "
    if not character.isprintable():
        return ""
    folded = unicodedata.normalize("NFKC", character)
    return folded if len(folded) == 1 and ord(folded) < 128 else None


def is_unseen(character: str) -> bool:
    """Return whether a letter leaves no mark, or only a gap, so that it cannot be shown to anybody."""
    return plain_form(character) in ("", " ")


def name_character(character: str) -> str:
    """Name a letter in words: ``no-break space``."""
    return unicodedata.name(character, f"U+{ord(character):04X}").lower()


def advice(character: str) -> str:
    """Say what to write instead of such a letter; empty for a plain one."""
    plain = plain_form(character)
    if plain is None:
        foreign = ord(character) > 127 and character.isalpha()
        return "names are written with the letters a to z, digits and _" if foreign else ""
    if is_unseen(character):
        return "write a plain blank" if plain else "delete it; it cannot be seen"
    if plain.isalpha() and len(plain) == 1 and unicodedata.normalize("NFKC", character) != plain:
        return f"this is the {name_character(character)}; type a plain {plain!r}"
    return f"write {plain} with plain letters" if plain.isalpha() else f"write a plain {plain}"
