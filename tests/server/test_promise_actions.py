"""An editor offers to promise an open demand, with the condition that it needs."""

from __future__ import annotations

import pytest

from patolli.author.lookup.library import Library
from patolli.author.workspace import inspect
from patolli.serve.lsp.quick_fixes import promises

MODEL = """document: model
kinds: {tile: {}}
grids: {cell: {rows: 3, columns: 3}}
places:
  bag: {of: tile, type: pile}
  laid: {of: tile, per: cell, type: spot}
counters: {point: {per: player}, step: {}}
"""
FILES = {
    "pack": "document: pack\nid: tiles\nversion: 1.0.0\nlanguage: 3\ntitle: Tiles\nplayers: {min: 1, max: 2}\n",
    "model": MODEL,
    "tiles": "document: pieces\nkind: tile\nplace: bag\npieces: {tile: {copies: 9}}\n",
}
RULES = """document: rules
functions:
  taken(): "[c in cell where laid(c)]"
rules:
  buy(int price):
    do: |
      pay price point
      gain 1 step
  match: |
    loop:
      let t = top(bag)
      stop unless t
      choose c in cell "Where?"
      gain 1 step
      {line}
      gain 1 step and 1 point
result: {{score: point}}
"""


@pytest.mark.parametrize(
    ("line", "condition"),
    [
        ("move t to laid(c)", "not laid(c)"),
        ('choose d in cell where not laid(d) and d != c "Where?"', "any(d in cell where not laid(d) and d != c)"),
        ("set step to 4 div (step - 3)", "step - 3 != 0"),
        ("set step to number(taken()[step])", "0 <= step < size(taken())"),
        ("pay 1 point", "point >= 1"),
        ("buy(2)", "point >= price"),
        ("set step to 4 div (1 if step > 5 else step - 2)", "(1 if step > 5 else step - 2) != 0"),
        ("if c: move t to laid(c)", None),  # it would have to stand inside
    ],
)
def test_open_demand_can_be_promised(tmp_path, line, condition):
    folder = tmp_path / "tiles"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / f"{name}.yaml").write_text(text, "utf-8")
    rules = folder / "rules.yaml"
    rules.write_text(RULES.format(line=line), "utf-8")
    library = Library()
    library.add_root(tmp_path)
    problems = [one for one in inspect(str(folder), warnings=False).problems if one.severity != "warning"]

    offered = [mend for mend in promises(library, problems, 1, 99) if mend.problem.severity == "open"]

    if condition is None:
        assert (len(problems), offered) == (1, [])
        return
    (mend,) = offered
    (edit,) = mend.fix.edits
    assert (mend.title, edit.text.strip()) == (f"Promise that {condition}", f'expect {condition} "why this holds"')
    lines = rules.read_text("utf-8").splitlines(keepends=True)
    lines.insert(edit.span.line - 1, edit.text)
    rules.write_text("".join(lines), "utf-8")
    assert [one for one in inspect(str(folder)).problems if one.severity != "warning"] == []
