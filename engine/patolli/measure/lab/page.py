"""A report as one self-contained HTML page, without network access and scripts."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import isinf, isnan
from typing import Any

from patolli.measure.lab.report import nothing
from patolli.measure.lab.style import STYLE
from patolli.measure.lab.units import many, number

MOST = 250
"""Limit for rows of a table, most significant first. The JSON report has all."""


def page(data: dict[str, Any], pictures: Sequence[tuple[str, str]]) -> str:
    """Return the page of what :func:`~patolli.measure.lab.report.report` returns, with the pictures of it."""
    about = data["about"]
    played = [f"{one['matches']:,} with {one['bot']}" for one in data["panel"]["bots"]] if "panel" in data else []
    title = f"{about['title']}: {', '.join(played) or many(about['matches'])}"
    parts = [
        _head(title), _nav(data), "<main>", f"<h1>{escape(title)}</h1>", _about(about),
        _verdict(data["verdict"]), _bots(data), _findings(data),
        _pictures(pictures), _boards(data["boards"]), _numbers(data["numbers"]), _worth(data), _never(data["never"]),
        _matches(data),
        "</main></body></html>\n",
    ]  # fmt: skip
    return "\n".join(part for part in parts if part)


def _head(title: str) -> str:
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta name="color-scheme" content="light dark"><title>{escape(title)}</title>'
        f"<style>{STYLE}</style></head><body>"
    )


def _nav(data: dict[str, Any]) -> str:
    names = ["verdict", "bots", "findings", "pictures", "boards", "numbers", "pieces", "options", "never", "matches"]
    kept = [name for name in names if name not in ("boards", "pieces", "options") or data[name]]
    if "panel" not in data:
        kept.remove("bots")
    links = "".join(f'<li><a href="#{name}">{name.capitalize()}</a></li>' for name in kept)
    return f'<nav aria-label="Parts of the report"><ul>{links}</ul></nav>'


def _about(about: dict[str, Any]) -> str:
    rows = [("Pack", about["pack"])]
    rows += [("With", ", ".join(about["modules"]))] if about["modules"] else []
    rows += [("Options", ", ".join(f"{k} = {v}" for k, v in about["options"].items()))] if about["options"] else []
    changes = ", ".join(f"{k} = {v}" for k, v in about["vary"].items())
    rows += [("Variant", f"{about['variant']}: {changes or 'unchanged'}")]
    rows += [("Players", f"{about['players']}; bots: {', '.join(dict.fromkeys(about['bots']))}")]
    rows += [("Seed", str(about["seed"])), ("Content hash", about["content"][:16])]
    rows += [("Compared with", about["against"])] if about["against"] else []
    if about["unfinished"]:
        first = about["faults"][0] if about["faults"] else {"match": "", "text": ""}
        rows.append(("Unfinished", f"{about['unfinished']:,}; first: match {first['match']}: {first['text']}"))
    return "<dl class=about>" + "".join(f"<dt>{k}</dt><dd>{escape(str(v))}</dd>" for k, v in rows) + "</dl>"


def _verdict(data: dict[str, Any]) -> str:
    rows = "".join(
        f"<tr><th scope=row>{escape(one['question'])}</th><td><strong>{escape(one['verdict'])}</strong></td>"
        f"<td>{escape(one['text'])}</td></tr>"
        for one in data["answers"]
    )
    head = f"<p>{escape(data['headline'])}.</p>" if data["headline"] else ""
    table = f"<table><tbody>{rows}</tbody></table>"
    return (
        f"<section id=verdict><h2>Verdict</h2>{head}<p class=small>Intervals of 95 %.</p>"
        f"<div class=scroll tabindex=0 role=region aria-label=Verdict>{table}</div></section>"
    )


def _bots(data: dict[str, Any]) -> str:
    """Return the numbers of all bots of a panel side by side."""
    panel = data.get("panel")
    if panel is None:
        return ""
    head = "".join(f"<th scope=col>{escape(one['bot'])}<br>{many(one['matches'])}</th>" for one in panel["bots"])
    rows = "".join(
        f"<tr><th scope=row>{escape(row['name'])}</th>"
        + "".join(f"<td>{_format_range(one, row['share'])}</td>" for one in row["values"])
        + "</tr>"
        for row in panel["numbers"]
    )
    folders = ", ".join(f"<code>{escape(one['folder'])}</code>" for one in panel["bots"])
    words = f"Everything else on this page comes from the matches of {escape(data['about']['lead'])}. "
    words += f"For a page about another bot, run <code>patolli lab report</code> with its folder: {folders}."
    return (
        f"<section id=bots><h2>Bots</h2><p>{words}</p><div class=scroll tabindex=0 role=region aria-label=Bots>"
        f"<table><thead><tr><th scope=col></th>{head}</tr></thead><tbody>{rows}</tbody></table></div></section>"
    )


def _format_range(one: dict[str, Any] | None, share: bool) -> str:
    """Return a number of a bot with its interval; nothing if there is none."""
    if one is None:
        return ""
    if isinf(one["low"]) or isinf(one["high"]):
        return _plain(one["value"])
    low, high = number(one["low"], share), number(one["high"], share)
    return f"{number(one['value'], share)} <span class=interval>{low} to {high}</span>"


def _findings(data: dict[str, Any]) -> str:
    found = data["findings"]
    against = data["about"]["against"]
    than = f" compared with {escape(against)}" if against else ""
    if not found:
        said = nothing(data)
        return f"<section id=findings><h2>Findings</h2><p>{escape(said[:1].upper() + said[1:])}.</p></section>"
    items = "".join(
        f"<li><p><strong>{escape(one['kind'].capitalize())}:</strong> {escape(one['text'])}</p>"
        f"<p class=small>{_where(one['where'])}{_links(one['examples'])}</p>"
        f"{_players(one)}{_experiments(one['try'])}</li>"
        for one in found
    )
    words = f"Statistically significant results{than}."
    return f"<section id=findings><h2>Findings</h2><p>{words}</p><ol class=cards>{items}</ol></section>"


def _players(one: dict[str, Any]) -> str:
    """Return with which bots of a panel a finding was made, and how it does with each; nothing for a single bot."""
    if "bots" not in one:
        return ""
    words = f"Found with {', '.join(one['bots'])}."
    if one["flips"]:
        words = f"<strong>Depends on bots:</strong> the opposite with {escape(', '.join(one['against']))}. {words}"
    return f"<p class=small>{words} {escape('; '.join(one['each']))}</p>"


def _experiments(found: list[dict[str, Any]]) -> str:
    items = "".join(f"<li>{escape(one['text'])}:<br><code>{escape(one['command'])}</code></li>" for one in found)
    return f"<p class=small>What to try next:</p><ul class=small>{items}</ul>" if items else ""


def _where(at: str) -> str:
    return f"<code>{escape(at)}</code> " if at else ""


def _links(numbers: Sequence[int], ends: bool = False) -> str:
    """Return links to matches, with labels for minimum, median and maximum."""
    words = {2: ("min. ", "max. "), 3: ("min. ", "median ", "max. ")}.get(len(numbers)) if ends else None
    said = zip(words or [""] * len(numbers), numbers, strict=True)
    links = ", ".join(f'{word}<a href="#match-{n}">{n}</a>' for word, n in said)
    return f"<span class=see>See match {links}</span>" if links else ""


def _pictures(pictures: Sequence[tuple[str, str]]) -> str:
    drawn = "".join(
        f"<figure>{svg.replace('<svg', f'<svg role=img aria-labelledby=caption-{at}', 1)}"
        f"<figcaption id=caption-{at}>{escape(words)}</figcaption></figure>"
        for at, (words, svg) in enumerate(pictures)
    )
    return f"<section id=pictures><h2>Pictures</h2><div class=pictures>{drawn}</div></section>" if drawn else ""


def _boards(found: list[dict[str, Any]]) -> str:
    """Return the heat maps as tables. Cells with larger numbers are darker."""
    if not found:
        return ""
    parts = ["<section id=boards><h2>Boards</h2>"]
    for one in found:
        widest = max((cell["high"] - cell["value"] for cell in _cells(one)), default=0.0)
        words = f"{one['means']} Margin of error: at most ±{_plain(widest)} (95 %)."
        parts.append(f"<h3>{escape(one['title'])}: {escape(one['shows'])}</h3><p>{words}</p><div class=layers>")
        parts += [*(_layer(one, layer) for layer in one["layers"]), "</div>"]
    return "".join([*parts, "</section>"])


def _cells(board: dict[str, Any]) -> list[dict[str, Any]]:
    return [cell for layer in board["layers"] for row in layer["rows"] for cell in row if cell is not None]


def _layer(board: dict[str, Any], layer: dict[str, Any]) -> str:
    rows = layer["rows"]
    if len(rows) == 1 and not layer["title"]:  # parts in one row have their names beside them
        items = "".join(
            f"<li{_heat(cell, board['most'])}>{_words(cell)} <b>{_plain(cell['value'])}</b></li>"
            for cell in rows[0] if cell is not None
        )  # fmt: skip
        return f"<ul class=parts>{items}</ul>"
    title = f"{board['title']}, {layer['title']}" if layer["title"] else board["title"]
    body = "".join(f"<tr>{''.join(_square(cell, board['most']) for cell in row)}</tr>" for row in rows)
    said = f"<caption>{escape(layer['title'])}</caption>" if layer["title"] else ""
    label = escape(f"{title}: {board['means']}")
    return f'<div class=scroll tabindex=0 role=region aria-label="{label}"><table class=heat>{said}{body}</table></div>'


def _words(cell: dict[str, Any]) -> str:
    return escape(cell["name"].replace("_", " "))


def _square(cell: dict[str, Any] | None, most: float) -> str:
    if cell is None:
        return "<td></td>"
    return f'<td title="{escape(cell["name"])}"{_heat(cell, most)}>{_plain(cell["value"])}</td>'


def _heat(cell: dict[str, Any], most: float) -> str:
    return f' style="--heat:{round(45 * cell["value"] / most)}%"'


def _numbers(found: list[dict[str, Any]]) -> str:
    groups: dict[str, list[dict[str, Any]]] = {}
    for one in found:
        groups.setdefault(one["group"], []).append(one)
    parts = ["<section id=numbers><h2>Numbers</h2><p>Each number has its 95 % interval.</p>"]
    for group, ones in groups.items():
        parts.append(f"<h3>{escape(group)}</h3><ul class=cards>{''.join(map(_number, ones))}</ul>")
    return "".join([*parts, "</section>"])


def _number(one: dict[str, Any]) -> str:
    value, interval = _values(one, one["share"])
    return (
        f"<li><p class=name>{escape(one['name'])}</p>"
        f"<p><span class=value>{value}</span> <span class=interval>{interval}</span></p>"
        f"<p class=small>{escape(one['means'])}</p><p class='small limits'>{escape(one['limits'])}</p>"
        f"<p class=small>{many(one['matches'])}. {_links(one['examples'], one['ends'])}</p></li>"
    )


def _values(one: dict[str, Any], share: bool) -> tuple[str, str]:
    if isnan(one["value"]):
        return "not known", ""
    scale, unit = (100, " %") if share else (1, "")
    if isinf(one["low"]) or isinf(one["high"]):
        return f"{_plain(scale * one['value'])}{unit}", "too few matches for an interval"
    low, value, high = (scale * one[key] for key in ("low", "value", "high"))
    return f"{_plain(value)}{unit}", f"{_plain(low)} to {_plain(high)}{unit}"


def _plain(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def _worth(data: dict[str, Any]) -> str:
    parts = []
    for key in ("pieces", "options"):
        if not data[key]:
            continue
        rows = sorted(data[key], key=lambda one: (one["score"] is None and one["wins"] is None, one["believed"]))
        more = (
            f"<p>The {MOST} most significant of {len(rows)}; use <code>--format json</code> for all.</p>"
            if len(rows) > MOST
            else ""
        )
        body = "".join(_row(one, key == "pieces") for one in rows[:MOST])
        heads = ["name", "where", "matches", "offered", "taken", *(["used"] if key == "pieces" else [])]
        heads += ["points", "wins, percentage points", "false discovery rate", "see match"]
        head = "".join(f"<th scope=col>{one}</th>" for one in heads)
        parts.append(
            f"<section id={key}><h2>{key.capitalize()}</h2><p>{escape(data['worth']['means'])}</p>"
            f"<p class=limits>{escape(data['worth']['limits'])}</p>{more}"
            f'<div class=scroll tabindex=0 role=region aria-label="Worth of {key}"><table>'
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div></section>"
        )
    return "".join(parts)


def _row(one: dict[str, Any], piece: bool) -> str:
    sure = one["believed"] <= 0.05 and (one["score"] or one["wins"])
    name = f"<strong>{escape(one['name'])} *</strong>" if sure else escape(one["name"])
    links = ", ".join(f'<a href="#match-{n}">{n}</a>' for n in one["examples"])
    cells = [
        f"<code>{escape(_short(one['where']))}</code>" if one["where"] else "", f"{one['matches']:,}",
        f"{one['offered']:,}" if one["offered"] else "", f"{one['taken']:,}",
        *([f"{one['used']:,}" if one["used"] else ""] if piece else []),
        _cell(one["score"], 1), _cell(one["wins"], 100),
        f"{one['believed']:.3f}" if one["score"] or one["wins"] else "too few", links,
    ]  # fmt: skip
    return f"<tr><th scope=row>{name}</th>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _short(where: str) -> str:
    return "/".join(where.split("/")[-2:])


def _cell(one: dict[str, Any] | None, scale: float) -> str:
    if one is None:
        return ""
    value, low, high = (scale * one[key] for key in ("value", "low", "high"))
    return f"{value:+.1f} <span class=interval>{low:+.1f} to {high:+.1f}</span>"


def _never(never: dict[str, Any]) -> str:
    words = {
        "offered": "Menu lines never offered", "chosen": "Options never chosen",
        "seen": "Pieces never seen", "taken": "Pieces seen but never taken",
    }  # fmt: skip
    parts = []
    for key, heading in words.items():
        if never[key]:
            items = "".join(
                f"<li>{escape(one['name'])} {_where(_short(one['where']))}{_times(one)}</li>"
                for one in never[key][:MOST]
            )
            parts.append(f"<h3>{heading}: {len(never[key])}</h3><ul class=plain>{items}</ul>")
    if not parts:
        parts.append("<p>None: each menu line was offered and chosen, and each piece was seen.</p>")
    return "<section id=never><h2>Never</h2>" + "".join(parts) + "</section>"


def _times(one: dict[str, Any]) -> str:
    if "offered" in one:
        return f"offered {many(one['offered'], 'time', 'times')}"
    return f"in {many(one['matches'])}" if "matches" in one else ""


def _matches(data: dict[str, Any]) -> str:
    about = data["about"]
    variant = "" if about["variant"] == "base" else f" --variant {about['variant']}"
    shown = sorted(_list_matches(data))
    there = {one["match"]: one for one in data["matches"]}
    rows = "".join(
        f'<tr id="match-{n}"><th scope=row>{n}</th><td>{" : ".join(map(str, there[n]["scores"]))}</td>'
        f"<td>{', '.join(f'seat {seat}' for seat in there[n]['winners'])}</td>"
        f"<td><code>{there[n]['seed']}</code></td></tr>"
        for n in shown
    )
    call = escape(f"patolli lab match {about['folder']} NUMBER{variant}")
    head = "".join(f"<th scope=col>{one}</th>" for one in ("match", "scores", "won by", "seed"))
    return (
        f"<section id=matches><h2>Matches</h2><p>To replay one of these matches, run <code>{call}</code>. "
        f"With <code>--out FILE</code>, the command saves the match and prints a command "
        f"<code>patolli replay</code>, which shows any moment of it.</p>"
        f"<div class=scroll tabindex=0 role=region aria-label=Matches><table><thead><tr>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table></div></section>"
    )


def _list_matches(data: dict[str, Any]) -> set[int]:
    """Return the matches that the page names, without those of cut rows."""
    found = {n for key in ("findings", "numbers") for one in data[key] for n in one["examples"]}
    for key in ("options", "pieces"):
        rows = sorted(data[key], key=lambda one: (one["score"] is None and one["wins"] is None, one["believed"]))
        found |= {n for one in rows[:MOST] for n in one["examples"]}
    return found
