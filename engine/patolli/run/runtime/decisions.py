"""What a player is asked, and the answers that there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

from patolli.language.diagnostics import nearest
from patolli.language.diagnostics.given import whole
from patolli.run.compiler.executable import is_secret
from patolli.run.compiler.layout import FRAMES
from patolli.run.runtime import public
from patolli.run.runtime.display_names import Names

if TYPE_CHECKING:
    from patolli.kernel.state import State
    from patolli.run.compiler.asked import Question
    from patolli.run.runtime.match import Match


class Option:
    """One option of a question.

    ``label`` is stable: it is typed, written in scenarios, and compared. ``words`` are for people, and may change with
    the wording of a pack. Both are found on demand; they describe the match as it was when the question
    was open, also when it has gone on.
    """

    __slots__ = ("_index", "_label", "_of", "_value", "_words")

    def __init__(self, index: int, value: Any, label: str, anytime: bool, words: str = "") -> None:
        """Make an option that belongs to no question."""
        self._index, self._value, self._label, self._words = index, value, label, words
        self._of: Decision | bool = anytime  # the question that it belongs to; without one, whether it is an action

    @property
    def index(self) -> int:
        """The position among the options, from 0."""
        return self._index

    @property
    def value(self) -> Any:
        """The chosen value, as the rules know it: a number, or several."""
        of = self._of
        return self._value if isinstance(of, bool) else of._raw[self._index]

    @property
    def label(self) -> str:
        """The text that is typed, written in scenarios, and compared. It never changes with the wording of a pack."""
        of = self._of
        return self._label if isinstance(of, bool) else of._label(self._index)

    @property
    def anytime(self) -> bool:
        """Whether it is an anytime action beside the question."""
        of = self._of
        return of if isinstance(of, bool) else self._index >= len(of._raw) - of._extra

    @property
    def words(self) -> str:
        """The name for people."""
        of = self._of
        return self._words if isinstance(of, bool) else of._describe_options()[self._index]

    def _all(self) -> tuple[int, Any, str, bool, str]:
        return self.index, self.value, self.label, self.anytime, self.words

    def __eq__(self, other: object) -> bool:
        return self._all() == other._all() if isinstance(other, Option) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.index, self.label))

    def __reduce__(self) -> tuple[type[Option], tuple[int, Any, str, bool, str]]:
        return Option, self._all()

    def __repr__(self) -> str:
        names = ("index", "value", "label", "anytime", "words")
        return f"Option({', '.join(f'{name}={value!r}' for name, value in zip(names, self._all(), strict=True))})"


_new = Option.__new__


class Options(Sequence[Option]):
    """The options of a question, each made when it is taken."""

    __slots__ = ("_of",)

    def __init__(self, of: Decision) -> None:
        self._of = of

    def __len__(self) -> int:
        return len(self._of._raw)

    @overload
    def __getitem__(self, at: int) -> Option: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Option, ...]: ...
    def __getitem__(self, at: int | slice) -> Option | tuple[Option, ...]:
        of = self._of
        if isinstance(at, slice):
            return tuple([_make_option(of, one) for one in range(*at.indices(len(of._raw)))])
        number = range(len(of._raw))[at]
        made = _new(Option)
        made._index, made._of = number, of
        return made

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, tuple | Options) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


def _make_option(of: Decision, index: int) -> Option:
    made = _new(Option)
    made._index, made._of = index, of
    return made


class Decision:
    """A question to a player. Options are made on demand, and what they are called is found then, too.

    As a match goes on, it takes along what its open decision would have to look at (``keep``): words describe the state
    in which something was asked.
    """

    __slots__ = ("_extra", "_frame", "_labels", "_match", "_names", "_raw", "_state", "_words")

    def __init__(self, match: Match) -> None:
        """Look at the open question; there has to be one."""
        self._match, self._extra, self._names = match, match.extra, match.names
        self._raw: list[Any] = match.pending or []
        self._state: State = match._state
        self._frame: list[Any] = match.frame
        self._labels: tuple[str, ...] | None = None
        self._words: list[str] | None = None

    @property
    def options(self) -> Sequence[Option]:
        """All options, in a fixed order; anytime actions come last."""
        return Options(self)

    def keep(self) -> None:
        """Take along what words may describe, since the match goes on now."""
        state = self._match.program.layout.copy_state(self._state)
        self._state, self._frame = state, state[FRAMES][-1]

    @property
    def question(self) -> Question:
        """Where the rules ask, and what for."""
        return self._match.program.questions[self._frame[0]]

    @property
    def player(self) -> int:
        """The seat that decides, from 0."""
        return self._match.program.layout.find_decider(self._state, self.acts)

    @property
    def acts(self) -> int:
        """The seat that acts, from 0. It is not ``player`` where another player decides for it (``as p by q``)."""
        seat: int = self._frame[1]
        return seat

    @property
    def prompt(self) -> str:
        """The question, in the words of the pack; it may be empty."""
        question = self.question
        return self._find_names().prompt(question, self._frame) if question.has_values else question.prompt

    @property
    def simultaneous(self) -> bool:
        """Whether the other players learn the choice only after they have chosen, too."""
        return is_secret(self._state[FRAMES], self._match.program.secret)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of all options, in their order. They are faster to compute than the options."""
        if self._labels is None:
            self._labels = self._labels_of(0, len(self._raw))
        return self._labels

    def _label(self, at: int) -> str:
        return self._labels_of(at, at + 1)[0]

    def _labels_of(self, first: int, end: int) -> tuple[str, ...]:
        """Return the labels of the answers from *first* up to, without, *end*."""
        raw, texts, question, player = self._raw, self._match.labels, self.question, self.acts
        regular, seat_visibility = len(raw) - self._extra, texts.seat_visibility(self._state, self.player)
        found = [texts.option(question, raw[at], player, seat_visibility) for at in range(first, min(end, regular))]
        return (*found, *(texts.anytime(raw[at], player, seat_visibility) for at in range(max(first, regular), end)))

    def _describe_options(self) -> list[str]:
        """Return the words of all options; they are found together, since no two may read alike."""
        if self._words is None:
            regular = len(self._raw) - self._extra
            self._words = self._find_names().options(self.question, self._raw[:regular], self._raw[regular:])
        return self._words

    def _find_names(self) -> Names:
        """Return the names of things for the player who answers."""
        return Names(self._match.labels, self._state, self.player, self._names).about(self.acts)

    def index(self, answer: int | Option | str) -> int:
        """Return the index of an option, of a label, or the index itself.

        Raises:
            TypeError: That can be no answer.
            ValueError: There is no such option; the message names the nearest one.
        """
        if isinstance(answer, Option):
            at = answer.index
            if answer._of is self:
                return at
            if at >= len(self._raw) or self._raw[at] != answer.value or self._label(at) != answer.label:
                raise ValueError(f"{answer.label!r} is an option of another question")
            return at
        if isinstance(answer, str):
            return self._find_label(answer)
        if isinstance(answer, bool) or not hasattr(answer, "__index__"):
            raise TypeError(f"a choice is an Option of this question, its index or its label, not {answer!r}")
        at = whole(answer, "an index")
        if not 0 <= at < len(self._raw):
            raise ValueError(f"there is no option {at}; they go from 0 to {len(self._raw) - 1}")
        return at

    def _find_label(self, label: str) -> int:
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


def is_asked_again(seats: list[int], seat: int) -> bool:
    """Return whether a seat is asked in secret again, and others were since: then all have chosen once."""
    return seat in seats and seats[-1] != seat
