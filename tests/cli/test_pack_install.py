"""``patolli pack install``, ``update``, ``remove``, ``search``, ``list --outdated`` and ``patolli index``."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import sys
import zipfile
from pathlib import Path

import pytest
from packversions import RULES, pack_into, write_base, write_module
from tiers import few

from patolli.author.distribution.lock_file import read_lock
from patolli.author.distribution.pack_index import build_index
from patolli.author.distribution.pack_store import hold_home
from patolli.author.workspace import load
from patolli.language.sources import atomic_files

TAKE = RULES.replace("earn(", "take(")
AFTER_TAKE = "document: patch\nchange:\n  - {after: rules/take, do: gain 1 coin}\n"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with archives: a game in three versions (the last renames a rule), and modules for it."""
    folder = tmp_path_factory.mktemp("shop")
    packs = [write_base(folder / "a", "1.0.0"), write_base(folder / "b", "1.1.0")]
    packs.append(write_base(folder / "c", "2.0.0", rules=TAKE))
    packs.append(write_module(folder / "d", "fever", "1.0.0", 'purse: ">=1.0,<2.0"'))
    packs.append(write_module(folder / "e", "fever", "1.1.0", 'purse: ">=1.1, <2.0"'))
    packs.append(write_module(folder / "f", "tonic", "1.0.0", 'fever: ">=1.0", purse: ">=1.0"'))
    packs.append(write_module(folder / "g", "gout", "1.0.0", 'purse: ">=2.0"', changes=AFTER_TAKE))
    packs.append(write_module(folder / "h", "greedy", "1.0.0", 'purse: ">=1.0"'))
    pack_into(folder / "archives", *packs)
    return folder / "archives"


