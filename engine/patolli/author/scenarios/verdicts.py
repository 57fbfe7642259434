"""Judge a scenario: play it and compare what came of it with what it expects.

In:     a bench and a scenario.
Out:    an :class:`Outcome`; every expectation is looked at, and each that does not hold is a problem at its
own place.
Errors: P0601 a condition that does not hold, P0602 another value, P0605 an open question at the end, P0607
        another result, P0608 the match could not go on, P0609 a fault was expected; P0900 the program failed.
"""

from __future__ import annotations

import re
from time import perf_counter
from typing import Any

from patolli.author.scenarios.bench import Bench
from patolli.author.scenarios.outcome import Change, Outcome, fault_places
from patolli.author.scenarios.scenario_player import Play, Stopped, describe_too_few
from patolli.author.scenarios.value_writer import quote_scalar, written_list
from patolli.author.workspace.scenarios.scenario_binder import Bound, Claim, Expected, Value
from patolli.author.workspace.scenarios.scenario_reader import SET_UP, Scenario
from patolli.language.diagnostics import Problem, Span
from patolli.language.diagnostics.fault import NOT_THE_CONTENT, EngineFault
from patolli.language.program import types as ty
from patolli.language.sources import Node, Scalar, Sequence, plain
from patolli.run.runtime import MatchError
from patolli.run.runtime.invariants import BrokenInvariant
from patolli.run.runtime.why import count_chosen


def judge(bench: Bench, scenario: Scenario) -> Outcome:
    """Play one scenario and return what came of it."""
    started = perf_counter()
    outcome = outcome_of(scenario)
    try:
        bound = bench.find_bound(scenario)
        outcome.problems = [problem for problem in bound.problems if problem.severity == "error"]
        if not outcome.problems:
            _judge_scenario(bench, bound, outcome)
    except Exception as error:
        outcome = broken_off(scenario, error)
    outcome.seconds = perf_counter() - started
    return outcome


def outcome_of(scenario: Scenario) -> Outcome:
    """Return the outcome of a scenario with which nothing is wrong so far."""
    return Outcome(scenario.pack, scenario.id, scenario.path, scenario.key.span.line, scenario.text)


def too_many_steps(scenario: Scenario, most: int) -> Outcome:
    """Return the outcome of a scenario that is not played because those before it took too long."""
    outcome = outcome_of(scenario)
    words = f"this was not played: the scenarios before it took more than {most:,} steps together"
    help_ = "let their 'given' and 'call' do less"
    outcome.problems = [Problem("P0608", words, scenario.key.span, help_)]
    return outcome


def broken_off(scenario: Scenario, error: Exception) -> Outcome:
    """Return the outcome of a scenario over which the program itself failed."""
    outcome = outcome_of(scenario)
    fault = outcome.fault = EngineFault.of(error, scenario=scenario.name)
    words = f"{NOT_THE_CONTENT}: {fault.what}"
    outcome.problems = [Problem("P0900", words, scenario.key.span, "please report it")]
    return outcome


def _judge_scenario(bench: Bench, bound: Bound, outcome: Outcome) -> None:
    scenario = bound.scenario
    play: Play | None = None
    fails = scenario.checks.get("fails")
    try:
        play = Play(bench, bound)
        play.run()
        _Judge(play, outcome).all()
        if isinstance(fails, Scalar):
            outcome.problems.append(
                Problem("P0609", f"expected a failure with {fails.value!r}, there was none", fails.span)
            )
    except Stopped as stopped:
        outcome.problems.append(stopped.problem)
    except MatchError as error:
        if not isinstance(fails, Scalar) or fails.value not in error.reason:
            at = play.at if play is not None else scenario.key.span
            outcome.problems.append(_fault_problem(error, at, fails))
    if play is not None:
        outcome.log = play.story.lines
        outcome.changes += play.changes


_TEXT = re.compile(r"scenario (\S+) \w+ \d+")
"""How the rule that holds a text of a scenario is called."""


def _fault_problem(error: MatchError, at: Span, fails: Node | None) -> Problem:
    also = tuple((span, _TEXT.sub(r"the scenario \1", words)) for span, words in fault_places(error))
    words = "" if isinstance(error, BrokenInvariant) else "the rules could not go on: "
    if fails is not None:
        words = f"expected a failure with {plain(fails)!r}, found: "
    help_ = f"patolli explain {error.code} says more"
    return Problem("P0608", f"{words}{error.reason}", fails.span if fails is not None else at, help_, also)


