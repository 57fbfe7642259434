"""Say in English what an expression computes.

In:     an expression of the resolved program.
Out:    a noun phrase (``value``), or a clause that is true or not (``condition``).

Every kind of expression has its words here; built-in functions have theirs in their register, those of a pack in it.
"""

from __future__ import annotations

from dataclasses import replace

from patolli.check.prose import calls, clauses, rule_text
from patolli.check.prose import words as w
from patolli.check.prose.patterns import COMPARED, GATHERED, SIGNS, WHOLE
from patolli.check.prose.words import Speech
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.builtins import BUILTINS
from patolli.language.program.effects import PlaceAt
from patolli.language.program.logic import join_conditions
from patolli.language.program.model import TABLE
from patolli.language.syntax.phrases import HOLE


def value(expr: x.Expr, speech: Speech) -> str:
    """Say what an expression is, as a noun phrase."""
    return rule_text.shorten(expr, _describe_value, speech)


def _describe_value(expr: x.Expr, speech: Speech) -> str:
    match expr:
        case x.Number():
            return str(expr.value)
        case x.Truth():
            return "true" if expr.value else "false"
        case x.NoValue():
            return "nothing"
        case x.Local():
            return speech.name(expr.variable)
        case x.Compare() | x.Logic() | x.Not() | x.Present() | x.Filled():
            return f"whether {condition(expr, speech)}"
        case x.Quantifier():
            return condition(expr, speech) if expr.op in ("any", "all") else _describe_quantifier(expr, speech)
        case x.Naming():
            inner, said = _called_so(expr, speech)
            return value(expr.value, inner) + said
        case x.Promised():
            return value(expr.value, speech) + _relying(expr, speech)
        case x.Joined():
            return f"{value(expr.left, speech)} and then {value(expr.right, speech)}"
        case x.Cut():
            return _cut(expr, speech)
        case x.IfElse(condition=x.Quantifier(op="any") | x.Filled(), then=x.Quantifier(op="min" | "max") | x.Whole()):
            return f"{value(expr.then, speech)}, or {value(expr.other, speech)} where there is none"
        case x.IfElse():
            then, other = value(expr.then, speech), value(expr.other, speech)
            return f"{then} if {condition(expr.condition, speech)}, else {other}"
        case x.Default():
            return f"{value(expr.left, speech)}, or else {value(expr.right, speech)}"
        case x.ListOf():
            return w.join_words([value(item, speech) for item in expr.items]) or "nothing"
        case x.Range():
            return f"{value(expr.low, speech)} to {value(expr.high, speech)}"
        case x.Arithmetic():
            return _arithmetic(expr, speech)
        case x.Ranged():
            return value(expr.of, speech)
        case x.RecordOf():
            return _describe_record(expr, speech)
        case x.Negative():
            return f"minus {value(expr.of, speech)}"
        case x.ItemAt():
            return _entry(expr, speech)
    return _describe_name(expr, speech) or _describe_query(expr, speech) or _describe_call(expr, speech)


def _entry(expr: x.ItemAt, speech: Speech) -> str:
    """Say an item of a list by its number, or what a table has for one."""
    of, at = value(expr.of, speech), _describe_index(expr.index, speech)
    if not at:
        return f"{of} at {value(expr.index, speech)}"
    if " " not in at:
        return f"number {at} of {of}"
    return f"{of} for {at}" if isinstance(expr.of, x.ConstantNamed) else f"the one of {of} whose number is {at}"


def _describe_index(index: x.Expr, speech: Speech) -> str:
    """Say an index, which counts from 0, as people count, where that is simple."""
    match index:
        case x.Number():
            return str(index.value + 1)
        case x.Arithmetic(op="-", right=x.Number(value=1)):
            return value(index.left, speech)
    return ""


def _describe_name(expr: x.Expr, speech: Speech) -> str:
    """Say what has a name of its own."""
    program = speech.program
    match expr:
        case x.Seats():
            return "the number of players"
        case x.Instances():
            return f"all {w.kind_nouns(program, expr.kind)[1]}"
        case x.GroupNamed():
            return f"all {w.plural(w.words(expr.group))}"
        case x.Instance() | x.DesignNamed():
            return w.instance(program, expr.kind, expr.id)
        case x.CounterNamed():
            return w.counter_nouns(program, expr.counter)[1]
        case x.ConstantNamed():
            return f"the {w.words(expr.name)}"
        case x.OptionValue():
            return f"the option '{w.words(expr.option)}'"
        case x.Choice():
            return w.words(expr.choice)
        case x.CopyNumber():
            return "the copy"
    return ""


