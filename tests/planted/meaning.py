"""Mistakes in effects: what they say, what is not proven, and what is unlikely to be meant."""

from __future__ import annotations

from planted.planting import Mistake

MEANING = (
    # -- effects
    Mistake(
        "= instead of ==",
        "rules/turn.yaml",
        "if now.phase == arrived:",
        "if now.phase ^= arrived:",
        "P0101",
        "'=='",
    ),
    Mistake(
        "the colon after a condition forgotten",
        "rules/turn.yaml",
        "if number(me) == seats: advance_calendar()",
        "if number(me) == seats ^advance_calendar()",
        "P0101",
        "':'",
    ),
    Mistake(
        "a block that is not indented",
        "rules/turn.yaml",
        "        set now.last_round to false\n",
        "      ^set now.last_round to false\n",
        "P0101",
    ),
    Mistake(
        "a parenthesis left open",
        "rules/power_ups.yaml",
        "for w in take(wheel(me), 1): move",
        "for w in take(wheel(me), 1^: move",
        "P0101",
    ),
    Mistake(
        "the word 'to' forgotten",
        "rules/power_ups.yaml",
        "        set w.power to 1\n",
        "        set w.power ^1\n",
        "P0101",
        "to",
    ),
    Mistake(
        "'get' instead of 'gain'",
        "pieces/bonus.yaml",
        "effect: gain 15 vp",
        "effect: ^get 15 vp",
        "P0101",
        "gain",
    ),
    Mistake(
        "the amount forgotten",
        "pieces/starting.yaml",
        "effect: gain 2 gold; lowest_technology()",
        "effect: gain ^gold; lowest_technology()",
        "P0301",
        "write a number before it, as in '1 gold'",
    ),
    Mistake(
        "a comma instead of 'and'",
        "rules/main_actions.yaml",
        "gain 3 vp and 1 pyramid_track",
        "gain 3 vp^, 1 pyramid_track",
        "P0101",
        "and",
    ),
    Mistake(
        "an 'else' without its 'if'",
        "rules/worship.yaml",
        "      else: do temple.rewards[step]\n  advance_any",
        "      gain 0 vp\n      ^else: do temple.rewards[step]\n  advance_any",
        "P0101",
        "there is no 'if' above this 'else'",
    ),
    # -- proofs
    Mistake(
        "a price behind a change, without a way out",
        "rules/power_ups.yaml",
        '          "5 cocoa": gain 5 cocoa',
        '          "5 cocoa": gain 5 vp; ^pay 5 cocoa',
        "P0401",
    ),
    Mistake(
        "no 'otherwise' for a choice that may be empty",
        "rules/worship.yaml",
        """      choose t in temple where can_advance(t) "Which temple?"
      otherwise: stop
""",
        """      ^choose t in temple where can_advance(t) "Which temple?"
""",
        "P0402",
        "add 'otherwise: ..' below it",
    ),
    Mistake(
        "no 'otherwise' for a menu that may be empty",
        "rules/turn.yaml",
        "        otherwise: set now.phase to resting\n",
        "",
        "P0405",
        "add 'otherwise: ..'",
        seen=("rules/turn.yaml", '      ^choose one "Move a worker":'),
    ),
    Mistake(
        "a loop that nothing leaves",
        "rules/turn.yaml",
        """      loop:
        play_round()
        end_round()
""",
        """      ^loop:
        play_round()
""",
        "P0406",
        "leave it with 'break'",
    ),
    Mistake(
        "copies forgotten",
        "pieces/discovery.yaml",
        "two_resources: {name: Discovery tile of 2 resources, copies: 2, effect",
        "two_resources: {name: Discovery tile of 2 resources, effect",
        "P0410",
        help="raise some 'copies'",
        seen=("pack.yaml", "discovery: ^54"),
    ),
    Mistake(
        "a wrong number in the list of components",
        "pack.yaml",
        "decoration: 15",
        "decoration: ^16",
        "P0410",
        "correct the list",
    ),
    Mistake(
        "a row of a table forgotten",
        "model.yaml",
        "{type: int, value: {by: seats, 2: 10, 3: 11, 4: 12}",
        "{type: int, value: ^{by: seats, 2: 10, 3: 11}",
        "P0413",
    ),
    Mistake(
        "a step of a track forgotten",
        "pieces/temples.yaml",
        "    rewards: [nothing, gain 1 vp, gain 1 vp, gain 2 vp,",
        "    rewards: ^[nothing, gain 1 vp, gain 2 vp,",
        "P0415",
        "make the list longer, up to 12",
    ),
    Mistake(
        "a row of a grid too short",
        "model.yaml",
        "[glyph, glyph, headdress, glyph, statue, serpent, serpent, serpent]",
        "^[glyph, glyph, headdress, glyph, statue, serpent, serpent]",
        "P0415",
        "make the list longer, up to 8",
    ),
    # -- what is unlikely to be meant
    Mistake(
        "a text that was not changed with its effect",
        "pieces/discovery.yaml",
        "effect: gain 4 cocoa, text: Gain 4 cocoa.",
        "effect: gain 5 cocoa, text: Gain ^4 cocoa.",
        "P0440",
    ),
    Mistake(
        "a function that nothing uses any more",
        "rules/main_actions.yaml",
        "gain next_points(row) vp",
        "gain 5 vp",
        "P0432",
        "remove it, or use it",
        seen=("rules/functions.yaml", "  ^next_points(house_row row): {is:"),
    ),
    Mistake(
        "a trigger that sets itself off",
        "pieces/technology.yaml",
        'triggers: [{after: arrive, when: "passes(here, goal, palace)", do: gain 1 cocoa}]',
        'triggers: [^{after: arrive, do: "arrive(here, goal)"}]',
        "P0441",
        "'when' that ends it",
    ),
    Mistake(
        "a waiver of a payment that is called otherwise",
        "rules/anytime.yaml",
        "on: [main_fee, worship_fee]",
        "on: [main_fee, ^worship_fees]",
        "P0444",
        "worship_fee",
    ),
)
