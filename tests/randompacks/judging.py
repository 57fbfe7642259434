"""Hold what the checker says of a pack against what happens when it is played."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import FrameType

from randompacks.engine import Checked, Workshop
from randompacks.exploring import Explorer, Fault, Walk, otherwise, reached
from randompacks.ground import OPTIONS
from randompacks.packs import Pack

SECONDS = 5
PROMISED = "this was promised"
NO_PLACE = "P0403"
"""A ``require`` after a change: refused for where it stands, whether or not it holds."""


class TooSlow(BaseException):
    """A pack took more than its time; no part of the engine may mistake it for a fault of the rules."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """End what takes too long, by the time that this process itself has worked."""

    def ring(number: int, frame: FrameType | None) -> None:
        if frame is not None and frame.f_code.co_name == "gc_callback":  # what is raised there gets lost on its way
            signal.setitimer(signal.ITIMER_VIRTUAL, 0.01)
            return
        raise TooSlow

    before = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@dataclass(frozen=True)
class Reason:
    """Why something is refused; ``reached`` says whether any path leads there."""

    code: str
    message: str
    reached: bool = True

    @property
    def key(self) -> str:
        """The same text for the same sort of reason."""
        words = re.sub("'[^']*'", "'..'", self.message)
        return f"{self.code} {words.partition(' changes: ')[0]}"


@dataclass(frozen=True)
class Verdict:
    """What the checker said of a pack, and what happened.

    ``said`` is ``accepted``, ``refused`` (something may fail), or ``wrong`` (the pack is not well formed). ``elsewhere``
    is what goes wrong with the rules of a refused pack that itself never fails, where a match begins in another state.
    ``listed`` has the lines of the demands that were left open.
    """

    seed: int
    said: str
    walk: Walk
    reasons: tuple[Reason, ...] = ()
    elsewhere: Fault | None = None
    listed: frozenset[tuple[str, int]] = frozenset()

    @property
    def fault(self) -> Fault | None:
        """What went wrong in a match."""
        return self.walk.fault

    @property
    def harmless(self) -> bool:
        """Whether all paths were walked, and nothing went wrong."""
        return self.said != "wrong" and self.walk.whole and self.walk.fault is None

    @property
    def unsound(self) -> bool:
        """Whether something went wrong that the checker should have found."""
        return self.said == "accepted" and self.walk.fault is not None and not self.foreseen

    @property
    def foreseen(self) -> bool:
        """Whether the rules failed at a demand that the checker had left open, or broke a promise."""
        fault = self.walk.fault
        if fault is None or fault.sort != "fault":
            return False
        return fault.what.startswith(PROMISED) or not self.listed.isdisjoint(fault.places)

    @property
    def refused_for_nothing(self) -> bool:
        """Whether the checker refused what never fails; what may only stand elsewhere does not count."""
        return self.said == "refused" and self.harmless and all(reason.code != NO_PLACE for reason in self.reasons)

    @property
    def dead(self) -> bool:
        """Whether the checker refused something that no path leads to."""
        return any(not reason.reached for reason in self.reasons)

    @property
    def lucky(self) -> bool:
        """Whether a pack that is refused never fails only because of how its matches happen to begin.

        To refuse it is right: a rule is proven by what it looks at itself, for it may be called from elsewhere, by a
        module or a scenario, and what is given at the beginning is the first thing that an author changes.
        """
        return self.elsewhere is not None


def judged(pack: Pack, workshop: Workshop) -> Verdict:
    """Check a pack and play it."""
    checked: Checked | None = None
    try:
        with within(SECONDS):
            checked = workshop.checked(pack.files, pack.options)
            walk = Explorer(checked.rules).run() if checked.rules is not None else Walk()
            listed = _places(checked)
            for options in _others(pack.options) if walk.fault is None else ():
                again = workshop.checked(pack.files, options)
                other, listed = again.rules, listed | _places(again)
                walk = walk if other is None or walk.fault is not None else walk.and_then(Explorer(other).run())
            verdict = Verdict(pack.seed, _said(checked), walk, _reasons(checked, frozenset()), listed=listed)
            if verdict.refused_for_nothing and checked.rules is not None:
                verdict = replace(verdict, reasons=_reasons(checked, reached(checked.rules)))
                bare = workshop.checked(pack.bare, pack.options).rules
                verdict = replace(verdict, elsewhere=bare and otherwise(bare, pack.seed))
            return verdict
    except TooSlow:
        fault = Fault("slow", f"more than {SECONDS} seconds while {'playing' if checked else 'checking'}")
    except Exception as error:  # whatever the checker stumbles over is a finding
        fault = Fault("engine", f"{type(error).__name__} while {'playing' if checked else 'checking'}: {error}"[:200])
    said = _said(checked) if checked is not None else "accepted"
    return Verdict(pack.seed, said, Walk(whole=False, fault=fault))


def _others(options: dict[str, str]) -> list[dict[str, str]]:
    """Return the options with each other value, one at a time."""
    values = [(name, value) for name in options for value in OPTIONS[name] if value != options[name]]
    return [{**options, name: value} for name, value in values]


def _places(checked: Checked) -> frozenset[tuple[str, int]]:
    """Return the lines of the demands that were left open."""
    spans = (span for one in checked.open for span in (one.span, *(place for place, _ in one.also)))
    return frozenset((span.path, line) for span in spans for line in range(span.line, span.end_line + 1))


def _said(checked: Checked) -> str:
    return "accepted" if checked.accepted else "wrong" if checked.wrong else "refused"


def _reasons(checked: Checked, lines: frozenset[tuple[str, int]]) -> tuple[Reason, ...]:
    found = (Reason(p.code, p.message, (p.span.path, p.span.line) in lines) for p in checked.errors)
    return tuple(dict.fromkeys(found))
