"""Dead ends, and numbers that must be known before a match."""

from patolli.diagnostics.codes.code import Code, table
from patolli.diagnostics.codes.examples import after, model, rules

_PACK = (
    "# pack.yaml\ndocument: pack\nid: sample\nversion: 1.2.0\nlanguage: 2\ntitle: The sample\nplayers: {min: 2, max: 4}\n"
    "options:\n  length: {choices: [long, short]}\n  bonus: {range: [0, 3]}\n"
)
_SEATS = (
    "# model2.yaml\ndocument: model\nkinds:\n  crown: {}\nplaces:\n  head: {of: crown, type: spot}\n# crowns.yaml\n"
)
_CROWNS = _SEATS + "document: pieces\nkind: crown\nplace: head\npieces:\n"
_AHEAD = (
    "# ahead.yaml\ndocument: rules\nrules:\n  claim(cell): set cell.owner to me\n  save(card): |\n"
    "    require not card.used\n    set card.used to true\n    gain card.number coin\n"
)
_HURDLE = "# rules2.yaml\n" + after("if coin > hurdle: gain 1 point")

_HASTE = "# hurried.yaml\n" + after("set haste to 2\nif haste > 1: gain 1 nut")
_LUCKY = "rules:\n  lucky: return nut > 0\n  try_it:\n    do: |\n      let won = lucky()\n      if won: gain 1 point\n"

