"""Faults of content during a match, reported with the rules that were running."""

from __future__ import annotations

import linecache
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TypeVar

from patolli import kernel
from patolli.kernel.budget import BUDGET, scarce
from patolli.kernel.faults import BrokenPromise, RuleFault, Spot
from patolli.language.diagnostics.fault import EngineFault
from patolli.language.program import effects as e
from patolli.language.program.node import walk
from patolli.run.compiler.layout import FRAMES, SEED

if TYPE_CHECKING:
    from patolli.language.program.model import Program
    from patolli.run.runtime.match import Match


class SaveError(Exception):
    """A save cannot be used; the message says why."""


LIMIT = 10_000
"""Choices of bots after which a match is given up, for content that may go on for ever."""
SHOWN = 10
"""How many calls are shown from either end of a long stack."""
WATCHED, WATCHED_PART, AGAIN = 2_000, 10, 3
"""How many blocks of an endless loop are watched to find out where it is, for which part of the step budget at most,
and how often a block comes back in a loop."""


T = TypeVar("T")
Place = tuple[str, int, str]
"""File, line and rule."""
LoopAt = tuple[Place, Spot]
"""Where a loop stands, and where its rule begins."""


class MatchError(Exception):
    """A match could not go on.

    ``stack`` lists file, line and rule, outermost first; ``reason`` says what went wrong, ``code`` names the page that
    ``patolli explain`` has on it. ``spent`` is the place where most of the steps went, of rules that took too many, and
    ``loop`` the loop that goes round without a question.
    """

    heading = "the rules could not go on:"

    def __init__(
        self, reason: str, stack: list[Place], code: str, spent: Spot | None = None, loop: LoopAt | None = None
    ) -> None:
        self.reason = reason
        self.stack = stack
        self.code = code
        self.spent = spent
        self.loop = loop
        super().__init__(self.text())

    def text(self) -> str:
        """Return the fault with its stack, the author's lines beside it."""
        lines = [self.heading]
        lines += stack_lines(self.stack)
        if self.loop is not None:
            (path, number, rule), (_, begins) = self.loop
            lines += ["this loop goes round without a question:", f"  {path}:{number}: in {rule} ({path}:{begins})"]
            lines += _source(path, number)
        if self.spent is not None:
            path, number = self.spent
            lines += ["most of their steps went into:", f"  {path}:{number}", *_source(path, number)]
        return "\n".join([*lines, f"error[{self.code}]: {self.reason}"])


@contextmanager
def before_a_match() -> Iterator[None]:
    """Report what fails while facts, constants and tables are evaluated. Raises MatchError: the content is at fault."""
    try:
        yield
    except Exception as error:
        fault = error if isinstance(error, RuleFault) else _of_rules(error)
        if fault is None:
            raise
        stack = [
            (entry.filename, entry.lineno or 1, "what is evaluated before a match")
            for entry in traceback.extract_tb(error.__traceback__)
            if _of_content(entry.filename)
        ]
        if fault.spent is not None and not stack:
            stack = [(*fault.spent, "what is evaluated before a match")]
        reason = "evaluating facts, constants and tables takes too many steps" if fault.code == "P0801" else str(fault)
        raise MatchError(reason, stack, fault.code, fault.spent) from error


def ends_of(stack: list[T]) -> tuple[list[T], int, list[T]]:
    """Return of a long stack the first calls, how many more there are, and the last calls."""
    left_out = max(0, len(stack) - 2 * SHOWN)
    return (stack[:SHOWN], left_out, stack[-SHOWN:]) if left_out else (stack, 0, [])


def stack_lines(stack: list[Place]) -> list[str]:
    """Return lines for the calls on a stack, with the author's lines where there are some."""
    first, left_out, last = ends_of(stack)
    between = [f"  ... {left_out} more calls ..."] if left_out else []
    return [*_place_lines(first), *between, *_place_lines(last)]


def _place_lines(stack: list[Place]) -> Iterator[str]:
    for path, number, rule in stack:
        yield f"  {path}:{number}: in {rule}"
        yield from _source(path, number)


def read_line(path: str, number: int) -> str:
    """Return a line of a file as it is now; the lines of an earlier failure may have been changed since."""
    linecache.checkcache(path)
    return linecache.getline(path, number)


