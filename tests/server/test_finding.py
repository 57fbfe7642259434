"""All places in a workspace that name a thing are found, without proving anything about the packs that hold them."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest
from lspclient import CONTENT
from tiers import few

from patolli.author.lookup.references import Reference
from patolli.language.packs import discovery
from patolli.language.packs.manifest import Kept
from patolli.serve.lsp import project as of_projects
from patolli.serve.lsp.project import Project
from patolli.serve.lsp.symbol_rename import find_all

BASE = "city_of_gods"
MODULES = ("altars", "obsidian")


def opened(folder: Path) -> Project:
    project = Project()
    project.library.add_root(folder)
    return project


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packs")
    for name in (BASE, *MODULES):
        shutil.copytree(CONTENT / name, folder / name)
    return folder


@pytest.fixture(scope="module")
def session(folder: Path) -> Project:
    return opened(folder)


@pytest.fixture(scope="module")
def every_place(folder: Path) -> set[Reference]:
    """What the indexes of a pack and some modules hold; each is checked in full."""
    project = opened(folder)
    found: set[Reference] = set()
    for name in (BASE, *MODULES):
        index = project.index(folder / name)
        assert index is not None
        index.add_scenarios()
        found.update(one for references in index._by_key.values() for one in references)
    return found


@pytest.mark.deep
@pytest.mark.parametrize(
    ("sort", "id_"),
    few(
        [
            ("place", "workers"),
            ("counter", "wood"),
            ("rule", "ascend"),
            ("kind", "worker"),
            ("fact", "worker.power"),
            ("function", "price"),
            ("step", "eclipse/salary"),
            ("tag", "main_fee"),
        ],
        0,
        1,
    ),
)
def test_the_same_places_are_found_as_by_checking_all(folder, session, every_place, sort, id_):
    index = session.index(folder / BASE)
    reference = next(one for one in index.references((sort, id_)))

    found = find_all(session, folder / BASE, reference)

    there = {one.span for one in every_place if (one.sort, one.id) == (sort, id_)}
    assert {one.span for one in found} == there
    assert there


@pytest.mark.parametrize("name", MODULES)
def test_names_in_a_module_are_found_without_going_through_the_rules_below(folder, session, name):
    files = Kept(session.library)
    found, every = (
        of(folder / name, files) for of in (of_projects.named_model, lambda *of: of_projects.type_pack(*of).model)
    )

    there = [
        {(use.sort, use.id, use.span) for use in model.uses if Path(use.span.path).is_relative_to(folder / name)}
        for model in (found, every)
    ]
    assert there[0] == there[1]
    assert len(there[1]) > 100
    assert len(found.made.rules) < len(every.made.rules) / 2


def test_nothing_is_proved_to_find_places(folder):
    session = opened(folder)
    index = session.index(folder / BASE)
    reference = next(one for one in index.references(("place", "workers")))

    assert find_all(session, folder / BASE, reference)
    assert list(session.checks) == [folder / BASE]


def test_packs_that_do_not_hold_the_word_are_not_read(folder, session, monkeypatch):
    held = "\n".join(file.read_text("utf-8") for file in (folder / "altars").rglob("*.yaml"))
    index = session.index(folder / BASE)
    function = next(name for name in index.model.functions if name not in held)
    fresh = opened(folder)
    reference = next(one for one in fresh.index(folder / BASE).references(("function", function)))
    made = []
    typed = of_projects.named_model
    monkeypatch.setattr(of_projects, "named_model", lambda pack, *rest: made.append(pack.name) or typed(pack, *rest))

    find_all(fresh, folder / BASE, reference)

    assert "altars" not in made
    assert folder / "altars" in fresh.users(folder / BASE)


@pytest.mark.deep
def test_a_change_of_a_module_is_seen(folder):
    session = opened(folder)
    reference = next(one for one in session.index(folder / BASE).references(("rule", "ascend")))
    before = find_all(session, folder / BASE, reference)
    file = next(file for file in sorted((folder / "altars").rglob("*.yaml")) if "\nrules:\n" in file.read_text("utf-8"))
    text = file.read_text("utf-8").replace("\nrules:\n", "\nrules:\n  more(worker w): ascend(w)\n")

    for written in (text, f"{text}  - broken: ["):  # what cannot be read keeps the names that it had
        session.update_text(str(file), written)
        after = find_all(session, folder / BASE, reference)
        assert [(one.span.path, one.span.column) for one in after if one not in before] == [(str(file), 19)]


def test_what_was_prepared_is_not_read_again(folder, monkeypatch):
    session = opened(folder)
    reference = next(one for one in session.index(folder / BASE).references(("place", "workers")))

    assert len(list(session.prepare(folder / BASE))) == len(session.users(folder / BASE)) - 1
    monkeypatch.setattr(of_projects, "named_model", lambda *_: pytest.fail("a pack is read again"))
    found = find_all(session, folder / BASE, reference)

    assert {Path(one.span.path).relative_to(folder).parts[0] for one in found} >= {BASE, *MODULES}


def test_preparing_ends_when_something_changes(folder):
    session = opened(folder)
    session.index(folder / BASE)
    preparing = session.prepare(folder / BASE)
    next(preparing)
    session.touch(str(folder / BASE / "pack.yaml"))

    assert list(preparing) == []


@pytest.mark.deep
def test_folders_are_looked_through_a_few_times_for_each_pack(monkeypatch):
    """And not once for each pair of packs, which took a third of the first search."""
    session = opened(CONTENT)
    reference = next(one for one in session.index(CONTENT / BASE).references(("place", "workers")))
    looks = []
    found_packs = discovery.found_packs
    monkeypatch.setattr(discovery, "found_packs", lambda: looks.append(1) or found_packs())

    assert find_all(session, CONTENT / BASE, reference)
    packs = len(session.users(CONTENT / BASE))
    assert len(looks) <= 2 * packs


@pytest.mark.deep
def test_how_long_the_first_search_takes(capsys):
    """Reported, not asserted: the largest pack with its modules, when only its rules have been checked."""
    session = opened(CONTENT)
    index = session.index(CONTENT / BASE)
    times = []
    for id_ in ("workers", "workers", "space"):
        reference = next(one for sort in ("place", "kind") for one in index.references((sort, id_)))
        start = time.perf_counter()
        assert find_all(session, CONTENT / BASE, reference)
        times.append(time.perf_counter() - start)
    with capsys.disabled():
        print(f"\n  references, first, again, of another thing: {', '.join(f'{s:.2f}' for s in times)} s")
