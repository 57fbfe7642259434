"""What differs between two rulesets, entry by entry: the data of ``patolli diff``.

Of every entry of one of both, two things are held against each other: the sentences that its effects make, which also
say what other packs put around it, and what is written there, as all packs together have made it. What a sentence says
is not reported as a value again. Where the effects differ and the sentences do not, the lines themselves are reported:
so no difference is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from difflib import SequenceMatcher
from itertools import chain
from typing import Any

from patolli.author.lookup.composed import Data as Written
from patolli.author.lookup.composed import get_entry_data
from patolli.author.lookup.places import components, where
from patolli.check import prose
from patolli.check.prose.words import with_labels
from patolli.language.packs.composition import Entry
from patolli.language.sources.documents import SECTIONS
from patolli.language.sources.margins import margin
from patolli.run.compiler.layout import lay_out
from patolli.run.runtime import Ruleset

Data = dict[str, Any]
Key = tuple[str, str]
WORDS = frozenset({
    "text", "source", "name", "plural", "phrase", "noun", "title", "label", "heading", "told", "category",
})  # fmt: skip
"""Keys that hold words for people; whatever they say, the same is played."""
LOOKS = ("symbols", "panels")
"""Sections on which no rule depends."""
BY_ID = ("facts", "fields")
"""Keys below which things are named by ids, which may be called like one that holds words."""
DESCRIBED = ("functions", "rules", "triggers", "anytime", "substitutions", "discounts", "waivers", "result")
"""Sections whose sentences describe everything that is played."""
SHORT = 48
"""Signs of a list that is reported as a whole."""
_NUMBER = re.compile(r"^\d+\. ")


def changes(old: Ruleset, new: Ruleset) -> Data:
    """Return what differs: the packs, who can play, options, how many pieces there are, and all entries."""
    return {
        "old": _describe_pack(old),
        "new": _describe_pack(new),
        "players": _compare_pair(_count_players(old), _count_players(new)),
        "options": _compare_tables(_describe_options(old), _describe_options(new)),
        "components": _compare_tables(_compare_components(old), _compare_components(new)),
        "entries": list(_compare_entries(old, new)),
    }


def _describe_pack(rules: Ruleset) -> Data:
    modules = [pack for pack in rules.packs if pack.id in rules.module_ids]
    return {
        "pack": rules.id, "version": rules.packs[0].version, "title": rules.title, "modules": rules.module_ids,
        "titles": [pack.text("title") for pack in modules], "set": dict(rules.chosen),
        "content_hash": rules.content_hash,
    }  # fmt: skip


def _count_players(rules: Ruleset) -> str:
    low, high = rules.players
    return str(low) if low == high else f"{low} to {high}"


def _describe_options(rules: Ruleset) -> dict[str, str]:
    found = {}
    for name, option in rules.model.options.items():
        values = ", ".join(option.choices) if option.choices else f"{option.low} to {option.high}"
        found[name] = f"{rules.chosen.get(name, option.default)} ({values})"
    return found


def _compare_components(rules: Ruleset) -> dict[str, int]:
    return components(lay_out(rules.resolved_program, rules.players[1]))


def _compare_pair(old: Any, new: Any) -> Data | None:
    return None if old == new else {"old": old, "new": new}


def _compare_tables(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Data]:
    both = {key: _compare_pair(old.get(key), new.get(key)) for key in (*old, *(key for key in new if key not in old))}
    return {key: pair for key, pair in both.items() if pair is not None}


def _collect_entries(rules: Ruleset) -> dict[Key, Entry]:
    sections = rules.model.composition.sections
    parts = [section for section in SECTIONS if section != "scenarios"]
    return {(section, id_): entry for section in parts for id_, entry in sections[section].items()}


def _compare_entries(old: Ruleset, new: Ruleset) -> Iterator[Data]:
    before, after = _collect_entries(old), _collect_entries(new)
    for key in sorted({*before, *after}, key=_order_entries(before, after)):
        one = _compare_entry(old, new, before.get(key), after.get(key))
        if one is not None:
            yield one


def _order_entries(before: dict[Key, Entry], after: dict[Key, Entry]) -> Callable[[Key], tuple[int, int]]:
    """Return what sorts entries: by section, and there as the packs have them, the new ones in their own order."""
    at = {key: number for number, key in enumerate((*after, *(key for key in before if key not in after)))}
    return lambda key: (SECTIONS.index(key[0]), at[key])


def entry_changes(old: Ruleset, new: Ruleset, section: str, id_: str) -> Data | None:
    """Return what differs of one entry, in the form of :func:`changes`; None where nothing does, or neither has it."""
    before, after = (rules.model.composition.sections[section].get(id_) for rules in (old, new))
    return _compare_entry(old, new, before, after) if before is not None or after is not None else None


def _compare_entry(old: Ruleset, new: Ruleset, before: Entry | None, after: Entry | None) -> Data | None:
    """Return what differs of an entry that is in one of both rulesets or in both; None where nothing does."""
    entry = after or before
    assert entry is not None
    was, now = _compare_sentences(old, before), _compare_sentences(new, after)
    reported = list(_sentence_lines([line for _, line in was], [line for _, line in now]))
    parts = {part for part, _ in (*was, *now)} if reported else set()
    (played, said), (plays, says) = _read_content(old, before), _read_content(new, after)
    values = (
        []
        if reported and entry.section in DESCRIBED
        else [x for x in _compare_values(played, plays) if not _is_prose(x, parts)]
    )
    words = _compare_values(said, says)
    if not reported and not values and not words:
        return None
    return {
        "section": entry.section,
        "id": entry.id,
        "kind": entry.kind,
        "change": "added" if before is None else "removed" if after is None else "changed",
        "where": {"old": where(before.key.span) if before else None, "new": where(after.key.span) if after else None},
        "sentences": [{"change": sign, "text": line} for sign, line in reported],
        "values": values,
        "words": words,
    }


# ---- sentences


def _compare_sentences(rules: Ruleset, entry: Entry | None) -> list[tuple[str, str]]:
    """Return the sentences that the effects of an entry make, line by line, each behind the part that says it."""
    lines: list[tuple[str, str]] = []
    if entry is None:
        return lines
    with with_labels():
        reported = prose.describe_entry(rules.resolved_program, entry.section, entry.id)
    for part, said in reported:
        first, *more = said.split("\n")
        label = f"{part}: " if part not in ("", "trigger") else ""
        lines += [(part, label + first), *((part, line) for line in more)]
    return lines


def _sentence_lines(was: list[str], now: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the lines that are in one of both alone, below those that they stand in, which are ``kept``.

    A step that only has another number has not changed.
    """
    before, after = [[_NUMBER.sub("", line) for line in lines] for lines in (was, now)]
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    same = {a + n: c + n for tag, a, b, c, _ in blocks if tag == "equal" for n in range(b - a)}
    kept: set[int] = set()
    for tag, a, b, c, d in blocks:
        gone, come = [("removed", at) for at in range(a, b)], [("added", at) for at in range(c, d)]
        if tag == "equal":
            continue
        pairs = chain.from_iterable(zip(gone, come, strict=True)) if len(gone) == len(come) else (*gone, *come)
        for sign, at in pairs:
            lines = was if sign == "removed" else now
            heads = [same.get(one) if sign == "removed" else one for one in _find_headings(lines, at)]
            for head in heads:
                if head is not None and head in same.values() and head not in kept:
                    kept.add(head)
                    yield "kept", now[head]
            yield sign, lines[at]


