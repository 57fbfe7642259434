"""Whatever a panel may show is checked, drawn in the terminal, told to the page, and drawn there.

The tables are read as text: four languages and packages keep one list, and nothing else would notice a missing row.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
ENGINE = ROOT / "engine" / "patolli"
TABLES = {
    "analysis/panels.py": r"^KEYS: .*? = \{\n(.*?)^\}",
    "terminal/screen.py": r"^DRAW: .*? = \{\n(.*?)^\}",
    "studio/scene/panels.py": r"^DRAW: .*? = \{\n(.*?)^\}",
    "studio/page/panels.js": r"^const DRAW = \{\n(.*?)^\};?",
}


def test_every_kind_of_panel_is_in_every_table() -> None:
    schema = json.loads((ROOT / "schemas" / "panels.json").read_text("utf-8"))
    kinds = set(schema["$defs"]["panel"]["properties"]["shows"]["enum"])
    known = {}
    for file, table in TABLES.items():
        (path,) = ENGINE.rglob(file)
        found = re.search(table, path.read_text("utf-8"), re.MULTILINE | re.DOTALL)
        assert found, file
        known[file] = set(re.findall(r'^ +"?(\w+)"?: |, (\w+): ', found[1], re.MULTILINE))
        known[file] = {name for pair in known[file] for name in pair if name}
    assert known == dict.fromkeys(TABLES, kinds)
