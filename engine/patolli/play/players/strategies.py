"""Bots without a strategy: comparing them with normal bots shows how much the strategy is worth.

A strategy is named by its options: a line of a menu, a rule that such a line calls, a rule that asks, the tag of a
payment, a piece or a kind of pieces, an anytime action, or the full name of an option in reports (``option_names``).
``*`` matches anything, and ``or`` joins several names: ``greedy without bless* or "take"``. Such a bot chooses an
option of the strategy only if it has no other option, and assumes the same when it looks ahead.

A random or greedy bot first decides as a normal bot does, with the same random numbers, and decides again only if that
choice, or the line that it belongs to, uses the strategy. So a match stays the same as with a normal bot until the
strategy matters, and matches of both form pairs. Search bots search without the strategy from the beginning.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from patolli.language.diagnostics import nearest
from patolli.language.program import effects as fx
from patolli.language.program import types as ty
from patolli.language.program.node import walk
from patolli.play.players.bot_seats import Player
from patolli.play.players.chance import RandomBot
from patolli.play.players.greedy import GreedyBot
from patolli.play.players.option_names import action_name, bound_by, heads, option_name, rule_of
from patolli.play.players.search import SearchBot
from patolli.run.compiler.asked import Question
from patolli.run.runtime import Match, Ruleset
from patolli.run.runtime.labels import Labels

WITHOUT, OR = " without ", " or "
NOTHING = "-"
"""The strategy that has no option. Who does without it plays as others of its kind; seats that choose at random have a
source of chance each then, as they have where one of them does without something, and else share one."""


class Fence:
    """Filters the options that remain without the named strategy."""

    def __init__(self, names: tuple[str, ...]) -> None:
        """Use names, in which ``*`` matches anything."""
        self.names = names
        self._forms = [_compile_pattern(one) for one in names]
        self._program: object = None

    def list_allowed(self, match: Match) -> list[int]:
        """Return the indices of the remaining options; if none would remain, return all."""
        if match.program is not self._program:
            self._program, self._known = match.program, dict[tuple[int, Any], bool]()
        pending = match.pending
        assert pending is not None
        number = match.frame[0]
        regular = len(pending) - match.extra
        left = [
            index
            for index, value in enumerate(pending)
            if not self._is_named(match, number if index < regular else -1, value)
        ]
        return left or list(range(len(pending)))

    def _is_named(self, match: Match, number: int, value: Any) -> bool:
        key = (number, value)
        found = self._known.get(key)
        if found is None:
            names = (
                _name_action(match.labels, value)
                if number < 0
                else _name_option(match.labels, match.program.questions[number], value)
            )
            found = self._known[key] = any(self.fits(name) for name in names)
        return found

    def fits(self, name: str) -> bool:
        """Return whether something with this name belongs to the strategy."""
        return any(one.fullmatch(name) for one in self._forms)

    def check(self, rules: Ruleset, players: int) -> None:
        """Check that every name matches something in the pack. Raises ValueError, with the nearest name."""
        known, program = set(names_of(rules, players)), rules.program(players + rules.model.automated, False)
        whole = list(heads(rules.labels(program), program.questions.values()))
        for wanted in self.names:
            if not any(map(_compile_pattern(wanted).fullmatch, known)) and not any(
                _starts_with_head(wanted, *one) for one in whole
            ):
                near = nearest(wanted.strip("*"), known)
                hint = f"; did you mean {near!r}?" if near else ""
                raise ValueError(f"no option of {rules.title} matches {wanted!r}{hint}")


def _compile_pattern(name: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, name.split("*"))))


def _starts_with_head(name: str, head: str, words: set[str]) -> bool:
    """Return whether a name starts with the head of an option name and continues with words that may follow it."""
    if not name.startswith(f"{head} "):
        return False
    known = {part for word in words for part in word.split()}
    return all(any(map(_compile_pattern(part).fullmatch, known)) for part in name[len(head) :].split())


def names_of(rules: Ruleset, players: int) -> Iterator[str]:
    """Yield all names that a strategy may use; some occur more than once."""
    program = rules.program(players + rules.model.automated, False)
    for question in program.questions.values():
        for line in range(max(1, len(question.labels))):
            yield from _name_line(question, line)
        types = [*question.types, *(one for _, inner in question.labels for one in inner)]
        for type_ in map(ty.strip, types):
            if isinstance(type_, ty.Ref):
                yield type_.kind
                there = program.layout.instances.get(type_.kind, ())
                yield from (one.design.id if one.design is not None else one.id for one in there)
    for action in program.layout.model.anytime:
        yield action.label


def _name_line(question: Question, line: int) -> Iterator[str]:
    """Yield the names of a line of a menu, or of another question."""
    rule, effect = rule_of(question), question.effect
    yield rule
    if question.kind in ("menu", "repeat"):
        label = question.labels[line][0] or f"line {line + 1}"
        yield label
        yield f"{rule}: {label}"
        inside = effect.options[line].body if isinstance(effect, fx.Menu) else ()
    else:
        inside = (effect,) if isinstance(effect, fx.Pay) else ()
    for node in walk(inside):
        if isinstance(node, fx.CallRule):
            yield node.rule.partition("'")[0]
        elif isinstance(node, fx.Pay) and node.tag is not None:
            yield node.tag


def _name_option(labels: Labels, question: Question, value: Any) -> Iterator[str]:
    """Yield all names of an option."""
    yield option_name(labels, question, value)
    line, values, types = 0, value, question.types
    if question.kind in ("menu", "repeat"):
        line, values, types = value[0], value[1:], question.labels[value[0]][1]
    elif question.kind == "several":
        values = value[1:] if value[0] else ()
    elif question.kind in ("choose", "order"):
        values = value if len(types) > 1 else (value,)
        if question.decline is not None and all(one == -1 for one in values):
            yield question.decline
            return
    else:
        values = ()
    yield from _name_line(question, line)
    for type_, one in zip(types, values, strict=False):
        yield from _name_thing(labels, ty.strip(type_), one)


def _name_action(labels: Labels, value: Any) -> Iterator[str]:
    action = labels.model.anytime[value[0]]
    yield action_name(labels, value)
    yield action.label
    for type_ in bound_by(action):
        yield from _name_thing(labels, ty.strip(type_), value[1])


def _name_thing(labels: Labels, type_: ty.AnyType, value: Any) -> Iterator[str]:
    if isinstance(type_, ty.Ref) and isinstance(value, int) and value >= 0:
        one = labels.layout.instances[type_.kind][value]
        yield type_.kind
        yield one.design.id if one.design is not None else one.id


class RandomWithout:
    """Chooses uniformly among the remaining options."""

    def __init__(self, seed: int, fence: Fence) -> None:
        self._draw, self._again, self._fence = Random(seed).random, Random(f"{seed} again").random, fence

    def decide(self, match: Match) -> int:
        """Return the index of a random remaining option."""
        assert match.pending is not None
        index, left = int(self._draw() * len(match.pending)), self._fence.list_allowed(match)
        return index if index in left else left[int(self._again() * len(left))]


class Without:
    """Creates bots of another kind that never use a strategy."""

    def __init__(self, make: Callable[[int], Any], names: tuple[str, ...]) -> None:
        """Use a function that creates bots, and the names of the strategy."""
        self.make, self.names = make, names

    def __call__(self, seed: int) -> Player:
        """Create a bot from a seed."""
        bot, fence = self.make(seed), Fence(self.names)
        if isinstance(bot, RandomBot):
            return RandomWithout(seed, fence)
        if isinstance(bot, GreedyBot | SearchBot):
            bot.fence = fence
            if isinstance(bot, GreedyBot):
                bot.free = self.make(seed)
            return bot
        raise ValueError("only built-in bots can play without a strategy")

    def check(self, rules: Ruleset, players: int) -> None:
        """Check that the names match something, and that the bot has what it needs.

        Raises:
            ValueError: One of these is not the case.
        """
        Fence(self.names).check(rules, players)
        check = getattr(self.make, "check", None)
        if check is not None:
            check(rules, players)

    def fingerprint(self, rules: Ruleset, players: int) -> str:
        """Return a hash of the bot's learned value; empty if it has none."""
        fingerprint = getattr(self.make, "fingerprint", None)
        return str(fingerprint(rules, players)) if fingerprint is not None else ""


def without(make: Callable[[int], Any], bot: str, strategies: list[str]) -> Without:
    """Return a maker of bots that never use some strategies. Raises ValueError: these bots cannot, or no name."""
    names = [name.strip() for one in strategies for name in one.split(OR)]
    if not all(names):
        raise ValueError(f"name the strategy after 'without' in {bot!r}, such as 'greedy without NAME or NAME'")
    found = Without(make, tuple(name for name in names if name != NOTHING))
    try:
        found(0)
    except ValueError:
        raise ValueError(f"{bot!r} is not a built-in bot, and cannot play without a strategy") from None
    return found
