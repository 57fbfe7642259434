"""What is allowed and yet hardly meant."""

from patolli.diagnostics.codes.code import Code, table
from patolli.diagnostics.codes.examples import after, model, patched, rules

_CHARM = "document: pieces\nkind: charm\nplace: bag\npieces:\n"
_LINKS = "# links.yaml\ndocument: pieces\nkind: link\npieces:\n  ring: {rank: 1}\n  clasp: {rank: 2, next: ring}\n"
_PACK = (
    "# pack.yaml\ndocument: pack\nid: sample\nversion: 1.2.0\nlanguage: 1\ntitle: The sample\nplayers: {min: 2, max: 4}\n"
    "options:\n  length: {choices: [long, short]}\n  bonus: {range: [0, 3]}\n"
)
_POLISH = (
    "triggers:\n  shine: {{after: dig, do: polish(2)}}\n"
    'rules:\n  polish(int n): {{do: gain n point, phrase: "polish {{{}}} times"}}\n'
)
_BENDS = "# model2.yaml\ndocument: model\nconstants:\n  bends: {type: list of list of int, value: [[1, 2], [1, 3], [2, 3], [1"
_BENT = "]]}\n# rules2.yaml\n" + after("gain size(bends[0]) point")
_OPEN = 'choose one "What?":\n  "raise" when {}: gain 1 coin\n  "wait": gain 1 point'
_TOLD = (
    "triggers:\n  shine: {{after: dig, do: polish(2)}}\n"
    'rules:\n  polish(int n): {{do: gain n point, heading: "Polishing {{{}}}"}}\n'
)
_BID = "# rules2.yaml\n" + rules(
    "triggers:\n  shine: {{after: dig, do: raise_offer()}}\n"
    'rules:\n  raise_offer(): {{do: gain 1 offer, heading: "An offer {}"}}\n'
)
_SHARE = (
    "triggers:\n  shine: {{after: dig, do: share()}}\n"
    "rules:\n  share:\n    do: 'for p in others(me) where point(p) > 3: {}'\n"
    "    text: Others with more than 3 points gain a coin.\n"
)
_SWEEP = "triggers:\n  shine: {{after: dig, do: sweep(2)}}\nrules:\n  sweep(int n): {}\n"
_GEMS = after("gain 1 gem\nif gem > 3: gain 1 point")
_STIR = 'triggers:\n  shine: {{after: dig, do: stir()}}\nrules:\n  stir(): {{do: shuffle bag, heading: "Stirring the bag"{}}}\n'
_STACK = (
    "document: model\nplaces:\n  stack: {of: charm, type: pile, visible: none}\n  spare: {of: charm, type: area}\n"
    "# stack.yaml\ndocument: pieces\nkind: charm\nplace: stack\npieces:\n"
    "  hope: {effect: gain 1 nut, text: Gain 1 nut.}\n  fear: {effect: gain 2 nut, text: Gain 2 nuts.}\n"
)

