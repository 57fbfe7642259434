"""Say in English what an effect does.

In:     the block of a typed effect.
Out:    sentences: one line where everything fits into it, else a line for each effect, with what belongs to it below.
"""

from __future__ import annotations

from itertools import groupby

from patolli.analysis.sentences import calls
from patolli.analysis.sentences import values as v
from patolli.analysis.sentences import words as w
from patolli.analysis.sentences.words import Speech
from patolli.language import tree as t

WIDE = 160
"""Characters that a single sentence may have."""


def sentences(block: t.Block, speech: Speech) -> list[str]:
    """Say a block in lines; what belongs to a line stands below it, indented."""
    parts = _folded([said for said in _said(block, speech) if said[0]])
    line = ", then ".join(said for said, below in parts if not below)
    if parts and not any(below for _, below in parts) and (len(line) <= WIDE or len(parts) == 1):
        return [_sentence(line)]
    lines = []
    for said, below in parts:
        lines.append(_sentence(said, ":" if below else "."))
        lines += [f"  {line}" for line in below]
    return lines or ["Nothing happens."]


def _sentence(said: str, end: str = ".") -> str:
    return f"{w.capital(said)}{end}"


Said = tuple[str, list[str]]
"""A clause, and the lines that belong below it."""


def _said(block: t.Block, speech: Speech) -> list[Said]:
    """Say each effect of a block; a name that one effect gives is known to those behind it."""
    found: list[Said] = []
    for effect in block:
        found += _if(effect, speech) if isinstance(effect, t.If) else [_effect(effect, speech)]
        match effect:
            case t.Let() | t.Random():
                source = effect.value if isinstance(effect, t.Let) else effect.source
                type_ = source.type if isinstance(effect, t.Let) else getattr(source.type, "of", None)
                speech = speech.with_variable(effect.id, type_)
            case t.Choose():
                speech = v.bound(effect.binders, speech)
    return found


def _folded(parts: list[Said]) -> list[Said]:
    """Say once what comes again at once."""
    found: list[Said] = []
    for part, group in groupby(parts):
        number = len(list(group))
        times = {1: "", 2: ", twice"}.get(number, f", {number} times")
        found.append((f"{part[0]}{times}", part[1]))
    return found


def _body(head: str, block: t.Block, speech: Speech, join: str = ", ") -> Said:
    """Say a clause with a block: on its line when the block is one short clause or two, else below."""
    parts = _folded([said for said in _said(block, speech) if said[0]])
    inline = ", then ".join(said for said, _ in parts) or "nothing happens"
    if len(parts) <= 2 and not any(below for _, below in parts) and len(head) + len(inline) <= WIDE:
        return f"{head}{join}{inline}", []
    return head, sentences(block, speech)


def _effect(effect: t.Effect, speech: Speech) -> Said:
    simple = _change(effect, speech) or _way(effect, speech)
    if simple:
        return simple, []
    return _with_block(effect, speech)


# ---- changes


def items(parts: list[t.Item], speech: Speech) -> str:
    """Say a cost or a gain."""
    return w.listed([_item(part, speech) for part in parts])


def _item(part: t.Item, speech: Speech) -> str:
    if part.thing is None:
        return v.value(part.amount, speech)
    if part.mix:
        group = w.words(part.thing)
        return f"{_many(part.amount, (group, w.plural(group)), speech)} of your choice"
    note = t.note_of(part)
    if note[0] == "variable":
        name = speech.called.get(part.thing, w.words(part.thing))
        return f"{v.value(part.amount, speech)} of {name}"
    said = _many(part.amount, w.counter_nouns(speech.model, part.thing), speech)
    dims = speech.model.counters[part.thing].dims if part.thing in speech.model.counters else ()
    given = [v.value(one, speech) for one in part.arguments]
    named = zip(dims if len(given) == len(dims) else dims[1:], given, strict=False)
    left = w.listed([one for kind, one in named if kind != "player"])
    return f"{said} for {left}" if left else said


def _many(amount: t.Expr, noun: tuple[str, str], speech: Speech) -> str:
    """Say how much of something; *noun* is for one and for several."""
    one, several = noun
    said = v.value(amount, speech)
    if said == "1":
        return f"1 {one}"
    if len(said) < 3:
        return f"{said} {several}"
    return f"as {'much' if one == several else 'many'} {several} as {said}"


