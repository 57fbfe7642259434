"""What a player is asked, and the answers that there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from patolli.compiler.layout import FRAMES
from patolli.diagnostics import nearest
from patolli.diagnostics.given import whole
from patolli.diagnostics.records import dataclass
from patolli.runtime import public

if TYPE_CHECKING:
    from patolli.runtime.match import Match


@dataclass(frozen=True, slots=True)
class Option:
    """One legal answer: its position among the options, its value, its text, and what it is called.

    ``label`` is stable: it is typed, written in scenarios, and compared. ``words`` are for people, and may change with
    the wording of a pack.
    """

    index: int
    value: Any
    label: str
    anytime: bool
    words: str = ""


class Decision:
    """A question to a player. Options are made when somebody reads them."""

    __slots__ = ("_labels", "_match", "_options", "_raw", "player", "prompt", "question", "simultaneous")

    def __init__(self, match: Match) -> None:
        frame = match.state[FRAMES][-1]
        self.question = match.program.questions[frame[0]]
        self.player: int = frame[1]
        self.prompt = self.question.prompt
        self.simultaneous = match.secret
        self._match = match
        self._raw = list(match.pending or ())
        self._labels: tuple[str, ...] | None = None
        self._options: tuple[Option, ...] | None = None

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of all legal answers, in their order; without the words, which take longer to find."""
        if self._labels is None:
            self._labels = tuple(map(self._label, range(len(self._raw))))
        return self._labels

    def _label(self, at: int) -> str:
        texts, value = self._match.labels, self._raw[at]
        if at >= len(self._raw) - self._match.extra:
            return texts.anytime(value, self.player)
        return texts.option(self.question, value, self.player)

    @property
    def options(self) -> tuple[Option, ...]:
        """All legal answers, in a fixed order; anytime actions come last."""
        if self._options is None:
            regular, names = len(self._raw) - self._match.extra, self._match.naming(self.player).about(self.player)
            said = names.options(self.question, self._raw[:regular], self._raw[regular:])
            each = enumerate(zip(self._raw, self.labels, said, strict=True))
            self._options = tuple(Option(i, value, label, i >= regular, words) for i, (value, label, words) in each)
        return self._options

    def index(self, answer: int | Option | str) -> int:
        """Return the index of an answer: of an option of this question, of a label, or the index itself.

        Raises:
            TypeError: That can be no answer.
            ValueError: There is no such option; the message names the nearest one.
        """
        if isinstance(answer, Option):
            at = answer.index
            if at >= len(self._raw) or self._raw[at] != answer.value or self._label(at) != answer.label:
                raise ValueError(f"{answer.label!r} is no option of this question, but of another one")
            return at
        if isinstance(answer, str):
            return self._labelled(answer)
        if isinstance(answer, bool) or not hasattr(answer, "__index__"):
            raise TypeError(f"an answer is an Option of this question, its index or its label, not {answer!r}")
        at = whole(answer, "an index")
        if not 0 <= at < len(self._raw):
            raise ValueError(f"there is no option {at}; they go from 0 to {len(self._raw) - 1}")
        return at

    def _labelled(self, label: str) -> int:
        wanted, known = " ".join(label.split()), self.labels
        if wanted in known:
            return known.index(wanted)
        near = nearest(wanted, known)
        hint = f"; did you mean {near!r}?" if near else f"; the options are: {', '.join(known[:12])}"
        raise ValueError(f"there is no option {label!r}{hint}")

    def __dir__(self) -> tuple[str, ...]:
        """List what others may rely on."""
        return public.DECISION

    def __repr__(self) -> str:
        return f"<Decision of player {self.player + 1}: {self.prompt or self.question.kind}, {len(self._raw)} options>"
