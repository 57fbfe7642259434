"""Read one pack: its manifest and its documents.

In:     a folder, or an archive as one.
Out:    a :class:`Pack` with the trees of all its documents.
Errors: P0001.. from reading, P0050.. from the schemas, P0110 a folder without a manifest,
        P0112 an archive that is not to be trusted.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from hashlib import sha256
from os.path import exists, isdir, isfile
from pathlib import Path
from typing import Any

from patolli.language.diagnostics import ContentError, Problem, Span, instead, nearest, start_of
from patolli.language.packs import discovery
from patolli.language.packs.recovery import recover, words
from patolli.language.sources import Mapping, Node, Scalar, Sequence, plain, read_yaml
from patolli.language.sources.archive import SUFFIX, archive_of, ignored_in, refusal, yaml_files
from patolli.language.sources.documents import ASIDE, holds_scenarios
from patolli.language.sources.folders import is_misnamed, leads_out, link_problem, unfit
from patolli.language.sources.nodes import list_texts
from patolli.language.sources.read import read_file
from patolli.language.sources.schema import UNRELATED, check_schema, document_kind, without_repetition


@dataclass(slots=True)
class Document:
    """One YAML file: its kind, where it is, and its tree."""

    kind: str
    path: str
    tree: Mapping


@dataclass(slots=True)
class OptionSpec:
    """One option of a pack: either ``choices`` or ``low`` and ``high``."""

    name: str
    choices: tuple[str, ...]
    low: int
    high: int
    default: str | int
    text: str
    span: Span


_DOCUMENT = re.compile(r"document\W*:|<<<<<<<")
"""What stands in a file that is meant for a pack, however broken it is."""
NEEDED = ("id", "version", "requires", "conflicts", "optional", "provides", "order")
"""Keys of a manifest without which it cannot be said what a ruleset is made of."""


@dataclass(slots=True)
class Pack:
    """One pack as it was read.

    ``lost`` holds the words of what could not be used, because it is no YAML or has the wrong shape; ``whole`` says
    that there was nothing worse: every file could be opened, and the manifest says at least which packs go together.
    ``hashes`` has a hash of each file that decides how a match goes, by its name in the folder: of what was read, and
    not of what may stand there later.
    """

    id: str
    folder: Path
    manifest: Mapping
    documents: list[Document] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    lost: set[str] = field(default_factory=set)
    whole: bool = True
    hashes: dict[str, str] = field(default_factory=dict)

    def text(self, key: str, default: str = "") -> str:
        """Return a scalar of the manifest."""
        node = self.manifest.get(key)
        return node.value if isinstance(node, Scalar) else default

    @property
    def version(self) -> str:
        """The version as it is written, such as ``1.0.0``."""
        return self.text("version", "0")

    @property
    def language(self) -> int:
        """The version of the language that the pack is written in; the first where it does not say."""
        found = plain(self.manifest.get("language") or Scalar("1"))
        return found if isinstance(found, int) else 1

    @property
    def proofs(self) -> str:
        """How much has to be proven: ``open`` leaves the rest to checks in each match, ``full`` leaves nothing."""
        return self.text("proofs", "open")

    @property
    def requires(self) -> dict[str, str]:
        """Ids of required packs, and the range of versions for each."""
        return _texts(self.manifest.get("requires"))

    @property
    def conflicts(self) -> list[str]:
        """Ids of packs that cannot be active together with this one."""
        return list_texts(self.manifest.get("conflicts"))

    @property
    def optional(self) -> list[str]:
        """Ids of packs after which this one applies when they are active too."""
        return list_texts(self.manifest.get("optional"))

    @property
    def provides(self) -> list[str]:
        """Roles that this pack fills; a document of another pack may depend on a role as it may on a pack."""
        return list_texts(self.manifest.get("provides"))

    @property
    def switch(self) -> dict[str, str]:
        """Option values that stand for this module, by name of the option."""
        return _texts(self.manifest.get("switch"))

    def place_of(self, key: str, id_: str) -> Span:
        """Return where the manifest names another pack under a key."""
        node = self.manifest.get(key)
        if isinstance(node, Mapping) and id_ in node:
            return node.key(id_).span
        items = node.items if isinstance(node, Sequence) else ()
        found = next((item.span for item in items if isinstance(item, Scalar) and item.value == id_), None)
        return found or (node or self.manifest).span

    def holds(self, path: str) -> bool:
        """Return whether a file is the manifest or a document of this pack."""
        return path == str(self.folder / discovery.MANIFEST) or any(
            path == document.path for document in self.documents
        )

    def options(self) -> list[OptionSpec]:
        """Return the declared options in order."""
        node = self.manifest.get("options")
        if not isinstance(node, Mapping):
            return []
        return [_read_option(key, value) for key, value in node.items.values() if isinstance(value, Mapping)]


def _texts(node: Node | None) -> dict[str, str]:
    if not isinstance(node, Mapping):
        return {}
    return {name: value.value for name, (_, value) in node.items.items() if isinstance(value, Scalar)}


def _plain_items(value: Mapping) -> Iterator[tuple[str, Any]]:
    """Yield keys and plain values; what has another shape than the schema wants has been reported."""
    for name, (_, node) in value.items.items():
        yield name, plain(node)


def _read_option(key: Scalar, value: Mapping) -> OptionSpec:
    data: dict[str, Any] = dict(_plain_items(value))
    chosen, bounds = data.get("choices"), data.get("range")
    choices = tuple(str(c) for c in chosen) if isinstance(chosen, list) else ()
    low, high = bounds if isinstance(bounds, list) and list(map(type, bounds)) == [int, int] else (0, 0)
    default: Any = data.get("default", choices[0] if choices else low)
    return OptionSpec(key.value, choices, low, high, default, str(data.get("text", "")), key.span)


class Files:
    """Where packs are found and their files are read; an editor puts unsaved text in front of the disk.

    Without ``tests``, files that hold scenarios are left out: who plays needs none of them.
    """

    tests = True

    def find(self, name: str, there: discovery.ListPacks = discovery.installed) -> Path | None:
        """Return the folder of a pack given by id or path, or None; *there* returns the installed packs."""
        return discovery.find(name, there)

    def text(self, path: str) -> tuple[str | None, list[Problem]]:
        """Return the text of a file, or None with the reason."""
        return read_file(Path(path))

    def pack(self, name: str) -> Pack:
        """Read the pack with this id or path, see :func:`read_pack`."""
        return read_pack(name, self)


DISK = Files()


class Kept(Files):
    """Other files as they were when they were first read; nothing is looked up or read twice."""

    def __init__(self, files: Files = DISK, tests: bool = True) -> None:
        self._files = files
        self.tests = tests
        self._folders: dict[str, Path | None] = {}
        self._texts: dict[str, tuple[str | None, list[Problem]]] = {}
        self._packs: dict[str, Pack] = {}
        self._installed = cache(discovery.installed)

    def find(self, name: str, there: discovery.ListPacks | None = None) -> Path | None:
        """Return the folder of a pack."""
        if name not in self._folders:
            self._folders[name] = self._files.find(name, there or self._installed)
        return self._folders[name]

    def text(self, path: str) -> tuple[str | None, list[Problem]]:
        """Return the text of a file."""
        if path not in self._texts:
            self._texts[path] = self._files.text(path)
        return self._texts[path]

    def pack(self, name: str) -> Pack:
        """Return a pack."""
        if name not in self._packs:
            self._packs[name] = super().pack(name)
        return self._packs[name]


def read_manifest(folder: Path) -> Pack | None:
    """Read the manifest in a folder alone; None when it cannot be read."""
    tree, _ = read_tree(str(folder / discovery.MANIFEST))
    if not isinstance(tree, Mapping):
        return None
    pack = Pack(folder.resolve().name, folder, tree)
    pack.id = pack.text("id", pack.id)
    return pack


def language_of(path: Path) -> int:
    """Return the version of the language that a file is written in: that of the pack which it belongs to."""
    folder = next((folder for folder in path.absolute().parents if isfile(folder / discovery.MANIFEST)), None)
    pack = read_manifest(folder) if folder is not None else None
    return pack.language if pack is not None else 1


def read_pack(name: str, files: Files = DISK) -> Pack:
    """Read the pack with this id or path.

    What has mistakes in it is left out, as little as possible; the mistakes are kept in ``problems``.

    Raises:
        ContentError: There is no such pack, or its manifest cannot be read.
    """
    folder = files.find(name)
    if folder is None:
        raise ContentError((report_no_pack(name),))
    refused = refusal(folder)
    if refused is not None:
        raise ContentError((refused,))
    path = str(folder / discovery.MANIFEST)
    text, problems = _read_text(path, folder, files)
    tree = None
    if text is not None:
        tree, _, problems = understand(text, path, "pack")
    pack = Pack(folder.resolve().name, folder, Mapping({}), problems=list(problems))
    if isinstance(tree, Mapping):
        left, pack.lost = recover(tree, problems)
        pack.whole = left is not None and all(_keep_manifest(tree, left, key) for key in NEEDED)
        pack.manifest = left if left is not None and pack.whole else tree
        pack.id = pack.text("id", pack.id)
    if text is not None:
        _note_document(pack, path, text)
    documents = yaml_files(folder)
    inner = {file.parent for file in documents if file.name == discovery.MANIFEST} - {folder}
    for file in documents:
        if str(file) != path and (not inner or inner.isdisjoint(file.parents)):
            _read_document(pack, file, files)
    if archive_of(folder) is None:
        pack.problems.extend(unfit(folder, ignored_in(folder)))
    if not isinstance(tree, Mapping):
        nothing = Problem("P0110", f"{path} contains no manifest", Span(path, 1, 1, 1, 1))
        raise ContentError([p for p in pack.problems if p.severity == "error"] or (nothing,))
    return pack


def _keep_manifest(tree: Mapping, left: Mapping, key: str) -> bool:
    """Return whether a value is still there, with all its entries, in what is left of a manifest."""
    before, after = tree.get(key), left.get(key)
    if isinstance(before, Mapping | Sequence) and isinstance(after, Mapping | Sequence):
        return len(before.items) == len(after.items)
    return (before is None) == (after is None)


def report_no_pack(name: str) -> Problem:
    """Say that there is no pack of this name or at this path, and which one may be meant."""
    if isdir(name) and not os.access(name, os.R_OK | os.X_OK):
        return Problem("P0110", f"the folder {name!r} cannot be read: permission denied", start_of(name))
    if isdir(name):  # unlike the question of a path, this one takes a name of any length
        words = f"the folder {name!r} contains no {discovery.MANIFEST!r}"
        return Problem("P0110", words, start_of(name), _suggest_instead(Path(name)))
    if exists(name) and name.endswith(SUFFIX):
        words = f"the archive {name!r} contains no {discovery.MANIFEST!r}, neither at its top nor in its only folder"
        return Problem("P0110", words, start_of(name), "build it again with 'patolli pack build'")
    if exists(name):
        around = next((path for path in Path(name).parents if isfile(path / discovery.MANIFEST)), None)
        help_ = "name the folder of a pack, or an archive whose name ends with '.zip'"
        if around is not None:
            help_ = f"name the folder of the pack: {around}"
        return Problem("P0110", f"the file {name!r} is not a pack", start_of(name), help_)
    if len(Path(name).parts) > 1 or name.startswith("."):
        folder = Path(name).parent
        beside = [pack.name for pack in discovery.packs_in(folder)]
        near = nearest(Path(name).name, beside)
        help_ = f"did you mean '{name[: -len(Path(name).name)]}{near}'?" if near else ""
        what = "archive" if name.endswith(".zip") else "folder"
        return Problem("P0110", f"there is no {what} {name!r}", start_of(name), help_)
    there = discovery.installed()
    holder = discovery.list_renamed([*discovery.packs_in(Path()), *there.values()]).get(name)
    near = nearest(name, list(there)) if holder is None else None
    place = start_of(name)
    help_ = f"installed are: {', '.join(there)}" if there else "none is installed"
    if near:
        help_ = f"did you mean {near!r}?"
    if holder is not None:
        help_ = discovery.explain_folder_name(name, holder)
    return Problem("P0110", f"there is no pack {name!r}", place, help_, fixes=instead(place, near))


def _suggest_instead(folder: Path) -> str:
    """Say what may be meant by a folder without a manifest; only the files directly in it count."""
    called = [name for name in sorted(os.listdir(folder)) if name.partition(".")[0].lower() == "pack"]
    alike = [name for name in called if name.lower() in (discovery.MANIFEST, "pack.json") or is_misnamed(folder / name)]
    if alike:
        return f"rename {alike[0]!r} to {discovery.MANIFEST!r}"
    inside = ", ".join(str(folder / pack.name) for pack in discovery.packs_in(folder)[:5])
    return f"name the folder of a pack: {inside}" if inside else "name the folder of a pack"


def read_tree(path: str) -> tuple[Node | None, list[Problem]]:
    """Read one YAML file."""
    text, problems = read_file(Path(path))
    return (None, problems) if text is None else _read_known(text, path)


@lru_cache(maxsize=256)
def _read_known(text: str, path: str) -> tuple[Node | None, list[Problem]]:
    return read_yaml(text, path)


def _read_text(path: str, folder: Path, files: Files) -> tuple[str | None, list[Problem]]:
    """Return the text of a file of a pack, which may not be a link that leads out of it."""
    return (None, [link_problem(Path(path))]) if leads_out(Path(path), folder) else files.text(path)


def _note_document(pack: Pack, path: str, text: str) -> None:
    """Keep a hash of a file as it was read."""
    name = Path(path).relative_to(pack.folder).as_posix()
    pack.hashes[name] = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _read_document(pack: Pack, file: Path, files: Files) -> None:
    path = str(file)
    text, problems = _read_text(path, pack.folder, files)
    pack.problems.extend(problems)
    if text is None:
        pack.whole = False
        return
    if not files.tests and holds_scenarios(text):
        return
    tree, kind, problems = understand(text, path, language=pack.language)
    readable = not any(problem.code == "P0012" for problem in problems)
    if tree is None and readable and not _DOCUMENT.search(text) and re.search(r"(?m)^\s*[^\s#]", text):
        pack.problems.append(Problem("P0059", "the key `document` is missing", start_of(path), UNRELATED))
    pack.problems.extend(problems)
    if kind not in ASIDE:
        _note_document(pack, path, text)
    if not isinstance(tree, Mapping) or not kind:
        pack.lost |= words(text)
    elif kind == "selection":
        return  # it is for those who play the pack, and no part of it
    elif kind == "pack":
        key = tree.get("document") or tree
        help_ = f"move it to another folder, as {discovery.MANIFEST!r}, or delete it"
        pack.problems.append(Problem("P0059", "this is not the manifest of the pack", key.span, help_))
    else:
        left, lost = recover(tree, problems)
        pack.lost |= lost
        if left is not None:
            pack.documents.append(Document(kind, path, left))


@lru_cache(maxsize=1024)
def understand(
    text: str, path: str, kind: str = "", language: int = 1
) -> tuple[Node | None, str | None, list[Problem]]:
    """Read a text and check it against the schema of its kind.

    The same text in the same file is read once; no code changes a tree or the list of problems afterwards.

    Returns:
        The tree, the kind of document, and what is wrong, in that order.
    """
    tree, problems = read_yaml(text, path, language=language)
    if tree is None or not (kind or isinstance(tree, Mapping)):
        more = [] if tree is None else document_kind(tree)[1]
        return tree, None, [*problems, *more]
    found, more = (kind, []) if kind else document_kind(tree)
    if found is not None and (kind or found != "pack"):
        more = [*more, *check_schema(tree, found)]
        problems, more = without_repetition(problems, more)
    return tree, found, [*problems, *more]
