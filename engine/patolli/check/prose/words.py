"""Words for ids: nouns, plurals, and what variables are called inside a sentence.

A pack can give its counters nouns, and its places, functions and rules a ``phrase`` with its parameters in braces;
without them the words are made from the id.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace

from patolli.language.program import types as ty
from patolli.language.program.expressions import DesignNamed, Instance, Number, Variable
from patolli.language.program.model import Program
from patolli.language.sources.nodes import list_texts, text_at
from patolli.language.syntax.phrases import HOLE

SHORT = 4
"""A text of at most so many words is a name; a longer one explains."""
IRREGULAR = {"has": "have", "is": "are", "was": "were", "does": "do"}
"""Verbs that change behind "you" otherwise than by their end."""
MANY = frozenset({"men", "women", "people", "children", "dice", "mice", "geese", "oxen", "feet", "teeth"})
"""Nouns for several that do not end with an s."""
_BEHIND = re.compile(r"\s(?:of|on|for|that|to|in|with|at|from|beside|left|per|where|whose)\b|,")


_LABELS = ContextVar("labels", default=False)


@contextmanager
def with_labels() -> Iterator[None]:
    """Add to the lines of menus what they are called."""
    token = _LABELS.set(True)
    try:
        yield
    finally:
        _LABELS.reset(token)


@dataclass(frozen=True, slots=True)
class Speech:
    """What is known while a sentence is made: the program, and what each variable is called.

    ``focus`` is the variable that a condition is about; there it is "it", and what it has is "its". ``labels`` says
    whether the lines of menus come with what they are called. ``shortens`` says whether the text of the rule stands in
    place of a value or condition that takes many words.
    """

    program: Program
    called: dict[Variable, str] = field(default_factory=dict)
    focus: Variable | None = None
    labels: bool = field(default_factory=lambda: _LABELS.get())
    shortens: bool = False

    def name(self, variable: Variable) -> str:
        """Return what a variable is called here."""
        return "it" if variable is self.focus else self.called.get(variable) or variable_name(variable, self.program)

    def calling(self, variable: Variable, said: str) -> Speech:
        """Return the same with words for a variable."""
        return replace(self, called={**self.called, variable: said}, focus=None)

    def knowing(self, *variables: Variable) -> Speech:
        """Return the same with further variables, each with a name that no other one has."""
        speech = self
        for variable in variables:
            wanted = variable_name(variable, speech.program)
            taken = wanted in speech.called.values()
            other = f"{wanted.removeprefix('that ')} {variable.name}" if taken else wanted
            speech = speech.calling(variable, other)
        return speech

    def about(self, variable: Variable) -> Speech:
        """Return the same for a condition that is about one variable."""
        return replace(self, focus=variable)


def words(id_: str) -> str:
    """Return the words of an id."""
    return id_.replace("_", " ").strip()


def kind_of(type_: ty.AnyType, program: Program) -> str:
    """Return the words for one thing of a type; empty where the type says little."""
    match inner := ty.strip(type_):
        case ty.Ref() | ty.Design():
            return kind_nouns(program, inner.kind)[0]
        case ty.Group():
            return words(inner.name)
    return ""


def variable_name(variable: Variable, program: Program) -> str:
    """Return what a variable is called: by its kind when its own name says nothing."""
    name = variable.name
    if name == "me":
        return "you"
    kind = kind_of(variable.type, program)
    if name == "it" or (len(name) < 3 and kind):
        return f"this {kind}" if name == "it" else f"that {kind}"
    return name if len(name) < 3 else f"the {words(name)}"


def plural(noun: str) -> str:
    """Return a noun for several; only the word before ``of``, ``on`` and their like changes."""
    head, rest = _head(noun)
    if head.endswith(("s", "x", "ch", "sh")):
        return f"{head}es{rest}" if not head.endswith("s") else noun
    if head.endswith("y") and head[-2:-1] not in "aeiou":
        return f"{head[:-1]}ies{rest}"
    return f"{head}s{rest}"


def singular(noun: str) -> str:
    """Return a noun for one, when it is written for several."""
    head, rest = _head(noun)
    if head.endswith("ies"):
        return f"{head[:-3]}y{rest}"
    if head.endswith(("ches", "shes", "xes")):
        return f"{head[:-2]}{rest}"
    return f"{head[:-1]}{rest}" if head.endswith("s") and not head.endswith(("ss", "us")) else noun


def several(noun: str) -> bool:
    """Return whether a noun is written for several."""
    return singular(noun) != noun or _head(noun)[0].rpartition(" ")[2] in MANY


def _head(noun: str) -> tuple[str, str]:
    found = _BEHIND.search(noun)
    return (noun[: found.start()], noun[found.start() :]) if found else (noun, "")


def belongs(who: str, what: str) -> str:
    """Return what a player has: your coins, its age, the coins of the next player."""
    if who in ("you", "it"):
        return f"{'your' if who == 'you' else 'its'} {what}"
    return f"the {what} of {who}"


def owner(who: str) -> str:
    """Return a word for whose something is: your, its, the next player's."""
    return {"you": "your", "it": "its"}.get(who) or (f"{who}'" if who.endswith("s") else f"{who}'s")


