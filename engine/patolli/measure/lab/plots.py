"""The pictures of a report, as SVG: drawn by matplotlib, coloured by the page that shows them.

Every line has a way to be dashed and a mark of its own, so that no colour is needed to distinguish them. Colours are
put in as variables of the page's style, for light and dark; text stays text.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from patolli.measure.lab.frame import Frame
from patolli.measure.lab.lead_history import standing, winner
from patolli.measure.lab.run_data import Run
from patolli.measure.lab.statistics import share
from patolli.measure.lab.tables import NoLibrary
from patolli.measure.lab.worth import Thing, rank_things

INK, FAINT = "#010101", "#020202"
LINES = ("#030303", "#040404", "#050505", "#060606", "#070707", "#080808")
DASHES = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (5, 1, 1, 1)), (0, (3, 1, 1, 1, 1, 1)), (0, (8, 3)))
MARKS = "osD^vX"
VARIABLES = {INK: "currentColor", FAINT: "var(--faint)", **{c: f"var(--line{n})" for n, c in enumerate(LINES)}}
SIZE = (4.4, 3.0)
PARTS = np.linspace(0, 1, 21)
"""Parts of a match at which courses are drawn."""
BARS = 15
"""Things whose worth is drawn."""


def library() -> Any:
    """Import what draws. Raises NoLibrary: it is not installed."""
    try:
        return import_module("matplotlib"), import_module("matplotlib.figure")
    except ImportError:
        raise NoLibrary(
            "a report page needs matplotlib: pip install 'patolli[lab]'; --format json works without it"
        ) from None


def pictures(run: Run) -> list[tuple[str, str]]:
    """Return the pictures of a run: what each shows, and its SVG."""
    matplotlib, figure = library()
    frame = run.frame
    wanted: list[tuple[str, Callable[[Any], None], tuple[float, float]]] = [
        ("Wins by seat, with 95 % intervals; the dashed line is a fair share", lambda ax: _wins(ax, frame), SIZE),
        ("Distribution of game length, in turns", lambda ax: _lengths(ax, frame), SIZE),
    ]  # fmt: skip
    if frame.has_scores:
        wanted.append(("Distribution of final scores, by seat", lambda ax: _scores(ax, frame), SIZE))
        wanted.append(("Mean scores during a match, by seat", lambda ax: _course(ax, frame), SIZE))
        if frame.seats > 1 and (led := _leads(frame)):
            wanted.append((
                "How often the sole leader wins, by part of the match",
                lambda ax: _ahead(ax, frame, led), SIZE,
            ))  # fmt: skip
    things = rank_things([*run.pieces, *(one for one in run.options if not run.content.named_pieces(one.name))])[:BARS]
    if any(one.main is not None for one in things):
        size = SIZE[0], 0.8 + 0.26 * len(things)
        wanted.append(
            (
                "Worth of options and pieces to their takers, most significant first",
                lambda ax: _worth(ax, things),
                size,
            )
        )
    with matplotlib.rc_context(_STYLE):
        return [(words, _draw_picture(figure, draw, size, at)) for at, (words, draw, size) in enumerate(wanted)]


_STYLE = {
    "svg.fonttype": "none", "svg.hashsalt": "patolli", "font.family": "sans-serif", "font.size": 10,
    "text.color": INK, "axes.edgecolor": FAINT, "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK,
    "axes.spines.top": False, "axes.spines.right": False, "figure.facecolor": "none", "axes.facecolor": "none",
    "savefig.transparent": True, "legend.frameon": False, "grid.color": FAINT,
}  # fmt: skip


def _draw_picture(figure: Any, draw: Callable[[Any], None], size: tuple[float, float], number: int) -> str:
    """Draw one picture, and return what stands between and with its svg tags."""
    sheet = figure.Figure(figsize=size, layout="constrained")
    draw(sheet.subplots())
    file = io.StringIO()
    sheet.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    text = file.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r'\s(width|height)="[0-9.]+pt"', "", text, count=2)
    for colour, variable in VARIABLES.items():
        text = text.replace(colour, variable)
    text = re.sub(r'\bid="([^"]+)"', rf'id="p{number}-\1"', text)
    text = re.sub(r'(url\(|href=")#', rf"\1#p{number}-", text)
    text = re.sub(r"font: [0-9.]+px[^;\"]*", "font: 10px sans-serif", text)
    return re.sub(r"\n\s*", "\n", text).strip()


def _legend(ax: Any, seats: int) -> None:
    if seats > 1:
        ax.legend(handlelength=3.5)


def _wins(ax: Any, frame: Frame) -> None:
    for seat in range(frame.seats):
        known = share(frame.wins[:, seat])
        bars = [[100 * (known.value - known.low)], [100 * (known.high - known.value)]]
        ax.errorbar([seat + 1], [100 * known.value], bars, fmt=MARKS[seat % 6], color=INK, capsize=5)
    ax.axhline(100 / frame.seats, color=FAINT, linestyle=(0, (5, 3)))
    ax.set(xticks=range(1, frame.seats + 1), xlim=(0.5, frame.seats + 0.5), xlabel="seat", ylabel="wins, %")


def _edges(values: Any) -> Any:
    low, high = float(values.min()), float(values.max())
    step = max(1.0, np.ceil((high - low + 1) / 24))
    return np.arange(low - 0.5, high + step, step)


def _lengths(ax: Any, frame: Frame) -> None:
    values = frame.column("turns")
    ax.hist(values, bins=_edges(values), histtype="step", color=INK)
    ax.set(xlabel="turns", ylabel="matches")


def _scores(ax: Any, frame: Frame) -> None:
    edges = _edges(frame.scores)
    for seat in range(frame.seats):
        ax.hist(
            frame.scores[:, seat], bins=edges, histtype="step", color=LINES[seat % 6], linestyle=DASHES[seat % 6],
            linewidth=1.6, label=f"seat {seat + 1}",
        )  # fmt: skip
    ax.set(xlabel="points", ylabel="matches")
    _legend(ax, frame.seats)


def _course(ax: Any, frame: Frame) -> None:
    match, turn, scores = frame.course
    over = turn / np.maximum(1.0, frame.column("turns")[match])
    place = np.minimum((over * (len(PARTS) - 1)).astype(int), len(PARTS) - 2)
    count = np.bincount(place, minlength=len(PARTS) - 1)
    there = count > 0
    for seat in range(frame.seats):
        sums = np.bincount(place, scores[:, seat], len(PARTS) - 1)
        x = np.append(100 * PARTS[:-1][there], 100)
        y = np.append(sums[there] / count[there], frame.scores[:, seat].mean())
        ax.plot(
            x, y, color=LINES[seat % 6], linestyle=DASHES[seat % 6], marker=MARKS[seat % 6], markevery=5,
            linewidth=1.6, label=f"seat {seat + 1}",
        )  # fmt: skip
    ax.set(xlabel="part of the match, %", ylabel="points")
    _legend(ax, frame.seats)


def _leads(frame: Frame) -> list[tuple[float, Any]]:
    """Return how often the sole leader wins by part of the match, for the parts with enough matches that have one."""
    best = winner(frame)
    points = []
    for part in PARTS:
        who = standing(frame, part)
        known = (best >= 0) & (who >= 0)
        if known.sum() >= 20:
            points.append((100 * part, share((who == best)[known].astype(float))))
    return points


def _ahead(ax: Any, frame: Frame, points: list[tuple[float, Any]]) -> None:
    x = [part for part, _ in points]
    ax.fill_between(
        x,
        [100 * one.low for _, one in points],
        [100 * one.high for _, one in points],
        color=FAINT,
        alpha=0.4,
        linewidth=0,
    )
    ax.plot(x, [100 * one.value for _, one in points], color=INK, marker="o", markersize=3)
    ax.axhline(100 / frame.seats, color=FAINT, linestyle=(0, (5, 3)))
    ax.set(xlabel="part of the match, %", ylabel="leader wins, %")


def _worth(ax: Any, things: list[Thing]) -> None:
    known = [(one, one.main) for one in reversed(things)]
    scale = 1 if things[0].score is not None else 100
    for at, (_, effect) in enumerate(known):
        if effect is not None:
            half = scale * (effect.interval()[1] - effect.value)
            ax.errorbar([scale * effect.value], [at], xerr=[half], fmt="o", color=INK, capsize=3, markersize=4)
    ax.axvline(0, color=FAINT, linestyle=(0, (5, 3)))
    names = [one.name.partition("/")[2] or one.name for one, _ in known]
    ax.set(yticks=range(len(known)), yticklabels=[name if len(name) < 30 else f"{name[:28]}.." for name in names])
    ax.set(xlabel="points ahead of the others" if scale == 1 else "wins, %")
