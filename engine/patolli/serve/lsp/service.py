"""The language server itself: a row of handlers, each a few lines over the modules beside it.

Everything runs in one thread, one message after the other; a check waits until the typing pauses.
"""

from __future__ import annotations

import asyncio
import gc
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcInternalError, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

import patolli
from patolli.author.lookup.references import Reference
from patolli.language.diagnostics import Edit
from patolli.language.diagnostics.fault import NOT_THE_CONTENT, EngineFault
from patolli.language.diagnostics.fix_edits import sure_edits
from patolli.language.packs.discovery import MANIFEST
from patolli.language.packs.manifest import language_of
from patolli.language.syntax.formatter import NotYaml, format_text
from patolli.serve.lsp.completion import offers_at
from patolli.serve.lsp.convert import SYMBOLS, Converter, item, path_of, uri_of
from patolli.serve.lsp.hover_text import page_at
from patolli.serve.lsp.outline import Symbol, outline
from patolli.serve.lsp.project import Project
from patolli.serve.lsp.quick_fixes import mends, promises
from patolli.serve.lsp.symbol_rename import Refused, find_all, may_rename, rename

PAUSE = 0.04
"""Seconds without a further change after which a file is checked."""
BEFOREHAND = 0.5
"""Seconds without anything to do after which the packs are read that stand on one that is open."""
MOST = 400
"""Results of a search in the workspace."""
QUICK = lsp.CodeActionKind.QuickFix.value
FIX_ALL = f"{lsp.CodeActionKind.SourceFixAll.value}.patolli"


