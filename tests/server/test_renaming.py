"""A thing gets another name wherever it is named: in documents, modules, patches, panels, scenarios and braces.

The texts below say where: what stands between « and » is named by the test, all else stays, whatever it looks like.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from littlepacks import lay

from patolli.author.lookup.references import Reference
from patolli.author.workspace import inspect
from patolli.language.diagnostics import Edit, apply_edits
from patolli.serve.lsp.project import Project
from patolli.serve.lsp.symbol_rename import Refused, rename

PACKS = {
    "market/pack.yaml": """\
document: pack
id: market
version: 1.0.0
language: 1
title: The worth of a market
text: A worth, a ware, a toll.
players: {min: 2, max: 2}
""",
    "market/model.yaml": """\
document: model
kinds:
  ware:
    name: "{weight} pounds of worth {«F:worth»}"
    facts: {«F:worth»: int, weight: int, cost: cost = none}
    fields: {«G:sold»: bool = false}
  toll: {facts: {worth: int}}
counters:
  coin: {per: player, start: 3, text: Coins}
  fame: {per: player, text: Fame}
places:
  stall: {of: ware, type: area}
  bag: {of: ware, per: player, type: area}
  gate: {of: toll, type: area}
""",
    "market/pieces.yaml": """\
document: pieces
kind: ware
place: stall
pieces:
  salt: {«F:worth»: 2, weight: 1, cost: 1 coin, text: Its worth is 2.}
  silk: {weight: 1, cost: 2 coin, «F:worth»: 5}
""",
    "market/tolls.yaml": """\
document: pieces
kind: toll
place: gate
pieces: {small: {worth: 1}}
""",
    "market/rules.yaml": """\
document: rules
functions:
  rich(player p): sum(w.«F:worth» for w in bag(p)) + sum(t.worth for t in gate)
rules:
  setup: nothing
  match: "for p in players: as p: buy_one()"
  buy_one: |
    choose «W:w» in stall where not «W:w».«G:sold» and payable(«W:w».cost) "Which w?" as "w of {«W:w».«F:worth»}"
    otherwise: stop
    buy(«W:w»)
  buy(ware «V:w»):
    phrase: buy w {«V:w»}
    heading: "A w: {«V:w»}"
    do: |
      pay «V:w».cost as «T:toll_of_ware»
      set «V:w».«G:sold» to true
      move «V:w» to bag(me)
      gain «V:w».«F:worth» fame
  ask_all: |
    simultaneously for «P:q» in players where coin(«P:q») > 0 and «P:q» != me: choose n in 0..coin(«P:q») "How many q for {«P:q»}?"
    random «R:r» in stall where not «R:r».«G:sold»
    if «R:r»: move «R:r» to bag(me)
discounts:
  friend: {on: [«T:toll_of_ware»], less: 1 of coin, when: fame > 3}
result: {score: fame + rich(me)}
""",
    "market/panels.yaml": """\
document: panels
panels:
  wares: {title: Worth, shows: pieces, of: stall, facts: [«F:worth», weight, «G:sold»]}
  every: {title: Wares, shows: list, of: ware, facts: [text, «F:worth»], only: [«G:sold»]}
  tolls: {title: Tolls, shows: list, of: toll, facts: [worth]}
symbols:
  ware: {show: [«F:worth»]}
  toll: {show: [worth]}
""",
    "market/scenarios/buying.yaml": """\
document: scenarios
scenarios:
  bought:
    text: The worth of a ware.
    given: set silk.«G:sold» to true
    call: buy_one()
    choose: [salt]
    then: {salt.«F:worth»: 2, "salt.«G:sold»": true, fame: 2}
""",
    "fair/pack.yaml": """\
document: pack
id: fair
version: 1.0.0
language: 1
title: Fair
requires: {market: ">=1.0"}
""",
    "fair/changes.yaml": """\
document: patch
change:
  - replace: pieces/salt/«F:worth»
    with: 3
    expects: 2
  - replace: kinds/ware/fields/«G:sold»
    with: bool = true
  - extend: discounts/friend/on
    with: [gift]
  - replace: discounts/friend/on
    with: [«T:toll_of_ware», gift]
    expects: [«T:toll_of_ware», gift]
  - extend: panels/tolls/facts
    with: [text]
  - replace: panels/wares/facts
    with: [«F:worth»]
    expects: [«F:worth», weight, «G:sold»]
""",
    "fair/rules.yaml": """\
document: rules
rules:
  give(ware w): |
    pay w.cost as gift
    pay 1 coin as «T:toll_of_ware»
triggers:
  proud: {after: buy, when: «V:w».«F:worth» > 3 and not «V:w».«G:sold», do: "if can(give(«V:w»)): give(«V:w»)"}
  shy: {instead: buy, when: «V:w».«F:worth» > 7, do: "original(«V:w»)"}
waivers:
  friends: {on: «T:toll_of_ware», of: coin, when: fame > 5}
""",
    "fair/pieces.yaml": """\
