"""Find what a simultaneous block would show before everybody has answered.

In:     a simultaneous block, or an anytime action, which may be taken while such a block asks.
Out:    the effects in it that another player could notice.

Only what is known to be hidden passes: a change of what the player who answers alone can see, and of variables. A piece
may move between hidden places; where it comes from must be said by what it was taken from, because a piece that lay in
the open is missed there. What a rule does that is called counts as well, with its parameters for the arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from patolli.check.proofs.sizes import TAKING, Sizes, taken_from
from patolli.language.diagnostics import Span
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.model import Anytime, Attribute, Program, Rule
from patolli.language.program.node import Location, Node, children, declaration, walk
from patolli.language.program.summaries import Summaries

Noticed = tuple[e.Effect, tuple[e.Effect, ...]]
"""An effect that other players would notice, and the calls that lead to it, the outermost first."""
Leak = tuple[str, Node, str, *tuple[tuple[Span, str], ...]]
"""The arguments of a problem: a message, a node, a help, and further places."""


Known = frozenset[tuple[x.Variable, str]]
"""What is known of the variables of a rule or function that is called: ``own``, ``owned`` or ``unseen``."""
CONTEXTS = 8
"""In so many ways of calling it a rule or function is looked at; in others as if nothing was known of its variables."""


def quiet(program: Program, summaries: Summaries, action: Anytime) -> bool:
    """Return whether no other player notices an anytime action: it may be taken during secret choices of others."""
    secrets, body = Secrets(program, summaries, action.me), program.rules[action.body]
    given: list[x.Expr] = [x.Local(action.me, type=action.me.type, span=action.span)]
    lies: dict[x.Variable, x.Held | None] = {}
    if action.binder is not None:
        variable = action.binder.variable
        secrets.taken[variable] = action.binder.source
        given.append(x.Local(variable, type=variable.type, span=action.span))
        lies = dict.fromkeys(body.parameters, secrets.find_place(action.binder.source))
    noticed = next(secrets.find_noticed_in(body, tuple(given)), None)
    return noticed is None and not secrets.may_reveal_by_count(body, lies)


class Secrets:
    """Looks through what one player does; ``own`` are variables of that player, ``taken`` where others come from."""

    def __init__(self, program: Program, summaries: Summaries, *own: x.Variable) -> None:
        """Begin with the variables that are the player who answers."""
        self.program, self.summaries = program, summaries
        self.own = set(own)
        self.taken: dict[x.Variable, x.Expr] = {}
        self.owned: set[x.Variable] = set()  # variables of pieces and cells that belong to the player
        self.unseen: set[x.Variable] = set()  # parameters that are pieces from where no other player can look
        self.open: list[str] = []
        self._noticed: dict[str, dict[Known, list[tuple[e.Effect | None, tuple[e.Effect, ...]]]]] = {}
        self._peeked: dict[str, dict[Known, bool]] = {}
        self._prepared: set[int] = set()  # identities of blocks
        self._changing: set[x.Variable] = set()  # variables that get another value somewhere

    def find_leaks(self, block: e.Block) -> Iterator[Leak]:
        """Yield what is wrong with what another player could notice: where, what to do, and the calls on the way."""
        self._prepare(block)
        self._peeked.clear()
        shown: dict[int, Noticed] = {}
        for effect, calls in self._block(block):
            shown.setdefault(id(effect), (effect, calls))
        for effect, calls in shown.values():
            help_ = (
                self._shown_by_its_field(effect)
                or self._name_owned(_list_changed(effect))
                or ("use places and counters with 'visible: owner', and show them after the block")
            )
            also = tuple((call.span, "called here") for call in calls)
            yield ("the others would see this before they have chosen", effect, help_, *also)
        if not shown:
            for node in self._peeking(block, written=self.summaries.of(block).writes):
                owned = self._name_owned([node])
                help_ = f"{owned}, or read it after the block" if owned else "read it after the block"
                yield "this is what others have just chosen in secret", node, help_
            for effect in self._sizes().revealing(block):
                help_ = "move something for every choice, or only record the choice in a counter with 'visible: owner'"
                yield "how many pieces lie there would reveal to the others what was chosen", effect, help_

    def _shown_by_its_field(self, effect: e.Effect) -> str:
        """Say what is to be done about a field that is hidden, but not always."""
        target = effect.target if isinstance(effect, e.Set) else None
        if not isinstance(target, x.FieldOf) or not self._field(target).unless:
            return ""
        name = target.field
        instead = f"note it in a field without one, and set {name!r} after the block"
        return f"{name!r} is shown if its 'unless' is true; {instead}"

    def _name_owned(self, nodes: Iterable[Node]) -> str:
        """Say how a piece or cell is taken that is certainly the player's, if one of *nodes* is hidden by its owner."""
        for node in nodes:
            match node:
                case x.FieldOf():
                    visible, of = self._field(node).visible, node.of
                case x.CounterAt() | e.CounterItem() if node.indices:
                    visible, of = self.program.counters[node.counter].visible, node.indices[0]
                case x.Held() | x.RowSpot() | e.PlaceAt() if node.place and node.indices:
                    visible, of = self.program.places[node.place].visible, node.indices[0]
                case _:
                    continue
            type_ = ty.strip(of.type)
            kind = self.program.kinds[type_.kind] if isinstance(type_, ty.Ref) else None
            if visible == "owner" and kind is not None and kind.per_player and not self._belongs(of):
                return (
                    f"it may be that of another player: take it from owned({kind.name}), as in"
                    f" 'choose x in owned({kind.name})'"
                )
        return ""

    def may_reveal_by_count(self, rule: Rule, lies: Mapping[x.Variable, x.Held | None]) -> bool:
        """Return whether the number of pieces in a place reveals that a rule was carried out, or a choice in it.

        Args:
            rule: The rule.
            lies: Where the pieces lie that its parameters are, None where that is not known.
        """
        given = {variable: place for variable, place in lies.items() if place is not None}
        return bool(self._sizes().revealing(rule.block, given, revealed=True))

    def _sizes(self) -> Sizes:
        return Sizes(self.summaries, self._mine)

    def _prepare(self, block: e.Block) -> None:
        """Forget whose a variable is that gets another value somewhere."""
        if id(block) not in self._prepared:
            self._prepared.add(id(block))
            for node in walk(block):
                match node:
                    case e.Set(target=x.Local(variable=variable)) | e.PassTo(variable=variable):
                        self._changing.add(variable)
        self.own -= self._changing

    def _block(self, block: e.Block) -> Iterator[Noticed]:
        for effect in block:
            yield from self._effect(effect)

    def _peeking(self, *trees: Node | e.Block, written: frozenset[Location]) -> Iterator[Node]:
        """Yield what looks at what others have answered in the same block, which has *written* it."""
        targets = {id(node.target) for node in walk(*trees) if isinstance(node, e.Set)}
        for node in walk(*trees):
            self._note(node)
            if id(node) not in targets and self._answered_by_others(node, written):
                yield node

    def _peeks(
        self, name: str, pairs: Iterable[tuple[x.Variable, x.Expr]], body: Node | e.Block,
        written: frozenset[Location],
    ) -> bool:  # fmt: skip
        """Return whether a rule or function does so, with values for its variables."""
        seen = self._peeked.setdefault(name, {})
        known = self._give(pairs, seen)
        if known not in seen:
            seen[known] = False  # what comes back to itself shows nothing new
            self._prepare(body if isinstance(body, tuple) else ())
            seen[known] = any(True for _ in self._peeking(body, written=written))
        return seen[known]

    def _give(self, pairs: Iterable[tuple[x.Variable, x.Expr]], seen: Mapping[Known, object]) -> Known:
        """Note what is known of the variables of a rule or function that is called; return it."""
        pairs = list(pairs)
        flags = {(variable, "own") for variable, value in pairs if self._mine(value)}
        flags |= {(variable, "owned") for variable, value in pairs if self._belongs(value)}
        flags |= {(variable, "unseen") for variable, value in pairs if self._from_a_secret_place(value)}
        known = frozenset(flags)
        if known not in seen and len(seen) >= CONTEXTS:
            known = frozenset()
        for variable, _ in pairs:
            self.taken.pop(variable, None)
            for kind, variables in (("own", self.own), ("owned", self.owned), ("unseen", self.unseen)):
                (variables.add if (variable, kind) in known else variables.discard)(variable)
        return known

    def _answered_by_others(self, node: Node, written: frozenset[Location]) -> bool:
        """Return whether something looks at what others have answered in the same block."""
        match node:
            case x.FunctionCall():
                function = self.program.functions[node.function]
                pairs = zip((function.me, *function.parameters), (node.me, *node.arguments), strict=True)
                return self._peeks(f"function {node.function}", pairs, function.body, written)
            case e.CallRule() | e.Do():
                given = (node.me, *((node.it,) if isinstance(node, e.Do) else node.arguments))
                called = self.summaries.list_called_rules(node)
                return any(self._peeks(r.name, zip(r.variables, given, strict=False), r.block, written) for r in called)
            case x.After():
                self.own |= {one.variable for one in node.given if self._mine(one.source)}
                self.owned |= {one.variable for one in node.given if self._belongs(one.source)}
                rule = self.program.rules[node.rule]
                pairs = zip(rule.variables, (node.me, *node.arguments), strict=False)
                return self._peeks(rule.name, pairs, rule.block, written)
            case x.CounterAt():
                if ("counter", node.counter) in written:
                    return self._of_others(self.program.counters[node.counter].visible, node.indices)
            case x.FieldOf():
                if ("field", node.kind, node.field) in written:
                    return self._of_others(self._field(node).visible, (node.of,))
            case x.Held() | x.RowSpot() if node.place:
                if ("pieces", node.kind) in written:
                    return self._of_others(self.program.places[node.place].visible, node.indices)
        return False

    def _of_others(self, visible: str, indices: tuple[x.Expr, ...]) -> bool:
        """Return whether something hidden may belong to another player; what no player sees belongs to all."""
        if visible == "others":  # its owner does not see it, and all others do
            return True
        if visible == "none":
            return not (indices and self._belongs(indices[0]))
        return visible == "owner" and not self._belongs(indices[0])

    def _note(self, node: Node) -> None:
        """Note where the variables of an effect come from."""
        match node:
            case e.Choose() | e.For():
                self._bind(node.binders, node.where)
            case e.Option():
                self._bind(node.binders, node.condition)
            case e.Let():
                self.taken[node.variable] = node.value
                (self.own.add if self._mine(node.value) else self.own.discard)(node.variable)
            case e.Random():
                self.taken[node.variable] = node.source
            case e.As():
                (self.own.add if self._mine(node.who) else self.own.discard)(node.variable)

    def _effect(self, effect: e.Effect) -> Iterator[Noticed]:
        self._note(effect)
        if isinstance(effect, e.CallRule | e.Do):
            yield from self._find_noticed_calls(effect)
            return
        if not self._hidden(effect):
            yield effect, ()
        for inner in children(effect):
            yield from self._inside(inner)

    def _inside(self, node: object) -> Iterator[Noticed]:
        if isinstance(node, e.Effect):
            yield from self._effect(node)
        elif isinstance(node, e.Option):
            self._note(node)
            yield from self._block(node.body)

    def _find_noticed_calls(self, effect: e.CallRule | e.Do) -> Iterator[Noticed]:
        """Yield what would be noticed in the rules that a call carries out."""
        arguments = (effect.it,) if isinstance(effect, e.Do) else effect.arguments
        for rule in self.summaries.list_called_rules(effect):
            for inner, calls in self.find_noticed_in(rule, (effect.me, *arguments)):
                yield (inner, (effect, *calls)) if inner is not None else (effect, ())

    def _has_noticeable_effect(self, rule: Rule) -> bool:
        """Return whether a rule does anything at all that may be noticed."""
        return self.summaries.rules[rule.name].changes or any(
            not e.REPORTS.isdisjoint(self.summaries.kinds[name])
            for name in (rule.name, *self.summaries.list_reachable_rules(rule.name))
        )

    def find_noticed_in(
        self, rule: Rule, given: tuple[x.Expr, ...]
    ) -> Iterator[tuple[e.Effect | None, tuple[e.Effect, ...]]]:
        """Yield what others notice in a rule that is called with certain values, me first; None for the whole rule.

        Each effect comes once, with the first calls that lead to it.
        """
        if rule.name in self.open or rule.before or rule.after:
            # What comes back to itself is not followed, and triggers act for their owner.
            if self._has_noticeable_effect(rule):
                yield None, ()
            return
        seen = self._noticed.setdefault(rule.name, {})
        known = self._give(zip(rule.variables, given, strict=False), seen)
        if known not in seen:
            self.open.append(rule.name)
            self._prepare(rule.block)
            found: dict[int, tuple[e.Effect | None, tuple[e.Effect, ...]]] = {}
            for effect, calls in self._block(rule.block):
                found.setdefault(id(effect), (effect, calls))
            self.open.pop()
            seen[known] = list(found.values())
        yield from seen[known]

    def _hidden(self, effect: e.Effect) -> bool:
        match effect:
            case e.Say() | e.Reveal():
                return False
            case e.Move():
                return self._secret_place(effect.to) and self._from_a_secret_place(effect.what)
            case e.Set():
                return isinstance(effect.target, x.Local) or self._secret_number(effect.target)
            case e.Gain():
                return all(self._secret_item(item) for item in effect.items)
        return all(location[0] in ("variable", "chance") for location in declaration(effect).writes(effect))

    def _mine(self, who: x.Expr) -> bool:
        return isinstance(who, x.Local) and who.variable in self.own - self._changing

    def _bind(self, binders: tuple[x.Binder, ...], where: x.Expr | None) -> None:
        """Note where variables come from, and which are said to belong to the player, as by ``c.owner == me``."""
        for binder in binders:
            self.taken[binder.variable] = binder.source
            self.owned.discard(binder.variable)
            if self._said_to_belong(binder.variable, where) or self._all_belong(binder.source):
                self.owned.add(binder.variable)

    def _said_to_belong(self, variable: x.Variable, where: x.Expr | None) -> bool:
        match where:
            case x.Logic(op="and"):
                return self._said_to_belong(variable, where.left) or self._said_to_belong(variable, where.right)
            case x.Compare(op="=="):
                return any(
                    isinstance(one, x.FactOf) and one.fact == "owner" and isinstance(one.of, x.Local)
                    and one.of.variable is variable and self._mine(other)
                    for one, other in ((where.left, where.right), (where.right, where.left))
                )  # fmt: skip
        return False

    def _all_belong(self, source: x.Expr) -> bool:
        """Return whether everything in a list belongs to the player."""
        match source:
            case x.BuiltinCall(builtin="owned", arguments=(who, *_)):
                return self._mine(who)
            case x.Quantifier(op="list", value=None):
                last = source.binders[-1]
                return self._said_to_belong(last.variable, source.where) or self._all_belong(last.source)
            case x.FunctionCall() if source.function not in self.open:
                function = self.program.functions[source.function]
                self.open.append(function.name)
                given = zip((function.me, *function.parameters), (source.me, *source.arguments), strict=True)
                mine = {variable for variable, argument in given if self._mine(argument)} - self.own
                self.own |= mine
                found = isinstance(function.body, x.Quantifier) and self._all_belong(function.body)
                self.own -= mine
                self.open.pop()
                return found
        return False

    def _belongs(self, one: x.Expr) -> bool:
        """Return whether something is the player, or one of that player's pieces or cells."""
        match one:
            case x.Local(variable=variable) if variable in self.taken and variable not in self._changing:
                return variable in self.owned or self._mine(one) or self._belongs(self.taken[variable])
            case x.Quantifier(op=op, value=None) if op in TAKING:
                last = one.binders[-1]
                return self._said_to_belong(last.variable, one.where) or self._all_belong(last.source)
            case x.Whole(op=op, of=source) if op in TAKING:
                return self._all_belong(source)
        return self._mine(one) or (isinstance(one, x.Local) and one.variable in self.owned - self._changing)

    def _field(self, field: x.FieldOf) -> Attribute:
        return self.program.kinds[field.kind].fields[field.field]

    def _secret_number(self, target: x.Expr) -> bool:
        if isinstance(target, x.FieldOf):
            field = self._field(target)
            return not field.unless and self._visible_to_me(field.visible, (target.of,))
        if not isinstance(target, x.CounterAt):
            return False
        return self._visible_to_me(self.program.counters[target.counter].visible, target.indices)

    def _secret_item(self, item: e.Item) -> bool:
        if not isinstance(item, e.CounterItem):
            return False
        return self._visible_to_me(self.program.counters[item.counter].visible, item.indices)

    def _visible_to_me(self, visible: str, indices: tuple[x.Expr, ...]) -> bool:
        return visible == "none" or (visible == "owner" and bool(indices) and self._belongs(indices[0]))

    def _secret_place(self, place: e.PlaceAt | x.Held) -> bool:
        if not place.place:
            return False
        return self._visible_to_me(self.program.places[place.place].visible, place.indices)

    def _from_a_secret_place(self, piece: x.Expr) -> bool:
        """Return whether a piece is known to have been taken from where no other player can look."""
        if isinstance(piece, x.Local) and piece.variable in self.unseen - self._changing:
            return True
        place = self.find_place(piece)
        return place is not None and self._secret_place(place)

    def find_place(self, piece: x.Expr) -> x.Held | None:
        """Return the place from which a piece is known to have been taken, or a list of pieces."""
        match piece:
            case x.Held():
                return piece
            case x.Local(variable=variable) if variable in self.taken and variable not in self._changing:
                return self.find_place(self.taken[variable])
            case x.Local():
                return None
        source = taken_from(piece)
        return self.find_place(source) if source is not None else None


def _list_changed(effect: e.Effect) -> tuple[Node, ...]:
    """Return what an effect sets, raises or moves something to."""
    match effect:
        case e.Set():
            return (effect.target,)
        case e.Gain():
            return effect.items
        case e.Move():
            return (effect.to,)
    return ()
