"""Sum up what rules, functions and blocks do: what they read and write, whether they ask, draw, or end the match.

In:     a resolved program.
Out:    a :class:`Summary` of every rule, with all that it calls and the rest after it, and of any block.

A summary is the union of what the nodes inside declare. Rules call each other, payments carry out rules, and behind
every question anytime actions may stand, so the summaries of the rules are the least ones that satisfy all of this
together. They grow from nothing until nothing changes: what is missing from one in the end, no way of carrying out the
rule can do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program.calls import find_circular
from patolli.language.program.model import Program, Rule
from patolli.language.program.node import Location, Node, declaration, walk

_PRIVATE = "variable"


@dataclass(frozen=True, slots=True)
class Summary:
    """What may happen.

    Attributes:
        reads: All that is looked at.
        writes: All that may be changed.
        asks: Whether a player may be asked.
        draws: Whether something is drawn at random.
        ends: Whether the match may end.
        faults: How it may fail, apart from what has been proven.
        runs: The rules that may be carried out directly.
    """

    reads: frozenset[Location] = frozenset()
    writes: frozenset[Location] = frozenset()
    asks: bool = False
    draws: bool = False
    ends: bool = False
    faults: frozenset[str] = frozenset()
    runs: frozenset[str] = frozenset()

    @property
    def changes(self) -> bool:
        """Whether the state may change; variables are no part of that."""
        return any(location[0] != _PRIVATE for location in self.writes)

    def merge_with(self, other: Summary) -> Summary:
        """Return what one or the other may do."""
        return Summary(
            self.reads | other.reads, self.writes | other.writes, self.asks or other.asks, self.draws or other.draws,
            self.ends or other.ends, self.faults | other.faults, self.runs | other.runs,
        )  # fmt: skip

    def outside(self) -> Summary:
        """Return the same as those see it who call: variables are private."""
        reads = frozenset([r for r in self.reads if r[0] != _PRIVATE])
        writes = frozenset([w for w in self.writes if w[0] != _PRIVATE])
        return Summary(reads, writes, self.asks, self.draws, self.ends, self.faults, self.runs)


def _close_summaries(own: dict[Location, Summary], purse: frozenset[Location]) -> dict[Location, Summary]:
    """Let summaries grow along calls and looks until nothing changes, as bits, since joining is most of the work."""
    bits: dict[Location, int] = {}

    def bits_of(locations: Iterable[Location]) -> int:
        found = 0
        for location in locations:
            found |= 1 << bits.setdefault(location, len(bits))
        return found

    calls = {key: [("beginning", rule) for rule in sorted(one.runs)] for key, one in own.items()}
    looks = {key: [location for location in one.reads if location in own] for key, one in own.items()}
    expanded = set(own)  # of a view of the keys, the difference would go through all of them, again for each key
    reads = {key: bits_of(one.reads - expanded) for key, one in own.items()}
    reads[("purse",)] |= bits_of(purse)
    writes = {key: bits_of(one.writes) for key, one in own.items()}
    runs = {key: bits_of(("rule", rule) for rule in one.runs) for key, one in own.items()}
    flags = {key: one.asks | one.draws << 1 | one.ends << 2 for key, one in own.items()}
    faults = {key: bits_of(("fault", fault) for fault in one.faults) for key, one in own.items()}
    moved = True
    while moved:
        moved = False
        for key in own:
            before = (reads[key], writes[key], runs[key], flags[key], faults[key])
            for inner in calls[key]:
                reads[key] |= reads[inner]
                for table in (writes, runs, flags, faults):
                    table[key] |= table[inner]
            for inner in looks[key]:
                reads[key] |= reads[inner]
            moved |= before != (reads[key], writes[key], runs[key], flags[key], faults[key])
    named = list(bits)

    @cache  # many rules do the same in the end
    def decode_mask(number: int) -> frozenset[Location]:
        found = []
        while number:
            low = number & -number
            found.append(named[low.bit_length() - 1])
            number ^= low
        return frozenset(found)

    return {
        key: Summary(
            decode_mask(reads[key]), decode_mask(writes[key]), bool(flags[key] & 1), bool(flags[key] & 2),
            bool(flags[key] & 4), frozenset(fault for _, fault in decode_mask(faults[key])),
            frozenset(rule for _, rule in decode_mask(runs[key])),
        )
        for key in own
    }  # fmt: skip


class Summaries:
    """The summaries of one program."""

    def __init__(self, program: Program) -> None:
        """Find the least summaries of all rules and functions."""
        self.program = program
        self.functions: dict[str, frozenset[Location]] = {}
        self.rules: dict[str, Summary] = {}
        self.kinds: dict[str, set[type[Node]]] = {}
        self._own: dict[Location, Summary] = {}
        self._found: dict[Location, Summary] = {}
        self._kept: dict[int, tuple[Node, frozenset[Location]]] = {}
        self._sums: dict[int, tuple[e.Effect | e.Block, Summary]] = {}
        self._of_rules()

    # -- fixed points

    def _of_rules(self) -> None:
        """Let the summaries grow along calls; each tree is walked once."""
        program = self.program
        for name, function in program.functions.items():
            self._own[("function", name)] = self._summarize_trees(function.body)
        self._own[("purse",)] = self._summarize_trees(*self.purse_conditions(), *self.costs)
        for rule in program.rules.values():
            own = self._summarize_trees(rule.block, kinds=self.kinds.setdefault(rule.name, set()))
            for trigger in (*rule.before, *rule.after):
                inner = self._summarize_trees(trigger.condition)
                own = own.merge_with(replace(inner, runs=inner.runs | {trigger.body}))
            self._own[("beginning", rule.name)] = own
        self._found = {key: one.outside() for key, one in _close_summaries(self._own, self._purse_counters()).items()}
        self.functions = {name: self._found[("function", name)].reads for name in program.functions}
        self.rules = {name: self._found[("beginning", name)] for name in program.rules}

    def runs_itself(self, rule: Rule) -> frozenset[str]:
        """Return the rules that one carries out directly, those of its triggers and of payments too."""
        return self._own[("beginning", rule.name)].runs

    @cached_property
    def called_rules(self) -> frozenset[str]:
        """The rules that a rule carries out directly."""
        return frozenset().union(*map(self.runs_itself, self.program.rules.values()))

    def names(self, rule: Rule) -> frozenset[str]:
        """Return the rules that a rule carries out or asks about, also in its triggers, payments and functions."""
        found: set[str] = set()
        open_, seen = list[Location]([("beginning", rule.name)]), set[Location]()
        while open_:
            own = self._own[open_.pop()]
            found |= own.runs | {str(location[1]) for location in own.reads if location[0] == "beginning"}
            looks = {location for location in own.reads if location[0] in ("function", "purse")} - seen
            seen |= looks
            open_ += looks
        return frozenset(found)

    def _summarize_trees(self, *trees: Node | Iterable[Node] | None, kinds: set[type[Node]] | None = None) -> Summary:
        """Return what some trees do themselves; other rules are only named. The *kinds* of their nodes are added."""
        reads: set[Location] = set()
        writes: set[Location] = set()
        faults: set[str] = set()
        runs: set[str] = set()
        asks = draws = ends = False
        for node in walk(*trees):
            declared = declaration(node)
            if kinds is not None:
                kinds.add(type(node))
            reads.update(declared.reads(node))
            faults.update(map(str, declared.faults))
            if isinstance(node, e.Option):  # its lines name variables, as a choice does
                writes.update(declared.writes(node))
            if not isinstance(node, e.Effect):
                continue
            draws, ends = draws or declared.draws, ends or declared.leaves == "match"
            if declared.runs:
                runs.update(rule.name for rule in self.list_called_rules(node))
            for location in declared.writes(node):
                if location[0] != "paying":
                    writes.add(location)
                elif declared.runs:
                    runs.update(self._paid_by(location[1], location[2]))
                    writes.update(self._given_for(location[1], location[2]))
            if self._asks_itself(node):
                asks = True
                runs.update(action.body for action in self.program.anytime)
        return Summary(
            frozenset(reads), frozenset(writes), asks, draws, ends, frozenset(faults),
            frozenset(name for name in runs if name in self.program.rules),
        )  # fmt: skip

    # -- what others ask for

    def of(self, tree: e.Effect | e.Block) -> Summary:
        """Return what a tree may do, with all that it calls; variables count here.

        Nodes and programs do not change once there are summaries, so the answer is kept, with the tree so that no other
        one gets its identity.
        """
        known = self._sums.get(id(tree))
        if known is None:
            own = self._summarize_trees(tree)
            found = Summary(
                self._expand_reads(own.reads), own.writes, own.asks, own.draws, own.ends, own.faults, own.runs
            )
            for rule in own.runs:
                found = found.merge_with(self._found[("beginning", rule)])
            known = self._sums[id(tree)] = tree, found
        return known[1]

    def written_by(self, effect: e.Effect) -> frozenset[Location]:
        """Return what an effect may write without the effects inside it and without a rule that it calls by name."""
        found: set[Location] = set()
        rules = {rule.name for rule in self.list_called_rules(effect)} if isinstance(effect, e.Do) else set()
        for location in declaration(effect).writes(effect):
            if location[0] == "paying":
                found |= self._given_for(location[1], location[2])
                rules |= self._paid_by(location[1], location[2])
            else:
                found.add(location)
        return frozenset(found).union(*(self.rules[rule].writes for rule in rules if rule in self.rules))

    def reads(self, *trees: Node | Iterable[Node] | None) -> frozenset[Location]:
        """Return what expressions look at."""
        return self.reads_of(walk(*trees))

    def reads_of(self, nodes: Iterable[Node]) -> frozenset[Location]:
        """Return what nodes look at by themselves, without those inside them."""
        return self._expand_reads({location for node in nodes for location in declaration(node).reads(node)})

    def read_by(self, expr: Node) -> frozenset[Location]:
        """Return what one expression looks at; asked often, so it is kept with the expression."""
        known = self._kept.get(id(expr))
        if known is None:
            known = self._kept[id(expr)] = expr, self.reads(expr)
        return known[1]

    def _expand_reads(self, reads: Iterable[Location]) -> frozenset[Location]:
        found: set[Location] = set()
        for location in reads:
            inner = self._found.get(location)
            found |= inner.reads if inner is not None else {location}
        return frozenset(found)

    def list_called_rules(self, effect: e.Effect) -> list[Rule]:
        """Return the rules that an effect carries out directly, those of a payment apart."""
        rules = self.program.rules
        match effect:
            case e.CallRule():
                return [rules[effect.rule]] if effect.rule in rules else []
            case e.Do():
                return [rules[name] for name in self.program.effect_rules(effect.kind, effect.fact) if name in rules]
        return []

    def asks(self, effect: e.Effect) -> bool:
        """Return whether an effect may ask a player, not counting the effects inside it."""
        return self._asks_itself(effect) or any(self.rules[rule.name].asks for rule in self.list_called_rules(effect))

    def changes(self, effect: e.Effect) -> bool:
        """Return whether an effect changes the state, not counting the effects inside it."""
        own = any(location[0] != _PRIVATE for location in declaration(effect).writes(effect))
        return own or any(self.rules[rule.name].changes for rule in self.list_called_rules(effect))

    # -- nodes

    def _asks_itself(self, effect: e.Effect) -> bool:
        match declaration(effect).asks:
            case "always":
                return True
            case "payment":
                assert isinstance(effect, e.Pay)
                return self.payment_asks(effect)
            case "gain":
                assert isinstance(effect, e.Gain)
                return any(isinstance(item, e.MixItem) for item in effect.items)
            case "anytime":
                return bool(self.program.anytime)
            case "order":
                assert isinstance(effect, e.For)
                return effect.any_order
        return False

    # -- payments

    @cached_property
    def substitution_targets(self) -> frozenset[str]:
        """The counters that something else may be paid for."""
        return frozenset(target for s in self.program.substitutions for target in s.targets)

    @cached_property
    def spent_counters(self) -> frozenset[str]:
        """The counters whose payment is left to a rule."""
        return frozenset(c.name for c in self.program.counters.values() if c.spend)

    @cached_property
    def tags(self) -> frozenset[str]:
        """The payments that discounts and waivers name."""
        discounts = {tag for discount in self.program.discounts for tag in discount.on}
        return frozenset(discounts | {tag for waiver in self.program.waivers for tag in waiver.on})

    def list_extra_counters(self, tag: str | None) -> frozenset[str]:
        """Return the counters that may cost more than a payment with a tag names."""
        dearer = (one for one in self.program.discounts if one.less < 0 and tag in one.on)
        return frozenset(counter for one in dearer for counter in one.targets)

    @cached_property
    def mixed_costs(self) -> bool:
        """Whether some piece has a cost with a mix in it."""
        return any(isinstance(node, e.MixItem) for cost in self.costs for node in walk(cost))

    @cached_property
    def named_by_costs(self) -> tuple[str, ...]:
        """The counters that the costs of facts and constants name."""
        items: list[Any] = [item for cost in self.costs for item in cost.items]
        return tuple(dict.fromkeys(name for item in items for name in item.counters))

    @cached_property
    def costs(self) -> list[e.CostOf]:
        """All costs that stand in facts and constants."""
        values = [v for d in self.program.designs.values() for v in d.facts.values()]
        values += [c.value for c in self.program.constants.values()]
        found: list[e.CostOf] = []
        while values:
            value = values.pop()
            if isinstance(value, e.CostOf):
                found.append(value)
            elif isinstance(value, list):
                values.extend(value)
            elif value is not None and not isinstance(value, str | Node):
                values.extend(value.rows.values())
        return found

    def plain(self, pay: e.Pay) -> bool:
        """Return whether only the counters that a payment names can be paid, and no part can be left out."""
        return pay.tag not in self.tags and all(
            isinstance(i, e.CounterItem) and i.counter not in self.substitution_targets | self.spent_counters
            for i in pay.items
        )

    def payment_asks(self, pay: e.Pay) -> bool:
        """Return whether a payment may leave the player a choice."""
        if pay.tag in self.tags:
            return True
        special = self.substitution_targets | self.spent_counters
        return any(
            bool(special or self.mixed_costs) if isinstance(item, e.CostItem)
            else not isinstance(item, e.CounterItem) or item.counter in special
            for item in pay.items
        )  # fmt: skip

    def spends(self, pay: e.Pay) -> bool:
        """Return whether a payment may be carried out by rules of the pack, which can change anything."""
        if self.list_extra_counters(pay.tag) & (
            self.spent_counters | (self.substitution_targets if self.spent_counters else frozenset())
        ):
            return True
        return bool(self.spent_counters) and any(
            not isinstance(item, e.CounterItem) or item.counter in self.spent_counters | self.substitution_targets
            for item in pay.items
        )

    def _may_depend_on_others(self, tag: str | None, counters: tuple[str, ...]) -> bool:
        """Return whether anything but the counters themselves may count for a payment."""
        return tag in self.tags or bool((self.substitution_targets | self.spent_counters) & set(counters))

    def _given_for(self, tag: str | None, counters: tuple[str, ...]) -> set[Location]:
        """Return what may be paid instead of the counters that a payment names, and beside them."""
        if not self._may_depend_on_others(tag, counters):
            return set()
        given = [s.give for s in self.program.substitutions if isinstance(s.give, e.CounterItem)]
        return {("counter", item.counter) for item in given} | {
            ("counter", name) for name in self.list_extra_counters(tag)
        }

    def given_for(self, pay: e.Pay) -> set[Location]:
        """Return the counters that may be paid instead of those that a payment names."""
        paying = [one for one in declaration(pay).writes(pay) if one[0] == "paying"]
        return {given for _, tag, counters in paying for given in self._given_for(tag, counters)}

    def _paid_by(self, tag: str | None, counters: tuple[str, ...]) -> set[str]:
        """Return the rules that a payment may carry out."""
        if not self._may_depend_on_others(tag, counters):
            return set()
        program = self.program
        bodies = {d.body for d in program.discounts if tag in d.on} | {w.body for w in program.waivers if tag in w.on}
        return {body for body in bodies | {c.spend for c in program.counters.values()} if body}

    def purse_conditions(self) -> list[x.Expr]:
        """Return the conditions on which it depends what something can be paid with."""
        program = self.program
        trees: list[x.Expr | None] = [formula.body for formula in program.list_payment_conditions()]
        trees += [w.when for w in program.waivers]
        trees += [w.binder.source for w in program.waivers if w.binder is not None]
        return [tree for tree in trees if tree is not None]

    def _purse_counters(self) -> frozenset[Location]:
        return frozenset(("counter", c.name) for c in self.program.counters.values() if c.dims[:1] == ("player",))

    # -- who calls whom

    @cached_property
    def circular(self) -> frozenset[Location]:
        """The functions and rules that may call themselves, also through others, a look ahead or a payment."""
        calls = {
            key: [*(("beginning", rule) for rule in own.runs), *(one for one in own.reads if one in self._own)]
            for key, own in self._own.items()
        }
        return frozenset(find_circular(calls))

    @cache  # noqa: B019 - lives as long as the program
    def list_reachable_rules(self, name: str) -> frozenset[str]:
        """Return the rules that may be carried out in the course of one."""
        found: set[str] = set()
        open_ = [name]
        while open_:
            for inner in self.rules[open_.pop()].runs - found:
                found.add(inner)
                open_.append(inner)
        return frozenset(found)