def _describe_record(expr: x.RecordOf, speech: Speech) -> str:
    """Say a record by its name, or by what it is made of: ``a bid (dice: 3, face: the face of that bid)``."""
    values = {name: value(one, speech) for name, one in zip(expr.fields, expr.values, strict=True)}
    text = w.own_name(speech.program, "records", expr.kind)
    if text and all(" " not in values.get(hole[1], " ") for hole in HOLE.finditer(text)):
        numbers = [name for name, one in zip(expr.fields, expr.values, strict=True) if one.type == ty.INT]
        return w.fill_phrase(text, values, numbers)
    parts = ", ".join(f"{w.words(name)}: {said}" for name, said in values.items())
    return f"{ty.article(w.kind_nouns(speech.program, expr.kind)[0])} ({parts})"


def _describe_query(expr: x.Expr, speech: Speech) -> str:
    """Say what the state is asked for."""
    match expr:
        case x.CounterAt():
            return calls.counter(expr.counter, _describe_arguments(expr.indices, speech), speech)
        case x.Held():
            return calls.place(expr.place, _describe_arguments(expr.indices, speech), speech)
        case x.RowSpot():
            return _spot(expr.spot, expr.place, expr.indices, speech)
        case x.FieldOf(field=name) | x.FactOf(fact=name):
            whose = f"the {w.words(name)}" if lone(expr.of, speech) else ""
            of = "" if whose else value(expr.of, speech)
            return whose or (clauses.what(of, name) if name in clauses.WHERE else w.belongs(of, w.words(name)))
        case x.DesignOf():
            return f"the design of {value(expr.of, speech)}"
        case x.Have():
            return w.belongs(value(expr.who, speech), f"amount of {value(expr.member, speech)}")
    return ""


def place(target: PlaceAt, speech: Speech) -> str:
    """Say where something goes or comes from."""
    if target.sort == "box":
        return "the box"
    if target.sort == "spot" and speech.program.places[target.place].type == "row":
        return _spot(target.indices[-1], target.place, target.indices[:-1], speech)
    return calls.place(target.place, _describe_arguments(target.indices, speech), speech)


def _spot(spot: x.Expr, row: str, indices: tuple[x.Expr, ...], speech: Speech) -> str:
    said = calls.place(row, _describe_arguments(indices, speech), speech)
    return f"spot {_describe_index(spot, speech) or value(spot, speech)} of {said}"


def lone(expr: x.Expr, speech: Speech) -> bool:
    """Return whether something is the only piece of its kind, which holds what is going on, or the table itself."""
    if isinstance(expr, x.Instance) and expr.kind == TABLE:
        return True
    if not isinstance(expr, x.Instance) or expr.kind not in speech.program.kinds:
        return False
    designs = speech.program.kinds[expr.kind].designs
    return len(designs) == 1 and designs[0].copies is None


def _describe_arguments(arguments: tuple[x.Expr, ...], speech: Speech) -> list[str]:
    return [value(one, speech) for one in arguments]


def _describe_call(expr: x.Expr, speech: Speech) -> str:
    match expr:
        case x.FunctionCall():
            said = calls.function(expr.function, _describe_arguments(expr.arguments, speech), speech)
            if _is_me(expr.me):
                return said
            who = value(expr.me, speech)
            own = not expr.arguments and said.startswith("the ")
            return w.belongs(who, said.removeprefix("the ")) if own else f"{said} for {who}"
        case x.Can():
            return calls.possible(expr.rule, _describe_arguments(expr.arguments, speech), speech)
        case x.After():
            return w.fill_phrase(
                BUILTINS["after"].phrase, {"0": _rule(expr, speech), "1": value(expr.value, _behind(expr, speech))}
            )
        case x.Payable():
            return w.fill_phrase(BUILTINS["payable"].phrase, {"0": value(expr.cost, speech)})
        case x.Whole():
            return _whole(expr, speech)
        case x.BuiltinCall():
            return _built_in(expr, speech)
    raise TypeError(expr)


def _is_me(who: x.Expr) -> bool:
    return isinstance(who, x.Number) or (isinstance(who, x.Local) and who.variable.name == "me")