def _source(path: str, number: int) -> list[str]:
    """Return the author's line, shifted in, where there is one."""
    source = read_line(path, number).strip()
    return [f"    {source}"] if source else []


def endless(match: Match, choices: int) -> MatchError:
    """Return the fault of a match that was given up after so many choices, with the place where it is."""
    decision = match.decision
    asked = f"; the next question is {decision.prompt!r}" if decision is not None else ""
    return _rules_failed(match, RuleFault(f"no end after {choices:,} choices{asked}", "P0812"))


def asked_of_rules(match: Match) -> MatchError | None:
    """Return the fault of a match in which a seat is asked that the rules play, with the place where that is."""
    decision, persons = match.decision, match.players - match.ruleset.model.automated
    if decision is None or decision.player < persons:
        return None
    words = f"{decision.prompt!r} asks {match.names[decision.player]}, a seat that the rules play"
    return _rules_failed(match, RuleFault(words, "P0815"))


ANYWHERE = {
    RecursionError: ("rules or functions call each other too deep, or without an end", "P0803"),
    OverflowError: ("a number grew too large", "P0805"),
    MemoryError: ("the rules asked for too much memory", "P0813"),
}
"""What Python raises anywhere below rules that do something wrong, and what they did, with its code."""
IN_RULES = {
    IndexError: ("an item beyond the end of a list was asked for", "P0808"),
    ZeroDivisionError: ("a number was divided by 0", "P0809"),
    ValueError: ("a piece was not where it should be", "P0810"),
}
"""What it raises in the rules themselves, or in the kernel that they call; elsewhere it is not their fault."""
CALLED = Path(kernel.__file__ or "").parent


def fail(match: Match, error: Exception, measuring: bool = False) -> NoReturn:
    """Say whose fault it is that a match cannot go on, while an exception is handled.

    With *measuring* something was looked at while no rule was running, such as a score.

    Raises:
        MatchError: It is the fault of the rules.
        EngineFault: It is an internal error.
        SaveError: The save from which the match goes on was changed.
    """
    if isinstance(error, MatchError | EngineFault | SaveError):
        raise error
    if not isinstance(error, RuleFault):
        _trust(match, error)
    fault = error if isinstance(error, RuleFault) else _of_rules(error)
    if fault is None:
        raise EngineFault.of(error, **facts_of(match)) from error
    raise _rules_failed(match, fault, error, measuring) from error


def _trust(match: Match, error: Exception) -> None:
    """Blame a save that was changed, where a match goes on from one. Raises SaveError: choices and state differ."""
    if match.doubt is not None and match.doubt():
        raise SaveError("the save is damaged: the match cannot go on from its state") from error


def _of_rules(error: Exception) -> RuleFault | None:
    """Say what rules did wrong that Python stumbled over; None for what rules cannot do."""
    files = [entry.filename for entry in traceback.extract_tb(error.__traceback__)]
    if not any(map(_of_content, files)):
        return None
    near = _of_content(files[-1]) or Path(files[-1]).parent == CALLED
    words = ANYWHERE.get(type(error)) or (IN_RULES.get(type(error)) if near else None)
    return None if words is None else RuleFault(*words)


def _rules_failed(
    match: Match, fault: RuleFault, error: Exception | None = None, measuring: bool = False
) -> MatchError:
    """Report a fault of the rules with their stack in lines of YAML, where *error* was raised."""
    if isinstance(fault, BrokenPromise) and fault.parts:
        fault = RuleFault(f"{fault} ({_values(match, fault)})", fault.code)
    running = _running(match, error or fault)
    stack, spent, loop = running if measuring else _stack(match, running), fault.spent, None
    turning = _turning(match) if fault.code == "P0801" and not measuring else []
    if turning:
        loop = _loop_around(match.ruleset.resolved_program, turning)
    if spent is None or not _of_content(spent[0]):
        spent = min(turning, default=None)
    return MatchError(str(fault), stack, fault.code, spent, loop)


def _values(match: Match, broken: BrokenPromise) -> str:
    """Say which values the condition of a broken promise looked at, each with its text in the file."""
    labels = match.ruleset.labels(match.program)
    said = []
    for (path, line, column, end_line, end_column), type_, value in broken.parts:
        last = end_column if end_line == line else None
        text = read_line(path, line).rstrip("\n")[column - 1 : last and last - 1].strip()
        said.append(f"{text} is {labels.value(type_, value, -1)}")
    return ", ".join(dict.fromkeys(said))


