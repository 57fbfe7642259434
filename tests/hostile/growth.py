"""Packs that ask for as much work as they can: of the checker, of the set-up, of names and of narration.

A third of 100 kB shows how the work grows as well as 100 kB do, for a third of the time or less.
Each function without parameters makes one: what it adds to a small pack, by file. ``PACKS`` holds them all, by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from inspect import isfunction, signature
from itertools import pairwise
from pathlib import Path

LARGEST = 100_000
"""Bytes that a pack may have."""
Files = dict[str, str]
MANIFEST = """\
document: pack
id: hostile
version: 1.0.0
language: 2
title: Hostile
text: A pack that grows.
players: {min: 2, max: 4}
"""
MODEL = "document: model\ncounters:\n  point: {per: player, noun: [point, points], text: Points}\n  gem: {per: player, text: Gems}\n"


def write(name: str, folder: Path) -> Path:
    """Write a pack into a folder of its own; return that."""
    files = {"pack.yaml": MANIFEST, "model.yaml": MODEL, "rules.yaml": rules("gain 1 point")} | PACKS[name]()
    assert sum(len(text.encode()) for text in files.values()) <= LARGEST
    home = folder / "hostile"
    for file, text in files.items():
        (home / file).parent.mkdir(parents=True, exist_ok=True)
        (home / file).write_text(text, "utf-8")
    return home


def rules(go: str, more: str = "", setup: str = "nothing") -> str:
    """Write rules: a question, then a rule ``go`` with a block, and what else there is in the section."""
    return (
        f'document: rules\nrules:\n  setup: {setup}\n  match: |\n    choose x in 1..3 "Which?"\n    gain x point\n    go()\n'
        f"  go(): |\n{indented(go)}\n    if gem > 0: pay 1 gem\n{more}result: {{score: point}}\n"
    )


def indented(block: str) -> str:
    """Shift a block in as far as that of a rule."""
    return "\n".join(f"    {line}" for line in block.splitlines())


def within(*lines: Iterable[str]) -> str:
    """Join lines."""
    return "\n".join(line for several in lines for line in several)


def body(*lines: Iterable[str]) -> Files:
    """Return rules with a block."""
    return {"rules.yaml": rules(within(*lines))}


def model(text: str, go: str = "gain 1 point", more: str = "") -> Files:
    """Return a model with more in it, and rules with a block."""
    return {"model.yaml": MODEL + text, "rules.yaml": rules(go, more)}


def yaml(head: str, rows: Iterable[str]) -> str:
    """Return a section with rows."""
    return head + ":\n" + "".join(f"  {row}\n" for row in rows)


# -- numbers


def constants_squared() -> Files:
    rows = [f"c{i}: {{type: int, value: c{i + 1} * c{i + 1}}}" for i in range(90)]
    return model(yaml("constants", [*rows, "c90: {type: int, value: 9}"]), "gain c0 point")


def constants_doubled() -> Files:
    rows = [f"c{i}: {{type: int, value: c{i + 1} + c{i + 1}}}" for i in range(90)]
    return model(yaml("constants", [*rows, "c90: {type: int, value: 9}"]), "gain c0 point")


def lets_squared() -> Files:
    return body(["let a0 = point + 2"], (f"let a{i + 1} = a{i} * a{i}" for i in range(2_000)), ["gain a2000 point"])


def lets_squared_of_known() -> Files:
    return body(["choose a0 in 2..9"], (f"let a{i + 1} = a{i} * a{i}" for i in range(2_000)), ["gain a2000 point"])


def lets_summed() -> Files:
    return body(["let a0 = point + 2"], (f"let a{i + 1} = a{i} + a{i}" for i in range(2_000)), ["gain a2000 point"])


def lets_of_two_before() -> Files:
    lines = (f"let a{i + 2} = a{i} + a{i + 1}" for i in range(1_900))
    return body(["let a0 = point", "let a1 = gem"], lines, ["gain a1901 point"])


def lets_chained() -> Files:
    return body(["let a0 = point"], (f"let a{i + 1} = a{i} + 1" for i in range(2_000)), ["gain a2000 point"])


def lets_compared() -> Files:
    lines = (f"let a{i + 1} = a{i} + 1\nif a{i + 1} > a{i}: gain 1 gem" for i in range(400))
    return body(["let a0 = point"], lines, ["gain a400 point"])


def lets_of_extremes() -> Files:
    lines = (f"let a{i + 1} = max(a{i}, min(a{i} + 1, gem))" for i in range(500))
    return body(["let a0 = point"], lines, ["gain a500 point"])


def lets_indexing() -> Files:
    lines = (f"let a{i + 1} = a{i} + 1\nif 0 <= a{i} and a{i} < 4: gain steps[a{i}] point" for i in range(300))
    text = "constants:\n  steps: {type: list of int, value: [1, 2, 3, 4]}\n"
    return model(text, within(["let a0 = point"], lines, ["gain a300 point"]))


def lets_and_counters() -> Files:
    names = [f"k{i}" for i in range(250)]
    lines = [f"gain point {a}\nlet v{a} = {a} + {b}\npay {a} {b}" for a, b in pairwise(names)]
    text = "".join(f"  {name}: {{per: player}}\n" for name in names)
    guard = [f"stop unless {name} > 3 and {name} < 99" for name in names]
    return model(text, within(guard, lines))


def truths_doubled() -> Files:
    return body(
        ["let a0 = point > 2"], (f"let a{i + 1} = a{i} and not a{i}" for i in range(500)), ["if a500: gain 1 point"]
    )


def truths_of_two() -> Files:
    lines = (f"let a{i + 2} = a{i} or a{i + 1} and point > {i}" for i in range(500))
    return body(["let a0 = point > 2", "let a1 = gem > 1"], lines, ["if a501: gain 1 point"])


def lists_doubled() -> Files:
    lines = (f"let a{i + 1} = a{i} + a{i}" for i in range(660))
    return body(["let a0 = {1, 2}"], lines, ["gain size(a660) point"])


def lists_filtered() -> Files:
    lines = (f"let a{i + 1} = [x{i} in a{i} where x{i} > {i} or x{i} in a{i}]" for i in range(300))
    return body(["let a0 = 1..9"], lines, ["gain size(a300) point"])


def pairs_of_lists() -> Files:
    lines = (f"let a{i + 1} = {{a{i}, a{i}}}" for i in range(40))
    return body(["let a0 = {1, 2}"], lines, ["gain size(a40) point"])


def sums_of_products() -> Files:
    deep = " * ".join(["(point + 1)"] * 90)
    return body(f"let a{i} = {deep}\ngain a{i} gem" for i in range(15))


def numbers_huge() -> Files:
    return body(f"let a{i} = {'9' * 15} * {'9' * 15} * {'9' * 15} + point\ngain a{i} gem" for i in range(700))


# -- conditions and branches


def branches_in_a_row() -> Files:
    return body(f"if point > {i}: gain 1 gem" for i in range(660))


def branches_that_set() -> Files:
    lines = (f"if gem > {i}: set a to a + 1\nelse: set a to a + 2" for i in range(1_100))
    return body(["let a = point"], lines, ["gain a point"])


def branches_of_many_variables() -> Files:
    lets = (f"let a{i} = point + {i}" for i in range(200))
    lines = (f"if a{i} > gem: set a{i} to a{(i * 7) % 200}" for i in range(200))
    return body(lets, lines, (f"gain a{i} point" for i in range(200)))


def branches_deep() -> Files:
    lines = [f"{'  ' * i}if point > {i}:" for i in range(40)]
    return body([*lines, "  " * 40 + "nothing"] * 20)


def conditions_long() -> Files:
    long = " and ".join(f"point != {i}" for i in range(40))
    return body(f"if {long}: gain {i} gem" for i in range(15))


def conditions_open() -> Files:
    lines = (f"stop unless point > {i} or gem > {i + 1}" for i in range(500))
    return body(lines, ["gain 1 point"])


def conditions_stacked() -> Files:
    lines = (f"stop if point == {i} and gem == {i}" for i in range(500))
    return body(lines, ["gain 1 point"])


def requires_many() -> Files:
    return body((f"require point != {i} or gem > {i}" for i in range(500)), ["gain 1 point"])


def if_else_nested() -> Files:
    value = "point"
    for i in range(50):
        value = f"({value} if gem > {i} else {i})"
    return body(f"let a{i} = {value}\ngain a{i} point" for i in range(17))


# -- rules, functions, triggers


def functions_doubled() -> Files:
    rows = [f"f{i}(int n): f{i + 1}(n) + f{i + 1}(n + 1)" for i in range(80)]
    return {"rules.yaml": rules("gain f0(1) point", yaml("functions", [*rows, "f80(int n): n"]))}


def functions_of_conditions() -> Files:
    rows = [f"f{i}(int n): f{i + 1}(n) or not f{i + 1}(n)" for i in range(80)]
    return {"rules.yaml": rules("if f0(1): gain 1 point", yaml("functions", [*rows, "f80(int n): n > point"]))}


def functions_both() -> Files:
    rows = [f"f{i}(int n): f{i + 1}(n) and f{i + 1}(n + 1)" for i in range(80)]
    go = "if f0(1): gain 1 point\nif gem > 1 and f0(2): pay 1 gem"
    return {"rules.yaml": rules(go, yaml("functions", [*rows, "f80(int n): n > point"]))}


def functions_wide() -> Files:
    rows = [f"f{i}(int n): {' + '.join(f'f{i + 1}(n + {k})' for k in range(12))}" for i in range(60)]
    go = within(f"if gem > f{i}(2): pay f{i}(3) gem" for i in range(60))
    return {"rules.yaml": rules(go, yaml("functions", [*rows, "f60(int n): n + point"]))}


def functions_many() -> Files:
    rows = [f"f{i}(int n): n + {i} if n > {i} else max(n, {i})" for i in range(400)]
    calls = within(f"gain f{i}(point) gem" for i in range(400))
    return {"rules.yaml": rules(calls, yaml("functions", rows))}


def functions_recursive() -> Files:
    sums = [" + ".join(f"f{(i * k + 1) % 90}(n - 1)" for k in range(1, 12)) for i in range(90)]
    rows = [f"f{i}(int n): {{type: int, is: 0 if n <= 0 else {value}}}" for i, value in enumerate(sums)]
    return {"rules.yaml": rules("gain f0(3) point", yaml("functions", rows))}


def functions_named_lines() -> Files:
    lets = "\n".join(f"      let a{i + 1} = a{i} + a{i}" for i in range(1_500))
    return {
        "rules.yaml": rules(
            "gain f(1) point", f"functions:\n  f(int n):\n    is: |\n      let a0 = n\n{lets}\n      a1500\n"
        )
    }


def functions_of_lists() -> Files:
    rows = [
        f"f{i}(int n): [y{i} in f{i + 1}(n) where y{i} in f{i + 1}(y{i})]".replace(": ", ": '") + "'" for i in range(60)
    ]
    return {"rules.yaml": rules("gain size(f0(1)) point", yaml("functions", [*rows, "f60(int n): 1..n"]))}


def rules_many() -> Files:
    rows = [f"  r{i}(int n): |\n    gain n point\n    if point > {i}: gain 1 gem\n" for i in range(330)]
    return {"rules.yaml": rules(within(f"r{i}({i})" for i in range(330)), "".join(rows))}


def rules_doubled() -> Files:
    rows = [f"  r{i}(int n): |\n    r{i + 1}(n)\n    r{i + 1}(n + 1)\n" for i in range(80)]
    return {"rules.yaml": rules("r0(1)", "".join(rows) + "  r80(int n): gain n point\n")}


def rules_that_may_be_impossible() -> Files:
    rows = [f"  r{i}(int n): |\n    require n > point\n    r{i + 1}(n)\n" for i in range(80)]
    return {"rules.yaml": rules("if can(r0(1)): r0(1)", "".join(rows) + "  r80(int n): pay n point\n")}


def rules_calling_all() -> Files:
    names = range(60)
    rows = [
        f"  r{i}(): |\n    stop if gem > {i}\n    gain 1 gem\n" + "".join(f"    r{k}()\n" for k in names if k > i)
        for i in names
    ]
    return {"rules.yaml": rules("r0()", "".join(rows))}


def rules_of_menus() -> Files:
    rows = [
        f'  r{i}(): |\n    choose one "W{i}":\n      "a": r{i + 1}()\n      "b": r{i + 1}()\n      "c" when gem > 2: r{i + 1}()\n'
        for i in range(27)
    ]
    return {"rules.yaml": rules("r0()", "".join(rows) + "  r27(): pay 1 gem\n")}


def triggers_many() -> Files:
    rows = [f"t{i}: {{after: go, when: point > {i}, do: gain 1 gem}}" for i in range(1_500)]
    return {"rules.yaml": rules("gain 1 point", yaml("triggers", rows))}


def triggers_chained() -> Files:
    rows = "".join(f"  r{i}(): gain 1 gem\n" for i in range(48))
    fired = [f"t{i}_{k}: {{after: r{i}, when: gem > {k}, do: r{i + 1}()}}" for i in range(47) for k in range(8)]
    return {"rules.yaml": rules("r0()", rows + yaml("triggers", fired))}


def anytime_many() -> Files:
    rows = [f'a{i}: {{label: "do {i}", when: point > {i}, do: gain 1 gem; pay 1 point}}' for i in range(270)]
    text = within(f'choose y{i} in 1..9 "Which?"\npause "wait"\ngain y{i} gem' for i in range(14))
    return {"rules.yaml": rules(text, "active: player_1\n" + yaml("anytime", rows))}


def invariants_many() -> Files:
    rows = [
        f"i{i}: all(count(p in players where p.gem >= 0 and p.point >= q.gem - {i}) >= 0 for q in players)"
        for i in range(800)
    ]
    return {"rules.yaml": rules("gain 1 gem", yaml("invariants", rows))}


def discounts_many() -> Files:
    rows = [f"d{i}: {{on: buy, less: 1 of point, when: gem > {i}}}" for i in range(1_000)]
    more = "  spend(): pay 3 point as buy\n" + yaml("discounts", rows)
    return {"rules.yaml": rules("if can(spend()): spend()", more)}


def substitutions_many() -> Files:
    names = [f"k{i}" for i in range(60)]
    text = "".join(f"  {name}: {{per: player}}\n" for name in names) + f"groups:\n  any_k: [{', '.join(names)}]\n"
    rows = [f"s{i}_{k}: {{give: 1 k{i}, for: 2 k{k}}}" for i in range(40) for k in range(40) if i != k]
    go = within([f"gain 9 {name}" for name in names], ['may "pay": pay 9 any any_k and 3 k1 and 4 k2'])
    return {"model.yaml": MODEL + text, "rules.yaml": rules(go, yaml("substitutions", rows))}


# -- questions


def options_many() -> Files:
    lines = "\n".join(f'  "line {i}" when point > {i}: gain {i} gem' for i in range(1_200))
    return body([f'choose one "Which?":\n{lines}\n  otherwise: nothing'])


def menus_deep() -> Files:
    deep = []
    for i in range(25):
        deep += [f'{"    " * i}choose one "W{i}":', f'{"    " * i}  "no {i}": nothing', f'{"    " * i}  "yes {i}":']
    return body([*deep, "    " * 25 + "gain 1 gem"] * 12)


def questions_in_a_row() -> Files:
    return body(f'choose x{i} in 1..9 where x{i} != point "W{i}"\npay x{i} gem' for i in range(330))


def questions_depending() -> Files:
    lines = (f'choose x{i + 1} in 1..9 where x{i + 1} >= x{i} or none "W{i}"\nstop unless x{i + 1}' for i in range(270))
    return body(['choose x0 in 1..9 "W"'], lines, ["pay x270 gem"])


def questions_of_many() -> Files:
    names = ", ".join(f"y{i} in 1..9" for i in range(60))
    tests = " and ".join(f"y{i} <= y{i + 1}" for i in range(59))
    return body([f'choose {names} where {tests} "Which?"', "gain y1 gem"])


def ups_deep() -> Files:
    lines = [f'{"  " * i}up to 3 times "u{i}":' for i in range(40)]
    return body([*lines, "  " * 40 + "pay 1 gem"])


def questions_that_others_notice() -> Files:
    ways = (f"if gem > {i}: lose 1 point\nelse: lose 2 point" for i in range(50))
    text = "  bid: {per: player, visible: owner}\nkinds:\n  card: {per: player, copies: 9}\nplaces:\n"
    text += "  hand: {of: card, per: player, type: area, visible: owner}\n"
    return model(
        text, within(['choose c in hand(me) or none "W"', "if c and gem > 9: lose 1 point"], ways, ["gain 1 point"])
    )


def questions_with_secrets_of_functions() -> Files:
    rows = ["f0(player q): gem(q)", *(f"f{i}(player q): f{i - 1}(q) + f{i - 1}(next(q))" for i in range(1, 60))]
    go = 'choose x in 1..9 where x > f59(next(me)) or none "W"\nif x: gain x bid'
    return model("  bid: {per: player, visible: owner}\n", go, yaml("functions", rows))


def questions_with_many_ways_of_calling() -> Files:
    names = "abcdefghijlmopqrstuv"
    given = ", ".join(f"player {name}" for name in names)
    swapped, turned = ", ".join(names[1] + names[0] + names[2:]), ", ".join(names[1:] + names[0])
    rows = [f"f0({given}): gem(a)"]
    rows += [f"f{i}({given}): f{i - 1}({swapped}) + f{i - 1}({turned})" for i in range(1, 60)]
    mixed = ", ".join("me" if i % 2 else "next(me)" for i in range(len(names)))
    go = f'choose x in 1..3 where f59({mixed}) > x or none "W"\nif x: gain x bid'
    return model("  bid: {per: player, visible: owner}\n", go, yaml("functions", rows))


def simultaneous_in_loops() -> Files:
    text = "kinds:\n  card: {per: player, copies: 9}\nplaces:\n" + yaml(
        "", (f"{name}: {{of: card, per: player, type: area, visible: owner}}" for name in ("hand", "kept"))
    ).removeprefix(":\n")
    loops = [f"{'  ' * i}for c{i} in hand(me):" for i in range(40)]
    inner = "\n".join(f"  {line}" for line in [*loops, "  " * 40 + "for c in hand(me): move c to kept(me)"])
    return model(text, f"simultaneously for p in players:\n{inner}")


def simultaneous_many() -> Files:
    inner = "\n".join(f'  choose n{i} in 1..3 "W{i}"\n  set bid to n{i}' for i in range(230))
    return model("  bid: {per: player, visible: owner}\n", f"simultaneously for p in players:\n{inner}")


def simultaneous_in_calls() -> Files:
    return _simultaneous_in_calls("gain 1 gem")


def simultaneous_in_secret_calls() -> Files:
    return _simultaneous_in_calls("gain 1 bid")


def simultaneous_in_functions() -> Files:
    go = 'simultaneously for p in players:\n  choose n in 1..3 "W"\n  set bid to n\n  if f60 > 3: set bid to 1'
    found = model("  bid: {per: player, visible: owner}\n", go)
    found["rules.yaml"] += yaml("functions", ["f0: bid", *(f"f{i}: f{i - 1} + f{i - 1}" for i in range(1, 61))])
    return found


def _simultaneous_in_calls(effect: str) -> Files:
    more = "".join(f"  r{i}(): |\n    r{i - 1}()\n    r{i - 1}()\n" for i in range(1, 60))
    go = 'simultaneously for p in players:\n  choose n in 1..3 "W"\n  r59()'
    return model("  bid: {per: player, visible: owner}\n", go, f"  r0(): {effect}\n{more}")


# -- loops


def loops_deep() -> Files:
    deep = [f"{'  ' * i}repeat 1000000 times:" for i in range(45)]
    return body([*deep, "  " * 45 + "gain 1 gem"] * 8)


def loops_over_all() -> Files:
    deep = [f"{'  ' * i}for x{i} in 1..100000 where x{i} != point:" for i in range(25)]
    return body([*deep, "  " * 25 + "gain x3 gem"] * 3)


def loops_that_break() -> Files:
    deep = [f"{'  ' * i}loop:\n{'  ' * i}  if gem > {i}: break\n{'  ' * i}  gain 1 gem" for i in range(40)]
    return body([*deep, "  " * 40 + "break"])


def loops_in_any_order() -> Files:
    return body(f'for x{i} in 1..9 in any order "W{i}": gain x{i} gem' for i in range(700))


def sums_nested() -> Files:
    value = "1"
    for i in range(30):
        value = f"sum({value} for x{i} in 1..100000)"
    return body(f"gain {value} gem" for _ in range(40))


def sums_of_many_lists() -> Files:
    lists = ", ".join(f"x{i} in 1..100000" for i in range(100))
    return body(f"gain sum(x1 for {lists}) gem" for _ in range(20))


def setup_long() -> Files:
    text = "|\n" + indented("for a in 1..100000: for b in 1..100000: gain 1 gem for player_1")
    return {"rules.yaml": rules("gain 1 point", setup=text)}


# -- things


def facts_of_copies() -> Files:
    text = "kinds:\n  k: {facts: {v: int}}\n"
    rows = "  p: {copies: 9999, v: 'sum(x*y for x in 1..1000, y in 1..1000) + copy'}\n"
    return {
        **model(text, 'choose a in k "W"\ngain a.v point'),
        "p.yaml": f"document: pieces\nkind: k\npieces:\n{rows}",
    }


def default_of_copies() -> Files:
    """A fact that all copies have alike: it is computed once, and counts for each."""
    text = "kinds:\n  k: {per: player, copies: 9999, facts: {v: 'int = sum(x*y for x in 1..1000, y in 1..1000)'}}\n"
    return model(text, 'choose a in 1..3 "W"\ngain a point')


def lists_of_copies() -> Files:
    """Lists that a piece has in each of its copies."""
    text = "kinds:\n  k: {facts: {v: list of int}}\n"
    rows = "  p: {copies: 9999, v: copy..copy + 40000}\n"
    return {
        **model(text, 'choose a in k "W"\ngain size(a.v) point'),
        "p.yaml": f"document: pieces\nkind: k\npieces:\n{rows}",
    }


def lines_of_all_lengths() -> Files:
    go = within(f"gain count(l in lines(c, {i}) where all(not x.o for x in l)) gem" for i in range(2, 100))
    text = "grids:\n  cell: {rows: 100, columns: 100, fields: {o: player or none}}\n"
    return model(text, f"for c in cell:\n{indented(go)}\ngain sum(size(lines(c, n)) for n in 2..90, c in cell) gem")


def facts_many() -> Files:
    facts = ", ".join(f'v{i}: "int = sum(x for x in 1..100000 where x mod {i + 2} == 0)"' for i in range(1_000))
    return model(f"kinds:\n  k: {{copies: 90, facts: {{{facts}}}}}\n", "gain sum(a.v1 for a in k) point")


def facts_of_functions() -> Files:
    rows = ["f0: 1..3", *(f"f{i}: '[x in f{i - 1} where x in f{i - 1}]'" for i in range(1, 40))]
    text = "kinds:\n  k: {facts: {v: list of int = f39}}\n"
    files = model(text, "gain size(one.v) point", yaml("functions", rows))
    return {**files, "p.yaml": "document: pieces\nkind: k\npieces:\n  one: {}\n"}


def facts_of_facts() -> Files:
    text = "kinds:\n  k: {facts: {v: int, w: k or none = none}}\n"
    rows = "".join(f"  p{i}: {{v: {i}, w: p{i + 1}}}\n" for i in range(2_000)) + "  p2000: {v: 1}\n"
    return {**model(text, "gain sum(a.v for a in k) point"), "p.yaml": f"document: pieces\nkind: k\npieces:\n{rows}"}


def pieces_many() -> Files:
    rows = "".join(f"  p{i}: {{v: {i}}}\n" for i in range(4_500))
    text = "kinds:\n  k: {facts: {v: int}}\nplaces:\n  deck: {of: k, type: pile}\n  hand: {of: k, per: player, type: area}\n"
    go = "for p in players: draw 2 from deck to hand(p)\ngain sum(c.v for c in hand(me)) point"
    return {**model(text, go), "p.yaml": f"document: pieces\nkind: k\nplace: deck\npieces:\n{rows}"}


def pieces_with_effects() -> Files:
    rows = "".join(f"  p{i}: {{e: gain {i} gem; pay {i} point, t: '{i}'}}\n" for i in range(500))
    text = "kinds:\n  k: {facts: {e: effect, t: text}}\nplaces:\n  deck: {of: k, type: pile}\n"
    go = "let c = top(deck)\nif c: do c.e"
    return {**model(text, go), "p.yaml": f"document: pieces\nkind: k\nplace: deck\npieces:\n{rows}"}


def pieces_with_triggers() -> Files:
    rows = "".join(f"  p{i}: {{triggers: [{{after: go, when: gem > {i}, do: gain 1 point}}]}}\n" for i in range(1_000))
    text = "kinds:\n  k: {active: it in row(me)}\nplaces:\n  row: {of: k, per: player, type: area}\n"
    return {**model(text), "p.yaml": f"document: pieces\nkind: k\npieces:\n{rows}"}


def copies_many() -> Files:
    rows = "".join(f"  p{i}: {{copies: 90, v: copy * {i}}}\n" for i in range(370))
    return {
        **model("kinds:\n  k: {facts: {v: int}}\n", "gain sum(a.v for a in k) point"),
        "p.yaml": f"document: pieces\nkind: k\npieces:\n{rows}",
    }


def enumerators_many() -> Files:
    names = ", ".join(f"e{i}" for i in range(6_000))
    text = f"enums:\n  sort: [{names}]\n"
    return model(text, 'choose e in sort "Which?"\nif e == e3: gain 1 gem\ngain count(s in sort where s != e) point')


def enumerators_squared() -> Files:
    enums = yaml("enums", (f"{sort}: [{', '.join(f'{sort}{i}' for i in range(600))}]" for sort in ("one", "other")))
    return model("  per_two: {per: [one, other]}\n" + enums, "gain per_two(one1, other1) gem")


def kinds_many() -> Files:
    text = yaml("kinds", (f"k{i}: {{per: player, copies: 3, facts: {{v: int = {i}}}}}" for i in range(400)))
    return model(text, within(f"gain sum(a.v for a in k{i}) gem" for i in range(260)))


def counters_many() -> Files:
    text = "".join(f"  k{i}: {{per: player, max: {i + 9}}}\n" for i in range(500))
    return model(text, within(f"gain k{i} k{i + 1}" for i in range(460)))


def places_many() -> Files:
    text = "kinds:\n  k: {copies: 9}\n" + yaml(
        "places", (f"a{i}: {{of: k, per: player, type: area}}" for i in range(400))
    )
    return model(text, within(f"for c in a{i}(me): move c to a{i + 1}(me)" for i in range(330)))


def rows_long() -> Files:
    text = "kinds:\n  k: {copies: 9000}\n" + yaml(
        "places", (f"a{i}: {{of: k, type: row, size: 10000}}" for i in range(90))
    )
    return model(text, within(f"for c in a{i}: move c to box" for i in range(90)))


def tables_long() -> Files:
    values = ", ".join(str(i) for i in range(9_000))
    return model(
        f"constants:\n  steps: {{type: list of int, value: [{values}]}}\n",
        "if 0 <= gem < size(steps): gain steps[gem] point",
    )


def tables_by_seats() -> Files:
    row = "{by: seats, 2: {by: seats, 2: 1, else: 2}, else: {by: seats, 3: 4, else: 5}}"
    return model(
        yaml("constants", (f"c{i}: {{type: int, value: {row}}}" for i in range(230))),
        within(f"gain c{i} gem" for i in range(230)),
    )


def tables_of_functions() -> Files:
    rows = [f"f{i}(k a, k b): sum(x for x in 1..1000 where x mod (a.v + b.v + {i + 1}) == 0)" for i in range(80)]
    text = "kinds:\n  k: {facts: {v: int = 1}, copies: 300}\n"
    return {
        **model(text),
        "rules.yaml": rules(
            within(f"gain sum(f{i}(a, b) for a in k, b in k) gem" for i in range(80)), yaml("functions", rows)
        ),
    }


def boards_big() -> Files:
    text = "grids:\n" + "".join(
        f"  g{i}: {{rows: 100, columns: 100, prefix: g{i}_, fields: {{o: player or none}}}}\n" for i in range(9)
    )
    return model(
        text, within(f'choose c{i} in g{i} where not c{i}.o or none "W"\nif c{i}: set c{i}.o to me' for i in range(9))
    )


def boards_of_hexes() -> Files:
    text = "grids:\n  h: {rows: 100, columns: 100, form: hex, fields: {o: player or none}}\n"
    go = 'choose c in h where not c.o and count(d in adjacent(c) where d.o == me) < 7 or none "W"\nif c: set c.o to me\ngain size(reachable(h_a1, friends)) gem'
    return {
        **model(text.replace("form", "prefix: h_, form")),
        "rules.yaml": rules(go, 'functions:\n  friends(h c): "[d in adjacent(c) where d.o == c.o]"\n'),
    }


def boards_per_player() -> Files:
    text = "grids:\n  g: {per: player, rows: 100, columns: 100, fields: {o: int}}\n"
    return model(text, "gain sum(c.o for c in owned(g)) gem")


def stacks_high() -> Files:
    text = "grids:\n  cell: {rows: 50, columns: 50}\n  slot: {over: cell, levels: 20}\nkinds:\n  b: {copies: 9}\nplaces:\n  at: {of: b, per: slot, type: spot}\n"
    return model(text, "gain count(s in slot where not at(s)) gem")


def shapes_many() -> Files:
    text = "shapes:\n" + "".join(f'  shape{i}: ["####", "{"#" * (i % 4 + 1)}{"." * (3 - i % 4)}"]\n' for i in range(27))
    text += "grids:\n  cell: {rows: 20, columns: 20, fields: {o: player or none}}\n"
    return model(text, "gain count(p in placements(shape1, cell) where all(not c.o for c in p.cells)) gem")


def shapes_large() -> Files:
    rows = ", ".join(f'"{"#." * 20}{"##" * 5}"' for _ in range(40))
    return model(
        f"shapes:\n  s: [{rows}]\ngrids:\n  cell: {{rows: 100, columns: 100}}\n",
        "gain count(p in placements(s, cell)) gem",
    )


def maps_large() -> Files:
    rows = ", ".join(f'"{"rb" * 50}"' for _ in range(100))
    text = f"enums:\n  colour: [red, blue]\ngrids:\n  cell: {{rows: 100, columns: 100, facts: {{p: {{type: colour, map: [{rows}], legend: {{r: red, b: blue}}}}}}}}\n"
    return model(text, "gain count(c in cell where c.p == red) gem")


def graphs_dense() -> Files:
    names = ", ".join(f"v{i}" for i in range(200))
    edges = ", ".join(f"[v{i}, v{k}]" for i in range(200) for k in range(i + 1, min(200, i + 30)))
    text = f"enums:\n  spot: [{names}]\ngraphs:\n  roads: {{of: spot, edges: [{edges}]}}\n"
    return model(text, "gain count(s in spot where size(path(v0, s, roads)) > 1) gem")


def fields_many() -> Files:
    fields = ", ".join(f"f{i}: int 0..9 = 1" for i in range(600))
    text = f"kinds:\n  k: {{copies: 400, fields: {{{fields}}}}}\n"
    return model(text, within(f"for a in k: set a.f{i} to max(0, a.f{i} - 1)" for i in range(600)))


def lists_in_types() -> Files:
    text = "table:\n" + "".join(f"  t{i}: {'list of ' * 3}int\n" for i in range(700))
    return model(text, "gain size(t1) gem")


# -- texts and names


def names_doubled() -> Files:
    kinds = (
        "".join(f'  k{i}: {{name: "{{nxt}}{{nxt}}", facts: {{nxt: k{i + 1}}}}}\n' for i in range(60)) + "  k60: {}\n"
    )
    files = {f"p{i}.yaml": f"document: pieces\nkind: k{i}\npieces:\n  x{i}: {{nxt: x{i + 1}}}\n" for i in range(60)}
    go = 'choose a in k0 or none "W" as "{a}"\nsay "chosen" a'
    return {**model("kinds:\n" + kinds, go), **files, "p60.yaml": "document: pieces\nkind: k60\npieces:\n  x60: {}\n"}


def names_in_a_chain() -> Files:
    text = 'kinds:\n  k: {name: "one before {w}", facts: {w: k or none = none}}\n'
    rows = "".join(f"  p{i}: {{w: p{i + 1}}}\n" for i in range(2_000)) + "  p2000: {}\n"
    return {**model(text, 'choose a in k or none "W"'), "p.yaml": f"document: pieces\nkind: k\npieces:\n{rows}"}


def names_of_lists() -> Files:
    values = ", ".join(f"p{i}" for i in range(300))
    kinds = 'kinds:\n  k: {name: "k of {all}", facts: {all: list of j}}\n  j: {name: "j of {all}", facts: {all: list of l}}\n  l: {}\n'
    ks = "".join(f"  k{i}: {{all: [{', '.join(f'j{n}' for n in range(250))}]}}\n" for i in range(15))
    js = "".join(f"  j{i}: {{all: [{', '.join(f'l{n}' for n in range(20))}]}}\n" for i in range(250))
    ls = "".join(f"  l{i}: {{}}\n" for i in range(20))
    assert values
    pieces = {
        f"{kind}.yaml": f"document: pieces\nkind: {kind}\npieces:\n{rows}"
        for kind, rows in (("k", ks), ("j", js), ("l", ls))
    }
    return {**model(kinds, 'choose a in k or none "W"'), **pieces}


def names_long() -> Files:
    names = [f"{'x' * 400}{i}" for i in range(70)]
    kinds = yaml("kinds", (f"{name}: {{copies: 3, facts: {{{name}a: int = 1}}}}" for name in names))
    return model(kinds, within(f"gain count(a in {name} where a.{name}a > gem) gem" for name in names[:20]))


def texts_long() -> Files:
    text = f'kinds:\n  k: {{facts: {{t: {{type: text, text: "{"long " * 9_000}"}}}}}}\n'
    rows = f'  p1: {{t: "{"word " * 9_000}"}}\n'
    return {**model(text, 'for a in k: say "it is" a'), "p.yaml": f"document: pieces\nkind: k\npieces:\n{rows}"}


def texts_said_again() -> Files:
    text = 'kinds:\n  k: {name: "{t}", facts: {t: text}}\n'
    rows = f'  p1: {{t: "{"word " * 9_000}"}}\n'
    return {
        **model(text, 'for i in 1..100000: for a in k: say "it is" a, a, a'),
        "p.yaml": f"document: pieces\nkind: k\npieces:\n{rows}",
    }


def say_many() -> Files:
    return body(['for i in 1..100000: for k in 1..9: say "a long line that is said again and again" i, k'])


def say_lists() -> Files:
    return body(["let xs = 1..100000", 'for i in 1..1000: say "these" xs, xs, xs'])


def labels_long() -> Files:
    return body([f'choose x in 1..1000 "{"Why " * 7_000}" as "{"{x} " * 7_000}"', "gain x gem"])


def texts_in_a_cycle() -> Files:
    text = 'kinds:\n  k: {name: "{w} and {v}", facts: {w: k or none = none, v: k or none = none}}\n'
    rows = "".join(f"  p{i}: {{w: p{(i + 1) % 900}, v: p{(i * 7) % 900}}}\n" for i in range(900))
    return {**model(text, 'choose a in k or none "W"'), "p.yaml": f"document: pieces\nkind: k\npieces:\n{rows}"}


def headings_many() -> Files:
    rows = "".join(f'  r{i}(int n): {{heading: "Number {{n}} of {i}", do: gain n gem}}\n' for i in range(900))
    return {"rules.yaml": rules(within(f"r{i}({i})" for i in range(900)), rows)}


# -- beside the rules


def panels_many() -> Files:
    rows = "".join(f"  p{i}: {{shows: goods, rows: [point, gem]}}\n" for i in range(1_500))
    return {"panels.yaml": f"document: panels\npanels:\n{rows}"}


def panels_of_boards() -> Files:
    rows = "".join(f"  p{i}: {{shows: grid, of: g, show: [o]}}\n" for i in range(200))
    text = "grids:\n  g: {rows: 100, columns: 100, fields: {o: player or none}}\n"
    go = 'choose c in g where not c.o or none "W"\nif c: set c.o to me'
    return {**model(text, go), "panels.yaml": f"document: panels\npanels:\n{rows}"}


def scenarios_many() -> Files:
    rows = "".join(f'  "s{i}": {{call: go(), then: {{point: 1}}}}\n' for i in range(1_500))
    return {"scenarios.yaml": f"document: scenarios\nscenarios:\n{rows}"}


def scenarios_long() -> Files:
    rows = "\n".join(f"      gain {i} gem" for i in range(3_000))
    return {"scenarios.yaml": f"document: scenarios\nscenarios:\n  one:\n    call: |\n{rows}\n    then: {{point: 1}}\n"}


def options_of_pack_many() -> Files:
    rows = "".join(f"  o{i}: {{range: [0, 1000], default: 2, text: One.}}\n" for i in range(1_000))
    text = "constants:\n" + "".join(f"  c{i}: {{type: int, value: o{i} * o{i}}}\n" for i in range(1_000))
    return {**model(text, "gain c1 gem"), "pack.yaml": MANIFEST + f"options:\n{rows}"}


def components_many() -> Files:
    names = range(1_200)
    kinds = yaml("kinds", (f"k{i}: {{copies: 3}}" for i in names))
    return {**model(kinds), "pack.yaml": MANIFEST + "components: {" + ", ".join(f"k{i}: 4" for i in names) + "}\n"}


def values_many() -> Files:
    rows = [f"v{i}: sum(count(q in players where q.gem > p.point + {i}) for p in players)" for i in range(1_000)]
    return {"rules.yaml": rules("gain 1 gem", yaml("values", rows))}


def mistakes_many() -> Files:
    return body(f"gain pont{i} pints" for i in range(2_400))


def mistakes_among_many() -> Files:
    text = "".join(f"  counter_number_{i}: {{}}\n" for i in range(430))
    return model(text, within(f"gain 1 countr_numbr_{i}" for i in range(430)))


def documents_many() -> Files:
    return {f"d{i}.yaml": f"document: model\ncounters:\n  k{i}: {{}}\n" for i in range(1_500)}


def looking_ahead() -> Files:
    lines = (f"if can(more({i})) and after(more({i}), point) > {i}: gain 1 gem" for i in range(330))
    return {"rules.yaml": rules(within(lines), "  more(int n): |\n    require n > point\n    gain n point\n")}


def looking_ahead_deep() -> Files:
    value = "point"
    for i in range(25):
        value = f"after(more({i}), {value} + {value if i < 10 else 1})"
    return {"rules.yaml": rules(f"gain {value} gem", "  more(int n): gain n point\n")}


def functions_nested() -> Files:
    names = "abcdefghi"
    rows = [f"{name}(int n): n + {i}" for i, name in enumerate(names)]
    nest = "".join(f"{name}(" for name in names), ")" * len(names)
    go = within(f"if {nest[0]}point+{k}{nest[1]} > 3: gain 1 gem" for k in range(150))
    return {"rules.yaml": rules(go, yaml("functions", rows))}


def rules_calling_each_other() -> Files:
    rows = [
        f"  r{i}(): |\n    gain 1 gem\n"
        + "".join(f"    stop if gem > {k}\n    r{(i + k) % 40}()\n" for k in range(1, 40))
        for i in range(40)
    ]
    return {"rules.yaml": rules("r0()", "".join(rows))}


def functions_of_one_piece() -> Files:
    rows = [f"f{i}(k): f{i + 1}(k) + f{i + 1}(k) * {i}" for i in range(80)]
    text = 'kinds:\n  k: {name: "k {f0}", facts: {n: int}}\n'
    return {
        **model(text, "gain f0(k1) point", yaml("functions", [*rows, "f80(k): k.n"])),
        "p.yaml": "document: pieces\nkind: k\npieces:\n  k1: {n: 1}\n",
    }


def graphs_of_one_line() -> Files:
    lines = ", ".join(f"[{', '.join(f'f{(i * k) % 97}' for k in range(80))}]" for i in range(150))
    fields = "".join(f"  f{i}: {{}}\n" for i in range(97))
    text = f"kinds:\n  field: {{}}\ngraphs:\n  roads: {{of: field, edges: [{lines}]}}\n"
    return {**model(text), "p.yaml": f"document: pieces\nkind: field\npieces:\n{fields}"}


def moves_that_lead_on() -> Files:
    names = range(90)
    places = "".join(f"  p{i}: {{of: card, type: pile}}\n" for i in range(91))
    rows = (
        f"t{i}: {{after: move card to p{i}, when: gem > {i}, do: 'move it to p{i + 1}; move it to p{i + 1}'}}"
        for i in names
    )
    cards = "".join(f"  x{i}: {{}}\n" for i in range(60))
    return {
        **model(
            f"kinds:\n  card: {{}}\nplaces:\n{places}", "let t = top(p0)\nif t: move t to p1", yaml("triggers", rows)
        ),
        "p.yaml": f"document: pieces\nkind: card\nplace: p0\npieces:\n{cards}",
    }


def results_of_functions() -> Files:
    calls = ["f0: point", *(f"f{i}: f{i - 1} + f{i - 1}" for i in range(1, 60))]
    return {"rules.yaml": rules("gain 1 gem", yaml("functions", calls)).replace("score: point", "score: f59")}


def keys_unknown() -> Files:
    return {"x.yaml": "document: model\n" + "".join(f"key{i}: {{}}\n" for i in range(7_000))}


# -- calls that follow from declarations


def effects_of_all() -> Files:
    text = "kinds:\n  k: {facts: {e: effect}}\n"
    rows = "".join(f"  a{i}: {{e: 'choose x in k \"W\"; do x.e; do x.e'}}\n" for i in range(1_500))
    return {**model(text, "for x in k: do x.e"), "p.yaml": f"document: pieces\nkind: k\npieces:\n{rows}"}


def triggers_of_all() -> Files:
    gains = within("gain 1 gem" for _ in range(1_200))
    rows = [f"t{i}: {{after: gain gem, when: point > {i}, do: gain 1 point}}" for i in range(1_000)]
    return {"rules.yaml": rules(gains, yaml("triggers", rows))}


def triggers_of_triggers() -> Files:
    rows = [f"t{i}: {{after: gain point, do: gain n gem}}" for i in range(300)]
    rows += [f"u{i}: {{after: gain gem, do: gain n stone}}" for i in range(300)]
    text = "  stone: {per: player}\n"
    return model(text, "gain 1 point", yaml("triggers", rows))


def triggers_of_thousands() -> Files:
    rows = [f"t{i}: {{after: gain point, do: gain n gem}}" for i in range(40)]
    rows += [f"u{i}: {{after: gain gem, do: gain n stone}}" for i in range(50)]
    text = "  stone: {per: player}\n"
    return model(text, "gain 1 point", yaml("triggers", rows))


def anytime_of_all() -> Files:
    asks = within(f'choose y{i} in 1..9 "W"\ngain y{i} gem' for i in range(900))
    rows = [f"a{i}: {{when: point > {i}, do: gain 1 gem}}" for i in range(900)]
    return {"rules.yaml": rules(asks, "active: player_1\n" + yaml("anytime", rows))}


def waivers_of_all() -> Files:
    pays = within("if gem > 9: pay 5 gem as fee" for _ in range(900))
    rows = [f"w{i}: {{on: fee, of: gem, do: gain 1 point}}" for i in range(900)]
    return {"rules.yaml": rules(pays, yaml("waivers", rows))}


def packs_required() -> Files:
    needs = "".join(f"  pack_number_{i}: '>=1.0,<2.0'\n" for i in range(2_900))
    return {"pack.yaml": MANIFEST + "requires:\n" + needs}


PACKS: dict[str, Callable[[], Files]] = {
    name: made for name, made in list(globals().items()) if isfunction(made) and not signature(made).parameters
}
