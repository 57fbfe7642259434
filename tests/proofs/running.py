"""Go through a program of ``programs`` in plain Python: from one state, with every answer and every draw."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from proofs.programs import LIMITS, Block, Program, State, Step, everything
from proofs.working import Fault, counted, holds, moved, named, number, slot_of

LOOPS = 5
"""How many passes of a loop without an end are followed."""


MOST = 12
"""How many passes of another loop are followed."""


class Looked:
    """What looks at the beginning of something before it is offered: a line of a menu, a value, a call."""


class NotOffered(Exception):
    """Something is not possible that was looked at beforehand; where that is, and what looked."""

    def __init__(self, step: Step, looked: Looked) -> None:
        super().__init__(step.line)
        self.step, self.looked = step, looked


class Unproven(AssertionError):
    """Something fails without a report of the checker."""


class Enough(Exception):
    """So many steps were taken that the rest is left out."""


Then = Callable[[State, Looked | None], None]
"""The rest of a path: with the state, and what has looked at it before something was offered."""
Follow = Callable[[], None]
Way = Callable[[Looked], None]
Ways = Callable[[State], list[Way]]
"""The answers of a question, each with the rest of its path."""


@dataclass(frozen=True)
class Place:
    """Who acts, and where ``stop`` and ``break`` lead."""

    me: int
    stop: Then
    leave: Then


class Run:
    """All ways through one program; ``reported`` are the lines that the checker reported."""

    def __init__(self, program: Program, reported: set[int], steps: int) -> None:
        self.program, self.reported, self.left = program, reported, steps

    def start(self, state: State) -> None:
        """Go all ways from a state.

        Raises:
            Unproven: On one of them something fails that was taken for proven.
        """
        nothing: Then = lambda state, covered: None  # noqa: E731
        with suppress(Enough):
            self.block(self.program.tried, state, None, Place(0, nothing, nothing), nothing)

    def block(self, block: Block, state: State, covered: Looked | None, at: Place, then: Then) -> None:
        """Carry out a block, and then the rest."""
        if not block:
            then(state, covered)
            return
        self.left -= 1
        if self.left < 0:
            raise Enough
        step, rest = block[0], block[1:]
        after: Then = lambda state, covered: self.block(rest, state, covered, at, then)  # noqa: E731
        try:
            follow = self.effect(step, state, covered, at, after)
        except Fault as fault:
            self.failed(step, str(fault), state)
            return
        follow()

    def failed(self, step: Step, what: str, state: State, *also: Step) -> None:
        """End a way that the checker has warned of."""
        if not {step.line, *(other.line for other in also)} & self.reported:
            raise Unproven(f"line {step.line}: {what}, with {state}")

    def demand(self, step: Step, met: bool, state: State, covered: Looked | None, then: Then) -> Follow:
        """Go on where a demand is met."""
        if met:
            return lambda: then(state, covered)
        if covered:
            raise NotOffered(step, covered)
        self.failed(step, "a demand is not met", state)
        return lambda: None

    # -- effects

    def effect(self, step: Step, state: State, covered: Looked | None, at: Place, then: Then) -> Follow:
        """Work out one effect; what it returns goes on behind it."""
        return getattr(self, f"do_{step.word}")(step, state, covered, at, then)

    def do_gain(self, step: Step, state: State, covered: Looked | None, at: Place, then: Then, sign: int = 1) -> Follow:
        amount, name, who = step.parts
        by, (low, high) = number(amount, state, at.me), LIMITS[name]
        slot = slot_of(name, who, state, at.me)
        value = state.counters[slot] + sign * by
        if by < 0 or sign < 0:
            value = max(low, value)
        if high is not None and (by < 0 or sign > 0):
            value = min(high, value)
        return lambda: then(counted(state, slot, value), None)

    def do_lose(self, step: Step, state: State, covered: Looked | None, at: Place, then: Then) -> Follow:
        return self.do_gain(step, state, covered, at, then, -1)

    def do_pay(self, step: Step, state: State, covered: Looked | None, at: Place, then: Then) -> Follow:
        amount, name = step.parts
        owed, slot = max(0, number(amount, state, at.me)), (name, at.me)
        left = state.counters[slot] - owed
        return self.demand(step, not owed or left >= 0, counted(state, slot, left) if owed else state, covered, then)

    def do_set(self, step: Step, state: State, covered: Looked | None, at: Place, then: Then) -> Follow:
        name, who, value = step.parts
        (low, high), found = LIMITS[name], number(value, state, at.me)
        found = max(low, found if high is None else min(high, found))
        return lambda: then(counted(state, slot_of(name, who, state, at.me), found), None)

    def do_let(self, step: Step, state: State, covered: Looked | None, at: Place, then: Then) -> Follow:
        name, value = step.parts
        found = number(value, state, at.me)
        return lambda: then(named(state, name, found), covered)

    do_change = do_let

    def do_charge(self, step: Step, state: State, covered: Looked | None, at: Place, then: Then) -> Follow:
        name, value = step.parts
        card, found = state.variables[name], number(value, state, at.me)
        if not 1 <= found <= 3:
            raise Fault("a field leaves its range")
        charges = tuple(found if one == card else old for one, old in enumerate(state.charges))
        return lambda: then(state.but(charges=charges), None)

    def do_require(self, step: Step, state: State, covered: Looked | None, at: Place, then: Then) -> Follow:
        return self.demand(step, holds(step.parts[0], state, at.me), state, covered, then)

    def do_stop(self, step: Step, state: State, covered: Looked | None, at: Place, then: Then) -> Follow:
        stops = holds(step.parts[0], state, at.me)
        return lambda: at.stop(state, None) if stops else then(state, covered)

    def do_quit(self, step: Step, state: State, covered: Looked | None, at: Place, then: Then) -> Follow:
        return lambda: at.stop(state, None)

    def do_break(self, step: Step, state: State, covered: Looked | None, at: Place, then: Then) -> Follow:
        leaves = holds(step.parts[0], state, at.me)
        return lambda: at.leave(state, None) if leaves else then(state, covered)

    def do_random(self, step: Step, state: State, covered: Looked | None, at: Place, then: Then) -> Follow:
        name, low, high = step.parts
        values = range(number(low, state, at.me), number(high, state, at.me) + 1)
        if not values:
            raise Fault("a draw from nothing")
        return lambda: [then(named(state, name, value), None) for value in values[:4]] and None

    def do_call(self, step: Step, state: State, covered: Looked | None, at: Place, then: Then) -> Follow:
        inner = state.but(variables={"n": number(step.parts[0], state, at.me)})
        goes_on = covered if not ends(self.program.helper) else None
        back: Then = lambda state_, covered_: then(state_.but(variables=state.variables), goes_on)  # noqa: E731

        def follow() -> None:
            looked = covered or Looked()
            try:
                self.block(self.program.helper, inner, looked, Place(at.me, back, back), back)
            except NotOffered as missing:
                if missing.looked is covered or missing.looked is not looked:
                    raise
                self.failed(step, "a rule is called that is not possible", state, *everything(self.program.helper))

        return follow

    def do_draw(self, step: Step, state: State, covered: Looked | None, at: Place, then: Then) -> Follow:
        return lambda: then(moved(state, ("deck", 0), ("hand", at.me), state.places["deck", 0][-1:]), None)

    def do_crown(self, step: Step, state: State, covered: Looked | None, at: Place, then: Then) -> Follow:
        if state.places["throne", 0]:
            raise Fault("the spot is taken")
        card = state.variables[step.parts[0]]
        place = next(place for place, cards in state.places.items() if card in cards)
        return lambda: then(moved(state, place, ("throne", 0), (card,)), None)

    def do_unseat(self, step: Step, state: State, covered: Looked | None, at: Place, then: Then) -> Follow:
        cards = state.places["throne", 0]
        goes_on = covered if not cards else None
        return lambda: then(moved(state, ("throne", 0), ("deck", 0), cards), goes_on)

    # -- blocks

    def do_if(self, step: Step, state: State, covered: Looked | None, at: Place, then: Then) -> Follow:
        yes, *no = step.blocks
        taken = yes if holds(step.parts[0], state, at.me) else no[0] if no else []
        return lambda: self.block(taken, state, covered, at, then)

    def passes(self, body: Block, states: Iterator[dict[str, int]], state: State, at: Place, then: Then) -> None:
        """Carry out a body once with each of some more variables."""
        more = next(states, None)
        if more is None:
            then(state, None)
            return
        rest = list(states)
        inner = state.but(variables={**state.variables, **more})
        again: Then = lambda state, covered: self.passes(body, iter(rest), state, at, then)  # noqa: E731
        self.block(body, inner, None, replace(at, leave=lambda state, covered: then(state, None)), again)

    def do_repeat(self, step: Step, state: State, covered: Looked | None, at: Place, then: Then) -> Follow:
        times = few(number(step.parts[0], state, at.me))
        return lambda: self.passes(step.blocks[0], iter([{}] * times), state, at, then)

    def do_for(self, step: Step, state: State, covered: Looked | None, at: Place, then: Then) -> Follow:
        name = step.parts[0]
        values = [{name: value} for value in self.values(step, state, at.me)]
        return lambda: self.passes(step.blocks[0], iter(values), state, at, then)

    def do_each(self, step: Step, state: State, covered: Looked | None, at: Place, then: Then) -> Follow:
        return lambda: self.passes(step.blocks[0], iter([{step.parts[0]: p} for p in (0, 1)]), state, at, then)

    def do_hands(self, step: Step, state: State, covered: Looked | None, at: Place, then: Then) -> Follow:
        cards = [{step.parts[0]: card} for card in state.places["hand", at.me]]
        return lambda: self.passes(step.blocks[0], iter(cards), state, at, then)

    def do_loop(self, step: Step, state: State, covered: Looked | None, at: Place, then: Then) -> Follow:
        nothing: Then = lambda state, covered: None  # noqa: E731

        def leave(state: State, covered: Looked | None) -> None:
            then(state, None)

        def again(state: State, left: int) -> None:
            if left:
                inner: Then = lambda state, covered: again(state, left - 1)  # noqa: E731
                self.block(step.blocks[0], state, None, replace(at, leave=leave), inner)
            else:
                nothing(state, None)

        return lambda: again(state, LOOPS)

    def do_as(self, step: Step, state: State, covered: Looked | None, at: Place, then: Then) -> Follow:
        after: Then = lambda state, covered: then(state, None)  # noqa: E731
        return lambda: self.block(step.blocks[0], state, covered, replace(at, me=1 - at.me), after)

    # -- questions

    def asked(self, ways: Ways, without: Callable[[State], None], state: State, at: Place, least: int = 1) -> int:
        """Ask: take every way, also after an anytime action; return how many ways are offered at first.

        With less than *least* no player is asked, so there is no time for an action. Where an action takes the last way
        away, ``without`` follows.
        """
        offered = self.taken(ways(state))
        if offered >= least and self.program.anytime and at.me == 0 and state.counters["coin", 0] > 0:
            sold = counted(state, ("coin", 0), state.counters["coin", 0] - 1)
            sold = counted(sold, ("nut", 0), min(3, sold.counters["nut", 0] + 1))
            if not self.taken(ways(sold)):
                without(sold)
        return offered

    def taken(self, ways: list[Way]) -> int:
        """Take every way that is offered; return how many there are."""
        found = 0
        for way in ways:
            looked = Looked()
            try:
                way(looked)
                found += 1
            except NotOffered as missing:
                if missing.looked is not looked:
                    raise
        return found

    def way(self, body: Block, state: State, at: Place, then: Then) -> Way:
        """Return the way of an option: its body, at whose beginning was looked."""
        return lambda looked: self.block(body, state, looked, at, then)

    def do_choose(self, step: Step, state: State, covered: Looked | None, at: Place, then: Then) -> Follow:
        name = step.parts[0]
        self.values(step, state, at.me)  # fails here when it fails at all

        def ways(state: State) -> list[Way]:
            return [partial(then, named(state, name, value)) for value in self.values(step, state, at.me)]

        return lambda: self.question(step, state, covered, at, ways, then)

    def do_pick(self, step: Step, state: State, covered: Looked | None, at: Place, then: Then) -> Follow:
        name = step.parts[0]

        def ways(state: State) -> list[Way]:
            return [partial(then, named(state, name, card)) for card in state.places["hand", at.me]]

        return lambda: self.question(step, state, covered, at, ways, then)

    def question(self, step: Step, state: State, covered: Looked | None, at: Place, ways: Ways, then: Then) -> None:
        """Ask, with what happens when there is no answer, or when none is given."""
        declines = step.word == "choose" and step.parts[-1] == "none"

        def without(state: State, _: Looked | None = None) -> None:
            looked = Looked()
            try:
                self.block(step.blocks[0] if step.blocks else [], state, None, at, lambda state, _: then(state, looked))
            except NotOffered as missing:
                if missing.looked is not looked:
                    raise
                self.failed(step, "the rest is not possible", state, missing.step)

        def more(state: State) -> list[Way]:
            return [*ways(state), *([partial(without, state)] if declines else [])]

        left = without if step.blocks else self.nothing
        if self.asked(more, left, state, at):
            return
        if step.blocks:
            without(state)
        else:
            self.demand(step, False, state, covered, then)

    def nothing(self, state: State) -> None:
        """Do nothing: an action that would take the last way away is not offered."""

    def do_may(self, step: Step, state: State, covered: Looked | None, at: Place, then: Then) -> Follow:
        after: Then = lambda state, _: then(state, None)  # noqa: E731

        def ways(state: State) -> list[Way]:
            return [self.way(step.blocks[0], state, at, after), lambda _: then(state, None)]

        return lambda: self.asked(ways, self.nothing, state, at, 2) and None

    def do_upto(self, step: Step, state: State, covered: Looked | None, at: Place, then: Then) -> Follow:
        inner = replace(at, leave=lambda state, _: then(state, None))

        def again(state: State, left: int) -> None:
            after: Then = lambda state, _: again(state, left - 1)  # noqa: E731

            def ways(state: State) -> list[Way]:
                more = [self.way(step.blocks[0], state, inner, after)] if left > 0 else []
                return [*more, lambda _: then(state, None)]

            self.asked(ways, self.nothing, state, at, 2)

        times = number(step.parts[0], state, at.me)
        return lambda: again(state, min(times, LOOPS))

    def do_menu(self, step: Step, state: State, covered: Looked | None, at: Place, then: Then) -> Follow:
        one, two, *other = step.blocks
        after: Then = lambda state, _: then(state, None)  # noqa: E731

        def ways(state: State) -> list[Way]:
            bodies = [one, two] if holds(step.parts[0], state, at.me) else [one]
            return [self.way(body, state, at, after) for body in bodies]

        def without(state: State) -> None:
            if other:
                self.block(other[0], state, None, at, after)

        def follow() -> None:
            if not self.asked(ways, without, state, at):
                if other:
                    without(state)
                else:
                    self.demand(step, False, state, covered, then)

        return follow

    # -- values

    def values(self, step: Step, state: State, me: int) -> list[int]:
        """Return the numbers of ``low..high`` that satisfy the condition."""
        name, low, high, where, *_ = step.parts
        numbers = range(number(low, state, me), number(high, state, me) + 1)
        few(len(numbers))
        return [value for value in numbers if holds(where, named(state, name, value), me)]


def few(times: int) -> int:
    """Return a number of passes; what has too many is left out."""
    if times > MOST:
        raise Enough
    return times


def ends(block: Block) -> bool:
    """Return whether a block changes anything or asks a player, so that effects after it are not looked at beforehand."""
    quiet = {"pay", "require", "let", "change", "stop", "quit", "if"}
    return any(step.word not in quiet or any(map(ends, step.blocks)) for step in block)
