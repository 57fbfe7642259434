"""What a pack says of packs that it does not know, and of itself."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from examples import module
from packmaker import loaded, problems, spliced

from patolli.author.workspace import inspect
from patolli.language.diagnostics import nearest
from patolli.language.packs import acquaintance
from patolli.language.packs.manifest import Pack
from patolli.language.packs.selection import select
from patolli.language.sources import Mapping

ANY = '{sample: ">=1.0"}'


def waiting(name: str, awaited: str, optional: str, more: str = "") -> str:
    """Write a module with a rule that earns more, in a document that waits."""
    manifest = f"optional: [{optional}]\n" if optional else ""
    return module(name, ANY, manifest + more) + (
        f"# {name}/waits.yaml\ndocument: patch\nwhen_active: [{awaited}]\nchange:\n  - {{after: rules/earn, do: gain 5 coin}}\n"
    )


def earned(rules):
    """The coins after earning two: one more at the start."""
    match = rules.start(2, 3)
    for step in ("0", "0", "earn"):
        match.choose(step)
    return match.view(0)["counters"]["coin"]["player_2"]


def told(found):
    return [(p.code, Path(p.span.path).parent.name, p.message) for p in found]


@pytest.mark.parametrize(
    ("awaited", "others", "wanted"),
    [
        ("other", ["other"], 8),
        ("other", [], 3),
        ("not other", [], 8),
        ("not other", ["other"], 3),
        ("other, not third", ["other"], 8),
        ("other, not third", ["other", "third"], 3),
        ("not ending", ["fills"], 3),
        ("not ending", [], 8),
    ],
)
def test_document_waits_for_packs_and_for_their_absence(tmp_path, awaited, others, wanted):
    more = {name: module(name, ANY) for name in ("other", "third")}
    more["fills"] = module("fills", ANY, "provides: [ending]\n")
    text = waiting("extra", awaited, "other, third, ending") + "".join(more[name] for name in others)

    assert earned(loaded(tmp_path, text)) == wanted


def test_document_that_waits_for_what_the_manifest_does_not_name(tmp_path):
    found = problems(tmp_path, waiting("extra", "snow", ""))

    message = "this waits for 'snow', which 'extra' neither requires nor names as optional"
    assert told(found) == [("P0127", "extra", message)]
    assert problems(tmp_path, waiting("extra", "snow", "snow")) == []


def test_role_under_optional_puts_a_pack_after_the_one_that_fills_it(tmp_path):
    text = waiting("a", "ending", "ending") + module("z", ANY, "provides: [ending]\n")
    _, order = select(*spliced(tmp_path, text))

    assert [pack.id for pack in order] == ["z", "a"]


def test_base_may_wait_for_its_modules(tmp_path):
    base = "# waits.yaml\ndocument: patch\nwhen_active: [extra]\nchange:\n  - {after: rules/earn, do: gain 5 coin}\n"
    manifest = (Path(__file__).parents[1] / "data" / "sample" / "pack.yaml").read_text("utf-8")
    text = f"# pack.yaml\n{manifest}optional: [extra]\n{base}{module('extra', ANY)}"

    assert earned(loaded(tmp_path, text)) == 8


@pytest.mark.parametrize(
    ("one", "two"),
    [("provides: [ending]\n", "provides: [ending]\n"), ("", "provides: [one]\n"), ("provides: [two]\n", "")],
)
def test_role_is_filled_once(tmp_path, one, two):
    found = problems(tmp_path, module("one", ANY, one) + module("two", ANY, two))

    assert [p.code for p in found] == ["P0128"]
    assert "both fill the role" in found[0].message
    assert len(found[0].also) == 1


def test_patch_of_a_pack_that_is_not_known(tmp_path):
    calm = module("calm", ANY) + "# calm/r.yaml\ndocument: rules\ntriggers:\n  rest: {after: dig, do: gain 1 nut}\n"
    change = "# extra/c.yaml\ndocument: patch\nwhen_active: [calm]\nchange:\n  - {replace: triggers/rest/do, with: gain 1 seed}\n"

    message = "'triggers/rest/do' is of 'calm', which 'extra' neither requires nor names as optional"
    assert ("P0132", "extra", message) in told(problems(tmp_path, calm + module("extra", ANY) + change))
    assert problems(tmp_path, calm + module("extra", ANY, "optional: [calm]\n") + change) == []


@pytest.mark.parametrize(
    ("switch", "message"),
    [
        ("{length: short}", "'length' is an option of 'sample' itself, and 'short' one of its values"),
        ("{length: brief}", "'length' is an option of 'sample' itself, which has no value 'brief'"),
        ("{start: normal}", "'normal' means no module, so it cannot activate this one"),
        ("{strat: other}", "no other module has a switch 'strat'"),
        ("{start: fast}", "'start=fast' asks for 'quick' already"),
        ("{start: other}", ""),
        ("{mood: glad}", ""),
    ],
)
def test_switch(tmp_path, monkeypatch, switch, message):
    monkeypatch.setenv("PATOLLI_PATH", str(tmp_path))
    text = module("quick", ANY, "switch: {start: fast}\n") + module("extra", ANY, f"switch: {switch}\n")

    found = [one for one in told(problems(tmp_path, text)) if one[1] == "extra"]
    assert found == ([("P0129", "extra", message)] if message else [])


def test_value_that_no_module_has(tmp_path, monkeypatch):
    monkeypatch.setenv("PATOLLI_PATH", str(tmp_path))
    pack, _ = spliced(tmp_path, module("quick", ANY, "switch: {start: fast}\n"))

    (problem,) = inspect("sample", [], {"start": "slow"}).problems
    assert (problem.code, problem.message, problem.help) == (
        "P0131",
        "option 'start' cannot be 'slow'",
        "one of fast, normal",
    )
    assert pack


def renamed(tmp_path):
    pack, (path,) = spliced(tmp_path, module("extra", ANY))
    return pack, str(Path(path).rename(tmp_path / "spare"))


def test_folder_of_another_name_on_the_search_path(tmp_path, monkeypatch):
    monkeypatch.setenv("PATOLLI_PATH", str(tmp_path))
    pack, other = renamed(tmp_path)

    (problem,) = inspect(pack, [other]).problems
    assert problem.code == "P0133"
    assert problem.message == "the folder of this pack is called 'spare', so it cannot be found as 'extra'"
    assert problem.span.line == 2


def test_pack_that_is_named_by_its_path_may_lie_anywhere(tmp_path):
    pack, other = renamed(tmp_path)

    assert inspect(pack, [other]).problems == []


def test_package_that_an_entry_point_declares_may_have_any_name(tmp_path, monkeypatch):
    pack, other = renamed(tmp_path)
    monkeypatch.setattr(
        "patolli.language.packs.acquaintance.installed", lambda: {"extra": Path(other), "spare": Path(other)}
    )

    assert inspect(pack, [other]).problems == []


@pytest.mark.parametrize("seed", range(40))
def test_the_nearest_of_those_that_may_be_meant(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = Random(seed)
    words = {"".join(draw.choice("abs-") for _ in range(draw.randrange(1, 6))) for _ in range(40)}
    known, own, fit = (set(draw.sample(sorted(words), 12)) for _ in range(3))
    monkeypatch.setattr(acquaintance, "_may_be_beside", lambda pack, name, there: name in fit)
    for name in sorted(words - known - own):
        plainly = nearest(name, (known & fit) | own)
        assert acquaintance._find_nearest(Pack("a", Path(), Mapping({})), name, known, own, {}) == plainly
