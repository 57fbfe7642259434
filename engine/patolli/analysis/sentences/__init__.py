"""Say in English what the content does, from its effects alone.

The same effect always gives the same words. They stand beside the text that the author wrote, so that a reader sees
where the two say something different.
"""

from __future__ import annotations

from patolli.analysis.model import Anytime, Design, Discount, Model, Rule, Substitution, Trigger, Waiver
from patolli.analysis.sentences import doing, values, words
from patolli.analysis.sentences.words import Speech
from patolli.language import tree as t
from patolli.program import types as ty


def speech_of(model: Model, parameters: list[tuple[str, ty.AnyType]]) -> Speech:
    """Return what is known at the beginning of a rule or function."""
    speech = Speech(model, {"me": "you"})
    for name, type_ in parameters:
        speech = speech.with_variable(name, type_)
    return speech


def effect(model: Model, block: t.Block, parameters: list[tuple[str, ty.AnyType]]) -> str:
    """Say what an effect does, in lines."""
    return "\n".join(doing.sentences(block, speech_of(model, parameters)))


def rule(model: Model, declared: Rule) -> str:
    """Say what a rule does; its steps each have a line of their own."""
    steps = declared.steps
    if len(steps) < 2:
        return effect(model, declared.block, declared.parameters)
    speech = speech_of(model, declared.parameters)
    lines = []
    for number, step in enumerate(steps, 1):
        said = doing.sentences(step.block, speech)
        name, _, how = step.name.partition("'")
        label = " ".join([words.words(name), *([f"({how.replace(chr(39), ', ')})"] if how else [])])
        lines.append(f"{number}. {label}: {said[0]}" if len(said) == 1 else f"{number}. {label}:")
        lines += [f"   {line}" for line in said] if len(said) > 1 else []
        for one in step.block:
            if isinstance(one, t.Let):
                speech = speech.with_variable(one.id, one.value.type)
    return "\n".join(lines)


def function(model: Model, body: t.Expr, parameters: list[tuple[str, ty.AnyType]]) -> str:
    """Say what a function computes."""
    speech = speech_of(model, parameters)
    said = values.condition(body, speech) if body.type == ty.BOOL else values.value(body, speech)
    return f"{words.capital(said)}."


def trigger(model: Model, declared: Trigger) -> str:
    """Say when a trigger acts, and what it does."""
    body = model.rules[declared.body]
    speech = speech_of(model, body.parameters)
    target = model.rules.get(declared.rule)
    names = {name: speech.called.get(name, name) for name, _ in target.parameters} if target else {}
    said = words.phrase(model, "rules", declared.rule)
    event = f"you {words.filled(said, names)}" if said else f"'{words.words(declared.rule)}'"
    early = target is not None and declared in target.before
    head = f"{'before' if early else 'after'} {event}"
    head += _if(declared.when, speech)
    lines = doing.sentences(body.block, speech)
    if len(lines) == 1:
        return f"{words.capital(head)}: {words.small(lines[0])}"
    return "\n".join([f"{words.capital(head)}:", *(f"  {line}" for line in lines)])


def told(model: Model, section: str, id_: str) -> list[tuple[str, str]]:
    """Say all that an entry does: each sentence behind the name of the fact or part that says it."""
    match section:
        case "rules" if id_ in model.rules:
            declared = model.rules[id_]
            around = [("trigger", trigger(model, one)) for one in (*declared.before, *declared.after)]
            return [("", rule(model, declared)), *around]
        case "functions" if id_ in model.functions:
            body = model.functions[id_].body
            return [("", function(model, body, model.functions[id_].parameters))] if body is not None else []
        case "triggers":
            return [("", trigger(model, one)) for one in model.triggers if one.name == id_]
        case "anytime":
            return [("", _anytime(model, one)) for one in model.anytime if one.name == id_]
        case "pieces" if id_ in model.designs:
            return _piece(model, model.designs[id_])
        case "substitutions":
            return [("", _substitution(model, one)) for one in model.substitutions if one.name == id_]
        case "discounts":
            return [("", _discount(model, one)) for one in model.discounts if one.name == id_]
        case "waivers":
            return [("", _waiver(model, one)) for one in model.waivers if one.name == id_]
        case "result" if model.score is not None:
            counted = [("score", model.score), *(("ties", one) for one in model.ties)]
            speech = speech_of(model, [])
            return [(part, f"{words.capital(values.value(one, speech))}.") for part, one in counted]
    return []


def _substitution(model: Model, declared: Substitution) -> str:
    speech = speech_of(model, [])
    given = doing.items([declared.give], speech)
    most = f"up to {declared.most}" if declared.most > 1 else "1"
    return (
        f"{words.capital(given)} may be paid for {most} {_any_of(model, declared.targets)}{_if(declared.when, speech)}."
    )


def _discount(model: Model, declared: Discount) -> str:
    speech = speech_of(model, [])
    said = f"{declared.less} {_any_of(model, declared.targets)} less is paid {_tagged(declared.on)}"
    said += _if(declared.when, speech)
    if declared.body is None:
        return f"{said}."
    used = doing.sentences(model.rules[declared.body].block, speech)
    return "\n".join([f"{said}; when it is used:", *(f"  {line}" for line in used)])


def _waiver(model: Model, declared: Waiver) -> str:
    speech = speech_of(model, model.rules[declared.body].parameters)
    head = f"for {values.one_of(declared.binder, None, speech)}, " if declared.binder is not None else ""
    said = f"{head}no {_any_of(model, declared.of)} has to be paid {_tagged(declared.on)}{_if(declared.when, speech)}"
    used = doing.sentences(model.rules[declared.body].block, speech)
    return "\n".join([f"{words.capital(said)}; when it is used:", *(f"  {line}" for line in used)])


def _any_of(model: Model, counters: tuple[str, ...]) -> str:
    return words.listed([words.counter_nouns(model, one)[0] for one in counters], "or")


def _tagged(tags: tuple[str, ...]) -> str:
    return f"as {words.listed([words.words(tag) for tag in tags], 'or')}"


def _if(condition: t.Expr | None, speech: Speech) -> str:
    return "" if condition is None else f", if {values.condition(condition, speech)}"


def _piece(model: Model, design: Design) -> list[tuple[str, str]]:
    found = []
    for name, value in design.facts.items():
        if isinstance(value, t.Cost):
            found.append((name, f"{words.capital(cost(model, value))}."))
        found += [(label, rule(model, model.rules[one])) for label, one in _effects(model, name, value)]
    found += [("trigger", trigger(model, one)) for one in model.triggers if one.design is design]
    return found


def _effects(model: Model, label: str, value: object) -> list[tuple[str, str]]:
    """Return the effects in a fact, each with where it stands, counted from 0 as in the language."""
    if isinstance(value, str):
        return [(label, value)] if value in model.rules else []
    if isinstance(value, list):
        return [one for n, inner in enumerate(value) for one in _effects(model, f"{label}[{n}]", inner)]
    return []


def _anytime(model: Model, declared: Anytime) -> str:
    body = model.rules[declared.body]
    speech = speech_of(model, body.parameters)
    head = "at any time"
    if declared.binder is not None:
        head += f", for {values.one_of(declared.binder, None, speech)}"
    head += _if(declared.when, speech)
    said = doing.sentences(body.block, speech)
    return "\n".join([f"{words.capital(head)}:", *(f"  {line}" for line in said)])


def cost(model: Model, declared: t.Cost) -> str:
    """Say a cost."""
    return doing.items(declared.items, Speech(model, {"me": "you"}))
