"""Say in English what the content does, from its effects alone.

The same effect always gives the same words. They stand beside the text that the author wrote, so that a reader sees
where the two say something different.
"""

from __future__ import annotations

from collections.abc import Iterator

from patolli.check.prose import calls, effects, expressions, rule_text, words
from patolli.check.prose.words import Speech
from patolli.language.program import model as pm
from patolli.language.program.effects import Block, CostOf, If
from patolli.language.program.expressions import Arithmetic, Expr, Logic, Number, Variable
from patolli.language.program.types import BOOL, article


def speech_of(program: pm.Program, parameters: tuple[Variable, ...] = ()) -> Speech:
    """Return what is known at the beginning of a rule or function."""
    return Speech(program, shortens=True).knowing(*parameters)


def effect(program: pm.Program, block: Block, parameters: tuple[Variable, ...]) -> str:
    """Say what an effect does, in lines."""
    return "\n".join(effects.sentences(block, speech_of(program, parameters)))


_NOUNS = ("a ", "an ", "it ", "the ", "that ", "this ", "your ", "{")
"""Beginnings of phrases that say who acts."""


def rule(program: pm.Program, declared: pm.Rule) -> str:
    """Say what a rule does, unless something takes its place; its steps each have a line of their own."""
    declared = program.rules[declared.original] if declared.original else declared
    steps = [step for step in declared.steps if not joins(step)]
    if len(steps) < 2:
        return effect(program, steps[0].block if steps else (), declared.parameters)
    speech = speech_of(program, declared.parameters)
    lines = []
    for number, step in enumerate(steps, 1):
        said = effects.sentences(step.block, speech)
        name, *how = step.name.split("'")
        around = ", ".join(words.pack_title(program, part) for part in how)
        label = f"{words.words(name)} ({around})" if how else words.words(name)
        lines.append(f"{number}. {label}: {said[0]}" if len(said) == 1 else f"{number}. {label}:")
        lines += [f"   {line}" for line in said] if len(said) > 1 else []
        for one in step.block:
            speech = effects.behind(one, speech)
    return "\n".join(lines)


def joins(step: pm.Step) -> bool:
    """Return whether nothing but triggers stands in a step; they have sentences of their own."""
    return step.name.endswith(("'before", "'after"))


def function(program: pm.Program, declared: pm.Function) -> str:
    """Say what a function computes."""
    speech = speech_of(program, declared.parameters)
    say = expressions.condition if declared.type == BOOL else expressions.value
    return rule_text.refer(say(declared.body, speech))


def trigger(program: pm.Program, declared: pm.Trigger) -> str:
    """Say when a trigger acts, and what it does."""
    body = program.rules[declared.body]
    speech = speech_of(program, body.parameters)
    target = program.rules.get(declared.rule)
    called = {variable.name: speech.name(variable) for variable in body.parameters}
    said = words.phrase(program, "rules", declared.rule)
    name, _, step = declared.moment.partition("/")
    event = words.fill_phrase(said, called) if said else f"'{words.words(name)}'"
    if said and not said.startswith(_NOUNS):
        event = f"you {event}"
    if step:
        event = f"the step '{words.words(step)}' of '{words.words(name)}'"
    head = f"{_moment(program, target, declared)} {event}"
    if declared.sets_back:
        return f"{words.capital(head)}: {_what_lasts(program, declared.sets_back)} is again what it was at the start."
    if target is not None and declared in target.ordered:
        head += ", in an order that you choose"
    head += _if(body.given, speech)
    lines = effects.sentences(body.block, speech)
    if len(lines) == 1:
        return f"{words.capital(head)}: {words.small(lines[0])}"
    return "\n".join([f"{words.capital(head)}:", *(f"  {line}" for line in lines)])


def _moment(program: pm.Program, target: pm.Rule | None, declared: pm.Trigger) -> str:
    if target is None or declared in target.instead:
        return "instead of" if target is not None else "after"
    was = program.rules.get(target.original, target)
    return "before" if declared in (*target.before, *was.before) else "after"


