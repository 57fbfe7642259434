"""A checked ruleset: what can be played. The room ``workspace`` makes it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from typing import Any

from patolli.check.proofs.prover import Prover, prover_of
from patolli.kernel.budget import PARTS, meter
from patolli.kernel.indexes import begin
from patolli.language.diagnostics import given
from patolli.language.diagnostics.given import SEEDS, whole
from patolli.language.diagnostics.memory import without_garbage_collection
from patolli.language.packs.entry_hashes import hash_entries
from patolli.language.packs.manifest import Pack
from patolli.language.program.model import Program
from patolli.language.resolve.model import Model
from patolli.language.syntax.depth import keep_room, room
from patolli.run.compiler import Executable, compile_program
from patolli.run.compiler.layout import DRAWS
from patolli.run.compiler.seat_view import Seen, compile_view
from patolli.run.runtime import public
from patolli.run.runtime.edits import Edit, with_edits
from patolli.run.runtime.errors import before_a_match
from patolli.run.runtime.glances import Glance, Glances
from patolli.run.runtime.invariants import Reads
from patolli.run.runtime.labels import Labels
from patolli.run.runtime.match import Match
from patolli.run.runtime.saves import SaveError, read_save
from patolli.run.runtime.visibility import Visibility
from patolli.run.runtime.vocabulary import name_players


def hash_files(packs: Iterable[Pack]) -> dict[str, str]:
    """Return a hash of each file of packs that decides how a match goes, by pack and name."""
    return {f"{pack.id}/{name}": known for pack in packs for name, known in pack.hashes.items()}


def hash_content(packs: Iterable[Pack], chosen: Mapping[str, Any]) -> str:
    """Return the content hash of the ruleset that packs and options make."""
    text = json.dumps([hash_files(packs), chosen], sort_keys=True)
    return sha256(text.encode()).hexdigest()[:32]


class Ruleset:
    """A checked pack with its modules and options. Made by :func:`patolli.load`."""

    def __init__(self, model: Model, chosen: dict[str, Any]) -> None:
        self.model = model
        self.chosen = chosen
        self._programs: dict[tuple[int, bool, bool], Executable] = {}
        self._labels: dict[int, Labels] = {}
        self._reads: dict[int, Reads] = {}
        self._visibilities: dict[int, Visibility] = {}
        self._glances: dict[int, Glances] = {}
        self._seen: dict[tuple[int, int], Seen] = {}
        self._begun: dict[tuple[int | None, bool], Match | None] = {}  # by players as they are given, and if watched

    @property
    def resolved_program(self) -> Program:
        """What the ruleset means, with every name resolved."""
        assert self.model.program is not None
        return self.model.program

    @property
    def prover(self) -> Prover:
        """What proves things of the ruleset, as far as its compiler asks."""
        return prover_of(self.model)

    # -- what it is

    @property
    def packs(self) -> list[Pack]:
        """The base pack and the active modules, in order of composition."""
        return self.model.composition.packs

    @property
    def id(self) -> str:
        """The id of the base pack."""
        return self.packs[0].id

    @property
    def module_ids(self) -> list[str]:
        """The ids of the active modules."""
        return [pack.id for pack in self.packs[1:]]

    @property
    def title(self) -> str:
        """The title of the base pack."""
        return self.packs[0].text("title", self.id)

    @property
    def players(self) -> tuple[int, int]:
        """The minimum and the maximum number of players."""
        return self.model.players

    @property
    def file_hashes(self) -> dict[str, str]:
        """A hash of each file that a match depends on, by pack and name; tests and panels are not among them."""
        return hash_files(self.packs)

    @property
    def content_hash(self) -> str:
        """A hash of all content and options: two rulesets with the same hash play the same."""
        return hash_content(self.packs, self.chosen)

    @cached_property
    def entry_hashes(self) -> dict[str, str]:
        """A hash of each entry of the rules without texts for people, in order; what a save depends on."""
        return hash_entries(self.model.composition)

    def program(self, players: int, narrate: bool = False, watched: bool = False) -> Executable:
        """Return the compiled program for a number of players; see :meth:`start`.

        One that narrates is plain: each function of it is called wherever a rule names it, which coverage watches and
        into whose place a mutant is put.
        """
        key = (players, narrate, watched)
        if key not in self._programs:
            with room(), without_garbage_collection(), before_a_match():
                made = self._programs[key] = compile_program(self.resolved_program, self.prover, *key)
            if made.circular:
                keep_room()
        return self._programs[key]

    def plain(self, program: Executable) -> Executable:
        """Return a program with the same blocks, in which none goes on with what another one does: one that narrates.

        The caller empties ``events`` behind what it does, unless the match itself narrates.
        """
        players, _, watched = self.get_program_key(program)
        return self.program(players, True, watched)

    def get_program_key(self, program: Executable) -> tuple[int, bool, bool]:
        """Return with what :meth:`program` returns a program of this ruleset again."""
        return next(key for key, one in self._programs.items() if one is program)

    def labels(self, program: Executable) -> Labels:
        """Return the words for values of a program."""
        key = id(program)
        if key not in self._labels:
            self._labels[key] = Labels(program)
        return self._labels[key]

    def visibility(self, program: Executable) -> Visibility:
        """Return who sees what in matches of a program."""
        key = program.layout.seats
        if key not in self._visibilities:
            self._visibilities[key] = Visibility(program.layout, program.workings.preconditions.summaries)
        return self._visibilities[key]

    def get_seat_view(self, program: Executable, seat: int) -> Seen:
        """Return the function that gives what a seat sees of the table in matches of a program."""
        key = (program.layout.seats, seat)
        if key not in self._seen:
            words = self.labels(program)
            self._seen[key] = compile_view(program.layout, seat, lambda type_, value: words.value(type_, value, -1))
        return self._seen[key]

    def glance(self, program: Executable, seat: int) -> Glance:
        """Return what reads a state of a program as a seat sees it, as a value to compare."""
        key = program.layout.seats
        if key not in self._glances:
            self._glances[key] = Glances(self.visibility(program))
        return self._glances[key].of_seat(seat)

    def reads(self, program: Executable) -> Reads:
        """Return which slots the invariants read in matches of a program."""
        key = program.layout.seats
        if key not in self._reads:
            self._reads[key] = Reads(self.resolved_program, program)
        return self._reads[key]

    # -- matches

    def start(
        self,
        players: int | None = None,
        seed: int = 0,
        narrate: bool = False,
        names: Sequence[str] = (),
        watched: bool = False,
    ) -> Match:
        """Start a match.

        Args:
            players: The number of seats; the least allowed one when left out.
            seed: Decides everything that is random, together with the choices.
            narrate: Whether ``match.log`` reports what happens.
            names: What the players are called, by seat; those without one are ``player 1`` and so on.
            watched: Whether the program says which pieces are used, and takes measures.

        Raises:
            TypeError: A number is none, such as a seed that is a text.
            ValueError: The pack cannot be played with so many players, the names are none, or the seed has more than a
                thousand digits.
            MatchError: The content fails during the set-up.
        """
        if not narrate and names == () and type(seed) is int and type(players) is not bool and -SEEDS < seed < SEEDS:
            begun = self._begun.get((players, watched))  # with fewer steps than usual it might not have come so far
            if begun is not None and meter.whole[1] == PARTS - 1:
                match = begun.again(seed)
                if match.program.watching is not None:
                    match.program.watching.begin(match.state)
                return match
        number = self.players[0] if players is None else whole(players, "the number of players")
        seed = given.check_seed(seed)
        self.allow(number)
        seats = number + self.model.automated
        match = self.fresh(seats, seed, narrate, watched)
        watching = match.program.watching
        if watching is not None:
            watching.begin()
        if names != ():
            match.names = name_players(names, match.players)
        match.begin()
        if watching is not None:
            watching.state[0] = match.state
        if not narrate and names == () and (players, watched) not in self._begun:
            # A match depends on its seed by what it draws alone: where nothing was drawn yet, all others stand here.
            alike = self.begins_alike(match) and (watching is None or watching.has_seen_nothing)
            self._begun[players, watched] = match.clone() if alike else None
            begin(match.program.indexes, match.state)
        return match

    def begins_alike(self, match: Match) -> bool:
        """Return whether all matches of a program begin with the same state except the seed; *match* has just begun."""
        return not match.state[DRAWS] and not match.choices and not match.edits

    def allow(self, number: int) -> None:
        """Refuse a number of players with which the pack cannot be played. Raises ValueError: it is one."""
        low, high = self.players
        if not low <= number <= high:
            wanted = str(low) if low == high else f"{low} to {high}"
            raise ValueError(f"{self.title} is for {wanted} players, not {number}")

    def fresh(self, players: int, seed: int, narrate: bool, watched: bool = False) -> Match:
        """Return a match with *players* seats, automated ones included, before its set-up."""
        program = self.program(players, narrate, watched)
        state = program.layout.fresh()
        state[0] = [frame[:] for frame in program.start]
        state[1], state[3] = seed, {}
        return Match(self, program, state, narrate)

    def replay(
        self,
        players: int,
        seed: int,
        choices: Iterable[int],
        narrate: bool = False,
        look: Callable[[Match], None] | None = None,
        names: Sequence[str] = (),
        edits: Sequence[Edit] = (),
    ) -> Match:
        """Start a match with *players* seats, automated ones included, and make the same choices again.

        *look* gets the match when it has begun, and after every choice. *edits* are what was changed
        by hand on the way (``match.edits``).

        Raises:
            TypeError: A number is none.
            ValueError: As of :meth:`start`.
            SaveError: There are other options than when the choices were made.
        """
        match = self.start(whole(players, "the number of seats") - self.model.automated, seed, narrate, names=names)
        match = _apply_edits(match, edits)
        if look is not None:
            look(match)
        for number, made in enumerate(choices, 1):
            choice = whole(made, "a choice")
            if match.pending is None:
                raise SaveError(f"the match is over before choice {number}")
            if not 0 <= choice < len(match.pending):
                raise SaveError(f"choice {number} is {choice}, but there are {len(match.pending)} options")
            match.pick(choice)
            if edits:
                match = _apply_edits(match, edits)
            if look is not None:
                look(match)
        return match

    def restore(self, text: str, narrate: bool = False) -> Match:
        """Read a match that :meth:`Match.to_json` wrote.

        Raises:
            TypeError: That is no text; of a file, ``Path.read_text()`` gives it.
            SaveError: The text is no save, or was made with other content; the message says what changed.
        """
        return read_save(self, given.text(text, "a save is the text that Match.to_json() gave"), narrate)

    def __dir__(self) -> tuple[str, ...]:
        """List what others may rely on."""
        return public.RULESET

    def __repr__(self) -> str:
        modules = f" with {', '.join(self.module_ids)}" if self.module_ids else ""
        return f"<Ruleset {self.id}{modules}>"


def _apply_edits(match: Match, edits: Sequence[Edit]) -> Match:
    """Return a match with what was changed by hand at this point. Raises SaveError: it cannot be changed so."""
    if not edits:
        return match
    try:
        return with_edits(match, edits)
    except ValueError as error:
        raise SaveError(f"what was changed by hand after choice {len(match.choices)} cannot be: {error}") from None
