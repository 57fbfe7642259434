"""Differences of the pieces of a game with and without its modules."""

from __future__ import annotations

from dataclasses import dataclass

from patolli.author.lookup.changes import entry_changes, flat
from patolli.check.prose.words import words
from patolli.run.runtime import Ruleset
from patolli.serve.studio.gallery.cards import Card, cards_of


@dataclass(frozen=True, slots=True)
class Difference:
    """A changed piece: its old card, and ``lines`` of ``("removed" or "added", text)``."""

    before: Card
    lines: tuple[tuple[str, str], ...]


def base_of(rules: Ruleset) -> Ruleset | None:
    """Return the game without modules; None if it has none."""
    from patolli.author.workspace import load

    if not rules.module_ids:
        return None
    options = {name: value for name, value in rules.chosen.items() if name in _own(rules)}
    return load(str(rules.packs[0].folder), (), options)


def _own(rules: Ruleset) -> set[str]:
    return {option.name for option in rules.packs[0].options()}


def differences(base: Ruleset, rules: Ruleset) -> dict[str, Difference]:
    """Return the changes of pieces by modules, by ``section/id``."""
    found = {}
    for card in cards_of(base):
        data = entry_changes(base, rules, card.section, card.id)
        if data is None or data["change"] != "changed":
            continue
        lines = [(one["change"], one["text"]) for one in data["sentences"] if one["change"] != "kept"]
        for value in (*data["values"], *data["words"]):
            label = f"{words(value['path'])}: " if value["path"] else ""
            pairs = (("removed", value["old"]), ("added", value["new"]))
            lines += [(sign, label + flat(text)) for sign, text in pairs if text not in ("", None)]
        found[f"{card.section}/{card.id}"] = Difference(card, tuple(lines))
    return found
