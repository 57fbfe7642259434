"""Arrange drawn panels: frames and headings, side by side if the screen is wide enough.

Everything is lines of text. A *block* is a panel with its frame or heading, or several such blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.box import ROUNDED
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.panel import Panel as Box
from rich.text import Text

from patolli.play.terminal.canvas import DIM
from patolli.play.terminal.flow import pad, wrap_text

GAP = 2
"""Cells between what stands side by side."""
COLUMN = 66
"""Cells of the narrowest column; where there is room for two, the screen has two."""
FRAME = 4
"""Cells that a frame takes from its content."""


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that are at most as wide as ``width``."""

    lines: tuple[Text, ...]
    width: int

    @property
    def height(self) -> int:
        """How many lines it has."""
        return len(self.lines)


def column_width(width: int) -> int:
    """Return how wide a panel may be on a screen that is so wide."""
    columns = max(1, width // COLUMN)
    return min(100, (width - (columns - 1) * GAP) // columns)


def lines_of(console: Console, drawn: RenderableType, width: int) -> list[Text]:
    """Return what rich would print, as lines without blanks at their ends."""
    options = console.options.update(width=width, no_wrap=True, overflow="crop", height=None)
    lines = []
    for segments in console.render_lines(drawn, options, pad=False):
        line = Text.assemble(*((part.text, part.style or "") for part in segments))
        line.rstrip()
        lines.append(line)
    return lines


def frame_panel(console: Console, title: str, content: Sequence[Text], width: int) -> Block:
    """Return a main panel: content in a frame."""
    inside = max([cell_len(title) + 2, *(cell_len(line.plain) for line in content)])
    wide = min(width, inside + FRAME)
    body = Text("\n").join(content)
    box = Box(body, title=Text(title, "bold"), title_align="left", box=ROUNDED, width=wide)
    return Block(tuple(lines_of(console, box, wide)), wide)


def head_panel(title: str, content: Sequence[Text], width: int) -> Block:
    """Return a panel of less weight: content below a line with its title."""
    wide = max([0, *(cell_len(line.plain) for line in content)])
    wide = min(width, max(wide, cell_len(title) + 4))
    if cell_len(title) + 4 > wide:
        return Block((*wrap_text(Text(title, "bold"), wide), *content), wide)
    head = Text.assemble(("─ ", DIM), (title, "bold"), (" " + "─" * (wide - cell_len(title) - 3), DIM))
    return Block((head, *content), wide)


def stack_blocks(blocks: Sequence[Block]) -> Block:
    """Return blocks one below the other."""
    return Block(tuple(line for block in blocks for line in block.lines), max(block.width for block in blocks))


def abreast(blocks: Sequence[Block]) -> Block:
    """Return blocks side by side."""
    rows = []
    for number in range(max(block.height for block in blocks)):
        parts = []
        for block in blocks:
            line = block.lines[number] if number < block.height else Text("")
            parts.append(pad(line, block.width + GAP))
        row = Text("").join(parts)
        row.rstrip()
        rows.append(row)
    return Block(tuple(rows), sum(block.width for block in blocks) + GAP * (len(blocks) - 1))


def arrange_page(blocks: Sequence[Block], width: int) -> list[Text]:
    """Return the lines of a page: in columns where the screen is wide, small panels beside others within them."""
    if not blocks:
        return []
    columns = max(1, width // COLUMN)
    packed_columns = _pack_blocks(blocks, column_width(width))
    if columns == 1:
        return list(stack_blocks(packed_columns).lines)
    tall: list[list[Block]] = [[] for _ in range(columns)]
    for packed_column in packed_columns:
        min(tall, key=_total_height).append(packed_column)
    return list(abreast([stack_blocks(column) for column in tall if column]).lines)


def _total_height(blocks: Sequence[Block]) -> int:
    return sum(block.height for block in blocks)


def _pack_blocks(blocks: Sequence[Block], width: int) -> list[Block]:
    """Return blocks put together so that what fits beside one stands there, from its top downwards."""
    packed_columns = []
    left = list(blocks)
    while left:
        first = left.pop(0)
        piles: list[list[Block]] = [[first]]
        used = first.width
        while left:
            block, stack = left[0], piles[-1]
            room = width - (used - max(b.width for b in stack))
            if len(piles) > 1 and _total_height(stack) + block.height <= first.height and block.width <= room:
                used += max(0, block.width - max(b.width for b in stack))
                stack.append(left.pop(0))
            elif used + GAP + block.width <= width:
                piles.append([left.pop(0)])
                used += GAP + block.width
            else:
                break
        packed_columns.append(abreast([stack_blocks(stack) for stack in piles]))
    return packed_columns
