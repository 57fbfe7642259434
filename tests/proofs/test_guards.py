"""What a guard proves: behind it something is accepted that is refused without it, and refused again when it ended."""

from __future__ import annotations

import pytest
from program.test_declarations import written

from patolli.author.workspace import inspect

PICK, USED = "choose c in hand(me)\nset c.rank to 3", "choose c in hand(me) where c.used\nset c.rank to 3"
AWAY = "for c in hand(me): move c to deck"
GUARDS = [
    ("plain_1 in hand(me)", PICK, AWAY),
    ("hand(me)", PICK, AWAY),
    ("size(hand(me)) > 0", PICK, AWAY),
    ("size(hand(me)) != 0", PICK, AWAY),
    ("count(hand(me)) >= 1", PICK, AWAY),
    ("first(hand(me))", PICK, AWAY),
    ("lowest(c in hand(me) by c.rank)", PICK, AWAY),
    ("any(c in hand(me) where c.used)", PICK, AWAY),
    ("any(c in hand(me) where c.used)", USED, "set plain_1.used to false"),
    ("any(c.used for c in hand(me))", USED, "set plain_1.used to false"),
    ("first(c in hand(me) where c.used)", USED, "set plain_1.used to false"),
    ("count(c in hand(me) where c.used) > 0", USED, AWAY),
    ("top(deck)", "choose c in deck\nset c.rank to 3", "draw 1 from deck to hand(me)"),
    ("[c in hand(me) where c.used]", USED, AWAY),
    ("can(hire())", "hire()", AWAY),
    ("can(sell())", "sell()", "lose 1 nut"),
    ("nut > 0", "sell()", "lose 1 nut"),
    ("nut >= 2", "pay 2 nut", "lose 1 nut"),
    ("nut > coin", "pay coin + 1 nut", "gain 1 coin"),
    ("coin + 1 <= nut", "pay coin + 1 nut", "set nut to 1"),
    ("payable(plain_1.price)", "pay plain_1.price", "lose 1 seed"),
    ("coin > 0", "gain 3 div coin nut", "set coin to 0"),
    ("coin in 1..9", "gain 3 div coin nut", "lose 1 coin"),
    ("coin < 3 and not shelf(coin)", "if deck: move deck[0] to shelf(coin)", "gain 1 coin"),
    ("not throne", "move plain_1 to throne", "move plain_2 to throne"),
    ("coin < 10", "set plain_1.rank to coin", "gain 1 coin"),
    ("coin > nut or coin > 5", "if coin <= 5: pay nut + 1 coin", "lose 1 coin"),
]


def refused(folder, text: str) -> bool:
    return bool(inspect(written(folder, text)).errors)


def below(guard: str, body: str) -> str:
    return f"gain 1 tally\nif {guard}:\n" + "".join(f"  {line}\n" for line in body.splitlines())


@pytest.mark.parametrize(("guard", "body", "ends"), GUARDS)
def test_guard(tmp_path, guard, body, ends):
    assert refused(tmp_path, f"gain 1 tally\n{body}")
    assert not refused(tmp_path, below(guard, body))
    assert refused(tmp_path, below(guard, f"{ends}\n{body}"))
    assert refused(tmp_path, below(guard, f"repeat 2 times:\n{indented(body)}\n{indented(ends)}"))
    assert refused(tmp_path, below(guard, f"if gem > 1:\n{indented(ends)}\n{body}"))
    assert not refused(tmp_path, below(guard, f"gain 1 vault\n{body}"))


def indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())
