"""The format of an index: a static folder with archives, one JSON file for each pack, and a list of all packs.

``index.json`` lists the packs with their newest versions, ``packs/ID.json`` the releases of one pack. An archive is
named by the file alone, so it lies in the folder of the index and nowhere else. Nothing that an index says is
trusted: :func:`parse_releases` refuses what has another form, and an archive must be what its release says.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from patolli.author.distribution.refusal import Refusal
from patolli.author.distribution.signatures import SIGNATURE, Signer
from patolli.language.diagnostics import ContentError
from patolli.language.packs.manifest import Pack, read_pack
from patolli.language.packs.version_ranges import parse_version
from patolli.language.sources.archive import BOUNDS, SUFFIX, read_bytes
from patolli.language.sources.atomic_files import write_whole

LIST = "index.json"
FOLDER = "packs"
FORM = 1
"""The version of the format."""
LARGEST = 2_000_000
"""Bytes of a JSON file of an index that are read."""


@dataclass(frozen=True, slots=True)
class Release:
    """One version of a pack in an index; ``size`` is in bytes, ``sha256`` is that of the archive ``file``."""

    id: str
    version: str
    file: str
    sha256: str
    size: int
    requires: dict[str, str]
    title: str = ""
    text: str = ""
    license: str = ""
    homepage: str = ""
    language: int = 1


ID = r"^[a-z_][a-z0-9_]{0,99}\Z"
VERSION = r"^[0-9]{1,9}\.[0-9]{1,9}\.[0-9]{1,9}\Z"
_RANGE = r"^(>=|<=|==|!=|<|>|~=)[0-9.]{1,30}(,(>=|<=|==|!=|<|>|~=)[0-9.]{1,30}){0,9}\Z"
SHA256 = {"type": "string", "pattern": r"^[0-9a-f]{64}\Z"}
_FILE = r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}\.zip\Z"
_LINE = {"type": "string", "maxLength": 2000}
_RELEASE = {
    "type": "object",
    "properties": {
        "version": {"type": "string", "pattern": VERSION},
        "file": {"type": "string", "pattern": _FILE},
        "sha256": SHA256,
        "size": {"type": "integer", "minimum": 1, "maximum": BOUNDS.packed},
        "requires": {
            "type": "object",
            "propertyNames": {"pattern": ID},
            "additionalProperties": {"type": "string", "pattern": _RANGE},
            "maxProperties": 100,
        },
        "title": _LINE, "text": _LINE, "license": _LINE, "homepage": _LINE,
        "language": {"type": "integer"},
    },
    "required": ["version", "file", "sha256", "size", "requires"],
}  # fmt: skip
_RELEASES = {
    "type": "object",
    "properties": {
        "index": {"const": FORM},
        "id": {"type": "string", "pattern": ID},
        "releases": {"type": "array", "items": _RELEASE, "maxItems": 1000},
    },
    "required": ["index", "id", "releases"],
}
_ROW = {
    "type": "object",
    "properties": {"version": {"type": "string", "pattern": VERSION}, "title": _LINE, "text": _LINE, "license": _LINE},
    "required": ["version"],
}
_PACKS = {
    "type": "object",
    "properties": {
        "index": {"const": FORM},
        "packs": {"type": "object", "propertyNames": {"pattern": ID}, "additionalProperties": _ROW},
    },
    "required": ["index", "packs"],
}


def parse_releases(data: bytes, id_: str, where: str) -> list[Release]:
    """Return the releases of a pack, newest first. Raises Refusal: the data is malformed, or about another pack."""
    found = _parse_json(data, _RELEASES, where)
    if found["id"] != id_:
        raise Refusal(f"{where} is about the pack {found['id']!r}, not about {id_!r}")
    rows = [{name: row[name] for name in Release.__dataclass_fields__ if name in row} for row in found["releases"]]
    releases = [Release(**{**row, "id": id_, "size": int(row["size"])}) for row in rows]  # JSON may say 9.0
    versions = [parse_version(release.version) for release in releases]
    if len({*versions}) < len(versions):
        raise Refusal(f"{where} contains a version twice")
    return sorted(releases, key=lambda release: parse_version(release.version), reverse=True)


def parse_list(data: bytes, where: str) -> dict[str, dict[str, str]]:
    """Return the packs of an index by id, each with its newest release's data. Raises Refusal: it has another form."""
    found: dict[str, dict[str, str]] = _parse_json(data, _PACKS, where)["packs"]
    return found


def parse_json_object(data: bytes, schema: dict[str, Any], where: str, what: str, advice: str) -> dict[str, Any]:
    """Return the data of a foreign JSON file in the form of a schema. Raises Refusal: it differs.

    Args:
        data: The content of the file.
        schema: The form that it must have.
        where: The path or address of the file.
        what: What kind of file it should be.
        advice: What to do if it is not one.
    """
    from jsonschema import Draft202012Validator

    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        wrong = f"it is not JSON: {reason[:200]}" if data.strip() else "it is empty"
        raise Refusal(f"{where} is not a valid {what}: {wrong}; {advice}") from None
    problem = next(Draft202012Validator(schema).iter_errors(found), None)  # there may be a million of them
    if problem is not None:
        place = "/".join(str(part) for part in problem.absolute_path) or "the file"
        raise Refusal(f"{where} is not a valid {what}: {place[:200]}: {problem.message[:200]}; {advice}")
    return dict(found)


