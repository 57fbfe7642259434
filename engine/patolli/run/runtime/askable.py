"""What can be asked about one match: what its open question and the anytime actions declare, offered or not.

In:     a match that waits for a choice, as the deciding player sees it.
Out:    labels and words of all that is declared, and the label of what the player names with certain words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import TYPE_CHECKING, Any

from patolli.language.diagnostics import nearest
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.node import walk
from patolli.run.compiler.asked import DONE
from patolli.run.runtime.calls import Calls, example
from patolli.run.runtime.explainer import Explainer
from patolli.run.runtime.situations import Situation

if TYPE_CHECKING:
    from patolli.run.runtime.match import Match

MOST, NAMED = 5000, 12
"""How many options a question may declare before no more are listed, and how many an error names."""


class Askable:
    """What can be asked about one match."""

    def __init__(self, match: Match) -> None:
        decision = match.decision
        assert decision is not None
        self.match, self.program, self.labels = match, match.program, match.labels
        self.model, self.question = match.program.layout.model, decision.question
        self.seat, self.reader = decision.acts, decision.player  # who acts, and who decides and reads
        self.offered = [option.label for option in decision.options]
        self.explainer = Explainer(self.program, self.labels, match.clone().state, self.reader)
        self.calls = Calls(self.explainer, self.seat)
        frame = match.frame
        self.scope = {variable: frame[slot] for variable, slot in self.question.frame.items()}
        self.unknown = self._unknown_now()

    def situation(self, *but: x.Variable) -> Situation:
        """Return the situation in which the open question is asked; some variables have no value in it yet."""
        at = self.explainer.start.fork()
        for variable, value in self.scope.items():
            if variable not in but:
                self.explainer.bind(at, variable, value)
        for variable in self.unknown:
            self.explainer.veil(at, variable)
        return at

    def _unknown_now(self) -> list[x.Variable]:
        """Return the variables whose values the player does not know: made from what is hidden, or hidden pieces."""
        hidden_reads, chosen, found = self.explainer.hidden_reads, set[x.Variable](), dict[x.Variable, None]()
        for node in walk(self.model.rules[self.question.rule.rstrip("#")].block):
            match node:
                case e.Choose() | e.Option():
                    chosen.update(binder.variable for binder in node.binders)
                case e.Let(variable=variable) | e.Set(target=x.Local(variable=variable)):
                    if hidden_reads.hides(node.value, self.scope):
                        found[variable] = None
                        hidden_reads.veil(variable)
        for variable, value in self.scope.items():
            type_ = ty.strip(variable.type)
            if isinstance(type_, ty.Ref) and variable not in chosen and hidden_reads.lies_hidden(type_.kind, value):
                found[variable] = None
        return [variable for variable in found if variable in self.scope]

    # -- what can be asked

    def list_declared_options(self) -> Iterator[tuple[str, str]]:
        """Yield all options that the open question declares, and all anytime actions: labels, with what people read."""
        question, names = self.question, self.match.naming(self.reader).about(self.seat)
        effect = question.effect
        match effect:
            case e.Choose(several=True):
                items = effect.amount[0]
                assert isinstance(items, x.Quantifier)
                for label, values in self._candidates(items.binders, self.situation()):
                    yield label, names.option(question, (1, *values))
                yield DONE, DONE
            case e.Choose():
                for label, values in self._candidates(effect.binders, self.situation()):
                    yield label, names.option(question, values if len(values) > 1 else values[0])
            case e.Menu():
                for number, option in enumerate(effect.options):
                    for label, values in self._candidates(option.binders, self.situation()):
                        whole = " ".join(word for word in (option.label or "", label) if word)
                        yield whole, names.option(question, (number, *values))
            case e.Pay():
                for _, way in self.payments(effect):
                    yield self.labels.way(way), self.labels.way(way)
        for number, action in enumerate(self.model.anytime):
            at = self.explainer.start.fork()
            self.explainer.bind(at, action.me, self.seat)
            for label, values in self._candidates((action.binder,) if action.binder is not None else (), at):
                yield f"{action.label} {label}".strip(), names.anytime((number, values[0] if values else 0))

    def payments(self, pay: e.Pay) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield who pays what is owed, with each way to do so, those too that leave nothing possible."""
        at = self.situation()
        who = self.explainer.value(pay.who, at)
        for way in self.explainer.run(self.program.workings.ways(pay), at.state, at.scope) or ():
            yield who, way

    def _candidates(self, binders: Sequence[x.Binder], at: Situation) -> Iterator[tuple[str, tuple[Any, ...]]]:
        """Yield the labels of what can be chosen with its values, as far as the player may know what there is."""
        if not self.explainer.hidden_reads.conceals(binders, at.scope):
            for inner, label in self.explainer.candidates(binders, at):
                yield label, tuple(inner.scope[binder.variable] for binder in binders)

    def find_label(self, words: str) -> str:
        """Return the label of a line or action as a whole, or with a value that cannot be chosen now."""
        question, names = self.question, self.match.naming(self.reader).about(self.seat)
        seat_visibility = self.labels.seat_visibility(self.match.state, self.reader)
        effect = question.effect
        lines = effect.options if isinstance(effect, e.Menu) else ()
        heads = [line.label for line in lines if line.binders and line.label]
        heads += [action.label for action in self.model.anytime if action.binder is not None]
        for head in heads:
            if head.lower() == words:
                return head
        if isinstance(effect, e.Choose) and not effect.several:
            for values in self._any_values(effect.binders):
                one: Any = values if len(values) > 1 else values[0]
                if names.option(question, one).lower() == words:
                    return self.labels.option(question, one, self.seat, seat_visibility)
        for number, line in enumerate(lines):
            for values in self._any_values(line.binders):
                if names.option(question, (number, *values)).lower() == words:
                    return self.labels.option(question, (number, *values), self.seat, seat_visibility)
        for number, action in enumerate(self.model.anytime):
            for values in self._any_values(() if action.binder is None else (action.binder,)):
                if names.anytime((number, values[0])).lower() == words:
                    return self.labels.anytime((number, values[0]), self.seat, seat_visibility)
        return ""

    def _any_values(self, binders: Sequence[x.Binder]) -> Iterator[tuple[Any, ...]]:
        """Yield values for variables as far as these are instances of kinds, whether they can be chosen or not."""
        kinds = [ty.strip(item_type(binder)) for binder in binders]
        if binders and all(isinstance(kind, ty.Ref) for kind in kinds):
            sizes = [self.program.layout.size(kind.kind) for kind in kinds if isinstance(kind, ty.Ref)]
            yield from islice(product(*map(range, sizes)), MOST)

    def list_refused_options(self) -> dict[str, str]:
        """Return the labels of what is declared and not offered, each with what people read."""
        offered = set(self.offered)
        return {label: words for label, words in islice(self.list_declared_options(), MOST) if label not in offered}

    def unknown_words(self, words: str) -> str:
        """Say what can be asked about instead of what was asked."""
        refused = self.list_refused_options()
        rules = [one.name for one in self.model.rules.values() if not one.hidden and "'" not in one.name]
        known = [*refused, *self.offered, *rules]
        near = nearest(words.partition("(")[0] if "(" in words else words, known)
        head = f"there is no option and no rule {words!r}"
        if near:
            return f"{head}; did you mean {near!r}?"
        more = f" and {len(refused) - NAMED} more" if len(refused) > NAMED else ""
        not_offered = (
            f"not offered here: {', '.join(list(refused)[:NAMED])}{more}" if refused else "everything here is offered"
        )
        return f"{head}; {not_offered}; a rule is asked about with its values, as {example(self.model.rules)}"


def item_type(binder: x.Binder) -> ty.AnyType:
    """Return the type of what a variable is chosen from."""
    return binder.source.type.of if isinstance(binder.source.type, ty.Seq) else binder.variable.type
