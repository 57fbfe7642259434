"""Find what a simultaneous block would show before everybody has answered.

In:     a simultaneous block.
Out:    the effects in it that another player could notice.

Only what is known to be hidden passes: a change of what the player who answers alone can see, and of variables. A piece
may move between hidden places; where it comes from must be said by what it was taken from, because a piece that lay in
the open is missed there. What a rule does that is called counts as well, with its parameters for the arguments.
"""

from __future__ import annotations

from collections.abc import Iterator

from patolli.program import effects as e
from patolli.program import expressions as x
from patolli.program.model import Program, Rule
from patolli.program.node import children, declaration
from patolli.program.summaries import Summaries

TAKING = ("first", "lowest", "highest", "list", "sorted")


class Secrets:
    """Looks through one block; ``own`` are the variables of the one who answers, ``taken`` where others come from."""

    def __init__(self, program: Program, summaries: Summaries, block: e.Simultaneously) -> None:
        """Begin with the player of the block, who is me there."""
        self.program, self.summaries = program, summaries
        self.own = {block.variable, block.me}
        self.taken: dict[x.Variable, x.Expr] = {}
        self.open: list[str] = []

    def shown(self, block: e.Block) -> Iterator[e.Effect]:
        """Yield the effects that somebody else could notice."""
        for effect in block:
            yield from self._effect(effect)

    def _effect(self, effect: e.Effect) -> Iterator[e.Effect]:
        match effect:
            case e.Choose() | e.For():
                self.taken.update((binder.variable, binder.source) for binder in effect.binders)
            case e.Menu():
                self.taken.update((b.variable, b.source) for option in effect.options for b in option.binders)
            case e.Let():
                self.taken[effect.variable] = effect.value
                if self._mine(effect.value):
                    self.own.add(effect.variable)
            case e.Random():
                self.taken[effect.variable] = effect.source
            case e.As():
                if self._mine(effect.who):
                    self.own.add(effect.variable)
            case e.PassTo():
                self.own.discard(effect.variable)
            case e.CallRule() | e.Do():
                yield from self._called(effect)
                return
        if not self._hidden(effect):
            yield effect
        for inner in children(effect):
            yield from self._inside(inner)

    def _inside(self, node: object) -> Iterator[e.Effect]:
        if isinstance(node, e.Effect):
            yield from self._effect(node)
        elif isinstance(node, e.Option):
            yield from self.shown(node.body)

    def _called(self, effect: e.CallRule | e.Do) -> Iterator[e.Effect]:
        """Yield a call where something in the rules that it carries out would be noticed."""
        arguments = (effect.it,) if isinstance(effect, e.Do) else effect.arguments
        for rule in self.summaries.called(effect):
            if self.summaries.rules[rule.name].changes and self._seen_in(rule, (effect.me, *arguments)):
                yield effect
                return

    def _seen_in(self, rule: Rule, given: tuple[x.Expr, ...]) -> bool:
        if rule.name in self.open or rule.before or rule.after:
            return True  # what comes back to itself is not followed, and triggers act for whoever has them
        self.open.append(rule.name)
        for variable, argument in zip((rule.me, *rule.parameters), given, strict=False):
            self.own.discard(variable)
            if self._mine(argument):
                self.own.add(variable)
            self.taken[variable] = argument
        found = any(True for _ in self.shown(rule.block))
        self.open.pop()
        return found

    def _hidden(self, effect: e.Effect) -> bool:
        match effect:
            case e.Move():
                return self._secret_place(effect.to) and self._from_a_secret_place(effect.what, 0)
            case e.Set():
                return isinstance(effect.target, x.Local) or self._secret_counter(effect.target)
            case e.Gain():
                return all(self._secret_item(item) for item in effect.items)
        return all(location[0] in ("variable", "chance") for location in declaration(effect).writes(effect))

    def _mine(self, who: x.Expr) -> bool:
        return isinstance(who, x.Local) and who.variable in self.own

    def _secret_counter(self, target: x.Expr) -> bool:
        if not isinstance(target, x.CounterAt):
            return False
        return self._visible_to_me(self.program.counters[target.counter].visible, target.indices)

    def _secret_item(self, item: e.Item) -> bool:
        if not isinstance(item, e.CounterItem):
            return False
        return self._visible_to_me(self.program.counters[item.counter].visible, item.indices)

    def _visible_to_me(self, visible: str, indices: tuple[x.Expr, ...]) -> bool:
        return visible == "none" or (visible == "owner" and bool(indices) and self._mine(indices[0]))

    def _secret_place(self, place: e.PlaceAt | x.Held) -> bool:
        if not place.place:
            return False
        return self._visible_to_me(self.program.places[place.place].visible, place.indices)

    def _from_a_secret_place(self, piece: x.Expr, depth: int) -> bool:
        """Tell whether a piece is known to have been taken from where nobody else can look."""
        if depth > len(self.taken) + 1:
            return False
        match piece:
            case x.Held():
                return self._secret_place(piece)
            case x.Local(variable=variable) if variable in self.taken:
                return self._from_a_secret_place(self.taken[variable], depth + 1)
            case x.BuiltinCall(among=x.Expr() as source):
                return self._from_a_secret_place(source, depth + 1)
            case x.Whole(op=op, of=source) if op in TAKING:
                return self._from_a_secret_place(source, depth + 1)
            case x.Quantifier(op=op, value=None) if op in TAKING:
                return self._from_a_secret_place(piece.binders[-1].source, depth + 1)
            case x.ItemAt(of=source):
                return self._from_a_secret_place(source, depth + 1)
        return False
