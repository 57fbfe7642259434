"""Static files. A request is looked up in the list of names, so no path can leave the folder."""

from __future__ import annotations

import gzip
from collections.abc import Awaitable, Callable
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.responses import Response

from patolli.serve.studio.refusals import Refused

if TYPE_CHECKING:
    from starlette.requests import Request

TYPES = {
    ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml", ".png": "image/png", ".woff2": "font/woff2", ".json": "application/json",
    ".txt": "text/plain; charset=utf-8", ".wasm": "application/wasm", ".webmanifest": "application/manifest+json",
}  # fmt: skip
"""Media types by file extension. Other files are not served."""


def page(folder: Path) -> Callable[[Request], Awaitable[Response]]:
    """Return a handler that serves the ``index.html`` of a folder for any address."""

    async def answer(request: Request) -> Response:
        return _file(request, folder, "index.html")

    return answer


def static(folder: Path) -> Callable[[Request], Awaitable[Response]]:
    """Return a handler that serves the files of a folder."""

    async def answer(request: Request) -> Response:
        return _file(request, folder, request.path_params["name"])

    return answer


@lru_cache
def _names(folder: Path) -> dict[str, Path]:
    """Return the served files of a folder by name. The result is cached."""
    files = (path for path in folder.rglob("*") if path.suffix in TYPES and path.is_file())
    return {path.relative_to(folder).as_posix(): path for path in files}


def _file(request: Request, folder: Path, name: str) -> Response:
    path = _names(folder).get(name)
    if path is None:
        raise Refused(404, "unknown file")
    at = path.stat()
    data, packed, sum_ = _read_file(path, at.st_mtime_ns)
    headers = {"content-type": TYPES[path.suffix], "cache-control": "no-cache", "etag": sum_, "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == sum_:
        return Response(None, 304, headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(packed, 200, {**headers, "content-encoding": "gzip"})
    return Response(data, 200, headers)


@lru_cache(maxsize=256)
def _read_file(path: Path, written: int) -> tuple[bytes, bytes, str]:
    """Return a file, its compressed form, and its hash. The time when it was *written* is part of the cache key."""
    data = path.read_bytes()
    return data, gzip.compress(data, 6, mtime=0), f'"{sha256(data).hexdigest()[:24]}"'