def _find_headings(lines: list[str], at: int) -> list[int]:
    """Return the lines in which one stands, the outermost first."""
    found, depth = [], margin(lines[at])
    for one in range(at - 1, -1, -1):
        if margin(lines[one]) < depth:
            found.append(one)
            depth = margin(lines[one])
    return found[::-1]


# ---- values


def _read_content(rules: Ruleset, entry: Entry | None) -> tuple[Written, Written]:
    """Return what is written at an entry: what is played, and words for people."""
    if entry is None:
        return {}, {}
    found = get_entry_data(rules, entry)
    found = found if isinstance(found, dict) else {"": found}
    if entry.section in LOOKS:
        return {}, found
    kind = rules.model.kinds.get(entry.kind)
    facts = {name: str(fact.type) for name, fact in kind.facts.items()} if kind is not None else {}
    aside = {name for name, type_ in facts.items() if "text" in type_}
    return _split_entry(found, WORDS.difference(facts) | aside)


def _split_entry(value: Written, reported: Collection[str] = WORDS) -> tuple[Written, Written]:
    """Take apart what is played and what are words for people, which stand behind the keys *reported*."""
    if isinstance(value, list):
        items = [_split_entry(one) for one in value]
        return [played for played, _ in items], {f"[{n}]": words for n, (_, words) in enumerate(items) if words}
    if not isinstance(value, dict):
        return value, {}
    words = {key: one for key, one in value.items() if key in reported}
    parts = {key: _split_entry(one, () if key in BY_ID else WORDS) for key, one in value.items() if key not in reported}
    words.update((key, said) for key, (_, said) in parts.items() if said)
    return {key: played for key, (played, _) in parts.items()}, words


def _compare_values(was: Written, now: Written) -> list[Data]:
    return [{"path": path, "old": flat(old), "new": flat(new)} for path, old, new in _list_differences("", was, now)]


def _is_prose(value: Data, parts: Collection[str]) -> bool:
    """Return whether sentences say what stands at a place of a piece: an effect, a cost, or triggers."""
    path = value["path"]
    return any(path == part or path.startswith((f"{part}[", f"{part}.")) for part in parts) or (
        "trigger" in parts and path.startswith("triggers")
    )


def _list_differences(path: str, old: Written, new: Written) -> Iterator[tuple[str, Written, Written]]:
    """Yield the places that differ, such as ``values[1].of``, each with both texts; empty where there is none."""
    if old == new:
        return
    whole = bool(path) and len(flat(old)) <= SHORT and len(flat(new)) <= SHORT
    if isinstance(old, dict) and isinstance(new, dict) and not whole:
        for key in (*old, *(key for key in new if key not in old)):
            inner = f"{path}.{key}" if path and not key.startswith("[") else f"{path}{key}"
            yield from _list_differences(inner, old.get(key, ""), new.get(key, ""))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new) and not whole:
        for number, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from _list_differences(f"{path}[{number}]", one, other)
    else:
        yield path, old, new


def flat(value: Written) -> str:
    """Write a value on one line, as YAML has it in brackets; nothing for none."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {flat(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return f"[{', '.join(map(flat, value))}]"
    text = " ".join(value.removeprefix("|").split())
    quote = text[:1]
    return text[1:-1] if quote in ("'", '"') and len(text) > 1 and text.find(quote, 1) == len(text) - 1 else text
