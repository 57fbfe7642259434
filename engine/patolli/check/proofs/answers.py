"""Find which answers are secret: only the player who makes them learns them.

In:     a resolved program.
Out:    whether an answer, shown to others, would reveal something that the declarations hide.

What a value is used for is followed through variables, conditions, calls and what rules return. An answer is secret
where something is made from it that not everybody sees: the amount of a hidden counter, or its index, the field of a
piece that may lie face down, which piece goes from one hidden place to another. A line of a menu is secret, too, where
all that it does is hidden. Whether a piece that is named lies in the open is a question to the state, and not asked
here; but taking none is secret where taking one may be (``proofs.noticed_choices``).

A rule may be called with a piece from a hidden place at one call, and with one that everybody sees at another. So what
flows into a rule is followed for each set of its parameters that are known to lie in the open (``Context``): what a
player chooses for an open piece does not become secret by a call elsewhere.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from patolli.check.proofs.noticed_choices import Showing
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.counted import find_counted_place
from patolli.language.program.model import Anytime, Program, Rule
from patolli.language.program.node import Node, children, declaration, walk
from patolli.language.program.preconditions import Demand, Preconditions
from patolli.language.program.summaries import Summaries

Spot = x.Variable | tuple[str, str]
"""A variable, or what a rule returns."""
Context = frozenset[x.Variable]
"""The parameters of a rule that are known to lie in the open at a call of it."""
Flow = tuple[Context, Spot]
"""A spot in a rule that was called so."""
CONTEXTS = 8
"""In how many contexts a rule is followed; any other call counts as one with hidden pieces."""
DEEP = 6
"""How many steps it is followed where a piece comes from."""
_NOTHING: frozenset[Spot] = frozenset()


class Answers:
    """What becomes of answers in one program. Its rules are gone through when the first answer is asked about."""

    def __init__(self, program: Program, preconditions: Preconditions) -> None:
        """Look at what is hidden in *program*."""
        self.program, self.preconditions = program, preconditions
        self.summaries: Summaries = preconditions.summaries
        self.concealed = program.hidden_locations
        self._flows: dict[Flow, set[Flow]] = defaultdict(set)
        self._hidden: set[Flow] = set()  # what something hidden is made from
        self._moved: set[Flow] = set()  # what says which piece goes to a hidden place
        self._came: dict[x.Variable, list[x.Expr]] = defaultdict(list)  # where a variable comes from
        self._given: dict[x.Variable, list[x.Expr]] = defaultdict(list)  # what calls give for a parameter
        self._here: Context = frozenset()  # the context of the rule that is gone through
        self._seen_in: dict[str, set[Context]] = defaultdict(set)
        self._ahead: list[tuple[Rule, Context]] = []
        self._known: dict[int, tuple[Node, bool]] = {}
        self._left: dict[int, tuple[Node, bool]] = {}
        self._showing = Showing(program, self.summaries, lambda piece: self._in_the_open(piece, DEEP))
        if self.concealed:
            self._follow()
        self._versions: dict[Spot, set[Flow]] = defaultdict(set)
        for flow in (*self._flows, *self._hidden, *self._moved):
            self._versions[flow[1]].add(flow)

    def _follow(self) -> None:
        """Go through all rules, each in the contexts in which it is called."""
        for rule in self.program.rules.values():
            for effect in walk(rule.block):
                if isinstance(effect, e.Effect):
                    self._origins(effect)
        for action in self.program.anytime:
            binders = [action.binder] if action.binder is not None else []
            for binder in binders:
                self._came[binder.variable].append(binder.source)
            given = [action.me, *(binder.variable for binder in binders)]
            sources = [x.Local(one, type=one.type, span=action.span) for one in given]
            self._enter(self.program.rules[action.body], sources)
        called = {name for rule in self.program.rules.values() for name in self._calls(rule)}
        for rule in self.program.rules.values():
            if rule.name not in called:
                self._visit(rule, frozenset())
        for rule in self.program.rules.values():  # those that only call each other
            if not self._seen_in[rule.name]:
                self._visit(rule, frozenset())
            while self._ahead:
                self._rule(*self._ahead.pop())

    def _calls(self, rule: Rule) -> Iterator[str]:
        """Yield the names of the rules that a rule calls, or that follow it or come before it."""
        yield from (trigger.body for trigger in (*rule.before, *rule.after))
        for effect in walk(rule.block):
            if isinstance(effect, e.CallRule | e.Do):
                yield from (one.name for one in self.summaries.list_called_rules(effect))

    def _origins(self, effect: e.Effect) -> None:
        """Note where the variables come from to which an effect gives a value."""
        match effect:
            case e.Let():
                self._came[effect.variable].append(effect.value)
            case e.Set(target=x.Local(variable=variable)):
                self._came[variable].append(effect.value)
            case e.For() | e.Choose():
                binders = effect.binders
                for binder in binders:
                    self._came[binder.variable].append(binder.source)
            case e.Menu():
                for option in effect.options:
                    for binder in option.binders:
                        self._came[binder.variable].append(binder.source)
            case e.CallRule() | e.Do():
                for called in self.summaries.list_called_rules(effect):
                    for variable, argument in zip(called.variables, _list_call_arguments(effect), strict=False):
                        self._given[variable].append(argument)

    # -- what others ask for

    def secret(self, effect: e.Effect, line: int = 0) -> bool:
        """Return whether an answer to what *effect* asks is secret; of a menu, that which takes a *line* of it."""
        if not self.concealed:
            return False
        asked = effect.options[line] if isinstance(effect, e.Menu) else effect
        if id(asked) not in self._known:
            self._known[id(asked)] = asked, self._is_secret(asked) or self._beside(effect, asked)
        return self._known[id(asked)][1]

    def secretly_left(self, effect: e.Effect) -> bool:
        """Return whether others may not learn that nothing was taken: of what is taken they may not learn either."""
        if not self.concealed:
            return False
        if id(effect) not in self._left:
            self._left[id(effect)] = effect, self._is_left_in_secret(effect)
        return self._left[id(effect)][1]

    def _is_left_in_secret(self, effect: e.Effect) -> bool:
        match effect:
            case e.Menu():
                secret = (self.secret(effect, line) for line in range(len(effect.options)))
                return all(
                    one or self._may_go_unnoticed(effect, line)
                    for one, line in zip(secret, effect.options, strict=True)
                )
            case e.Choose() if self._unseen(effect.binders) and not self.secret(effect):
                return not self._showing.is_choice_seen(effect, [binder.variable for binder in effect.binders])
        return self.secret(effect)

    def may_reveal_hidden(self, effect: e.Effect, behind: Demand) -> bool:
        """Return whether the number of answers to what *effect* asks depends on something hidden.

        It depends on what is demanded *behind* an answer, too.
        """
        if not self.concealed:
            return False
        key = -id(effect)
        if key not in self._known:
            nodes = [] if self._counts_pieces(effect) else self._looked_at(effect)
            nodes += self.preconditions.basis(behind)
            self._known[key] = effect, any(map(self._from_hidden, nodes))
        return self._known[key][1]

    def secret_action(self, action: Anytime) -> bool:
        """Return whether it is secret that an anytime action is taken, or with which value."""
        if not self.concealed:
            return False
        binders = [action.binder] if action.binder is not None else []
        return self._values(binders) or self.does_in_secret(self.program.rules[action.body].block)

    def _beside(self, effect: e.Effect, asked: Node) -> bool:
        """Return whether a line of a menu does nothing that shows: taking it would reveal that a secret one was not."""
        if not isinstance(effect, e.Menu) or not isinstance(asked, e.Option):
            return False
        if not self._shows_nothing(asked.body):
            return False
        return any(self._is_secret(option) or self._may_go_unnoticed(effect, option) for option in effect.options)

    def _may_go_unnoticed(self, menu: e.Menu, option: e.Option) -> bool:
        """Return whether a line of a menu may take a piece without anybody else noticing."""
        return self._unseen(option.binders) and not self._showing.line(menu, option)

    def _unseen(self, binders: Iterable[x.Binder]) -> bool:
        """Return whether a value is a piece that may lie where not everybody sees it."""
        return any(self._is_piece(binder.variable) and not self._in_the_open(binder.source, DEEP) for binder in binders)

    def _counts_pieces(self, effect: e.Effect) -> bool:
        """Return whether there are as many answers as pieces lie in one place: everybody sees how many those are."""
        if not isinstance(effect, e.Choose) or effect.where is not None or len(effect.binders) != 1:
            return False
        source = effect.binders[0].source
        return isinstance(source, x.Held) and self.program.hidden_kinds.isdisjoint(
            self.program.places[source.place].dims
        )

    def is_secret_value(self, binder: x.Binder) -> bool:
        """Return whether a value that is chosen from a source is secret, wherever it is chosen."""
        return self.concealed != _NOTHING and self._values([binder])

    def reveals_hidden(self, expr: x.Expr) -> bool:
        """Return whether a value is made from what is declared hidden; of pieces, whether it says which ones they are.

        How many pieces lie somewhere can always be seen, and what is hidden only with its piece is asked of the state.
        """
        pieces, within = self._names_pieces(expr.type), list(self._with_functions(expr))
        only_counted = {id(held) for held in map(find_counted_place, within) if held is not None}
        return any(self._declared_hidden(node, pieces) and id(node) not in only_counted for node in within)

    def _declared_hidden(self, node: Node, pieces: bool) -> bool:
        match node:
            case x.Held() | x.RowSpot():
                return not pieces and bool(node.place) and self.program.places[node.place].visible != "all"
            case x.BuiltinCall(builtin="place_of"):
                return self.program.places[node.name].visible != "all"
            case x.FieldOf():
                return self._hides(node)
            case x.CounterAt():
                return self.program.counters[node.counter].visible != "all"
            case x.Have():
                return any(self.program.counters[name].visible != "all" for name in node.counters)
        return False

    def does_in_secret(self, block: e.Block) -> bool:
        """Return whether some effects change something, and nothing that everybody sees."""
        changes = any(one[0] != "chance" for one in self.summaries.of(block).outside().writes)
        return changes and self._shows_nothing(block)

    def _shows_nothing(self, block: e.Block) -> bool:
        summary = self.summaries.of(block).outside()
        writes = {one for one in summary.writes if one[0] != "chance"}
        if not all(one[0] in ("counter", "field", "pieces") and one in self.concealed for one in writes):
            return False
        called = {inner for name in summary.runs for inner in (name, *self.summaries.list_reachable_rules(name))}
        if any(not e.REPORTS.isdisjoint(self.summaries.kinds[name]) for name in called):
            return False
        moving = any(one[0] == "pieces" for one in writes)
        blocks = [block, *(self.program.rules[name].block for name in called if moving)]
        return not any(isinstance(node, e.Effect) and self._may_be_noticed(node) for node in walk(*blocks))

    def _may_be_noticed(self, effect: e.Effect) -> bool:
        """Return whether everyone may notice more of a reported effect, or of moved pieces, than their number."""
        match effect:
            case e.Swap():
                return any(self._in_the_open(piece, DEEP) for piece in (effect.first, effect.second))
            case e.Move():
                place = self.program.places.get(effect.to.place)
                return place is None or place.visible != "owner" or not self._from_hands(effect.what, DEEP)
        moves = any(location[0] == "pieces" for location in declaration(effect).writes(effect))
        return moves or type(effect) in e.REPORTS

    def _from_hands(self, piece: x.Expr, depth: int) -> bool:
        """Return whether a piece is known to be taken from places into which only their owners look."""
        found = False
        for node in walk(piece):
            match node:
                case x.Held() | x.RowSpot():
                    if not node.place or self.program.places[node.place].visible != "owner":
                        return False
                    found = True
                case x.Local(variable=variable) if self._is_piece(variable):
                    came = [*self._came[variable], *self._given[variable]] if depth else []
                    if not came or not all(self._from_hands(one, depth - 1) for one in came):
                        return False
                    found = True
        return found

    def _is_secret(self, asked: Node) -> bool:
        match asked:
            case e.Option():
                return self._values(asked.binders) or self.does_in_secret(asked.body)
            case e.Choose() | e.For():
                return self._values(asked.binders)
            case e.UpTo():
                return self.does_in_secret(asked.body)
            case e.Pay() | e.Gain():
                given = self.summaries.given_for(asked) if isinstance(asked, e.Pay) else set()
                names = {name for item in asked.items for name in self._list_item_counters(item)}
                return not self.concealed.isdisjoint({*given, *(("counter", name) for name in names)})
        return False

    def _list_item_counters(self, item: Any) -> set[str]:
        """Return the counters that an item may really take or give."""
        if isinstance(item, e.CostItem):
            return {
                name for cost in self.summaries.costs for one in cost.items for name in self._list_item_counters(one)
            }
        return set(item.counters)

    def _values(self, binders: Iterable[x.Binder]) -> bool:
        return any(
            self.hidden_is_made_from(binder.variable)
            or (not self._is_piece(binder.variable) and self._from_hidden(binder.source))
            for binder in binders
        )

    def hidden_is_made_from(self, variable: x.Variable) -> bool:
        """Return whether something that is hidden is made from a variable."""
        seen = set(self._versions[variable])
        open_ = list(seen)
        while open_:
            for spot in self._flows.get(open_.pop(), set()) - seen:
                seen.add(spot)
                open_.append(spot)
        return bool(seen & self._hidden) or (not self._is_piece(variable) and bool(seen & self._moved))

    def _is_piece(self, variable: x.Variable) -> bool:
        """Return whether a variable names a piece, or pieces that were chosen together; their visibility decides."""
        return self._names_pieces(variable.type)

    def _names_pieces(self, type_: ty.AnyType) -> bool:
        type_ = ty.strip(type_)
        type_ = ty.strip(type_.of) if isinstance(type_, ty.Seq) else type_
        return isinstance(type_, ty.Ref) and self.program.kinds[type_.kind].placed

    def _from_hidden(self, expr: Node) -> bool:
        """Return whether a value is taken from what not everybody sees."""
        return any(self._reads_hidden(node) for node in self._with_functions(expr))

    def _reads_hidden(self, node: Node) -> bool:
        """Return whether a node looks at something hidden by itself."""
        match node:
            case x.Held() | x.RowSpot():
                return bool(node.place) and self._is_hidden(node.place)
            case x.BuiltinCall(builtin="place_of"):
                return self._is_hidden(node.name)
            case x.FieldOf() if ("field", node.kind, node.field) in self.concealed:
                return self._hides(node) or not self._in_the_open(node.of, DEEP)
            case x.Can() | x.After() | x.Payable():
                return not self.summaries.reads(node).isdisjoint(self.concealed)
            case x.CounterAt() | x.Have():
                return not self.concealed.isdisjoint(declaration(node).reads(node))
        return False

    def _hides(self, field: x.FieldOf) -> bool:
        """Return whether a field is hidden by what it declares, wherever its piece lies."""
        return self.program.kinds[field.kind].fields[field.field].visible != "all"

    def _is_hidden(self, name: str) -> bool:
        """Return whether not everybody sees what lies in a place, or that it is there."""
        place = self.program.places[name]
        return place.visible != "all" or not self.program.hidden_kinds.isdisjoint(place.dims)

    def _with_functions(self, expr: Node) -> Iterator[Node]:
        """Yield all nodes of an expression, and of the functions that it calls, each function once."""
        seen: set[str] = set()
        open_ = [expr]
        while open_:
            for node in walk(open_.pop()):
                yield node
                if isinstance(node, x.FunctionCall) and node.function not in seen:
                    seen.add(node.function)
                    open_.append(self.program.functions[node.function].body)

    def _looked_at(self, effect: e.Effect) -> list[Node]:
        """Return all expressions on which it depends which answers there are."""
        match effect:
            case e.Choose() | e.For():
                return [*(b.source for b in effect.binders), *([effect.where] if effect.where is not None else [])]
            case e.Menu():
                return [node for option in effect.options for node in self._line(option)]
        return []

    def _line(self, option: e.Option) -> list[Node]:
        found: list[Node] = [binder.source for binder in option.binders]
        found += [option.condition] if option.condition is not None else []
        return [*found, *self.preconditions.basis(self.preconditions.of(option.body))]

    # -- what flows where

    def _visit(self, rule: Rule, context: Context) -> Context:
        """See that a rule is gone through in a context, or in the one in which nothing is known; return which."""
        seen = self._seen_in[rule.name]
        if context not in seen:
            context = context if len(seen) < CONTEXTS else frozenset()
            if context not in seen:
                seen.add(context)
                self._ahead.append((rule, context))
        return context

    def _enter(self, rule: Rule, arguments: Iterable[x.Expr]) -> Context:
        """Let values flow into a rule from here; return the context in which it is gone through then."""
        pairs = list(zip(rule.variables, arguments, strict=False))
        known = (
            one for one, argument in pairs if self._is_piece(one) and self._in_the_open(argument, DEEP, self._here)
        )
        context = self._visit(rule, frozenset(known))
        for variable, argument in pairs:
            for source in _list_read_variables(argument):
                self._flows[self._here, source].add((context, variable))
        return context

    def _rule(self, rule: Rule, context: Context) -> None:
        for trigger in (*rule.before, *rule.after):
            self._here = context
            self._enter(
                self.program.rules[trigger.body],
                [x.Local(one, type=one.type, span=rule.span) for one in rule.variables],
            )
        self._here = context
        self._block(rule.block, rule, _NOTHING)

    def _at(self, spots: Iterable[Spot]) -> set[Flow]:
        """Return spots of the rule that is gone through."""
        return {(self._here, spot) for spot in spots}

    def _touch(self, piece: x.Expr, hidden: Iterable[Spot], moved: Iterable[Spot]) -> None:
        """Note what becomes secret where a piece is none that is known to lie in the open here."""
        if not self._in_the_open(piece, DEEP, self._here):
            self._hidden |= self._at(hidden)
            self._moved |= self._at(moved)

    def _block(self, block: e.Block, rule: Rule, under: frozenset[Spot]) -> None:
        """Go through a block that is carried out *under* conditions on certain variables."""
        for effect in block:
            self._effect(effect, rule, under)
            if isinstance(effect, e.If) and any(isinstance(n, e.Return | e.Break) for n in walk(effect)):
                under |= _list_read_variables(effect.condition)  # whether the rest comes at all depends on it

    def _effect(self, effect: e.Effect, rule: Rule, under: frozenset[Spot]) -> None:
        match effect:
            case e.Let():
                self._flow(_list_read_variables(effect.value) | under, effect.variable)
            case e.Random():
                self._flow(_list_read_variables(effect.source) | under, effect.variable)
            case e.Set():
                self._set(effect, under)
            case e.Gain() | e.Pay():
                for item in effect.items:
                    if isinstance(item, e.CounterItem):
                        if ("counter", item.counter) in self.concealed:
                            at = x.CounterAt(item.counter, item.indices, type=ty.INT, span=item.span)
                            self._note_hidden_sources(at, _list_read_variables(item.amount) | under)
                    elif any(("counter", name) in self.concealed for name in self._list_item_counters(item)):
                        self._hidden |= self._at(_list_read_variables(item) | under)
            case e.Move():
                if effect.to.place and self.program.places[effect.to.place].visible != "all":
                    self._touch(effect.what, (), _list_read_variables(effect.what))
            case e.Swap():
                for piece in (effect.first, effect.second):  # that leaves no trace, so not even whether it happened
                    self._touch(piece, under - _list_read_variables(piece), _list_read_variables(piece))
            case e.Return():
                self._flow(
                    (_list_read_variables(effect.value) if effect.value is not None else _NOTHING) | under,
                    ("", rule.name),
                )
            case e.As() | e.PassTo():
                self._flow(_list_read_variables(effect.who) | under, effect.variable)
            case e.CallRule() | e.Do():
                self._call(effect, under)
            case _:
                self._as_declared(effect, under)
        self._inside(effect, rule, under)

    def _as_declared(self, effect: e.Effect, under: frozenset[Spot]) -> None:
        """Note what an effect writes by its declaration; for variables of blocks see ``_inside``."""
        inside = list(children(effect))
        own = [part for part in inside if isinstance(part, x.Expr)]
        names = not any(isinstance(part, e.Effect | e.Option | x.Binder) for part in inside)
        made_from = frozenset(under).union(*map(_list_read_variables, own))
        for location in declaration(effect).writes(effect):
            if location[0] == "variable" and names:
                self._flow(made_from, location[1])
            elif location[0] in ("counter", "field") and location in self.concealed:
                self._hidden |= self._at(made_from)
            elif location[0] == "pieces":
                for piece in own:
                    if self._names_pieces(piece.type):
                        self._touch(piece, made_from - _list_read_variables(piece), _list_read_variables(piece))

    def _set(self, effect: e.Set, under: frozenset[Spot]) -> None:
        match effect.target:
            case x.Local(variable=variable):
                self._flow(_list_read_variables(effect.value) | under, variable)
            case x.CounterAt() as counter if ("counter", counter.counter) in self.concealed:
                self._note_hidden_sources(counter, _list_read_variables(effect.value) | under)
            case x.FieldOf() as field if self._hides(field):
                self._hidden |= self._at(_list_read_variables(effect.value) | under | _list_read_variables(field.of))
            case x.FieldOf() as field if ("field", field.kind, field.field) in self.concealed:
                # Of the piece itself only so much is reported as its place allows.
                self._touch(
                    field.of,
                    (_list_read_variables(effect.value) | under) - _list_read_variables(field.of),
                    _list_read_variables(field.of),
                )

    def _note_hidden_sources(self, counter: x.CounterAt, made_from: frozenset[Spot]) -> None:
        """Note from what a counter is made that is hidden, or counts something for a piece that may be."""
        if self.program.counters[counter.counter].visible != "all":
            self._hidden |= self._at(made_from | _list_read_variables(counter))
            return
        for index in counter.indices:
            type_ = ty.strip(index.type)
            if isinstance(type_, ty.Ref) and type_.kind in self.program.hidden_kinds:
                self._touch(index, made_from - _list_read_variables(index), _list_read_variables(index))

    def _call(self, effect: e.CallRule | e.Do, under: frozenset[Spot]) -> None:
        if under and self.does_in_secret((effect,)):
            self._hidden |= self._at(under)
        for called in self.summaries.list_called_rules(effect):
            context = self._enter(called, _list_call_arguments(effect))
            if isinstance(effect, e.CallRule) and effect.into is not None:
                self._flows[context, ("", called.name)].add((self._here, effect.into))
                self._flow(under, effect.into)

    def _inside(self, effect: e.Effect, rule: Rule, under: frozenset[Spot]) -> None:
        """Go through the blocks that stand in an effect."""
        match effect:
            case e.If():
                under |= _list_read_variables(effect.condition)
                self._block(effect.then, rule, under)
                self._block(effect.other, rule, under)
            case e.For():
                self._bind(effect.binders, effect.where, under)
                read = frozenset[Spot]().union(*(_list_read_variables(b.source) for b in effect.binders))
                more = _list_read_variables(effect.where) if effect.where is not None else _NOTHING
                self._block(effect.body, rule, under | read | more)
            case e.As():
                self._block(effect.body, rule, under)
            case e.Simultaneously():
                self._flow(_list_read_variables(effect.source), effect.variable)
                self._flow({effect.variable}, effect.me)
                self._block(effect.body, rule, under)
            case e.Choose():
                self._bind(effect.binders, effect.where, under)
                self._block(effect.otherwise or (), rule, under)
            case e.Menu():
                self._block(effect.otherwise or (), rule, under)
                for option in effect.options:
                    self._bind(option.binders, option.condition, under)
                    more = _list_read_variables(option.condition) if option.condition is not None else _NOTHING
                    self._block(option.body, rule, under | more)
            case _:
                inside = list(children(effect))
                own = frozenset[Spot]().union(
                    *(_list_read_variables(part) for part in inside if isinstance(part, x.Expr))
                )
                self._block(tuple(part for part in inside if isinstance(part, e.Effect)), rule, under | own)

    def _bind(self, binders: Iterable[x.Binder], where: x.Expr | None, under: frozenset[Spot]) -> None:
        for binder in binders:
            more = _list_read_variables(where) - {binder.variable} if where is not None else _NOTHING
            self._flow(_list_read_variables(binder.source) | more | under, binder.variable)

    def _flow(self, sources: Iterable[Spot], into: Spot) -> None:
        for source in sources:
            self._flows[self._here, source].add((self._here, into))

    def _in_the_open(self, piece: x.Expr, depth: int, context: Context | None = None) -> bool:
        """Return whether a piece is known to be taken from places that everybody sees.

        Without a context that holds for all calls of the rule.
        """
        found = False
        for node in walk(piece):
            match node:
                case x.Held() | x.RowSpot():
                    if not node.place or self._is_hidden(node.place):
                        return False
                    found = True
                case x.Local(variable=variable) if self._is_piece(variable):
                    came, given = self._came[variable], self._given[variable]
                    if context is not None and (given or variable in context):
                        if variable not in context:  # a parameter: the context says what is known of its call
                            return False
                        given = []
                    elif not came and not given:
                        return False
                    if not depth or not all(self._in_the_open(one, depth - 1, context) for one in came):
                        return False
                    if not all(self._in_the_open(one, depth - 1) for one in given):
                        return False
                    found = True
        return found


def _list_call_arguments(effect: e.CallRule | e.Do) -> tuple[x.Expr, ...]:
    """Return what a call gives for the variables of the rule, ``me`` first."""
    arguments = (effect.it,) if isinstance(effect, e.Do) else effect.arguments
    return (effect.me, *arguments)


def _list_read_variables(node: Node) -> frozenset[Spot]:
    return frozenset(one.variable for one in walk(node) if isinstance(one, x.Local))
