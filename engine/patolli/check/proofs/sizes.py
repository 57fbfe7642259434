"""Find the moves between hidden places that reveal a choice by how many pieces lie there.

In:     what one player does in a simultaneous block, which shows nothing else; or in an anytime action meanwhile.
Out:    the moves that happen or not, or change other places, by what was answered.

How many pieces lie in a place is seen by all. So a move is no secret, only which piece is moved: it must happen
whatever was answered, out of the same place and into the same place. Ways that an answer chooses between, such as the
lines of a menu, may differ if each makes just the same moves: as many, out of the same places and into the same. A
value is *revealed* by an answer when it is one, is made from one, or is read where the block has written; what is done
where a revealed value decides is revealed, too, and so is the rest where such a value may lead away. That the sizes
themselves reveal nothing is what is shown here; assuming it of those that are read is sound, since the first move that
breaks it is found without them.

A piece that was taken from a place is known to lie there until another piece of its kind is moved, which may be the
same one. Those that were chosen together differ, so to move one of them leaves the others where they lie; and where
just so many are chosen, how many they are is no answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from patolli.check.proofs.terms import key
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program.node import Location, Node, children, declaration, walk
from patolli.language.program.summaries import Summaries

STAYS, BREAKS, LEAVES = range(3)
"""Whether a choice may lead past the rest: nothing does, to behind the loop, out of the rule."""
Held = x.Held
MOST = 20_000
"""Effects that are gone through, each as often as it is met; where there are more, all moves count as revealing."""
LONGEST = 100
"""Ways with more moves than this are taken to differ."""
NOWHERE: Mapping[x.Variable, Held] = {}
TAKING = ("first", "lowest", "highest", "only", "list", "sorted")


class _TooLongError(Exception):
    """There are more effects than are gone through."""


@dataclass(slots=True)
class Way:
    """What is moved on one way through a block: from which place and into which, None if that is not known.

    ``revealing`` holds the moves that reveal something unless all other ways make the same moves.
    """

    moves: list[tuple[Held, Held]] | None = field(default_factory=list)
    revealing: list[e.Move] = field(default_factory=list)


class Sizes:
    """Looks through what one player does."""

    def __init__(self, summaries: Summaries, mine: Callable[[x.Expr], bool]) -> None:
        """Begin with no answer; *mine* says whether a player is the one who chooses."""
        self.summaries, self.mine = summaries, mine
        self.revealed: set[x.Variable] = set()  # variables whose values are answers, or made from some
        self.there: set[x.Variable] = set()  # those of them that are there or not, whatever was answered
        self.counted: set[x.Variable] = set()  # lists that were chosen together: so many, whatever was answered
        self.lies: dict[x.Variable, Held] = {}  # where a piece lies that a variable is
        self.written: frozenset[Location] = frozenset()
        self.looked = False  # whether it depends on an answer what can be chosen somewhere
        self.found: dict[int, e.Move] = {}
        self.way = Way()
        self._open: list[str] = []
        self._met = 0

    def revealing(
        self, block: e.Block, given: Mapping[x.Variable, Held] = NOWHERE, *, revealed: bool = False
    ) -> list[e.Move]:
        """Return the moves that reveal something.

        Args:
            block: What is done.
            given: Where the pieces lie that some variables are to begin with.
            revealed: Whether it is an answer to carry out the block at all.
        """
        try:
            return self._find_revealing(block, given, revealed)
        except _TooLongError:
            rules = self.summaries.program.rules
            runs = self.summaries.of(block).runs
            names = sorted(runs.union(*map(self.summaries.list_reachable_rules, runs)))
            return [n for n in walk(*block, *(rules[name].block for name in names)) if isinstance(n, e.Move)]

    def _find_revealing(self, block: e.Block, given: Mapping[x.Variable, Held], revealed: bool) -> list[e.Move]:
        self.written = frozenset(one for one in self.summaries.of(block).writes if one[0] not in ("variable", "chance"))
        known = None
        while known != (
            known := (len(self.revealed), self.looked, len(self.found))
        ):  # an answer may come round in loops
            self.lies, self.way = dict(given), Way()
            self._block(block, revealed)
            self._add_reveals(self.way)
        return list(self.found.values())

    # -- what depends on an answer

    def _is_revealed(self, node: Node | None) -> bool:
        """Return whether a value may differ by what was answered."""
        match node:
            case None:
                return False
            case (
                x.BuiltinCall(builtin="size", arguments=(x.Held() as held,))
                | x.Whole(op="count" | "any", of=x.Held() as held)
                | x.Filled(of=x.Held() as held)
                | x.Present(of=x.Held() as held)
                | x.Present(of=x.BuiltinCall(builtin="top", arguments=(x.Held() as held,)))
            ):
                return any(map(self._is_revealed, held.indices))
            case x.Present(of=x.Local(variable=variable)) if variable in self.there:
                return False
            case (
                x.Filled(of=x.Local(variable=variable))
                | x.BuiltinCall(builtin="size", arguments=(x.Local(variable=variable),))
                | x.Whole(op="count" | "any", of=x.Local(variable=variable))
            ) if variable in self.counted:
                return False
            case x.Local(variable=variable):
                return variable in self.revealed and not self.mine(node)  # all know who chooses
            case x.FunctionCall() | x.Can() | x.After() | x.Payable():
                read = self.summaries.read_by(node)
            case _:
                read = frozenset(declaration(node).reads(node))
        return not self.written.isdisjoint(read) or any(map(self._is_revealed, children(node)))

    def _open_to_all(self, effect: e.Choose | e.For) -> bool:
        """Return whether it does not depend on an answer how many items there are to take."""
        binders, where = effect.binders, effect.where
        if isinstance(effect, e.Choose) and effect.several:
            items, least, most = effect.amount
            assert isinstance(items, x.Quantifier)
            if self._is_revealed(least) or self._is_revealed(most):
                return False
            binders, where = items.binders, items.where
        sources = [binder.source for binder in binders]
        known = all(not self._is_revealed(x.Filled(s, type=s.type, span=s.span)) for s in sources)
        return known and not self._is_revealed(where) and not self.looked

    # -- going through

    def _block(self, block: e.Block, revealed: bool) -> int:
        leads = STAYS
        for effect in block:
            leads = max(leads, self._effect(effect, revealed or leads != STAYS))
        return leads

    def _effect(self, effect: e.Effect, revealed: bool) -> int:
        self._met += 1
        if self._met > MOST:
            raise _TooLongError
        match effect:
            case e.Let(variable=variable, value=value) | e.Set(target=x.Local(variable=variable), value=value):
                self._becomes(variable, value, revealed)
            case e.Random():
                self._becomes(effect.variable, effect.source, revealed)
            case e.Require() | e.Expect():
                self.looked = self.looked or self._is_revealed(effect.condition)
            case e.Pay():
                self.looked = True
            case e.Move():
                self._move(effect, revealed)
            case e.If():
                inner = revealed or self._is_revealed(effect.condition)
                return self._ways([((), effect.then), ((), effect.other)], inner, revealed)
            case e.Choose():
                return self._choose(effect, revealed)
            case e.Menu():
                return self._menu(effect, revealed)
            case e.CallRule() | e.Do():
                self._call(effect, revealed)
            case e.As():
                self._becomes(effect.variable, effect.who, revealed)
                return self._block(effect.body, revealed)
            case e.Break():
                return BREAKS if revealed else STAYS
            case e.Return() | e.EndMatch():
                return LEAVES if revealed else STAYS
            case _ if isinstance(effect, e.Looping):
                return self._loop(effect, revealed)
            case _ if any(one[0] == "pieces" for one in declaration(effect).writes(effect)):
                self.way.moves = None
        return STAYS

    def _ways(self, ways: Sequence[tuple[tuple[x.Binder, ...], e.Block]], revealed: bool, outside: bool) -> int:
        """Go through ways if one of them is taken; a piece lies afterwards where it does behind all.

        Args:
            ways: For each what its variables are chosen from, and what is done.
            revealed: Whether an answer says which way is taken, or whether any is.
            outside: Whether an answer says that any is.
        """
        leads, before, outer = STAYS, dict(self.lies), self.way
        behind: list[dict[x.Variable, Held]] = []
        taken: list[Way] = []
        for binders, block in ways:
            self.lies, self.way = dict(before), Way()
            self._note_choice(binders)
            leads = max(leads, self._block(block, revealed))
            behind.append(self.lies)
            taken.append(self.way)
        self.way, self.lies = outer, behind[0]
        for lies in behind[1:]:
            self.lies = {v: at for v, at in self.lies.items() if v in lies and self._same(at, lies[v])}
        self._meet(taken, outside, leads == STAYS)
        return leads

    def _meet(self, taken: list[Way], outside: bool, stays: bool) -> None:
        """Keep what some ways move; what only reveals which of them was taken reveals nothing if all move the same."""
        moves = taken[0].moves if stays else None
        if moves is not None and all(self._alike(moves, one.moves) for one in taken[1:]):
            self._add_moves(moves)
            if outside:
                self.way.revealing += [move for one in taken for move in one.revealing]
            return
        self._add_moves(None)
        for one in taken:
            self._add_reveals(one)

    def _add_moves(self, moves: list[tuple[Held, Held]] | None) -> None:
        known = self.way.moves
        if known is None or moves is None or len(known) + len(moves) > LONGEST:
            self.way.moves = None
        else:
            known += moves

    def _add_reveals(self, way: Way) -> None:
        self.found.update((id(move), move) for move in way.revealing)

    def _alike(self, one: list[tuple[Held, Held]], other: list[tuple[Held, Held]] | None) -> bool:
        """Return whether two ways make the same moves, in any order."""
        if other is None or len(one) != len(other):
            return False
        left = list(other)
        for a, b in one:
            same = next((n for n, (c, d) in enumerate(left) if self._same(a, c) and self._same(b, d)), None)
            if same is None:
                return False
            del left[same]
        return True

    def _becomes(self, variable: x.Variable, value: x.Expr, revealed: bool) -> None:
        if revealed or self._is_revealed(value):
            self.revealed.add(variable)
        self.counted.discard(variable)
        self._lies_in(variable, self._place(value))

    def _lies_in(self, variable: x.Variable, place: Held | None) -> None:
        self.lies.pop(variable, None)
        if place is not None:
            self.lies[variable] = place

    def _place(self, piece: x.Expr) -> Held | None:
        """Return the place in which a piece is known to lie, or all pieces of a list."""
        while not isinstance(piece, x.Held | x.Local):
            source = taken_from(piece)
            if source is None:
                return None
            piece = source
        return self.lies.get(piece.variable) if isinstance(piece, x.Local) else piece

    def _note_choice(self, binders: tuple[x.Binder, ...]) -> None:
        for binder in binders:
            self.revealed.add(binder.variable)
            self._lies_in(binder.variable, self._place(binder.source) if len(binders) == 1 else None)

    def _choose(self, effect: e.Choose, revealed: bool) -> int:
        public = self._open_to_all(effect)
        if effect.otherwise is None and effect.decline is None:
            self.looked = self.looked or not public  # what asks before it is offered where this can be answered
        self._note_choice(effect.binders)
        names = {binder.variable for binder in effect.binders}
        self.there = self.there | names if public and effect.decline is None else self.there - names
        self.counted = self.counted | names if public and self._just_so_many(effect) else self.counted - names
        return self._ways([((), effect.otherwise or ()), ((), ())], revealed or not public, revealed)

    def _just_so_many(self, effect: e.Choose) -> bool:
        """Return whether several are chosen, and no answer says how many."""
        if not effect.several:
            return False
        _, least, most = effect.amount
        return key(least) == key(most)

    def _menu(self, effect: e.Menu, revealed: bool) -> int:
        ways = [(option.binders, option.body) for option in effect.options]
        if effect.may or effect.otherwise is not None:
            ways.append(((), effect.otherwise or ()))
        return self._ways(ways, revealed or len(ways) > 1, revealed)

    def _loop(self, effect: e.Looping, revealed: bool) -> int:
        match effect:
            case e.For():
                revealed = revealed or not self._open_to_all(effect)
            case e.Repeat():
                revealed = revealed or self._is_revealed(effect.times)
            case e.UpTo() | e.Simultaneously():
                revealed = True
        leads, apart, outer = STAYS, self._chosen_together(effect), self.way
        self.way = Way()
        for _ in range(2):  # the second pass begins with what the first one has moved
            if isinstance(effect, e.For):
                self._note_choice(effect.binders)
                if not _moves_no_other(effect):
                    for binder in effect.binders:
                        self.lies.pop(binder.variable, None)
                elif apart is not None:
                    self.lies[effect.binders[0].variable] = apart
            leads = max(leads, self._block(effect.body, revealed or leads != STAYS))
        body, self.way = self.way, outer
        self._add_reveals(body)
        if body.moves != []:
            self.way.moves = None  # how often is not known
        return LEAVES if leads == LEAVES else STAYS

    def _chosen_together(self, effect: e.Looping) -> Held | None:
        """Return where the pieces lie that a loop goes over, which were chosen together and so differ."""
        source = effect.binders[0].source if isinstance(effect, e.For) and len(effect.binders) == 1 else None
        known = isinstance(source, x.Local) and source.variable in self.counted
        return self._place(source) if source is not None and known else None

    def _call(self, effect: e.CallRule | e.Do, revealed: bool) -> None:
        rules = self.summaries.list_called_rules(effect)
        given = (effect.it,) if isinstance(effect, e.Do) else effect.arguments
        revealed = (
            revealed
            or len(rules) > 1
            or (isinstance(effect, e.Do) and any(map(self._is_revealed, (effect.it, effect.value))))
        )
        for rule in rules:
            outer, self.way = self.way, Way()
            for variable, value in zip(rule.variables, (effect.me, *given), strict=False):
                self._becomes(variable, value, revealed)
            leads = LEAVES
            if rule.name not in self._open:
                self._open.append(rule.name)
                leads = self._block(rule.block, revealed)
                self._open.pop()
            done, self.way = self.way, outer
            self.way.revealing += done.revealing
            self._add_moves(done.moves if leads == STAYS and len(rules) == 1 else None)
        if isinstance(effect, e.CallRule) and effect.into is not None:
            self.revealed.add(effect.into)
            self.lies.pop(effect.into, None)

    def _same(self, one: Held, other: Held) -> bool:
        """Return whether two places are one."""
        pairs = list(zip(one.indices, other.indices, strict=False))
        if pairs and all(map(self.mine, pairs[0])):
            pairs = pairs[1:]
        return one.place == other.place and all(key(a) == key(b) for a, b in pairs)

    def _move(self, effect: e.Move, revealed: bool) -> None:
        to, lies = effect.to, self._place(effect.what)
        target = x.Held(to.place, to.kind, to.indices, type=effect.what.type, span=effect.span)
        stays = lies is not None and self._same(lies, target)
        elsewhere = any(map(self._is_revealed, (*to.indices, *(lies.indices if lies is not None else ()))))
        if elsewhere or (not stays and lies is None):
            self.found[id(effect)] = effect
        elif not stays and revealed:
            self.way.revealing.append(effect)
        if not stays:
            self._add_moves(None if elsewhere or lies is None else [(lies, target)])
        self.lies = {
            v: at for v, at in self.lies.items() if at.kind != effect.kind or (stays and self._same(at, target))
        }
        if isinstance(effect.what, x.Local):
            self.lies[effect.what.variable] = target


def taken_from(piece: x.Expr) -> x.Expr | None:
    """Return what an expression takes a piece from, or some pieces; None where that is not one list."""
    match piece:
        case x.BuiltinCall(among=x.Expr() as source) | x.ItemAt(of=source):
            return source
        case x.BuiltinCall(builtin="combinations", arguments=(source, _, _)):
            return source
        case x.Whole(op=op, of=source) if op in TAKING:
            return source
        case x.Cut(binder=binder):
            return binder.source
        case x.Quantifier(op=op, value=None) if op in TAKING:
            return piece.binders[-1].source
    return None


def _moves_no_other(effect: e.For) -> bool:
    """Return whether a loop moves nothing but the piece of each pass, so that the others stay where they lie."""
    (binder,) = effect.binders if len(effect.binders) == 1 else (None,)
    if binder is None:
        return False
    open_ = list(effect.body)
    while open_:
        node = open_.pop()
        if isinstance(node, e.CallRule | e.Do):
            return False
        if isinstance(node, e.Move) and not (isinstance(node.what, x.Local) and node.what.variable is binder.variable):
            return False
        open_ += [one for one in children(node) if isinstance(one, e.Effect | e.Option)]  # type: ignore[misc]
    return True
