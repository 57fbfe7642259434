"""Turn clauses round: make a sentence the opposite of itself, a noun something that is there, a clause what narrows.

All of it is work on words that are already there; what an expression says is in ``expressions``.
"""

from __future__ import annotations

import re

from patolli.check.prose import words as w
from patolli.language.program import types as ty

OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "in": "not in", "not in": "in"}
_NEGATED = {" is ": " is not ", " are ": " are not ", " can ": " cannot ", " may ": " may not "}
_NEGATED |= {
    " has ": " does not have ",
    " have ": " do not have ",
    " holds ": " does not hold ",
    " lies ": " does not lie ",
}
WHERE = frozenset("on at in under over beside behind before after above below near from".split())
"""Words for where something is, that fields are called by."""

_FOLLOWING = sorted(WHERE | {"of", "for", "that", "to", "left"})
"""Words that go on behind a noun, unlike the rest of a compound."""


def attach_clause(clause: str, be: str = "is") -> str:
    """Return a clause behind the things that it narrows down, with the parts that are joined to it."""
    has = "has" if be == "is" else "have"
    joined = re.sub(r" (and|or) its ", r" \1 whose ", clause)
    joined = re.sub(r" (and|or) it is (?!not so)", rf" \1 that {be} ", joined)
    joined = re.sub(r" (and|or) it has ", rf" \1 that {has} ", joined)
    if clause.startswith("it is ") and not clause.startswith("it is not so"):
        return f" that {be} {joined.removeprefix('it is ')}"
    if clause.startswith("it has "):
        return f" that {has} {joined.removeprefix('it has ')}"
    return f" whose {joined.removeprefix('its ')}" if clause.startswith("its ") else f" where {clause}"


def what(of: str, where: str) -> str:
    """Say what something is on, or at: a field that is called so is no noun."""
    return f"what {of} {'are' if of == 'you' else 'is'} {where}"


def there(said: str, no: bool = False) -> str:
    """Say that there is something, or nothing, of a noun phrase."""
    if said.startswith("what ") and said.rpartition(" ")[2] in WHERE:
        return f"{said.removeprefix('what ')} {'nothing' if no else 'something'}"
    for whose, has in (("its ", "it has"), ("your ", "you have")):
        if said.startswith(whose):
            noun = said.removeprefix(whose)
            return f"{has} no {noun}" if no else f"{has} {ty.article(noun)}"
    if (noun := said.removeprefix("that ")) != said:
        return f"there is no such {noun}" if no else f"there is such {ty.article(noun)}"
    if no:
        return nothing(said.removeprefix("the "))
    if said.startswith("the ") and w.several(said):
        return f"there are {said.removeprefix('the ')}"
    return f"there is {_indefinite(said)}"


def nothing(noun: str) -> str:
    """Say that there is no such thing, or none of several."""
    return f"there {'are' if w.several(noun) and not noun.startswith('what ') else 'is'} no {noun}"


def _indefinite(said: str) -> str:
    return ty.article(said.removeprefix("the ")) if said.startswith("the ") and " " not in said[4:] else said


def opposite(said: str) -> str:
    """Return a clause that is true when another is not."""
    if said.startswith("there is "):
        rest = re.sub("^such an? ", "such ", said.removeprefix("there is "))
        if rest.startswith("anything in "):
            return f"there is nothing in {rest.removeprefix('anything in ')}"
        return nothing(rest.removeprefix("one of ").removeprefix("the ").removeprefix("an ").removeprefix("a "))
    if said.startswith("there are no "):
        return f"there are {said.removeprefix('there are no ')}"
    if said.startswith("there are "):
        return f"there are no {said.removeprefix('there are ')}"
    if _NEGATION.match(said):
        return _affirm(said)  # another "not" would say something else
    words = f"{said} "
    at, old = min(((words.find(old), old) for old in _NEGATED if old in words), default=(-1, ""))
    return (words[:at] + _NEGATED[old] + words[at + len(old) :]).rstrip() if at >= 0 else negate_clause(said)


_NEGATION = re.compile(r"(no one|nobody|nothing|none of|no|none|never|neither)\b ?(.*)")


def _affirm(said: str) -> str:
    """Return the opposite of a clause that begins with a negation: ``no one can dig``, ``no card has a value``."""
    found = _NEGATION.match(said)
    assert found is not None
    negation, rest = found.groups()
    verb = re.search(r" (is|has|can|may|are|have) ", rest)
    match negation:
        case "none" | "never" | "neither":
            return negate_clause(said)
        case "nothing":
            return f"something {rest}"
        case "none of":
            single = {" are ": " is ", " have ": " has "}
            return f"one of {rest.replace(verb[0], single.get(verb[0], verb[0]), 1) if verb else rest}"
        case "no":
            return f"some {rest}" if verb and verb[1] in ("are", "have") else ty.article(rest)
    return f"a player {rest}"


def lying_in(things: str, place: str) -> str:
    """Say which things lie in a place, which may be called as they are: ``the cards in your hand``, ``your cards``."""
    nouns = f"{re.escape(things)}|{re.escape(things.rpartition(' ')[2])}"
    called_so = re.match(rf"(?:the|your|[\w' ]+'s) (?:{nouns})(?:$| (?:{'|'.join(_FOLLOWING)})\b)", place)
    return place if called_so else f"the {things} in {place}"


def negate_clause(said: str) -> str:
    """Return the opposite of a clause of any form."""
    return f"it is not so that {said}"


def agreeing(said: str, subject: str) -> str:
    """Return a verb as its subject, one thing or several, wants it."""
    many = w.several(subject) and not subject.startswith("what ")
    return f"are{said.removeprefix('is')}" if many else said
