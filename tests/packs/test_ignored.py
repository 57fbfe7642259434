"""YAML of other programs in the folder of a pack: the problem names the list in which it is ignored, and then all ignore it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from patolli.author.workspace import check_pack, check_packs, inspect, load
from patolli.author.workspace.findings import Request
from patolli.language.packs.archive_writer import build_archive
from patolli.language.packs.discovery import find_content_folder
from patolli.language.packs.manifest import read_pack
from patolli.language.sources.archive import yaml_files
from patolli.language.sources.folders import IGNORE, ignoring

FOREIGN = {
    "ci.yaml": "on: push\njobs: {}\n",
    "site/nav.yaml": "- Home: index.md\n",
    "site/deep/tags.yaml": "plugins: !!python/name:x.y\n",
    "data/k8s.yaml": "a: 1\n---\nb: &x 2\nc: *x\n",
    "data/old.yml": "document: model\n",
    "data/kept.yaml": "# patolli: allow P0440 nothing\nx: [\n",
}
LIST = "# of other programs\nci.yaml\n\nsite/\ndata/*.y*ml\n"


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = Path(shutil.copytree(find_content_folder() / "tic_tac_toe", tmp_path / "tic_tac_toe"))
    for name, text in FOREIGN.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def test_problem_names_the_list(pack):
    found = inspect(str(pack)).problems
    named = {Path(p.span.path).relative_to(pack).as_posix() for p in found if p.code == "P0059" and IGNORE in p.help}

    assert named == {name for name in FOREIGN if name.endswith(".yaml")}


def test_what_is_listed_is_no_part_of_the_pack(pack):
    (pack / IGNORE).write_text(LIST)
    plain = load("tic_tac_toe")

    assert check_pack(Request(str(pack))).problems == []
    assert load(str(pack)).content_hash == plain.content_hash
    assert [path.name for path in yaml_files(pack)] == [
        path.name for path in yaml_files(find_content_folder() / "tic_tac_toe")
    ]
    assert not set(build_archive(str(pack)).files) & set(FOREIGN)


def test_archive_with_the_list_is_read_like_its_folder(pack, tmp_path):
    (pack / IGNORE).write_text(LIST)
    archive = shutil.make_archive(str(tmp_path / "packed"), "zip", pack.parent, pack.name)

    assert inspect(archive).problems == []
    assert set(read_pack(archive).hashes) == set(read_pack(str(pack)).hashes)


def test_manifest_is_never_ignored(pack):
    (pack / IGNORE).write_text("*.yaml\nsite\ndata\n")
    assert [Path(path).name for path in read_pack(str(pack)).hashes] == ["pack.yaml"]


def test_change_of_the_list_is_noticed(pack, own_cache):
    (pack / IGNORE).write_text(LIST)
    assert check_packs((str(pack),)).problems == []
    (pack / IGNORE).write_text(LIST.replace("ci.yaml", ""))

    assert [problem.code for problem in check_packs((str(pack),)).problems] == ["P0059"]


@pytest.mark.parametrize(
    ("pattern", "taken", "left"),
    [
        ("ci.yaml", ["ci.yaml", "a/ci.yaml"], ["ci.yaml2", "xci.yaml"]),
        ("/ci.yaml", ["ci.yaml"], ["a/ci.yaml"]),
        ("site/", ["site/a.yaml", "site/b/c.yaml", "a/site/b.yaml"], ["sites/a.yaml", "a/website/c.yaml"]),
        ("a/b", ["a/b/c.yaml", "a/b"], ["b/c.yaml", "c/a/b/c.yaml"]),
        ("*.tmp.yaml", ["x.tmp.yaml", "a/y.tmp.yaml"], ["tmp.yaml"]),
        ("# x", [], ["# x", "x"]),
        ("", [], ["", "a"]),
        ("/", [], ["a"]),
        ("[", ["["], ["a"]),
    ],
)
def test_patterns(pattern, taken, left):
    is_ignored = ignoring(f"{pattern}\n")

    assert [name for name in taken if not is_ignored(name)] == []
    assert [name for name in left if is_ignored(name)] == []
