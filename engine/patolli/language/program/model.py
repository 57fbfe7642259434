"""What a ruleset is, resolved: plain data for the passes that follow, in which every name is bound."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from patolli.language.diagnostics import Span
from patolli.language.packs.composition import Composition
from patolli.language.packs.manifest import OptionSpec
from patolli.language.program.effects import Block, Item, PlaceAt
from patolli.language.program.expressions import Binder, Expr, Variable
from patolli.language.program.node import Location
from patolli.language.program.types import AnyType

TABLE = "table"
"""The kind of the table itself, and its one instance: it has the fields that belong to no piece."""
FIELDS = (TABLE, "player")
"""Sections of models that hold fields of the kind of the same name; such a field has a name of its own."""


@dataclass(slots=True)
class Attribute:
    """A fact or a field of a kind. ``low`` and ``high`` bound numbers; ``told``: people read when it is set.

    ``visible`` says who sees a field of a piece that can be seen, ``unless`` another field opens it to all.
    """

    name: str
    type: AnyType
    span: Span
    mutable: bool
    low: int | None = None
    high: int | None = None
    default: Expr | None = None
    has_default: bool = False
    text: str = ""
    told: bool = False
    visible: str = "all"
    unless: str = ""
    saying: str = ""  # how it is reported, where the author has words for it
    words: str | None = None  # the default of a text


class Table:
    """A value that is looked up by a constant when a match is made: ``{by: seats, 2: .., 3: ..}``."""

    def __init__(self, by: Expr, rows: dict[str, Value], span: Span) -> None:
        self.by, self.rows, self.span = by, rows, span


class Items(list["Value"]):
    """A list as it is written, with its place."""

    def __init__(self, items: list[Value], span: Span) -> None:
        super().__init__(items)
        self.span = span


NTH = "{nth}"
"""Where it stands in a heading how often that heading has come; no other text has braces."""
Words = tuple[str | Expr, ...]
"""A text for people; an expression where its value comes in."""
Value = Expr | Table | Items | str | None
"""A fact or constant: an expression, a cost, a text, the name of the rule of an effect, none, or a list of these."""


@dataclass(slots=True)
class Design:
    """One entry of a ``pieces`` document; ``copies`` of it are made. ``owner`` is who `me` is in its place.

    ``formulas`` are those that the piece writes, over the piece. Rules read them by functions of the program.
    """

    id: str
    kind: str
    span: Span
    copies: Expr | None
    owner: Variable
    facts: dict[str, Value] = field(default_factory=dict)
    place: PlaceAt | None = None
    text: str = ""
    source: str = ""
    pack: str = ""
    formulas: dict[str, Formula] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Formula:
    """An expression that stands outside rules, over a player who is `me` and perhaps more variables."""

    me: Variable
    variables: tuple[Variable, ...]
    body: Expr


@dataclass(slots=True)
class Kind:
    """A kind of pieces, places on a grid, players, or members of an enumeration."""

    name: str
    span: Span
    facts: dict[str, Attribute] = field(default_factory=dict)
    fields: dict[str, Attribute] = field(default_factory=dict)
    designs: list[Design] = field(default_factory=list)
    members: list[str] | None = None  # fixed instances: enumerations and grids
    per_player: bool = False
    copies: Expr | None = None
    active: Formula | None = None  # over a piece and me
    data: dict[str, list[object]] = field(default_factory=dict)  # facts of grids, ready made
    grid: tuple[int, ...] = ()  # rows, columns, levels, and 1 for hexagons
    sides: tuple[Expr, ...] = ()  # rows and columns of a grid as they are written
    sizes: tuple[tuple[int, int], ...] = ()  # rows and columns that a grid has with some options
    over: str = ""
    maps: dict[str, tuple[list[str], dict[str, Expr]]] = field(default_factory=dict)  # facts drawn as a map of the grid
    lines: dict[str, list[list[Expr]]] = field(default_factory=dict)  # facts that are graphs, by what lines join
    lays: str = ""  # the grid on which the instances of this kind are laid out shapes
    is_record: bool = False  # its instances are all values that its facts can have together
    text: str = ""
    source: str = ""
    placed: bool = False
    category: str = ""  # to what points are put down that its pieces make
    cause: str = ""  # what is reported of what its pieces bring about, with their name in braces
    designs_of: str = ""  # the kind of pieces whose copies share an instance

    @property
    def grids(self) -> list[tuple[int, ...]]:
        """The grid as it is with any options."""
        return [(*size, *self.grid[2:]) for size in self.sizes] if len(self.sizes) > 1 else [self.grid]


@dataclass(slots=True)
class Counter:
    """A number per ``dims``; ``dims`` are names of kinds."""

    name: str
    span: Span
    dims: tuple[str, ...]
    low: int = 0
    high: Expr | None = None
    start: Expr | None = None
    visible: str = "all"
    text: str = ""
    spend: str = ""  # the rule that is carried out for what is paid
    noun: tuple[str, ...] = ()  # the names of one and of several
    told: bool = True
    saying: str = ""  # how it is reported, where the author has words for it


@dataclass(slots=True)
class Place:
    """A place for pieces of kind ``of``; ``type`` is pile, area, spot or row."""

    name: str
    span: Span
    of: str
    type: str
    dims: tuple[str, ...]
    size: Expr | None
    visible: str
    text: str = ""
    told: bool = True


@dataclass(frozen=True, slots=True)
class Stated:
    """What the component list of one pack says of a kind, or of a piece: how many the pack adds."""

    pack: str
    number: int
    name: Span
    span: Span


@dataclass(slots=True)
class Constant:
    """A named value."""

    name: str
    span: Span
    type: AnyType
    value: Value
    source: str = ""


@dataclass(slots=True)
class Function:
    """A computation over a player who is `me` and its parameters."""

    name: str
    span: Span
    me: Variable
    parameters: tuple[Variable, ...]
    body: Expr
    type: AnyType
    text: str = ""


@dataclass(frozen=True, slots=True)
class ReportSettings:
    """How it is reported what happens in a rule: under a heading, with a cause, or not at all.

    Of a template the words are texts, and expressions over the variables of the rule where values come in.
    ``category``: to what points are put down that are made there.
    """

    heading: Words = ()
    cause: Words = ()
    told: bool | None = None
    category: str = ""

    @property
    def values(self) -> tuple[Expr, ...]:
        """All values that come into the texts."""
        return tuple(part for part in (*self.heading, *self.cause) if not isinstance(part, str))


@dataclass(frozen=True, slots=True)
class Step:
    """A named part of a rule."""

    name: str
    block: Block
    span: Span


LASTS = " lasts"
"""How the names of triggers end that set back what lasts as long as a rule."""


@dataclass(frozen=True, slots=True)
class Happening:
    """A trigger that follows what happens to a counter or to pieces: ``gain coin``, ``move card to hand``.

    The rule ``body`` holds its effect, under the condition of the trigger where it has one.
    """

    name: str
    span: Span
    moment: tuple[str, ...]
    body: str
    design: str = ""

    @property
    def gain(self) -> bool:
        """Whether it follows a counter."""
        return self.moment[0] == "gain"


@dataclass(frozen=True, slots=True)
class Trigger:
    """Something that happens before, after or instead of a rule, for each piece of a design where there is one.

    ``condition`` is over the variables of the rule that is followed, and ``it``; the rule ``body`` holds its effect,
    and takes the same variables.
    """

    name: str
    span: Span
    rule: str
    condition: Expr | None
    body: str
    it: Variable | None = None
    design: Design | None = None

    @property
    def moment(self) -> str:
        """The rule that it joins as it is written: ``rule`` or ``rule/step``."""
        return self.rule.partition("'")[0]

    @property
    def sets_back(self) -> str:
        """The counter, or the field as ``kind.field``, that lasts as long as the rule and ends here; mostly none."""
        return self.name.removesuffix(LASTS) if self.name.endswith(LASTS) else ""


@dataclass
class Rule:
    """A change of the state, in steps, by a player who is `me`."""

    name: str
    span: Span
    me: Variable
    parameters: tuple[Variable, ...]
    steps: tuple[Step, ...]
    text: str = ""
    source: str = ""
    returns: AnyType | None = None
    hidden: bool = False
    given: Expr | None = None  # what holds when it begins: the `when` of a trigger or anytime action
    before: tuple[Trigger, ...] = ()
    after: tuple[Trigger, ...] = ()
    instead: tuple[Trigger, ...] = ()  # what may take its place, which its block asks; no more has to be followed
    ordered: tuple[Trigger, ...] = ()  # triggers behind it in an order that is chosen: `after` holds the question
    original: str = ""  # where it may be replaced: the rule that holds what it was
    report_settings: ReportSettings = ReportSettings()

    @property
    def variables(self) -> tuple[Variable, ...]:
        """Who is me, and the parameters."""
        return (self.me, *self.parameters)

    @cached_property
    def block(self) -> Block:
        """All effects, in order."""
        return tuple(effect for step in self.steps for effect in step.block)


@dataclass(frozen=True, slots=True)
class Anytime:
    """What the active player may do between two steps; the rule ``body`` takes the value of the binder."""

    name: str
    span: Span
    me: Variable
    binder: Binder | None
    when: Expr | None
    label: str
    body: str
    words: str | None = None  # what an option is called for people


@dataclass(frozen=True, slots=True)
class Substitution:
    """``give`` may stand for ``least`` to ``most`` of one of ``targets`` (counters).

    With tags in ``on`` only in payments that have one. A condition with a variable beside me looks at what is paid for.
    """

    name: str
    span: Span
    give: Item
    least: int
    most: int
    targets: tuple[str, ...]
    when: Formula | None
    on: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Discount:
    """``less`` of one of ``targets`` is taken off payments with a tag in ``on``; below 0 it is more that is paid."""

    name: str
    span: Span
    on: tuple[str, ...]
    less: int
    targets: tuple[str, ...]
    when: Formula | None
    body: str | None


@dataclass(frozen=True, slots=True)
class Waiver:
    """The counters ``of`` need not be paid in payments with a tag in ``on``, once for each value of the binder.

    ``subject`` is the part of its condition that looks at what is paid for.
    """

    name: str
    span: Span
    on: tuple[str, ...]
    of: tuple[str, ...]
    me: Variable
    binder: Binder | None
    when: Expr | None
    body: str
    subject: Formula | None = None


@dataclass(frozen=True, slots=True)
class Measure:
    """What a pack wants to know of every match: looked at before or after a rule, or at the end where none is named.

    ``each``: for each player, who is me of the formula; otherwise no player is.
    """

    name: str
    span: Span
    formula: Formula
    moment: str = ""  # before or after
    rule: str = ""
    each: bool = False
    text: str = ""


@dataclass
class Program:
    """Everything that a ruleset says, resolved."""

    composition: Composition
    options: dict[str, OptionSpec] = field(default_factory=dict)
    chosen: dict[str, int] = field(default_factory=dict)
    players: tuple[int, int] = (1, 1)
    automated: int = 0  # seats that are played by rules, behind those of the players
    shapes: dict[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    kinds: dict[str, Kind] = field(default_factory=dict)
    counters: dict[str, Counter] = field(default_factory=dict)
    groups: dict[str, tuple[str, ...]] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    constants: dict[str, Constant] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    rules: dict[str, Rule] = field(default_factory=dict)
    happenings: dict[str, Happening] = field(default_factory=dict)  # by the rules that are called where they happen
    anytime: list[Anytime] = field(default_factory=list)
    substitutions: list[Substitution] = field(default_factory=list)
    discounts: list[Discount] = field(default_factory=list)
    waivers: list[Waiver] = field(default_factory=list)
    active: Expr | None = None
    score: Formula | None = None
    ties: list[Formula] = field(default_factory=list)
    among: Formula | None = None  # who is ranked by score and ties; everybody where there is none
    wins: Formula | None = None  # who has won, whatever the scores say
    invariants: dict[str, tuple[Expr, str]] = field(default_factory=dict)
    values: dict[str, Formula] = field(default_factory=dict)
    measures: dict[str, Measure] = field(default_factory=dict)
    designs: dict[str, Design] = field(default_factory=dict)
    names: dict[str, tuple[str, str]] = field(default_factory=dict)  # id -> (what it is, owner)
    spans: dict[str, Span] = field(default_factory=dict)
    components: dict[str, list[Stated]] = field(default_factory=dict)

    @property
    def result(self) -> tuple[Formula, ...]:
        """All that decides the result."""
        parts = (self.score, *self.ties, self.among, self.wins)
        return tuple(part for part in parts if part is not None)

    @property
    def formulas(self) -> tuple[Formula, ...]:
        """All that is computed of a match and not by it: the result, values, measures."""
        return (*self.result, *self.values.values(), *(measure.formula for measure in self.measures.values()))

    @property
    def replacing(self) -> list[Trigger]:
        """All triggers that may take the place of a rule; its block calls them."""
        return [trigger for rule in self.rules.values() for trigger in rule.instead]

    @property
    def triggers(self) -> list[Trigger]:
        """All triggers before and after rules, rule by rule, those before it first."""
        return [trigger for rule in self.rules.values() for trigger in (*rule.before, *rule.after)]

    @property
    def all_triggers(self) -> list[Trigger]:
        """All triggers that join rules: those before and after them, and those that may take their place."""
        return [*self.triggers, *self.replacing, *(one for rule in self.rules.values() for one in rule.ordered)]

    @cached_property
    def _of_designs(self) -> dict[int, list[Trigger]]:
        found: dict[int, list[Trigger]] = {}
        for one in self.all_triggers:
            if one.design is not None:
                found.setdefault(id(one.design), []).append(one)
        return found

    def triggers_of(self, design: Design) -> list[Trigger]:
        """Return the triggers that the entry of a piece brings along."""
        return self._of_designs.get(id(design), [])

    def find_original_rule(self, rule: str) -> Rule | None:
        """Return what a rule does as it is written, without what may take its place; None where there is none."""
        found = self.rules.get(rule)
        return self.rules[found.original] if found is not None and found.original else found

    def joining(self, rule: str) -> list[Trigger]:
        """Return the triggers of a rule and of its steps: those instead of it, then those before it first."""
        steps = [one for name, one in self.rules.items() if name.startswith(f"{rule}/")]
        own = self.rules[rule]
        was = self.rules[own.original] if own.original else own
        inside = (t for one in steps for t in (*one.before, *one.after))
        behind = (*was.ordered, *was.after[bool(was.ordered) :])
        return [*own.instead, *was.before, *inside, *behind, *(own.after if was is not own else ())]

    def list_payment_conditions(self) -> list[Formula]:
        """Return the conditions of substitutions, of discounts, and of waivers about what is paid for."""
        found = [*(one.when for one in self.substitutions), *(one.when for one in self.discounts)]
        return [one for one in (*found, *(waiver.subject for waiver in self.waivers)) if one is not None]

    @cached_property
    def hidden_kinds(self) -> frozenset[str]:
        """The kinds of pieces that may lie where not everybody sees them, on other such pieces, too."""
        return find_hidden_kinds(self.places.values())

    @cached_property
    def held_kinds(self) -> frozenset[str]:
        """The kinds of pieces that may lie where everybody but their holder sees them."""
        return frozenset(place.of for place in self.places.values() if place.visible == "others")

    @cached_property
    def hidden_locations(self) -> frozenset[Location]:
        """What of the state not everybody sees, or not always; locations as nodes declare them."""
        counters = (c for c in self.counters.values() if c.visible != "all" or self.hidden_kinds & set(c.dims))
        fields = (
            (kind.name, field.name)
            for kind in self.kinds.values()
            for field in kind.fields.values()
            if kind.name in self.hidden_kinds or field.visible != "all"
        )
        return frozenset(
            [*(("counter", c.name) for c in counters), *(("pieces", kind) for kind in self.hidden_kinds),
             *(("field", *field) for field in fields)]
        )  # fmt: skip

    def effect_rules(self, kind: str, fact: str) -> list[str]:
        """Return the names of all rules that a fact of a kind may hold."""
        designs = self.kinds[kind].designs if kind in self.kinds else ()
        return [name for design in designs for name in self.rules_in(design, fact)]

    @staticmethod
    def rules_in(design: Design, fact: str) -> list[str]:
        """Return the names of the rules that a fact of a design holds."""
        return _rules_in(design.facts.get(fact))


class Holder(Protocol):
    """What is known of a place, resolved or not."""

    of: str
    dims: tuple[str, ...]
    visible: str


def find_hidden_kinds(places: Collection[Holder]) -> frozenset[str]:
    """Return the kinds of pieces that may lie where not everybody sees them, on other such pieces, too."""
    found = {place.of for place in places if place.visible != "all"}
    while more := {place.of for place in places if found & set(place.dims)} - found:
        found |= more
    return frozenset(found)


def _rules_in(value: Value) -> list[str]:
    """Return the names of rules in a fact that holds effects."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, Items):
        return [name for item in value for name in _rules_in(item)]
    return []
