"""Built-in functions take what they declare and nothing else, and give what they declare."""

from __future__ import annotations

import pytest
from packmaker import loaded, problems, trigger

from patolli.language.program import effects as e
from patolli.language.program.builtins import BUILTINS

CALLS = {
    "abs": (["coin"], "a number"),
    "size": (["deck"], "a number"),
    "top": (["deck"], "a card or none"),
    "have": (["coin"], "a number"),
    "payable": (["rich_1.cost"], "true or false"),
    "can": (["dig()"], "true or false"),
    "after": (["earn(1)", "coin"], "a number"),
    "number": (["me"], "a number"),
    "rotate": (["{1, 2}", "1"], "a list of numbers"),
    "reverse": (["{1, 2}"], "a list of numbers"),
    "take": (["{1, 2}", "1"], "a list of numbers"),
    "position": (["{1, 2}", "1"], "a number"),
    "combinations": (["{1, 2, 3}", "1", "2"], "a list of lists of numbers"),
    "next": (["me"], "a player"),
    "previous": (["me"], "a player"),
    "others": (["me"], "a list of players"),
    "turn_order": (["me"], "a list of players"),
    "cell_at": (["cell", "1", "1"], "a cell or none"),
    "shift": (["a1", "1", "1"], "a cell or none"),
    "adjacent": (["a1"], "a list of cell"),
    "around": (["a1"], "a list of cell"),
    "lines": (["a1", "3"], "a list of lists of cell"),
    "ray": (["a1", "1", "1"], "a list of cell"),
    "connected": (["{a1, b1}", "a1"], "a list of cell"),
    "reachable": (["a1", "adjacent"], "a list of cell"),
    "distance": (["a1", "b1", "adjacent"], "a number or none"),
    "path": (["a1", "b1", "adjacent"], "a list of cell"),
    "owned": (["token"], "a list of token"),
    "placements": (["bar", "cell"], "a list of cell_placement"),
    "place_of": (["plain_1", "hand"], "a player or none"),
}
MORE = """# more.yaml
document: model
kinds: {token: {per: player, copies: 2}}
shapes: {bar: ["##"]}
"""
WRONG = [(name, at) for name in BUILTINS for at, kind in enumerate(BUILTINS[name].parameters) if kind != "any"]


def call(name: str, *arguments: str) -> str:
    return trigger(f"let v = {name}({', '.join(arguments)})\nif v == v: nothing", "dig") + MORE


def test_every_built_in_function_is_called():
    assert CALLS.keys() == BUILTINS.keys()


@pytest.mark.parametrize("name", CALLS)
def test_result(tmp_path, name):
    arguments, type_ = CALLS[name]
    rules = loaded(tmp_path, call(name, *arguments)).model.program.rules.values()
    (value,) = [
        one.value for rule in rules for one in rule.block if isinstance(one, e.Let) and one.variable.name == "v"
    ]

    assert str(value.type) == type_


@pytest.mark.parametrize(("name", "at"), WRONG)
def test_wrong_argument_is_refused(tmp_path, name, at):
    arguments = list(CALLS[name][0])
    arguments[at] = "true"
    found = problems(tmp_path, call(name, *arguments))

    assert {problem.code[:3] for problem in found if problem.severity == "error"} <= {"P02", "P03"}
    assert any(problem.severity == "error" for problem in found)