def join_words(parts: list[str], last: str = "and") -> str:
    """Return parts with commas and a word before the last one."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def capital(said: str) -> str:
    """Return words with a capital at their beginning."""
    return said[:1].upper() + said[1:]


def phrase(program: Program, section: str, id_: str) -> str:
    """Return the phrase that the content gives for a thing, or nothing; that of a rule is an imperative."""
    said = " ".join(text_at(program.composition.sections[section].get(id_), "phrase").split())
    return bidden(said) if section == "rules" else said


def bidden(said: str) -> str:
    """Return what a player does as it is said to that player: ``gains 1 coin`` is ``gain 1 coin``."""
    first, blank, rest = said.partition(" ")
    if not re.fullmatch(r"[a-z]{3,}s", first) or first.endswith(("ss", "us", "is")):
        return said
    return f"{_base(first)}{blank}{rest}"


def _base(verb: str) -> str:
    """Return a verb as it is written after "you"."""
    if verb in IRREGULAR:
        return IRREGULAR[verb]
    if not verb.endswith("s") or verb.endswith(("ss", "us", "is")):
        return verb
    if verb.endswith("ies") and len(verb) > len("dies"):
        return f"{verb[:-3]}y"
    return verb[:-2] if verb.endswith(("sses", "ches", "shes", "xes", "zzes", "oes")) else verb[:-1]


def address_player(said: str, name: str) -> str:
    """Return a sentence about a player as it is said to that player: ``Ann gains 2 coins`` is ``You gain 2 coins``."""
    pattern = rf"(?P<begin>^|; )?\b{re.escape(name)}\b(?P<whose>'s?(?!\w))?(?P<verb> (?:now )?[a-z]+\b)?"

    def you(found: re.Match[str]) -> str:
        word = "your" if found["whose"] else "you"
        verb, begins = found["verb"] or "", found["begin"] is not None
        if begins and not found["whose"]:
            before, _, last = verb.rpartition(" ")
            verb = f"{before} {_base(last)}" if verb else ""
        return f"{found['begin'] or ''}{capital(word) if begins and found['begin'] == '' else word}{verb}"

    found = re.sub(pattern, you, said, flags=re.IGNORECASE)
    return found.replace(" and gains ", " and gain ", 1) if found.startswith("You ") else found


LONGEST = 4_000
"""Characters of a phrase with its values."""


def fill_phrase(text: str, values: dict[str, str], numbers: Collection[str] = ()) -> str:
    """Put values into a phrase; behind one of *numbers* the noun stands for as many things.

    What is longer than ``LONGEST`` is cut: a phrase may have a value twice, and stand in itself again and again.
    """
    said, end, before = "", 0, ""
    for found in [*HOLE.finditer(text), None]:
        between = text[end : found.start() if found is not None else len(text)]
        said += format_count(before, between) if before else between
        if found is None:
            break
        given, end = values.get(found[1], found[0]), found.end()
        before = given if found[1] in numbers and not found[2] else ""
        said += "" if before else owner(given) if found[2] else given
    return said if len(said) <= LONGEST else f"{said[:LONGEST]} ..."


def format_count(number: str, behind: str) -> str:
    """Return a number and the words after it, as it is said of so many."""
    noun = re.match(r" ([A-Za-z][^,?]*)", behind)
    if noun is None or not several(noun[1]):
        return number + behind
    if number == "1":
        return f"1 {singular(noun[1])}{behind[noun.end() :]}"
    if " " in number:
        return f"as many {noun[1]} as {number}{behind[noun.end() :]}"
    return number + behind


def name_of(program: Program, section: str, id_: str) -> str:
    """Return the text of an entry when it is a name: a few words without a full stop."""
    said = " ".join(text_at(program.composition.sections[section].get(id_), "text").split())
    return "" if len(said.split()) > SHORT or re.search(r"[.;:,()]", said) else said


def small(said: str) -> str:
    """Return words without a capital at their beginning."""
    return said[:1].lower() + said[1:] if said[1:2].islower() or said[:2] == "A " else said


def counter_nouns(program: Program, id_: str) -> tuple[str, str]:
    """Return what one of a counter is called, and what several are; the same twice for goods such as water."""
    counter = program.counters.get(id_)
    if counter is not None and counter.noun:
        return counter.noun[0], counter.noun[-1]
    many = small(name_of(program, "counters", id_)) or words(id_)
    return singular(many), many


def kind_nouns(program: Program, id_: str) -> tuple[str, str]:
    """Return what one of a kind is called, and what several are."""
    sections = program.composition.sections
    entry = next((sections[one][id_] for one in ("kinds", "grids", "records") if id_ in sections[one]), None)
    nouns = entry.get("noun") if entry is not None else None
    said = list_texts(nouns)
    return (said[0], said[-1]) if said else (words(id_), plural(words(id_)))


def place_noun(program: Program, id_: str) -> str:
    """Return the noun of a place, perhaps with braces for what it is for."""
    return phrase(program, "places", id_) or small(name_of(program, "places", id_)) or words(id_)


def instance(program: Program, kind: str, id_: str) -> str:
    """Return what one piece or member is called: by the name that the content gives it, or by its id."""
    design = id_ if id_ in program.designs else id_.rpartition("_")[0]
    if said := _name_piece(program, design):
        return said
    name = name_of(program, "pieces", design) if design in program.designs else ""
    if name:
        return f"the {small(name)}" if words(kind) in name.lower() else name
    return f"the {words(id_)}" if design in program.designs and kind != "player" else words(id_)


def _name_piece(program: Program, id_: str) -> str:
    """Return the name of a piece, or that of its kind, with the facts that are the same for all copies filled in."""
    design = program.designs.get(id_)
    if design is None:
        return ""
    own = own_name(program, "pieces", id_)
    text = own or own_name(program, "kinds", design.kind)
    values = {found[1]: _constant(program, design.facts.get(found[1])) for found in HOLE.finditer(text)}
    if not own and not all(values.values()):
        return ""
    return " ".join(fill_phrase(text, values).split())


def own_name(program: Program, section: str, id_: str) -> str:
    """Return the name that an entry gives to what it declares, with its braces; nothing where it gives none."""
    return text_at(program.composition.sections[section].get(id_), "name")


def _constant(program: Program, value: object) -> str:
    """Return the words for a fact that is the same for all copies of a piece, or nothing."""
    match value:
        case Number():
            return str(value.value)
        case Instance() | DesignNamed():
            return instance(program, value.kind, value.id)
    return ""


def pack_title(program: Program, id_: str) -> str:
    """Return what a pack is called."""
    return next((pack.text("title", id_) for pack in program.composition.packs if pack.id == id_), id_)