def _relying(expr: x.Promised, speech: Speech) -> str:
    """Say what is promised, as an end of the sentence."""
    return f", where it is relied on that {expr.reason or condition(expr.condition, speech)}"


def _called_so(expr: x.Naming, speech: Speech) -> tuple[Speech, str]:
    """Return the same with the variables that an expression names, and what they are, as an end of the sentence."""
    said = []
    for one in expr.given:
        source = value(one.source, speech)
        speech = speech.knowing(one.variable)
        said.append(f"{speech.name(one.variable)} is {source}")
    return speech, f", where {w.join_words(said)}"


def _rule(expr: x.After, speech: Speech) -> str:
    said = calls.rule(expr.rule, _describe_arguments(expr.arguments, speech), speech)
    return said.removeprefix("do ") if said.startswith("do '") else f"'{said}'"


def _behind(expr: x.After, speech: Speech) -> Speech:
    """Return the same for what is said of the value behind a rule: there everything is called as it is before."""
    inner = speech
    for one in expr.given:
        inner = inner.calling(one.variable, value(one.source, speech))
    return inner


def _built_in(expr: x.BuiltinCall, speech: Speech) -> str:
    given = _describe_arguments(expr.arguments, speech)
    match expr.builtin:
        case "size" if isinstance(expr.arguments[0], x.Held):
            return f"the number of {w.kind_nouns(speech.program, expr.arguments[0].kind)[1]} in {given[0]}"
        case "size" if given[0].startswith("the chosen "):
            return f"the number of {given[0].removeprefix('the ')}"
        case "abs" if isinstance(less := expr.arguments[0], x.Arithmetic) and less.op == "-":
            return f"the difference between {value(less.left, speech)} and {value(less.right, speech)}"
        case "min" | "max":
            return f"the {'smaller' if expr.builtin == 'min' else 'larger'} of {w.join_words(given)}"
        case "number":
            return w.belongs(given[0], "number")
        case "combinations" if given[1] == given[2]:
            return f"the ways to take {given[1]} of {given[0]}"
        case "shift" | "ray":
            return _step(expr.builtin, given)
        case "owned":
            return w.belongs(given[0], w.plural(w.words(expr.name)))
        case "reachable" | "distance" | "path":
            given[-1] = _relation(expr.arguments[-1])
        case "place_of":
            given.append(w.words(expr.name))
        case "placements":
            given.insert(1, f"all {w.plural(w.words(expr.name))}")
        case "cell_at":
            given.insert(0, f"all {w.plural(w.words(expr.name))}")
    return w.fill_phrase(BUILTINS[expr.builtin].phrase, {str(n): one for n, one in enumerate(given)})


def _step(builtin: str, given: list[str]) -> str:
    """Say where steps of so many rows and columns lead; what is no step is left out."""
    steps = [_steps(given[1], "row", "down", "up"), _steps(given[2], "column", "right", "left")]
    way = " and ".join(step for step in steps if step) or "no step"
    return f"the cells from {given[0]} on, each {way}" if builtin == "ray" else f"the cell {way} of {given[0]}"


def _steps(number: str, what: str, on: str, back: str) -> str:
    if number == "0":
        return ""
    count = number.removeprefix("minus ")
    plain = count.isdigit()
    way = back if plain and count != number else on
    return f"{count if plain else number} {what if count == '1' else w.plural(what)} {way}"


def _relation(every: x.Expr) -> str:
    """Say how a relation is called."""
    match every.value if isinstance(every, x.Quantifier) else None:
        case x.FunctionCall(function=name) | x.FactOf(fact=name) | x.FieldOf(field=name):
            return w.words(name)
        case x.BuiltinCall(builtin="around"):
            return "edges and corners"
    return "edges"


def _arithmetic(expr: x.Arithmetic, speech: Speech) -> str:
    product = expr.op not in ("+", "-")
    left, right = value(expr.left, speech), value(expr.right, speech)
    if isinstance(expr.left, x.IfElse) or (product and _sums(expr.left)):
        left = f"({left})"
    if isinstance(expr.right, x.IfElse) or _sums(expr.right) or (product and isinstance(expr.right, x.Arithmetic)):
        right = f"({right})"
    return f"{left} {SIGNS[expr.op]} {right}"


