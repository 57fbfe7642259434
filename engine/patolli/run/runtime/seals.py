"""Write saves, with sums from which it is seen that a part is not what was written.

A save holds the seed, the choices and the state to which they lead. Each part can look well by itself, and yet not
belong to the others, when a file was edited by hand or put together from two. Making all choices again would not show
that: a match may rightly be in a state to which its choices do not lead, such as one that was imagined.

A save can be forged with sums that fit; they find mistakes, not attacks.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from patolli.run.compiler.layout import SEED
from patolli.run.runtime.save_matching import list_pack_versions
from patolli.run.runtime.vocabulary import by_seat

if TYPE_CHECKING:
    from patolli.run.runtime.match import Match

SUMS = "sums"
TOGETHER = "together"
"""Under what the sum over all the others stands: parts of two saves do not belong together. Older saves have none."""
DIGITS = 16
"""Hexadecimal digits of a sum; those of files in the same save are as long."""


def write_match(match: Match, seat: int | None) -> str:
    """Return a match as a text; see :meth:`Match.to_json`."""
    rules = match.ruleset
    data: dict[str, Any] = {
        "patolli": 1, "pack": rules.id, "modules": rules.module_ids, "options": rules.chosen,
        "content": rules.content_hash, "files": rules.file_hashes, "players": match.players,
    }  # fmt: skip
    if match.names != by_seat(match.players):
        data["names"] = list(match.names)
    if seat is not None:
        data |= {"seat": match.seat(seat), "view": match.view(seat), "log": match.told(seat)}
    else:
        data |= {"versions": list_pack_versions(rules), "entries": rules.entry_hashes}
        data |= {"seed": match.state[SEED], "choices": match.choices, "state": match.state, "log": match.log}
        if match.edits:
            data["edits"] = [edit.to_data() for edit in match.edits]
        if match._story is not None and match._story.secret:
            data["told"] = [match.told(player) for player in range(match.players)]
        if match.memory is not None and match.memory.imagined:
            data["memory"] = match.memory.to_data(match)
        data = add_checksums(data)
    return json.dumps(data, separators=(",", ":"))


def add_checksums(data: dict[str, Any]) -> dict[str, Any]:
    """Return the data of a save with a sum for each part of it."""
    return {**{key: value for key, value in data.items() if key != SUMS}, SUMS: _sums(data)}


def broken(data: dict[str, Any]) -> str:
    """Say which parts of a save are not what was written; nothing when all are."""
    now, then = _sums(data), data[SUMS]
    gone = [key for key in sorted({*then} - {*now})]
    wrong = [key for key in now if key != TOGETHER and now[key] != then.get(key)]
    if gone:
        return f"it has lost {_join_keys(gone)}"
    if not wrong and then.get(TOGETHER, now[TOGETHER]) != now[TOGETHER]:
        return "its parts are those of several saves"
    return f"{_join_keys(wrong)} {'was' if len(wrong) == 1 else 'were'} changed after it was written" if wrong else ""


def _sums(data: dict[str, Any]) -> dict[str, str]:
    written = json.loads(json.dumps(data))  # lists where there were tuples, texts for all keys
    texts = {key: json.dumps(value, sort_keys=True) for key, value in written.items() if key != SUMS}
    sums = {key: _sum(text) for key, text in texts.items()}
    return {**sums, TOGETHER: _sum(json.dumps(sums, sort_keys=True))}


def _sum(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:DIGITS]


def _join_keys(keys: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(map(repr, keys[:-1])), repr(keys[-1])]))
