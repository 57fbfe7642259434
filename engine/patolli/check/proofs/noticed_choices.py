"""Find whether everybody notices that something was taken, whatever else comes.

In:     the effects that follow an answer, and the variables that are something after it.
Out:    whether one of them is carried out in any case that everybody sees.

Where that is so, others may read that nothing was taken; where it is not, saying so would reveal that something was,
whenever it is not said. What is not certain does not show: an amount that may be nothing, a loop that may not come. Of
triggers nothing is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program.model import Program, Rule
from patolli.language.program.node import walk
from patolli.language.program.summaries import Summaries

CONTEXTS = 8
"""With so many sets of variables that are something a rule is looked at; with others as if nothing was known."""
Given = frozenset[x.Variable]
"""Variables that are something: not none, and no list that is empty."""


class Showing:
    """What everybody notices in one program."""

    def __init__(self, program: Program, summaries: Summaries, in_the_open: Callable[[x.Expr], bool]) -> None:
        """Ask *in_the_open* whether a piece is known to lie where everybody sees it."""
        self.program, self.summaries, self._in_the_open = program, summaries, in_the_open
        self._called: dict[str, dict[Given, bool]] = {}  # whether everybody sees it when a rule is carried out

    def is_choice_seen(self, effect: e.Choose, given: Iterable[x.Variable]) -> bool:
        """Return whether everybody sees it in any case when something is chosen, which some variables are then."""
        return self.certainly(self._behind.get(id(effect), ()), frozenset(given))

    def line(self, menu: e.Menu, option: e.Option) -> bool:
        """Return whether everybody sees it in any case when a line of a menu is taken."""
        given = frozenset(binder.variable for binder in option.binders)
        return self.certainly((*option.body, *self._behind.get(id(menu), ())), given)

    @cached_property
    def _behind(self) -> dict[int, e.Block]:
        """The rest of the rule after each question, up to the end of the loop in which it stands."""
        return {
            id(effect): rest
            for rule in self.program.rules.values()
            for effect, rest in _list_continuations(rule.block, ())
            if isinstance(effect, e.Choose | e.Menu)
        }

    def certainly(self, block: e.Block, given: Given) -> bool:
        """Return whether a block does something that everybody sees, on every way through it."""
        return not any(self._goes_unseen(block, given))

    def _goes_unseen(self, block: e.Block, given: Given) -> tuple[bool, bool]:
        """Return whether some way through a block shows nothing: to its end, and away from it."""
        leaves = False
        for effect in block:
            passes, away = self._passes_unseen(effect, given)
            leaves = leaves or away
            if not passes:
                return False, leaves
        return True, leaves

    def _passes_unseen(self, effect: e.Effect, given: Given) -> tuple[bool, bool]:
        match effect:
            case e.Return() | e.Break():
                return False, True
            case e.If():
                ways = list(_ways(effect, given))
            case e.Menu():
                ways = [option.body for option in effect.options]
                ways += [effect.otherwise or ()] if effect.may or effect.otherwise is not None else []
            case _:
                unseen = not self._shows(effect, given)
                leaving = e.Return if isinstance(effect, e.Looping) else (e.Return, e.Break)
                return unseen, unseen and any(isinstance(node, leaving) for node in walk(effect))
        found = [self._goes_unseen(way, given) for way in ways]
        return any(passes for passes, _ in found), any(away for _, away in found)

    def _shows(self, effect: e.Effect, given: Given) -> bool:
        match effect:
            case e.Move():
                return self._open(effect.to) or self._in_the_open(effect.what)
            case e.Swap():
                return self._in_the_open(effect.first) or self._in_the_open(effect.second)
            case e.Gain():
                return not effect.less and any(self._is_gain_seen(item) for item in effect.items)
            case e.Pay():
                return any(self._is_counter_gain_seen(item) for item in effect.items)
            case e.Say() | e.Reveal() | e.EndMatch():
                return True
            case e.For():
                comes = effect.where is None and all(_is_given(binder.source, given) for binder in effect.binders)
                return comes and self.certainly(effect.body, given)
            case e.Loop() | e.As():
                return self.certainly(effect.body, given)
            case e.CallRule() | e.Do():
                return self._is_call_seen(effect, given)
        return False

    def _is_call_seen(self, effect: e.CallRule | e.Do, given: Given) -> bool:
        arguments = (effect.it,) if isinstance(effect, e.Do) else effect.arguments
        called = self.summaries.list_called_rules(effect)
        return bool(called) and all(self._is_rule_seen(rule, (effect.me, *arguments), given) for rule in called)

    def _is_rule_seen(self, rule: Rule, arguments: tuple[x.Expr, ...], given: Given) -> bool:
        passed = zip(rule.variables, arguments, strict=False)
        known = frozenset(variable for variable, argument in passed if _is_given(argument, given))
        seen = self._called.setdefault(rule.name, {})
        if known not in seen and len(seen) >= CONTEXTS:
            known = frozenset()
        if known not in seen:
            seen[known] = False  # what comes back to itself shows nothing before
            seen[known] = self.certainly(rule.block, known)
        return seen[known]

    def _open(self, to: e.PlaceAt) -> bool:
        """Return whether everybody sees what comes to a place; what goes to the box is seen to be gone."""
        if not to.place:
            return True
        place = self.program.places[to.place]
        return place.visible == "all" and self.program.hidden_kinds.isdisjoint(place.dims)

    def _is_gain_seen(self, item: e.Item) -> bool:
        """Return whether there is more of what everybody sees: not where it may be full."""
        return (
            isinstance(item, e.CounterItem)
            and self.program.counters[item.counter].high is None
            and self._is_counter_gain_seen(item)
        )  # fmt: skip

    def _is_counter_gain_seen(self, item: e.Item) -> bool:
        if not isinstance(item, e.CounterItem) or ("counter", item.counter) in self.program.hidden_locations:
            return False
        return isinstance(item.amount, x.Number) and item.amount.value > 0


def _list_continuations(block: e.Block, behind: e.Block) -> Iterator[tuple[e.Effect, e.Block]]:
    """Yield all effects of a block, each with what is carried out after it."""
    for position, effect in enumerate(block):
        rest = (*block[position + 1 :], *behind)
        yield effect, rest
        match effect:
            case e.If():
                inner: tuple[e.Block, ...] = (effect.then, effect.other)
            case e.Menu():
                inner = (*(option.body for option in effect.options), effect.otherwise or ())
            case e.Choose():
                inner = (effect.otherwise or (),)
            case e.As():
                inner = (effect.body,)
            case e.For() | e.Repeat() | e.Loop() | e.UpTo() | e.Simultaneously():
                inner, rest = (effect.body,), ()
            case _:
                continue
        for one in inner:
            yield from _list_continuations(one, rest)


def _ways(effect: e.If, given: Given) -> tuple[e.Block, ...]:
    """Return the branches that may be taken."""
    holds = _holds(effect.condition, given)
    if holds is None:
        return effect.then, effect.other
    return (effect.then if holds else effect.other,)


def _holds(condition: x.Expr, given: Given) -> bool | None:
    """Return whether a condition holds, as far as that follows from which variables are something."""
    match condition:
        case x.Present() | x.Filled():
            return True if _is_given(condition.of, given) else None
        case x.Not():
            found = _holds(condition.of, given)
            return None if found is None else not found
        case x.Logic():
            sides = _holds(condition.left, given), _holds(condition.right, given)
            decides = condition.op == "or"
            if decides in sides:
                return decides
            return None if None in sides else not decides
    return None


def _is_given(expr: x.Expr, given: Given) -> bool:
    return isinstance(expr, x.Local) and expr.variable in given
