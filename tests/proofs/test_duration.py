"""What takes too long in any case is refused; what may be short is not."""

from __future__ import annotations

import pytest

from patolli.author.workspace import inspect

PACK = "document: pack\nid: base\nversion: 1.0.0\nlanguage: 1\nproofs: full\ntitle: Base\nplayers: {min: 2, max: 2}\n"
MODEL = """document: model
counters: {gold: {per: player}, wood: {per: player}}
kinds: {card: {facts: {act: effect = nothing}}}
places: {deck: {of: card, type: pile}}
"""
CARDS = """document: pieces
kind: card
place: deck
pieces:
  long: {act: much()}
  short: {act: gain 1 wood}
"""
MUCH = "repeat 20000 times:\n  repeat 20000 times: gain 1 gold"
ASKS = 'repeat 60000 times: gain 1 gold\nchoose n in 1..2 "Which?"\ngain n gold'


def chain(length, body):
    """Return rules that each name the one before."""
    return {"r0": "gain 1 gold", **{f"r{n}": body.format(f"r{n - 1}()") for n in range(1, length + 1)}}


def checked(tmp_path, rules):
    """Return code and rule of each error."""
    lines = {"much": MUCH, "ask": ASKS, **rules}
    text = "".join(f"  {name}: |\n    " + body.replace("\n", "\n    ") + "\n" for name, body in lines.items())
    files = {"pack": PACK, "model": MODEL, "cards": CARDS, "rules": f"document: rules\nrules:\n{text}"}
    for name, content in files.items():
        (tmp_path / f"{name}.yaml").write_text(content)
    headings = files["rules"].splitlines()

    def rule(line):
        return next(one.strip(" :|") for one in reversed(headings[:line]) if one.startswith("  ") and one[2] != " ")

    return [(problem.code, rule(problem.span.line)) for problem in inspect(str(tmp_path)).errors]


REFUSED = [
    pytest.param({"match": MUCH}, "match", id="loops inside each other"),
    pytest.param({"match": "r40()"} | chain(40, "{0}; {0}"), "r27", id="calls that double"),
    pytest.param({"match": "r19()"} | chain(19, "{0}\n{0}\n{0}"), "r17", id="calls that treble"),
    pytest.param(
        {"match": "r40()"} | chain(40, "if gold > 1:\n  {0}\n  {0}\nelse:\n  {0}\n  {0}"), "r27", id="on both ways"
    ),
    pytest.param({"match": "for a in 1..9000, b in 1..20000: gain 1 gold"}, "match", id="a loop over two lists"),
    pytest.param(
        {"match": f'choose one "What?":\n  "much":\n    {MUCH.replace(chr(10), chr(10) + "    ")}\n  "no": nothing'},
        "match", id="in a menu",
    ),
    pytest.param({"match": f"if gold > 5:\n  {MUCH.replace(chr(10), chr(10) + '  ')}\ngain 1 gold"}, "match", id="if"),
    pytest.param({"match": f"for p in players: as p: gain 1 gold\n{MUCH}"}, "match", id="at the end"),
    pytest.param({"match": f"ask()\n{MUCH}\nask()"}, "match", id="between two questions"),
]  # fmt: skip
ACCEPTED = [
    pytest.param("repeat 5000 times:\n  repeat 9000 times: gain 1 gold", id="not too long"),
    pytest.param("repeat 60000 times: ask()", id="a question in each pass"),
    pytest.param(
        'repeat 60000 times:\n  choose n in 1..2 "Which?"\n  repeat 5000 times: gain n gold', id="a question before"
    ),
    pytest.param(
        'for a in 1..60000:\n  choose n in 1..2 "Which?"\n  repeat 5000 times: gain n gold', id="a question for each"
    ),
    pytest.param(
        "repeat 5000 times:\n  repeat 5000 times:\n    if gold < 9: repeat 9000 times: gain 1 gold",
        id="what is seldom done",
    ),
    pytest.param("for a in 1..60000, b in 1..60000 where a < 3: gain 1 gold", id="a condition on the list"),
    pytest.param("repeat 90000 times:\n  repeat 90000 times:\n    gain 1 gold\n    break", id="a loop that is left"),
    pytest.param("repeat 90000 times:\n  repeat gold times: gain 1 wood", id="what may be nothing"),
    pytest.param("repeat 90000 times:\n  for c in deck: do c.act", id="effects of pieces"),
]


@pytest.mark.parametrize(("rules", "where"), REFUSED)
def test_too_long_in_any_case_is_refused_where_it_is(tmp_path, rules, where):
    assert set(checked(tmp_path, {"much": "gain 1 gold", **rules})) == {("P0419", where)}


@pytest.mark.parametrize("match", ACCEPTED)
def test_what_may_be_short_is_accepted(tmp_path, match):
    assert checked(tmp_path, {"much": "gain 1 gold", "match": match}) == []


def test_called_rule_is_reported_once(tmp_path):
    assert checked(tmp_path, {"match": "for p in players: as p: much()"}) == [("P0419", "much")]
