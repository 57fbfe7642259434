"""A match: a state, the question that is open, and what can be done with both."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from patolli.kernel.budget import BLOCK, DEEPEST, PART, meter, renew, tick, too_deep
from patolli.kernel.faults import MatchOver
from patolli.kernel.indexes import forget, hand_on
from patolli.kernel.state import State, copy_state
from patolli.language.diagnostics import given, nearest
from patolli.run.compiler.executable import Executable, is_secret
from patolli.run.compiler.layout import FRAMES, OVER, SEED
from patolli.run.compiler.scopes import STARTS
from patolli.run.runtime import public
from patolli.run.runtime.decisions import Decision, Option
from patolli.run.runtime.display_names import Names
from patolli.run.runtime.errors import fail
from patolli.run.runtime.match_reports import MatchReports
from patolli.run.runtime.match_story import Story, retold
from patolli.run.runtime.meanwhile import meanwhile
from patolli.run.runtime.reasons import Why
from patolli.run.runtime.score_sheet import ScoreSheet, score_sheet
from patolli.run.runtime.seals import write_match
from patolli.run.runtime.seat_visibility import EVERYBODY
from patolli.run.runtime.undo_limits import Past
from patolli.run.runtime.views import view
from patolli.run.runtime.vocabulary import by_seat
from patolli.run.runtime.why import list_refused_options, why

if TYPE_CHECKING:
    from patolli.run.runtime.edits import Edit
    from patolli.run.runtime.knowledge import Memory
    from patolli.run.runtime.ruleset import Ruleset

_new = object.__new__
BLOCKS = 50
"""How many blocks are carried out before they are drawn on the step budget."""


class Match(MatchReports):
    """One match of a ruleset. Made by :meth:`Ruleset.start` and :meth:`Ruleset.restore`.

    ``state`` is plain data: a list of numbers and short lists. ``pending`` holds the raw values of the open question,
    None when the match is over; the last ``extra`` of them are anytime actions. ``doubt`` says whether the state in a
    save was edited.

    Attributes:
        choices: The indices of the options that were chosen so far.
        names: The names of the players, by seat. They are for people, and no part of the state.
        ruleset: The ruleset of the match.
    """

    __slots__ = (
        "_asked",
        "_state",
        "choices",
        "doubt",
        "edits",
        "extra",
        "memory",
        "names",
        "pending",
        "probing",
        "ruleset",
    )

    def __init__(self, ruleset: Ruleset, program: Executable, state: list[Any], narrating: bool = False) -> None:
        self.ruleset = ruleset
        self.program = program
        self._state = state
        self.labels = ruleset.labels(program)
        self.pending: list[Any] | None = None
        self.extra = 0
        self.choices: list[int] = []
        self.edits: tuple[Edit, ...] = ()  # what was changed by hand
        self.names = by_seat(self.players)
        self.narrating = narrating
        self.probing = False
        self.doubt: Callable[[], bool] | None = None
        self.memory: Memory | None = None  # what the seats know, as far as it was asked for
        self._story = None
        self._replayed = None
        self._asked: Decision | None = None  # the open question, if it was read

    @property
    def state(self) -> State:
        """The state, to read or to change; what was known of it is forgotten."""
        forget(self.program.indexes, self._state)
        return self._state

    @state.setter
    def state(self, state: State) -> None:
        forget(self.program.indexes, state)
        self._state = state

    @property
    def frame(self) -> list[Any]:
        """Where the rules stand: the number of the open question, and the seat that is asked; only to be looked at."""
        frame: list[Any] = self._state[FRAMES][-1]
        return frame

    @property
    def decider(self) -> int:
        """The seat that decides the open question: the one that is asked, or the one that decides for it."""
        return self.program.layout.find_decider(self._state, self._state[FRAMES][-1][1])

    # -- playing

    def begin(self) -> None:
        """Run the set-up and go on to the first question."""

        def start(state: State, me: int) -> None:
            program = self.program
            for name in STARTS:  # those on frames say by themselves only that they end
                if name in program.tellers and name in program.entries:
                    program.tellers[name](state, me)
            for rule in program.plain_start:
                rule(state, me)

        self.perform_work(start, 0)
        self.run()

    def perform_work(self, work: Callable[..., object], *arguments: int) -> None:
        """Do something of the ruleset that asks no question by itself: what it asks is left on the frames.

        Raises:
            MatchError: The content fails.
            EngineFault: The program fails.
        """
        self.let_go()
        forget(self.program.indexes, self._state)
        if not self.probing:
            renew()
        try:
            work(self._state, *arguments)
        except MatchOver:
            self._state[FRAMES].clear()
        except Exception as error:
            fail(self, error)

    def run(self, done: int = 0) -> None:
        """Go on until a player has to decide, or the match is over; so many blocks were carried out already."""
        state, blocks = self._state, self.program.blocks
        frames = state[FRAMES]
        if not done:
            forget(self.program.indexes, state)
        budget = meter.budget
        if self.probing:
            budget[2] = 1
        elif not done:
            renew()
        try:
            while frames:
                for passed in range(done, BLOCKS + 1):
                    frame = frames[-1]
                    options = blocks[frame[0]](state, frame)
                    if options is not None:
                        self.extra = 0
                        self.pending = options
                        if self.program.anytime is None or self.probing or meanwhile(self, frame):
                            return
                        budget[2], done = 1, passed
                        break
                    if not frames:
                        break
                    if len(frames) > DEEPEST:
                        too_deep()
                else:
                    tick(BLOCKS * BLOCK)
                    done = 0
        except MatchOver:
            frames.clear()
        except Exception as error:
            fail(self, error)
        finally:
            if self.narrating:
                self._narrate()
        state[OVER] = 1
        self.pending = None
        self.extra = 0

    def options(self) -> list[Any] | None:
        """Return the raw options of the open question, or None at the end; with :meth:`pick`, the fast way to play."""
        return self.pending

    def pick(self, index: int) -> None:
        """Take the option at *index* (from 0) and go on.

        Raises:
            IndexError: There is no such option; nothing has happened then.
            ValueError: The match is over.
        """
        pending = self.pending
        if pending is None:
            raise ValueError("the match is over")
        if index < 0:
            raise IndexError(f"there is no option {index}; they are counted from 0")
        try:
            value = pending[index]
        except IndexError:
            raise IndexError(f"there is no option {index}; there are {len(pending)}, counted from 0") from None
        if self._asked is not None:
            self.let_go()
        self.choices.append(index)
        state = self._state
        frame = state[FRAMES][-1]
        if self.narrating or self.probing or (self.extra and index >= len(pending) - self.extra):
            self._pick(frame, index, value)
            return
        try:
            slot, frame[0], block = self.program.answers[frame[0]]
            frame[slot] = value
        except IndexError as error:  # a frame of a save that was changed
            fail(self, error)
        # This is the first round of `run`, after which small games mostly ask again.
        budget = meter.budget
        budget[0] = PART
        if budget[2] or budget[4]:
            renew()
        try:
            options = block(state, frame)
            if options is not None:
                self.pending, self.extra = options, 0
                if self.program.anytime is None or meanwhile(self, state[FRAMES][-1]):
                    return
                budget[2] = 1
        except MatchOver:
            state[FRAMES].clear()
        except Exception as error:
            fail(self, error)
        self.run(1)

    def _pick(self, frame: list[Any], index: int, value: Any) -> None:
        """Take an option with more to do than to go on: for an anytime action, or in a match that narrates."""
        pending = self.pending
        if self.extra and pending is not None and index >= len(pending) - self.extra:
            self._take(frame, value)
        else:
            number = frame[0]
            secret, before = (self.secret, copy_state(self._state)) if self.narrating else (False, self._state)
            try:
                slot, frame[0], _ = self.program.answers[number]
                frame[slot] = value
            except IndexError as error:  # a frame of a save that was changed
                fail(self, error)
            if self.narrating:
                self.program.events.append(("chosen", frame[1], number, value, secret, before))
        self.run()

    def _take(self, frame: list[Any], value: tuple[int, int]) -> None:
        if self.narrating:
            self.program.events.append(("anytime", frame[1], *value, self.secret, copy_state(self._state)))
        assert self.program.take is not None
        self.perform_work(self.program.take, frame[1], *value)

    @property
    def secret(self) -> bool:
        """Whether what the open question is answered stays secret until all have answered."""
        return is_secret(self._state[FRAMES], self.program.secret)

    @property
    def decision(self) -> Decision | None:
        """The open question, or None if the match is over."""
        pending, asked = self.pending, self._asked
        if pending is None:
            return None
        if asked is None or asked._raw is not pending or asked._names is not self.names:
            self.let_go()
            asked = self._asked = Decision(self)
        return asked

    def let_go(self) -> None:
        """Let what was handed out as the open question stand by itself, as the state changes now."""
        if self._asked is not None:
            self._asked.keep()
            self._asked = None

    def choose(self, answer: int | Option | str) -> None:
        """Choose an option of the open question by its index, itself, or its label.

        Raises:
            TypeError: That can be no answer.
            ValueError: The match is over, or there is no such option; the message names the nearest one.
        """
        asked = self._asked
        if isinstance(answer, Option) and answer._of is asked is not None and asked._raw is self.pending:
            self.pick(answer._index)
            return
        decision = self.decision
        if decision is None:
            raise ValueError("the match is over")
        self.pick(decision.index(answer))

    def _evaluate_measure(self, function: Callable[[State, int], Any], seat: int) -> Any:
        """Work out a measure, with steps of its own.

        Raises:
            MatchError: The content fails.
            EngineFault: The program fails.
        """
        renew()
        try:
            return function(self._state, seat)
        except Exception as error:
            fail(self, error, measuring=True)

    def naming(self, seat: int = EVERYBODY) -> Names:
        """Return what things are called now, for the player on *seat* or for everyone."""
        return Names(self.labels, self._state, seat, self.names)

    # -- asking why

    def why(self, text: str) -> Why:
        """Return why an option is offered to the deciding player, or why not.

        The answer has every condition on the way, whether it holds, what it looks at with the present values, and its
        file and line; of a payment what is missing, after all that may stand for it. ``str()`` is a text of it,
        ``to_json()`` the data. What the player cannot see is left out.

            >>> print(match.why("buy rich_1"))
            >>> print(match.why("buy(rich_1)"))

        Args:
            text: The label of an option of the open question, of an anytime action or of a line of a menu, offered or
                not; or a rule with its values. Where several things are chosen, also labels with commas between them.

        Raises:
            ValueError: The match is over, or there is nothing of that name; the message says what can be asked about.
        """
        return why(self, given.text(text, "something is asked about by its label"))

    def refused(self) -> list[str]:
        """Return the labels of all options that the open question declares but does not offer."""
        return list(list_refused_options(self))

    def advice(self, adviser: Any) -> Any:
        """Return how a bot rates every option of the open question, from what the deciding player knows.

            >>> print(match.advice(patolli.adviser("mcts:2000")))

        Args:
            adviser: A bot that gives advice; ``patolli.adviser`` makes one.

        Returns:
            ``patolli.Advice``: the options, the best first, each with how often it was tried, what it is worth, and
            what is likely to follow.

        Raises:
            TypeError: That bot has no answer.
            ValueError: The match is over.
        """
        if not callable(getattr(adviser, "advise", None)):
            raise TypeError(f"advice is given by patolli.adviser('mcts:2000') and the like, not by {adviser!r}")
        return adviser.advise(self)

    # -- looking back

    def undo(self) -> bool:
        """Undo the last choice, unless another player learned something by it, or something was random since.

        Returns:
            Whether something was undone.
        """
        last = len(self.choices) - 1
        past = Past(self, max(0, last))
        if not past or past.stands(last):
            return False
        self.go_back(past.before(last))
        return True

    def go_back(self, before: Match) -> None:
        """Become what this match was before some choices; whether they may be undone is not checked."""
        self._state, self.pending, self.extra = before.state, before.pending, before.extra
        self.choices, self._story, self._replayed = before.choices, before._story, None
        self.edits = before.edits
        self._asked = None

    # -- what was reported

    def score_sheet(self, seat: int | None = None) -> ScoreSheet:
        """Return where the score of each seat comes from, so far or at the end; see :class:`ScoreSheet`.

        Of a match that does not narrate, or was read from a save, the choices are made again for it; see
        :meth:`telling`.

        Args:
            seat: As far as the player on this seat may know it, from 0; all of it, when left out.

        Raises:
            TypeError: The seat is no whole number.
            ValueError: There is no such seat.
        """
        return score_sheet(self, self._whole(), seat if seat is None else self.seat(seat))

    def _again(self) -> Story | None:
        return retold(self)

    # -- copies, saves, views

    def clone(self) -> Match:
        """Return a copy that shares nothing with this match."""
        new = Match.__new__(Match)
        new.ruleset, new.program, new.labels = self.ruleset, self.program, self.labels
        new._state = self.program.layout.copy_state(self._state)
        new.pending = self.pending
        new.extra = self.extra
        new.probing, new.doubt, new.memory = False, self.doubt, self.memory
        new.choices, new.edits = self.choices[:], self.edits
        new.names = self.names
        new.narrating = self.narrating
        new._story = self._story.share_story() if self._story is not None else None
        new._replayed = self._replayed
        new._asked = None
        return new

    def again(self, seed: int) -> Match:
        """Return a copy of a match that has just begun, drew nothing so far and reports nothing, with another seed."""
        new = _new(Match)
        new.program, new.ruleset, new.labels, new.names = self.program, self.ruleset, self.labels, self.names
        new._state = state = self.program.layout.copy_state(self._state)
        state[SEED] = seed
        hand_on(self.program.indexes, state)
        new.pending, new.extra, new.choices, new.edits = self.pending, self.extra, [], ()
        new.narrating = new.probing = False
        new.doubt = new.memory = new._story = new._replayed = new._asked = None
        return new

    __copy__ = clone

    def __deepcopy__(self, memo: object) -> Match:
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        from patolli.run.runtime.match_pickle import pack_match

        return pack_match(self)

    def __setstate__(self, kept: dict[str, Any]) -> None:
        from patolli.run.runtime.match_pickle import unpack

        unpack(self, kept)

    def __dir__(self) -> tuple[str, ...]:
        """List what others may rely on."""
        return public.MATCH

    def __repr__(self) -> str:
        number, decision = len(self.choices), self.decision
        made = f"{number} choice{'s' * (number != 1)}"
        head = f"{self.ruleset.title}, {self.players} player{'s' * (self.players > 1)}, seed {self._state[SEED]}"
        if decision is None:
            return f"<Match of {head}: over after {made}>"
        asked = decision.prompt or decision.question.kind
        return f"<Match of {head}: after {made} {self.names[decision.player]} decides: {asked}>"

    def _repr_html_(self) -> str:
        from patolli.run.runtime.notebook import page

        return page(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Match) and self._state == other._state and self.program is other.program

    __hash__ = None  # type: ignore[assignment]

    def digest(self) -> str:
        """Return a hash of the whole state, in hexadecimal; equal states have equal digests on every machine."""
        return sha256(json.dumps(self._state, sort_keys=True, separators=(",", ":")).encode()).hexdigest()

    def to_json(self, seat: int | None = None) -> str:
        """Return the match as a text that :meth:`Ruleset.restore` reads.

        Args:
            seat: With a seat, only what that player may know: the content, the view and the story. No match can go
                on with that.

        Raises:
            TypeError: The seat is no whole number.
            ValueError: There is no such seat.
        """
        return write_match(self, seat)

    def view(self, player: int) -> dict[str, Any]:
        """Return what a player sees, as plain data: counters, fields and places by name, without hidden things.

        Args:
            player: The seat, from 0.

        Raises:
            TypeError: The seat is no whole number.
            ValueError: There is no such seat.
        """
        return view(self, player)

    def determinize(self, seat: int, seed: int, quick: bool = False) -> Match:
        """Return a match that is consistent with what a player knows; the rest is random.

        The seat sees the same of it: :meth:`view` is equal, and so are its options. Hidden pieces lie elsewhere, but
        only where that player may believe them to be: who saw a card go into a hand still finds it there. Hidden
        counters and fields have other values, within their bounds and among those that the seat has seen; the numbers
        of pieces, and the invariants of the pack, hold as before. What chance brings is other, too. Nothing that is
        drawn depends on what is hidden in this match.

        The match that comes back has no choices and cannot be undone; it can be played on, copied, saved and
        determinized again. It does not narrate.

        Args:
            seat: The player who imagines, from 0.
            seed: Decides what is drawn: the same seed gives the same match.
            quick: Whether nothing is played again, for a look at one option: a hundred times faster where much of the
                past counts. The match is then ``weak``, see :attr:`basis`, and there is no warning.

        Raises:
            TypeError: The seat or the seed is no whole number.
            ValueError: There is no such seat, or the seed has more than a thousand digits.
        """
        from patolli.run.runtime.worlds import determinize_match

        return determinize_match(self, self.seat(seat), given.check_seed(seed), quick=quick)

    @property
    def basis(self) -> str:
        """How :meth:`determinize` made this match; empty for any other match.

        ``drawn``: hidden things were drawn among all that the seat may believe. ``played``: the match was played again
        with other hidden things, and shows the seat the same after every choice. ``weak``: it fits what the seat sees
        now, and may contradict what it saw before.
        """
        return self.memory.method if self.memory is not None and self.memory.imagined else ""

    def imagine_match(self, seed: int, seat: int, program: Executable | None = None) -> Match:
        """Return a copy with another seed and without its past, as *seat* imagines it.

        It runs the fast program, or *program*. One that narrates leaves events behind, which the caller removes.
        """
        new = self.clone()
        new.program = program or self.ruleset.program(self.players)
        new.labels = self.ruleset.labels(new.program)
        new.state[SEED] = seed
        new.choices, new.edits, new.memory, new.narrating = [], (), None, False
        new._story, new._replayed = Story.of_words(self.labels, self.players, self.told(seat)), None
        return new

    def call(self, rule: str, me: int = 0, *arguments: int) -> None:
        """Carry out a rule directly, for tests of content. The open question waits until the rule ends.

        Raises:
            TypeError: The rule is not named by a text, or an argument is no whole number.
            ValueError: There is no such seat or rule, or the rule takes another number of arguments.
        """
        self.seat(me)
        found = self._rule(rule, len(arguments))
        self.perform_work(found, me, *(given.whole(one, "an argument") for one in arguments))
        self.run()

    def _rule(self, rule: str, arguments: int) -> Callable[..., Any]:
        """Return what carries out a rule that takes so many arguments."""
        declared = self.ruleset.resolved_program.rules
        if given.text(rule, "a rule is named by a text") not in self.program.rules:
            near = nearest(rule, declared)
            raise ValueError(f"there is no rule {rule!r}{f'; did you mean {near!r}?' if near else ''}")
        wanted = len(declared[rule].parameters) if rule in declared else arguments
        if wanted != arguments:
            raise ValueError(f"the rule {rule!r} takes {wanted} argument{'s' * (wanted != 1)}, not {arguments}")
        return self.program.rules[rule]
