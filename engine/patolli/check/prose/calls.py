"""Say what takes arguments: counters, places, functions and rules of a pack, with words for their arguments given."""

from __future__ import annotations

from patolli.check.prose import words as w
from patolli.check.prose.words import Speech
from patolli.language.program import types as ty
from patolli.language.program.model import Function, Rule
from patolli.language.syntax.phrases import holes

_JOINING = {
    "above", "after", "around", "at", "before", "behind", "below", "beside", "between", "by", "for", "from", "in",
    "like", "of", "on", "over", "per", "to", "under", "with",
}  # fmt: skip
"""Last words of names that lead on to what they are given: ``coins_of``, ``next_to``."""


def counter(id_: str, given: list[str], speech: Speech) -> str:
    """Say a counter: mine, another player's, or that of the table."""
    noun, whose, left = _fill_indices(w.counter_nouns(speech.program, id_)[1], speech.program.counters[id_].dims, given)
    said = w.belongs(whose, noun) if whose else f"the {noun}"
    return f"{said} for {left}" if left else said


def place(id_: str, given: list[str], speech: Speech) -> str:
    """Say a place, which stands for what lies there."""
    noun, whose, left = _fill_indices(w.place_noun(speech.program, id_), speech.program.places[id_].dims, given)
    said = w.belongs(whose, noun) if whose else _definite(noun)
    return f"{said} of {left}" if left else said


def _definite(noun: str) -> str:
    """Return a noun with an article, unless it begins with a word like one."""
    return noun if noun.startswith(("the ", "what ", "all ", "each ", "every ", "no ")) else f"the {noun}"


def _fill_indices(noun: str, dims: tuple[str, ...], given: list[str]) -> tuple[str, str, str]:
    """Fill in what a counter or place is for; return the noun, the player, and what found no place in the noun."""
    pairs = list(zip(dims, given, strict=False))
    named = holes(noun)
    whose = next((one for kind, one in pairs if kind == "player" and kind not in named), "")
    left = [one for kind, one in pairs if kind not in named and kind != "player"]
    return w.fill_phrase(noun, dict(pairs)), whose, w.join_words(left)


def function(id_: str, given: list[str], speech: Speech) -> str:
    """Say what a function of a pack computes."""
    id_, changed, pack = id_.partition("'")
    if "." in id_:  # a formula of a piece
        return _worked_out(id_.split(".")[1], given)
    declared = speech.program.functions.get(id_)
    said = _fill_phrase("functions", id_, declared, given, speech)
    if not said:
        said = (
            _describe_truth(id_, given)
            if declared is not None and declared.type == ty.BOOL
            else _worked_out(id_, given)
        )
    return f"{said} without {w.pack_title(speech.program, pack)}" if changed else said


def _describe_truth(id_: str, given: list[str]) -> str:
    """Say that a function without a phrase gives true."""
    return f"'{w.words(id_)}' is true" + (f" for {w.join_words(given)}" if given else "")


def _worked_out(id_: str, given: list[str]) -> str:
    """Say the value of a function without a phrase."""
    said = w.words(id_)
    if given[1:] == [] and given[:1] in (["you"], ["it"]) and said.endswith(" of"):
        return w.belongs(given[0], said.removesuffix(" of"))
    if not given or id_.rpartition("_")[2] in _JOINING:
        return f"{_definite(said)} {w.join_words(given)}" if given else _definite(said)
    return w.belongs(given[0], said) if len(given) == 1 else f"the {said} of {w.join_words(given)}"


def rule(id_: str, given: list[str], speech: Speech) -> str:
    """Say what a rule of a pack does."""
    said, left = _word_call(id_, given, speech)
    again = " after all" if is_original(id_) else ""
    return f"do '{said}'{again} with {left}" if left else f"{said}{again}"


def is_original(id_: str) -> bool:
    """Return whether a rule is what a trigger stands instead of; what a pack has put aside is named after the pack."""
    return id_.partition("'")[2][:1].isdigit()


def possible(id_: str, given: list[str], speech: Speech) -> str:
    """Say that a rule of a pack can be carried out."""
    said, left = _word_call(id_, given, speech)
    return f"'{said}' is possible" + (f" with {left}" if left else "")


def result(id_: str, given: list[str], speech: Speech) -> str:
    """Say what a rule of a pack returns."""
    said, left = _word_call(id_, given, speech)
    return f"the result of '{said}'" + (f" with {left}" if left else "")


def _word_call(id_: str, given: list[str], speech: Speech) -> tuple[str, str]:
    """Return the words for a rule, and for what it is given, as far as these do not stand in the first ones."""
    again = is_original(id_)
    id_, changed, pack = id_.partition("'")
    said = _fill_phrase("rules", id_, speech.program.rules.get(id_), given, speech)
    words = said or w.words(id_)
    words += f" as without {w.pack_title(speech.program, pack)}" if changed and not again else ""
    return words, "" if said else w.join_words(given)


def _fill_phrase(section: str, id_: str, declared: Function | Rule | None, given: list[str], speech: Speech) -> str:
    """Return the phrase of a function or rule with what it is given; nothing where it has none."""
    said = w.phrase(speech.program, section, id_)
    if declared is None or not said:
        return ""
    named = dict(zip((parameter.name for parameter in declared.parameters), given, strict=False))
    return w.fill_phrase(said, named, [parameter.name for parameter in declared.parameters if parameter.type == ty.INT])
