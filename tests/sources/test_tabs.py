"""A tab is one slip: what stands behind it is read as it was meant."""

from __future__ import annotations

import pytest
from littlepacks import lay

from patolli.author.workspace import inspect

HEAD = "document: rules\nrules:\n  match: |\n    go()\n    end match\n"
TABS = {
    "line of a block": "  go:\n    do: |\n      gain 1 coin\n\tgain 2 coin\n      gain 3 coin\n",
    "last line of a block": "  go:\n    do: |\n      gain 1 coin\n\tgain 2 coin\n",
    "block in a block": "  go:\n    do: |\n      if coin > 0:\n\t\tgain 2 coin\n\t\tgain 3 coin\n      gain 4 coin\n",
    "end of a condition": "  go: |\n    if coin > 0: gain 1 coin\n\telse: gain 2 coin\n",
    "last line of a function": "  go: gain f coin\nfunctions:\n  f:\n    is: |\n      let a = 1\n\ta + 1\n",
    "brackets": "  go: gain (1 +\n\t1) coin\n",
    "keys": "  go:\n\tdo: gain 1 coin\n\ttext: One.\n",
    "lines of a menu": '  go: |\n    choose one:\n\t"a": gain 1 coin\n\t"b":\n\t\tgain 2 coin\n',
    "comment": "  go: |\n    gain 1 coin\n\t# two\n    gain 2 coin\n",
    "within a line": "  go: gain\t1 coin\t\n",
}


@pytest.mark.parametrize("text", TABS.values(), ids=TABS)
def test_tab_is_one_slip(tmp_path, text):
    folder = lay(tmp_path, "counters: {coin: {per: player}}\n", "result: {score: coin}\n")
    (tmp_path / "more.yaml").write_text(HEAD + text, "utf-8")

    assert [one.code for one in inspect(folder).problems if one.severity == "error"] == ["P0002"]
