"""Answer why an option of the open question, or the call of a rule, is possible or not.

In:     a match and what a person typed: the label of an option, offered or not, or ``rule(arguments)``, see ``calls``.
Out:    a ``Why``, or an error that says what can be asked about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import TYPE_CHECKING, Any

from patolli.check.prose import expressions as say
from patolli.language.diagnostics import Span, nearest
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.model import Anytime
from patolli.language.program.node import walk
from patolli.run.compiler.asked import DONE
from patolli.run.compiler.executable import goes_on
from patolli.run.compiler.layout import FRAMES
from patolli.run.runtime.calls import Calls, example
from patolli.run.runtime.explainer import Explainer
from patolli.run.runtime.reasons import Reason, Why, met
from patolli.run.runtime.selection_reasons import Taking
from patolli.run.runtime.situations import Situation

if TYPE_CHECKING:
    from patolli.run.runtime.match import Match

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
        ValueError: No decision is open, or the text names nothing; the message lists possible questions.
    """
    if match.pending is None:
        raise ValueError("the match is over")
    said = len(match.program.events)
    try:
        inquiry = _Inquiry(match)
        names = match.naming(inquiry.reader).about(inquiry.seat) if named else None
        inquiry.explainer.names = inquiry.explainer.purse.names = names
        return inquiry.answer(" ".join(text.split()))
    finally:
        del match.program.events[said:]


def list_refused_options(match: Match) -> dict[str, str]:
    """Return the labels of the options that the open question declares and does not offer, with what people read."""
    return {} if match.pending is None else _Inquiry(match).list_refused_options()


def count_chosen(match: Match) -> tuple[int, int] | None:
    """Return how many of several things are chosen so far, and how many are wanted at least; None for other questions.

    The second number is -1 if the player cannot know it.
    """
    if match.pending is None or match.decision is None or match.decision.question.kind != "several":
        return None
    said = len(match.program.events)
    try:
        return _Inquiry(match).count_chosen()
    finally:
        del match.program.events[said:]


def find_label(match: Match, words: str) -> str:
    """Return the label of what people call *words*, in small letters, where the open question does not list it.

    That is a line of its menu or an anytime action without the value that it needs, or with one that is not among those
    to choose from; nothing where none is called so.
    """
    return "" if match.pending is None else _Inquiry(match).find_label(words)


MOST, NAMED = 5000, 12
"""How many options a question may declare before no more are listed, and how many an error names."""


