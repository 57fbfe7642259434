"""Answer why an option of the open question, or the call of a rule, is possible or not.

In:     a match and what a person typed: the label of an option, offered or not, or ``rule(arguments)``, see ``calls``.
Out:    a ``Why``, or an error that says what can be asked about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from patolli.compiler.asked import DONE
from patolli.compiler.executable import goes_on
from patolli.compiler.layout import FRAMES
from patolli.diagnostics import Span, nearest
from patolli.diagnostics.records import dataclass
from patolli.program import effects as e
from patolli.program import expressions as x
from patolli.program import types as ty
from patolli.program.model import Anytime
from patolli.program.node import walk
from patolli.prose import expressions as say
from patolli.runtime.calls import Calls, example
from patolli.runtime.explaining import Explainer
from patolli.runtime.reasons import Reason, Why, met
from patolli.runtime.situations import Situation
from patolli.runtime.taking import Taking

if TYPE_CHECKING:
    from patolli.runtime.match import Match

MOST, NAMED = 5000, 12
"""How many options a question may declare before no more are listed, and how many an error names."""
STEP = " -> "

Reasons = Callable[[Situation, list[Any], list[str]], list[Reason]]
"""Says in a situation why certain values, with their labels, can be chosen or not."""


@dataclass(frozen=True, slots=True)
class Subject:
    """Something that can be asked about: its label, its place, and what goes through its conditions.

    A ``whole`` line of a menu is offered where one of its values is.
    """

    label: str
    span: Span
    reasons: Callable[[], list[Reason]]
    whole: bool = False


def why(match: Match, text: str, named: bool = False) -> Why:
    """Return why what *text* names is offered or not; *named* with what people call things instead of labels.

    Raises:
        ValueError: Nobody decides anything, or the text names nothing; the message says what could be asked.
    """
    if match.pending is None:
        raise ValueError("the match is over")
    said = len(match.program.events)
    try:
        inquiry = _Inquiry(match)
        names = match.naming(inquiry.seat).about(inquiry.seat) if named else None
        inquiry.explainer.names = inquiry.explainer.purse.names = names
        return inquiry.answer(" ".join(text.split()))
    finally:
        del match.program.events[said:]


def refused(match: Match) -> dict[str, str]:
    """Return the labels of the options that the open question declares and does not offer, with what people read."""
    return {} if match.pending is None else _Inquiry(match).refused()


class _Inquiry:
    """What can be asked about one match."""

    def __init__(self, match: Match) -> None:
        decision = match.decision
        assert decision is not None
        self.match, self.program, self.labels = match, match.program, match.labels
        self.model, self.seat, self.question = match.program.layout.model, decision.player, decision.question
        self.offered = [option.label for option in decision.options]
        self.explainer = Explainer(self.program, self.labels, match.clone().state, self.seat)
        self.calls = Calls(self.explainer)
        frame = match.state[FRAMES][-1]
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
        sight, chosen, found = self.explainer.sight, set[x.Variable](), dict[x.Variable, None]()
        for node in walk(self.model.rules[self.question.rule.rstrip("#")].block):
            match node:
                case e.Choose() | e.Option():
                    chosen.update(binder.variable for binder in node.binders)
                case e.Let(variable=variable) | e.Set(target=x.Local(variable=variable)):
                    if sight.hides(node.value, self.scope):
                        found[variable] = None
                        sight.veil(variable)
        for variable, value in self.scope.items():
            type_ = ty.strip(variable.type)
            if isinstance(type_, ty.Ref) and variable not in chosen and sight.lies_hidden(type_.kind, value):
                found[variable] = None
        return [variable for variable in found if variable in self.scope]

    # -- answers

    def answer(self, words: str) -> Why:
        """Answer what was typed."""
        subject = next((one for one in self._named(words)), None)
        if words in self.offered or (subject is not None and subject.whole and self._begun(words)):
            reasons = subject.reasons() if subject is not None else []
            return self._why(words, True, subject.span if subject is not None else self.question.span, reasons)
        if subject is not None:
            reasons = subject.reasons()
            if met(reasons):
                assert words in self._before_afterwards(), f"no reason is found why {words!r} is not offered"
                reasons.append(self._afterwards())
            return self._why(subject.label, False, subject.span, _blamed(reasons))
        call = self.calls.answer(words)
        if call is None:
            raise ValueError(self._unknown(words))
        return call

    def _begun(self, words: str) -> bool:
        """Tell whether an option with a value is offered that begins with certain words."""
        return any(label.startswith(f"{words} ") for label in self.offered)

    def _why(self, words: str, offered: bool, span: Span, reasons: list[Reason]) -> Why:
        return Why(words, self.seat, offered, False, span, tuple(reasons))

    def _named(self, words: str) -> Iterator[Subject]:
        """Yield what the words name, among what the open question and the anytime actions declare."""
        effect = self.question.effect
        match effect:
            case e.Choose(several=True):
                yield from self._of_several(words, effect)
            case e.Choose():
                yield from self._of_choice(words, effect.binders, lambda *given: self._chosen(effect, *given))
            case e.Menu():
                for option in effect.options:
                    yield from self._of_line(words, option)
            case e.Pay():
                yield from (one for one in self._ways(effect) if one.label == words)
        for number, action in enumerate(self.model.anytime):
            yield from self._of_action(words, number, action)

    # -- choices

    def _of_choice(
        self, words: str, binders: Sequence[x.Binder], reasons: Reasons,
        head: str = "", span: Span | None = None,
    ) -> Iterator[Subject]:  # fmt: skip
        """Yield the choice of the values that the words name, one for each variable."""
        parts = words.split(STEP)
        if len(parts) != len(binders):
            return
        at, values = self.situation(), []
        for binder, part in zip(binders, parts, strict=True):
            value = self.calls.value(part, item_type(binder), self._listed(binder, at))
            if value is None:
                return
            values.append(value)
            self.explainer.bind(at, binder.variable, value)
        label = f"{head} {words}".strip()
        yield Subject(label, span or self.question.span, lambda: reasons(self.situation(), values, parts))

    def _of_several(self, words: str, choose: e.Choose) -> Iterator[Subject]:
        """Yield what may be taken next of several that are chosen at once, or that those are enough."""
        variable = choose.binders[0].variable
        at, taken = self.situation(variable), self.scope.get(variable, ())
        taking = Taking(choose, self.question.behind, self.explainer, at, taken)
        if words == DONE:
            yield Subject(words, self.question.span, taking.enough)
            return
        binder = taking.binder
        value = self.calls.value(words, item_type(binder), self._listed(binder, taking.at))
        if value is not None:
            yield Subject(words, self.question.span, lambda: taking.one(value, words, words in self.offered))

    def _chosen(self, choose: e.Choose, at: Situation, values: list[Any], labels: list[str]) -> list[Reason]:
        found = self._bound(choose.binders, at, values, labels)
        found += self.explainer.conditions(choose.where, at) if choose.where is not None else []
        return found + self.explainer.demands(self.question.behind, at)

    def _bound(self, binders: Sequence[x.Binder], at: Situation, values: list[Any], labels: list[str]) -> list[Reason]:
        """Say whether values are in the lists that they are chosen from, and give them to their variables."""
        found = []
        for binder, value, label in zip(binders, values, labels, strict=True):
            found += self.explainer.among(value, label, binder.variable, binder.source, at)
            self.explainer.bind(at, binder.variable, value)
        return found

    def _listed(self, binder: x.Binder, at: Situation) -> Sequence[Any]:
        found: Sequence[Any] = self.explainer.value(binder.source, at) or ()
        return found

    # -- menus and payments

    def _of_line(self, words: str, option: e.Option) -> Iterator[Subject]:
        """Yield a line of the menu, or one value of it."""
        head = option.label or ""
        if words == head or (not option.binders and not head):
            yield Subject(head, option.span, lambda: self._line(option), bool(option.binders))
        elif option.binders and words.startswith(head):
            rest = words.removeprefix(head).strip()

            def reasons(at: Situation, values: list[Any], labels: list[str]) -> list[Reason]:
                return self._bound(option.binders, at, values, labels) + self._body(option, at)

            yield from self._of_choice(rest, option.binders, reasons, head, option.span)

    def _line(self, option: e.Option) -> list[Reason]:
        at = self.situation()
        if not option.binders:
            return self._body(option, at)
        return [replace(self.explainer.line(option, self._demand(option), at), what="some value of it is possible")]

    def _body(self, option: e.Option, at: Situation) -> list[Reason]:
        found = self.explainer.conditions(option.condition, at) if option.condition is not None else []
        return found + self.explainer.demands(self._demand(option), at)

    def _demand(self, option: e.Option) -> Any:
        return self.program.workings.preconditions.of(option.body)

    def _ways(self, pay: e.Pay) -> Iterator[Subject]:
        """Yield all ways to pay what is owed, those too that leave nothing possible."""
        at = self.situation()
        who = self.explainer.value(pay.who, at)
        for way in self.explainer.run(self.program.workings.ways(pay), at.state, at.scope) or ():
            yield Subject(self.labels.way(way), pay.span, lambda way=way: self._paid(who, way))  # type: ignore[misc]

    def _paid(self, who: int, way: tuple[int, ...]) -> list[Reason]:
        at = self.situation()
        at.state = self.explainer.purse.paid(at.state, who, way)
        return self.explainer.demands(self.question.behind, at)

    def _before_afterwards(self) -> set[str]:
        """Return the labels of all options, those too after which a question that waits could not be answered."""
        copy = self.match.clone()
        frame = copy.state[FRAMES][-1]
        block, seat = frame[0], self.seat
        values = self.program.blocks[block](copy.state, frame)
        values = [frame[self.program.slots[block]]] if values is None else values  # the only one was taken
        more = self.program.anytime(copy.state, seat) if self.program.anytime is not None else ()
        return {
            *(self.labels.option(self.question, value, seat) for value in values),
            *(self.labels.anytime(value, seat) for value in more),
        }

    def _afterwards(self) -> Reason:
        """Say that an option would leave a question without an answer that waits until an action is done."""
        questions = self.program.questions
        waiting = [questions[f[0]] for f in self.match.state[FRAMES] if f[0] in questions and questions[f[0]].fragile]
        asked = waiting[0] if waiting else self.question
        return Reason(False, f"{asked.prompt or 'the question'!r} can be answered afterwards", asked.span)

    # -- anytime actions

    def _of_action(self, words: str, number: int, action: Anytime) -> Iterator[Subject]:
        """Yield an anytime action, or one value of it."""
        at = self.explainer.start.fork()
        self.explainer.bind(at, action.me, self.seat)
        if action.binder is None:
            if words == action.label:
                yield Subject(words, action.span, lambda: self._action(action, at, None, ""))
            return
        rest = words.removeprefix(action.label).strip()
        if words != rest and rest:
            value = self.calls.value(rest, item_type(action.binder), self._listed(action.binder, at))
            if value is not None:
                yield Subject(words, action.span, lambda: self._action(action, at, value, rest))

    def _action(self, action: Anytime, at: Situation, value: Any, label: str) -> list[Reason]:
        found = []
        if self.question.kind == "pay":
            found.append(Reason(False, "nothing is being paid", self.question.span))
        if self.match.secret and self.model.anytime.index(action) not in self.program.quiet:
            found.append(Reason(False, "nobody answers in secret now", self.question.span))
        if goes_on(self.match.state[FRAMES], self.model.anytime.index(action), [] if value is None else [value]):
            found.append(Reason(False, "it does not go on already", action.span))
        if self.model.active is not None:
            found.append(self._active(action, self.model.active, at))
        given = [self.seat]
        if action.binder is not None:
            found += self._bound((action.binder,), at, [value], [label])
            given.append(value)
        found += self.explainer.conditions(action.when, at) if action.when is not None else []
        body = self.model.rules[action.body]
        inner = self.explainer.begun(body.variables, given[: len(body.variables)])
        inner.sure = at.sure
        return found + self.explainer.demands(self.program.workings.preconditions.of(body.block), inner)

    def _active(self, action: Anytime, active: x.Expr, at: Situation) -> Reason:
        who = self.explainer.value(active, at)
        several = isinstance(active.type, ty.Seq)
        holds = None if who is None else self.seat in who if several else who == self.seat
        words = () if who is None else ((say.value(active, at.speech), self.explainer.words(active.type, who)),)
        me = x.Local(action.me, type=action.me.type, span=active.span)
        test = x.Compare(*("in", me, active) if several else ("==", active, me), type=ty.BOOL, span=active.span)
        what = f"{say.value(active, at.speech)} {'are you among others' if several else 'is you'}"
        return Reason(holds, what, active.span, words, node=test, scope=dict(at.scope))

    # -- what can be asked

    def declared(self) -> Iterator[tuple[str, str]]:
        """Yield all options that the open question declares, and all anytime actions: labels, with what people read."""
        question, names = self.question, self.match.naming(self.seat).about(self.seat)
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
                yield from ((subject.label, subject.label) for subject in self._ways(effect))
        for number, action in enumerate(self.model.anytime):
            at = self.explainer.start.fork()
            self.explainer.bind(at, action.me, self.seat)
            for label, values in self._candidates((action.binder,) if action.binder is not None else (), at):
                yield f"{action.label} {label}".strip(), names.anytime((number, values[0] if values else 0))

    def _candidates(self, binders: Sequence[x.Binder], at: Situation) -> Iterator[tuple[str, tuple[Any, ...]]]:
        """Yield the labels of what can be chosen with its values, as far as the player may know what there is."""
        if not self.explainer.sight.conceals(binders, at.scope):
            for inner, label in self.explainer.candidates(binders, at):
                yield label, tuple(inner.scope[binder.variable] for binder in binders)

    def refused(self) -> dict[str, str]:
        """Return the labels of what is declared and not offered, each with what people read."""
        offered = set(self.offered)
        return {label: words for label, words in islice(self.declared(), MOST) if label not in offered}

    def _unknown(self, words: str) -> str:
        """Say what can be asked about instead of what was asked."""
        refused = self.refused()
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


def _blamed(reasons: list[Reason]) -> list[Reason]:
    """Return the reasons why something is not offered, where all that can be seen would allow it.

    That it is not offered everybody can see, and so that something hidden forbids it.
    """
    hidden = [reason for reason in reasons if reason.holds is None and not reason.way]
    if met(reasons) is not None:
        return reasons
    if len(hidden) == 1:
        return [replace(reason, holds=False, hidden=False) if reason is hidden[0] else reason for reason in reasons]
    what = "all that is hidden from you allows it"
    return [*reasons, Reason(False, what, hidden[0].span, node=hidden[0].node, scope=hidden[0].scope)]


def item_type(binder: x.Binder) -> ty.AnyType:
    """Return the type of what a variable is chosen from."""
    return binder.source.type.of if isinstance(binder.source.type, ty.Seq) else binder.variable.type
