"""A language client over stdio, which waits for each answer."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient
from pygls.uris import from_fs_path, to_fs_path

ENGINE = Path(__file__).resolve().parents[1] / "engine"
CONTENT = ENGINE.parent / "content"
MODULE = "first_game"
PATIENCE = 15.0


class Editor:
    """What an editor does, by paths of files; lines and columns count from 0, as in the protocol."""

    def __init__(self, folder: Path, cache: Path) -> None:
        self.folder = folder
        self.loop = asyncio.new_event_loop()
        self.client = LanguageClient("test", "1")
        self.texts: dict[Path, str] = {}
        self.told: dict[Path, list[lsp.Diagnostic]] = {}
        self.news = asyncio.Event()
        self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda params: self._published(params))
        path = os.pathsep.join([str(ENGINE), os.environ.get("PYTHONPATH", "")])
        env = {**os.environ, "PYTHONPATH": path, "XDG_CACHE_HOME": str(cache)}
        start = [sys.executable, "-m", "patolli", "lsp"]
        self.wait(self.client.start_io(*start, env=env))
        self.capabilities = self.wait(self._initialize()).capabilities

    def wait(self, work: Any) -> Any:
        return self.loop.run_until_complete(asyncio.wait_for(work, PATIENCE))

    def _published(self, params: lsp.PublishDiagnosticsParams) -> None:
        self.told[Path(to_fs_path(params.uri))] = list(params.diagnostics)
        self.news.set()

    async def _initialize(self) -> lsp.InitializeResult:
        uri = from_fs_path(str(self.folder))
        result = await self.client.initialize_async(
            lsp.InitializeParams(
                capabilities=lsp.ClientCapabilities(),
                root_uri=uri,
                workspace_folders=[lsp.WorkspaceFolder(uri, "work")],
            )
        )
        self.client.initialized(lsp.InitializedParams())
        return result

    def close(self) -> None:
        self.wait(self.client.shutdown_async(None))
        self.client.exit(None)
        self.wait(self.client.stop())
        self.loop.close()

    # -- files

    def document(self, path: Path) -> lsp.TextDocumentIdentifier:
        return lsp.TextDocumentIdentifier(from_fs_path(str(path)))

    def open(self, name: str) -> Path:
        """Open a file and wait for its problems."""
        path = self.folder / name
        text = self.texts[path] = path.read_text("utf-8")
        item = lsp.TextDocumentItem(from_fs_path(str(path)), "yaml", 1, text)
        self.wait(
            self._and_news(
                path,
                lambda: self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item)),
            )
        )
        return path

    def type(self, path: Path, old: str, new: str) -> list[lsp.Diagnostic]:
        """Replace a part of an open file, which occurs once, and wait for the problems."""
        text = self.texts[path]
        assert text.count(old) == 1, old
        start, end = self.position(path, old), self.position(path, old, len(old))
        change = lsp.TextDocumentContentChangePartial(range=lsp.Range(start, end), text=new)
        document = lsp.VersionedTextDocumentIdentifier(uri=from_fs_path(str(path)), version=2 + len(self.told))
        self.texts[path] = text.replace(old, new)
        self.wait(
            self._and_news(
                path,
                lambda: self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [change])),
            )
        )
        return self.told[path]

    async def _and_news(self, path: Path, do: Any) -> None:
        self.told.pop(path, None)
        do()
        while path not in self.told:
            self.news.clear()
            await self.news.wait()

    def follow(self, path: Path) -> list[lsp.Diagnostic]:
        """Wait for the problems of a file that come by themselves."""

        async def wait() -> None:
            while path not in self.told:
                self.news.clear()
                await self.news.wait()

        self.wait(wait())
        return self.told[path]

    def position(self, path: Path, word: str, plus: int = 0) -> lsp.Position:
        """Find the first place of a text in an open file."""
        text = self.texts[path] if path in self.texts else path.read_text("utf-8")
        before = text[: text.index(word) + plus]
        return lsp.Position(before.count("\n"), len(before) - before.rfind("\n") - 1)

    # -- questions

    def complete(self, path: Path, offset: int) -> dict[str, lsp.CompletionItem]:
        before = self.texts[path][:offset]
        at = lsp.Position(before.count("\n"), len(before) - before.rfind("\n") - 1)
        params = lsp.CompletionParams(self.document(path), at)
        found = self.wait(self.client.text_document_completion_async(params))
        return {item.label: item for item in found.items}

    def hover(self, path: Path, word: str, plus: int = 1) -> str:
        params = lsp.HoverParams(self.document(path), self.position(path, word, plus))
        found = self.wait(self.client.text_document_hover_async(params))
        return found.contents.value if found else ""

    def define(self, path: Path, word: str, plus: int = 1) -> list[tuple[str, int]]:
        params = lsp.DefinitionParams(self.document(path), self.position(path, word, plus))
        return self._places(self.wait(self.client.text_document_definition_async(params)))

    def references(self, path: Path, word: str, plus: int = 1) -> list[tuple[str, int]]:
        context = lsp.ReferenceContext(include_declaration=True)
        params = lsp.ReferenceParams(context, self.document(path), self.position(path, word, plus))
        return self._places(self.wait(self.client.text_document_references_async(params)))

    def _places(self, locations: list[lsp.Location]) -> list[tuple[str, int]]:
        """Name of the file below the workspace, and the line from 1."""
        return [
            (Path(to_fs_path(one.uri)).relative_to(self.folder).as_posix(), one.range.start.line + 1)
            for one in locations
        ]

    def rename(self, path: Path, word: str, name: str, plus: int = 1) -> dict[Path, int]:
        """Rename and write the edits into the files; return how many there are in each."""
        params = lsp.RenameParams(self.document(path), self.position(path, word, plus), name)
        edit = self.wait(self.client.text_document_rename_async(params))
        files = {Path(to_fs_path(uri)): edits for uri, edits in edit.changes.items()}
        for file, edits in files.items():
            lines = file.read_text("utf-8").split("\n")
            for one in sorted(edits, key=lambda e: (e.range.start.line, e.range.start.character), reverse=True):
                line = lines[one.range.start.line]
                lines[one.range.start.line] = (
                    line[: one.range.start.character] + one.new_text + line[one.range.end.character :]
                )
            file.write_text("\n".join(lines), "utf-8")
        return {file: len(edits) for file, edits in files.items()}

    def format(self, path: Path) -> list[lsp.TextEdit]:
        options = lsp.FormattingOptions(tab_size=2, insert_spaces=True)
        params = lsp.DocumentFormattingParams(self.document(path), options)
        return self.wait(self.client.text_document_formatting_async(params))

    def actions(self, path: Path, word: str, plus: int = 0, only: list[str] | None = None) -> list[lsp.CodeAction]:
        at = self.position(path, word, plus)
        context = lsp.CodeActionContext(diagnostics=self.told.get(path, []), only=only)
        params = lsp.CodeActionParams(self.document(path), lsp.Range(at, at), context)
        return self.wait(self.client.text_document_code_action_async(params)) or []

    def mended(self, path: Path, action: lsp.CodeAction) -> str:
        """Return the text of an open file after an action, which changes nothing else."""
        (edits,) = action.edit.changes.values()
        lines = self.texts[path].split("\n")
        assert all(edit.range.start.line == edit.range.end.line for edit in edits)
        for edit in sorted(edits, key=lambda one: (one.range.start.line, one.range.start.character), reverse=True):
            line, start, end = lines[edit.range.start.line], edit.range.start.character, edit.range.end.character
            lines[edit.range.start.line] = f"{line[:start]}{edit.new_text}{line[end:]}"
        return "\n".join(lines)

    def symbols(self, path: Path) -> list[lsp.DocumentSymbol]:
        params = lsp.DocumentSymbolParams(self.document(path))
        return self.wait(self.client.text_document_document_symbol_async(params))

    def search(self, query: str) -> list[lsp.WorkspaceSymbol]:
        return self.wait(self.client.workspace_symbol_async(lsp.WorkspaceSymbolParams(query)))