class _Inquiry:
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

    # -- answers

    def answer(self, words: str) -> Why:
        """Answer what was typed."""
        subject = next((one for one in self._find_subjects(words)), None)
        if words in self.offered or (subject is not None and subject.whole and self._has_option_prefix(words)):
            reasons = subject.reasons() if subject is not None else []
            return self._why(words, True, subject.span if subject is not None else self.question.span, reasons)
        if subject is not None:
            reasons = subject.reasons()
            if met(reasons):
                assert words in self._before_afterwards(), f"no reason is found why {words!r} is not offered"
                reasons.append(self._afterwards())
            return self._why(subject.label, False, subject.span, _find_hidden_reasons(reasons))
        if (together := self._explain_together(words)) is not None:
            return self._why(words, met(together) is True, self.question.span, _find_hidden_reasons(together))
        call = self.calls.answer(words)
        if call is None:
            raise ValueError(self.unknown_words(words))
        return call

    def _has_option_prefix(self, words: str) -> bool:
        """Return whether an option with a value is offered that begins with certain words."""
        return any(label.startswith(f"{words} ") for label in self.offered)

    def _why(self, words: str, offered: bool | None, span: Span, reasons: list[Reason]) -> Why:
        return Why(words, self.seat, offered, False, span, tuple(reasons))

    def _find_subjects(self, words: str) -> Iterator[Subject]:
        """Yield what the words name, among what the open question and the anytime actions declare."""
        effect = self.question.effect
        match effect:
            case e.Choose(several=True):
                yield from self._of_several(words, effect)
            case e.Choose():
                yield from self._of_choice(words, effect.binders, lambda *given: self._explain_choice(effect, *given))
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
            value = self.calls.value(part, item_type(binder), self._list_candidates(binder, at))
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
        value = self.calls.value(words, item_type(binder), self._list_candidates(binder, taking.at))
        if value is not None:
            yield Subject(words, self.question.span, lambda: taking.one(value, words, words in self.offered))

    def count_chosen(self) -> tuple[int, int]:
        """Return how many of several things are chosen so far, and how many are wanted at least."""
        effect = self.question.effect
        assert isinstance(effect, e.Choose)
        variable = effect.binders[0].variable
        least = self.explainer.value(effect.amount[1], self.situation(variable))
        return len(self.scope.get(variable, ())), -1 if least is None else least

    def _explain_together(self, words: str) -> list[Reason] | None:
        """Say why several things, separated by commas, may be chosen together or not; None for other words."""
        effect, labels = self.question.effect, words.split(", ")
        if not isinstance(effect, e.Choose) or not effect.several or len(labels) < 2:
            return None
        variable = effect.binders[0].variable
        taken, at = self.scope.get(variable, ()), self.situation(variable)
        taking = Taking(effect, self.question.behind, self.explainer, at, taken)
        candidates = self._list_candidates(taking.binder, taking.at)
        values = [self.calls.value(label, item_type(taking.binder), candidates) for label in labels]
        return taking.all_of(values, labels) if None not in values else None

    def _explain_choice(self, choose: e.Choose, at: Situation, values: list[Any], labels: list[str]) -> list[Reason]:
        found = self._explain_binders(choose.binders, at, values, labels)
        found += self.explainer.conditions(choose.where, at) if choose.where is not None else []
        return found + self.explainer.demands(self.question.behind, at)

    def _explain_binders(
        self, binders: Sequence[x.Binder], at: Situation, values: list[Any], labels: list[str]
    ) -> list[Reason]:
        """Say whether values are in the lists that they are chosen from, and give them to their variables."""
        found = []
        for binder, value, label in zip(binders, values, labels, strict=True):
            found += self.explainer.among(value, label, binder.variable, binder.source, at)
            self.explainer.bind(at, binder.variable, value)
        return found

    def _list_candidates(self, binder: x.Binder, at: Situation) -> Sequence[Any]:
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
                return self._explain_binders(option.binders, at, values, labels) + self._body(option, at)

            yield from self._of_choice(rest, option.binders, reasons, head, option.span)

    def _line(self, option: e.Option) -> list[Reason]:
        at = self.situation()
        if not option.binders:
            return self._body(option, at)
        return [replace(self.explainer.line(option, self._demand(option), at), what="it is possible with one of these")]

    def _body(self, option: e.Option, at: Situation) -> list[Reason]:
        found = self.explainer.conditions(option.condition, at) if option.condition is not None else []
        return found + self.explainer.demands(self._demand(option), at)

    def _demand(self, option: e.Option) -> Any:
        return self.program.workings.preconditions.of(option.body)

    def _ways(self, pay: e.Pay) -> Iterator[Subject]:
        """Yield all ways to pay what is owed, those too that leave nothing possible."""
        for who, way in self.payments(pay):
            yield Subject(self.labels.way(way), pay.span, lambda who=who, way=way: self._explain_payment(who, way))  # type: ignore[misc]

    def _explain_payment(self, who: int, way: tuple[int, ...]) -> list[Reason]:
        at = self.situation()
        at.state = self.explainer.purse.apply_payment(at.state, who, way)
        return self.explainer.demands(self.question.behind, at)

    def _before_afterwards(self) -> set[str]:
        """Return the labels of all options, those too after which a question that waits could not be answered."""
        copy = self.match.clone()
        frame = copy.state[FRAMES][-1]
        block, seat = frame[0], self.seat
        values = self.program.blocks[block](copy.state, frame)
        values = [frame[self.program.slots[block]]] if values is None else values  # the only one was taken
        more = self.program.anytime(copy.state, seat) if self.program.anytime is not None else ()
        seat_visibility = self.labels.seat_visibility(copy.state, self.reader)
        return {
            *(self.labels.option(self.question, value, seat, seat_visibility) for value in values),
            *(self.labels.anytime(value, seat, seat_visibility) for value in more),
        }

    def _afterwards(self) -> Reason:
        """Say that an option would leave a question without an answer that waits until an action is done."""
        questions = self.program.questions
        waiting = [questions[f[0]] for f in self.match.state[FRAMES] if f[0] in questions and questions[f[0]].fragile]
        asked = waiting[0] if waiting else self.question
        return Reason(False, f"{asked.prompt or 'the question'!r} can be decided afterwards", asked.span)

    # -- anytime actions

    def _of_action(self, words: str, number: int, action: Anytime) -> Iterator[Subject]:
        """Yield an anytime action, or one value of it."""
        at = self.explainer.start.fork()
        self.explainer.bind(at, action.me, self.seat)
        if action.binder is None:
            if words == action.label:
                yield Subject(words, action.span, lambda: self._action(action, at, None, ""))
            return
        if words == action.label:
            yield Subject(words, action.span, lambda: self._any_of(action, at), whole=True)
            return
        rest = words.removeprefix(action.label).strip()
        if words != rest and rest:
            value = self.calls.value(rest, item_type(action.binder), self._list_candidates(action.binder, at))
            if value is not None:
                yield Subject(words, action.span, lambda: self._action(action, at, value, rest))

    def _any_of(self, action: Anytime, at: Situation) -> list[Reason]:
        """Say whether an anytime action is possible with some value."""
        binder = action.binder
        assert binder is not None
        what, node = "it is possible with one of these", binder.source
        if self.explainer.hidden_reads.conceals((binder,), at.scope):
            return [Reason(None, what, action.span, hidden=True, node=node, scope=dict(at.scope))]

        def reasons(inner: Situation) -> list[Reason]:
            value = inner.scope[binder.variable]
            return self._action(action, inner, value, self.explainer.words(binder.variable.type, value))

        values, parts = self.explainer.try_values((binder,), at, action.span, reasons)
        holds = True if any(one.holds for one in parts) else met(parts)
        return [Reason(holds, what, action.span, values, parts, choice=True, node=node, scope=dict(at.scope))]

    def _action(self, action: Anytime, at: Situation, value: Any, label: str) -> list[Reason]:
        found = []
        if self.question.kind == "pay":
            found.append(Reason(False, "nothing is being paid", self.question.span))
        if self.match.secret and self.model.anytime.index(action) not in self.program.quiet:
            found.append(Reason(False, "no secret choice is open now", self.question.span))
        if goes_on(self.match.state[FRAMES], self.model.anytime.index(action), [] if value is None else [value]):
            found.append(Reason(False, "it does not continue already", action.span))
        if self.model.active is not None:
            found.append(self._active(action, self.model.active, at))
        given = [self.seat]
        if action.binder is not None:
            found += self._explain_binders((action.binder,), at, [value], [label])
            given.append(value)
        found += self.explainer.conditions(action.when, at) if action.when is not None else []
        body = self.model.rules[action.body]
        inner = self.explainer.begin_situation(body.variables, given[: len(body.variables)])
        inner.sure = at.sure
        return found + self.explainer.demands(self.program.workings.preconditions.of(body.block), inner)

    def _active(self, action: Anytime, active: x.Expr, at: Situation) -> Reason:
        who = self.explainer.value(active, at)
        several = isinstance(active.type, ty.Seq)
        holds = None if who is None else self.seat in who if several else who == self.seat
        words = () if who is None else ((say.value(active, at.speech), self.explainer.words(active.type, who)),)
        me = x.Local(action.me, type=action.me.type, span=active.span)
        test = x.Compare(*("in", me, active) if several else ("==", active, me), type=ty.BOOL, span=active.span)
        said = say.value(active, at.speech)
        who_acts = say.value(me, at.speech)
        what = f"{who_acts} {'are' if who_acts == 'you' else 'is'} among {said}" if several else f"{said} is {who_acts}"
        return Reason(holds, what, active.span, words, node=test, scope=dict(at.scope))


def item_type(binder: x.Binder) -> ty.AnyType:
    """Return the type of what a variable is chosen from."""
    return binder.source.type.of if isinstance(binder.source.type, ty.Seq) else binder.variable.type


def _find_hidden_reasons(reasons: list[Reason]) -> list[Reason]:
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
