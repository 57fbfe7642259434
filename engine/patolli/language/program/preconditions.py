"""Make the precondition of a block: what its beginning demands, as data.

In:     a block, what is demanded behind it, and which rules demand anything at all.
Out:    a :class:`Demand`: conditions, payments and choices in the order in which they are met.

The *beginning* of a block is everything up to the first change of the state. It is what is looked at before an option
is offered: the compiler makes a test of it, the prover asks whether it holds in any case, and ``why`` says which part
of it does not. Every reader sees the same tree.

A demand stands before the one that follows it (``then``). Where ways through a block meet again, they end in the same
object, so the whole is no larger than the block.

What ends a beginning: a change of the state, a question that can be declined or has an ``otherwise``, a menu (each of
its lines has a beginning of its own), a loop, and whatever happens as another player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.expressions import Binder, Expr, Local, Variable
from patolli.language.program.node import declaration
from patolli.language.program.summaries import Summaries


@dataclass(frozen=True, slots=True, eq=False)
class Demand:
    """Something that must hold for the rest to be possible; equal only to itself."""


@dataclass(frozen=True, slots=True, eq=False)
class Always(Demand):
    """Nothing is demanded."""


@dataclass(frozen=True, slots=True, eq=False)
class Test(Demand):
    """A ``require``."""

    effect: e.Require
    then: Demand


@dataclass(frozen=True, slots=True, eq=False)
class Promised(Demand):
    """An ``expect`` before something else that is demanded: it is checked, and hides no option."""

    effect: e.Expect
    then: Demand


@dataclass(frozen=True, slots=True, eq=False)
class Bind(Demand):
    """A variable takes a value that the rest may read."""

    variable: Variable
    value: Expr
    then: Demand


@dataclass(frozen=True, slots=True, eq=False)
class Split(Demand):
    """Another way is taken depending on a condition; ways that go on meet again in ``then``."""

    effect: e.If
    yes: Demand
    no: Demand
    then: Demand


@dataclass(frozen=True, slots=True, eq=False)
class Afford(Demand):
    """A payment; the rest is demanded of the state behind it."""

    effect: e.Pay
    then: Demand


@dataclass(frozen=True, slots=True, eq=False)
class Pick(Demand):
    """A choice: with some value, the rest is possible."""

    effect: e.Choose
    then: Demand


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """One line of a menu, with what its body demands."""

    option: e.Option
    then: Demand

    @property
    def binders(self) -> tuple[Binder, ...]:
        """The variables of the line."""
        return self.option.binders


@dataclass(frozen=True, slots=True, eq=False)
class Either(Demand):
    """A menu: some line is possible."""

    effect: e.Menu
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Possible(Demand):
    """A call of a rule, or of the effect of a piece, that demands something itself."""

    effect: e.CallRule | e.Do
    then: Demand


@dataclass(frozen=True, slots=True, eq=False)
class Acting(Demand):
    """What is demanded as another player."""

    effect: e.As
    then: Demand


ALWAYS = Always()


class Preconditions:
    """Makes the preconditions of one program."""

    def __init__(self, summaries: Summaries, demanding: Callable[[str], bool]) -> None:
        """Take what says of a rule, by its name, whether it demands anything; from now on that must stay the same."""
        self.summaries, self.demanding = summaries, demanding
        self._known: dict[tuple[int, int], tuple[e.Block, list[Demand]]] = {}

    def of(self, block: e.Block, then: Demand = ALWAYS) -> Demand:
        """Return what a block demands at its beginning, with what is demanded behind it."""
        return self.behind(block, then)[0]

    def behind(self, block: e.Block, then: Demand = ALWAYS) -> list[Demand]:
        """Return for each effect of a block what is demanded from it on, and last what is demanded behind the block.

        The same block before the same demand gives the same objects: code that goes through a block, and then through
        the blocks inside it, meets nothing twice.
        """
        key = (id(block), id(then))
        if key not in self._known:
            found = [then]
            for effect in reversed(block):
                found.append(self._before(effect, found[-1]))
            self._known[key] = (block, found[::-1])  # with the block, so that nothing else gets its id
        return self._known[key][1]

    def _before(self, effect: e.Effect, then: Demand) -> Demand:
        match effect:
            case e.Let():
                return Bind(effect.variable, effect.value, then) if then is not ALWAYS else ALWAYS
            case e.Set(target=Local(variable=variable)):
                return Bind(variable, effect.value, then) if then is not ALWAYS else ALWAYS
            case e.Require():
                return Test(effect, then)
            case e.Expect():
                return Promised(effect, then) if then is not ALWAYS else ALWAYS
            case e.If():
                yes, no = self.of(effect.then, then), self.of(effect.other, then)
                return yes if yes is no else Split(effect, yes, no, then)
            case e.Pay():
                return Afford(effect, ALWAYS if self.summaries.spends(effect) else then)
            case e.Choose():
                declined = effect.otherwise is not None or effect.decline is not None
                return ALWAYS if declined else Pick(effect, then)
            case e.Menu():
                return self._menu(effect)
            case e.As():
                inner = self.of(effect.body)
                return ALWAYS if inner is ALWAYS else Acting(effect, inner)
            case e.CallRule() | e.Do():
                return self._call(effect, then)
        return ALWAYS if self.ends(effect) else then

    def _menu(self, menu: e.Menu) -> Demand:
        if menu.otherwise is not None or menu.may:
            return ALWAYS
        lines = tuple(Line(option, self.of(option.body)) for option in menu.options)
        free = any(o.then is ALWAYS and o.option.condition is None and not o.binders for o in lines)
        return ALWAYS if free else Either(menu, lines)

    def _call(self, effect: e.CallRule | e.Do, then: Demand) -> Demand:
        if self.ends(effect):
            then = ALWAYS
        demanded = any(self.demanding(rule.name) for rule in self.summaries.list_called_rules(effect))
        return Possible(effect, then) if demanded else then

    # -- what a demand looks at

    def looked_at(self, demand: Demand) -> list[x.Expr]:
        """Return the expressions that decide whether a demand itself is met, without the rest.

        A payment looks at the counters that it takes from and, where anything else may count for it, at that and at
        what decides whether it does; a call looks at the beginning of each rule that may be called.
        """
        match demand:
            case Test() | Promised() | Split():
                return [demand.effect.condition]
            case Bind():
                return [demand.value]
            case Pick(effect=choose):
                return list_looked_at(choose.binders, choose.where)
            case Either():
                return [one for line in demand.lines for one in list_looked_at(line.binders, line.option.condition)]
            case Acting():
                return [demand.effect.who]
            case Afford(effect=pay):
                return self._paid_with(pay)
            case Possible(effect=effect):
                given = (effect.it,) if isinstance(effect, e.Do) else effect.arguments
                rules = [rule for rule in self.summaries.list_called_rules(effect) if self.demanding(rule.name)]
                begun = [
                    x.Can(rule.name, effect.me, given[: len(rule.parameters)], type=ty.BOOL, span=effect.span)
                    for rule in rules
                ]
                return [effect.value, *begun] if isinstance(effect, e.Do) else [*begun]
        return []

    def _paid_with(self, pay: e.Pay) -> list[x.Expr]:
        found: list[x.Expr] = []
        for item in pay.items:
            match item:
                case e.CounterItem() | e.MemberItem():
                    found += [counter_of(item), item.amount]
                case e.MixItem():
                    found += [*self._build_counters(item.counters, item), item.amount]
                case e.CostItem():
                    names = self.summaries.named_by_costs
                    found += [*self._build_counters(names, item), item.cost, *self.summaries.costs]
        if not self.summaries.plain(pay):
            given = sorted(name for _, name in self.summaries.given_for(pay))
            found += [x.CounterAt(name, (pay.who,), type=ty.INT, span=pay.span) for name in given]
            found += self.summaries.purse_conditions()
        return found

    def _build_counters(self, names: tuple[str, ...], item: e.MixItem | e.CostItem) -> list[x.Expr]:
        return [x.CounterAt(name, (item.who,), type=ty.INT, span=item.span) for name in names]

    def basis(self, demand: Demand) -> list[x.Expr]:
        """Return all expressions that a demand looks at, with the rest and the beginnings of rules inside it."""
        found: list[x.Expr] = []
        seen: set[str] = set()
        open_ = [demand]
        while open_:
            for part in parts(open_.pop()):
                for expr in self.looked_at(part):
                    if isinstance(part, Possible) and isinstance(expr, x.Can):
                        found += [expr.me, *expr.arguments]
                        if expr.rule not in seen:
                            seen.add(expr.rule)
                            open_.append(self.of(self.summaries.program.rules[expr.rule].block))
                    else:
                        found.append(expr)
        return found

    def ends(self, effect: e.Effect) -> bool:
        """Return whether an effect ends what can be looked at beforehand."""
        if isinstance(effect, e.Looping | e.Elsewhere | e.PassTo) or declaration(effect).leaves != "never":
            return True
        if isinstance(effect, e.CallRule) and effect.into is not None:  # what a rule returns is known when it has run
            return True
        return self.summaries.changes(effect) or self.summaries.asks(effect)


def counter_of(item: e.CounterItem | e.MemberItem) -> x.Expr:
    """Return the expression that reads the counter of a part of a cost or gain."""
    if isinstance(item, e.CounterItem):
        return x.CounterAt(item.counter, item.indices, type=ty.INT, span=item.span)
    return x.Have(item.member, item.counters, item.who, type=ty.INT, span=item.span)


def list_looked_at(binders: tuple[Binder, ...], condition: Expr | None) -> list[x.Expr]:
    """Return what is looked at to find what can be chosen: the lists, and the condition."""
    return [*(binder.source for binder in binders), *([condition] if condition is not None else [])]


def parts(demand: Demand) -> Iterator[Demand]:
    """Yield every demand of a tree once, outer ones first."""
    seen: set[int] = set()
    open_ = [demand]
    while open_:
        here = open_.pop()
        if id(here) in seen:
            continue
        seen.add(id(here))
        yield here
        open_.extend(reversed(list(following(here))))


def following(demand: Demand) -> Iterator[Demand]:
    """Yield what stands directly behind or inside a demand."""
    match demand:
        case Split():
            yield demand.yes
            yield demand.no
        case Either():
            for line in demand.lines:
                yield line.then
        case Test() | Promised() | Bind() | Afford() | Pick() | Possible() | Acting():
            yield demand.then