def happening(program: pm.Program, declared: pm.Happening) -> str:
    """Say what a trigger does that follows a counter or a move."""
    body = program.rules[declared.body]
    block, condition = body.block, None
    match block:
        case (If(condition=test, then=then, other=()),):
            block, condition = then, test
    if declared.design and declared.moment[2:3] != (
        "from",
    ):  # that the piece is active stands before its own condition, and goes without saying
        condition = condition.right if isinstance(condition, Logic) else None
    speech = speech_of(program, body.parameters)
    head = f"After {_happens(program, declared)}{_if(condition, speech)}"
    lines = effects.sentences(block, speech)
    if len(lines) == 1:
        return f"{head}: {words.small(lines[0])}"
    return "\n".join([f"{head}:", *(f"  {line}" for line in lines)])


def _happens(program: pm.Program, declared: pm.Happening) -> str:
    """Say what it is that a trigger follows."""
    match declared.moment:
        case ("gain", counter) if program.counters[counter].dims:
            return f"you gain {words.counter_nouns(program, counter)[1]}"
        case ("gain", counter):
            return f"the {words.counter_nouns(program, counter)[1]} rises"
    _, kind, way, place = declared.moment
    whose = ["you" if dim == "player" else article(words.words(dim)) for dim in program.places[place].dims]
    verb = "comes to" if way == "to" else "leaves"
    return f"{article(words.words(kind))} {verb} {calls.place(place, whose, Speech(program))}"


def _what_lasts(program: pm.Program, name: str) -> str:
    """Say what is set back at the end of a rule: a field of a kind, or a counter."""
    kind, dot, field = name.partition(".")
    if kind == pm.TABLE:
        return f"the {words.words(field)} of the table"
    whose = f" of every {words.kind_nouns(program, kind)[0]}" if dot else ""
    return f"the {words.words(field if dot else kind)}{whose}"


def describe_entry(program: pm.Program, section: str, id_: str) -> list[tuple[str, str]]:
    """Say all that an entry does: each sentence behind the name of the fact or part that says it."""
    match section:
        case "rules" if id_ in program.rules:
            declared = program.rules[id_]
            around = [("trigger", trigger(program, one)) for one in program.joining(id_)]
            return [("", rule(program, declared)), *around]
        case "functions" if id_ in program.functions:
            return [("", function(program, program.functions[id_]))]
        case "triggers":
            followed = [("", happening(program, one)) for one in program.happenings.values() if one.name == id_]
            return followed or [("", trigger(program, one)) for one in program.all_triggers if one.name == id_]
        case "anytime":
            return [("", _anytime(program, one)) for one in program.anytime if one.name == id_]
        case "pieces" if id_ in program.designs:
            return _piece(program, program.designs[id_])
        case "substitutions":
            return [("", _substitution(program, one)) for one in program.substitutions if one.name == id_]
        case "discounts":
            return [("", _discount(program, one)) for one in program.discounts if one.name == id_]
        case "waivers":
            return [("", _waiver(program, one)) for one in program.waivers if one.name == id_]
        case "result":
            return list(_result(program))
        case "measures" if id_ in program.measures:
            return [("", _measure(program, program.measures[id_]))]
    return []


def _result(program: pm.Program) -> Iterator[tuple[str, str]]:
    """Yield the sentences of a result, each with its key."""
    if program.score is not None:
        yield "score", _formula(program, program.score)
    yield from (("ties", _formula(program, tie)) for tie in program.ties)
    for key, said, one in (("among", "can win", program.among), ("wins", "win", program.wins)):
        if one is not None:
            yield key, f"You {said}{_if(one.body, speech_of(program, one.variables))}."


def _measure(program: pm.Program, declared: pm.Measure) -> str:
    """Say when a measure is taken, and of what."""
    speech, body = speech_of(program, declared.formula.variables), declared.formula.body
    moment = f"{declared.moment} '{words.words(declared.rule)}'" if declared.rule else "at the end of the match"
    whether = f"whether {expressions.condition(body, speech)}" if body.type == BOOL else ""
    each = ", for each player" if declared.each else ""
    return f"{words.capital(moment)}{each}: {whether or expressions.value(body, speech)}."


def _formula(program: pm.Program, counted: pm.Formula) -> str:
    speech = speech_of(program, counted.variables)
    match counted.body:
        case Arithmetic(op="-", left=Number(value=0), right=less):
            return f"{words.capital(expressions.value(less, speech))}, the less the better."
    return rule_text.refer(expressions.value(counted.body, speech))