class _Judge:
    """Looks at every expectation of one scenario."""

    def __init__(self, play: Play, outcome: Outcome) -> None:
        self.play = play
        self.outcome = outcome
        self.checks = play.scenario.checks

    def problem(self, code: str, message: str, span: Span, help_: str = "") -> None:
        self.outcome.problems.append(Problem(code, message, span, help_))

    def all(self) -> None:
        """Judge the end of the scenario, in the order in which it is written down."""
        if "fails" in self.checks:
            return
        self._judge_pending()
        for conditions in self.play.bound.conditions:
            if not all(self._judge_claim(claim) for claim in conditions):
                continue
        for expected in self.play.bound.expected:
            self._judge_expected(expected)
        self._judge_over()
        self._judge_result("winners", [f"player_{seat + 1}" for seat in self.play.match.winners])
        self._judge_result("scores", [str(score) for score in self.play.match.scores])

    def _judge_pending(self) -> None:
        node, offered = self.checks.get("pending"), self.play.list_offered()
        if node is None:
            few = describe_too_few(self.play.match) if offered and self.play.scenario.choose else ""
            begun = count_chosen(self.play.match) or (0, 0)
            if few and begun[0]:
                shown = ", ".join(map(repr, offered[:12]))
                help_ = f"choose more of them, or expect the question with 'pending:'; the options are {shown}"
                self.problem("P0605", few, self.play.scenario.choose[-1].span, help_)
            elif offered and self.play.scenario.start != SET_UP:
                decision = self.play.match.decision
                who = f"player_{decision.player + 1}" if decision is not None else ""
                prompt = f" {decision.prompt!r}" if decision is not None and decision.prompt else ""
                shown = ", ".join(map(repr, offered[:12]))
                help_ = f"choose with 'choose:', or expect it with 'pending:'; the options are {shown}"
                self.problem("P0605", f"at the end {who} is still asked{prompt}", self.play.scenario.key.span, help_)
            return
        if isinstance(node, Scalar):
            if bool(plain(node)) != bool(offered):
                words = "a player is asked" if offered else "no player is asked"
                self.problem("P0605", f"at the end {words}", node.span)
            return
        try:
            self.play.same(node, offered, "the options at the end")
        except Stopped as stopped:
            self.outcome.problems.append(stopped.problem)

    # -- values

    def _value_of(self, value: Value) -> Any:
        found = self.play.value(value)
        if isinstance(value.type, ty.Seq) and not isinstance(found, int):
            return list(found)
        return found

    def _judge_claim(self, claim: Claim) -> bool:
        raw = self._value_of(claim.value)
        holds = raw >= 0 if isinstance(claim.value.type, ty.Maybe) else bool(raw)
        if holds:
            return True
        text = claim.value.node.at
        written = text.text.value[text.start : text.end].strip()
        found = ""
        if claim.sides:
            words = [self.play.words(side, self._value_of(side)) for side in claim.sides]
            found = words[0] + "".join(f" {op} {word}" for op, word in zip(claim.operators, words[1:], strict=True))
        if found.replace(" ", "") == written.replace(" ", ""):
            found = ""
        message = f"{written!r} is not true" + (f", it is {found}" if found else "")
        self.problem("P0601", message, claim.value.node.span)
        return False

    def _judge_expected(self, expected: Expected) -> None:
        found = self._value_of(expected.value)
        wanted = expected.wanted
        if isinstance(wanted, list):
            right: Any = [self._value_of(one) for one in wanted]
            inner = expected.value.type.of if isinstance(expected.value.type, ty.Seq) else ty.ANY
            shown = written_list([self._format_value(expected.value, one, inner) for one in found])
            meant = written_list([self._format_value(expected.value, one, inner) for one in right])
        else:
            right = self._value_of(wanted)
            shown, meant = self._format_value(expected.value, found), self._format_value(expected.value, right)
        if found == right:
            return
        node = expected.value.node.at
        name = node.text.value[node.start : node.end].strip()
        self.problem("P0602", f"expected {name} to be {meant}, found {shown}", expected.node.span)
        if isinstance(expected.node, Sequence) or isinstance(found, int):
            self.outcome.changes.append(Change(expected.node.span, shown))

    def _format_value(self, value: Value, raw: Any, type_: ty.AnyType | None = None) -> str:
        type_ = value.type if type_ is None else type_
        if type_ == ty.BOOL:
            return "true" if raw else "false"
        return self.play.words(Value(value.name, type_, value.node), raw)

    # -- the end of the match

    def _judge_over(self) -> None:
        node = self.checks.get("over")
        if isinstance(node, Scalar) and plain(node) is not self.play.over:
            self.problem("P0607", "the match is over" if self.play.over else "the match is not over", node.span)

    def _judge_result(self, name: str, found: list[str]) -> None:
        node = self.checks.get(name)
        if isinstance(node, Sequence):
            wanted = [item.value for item in node.items if isinstance(item, Scalar)]
            if wanted != found:
                shown = written_list([quote_scalar(word) for word in found])
                self.problem("P0607", f"expected the {name} {written_list(wanted)}, found {shown}", node.span)
                self.outcome.changes.append(Change(node.span, shown))
