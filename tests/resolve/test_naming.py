"""Lines that name values before an expression: what they mean, and what is said of them."""

from __future__ import annotations

import pytest
from packmaker import SAMPLE, loaded, problems

FUNCTIONS = """\
document: rules
functions:
  doubled(int n):
    is: |
      let twice = n + n  # once

      let from_two = [x in 1..twice
        where x > 1]
      size(from_two) * 10 + twice
  worth(card c):
    is: |
      let best = highest(d in shop where d.number > 1)
      let dear = best and best.number > 9
      best.number if best and dear else c.number
  mine(cell c):
    is: |
      let near = [x in adjacent(c) where x.owner == me]
      let owner = first(near)
      owner.owner == me if owner else false
values:
  three: doubled(3)
  asked: |
    let a = coin
    let b = a + 1
    b * b
  behind: |
    let a = coin
    after(earn(2), coin - a)
  mined: "1 if mine(a1) else 0"
  worthy: sum(worth(c) for c in shop)
"""


def test_values(tmp_path):
    match = loaded(tmp_path, FUNCTIONS).start(2, 1)

    assert match.value("three", 0) == 5 * 10 + 6
    assert match.value("asked", 0) == 4
    assert match.value("behind", 0) == 2
    assert match.value("mined", 0) == 0
    assert match.value("worthy", 0) > 0


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("let n = 1\nn + 1", "P0203"),
        ("let a = 1\nlet a = 2\na", "P0203"),
        ("let coin = 1\n2", "P0203"),
        ("let a = none\n2", "P0301"),
        ("let a = b\nlet b = 1\na", "P0201"),
        ("let a = earn(1)\na", "P0304"),
        ("let a = top(deck)\na.number", "P0303"),
        ("let a = top(deck)\na.number if a else 0", ""),
        ("let a = coin\n4 div a", "P0414"),
        ("let a = max(1, n)\n4 div a", ""),
        ("let a = max(1, n)\nlet b = a\n4 div b", ""),
        ("let a = [1]\n2", "P0447"),
        ("let a = [1]", "P0101"),
        ("let a = 1\nreturn a", "P0101"),
        ("let a = 1\nset a to 2\na", "P0101"),
    ],
)
def test_what_is_reported(tmp_path, body, code):
    body = body.replace("[1]", "{1}")
    text = "".join(f"      {line}\n" for line in body.splitlines())
    found = problems(tmp_path, f"document: rules\nfunctions:\n  f(int n):\n    is: |\n{text}values: {{v: f(2)}}\n")

    assert {p.code for p in found} - {"P0446"} == ({code} if code else set())


def test_in_one_line_it_is_reported_how_to_write_it(tmp_path):
    (found,) = problems(tmp_path, 'document: rules\nfunctions: {f: "let a = coin a + 1"}\nvalues: {v: f}\n')

    assert (found.code, "its own line" in found.message) == ("P0101", True)


def test_in_the_first_version_it_is_reported_that_it_comes_later(tmp_path):
    pack = (SAMPLE / "pack.yaml").read_text("utf-8").replace("language: 2", "language: 1")
    rules = "document: rules\nfunctions:\n  f: |\n    let a = coin\n    a + 1\nvalues: {v: f}\n"
    (found,) = problems(tmp_path, f"{rules}# pack.yaml\n{pack}")

    assert found.code == "P0101"
    assert "language: 2" in found.help


def test_each_value_is_computed_once(tmp_path):
    lines = "".join(f"      let x{n + 1} = x{n} + x{n}\n" for n in range(40))
    rules = loaded(
        tmp_path,
        f"document: rules\nfunctions:\n  f:\n    is: |\n      let x0 = 1\n{lines}      x40\nvalues: {{v: f}}\n",
    )

    assert rules.start(2, 1).value("v", 0) == 2**40