def _sums(expr: x.Expr) -> bool:
    return isinstance(expr, x.Arithmetic) and expr.op in ("+", "-")


# ---- several things


def things(source: x.Expr, where: x.Expr | None, variable: x.Variable, speech: Speech) -> str:
    """Say those of a list for which a condition holds."""
    said = _items(source, speech) or value(source, speech)
    if isinstance(source, x.Joined) and where is None:
        return " and then ".join(things(part, None, variable, speech) for part in (source.left, source.right))
    if isinstance(source, x.Held):
        said = clauses.lying_in(w.kind_nouns(speech.program, source.kind)[1], said)
    if where is None:
        return said
    return said + clauses.attach_clause(condition(where, speech.knowing(variable).about(variable)), "are")


def _items(source: x.Expr, speech: Speech) -> str:
    """Say the things of a list that has all of a sort, or nothing; the players are all players."""
    one, several = _sort(source, speech)
    return several if one != "player" else ""


def _item(source: x.Expr, speech: Speech) -> str:
    """Say what one thing of a list is that has all of a sort, or nothing."""
    return _sort(source, speech)[0]


def _sort(source: x.Expr, speech: Speech) -> tuple[str, str]:
    """Return what one thing of a list is called that has all of a sort, and what several are."""
    match source:
        case x.Instances():
            return w.kind_nouns(speech.program, source.kind)
        case x.GroupNamed():
            return w.words(source.group), w.plural(w.words(source.group))
    return "", ""


def each_of(binder: x.Binder, where: x.Expr | None, speech: Speech) -> str:
    """Say every thing of a list for which a condition holds."""
    said = _item(binder.source, speech) or _describe_number(binder, speech)
    if said:
        return f"each {said}" + _describe_filter(binder, where, speech)
    all_of = things(binder.source, where, binder.variable, speech)
    if all_of.startswith("all "):
        return f"each {w.singular(all_of.removeprefix('all '))}"
    own = bind_variables((binder,), speech).name(binder.variable)
    return f"each of {all_of}" + (f" ({own})" if own.endswith(f" {binder.variable.name}") else "")


def _describe_number(binder: x.Binder, speech: Speech) -> str:
    """Say one number of a range with its name: ``number n from 1 to 3``, ``level from 1 to 3``."""
    if not isinstance(binder.source, x.Range):
        return ""
    own = bind_variables((binder,), speech).name(binder.variable)
    named = own.removeprefix("the ") if own.startswith("the ") else f"number {own}"
    return f"{named} from {value(binder.source, speech)}"


def one_of(binder: x.Binder, where: x.Expr | None, speech: Speech) -> str:
    """Say one thing of a list for which a condition holds."""
    said = _item(binder.source, speech) or _describe_number(binder, speech)
    if not said:
        return f"one of {things(binder.source, where, binder.variable, speech)}"
    return ty.article(said) + _describe_filter(binder, where, speech)


def _describe_filter(binder: x.Binder, where: x.Expr | None, speech: Speech) -> str:
    if where is None:
        return ""
    return clauses.attach_clause(condition(where, bind_variables((binder,), speech).about(binder.variable)))


def bind_variables(binders: tuple[x.Binder, ...], speech: Speech) -> Speech:
    """Return the same with the variables of some binders."""
    return speech.knowing(*(binder.variable for binder in binders))


def _whole(expr: x.Whole, speech: Speech) -> str:
    """Say what is computed from all items of a list."""
    said = _items(expr.of, speech) or value(expr.of, speech)
    said = said.removeprefix("the ") if expr.op == "count" else said
    return w.fill_phrase(WHOLE[expr.op], {"things": said, "by": "number"})


def _cut(expr: x.Cut, speech: Speech) -> str:
    variable = expr.binder.variable
    said = things(expr.binder.source, None, variable, speech)
    end = condition(expr.where, speech.knowing(variable).about(variable))
    return f"{said} {'up to' if expr.through else 'before'} the first where {end}"


