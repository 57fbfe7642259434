"""Where a proof may have failed only because there was too much to know, the help says so."""

from __future__ import annotations

from patolli.author.workspace import inspect
from patolli.check.proofs.causes import TOO_LONG

PACK = """\
document: pack
id: long_rule
version: 1.0.0
language: 2
proofs: full
title: Long rule
text: A rule with many conditions.
players: {min: 2, max: 2}
"""


def problems(folder, changes: int) -> list[tuple[str, str]]:
    """Check a rule with so many changes before a payment that is tested."""
    lines = [*(f"if point > {number}: gain 1 gem" for number in range(changes)), "if gem > 0: pay 1 gem"]
    files = {
        "pack.yaml": PACK,
        "model.yaml": "document: model\ncounters:\n  gem: {per: player}\n  point: {per: player}\n",
        "rules.yaml": "document: rules\nrules:\n  match: |\n    choose x in 1..3\n    gain x point\n    spend()\n  spend(): |\n"
        + "".join(f"    {line}\n" for line in lines)
        + "result: {score: gem}\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text)
    return [(one.code, one.help) for one in inspect(str(folder)).problems if one.severity == "error"]


def test_short_rule_is_proved(tmp_path):
    assert problems(tmp_path, 10) == []


def test_rule_that_is_too_long_is_to_be_split(tmp_path):
    [(code, help_)] = problems(tmp_path, 300)

    assert code == "P0401"
    assert help_.endswith(f"; {TOO_LONG}")
