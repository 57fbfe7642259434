"""Report to a watcher of a match which pieces are used, and when measures and phases of it come.

In:     a program and its summaries.
Out:    the rules whose beginning or end is reported, and what is reported of them.

A program that is watched says ``use`` where a rule of a piece begins, and ``moment`` before a rule before which a
measure is taken, and behind one behind which a measure is taken or that is a phase. A phase is a rule with a heading
that is not about a player: ``Round {nth}``, and not ``{me}'s turn``. It calls ``hear_choice`` where it gives an answer
by itself because there is no other one. Nothing else of the program is another one, so a match that is watched is the
same match.

What is said goes into a list that looking ahead cuts off again. Bots try things on copies, so it is only said of the
state that is watched.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from patolli.kernel.state import State, copy_state
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.model import Program, Rule
from patolli.language.program.node import declaration, walk
from patolli.run.compiler import build as b
from patolli.run.compiler.layout import Layout
from patolli.run.compiler.scopes import pieces_of
from patolli.run.compiler.unit import of_variables

if TYPE_CHECKING:
    from patolli.run.compiler.asked import Question
    from patolli.run.compiler.effects import Effects

Seen = tuple[int, int, int]
"""The number of what is said, who acts, -1 for none, and the piece that is used or at which place numbers were taken.
"""
Taken = tuple[tuple[int, ...], list[Any]]
"""Of each measure of a moment its values, seat by seat; and where a phase ends the stretch with all counters."""


Heard = Callable[[State, int], object]
"""Hears of an answer that was forced: the state in which it was given, and whose it is."""


def unheard(s: State, me: int) -> None:
    """Ignore a forced choice."""


@dataclass(slots=True)
class Moment:
    """When something is to be taken: which measures, and whether a phase ends."""

    rule: str
    measures: list[str] = field(default_factory=list)
    phase: bool = False


@dataclass(slots=True)
class Watched:
    """A rule that is reported: the piece that it uses, or what is taken when it begins and when it ends."""

    rule: Rule
    teller: str
    piece: x.Variable | None = None
    number: int = -1
    begins: int = -1
    ends: int = -1

    @property
    def says(self) -> bool:
        """Whether something is said when the rule begins."""
        return self.piece is not None or self.begins >= 0


@dataclass(slots=True)
class Watching:
    """What is said of a watched program.

    Attributes:
        moments: When measures are taken and phases end, by their number.
        uses: Of what a number stands for that is said of a piece: its kind.
        rules: The rules that are reported, by name.
        seen: What was said, oldest first.
        taken: The numbers taken, to which ``seen`` points; what was taken by looking ahead is among them, too.
        moved: Slots of pieces that may lie elsewhere than when it was last cleared; of copies, too.
        state: Whose state is watched; None before that is known, when all is said.
        heard: Who hears, from the first question on, of answers that were forced.
        early: The forced answers before that, as they would have been heard.
    """

    moments: list[Moment] = field(default_factory=list)
    uses: dict[int, str] = field(default_factory=dict)
    rules: dict[str, Watched] = field(default_factory=dict)
    seen: list[Seen] = field(default_factory=list)
    taken: list[Taken] = field(default_factory=list)
    moved: set[int] = field(default_factory=set)
    state: list[State | None] = field(default_factory=lambda: [None])
    heard: list[Heard] = field(default_factory=lambda: [unheard])
    early: list[tuple[State, int]] = field(default_factory=list)

    def begin(self, state: State | None = None) -> None:
        """Forget what was said: another match begins. Its *state* is None if it is only known after the set-up."""
        self.seen.clear()
        self.taken.clear()
        self.early.clear()
        self.state[0], self.heard[0] = state, unheard

    @property
    def has_seen_nothing(self) -> bool:
        """Whether the match has reported nothing so far."""
        return not (self.seen or self.taken or self.early)

    def fill(self, program: Program, space: dict[str, Any], functions: dict[str, str], layout: Layout) -> None:
        """Give the program what says it, now that the functions of measures are compiled."""
        say, here, taken = self.seen.append, self.state, self.taken
        takers = [_taker(program, one, space, functions, layout) for one in self.moments]

        def use(s: State, number: int, me: int, piece: int) -> None:
            if s is here[0] or here[0] is None:
                say((number, me, piece))

        def moment(s: State, number: int) -> None:
            if s is here[0] or here[0] is None:
                taken.append(takers[number](s))
                say((number, -1, len(taken) - 1))

        heard, early = self.heard, self.early

        def hear_choice(s: State, me: int) -> None:
            if s is here[0]:
                heard[0](s, me)
            elif here[0] is None:
                early.append((copy_state(s), me))

        space.update(use=use, moment=moment, hear_choice=hear_choice)


def watching(program: Program) -> Watching:
    """Find what is said of a program that is watched."""
    made = Watching()
    last: dict[tuple[str, str], Moment] = {}

    def at(rule: str, moment: str) -> Moment:
        if (rule, moment) not in last:
            one = made.rules.setdefault(rule, Watched(program.rules[rule], f"h{len(made.rules)}"))
            if moment == "before":
                one.begins = len(made.moments)
            else:
                one.ends = len(made.moments)
            last[rule, moment] = Moment(rule)
            made.moments.append(last[rule, moment])
        return last[rule, moment]

    for measure in program.measures.values():
        if measure.rule:
            at(measure.rule, measure.moment).measures.append(measure.name)
    for rule in program.rules.values():
        if _is_phase(rule):
            at(rule.name, "after").phase = True
    for name, piece in pieces_of(program).items():
        type_ = ty.strip(piece.type)
        assert isinstance(type_, ty.Ref)
        number = len(made.moments) + len(made.uses)
        made.uses[number] = type_.kind
        made.rules[name] = Watched(program.rules[name], f"h{len(made.rules)}", piece, number)
    return made


def _is_phase(rule: Rule) -> bool:
    """Return whether a rule has a heading that is not about who acts."""
    heading = [part for part in rule.report_settings.heading if not isinstance(part, str)]
    reads = {location for node in walk(heading) for location in declaration(node).reads(node)}
    return bool(rule.report_settings.heading) and not rule.hidden and ("variable", rule.me) not in reads


def _taker(
    program: Program, moment: Moment, space: dict[str, Any], functions: dict[str, str], layout: Layout
) -> Callable[[State], Taken]:
    """Return what takes the measures of a moment, and the counters where a phase ends."""
    each = [(space[functions[f"measure {name}"]], program.measures[name].each) for name in moment.measures]
    seats, phase = range(layout.seats), moment.phase
    slots = [slot for base, sizes in layout.counters.values() for slot in layout.slots(base, sizes)] or [0]
    low, high = min(slots), max(slots) + 1

    def take(s: State) -> Taken:
        values = tuple([int(of(s, seat)) for of, every in each for seat in (seats if every else (0,))]) if each else ()
        return values, s[low:high] if phase else []

    return take


def define_watchers(plain: Effects, watched: Watching) -> None:
    """Compile for each rule the function that says that it begins; it takes what the rule takes."""
    unit = plain.unit
    for one in filter(lambda rule: rule.says, watched.rules.values()):
        c = of_variables(unit, *one.rule.variables)
        unit.current = one.rule.name
        said = b.call("moment", b.name("s"), b.const(one.begins))
        if one.piece is not None:
            said = b.call(
                "use", b.name("s"), b.const(one.number), c.read_variable(one.rule.me), c.read_variable(one.piece)
            )
        unit.define(one.teller, ["s", *map(unit.local, one.rule.variables)], [b.do(said)], one.rule.span)


def report_rule_start(watched: Watched, given: list[ast.expr]) -> list[ast.stmt]:
    """Return the statements that say that a rule begins which is called with *given*, me first."""
    if watched.piece is not None:  # as its teller says it; a call of one more function takes longer
        piece = given[watched.rule.variables.index(watched.piece)]
        return [b.do(b.call("use", b.name("s"), b.const(watched.number), given[0], piece))]
    return [b.do(b.call(watched.teller, b.name("s"), *given))] if watched.says else []


def report_rule_end(watched: Watched) -> list[ast.stmt]:
    """Return the statements that say that a rule is left."""
    return [b.do(b.call("moment", b.name("s"), b.const(watched.ends)))] if watched.ends >= 0 else []


def report_forced_choice(question: Question, options: ast.expr) -> list[ast.stmt]:
    """Return the statements that say that a question is answered with the one option that there is.

    A pause, the order of one thing, and that no more is chosen where no more can be, are no answers.
    """
    if question.kind in ("pause", "order"):
        return []
    said = b.do(b.call("hear_choice", b.name("s"), b.item("f", 1)))
    if question.kind == "several":
        more, chosen = (b.item(b.item(options, 0), at) for at in (0, 1))
        return [b.when(b.either([more, b.negate(chosen)]), [said])]
    return [said]
