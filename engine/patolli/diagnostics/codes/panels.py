"""P0501 to P0507: panels, how a match looks."""

from patolli.diagnostics.codes.code import Code, table
from patolli.diagnostics.codes.examples import patched

_CORNERS = patched("extend: kinds/charm/facts\n    with: {corners: 'list of int = {1, 2, 3, 4}'}")
_PICTURE = _CORNERS + (
    "# extra/panels.yaml\ndocument: panels\nsymbols:\n  charm: {picture: {of: corners, rows: [[FIRST, 1], [3, 2]]}}\n"
)

CODES = table(
    Code(
        "P0501",
        "unknown name in a panel",
        "error",
        "A panel names something that nothing declares.",
        "The panel would stay empty, and nobody would notice that something is missing.",
        "document: panels\npanels:\n  wealth: {shows: table, rows: [coyn]}\n",
        "document: panels\npanels:\n  wealth: {shows: table, rows: [coin]}\n",
    ),
    Code(
        "P0502",
        "cannot be shown like that",
        "error",
        "A panel names something that exists, but is not of the sort that this way of drawing shows.",
        "A grid draws cells, a track draws counters; each needs what it can draw.",
        "document: panels\npanels:\n  wealth: {shows: table, rows: [card]}\n",
        "document: panels\npanels:\n  wealth: {shows: table, rows: [coin]}\n",
    ),
    Code(
        "P0503",
        "symbol for nothing",
        "error",
        "A symbol is given for an id that nothing declares.",
        "The sign would never be drawn; mostly the id is misspelt.",
        "document: panels\nsymbols:\n  coyn: {sign: $}\n",
        "document: panels\nsymbols:\n  coin: {sign: $}\n",
    ),
    Code(
        "P0504",
        "key of another way of drawing",
        "error",
        "A panel has a key that only another way of drawing has.",
        "What the key says would be ignored.",
        "document: panels\npanels:\n  wealth: {shows: table, rows: [coin], up: true}\n",
        "document: panels\npanels:\n  wealth: {shows: table, rows: [coin]}\n",
    ),
    Code(
        "P0505",
        "payment that no panel shows",
        "warning",
        "Players pay with a counter of their own that no panel shows, although panels show most of the others.",
        "Who is asked to pay has to see what there is. Counters that nobody pays with may be left out.",
        "document: panels\npanels:\n  wealth: {shows: table, rows: [coin, seed, point]}\n",
        "document: panels\npanels:\n  wealth: {shows: table, rows: [coin, seed, nut, point]}\n",
    ),
    Code(
        "P0506",
        "picture that leaves out an item",
        "warning",
        "A picture shows a later item of a list, and one before it never.",
        "Items are counted from 0, and mostly one number is another than was meant. A picture may leave out the last items.",
        _PICTURE.replace("FIRST", "1"),
        _PICTURE.replace("FIRST", "0"),
    ),
    Code(
        "P0507",
        "picture that cannot be shown",
        "error",
        "The file that 'art' names is not there, is too large, or is no SVG or PNG that only draws.",
        "The page would have a hole; a picture that runs or loads something would be a risk for whoever looks at it.",
        "document: panels\nsymbols:\n  coin: {sign: $, art: art/coin.svg}\n",
        "document: panels\nsymbols:\n  coin: {sign: $}\n",
    ),
)
