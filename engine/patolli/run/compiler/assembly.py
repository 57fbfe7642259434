"""Compile a program: Python functions over the state of a match.

In:     a resolved program, a number of seats, whether moves are narrated, and what was proven of the program.
Out:    an :class:`Executable`.

The generated code is one module per YAML file, so that a traceback names the author's file and line.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from types import MappingProxyType
from typing import Any

from patolli.kernel.budget import PASSES, meter, renew
from patolli.kernel.faults import MatchOver, RuleFault
from patolli.kernel.gains import Bounds
from patolli.kernel.library import LIBRARY
from patolli.kernel.state import State, copy_state
from patolli.kernel.values import perhaps_at_rest
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.model import Function, Program, Rule
from patolli.run.compiler import build as b
from patolli.run.compiler import narration
from patolli.run.compiler.affected import Affected, mark_due
from patolli.run.compiler.call_depth import count_calls
from patolli.run.compiler.effects import Effects, nothing_of
from patolli.run.compiler.entry_points import Actions, EntryPoints, callable_rules, link_effects, piece_effects
from patolli.run.compiler.executable import Executable, is_secret
from patolli.run.compiler.framed_rules import Framing
from patolli.run.compiler.frames import Frames
from patolli.run.compiler.indexes import Indexes, link
from patolli.run.compiler.layout import FRAMES, lay_out
from patolli.run.compiler.move_reports import Moving
from patolli.run.compiler.optimizer import shorten, shortens
from patolli.run.compiler.rolling_out import roll_out
from patolli.run.compiler.scopes import Scoped, compute_scopes, define_tellers
from patolli.run.compiler.step_meter import Meter
from patolli.run.compiler.tabled import looks, tabled_functions
from patolli.run.compiler.tables import Tables
from patolli.run.compiler.terms import Terms
from patolli.run.compiler.triggers import with_triggers
from patolli.run.compiler.unit import Proven, Unit, function_name, of_variables
from patolli.run.compiler.watch_hooks import define_watchers, watching
from patolli.run.compiler.workings import Workings


def compile_program(
    program: Program, proven: Proven, seats: int, narrate: bool = False, watched: bool = False,
    look: Look | None = None, indexed: bool = True, checked: bool = False,
) -> Executable:  # fmt: skip
    """Compile *program* for a number of seats.

    *Watched*, it says which pieces are used, and takes measures, see ``watching``.

    If it narrates, it is not optimized: people wait for what a program says, and passes take longer than they save.
    If *indexed*, it keeps up what options ask for again and again. If *checked*, its blocks say which invariants they
    may break, see ``affected``.
    *look* gets the functions of each file, and what each was made of, before they are compiled.
    """
    assembly = _Assembly(program, seats, narrate, proven, watched)
    assembly.look = look
    assembly.indexing = indexed and shortens() and not narrate
    if checked:
        assembly.framed.affected = Affected(program, proven.preconditions.summaries)
    return assembly.executable()


Look = Callable[[str, list[ast.FunctionDef], dict[str, str]], None]


NARRATION, EVENT, ITEM = 5_000_000, 100, 50
"""About how many characters may be reported between one answer and the next; what is counted for an event, and for a
value that is said."""


class _Assembly:
    look: Look | None = None
    indexing = False

    def __init__(self, program: Program, seats: int, narrate: bool, proven: Proven, watched: bool) -> None:
        self.model = program
        self.layout = lay_out(program, seats)
        self.unit = Unit(self.layout, proven, Framing(program, proven.preconditions.summaries), narrate)
        if narrate:
            found = compute_scopes(program, self.unit.summaries).items()
            self.unit.scopes.update(
                (name, Scoped(number, program.rules[name], scope, values, f"h{number}"))
                for number, (name, (scope, values)) in enumerate(found)
            )
        self.watching = watching(program) if watched else None
        self.moving: Moving | None = None
        if self.watching is not None:
            self.unit.heard = True
            self.unit.watched.update(self.watching.rules)
            self.unit.notes.append(self.watching.seen)
        self.plain = Effects(self.unit)
        self.framed = Frames(self.unit)
        self.framed.rule_ids = self.plain.rule_ids
        self.effect_ids = piece_effects(program)
        self.entry_points = EntryPoints(self.unit, self.plain, self.framed)
        self.terms, self.actions = Terms(self.entry_points), Actions(self.entry_points)
        self.events = self.terms.money.events
        self.meter = Meter(self.unit)
        self.indexes = Indexes(self.layout, self.unit.space, self.unit.keep)
        self.unit.notes += [self.events] if narrate else []

    def executable(self) -> Executable:
        renew()
        space = self.unit.space
        space.update(LIBRARY)
        space.update(
            PASSES=PASSES,
            meter=meter,
            MatchOver=MatchOver,
            SPREADING=self.unit.spreading,
            MONEY=self.terms.money,
            BOUNDS=self._bounds(),
        )
        if self.watching is not None:
            self.moving = Moving(self.watching.moved, self.layout, space)
        space.update(SPENDS={}, COSTS=[], say=self._say, forced=self._record_forced if self.unit.narrate else None)
        space.update(
            use=None,
            moment=None,
            answered=None,
            do_effect=None,
            push_effect=None,
            can_do=None,
            go_through=self.entry_points.go_through,
        )
        rules, bodies = with_triggers(self.model, self.layout)
        for body in bodies:
            self.unit.framing.add(body)
        self._facts()
        # Those without a table are compiled again, now that it is known how long the lists in facts are.
        self._functions(f for f in self.model.functions.values() if f.name not in self.unit.tabled)
        define_tellers(self.plain)
        if self.watching is not None:
            define_watchers(self.plain, self.watching)
        for rule in rules:
            self._rule(rule)
        self.unit.current = "a condition"
        for name in self.effect_ids:
            self._effect_test(self.model.rules[name])
        self.terms.compile()
        self.actions.compile()
        measures = self._measures()
        self._execute()
        if self.watching is not None:
            self.watching.fill(self.model, space, measures, self.layout)
        space["COSTS"] += [space[id_] for id_ in self.tables.changing]
        self.terms.fill()
        space.update(link_effects(self.entry_points, self.effect_ids), SPENDS=self.terms.spends())
        return self._result(rules, measures)

    def _bounds(self) -> Bounds:
        layout = self.layout
        return {layout.counters[c.name][0]: (c.low, layout.limits[c.name]) for c in self.model.counters.values()}

    def _say(self, *event: Any) -> None:
        """Keep what happened for the narration. Raises RuleFault: there is too much of it since the last answer."""
        events = self.events
        events.said = events.said + EVENT if events else EVENT
        if event[0] == "said":
            _, _, text, values = event
            events.said += len(text) + sum(ITEM * (len(v) if isinstance(v, tuple | list) else 1) for _, v in values)
        if events.said > NARRATION:
            raise RuleFault("too much happens or is said at once to be shown to the players", "P0816")
        events.append(event)

    def _record_forced(self, s: State, block: int, value: Any, me: int) -> None:
        self.events.append(("forced", me, block, value, is_secret(s[FRAMES], self.framed.secret), copy_state(s)))

    # -- facts, functions and rules

    def _facts(self) -> None:
        """Work out everything that no match changes: facts, constants, and tables of functions."""
        tabled = tabled_functions(self.unit.summaries, self.layout)
        self.unit.tabled = set(tabled)
        early = [f for f in self.model.functions.values() if not looks(f.body)]
        self.tables = Tables(self.plain, self.effect_ids, self.meter)
        self.tables.fill_kinds()
        self._functions(early)
        self._execute()
        self.tables.fill()
        space = self.unit.space
        for name in tabled:
            kinds = (p.type for p in self.model.functions[name].parameters)
            sizes = [self.layout.size(kind.kind) for kind in kinds if isinstance(kind, ty.Ref)]
            meter.budget[2] = 1
            space[f"T_{function_name(name)}"] = _table(space[function_name(name)], sizes, ())

    def _functions(self, functions: Iterable[Function]) -> None:
        for function in functions:
            self.unit.current = function.name.partition("'")[0]
            variables = (function.me, *function.parameters)
            c, body = of_variables(self.unit, *variables), list[ast.stmt]()
            value = function.body
            if isinstance(value, x.Naming):
                (c, body), value = self.plain.bind_names(value.given, c), value.value
            parameters = ["s", *map(self.unit.local, variables)]
            given = self.plain.expr(value, c)
            body += self.unit.taken_over(given, function.body.span) or [b.give(given)]
            id_ = function_name(function.name)
            self.unit.define(id_, parameters, body, function.body.span)
            if ("function", function.name) in self.unit.summaries.circular:
                self.unit.circular.add(id_)

    def _rule(self, rule: Rule) -> None:
        self.unit.current = rule.name.partition("'")[0].rstrip("#")
        if rule.name in self.unit.framing.framed:
            self.framed.compile_rule(rule)
        else:
            self._plain_rule(rule)

    def _plain_rule(self, rule: Rule) -> None:
        variables = (rule.me, *rule.parameters)
        self.plain.nothing, self.plain.me, self.plain.left = nothing_of(rule.returns), rule.me, rule.name
        c = of_variables(self.unit, *variables)
        begun = narration.report_rule_start(self.unit, rule.name, [c.read_variable(variable) for variable in variables])
        body = [*begun, *self.plain.statements(rule.block, c), *self.plain.leave(None)]
        span = rule.block[0].span if rule.block else rule.span
        id_ = self.plain.rule_id(rule.name)
        self.unit.define(id_, ["s", *map(self.unit.local, variables)], body, span)
        if ("beginning", rule.name) in self.unit.summaries.circular:
            self.unit.circular.add(id_)

    def _effect_test(self, rule: Rule) -> None:
        """Compile the test of an effect of a piece, which is looked up by the number of the effect."""
        self.plain.can(rule.name, [b.const(0) for _ in (rule.me, *rule.parameters)])

    # -- measures

    def _measures(self) -> dict[str, str]:
        model, formula, always = self.model, self.entry_points.formula, self.entry_points.expression
        found: dict[str, str] = {}
        for i, tie in enumerate(model.ties):
            self.unit.current = "a tie-break"
            found[f"tie {i}"] = formula(tie)
        for part, one in {"score": model.score, "among": model.among, "wins": model.wins}.items():
            if one is not None:
                self.unit.current = "the score" if part == "score" else f"'{part}' of the result"
                found[part] = formula(one)
        for name, value in model.values.items():
            self.unit.current = name
            found[f"value {name}"] = formula(value)
        for name, measure in model.measures.items() if self.watching is not None else ():
            self.unit.current = f"the measure {name}"
            found[f"measure {name}"] = formula(measure.formula)
        for name, (expr, _) in model.invariants.items():
            self.unit.current = f"the invariant {name}"
            found[f"invariant {name}"] = always(expr)
        return found

    # -- the end

    def _execute(self) -> None:
        framed = self.framed
        blocks = {number: framed.blocks[framed.landing(number)] for number in range(len(framed.blocks))}
        self._mark_due()
        if shortens() and not self.unit.narrate:
            shorten(self.unit.files, self.unit.space, self.unit.keep, blocks, self.unit.held, self.unit.circular)
        made = [function for functions in self.unit.files.values() for function in functions]
        for function in made:
            b.complete(function, function.lineno)
        self.meter.measure(made)
        if self.indexing and any(framed.blocks):
            self._index(made)
        for path, functions in self.unit.files.items():
            if self.moving is not None:
                self.moving.say(functions)
            if self.look is not None:
                self.look(path, functions, self.unit.origins)
            module = ast.Module([self._count(function) for function in functions], [])
            exec(compile(module, path, "exec"), self.unit.space)
        self.unit.files.clear()

    def _count(self, function: ast.FunctionDef) -> ast.FunctionDef:
        """Return a function that looks up what it counts in, and counts its calls if it may call itself."""
        found = _find_meter(function)
        return count_calls(found) if function.name in self.unit.circular else found

    def _mark_due(self) -> None:
        """Let each block say at its beginning which invariants it may break."""
        due = {self.framed.blocks[number]: invariants for number, invariants in self.framed.due.items()}
        self.framed.due.clear()
        for function in [one for functions in self.unit.files.values() for one in functions] if due else ():
            if function.name in due:
                function.body.insert(0, mark_due(due[function.name]))
                b.place(function.body[0], function.body[1].lineno)

    def _index(self, made: list[ast.FunctionDef]) -> None:
        """Keep up indexes, which saves most of the work of some lists of options."""
        link(self.unit.lookaheads(), self.indexes.made, self.indexes.keep_up(made))
        roll_out(made, self.unit.space, lambda table: self.unit.keep("U", table), self.indexes.bases())
        self.indexing = False  # what is compiled later is about states that were made up

    def _result(self, rules: list[Rule], measures: dict[str, str]) -> Executable:
        space, frames = self.unit.space, self.framed
        frames.secret.intersection_update({n for n in frames.secret if frames.landing(n) in frames.secret})
        anytime, take = self.actions.link() or (None, None)
        space["anytime"] = anytime
        for number in frames.jumps:
            end = frames.landing(number)
            frames.blocks[number] = frames.blocks[end]
            if end in frames.questions:
                frames.questions[number] = frames.questions[end]
        blocks = [space[id_] if id_ else _missing for id_ in frames.blocks]
        self.entry_points.blocks += blocks
        slots, thens = [0] * len(blocks), [0] * len(blocks)
        for number, question in frames.questions.items():
            slots[number], thens[number] = question.slot, frames.landing(question.then)
        start, plain_start = self._start()
        return Executable(
            self.layout, blocks, frames.questions, slots, thens, start, anytime, take,
            space.get(measures.get("score", "")), [space[measures[f"tie {i}"]] for i in range(len(self.model.ties))],
            space.get(measures.get("among", "")), space.get(measures.get("wins", "")),
            {n: space[measures[f"value {n}"]] for n in self.model.values},
            {n: space[measures[f"invariant {n}"]] for n in self.model.invariants},
            callable_rules(self.entry_points, rules), MappingProxyType(dict(space)),
            self.events, list(self.effect_ids), Workings(self.plain, self._execute),
            frozenset(frames.secret), self.actions.quiet, frames.holding,
            [one.scope for one in self.unit.scopes.values()], self.indexes.made,
            plain_start=plain_start,
            entries=dict(frames.entries),
            calls=dict(frames.calls),
            origins=self.unit.origins,
            tellers={name: space[one.teller] for name, one in self.unit.scopes.items()},
            money=self.terms.money,
            sides={rule.name: -1 - position for position, rule in self.terms.sides},
            acting=self.actions.acting,
            watching=self.watching,
            measures={name: space[id_] for name, id_ in measures.items() if name.startswith("measure ")},
            circular=frozenset(self.unit.circular),
            report_forced=self._record_forced if self.unit.narrate else None,
        )  # fmt: skip

    def _start(self) -> tuple[list[list[Any]], list[Callable[..., Any]]]:
        """Return the frames with which a match begins, and the plain rules that are carried out before: a set-up."""
        frames: list[list[Any]] = []
        plain: list[Callable[..., Any]] = []
        for name in ("match", "setup"):
            if name in self.unit.framing.framed:
                entry = self.framed.entries[name]
                frames.append([entry, 0, 0, *self.unit.space[f"PAD_{entry}"]])
            elif name in self.model.rules:
                plain.append(self.unit.space[self.plain.rule_id(name)])
        return frames, plain


def _table(function: Callable[..., Any], sizes: list[int], given: tuple[int, ...]) -> Any:
    if not sizes:
        return perhaps_at_rest(function([], 0, *given))
    return tuple(_table(function, sizes[1:], (*given, i)) for i in range(sizes[0]))


def _missing(s: State, f: list[Any]) -> None:
    raise AssertionError(f"block {f[0]} was never compiled")


def _find_meter(function: ast.FunctionDef) -> ast.FunctionDef:
    """Return a function that first looks up what it counts in the meter of the thread; see ``kernel.budget.Meter``."""
    used = set(_list_counters(function.body))
    found = [b.assign(b.name(name), ast.Attribute(b.name("meter"), name, ast.Load())) for name in sorted(used)]
    for statement in found:
        b.place(statement, function.lineno)
    fields = dict(ast.iter_fields(function)) | {"body": [*found, *function.body]}
    return ast.copy_location(ast.FunctionDef(**fields), function) if found else function


def _list_counters(body: list[ast.stmt]) -> Iterator[str]:
    """List what statements count in: who reads a counter of the meter writes it first, as a statement of its own."""
    for statement in body:
        match statement:
            case (
                ast.AugAssign(target=ast.Subscript(value=ast.Name(id="budget" | "turns" as name)))
                | ast.Assign(targets=[ast.Subscript(value=ast.Name(id="budget" | "turns" as name))])
            ):
                yield name
            case ast.If() | ast.For():
                yield from _list_counters(statement.body)
                yield from _list_counters(statement.orelse)