CODES = table(
    Code(
        "P0401",
        "payment that may fail",
        "error",
        "Nothing makes sure that a payment can be made.",
        "An option is offered only when it can be carried out. A payment at the beginning of a rule or option is part of "
        "that; one after a change needs `may`, or an `if` that shows that there is enough.",
        after("pay 1 coin\ngain 1 point"),
        after('may "pay": pay 1 coin; gain 1 point'),
    ),
    Code(
        "P0402",
        "choice that may be empty",
        "error",
        "A player must choose where there may be nothing to choose.",
        "The match could not go on. Say with `otherwise` what happens then, or let the player decline with `or none`.",
        after('choose c in hand(me) "Which card?"\nmove c to deck'),
        after('choose c in hand(me) "Which card?"\notherwise: stop\nmove c to deck'),
    ),
    Code(
        "P0403",
        "condition after a change",
        "error",
        "A `require` stands behind a change of the state.",
        "`require` tells when a rule is possible at all, which is asked before anything happens. Later in a rule, "
        "`stop unless` leaves it.",
        rules("rules:\n  polish:\n    do: |\n      gain 1 coin\n      require coin > 2\n      gain 1 point\n"),
        rules("rules:\n  polish:\n    do: |\n      require coin > 2\n      gain 1 coin\n      gain 1 point\n"),
    ),
    Code(
        "P0404",
        "rule that may be impossible",
        "error",
        "A rule is called that is possible only under a condition, and nothing shows that the condition holds.",
        "The rule begins with a payment, a choice or a `require`. Ask first: `if can(buy(card))`, `may`, or a menu with "
        "`otherwise`.",
        after("for c in shop: buy(c)"),
        after("for c in shop: if can(buy(c)): buy(c)"),
    ),
    Code(
        "P0405",
        "menu that may be empty",
        "error",
        "It may be that none of the lines of a menu is possible.",
        "The match could not go on. Add `otherwise`, or a line that is always possible.",
        after('choose one "What?":\n  "score" when coin > 3: gain 1 point'),
        after('choose one "What?":\n  "score" when coin > 3: gain 1 point\n  otherwise: nothing'),
    ),
    Code(
        "P0406",
        "loop without an end",
        "error",
        "Nothing inside a `loop` leaves it.",
        "A loop ends by `break`, `stop` or `end match`.",
        after("loop:\n  gain 1 coin"),
        after("loop:\n  gain 1 coin\n  if coin > 9: break"),
    ),
    Code(
        "P0407",
        "secret that shows",
        "error",
        "A simultaneous block changes or says something that the others notice, or looks at what they have answered. "
        "How many pieces lie somewhere is seen by all, so what is moved must be moved whatever is answered.",
        "Everyone answers before anything is revealed, so until then only what is `visible: owner` may change, and each "
        "player may look at nothing but their own part of it. Show and compare the answers after the block.",
        after("simultaneously for p in players: gain 1 coin"),
        after("simultaneously for p in players: set bid to 1"),
    ),
    Code(
        "P0408",
        "question in the middle of a payment",
        "error",
        "What a discount or a waiver does asks a player.",
        "The player has just chosen one of the ways to pay, and each of them was tried before it was offered; a question "
        "in the middle of that would have to be answered for all of them.",
        "document: rules\ndiscounts:\n  voucher: {on: purchase, less: 1 of coin, do: 'choose c in hand(me) or none'}\n",
        "document: rules\ndiscounts:\n  voucher: {on: purchase, less: 1 of coin, do: 'gain 1 nut'}\n",
    ),
    Code(
        "P0409",
        "trigger that takes away what a rule needs",
        "error",
        "Something runs before a rule and changes what the rule was offered for.",
        "An option is offered when it can be carried out. What runs `before` its rule comes after that, so what the "
        "beginning of the rule demands must surely hold behind it, too.",
        "document: rules\nrules:\n  fee: pay 1 coin\ntriggers:\n  thief: {before: fee, do: lose 1 coin}\n",
        "document: rules\nrules:\n  fee: pay 1 coin\ntriggers:\n  thief: {before: fee, do: gain 1 nut}\n",
    ),
    Code(
        "P0410",
        "wrong number of pieces",
        "error",
        "A pack adds more or fewer pieces of a kind than its component list says.",
        "The list is copied from the box; where the pieces differ from it, one is missing or has wrong `copies`. The lists of\n"
        "all packs add up: a module states what it adds, and a number below zero where it takes pieces away.\n"
        "Of what every player has, a list says how many there are for as many players as the base lets play.",
        _PACK + "components: {card: 11}\n",
        _PACK + "components: {card: 12}\n",
    ),
    Code(
        "P0411",
        "value that only a match decides",
        "error",
        "A value that is needed to set up a match depends on something that happens in it.",
        "Sizes, bounds, copies, first places, facts, defaults, legends and constants are computed before a match: from "
        "numbers, options, constants, `seats`, and functions of these. They cannot read counters, fields, places, or "
        "facts of pieces.\n"
        "If it changes during a match, write a function: instead of the fact `worth`, `functions: {worth_now(card): ..}`. "
        "If two facts share a value, give it a name under `constants`.",
        model("counters:\n  gem: {per: player, max: size(deck)}\n"),
        model("counters:\n  gem: {per: player, max: 2 * seats}\n"),
    ),
    Code(
        "P0412",
        "spot that is taken",
        "error",
        "Two pieces start on the same spot.",
        "A spot holds one piece; an `area` or a `pile` holds many.",
        _CROWNS + "  bright: {}\n  dark: {}\n",
        _CROWNS + "  bright: {}\n",
    ),
    Code(
        "P0413",
        "table with a hole",
        "error",
        "A table that is looked up by a constant has no row for one of its values.",
        "With that number of players, or that option, there would be no value. Add the row, or a row `else`.",
        model("constants:\n  prize: {type: int, value: {by: seats, 2: 5, 3: 4}}\n"),
        model("constants:\n  prize: {type: int, value: {by: seats, 2: 5, else: 4}}\n"),
    ),
    Code(
        "P0414",
        "division by 0",
        "error",
        "Nothing makes sure that a divisor is not 0.",
        "Nothing can be divided by 0, and the match could not go on. Test the divisor first, or say what holds then.",
        after("gain 6 div coin point"),
        after("gain (6 div coin if coin > 0 else 0) point"),
    ),
    Code(
        "P0415",
        "index that may lie beyond its list",
        "error",
        "Nothing makes sure that a list or a row has the item that is asked for.",
        "Items are counted from 0, so the last index is one below the number of items. Make the list longer, keep the "
        "index inside with `min` or `mod`, or test it first.",
        after("gain ladder[coin] point"),
        after("gain ladder[min(3, coin)] point"),
    ),
    Code(
        "P0416",
        "piece moved to a spot that may be taken",
        "error",
        "Nothing makes sure that a spot is empty when a piece is moved to it.",
        "A spot holds one piece. Test that it is empty, or first move away the piece that may lie there.",
        after("if shop(0): move shop(0) to throne"),
        after("if shop(0) and not throne: move shop(0) to throne"),
    ),
    Code(
        "P0417",
        "number that may leave the range of its field",
        "error",
        "A field declares a range, and nothing makes sure that the number lies in it.",
        "Keep it inside with `min` and `max`, or test it first.",
        after("for c in hand(me): set c.charge to c.charge + 1"),
        after("for c in hand(me): set c.charge to min(6, c.charge + 1)"),
    ),
    Code(
        "P0418",
        "draw by chance from nothing",
        "error",
        "Nothing makes sure that there is something to draw from.",
        "There would be no value for the variable. Test first that the list has something in it.",
        after("random k in 1..coin\ngain k point"),
        after("if coin > 0:\n  random k in 1..coin\n  gain k point"),
    ),
    Code(
        "P0419",
        "rules that take too long in any case",
        "error",
        "A loop, or rules that call each other many times, take more steps than the step budget that a match has from "
        "one question to the next.",
        "What is counted is what is done in any case, without the ways that are not always taken; so this could never "
        "come to an end. Write it with fewer passes or calls: what is gained many times can be gained at once.",
        after("repeat 50000 times:\n  repeat 5000 times: gain 1 point"),
        after("gain 50000 * 5000 point"),
    ),
    Code(
        "P0420",
        "number that may be taken for none",
        "error",
        "A number below 0 stands where there may be none, as in `or none`, or in what `first` and `highest` give.",
        "Where a number may be missing, only numbers from 0 on can be told from none. Add something to all of them, or "
        "keep them at 0 or above.",
        after("choose v in {coin - 9, 1} or none\nif v: gain v point"),
        after("choose v in {max(0, coin - 9), 1} or none\nif v: gain v point"),
    ),
    Code(
        "P0485",
        "look ahead of a question",
        "error",
        "`after(rule(..), value)` names a rule that asks a player, or draws by chance.",
        "The rule is carried out on a copy of the position, and nobody answers there. What it asks or draws has to be a\n"
        "parameter of it, so that each answer can be looked at for itself: `any(c in S where after(play(c), ..))`.",
        after("if after(dig(), point > 3): gain 1 nut"),
        after("if any(c in cell where after(claim(c), count(d in cell where d.owner == me) > 3)): gain 1 nut") + _AHEAD,
    ),
    Code(
        "P0486",
        "look ahead with a rule that may be impossible",
        "error",
        "Nothing makes sure that the rule of `after(rule(..), value)` could be carried out.",
        "What is demanded at the beginning of a rule is looked at before the rule is offered or called. Ask for it first:\n"
        "`can(rule(..)) and after(rule(..), ..)`.",
        after("if any(c in shop where after(save(c), coin > 0)): gain 1 nut") + _AHEAD,
        after("if any(c in shop where can(save(c)) and after(save(c), coin > 0)): gain 1 nut") + _AHEAD,
    ),
    Code(
        "P0480",
        "row that no match looks up",
        "warning",
        "A table by `seats` has a row for a number of seats that no match has, or one by an option has a row that the option "
        "cannot be.",
        "It counts for nothing. Another number or another option was meant, or `players` in pack.yaml is wrong.",
        model("constants:\n  hurdle: {type: int, value: {by: seats, 2: 1, 3: 2, 4: 3, 5: 4}}\n" + _HURDLE),
        model("constants:\n  hurdle: {type: int, value: {by: seats, 2: 1, 3: 2, 4: 3}}\n" + _HURDLE),
    ),
    Code(
        "P0487",
        "greatest of what may be nothing",
        "warning",
        "`max` or `min` goes over a list that may be empty, in a pack of language 2.",
        "Of nothing they give 0, which may be more than every number that could have been there. Say that 0 is meant, or\n"
        "what else: `max(..) or 0`.",
        after("gain max(c.number for c in hand(me)) point"),
        after("gain (max(c.number for c in hand(me)) or 0) point"),
    ),
    Code(
        "P0481",
        "trigger that sets itself off",
        "error",
        "A trigger follows a counter that is gained or pieces that are moved, and a rule or another trigger brings that about\n"
        "again when it is carried out.",
        "What the trigger does itself never sets it off. By way of others it would go on without end, or for as long as\n"
        "nobody can see from it.",
        rules("triggers:\n  one: {after: gain nut, do: gain 1 seed}\n  two: {after: gain seed, do: gain 1 nut}\n"),
        rules("triggers:\n  one: {after: gain nut, do: gain 1 seed and 1 nut}\n"),
    ),
    Code(
        "P0482",
        "what cannot be replaced",
        "error",
        "`instead:` of a trigger names a step, or what happens to a counter or to pieces.",
        "A rule is replaced as a whole: what takes its place has its parameters, and goes on with `original(..)`. A step\n"
        "may need variables of the steps before it, and a counter is gained in many ways. Make a rule of it.",
        rules("triggers:\n  one: {instead: gain nut, do: gain 1 seed}\n"),
        rules("triggers:\n  one: {instead: earn, do: gain n seed}\n"),
    ),
    Code(
        "P0483",
        "lasting beside its rule",
        "warning",
        "A field or counter is set back at the end of a rule, and nothing in that rule changes it or looks at it.",
        "What `lasts: turn` is for what a turn changes, or finds set; changed elsewhere, it stays until the next turn ends.\n"
        "Another rule was meant, or it has to be set back where that is said.",
        model("counters:\n  haste: {per: player, lasts: dig, text: Haste}\n") + _HASTE,
        model("counters:\n  haste: {per: player, lasts: earn, text: Haste}\n") + _HASTE,
    ),
    Code(
        "P0484",
        "result that is missing",
        "error",
        "What is done `instead` of a rule returns nothing, and the rule returns a value.",
        "Whoever carries the rule out goes on with its value, whatever took its place. Return one on some way at least:\n"
        "`return original(..)` gives what the rule itself would.",
        rules(_LUCKY + "triggers:\n  one: {instead: lucky, do: gain 1 seed}\n"),
        rules(_LUCKY + "triggers:\n  one: {instead: lucky, do: return original()}\n"),
    ),
)
