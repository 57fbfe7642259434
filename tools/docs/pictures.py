"""Draw the pictures of the documentation: what a match looks like at a terminal.

    python tools/docs/pictures.py            # writes docs/assets/*.svg
    python tools/docs/pictures.py --check    # exit status 1 where one would change

A picture is what `patolli play` prints, as SVG with the fonts of the reader; nothing is fetched.
"""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

import patolli
from patolli.play.players.greedy import GreedyBot
from patolli.play.terminal.page import Seen
from patolli.play.terminal.screen import Screen

FOLDER = Path(__file__).parents[2] / "docs" / "assets"
FORMAT = """<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg" role="img"
  aria-label="TITLE">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
  font-size: {char_height}px; line-height: {line_height}px; font-variant-east-asian: full-width; }}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: sans-serif; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/>
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


@dataclass(frozen=True, slots=True)
class Picture:
    """A match at a moment, seen by the first player."""

    name: str
    pack: str
    title: str
    seats: int
    seed: int
    choices: int
    width: int = 110


PICTURES = (
    Picture("match", "content/city_of_gods", "A match of Teotihuacan: City of Gods", 2, 3, 60),
    Picture("founders", "content/founders", "A match of Founders of Teotihuacan", 2, 3, 24),
)


def drawn(picture: Picture) -> str:
    """Return a picture as SVG."""
    rules = patolli.load(picture.pack)
    match = rules.start(players=picture.seats, seed=picture.seed)
    bots = [GreedyBot(seat) for seat in range(picture.seats)]
    for _ in range(picture.choices):
        decision = match.decision
        assert decision is not None
        match.choose(bots[decision.player].decide(match))
    console = Console(
        record=True, width=picture.width, height=52, force_terminal=True, color_system="truecolor", file=io.StringIO()
    )
    Screen(rules.model, console).page(match, 0, Seen())
    template = FORMAT.replace("TITLE", picture.title)
    return console.export_svg(title=picture.title, code_format=template, unique_id=picture.name)


def main() -> int:
    """Write the pictures, or say which would change."""
    check, changed = "--check" in sys.argv[1:], 0
    for picture in PICTURES:
        file, text = FOLDER / f"{picture.name}.svg", drawn(picture)
        if not file.exists() or file.read_text("utf-8") != text:
            changed += 1
            print(f"{file.name}: {'out of date' if check else 'written'}")
            if not check:
                file.write_text(text, "utf-8")
    return int(check and changed > 0)


if __name__ == "__main__":
    sys.exit(main())
