"""Twins of a match: they differ only in what one seat cannot know, so that seat must be told the same of both."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import prod
from random import Random

from patolli.language.program import effects
from patolli.language.program import types as ty
from patolli.language.program.model import Attribute, Counter, Place
from patolli.language.program.node import walk
from patolli.play.players import make_bot
from patolli.run.compiler.layout import DRAWS, FRAMES, OVER, Layout
from patolli.run.runtime import Match, MatchError, Ruleset
from patolli.run.runtime.knowledge import Memory, get_memory
from patolli.run.runtime.worlds import rename

BOTS = ("random", "greedy", "mcts:20")
"""Bots of the program that are asked in the place of players."""
ON = 4
"""How far two worlds that are imagined are played on."""
ANSWERS = 4
"""How many answers to one question are compared with each other."""


def seen_by(match: Match, seat: int) -> str:
    """What a seat sees of the table, apart from the question; what lies in the box is out of the match, and seen by all."""
    view, layout = match.view(seat), match.program.layout
    box = [at + n for kind, at in layout.at.items() for n in range(layout.size(kind)) if match.state[at + n] == 0]
    return json.dumps({key: value for key, value in view.items() if key not in ("prompt", "options")} | {"box": box})


def names_by(match: Match, seat: int) -> list[str]:
    """What everything is called for a seat: pieces, cells and members, and the places of the table."""
    names, layout = match.naming(seat), match.program.layout
    pieces = [names.piece(kind, number) for kind, all_ in layout.instances.items() for number in range(len(all_))]
    slots = (slot for base, sizes in layout.places.values() for slot in layout.slots(base, sizes))
    return [*pieces, *map(names.place, slots)]


def kept_by(match: Match, seat: int) -> str:
    """What a seat may keep: a save that holds what it sees and what it was told."""
    saved = json.loads(match.to_json(seat))
    assert saved["view"] == json.loads(json.dumps(match.view(seat)))
    assert saved["log"] == match.told(seat)
    del saved["view"]
    return json.dumps(saved)


def twin(match: Match, seat: int, draw: Random) -> Match:
    """A copy in which everything is different that *seat* cannot see."""
    other = match.clone()
    layout = match.program.layout
    for kind, base in layout.at.items():
        _mix(other, seat, kind, base, draw)
    _veil(other, seat, draw)
    for counter in layout.model.counters.values():
        base, sizes = layout.counters[counter.name]
        high = layout.limits[counter.name]
        for slot in layout.slots(base, sizes):
            if _hidden(match, counter, sizes, slot - base, seat):
                other.state[slot] = draw.randint(counter.low, counter.low + 5 if high is None else high)
    known = get_memory(match)  # what happened before was seen alike
    other.memory = Memory.begin_memory(other, known.seats, known.choices, known)
    return other


def _hidden(match: Match, counter: Counter, sizes: tuple[int, ...], offset: int, seat: int) -> bool:
    """Whether a counter is hidden from a seat: by what it declares, or with a piece that it is counted for."""
    indices = [(kind, offset // prod(sizes[at + 1 :]) % sizes[at]) for at, kind in enumerate(counter.dims)]
    if counter.visible == "none" or (counter.visible == "owner" and not _is_own(match, seat, *indices[0])):
        return True
    if len(indices) > 1 and any(_untouched(match, *index) for index in indices):
        return False  # nothing is counted there, and rules rely on it
    return not all(_seen(match, seat, *index) for index in indices)


def _untouched(match: Match, kind: str, number: int) -> bool:
    """Whether a piece lies where no player can look."""
    at = match.program.layout.at.get(kind)
    slot = match.state[at + number] if at is not None else 0
    return bool(slot) and _place(match, slot)[0].visible in ("none", "top")


def _owner(match: Match, kind: str, number: int) -> int:
    return match.program.layout.instances[kind][number].owner


def _is_own(match: Match, seat: int, kind: str, number: int) -> bool:
    """Whether something belongs to a seat, or to one for which it decides."""
    return _owner(match, kind, number) in match.program.layout.list_viewing_seats(match.state, seat)


def _veil(match: Match, seat: int, draw: Random) -> None:
    """Give other values to the fields that are hidden by what they declare."""
    layout, state = match.program.layout, match.state
    for kind in layout.model.kinds.values():
        for field in kind.fields.values():
            base = layout.fields[(kind.name, field.name)]
            for number in range(layout.size(kind.name)):
                opened = field.unless and state[layout.fields[(kind.name, field.unless)] + number]
                mine = field.visible == "owner" and _is_own(match, seat, kind.name, number)
                if field.visible != "all" and not mine and not opened:
                    state[base + number] = draw.randint(*_range(layout, field))


def _range(layout: Layout, field: Attribute) -> tuple[int, int]:
    """The least and the greatest value of a field; none is -1, and things are counted from 0."""
    type_ = ty.strip(field.type)
    if isinstance(type_, ty.Ref):
        return -1 if type_ != field.type else 0, layout.size(type_.kind) - 1
    return (0, 1) if type_ == ty.BOOL else (field.low, field.high)


def _seen(match: Match, seat: int, kind: str, number: int) -> bool:
    """Whether a piece lies where a seat can see it."""
    at = match.program.layout.at.get(kind)
    slot = match.state[at + number] if at is not None else 0
    if not slot:
        return True
    place, indices = _place(match, slot)
    held = match.state[slot]
    open_ = place.visible == "all" or (place.visible == "owner" and _is_own(match, seat, *indices[0]))
    if place.visible == "top":
        open_ = held[-1] == number
    if place.visible == "others":
        open_ = any(
            _owner(match, *indices[0]) != one for one in match.program.layout.list_viewing_seats(match.state, seat)
        )
    return open_ and all(_seen(match, seat, *index) for index in indices)


def _place(match: Match, slot: int) -> tuple[Place, list[tuple[str, int]]]:
    layout = match.program.layout
    for place in layout.model.places.values():
        base, sizes = layout.places[place.name]
        if slot in layout.slots(base, sizes):
            offsets = [(slot - base) // prod(sizes[at + 1 :]) % size for at, size in enumerate(sizes)]
            return place, list(zip(place.dims, offsets, strict=False))
    raise AssertionError(slot)


def _mix(match: Match, seat: int, kind: str, base: int, draw: Random) -> None:
    """Give the hidden pieces of a kind other places among those that are hidden, and their fields other values.

    What lies on other hidden pieces may come to lie on others of them, as long as these hold any number.
    """
    layout, state = match.program.layout, match.state
    hidden = [number for number in range(layout.size(kind)) if not _seen(match, seat, kind, number)]
    spots = []
    for number in hidden:
        held = state[state[base + number]]
        spots.append((state[base + number], held.index(number) if isinstance(held, list) else None))
    pieces = draw.sample(hidden, len(hidden))
    parts = {base + one: base + two for one, two in zip(hidden, pieces, strict=True)}
    for frame in state[FRAMES]:  # what a rule has in its hands takes the same part
        rename(match, frame, lambda piece: parts.get(piece, piece))
    for (slot, position), number in zip(spots, pieces, strict=True):
        if position is None:
            state[slot] = number
        else:
            state[slot][position] = number
        state[base + number] = slot
    for number in hidden:
        for field in layout.model.kinds[kind].fields.values():
            if field.low is not None and field.high is not None:
                state[layout.fields[(kind, field.name)] + number] = draw.randint(field.low, field.high)
    _reload(match, seat, kind, base, hidden, draw)


def _reload(match: Match, seat: int, kind: str, base: int, pieces: list[int], draw: Random) -> None:
    """Put what lies on hidden pieces onto others of them."""
    layout, state = match.program.layout, match.state
    for number in pieces:
        place, _ = _place(match, state[base + number])
        first, sizes = layout.places[place.name]
        slots = [
            slot
            for slot in layout.slots(first, sizes)
            if not all(_seen(match, seat, *index) for index in _place(match, slot)[1])
        ]
        if state[base + number] in slots and place.type in ("area", "pile"):
            state[state[base + number]].remove(number)
            slot = draw.choice(slots)
            state[slot].append(number)
            state[base + number] = slot


def told_the_same(
    rules: Ruleset, players: int, seed: int, decisions: int, stride: int = 1, bots: int = 10,
    kinds: Sequence[str] = BOTS,
) -> dict[str, int]:  # fmt: skip
    """Play a random match and compare twins at every *stride*-th decision; return how often something was compared.

    - Everything that a seat cannot see is changed: its view stays the same, and its save; also what the acting player
      and the next one may imagine; and when it decides, so do what it is offered, why something is not, what up to so many *bots* of some *kinds* decide, and
      what it reads of the same choice, as long as it sees the same afterwards.
    - Another player has only one answer in that world: it is reported like the same answer where there are several.
    - A player chooses in two ways, after which only that player sees a difference: all are reported the same.
    """
    match = rules.start(players, seed, narrate=True)
    draw, counts = Random(seed), {"views": 0, "options": 0, "reasons": 0, "tales": 0, "answers": 0, "forced": 0}
    counts |= {"worlds": 0, "bots": 0}
    for number in range(decisions):
        if match.pending is None:
            break
        if number % stride == 0:
            near = {(match.decision.player + step) % match.players for step in (0, 1)}
            for seat in range(match.players):
                _worlds(match, seat, draw, counts, bots if seat in near else 0, kinds)
            _answers(match, draw, counts)
        match.pick(draw.randrange(len(match.pending)))
    return counts


def _worlds(match: Match, seat: int, draw: Random, counts: dict[str, int], bots: int, kinds: Sequence[str]) -> None:
    other = twin(match, seat, draw)
    other.pending = match.pending
    if (
        match.program.layout.model.held_kinds and match.decision.player == seat
    ):  # who is offered other pieces, by their places
        try:
            other.run()
        except MatchError:
            return
    assert seen_by(other, seat) == seen_by(match, seat), f"player {seat + 1} sees something hidden"
    assert kept_by(other, seat) == kept_by(match, seat), f"player {seat + 1} keeps something hidden"
    assert match.score_sheet(seat) == other.score_sheet(seat), (
        f"the score sheet shows player {seat + 1} something hidden"
    )
    assert names_by(match, seat) == names_by(other, seat), f"a name tells player {seat + 1} something hidden"
    counts["views"] += 1
    if other.state == match.state:
        return
    draws = draw.getrandbits(30)
    if bots and counts["views"] % 3 == 1:  # worlds take long to imagine
        _imagined(match, other, seat, draws, counts)
    if match.decision.player != seat:
        _taken(match, other, seat, counts)
        return
    try:
        other.run()
    except MatchError:
        return  # such a world there cannot be
    if other.decision is None or other.decision.player != seat or other.decision.question != match.decision.question:
        return
    labels = [option.label for option in match.decision.options]
    assert [option.label for option in other.decision.options] == labels, "what is offered betrays something hidden"
    words = [option.words for option in match.decision.options]
    assert [option.words for option in other.decision.options] == words, (
        "what answers are called betrays something hidden"
    )
    counts["options"] += 1
    for label in draw.sample(match.refused(), min(1, len(match.refused()))):
        if label in other.refused():
            assert str(match.why(label)) == str(other.why(label)), "a reason betrays something hidden"
            counts["reasons"] += 1
    for kind in kinds if counts["bots"] < bots else ():
        one, two = (make_bot(kind, draws, seat).decide(world) for world in (match, other))
        assert one == two, f"the bot {kind!r} knows something hidden"
        counts["bots"] += 1
    index = draw.randrange(len(labels))
    one, two = _after(match, index), _after(other, index)
    if one is None or two is None or seen_by(one[0], seat) != seen_by(two[0], seat):
        return
    if one[0].over or one[0].state[DRAWS] != match.state[DRAWS]:
        return  # what was shown on the way to the end, or before a shuffle, is reported, and can no longer be seen
    aloud = _aloud(match.ruleset)
    assert _unsaid(one[1], aloud) == _unsaid(two[1], aloud), "what is reported betrays something hidden"
    if one[1] != two[1]:
        return  # the rules say aloud what a player has
    assert one[0].told(seat) == two[0].told(seat), "what one player reads betrays something hidden"
    assert one[0].telling(seat) == two[0].telling(seat), "a heading, or where it stands, betrays something hidden"
    assert one[0].telling() == two[0].telling(), "what everyone reads betrays something hidden"
    counts["tales"] += 1


@lru_cache(8)
def _aloud(rules: Ruleset) -> frozenset[str]:
    """The texts of all ``say``, which tells everybody what it names, also what only some may see."""
    bodies = (rule.block for rule in rules.resolved_program.rules.values())
    return frozenset(node.text for node in walk(*bodies) if isinstance(node, effects.Say) and node.values)


def _unsaid(lines: list[str], aloud: frozenset[str]) -> list[str]:
    """What is reported without what the rules say aloud."""
    return [line for line in lines if not any(f" {text} " in line for text in aloud)]


def _imagined(match: Match, other: Match, seat: int, seed: int, counts: dict[str, int]) -> None:
    """Compare what may be imagined of two worlds, and how that goes on."""
    draw = Random(seed)
    one, two = match.determinize(seat, seed), other.determinize(seat, seed)
    for _ in range(ON):  # a variable that no rule reads any more may hold anything
        assert one.state[OVER:] == two.state[OVER:], "what is imagined betrays something hidden"
        assert one.pending == two.pending, "what can be answered in it betrays something hidden"
        if one.pending is None:
            break
        index = draw.randrange(len(one.pending))
        one.pick(index)
        two.pick(index)
    counts["worlds"] += 1


def _taken(match: Match, other: Match, seat: int, counts: dict[str, int]) -> None:
    """Compare a question to another player with a world in which there is only one answer to it."""
    before = len(other.log)
    try:
        other.run()
    except MatchError:
        return
    if other.pending is None or len(other.log) == before:
        return
    told = other.log[before - 1 if before else 0 :]
    for index in range(min(len(match.pending), 3 * ANSWERS)):
        after = _after(match, index)
        if after is not None and after[0].pending is not None and seen_by(after[0], seat) == seen_by(other, seat):
            assert after[1] == told, "what is reported betrays how many answers there were"
            counts["forced"] += 1


def _answers(match: Match, draw: Random, counts: dict[str, int]) -> None:
    who = match.decision.player
    indices = draw.sample(range(len(match.pending)), min(ANSWERS, len(match.pending)))
    after = [found for index in indices if (found := _after(match, index)) is not None]
    for (one, told), (two, other) in combinations(after, 2):
        if told != other and _announced(match, one.choices[-1]) != _announced(match, two.choices[-1]):
            continue  # that it was this line is said aloud, whatever comes of it
        if one.state[DRAWS] != two.state[DRAWS] or seen_by(one, who) == seen_by(two, who):
            continue
        if _asked(one) != _asked(two):
            continue  # all will see what is done with it
        if all(seen_by(one, seat) == seen_by(two, seat) for seat in range(match.players) if seat != who):
            assert told == other, f"only player {who + 1} knows the difference: {told} or {other}"
            assert all(one.told(seat) == two.told(seat) for seat in range(match.players) if seat != who)
            assert all(one.telling(seat) == two.telling(seat) for seat in range(match.players) if seat != who)
            counts["answers"] += 1


def _announced(match: Match, index: int) -> int:
    """Return the line of a menu that is named when it is taken; -1 for what may be told as a decision alone."""
    question, value = match.decision.question, match.pending[index]
    if question.kind != "menu" or index >= len(match.pending) - match.extra:
        return -1
    return -1 if match.labels.answers.secret(question.effect, value[0]) else value[0]


def _asked(match: Match) -> int:
    return -1 if match.pending is None else match.state[FRAMES][-1][0]


def _after(match: Match, index: int) -> tuple[Match, list[str]] | None:
    """A copy after an answer, and what is reported of it; None where such a world there cannot be."""
    copy = match.clone()
    before = len(copy.log)
    try:
        copy.pick(index)
    except MatchError:
        return None
    return copy, copy.log[before - 1 if before else 0 :]