def facts_of(match: Match) -> dict[str, str]:
    """Return all that makes a match what it is, for a report."""
    rules = match.ruleset
    return {
        "pack": ", ".join(f"{pack.id} {pack.version}" for pack in rules.packs),
        "options": ", ".join(f"{name}={value}" for name, value in rules.chosen.items()) or "none",
        "players": str(match.players - rules.model.automated),
        "seed": str(match.state[SEED]),
        "choices so far": " ".join(map(str, match.choices)) or "none",
    }


@contextmanager
def add_match_facts(match: Callable[[], Match]) -> Iterator[None]:
    """Report an internal error with the match in which it happened; other errors pass."""
    try:
        yield
    except (MatchError, SaveError, OSError):
        raise
    except Exception as error:
        _trust(match(), error)
        raise EngineFault.of(error, **facts_of(match())) from error


def _of_content(path: str) -> bool:
    return Path(path).suffix in (".yaml", ".yml")


def _running(match: Match, error: Exception) -> list[Place]:
    """Return file, line and rule of what was running when an exception was raised, outermost first."""
    origins = match.program.origins
    return [
        (entry.filename, entry.lineno or 1, origins.get(entry.name, "a list"))
        for entry in traceback.extract_tb(error.__traceback__)
        if _of_content(entry.filename) and entry.name != "<lambda>"  # which stands in what is shown before it
    ]


def _stack(match: Match, running: list[Place]) -> list[Place]:
    """Return the same of all that was going on, outermost first.

    The last frame is named by what was running, unless that was nothing of the content. A rule whose turn has not come,
    such as the one that waits for the set-up, is no part of it.
    """
    frames = match.state[FRAMES]
    waiting = len(frames) > 1 and frames[0][0] == match.program.entries.get("match")
    going = frames[1 if waiting else 0 :]
    callers = [_call(match, frame[0]) for frame in going[:-1]]
    last = [_place(match, frame[0]) for frame in going[-1:]] if not running else []
    return [place for place in (*callers, *last) if place is not None] + running


def _call(match: Match, block: int) -> Place | None:
    """Return file, line and rule of the call behind which a block goes on; of a question, its block."""
    found: Place | None = match.program.calls.get(block)
    return found or _place(match, block)


def _place(match: Match, block: int) -> Place | None:
    """Return file, line and rule of a block."""
    function = match.program.blocks[block]
    code = getattr(function, "__code__", None)
    rule = match.program.origins.get(function.__name__, "a rule")
    return None if code is None else (code.co_filename, code.co_firstlineno, rule)


def _turning(match: Match) -> list[Spot]:
    """Return where rules go on from block to block, in a loop that has gone on for too long; nothing for no loop.

    They are watched for a little longer: the blocks of the outermost frame that still goes on are those of the loop, if
    one of them comes back.
    """
    state, blocks = match.state, match.program.blocks
    frames = state[FRAMES]
    lowest, seen = len(frames), Counter[int]()
    try:
        with scarce(BUDGET // WATCHED_PART):
            for _ in range(WATCHED):
                frame = frames[-1]
                if len(frames) < lowest:
                    lowest, seen = len(frames), Counter()
                if len(frames) == lowest:
                    seen[frame[0]] += 1
                if blocks[frame[0]](state, frame) is not None:
                    break
    except Exception:  # what comes of it is of no interest: the match has failed
        pass
    if max(seen.values(), default=0) < AGAIN:
        return []
    return [place[:2] for block in sorted(seen) if (place := _place(match, block)) is not None]


def _loop_around(program: Program, spots: list[Spot]) -> LoopAt | None:
    """Return the innermost loop that all spots stand in, and where its rule begins."""
    found: tuple[int, LoopAt] | None = None
    for rule in program.rules.values():
        for node in walk(rule.block):
            if isinstance(node, e.Looping):
                inside = {(one.span.path, one.span.line) for one in walk(node.body)}
                if inside.issuperset(spots) and (found is None or len(inside) < found[0]):
                    at = (node.span.path, node.span.line, rule.name.partition("'")[0])
                    found = len(inside), (at, (rule.span.path, rule.span.line))
    return found[1] if found is not None else None
