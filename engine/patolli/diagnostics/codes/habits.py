"""P0430 to P0446: what is allowed and yet hardly meant."""

from patolli.diagnostics.codes.code import Code, table
from patolli.diagnostics.codes.examples import after, model, module, rules

_FORGOTTEN = "It is left over, misspelt where it should be used, or not finished."
_OMEN = "# model2.yaml\ndocument: model\nkinds:\n  omen: {facts: {effect: effect}}\n"
_OMENS = "# omens.yaml\ndocument: pieces\nkind: omen\npieces:\n  comet: {effect: gain 3 coin}\n"
_PLACED = _OMENS.replace("kind: omen\n", "kind: omen\nplace: sky\n")
_SKY = _OMEN + "places:\n  sky: {of: omen, type: pile}\n# omens2.yaml\n" + after("let o = top(sky)\nif o: do o.effect")
_CHARM = "document: pieces\nkind: charm\nplace: bag\npieces:\n"
_PACK = (
    "# pack.yaml\ndocument: pack\nid: sample\nversion: 1.2.0\nlanguage: 1\ntitle: The sample\nplayers: {min: 2, max: 4}\n"
    "options:\n  length: {choices: [long, short]}\n  bonus: {range: [0, 3]}\n"
)
_RAIN = "options:\n  rain: {range: [0, 3], default: 1}\n"
_POLISH = (
    "triggers:\n  shine: {{after: dig, do: polish(2)}}\n"
    'rules:\n  polish(int n): {{do: gain n point, phrase: "polish {{{}}} times"}}\n'
)
_SWEEP = "triggers:\n  shine: {{after: dig, do: sweep(2)}}\nrules:\n  sweep(int n): {}\n"

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
        "P0440",
        "text and effect with different numbers",
        "warning",
        "A text names a number of which the effect beside it knows nothing.",
        "Players read the text and the program follows the effect; one of the two is wrong.",
        _CHARM + "  grace: {effect: gain 3 coin, text: Gain 4 coins.}\n",
        _CHARM + "  grace: {effect: gain 3 coin, text: Gain 3 coins.}\n",
    ),
    Code(
        "P0441",
        "circle without an end",
        "error",
        "A trigger sets itself off again, or a rule calls itself, and nothing on the way can stop it.",
        "It would go on until the match is broken off. A condition that changes on the way ends the circle.",
        after("earn(1)"),
        rules("triggers:\n  bonus_coin: {after: earn, when: coin < 9, do: earn(1)}\n"),
    ),
    Code(
        "P0442",
        "list that is too short",
        "warning",
        "An index can be larger than the list in which it looks something up.",
        "The match would end with a fault as soon as that happens. Lists are counted from 0.",
        after("gain ladder[4] point"),
        after("gain ladder[3] point"),
    ),
    Code(
        "P0443",
        "no list of components",
        "warning",
        "A pack has pieces, but its manifest does not say how many there should be.",
        "The list comes from the box, the pieces from the author; comparing the two finds pieces that were forgotten.",
        _PACK,
        _PACK + "components: {card: 12}\n",
    ),
    Code(
        "P0444",
        "tag that no payment has",
        "warning",
        "A discount or waiver names a tag, and no payment has it.",
        "The discount never applies. A payment gets its tag with `pay .. as tag`.",
        rules("discounts:\n  regulars: {on: purchas, less: 1 of coin}\n"),
        rules("discounts:\n  regulars: {on: purchase, less: 1 of coin}\n"),
    ),
    Code(
        "P0445",
        "phrase that names no parameter",
        "warning",
        "A phrase has a name in braces that is no parameter of its entry; for a place, no kind that it is for.",
        "Sentences that are made from effects would show the braces.",
        rules(_POLISH.format("m")),
        rules(_POLISH.format("n")),
    ),
    Code(
        "P0446",
        "unused parameter",
        "warning",
        "A rule or function has a parameter that neither it, a trigger that follows it nor its phrase reads.",
        "Everybody who calls it has to think of a value that changes nothing. A rule that does nothing and a function "
        "that is a plain value are points for other packs, and may have parameters for them.",
        rules(_SWEEP.format("gain 1 point")),
        rules(_SWEEP.format("gain n point")),
    ),
    Code(
        "P0447",
        "unused variable",
        "warning",
        "A value gets a name with `let`, and nothing reads it.",
        "Mostly another name was meant further down, or the line was left over from an earlier version.",
        rules(_SWEEP.format("|\n    let most = n\n    gain n point")),
        rules(_SWEEP.format("|\n    let most = n\n    gain most point")),
    ),
    Code(
        "P0448",
        "effect that is never reached",
        "warning",
        "An effect stands behind one that always leaves its block: `stop`, `return`, `break` or `end match`.",
        "It is never carried out. Mostly it belongs before, or the line before needs a condition.",
        rules(_SWEEP.format("|\n    gain n point\n    stop\n    gain 1 coin")),
        rules(_SWEEP.format("|\n    gain n point\n    stop if n > 1\n    gain 1 coin")),
    ),
    Code(
        "P0449",
        "label given twice",
        "warning",
        "Two lines of a menu have the same label and the same condition.",
        "Players read the label and type it; nobody could tell the two apart.",
        rules(_SWEEP.format('|\n    choose one "What?":\n      "gain": gain n point\n      "gain": gain 1 coin')),
        rules(_SWEEP.format('|\n    choose one "What?":\n      "points": gain n point\n      "a coin": gain 1 coin')),
    ),
)