def _change(effect: t.Effect, speech: Speech) -> str:
    match effect:
        case t.Gain():
            verb = "lose" if effect.less else "gain"
            if effect.who is None:
                return f"{verb} {items(effect.items, speech)}"
            return f"{v.value(effect.who, speech)} {verb}s {items(effect.items, speech)}"
        case t.Pay():
            return f"pay {items(effect.items, speech)}"
        case t.SetTo():
            return _set(effect, speech)
        case t.Move():
            to = v.value(effect.to, speech)
            where = f"under {to}" if effect.bottom else f"to {to}"
            return f"move {v.value(effect.what, speech)} {where}"
        case t.Swap():
            return f"swap {v.value(effect.first, speech)} with {v.value(effect.second, speech)}"
        case t.Shuffle():
            return f"shuffle {v.value(effect.place, speech)}"
        case t.Draw():
            source, to = v.value(effect.source, speech), v.value(effect.to, speech)
            return f"draw {v.value(effect.amount, speech)} from {source} to {to}"
        case t.Refill():
            return f"refill {v.value(effect.row, speech)} from {v.value(effect.source, speech)}"
        case t.Slide():
            return f"close the gaps in {v.value(effect.row, speech)}"
        case t.Random():
            return f"take one of {v.things(effect.source, None, effect.id, speech)} at random"
        case t.Let():
            called = speech.with_variable(effect.id, effect.value.type).called[effect.id]
            return f"let {called} be {v.value(effect.value, speech)}"
    return ""


def _set(effect: t.SetTo, speech: Speech) -> str:
    target, new = effect.target, effect.value
    said = v.value(target, speech)
    if isinstance(target, t.Attribute) and isinstance(new, t.Truth) and t.note_of(target)[0] == "field":
        if v.lone(target.of, speech):
            said = v.condition(target, speech)
            return f"from now on {said}" if new.value else f"it is no longer so that {said}"
        owner = v.value(target.of, speech)
        return f"{owner} is {'now' if new.value else 'no longer'} {w.words(target.name)}"
    if isinstance(new, t.Binary) and new.op in "+-" and new.left == target:
        return f"{'raise' if new.op == '+' else 'lower'} {said} by {v.value(new.right, speech)}"
    return f"set {said} to {v.value(new, speech)}"


# ---- what leads elsewhere


def _way(effect: t.Effect, speech: Speech) -> str:
    match effect:
        case t.CallRule():
            return _called(effect.call, speech)
        case t.Do():
            return f"carry out {v.value(effect.value, speech)}"
        case t.Return():
            if effect.value is not None:
                return f"the result is {v.value(effect.value, speech)}"
            if effect.condition is None:
                return "stop"
            return f"stop {'unless' if effect.negated else 'if'} {v.condition(effect.condition, speech)}"
        case t.Break():
            return "leave the loop"
        case t.EndMatch():
            return "the match ends"
        case t.PassTo():
            return f"from here on {v.value(effect.who, speech)} is the one who acts"
        case t.Require() if effect.condition == t.Truth(False, at=effect.at):
            return "this is never possible"
        case t.Require():
            return f"possible only if {v.condition(effect.condition, speech)}"
        case t.Pause():
            return "pause for actions at any time"
        case t.Nothing():
            return "nothing happens"
    return ""


def _called(call: t.Call, speech: Speech) -> str:
    """Say the call of a rule: by its phrase, by the one change that it makes, or by its name."""
    rule = speech.model.rules.get(call.id)
    given = [v.value(one, speech) for one in call.arguments]
    said = calls.rule(call.id, given, speech)
    if rule is None or rule.inner or len(rule.block) != 1 or w.phrase(speech.model, "rules", call.id):
        return said
    names = [name for name, _ in rule.parameters]
    inner = Speech(speech.model, {"me": speech.called.get("me", "you"), **dict(zip(names, given, strict=False))})
    return _change(rule.block[0], inner) or said


# ---- with blocks


def _with_block(effect: t.Effect, speech: Speech) -> Said:
    match effect:
        case t.For():
            inner = v.bound(effect.binders, speech)
            order = ", in any order" if effect.any_order else ""
            each = f"each of {_sources(effect.binders, effect.where, speech)}"
            each = v.each_of(effect.binders[0], effect.where, speech) if len(effect.binders) == 1 else each
            return _body(f"for {each}{order}", effect.body, inner)
        case t.Repeat():
            return _body(_times(effect.times, speech), effect.body, speech)
        case t.Loop():
            return _body("again and again", effect.body, speech)
        case t.As():
            return _body(f"{v.value(effect.who, speech)} does this", effect.body, speech, ": ")
        case t.Simultaneously():
            inner = v.bound([effect.binder], speech)
            who = v.each_of(effect.binder, None, speech)
            return _body(f"{who} decides at the same time", effect.body, inner, ": ")
        case t.Choose():
            return _choose(effect, speech)
        case t.Menu():
            return _menu(effect, speech)
        case t.UpTo():
            return _may(f"{_most(effect.times, speech)}, ", effect.body, speech)
    return "", []


