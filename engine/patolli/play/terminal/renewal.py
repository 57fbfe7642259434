"""Continue a match after its content was edited."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from patolli.run.compiler.layout import SEED
from patolli.run.runtime import Match, Ruleset
from patolli.run.runtime.edits import with_edits


class ContentChanged(Exception):
    """Raised while the program waits for a line of text if the content changes."""


class Editing(Protocol):
    """What a session knows of content that is being edited."""

    def detect_change(self) -> bool:
        """Return whether a file changed since the last call."""
        ...

    def load(self) -> Ruleset | None:
        """Load the content as it is now; None when it has problems, which were shown."""
        ...


@dataclass(frozen=True, slots=True)
class Carried:
    """A match with new content: how many choices it has in common with the old one, and the first that it has not."""

    match: Match
    kept: int
    lost: str = ""


def carry_over(old: Match, rules: Ruleset) -> Carried:
    """Start a match of *rules* with the same seed and seats, and make the same choices by their labels.

    It stops at the first choice that is not offered any more, or that another player would have to make.

    Raises:
        MatchError: The new content fails on the way.
        ValueError: The new content does not allow this number of players, or an edit by hand is not possible any more.
    """
    seed = old.state[SEED]
    before = old.ruleset.start(old.players - old.ruleset.model.automated, seed)
    after = rules.start(old.players - rules.model.automated, seed)
    for number, choice in enumerate(old.choices):
        before, after = with_edits(before, old.edits), with_edits(after, old.edits)
        asked, asks = before.decision, after.decision
        assert asked is not None
        wanted = asked.options[choice]
        same = [
            option
            for option in (asks.options if asks is not None and asks.player == asked.player else ())
            if (option.label, option.anytime) == (wanted.label, wanted.anytime)
        ]
        if not same:
            return Carried(after, number, wanted.label)
        before.choose(choice)
        after.choose(same[0])
    return Carried(with_edits(after, old.edits), len(old.choices))
