"""Say in English what an effect does.

In:     a block of the resolved program.
Out:    sentences: one line where everything fits into it, else a line for each effect, with what belongs to it below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from patolli.check.proofs.terms import key
from patolli.check.prose import calls, rule_text
from patolli.check.prose import expressions as say
from patolli.check.prose import words as w
from patolli.check.prose.words import Speech
from patolli.kernel.values import LARGEST
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.effects import Block
from patolli.language.program.statements import Statement, statements
from patolli.language.program.tree_rewriter import substitute

WIDE = 160
"""Characters that a single sentence may have."""


def sentences(block: Block, speech: Speech) -> list[str]:
    """Say a block in lines; what belongs to a line stands below it, indented."""
    return _write_lines(_describe_parts(block, speech))


def _write_lines(parts: list[Said]) -> list[str]:
    line = ", then ".join(said for said, *_ in parts)
    if parts and _fits_line(parts) and (len(line) <= WIDE or len(parts) == 1):
        return [_sentence(line)]
    lines = []
    for said, below, _ in parts:
        lines.append(_sentence(said, ":" if below else "."))
        lines += [f"  {line}" for line in below]
    return lines or ["Nothing happens."]


def _sentence(said: str, end: str = ".") -> str:
    return f"{w.capital(said)}{end}"


class Said(NamedTuple):
    """A clause, and the lines that belong below it.

    ``is_open`` says that a clause ends with what a loop or condition leads to: a "then" behind it would belong there.
    """

    words: str
    below: Sequence[str] = ()
    is_open: bool = False


def _fits_line(parts: list[Said]) -> bool:
    """Return whether clauses can stand behind one another without a doubt about what belongs to what."""
    return not any(part.below for part in parts) and not any(part.is_open for part in parts[:-1])


def _as_written(block: Block, speech: Speech) -> Block:
    """Return a block without what it sets off, which is said where it is declared."""
    happenings = speech.program.happenings
    if not happenings:
        return block
    found: list[e.Effect] = []
    kept: dict[x.Variable, x.Expr] = {}
    for effect in block:
        calls = effect.body if isinstance(effect, e.For) else (effect,)
        if isinstance(effect, e.Let) and not effect.variable.name:
            kept[effect.variable] = substitute(effect.value, kept)
        elif not calls or not all(isinstance(one, e.CallRule) and one.rule in happenings for one in calls):
            found.append(substitute(effect, kept))
    return tuple(found)


def _describe_block(block: Block, speech: Speech) -> list[Said]:
    """Say each statement of a block; a name that one gives is known to those behind it."""
    found: list[Said] = []
    for statement in statements(_as_written(block, speech)):
        speech = _name_results(statement, speech)
        effect = statement.effect
        found += _if(effect, speech) if isinstance(effect, e.If) else [_effect(effect, speech)]
        speech = behind(effect, speech)
    return [one for one in found if one.words]


def _name_results(statement: Statement, speech: Speech) -> Speech:
    """Return the same with words for what the calls of a statement return."""
    for call in statement.calls:
        if call.into is not None:
            speech = speech.calling(call.into, _result(call, speech))
    return speech


def behind(effect: e.Effect, speech: Speech) -> Speech:
    """Return what is known behind an effect: the same, with the variables that it names."""
    match effect:
        case e.Let() | e.Random():
            return speech.knowing(effect.variable)
        case e.CallRule() if effect.into is not None:
            return speech.knowing(effect.into)
        case e.Choose():
            speech = say.bind_variables(effect.binders, speech)
            variable = effect.binders[0].variable
            if effect.several and isinstance(chosen := ty.strip(variable.type), ty.Seq):
                kind = w.kind_of(chosen.of, speech.program)
                return speech.calling(variable, f"the chosen {w.plural(kind) if kind else 'ones'}")
    return speech


def _describe_parts(block: Block, speech: Speech) -> list[Said]:
    """Say each statement of a block that has words; what comes again at once is said once."""
    found: list[Said] = []
    for part, group in groupby(_describe_block(block, speech)):
        number = len(list(group))
        times = {1: "", 2: ", twice"}.get(number, f", {number} times")
        found.append(part._replace(words=f"{part.words}{times}"))
    return found


def _body(head: str, block: Block, speech: Speech, join: str = ", ", most: int = 1, *, silent: bool = False) -> Said:
    """Say a clause with a block: on its line when the block has at most so many short clauses, else below.

    If the block has no words, that nothing happens, or nothing if it may be *silent*.
    """
    parts = _describe_parts(block, speech)
    if silent and not parts:
        return Said("")
    inline = ", then ".join(part.words for part in parts) or "nothing happens"
    if len(parts) <= most and _fits_line(parts) and len(head) + len(inline) <= WIDE:
        return Said(f"{head}{join}{inline}", is_open=True)
    return Said(head, _write_lines(parts))


def _effect(effect: e.Effect, speech: Speech) -> Said:
    simple = _change(effect, speech) or _way(effect, speech)
    return Said(simple) if simple else _with_block(effect, speech)


# ---- changes


def items(parts: Iterable[e.Item], speech: Speech) -> str:
    """Say a cost or a gain."""
    return w.join_words([_item(part, speech) for part in parts])


def _item(part: e.Item, speech: Speech) -> str:
    match part:
        case e.CostItem():
            return say.value(part.cost, speech)
        case e.MixItem():
            group = w.words(part.group)
            return f"{_many(part.amount, (group, w.plural(group)), speech)} of your choice"
        case e.MemberItem():
            return f"{say.value(part.amount, speech)} of {say.value(part.member, speech)}"
        case e.CounterItem():
            said = _many(part.amount, w.counter_nouns(speech.program, part.counter), speech)
            named = zip(speech.program.counters[part.counter].dims, part.indices, strict=True)
            left = w.join_words([say.value(one, speech) for kind, one in named if kind != "player"])
            return f"{said} for {left}" if left else said
    raise TypeError(part)


def _many(amount: x.Expr, noun: tuple[str, str], speech: Speech) -> str:
    """Say how much of something; *noun* is for one and for several."""
    one, several = noun
    said = say.value(amount, speech)
    if said == "1":
        return f"1 {one}"
    if len(said) < 3:
        return f"{said} {several}"
    return f"as {'much' if one == several else 'many'} {several} as {said}"


def _change(effect: e.Effect, speech: Speech) -> str:
    match effect:
        case e.Gain():
            verb = "lose" if effect.less else "gain"
            who = "" if _is_me(effect.who) else f"{say.value(effect.who, speech)} "
            return f"{who}{verb}{'s' if who else ''} {items(effect.items, speech)}"
        case e.Pay():
            subject = f" for {say.value(effect.of, speech)}" if effect.of is not None else ""
            return f"pay {items(effect.items, speech)}{subject}"
        case e.Set():
            return _set(effect, speech)
        case e.Random():
            return f"take one of {say.things(effect.source, None, effect.variable, speech)} at random"
        case e.Let():
            return f"let {speech.knowing(effect.variable).name(effect.variable)} be {say.value(effect.value, speech)}"
        case e.CallRule() if effect.into is not None:
            return f"let {speech.knowing(effect.into).name(effect.into)} be {_result(effect, speech)}"
    return _describe_move(effect, speech)


def _is_me(who: x.Expr) -> bool:
    return isinstance(who, x.Local) and who.variable.name == "me"


MOVED_WORDS: dict[type[e.Effect], str] = {e.Swap: "{pieces} change places", e.Slide: "the gaps of {row} are closed"}
"""What is reported when an effect has moved pieces that everyone sees; of others, what came where."""


def _describe_move(effect: e.Effect, speech: Speech) -> str:
    """Say what happens to pieces."""
    match effect:
        case e.Move():
            way = "under" if effect.bottom else "to"
            return f"move {say.value(effect.what, speech)} {way} {say.place(effect.to, speech)}"
        case e.Swap():
            return f"swap {say.value(effect.first, speech)} with {say.value(effect.second, speech)}"
        case e.Shuffle():
            return f"shuffle {say.place(effect.place, speech)}"
        case e.Reveal():
            return f"show {say.value(effect.what, speech)} to {say.value(effect.who, speech)}"
        case e.Draw():
            source, to = say.place(effect.source, speech), say.place(effect.to, speech)
            number = say.value(effect.amount, speech)
            end = f"from {source} to {to}"
            return f"draw {number} {end}" if len(number) < 3 else f"draw as many {end} as {number}"
        case e.Refill():
            return f"refill {say.place(effect.row, speech)} from {say.place(effect.source, speech)}"
        case e.Slide():
            return f"close the gaps in {say.place(effect.row, speech)}"
    return ""


def _set(effect: e.Set, speech: Speech) -> str:
    target, new = _find_set_part(effect.target, effect.value)
    said = say.value(target, speech)
    if isinstance(target, x.FieldOf) and isinstance(new, x.Truth):
        if say.lone(target.of, speech):
            said = say.condition(target, speech)
            return f"from now on {said}" if new.value else f"it is no longer so that {said}"
        owner = say.value(target.of, speech)
        return f"{owner} is {'now' if new.value else 'no longer'} {w.words(target.field)}"
    return _describe_shift(target, new, speech) or f"set {said} to {say.value(new, speech)}"


def _find_set_part(target: x.Expr, new: x.Expr) -> tuple[x.Expr, x.Expr]:
    """Return the field of a record that alone gets another value, and that value; else what is set as a whole."""
    while isinstance(new, x.RecordOf):
        parts = [
            (x.FactOf(new.kind, name, target, type=one.type, span=one.span), one)
            for name, one in zip(new.fields, new.values, strict=True)
        ]
        changed = [(old, one) for old, one in parts if key(old) != key(one)]
        if len(changed) != 1 or len(parts) == 1:
            break
        target, new = changed[0]
    return target, new.of if isinstance(new, x.Ranged) else new


def _describe_shift(target: x.Expr, new: x.Expr, speech: Speech) -> str:
    """Say a value that is raised or lowered, perhaps within a limit; empty where it is set to another."""
    if isinstance(new, x.Arithmetic) and new.op in "+-" and new.left == target:
        return f"{'raise' if new.op == '+' else 'lower'} {say.value(target, speech)} by {say.value(new.right, speech)}"
    if isinstance(new, x.BuiltinCall) and new.builtin in ("min", "max") and len(new.arguments) == 2:
        end = "most" if new.builtin == "min" else "least"
        for limit, inner in (new.arguments, new.arguments[::-1]):
            if shifted := _describe_shift(target, inner, speech):
                return f"{shifted} to at {end} {say.value(limit, speech)}"
    return ""


# ---- what leads elsewhere


def _way(effect: e.Effect, speech: Speech) -> str:
    match effect:
        case e.CallRule():
            return _describe_call(effect, speech)
        case e.Do():
            copied = f" as if {say.value(effect.it, speech)} had it" if effect.is_copy else ""
            return f"carry out {say.value(effect.value, speech)}{copied}"
        case e.Return():
            return "stop" if effect.value is None else f"the result is {say.value(effect.value, speech)}"
        case e.Break():
            return "leave the loop"
        case e.EndMatch():
            return "the match ends"
        case e.PassTo():
            who = say.value(effect.who, speech)
            return f"{who} become{'' if who == 'you' else 's'} the acting player"
        case e.Require(condition=x.Truth(value=False)):
            return "this is never possible"
        case e.Require():
            return f"possible only if {say.condition(effect.condition, speech)}"
        case e.Expect():
            return f"it is relied on that {effect.reason or say.condition(effect.condition, speech)}"
        case e.Pause():
            return "pause for actions at any time"
        case e.Nothing():
            return "nothing happens"
    return ""


def _describe_arguments(call: e.CallRule, speech: Speech) -> list[str]:
    return [say.value(one, speech) for one in call.arguments]


def _result(call: e.CallRule, speech: Speech) -> str:
    """Say what a rule returns."""
    return calls.result(call.rule, _describe_arguments(call, speech), speech)


def _describe_call(call: e.CallRule, speech: Speech) -> str:
    """Say the call of a rule: by its phrase, by the one change that it makes, or by its name."""
    program = speech.program
    if speech.shortens and any(rule_text.is_condition(one) for one in call.arguments):
        return f"do {rule_text.show(call.span, speech)}"
    rule, given = program.rules[call.rule], _describe_arguments(call, speech)
    said = calls.rule(call.rule, given, speech)
    replaced = calls.is_original(call.rule) or any(name.startswith(f"{call.rule}'") for name in program.rules)
    if replaced or len(rule.block) != 1 or w.phrase(program, "rules", call.rule):
        return said
    return _change(rule.block[0], Speech(program, dict(zip(rule.parameters, given, strict=True)))) or said


# ---- with blocks


def _with_block(effect: e.Effect, speech: Speech) -> Said:
    match effect:
        case e.For():
            inner = say.bind_variables(effect.binders, speech)
            order = ", in any order" if effect.any_order else ""
            each = _sources(effect.binders, effect.where, speech, say.each_of)
            return _body(f"for {each}{order}", effect.body, inner, silent=bool(effect.body))
        case e.Repeat():
            return _body(_times(effect.times, speech), effect.body, speech)
        case e.Loop():
            return _body("again and again", effect.body, speech)
        case e.As():
            who = say.value(effect.who, speech)
            by = "" if effect.by is None else f", decided by {say.value(effect.by, speech)}"
            return _body(f"{who} does this{by}", effect.body, speech, ": ", 2, silent=True)
        case e.Simultaneously():
            binder = x.Binder(effect.variable, effect.source, span=effect.span)
            who = say.each_of(binder, None, speech)
            inner = say.bind_variables((binder,), speech)
            return _body(f"{who} decides at the same time", effect.body, inner, ": ", 2)
        case e.Choose():
            return _choose(effect, speech)
        case e.Menu():
            return _menu(effect, speech)
        case e.UpTo():
            return _may(f"{_most(effect.times, speech)}, ", effect.body, speech)
    return Said("")


def _times(times: x.Expr, speech: Speech) -> str:
    if isinstance(times, x.Number):
        return {1: "once", 2: "twice"}.get(times.value, f"{times.value} times")
    said = say.value(times, speech)
    return f"{said} times" if len(said) < 3 else f"as often as {said}"


def _sources(
    binders: tuple[x.Binder, ...],
    where: x.Expr | None,
    speech: Speech,
    say_binder: Callable[[x.Binder, x.Expr | None, Speech], str],
) -> str:
    """Say each or one of what several binders go through."""
    if len(binders) == 1:
        return say_binder(binders[0], where, speech)
    parts = []
    for binder in binders:
        parts.append(say_binder(binder, None, speech))
        speech = say.bind_variables((binder,), speech)
    said = w.join_words(parts)
    return said if where is None else f"{said} where {say.condition(where, speech)}"


def _if(effect: e.If, speech: Speech, head: str = "if") -> list[Said]:
    """Say what depends on a condition; where lines stand below it, what happens otherwise stands beside it."""
    if head == "if" and (way_out := _stop(effect, speech)):
        return [Said(way_out)]
    then = _body(f"{head} {say.condition(effect.condition, speech)}", effect.then, speech)
    if not effect.other:
        return [then]
    match effect.other:
        case (e.If() as chained,) if then.below:
            return [then, *_if(chained, speech, "otherwise, if")]
    other = _body("otherwise", effect.other, speech)
    if then.below:
        return [then, other]
    if not other.below and len(then.words) + len(other.words) <= WIDE:
        return [Said(f"{then.words}; {other.words}", is_open=True)]
    return [Said(f"{then.words}; otherwise", other.below or sentences(effect.other, speech))]


def _stop(effect: e.If, speech: Speech) -> str:
    """Say under which condition a rule ends, where an effect does nothing else."""
    match effect:
        case e.If(condition=x.Not(of=needed), then=(e.Return(value=None),), other=()):
            return f"stop unless {say.condition(needed, speech)}"
        case e.If(then=(e.Return(value=None),), other=()):
            return f"stop if {say.condition(effect.condition, speech)}"
    return ""


def _choose(effect: e.Choose, speech: Speech) -> Said:
    verb = "you may choose" if effect.decline is not None else "choose"
    said = f"choose {_several(effect, speech)}" if effect.several else ""
    said = said or f"{verb} {_sources(effect.binders, effect.where, speech, say.one_of)}"
    if effect.otherwise is None:
        return Said(said)
    if all(isinstance(one, e.Nothing | e.Return) for one in effect.otherwise):
        return Said(f"{said}, if there {'are enough' if effect.several else 'is one'}")
    few = "are too few" if effect.several else "is none"
    return _body(f"{said}; when there {few}", effect.otherwise, speech)


def _several(effect: e.Choose, speech: Speech) -> str:
    """Say how many are chosen of what."""
    items, least, most = effect.amount
    assert isinstance(items, x.Quantifier)
    binder = items.binders[0]
    few, many = say.value(least, speech), say.value(most, speech)
    number = few if few == many else f"{few} to {many}"
    if isinstance(most, x.Number) and most.value == LARGEST:
        number = "any number"
    chosen = say.things(binder.source, items.where, binder.variable, speech)
    return f"as many of {chosen} as {number}" if number == few and len(few) > 2 else f"{number} of {chosen}"


def _most(times: x.Expr, speech: Speech) -> str:
    said = _times(times, speech)
    return f"at most {said}" if said.startswith("as ") or said in ("once", "twice") else f"up to {said}"


def _may(head: str, body: Block, speech: Speech) -> Said:
    """Say what may be done or not."""
    orders = e.Gain | e.Pay | e.Move | e.CallRule | e.Draw | e.Choose | e.Swap
    first = next(statements(body), None)
    if first is not None and isinstance(first.effect, orders):
        return _body(f"{head}you may", body, speech, " ", 2)
    return _body(f"{head}you may do this", body, speech, ": ", 2)


def _menu(effect: e.Menu, speech: Speech) -> Said:
    if effect.may:
        return _may("", effect.options[0].body, speech)
    parts = [
        _called_so(option, _option(option, speech)) if speech.labels else _option(option, speech)
        for option in effect.options
    ]
    if effect.otherwise is not None:
        parts.append(_body("if none of this is possible", effect.otherwise, speech))
    inline = "; ".join(f"({chr(96 + n)}) {part.words}" for n, part in enumerate(parts, 1))
    if not any(part.below for part in parts) and len(inline) <= WIDE:
        return Said(f"choose one: {inline}")
    lines = []
    for said, below, _ in parts:
        lines.append(f"- {_sentence(said, ':' if below else '.')}")
        lines += [f"    {line}" for line in below]
    return Said("choose one", lines)


def _called_so(option: e.Option, said: Said) -> Said:
    """Put what a line of a menu is called before what it does."""
    name = f"'{option.label}'"
    return said if not option.label or said.words == name else said._replace(words=f"{name}: {said.words}")


def _option(option: e.Option, speech: Speech) -> Said:
    if option.binders:
        inner = say.bind_variables(option.binders, speech)
        return _body(f"for {_sources(option.binders, option.condition, speech, say.one_of)}", option.body, inner)
    if option.condition is not None:
        return _body(f"if {say.condition(option.condition, speech)}", option.body, speech)
    parts = _describe_parts(option.body, speech)
    inline = ", then ".join(said for said, *_ in parts) or "nothing happens"
    if len(parts) <= 3 and _fits_line(parts) and len(inline) <= WIDE:
        return Said(inline)
    return Said(f"'{option.label}'", _write_lines(parts))