def _times(times: t.Expr, speech: Speech) -> str:
    if isinstance(times, t.Number):
        return {1: "once", 2: "twice"}.get(times.value, f"{times.value} times")
    said = v.value(times, speech)
    return f"{said} times" if len(said) < 3 else f"as often as {said}"


def _sources(binders: list[t.Binder], where: t.Expr | None, speech: Speech) -> str:
    if len(binders) == 1:
        return v.things(binders[0].source, where, binders[0].id, speech)
    parts = []
    for binder in binders:
        parts.append(v.things(binder.source, None, binder.id, speech))
        speech = v.bound([binder], speech)
    said = w.listed(parts)
    return said if where is None else f"{said} where {v.condition(where, speech)}"


def _if(effect: t.If, speech: Speech, head: str = "if") -> list[Said]:
    """Say what depends on a condition; where lines stand below it, what happens otherwise stands beside it."""
    said, below = _body(f"{head} {v.condition(effect.condition, speech)}", effect.then, speech)
    if not effect.other:
        return [(said, below)]
    if below:
        match effect.other:
            case [t.If() as chained]:
                return [(said, below), *_if(chained, speech, "otherwise, if")]
        return [(said, below), _body("otherwise", effect.other, speech)]
    other, lines = _body("otherwise", effect.other, speech)
    if not lines and len(said) + len(other) <= WIDE:
        return [(f"{said}; {other}", [])]
    return [(f"{said}; otherwise", lines or sentences(effect.other, speech))]


def _choose(effect: t.Choose, speech: Speech) -> Said:
    verb = "you may choose" if effect.decline is not None else "choose"
    if len(effect.binders) == 1:
        binder = effect.binders[0]
        said = f"{verb} {v.one_of(binder, effect.where, speech)}"
    else:
        parts = []
        inner = speech
        for binder in effect.binders:
            parts.append(v.one_of(binder, None, inner))
            inner = v.bound([binder], inner)
        said = f"{verb} {w.listed(parts)}"
        said += f" where {v.condition(effect.where, inner)}" if effect.where is not None else ""
    if effect.otherwise is None:
        return said, []
    if all(isinstance(one, t.Nothing | t.Return) for one in effect.otherwise):
        return f"{said} if there is one", []
    return _body(f"{said}; when there is none", effect.otherwise, speech)


def _most(times: t.Expr, speech: Speech) -> str:
    said = _times(times, speech)
    return f"at most {said}" if said.startswith("as ") or said in ("once", "twice") else f"up to {said}"


def _may(head: str, body: t.Block, speech: Speech) -> Said:
    """Say what may be done or not."""
    orders = t.Gain | t.Pay | t.Move | t.CallRule | t.Draw | t.Choose | t.Swap
    if body and isinstance(body[0], orders):
        return _body(f"{head}you may", body, speech, " ")
    return _body(f"{head}you may do this", body, speech, ": ")


def _menu(effect: t.Menu, speech: Speech) -> Said:
    if effect.note == "may":
        return _may("", effect.options[0].body, speech)
    parts = [_option(option, speech) for option in effect.options]
    if effect.otherwise is not None:
        parts.append(_body("when nothing of this is possible", effect.otherwise, speech))
    inline = "; ".join(f"({chr(96 + n)}) {said}" for n, (said, _) in enumerate(parts, 1))
    if not any(below for _, below in parts) and len(inline) <= WIDE:
        return f"choose one: {inline}", []
    lines = []
    for said, below in parts:
        lines.append(f"- {_sentence(said, ':' if below else '.')}")
        lines += [f"    {line}" for line in below]
    return "choose one", lines


def _option(option: t.Option, speech: Speech) -> Said:
    if option.binders:
        inner = v.bound(option.binders, speech)
        one = len(option.binders) == 1
        said = v.one_of(option.binders[0], option.condition, speech) if one else ""
        head = f"for {said or _sources(option.binders, option.condition, speech)}"
        return _body(head, option.body, inner)
    if option.condition is not None:
        return _body(f"if {v.condition(option.condition, speech)}", option.body, speech)
    parts = _folded([said for said in _said(option.body, speech) if said[0]])
    inline = ", then ".join(said for said, _ in parts) or "nothing happens"
    if len(parts) <= 3 and not any(below for _, below in parts) and len(inline) <= WIDE:
        return inline, []
    return f"'{option.label}'", sentences(option.body, speech)


__all__ = ["items", "sentences"]
