"""Let a player choose in which order the triggers behind a rule act: ``triggers: in any order``.

In:     a model whose triggers are declared.
Out:    rules that one hidden rule follows instead of the triggers. It asks in a loop which of those acts next that
        have not acted and whose ``when`` holds. What is left alone is not asked for, as no question with one answer is.

The loop is made of what an author could write, so proofs, both engines, undo and worlds know nothing of it. The
triggers themselves are kept in ``ordered``, for what looks them up.
"""

from __future__ import annotations

from patolli.language.resolve.model import Model, Rule, Step, Trigger
from patolli.language.syntax import tree as t
from patolli.language.syntax.words import NEWEST

_EACH = "_each"
_PROMPT = "What comes first?"


def put_in_order(model: Model) -> None:
    """Put the question in the place of the triggers behind each rule that says so."""
    for rule in [one for one in model.rules.values() if one.any_order and one.after]:
        name = f"{rule.name} order"
        body = Rule(name, rule.span, rule.parameters, [Step("do", _ask_in_loop(model, rule), rule.span)], hidden=True)
        body.used = True
        model.rules[name] = body
        rule.ordered, rule.after = rule.after, [Trigger(name, rule.span, rule.name, None, name)]


def _ask_in_loop(model: Model, rule: Rule) -> t.Block:
    at = t.At(t.FixedText(rule.span, language=NEWEST), 0, 1)
    lets: list[t.Effect] = []
    options = [_write_option(model, rule, trigger, f"_acted_{n}", lets) for n, trigger in enumerate(rule.after)]
    menu = t.Menu(_PROMPT, options, [t.Break(at=at)], at=at)
    return [*lets, t.Loop([menu], at=at)]


def _write_option(model: Model, rule: Rule, trigger: Trigger, acted: str, lets: list[t.Effect]) -> t.Option:
    """Write the line of a trigger; of the copies of its piece the first that has not acted stands for all."""
    at = t.At(t.FixedText(trigger.span, language=NEWEST), 0, 1)
    given: list[t.Expr] = [t.Name(name, at=at) for name, _ in rule.parameters]
    name = t.Name(acted, at=at)
    if trigger.design is None:
        lets.append(t.Let(acted, t.Truth(False, at=at), at=at))
        done = t.SetTo(name, t.Truth(True, at=at), at=at)
        call = t.CallRule(t.Call(trigger.body, given, at=at), at=at)
        test = _join([t.Not(name, at=at), trigger.when], at)
        return t.Option(trigger.name.replace("_", " "), test, [], [done, call], at=at)
    kind, it, each = trigger.design.kind, t.Name("it", at=at), t.Name(_EACH, at=at)
    lets.append(t.Let(acted, t.Listing([], at=at), at=at))
    same = t.Compare(t.Attribute(it, "design", at=at), [("==", t.Name(trigger.design.id, at=at))], at=at)
    new = t.Compare(it, [("not in", name)], at=at)
    test = _join([same, new, model.kinds[kind].active, trigger.when], at)
    binder = t.Binder("it", t.Name(kind, at=at), at=at)
    all_ = t.Quantifier("list", None, [binder], test, None, at=at)
    first = t.Binder(_EACH, t.Call("take", [all_, t.Number(1, at=at)], at=at), at=at)
    more = t.Binary("+", name, t.Listing([each], at=at), at=at)
    call = t.CallRule(t.Call(trigger.body, [*given, each], at=at), at=at)
    body: t.Block = [t.For([first], None, False, None, [t.SetTo(name, more, at=at), call], at=at)]
    label, earlier = trigger.design.id.replace("_", " "), [one for one in rule.after if one.design is trigger.design]
    label += f" {earlier.index(trigger) + 1}" if len(earlier) > 1 else ""
    return t.Option(label, t.Quantifier("any", None, [binder], test, None, at=at), [], body, at=at)


def _join(tests: list[t.Expr | None], at: t.At) -> t.Expr | None:
    """Return what holds if all tests do."""
    found: t.Expr | None = None
    for test in tests:
        found = test if found is None else found if test is None else t.Logic("and", found, test, at=at)
    return found