class Server(LanguageServer):
    """A language server with what its editor has open."""

    def __init__(self) -> None:
        super().__init__("patolli", patolli.__version__)
        self.project = Project()
        self._faults: set[str] = set()
        self.unsent: OSError | None = None  # why a message to the editor failed
        self._waiting: dict[str, asyncio.Task[None]] = {}
        self._checking_scenarios: dict[Path, asyncio.Task[None]] = {}

    @property
    def convert(self) -> Converter:
        """The converter of places that fits the editor."""
        return Converter(self.project.library, self.workspace.position_codec)

    def schedule_check(self, path: str) -> None:
        """Check a file when no further change comes soon."""
        waiting = self._waiting.pop(path, None)
        if waiting is not None:
            waiting.cancel()
        self._waiting[path] = asyncio.get_running_loop().create_task(self._soon(path))

    async def _soon(self, path: str) -> None:
        await asyncio.sleep(PAUSE)
        self._waiting.pop(path, None)
        self.publish(path)

    def publish(self, path: str) -> None:
        """Check the pack of a file and send what was found; its scenarios follow when nothing else is to be done."""
        self._send(path)
        folder = self.project.library.pack_of(path)
        if folder is not None and self.project.scenarios_wait(folder):
            before = self._checking_scenarios.get(folder)
            if before is not None:
                before.cancel()
            checking = self._check_scenarios(folder, path)
            self._checking_scenarios[folder] = asyncio.get_running_loop().create_task(checking)

    async def _check_scenarios(self, folder: Path, path: str) -> None:
        await asyncio.sleep(PAUSE)
        known = len(self.project.scenarios_seen)
        for _ in self.project.check_scenarios(folder):
            await asyncio.sleep(0)
        if not self.project.is_stale(folder):  # else a waiting client already gets the result
            self._send(path, False)
        if len(self.project.scenarios_seen) > known:
            _settle()
        await asyncio.sleep(BEFOREHAND)
        for _ in self.project.prepare(folder):
            await asyncio.sleep(0)
        self._checking_scenarios.pop(folder, None)

    def _send(self, path: str, always: bool = True) -> None:
        convert = self.convert
        problems_by_file = self.project.problems(path, always)
        while self.project.faults:
            self.report(self.project.faults.pop())
        for name, problems in problems_by_file.items():
            if not name.endswith((".yaml", ".yml")):
                name = str(Path(path).parent / MANIFEST)  # a problem of the pack, not of a file
            self.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(uri_of(name), [convert.diagnostic(p) for p in problems])
            )

    def report(self, fault: EngineFault) -> None:
        """Show an internal error to the person at the editor, once, and write all of it to the log."""
        if fault.trace in self._faults:
            return
        self._faults.add(fault.trace)
        words = f"{NOT_THE_CONTENT}: {fault.what} (please report it; see the log of the server for details)"
        self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, words))
        self.window_log_message(lsp.LogMessageParams(lsp.MessageType.Error, fault.text(patolli.__version__)))

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Return what a handler did not expect; what it refused has been answered already.

        If no message reaches the editor, the server ends: a report of that would fail for the same reason.

        Raises:
            SystemExit: What is sent finds no room.
        """
        if isinstance(error, OSError) and source is JsonRpcInternalError:
            self.unsent = error
            raise SystemExit(2)
        if isinstance(error, JsonRpcInternalError):
            self.report(EngineFault(error.message, {}, "\n".join((error.data or {}).get("traceback", ()))))
        elif isinstance(error, JsonRpcException):
            super().report_server_error(error, source)
        else:
            self.report(EngineFault.of(error))

    def there(self, document: lsp.TextDocumentIdentifier, at: lsp.Position) -> tuple[Path, Reference] | None:
        """Return what a position names, with the folder of its pack."""
        path = path_of(document.uri)
        folder = self.project.library.pack_of(path)
        index = self.project.index(folder) if folder else None
        if folder is None or index is None:
            return None
        if "scenarios" in self.project.library.lines(path)[0]:
            index.add_scenarios()
        line, column = self.convert.position(path, at)
        found = index.at(path, line, column)
        if found is None or not self._still(found):
            return None
        return folder, found

    def _still(self, found: Reference) -> bool:
        """Return whether a name is still where the index has it; the model may be older than the text."""
        lines = self.project.library.lines(found.span.path)
        text = lines[found.span.line - 1] if found.span.line <= len(lines) else ""
        word = text[found.span.column - 1 : found.span.end_column - 1]
        return found.id.endswith(word) or word == "original"


def make_server() -> Server:
    """Make a server with all its handlers."""
    server = Server()
    for name, options, handler in FEATURES:
        server.feature(name, options)(handler)
    return server


# ---- files


def open_folders(server: Server, params: lsp.InitializedParams) -> None:
    """Look at the folders of the workspace."""
    for folder in server.workspace.folders.values():
        server.project.library.add_root(Path(path_of(folder.uri)))
    if not server.workspace.folders and server.workspace.root_path:
        server.project.library.add_root(Path(server.workspace.root_path))


def did_change_folders(server: Server, params: lsp.DidChangeWorkspaceFoldersParams) -> None:
    """Follow the folders of the workspace."""
    library = server.project.library
    for gone in params.event.removed:
        library.roots = [root for root in library.roots if str(root) != path_of(gone.uri)]
    for new in params.event.added:
        library.add_root(Path(path_of(new.uri)))
    library.forget()


def did_open(server: Server, params: lsp.DidOpenTextDocumentParams) -> None:
    """Take over a file and check it at once."""
    path = path_of(params.text_document.uri)
    known = len(server.project.checks)
    server.project.update_text(path, params.text_document.text)
    server.publish(path)
    if len(server.project.checks) > known:
        _settle()


def _settle() -> None:
    """Keep what was read for a ruleset; looking through it for garbage would take longer than a check."""
    gc.collect()
    gc.freeze()


async def did_change(server: Server, params: lsp.DidChangeTextDocumentParams) -> None:
    """Take over a change."""
    path = path_of(params.text_document.uri)
    server.project.update_text(path, server.workspace.get_text_document(params.text_document.uri).source)
    server.schedule_check(path)


def did_close(server: Server, params: lsp.DidCloseTextDocumentParams) -> None:
    """Go back to the file on the disk."""
    path = path_of(params.text_document.uri)
    server.project.close(path)
    server.publish(path)


def did_save(server: Server, params: lsp.DidSaveTextDocumentParams) -> None:
    """Check a file again; a new one counts from now on."""
    path = path_of(params.text_document.uri)
    server.project.touch(path)
    server.publish(path)


def did_change_files(server: Server, params: lsp.DidChangeWatchedFilesParams) -> None:
    """Notice what other programs have changed."""
    server.project.library.forget()
    for change in params.changes:
        server.project.touch(path_of(change.uri))
    for path in list(server.project.library.buffers):
        server.publish(path)


# ---- questions


def completion(server: Server, params: lsp.CompletionParams) -> lsp.CompletionList:
    """Offer what may be written here."""
    path = path_of(params.text_document.uri)
    folder = server.project.library.pack_of(path)
    model = server.project.model(folder) if folder else None
    line, column = server.convert.position(path, params.position)
    offers = offers_at(server.project.library.lines(path), line, column, model)
    return lsp.CompletionList(is_incomplete=False, items=[item(offer) for offer in offers])


def hover(server: Server, params: lsp.HoverParams) -> lsp.Hover | None:
    """Say what is named here."""
    there = server.there(params.text_document, params.position)
    index = server.project.index(there[0]) if there else None
    path = path_of(params.text_document.uri)
    lines, at = server.project.library.lines(path), server.convert.position(path, params.position)
    said = page_at(index, there[1] if there else None, path, lines, at)
    if said is None:
        return None
    page, span = said
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, page), server.convert.range(span))


def definition(server: Server, params: lsp.DefinitionParams) -> list[lsp.Location]:
    """Go to where a thing is declared."""
    there = server.there(params.text_document, params.position)
    index = server.project.index(there[0]) if there else None
    if there is None or index is None:
        return []
    return [server.convert.location(span) for span in index.declarations((there[1].sort, there[1].id))]


def references(server: Server, params: lsp.ReferenceParams) -> list[lsp.Location]:
    """List all places that name a thing."""
    there = server.there(params.text_document, params.position)
    found = find_all(server.project, *there) if there else []
    wanted = [one for one in found if params.context.include_declaration or not one.declares]
    return [server.convert.location(one.span) for one in wanted]


def prepare_rename(server: Server, params: lsp.PrepareRenameParams) -> lsp.Range | None:
    """Return whether a thing can be renamed, before a new name is asked for."""
    there = server.there(params.text_document, params.position)
    if there is None:
        return None
    try:
        may_rename(server.project, *there)
    except Refused as refused:
        raise JsonRpcInvalidParams(message=str(refused)) from None
    return server.convert.range(there[1].span)


def renaming(server: Server, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
    """Give a thing another name."""
    there = server.there(params.text_document, params.position)
    if there is None:
        return None
    try:
        edits = rename(server.project, *there, params.new_name)
    except Refused as refused:
        raise JsonRpcInvalidParams(message=str(refused)) from None
    return server.convert.changes(Edit(span, text) for found in edits.values() for span, text in found)


def formatting(server: Server, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
    """Write a file in canonical style; nothing happens to one that cannot be read."""
    path = path_of(params.text_document.uri)
    text, _ = server.project.library.text(path)
    if text is None:
        return []
    try:
        new = format_text(text, path, language_of(Path(path)))
    except NotYaml:
        return []
    if new == text:
        return []
    end = lsp.Position(text.count("\n") + 1, 0)
    return [lsp.TextEdit(lsp.Range(lsp.Position(0, 0), end), new)]


def code_actions(server: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """Offer what mends the problems of some lines, and all that is sure in the file."""
    path = path_of(params.text_document.uri)
    problems = server.project.shown_problems(path)
    only = tuple(params.context.only or (QUICK, FIX_ALL.rpartition(".")[0]))
    library, convert = server.project.library, server.convert
    found = []
    if QUICK in only:
        lines = (params.range.start.line + 1, params.range.end.line + 1)
        offered = (*mends(library, problems, *lines), *promises(library, problems, *lines))
        found += [convert.action(mend) for mend in offered]
    wanted = any(f"{FIX_ALL}.".startswith(f"{kind}.") for kind in only)
    sure = sure_edits(problems, library.is_open) if wanted else []
    if sure:
        found.append(lsp.CodeAction("Apply all safe fixes", FIX_ALL, edit=convert.changes(sure)))
    return found


def document_symbols(server: Server, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
    """List what a file declares."""
    path = path_of(params.text_document.uri)
    text, _ = server.project.library.text(path)
    return [server.convert.symbol(symbol) for symbol in outline(text or "", path)]


def workspace_symbols(server: Server, params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
    """Search what the packs of the workspace declare."""
    query = params.query.lower()
    found: list[lsp.WorkspaceSymbol] = []
    for folder in server.project.library.packs().values():
        for file in sorted(folder.rglob("*.yaml")):
            text, _ = server.project.library.text(str(file))
            open_ = outline(text or "", str(file))
            while open_ and len(found) < MOST:
                symbol = open_.pop(0)
                open_[:0] = symbol.inner
                if query in symbol.name.lower() and symbol.section not in ("section", "patch"):
                    found.append(_make_symbol(server, symbol, folder))
    return found


def _make_symbol(server: Server, symbol: Symbol, folder: Path) -> lsp.WorkspaceSymbol:
    kind = SYMBOLS.get(symbol.section, lsp.SymbolKind.Property)
    return lsp.WorkspaceSymbol(server.convert.location(symbol.name_span), symbol.name, kind, container_name=folder.name)


FEATURES = (
    (lsp.INITIALIZED, None, open_folders),
    (lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, None, did_change_folders),
    (lsp.TEXT_DOCUMENT_DID_OPEN, None, did_open),
    (lsp.TEXT_DOCUMENT_DID_CHANGE, None, did_change),
    (lsp.TEXT_DOCUMENT_DID_CLOSE, None, did_close),
    (lsp.TEXT_DOCUMENT_DID_SAVE, None, did_save),
    (lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, None, did_change_files),
    (lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[".", "{"]), completion),
    (lsp.TEXT_DOCUMENT_HOVER, None, hover),
    (lsp.TEXT_DOCUMENT_DEFINITION, None, definition),
    (lsp.TEXT_DOCUMENT_REFERENCES, None, references),
    (lsp.TEXT_DOCUMENT_PREPARE_RENAME, None, prepare_rename),
    (lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True), renaming),
    (lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=[QUICK, FIX_ALL]), code_actions),
    (lsp.TEXT_DOCUMENT_FORMATTING, None, formatting),
    (lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, None, document_symbols),
    (lsp.WORKSPACE_SYMBOL, None, workspace_symbols),
)
"""What the server answers to: the name of the message, what it says about it, and the handler."""
