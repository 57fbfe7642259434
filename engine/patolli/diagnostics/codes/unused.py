"""What is declared and never used."""

from patolli.diagnostics.codes.code import Code, table
from patolli.diagnostics.codes.examples import after, model, module, rules

_FORGOTTEN = "It is left over, misspelt where it should be used, or not finished."
_OMEN = "# model2.yaml\ndocument: model\nkinds:\n  omen: {facts: {effect: effect}}\n"
_OMENS = "# omens.yaml\ndocument: pieces\nkind: omen\npieces:\n  comet: {effect: gain 3 coin}\n"
_PLACED = _OMENS.replace("kind: omen\n", "kind: omen\nplace: sky\n")
_SKY = _OMEN + "places:\n  sky: {of: omen, type: pile}\n# omens2.yaml\n" + after("let o = top(sky)\nif o: do o.effect")
_CELLAR = "places:\n  cellar: {of: card, type: pile}\n# rules2.yaml\n"
_RAIN = "options:\n  rain: {range: [0, 3], default: 1}\n"

CODES = table(
    Code(
        "P0430",
        "unused rule",
        "warning",
        "Nothing carries out a rule: no way leads to it from `setup`, `match`, triggers, anytime actions or pieces.",
        _FORGOTTEN,
        rules("rules:\n  polish: gain 1 point\n"),
        rules("rules:\n  polish: gain 1 point\ntriggers:\n  shine: {after: dig, do: polish()}\n"),
    ),
    Code(
        "P0431",
        "counter that is never read",
        "warning",
        "Effects change a counter, and nothing ever reads it.",
        "What nobody reads makes no difference. A score, a condition or a panel may be missing.",
        model("counters:\n  gem: {per: player}\n# rules2.yaml\n" + after("gain 1 gem")),
        model("counters:\n  gem: {per: player}\n# rules2.yaml\n" + after("gain 1 gem\nif gem > 3: gain 1 point")),
    ),
    Code(
        "P0432",
        "unused function",
        "warning",
        "Nothing uses a function.",
        _FORGOTTEN,
        rules("functions:\n  wealth(player): coin(player) + seed(player)\n"),
        rules("functions:\n  wealth(player): coin(player) + seed(player)\nvalues:\n  greedy: wealth(me)\n"),
    ),
    Code(
        "P0433",
        "unused counter",
        "warning",
        "Nothing reads or changes a counter.",
        _FORGOTTEN,
        model("counters:\n  gem: {per: player}\n"),
        model(
            "counters:\n  gem: {per: player}\n# rules2.yaml\n"
            + after("pay_gem()")
            + "rules:\n  pay_gem: set gem to gem + 1\n"
        ),
    ),
    Code(
        "P0452",
        "field of the table that is never read",
        "warning",
        "Nothing reads a field of the table, even if something sets it.",
        "What nobody reads makes no difference. A condition or a panel may be missing.",
        model("table:\n  storm: bool = false\n# rules2.yaml\n" + after("set storm to true")),
        model("table:\n  storm: bool = false\n# rules2.yaml\n" + after("set storm to not storm")),
    ),
    Code(
        "P0453",
        "field or counter that is never set",
        "warning",
        "Rules look at a field or counter that has no value of its own to begin with, and nothing ever sets it.",
        "What is asked of it has the same answer in every match: a rule that sets it is missing.",
        model("counters:\n  storm: {text: Storms}\n# rules2.yaml\n" + after("if storm > 2: gain 1 coin")),
        model("counters:\n  storm: {text: Storms}\n# rules2.yaml\n" + after("gain 1 storm\nif storm > 2: gain 1 coin")),
    ),
    Code(
        "P0434",
        "unused place",
        "warning",
        "Nothing goes to a place or looks at it.",
        _FORGOTTEN,
        model("places:\n  discard: {of: card, type: pile}\n"),
        model("places:\n  discard: {of: card, type: pile}\n# rules2.yaml\n" + after("draw 1 from deck to discard")),
    ),
    Code(
        "P0435",
        "unused constant",
        "warning",
        "Nothing reads a constant.",
        _FORGOTTEN,
        model("constants:\n  prize: {type: int, value: 3}\n"),
        model("constants:\n  prize: {type: int, value: 3}\n# rules2.yaml\n" + after("gain prize coin")),
    ),
    Code(
        "P0436",
        "unused option",
        "warning",
        "Nothing depends on an option.",
        "Whoever sets it will see no difference.",
        module("extra", '{sample: ">=1.0"}', _RAIN),
        module("extra", '{sample: ">=1.0"}', _RAIN) + "# extra/rules.yaml\n" + after("gain rain coin"),
    ),
    Code(
        "P0437",
        "unused group",
        "warning",
        "Nothing names a group of counters.",
        _FORGOTTEN,
        model("groups:\n  money: [coin, point]\n"),
        model("groups:\n  money: [coin, point]\n# rules2.yaml\n" + after("gain 1 any money")),
    ),
    Code(
        "P0438",
        "unused kind",
        "warning",
        "Nothing names a kind, a grid or an enumeration.",
        _FORGOTTEN,
        model("enums:\n  weather: [sun, rain]\n"),
        model(
            "enums:\n  weather: [sun, rain]\n# rules2.yaml\n" + after("random w in weather\nif w == sun: gain 1 coin")
        ),
    ),
    Code(
        "P0439",
        "piece that never comes into play",
        "warning",
        "A piece starts in the box, and nothing names it or all pieces of its kind.",
        "A piece that nobody can reach might as well not exist: a start place is missing, or the rule that brings it in.",
        _OMEN
        + "places:\n  sky: {of: omen, type: pile}\n# omens2.yaml\n"
        + after("let o = top(sky)\nif o: do o.effect")
        + _OMENS,
        _SKY + _PLACED,
    ),
    Code(
        "P0450",
        "unused loop variable",
        "warning",
        "The body of a loop over players does not look at them, or one over other things sets the same for each; or a "
        "condition or value that is worked out for each item is the same for all.",
        "Who acts inside `for p in players` is still me: `gain 2 coin` gives me all the coins. What shall happen to each "
        "player stands inside `as p:`, or names `p`. A loop over pieces or numbers may just count them, and a name that begins "
        "with `_` says that nobody shall read it.",
        after("for p in players: gain 2 coin"),
        after("for p in players: gain 2 coin for p"),
    ),
    Code(
        "P0451",
        "place that is never filled",
        "warning",
        "Rules look at a place or take from it; no piece begins there, and nothing moves one there.",
        "It is empty in every match. A start place is missing, or the move that fills it. A place for a kind of which the "
        "pack has no piece waits for those of other packs, and is not told.",
        model(_CELLAR + after("let c = top(cellar)\nif c: move c to hand(me)")),
        model(_CELLAR + after("draw 1 from deck to cellar\nlet c = top(cellar)\nif c: move c to hand(me)")),
    ),
)
