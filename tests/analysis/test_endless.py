"""Rules that carry themselves out without an end, by whatever way: they are refused, and all others are played."""

from __future__ import annotations

from textwrap import indent

import pytest
from littlepacks import lay, told
from packmaker import loaded, problems

FIRST = "rules:\n  go(): {do: '%s'}\n"
AHEAD = "after(go(), point < 9)"
GO = FIRST % "gain 3 point"
WHEN = "triggers:\n  late: {after: go, when: '%s', do: gain 1 point}\n"
REFUSED = {
    "the condition of a trigger": GO + WHEN % AHEAD,
    "the condition of a trigger before it": GO + (WHEN % AHEAD).replace("after: go", "before: go"),
    "the body of a trigger": GO + f"triggers:\n  late: {{after: go, do: 'if {AHEAD}: gain 1 point'}}\n",
    "a function": GO + WHEN % "soon()" + f"functions:\n  soon(): {AHEAD}\n",
    "a function of a function": GO + WHEN % "soon()" + f"functions:\n  soon(): later()\n  later(): {AHEAD}\n",
    "another rule": FIRST % "gain 1 point" + f"  around(): go()\n{WHEN}" % "after(around(), point < 9)",
    "the rule itself": FIRST % f"if {AHEAD}: gain 1 point",
    "a quantifier": FIRST % f"if any(p in players where point(p) < 3 and {AHEAD}): gain 1 point",
    "a condition that a match cannot change": FIRST % f"if seats < 9 and {AHEAD}: gain 1 point",
    "a condition that is changed too late": FIRST % f"if point < 3 and {AHEAD}: gain 1 point",
    "a call before the change": FIRST % "if point < 3: go(); gain 1 point",
    "the beginning of a rule": FIRST % "if can(next()): gain 1 point"
    + f"  next(): {{do: 'require {AHEAD}; gain 1 point'}}\n",
    "what takes its place": GO + f"triggers:\n  other: {{instead: go, when: '{AHEAD}', do: gain 1 point}}\n",
    "what is done in its place": GO + f"triggers:\n  other: {{instead: go, do: 'if {AHEAD}: gain 1 point'}}\n",
    "an anytime action": FIRST % "gain 1 point" + "  act(): {do: 'if ready(): gain 1 point'}\nactive: player_1\n"
    "anytime:\n  now: {when: 'after(act(), point < 9)', do: act()}\nfunctions:\n  ready(): after(act(), point < 9)\n",
    "what is reported": FIRST % f'gain 1 point; say "{{}}" (1 if {AHEAD} else 0)',
    "the amount of a cost": FIRST % "pay toll" + "  \n",
    "what happens to a counter": FIRST % "gain 1 seed"
    + f"triggers:\n  late: {{after: gain seed, when: '{AHEAD}', do: gain 1 nut}}\n",
    "a payment": FIRST % "pay 1 mica" + "  give(ore): {do: 'if can(go()): go()'}\n",
    "a parameter that stays the same": FIRST % "down(2)"
    + "  down(int n): {do: 'if n > 0 and after(down(n), point < 9): gain 1 point'}\n",
}
ACCEPTED = {
    "a condition that the rule changes": GO + WHEN % f"point < 3 and {AHEAD}",
    "another rule": FIRST % "if after(other(), point < 9): gain 1 point" + "  other(): gain 1 point\n",
    "a parameter that changes": FIRST % "down(2)"
    + "  down(int n): {do: 'if n > 0 and after(down(n - 1), point < 9): gain 1 point'}\n",
    "a call behind the change": FIRST % "gain 1 point; if point < 3: go()",
    "whether the rule is possible": GO + WHEN % "can(go())",
    "a payment": FIRST % "pay 1 mica" + "  give(ore): {do: lose 1 mica}\n",
}
MORE = """# more.yaml
document: model
constants: {toll: {type: cost, value: '(1 if after(go(), point > 2) else 2) coin'}}
"""
ORES = """# more.yaml
document: model
counters: {mica: {per: player, start: 3, spend: give}, flint: {per: player, spend: give}}
groups: {ore: [mica, flint]}
"""


def _example(name: str, rules: str) -> str:
    model = MORE if "cost" in name else ORES if "payment" in name else ""
    return f"{model}# circle.yaml\ndocument: rules\n{rules}# called.yaml\ndocument: rules\ntriggers:\n" + indent(
        "called: {after: earn, do: 'if can(go()): go()'}\n", "  "
    )


@pytest.mark.parametrize("name", REFUSED)
def test_what_never_ends_is_refused(tmp_path, name):
    found = [p for p in problems(tmp_path, _example(name, REFUSED[name])) if p.severity == "error"]

    assert {p.code for p in found} <= {"P0441", "P0481"}
    assert found
    assert "circle" in found[0].help


@pytest.mark.parametrize("name", ACCEPTED)
def test_what_ends_is_accepted_and_played(tmp_path, name):
    match = loaded(tmp_path, _example(name, ACCEPTED[name])).start(2, 3)
    for step in ("0", "0", "earn"):
        match.choose(step)


@pytest.mark.parametrize(
    ("one", "two", "refused"),
    [
        pytest.param("two.worth + 1", "point", False, id="another piece that counts"),
        pytest.param("two.worth + 1", "3", False, id="another piece with a number"),
        pytest.param("two.worth + 1", "one.worth", True, id="two pieces in a circle"),
        pytest.param("it.worth + 1", "3", True, id="the piece itself"),
        pytest.param("all_beads", "3", True, id="all pieces"),
    ],
)
def test_formulas_that_read_formulas(tmp_path, one, two, refused):
    model = "counters:\n  point: {per: player, noun: [point, points]}\nkinds:\n  bead: {facts: {worth: formula}}\n"
    beads = f"document: pieces\nkind: bead\npieces:\n  one: {{worth: {one}}}\n  two: {{worth: {two}}}\n"
    rules = (
        'rules:\n  match: |\n    choose b in bead "Which?"\n    gain b.worth + all_beads point\nresult: {score: point}\n'
        "functions:\n  all_beads: {is: sum(b.worth for b in bead), type: int}\n"
    )
    found = told(lay(tmp_path, model, rules, p=beads))

    assert ["P0441" in error for error in found] == [True] * refused, found
