"""Indexes that lie, servers that hang: a clear message, and nothing has changed.

The server is a thread of this process. An attack changes the files of an honest index, or what the server answers.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import socket
import stat
import threading
import zipfile
from collections.abc import Callable, Iterator
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from packversions import MODULE, RULES, pack_into, write_base, write_module
from tiers import few

from patolli.author.distribution import index_source, pack_store
from patolli.author.distribution.pack_index import build_index
from patolli.language.packs import discovery

Answer = Callable[[BaseHTTPRequestHandler], None]


class Site:
    """A web server for a folder; ``answers`` replaces what it says about a path."""

    def __init__(self) -> None:
        self.folder = Path()
        self.answers: dict[str, Answer] = {}
        self.asked: list[str] = []
        self.ended = threading.Event()
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked.append(self.path)
                answer = site.answers.get(self.path) or site.answers.get("*")
                try:
                    if answer is not None:
                        answer(self)
                        return
                    path = site.folder / self.path.removeprefix("/")
                    send(self, path.read_bytes() if path.is_file() else b"", 200 if path.is_file() else 404)
                except OSError:
                    pass  # the other side has had enough

            def log_message(self, *_: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = False

            def handle_error(self, *_: object) -> None:
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"


def send(handler: BaseHTTPRequestHandler, body: bytes, status: int = 200, **headers: str) -> None:
    """Answer with a body; a header may lie."""
    handler.send_response(status)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    for name, value in ({"Content-Length": str(len(body))} | named).items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(body)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An honest index of a game in two versions and a module for the second one."""
    folder = tmp_path_factory.mktemp("honest")
    packs = [write_base(folder / "a", "1.0.0"), write_base(folder / "b", "1.1.0")]
    pack_into(folder / "index", *packs, write_module(folder / "c", "fever", "1.0.0", 'purse: ">=1.1"'))
    build_index(folder / "index")
    return folder / "index"


