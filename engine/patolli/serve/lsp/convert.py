"""Turn what the engine says into what the protocol says.

Places of the engine count code points from 1; those of the protocol count from 0, in the units that editor
and the server have agreed on. The lines of the file are needed to go from one to the other.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from urllib.parse import quote, unquote_to_bytes, urlsplit

from lsprotocol import types as lsp
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import PositionCodec

from patolli.author.lookup.library import Library
from patolli.language.diagnostics import Edit, Problem, Span
from patolli.language.diagnostics.codes import UNUSED
from patolli.serve.lsp.completion import Offer
from patolli.serve.lsp.outline import Symbol
from patolli.serve.lsp.quick_fixes import Mend

SYMBOLS = {
    "section": lsp.SymbolKind.Namespace, "kinds": lsp.SymbolKind.Class, "enums": lsp.SymbolKind.Enum,
    "grids": lsp.SymbolKind.Class, "counters": lsp.SymbolKind.Number, "groups": lsp.SymbolKind.Array,
    "places": lsp.SymbolKind.Variable, "graphs": lsp.SymbolKind.Function, "records": lsp.SymbolKind.Struct,
    "table": lsp.SymbolKind.Variable, "player": lsp.SymbolKind.Variable,
    "constants": lsp.SymbolKind.Constant, "pieces": lsp.SymbolKind.Object,
    "functions": lsp.SymbolKind.Function, "rules": lsp.SymbolKind.Method, "triggers": lsp.SymbolKind.Event,
    "facts": lsp.SymbolKind.Field, "fields": lsp.SymbolKind.Property, "scenarios": lsp.SymbolKind.Method,
    "patch": lsp.SymbolKind.Operator,
}  # fmt: skip
SEVERITIES = {
    "error": lsp.DiagnosticSeverity.Error, "warning": lsp.DiagnosticSeverity.Warning,
    "open": lsp.DiagnosticSeverity.Hint,
}  # fmt: skip
ITEMS = {
    "key": lsp.CompletionItemKind.Property, "keyword": lsp.CompletionItemKind.Keyword,
    "variable": lsp.CompletionItemKind.Variable, "builtin": lsp.CompletionItemKind.Function,
    "function": lsp.CompletionItemKind.Function, "rule": lsp.CompletionItemKind.Method,
    "fact": lsp.CompletionItemKind.Field, "kind": lsp.CompletionItemKind.Class,
    "constant": lsp.CompletionItemKind.Constant, "member": lsp.CompletionItemKind.EnumMember,
    "choice": lsp.CompletionItemKind.EnumMember, "counter": lsp.CompletionItemKind.Unit,
    "place": lsp.CompletionItemKind.Folder,
}  # fmt: skip


def path_of(uri: str) -> str:
    """Return the path of a file as the library names it; its name may be in another encoding than UTF-8."""
    path = to_fs_path(uri) or uri
    return path if "\ufffd" not in path else os.fsdecode(unquote_to_bytes(urlsplit(uri).path))


def uri_of(path: str) -> str:
    """Return the address of a file."""
    try:
        return from_fs_path(path) or path
    except UnicodeEncodeError:
        return f"file://{quote(os.fsencode(path))}"


class Converter:
    """Converts places, with the lines of files from a library."""

    def __init__(self, library: Library, codec: PositionCodec) -> None:
        """Use the units of *codec*."""
        self.library = library
        self.codec = codec

    def range(self, span: Span, lines: Sequence[str] | None = None) -> lsp.Range:
        """Return a place in the units of the protocol."""
        lines = self.library.lines(span.path) if lines is None else lines
        return lsp.Range(self._point(lines, span.line, span.column), self._point(lines, span.end_line, span.end_column))

    def _point(self, lines: Sequence[str], line: int, column: int) -> lsp.Position:
        text = lines[line - 1] if line <= len(lines) else ""
        return lsp.Position(line - 1, int(self.codec.client_num_units(text[: column - 1])))

    def position(self, path: str, at: lsp.Position) -> tuple[int, int]:
        """Return line and column, from 1, of a place in the units of the protocol."""
        lines = self.library.lines(path)
        text = lines[at.line] if at.line < len(lines) else ""
        units = 0
        for column, letter in enumerate(text):
            if units >= at.character:
                return at.line + 1, column + 1
            units += int(self.codec.client_num_units(letter))
        return at.line + 1, len(text) + 1

    def location(self, span: Span) -> lsp.Location:
        """Return a place with its file."""
        return lsp.Location(uri_of(span.path), self.range(span))

    def diagnostic(self, problem: Problem) -> lsp.Diagnostic:
        """Return a problem; its help is part of the message, further places are related information."""
        return lsp.Diagnostic(
            self.range(problem.span),
            f"{problem.message}\n{problem.help}" if problem.help else problem.message,
            severity=SEVERITIES[problem.severity],
            code=problem.code,
            source="patolli",
            tags=[lsp.DiagnosticTag.Unnecessary] if problem.code in UNUSED else None,
            related_information=[
                lsp.DiagnosticRelatedInformation(self.location(span), words)
                for span, words in problem.also
                if span.path
            ],
        )

    def changes(self, edits: Iterable[Edit]) -> lsp.WorkspaceEdit:
        """Return edits by file."""
        found: dict[str, list[lsp.TextEdit]] = {}
        for edit in edits:
            place = self.range(edit.span)
            found.setdefault(uri_of(edit.span.path), []).append(lsp.TextEdit(place, edit.text))
        return lsp.WorkspaceEdit(changes=found)

    def action(self, mend: Mend) -> lsp.CodeAction:
        """Return a way to mend a problem."""
        return lsp.CodeAction(
            mend.title,
            lsp.CodeActionKind.QuickFix,
            diagnostics=[self.diagnostic(mend.problem)],
            is_preferred=mend.likely,
            edit=self.changes(mend.fix.edits),
        )

    def symbol(self, symbol: Symbol) -> lsp.DocumentSymbol:
        """Return an entry of an outline."""
        lines = self.library.lines(symbol.whole.path)
        return lsp.DocumentSymbol(
            name=symbol.name,
            kind=SYMBOLS.get(symbol.section, lsp.SymbolKind.Property),
            range=self.range(symbol.whole, lines),
            selection_range=self.range(symbol.name_span, lines),
            children=[self.symbol(inner) for inner in symbol.inner],
        )


def item(offer: Offer) -> lsp.CompletionItem:
    """Return an offer of a completion."""
    return lsp.CompletionItem(
        label=offer.label,
        kind=ITEMS.get(offer.sort, lsp.CompletionItemKind.Value),
        detail=offer.detail or None,
        documentation=offer.text or None,
        sort_text=f"{offer.rank}{offer.label}",
        insert_text=f"{offer.label}: " if offer.sort == "key" else None,
    )
