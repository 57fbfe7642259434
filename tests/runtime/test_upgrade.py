"""What a version before 1.0.0 has written opens today: a pack, a module, saves and a store of the studio.

The files in ``tests/data/before_1_0`` are as ``patolli new``, ``Match.to_json`` and the studio of that version wrote
them, without pages of the pack; the store is its dump as SQL. Saves of that version name the files of a pack only.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner
from studio.sitting_down import Client

import patolli
from patolli.cli.main import main
from patolli.serve.studio.store import Sqlite

OLD = Path(__file__).parents[1] / "data" / "before_1_0"
SAVES = {"isle.json": [], "isle_windfall.json": ["windfall"]}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the old files, in which the program is started."""
    copy = tmp_path / "old"
    shutil.copytree(OLD, copy)
    monkeypatch.chdir(copy)
    return copy


def run(*call: str, text: str = "") -> str:
    found = CliRunner().invoke(main, [str(part) for part in call], input=text)
    return f"{found.exit_code} {found.output}"


@pytest.mark.deep
@pytest.mark.parametrize("pack", ["isle", "windfall"])
def test_a_pack_and_a_module_have_no_problems(folder: Path, pack: str) -> None:
    assert run("validate", pack, "--strict").startswith("0 ")
    assert run("test", pack, "--search", "100").startswith("0 ")


@pytest.mark.parametrize("name", SAVES)
def test_a_save_goes_on(folder: Path, name: str) -> None:
    rules = patolli.load("isle", SAVES[name])
    saved = (folder / name).read_text("utf-8")
    match = rules.restore(saved)

    assert match.log == json.loads(saved)["log"]
    assert match.digest() == rules.replay(2, 3, match.choices).digest()
    while match.decision is not None:
        match.choose(0)
    assert match.over


def test_a_save_of_other_rules_says_how_to_go_on(folder: Path) -> None:
    now = folder / "now" / "isle"
    shutil.copytree(folder / "isle", now)
    rules = now / "rules.yaml"
    rules.write_text(rules.read_text("utf-8") + "# changed\n", "utf-8")

    refused = run("replay", "isle.json", "--pack", str(now))
    changed = "the content has changed since the save: isle/rules.yaml"
    assert refused.startswith(f"2 Error: isle.json: {changed}; with the old files in")
    for way in ("'patolli replay SAVE --pack OLD' shows it", "'patolli play OLD --save SAVE' continues it"):
        assert way in refused
    assert run("replay", "isle.json", "--pack", str(folder / "isle")).startswith("0 ")
    assert run("play", str(folder / "isle"), "--save", "isle.json", text="quit\n").startswith("0 ")


def test_a_store_of_the_studio_opens(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "studio.db")) as made:
        made.executescript((folder / "studio.sql").read_text("utf-8"))
        rows = made.execute(
            "select id, json_extract(seats, '$.host'), json_extract(seats, '$.places[0].token') from tables"
        )
        tables = {id_: (host, seat) for id_, host, seat in rows}

    with Client(Sqlite(folder / "studio.db")) as client:
        for id_, (host, seat) in tables.items():
            state = client.get(f"/api/tables/{id_}", host)
            assert (state["moves"], state["over"], state["content"]["lost"]) == (9, False, None)
            moved = {"revision": state["revision"], "index": 0, "key": "go on"}
            token = host if state["decision"]["mine"] else seat
            assert client.ask("POST", f"/api/tables/{id_}/moves", token, json=moved).status_code == 200
