"""Say what takes arguments: counters, places, functions and rules of a pack, with words for their arguments given."""

from __future__ import annotations

from patolli.language.phrases import holes
from patolli.program import types as ty
from patolli.program.expressions import Variable
from patolli.program.model import Function, Rule
from patolli.prose import words as w
from patolli.prose.words import Speech


def plainly(id_: str, given: list[str]) -> str:
    """Say a call by its name alone."""
    return f"{w.words(id_)} ({', '.join(given)})" if given else w.words(id_)


def counter(id_: str, given: list[str], speech: Speech) -> str:
    """Say a counter: mine, somebody's, or that of the table."""
    noun, whose, left = _indexed(w.counter_nouns(speech.program, id_)[1], speech.program.counters[id_].dims, given)
    said = w.belongs(whose, noun) if whose else f"the {noun}"
    return f"{said} for {left}" if left else said


def place(id_: str, given: list[str], speech: Speech) -> str:
    """Say a place, which stands for what lies there."""
    noun, whose, left = _indexed(w.place_noun(speech.program, id_), speech.program.places[id_].dims, given)
    said = w.belongs(whose, noun) if whose else noun if noun.startswith(("the ", "what ")) else f"the {noun}"
    return f"{said} of {left}" if left else said


def _indexed(noun: str, dims: tuple[str, ...], given: list[str]) -> tuple[str, str, str]:
    """Fill in what a counter or place is for; return the noun, the player, and what found no place in the noun."""
    pairs = list(zip(dims, given, strict=False))
    named = holes(noun)
    whose = next((one for kind, one in pairs if kind == "player" and kind not in named), "")
    left = [one for kind, one in pairs if kind not in named and kind != "player"]
    return w.filled(noun, dict(pairs)), whose, w.listed(left)


def function(id_: str, given: list[str], speech: Speech) -> str:
    """Say what a function of a pack computes."""
    id_, changed, pack = id_.partition("'")
    said = _declared("functions", id_, speech.program.functions.get(id_), given, speech)
    return f"{said} without {pack}" if changed else said


def rule(id_: str, given: list[str], speech: Speech) -> str:
    """Say what a rule of a pack does."""
    id_, changed, pack = id_.partition("'")
    said = _declared("rules", id_, speech.program.rules.get(id_), given, speech)
    return f"{said} as without {pack}" if changed else said


def _declared(section: str, id_: str, declared: Function | Rule | None, given: list[str], speech: Speech) -> str:
    said = w.phrase(speech.program, section, id_)
    return _filled(said, declared.parameters, given) if declared is not None and said else plainly(id_, given)


def _filled(said: str, parameters: tuple[Variable, ...], given: list[str]) -> str:
    named = dict(zip((parameter.name for parameter in parameters), given, strict=False))
    return w.filled(said, named, [parameter.name for parameter in parameters if parameter.type == ty.INT])
