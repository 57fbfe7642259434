"""Play one scenario: what is given, what is called, what is chosen.

In:     a bench and a scenario that was bound without problems.
Out:    the match at the end, with the sentences about what happened; the first thing that goes
        another way than the scenario says ends it.
Errors: P0603 an answer that is not offered, P0604 another player is asked, or other things are offered, P0605
        no player is asked, P0606 a call that is impossible, P0608 the match could not go on, P0610 a question
        while things are given.

With ``start: empty`` the state is the one before the first rule, and only what is called runs. A frame that
does nothing lies below the call, so that a match that ended can be distinguished from a call that is finished.
"""

from __future__ import annotations

from typing import Any

from patolli.author.scenarios.bench import Bench
from patolli.author.scenarios.label_check import ever_offered
from patolli.author.scenarios.outcome import Change
from patolli.author.scenarios.story import Story
from patolli.author.scenarios.value_writer import quote_scalar, written_list
from patolli.author.workspace.scenarios.scenario_binder import Bound, Value
from patolli.author.workspace.scenarios.scenario_reader import SET_UP
from patolli.check.prose.words import capital
from patolli.language.diagnostics import Problem, Span, instead, nearest
from patolli.language.sources import Mapping, Node, Scalar, Sequence
from patolli.run.compiler import Executable, asked
from patolli.run.compiler.layout import FRAMES, OVER
from patolli.run.runtime import Match, Ruleset
from patolli.run.runtime.errors import fail
from patolli.run.runtime.invariants import Watch
from patolli.run.runtime.narration import sentence
from patolli.run.runtime.why import count_chosen, list_refused_options

DONE = "scenario.done"
"""The key under which the frame at the bottom notes, beside the numbers of draws, that it was reached."""


