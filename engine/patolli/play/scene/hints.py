"""What is known about an option before it is taken: what it is, and what it costs and gives."""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property
from typing import Any

from patolli.check.analysis.symbols import Symbol
from patolli.check.prose.words import counter_nouns, plural, words
from patolli.language.program import types as ty
from patolli.language.program.model import Program
from patolli.play.scene.captions import COST, EFFECT, FAINT, Caption, caption, join_captions
from patolli.play.scene.seat_scene import LONGEST, SHAPE, Scene, draw_cells
from patolli.run.compiler.layout import DRAWS, FRAMES
from patolli.run.runtime import Decision, Match, Option
from patolli.run.runtime.errors import MatchError
from patolli.run.runtime.option_probe import pick_alone
from patolli.run.runtime.worlds import determinize_match

CHANGES = 5
"""How many changes of an option are shown behind it; where there are more, a sign says so."""
FEW = 24
"""Lines of a menu that show what they ask next; where there are more they stand in columns."""
GUESSES = 3
"""How often what is hidden is drawn again to learn whether an option depends on it."""


class Hints:
    """Describes the options of one decision, as the seat that decides may know it."""

    def __init__(self, scene: Scene, decision: Decision) -> None:
        """Look at the decision that is open in the match of *scene*."""
        self.scene = scene
        self.match = scene.match
        self.decision = decision
        self._hidden = self.match.ruleset.visibility(self.match.program).list_closed_slots(self.match.state, scene.seat)
        self._worlds: list[Match] = []
        self._slots = self._own_slots()
        self._after: dict[int, Match | None] = {}

    def describe(self, option: Option, drawn: bool = True, signs: bool = True) -> Caption:
        """Return a few words about an option, or nothing; *drawn* with the shape of what is laid."""
        parts = [caption(self._describe_difference(option), tone=EFFECT)]
        asked = self._next_questions.get(option.index, "")
        named = reversed(self.values(option))  # where it leads first
        said = option.words.split()  # a cell is called as it is marked
        parts += [self._describe_piece(type_, value, drawn, signs, said) for type_, value in named]
        parts += [caption(f"then asks: {asked}", tone=FAINT)] if asked else []
        return join_captions((part for part in parts if part), "  ")

    # -- what it is

    def values(self, option: Option) -> list[tuple[ty.AnyType, Any]]:
        """Return the types and raw values of what an option names."""
        return values_of(self.scene.model, self.decision, option)

    def picture(self, option: Option) -> list[list[Caption]]:
        """Return how what an option names lies, or looks, in rows of signs; empty where that has no picture."""
        for type_, value in reversed(self.values(option)):
            type_ = ty.strip(type_)
            if not isinstance(type_, ty.Ref) or not isinstance(value, int) or value < 0:
                continue
            if self.scene.model.kinds[type_.kind].lays:
                return [[caption(row)] for row in self._draw_placement(type_.kind, value).split(" / ")]
            if seen := self.scene.picture(type_.kind, self.scene.names(type_.kind)[value]):
                return seen
        return []

    def _describe_piece(self, type_: ty.AnyType, value: Any, drawn: bool, signs: bool, said: list[str]) -> Caption:
        """Return sign, costs and text of a piece, without what is *said* already."""
        type_ = ty.strip(type_)
        if not isinstance(type_, ty.Ref) or not isinstance(value, int) or value < 0:
            return Caption()
        if self.scene.model.kinds[type_.kind].lays:
            return caption(self._draw_placement(type_.kind, value) if drawn else "")
        name = self.scene.names(type_.kind)[value]
        design = self.scene.design(type_.kind, name)
        symbol = self.scene.symbol(type_.kind, name)
        parts = (
            self._describe_signs(type_.kind, name, symbol, signs)
            if symbol is not None and (symbol.sign or symbol.show)
            else []
        )
        if design is not None:
            parts += [caption(cost, tone=COST) for cost in self._describe_costs(type_.kind, name)]
            parts += self._draw_shapes(type_.kind, name) if drawn else []
            alike = self.scene.model.kinds[type_.kind].per_player
            parts += [caption(design.text)] if not alike and _is_worth_showing(design.id, design.text) else []
        return join_captions((part for part in parts if part and part.plain not in said), "  ")

    def _describe_signs(self, kind: str, name: str, symbol: Symbol, signs: bool) -> list[Caption]:
        """Return what stands for a piece, and words for what its symbol shows of it."""
        shown = [
            (self.scene.fact(kind, name, fact), self.scene.meaning(kind, name, fact))
            for facts in symbol.show
            for fact in facts
        ]
        if not any(meant for _, meant in shown):
            return [self.scene.mark(kind, name)] if signs else []
        parts: list[Caption] = []
        for sign, meant in shown:
            counted = meant in self.scene.model.counters
            parts += [sign.color_words(meant)] if counted else [sign, caption(meant if len(meant) <= LONGEST else "")]
        return parts

    def _draw_placement(self, kind: str, value: int) -> str:
        """Return the cells that a placement covers, as rows of a drawing."""
        lays, program = self.scene.model.kinds[kind].lays, self.match.program
        rows, columns = program.fact(lays, "row"), program.fact(lays, "column")
        return draw_cells({(rows[c], columns[c]) for c in program.fact(kind, "cells")[value]})

    def _draw_shapes(self, kind: str, name: str) -> list[Caption]:
        """Return the drawings of the shapes of a piece."""
        facts = [fact.name for fact in self.scene.model.kinds[kind].facts.values() if ty.strip(fact.type) == SHAPE]
        return [caption(self.scene.fact(kind, name, fact).plain) for fact in facts]

    def _describe_costs(self, kind: str, name: str) -> list[str]:
        facts = [fact for fact in self.scene.model.kinds[kind].facts.values() if ty.strip(fact.type) == ty.COST]
        return [text for fact in facts if (text := self.scene.fact(kind, name, fact.name).plain)]

    # -- what it costs and gives

    def _own_slots(self) -> list[int]:
        """Return the slots of counters of the seat's own and of the table that it can see."""
        found = []
        for slot, (name, index) in self.match.labels.counters.items():
            counter = self.scene.counter(name)
            mine = counter.dims[:1] != ("player",) or index.partition(", ")[0] in self.scene.own
            if mine and counter.told and counter.visible != "none":
                found.append(slot)
        return found

    def _describe_amount(self, slot: int, amount: int) -> str:
        """Return the words for what a counter gains or loses."""
        names = self.scene.seat_names
        counter, several = self.match.labels.counters[slot][0], names.counter(slot)
        of = several[len(names.amount(counter, 2)) :]
        declared = self.scene.counter(counter)
        if declared.noun:
            said = names.amount(counter, abs(amount))
        elif declared.text:
            said = counter_nouns(self.scene.model, counter)[abs(amount) != 1]
        else:
            said = words(counter) if abs(amount) == 1 else plural(words(counter))
        return f"{amount:+d} {said}{of}"

    @property
    def worlds(self) -> list[Match]:
        """Matches that the seat may believe in; one where it sees everything."""
        if not self._worlds:
            hides = self.match.ruleset.visibility(self.match.program).hides
            seeds = range(GUESSES if hides else 1)
            self._worlds = [determinize_match(self.match, self.scene.seat, seed, self.match.program) for seed in seeds]
        return self._worlds

    def after(self, option: Option) -> Match | None:
        """Return a match after an option; None where chance or something hidden takes part, or nothing is known."""
        if option.index not in self._after:
            self._after[option.index] = self._try_option(option)
        return self._after[option.index]

    @cached_property
    def _next_questions(self) -> dict[int, str]:
        """What the lines of a menu ask next; what most of them do is the course of things, and not said of each."""
        options = self.decision.options
        if self.decision.question.kind not in ("menu", "repeat") or len(options) > FEW:
            return {}
        asked = {option.index: self.asks_next(option) for option in options}
        many = Counter(asked.values())
        return {index: said for index, said in asked.items() if said and many[said] * 2 <= len(options)}

    def asks_next(self, option: Option) -> str:
        """Return what the player will be asked before an option has done all that it does, without more; or nothing."""
        copy = self.after(option)
        if copy is None or copy.decision is None or copy.decision.player != self.scene.seat:
            return ""
        frames, now = copy.state[FRAMES], self.match.state[FRAMES]
        deeper = len(frames) > len(now) or frames[-1][0] != now[-1][0]
        within = len(frames) >= len(now) and copy.decision.question.kind != "pause"
        return re.split(r"(?<=[?.!])\s", copy.decision.prompt)[0] if deeper and within else ""

    def imagine_after(self, option: Option) -> list[Match]:
        """Return matches after an option with what the seat cannot see drawn again; none where nothing is known.

        They end where another player has the turn: what comes then is not what the option does.
        """
        found = []
        for world in self.worlds:
            copy = world.clone()
            try:
                pick_alone(copy, option.index)
            except MatchError:
                return []
            found.append(copy)
        return found

    def _try_option(self, option: Option) -> Match | None:
        if option.index >= len(self.decision.options):  # it comes only behind another one
            return None
        copies = self.imagine_after(option)
        for before, after in ((world.state, copy.state) for world, copy in zip(self.worlds, copies, strict=False)):
            if before[DRAWS] != after[DRAWS] or any(before[slot] != after[slot] for slot in self._hidden):
                return None
        changes = [
            [copy.state[slot] - world.state[slot] for slot in self._slots]
            for world, copy in zip(self.worlds, copies, strict=False)
        ]
        return copies[0] if copies and all(change == changes[0] for change in changes) else None

    def list_changes(self, option: Option) -> list[tuple[str, int, str]] | None:
        """Return the counters that an option changes at once, each with the amount and words; None if unknown."""
        copy = self.after(option)
        if copy is None:
            return None
        before, after = self.worlds[0].state, copy.state
        changed = [(slot, after[slot] - before[slot]) for slot in self._slots if after[slot] != before[slot]]
        return [(self.match.labels.counters[slot][0], by, self._describe_amount(slot, by)) for slot, by in changed]

    def _describe_difference(self, option: Option) -> str:
        """Return what an option changes at once."""
        copy = self.after(option)
        if copy is None:
            return ""
        before, after = self.worlds[0].state, copy.state
        paid = option.value[::2] if self.decision.question.kind == "pay" and not option.anytime else ()
        slots = [slot for slot in self._slots if slot not in paid]  # the words of the option say all that is paid
        changes = [(slot, after[slot] - before[slot]) for slot in slots if after[slot] != before[slot]]
        shown = [self._describe_amount(*change) for change in changes[:CHANGES]]
        return ", ".join([*shown, "…"] if len(changes) > CHANGES else shown)


def values_of(model: Program, decision: Decision, option: Option) -> list[tuple[ty.AnyType, Any]]:
    """Return the types and raw values of what an option of a decision names."""
    question, value = decision.question, option.value
    if option.anytime:
        binder = model.anytime[value[0]].binder
        type_ = binder.source.type if binder is not None else None
        return [(type_.of, value[1])] if isinstance(type_, ty.Seq) else []
    if question.kind in ("choose", "order"):
        values = value if len(question.types) > 1 else (value,)
        return list(zip(question.types, values, strict=False))
    if question.kind == "several":
        return [(question.types[0], value[1])] if value[0] else []
    if question.kind in ("menu", "repeat"):
        return list(zip(question.labels[value[0]][1], value[1:], strict=False))
    return []


def _is_worth_showing(id_: str, text: str) -> bool:
    """Return whether a text is short enough, and more than the id in other letters."""
    said = {word.strip(".,").lower() for word in text.split()}
    return 0 < len(text) <= LONGEST and (len(said) > 3 or not set(id_.split("_")) <= said)
