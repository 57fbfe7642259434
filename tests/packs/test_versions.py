"""Several versions of a pack are installed: which one counts."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from packversions import RULES, pack_into, write_base, write_module

from patolli.author.workspace import check_packs, load, requirements
from patolli.author.workspace.kept_versions import find_kept_versions
from patolli.cli import main
from patolli.language.diagnostics import ContentError
from patolli.language.packs.discovery import find, installed
from patolli.language.packs.selection import select
from patolli.language.packs.version_ranges import in_range, is_range, join_named, split_named
from patolli.run.runtime import parse_save

RENAMED = RULES.replace("earn(", "take(")


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of packs with three versions of a game, and modules that each fit some of them."""
    folder = tmp_path_factory.mktemp("shelf")
    packs = [write_base(folder / "a", "1.9.0"), write_base(folder / "b", "1.10.0")]
    packs.append(write_base(folder / "c", "2.0.0", rules=RENAMED))
    packs.append(write_module(folder / "d", "old", "1.0.0", 'purse: "<2.0"'))
    packs.append(write_module(folder / "e", "older", "1.0.0", 'old: ">=1.0", purse: "~=1.9.0"'))
    packs.append(write_module(folder / "f", "lost", "1.0.0", 'purse: ">=3.0"'))
    pack_into(folder / "home", *packs)
    return folder / "home"


@pytest.fixture
def home(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder as the only one of the user; it is only read."""
    monkeypatch.setenv("PATOLLI_PATH", str(shelf))
    return shelf


@pytest.fixture
def own_home(shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the folder, which may be changed."""
    monkeypatch.setenv("PATOLLI_PATH", str(tmp_path / "home"))
    return Path(shutil.copytree(shelf, tmp_path / "home"))


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("purse", "2.0.0"),
        ("purse<2.0", "1.10.0"),
        ("purse==1.9.0", "1.9.0"),
        ("purse ~=1.9.0", "1.9.0"),
        ("purse>2", ""),
    ],
)
def test_pack_is_found_by_a_named_range(home, name, wanted):
    assert find(name) == (home / f"purse-{wanted}.zip" if wanted else None)
    assert installed()["purse"] == home / "purse-2.0.0.zip"


@pytest.mark.parametrize(
    ("name", "modules", "wanted"),
    [
        ("purse", [], "2.0.0"),
        ("purse", ["old"], "1.10.0"),
        ("purse", ["older"], "1.9.0"),
        ("purse<1.10", ["old"], "1.9.0"),
        ("purse==1.9.0", [], "1.9.0"),
    ],
)
def test_version_that_the_modules_require_is_chosen(home, name, modules, wanted):
    base, active = select(name, modules)

    assert base.version == wanted
    assert {*modules} <= {pack.id for pack in active}
    for module in modules:
        found = requirements(module)
        assert not found.missing
        assert select(found.base, list(found.modules))[0].version in ("1.9.0", "1.10.0")
    assert load(name, modules).packs[0].version == wanted


@pytest.mark.parametrize("name", ["purse==2.0.0", "home/purse-2.0.0.zip"])
def test_version_that_was_named_stays(home, monkeypatch, name):
    monkeypatch.chdir(home.parent)
    with pytest.raises(ContentError, match=r"'old' needs 'purse' <2.0, found 2.0.0"):
        select(name, ["old"])


def test_selection_file_names_versions(home, tmp_path):
    selection = tmp_path / "table.yaml"
    selection.write_text('document: selection\npack: "purse<1.10"\nmodules: ["old==1.0.0"]\n')

    assert [pack.version for pack in load(str(selection)).packs] == ["1.9.0", "1.0.0"]


def test_pack_of_the_current_folder_stays(home, monkeypatch, tmp_path):
    write_base(tmp_path / "purse", "2.1.0")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ContentError, match=r"found 2.1.0"):
        select("purse", ["old"])


def test_version_that_nothing_fits_is_reported(home):
    with pytest.raises(ContentError, match=r"'lost' needs 'purse' >=3.0, found 2.0.0"):
        select("purse", ["lost"])


def test_checks_take_the_same_version(home):
    report = check_packs(("old", "older"), remember=False)

    assert [problem.message for problem in report.problems if problem.severity == "error"] == []
    assert [name.partition(" + ")[2] for name in report.rulesets] == ["old", "older + old"]
    assert {"~=1.9.0", "<2.0"} == {*report.rulesets[1].partition(" ")[0].removeprefix("purse").split(",")}


def test_note_of_an_old_version_is_forgotten_with_it(own_home, own_cache, tmp_path):
    assert not check_packs(("purse",), ("old",)).problems
    pack_into(own_home, write_base(tmp_path / "b", "1.10.0", rules=RENAMED))

    assert check_packs(("purse",), ("old",)).problems


def test_match_goes_on_with_the_versions_with_which_it_was_saved(own_home, tmp_path):
    old = load("purse<2.0", ["old"])
    saved = old.start(2, 1)
    (tmp_path / "save.json").write_text(saved.to_json())
    data = parse_save(saved.to_json())

    assert find_kept_versions("purse", ["old"], {}, data["content"]) == ("purse", ("old",))
    assert find_kept_versions("purse", [], {}, load("purse==1.9.0").content_hash) == ("purse==1.9.0", ())
    assert find_kept_versions("purse", [], {}, load("purse").content_hash) == ("purse", ())
    assert find_kept_versions("purse", [], {}, "0" * 32) == ("purse", ())
    pack_into(
        own_home, write_module(tmp_path / "g", "old", "1.1.0", 'purse: ">=1.0"', rules=RULES.replace("match", "more"))
    )
    assert find_kept_versions("purse", ["old"], {}, data["content"]) == ("purse", ("old==1.0.0",))
    selection = tmp_path / "table.yaml"
    selection.write_text("document: selection\npack: purse\nmodules: [old]\n")
    for command in (
        ["play", str(selection), "--save", str(tmp_path / "save.json"), "--seat", "all=random"],
        ["replay", str(tmp_path / "save.json")],
        ["diff", "purse==1.10.0+old==1.0.0", "purse==1.9.0+old==1.0.0"],
        ["play", "purse", "--with", "old", "--save", str(tmp_path / "save.json"), "--seat", "all=random"],
    ):
        result = CliRunner().invoke(main, command)
        assert result.exit_code == 0, result.output


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("purse", ("purse", "*")), ("purse>=1,<2", ("purse", ">=1,<2")), ("purse*", ("purse", "*")), ("purse@1", ("", "")),
        ("./purse", ("", "")), ("purse>=one", ("", "")), ("purse>=1\n", ("purse", ">=1\n")), ("", ("", "")),
    ],
)  # fmt: skip
def test_named_range(name, parts):
    assert split_named(name) == parts


def test_ranges_are_joined():
    assert join_named("purse", ["*", ">=1.0, <2.0", "1.5", "<2.0"]) == "purse>=1.0,<2.0,==1.5"
    assert join_named("purse", ["*"]) == "purse"
    assert in_range("1.0.0", ">=" + "9" * 5000) is False  # Python refuses to read so long a number
    assert not is_range(">=1.0 <2.0")