@pytest.fixture(scope="module")
def served() -> Iterator[Site]:
    site = Site()
    thread = threading.Thread(target=site.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield site
    site.ended.set()
    site.server.shutdown()
    site.server.server_close()
    thread.join()
    for other in threading.enumerate():  # those that waited for a slow answer
        if other.name == "index":
            other.join(5)


@pytest.fixture
def site(served: Site, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    """The server with a copy of the index, and a user who has the first version of the game."""
    served.folder = Path(shutil.copytree(shop, tmp_path / "index"))
    served.answers.clear()
    served.asked.clear()
    home = tmp_path / "data" / "patolli" / "packs"
    home.mkdir(parents=True)
    shutil.copy(shop / "purse-1.0.0.zip", home)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.delenv("PATOLLI_PATH", raising=False)
    monkeypatch.setattr(discovery, "find_content_folder", lambda: tmp_path / "bundled")
    monkeypatch.setattr(index_source, "SILENCE", 0.3)
    monkeypatch.setattr(index_source, "TIME_LIMIT", 0.6)
    return served


# ---- attacks: each takes the site and the number of bytes an archive has


def edit(pack: str, change: Callable[[dict[str, Any]], object], whole: bool = False) -> Callable[[Site], None]:
    """Change the newest release of a pack in its file, or the whole file."""

    def attack(site: Site) -> None:
        path = site.folder / "packs" / f"{pack}.json"
        data = json.loads(path.read_text())
        change(data if whole else data["releases"][0])
        path.write_text(json.dumps(data))

    return attack


def write(name: str, text: str | bytes) -> Callable[[Site], object]:
    """Replace a file of the index."""
    return lambda site: (site.folder / name).write_bytes(text.encode() if isinstance(text, str) else text)


def answer(path: str, how: Answer) -> Callable[[Site], None]:
    """Let the server say something else about a path."""
    return lambda site: site.answers.update({path: how})


def redirect(to: str) -> Callable[[Site], None]:
    """Let the server redirect the file of a pack; {} stands for the address of the server."""
    return lambda site: answer("/packs/fever.json", lambda h: send(h, b"", 302, Location=to.format(site.address)))(site)


def archive(
    *entries: tuple[zipfile.ZipInfo | str, str | bytes], form: int = zipfile.ZIP_STORED
) -> Callable[[Site], None]:
    """Replace the archive of the module by one with other entries and a correct index."""

    def attack(site: Site) -> None:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", form) as opened:
            for name, text in entries:
                opened.writestr(name, text)
        exchange(site, buffer.getvalue())

    return attack


def exchange(site: Site, data: bytes) -> None:
    """Replace the archive of the module; the index says its size and hash."""
    (site.folder / "fever-1.0.0.zip").write_bytes(data)
    edit("fever", lambda row: row.update(size=len(data), sha256=sha256(data).hexdigest()))(site)


def packed(**manifest: str) -> Callable[[Site], None]:
    """Replace the archive of the module by a module with another manifest."""

    def attack(site: Site) -> None:
        values = {"id": "fever", "version": "1.0.0", "requires": 'purse: ">=1.1"'} | manifest
        (made,) = pack_into(site.folder.parent / "made", write_module(site.folder.parent / "x", **values))
        exchange(site, made.read_bytes())

    return attack


def _link() -> zipfile.ZipInfo:
    info = zipfile.ZipInfo("pack.yaml")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


def _endless(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.end_headers()
    while True:
        handler.wfile.write(bytes(65_536))


def _endless_piece(handler: BaseHTTPRequestHandler) -> None:
    """Send pieces. The length of the first one means 'all' to Python."""
    handler.protocol_version = "HTTP/1.1"
    handler.send_response(200)
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    handler.wfile.write(b"-1\r\n")
    while True:
        handler.wfile.write(bytes(65_536))


def _drip(site: Site) -> Answer:
    def drip(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        while not site.ended.wait(0.05):
            handler.wfile.write(b" ")

    return drip


def _generate(handler: BaseHTTPRequestHandler) -> None:
    """Answer that each pack requires another one."""
    name = handler.path.rpartition("/")[2].removesuffix(".json").replace("fever", "n0")
    row = {
        "version": "1.0.0",
        "file": "x.zip",
        "sha256": "0" * 64,
        "size": 9,
        "requires": {f"n{int(name[1:] or 0) + 1}": ">=1.0"},
    }
    send(handler, json.dumps({"index": 1, "id": "fever" if name == "n0" else name, "releases": [row]}).encode())


def _tangle(site: Site) -> None:
    """Write packs without a set of versions that fits; each set is nearly right."""
    for number in range(12):
        rows = [
            {
                "version": f"{version}.0.0", "file": "x.zip", "sha256": "0" * 64, "size": 9,
                "requires": {f"p{other}": f"!={version}.0.0" for other in range(12) if other != number} | {"purse": ">9.0"},
            }
            for version in range(1, 9)
        ]  # fmt: skip
        text = json.dumps({"index": 1, "id": f"p{number}", "releases": rows})
        (site.folder / "packs" / f"p{number}.json").write_text(text)
    edit("fever", lambda row: row.update(requires={f"p{number}": ">=1.0" for number in range(12)}))(site)


def _hang_up(handler: BaseHTTPRequestHandler) -> None:
    handler.connection.shutdown(socket.SHUT_RDWR)


def _explode(site: Site) -> None:
    """Write packs with many versions each, which all require all other packs, in ranges of many parts."""
    for number in range(20):
        rows = [
            {
                "version": f"{version}.0.0", "file": "x.zip", "sha256": "0" * 64, "size": 9,
                "requires": {f"p{other}": f"!={version % 7}.{other}.0,>0" for other in range(20) if other != number}
                | {"purse": f">{version}.0"},
            }
            for version in range(1, 120)
        ]  # fmt: skip
        text = json.dumps({"index": 1, "id": f"p{number}", "releases": rows})
        (site.folder / "packs" / f"p{number}.json").write_text(text)
    edit("fever", lambda row: row.update(requires={f"p{number}": ">=1.0" for number in range(20)}))(site)


CIRCLE = [
    edit("fever", lambda row: row["requires"].update(purse=">=1.1")),
    edit("purse", lambda row: row.update(requires={"fever": ">=1.0"})),
]
PACK = "packs/fever.json"
MANIFEST = MODULE.format(id="fever", version="1.0.0", requires='purse: ">=1.1"')
LARGE = 10_000_000_000
ATTACKS: dict[str, tuple[Callable[[Site], object], str]] = {
    "another hash": (edit("fever", lambda row: row.update(sha256="0" * 64)), "is not what the index says: SHA-256"),
    "another hash of what is required": (edit("purse", lambda row: row.update(sha256="0" * 64)), "purse-1.1.0.zip of"),
    "too small a size": (edit("fever", lambda row: row.update(size=10)), "has more than 10 bytes"),
    "too large a size": (edit("fever", lambda row: row.update(size=9999)), "size"),
    "a size of 10 GB": (edit("fever", lambda row: row.update(size=LARGE)), "releases/0/size"),
    "no size": (edit("fever", lambda row: row.update(size=-1)), "releases/0/size"),
    "another version": (edit("fever", lambda row: row.update(version="7.0.0")), "version '1.0.0', not '7.0.0'"),
    "other requirements": (edit("fever", lambda row: row.update(requires={})), "requirements {'purse': '>=1.1'}, not {}"),
    "an id that no index takes": (packed(id="Fever"), "is not a valid pack of an index: id: 'Fever'"),
    "an archive of another pack": (packed(id="other"), "id 'other', not 'fever'"),
    "a file about another pack": (edit("fever", lambda data: data.update(id="other"), True), "is about the pack 'other'"),
    "a version twice": (edit("fever", lambda data: data["releases"].append(data["releases"][0]), True), "a version twice"),
    "a circle": (lambda site: [attack(site) for attack in CIRCLE], "require each other in a circle"),
    "a pack that requires itself": (edit("fever", lambda row: row["requires"].update(fever=">=1.0")), "in a circle"),
    "something that is not there": (edit("fever", lambda row: row["requires"].update(none=">=1.0")), "requires none >=1.0"),
    "requirements without end": (answer("*", _generate), "more than 300 packs"),
    "a tangle of versions": (_tangle, "no choice of versions"),
    "thousands of versions": (_explode, "in too many ways"),
    "a path upward": (edit("fever", lambda row: row.update(file="../../etc.zip")), "releases/0/file"),
    "a path from the root": (edit("fever", lambda row: row.update(file="/etc/passwd.zip")), "releases/0/file"),
    "another host in a file": (edit("fever", lambda row: row.update(file="http://127.0.0.2/x.zip")), "releases/0/file"),
    "an escaped path": (edit("fever", lambda row: row.update(file="%2e%2e%2fx.zip")), "releases/0/file"),
    "an id that is a path": (edit("fever", lambda row: row["requires"].update({"../x": ">=1.0"})), "'../x' does not match"),
    "a version that is a path": (edit("fever", lambda row: row.update(version="1.0.0/../../x")), "releases/0/version"),
    "a version with a line break": (edit("fever", lambda row: row.update(version="1.0.0\n")), "releases/0/version"),
    "a range of 10,000 digits": (
        edit("fever", lambda row: row.update(requires={"purse": ">=" + "9" * 10_000})), "releases/0/requires/purse",
    ),
    "a redirection to another host": (redirect("http://127.0.0.2:9/x.json"), "redirects to another place, http://127.0.0.2:9"),
    "a redirection to another port": (redirect("http://127.0.0.1:9/x.json"), "redirects to another place"),
    "a redirection to a file": (redirect("file:///etc/passwd"), "only http:// and https:// are read"),
    "a redirection to a script": (redirect("javascript:alert(1)"), "redirects to an address that is refused: 'javascript:"),
    "a redirection in a circle": (redirect("{}/packs/fever.json"), "redirects more than 5 times"),
    "a redirection to nowhere": (redirect("http://["), "cannot be read"),
    "a file without end": (answer(f"/{PACK}", _endless), "has more than 2,000,000 bytes"),
    "a piece of less than no length": (answer(f"/{PACK}", _endless_piece), "cannot be read"),
    "an archive without end": (answer("/fever-1.0.0.zip", _endless), "bytes, so it is refused"),
    "an archive that says 10 GB": (
        answer("/fever-1.0.0.zip", lambda h: send(h, b"PK", Content_Length=str(LARGE))), "ended in the middle",
    ),
    "a server that stops in the middle": (
        answer(f"/{PACK}", lambda h: send(h, b'{"index"', Content_Length="500")), "the connection ended in the middle",
    ),
    "a silent server": (lambda site: answer(f"/{PACK}", lambda h: site.ended.wait(9))(site), "timed out"),
    "a slow server": (lambda site: answer(f"/{PACK}", _drip(site))(site), "takes longer than 0.6 seconds"),
    "a server that hangs up": (answer(f"/{PACK}", _hang_up), "cannot be read"),
    "a server that fails": (answer(f"/{PACK}", lambda h: send(h, b"no", 500)), "the server responds 500"),
    "headers without end": (
        answer(f"/{PACK}", lambda h: send(h, b"", **{f"X{n}": "x" for n in range(500)})), "got more than 100 headers",
    ),
    "no archive": (lambda site: (site.folder / "fever-1.0.0.zip").unlink(), "there is no fever-1.0.0.zip"),
    "half an archive": (
        lambda site: answer("/fever-1.0.0.zip", lambda h: send(h, b"PK" * 9))(site), "is not what the index says: size",
    ),
    "no JSON": (write(PACK, "<html>"), "it is not JSON"),
    "no text": (write(PACK, b"\xff\xfe\0"), "it is not JSON"),
    "deep JSON": (write(PACK, "[" * 100_000), "nested too deeply"),
    "a number without end": (write(PACK, '{"index": ' + "9" * 10_000 + "}"), "is not a valid index"),
    "another format": (edit("fever", lambda data: data.update(index=2), True), "1 was expected"),
    "100,000 versions": (
        edit("fever", lambda data: data.update(releases=data["releases"] * 20_000), True), "has more than 2,000,000 bytes",
    ),
    "no zip": (
        lambda site: exchange(site, b"#!/bin/sh\nrm -rf ~\n"), "Error: fever-1.0.0.zip: the archive is refused: it is not a zip",
    ),
    "a bomb": (
        archive(("pack.yaml", MANIFEST), ("a.yaml", bytes(1_900_000)), form=zipfile.ZIP_DEFLATED), "swells more than 200 times",
    ),
    "an archive that leads outside": (archive(("pack.yaml", MANIFEST), ("../x.yaml", "x")), "leads outside"),
    "a link in an archive": (archive((_link(), "/etc/passwd")), "is a link or a device"),
    "a pack with errors": (
        archive(("pack.yaml", MANIFEST), ("model.yaml", "document: model\ncounters: 3\n")), "fever-1.0.0.zip/model.yaml:2:11: error[P0052]",
    ),
}  # fmt: skip
"""What is done to the index or the server, and what is said then."""


def state(site: Site) -> dict[str, bytes]:
    folder = site.folder.parent / "data"
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock"}


QUICK = ("another hash", "a circle", "a path upward", "a redirection to another host", "a slow server", "a bomb")


@pytest.mark.parametrize("name", few(ATTACKS, *QUICK, deep=20))
def test_attack_changes_nothing(run, site, name):
    attack, words = ATTACKS[name]
    attack(site)
    before = state(site)

    result = run("pack", "install", "fever", "--index", site.address)

    assert result.exit_code == 1, result.output
    assert words in result.stderr
    assert not result.stdout
    assert len(result.stderr) < 2_000
    assert "/patolli-" not in result.stderr  # a folder that is gone
    assert state(site) == before
    assert all(not path.endswith(".part") for path in state(site))
    assert run("validate", "purse").exit_code == 0


def test_honest_index_works_over_the_web(run, site):
    result = run("pack", "install", "fever", "--index", f"{site.address}/")

    assert (result.exit_code, result.stderr) == (0, ""), result.stderr
    assert site.asked == ["/packs/fever.json", "/packs/purse.json", "/purse-1.1.0.zip", "/fever-1.0.0.zip"]
    assert run("validate", "fever").exit_code == 0


def test_packs_come_and_go_over_the_web(run, site, tmp_path, monkeypatch):
    """A home with an old version is brought up to date; an empty one gets the same bytes by a lock file."""
    lock, here, there = tmp_path / "x.lock", tmp_path / "data", tmp_path / "empty"
    assert run("pack", "update", "--index", site.address).stdout.endswith("1 new version\n")
    assert run("pack", "install", "fever", "--index", site.address, "--lock", lock).exit_code == 0
    monkeypatch.setenv("XDG_DATA_HOME", str(there))
    result = run("pack", "install", "--lock", lock, "--index", site.address)

    assert (result.exit_code, result.stderr) == (0, "")
    for name in ("purse-1.1.0.zip", "fever-1.0.0.zip"):
        places = [home / "patolli" / "packs" / name for home in (here, there)]
        assert places[0].read_bytes() == places[1].read_bytes()
    assert "1.0.0 requires purse >=1.1" in run("pack", "remove", "purse").stderr
    assert run("pack", "remove", "purse", "fever").exit_code == 0
    assert not [*there.rglob("*.zip")]


def test_whole_number_with_a_fraction_is_a_whole_number(run, site):
    edit("fever", lambda row: row.update(size=float(row["size"])))(site)

    assert run("pack", "install", "fever", "--index", site.address).exit_code == 0


@pytest.mark.deep
def test_what_lies_in_the_place_of_an_archive_is_named(run, site):
    place = site.folder.parent / "data" / "patolli" / "packs" / "fever-1.0.0.zip"
    place.write_bytes(b"cut")
    result = run("pack", "install", "fever", "--index", site.address)
    assert result.stderr == f"Error: {place} differs from the fever 1.0.0 of the index; delete that file first\n"
    place.unlink()
    os.mkfifo(place)
    result = run("pack", "install", "fever", "--index", site.address)
    assert (result.exit_code, result.stderr) == (2, f"Error: {place}: not a file\n")


@pytest.mark.deep
def test_redirection_within_a_host_is_followed(run, site):
    text = (site.folder / PACK).read_bytes()
    site.answers = {
        f"/{PACK}": lambda h: send(h, b"", 301, Location="/new/x.json"),
        "/new/x.json": lambda h: send(h, text),
    }

    assert run("pack", "install", "fever", "--index", site.address).exit_code == 0


@pytest.mark.deep
def test_nothing_is_read_before_a_command_says_so(run, site, monkeypatch):
    monkeypatch.setenv("PATOLLI_INDEX", site.address)
    for command in (["pack", "list"], ["validate", "purse"], ["show", "purse"], ["pack", "remove", "purse"]):
        run(*command)
    assert site.asked == []


@pytest.mark.deep
def test_words_of_an_index_do_nothing_to_a_terminal(run, site):
    data = {"index": 1, "packs": {"fever": {"version": "1.0.0", "title": "\x1b[2J\x07evil\u202e"}}}
    (site.folder / "index.json").write_text(json.dumps(data))
    found = run("pack", "search", "--index", site.address).stdout

    assert "evil" in found
    assert not {"\x1b", "\x07", "\u202e"}.intersection(found)


@pytest.mark.deep
def test_all_archives_together_have_a_bound(run, site, monkeypatch):
    monkeypatch.setattr(pack_store, "LARGEST", 500)

    assert "more than 500 at once are refused" in run("pack", "install", "fever", "--index", site.address).stderr


@pytest.mark.deep
def test_version_that_is_installed_with_other_content_is_refused(run, site):
    home = site.folder.parent / "data" / "patolli" / "packs"
    pack_into(home, write_base(site.folder.parent / "y", "1.1.0", rules=RULES.replace("1..3", "1..2")))
    (home / "purse-1.0.0.zip").unlink()
    lock = site.folder.parent / "x.lock"
    run("pack", "install", "purse", "--index", site.address, "--lock", lock)
    pack_into(home, write_base(site.folder.parent / "z", "1.1.0"))
    before = state(site)
    result = run("pack", "install", "--lock", lock, "--index", site.address)

    assert result.exit_code == 1
    assert state(site) == before
