"""Mistakes in the writing: YAML and keys."""

from __future__ import annotations

from planted.planting import Mistake

WRITING = (
    # -- YAML
    Mistake(
        "the colon after a key forgotten",
        "pieces/royal.yaml",
        "    category: 3\n    number: 3\n",
        "    category: 3\n    ^number 3\n",
        "P0038",
        "write `key: value`",
    ),
    Mistake(
        "a key one blank too far left",
        "pieces/royal.yaml",
        "    number: 4\n",
        "   ^number: 4\n",
        "P0034",
        "align it with its neighbors",
    ),
    Mistake(
        "a text with a colon, without quotes",
        "rules/turn.yaml",
        "text: Collect, worship, or the main action.",
        "text: Choose^: collect, worship, or the main action.",
        "P0031",
        "put the value in quotes",
    ),
    Mistake(
        "a line indented by a tab",
        "pieces/royal.yaml",
        "    number: 7\n",
        "^\tnumber: 7\n",
        "P0002",
        "indent with spaces",
    ),
    Mistake(
        "a bracket of a list left open",
        "pieces/pyramid_tiles.yaml",
        "p14: {icons: [statue, glyph, serpent, glyph]}",
        "p14: {icons: [statue, glyph, serpent, glyph^}",
        "P0036",
    ),
    Mistake(
        "a quote left open",
        "pieces/starting.yaml",
        'text: "3 cocoa, 5 wood."}',
        'text: ^"3 cocoa, 5 wood.}',
        "P0032",
        "add the closing quote",
    ),
    Mistake(
        "an effect with a comma, without quotes inside braces",
        "pieces/discovery.yaml",
        "effect: step_avenue()",
        "effect: ^power_ups(palace, 2)",
        "P0018",
        "put the whole value in quotes",
    ),
    # -- keys
    Mistake(
        "a key of a rule misspelt",
        "rules/power_ups.yaml",
        "    do: |\n      set w.power to min(6, w.power + 1)",
        "    ^does: |\n      set w.power to min(6, w.power + 1)",
        "P0050",
        "did you mean 'do'?",
    ),
    Mistake(
        "the plural of a key",
        "model.yaml",
        "    active: owns(it)\n    facts: {number: int, cost: cost}",
        "    active: owns(it)\n    ^fact: {number: int, cost: cost}",
        "P0050",
        "did you mean 'facts'?",
    ),
    Mistake(
        "the effect of a tile under another key",
        "pieces/bonus.yaml",
        "bonus_flat: {name: Bonus tile of 15 points, effect: gain",
        "bonus_flat: {name: Bonus tile of 15 points, ^do: gain",
        "P0204",
        "effect",
    ),
    Mistake(
        "an operation of a patch in the game itself",
        "rules/power_ups.yaml",
        "  power_up(worker w):\n    text: One power more; the sixth brings an Ascension.\n",
        "  power_up(worker w):\n    ^before: ascend\n    text: One power more; the sixth brings an Ascension.\n",
        "P0050",
    ),
    Mistake(
        "a document that does not say its kind",
        "pieces/icons.yaml",
        "document: pieces\nkind",
        "^kind",
        "P0059",
    ),
    Mistake(
        "a kind of place that does not exist",
        "model.yaml",
        "pyramid_offer: {name: the offer of pyramid tiles, of: pyramid_tile, type: row",
        "pyramid_offer: {name: the offer of pyramid tiles, of: pyramid_tile, type: ^rows",
        "P0053",
        "did you mean 'row'?",
    ),
    Mistake(
        "a list where one effect belongs",
        "pieces/discovery.yaml",
        "effect: gain 4 vp, text: Score 4 points.",
        "effect: ^[gain 4 vp], text: Score 4 points.",
        "P0301",
        "write one text",
    ),
)
