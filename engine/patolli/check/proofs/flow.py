"""Follow every rule from beginning to end, and see that nothing in it can go wrong.

In:     a program, its summaries, and the prover.
Out:    nothing but problems.
Errors: P0401 a payment that may fail, P0402 a choice that may be empty, P0403 a ``require`` after a change, P0404 a
        rule that may be impossible, P0405 a menu that may be empty, P0406 a loop without an end, P0407 a simultaneous
        block that shows what it does; those of ``faults``.

A place in a rule is *covered* when everything up to here was looked at before the option was offered: the beginning of
a rule, of an option, of ``may`` and ``up to``, and the part after a choice, up to the first change of the state. What
is demanded at a covered place was found to hold there; anywhere else it must be proven from the facts.

Why the facts at a place are true in every match: they hold at the beginning of a rule because nothing is assumed there
but its ``when``; each effect ends those that read what it may write, by its summary, which takes in whatever it calls,
what triggers and anytime actions do, and what a payment carries out. Where ways meet, what both know remains. A loop
may come round: at its head every fact has ended that reads what its body may write, whatever the pass. A body that is
run once at most is followed like a branch. At a question, anytime actions may come in between; after each the question
is put again, so what it looks at holds in the state in which it is answered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from patolli.check.proofs.causes import SHOWN, TOO_LONG, Cause, Causes, head
from patolli.check.proofs.changes import Changes
from patolli.check.proofs.demands import open_problem, require_proof
from patolli.check.proofs.facts import Facts
from patolli.check.proofs.faults import PROOFS, Faults, counts_one
from patolli.check.proofs.intervals import Interval
from patolli.check.proofs.prover import Prover
from patolli.check.proofs.secrets import Secrets
from patolli.language.diagnostics import Problem, Span
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.logic import conjuncts, is_without_repetition
from patolli.language.program.model import Rule
from patolli.language.program.node import Location, Node, children, walk
from patolli.language.program.preconditions import ALWAYS, Afford, Demand, Either, Line, Pick, Possible, Test, parts

TO_PROVE = frozenset(
    {e.Pay, e.Require, e.Expect, e.Choose, e.Menu, e.Loop, e.Simultaneously} | {kind for kind, _ in PROOFS}
)
"""The kinds of nodes that need a proof wherever they stand."""
DEEPEST = 1
"""How many loops inside each other are followed twice."""
FEWER = "say from how many on, as in 'choose 0 to 2 of'"
OR_NONE = "'or none'"


def ignore(problem: Problem) -> None:
    """Report nothing, where something is followed only for what is known behind it."""


@dataclass(slots=True)
class Here:
    """What is known at one place of a rule."""

    covered: bool
    facts: Facts

    def fork(self, covered: bool | None = None) -> Here:
        """Return the same, to go on with apart."""
        return Here(self.covered if covered is None else covered, self.facts.copy())


@dataclass(slots=True)
class Exits:
    """Where a loop is left: what is known at each ``break``."""

    facts: list[Facts] = field(default_factory=list)


class Flow:
    """Follows the rules of one program."""

    def __init__(self, prover: Prover, report: Callable[[Problem], None]) -> None:
        self.prover = prover
        self.program, self.summaries, self.domain = prover.program, prover.summaries, prover.domain
        self.report: Callable[[Problem], None] = lambda problem: report(self._add_advice(problem))
        self.causes = Causes(prover)
        self.changes = Changes(prover)
        self.faults = Faults(prover, self.report)
        self.exits: list[Exits] = []
        self.inductions = 0
        self.muted = False

    # -- rules

    def rule(self, rule: Rule, covered: bool) -> None:
        """Follow one rule."""
        self.domain.forgotten = False
        if rule.given is not None:
            self.faults.expression(rule.given, self.prover.facts())
        if self._to_prove(rule):
            self.block(rule.block, Here(covered, self.prover.get_initial_facts(rule)), ALWAYS)

    def _to_prove(self, rule: Rule) -> bool:
        """Return whether there is anything to prove of a rule."""
        kinds = self.summaries.kinds[rule.name]
        if self.faults.later and kinds & {x.Quantifier, x.Whole}:  # the greatest of nothing, since language 2
            return True
        return bool(kinds & TO_PROVE) or any(name in self.prover.demanding for name in self.summaries.runs_itself(rule))

    def problem(self, code: str, message: str, at: Node, help_: str, *also: tuple[Span, str]) -> None:
        """Report a problem at the first line of an effect."""
        self.report(Problem(code, message, head(at), help_, also))

    def _report_open(
        self, code: str, message: str, at: Node, help_: str, demand: Demand, facts: Facts, *also: tuple[Span, str]
    ) -> Problem:
        """Return the problem of a demand that is not proven: an error where it is refuted, else an open one."""
        problem = open_problem(code, message, head(at), help_, also)
        return require_proof(problem) if self.prover.is_refuted(demand, facts) else problem

    def _blame(self, problem: Problem, cause: Cause | None) -> None:
        """Keep a problem that another place may be to blame for."""
        if not self.muted:
            self.causes.add(self._add_advice(problem), cause)

    def _add_advice(self, problem: Problem) -> Problem:
        """Add to the help of a problem that its rule is too long for a whole proof, if facts of it were forgotten."""
        if not self.domain.forgotten or problem.severity == "warning" or TOO_LONG in problem.help:
            return problem
        return replace(problem, help="; ".join(filter(None, (problem.help, TOO_LONG))))

    def block(self, block: e.Block, here: Here, behind: Demand) -> Here:
        """Follow a block, with what is demanded *behind* it; *here* is then what is known at its end."""
        demands = self.prover.preconditions.behind(block, behind)
        for position, effect in enumerate(block):
            if here.facts.dead:
                break
            self.effect(effect, here, demands[position + 1])
        return here

    def effect(self, effect: e.Effect, here: Here, rest: Demand) -> None:
        """Follow one effect; *rest* is what is demanded behind it."""
        again = isinstance(effect, e.Choose | e.Menu | e.Gain) and self.summaries.asks(effect)
        self.faults.effect(effect, self._asked_again(here.facts) if again else here.facts)
        match effect:
            case e.Pay():
                self._pay(effect, here)
            case e.Require():
                self._require(effect, here)
            case e.Expect():
                self._expect(effect, here)
            case e.Choose():
                self._choose(effect, here, rest)
            case e.Menu():
                self._menu(effect, here)
            case e.If():
                self._if(effect, here, rest)
            case e.For():
                self._for(effect, here)
            case e.Loop():
                self._loop(effect, here)
            case e.UpTo():
                self._up_to(effect, here)
            case _ if isinstance(effect, e.Looping):
                self._some_passes(effect, here)
            case e.As():
                self._as(effect, here)
            case e.Simultaneously():
                self._simultaneously(effect, here)
            case e.CallRule() | e.Do():
                self._call(effect, here)
            case e.Return() | e.EndMatch():
                here.facts.dead = True
            case e.Break():
                if self.exits:
                    self.exits[-1].facts.append(here.facts.copy())
                here.facts.dead = True
            case e.Let():
                self._name(effect.variable, effect.value, here.facts)
            case e.Gain():
                self.changes.note_gain(effect, here.facts)
                here.covered = False
            case e.Set(target=x.Local(variable=variable)):
                self._name(variable, effect.value, here.facts)
            case e.Set():
                self.changes.set_to(effect, here.facts)
                here.covered = False
            case e.Random():
                drawn = self.domain.of(effect.source, here.facts).item
                self._change(effect, here)
                if not isinstance(effect.variable.type, ty.Maybe):
                    self.prover.take(effect.variable, effect.source, here.facts)
                elif drawn is not None:  # if there was anything to draw
                    here.facts.keep_range(effect.variable, drawn)
            case e.Move():
                left = self.changes.left_behind(effect, here.facts)
                self._change(effect, here)
                self.changes.note_piece_move(effect, left, here.facts)
            case _:
                self._change(effect, here)

    def _change(self, effect: e.Effect, here: Here) -> None:
        """Take note of an effect that has no more to say than what it changes."""
        if self.prover.preconditions.ends(effect):
            here.covered = False
        here.facts.forget(self.summaries.of(effect).writes)

    def _name(self, variable: x.Variable, value: x.Expr, facts: Facts) -> None:
        """Learn that a variable is a value now; the only item of a list is one of it, and the list has no other."""
        if isinstance(value, x.Whole) and value.op == "only" and ("variable", variable) not in facts.reads(value):
            self.prover.take(variable, value.of, facts)
            facts.learn(counts_one(value.of))
        else:
            facts.name(variable, value)

    # -- payments and calls

    def _pay(self, effect: e.Pay, here: Here) -> None:
        if not here.covered:
            self.prover.note_demand("P0401", effect)
        if not here.covered and not self.prover.affordable(effect, here.facts):
            what = "nothing guarantees that this can be paid"
            help_ = "put it at the beginning of an option, or inside 'if payable(..)'"
            self.report(self._report_open("P0401", what, effect, help_, Afford(effect, ALWAYS), here.facts))
        if self.summaries.spends(effect):  # a rule of the pack carries it out, and may change anything
            here.covered = False
        self.prover.note_payment(effect, here.facts)

    def _require(self, effect: e.Require, here: Here) -> None:
        if not here.covered and not self.prover.holds(effect.condition, here.facts):
            self.problem(
                "P0403", "this 'require' comes after a change", effect, "put it at the beginning, or use 'stop unless'"
            )
        here.facts.learn(effect.condition)

    def _expect(self, effect: e.Expect, here: Here) -> None:
        """Take a promise for granted, and see that it is neither needless nor wrong."""
        self.faults.promise(effect, here.facts)
        here.facts.learn(effect.condition)

    def _call(self, effect: e.CallRule | e.Do, here: Here) -> None:
        demanding = [r for r in self.summaries.list_called_rules(effect) if r.name in self.prover.demanding]
        possible = Possible(effect, ALWAYS)
        if demanding and not here.covered:
            self.prover.note_demand("P0404", effect)
        if demanding and not here.covered and not self.prover.is_satisfied(possible, here.facts):
            name = repr(demanding[0].name) if not demanding[0].hidden else "this effect"
            help_ = "use 'may', a menu with 'otherwise', or 'if can(..)'"
            what = f"{name} may be impossible here"
            problem = self._report_open("P0404", what, effect, help_, possible, here.facts)
            self._blame(problem, self.causes.of_call(effect))
        self.changes.forget_writes(effect, here.facts)
        if self.prover.preconditions.ends(effect):
            here.covered = False

    # -- questions

    def _asked_again(self, facts: Facts) -> Facts:
        """Return what still holds when a question is put again, and computed again, after anytime actions."""
        found = facts.copy()
        for action in self.program.anytime:
            found.forget(self.summaries.rules[action.body].writes)
        return found

    def _choose(self, effect: e.Choose, here: Here, rest: Demand) -> None:
        facts, asked = here.facts, self._asked_again(here.facts)
        ways: list[Facts] = []
        if effect.otherwise is None and effect.decline is None:
            pick = Pick(effect, rest)
            if not here.covered:
                self.prover.note_demand("P0402", effect)
            if not here.covered and not self.prover.is_satisfied(pick, facts):
                few, help_ = ("too few", FEWER) if effect.several else ("nothing", OR_NONE)
                what, help_ = f"there may be {few} to choose here", f"add 'otherwise: ...' below it, or {help_}"
                also = self._because_of(effect, rest, facts)
                self.report(self._report_open("P0402", what, effect, help_, pick, facts, *also))
        else:
            here.facts = asked
            ways = self._without_answer(effect, here, rest)
        taken = self.prover.bind_facts(effect.binders, asked)
        if effect.where is not None:
            taken.learn(effect.where)
        for other in ways:
            taken = taken.join(other)
        here.facts, here.covered = taken, True

    def _because_of(self, effect: e.Choose, rest: Demand, facts: Facts) -> list[tuple[Span, str]]:
        """Name what stands further down, where there is always something to choose, but not always the right one."""
        if rest is ALWAYS or not self.prover.is_satisfied(Pick(effect, ALWAYS), facts):
            return []
        later = self.causes.behind(rest)
        return [(head(later), "only what makes this possible is offered")] if later is not None else []

    def _without_answer(self, effect: e.Choose, here: Here, rest: Demand) -> list[Facts]:
        """Follow what happens when nothing is chosen; return what is known behind it where that goes on.

        Where there is always something to choose, that never happens: a value is offered when the rest is possible
        with it, so this is the same proof that a choice without `otherwise` needs. Where several are chosen, an anytime
        action may come when some are chosen already, and take away what these need.
        """
        taken_away = effect.several and self.program.anytime
        if effect.decline is None and not taken_away and self.prover.is_satisfied(Pick(effect, rest), here.facts):
            return []
        without = here.fork(False)
        if effect.otherwise is not None:
            self.block(effect.otherwise, without, ALWAYS)
        else:
            without.facts.forget(self.summaries.of(effect).writes)
        if without.facts.dead:
            return []
        for binder in effect.binders:
            without.facts.forget({("variable", binder.variable)})
            local = x.Local(binder.variable, type=ty.Maybe(binder.variable.type), span=effect.span)
            without.facts.learn(x.Present(local, type=ty.BOOL, span=effect.span), False)
        if rest is not ALWAYS:
            self.prover.note_demand("P0401", effect)
        if not self.prover.is_satisfied(rest, without.facts):
            test = f"write 'stop unless {effect.binders[0].variable.name}' next"
            if effect.decline is not None:
                what = "after declining, the rest may be impossible"
                self.report(self._report_open("P0401", what, effect, test, rest, without.facts, *_list_demands(rest)))
            else:
                what = "when there is nothing to choose, the rest may be impossible"
                help_ = f"end 'otherwise' with 'stop', or {test}"
                self.report(self._report_open("P0401", what, effect, help_, rest, without.facts, *_list_demands(rest)))
        return [without.facts]

    def _menu(self, effect: e.Menu, here: Here) -> None:
        preconditions = self.prover.preconditions
        lines = tuple(Line(option, preconditions.of(option.body)) for option in effect.options)
        needed = effect.otherwise is None and not effect.may and not here.covered
        either = Either(effect, lines)
        if needed:
            self.prover.note_demand("P0405", effect)
        if needed and not self.prover.is_satisfied(either, here.facts):
            help_ = "add 'otherwise: ...', or an option without a condition"
            what = "none of these options may be possible"
            problem = self._report_open("P0405", what, effect, help_, either, here.facts)
            self._blame(problem, self.causes.of_menu(effect))
        asked = self._asked_again(here.facts)
        ends: list[Facts] = []
        for option in effect.options:
            inner = Here(True, self.prover.bind_facts(option.binders, asked))
            if option.condition is not None:
                self.faults.expression(option.condition, inner.facts)
                inner.facts.learn(option.condition)
            ends.append(self.block(option.body, inner, ALWAYS).facts)
        # What else is done comes only where no line is possible.
        sure = (
            not effect.may and effect.otherwise is not None and self.prover.is_satisfied(Either(effect, lines), asked)
        )
        if effect.may or (effect.otherwise is not None and not sure):
            inner = Here(False, asked.copy())
            ends.append(self.block(effect.otherwise or (), inner, ALWAYS).facts)
        self._meet(here, ends)

    def _meet(self, here: Here, ends: list[Facts]) -> None:
        """Go on behind several ways."""
        here.covered = False
        found = ends[0]
        for other in ends[1:]:
            found = found.join(other)
        here.facts = found

    # -- branches and loops

    def _if(self, effect: e.If, here: Here, rest: Demand) -> None:
        yes, no = here.fork(), here.fork()
        yes.facts.learn(effect.condition)
        no.facts.learn(effect.condition, False)
        ways = [self.block(effect.then, yes, rest), self.block(effect.other, no, rest)]
        going_on = [way for way in ways if not way.facts.dead]
        here.covered = all(way.covered for way in going_on)
        here.facts = ways[0].facts.join(ways[1].facts)

    def _head(self, body: e.Block, here: Here, more: frozenset[Location] = frozenset(), covered: bool = False) -> Facts:
        """End what a body may write, whatever the pass; return the facts at the head of the loop.

        A number that the body changes keeps the lower bound that it has before the loop when each pass keeps it:
        assumed at the head, it must be found again at the end.
        """
        here.covered = False
        written = self.summaries.of(body).writes | more
        kept = self._lower_bounds(written, here.facts)
        self.changes.forget_writes(body, here.facts)
        here.facts.forget(more)
        if not kept or self.inductions >= DEEPEST:
            return here.facts.copy()
        for local, low in kept:
            here.facts.between(local, Interval(low, None))
        self.inductions += 1
        report, self.faults.report, muted = self.report, ignore, self.muted
        self.report, self.muted = ignore, True
        end, _ = self._follow_pass(body, here.facts.copy(), covered)
        self.report, self.faults.report, self.muted = report, report, muted
        self.inductions -= 1
        for local, low in kept:
            after = self.domain.number(local, end).low
            if not end.dead and (after is None or after < low):
                here.facts.forget({("variable", local.variable)})
        if any(self.domain.number(local, here.facts).low is None for local, _ in kept):
            here.facts.forget({("variable", local.variable) for local, _ in kept})  # they may lean on each other
        return here.facts.copy()

    def _lower_bounds(self, written: frozenset[Location], facts: Facts) -> list[tuple[x.Local, int]]:
        """Return the variables that are written, with the lower bounds that they have."""
        found = []
        for location in sorted((w for w in written if w[0] == "variable"), key=lambda w: w[1].name):
            variable = location[1]
            if variable.type == ty.INT:
                local = x.Local(variable, type=ty.INT, span=variable.span)
                low = self.domain.number(local, facts).low
                if low is not None:
                    found.append((local, low))
        return found

    def _follow_pass(self, body: e.Block, facts: Facts, covered: bool = False) -> tuple[Facts, list[Facts]]:
        """Follow one pass of a body; return what is known at its end, and at each ``break``."""
        self.exits.append(Exits())
        end = self.block(body, Here(covered, facts), ALWAYS)
        return end.facts, self.exits.pop().facts

    def _for(self, effect: e.For, here: Here) -> None:
        asks = self.summaries.asks(effect)
        once = not asks and self._once(effect, here.facts)
        inner = self.prover.bind_facts(effect.binders, here.facts)
        if effect.where is not None:
            inner.learn(effect.where)
        if not once:
            loop = e.For((), None, effect.any_order, None, effect.body, span=effect.span)
            asked = self.summaries.of(loop).writes if asks else frozenset()
            self._head(effect.body, here, asked)
            self.changes.forget_writes(effect.body, inner)
            inner.forget(asked)
            for part in self._list_kept_parts(effect, asked):
                inner.learn(part)
            for local, low in self._lower_bounds(self.summaries.of(effect.body).writes, here.facts):
                inner.between(local, Interval(low, None))
        end, exits = self._follow_pass(effect.body, inner)
        for other in [end, *exits] if once else exits:
            here.facts = here.facts.join(other)
        here.covered = False

    def _list_kept_parts(self, effect: e.For, asked: frozenset[Location]) -> Iterator[x.Expr]:
        """Yield the parts of a condition that hold for each item in its pass, though passes change what they read.

        That is so if the items differ, the part reads changed fields of its item alone, and passes set these fields of
        their item alone.
        """
        if effect.where is None or len(effect.binders) != 1 or not is_without_repetition(effect.binders[0].source):
            return
        item = effect.binders[0].variable
        written = self.summaries.of(effect.body).writes
        if ("variable", item) in written:
            return
        elsewhere = asked.union(
            *(
                self.summaries.written_by(n)
                for n in walk(effect.body)
                if isinstance(n, e.Effect) and not _sets(n, item)
            ),
            *(self.summaries.of(n).writes for n in walk(effect.body) if isinstance(n, e.CallRule)),
        )
        for part in conjuncts(effect.where):
            mine = [n for n in walk(part) if isinstance(n, x.FieldOf) and _is_item(n.of, item)]
            others = (n for n in walk(part) if n not in mine and not (isinstance(n, x.Local) and n.variable is item))
            own = {("field", n.kind, n.field) for n in mine} & written
            if own and not own & elsewhere and not self.summaries.reads_of(others) & written:
                yield part

    def _once(self, effect: e.For, facts: Facts) -> bool:
        """Return whether a loop has one pass at most: what it takes is collected before the first."""
        if len(effect.binders) != 1:
            return False
        binder = effect.binders[0]
        most = self.domain.length(binder.source, facts).high
        if most is not None and most <= 1:
            return True
        if not isinstance(binder.source, x.Range):
            return False
        inner = self.prover.bind_facts(effect.binders, facts)
        if effect.where is not None:
            inner.learn(effect.where)
        local = x.Local(binder.variable, type=binder.variable.type, span=effect.span)
        return self.domain.number(local, inner).only is not None

    def _some_passes(self, effect: e.Looping, here: Here) -> None:
        head_ = self._head(effect.body, here)
        _, exits = self._follow_pass(effect.body, head_)
        self._leave_loop(here, [here.facts, *exits])

    def _leave_loop(self, here: Here, ways: list[Facts]) -> None:
        """Go on behind a loop."""
        found = ways[0]
        for other in ways[1:]:
            found = found.join(other)
        here.facts = found
        here.covered = False

    def _loop(self, effect: e.Loop, here: Here) -> None:
        if not self._ends(effect.body):
            self.problem("P0406", "this loop never ends", effect, "leave it with 'break', 'stop' or 'end match'")
        head_ = self._head(effect.body, here)
        _, exits = self._follow_pass(effect.body, head_)
        if not exits:
            here.facts.dead = True
            return
        self._leave_loop(here, exits)

    def _up_to(self, effect: e.UpTo, here: Here) -> None:
        head_ = self._head(effect.body, here, self.summaries.of(effect).writes, True)
        _, exits = self._follow_pass(effect.body, head_, True)
        self._leave_loop(here, [here.facts, *exits])

    def _as(self, effect: e.As, here: Here) -> None:
        inner = here.fork()
        inner.facts.name(effect.variable, effect.who)
        here.facts = self.block(effect.body, inner, ALWAYS).facts
        here.covered = False

    def _simultaneously(self, effect: e.Simultaneously, here: Here) -> None:
        for betrayed in Secrets(self.program, self.summaries, effect.variable, effect.me).find_leaks(effect.body):
            self.problem("P0407", *betrayed)
        item = x.Local(effect.variable, type=effect.variable.type, span=effect.span)
        known = here.facts.instances(effect.source, item)
        head_ = self._head(effect.body, here)
        self.prover.take(effect.variable, effect.source, head_)
        for one in known:  # of the state before the block: what others change in it may not be looked at (P0407)
            head_.learn(*one)
        head_.name(effect.me, item)
        self._follow_pass(effect.body, head_)

    def _ends(self, body: e.Block) -> bool:
        """Return whether something in a loop leaves it."""
        return (
            _breaks(body)
            or any(isinstance(n, e.Return | e.EndMatch) for n in walk(body))
            or self.summaries.of(body).ends
        )


def _is_item(of: x.Expr, item: x.Variable) -> bool:
    return isinstance(of, x.Local) and of.variable is item


def _sets(effect: e.Effect, item: x.Variable) -> bool:
    """Return whether an effect only sets a field of an item."""
    return isinstance(effect, e.Set) and isinstance(effect.target, x.FieldOf) and _is_item(effect.target.of, item)


def _list_demands(rest: Demand) -> list[tuple[Span, str]]:
    """Return the places further down where something is demanded, the first ones."""
    demanding = (one.effect for one in parts(rest) if isinstance(one, Test | Afford | Pick | Either | Possible))
    return [(span, "this is demanded then") for span in dict.fromkeys(map(head, demanding))][:SHOWN]


def _breaks(inside: Iterable[Node]) -> bool:
    """Return whether a ``break`` leaves the loop around some effects, and not one inside it."""
    return any(
        isinstance(node, e.Break)
        or (isinstance(node, e.Effect | e.Option) and not isinstance(node, e.Looping) and _breaks(children(node)))
        for node in inside
    )
