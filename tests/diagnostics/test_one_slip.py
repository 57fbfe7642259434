"""A name that is misspelled where it is declared is one problem, however it is used."""

from __future__ import annotations

from patolli.author.workspace import inspect
from patolli.language.diagnostics.order import fold

FILES = {
    "pack": "document: pack\nid: tiles\nversion: 1.0.0\nlanguage: 3\ntitle: Tiles\nplayers: {min: 1, max: 2}\n",
    "model": """document: model
kinds:
  tile:
    name: "tile of {worth}, {weight}"
    facts: {worth: int}
    fields: {weight: {type: int 1..6 = 1}}
grids: {cell: {rows: 3, columns: 3}}
places:
  bag: {of: tile, type: pile}
  laid: {of: tile, per: cell, type: spot}
""",
    "tiles": "document: pieces\nkind: tile\nplace: bag\npieces: {low: {worth: 1}, high: {worth: 3}}\n",
    "rules": """document: rules
functions:
  of(tile t): "t.worth + t.weight"
  lies(tile t): {is: "place_of(t, laid)", text: Where it is.}
  free(): "[c in cell where not laid(c)]"
rules:
  match: |
    for t in bag where t.weight == 1 and t.worth > 0: set t.weight to 2
""",
}
SLIPS = {"worth: int": "wort: int", "weight: {type": "weigth: {type", "laid: {of": "liad: {of"}


def test_a_misspelled_declaration_is_one_problem(tmp_path, subtests):
    for old, new in SLIPS.items():
        with subtests.test(new):
            folder = tmp_path / new[:4] / "tiles"
            folder.mkdir(parents=True)
            for name, text in FILES.items():
                (folder / f"{name}.yaml").write_text(text.replace(old, new), "utf-8")
            errors = [one for one in inspect(str(folder), warnings=False).problems if one.severity == "error"]

            assert len(errors) > 1
            assert len(fold(errors)) == 1, errors