def _substitution(program: pm.Program, declared: pm.Substitution) -> str:
    speech = speech_of(program)
    given = effects.items([declared.give], speech)
    exactly = "exactly " if declared.most > 1 else ""
    most = f"up to {declared.most}" if declared.least < declared.most else f"{exactly}{declared.most}"
    condition = _if(declared.when.body if declared.when is not None else None, speech)
    return (
        f"{words.capital(given)} may be paid for {most} {_any_of(program, declared.targets, declared.most)}{condition}."
    )


def _discount(program: pm.Program, declared: pm.Discount) -> str:
    speech = speech_of(program)
    how = "less" if declared.less > 0 else "more"
    said = f"{abs(declared.less)} {_any_of(program, declared.targets)} {how} is paid {_describe_tags(declared.on)}"
    said += _if(declared.when.body if declared.when is not None else None, speech)
    if declared.body is None:
        return f"{said}."
    used = _carried_out(program, declared.body)
    return "\n".join([f"{said}; when it is used:", *(f"  {line}" for line in used)])


def _waiver(program: pm.Program, declared: pm.Waiver) -> str:
    each, condition = _for_each(program, declared)
    if declared.subject is not None:
        condition += _if(declared.subject.body, speech_of(program)).replace(
            ", if ", " and " if condition else ", if ", 1
        )
    head = f"for {each}, " if each else ""
    said = f"{head}no {_any_of(program, declared.of)} has to be paid {_describe_tags(declared.on)}{condition}"
    used = _carried_out(program, declared.body)
    return "\n".join([f"{words.capital(said)}; when it is used:", *(f"  {line}" for line in used)])


def _any_of(program: pm.Program, counters: tuple[str, ...], number: int = 1) -> str:
    form = 0 if number == 1 else -1
    return words.join_words([words.counter_nouns(program, one)[form] for one in counters], "or")


def _describe_tags(tags: tuple[str, ...]) -> str:
    """Say which payments are meant: as what they are paid, or in which rules, where their place is named."""
    own = [words.words(tag) for tag in tags if "/" not in tag]
    rules = dict.fromkeys(tag.split("/")[0] for tag in tags if "/" in tag and tag.split("/")[-1] not in tags)
    parts = [("as", own), ("in", [words.words(rule) for rule in rules])]
    return " or ".join(f"{word} {words.join_words(names, 'or')}" for word, names in parts if names)


def _if(condition: Expr | None, speech: Speech) -> str:
    return "" if condition is None else f", if {expressions.condition(condition, speech)}"


def _piece(program: pm.Program, design: pm.Design) -> list[tuple[str, str]]:
    found = []
    for name, value in design.facts.items():
        if isinstance(value, CostOf):
            found.append((name, f"{words.capital(cost(program, value))}."))
        found += [(label, rule(program, program.rules[one])) for label, one in _effects(program, name, value)]
    found += [
        (name, _formula(program, one)) for name, one in design.formulas.items() if not isinstance(one.body, Number)
    ]
    found += [("trigger", trigger(program, one)) for one in program.triggers_of(design)]
    found += [("trigger", happening(program, one)) for one in program.happenings.values() if one.design == design.id]
    return found


def _effects(program: pm.Program, label: str, value: pm.Value) -> list[tuple[str, str]]:
    """Return the effects in a fact, each with where it stands, counted from 0 as in the language."""
    if isinstance(value, str):
        return [(label, value)] if value in program.rules else []
    if isinstance(value, pm.Items):
        return [one for n, inner in enumerate(value) for one in _effects(program, f"{label}[{n}]", inner)]
    return []


def _anytime(program: pm.Program, declared: pm.Anytime) -> str:
    each, condition = _for_each(program, declared)
    head = f"At any time{f', for {each}' if each else ''}{condition}:"
    return "\n".join([head, *(f"  {line}" for line in _carried_out(program, declared.body))])


def _for_each(program: pm.Program, declared: pm.Anytime | pm.Waiver) -> tuple[str, str]:
    """Say of what there is one line each, and under which condition."""
    speech = speech_of(program)
    if declared.binder is None:
        return "", _if(declared.when, speech)
    each = expressions.one_of(declared.binder, None, speech)
    return each, _if(declared.when, expressions.bind_variables((declared.binder,), speech))


def _carried_out(program: pm.Program, name: str) -> list[str]:
    body = program.rules[name]
    return effects.sentences(body.block, speech_of(program, body.parameters))


def cost(program: pm.Program, declared: CostOf) -> str:
    """Say a cost."""
    return effects.items(declared.items, Speech(program))
