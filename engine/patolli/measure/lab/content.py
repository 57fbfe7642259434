"""Where what the facts name stands in the pack: the line of an option, of a piece, of a rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from patolli.language.diagnostics import Span
from patolli.language.program import effects as fx
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.model import Design
from patolli.language.program.node import Node as Part
from patolli.language.program.node import walk
from patolli.language.program.summaries import Summaries
from patolli.language.sources import Mapping, Node, Scalar, Sequence
from patolli.language.sources.home import current_folder
from patolli.measure.lab.plans import WHERE, Variant
from patolli.play.players.option_names import rule_of
from patolli.run.compiler.asked import DONE
from patolli.run.compiler.scopes import pieces_of

if TYPE_CHECKING:
    from patolli.run.compiler.asked import Question
    from patolli.run.runtime import Ruleset


class Content:
    """What a pack declares, by the names that facts have for it."""

    def __init__(self, rules: Ruleset, players: int) -> None:
        """Look into *rules* as so many *players* play them."""
        self.title = rules.title
        self.rules = rules
        self._program = rules.program(players + rules.model.automated, True)  # it is compiled in half the time
        self.model = self._program.layout.model
        # A kind and that of its designs have the same entries: the kind, which comes first, is what people know.
        kinds = [*reversed(self.model.kinds.values())]
        self.designs = {one.id: kind.name for kind in kinds for one in kind.designs}
        self._spans = {one.id: one.span for kind in kinds for one in kind.designs}
        self.words = {one.id: one.text for kind in kinds for one in kind.designs}

    @cached_property
    def lines(self) -> dict[str, Span]:
        """Where each line of each menu stands, and each question that is no menu, by the beginning of option names."""
        found: dict[str, Span] = {}
        for question in self._program.questions.values():
            rule = rule_of(question)
            for label, span in _lines(question):
                found.setdefault(f"{rule}: {label}" if label else f"{rule}:", span)
        for action in self.model.anytime:
            found.setdefault(f"anytime: {action.label}", action.span)
        return found

    @cached_property
    def bodies(self) -> dict[str, str]:
        """What the lines of menus and anytime actions do, by name: written so that equal ones are alike."""
        found = {f"anytime: {action.label}": repr(action) for action in self.model.anytime}
        for question in self._program.questions.values():
            if isinstance(question.effect, fx.Menu) and question.kind == "menu":
                for at, (label, _) in enumerate(_lines(question)):
                    found.setdefault(f"{rule_of(question)}: {label}", repr(question.effect.options[at]))
        return found

    @cached_property
    def declines(self) -> frozenset[str]:
        """The names of options that decline all others of their question, such as "pass" or "no more".

        A line of a menu is one if it needs nothing, and gives and takes nothing: all that it changes are counters that
        are neither paid, nor lost, nor looked at for the result.
        """
        summaries = self._summaries
        count = {("counter", name) for name in self.cost_counters}
        count |= summaries.reads(*(formula.body for formula in self.model.result))

        def is_decline(line: fx.Option) -> bool:
            does = summaries.of(line.body)
            kept = {one for one in does.writes if one[0] != "variable"}
            free = line.condition is None and not line.binders and not (does.asks or does.draws or does.ends)
            return free and all(one[0] == "counter" for one in kept) and not kept & count

        found: set[str] = set()
        for question in self._program.questions.values():
            rule, effect = rule_of(question), question.effect
            if question.decline is not None:
                found.add(f"{rule}: {question.decline}")
            elif question.kind == "several":
                found.add(f"{rule}: {DONE}")
            elif question.kind == "repeat":
                found |= {f"{rule}: {label}" for label, _ in question.labels[1:]}
            elif question.kind == "menu" and isinstance(effect, fx.Menu):
                labels = [label for label, _ in question.labels]
                lines = zip(labels, effect.options, strict=False)
                found |= {f"{rule}: {label}" for label, line in lines if is_decline(line)}
                # The other line of a `may` is written nowhere.
                found |= {f"{rule}: {label}" for label in labels[len(effect.options) :]}
        return frozenset(found)

    @cached_property
    def beginning_elsewhere(self) -> frozenset[str]:
        """The pieces that begin in another place than most of their kind, such as one that lies on the board."""
        found = set()
        for kind in {*self.designs.values()}:
            places = {one.id: one.place.place if one.place else "" for one in self.model.kinds[kind].designs}
            ((usual, _),) = Counter(places.values()).most_common(1)
            found |= {f"{kind}/{id_}" for id_, place in places.items() if place != usual}
        return frozenset(found)

    @cached_property
    def scoring(self) -> frozenset[str]:
        """Pieces, as kind/design, that count for the result by a fact that they write, and not as 0."""
        functions, open_ = self.model.functions, [formula.body for formula in self.model.result]
        facts: set[tuple[str, str]] = set()
        known: set[str] = set()
        while open_:
            for node in walk(open_.pop()):
                if isinstance(node, x.FactOf):
                    facts.add((node.kind, node.fact))
                elif isinstance(node, x.FunctionCall) and node.function not in known:
                    known.add(node.function)
                    open_.append(functions[node.function].body)
        return frozenset(
            f"{self.designs[design.id]}/{design.id}"
            for kind, fact in facts for design in self.model.kinds[kind].designs
            if (value := design.facts.get(fact)) is not None and getattr(value, "value", 1) != 0
        )  # fmt: skip

    @cached_property
    def score_effects(self) -> list[tuple[str, str]]:
        """The rules in which the score of a player decides what is gained, each with the place."""
        score = self.model.score
        parts = list(walk(score.body)) if score is not None else []
        functions = {node.function for node in parts if isinstance(node, x.FunctionCall)}
        counters = {node.counter for node in parts if isinstance(node, x.CounterAt)}

        def reads_score(node: Part) -> bool:
            return any(
                (isinstance(one, x.FunctionCall) and one.function in functions)
                or (isinstance(one, x.CounterAt) and one.counter in counters)
                for one in walk(node)
            )

        def is_gain(node: Part) -> TypeGuard[fx.Gain]:
            return isinstance(node, fx.Gain) and not node.less

        def depends(node: Part) -> bool:
            if isinstance(node, fx.If):
                return reads_score(node.condition) and any(map(is_gain, walk(node.then, node.other)))
            return is_gain(node) and any(map(reads_score, node.items))

        found = ((rule, node) for rule in self.model.rules.values() for node in walk(rule.block) if depends(node))
        return list({rule.name: (rule.name, where(node.span)) for rule, node in found}.values())

    @cached_property
    def _summaries(self) -> Summaries:
        return Summaries(self.model)

    @cached_property
    def cost_counters(self) -> frozenset[str]:
        """The counters that players pay or lose."""
        found = set(self._summaries.named_by_costs)
        for item in (item for one in self._takings for item in one.items):
            if isinstance(item, fx.CounterItem | fx.MemberItem | fx.MixItem):
                found |= {*item.counters}
        return frozenset(found)

    @cached_property
    def _takings(self) -> list[fx.Pay | fx.Gain]:
        """All that makes a player pay or lose something."""
        nodes = walk(*(rule.block for rule in self.model.rules.values()))
        return [one for one in nodes if isinstance(one, fx.Pay) or (isinstance(one, fx.Gain) and one.less)]

    @cached_property
    def declared_values(self) -> dict[tuple[str, str], Any]:
        """What is written of all that can change how a match goes, by section and id; words for people are left out."""
        found: dict[tuple[str, str], Any] = {("options", key): value for key, value in self.rules.chosen.items()}
        for section, entries in self.rules.model.composition.sections.items():
            if section not in ASIDE:
                for id_, one in entries.items():
                    layers = [(how, _plain(node)) for _, how, node in one.changed]
                    found[section, id_] = one.kind, _plain(one.node), layers
        return found

    @cached_property
    def idle_effects(self) -> dict[str, tuple[str, str]]:
        """Effects of pieces that change nothing, although those of others of the kind do: each with its key and place.

        They are written by few of those that write the key at all, so what is left out in many pieces is none. Without
        a key it is the whole piece: it only costs something, while others of its kind give something.
        """
        model, written = self.model, dict[tuple[str, str], list[tuple[str, str, bool]]]()
        effects = {name for rule in pieces_of(model) if (name := rule.partition(".")[2])}
        for id_, kind in self.designs.items():
            entry = self.rules.model.composition.sections["pieces"].get(id_)
            there = entry.node.items if entry is not None and isinstance(entry.node, Mapping) else {}
            for key in effects & there.keys():
                place = where(there[key][1].span)
                written.setdefault((kind, key), []).append((id_, place, self._is_idle(id_)))
        for kind in dict.fromkeys(self.designs.values()):
            for one in model.kinds[kind].designs:
                place = where(self._spans[one.id])
                written.setdefault((kind, ""), []).append((one.id, place, self._is_blank(kind, one)))
        found: dict[str, tuple[str, str]] = {}
        for (kind, key), all_ in written.items():
            if FEW_IDLE * sum(idle for *_, idle in all_) <= len(all_):
                for id_, place, idle in all_:
                    if idle:
                        found.setdefault(f"{kind}/{id_}", (key, place))
        return found

    def _is_idle(self, id_: str) -> bool:
        """Return whether none of the effects and triggers of a piece changes anything."""
        rules = self._summaries.rules.items()
        mine = [one for rule, one in rules if rule.startswith((f"{id_}.", f"{id_} trigger "))]
        return not any(one.changes or one.asks or one.ends for one in mine)

    def _is_blank(self, kind: str, design: Design) -> bool:
        """Return whether a piece costs something, and all else that it says besides texts is 0, false or nothing."""
        facts = self.model.kinds[kind].facts
        nodes = (node for effect in self._takings for node in walk(effect) if isinstance(node, x.FactOf))
        paid = {node.fact for node in nodes if node.kind in (kind, f"{kind}_design")}
        said = {
            name: value for name, value in design.facts.items()
            if facts[name].type != ty.TEXT and not isinstance(value, str)
        }  # fmt: skip
        gives = any(getattr(value, "value", 1) for name, value in said.items() if name not in paid)
        named = design.id in self._named_ids or bool(design.formulas)
        return bool(paid & said.keys()) and not gives and not named and self._is_idle(design.id)

    @cached_property
    def _named_ids(self) -> set[str]:
        """The pieces and their designs that rules and functions name."""
        nodes = chain.from_iterable(walk(one.block) for one in self.model.rules.values())
        more = chain.from_iterable(walk(one.body) for one in self.model.functions.values())
        return {one.id for one in chain(nodes, more) if isinstance(one, x.Instance | x.DesignNamed)}

    def entry(self, section: str, id_: str) -> str:
        """Return ``path:line`` of an entry; nothing where there is none."""
        found = self.rules.model.composition.sections.get(section, {}).get(id_)
        return where(found.key.span) if found is not None else ""

    @cached_property
    def menus(self) -> dict[str, str]:
        """The lines of menus and anytime actions, by name, each with what asks.

        Nothing else is a question: a payment that can be made in one way only is never offered, and yet made.
        """
        found = {f"anytime: {action.label}": "anytime" for action in self.model.anytime}
        for question in self._program.questions.values():
            if isinstance(question.effect, fx.Menu) and question.kind == "menu":
                rule = rule_of(question)
                found |= {f"{rule}: {label}": rule for label, _ in _lines(question)}
        return {name: found[name] for name in self.lines if name in found}

    @property
    def targets(self) -> list[str]:
        """The targets of the pack; those of a module replace those below it."""
        found: list[str] = []
        for pack in self.model.composition.packs:
            node = pack.manifest.get("targets")
            found = (
                [one.value for one in node.items if isinstance(one, Scalar)] if isinstance(node, Sequence) else found
            )
        return found

    def line_of(self, option: str) -> str:
        """Return the longest name of :attr:`lines` with which an option begins; nothing if there is none."""
        rule, _, label = option.partition(": ")
        parts = label.split(" ")
        for much in range(len(parts), 0, -1):
            name = f"{rule}: {' '.join(parts[:much])}"
            if name in self.lines:
                return name
        return f"{rule}:" if f"{rule}:" in self.lines else ""

    def option(self, option: str) -> str:
        """Return ``path:line`` of an option; nothing where it is not known."""
        name = self.line_of(option)
        if name:
            return where(self.lines[name])
        rule = self.model.rules.get(option.partition(":")[0])
        return where(rule.span) if rule is not None else ""

    def piece(self, piece: str) -> str:
        """Return ``path:line`` of a piece, as kind/design."""
        span = self._spans.get(piece.partition("/")[2])
        return where(span) if span is not None else ""

    def rule(self, name: str) -> str:
        """Return ``path:line`` of a rule."""
        found = self.model.rules.get(name)
        return where(found.span) if found is not None else ""

    def members(self, kind: str) -> list[str]:
        """Return what the things of a kind are called where options and places name them, in order."""
        there = self._program.layout.instances[kind]
        return list(dict.fromkeys(one.design.id if one.design is not None else one.id for one in there))

    def named_pieces(self, option: str) -> list[str]:
        """Return the pieces, as kind/design, that the name of an option names."""
        line = self.line_of(option)
        rest = option[len(line) :] if line else option.partition(":")[2]
        return [f"{self.designs[word]}/{word}" for word in rest.split() if word in self.designs]


ASIDE = ("scenarios", "symbols", "panels", "measures")
"""Sections on which it does not depend how a match goes."""
FEW_IDLE = 4
"""One in so many pieces at most may have an effect that changes nothing, where that is no matter of course."""
WORDS = frozenset(
    {"text", "source", "name", "plural", "phrase", "noun", "title", "label", "heading", "told", "category"}
)
"""Keys that hold words for people."""


def _plain(node: Node) -> Any:
    """Return what a node holds, without words for people and without how it is laid out."""
    if isinstance(node, Mapping):
        return {key: _plain(one) for key, (_, one) in node.items.items() if key not in WORDS}
    if isinstance(node, Sequence):
        return [_plain(one) for one in node.items]
    return " ".join(node.value.split())


def _lines(question: Question) -> Iterator[tuple[str, Span]]:
    effect = question.effect
    if question.kind in ("menu", "repeat"):
        spans = [one.span for one in effect.options] if isinstance(effect, fx.Menu) else []
        for at, (label, _) in enumerate(question.labels):
            yield label or f"line {at + 1}", spans[at] if at < len(spans) else question.span
        return
    if question.kind in ("pay", "gain"):
        yield question.kind, question.span
        return
    if question.kind == "pause":
        yield question.labels[0][0] or "go on", question.span
        return
    if question.decline is not None:
        yield question.decline, question.span
    yield "", question.span


def where(span: Span) -> str:
    """Return ``path:line``, relative to the current folder where it lies below."""
    path, here = Path(span.path), current_folder()
    if here is not None and path.is_absolute() and path.is_relative_to(here):
        path = path.relative_to(here)
    return f"{path.as_posix()}:{span.line}"


def variant_of(head: dict[str, object], name: str) -> Variant:
    """Return a variant of a run as its plan says, with packs from their folders where these are still there."""
    where_ = head.get(WHERE, {})
    assert isinstance(where_, dict)

    def locate_pack(pack: str) -> str:
        return where_[pack] if pack in where_ and Path(where_[pack]).exists() else pack

    there = head["variants"]
    assert isinstance(there, list)
    one = next(one for one in there if one["name"] == name)
    modules = tuple(map(locate_pack, one["modules"]))
    return Variant(one["name"], locate_pack(one["pack"]), modules, one["options"], one["vary"])
