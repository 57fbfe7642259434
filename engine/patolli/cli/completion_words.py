"""Shell completion: ids of packs and modules, bots, and codes of problems.

If anything fails during completion, nothing is offered, because the typed word may still be correct.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

import click
from click.shell_completion import CompletionItem

Complete: TypeAlias = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]
LARGE = 60
"""Letters of a text beside an offer."""


def _complete_from(offers: Callable[[], Iterable[tuple[str, str]]], paths: bool = False) -> Complete:
    """Return what completes a word with one of *offers*, each with a few words about it, or with a path."""

    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        if paths and (incomplete.startswith((".", "~")) or "/" in incomplete):
            return [CompletionItem(incomplete, type="file")]
        try:
            return [CompletionItem(word, help=help) for word, help in offers() if word.startswith(incomplete)]
        except Exception:
            return []

    return complete


def _list_packs(modules: bool) -> Iterator[tuple[str, str]]:
    from patolli.language.packs.discovery import installed
    from patolli.language.packs.manifest import read_manifest

    for id_, folder in installed().items():
        manifest = read_manifest(folder)
        if manifest is not None and (manifest.requires or not modules):
            yield id_, manifest.text("title")[:LARGE]


def _list_bots() -> Iterator[tuple[str, str]]:
    from importlib.metadata import entry_points

    from patolli.play.players.bots import BOTS, GROUP, LEARNED

    yield from ((name, "") for name in sorted({*BOTS, LEARNED, *(one.name for one in entry_points(group=GROUP))}))


def _list_seats() -> Iterator[tuple[str, str]]:
    seats = ("all", *map(str, range(1, 10)))
    yield from ((f"{seat}={bot}", help) for seat in seats for bot, help in (*_list_bots(), ("human", "")))


def _list_codes() -> Iterator[tuple[str, str]]:
    from patolli.language.diagnostics.codes import CODES

    yield from ((code, row.title) for code, row in sorted(CODES.items()))


complete_pack = _complete_from(lambda: _list_packs(False), paths=True)
complete_module = _complete_from(lambda: _list_packs(True), paths=True)
complete_bot = _complete_from(_list_bots)
complete_seat = _complete_from(_list_seats)
complete_code = _complete_from(_list_codes)
