"""Read the files of an index from a folder or a web server, and never more than was asked for.

A server may be slow, wrong or hostile. So every read has a largest size and a longest time, and a redirection to
another host is refused. Nothing is written, and nothing is read before a command asks for it.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from http.client import HTTPException, HTTPMessage, IncompleteRead
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import IO, NoReturn
from urllib.error import HTTPError, URLError
from urllib.parse import SplitResult, urljoin, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from patolli.author.distribution.pack_index import FOLDER, LARGEST, LIST, Release, parse_list, parse_releases
from patolli.author.distribution.refusal import Refusal
from patolli.author.distribution.signatures import LARGEST as LARGEST_SIGNATURE
from patolli.author.distribution.signatures import SIGNATURE, split_key, verify_signature
from patolli.language.sources.archive import read_bytes

SILENCE = 15.0
"""Seconds that a server may be silent."""
TIME_LIMIT = 180.0
"""Seconds that one file may take."""
TOTAL_LIMIT = 1_200.0
"""Seconds that all files of one command may take."""
REDIRECTIONS = 5
PACKS = 300
"""Packs of an index that one command asks for."""
_CHUNK = 65_536


class NotThere(Refusal):
    """A file that the index does not have."""


class IndexSource:
    """An index at an address: an http or https URL, or a folder."""

    def __init__(self, address: str) -> None:
        """Take the address; nothing is read yet. Raises Refusal: it is no address of an index."""
        address, self._key = split_key(address)
        self.address = address
        self._releases: dict[str, list[Release]] = {}
        self._is_web = "://" in address
        self._ends = monotonic() + TOTAL_LIMIT
        if self._is_web and not _split_url(address).hostname:
            raise Refusal(
                f"{address!r} is not the address of an index; it begins with http:// or https://, or is a folder"
            )
        if not self._is_web and not Path(address).is_dir():
            raise Refusal(f"there is no index at {address!r}: it is not a folder")

    def find_releases(self, id_: str) -> list[Release]:
        """Return the releases of a pack, newest first; none if unknown. Raises Refusal: the index is unreadable."""
        if id_ not in self._releases:
            if len(self._releases) == PACKS:
                raise Refusal(f"more than {PACKS} packs of {self.address} are required; that is refused")
            name = f"{FOLDER}/{id_}.json"
            try:
                self._releases[id_] = parse_releases(self._read_signed(name), id_, f"{name} of {self.address}")
            except NotThere:
                self._releases[id_] = []
        return self._releases[id_]

    def list_packs(self) -> dict[str, dict[str, str]]:
        """Return the packs of the index; see :func:`parse_list`. Raises Refusal: the index is unreadable or wrong."""
        return parse_list(self._read_signed(LIST), f"{LIST} of {self.address}")

    def fetch(self, release: Release) -> bytes:
        """Return the archive of a release. Raises Refusal: it is unreadable, or has another size or hash."""
        data = self._read(release.file, release.size)
        for what, wanted, found in (
            ("size", f"{release.size:,} bytes", f"{len(data):,} bytes"),
            ("SHA-256", release.sha256, sha256(data).hexdigest()),
        ):
            if wanted != found:
                words = (
                    f"{release.file} of {self.address} is not what the index says: {what} {found} instead of {wanted}"
                )
                raise Refusal(f"{words}; nothing was installed")
        return data

    def _read_signed(self, name: str) -> bytes:
        """Return a JSON file; if the address holds a key, its owner has signed the file."""
        data = self._read(name, LARGEST)
        if self._key:
            try:
                signature = self._read(f"{name}{SIGNATURE}", LARGEST_SIGNATURE)
            except NotThere:
                raise Refusal(
                    f"{name} of {self.address} is not signed, and the address of the index has a key"
                ) from None
            verify_signature(data, signature, self._key, f"{name} of {self.address}")
        return data

    def _read(self, name: str, most: int) -> bytes:
        where = f"{name} of {self.address}"
        try:
            if self._is_web:
                data = _within(
                    min(TIME_LIMIT, self._ends - monotonic()), lambda: _download(_join(self.address, name), most), where
                )
            else:
                data = read_bytes(Path(self.address) / name, most + 1)
        except (FileNotFoundError, NotADirectoryError):
            raise NotThere(f"there is no {where}") from None
        except HTTPError as error:
            error.close()
            if error.code in (404, 410):
                raise NotThere(f"there is no {where}") from None
            raise Refusal(f"{where} cannot be read: the server responds {error.code} {error.reason}") from None
        except IncompleteRead:
            raise Refusal(f"{where} cannot be read: the connection ended in the middle; try again") from None
        except (URLError, OSError, HTTPException, ValueError) as error:
            reason = error.reason if isinstance(error, URLError) else error
            words = getattr(reason, "strerror", None) or str(reason) or type(error).__name__
            raise Refusal(f"{where} cannot be read: {words[:300]}") from None
        if len(data) > most:
            raise Refusal(f"{where} has more than {most:,} bytes, so it is refused")
        return data


def _join(address: str, name: str) -> str:
    """Return the address of a file in the folder that an address names; a query stays behind the address."""
    parts = _split_url(address)
    return parts._replace(path=f"{parts.path.removesuffix('/')}/{name}").geturl()


def _split_url(address: str) -> SplitResult:
    """Return the parts of an address of the web. Raises Refusal: it is another address."""
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError as error:
        raise Refusal(f"{address!r} is not an address: {error}") from None
    if parts.scheme not in ("http", "https"):
        raise Refusal(f"{address!r} is refused: only http:// and https:// are read, and folders by their path")
    if parts.username is not None or parts.password is not None:
        raise Refusal(f"the address of {parts.hostname!r} contains a user name or a password, which is refused")
    return parts


class _Moved(Exception):
    """The server says that a file is elsewhere."""


class _Redirections(HTTPRedirectHandler):
    """Reports where a redirection leads, before anything of its answer is read."""

    def http_error_302(self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage) -> NoReturn:
        fp.close()
        raise _Moved(headers.get("Location", ""))

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302


def _download(url: str, most: int) -> bytes:
    """Return what is at an address, at most one byte more than *most*."""
    opener = build_opener(_Redirections)
    for _ in range(REDIRECTIONS):
        try:
            with opener.open(Request(url, headers={"User-Agent": "patolli"}), timeout=SILENCE) as answer:
                data, part = bytearray(), memoryview(bytearray(_CHUNK))
                while len(data) <= most and (count := answer.readinto(part[: most + 1 - len(data)])):
                    data += part[:count]  # read() would read without end if the server says so
                if answer.length and len(data) <= most:
                    raise IncompleteRead(bytes(data), answer.length)
                return bytes(data)
        except _Moved as error:
            url = _follow(url, str(error))
    raise Refusal(f"the server redirects more than {REDIRECTIONS} times: {url}")


def _follow(url: str, to: str) -> str:
    """Return where a redirection leads. Raises Refusal: it leads to another host, or from https to http."""
    old = _split_url(url)
    try:
        new = _split_url(urljoin(url, to))
    except Refusal as error:
        raise Refusal(f"{old.netloc} redirects to an address that is refused: {error}") from None
    is_secured = (old.scheme, new.scheme) == ("http", "https") and (old.port, new.port) == (None, None)
    if new.hostname != old.hostname or ((new.scheme, new.port) != (old.scheme, old.port) and not is_secured):
        words = f"{old.netloc} redirects to another place, {new.scheme}://{new.netloc}, which is refused"
        raise Refusal(f"{words}; if you trust it, name it with --index")
    return new.geturl()


def _within(seconds: float, work: Callable[[], bytes], where: str) -> bytes:
    """Return what *work* returns, or raise what it raises, if it needs no more than some seconds.

    A server that sends one byte now and then is never silent. So the work is left alone in a thread, which ends with
    the program.

    Raises:
        Refusal: It needs longer.
    """
    result: list[bytes] = []
    failures: list[BaseException] = []

    def run() -> None:
        try:
            result.append(work())
        except BaseException as error:
            failures.append(error)

    thread = Thread(target=run, name="index", daemon=True)
    thread.start()
    thread.join(max(0.0, seconds))
    if thread.is_alive():
        raise Refusal(f"{where} takes longer than {max(0.0, seconds):.1f} seconds; try again later")
    for failure in failures:
        raise failure
    return result[0]