document: pieces
kind: ware
place: stall
pieces: {amber: {weight: 2, «F:worth»: 4}}
""",
}
MARKED = re.compile(r"«(.):([^»]*)»")


def written(sort: str = "", name: str = "") -> dict[str, str]:
    """Give the files, with another *name* at the marks of one *sort*."""
    return {path: MARKED.sub(lambda mark: name if mark[1] == sort else mark[2], text) for path, text in PACKS.items()}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packs")
    for path, text in written().items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    return folder


def opened(folder: Path) -> Project:
    project = Project()
    project.library.add_root(folder)
    return project


def thing(project: Project, folder: Path, sort: str, id_: str, pack: str = "market") -> tuple[Path, Reference]:
    index = project.index(folder / pack)
    assert index is not None
    return folder / pack, index.references((sort, id_))[0]


def renamed(folder: Path, sort: str, id_: str, name: str, pack: str = "market") -> dict[str, str]:
    """Give the files after a thing got another name."""
    project = opened(folder)
    edits = rename(project, *thing(project, folder, sort, id_, pack), name)
    found = written()
    for path, changes in edits.items():
        file = Path(path).relative_to(folder).as_posix()
        found[file] = apply_edits(found[file], [Edit(span, text) for span, text in changes])
    return found


def test_the_packs_are_sound(folder):
    found = inspect(str(folder / "market"), [str(folder / "fair")])

    assert found.errors == []


@pytest.mark.parametrize(
    ("mark", "sort", "id_", "name"),
    [
        pytest.param("F", "fact", "ware.worth", "price", id="fact"),
        pytest.param("G", "fact", "ware.sold", "gone", id="field"),
        pytest.param("T", "tag", "toll_of_ware", "fee", id="payment tag"),
        pytest.param("V", "variable", "buy'w", "thing", id="parameter"),
        pytest.param("W", "variable", "buy_one'w", "thing", id="variable of a question"),
        pytest.param("P", "variable", "ask_all'q", "who", id="variable of a simultaneous block"),
        pytest.param("R", "variable", "ask_all'r", "other", id="variable that is drawn"),
    ],
)
@pytest.mark.parametrize("pack", ["market", "fair"])
def test_every_place_gets_the_new_name(folder, mark, sort, id_, name, pack):
    assert renamed(folder, sort, id_, name, pack) == written(mark, name)


@pytest.mark.parametrize(
    ("sort", "id_", "name", "reason"),
    [
        pytest.param("tag", "toll_of_ware", "gift", "already in use", id="tag that there is"),
        pytest.param("fact", "ware.worth", "weight", "already in use", id="fact that there is"),
        pytest.param("fact", "ware.worth", "sold", "already in use", id="field that there is"),
        pytest.param("fact", "ware.worth", "copies", "a key of every piece", id="key of every piece"),
        pytest.param("counter", "fame", "w", "would break|would change", id="name of a variable"),
        pytest.param("variable", "buy'w", "coin", "already in use", id="variable like a counter"),
        pytest.param("tag", "toll_of_ware", "if", "word of the language", id="word of the language"),
    ],
)
def test_what_is_not_safe_is_refused(folder, sort, id_, name, reason):
    project = opened(folder)

    with pytest.raises(Refused, match=reason):
        rename(project, *thing(project, folder, sort, id_), name)


RECORDS = {
    "model": 'records:\n  bid: {fields: {dice: int 1..6, face: int 1..6}, name: "{dice} of {face}"}\n  vow: {fields: {what: bid}}\n'
    "table: {called: {type: vow or none}}\ncounters: {often: {per: bid}}\n",
    "rules": "functions:\n  more(bid b): b.dice\nrules:\n  match: |\n    let b = bid(1, 2)\n    set b.dice to more(b)\n    set called to vow(b)\n"
    "    if called: set called.what.dice to min(count(x in bid where x.dice == 1), 1 + often(b), 6)\n    end match\n",
}  # fmt: skip


@pytest.mark.parametrize(
    ("sort", "id_", "word", "name"),
    [
        pytest.param("kind", "bid", "bid", "claim", id="record"),
        pytest.param("fact", "bid.dice", "dice", "amount", id="field of a record"),
        pytest.param("fact", "vow.what", "what", "said", id="field that is a record"),
    ],
)
def test_records_and_their_fields_get_the_new_name(tmp_path, sort, id_, word, name):
    (tmp_path / "little").mkdir()
    folder = Path(lay(tmp_path / "little", RECORDS["model"], RECORDS["rules"]))
    before = {path.name: path.read_text("utf-8") for path in folder.glob("*.yaml")}
    edits = rename(opened(tmp_path), *thing(opened(tmp_path), tmp_path, sort, id_, "little"), name)
    for path, changes in edits.items():
        file = Path(path)
        file.write_text(apply_edits(file.read_text("utf-8"), [Edit(span, text) for span, text in changes]), "utf-8")

    wanted = {file: re.sub(rf"\b{word}\b", name, text) for file, text in before.items()}
    assert {path.name: path.read_text("utf-8") for path in folder.glob("*.yaml")} == wanted
