"""Make the pages of the gallery from its packs: what a game is, how it looks, its rules, and how to play it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median

from lockstep import frame, referees

import patolli
from patolli.language.packs.discovery import find_content_folder, packs_in
from patolli.language.packs.manifest import read_pack

MATCHES, WIDTH = 15, 80
"""How many random matches are counted, and how wide the screen on a page is."""


def folders() -> list[Path]:
    """Return the packs of the gallery, in the order of their titles."""
    return sorted(packs_in(find_content_folder() / "gallery"), key=lambda folder: read_pack(str(folder)).text("title"))


def pages() -> dict[str, Callable[[], str]]:
    """Return what makes each page, by its path."""
    made = {f"docs/gallery/{folder.name}.md": lambda folder=folder: _page(folder) for folder in folders()}
    return {"docs/gallery/index.md": _index, **made}


def _lines(folder: Path) -> int:
    files = [file for file in folder.rglob("*.yaml") if "scenarios" not in file.relative_to(folder).parts]
    return sum(len(file.read_text("utf-8").splitlines()) for file in files)


def _players(rules: patolli.Ruleset) -> str:
    least, most = rules.players
    return str(least) if least == most else f"{least} to {most}"


def _later(rules: patolli.Ruleset, choices: int, seed: int) -> patolli.Match:
    """Return a match of the fewest players after so many random choices, or where it ends before."""
    match, draw = rules.start(rules.players[0], seed), Random(seed)
    while (legal := match.options()) is not None and len(match.choices) < choices:
        match.pick(draw.randrange(len(legal)))
    return match


def _choices(rules: patolli.Ruleset) -> int:
    """Return how many choices a match has, when all of them are random."""
    return int(median(len(_later(rules, 100_000, seed).choices) for seed in range(MATCHES)))


def _index() -> str:
    rows = ["| game | what it is |", "| --- | --- |"]  # two columns: a telephone shows no more of them
    for folder in folders():
        rules, text = patolli.load(str(folder)), read_pack(str(folder)).text("text")
        numbers = f"{_players(rules)} players, {_lines(folder)} lines, {_choices(rules)} choices"
        rows.append(f"| [{rules.title}]({folder.name}.md) | {text} *{numbers}.* |")
    about = (
        "Games of many families, each a small pack that comes with Patolli. *Lines* are those of the pack without its "
        "scenarios, *choices* those of a random match, all players together. Where others have written a game down, "
        "too, it is [played in lock step](../decisions/0042-referee.md) with theirs."
    )
    return "\n\n".join(("# The gallery", about, "\n".join(rows))) + "\n"


def _page(folder: Path) -> str:
    pack, rules = read_pack(str(folder)), patolli.load(str(folder))
    choices = _choices(rules)
    parts = [
        f"# {rules.title}",
        pack.text("text"),
        f"Players: {_players(rules)}. A match has about {choices} choices, the pack {_lines(folder)} lines.",
        _fenced("text", frame(_later(rules, choices // 3, 1), WIDTH)),
        f"```console\n$ patolli play {pack.id}\n```",
    ]
    if options := pack.options():
        rows = [f"| `{option.name}` | {option.text} | {option.default} |" for option in options]
        parts += ["\n".join(["| option | what it says | default |", "| --- | --- | --- |", *rows])]
    parts += ["## The rules", *_quoted(folder)]
    judged = [judge.spiel for judge in referees() if judge.pack == pack.id]
    source = pack.text("source")
    if judged:
        names = " and ".join(f"`{name}`" for name in judged)
        source = f"{source.rstrip()} It is played in lock step with {names} of OpenSpiel."
    return "\n\n".join([*parts, "## Where they come from", source.strip()]) + "\n"


def _quoted(folder: Path) -> list[str]:
    """Return the model and the rules of a pack as they stand in its files."""
    return [
        f"`{name}`\n\n{_fenced('yaml', (folder / name).read_text('utf-8'))}"
        for name in ("rules.yaml", "model.yaml")
        if (folder / name).is_file()
    ]


def _fenced(language: str, text: str) -> str:
    return f"```{language}\n{text.rstrip()}\n```"
