"""What a ruleset declares, after names are known: plain data for the passes that follow."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from patolli.language.diagnostics import Problem, Span
from patolli.language.packs.composition import Composition
from patolli.language.packs.manifest import OptionSpec
from patolli.language.program import model as pm
from patolli.language.program.types import AnyType, Ref
from patolli.language.program.types import Design as DesignType
from patolli.language.sources import Node, Scalar
from patolli.language.syntax import tree as t

UNKNOWN = "?"
"""Stands for a kind that nothing declares, which has been reported."""
DESIGNS = "_design"
"""How the kinds of designs end by their names."""


@dataclass(slots=True)
class Attribute:
    """A fact or a field of a kind. ``low`` and ``high`` bound numbers."""

    name: str
    type: AnyType
    span: Span
    mutable: bool
    low: int | None = None
    high: int | None = None
    default: t.Expr | None = None
    has_default: bool = False
    text: str = ""
    told: bool = False  # whether people read when it is set
    visible: str = "all"  # of a field: all, owner or none
    unless: str = ""  # the field of truth that opens it to all
    saying: str = ""  # how it is reported, where the author has words for it
    lasts: Scalar | None = None  # of a field: the rule at whose end it is set back
    words: str | None = None  # the default of a text


class Items(list[object]):
    """A list as it is written, with its place."""

    def __init__(self, items: list[object], span: Span) -> None:
        super().__init__(items)
        self.span = span


@dataclass(frozen=True, slots=True)
class Worded:
    """What the answers of a question are called: a text that knows its place, and the variables that it may name."""

    text: t.Text
    variables: dict[str, AnyType]
    owner: str = ""  # the rule, or whatever else, that the variables belong to


@dataclass(slots=True)
class Design:
    """One entry of a ``pieces`` document; ``copies`` of it are made.

    ``facts`` holds the parsed texts of each fact: an expression, a cost, the index of an effect rule, or a list of
    these.
    """

    id: str
    kind: str
    span: Span
    copies: t.Expr | None
    facts: dict[str, object] = field(default_factory=dict)
    place: t.Expr | None = None
    text: str = ""
    source: str = ""
    pack: str = ""
    formulas: dict[str, t.Expr] = field(default_factory=dict)


@dataclass(slots=True)
class Kind:
    """A kind of pieces, places on a grid, players, or members of an enumeration."""

    name: str
    span: Span
    facts: dict[str, Attribute] = field(default_factory=dict)
    fields: dict[str, Attribute] = field(default_factory=dict)
    formulas: dict[str, Attribute] = field(default_factory=dict)  # facts that are evaluated when they are read
    designs: list[Design] = field(default_factory=list)
    members: list[str] | None = None  # fixed instances: enumerations and grids
    per_player: bool = False
    copies: t.Expr | None = None
    active: t.Expr | None = None
    data: dict[str, list[object]] = field(default_factory=dict)  # facts of grids, ready made
    grid: tuple[int, ...] = ()  # rows, columns, levels, and 1 for hexagons
    sides: tuple[t.Expr, ...] = ()  # rows and columns as they are written
    sizes: list[tuple[int, int]] = field(default_factory=list)  # rows and columns that a grid has with some options
    unsized: tuple[t.Expr, ...] = ()  # those of them that turn on what is known later
    cells: dict[str, tuple[int, int]] = field(default_factory=dict)  # row and column of all cells of all its sizes
    over: str = ""
    maps: dict[str, tuple[list[str], dict[str, t.Expr]]] = field(
        default_factory=dict
    )  # facts drawn as a map of the grid
    lines: dict[str, list[list[t.Expr]]] = field(default_factory=dict)  # facts that are graphs, by what lines join
    lays: str = ""  # the grid on which the instances of this kind are laid out shapes
    is_record: bool = False  # its instances are all values that its facts can have together
    text: str = ""
    source: str = ""
    placed: bool = False
    category: str = ""
    cause: str = ""
    designs_of: str = ""  # the kind of pieces whose designs are the instances

    @property
    def attributes(self) -> dict[str, Attribute]:
        """All that may stand behind a dot: facts, formulas and fields."""
        return {**self.facts, **self.formulas, **self.fields}


@dataclass(slots=True)
class Counter:
    """A number per ``dims``; ``dims`` are names of kinds."""

    name: str
    span: Span
    dims: tuple[str, ...]
    low: int = 0
    high: t.Expr | None = None
    start: t.Expr | None = None
    visible: str = "all"
    text: str = ""
    spend: str = ""  # the rule that is carried out for what is paid
    noun: tuple[str, ...] = ()  # the names of one and of several
    told: bool = True
    saying: str = ""
    lasts: Scalar | None = None  # the rule at whose end it is set back


@dataclass(slots=True)
class Place:
    """A place for pieces of kind ``of``; ``type`` is pile, area, spot or row."""

    name: str
    span: Span
    of: str
    type: str
    dims: tuple[str, ...]
    size: t.Expr | None
    visible: str
    text: str = ""
    told: bool = True


@dataclass(slots=True)
class Constant:
    """A named value; ``value`` is an expression or nested lists of them."""

    name: str
    span: Span
    type: AnyType
    value: object
    source: str = ""


@dataclass(slots=True)
class Function:
    """A computation. ``adjusts`` stand in the order in which they apply."""

    name: str
    span: Span
    parameters: list[tuple[str, AnyType]]
    body: t.Expr | None
    type: AnyType | None = None
    declared: AnyType | None = None
    text: str = ""
    calls: set[str] = field(default_factory=set)
    recursive: bool = False


Template = list["str | t.Name"]
"""A text for people; a name where something comes in."""


@dataclass(frozen=True, slots=True)
class ReportSettings:
    """How it is reported what happens in a rule, as it is written."""

    heading: Template
    cause: Template
    told: bool | None
    category: str


@dataclass(slots=True)
class Step:
    """A named part of a rule."""

    name: str
    block: t.Block
    span: Span


@dataclass(slots=True)
class Rule:
    """A change of the state, in steps."""

    name: str
    span: Span
    parameters: list[tuple[str, AnyType]]
    steps: list[Step]
    text: str = ""
    source: str = ""
    returns: AnyType | None = None
    calls: set[str] = field(default_factory=set)
    recursive: bool = False
    hidden: bool = False
    before: list[Trigger] = field(default_factory=list)
    after: list[Trigger] = field(default_factory=list)
    instead: list[Trigger] = field(default_factory=list)  # what may take its place, those first that are asked first
    any_order: bool = False  # whether who carries it out chooses the order of the triggers behind it
    ordered: list[Trigger] = field(default_factory=list)  # those triggers, for which one question stands in `after`
    used: bool = False
    inner: Rule | None = None  # what stood here before something was put in its place
    given: t.Expr | None = None  # what holds when it begins: the `when` of a trigger or anytime action
    report_settings: ReportSettings | None = None

    @property
    def block(self) -> t.Block:
        """All effects, in order."""
        return [effect for step in self.steps for effect in step.block]

    @property
    def following(self) -> list[Trigger]:
        """The triggers behind it as they are written; a question about their order comes first in ``after``."""
        return [*self.ordered, *self.after[bool(self.ordered) :]]


@dataclass(slots=True)
class Trigger:
    """Something that happens before, after or instead of a rule; ``design`` is that of the pieces whose owner has it.

    One that joins a step belongs to an empty rule of its own, which is called there: ``rule/step'after``.
    """

    name: str
    span: Span
    rule: str
    when: t.Expr | None
    body: str  # the rule that holds its effect
    design: Design | None = None

    @property
    def moment(self) -> str:
        """The rule that it joins as it is written: ``rule`` or ``rule/step``."""
        return self.rule.partition("'")[0]


@dataclass(frozen=True, slots=True)
class Happening:
    """A trigger that follows what happens to a counter, or to pieces that come to a place or leave it.

    ``body`` is called where it is set off; nothing in one of its ``bodies`` sets it off. ``way`` is ``gain``, ``to`` or
    ``from``. ``actors`` is the function of the pieces that act, which have to be known before a piece leaves.
    """

    body: str
    bodies: frozenset[str]
    span: Span
    thing: str
    way: str
    actors: str = ""


@dataclass(slots=True)
class Anytime:
    """What the active player may do between two steps."""

    name: str
    span: Span
    binder: t.Binder | None
    when: t.Expr | None
    label: str
    body: str
    words: Scalar | None = None  # what an option is called for people


@dataclass(slots=True)
class Substitution:
    """``give`` may stand for ``least`` to ``most`` of one of ``targets`` (counters)."""

    name: str
    span: Span
    give: t.Item
    least: int
    most: int
    targets: tuple[str, ...]
    when: t.Expr | None
    on: tuple[str, ...] = ()


@dataclass(slots=True)
class Discount:
    """``less`` of one of ``targets`` is taken off payments with a tag in ``on``; below 0 it is more that is paid."""

    name: str
    span: Span
    on: tuple[str, ...]
    less: int
    targets: tuple[str, ...]
    when: t.Expr | None
    body: str | None


@dataclass(slots=True)
class Waiver:
    """The counters ``of`` need not be paid in payments with a tag in ``on``."""

    name: str
    span: Span
    on: tuple[str, ...]
    of: tuple[str, ...]
    binder: t.Binder | None
    when: t.Expr | None
    subject: t.Expr | None  # the part of the condition that looks at what is paid for
    body: str


@dataclass(frozen=True, slots=True)
class Use:
    """One name in a text; ``sort`` and ``id`` are those of a reference, see ``references``."""

    text: t.Text
    offset: int
    name: str
    sort: str
    id: str
    declares: bool = False

    @property
    def span(self) -> Span:
        """The place of the name in its file."""
        return self.text.place(self.offset, len(self.name))


@dataclass(frozen=True, slots=True)
class Measure:
    """What a pack wants to know of every match, see the one of the program; ``each``: for each player, who is me."""

    name: str
    span: Span
    value: t.Expr
    moment: str
    rule: str
    each: bool
    text: str


@dataclass(slots=True)
class Model:
    """Everything that a ruleset declares. ``program`` is what it means, once everything has its type."""

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
    triggers: list[Trigger] = field(default_factory=list)
    happenings: list[Happening] = field(default_factory=list)
    paid_for: dict[str, list[tuple[AnyType | None, Span]]] = field(
        default_factory=dict
    )  # by tag, what payments are for
    anytime: list[Anytime] = field(default_factory=list)
    substitutions: list[Substitution] = field(default_factory=list)
    discounts: list[Discount] = field(default_factory=list)
    waivers: list[Waiver] = field(default_factory=list)
    active: t.Expr | None = None
    score: t.Expr | None = None
    ties: list[t.Expr] = field(default_factory=list)
    among: t.Expr | None = None
    wins: t.Expr | None = None
    invariants: dict[str, tuple[t.Expr, str]] = field(default_factory=dict)
    values: dict[str, t.Expr] = field(default_factory=dict)
    measures: dict[str, Measure] = field(default_factory=dict)
    designs: dict[str, Design] = field(default_factory=dict)
    names: dict[str, tuple[str, str]] = field(default_factory=dict)  # id -> (what it is, owner)
    spans: dict[str, Span] = field(default_factory=dict)
    bounds: dict[str, dict[str, tuple[int, int]]] = field(default_factory=dict)  # of parameters, by function or rule
    unread: set[str] = field(default_factory=set)  # rules that cannot be read as a whole
    broken: set[str] = field(default_factory=set)  # functions and rules whose signature cannot be read
    components: dict[str, list[pm.Stated]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    unclear: list[t.Attribute] = field(default_factory=list)  # of things whose type is not known, mostly after an error
    paid: dict[tuple[int, int], str] = field(default_factory=dict)  # addresses of payments, by text and offset
    worded: list[Worded] = field(default_factory=list)  # what answers are called
    nodes: dict[str, Node] = field(default_factory=dict)
    uses: Iterable[Use] = ()  # what the names in effects and expressions were resolved to
    program: pm.Program | None = None  # what all of it means, once everything has its type
    prover: object = None  # made by proofs.prover when the first check asks for it
    made: pm.Program = field(init=False)  # the program in the making

    def __post_init__(self) -> None:
        self.made = pm.Program(
            self.composition, self.options, self.chosen, shapes=self.shapes, groups=self.groups, names=self.names,
            spans=self.spans, components=self.components,
        )  # fmt: skip

    def bounds_of(self, name: str) -> dict[str, tuple[int, int]]:
        """Return the bounds of those parameters of a function or rule, or fields of a record, that have some."""
        if name in self.kinds:
            facts = self.kinds[name].facts.values()
            return {one.name: (one.low, one.high) for one in facts if one.low is not None and one.high is not None}
        return self.bounds.get(name.partition("'")[0], {})

    @property
    def nouns(self) -> dict[str, list[str]]:
        """The counters that each noun may stand for; spaces of nouns are underscores."""
        found: dict[str, list[str]] = {}
        for counter in self.counters.values():
            for word in dict.fromkeys(counter.noun):
                found.setdefault(word.replace(" ", "_"), []).append(counter.name)
        return found

    def design_type(self, kind: str) -> AnyType:
        """Return the type of what copies of pieces of a kind have in common."""
        designs = self.kinds.get(f"{kind}{DESIGNS}")
        return Ref(designs.name) if designs is not None and designs.designs_of else DesignType(kind)

    def joining(self, rule: str) -> list[tuple[str, str, Trigger]]:
        """Return what joins a rule: before, after or instead, the step or nothing for the whole, and the trigger."""
        own = self.rules[rule]
        was = own.inner if own.instead and own.inner is not None else own
        found = [("instead", "", one) for one in own.instead] + [("before", "", one) for one in was.before]
        for name, joint in self.rules.items():
            if name.startswith(f"{rule}/"):
                step = name.partition("/")[2].partition("'")[0]
                found += [("before", step, one) for one in joint.before] + [("after", step, one) for one in joint.after]
        behind = [*was.following, *(own.after if was is not own else ())]
        return found + [("after", "", one) for one in behind]
