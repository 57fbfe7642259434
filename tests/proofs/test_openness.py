"""What headings and causes tell is no secret, also where it comes by the parameter of a rule."""

from __future__ import annotations

import pytest

from patolli.author.workspace import inspect

PACK = """\
document: pack
id: sealed
version: 1.0.0
language: 2
proofs: full
title: Sealed
players: {min: 2, max: 3}
"""
MODEL = """\
document: model
enums:
  hue: [red, blue]
counters:
  bid: {per: player, visible: owner, max: 9}
  wish: {per: [player, hue], visible: owner}
  fate: {visible: none}
  coin: {per: player}
  vp: {per: player}
kinds:
  tok: {per: player, copies: 2, fields: {h: {type: hue or none = none, visible: owner}}}
places:
  home: {of: tok, per: player, type: area}
  bag: {of: tok, per: player, type: area, visible: owner}
"""
RULES = """\
document: rules
rules:
  setup:
    do: "for t in tok: move t to home(t.owner)"
  match:
    do: "for p in players: as p: turn()"
  turn:
    do: |
      gain 1 bid and 1 coin and 1 fate
      gain 1 wish(red)
      for t in home(me) where t.h: move t to bag(me)
{lines}
  num(int n): {{heading: "With {{n}}", do: gain 1 vp}}
  why(int n): {{cause: "for {{n}}", do: gain 1 vp}}
  tint(hue h): {{heading: "Paints {{h}}", do: gain 1 vp}}
  aim(player p): {{heading: "At {{p}}", do: gain 1 vp for p}}
  show(tok t): {{heading: "Shows {{t}}", do: gain 1 vp for t.owner}}
  on(int k): num(k)
  mine:
    heading: "{{me}} acts"
    do: gain 1 vp
  seen(): return bid
  held(): return coin
{more}result: {{score: vp + bid + fate + wish(red)}}
"""
TOLD = [
    pytest.param("choose n in 1..4 'Bid'\nset bid to n\nnum(n)", id="what was answered in secret"),
    pytest.param("choose n in 1..4 'Bid'\nset bid to n\nwhy(n)", id="in a cause"),
    pytest.param("choose n in 1..4 'Bid'\nset bid to n\non(n)", id="by two rules"),
    pytest.param("choose n in 1..4 'Bid'\nlet z = n + 1\nset bid to n\nnum(z)", id="by a variable"),
    pytest.param("choose n in 1..4 'Bid'\nlet z = 0\nset bid to n\nset z to n\nnum(z)", id="by a variable that is set"),
    pytest.param("num(bid)", id="a counter as argument"),
    pytest.param("num(bid + 1)", id="made from a counter"),
    pytest.param("let z = bid\nnum(z)", id="a counter in a variable"),
    pytest.param("let z = seen()\nnum(z)", id="what a rule returns"),
    pytest.param("num(fate)", id="what no player sees"),
    pytest.param("random n in 1..6\nset bid to n\nnum(n)", id="drawn at random for a secret"),
    pytest.param("choose k in hue 'Colour'\nfor t in home(me): set t.h to k\ntint(k)", id="an enum for a field"),
    pytest.param("choose k in hue 'Colour'\ngain 1 wish(k)\ntint(k)", id="the index of a secret"),
    pytest.param("choose q in players 'At'\nset bid to 1 if q == players[1] else 2\naim(q)", id="a player"),
    pytest.param("aim(highest(q in players by bid(q)) or me)", id="a player found by a secret"),
    pytest.param(
        "for t in home(me) where bid > 1: set t.h to red\nlet t = highest(t in home(me) by (1 if t.h == red else 0))\nif t: show(t)",
        id="a piece found by a secret",
    ),
    pytest.param("for k in 1..bid: num(k)", id="counted up to a secret"),
]
OPEN = [
    pytest.param("choose n in 1..4 'Bid'\ngain n coin\nnum(n)", id="an open answer"),
    pytest.param("num(coin)", id="an open counter"),
    pytest.param("let z = held()\nnum(z)", id="what a rule returns"),
    pytest.param("random n in 1..6\nnum(n)", id="chance that all see"),
    pytest.param("num(size(bag(me)))", id="how many pieces lie hidden"),
    pytest.param("choose t in home(me) 'Which'\notherwise: stop\nshow(t)", id="an open piece"),
    pytest.param("choose t in bag(me) 'Which'\notherwise: stop\nshow(t)", id="a hidden piece, which is not named"),
    pytest.param("for t in bag(me): show(t)", id="each of the hidden pieces"),
    pytest.param("choose n in 1..4 'Bid'\nset bid to n\nmine()", id="who acts"),
    pytest.param("as highest(q in players by bid(q)) or me: mine()", id="who acts by a secret"),
    pytest.param(
        "choose n in 1..4 'Bid'\nset bid to n\nchoose k in 1..3 'More'\ngain k coin\nnum(k)", id="beside a secret"
    ),
]


def found(folder, lines, more=""):
    """Write the pack with some effects in a turn; return the codes of its errors."""
    turn = "".join(f"      {line}\n" for line in lines.replace("'", '"').splitlines())
    texts = {"pack.yaml": PACK, "model.yaml": MODEL, "rules.yaml": RULES.format(lines=turn.rstrip(), more=more)}
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    return [problem.code for problem in inspect(str(folder)).problems if problem.severity == "error"]


@pytest.mark.parametrize("lines", TOLD)
def test_a_secret_is_reported(tmp_path, lines):
    assert found(tmp_path, lines) == ["P0473"]


@pytest.mark.parametrize("lines", OPEN)
def test_all_see_what_is_reported(tmp_path, lines):
    assert found(tmp_path, lines) == []


@pytest.mark.parametrize(
    "more",
    [
        pytest.param(
            "anytime:\n  raise: {label: raise, each: 'k in 1..3', do: set bid to k, cause: 'by {k}'}\nactive: players\n",
            id="the value of an anytime action",
        ),
        pytest.param(
            "triggers:\n  upon: {after: note, do: gain 1 vp, cause: 'for {k}'}\n", id="the parameter of another rule"
        ),
    ],
)
def test_a_secret_is_reported_by_what_follows(tmp_path, more):
    note = "  note(int k): set bid to k\n"

    assert found(tmp_path, "choose n in 1..4 'Bid'\nnote(n)", note + more) == ["P0473"]