def _describe_quantifier(expr: x.Quantifier, speech: Speech) -> str:
    pattern = GATHERED[expr.op]
    if len(expr.binders) > 1 and isinstance(expr.value, x.Local) and expr.value.variable is expr.binders[-1].variable:
        return w.fill_phrase("the different ones of {things}" if expr.op == "distinct" else "{things}", {
            "things": _of_any(expr.binders, expr.where, speech),
        })  # fmt: skip
    inner = bind_variables(expr.binders, speech)
    first = expr.binders[0].variable
    if len(expr.binders) == 1:
        said = things(expr.binders[0].source, expr.where, first, speech)
        inner = inner if expr.value is None or expr.op in ("sum", "list") else inner.about(first)
    else:
        said = _pairs(expr.binders, expr.where, speech)
    what = value(expr.value, inner) if expr.value is not None else ""
    if expr.op in ("distinct", "list") and expr.value is None:
        pattern = "the different ones of {things}" if expr.op == "distinct" else pattern
    elif expr.op == "list":
        pattern = "{value} for {things}"
    elif expr.op == "count" and expr.value is not None:
        pattern = "the number of {value} for {things}"
    what = what if expr.op == "sum" else what.removeprefix("the ").removeprefix("its ")
    by = value(expr.by, inner.about(first)) if expr.by is not None else "number"
    said = said.removeprefix("the ") if pattern.startswith("the number") else said
    return w.fill_phrase(pattern, {"things": said, "value": what, "by": by.removeprefix("its ")})


def _of_any(binders: tuple[x.Binder, ...], where: x.Expr | None, speech: Speech) -> str:
    """Say the things of the last binder, for any of those before it."""
    *outer, last = binders
    for binder in outer:
        every = things(binder.source, None, binder.variable, speech)
        any_ = (
            f"any {w.singular(every.removeprefix('all '))}"
            if isinstance(binder.source, x.Instances)
            else f"any of {every}"
        )
        speech = speech.calling(binder.variable, any_)
    return things(last.source, where, last.variable, speech)


def _pairs(binders: tuple[x.Binder, ...], where: x.Expr | None, speech: Speech) -> str:
    parts = []
    for binder in binders:
        parts.append(f"{things(binder.source, None, binder.variable, speech)}")
        speech = bind_variables((binder,), speech)
    said = f"all pairs of {w.join_words(parts)}"
    return said if where is None else f"{said} where {condition(where, speech)}"


# ---- conditions


def condition(expr: x.Expr, speech: Speech) -> str:
    """Say when an expression is true, as a clause."""
    return rule_text.shorten(expr, _describe_condition, speech)


def _describe_condition(expr: x.Expr, speech: Speech) -> str:
    match expr:
        case x.Truth():
            return "always" if expr.value else "never"
        case x.Not():
            return describe_negation(expr.of, speech)
        case x.Logic():
            return f" {expr.op} ".join(_join_parts(_flat(expr, expr.op), expr.op, speech))
        case x.Compare():
            return _describe_comparison(expr, speech)
        case x.Present():
            return clauses.there(value(expr.of, speech))
        case x.Filled() | x.Whole(op="any"):
            return f"there is anything in {value(expr.of, speech)}"
        case x.Quantifier(op="any" | "all"):
            return _each(expr, speech)
        case x.FieldOf() | x.FactOf():
            return _is_so(expr, speech)
        case x.Naming():
            inner, said = _called_so(expr, speech)
            return condition(expr.value, inner) + said
        case x.Promised():
            return condition(expr.value, speech) + _relying(expr, speech)
        case x.After():
            return f"{condition(expr.value, _behind(expr, speech))} after {_rule(expr, speech)}"
        case x.IfElse():
            return _either(expr, speech)
        case x.Local():
            return f"{speech.name(expr.variable)} is true"
    return value(expr, speech)


def _either(expr: x.IfElse, speech: Speech) -> str:
    """Say a condition that is another one in each of some cases."""
    cases, other = [(expr.condition, expr.then)], expr.other
    while isinstance(other, x.IfElse):
        cases.append((other.condition, other.then))
        other = other.other
    said = [(condition(test, speech), condition(then, speech)) for test, then in cases]
    if len(said) == 1:
        return f"{said[0][1]} if {said[0][0]}, and otherwise {condition(other, speech)}"
    return "; ".join([*(f"if {test}, {then}" for test, then in said), f"otherwise {condition(other, speech)}"])


def _is_so(expr: x.FieldOf | x.FactOf, speech: Speech) -> str:
    """Say that something is as a field or fact has it that is true or false."""
    name = expr.field if isinstance(expr, x.FieldOf) else expr.fact
    if not lone(expr.of, speech):
        of = value(expr.of, speech)
        return f"{of} {'are' if of == 'you' else 'is'} {w.words(name)}"
    field = speech.program.kinds[expr.kind].fields.get(name)
    if field is None or not field.text:
        return f"'{w.words(name)}' is true"
    return w.small(field.text.rstrip(".")).removeprefix("whether ")


