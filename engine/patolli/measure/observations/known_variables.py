"""Find which variables of a rule the player knows who is asked there: what was chosen so far, and for what.

In:     a resolved program.
Out:    for every variable whether all know its value, or the player who chose it, or perhaps no player.

A value is *open* when all that it is made from is open to all (``runtime.openness``). What a player has chosen is that
player's *own*. Both are followed through variables and into the rules that are called with them; what is not followed
counts as closed: what a rule returns, what is drawn at random, what is set under a condition that is not open. Where
the turn passes on inside a rule, what is own of the player before is not of the one who comes then.
"""

from __future__ import annotations

from collections.abc import Iterable

from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program.model import Program
from patolli.language.program.node import walk
from patolli.run.compiler.executable import Executable
from patolli.run.runtime.openness import Openness

OPEN, OWN, CLOSED = range(3)
Actor = tuple[x.Variable, int]
"""Who is me, and how often that has been passed on before, at least, in the order of the text."""
Called = dict[x.Variable, list[tuple[x.Expr, Actor | None]]]
"""By parameter what it is given, and who acts where the caller does so for himself; None for others."""


class Knowing:
    """What is known of the variables of one program."""

    def __init__(self, program: Executable) -> None:
        """Follow all variables of *program*."""
        preconditions = program.workings.preconditions
        self.model: Program = program.layout.model
        self.summaries = preconditions.summaries
        self.openness = Openness(self.model, preconditions)
        self.how: dict[x.Variable, int] = {}
        self.whose: dict[x.Variable, Actor | None] = {}  # who acts where a variable gets its value; None: several
        self.asking: dict[int, Actor] = {}  # by effect, who acts there
        self._passed: dict[x.Variable, int] = {}
        self._made: list[tuple[x.Variable, list[x.Expr], Actor]] = []
        self._answered = 0  # how many lines of menus stand around what is gone through
        self._follow_calls()

    def is_known(self, effect: e.Effect | None, variable: x.Variable) -> bool:
        """Return whether the player whom an effect asks knows what a variable is."""
        actor = self.asking.get(id(effect))
        how = self.how.get(variable, CLOSED)
        return actor is not None and (how == OPEN or (how == OWN and self.whose[variable] == actor))

    def _actor(self, me: x.Variable) -> Actor:
        return me, self._passed.get(me, 0)

    # -- consequences

    def _follow_calls(self) -> None:
        called: Called = {}
        closed = self._entered_elsewhere()
        for rule in self.model.rules.values():
            for parameter in rule.parameters:
                self.whose[parameter] = (rule.me, 0)
                self.how[parameter] = CLOSED if rule.name in closed else OPEN
            self._block(rule.block, rule.me, [], called)
        for rule in self.model.rules.values():
            for parameter in rule.parameters:
                if parameter not in called:
                    self.how[parameter] = CLOSED
        grown = True
        while grown:
            grown = False
            for variable, sources, actor in self._made:
                grown |= self._raise(variable, max(self._of(one, actor) for one in sources))
            for variable, given in called.items():
                grown |= self._raise(variable, max(self._rate_argument(one, actor) for one, actor in given))

    def _entered_elsewhere(self) -> set[str]:
        """Return the rules that are carried out by more than calls, such as triggers and what payments lead to."""
        found = {trigger.body for trigger in self.model.all_triggers}
        found |= {happening.body for happening in self.model.happenings.values()} | set(self.model.happenings)
        found |= {action.body for action in self.model.anytime} | {waiver.body for waiver in self.model.waivers}
        found |= {discount.body for discount in self.model.discounts if discount.body}
        return found | {counter.spend for counter in self.model.counters.values() if counter.spend}

    def _raise(self, variable: x.Variable, how: int) -> bool:
        if how <= self.how.get(variable, OPEN):
            self.how.setdefault(variable, OPEN)
            return False
        self.how[variable] = how
        return True

    def _of(self, expr: x.Expr, actor: Actor) -> int:
        """Return who knows the value of an expression where a certain player acts."""
        read = self.openness.read_by(expr)
        if read is None:
            return CLOSED
        found = OPEN
        for variable in read:
            how = OPEN if variable is actor[0] else self.how.get(variable, OPEN)
            if how == OWN and self.whose[variable] != actor:
                return CLOSED
            found = max(found, how)
        return found

    def _rate_argument(self, expr: x.Expr, actor: Actor | None) -> int:
        """Return who knows what a rule is called with; None is who calls it for another player."""
        if actor is not None:
            return self._of(expr, actor)
        read = self.openness.read_by(expr)
        return OPEN if read is not None and all(self.how.get(one, OPEN) == OPEN for one in read) else CLOSED

    # -- going through

    def _block(self, block: e.Block, me: x.Variable, under: list[x.Expr], called: Called) -> None:
        for effect in block:
            self.asking[id(effect)] = self._actor(me)
            match effect:
                case e.Let(variable=variable, value=value):
                    self._make(variable, me, [value])
                case e.Set(target=x.Local(variable=variable), value=value):
                    self._make(variable, me, [value, *under])
                    self._raise(variable, OWN if self._answered else OPEN)
                case e.Random(variable=variable):
                    self._close(variable, me)
                case e.PassTo(variable=variable):
                    self._pass(variable)
                case e.CallRule() | e.Do():
                    self._call(effect, me, called)
            self._inside(effect, me, under, called)

    def _make(self, variable: x.Variable, me: x.Variable, sources: list[x.Expr]) -> None:
        actor = self._actor(me)
        if self.whose.setdefault(variable, actor) != actor:
            self.whose[variable] = None
        self._made.append((variable, sources, actor))

    def _pass(self, me: x.Variable) -> None:
        self._passed[me] = self._passed.get(me, 0) + 1

    def _close(self, variable: x.Variable, me: x.Variable) -> None:
        self.whose.setdefault(variable, self._actor(me))
        self.how[variable] = CLOSED

    def _call(self, effect: e.CallRule | e.Do, me: x.Variable, called: Called) -> None:
        arguments = (effect.it,) if isinstance(effect, e.Do) else effect.arguments
        mine = self._actor(me) if isinstance(effect.me, x.Local) and effect.me.variable is me else None
        for rule in self.summaries.list_called_rules(effect):
            for parameter, argument in zip(rule.parameters, arguments, strict=False):
                called.setdefault(parameter, []).append((argument, mine))
        if isinstance(effect, e.CallRule) and effect.into is not None:
            self._close(effect.into, me)

    def _answer(self, binders: Iterable[x.Binder], me: x.Variable) -> None:
        for binder in binders:
            actor = self._actor(me)
            if self.whose.setdefault(binder.variable, actor) != actor:
                self.whose[binder.variable] = None
            self.how[binder.variable] = max(self.how.get(binder.variable, OPEN), OWN)

    def _inside(self, effect: e.Effect, me: x.Variable, under: list[x.Expr], called: Called) -> None:
        """Go through the blocks that stand in an effect; a loop in which the turn passes on comes round as another."""
        rounds = isinstance(effect, e.Looping) and any(isinstance(one, e.PassTo) for one in walk(effect.body))
        if rounds:
            self._pass(me)
        answered = 0
        if isinstance(effect, e.Looping):  # how often it comes round depends on what leads out of it
            left = [one for one in walk(effect.body) if isinstance(one, e.If | e.Menu) and _leaves(one)]
            under = [*under, *(one.condition for one in left if isinstance(one, e.If))]
            answered = int(isinstance(effect, e.UpTo) or any(isinstance(one, e.Menu) for one in left))
        self._answered += answered
        match effect:
            case e.If():
                inner = [*under, effect.condition]
                self._block(effect.then, me, inner, called)
                self._block(effect.other, me, inner, called)
            case e.For():
                if effect.any_order:
                    self._answer(effect.binders, me)
                more = [effect.where] if effect.where is not None else []
                for binder in effect.binders:
                    self._make(binder.variable, me, [binder.source, *more])
                self._block(effect.body, me, [*under, *(b.source for b in effect.binders), *more], called)
            case e.Repeat() | e.UpTo():
                self._block(effect.body, me, [*under, effect.times], called)
            case e.Loop():
                self._block(effect.body, me, under, called)
            case e.As(variable=inner_me):
                self._close(inner_me, me)
                self._block(effect.body, inner_me, under, called)
            case e.Simultaneously():
                self._close(effect.variable, me)
                self._block(effect.body, effect.me, under, called)
            case e.Choose():
                self._answer(effect.binders, me)
                self._block(effect.otherwise or (), me, [*under, *(b.source for b in effect.binders)], called)
            case e.Menu():
                self._block(effect.otherwise or (), me, under, called)
                self._answered += 1
                for option in effect.options:
                    self._answer(option.binders, me)
                    self._block(option.body, me, under, called)
                self._answered -= 1
        self._answered -= answered
        if rounds:
            self._pass(me)


def _leaves(effect: e.If | e.Menu) -> bool:
    return any(isinstance(one, e.Break | e.Return) for one in walk(effect))