@pytest.fixture(scope="module")
def index(shop: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of these archives, which is only read."""
    folder = tmp_path_factory.mktemp("web") / "index"
    shutil.copytree(shop, folder)
    (folder / "greedy-1.0.0.zip").unlink()
    assert len(build_index(folder)) == 7
    return folder


@pytest.fixture
def own_index(index: Path, tmp_path: Path) -> Path:
    """A copy of the index, which may be changed."""
    return Path(shutil.copytree(index, tmp_path / "index"))


def names(home: Path) -> list[str]:
    return sorted(path.name.removesuffix(".zip") for path in home.glob("*")) if home.exists() else []


# ---- files


def test_archive_is_installed_and_found_by_its_id(run, shop, tmp_path, home):
    archive = shutil.copy(shop / "purse-1.0.0.zip", tmp_path / "got.zip")

    result = run("pack", "install", archive)

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == f"{home / 'purse-1.0.0.zip'}\n"
    assert (home / "purse-1.0.0.zip").read_bytes() == Path(archive).read_bytes()
    assert run("validate", "purse").exit_code == 0


def test_versions_are_side_by_side(run, shop, home):
    run("pack", "install", shop / "purse-1.1.0.zip")
    older = run("pack", "install", shop / "purse-1.0.0.zip")

    assert names(home) == ["purse-1.0.0", "purse-1.1.0"]
    assert older.stderr == f"'purse' alone means {home / 'purse-1.1.0.zip'}; this version is 'purse==1.0.0'\n"
    assert load("purse").packs[0].version == "1.1.0"
    assert load("purse==1.0.0").packs[0].version == "1.0.0"
    assert "(for packs that require it)" in run("pack", "list").stdout


@pytest.mark.deep
def test_archive_of_the_same_version_is_replaced(run, shop, tmp_path, home):
    run("pack", "install", shop / "purse-1.0.0.zip")
    (archive,) = pack_into(tmp_path, write_base(tmp_path / "x", "1.0.0", rules=TAKE))

    assert run("pack", "install", archive).stdout == f"{home / 'purse-1.0.0.zip'} (replaced; its content has changed)\n"
    assert (home / "purse-1.0.0.zip").read_bytes() == archive.read_bytes()


@pytest.mark.deep
def test_pack_that_comes_before_the_installed_one_is_named(run, shop, tmp_path, home):
    write_base(home / "purse", "1.0.0")

    result = run("pack", "install", shop / "purse-1.0.0.zip")

    assert result.stderr == f"'purse' alone means {home / 'purse'}; this version is 'purse==1.0.0'\n"


def test_archive_with_errors_is_not_installed(run, shop, tmp_path, home):
    archive = shutil.copy(shop / "purse-1.0.0.zip", tmp_path / "got.zip")
    with zipfile.ZipFile(archive, "a") as more:
        more.writestr("more.yaml", "document: rules\nrules:\n  lost: gain 1 coyn\n")

    result = run("pack", "install", archive)

    assert result.exit_code == 1
    assert "unknown counter 'coyn'" in result.output
    assert str(archive) in result.output
    assert not home.exists()


WRONG = [
    (["{shop}/../a/pack.yaml"], 2, "is not an archive"),
    (["{shop}/none.zip"], 2, "there is no such file"),
    ([], 2, "name a pack or an archive"),
    (["purse>=one"], 2, "a pack with a version is written 'my_game==1.0.0'"),
    (["{shop}/fever-1.0.0.zip"], 1, "fever 1.0.0 requires purse >=1.0,<2.0"),
    (["{shop}/purse-1.0.0.zip", "{shop}/purse-1.1.0.zip"], 1, "are both the pack 'purse'"),
    (["fever"], 1, "there is no pack 'fever': it is not installed"),
    (["fever", "--index", "{shop}/none"], 1, "it is not a folder"),
    (["fever", "--index", "ftp://localhost/"], 1, "only http:// and https:// are read"),
    (["fever", "--index", "http://me:secret@localhost/"], 1, "contains a user name or a password"),
    (["fever", "--index", "http://localhost:99999999/"], 1, "is not an address"),
    (["--lock", "{shop}/purse-1.0.0.zip"], 1, "is not a valid lock file"),
    (["--lock", "{shop}/none.lock"], 2, "there is no lock file '{shop}/none.lock'"),
    (["--lock", "{shop}/bad/empty.lock"], 1, "{shop}/bad/empty.lock is not a valid lock file: it is empty; name packs"),
    (["{shop}/bad/empty.zip"], 1, "{shop}/bad/empty.zip: the archive is refused"),
    (["{shop}/bad/empty.zip"], 1, "build it again with 'patolli pack build'"),
]
"""Arguments, the exit status, and what is said."""


def test_what_cannot_be_installed(run, shop, home, subtests):
    (shop / "bad").mkdir()
    for name in ("empty.lock", "empty.zip"):
        (shop / "bad" / name).touch()
    for arguments, status, words in WRONG:
        with subtests.test(" ".join(arguments)):
            result = run("pack", "install", *(one.format(shop=shop) for one in arguments))

            said = " ".join(result.stderr.split())
            assert (result.exit_code, words.format(shop=shop) in said) == (status, True), result.output
            assert "secret" not in result.output
            assert not home.exists()


@pytest.mark.deep
def test_files_are_installed_together(run, shop, home):
    result = run("pack", "install", shop / "tonic-1.0.0.zip", shop / "purse-1.1.0.zip", shop / "fever-1.1.0.zip")

    assert [Path(line).stem for line in result.stdout.splitlines()] == ["purse-1.1.0", "fever-1.1.0", "tonic-1.0.0"]
    assert run("validate", "tonic").exit_code == 0


# ---- an index


def test_pack_is_installed_with_what_it_requires(run, index, home):
    result = run("pack", "install", "tonic", "--index", index)

    assert (result.exit_code, result.stderr) == (0, "")
    assert names(home) == ["fever-1.1.0", "purse-1.1.0", "tonic-1.0.0"]
    assert "already installed" in run("pack", "install", "tonic", "--index", index).stdout


@pytest.mark.parametrize(
    ("before", "wanted", "after"),
    few(
        [
            ([], ["fever<1.1"], ["fever-1.0.0", "purse-1.1.0"]),
            (["purse==1.0.0"], ["fever"], ["fever-1.1.0", "purse-1.0.0", "purse-1.1.0"]),
            (["purse==1.0.0"], ["fever==1.0.0"], ["fever-1.0.0", "purse-1.0.0"]),
            ([], ["purse==1.0.0", "fever"], ["fever-1.0.0", "purse-1.0.0"]),
            (["fever"], ["purse"], ["fever-1.1.0", "purse-1.1.0", "purse-2.0.0"]),
        ],
        0,
        3,
    ),
)
def test_versions_that_go_together_are_chosen(run, index, home, before, wanted, after):
    assert not before or run("pack", "install", *before, "--index", index).exit_code == 0
    result = run("pack", "install", *wanted, "--index", index)

    assert (result.exit_code, names(home)) == (0, after), result.output
    assert run("validate", *{name.partition("-")[0] for name in after}).exit_code == 0


def test_conflict_is_explained(run, index, home):
    result = run("pack", "install", "fever", "gout", "--index", index)

    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        "Error: no choice of versions satisfies everything:",
        "  you want fever",
        "  you want gout",
        "  fever 1.0.0 requires purse >=1.0,<2.0",
        "  gout 1.0.0 requires purse >=2.0",
        "  versions of fever: 1.1.0 (index), 1.0.0 (index)",
        "  versions of gout: 1.0.0 (index)",
        "  versions of purse: 2.0.0 (index), 1.1.0 (index), 1.0.0 (index)",
    ]
    assert not home.exists()


@pytest.mark.deep
def test_extra_is_only_needed_to_search(run, index, home, monkeypatch):
    monkeypatch.setitem(sys.modules, "resolvelib", None)

    assert "pip install 'patolli[index]'" in run("pack", "install", "gout", "fever", "--index", index).stderr
    assert run("pack", "install", "tonic", "--index", index).exit_code == 0


def test_new_version_may_not_break_what_is_installed(run, index, shop, home):
    run("pack", "install", shop / "greedy-1.0.0.zip", "purse<2", "--index", index)
    before = names(home)

    result = run("pack", "install", "purse", "--index", index)

    assert result.exit_code == 1
    assert "'greedy', which is installed, would not work any more" in result.stderr
    assert names(home) == before


def test_update_and_outdated(run, index, home):
    run("pack", "install", "fever==1.0.0", "purse==1.0.0", "--index", index)
    rows = json.loads(run("pack", "list", "--outdated", "--index", index, "--format", "json").stdout)

    assert [(row["id"], row["version"], row["newest"]) for row in rows] == [
        ("fever", "1.0.0", "1.1.0"), ("purse", "1.0.0", "2.0.0"),
    ]  # fmt: skip
    assert "1 new version" not in run("pack", "update", "fever", "--index", index).stdout
    assert names(home) == ["fever-1.0.0", "fever-1.1.0", "purse-1.0.0", "purse-1.1.0"]
    assert run("pack", "update", "--index", index).stdout.endswith("1 new version\n")
    assert names(home)[-1] == "purse-2.0.0"
    assert run("pack", "update", "--index", index).stdout == "0 new versions\n"
    assert run("pack", "list", "--outdated", "--index", index).stdout.count("\n") == 1
    assert "is not installed" in run("pack", "update", "gout", "--index", index).stderr


def test_remove(run, index, home):
    run("pack", "install", "tonic", "--index", index)
    for wanted in (["purse"], ["fever"], ["purse", "fever"], ["none"], ["purse==1.0.0"]):
        result = run("pack", "remove", *wanted)
        assert result.exit_code == 1, wanted
        assert names(home) == ["fever-1.1.0", "purse-1.1.0", "tonic-1.0.0"]
    assert "tonic 1.0.0 requires fever >=1.0, and this is its last version" in run("pack", "remove", "fever").stderr
    assert [line.rpartition(os.sep)[2] for line in run("pack", "remove", "purse", "tonic", "fever").stdout.split()][1::2] == [
        "tonic-1.0.0.zip", "fever-1.1.0.zip", "purse-1.1.0.zip",
    ]  # fmt: skip
    assert names(home) == []


@pytest.mark.deep
def test_search(run, index, home):
    assert run("pack", "search", "GAME", "--index", index).stdout == "purse  2.0.0  Game purse  [CC0-1.0]\n"
    assert run("pack", "search", "--index", index).stdout.count("\n") == 4
    rows = json.loads(run("pack", "search", "GAME", "--index", index, "--format", "json").stdout)
    assert [(row["id"], row["version"], row["license"]) for row in rows] == [("purse", "2.0.0", "CC0-1.0")]
    assert run("pack", "search", "game", "fever", "--index", index).exit_code == 1
    assert run("pack", "search", "game").exit_code == 2


@pytest.mark.deep
def test_signed_index(run, own_index, home, tmp_path, subtests):
    """Only what the owner of the key in the address has signed is installed."""
    file, other = tmp_path / "own.key", tmp_path / "other.key"
    key = run("index", "build", own_index, "--key", file).stdout.splitlines()[-1]
    signed = {path: path.read_bytes() for path in own_index.rglob("*.json*")}
    assert run("index", "build", own_index, "--key", file).stdout.splitlines()[-1] == key
    assert {path: path.read_bytes() for path in own_index.rglob("*.json*")} == signed
    assert file.stat().st_mode & 0o77 == 0
    assert "is signed; name the key with --key" in run("index", "build", own_index).stderr
    seal = own_index / "packs" / "purse.json.minisig"
    attacks = {
        "is not signed": seal.unlink,
        "is not what its owner has signed": lambda: seal.write_bytes(signed[own_index / "index.json.minisig"]),
        "purse.json of": lambda: seal.write_text("x\n" * 4),
        "has more than": lambda: seal.write_bytes(bytes(3_000)),
        "signed with another key": lambda: run("index", "build", own_index, "--key", other),
    }
    for words, attack in attacks.items():
        with subtests.test(words):
            attack()
            result = run("pack", "install", "purse", "--index", f"{own_index}#{key}")
            assert (result.exit_code, words in result.stderr, names(home)) == (1, True, []), result.stderr
    run("index", "build", own_index, "--key", file)
    assert run("pack", "install", "purse", "--index", f"{own_index}#{key}").exit_code == 0
    for address in (f"{own_index}#{key[:-1]}", f"https://localhost/#{key[:-1]}", "https://localhost/#RWQ"):
        assert run("pack", "install", "fever", "--index", address).exit_code == 1
    assert "is not a secret key" in run("index", "build", own_index, "--key", seal).stderr


def test_lock_file_gives_the_same_packs_on_another_machine(run, index, home, tmp_path, monkeypatch):
    lock = tmp_path / "table.lock"
    run("pack", "install", "fever<1.1", "purse==1.0.0", "--index", index, "--lock", lock)
    text = lock.read_text()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "other"))

    result = run("pack", "install", "--lock", lock, "--index", index)

    other = tmp_path / "other" / "patolli" / "packs"
    assert (result.exit_code, names(other), names(home)) == (0, ["fever-1.0.0", "purse-1.0.0"], names(other))
    assert all((home / f"{name}.zip").read_bytes() == (other / f"{name}.zip").read_bytes() for name in names(other))
    assert "already installed" in run("pack", "install", "--lock", lock).stdout
    assert lock.read_text() == text


def test_lock_file_in_another_order_is_followed_in_the_right_one(run, index, home, tmp_path, monkeypatch):
    lock = tmp_path / "table.lock"
    run("pack", "install", "fever", "--index", index, "--lock", lock)
    data = json.loads(lock.read_text())
    lock.write_text(json.dumps(data | {"packs": [*reversed(data["packs"]), *data["packs"]]}))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "other"))

    result = run("pack", "install", "--lock", lock, "--index", index)

    there = [line.rpartition(os.sep)[2] for line in result.stdout.splitlines()]
    assert there == ["purse-1.1.0.zip", "fever-1.1.0.zip"], result.output


@pytest.mark.deep
def test_lock_of_a_selection_file(run, index, home, tmp_path):
    selection = tmp_path / "table.yaml"
    selection.write_text('document: selection\npack: purse\nmodules: ["fever<1.1"]\n')
    result = run("pack", "install", selection, "--index", index, "--lock", tmp_path / "table.lock")

    assert result.exit_code == 0, result.output
    assert [(row["id"], row["version"]) for row in json.loads((tmp_path / "table.lock").read_text())["packs"]] == [
        ("purse", "1.1.0"), ("fever", "1.0.0"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "words"),
    few(
        [
            (lambda row: row.update(version="9.0.0"), "the index has no purse 9.0.0"),
            (lambda row: row.update(sha256="0" * 64), "is another one than the lock file names"),
            (lambda row: row.pop("sha256"), "has no archive to install, and is here not at all"),
            (lambda row: row.update(id="../x"), "is not a valid lock file: packs/0/id"),
        ],
        1,
        3,
    ),
)
def test_lock_file_that_cannot_be_followed(run, index, home, tmp_path, monkeypatch, change, words):
    lock = tmp_path / "table.lock"
    run("pack", "install", "purse", "--index", index, "--lock", lock)
    data = json.loads(lock.read_text())
    change(data["packs"][0])
    lock.write_text(json.dumps(data))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "other"))

    result = run("pack", "install", "--lock", lock, "--index", index)

    assert (result.exit_code, words in result.stderr) == (1, True), result.stderr
    assert not (tmp_path / "other" / "patolli" / "packs").exists()


@pytest.mark.parametrize(
    ("change", "words"),
    few(
        [
            (lambda folder: shutil.copy(folder / "purse-1.0.0.zip", folder / "again.zip"), "are both purse 1.0.0"),
            (lambda folder: (folder / "gout-1.0.0.zip").rename(folder / "my gout.zip"), "rename it to gout-1.0.0.zip"),
            (lambda folder: (folder / "bad.zip").write_bytes(b"PK"), "bad.zip: the archive is refused"),
            (
                lambda folder: pack_into(folder, write_base(folder / "x", "1.0.0", rules=TAKE)),
                "differs from the purse 1.0.0 that was published",
            ),
        ],
        2,
    ),
)
def test_index_that_cannot_be_built(run, own_index, change, words):
    before = (own_index / "index.json").read_bytes()
    change(own_index)
    result = run("index", "build", own_index)

    assert (result.exit_code, words in result.stderr) == (1, True), result.stderr
    assert (own_index / "index.json").read_bytes() == before


@pytest.mark.deep
def test_folder_with_a_pipe_as_an_index(run, own_index, home):
    (own_index / "packs" / "gout.json").unlink()
    os.mkfifo(own_index / "packs" / "gout.json")
    result = run("pack", "install", "gout", "--index", own_index)

    assert (result.exit_code, "not a file" in result.stderr) == (1, True)


@pytest.mark.deep
def test_pack_without_archives_leaves_the_index(run, own_index):
    for archive in own_index.glob("gout-*.zip"):
        archive.unlink()
    assert run("index", "build", own_index).stdout == f"{own_index}: 3 packs in 6 versions\n"

    assert [path.stem for path in sorted((own_index / "packs").iterdir())] == ["fever", "purse", "tonic"]


# ---- interruptions


def test_two_installations_at_once(run, index, home):
    with hold_home(home):
        result = run("pack", "install", "purse", "--index", index)

    assert (result.exit_code, result.stderr) == (
        1, "Error: another command is changing your packs; try again when it has ended\n",
    )  # fmt: skip
    assert run("pack", "install", "purse", "--index", index).exit_code == 0


@pytest.mark.parametrize(
    ("number", "after"), few([(number, after) for number in (errno.ENOSPC, errno.EROFS) for after in (0, 1)], 1)
)
def test_disk_that_takes_nothing(run, index, home, monkeypatch, number, after):
    run("pack", "install", "purse==1.0.0", "--index", index)
    left, fsync = [2 + after], os.fsync  # two archives are written elsewhere before

    def fail(handle: int) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(number, os.strerror(number))
        fsync(handle)

    monkeypatch.setattr(atomic_files.os, "fsync", fail)
    result = run("pack", "install", "fever", "--index", index)
    monkeypatch.undo()

    assert result.exit_code == 2
    assert os.strerror(number) in result.stderr
    monkeypatch.setenv("XDG_DATA_HOME", str(home.parent.parent))
    assert names(home) == ["purse-1.0.0", *["purse-1.1.0"][:after]]


def test_full_temporary_folder_is_named(run, index, home):
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        result = run("pack", "install", "fever", "--index", index)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)

    assert result.exit_code == 2
    assert f"{os.sep}purse-1.1.0.zip: {os.strerror(errno.EFBIG)}" in result.stderr
    assert names(home) == []


@pytest.mark.deep
@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not copied here")
def test_installation_that_is_killed_at_every_step(run, index, home):
    before = {path.name: path.read_bytes() for path in index.glob("*.zip")}
    lock = home.parent / "table.lock"
    for step in range(1, 200):
        shutil.rmtree(home.parent, ignore_errors=True)
        home.parent.mkdir(parents=True)
        assert run("pack", "install", "purse==1.0.0", "--index", index, "--lock", lock).exit_code == 0
        child = os.fork()
        if child == 0:
            _kill_at(step, str(home.parent))
            run("pack", "install", "tonic", "--index", index, "--lock", lock)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        there = {path.name: path.read_bytes() for path in home.glob("*.zip")}
        assert there.items() <= before.items(), step
        assert "purse-1.0.0.zip" in there
        if "tonic-1.0.0.zip" in there:
            assert "fever-1.1.0.zip" in there
        locked = [f"{one.id}-{one.version}.zip" for one in read_lock(lock)]
        assert locked in (["purse-1.0.0.zip"], ["purse-1.1.0.zip", "fever-1.1.0.zip", "tonic-1.0.0.zip"])
        assert {*locked} <= {*there}
        assert run("validate", *{name.partition("-")[0] for name in there}).exit_code == 0
        assert run("pack", "install", "tonic", "--index", index, "--lock", lock).exit_code == 0
        assert len(read_lock(lock)) == 3
        assert names(home) == ["fever-1.1.0", "purse-1.0.0", "purse-1.1.0", "tonic-1.0.0"]
        if not os.WIFSIGNALED(status):
            break
    assert step > 8


def _kill_at(step: int, folder: str) -> None:
    """Kill this process when it changes something in a folder for the so many-th time."""
    left = [step]

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if event in ("open", "os.rename", "os.remove", "os.mkdir", "os.chmod") and str(arguments[0]).startswith(folder):
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)
