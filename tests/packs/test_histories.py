"""Long histories of names take time that grows with their length."""

from __future__ import annotations

import time

import pytest
from busy import within
from packmaker import problems

SECONDS = 3
MODULE = "# more/pack.yaml\ndocument: pack\nid: more\nversion: 1.0.0\nlanguage: 1\ntitle: More\nrequires: {sample: '>=1.0'}\n"
MANIFEST = (
    "# pack.yaml\ndocument: pack\nid: sample\nversion: 1.2.0\nlanguage: 1\ntitle: The sample\nplayers: {min: 2, max: 4}\n"
    "options: {length: {choices: [long, short], default: long}, bonus: {range: [0, 3], default: 1}}\nrenamed:\n"
)
PATCH = "# more/patch.yaml\ndocument: patch\nchange:\n"


def renamed(number: int, to: str) -> str:
    return "".join(
        f"  rules/r{i}: {{to: rules/{to.format(i, (i + 1) % number)}, since: 1.1.0}}\n" for i in range(number)
    )


CALLS = "# more/rules.yaml\ndocument: rules\nrules:\n" + "".join(f"  m{i}(): r{i}()\n" for i in range(400))
HISTORIES = {
    "names in a circle": MANIFEST
    + renamed(1_200, "r{1}")
    + MODULE
    + PATCH
    + "  - {after: rules/r0, do: gain 1 coin}\n",
    "names that are used": MANIFEST + renamed(1_000, "s{0}") + MODULE + CALLS,
}


@pytest.mark.deep
@pytest.mark.parametrize("name", HISTORIES)
def test_a_history_takes_no_longer_than_its_length(name, tmp_path):
    began = time.process_time()
    problems(tmp_path, HISTORIES[name])

    assert time.process_time() - began < within(SECONDS)