class Stopped(Exception):
    """The scenario went another way; the problem says where."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(problem.message)


class Play:
    """One scenario while it is played."""

    def __init__(self, bench: Bench, bound: Bound) -> None:
        self.bench = bench
        self.bound = bound
        self.scenario = bound.scenario
        ruleset, program = bench.program(bound.players)
        self.program = program
        self.story = Story()
        self.changes: list[Change] = []
        self.forced: list[tuple[int, str]] = []  # seat and label of what was answered by itself since the last answer
        self.at: Span = bound.scenario.key.span
        program.events.clear()
        self.match = self._start_match(ruleset)

    # -- the state

    def _start_match(self, ruleset: Ruleset) -> Match:
        if self.scenario.start == SET_UP:
            match = ruleset.start(self.bound.players, self.scenario.seed, narrate=True)
            self.story.lines.extend(match.log)
        else:
            state = self.program.layout.fresh()
            state[0], state[1], state[3] = [], self.scenario.seed, {}
            match = Match(ruleset, self.program, state, True)
        match.narrating = False  # what is narrated is taken from the events, together with forced answers
        return match

    @property
    def over(self) -> bool:
        """Whether the match has ended, not only what was called."""
        return self.match.over and DONE not in self.match.state[3]

    def value(self, value: Value) -> Any:
        """Return what an expression of the scenario is now."""
        try:
            return self.program.values[value.name](self.match.state, self.scenario.me)
        except Exception as error:
            self.at = value.node.span
            fail(self.match, error)

    def words(self, value: Value, raw: Any) -> str:
        """Return a value as it is written in content."""
        if isinstance(raw, bool):
            return "true" if raw else "false"
        return self.match.labels.value(value.type, raw, self.scenario.me)

    # -- going on

    def run(self) -> None:
        """Play it. Raises Stopped: it went another way than it says; MatchError: the content failed."""
        said = len(self.story.lines)
        for text, name in zip(self.scenario.given, self.bound.given, strict=True):
            self.at = text.span
            self._apply_given(name)
        del self.story.lines[said:]  # what is given did not happen
        self._watch = self._watch_invariants()
        if self.scenario.call is not None and self.bound.call is not None:
            self.at = self.scenario.call.span
            if self.bound.possible is not None and not self.value(self.bound.possible):
                raise Stopped(Problem("P0606", "this is not possible here", self.at))
            if self.scenario.start != SET_UP:
                self.match.state[FRAMES].append([_floor_block(self.program), self.scenario.me, 0])
            self._perform_work(self.bound.call)
            self._check_invariants()
        elif self.scenario.start == SET_UP:
            self._continue_match(self.match.run)
            self._check_invariants()
        for answer in self.scenario.choose:
            self.at = answer.span
            self._answer_step(answer)

    def _watch_invariants(self) -> Watch:
        """Watch the invariants; those that what is given breaks itself do not count."""
        watch = Watch(self.match, lambda match: "after this")
        if self.scenario.given or self.scenario.start != SET_UP:
            watch.spare(self.match)
        else:
            watch.check(self.match)
        return watch

    def _check_invariants(self) -> None:
        self._watch.check(self.match)

    def _apply_given(self, name: str) -> None:
        frames = self.match.state[FRAMES]
        depth, pending = len(frames), self.match.pending
        self.match.let_go()
        self.match.pending = None
        try:
            self.program.rules[name](self.match.state, self.scenario.me)
        except Exception as error:
            fail(self.match, error)
        if len(frames) > depth:
            below = frames[:depth]
            frames[:] = frames[depth:]
            self._continue_match(self.match.run)
            if frames:
                raise Stopped(
                    Problem("P0610", f"`given` must not ask a question: {self._describe_question()}", self.at)
                )
            frames[:] = below
        self._collect_log()
        self.match.state[OVER] = 0
        self.match.pending = pending

    def _perform_work(self, name: str) -> None:
        self.match.perform_work(self.program.rules[name], self.scenario.me)
        self._continue_match(self.match.run)

    def _continue_match(self, work: Any, *arguments: Any) -> None:
        try:
            work(*arguments)
        finally:
            self._collect_log()

    def _collect_log(self) -> None:
        """Turn what was said into sentences, and remember what was answered by itself."""
        labels, events = self.match.labels, self.program.events
        for event in events:
            if event[0] == "forced" and event[3] is not None:
                _, seat, block, value, _, _ = event
                label = labels.option(self.program.questions[block], value, seat)
                self.forced.append((seat, label))
                self.story.say(capital(f"{self.match.names[seat]}: {label} (the only option)"))
            elif event[0] == "begin":
                self.story.begin(self.match.naming(), event)
            elif event[0] == "end":
                self.story.end(event)
            else:
                line = sentence(self.match.naming(), event)
                if line:
                    self.story.say(line)
        events.clear()

    # -- answers

    def list_offered(self) -> list[str]:
        """Return the labels of all options of the open question; none if no decision is open."""
        decision = self.match.decision
        return [] if decision is None else list(decision.labels)

    def _describe_question(self) -> str:
        decision = self.match.decision
        if decision is None:
            return ""
        who = self.match.labels.player(decision.player)
        return f"{who} is asked {decision.prompt!r}" if decision.prompt else f"{who} is asked"

    def _answer_step(self, answer: Node) -> None:
        if isinstance(answer, Scalar):
            self._choose_label(answer)
        elif isinstance(answer, Mapping):
            for key, node in answer.items.values():
                self._special_step(key, node)

    def _special_step(self, key: Scalar, node: Node) -> None:
        if key.value == "options":
            self._same_options(node)
        elif key.value == "not":
            for item in node.items if isinstance(node, Sequence) else [node]:
                if isinstance(item, Scalar):
                    self._not_offered(item)
        else:
            for item in node.items if isinstance(node, Sequence) else [node]:
                self._of_player(key, item)

    def _of_player(self, key: Scalar, node: Node) -> None:
        """Let a player answer, or look at what that player is offered."""
        seat = int(key.value.rpartition("_")[2]) - 1
        decision = self.match.decision
        label = _normalize_spaces(node.value) if isinstance(node, Scalar) else None
        if label is not None and (seat, label) in self.forced and label not in self.list_offered():
            self._accept_forced(label, seat)
            return
        if decision is not None and decision.player != seat:
            message = f"expected {key.value} to be asked, but {self._describe_question()}"
            raise Stopped(Problem("P0604", message, key.span))
        self._answer_step(node)

    def _questions(self, span: Span) -> list[list[str]]:
        """Return the options of the question that a step looks at.

        That is the open one. If there is none, the step looks at those that were answered by themselves since the last
        answer, oldest first: each of them had one option.

        Raises:
            Stopped: There is neither.
        """
        if found := self.list_offered():
            return [found]
        if not self.forced:
            raise Stopped(Problem("P0605", "no player is asked here, so nothing is offered", span))
        return [[label] for _, label in self.forced]

    def _same_options(self, node: Node) -> None:
        """Compare all options of the question that is looked at."""
        questions, wanted = self._questions(node.span), [_normalize_spaces(text) for text in _texts_of(node)]
        if not (wanted and wanted in questions):
            self.same(node, questions[0], "the options")

    def _not_offered(self, item: Scalar) -> None:
        """See that something is not offered here, which could be."""
        label = _normalize_spaces(item.value)
        if any(label in question for question in self._questions(item.span)):
            raise Stopped(Problem("P0604", f"{item.value!r} is offered", item.span))
        if not any(ever_offered(self.match.labels, one, label) for one in self.program.questions.values()):
            near = nearest(label, self.list_offered())
            help_ = f"did you mean {near!r}?" if near else "write a label as it is offered where it is possible"
            raise Stopped(Problem("P0604", f"no question ever offers {label!r}", item.span, help_))

    def _accept_forced(self, label: str, seat: int | None = None) -> bool:
        """Accept a label that was the only answer to a question since the last one."""
        for position, (who, known) in enumerate(self.forced):
            if known == label and seat in (None, who):
                del self.forced[: position + 1]
                return True
        return False

    def _choose_label(self, answer: Scalar) -> None:
        label, offered = _normalize_spaces(answer.value), self.list_offered()
        if label in offered:
            index = offered.index(label)
        elif self._accept_forced(label):
            return
        elif not offered:
            ended = "the match is over" if self.over else "no player is asked any more"
            raise Stopped(Problem("P0605", f"{ended}, so {label!r} cannot be chosen", answer.span))
        elif not answer.style and label.isdigit() and int(label) < len(offered):
            index = int(label)
        elif label == asked.DONE and (few := describe_too_few(self.match)):
            shown = ", ".join(repr(one) for one in offered[:16])
            raise Stopped(Problem("P0603", few, answer.span, f"choose more of them; the options are {shown}"))
        else:
            near = nearest(label, offered)
            help_ = f"did you mean {near!r}? " if near else ""
            if (count_chosen(self.match) or (0, 0))[0] and label in list_refused_options(self.match):
                help_ = "name what is chosen together in the order in which it is offered; "
            shown = ", ".join(repr(one) for one in offered[:16]) + (", ..." if len(offered) > 16 else "")
            message = f"{label!r} is not offered when {self._describe_question()}"
            fixes = instead(answer.span, near and quote_scalar(near))
            raise Stopped(Problem("P0603", message, answer.span, f"{help_}the options are {shown}", fixes=fixes))
        decision = self.match.decision
        assert decision is not None
        self.story.say(capital(f"{self.match.names[decision.player]}: {offered[index]}"))
        self.forced.clear()
        self._continue_match(self.match.pick, index)
        self._check_invariants()

    def same(self, node: Node, found: list[str], what: str) -> None:
        """Compare a list of labels, in any order. Raises Stopped: they differ; how to record the new list is noted."""
        wanted = [_normalize_spaces(text) for text in _texts_of(node)]
        if sorted(wanted) == sorted(found):
            return
        self.changes.append(Change(node.span, written_list([quote_scalar(label) for label in found])))
        missing = [label for label in wanted if label not in found]
        more = [label for label in found if label not in wanted]
        words = [f"missing {', '.join(map(repr, missing))}"] if missing else []
        words += [f"not expected {', '.join(map(repr, more))}"] if more else []
        raise Stopped(Problem("P0604", f"{what} differ: {'; '.join(words) or 'other numbers'}", node.span))


def _texts_of(node: Node) -> list[str]:
    return [item.value for item in (node.items if isinstance(node, Sequence) else [node]) if isinstance(item, Scalar)]


def _normalize_spaces(text: str) -> str:
    return " ".join(text.split())


def describe_too_few(match: Match) -> str:
    """Say how many of several things are chosen and how many are wanted, if that is more; otherwise nothing."""
    chosen, least = count_chosen(match) or (0, 0)
    prompt = match.decision.prompt if match.decision is not None else ""
    question = f" for {prompt!r}" if prompt else ""
    return f"too few are chosen{question}: {chosen} of at least {least}" if chosen < least else ""


def _floor_block(program: Executable) -> int:
    """Return the number of the block that lies below a call; it is added to the program once."""
    if program.floor is None:

        def block(state: list[Any], frame: list[Any]) -> None:
            state[3][DONE] = 1
            state[FRAMES].pop()

        program.floor = len(program.blocks)
        program.blocks.append(block)
    return program.floor
