"""``patolli pack``, ``patolli new``, ``patolli fmt`` and ``patolli show --matrix``."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from patolli.cli.new import TEMPLATES, version_range
from patolli.language.packs.discovery import installed
from patolli.language.packs.manifest import read_manifest, read_pack
from patolli.language.packs.selection import select
from patolli.language.syntax.words import NEWEST


def test_build_writes_one_file(run, purse, tmp_path):
    out = tmp_path / "purse.zip"
    one = run("pack", "build", purse, "--out", out)
    first = out.read_bytes()
    two = run("pack", "build", purse, "--out", out)

    assert one.exit_code == 0
    assert "3 files" in one.stdout
    assert one.stdout == two.stdout
    assert out.read_bytes() == first
    assert run("validate", out).exit_code == 0
    assert run("simulate", out, "--players", "2", "--games", "2").exit_code == 0


def test_pack_with_errors_is_not_built(run, purse, tmp_path):
    (purse / "rules.yaml").write_text("document: rules\nrules: 3\n")
    result = run("pack", "build", purse, "--out", tmp_path / "x.zip")

    assert result.exit_code == 1
    assert "P0052" in result.stderr
    assert not (tmp_path / "x.zip").exists()


def test_pack_with_a_link_is_not_built(run, purse, tmp_path):
    (purse / "model.yaml").rename(purse / "model.txt")
    (purse / "model.yaml").symlink_to("model.txt")
    result = run("pack", "build", purse, "--out", tmp_path / "x.zip")

    assert (result.exit_code, result.stdout) == (1, "")
    assert "'model.yaml' is a link" in result.stderr
    assert not (tmp_path / "x.zip").exists()


def test_list_tells_what_is_there_and_from_where(run, purse, tmp_path, monkeypatch):
    run("pack", "build", purse, "--out", tmp_path / "other.zip")
    (tmp_path / "bad.zip").write_bytes(b"no")
    monkeypatch.setenv("PATOLLI_PATH", str(tmp_path))
    rows = json.loads(run("pack", "list", "--format", "json").stdout)
    text = run("pack", "list")
    mine = [row for row in rows if row["id"] == "purse"]

    assert [(row["form"], row["hidden"], row["from"]) for row in mine] == [
        ("folder", False, "PATOLLI_PATH"), ("zip", True, "PATOLLI_PATH"),
    ]  # fmt: skip
    assert next(row for row in rows if row["id"] == "bad")["problem"]
    assert next(row for row in rows if row["id"] == "tic_tac_toe")["from"] == "bundled"
    assert "(hidden by another)" in text.stdout
    assert text.exit_code == 1


# ---- new


def test_new_pack_works_as_it_is(run, tmp_path):
    result = run("new", "pack", "my_game", "--in", tmp_path)
    folder = tmp_path / "my_game"

    assert result.exit_code == 0
    assert run("validate", folder, "--strict").exit_code == 0
    tested = run("test", folder, "--search", "2000")
    assert tested.exit_code == 0
    assert "4 scenarios" in tested.stdout
    assert run("fmt", "--check", folder).exit_code == 0
    for players in ("2", "3", "4"):
        assert run("simulate", folder, "--players", players, "--games", "5", "--jobs", "1").exit_code == 0
    assert "wins" in run("play", folder, "--seat", "all=greedy", "--seed", "1").stdout
    assert schemas_named_in(folder)[Path("pack.yaml")] == "../schemas/pack.json"


def test_new_packs_are_written_in_the_newest_version():
    manifests = [(path, path.read_text("utf-8")) for path in TEMPLATES.rglob("pack.yaml")]
    assert manifests
    assert [path for path, text in manifests if f"\nlanguage: {NEWEST}\n" not in text] == []


def schemas_named_in(folder: Path) -> dict[Path, str]:
    """The schema that each file of a pack names for editors, which is there, by the kind of the file."""
    found = {}
    for path in folder.rglob("*.yaml"):
        first, second, *_ = path.read_text().splitlines()
        named = first.removeprefix("# yaml-language-server: $schema=")
        assert not Path(named).is_absolute()
        schema = (path.parent / named).resolve()
        assert schema.stem == second.removeprefix("document: ")
        assert json.loads(schema.read_text())["$id"].endswith(f":{schema.stem}")
        found[path.relative_to(folder)] = named
    return found


def test_new_pack_brings_schemas_that_move_with_it(run, tmp_path):
    project = tmp_path / "project"
    assert run("new", "pack", "my_game", "--in", project).exit_code == 0
    moved = project.rename(tmp_path / "elsewhere")

    named = schemas_named_in(moved / "my_game")

    assert named[Path("pack.yaml")] == "../schemas/pack.json"
    assert run("validate", moved / "my_game", "--strict").exit_code == 0
    assert run("fmt", "--check", moved / "my_game").exit_code == 0


@pytest.mark.parametrize(
    ("schemas", "repository", "found"),
    [
        pytest.param("games/schemas", False, True, id="beside it"),
        pytest.param("games/.schemas", False, True, id="beside it, hidden"),
        pytest.param("schemas", True, True, id="above it in the repository"),
        pytest.param("schemas", False, False, id="above it, and who knows whose they are"),
        pytest.param("../schemas", True, False, id="outside of the repository"),
    ],
)
def test_new_pack_names_the_schemas_of_its_project(run, tmp_path, schemas, repository, found):
    project = tmp_path / "project"
    (project / "games").mkdir(parents=True)
    if repository:
        (project / ".git").mkdir()
    assert run("schema", project / schemas).stdout == f"{project / schemas}: 8 schemas written\n"

    run("new", "pack", "my_game", "--in", project / "games", "--no-schemas")

    lines = [path.read_text().splitlines()[0] for path in (project / "games/my_game").rglob("*.yaml")]
    assert {line.startswith("# yaml-language-server: ") for line in lines} == {found}
    if found:
        schemas_named_in(project / "games/my_game")


def test_schemas_are_written_once_for_all_packs_of_a_folder(run, tmp_path):
    run("new", "pack", "my_game", "--in", tmp_path)
    written = (tmp_path / "schemas/pack.json").stat().st_mtime_ns
    run("new", "module", "my_gifts", "--for", "tic_tac_toe", "--in", tmp_path)

    assert schemas_named_in(tmp_path / "my_gifts")[Path("changes.yaml")] == "../schemas/patch.json"
    assert (tmp_path / "schemas/pack.json").stat().st_mtime_ns == written


@pytest.mark.parametrize(("taken", "named"), [(["schemas"], "../.schemas"), (["schemas", ".schemas"], "")])
def test_other_schemas_are_neither_named_nor_overwritten(run, tmp_path, taken, named):
    theirs = '{"$id": "https://example.org/pack"}'
    for name in taken:
        (tmp_path / name).mkdir()
        (tmp_path / name / "pack.json").write_text(theirs)
    assert run("new", "pack", "my_game", "--in", tmp_path).exit_code == 0

    assert [(tmp_path / name / "pack.json").read_text() for name in taken] == [theirs] * len(taken)
    if named:
        assert schemas_named_in(tmp_path / "my_game")[Path("pack.yaml")] == f"{named}/pack.json"
    else:
        assert (tmp_path / "my_game/pack.yaml").read_text().startswith("document: ")


def test_schemas_are_written_again(run, tmp_path):
    run("schema", tmp_path)
    (tmp_path / "pack.json").write_text("{}")
    run("schema", tmp_path)

    assert json.loads((tmp_path / "pack.json").read_text())["$id"] == "urn:patolli:schema:1:pack"


@pytest.mark.parametrize(
    ("version", "wanted"), [("1.4.2", ">=1.4,<2.0"), ("0.3.1", ">=0.3,<0.4"), ("0.0.0", ">=0.0,<0.1")]
)
def test_new_module_requires_versions_that_do_not_break_it(version, wanted):
    assert version_range(version) == wanted


BASES = sorted(
    id_ for id_, folder in installed().items() if (m := read_manifest(folder)) is not None and not m.requires
)


@pytest.mark.deep
@pytest.mark.parametrize("base", ["connect_four", "patolli", "promises"])
def test_new_module_works_with_every_pack(run, tmp_path, base):
    assert run("new", "module", "my_gifts", "--for", base, "--in", tmp_path).exit_code == 0
    folder = tmp_path / "my_gifts"
    least = str(read_pack(base).manifest.get("players").get("min").value)

    assert run("validate", folder, "--strict").exit_code == 0
    assert run("test", folder, "--search", "1000").exit_code == 0
    assert run("fmt", "--check", folder).exit_code == 0
    assert run("simulate", base, "--with", folder, "--players", least, "--games", "1").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(["pack", "My Game"], "what about 'my_game'?", id="bad id"),
        pytest.param(["module", "mine"], "--for", id="module of nothing"),
        pytest.param(["module", "mine", "--for", "tic_tac_to"], "did you mean 'tic_tac_toe'?", id="no such pack"),
        pytest.param(["pack", "full"], "already exists", id="folder in use"),
    ],
)
def test_new_that_cannot_be(run, tmp_path, arguments, words):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    result = run("new", *arguments, "--in", tmp_path)

    assert result.exit_code == 2
    assert words in result.output


# ---- fmt


def test_fmt_writes_and_check_only_tells(run, purse):
    path = purse / "rules.yaml"
    before = path.read_text()
    path.write_text(before.replace("if coin >= goal: end match", "if coin>=goal:end match  # done"))
    careless = path.read_text()
    check = run("fmt", "--check", purse)

    assert (check.exit_code, check.stdout) == (1, f"{path}\n")
    assert path.read_text() == careless
    assert run("fmt", purse).exit_code == 0
    assert path.read_text() == before.replace("end match", "end match  # done")
    assert run("fmt", "--check", purse).exit_code == 0


def test_fmt_leaves_what_it_cannot_read(run, purse):
    (purse / "rules.yaml").write_text("document: rules\nrules: [\n")
    (purse / "other.yaml").write_text("image:   x\n")
    result = run("fmt", purse)

    assert result.exit_code == 1
    assert "rules.yaml: cannot be read" in result.stderr
    assert (purse / "other.yaml").read_text() == "image:   x\n"


# ---- matrix


@pytest.mark.deep
@pytest.mark.parametrize("base", BASES)
def test_matrix_agrees_with_selection(run, base):
    data = json.loads(run("show", base, "--matrix", "--format", "json").stdout)
    modules = [row["id"] for row in data["modules"]]
    valid = {frozenset(combination) for combination in data["combinations"]}

    assert data["count"] == len(data["combinations"]) == len(valid)
    for size in (0, 1, 2, len(modules)):
        for chosen in itertools.islice(itertools.combinations(modules, size), 0, None, 1 if size < 2 else 9):
            assert (frozenset(chosen) in valid) == selectable(base, chosen)


def selectable(base: str, chosen: tuple[str, ...]) -> bool:
    try:
        _, active = select(base, list(chosen))
    except Exception:
        return False
    return {pack.id for pack in active} == set(chosen)


@pytest.mark.deep
def test_matrix_as_text(run, monkeypatch):
    monkeypatch.setattr("patolli.cli.matrix.find_refused_sets", lambda *_: {})  # the test above validates
    assert "Can be combined: + yes, - no" in run("show", "city_of_gods", "--matrix").stdout
    assert "there is no module for it" in run("show", "connect_four", "--matrix").stdout


def test_templates_are_canonical(run):
    import patolli

    assert run("fmt", "--check", Path(patolli.__file__).parent / "templates").exit_code == 0


@pytest.mark.deep
def test_shipped_content_is_formatted(run):
    from patolli.language.packs.discovery import find_content_folder

    result = run("fmt", "--check", find_content_folder())

    assert (result.exit_code, result.stdout) == (0, "")