def describe_negation(expr: x.Expr, speech: Speech) -> str:
    """Say when an expression is not true."""
    match expr:
        case x.Not():
            return condition(expr.of, speech)
        case x.Compare():
            return condition(replace(expr, op=clauses.OPPOSITE[expr.op]), speech)
        case x.Present():
            return clauses.there(value(expr.of, speech), True)
        case x.After():
            return f"{describe_negation(expr.value, _behind(expr, speech))} after {_rule(expr, speech)}"
        case x.Logic():
            return clauses.negate_clause(condition(expr, speech))
    return clauses.opposite(condition(expr, speech))


def _flat(expr: x.Expr, op: str) -> list[x.Expr]:
    if isinstance(expr, x.Logic) and expr.op == op:
        return [*_flat(expr.left, op), *_flat(expr.right, op)]
    return [expr]


def _join_parts(parts: list[x.Expr], op: str, speech: Speech) -> list[str]:
    """Say parts that are joined by one word; two comparisons of one value say it once."""
    said = []
    while parts:
        between = _between(parts[0], parts[1], speech) if op == "and" and len(parts) > 1 else ""
        said.append(between or _part(parts[0], speech))
        parts = parts[2:] if between else parts[1:]
    return said


def _part(expr: x.Expr, speech: Speech) -> str:
    """Say a part of what is joined; what is itself joined stands in brackets."""
    if isinstance(expr, x.Logic):
        parts = _join_parts(_flat(expr, expr.op), expr.op, speech)
        return f"({f' {expr.op} '.join(parts)})" if len(parts) > 1 else parts[0]
    return condition(expr, speech)


def _between(one: x.Expr, other: x.Expr, speech: Speech) -> str:
    """Say that a value lies between two others: ``low <= x < high``."""
    match one, other:
        case x.Compare(op="<" | "<="), x.Compare(op="<" | "<=") if one.right == other.left:
            over = "is at least" if one.op == "<=" else "is more than"
            under = COMPARED[other.op].removeprefix("is ")
            low, middle, high = (value(each, speech) for each in (one.left, one.right, other.right))
            return f"{middle} {clauses.agreeing(over, middle)} {low} and {under} {high}"
    return ""


def _describe_comparison(expr: x.Compare, speech: Speech) -> str:
    op, left = expr.op, value(expr.left, speech)
    match expr.right:
        case x.NoValue():
            return clauses.there(left, op == "==")
        case x.Number(value=0) if (
            op in (">", "==") and isinstance(size := expr.left, x.BuiltinCall) and size.builtin == "size"
        ):
            return f"there is {'any' if op == '>' else 'no'}thing in {value(size.arguments[0], speech)}"
    right = value(expr.right, speech)
    if left == "you" and op in ("==", "!="):
        return f"you are {'not ' if op == '!=' else ''}{right}"
    if op not in ("in", "not in"):
        return f"{left} {clauses.agreeing(COMPARED[op], left)} {right}"
    not_ = "not " if op == "not in" else ""
    match expr.right:
        case x.Range():
            return f"{left} is {not_}from {right}"
        case x.ListOf():
            named = w.join_words([value(item, speech) for item in expr.right.items], "or")
            return f"{left} {clauses.agreeing('is', left)} {not_}{named}"
        case x.Held() | x.RowSpot():
            return f"{left} {clauses.agreeing(f'is {not_}among', left)} {right}"
    return f"{left} {clauses.agreeing(COMPARED[op], left)} {right}"


def _each(expr: x.Quantifier, speech: Speech) -> str:
    if expr.op == "any":
        where = join_conditions(part for part in (expr.where, expr.value) if part is not None)
        if len(expr.binders) == 1:
            return f"there is {one_of(expr.binders[0], where, speech)}"
        return f"there is one of {_pairs(expr.binders, where, speech)}"
    inner = bind_variables(expr.binders, speech)
    holds = condition(expr.value, inner) if expr.value is not None else "it is there"
    last = expr.binders[-1]
    parts = [each_of(binder, expr.where if binder is last else None, speech) for binder in expr.binders]
    return f"for {w.join_words(parts)}, {holds}"