CODES = table(
    Code(
        "P0440",
        "text and effect with different numbers",
        "warning",
        "A text names a number of which the effect beside it knows nothing. In the text of a rule, trigger or anytime action "
        "only numbers before a counter count, as in `Gain 4 coins`.",
        "Players read the text and the program follows the effect; one of the two is wrong.",
        _CHARM + "  grace: {effect: gain 3 coin, text: Gain 4 coins.}\n",
        _CHARM + "  grace: {effect: gain 3 coin, text: Gain 3 coins.}\n",
    ),
    Code(
        "P0441",
        "circle without an end",
        "error",
        "A trigger sets itself off again, a rule or function calls itself, or what counts for payments asks whether something "
        "can be paid, and nothing on the way can stop it.",
        "It would go on until the match is broken off. A condition that changes on the way ends the circle.\n"
        "`after(..)` carries its rule out, too: in the condition of a trigger of the same rule, it never ends.",
        after("earn(1)"),
        rules("triggers:\n  bonus_coin: {after: earn, when: coin < 9, do: earn(1)}\n"),
    ),
    Code(
        "P0442",
        "list that is shorter than the others",
        "warning",
        "All lists of a fact or table have one length, but for one that is shorter.",
        "An item was probably forgotten.",
        _BENDS + _BENT,
        _BENDS + ", 2" + _BENT,
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
        "A phrase has a name in braces that is no parameter of its entry; for a place, no kind that it is for. Or it has a "
        "brace without a partner.",
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
        "Something gets a name with `let`, `choose`, `random` or a line of a menu, and nothing reads it.",
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
    Code(
        "P0460",
        "effect that changes nothing",
        "warning",
        "An effect leaves everything as it is: `set x to x`, `gain 0 coin`, `repeat 0 times`, `for i in 3..1`. Or a rule is "
        "called with numbers with which it has nothing to choose from, and so is never possible.",
        "Another name or number was meant, or it is left over. Only a 0 that is written out counts; a constant or an option "
        "may well be 0.",
        after("set coin to coin"),
        after("set coin to 2 * coin"),
    ),
    Code(
        "P0461",
        "condition that is always or never true",
        "warning",
        "A condition has the same answer in every match: because of the bounds of a counter or field, because of what was "
        "asked just before it, or because it stands in the same `if` a second time.",
        "Mostly another number or name was meant. What constants, facts, options and the number of players happen to be "
        "counts for nothing here: they are there to be changed.",
        after("if coin >= 0: gain 1 point"),
        after("if coin > 0: gain 1 point"),
    ),
    Code(
        "P0462",
        "no result",
        "warning",
        "A pack has a rule `match`, and nothing says who wins.",
        "All players would have the score 0, and everybody would win. A document of kind `rules` says what counts: "
        "`result: {score: point}`.",
    ),
    Code(
        "P0463",
        "braces that are shown as they are",
        "warning",
        "A label, a question or what is said holds a name in braces.",
        "Nothing is put in its place: players would read the braces. Values stand behind the text of `say`, and the values "
        "of a line `for x in S` are shown beside its label.",
        after('say "There are {coin} coins"'),
        after('say "Coins:" coin'),
    ),
    Code(
        "P0464",
        "text and effect with different counters",
        "warning",
        "A text gives a number to a counter of which its piece knows nothing, and the effect gives this number to another "
        "one.",
        "Players read the text and the program follows the effect; one of the two is wrong.",
        _CHARM + "  grace: {effect: gain 3 coin, text: Gain 3 nuts.}\n",
        _CHARM + "  grace: {effect: gain 3 coin, text: Gain 3 coins.}\n",
    ),
    Code(
        "P0465",
        "id of a built-in function",
        "warning",
        "A function, counter or place has the name of a built-in function, and hides it.",
        "Whoever reads the rules takes one for the other. It is no error, since a later version of the language may bring "
        "a function of a name that a pack has had for long.",
        rules("functions:\n  position(player): coin(player)\nvalues:\n  greedy: position(me)\n"),
        rules("functions:\n  wealth(player): coin(player)\nvalues:\n  greedy: wealth(me)\n"),
    ),
    Code(
        "P0466",
        "question that shows a secret",
        "warning",
        "What is offered to a player depends on a counter, place or field that only another one may see.",
        "An option that is there only while somebody's hidden bid is high shows that it is. What is chosen straight from a "
        "hidden place, `choose c in hand(p)`, is meant to be looked at, and is not told.",
        after(_OPEN.format("any(p in others(me) where bid(p) > 1)")),
        after(_OPEN.format("bid > 1")),
    ),
    Code(
        "P0467",
        "result that decides nothing",
        "warning",
        "The result of a match cannot tell winners from losers: all players always have the same score, a condition of it "
        "looks at nothing that changes, or a part of it counts for nothing beside the others, as a tie-break does that asks "
        "for what was asked before.",
        "Where all win or lose together, the highest score is always everybody's, and a defeat reads as a victory. `wins` "
        "says who has won: all, some, or nobody.",
        patched("replace: result/ties\n    with: []") + "  - replace: result/score\n    with: round\n",
        patched("extend: result/result\n    with: {wins: round >= 3}") + "  - replace: result/score\n    with: round\n",
    ),
    Code(
        "P0468",
        "first player's where nobody acts",
        "warning",
        "A loop over players, in `setup`, in `match` or in a rule that only these call, takes what is mine.",
        "Nobody in particular carries these rules out, so that `me` is the first player there: `for p in players: gain "
        "coin(p) point` gives all the points to the first one. Say whose it is, as in `for p` or `coin(p)`, or put it inside "
        "`as p:`. A trigger of a piece that follows such a rule asks whether the piece is active for the first player, and does "
        "nothing for the others.",
        after("for p in players: gain coin(p) point", "setup"),
        after("for p in players: gain coin(p) point for p", "setup"),
    ),
    Code(
        "P0469",
        "unknown word in a name",
        "error",
        "In the name of a piece, a cell or a place, or in what answers of a question are called, a word in braces is "
        "nothing that can be put in there.",
        "A name of a piece or a kind holds facts, fields, and functions of the piece that look at nothing else; that of a "
        "place the kinds that it is for; what an answer is called the variables of its question.",
        patched('extend: kinds/card\n    with: {name: "card {numbr}"}'),
        patched('extend: kinds/card\n    with: {name: "card {number}"}'),
    ),
    Code(
        "P0470",
        "name that contains itself",
        "error",
        "What stands in braces in the name of a kind has a name with something of this kind in it.",
        "What is put into a name is called by its own name, which would never come to an end.",
        model('kinds:\n  link: {name: "link to {next}", facts: {rank: int, next: link or none = none}}\n') + _LINKS,
        model('kinds:\n  link: {name: "link {rank}", facts: {rank: int, next: link or none = none}}\n') + _LINKS,
    ),
    Code(
        "P0471",
        "what cannot stand in a name",
        "error",
        "A name is no text, has a brace that opens nothing, or holds in braces an effect, a cost, a fact of what has none, "
        "or a function that looks at the state.",
        "A name says what a thing is, which is the same whenever it is said, but for its fields.",
        patched('extend: kinds/card\n    with: {name: "card with {effect}"}'),
        patched('extend: kinds/card\n    with: {name: "card {number}"}'),
    ),
    Code(
        "P0472",
        "what cannot be told",
        "error",
        "In a heading, a cause, or the words for a change, something in braces cannot stand there, or a brace has no "
        "partner.",
        "A heading or cause is made when its rule begins: of parameters, `me`, counters of the table or of each player, and "
        "functions without parameters; a heading has `{nth}`, too. The words of a counter have `{old}`, `{new}`, "
        "`{change}` and what it is for, those of a field `{piece}`, `{old}`, `{new}` and `{me}`.",
        rules(_TOLD.format("m")),
        rules(_TOLD.format("n")),
    ),
    Code(
        "P0473",
        "heading that betrays something",
        "error",
        "A heading or a cause is made from what not everybody can see, or from a parameter that may hold such a value.",
        "It is told to all. What only some may know belongs into no heading, and neither does an answer that is noted in "
        "secret.",
        model("counters:\n  offer: {per: player, visible: owner, text: An offer}\n") + _BID.format("of {offer}"),
        model("counters:\n  offer: {per: player, visible: owner, text: An offer}\n") + _BID.format("by {me}"),
    ),
    Code(
        "P0474",
        "default that is no value",
        "error",
        "The default of an option is none of its choices, or lies outside its range.",
        "A match for which nobody sets the option would have a value that the option cannot have.",
        _PACK.replace("[0, 3]", "[0, 3], default: 5") + "components: {card: 12}\n",
        _PACK.replace("[0, 3]", "[0, 3], default: 2") + "components: {card: 12}\n",
    ),
    Code(
        "P0475",
        "mine by the effect, others' by the text",
        "warning",
        "The text of a rule says that others gain or lose something, and its loop over players gives that to whoever acts.",
        "Who acts in a loop over players is still me: `for p in others(me) where ..: gain 3 point` gives me three for each "
        "of them. Say whose it is, with `for p`.",
        rules(_SHARE.format("gain 1 coin")),
        rules(_SHARE.format("gain 1 coin for p")),
    ),
    Code(
        "P0476",
        "end that is stepped over",
        "warning",
        "A loop counts by steps, and the number at which it ends is none of those that it comes to.",
        "It goes on until the match is broken off. `>=` and `<=` end a loop also where a step leads past the number.",
        after("let k = 0\nloop:\n  gain 1 coin\n  set k to k + 3\n  if k == 10: break"),
        after("let k = 0\nloop:\n  gain 1 coin\n  set k to k + 3\n  if k >= 10: break"),
    ),
    Code(
        "P0477",
        "noun without its other form",
        "warning",
        "The words for a counter or a kind lack the one for one of it or the one for several, are turned round, or are the id "
        "of another counter.",
        "Players would read of 3 gem, or of 1 gems. One word may do for both, as sand does; it is told only where the id, "
        "the text, or the id of a kind, fact or field uses the other form.",
        model("counters:\n  gem: {per: player, noun: [gem], text: Gems}\n# rules2.yaml\n" + _GEMS),
        model("counters:\n  gem: {per: player, noun: [gem, gems], text: Gems}\n# rules2.yaml\n" + _GEMS),
    ),
    Code(
        "P0478",
        "words that tell nothing apart",
        "warning",
        "All answers of a question are called the same, or two pieces of a kind have the same name.",
        "Players see only the words. What differs goes into braces: the variables of the question, or the facts of the piece.",
        after('choose k in 1..3 "How many?" as "some coins"\ngain k coin'),
        after('choose k in 1..3 "How many?" as "{k} coins"\ngain k coin'),
    ),
    Code(
        "P0479",
        "heading of nothing",
        "warning",
        "A rule has a heading or a cause, and nothing that happens in it is told.",
        "Nobody would read it. The set-up is silent unless it says `told: true`. A heading that has no category beside it "
        "says to what points are put down, and is right in a rule that changes counters.",
        rules(_STIR.format(", told: false")),
        rules(_STIR.format("")),
    ),
    Code(
        "P1440",
        "the same on both sides",
        "warning",
        "A computation takes something from itself, divides it by itself, or asks for the least or greatest of it and itself.",
        "What comes out does not depend on it; one of the two was meant to be something else.",
        after("gain nut - nut point"),
        after("gain coin - nut point"),
    ),
    Code(
        "P1441",
        "hidden pile that is never shuffled",
        "warning",
        "Different pieces begin in a pile that nobody sees into, rules take them from its top, and nothing shuffles it.",
        "The pieces lie in the order in which they are declared, so every match brings the same ones, in the same order. "
        "A pile with an order of its own is visible, or its rules say `random c in pile`.",
        _STACK + "# rules2.yaml\n" + after("draw 1 from stack to spare"),
        _STACK + "# rules2.yaml\n" + after("shuffle stack\ndraw 1 from stack to spare"),
    ),
)
