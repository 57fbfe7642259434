"""Find out what the beginning of a rule reads, and what another rule may change.

In:     a typed model with the traits of its rules.
Out:    sets of names: a counter, ``kind.field`` for a field, ``pieces of kind`` for where the pieces of a kind are.

Both are too large rather than too small: every branch counts, and so does everything that is called.
"""

from __future__ import annotations

from patolli.analysis.effects import effect_rules
from patolli.analysis.model import Model, Rule
from patolli.analysis.traits import Traits, walk
from patolli.analysis.walking import nodes
from patolli.language import tree as t

ANYTHING = "anything"
"""Stands in a set for all names."""


class Footprints:
    """Answers for one model."""

    def __init__(self, model: Model, traits: Traits) -> None:
        """Begin with nothing known."""
        self.model, self.traits = model, traits

    def disturbs(self, changer: Rule, looked_at: Rule) -> set[str]:
        """Return what the one rule may change of what the beginning of the other looks at."""
        changed, read = self.changed(changer, set()), self.read(looked_at, set())
        if ANYTHING in changed:
            return read
        return changed if ANYTHING in read else changed & read

    # -- what is changed

    def changed(self, rule: Rule, seen: set[str]) -> set[str]:
        """Return what a rule may change, with all rules that it calls."""
        if rule.name in seen:
            return set()
        seen.add(rule.name)
        found: set[str] = set()
        for effect in walk(rule.block):
            found |= self._changed_by(effect)
            for inner in self.traits.called(effect):
                found |= self.changed(inner, seen)
        if self.model.anytime and rule.asks:
            found.add(ANYTHING)
        for trigger in (*rule.before, *rule.after):
            found |= self.changed(self.model.rules[trigger.body], seen)
        return found

    def _changed_by(self, effect: t.Effect) -> set[str]:
        match effect:
            case t.Pay() if self.traits.payment_asks(effect):
                return {ANYTHING}
            case t.Gain() | t.Pay():
                return {name for item in effect.items for name in self._counters(item)}
            case t.SetTo():
                return _of_note(effect.target)
            case t.Move() | t.Swap() | t.Shuffle() | t.Draw() | t.Refill() | t.Slide():
                return {f"pieces of {kind}" for kind in self._kinds(effect)}
        return set()

    def _counters(self, item: t.Item) -> set[str]:
        note = t.note_of(item)
        if note[0] == "counter":
            return {note[1]}
        return set(self.model.groups[note[1]]) if note[0] == "mix" else set(self.model.counters)

    def _kinds(self, effect: t.Effect) -> set[str]:
        places = {t.note_of(node)[1] for node in nodes(effect) if t.note_of(node)[0] == "place"}
        return {self.model.places[place].of for place in places} or set(self.model.kinds)

    # -- what is read

    def read(self, rule: Rule, seen: set[str]) -> set[str]:
        """Return what the beginning of a rule looks at."""
        if rule.name in seen:
            return set()
        seen.add(rule.name)
        return self._read_block(rule.block, seen)

    def _read_block(self, block: t.Block, seen: set[str]) -> set[str]:
        found: set[str] = set()
        for position, effect in enumerate(block):
            if not self.traits.guard(block[position:])[0]:
                break
            found |= self._read_effect(effect, seen)
            if not isinstance(effect, t.If) and self.traits.ends(effect) and not isinstance(effect, t.Pay):
                break
        return found

    def _read_effect(self, effect: t.Effect, seen: set[str]) -> set[str]:
        match effect:
            case t.If():
                inner = self._read_block(effect.then, seen) | self._read_block(effect.other, seen)
                return inner | self._read_tree(effect.condition, seen)
            case t.As():
                return self._read_block(effect.body, seen) | self._read_tree(effect.who, seen)
            case t.Menu():
                found: set[str] = set()
                for option in effect.options:
                    found |= self._read_tree([option.condition, option.binders], seen)
                    found |= self._read_block(option.body, seen)
                return found
            case t.Pay() if self.traits.payment_asks(effect):
                return self._read_payments(seen) | self._read_tree(effect.items, seen)
            case t.Pay():
                own = {name for item in effect.items for name in self._counters(item)}
                return own | self._read_tree(effect.items, seen)
        found = self._read_tree(effect, seen)
        for rule in self.traits.called(effect):
            found |= self.read(rule, seen)
        return found

    def _read_payments(self, seen: set[str]) -> set[str]:
        """Return what any payment may look at: all counters, and what its costs and its side ways depend on."""
        if self.traits.spent:
            return {ANYTHING}
        if "payments" in seen:  # what stands for a payment may depend on whether something can be paid
            return set()
        seen.add("payments")
        model = self.model
        sides = [
            *(s.when for s in model.substitutions),
            *(d.when for d in model.discounts),
            *(w.when for w in model.waivers),
        ]
        each = [waiver.binder.source for waiver in model.waivers if waiver.binder is not None]
        costs = [value for design in model.designs.values() for value in design.facts.values()]
        return set(model.counters) | self._read_tree([sides, each, costs], seen)

    def _read_tree(self, tree: object, seen: set[str]) -> set[str]:
        found: set[str] = set()
        for node in nodes(tree):
            found |= _of_note(node)
            note = t.note_of(node)
            if note[0] == "place":
                found.add(f"pieces of {self.model.places[note[1]].of}")
            elif note[0] == "function" and f"function {note[1]}" not in seen:
                seen.add(f"function {note[1]}")
                found |= self._read_tree(self.model.functions[note[1]].body, seen)
            elif note[0] == "builtin" and isinstance(node, t.Call):
                found |= self._read_builtin(node, seen)
        return found

    def _read_builtin(self, call: t.Call, seen: set[str]) -> set[str]:
        if call.id == "payable":
            return self._read_payments(seen) | self._read_tree(call.arguments, seen)
        if call.id == "have":
            return set(self.model.counters)
        inner = call.arguments[0] if call.arguments else None
        if call.id == "can" and isinstance(inner, t.Call) and inner.id in self.model.rules:
            return self.read(self.model.rules[inner.id], seen)
        if call.id == "can":
            kinds = ((k, f) for k in self.model.kinds for f in self.model.kinds[k].facts)
            names = {name for k, f in kinds for name in effect_rules(self.model, k, f)}
            return {x for name in sorted(names) for x in self.read(self.model.rules[name], seen)}
        return set()


def _of_note(node: object) -> set[str]:
    note = t.note_of(node)
    if note[0] == "counter":
        return {note[1]}
    return {f"{note[1]}.{note[2]}"} if note[0] == "field" else set()
