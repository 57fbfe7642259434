"""Check that headings and causes are made from what everyone can see: everyone reads them.

In:     a program, and what becomes of answers in it.
Out:    the parts of headings and causes that would reveal a secret: what they look at themselves, and variables.
Errors: P0473.

A variable holds a secret where it was answered or drawn at random and something hidden is made from it, or where its
value was taken from something hidden; and where it got its value from one that does, as the parameter of a rule does.
Which piece a variable names is asked of the state when it is reported, as everywhere: a piece that lies hidden is not
named. Under which conditions a rule is called is not looked at: that it is called is seen anyway.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from patolli.check.proofs.answers import Answers, Spot
from patolli.language.diagnostics import Problem
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program.model import Program, Rule
from patolli.language.program.node import Node, walk
from patolli.language.program.preconditions import Preconditions
from patolli.language.program.summaries import Summaries

_HELP = "remove it, or make its values visible to everyone"


def betraying(program: Program, preconditions: Preconditions) -> Iterator[Problem]:
    """Yield the parts of headings and causes that look at something hidden, or name a variable that holds it."""
    reported = [(rule, part) for rule in program.rules.values() for part in rule.report_settings.values]
    if not reported or not program.hidden_locations:
        return
    by_variables = any(_list_part_variables(rule, part) for rule, part in reported)
    held = _Held(program, Answers(program, preconditions)).secrets() if by_variables else frozenset()
    for rule, part in reported:
        hidden = not preconditions.summaries.reads(part).isdisjoint(program.hidden_locations)
        if hidden or not held.isdisjoint(_list_part_variables(rule, part)):
            words = "everyone would read what only some can see"
            yield Problem("P0473", words, part.span, _HELP, ((rule.span, "the rule is here"),))


def _list_part_variables(rule: Rule, part: Node) -> set[x.Variable]:
    """Return the variables in a part of a heading or cause, but for who acts: that is seen."""
    return _list_read_variables(part) - {rule.me}


def _list_read_variables(node: Node) -> set[x.Variable]:
    return {one.variable for one in walk(node) if isinstance(one, x.Local)}


class _Held:
    """Which variables of a program hold a secret."""

    def __init__(self, program: Program, answers: Answers) -> None:
        self.program, self.answers = program, answers
        self.summaries: Summaries = answers.summaries
        self.into: dict[Spot, set[Spot]] = defaultdict(set)
        self.found: set[Spot] = set()

    def secrets(self) -> frozenset[Spot]:
        """Go through all rules, and return the variables, with what rules return."""
        for rule in self.program.rules.values():
            for trigger in (*rule.before, *rule.after):
                self._note_arguments(self.program.rules[trigger.body], map(_local, rule.variables))
            for effect in walk(rule.block):
                if isinstance(effect, e.Effect):
                    self._effect(effect, rule)
        for action in self.program.anytime:
            body, binders = self.program.rules[action.body], [action.binder] if action.binder is not None else []
            self._note_choice(binders)
            self._note_arguments(body, map(_local, (action.me, *(binder.variable for binder in binders))))
        waiting = list(self.found)
        while waiting:
            more = self.into[waiting.pop()] - self.found
            self.found |= more
            waiting += more
        return frozenset(self.found)

    def _effect(self, effect: e.Effect, rule: Rule) -> None:
        match effect:
            case e.Let():
                self._gets(effect.variable, effect.value)
            case e.Set(target=x.Local(variable=variable)):
                self._gets(variable, effect.value)
            case e.Random():
                self._gets(effect.variable, effect.source)
                if self.answers.hidden_is_made_from(effect.variable):
                    self.found.add(effect.variable)
            case e.Return(value=x.Expr() as value):
                self._gets(("", rule.name), value)
            case e.For(any_order=False):
                for binder in effect.binders:
                    self._gets(binder.variable, binder.source)
            case e.Choose() | e.For():
                self._note_choice(effect.binders)
            case e.Menu():
                for option in effect.options:
                    self._note_choice(option.binders)
            case e.CallRule() | e.Do():
                given = (effect.it,) if isinstance(effect, e.Do) else effect.arguments
                for called in self.summaries.list_called_rules(effect):
                    self._note_arguments(called, (effect.me, *given))
                    if isinstance(effect, e.CallRule) and effect.into is not None:
                        self.into["", called.name].add(effect.into)

    def _note_choice(self, binders: Iterable[x.Binder]) -> None:
        self.found |= {binder.variable for binder in binders if self.answers.is_secret_value(binder)}

    def _note_arguments(self, called: Rule, given: Iterable[x.Expr]) -> None:
        for variable, value in zip(called.variables, given, strict=False):
            if variable is not called.me:
                self._gets(variable, value)

    def _gets(self, into: Spot, value: x.Expr) -> None:
        """Note that a variable, or what a rule returns, is made from a value."""
        for variable in _list_read_variables(value):
            self.into[variable].add(into)
        if self.answers.reveals_hidden(value):
            self.found.add(into)


def _local(variable: x.Variable) -> x.Expr:
    return x.Local(variable, type=variable.type, span=variable.span)
