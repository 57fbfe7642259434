"""The questions of a program by names that stay the same across variants, and which variables are known there.

A question is called after the rule that asks, the kind of question, and what is chosen: ``turn/menu``, ``match/choose
cell``. Of several that are alike in one rule, the second ends with `` 2``, and so on, in the order of the text. The
compiler may make several of one that is written; they have one name.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from patolli.language.program import types as ty
from patolli.language.program.expressions import Variable
from patolli.measure.observations.known_variables import Knowing
from patolli.run.compiler.asked import Question
from patolli.run.compiler.executable import Executable

_SINGLE = (ty.Ref, ty.Design, ty.Group, ty.Choice)


@dataclass(slots=True)
class Named:
    """A question as it is written: its name, and one of those that the compiler made of it."""

    name: str
    question: Question


@dataclass(slots=True)
class Asked:
    """All questions of a program.

    Attributes:
        names: Each question once, in the order of the rules.
        index: By the number of a block that asks, the position in ``names``.
        variables: By the number of a block, what the player knows who is asked there: variables, and their slots.
    """

    names: list[Named] = field(default_factory=list)
    index: dict[int, int] = field(default_factory=dict)
    variables: dict[int, list[tuple[Variable, int]]] = field(default_factory=dict)


def list_questions(program: Executable) -> Asked:
    """Return the questions of a program."""
    found = Asked()
    knowing = Knowing(program)
    written: dict[tuple[str, str, str, int, int], int] = {}
    alike: dict[str, int] = {}
    order = {name: number for number, name in enumerate(program.layout.model.rules)}
    questions = sorted(program.questions.items(), key=lambda one: (order.get(one[1].rule, -1), _place(one[1]), one[0]))
    for number, question in questions:
        key = (question.rule, question.kind, *_place(question))
        if key not in written:
            written[key] = len(found.names)
            name = f"{question.rule.rstrip('#')}/{question.kind}{_what(question)}"
            alike[name] = times = alike.get(name, 0) + 1
            found.names.append(Named(name if times == 1 else f"{name} {times}", question))
        found.index[number] = written[key]
        found.variables[number] = [
            (variable, slot)
            for variable, slot in question.frame.items()
            if _tellable(variable) and knowing.is_known(question.effect, variable)
        ]
    return found


def _place(question: Question) -> tuple[str, int, int]:
    return str(question.span.path), question.span.line, question.span.column


def _what(question: Question) -> str:
    if question.kind not in ("choose", "order", "several"):
        return ""
    return " " + " ".join(map(type_name, question.types))


def type_name(type_: ty.AnyType) -> str:
    """Return what the values of a type are called in names of questions."""
    match ty.strip(type_):
        case ty.Ref(kind=kind):
            return kind
        case ty.Design(kind=kind):
            return f"design of {kind}"
        case ty.Group(name=name):
            return name
        case ty.Choice(option=option):
            return option
        case ty.Seq(of=of):
            return f"list of {type_name(of)}"
        case ty.BOOL:
            return "truth"
    return "number"


def _tellable(variable: Variable) -> bool:
    """Return whether the value of a variable can be given by a fixed number of numbers; who is me is known anyway."""
    inner = ty.strip(variable.type)
    if isinstance(inner, ty.Seq):
        return isinstance(ty.strip(inner.of), ty.Ref)
    return variable.name != "me" and (inner in (ty.INT, ty.BOOL) or isinstance(inner, _SINGLE))
