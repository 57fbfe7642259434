"""Find what a simultaneous block would show before everybody has answered.

In:     a simultaneous block, typed.
Out:    the effects in it that another player could notice: each may change only what its own player alone can see.
"""

from __future__ import annotations

from collections.abc import Iterator

from patolli.analysis.model import Model
from patolli.analysis.traits import Traits, blocks_of
from patolli.analysis.walking import nodes
from patolli.language import tree as t


class Secrets:
    """Looks through one block; ``own`` are the names of the player who answers, ``taken`` where variables come from."""

    def __init__(self, model: Model, traits: Traits, block: t.Simultaneously) -> None:
        """Begin with the player of the block, who is me there."""
        self.model, self.traits = model, traits
        self.own = {block.binder.id, "me"}
        self.taken: dict[str, t.Expr] = {}

    def shown(self, block: t.Block) -> Iterator[t.Effect]:
        """Yield the effects that somebody else could notice."""
        for effect in block:
            if isinstance(effect, t.Choose | t.For):
                self.taken.update((binder.id, binder.source) for binder in effect.binders)
            elif isinstance(effect, t.Menu):
                self.taken.update((binder.id, binder.source) for o in effect.options for binder in o.binders)
            elif isinstance(effect, t.Let | t.Random):
                self.taken[effect.id] = effect.value if isinstance(effect, t.Let) else effect.source
            before = set(self.own)
            if isinstance(effect, t.As | t.PassTo) and not self._mine(effect.who):
                self.own.discard("me")
            if not self._hidden(effect):
                yield effect
            for inner in blocks_of(effect):
                yield from self.shown(inner)
            if not isinstance(effect, t.PassTo):
                self.own = before

    def _hidden(self, effect: t.Effect) -> bool:
        match effect:
            case t.Move():
                return self._secret_place(effect.to) and self._from_a_secret_place(effect.what)
            case t.SetTo():
                return t.note_of(effect.target)[0] == "variable" or self._secret_counter(effect.target)
            case t.Gain():
                mine = effect.who is None or self._mine(effect.who)
                return mine and all(self._secret_item(item, effect.who is not None) for item in effect.items)
        return not self.traits.changes(effect)

    def _mine(self, who: t.Expr) -> bool:
        return isinstance(who, t.Name) and who.id in self.own

    def _of_mine(self, expr: t.Expr) -> bool:
        """Tell whether the first index of a counter or place is the player who answers."""
        note = t.note_of(expr)
        if isinstance(expr, t.Attribute):
            return self._mine(expr.of)
        if note[2]:
            return "me" in self.own
        return isinstance(expr, t.Call) and bool(expr.arguments) and self._mine(expr.arguments[0])

    def _secret_counter(self, target: t.Expr) -> bool:
        note = t.note_of(target)
        return note[0] == "counter" and self.model.counters[note[1]].visible == "owner" and self._of_mine(target)

    def _secret_item(self, item: t.Item, given: bool) -> bool:
        note = t.note_of(item)
        if note[0] != "counter" or self.model.counters[note[1]].visible != "owner":
            return False
        if note[2]:
            return given or "me" in self.own
        return bool(item.arguments) and self._mine(item.arguments[0])

    def _secret_place(self, place: t.Expr) -> bool:
        note = t.note_of(place)
        if note[0] != "place":
            return False
        visible = self.model.places[note[1]].visible
        return visible == "none" or (visible == "owner" and self._of_mine(place))

    def _from_a_secret_place(self, piece: t.Expr) -> bool:
        """Tell whether nothing says that a piece was taken from where others can look."""
        source = self.taken.get(piece.id) if isinstance(piece, t.Name) else piece
        places = [node for node in nodes(source) if t.note_of(node)[0] == "place"]
        return all(isinstance(place, t.Expr) and self._secret_place(place) for place in places)