def _parse_json(data: bytes, schema: dict[str, Any], where: str) -> dict[str, Any]:
    return parse_json_object(data, schema, where, f"index of the format {FORM}", "'patolli index build' writes one")


# ---- writing


def build_index(folder: Path, signer: Signer | None = None) -> list[Release]:
    """Write the JSON files of an index for all archives in a folder; return the releases.

    The list of packs is written last, so a reader sees the old packs or the new ones. A file of a
    pack without archives is deleted. A signer signs each file.

    Raises:
        Refusal: There is no archive, one is not a pack, or a version is there twice or has changed; or the index is
            signed, and there is no signer.
        OSError: A file cannot be read or written.
    """
    archives = sorted(path for path in folder.iterdir() if path.suffix == SUFFIX and path.is_file())
    if not archives:
        raise Refusal(
            f"there is no archive in {folder}; build one: patolli pack build PACK --out {folder / 'PACK.zip'}"
        )
    if signer is None and (folder / f"{LIST}{SIGNATURE}").exists():
        raise Refusal(f"the index in {folder} is signed; name the key with --key, or delete {LIST}{SIGNATURE}")
    by_id: dict[str, list[Release]] = {}
    for archive in archives:
        release = describe_archive(archive)
        number = parse_version(release.version)
        same = next((one for one in by_id.get(release.id, ()) if parse_version(one.version) == number), None)
        if same is not None:
            raise Refusal(f"{same.file!r} and {release.file!r} are both {release.id} {release.version}; delete one")
        by_id.setdefault(release.id, []).append(release)
    files = {id_: folder / FOLDER / f"{id_}.json" for id_ in by_id}
    for id_, releases in by_id.items():
        _refuse_changed(files[id_], releases)
    (folder / FOLDER).mkdir(exist_ok=True)
    for id_, releases in by_id.items():
        releases.sort(key=lambda release: parse_version(release.version), reverse=True)
        rows = [{name: value for name, value in asdict(release).items() if name != "id"} for release in releases]
        _write_file(files[id_], {"index": FORM, "id": id_, "releases": rows}, signer)
    newest = {id_: releases[0] for id_, releases in sorted(by_id.items())}
    rows = [{name: getattr(one, name) for name in ("version", "title", "text", "license")} for one in newest.values()]
    _write_file(folder / LIST, {"index": FORM, "packs": dict(zip(newest, rows, strict=True))}, signer)
    for old in (folder / FOLDER).glob("*.json*"):
        if old.name.partition(".")[0] not in by_id:
            old.unlink()
    return [release for releases in by_id.values() for release in releases]


def _write_file(file: Path, data: dict[str, Any], signer: Signer | None) -> None:
    """Write a JSON file of an index, and its signature."""
    text = _to_json(data)
    if signer is not None:
        write_whole(file.with_name(f"{file.name}{SIGNATURE}"), signer.sign(text.encode(), file.name))
    write_whole(file, text)


def describe_archive(archive: Path) -> Release:
    """Return the index entry of an archive. Raises Refusal: it is not a pack, or is one that an index cannot hold."""
    try:
        pack = read_pack(str(archive))
    except ContentError as error:
        advice = f"; {error.first.help}" if error.first.help else ""
        raise Refusal(f"{archive}: {error.first.message}{advice}") from None
    data = read_bytes(archive, BOUNDS.packed)
    release = Release(
        pack.id, pack.version, archive.name, sha256(data).hexdigest(), len(data), normalize_ranges(pack),
        pack.text("title"), pack.text("text"), pack.text("license"), pack.text("homepage"), pack.language,
    )  # fmt: skip
    if not re.match(_FILE, archive.name):
        raise Refusal(f"{archive.name!r} is not a name for the web; rename it to {release.id}-{release.version}.zip")
    row = {name: value for name, value in asdict(release).items() if name != "id"}
    data = _to_json({"index": FORM, "id": release.id, "releases": [row]}).encode()
    parse_json_object(data, _RELEASES, archive.name, "pack of an index", "change it in its pack.yaml")
    return release


def normalize_ranges(pack: Pack) -> dict[str, str]:
    """Return what a pack requires, without blanks in ranges."""
    return {id_: "".join(wanted.split()) for id_, wanted in pack.requires.items()}


def _refuse_changed(file: Path, releases: list[Release]) -> None:
    """Refuse a version that was published with other content: those who have installed it would not know."""
    if not file.exists():
        return
    known = {old.version: old for old in parse_releases(file.read_bytes(), file.stem, str(file))}
    for release in releases:
        old = known.get(release.version)
        if old is not None and old.sha256 != release.sha256:
            words = f"{release.file} differs from the {release.id} {release.version} that was published"
            raise Refusal(f"{words}; raise its version, or delete {file} if it was never installed")


def _to_json(data: dict[str, Any]) -> str:
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"
