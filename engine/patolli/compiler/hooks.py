"""Let rules be started from outside: effects of pieces, anytime actions, and calls by tests of content."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from patolli.analysis.model import Model, Rule
from patolli.compiler.links import Links, Work
from patolli.kernel.state import State

Anytime = tuple[Callable[[State, int], list[tuple[int, int]]], Callable[[State, int, int, int], None]]
"""What a player may do at any time, as pairs of an action and its value, and what takes one of them."""


def piece_effects(model: Model) -> dict[str, int]:
    """Return the number of each effect that a piece holds, by the name of its rule."""
    names = [name for name, rule in model.rules.items() if _is_effect(rule)]
    return {name: number for number, name in enumerate(names)}


def _is_effect(rule: Rule) -> bool:
    return rule.hidden and bool(rule.parameters) and rule.parameters[0][0] == "it" and "." in rule.name


def link_effects(links: Links, numbers: dict[str, int]) -> dict[str, Any]:
    """Return the functions that carry out, push and test effects of pieces."""
    space = links.unit.space
    run = [links.work(links.plain.model.rules[name]) for name in numbers]
    cans = [space.get(links.plain.rules.get(name, "")) for name in numbers]

    def do_effect(s: State, me: int, effect: int, piece: int) -> None:
        if effect >= 0:
            run[effect](s, me, piece)

    def push_effect(s: State, me: int, effect: int, piece: int) -> None:
        if effect >= 0:
            _start(run[effect], s, me, (piece,))

    def can_do(s: State, me: int, effect: int, piece: int) -> bool:
        test = cans[effect] if effect >= 0 else None
        return test is None or test(s, me, piece)

    return {"do_effect": do_effect, "push_effect": push_effect, "can_do": can_do}


def _start(work: Work, s: State, me: int, arguments: tuple[int, ...]) -> None:
    """Run a rule, or push its frame."""
    if work.__class__ is tuple:
        s[0].append([work[0], me, 0, *arguments, *work[1]])
    else:
        work(s, me, *arguments)


class Actions:
    """Compiles the anytime actions; ``link`` makes the functions that list and take them."""

    def __init__(self, links: Links) -> None:
        self.links = links
        self.model = links.unit.model
        self.finds: list[tuple[str, Rule]] = []
        self.active = ""

    def compile(self) -> None:
        """Compile what lists the values of each action, and who is active."""
        for action in self.model.anytime:
            body = self.model.rules[action.body]
            node = action.when or (body.block[0] if body.block else None)
            self.finds.append((self.links.candidates(action.binder, action.when, body, node), body))
        active = self.model.active
        if active is not None:
            self.active = self.links.function_of(active, lambda c: self.links.plain.expr(active, c))

    def link(self) -> Anytime | None:
        """Return what lists and what takes anytime actions; None where a pack has none."""
        if not self.finds:
            return None
        space = self.links.unit.space
        lists = [space[id_] for id_, _ in self.finds]
        runs = [self.links.work(body) for _, body in self.finds]
        binds = [bool(body.parameters) for _, body in self.finds]
        active = space.get(self.active)

        def anytime(s: State, me: int) -> list[tuple[int, int]]:
            if active is not None and active(s, me) != me:
                return []
            return [(k, x) for k, find in enumerate(lists) for x in find(s, me)]

        def take(s: State, me: int, k: int, x: int) -> None:
            _start(runs[k], s, me, (x,) if binds[k] else ())

        return anytime, take


def callable_rules(links: Links, rules: list[Rule]) -> dict[str, Callable[..., None]]:
    """Return each rule as a function that runs it, or pushes its frame: for tests of content."""

    def starter(work: Work) -> Callable[..., None]:
        return work if callable(work) else lambda s, me, *arguments: _start(work, s, me, arguments)

    return {rule.name: starter(links.work(rule)) for rule in rules}
