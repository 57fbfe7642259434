"""Find payments by where they stand, so that a module reaches those to which their author gave no tag.

``rule/step`` means all payments of a step, ``rule/2`` the second payment of the rule that has no tag. What is meant is
noted in the model; the trees stay as they are written.

Errors: P0121 a step that a rule does not have, P0134 no payment where one is meant, P0201 an unknown rule.
"""

from __future__ import annotations

from collections.abc import Iterator

from patolli.language.diagnostics import Span, instead, nearest
from patolli.language.resolve.model import Model, Rule, Step
from patolli.language.resolve.texts import Reader
from patolli.language.sources import Mapping, Scalar
from patolli.language.syntax import tree as t
from patolli.language.syntax.syntax_walk import nodes


def layers(rule: Rule) -> Iterator[Rule]:
    """Go through a rule, then what an ``instead`` has put aside."""
    here: Rule | None = rule
    while here is not None:
        yield here
        here = here.inner


def own_steps(rule: Rule) -> Iterator[Step]:
    """Go through the steps that a rule was written with, those in what an ``instead`` has put aside too."""
    return (step for layer in layers(rule) for step in layer.steps if "'" not in step.name)


def named_steps(rule: Rule) -> list[str]:
    """Return the names of the steps to which their author gave one."""
    return [step.name for step in own_steps(rule) if step.name != "do"]


def report_no_step(reader: Reader, rule: Rule, name: str, at: Span, place: Span | None, remedy: str) -> None:
    """Report that a rule has no such step.

    Args:
        reader: Who reports.
        rule: The rule.
        name: What was written for the step.
        at: What the problem points at.
        place: Where the name of the step alone stands, so that a name that is near can be put there.
        remedy: What to do where the rule has no steps with names.
    """
    steps = named_steps(rule)
    near = nearest(name, steps)
    help_ = f"did you mean {near!r}?" if near else f"its steps are: {', '.join(steps)}" if steps else remedy
    words = f"rule {rule.name!r} has no step {name!r}"
    fixes = instead(place, near) if place is not None else ()
    taken = find_remover(reader.model, rule, name)
    if taken is not None:
        by, gone = taken
        help_, fixes = f"do without {by!r}, or join a step that is left: {', '.join(steps) or 'none'}", ()
        reader.problem("P0121", f"{words} any more", at, help_, (gone, f"{by!r} takes it away here"))
        return
    reader.problem("P0121", words, at, help_, (rule.span, "the rule is here"), fixes=fixes)


def find_remover(model: Model, rule: Rule, step: str) -> tuple[str, Span] | None:
    """Return which pack replaced or removed a step of a rule, or what the whole rule does, and where.

    Args:
        model: What is declared.
        rule: The rule.
        step: The name of a step that the rule had when it was declared; empty for the whole rule.
    """
    entry = model.composition.sections["rules"].get(rule.name.partition("'")[0])
    steps = entry.declared.get("steps") if entry is not None and isinstance(entry.declared, Mapping) else None
    if entry is None or (step and not (isinstance(steps, Mapping) and step in steps)):
        return None
    whole = f"rules/{entry.id}"
    for pack, operation, change in reversed(entry.changed):
        target = change.get(operation) if isinstance(change, Mapping) else None
        if operation not in ("replace", "remove") or not isinstance(target, Scalar):
            continue
        if target.value in (whole, f"{whole}/do", f"{whole}/steps", *([f"{whole}/steps/{step}"] if step else ())):
            return pack, target.span
    return None


def payments(rule: Rule) -> Iterator[tuple[str, str, t.Pay]]:
    """Yield the payments of a rule in the order of the text, with step and address: the step, or the step and tag."""
    number = 0
    for step in own_steps(rule):
        for node in nodes(step.block):
            if isinstance(node, t.Pay):
                number += node.tag is None
                yield step.name, f"{rule.name}/{number if node.tag is None else f'{step.name}/{node.tag}'}", node


def resolve_addresses(model: Model, reader: Reader, on: Scalar) -> tuple[str, ...]:
    """Return the addresses of the payments that a text such as ``rule/step`` or ``rule/2`` means, and note them."""
    name, _, part = on.value.partition("/")
    rule = model.rules.get(name)
    if rule is None or rule.hidden:
        reader.unknown("rule", on, name, [one.name for one in model.rules.values() if not one.hidden])
        return ()
    there = list(payments(rule))
    if part.isdigit():
        meant = [one for one in there if one[1] == f"{name}/{part}"]
    else:
        if part not in named_steps(rule):
            at = on.place(len(on.value) - len(part), len(part))
            report_no_step(
                reader, rule, part, on.span, at, "it has no steps with names; write the number of the payment"
            )
            return ()
        meant = [one for one in there if one[0] == part]
    if not meant:
        untagged = sum(node.tag is None for _, _, node in there)
        words = f"step {part!r} of rule {name!r} pays nothing"
        if part.isdigit():
            few = f"{untagged} without a tag" if untagged else "all that it has have tags"
            words = f"rule {name!r} has no payment {part}: {few if there else 'it pays nothing'}"
        reader.problem("P0134", words, on.span, "", (rule.span, "the rule is here"))
    for _, address, node in meant:
        model.paid[place_of(node)] = address
    return tuple(dict.fromkeys(address for _, address, _ in meant))


def place_of(pay: t.Pay) -> tuple[int, int]:
    """Return by what a payment is known: the text in which it is written, and where; copies of a tree share it."""
    return id(pay.at.text), pay.at.start


def with_tags(on: tuple[str, ...], model: Model) -> tuple[str, ...]:
    """Add to tags the addresses of the payments that have one of them and are reached by their place, too."""
    behind = (one for one in dict.fromkeys(model.paid.values()) if one.count("/") == 2 and one.split("/")[2] in on)
    return tuple(dict.fromkeys([*on, *behind]))
