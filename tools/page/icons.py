"""Build the icons of the page from the package ``@phosphor-icons/core``, whose license is beside the result.

Usage: ``npm pack @phosphor-icons/core && tar xzf phosphor-icons-core-*.tgz && python tools/page/icons.py package``.
It writes the shapes (``page/icons.js``), and their names, which symbols in panels may have (``icon_names.txt``).
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "engine" / "patolli" / "serve" / "studio" / "page"
NAMES = ROOT / "engine" / "patolli" / "check" / "analysis" / "icon_names.txt"
SHAPES = {
    # goods
    "seed": "coffee-bean", "cube": "cube", "coin": "coin", "coins": "coins", "gem": "sketch-logo",
    "grain": "grains", "bread": "bread", "fish": "fish", "egg": "egg", "fruit": "cherries", "jar": "jar",
    "bag": "tote-simple", "package": "package", "barrel": "cylinder", "flask": "flask", "wine": "wine",
    "shell": "spiral", "key": "key", "scroll": "scroll", "book": "book-open", "paw": "paw-print", "bone": "bone",
    # points and marks
    "star": "star", "star_four": "star-four", "crown": "crown", "medal": "medal", "trophy": "trophy",
    "heart": "heart", "diamond": "diamond", "club": "club", "spade": "spade", "circle": "circle",
    "square": "square", "dot": "dot", "triangle": "triangle", "hexagon": "hexagon", "pentagon": "pentagon",
    "cross": "cross", "target": "target", "check": "check-fat", "arrow_up": "arrow-fat-up",
    "arrow_right": "arrow-fat-right", "turn": "arrows-clockwise", "plus": "plus-circle", "warning": "warning",
    "question": "question",
    "lock": "lock-simple", "flag": "flag",
    # nature
    "sun": "sun", "moon": "moon", "cloud": "cloud", "rain": "cloud-rain", "storm": "cloud-lightning",
    "snow": "snowflake", "drop": "drop", "wave": "bold/waves", "fire": "flame", "wind": "wind", "leaf": "leaf",
    "plant": "plant", "tree": "tree-evergreen", "flower": "flower-lotus", "mountain": "mountains",
    "island": "island", "planet": "planet", "lightning": "lightning", "bird": "bird", "cat": "cat",
    "horse": "horse", "cow": "cow", "butterfly": "butterfly",
    # people and things that they make
    "person": "person", "people": "users", "walker": "person-simple-walk", "hand": "hand-palm",
    "handshake": "handshake", "mask": "mask-happy", "skull": "skull", "ghost": "ghost", "robot": "robot",
    "eye": "eye", "steps": "footprints", "house": "house-simple", "roof": "house-line", "tower": "castle-turret",
    "church": "church", "columns": "bank", "tent": "tent", "bridge": "bridge", "lighthouse": "lighthouse",
    "road": "road-horizon", "path": "path", "stairs": "stairs", "ladder": "ladder", "boat": "sailboat",
    "ship": "boat", "anchor": "anchor", "wheel": "steering-wheel", "cart": "shopping-cart-simple",
    "hammer": "hammer", "axe": "axe", "shovel": "shovel", "sword": "sword", "shield": "shield", "gear": "gear-six",
    "bell": "bell", "bomb": "bomb", "balance": "scales", "hourglass": "hourglass", "clock": "clock",
    "calendar": "calendar-blank", "compass": "compass", "map": "map-trifold", "pin": "map-pin", "dice": "dice-five",
    "card": "cards", "puzzle": "puzzle-piece", "vault": "vault", "lamp": "lightbulb",
}  # fmt: skip
OWN = {
    "pyramid": "M128 40h24v32h28v32h28v32h28v48H20v-48h28v-32h28V72h28V40z",
    "log": "M60 84h132a44 44 0 0 1 0 88H60a44 44 0 0 1 0-88zM192 104a24 24 0 1 0 0 48a24 24 0 1 0 0-48z",
    "bar": "M84 76h88l44 112H40z",
    "tile": "M60 36h136a24 24 0 0 1 24 24v136a24 24 0 0 1-24 24H60a24 24 0 0 1-24-24V60z",
}
"""Shapes that the package has not; drawn for this page, like those of the package in a square of 256."""
CONTROLS = {
    "undo": "arrow-u-up-left", "rules": "book-open-text", "log": "list-bullets", "menu": "dots-three-outline-vertical",
    "play": "play", "hint": "lightbulb", "home": "house", "edit": "pencil-simple", "up": "caret-up",
}  # fmt: skip


def main() -> int:
    """Write the files."""
    package = Path(sys.argv[1])
    shapes = {**{name: path_of(package, file) for name, file in SHAPES.items()}, **OWN}
    controls = {name: path_of(package, file) for name, file in CONTROLS.items()}
    lines = [
        "// Written by tools/page/icons.py from @phosphor-icons/core (MIT, see icons.LICENSE.txt). Squares of 256."
    ]
    for title, found in (("ICONS", dict(sorted(shapes.items()))), ("CONTROLS", controls)):
        lines += [f"export const {title} = {{", *(f'  {name}: "{path}",' for name, path in found.items()), "};"]
    (PAGE / "icons.js").write_text("\n".join(lines) + "\n", "utf-8")
    NAMES.write_text("\n".join(sorted(shapes)) + "\n", "utf-8")
    shutil.copy(package / "LICENSE", PAGE / "icons.LICENSE.txt")
    return 0


def path_of(package: Path, file: str) -> str:
    """Return the outline of an icon, with one digit behind the point."""
    weight, _, name = file.rpartition("/")
    text = (package / "assets" / (weight or "fill") / f"{name}-{weight or 'fill'}.svg").read_text("utf-8")
    paths = re.findall(r'<path d="([^"]+)"', text)
    assert len(paths) == 1, file
    return re.sub(r"\d+\.\d+", lambda number: f"{float(number[0]):.1f}".removesuffix(".0"), paths[0])


if __name__ == "__main__":
    sys.exit(main())
