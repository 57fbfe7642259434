"""P06xx: scenarios that went another way than they say, or cannot be played."""

from patolli.diagnostics.codes.code import Code, table

_HEAD = "document: scenarios\nscenarios:\n"

CODES = table(
    Code(
        "P0601",
        "condition does not hold",
        "error",
        "A condition under `then` is not true at the end of a scenario; both sides of a comparison are shown.",
        "Either the content is wrong or the scenario is; the source that it names decides.",
        _HEAD + "  work: {given: set coin to 1, call: gain 1 coin, then: [coin == 3]}\n",
        _HEAD + "  work: {given: set coin to 1, call: gain 1 coin, then: [coin == 2]}\n",
    ),
    Code(
        "P0602",
        "another value",
        "error",
        "An expression under `then` has another value at the end of a scenario than the one beside it.",
        "Either the content is wrong or the scenario is. `patolli test --update` writes the value that was found.",
        _HEAD + "  work: {call: gain 1 coin, then: {coin: 3}}\n",
        _HEAD + "  work: {call: gain 1 coin, then: {coin: 1}}\n",
    ),
    Code(
        "P0603",
        "answer that is not offered",
        "error",
        "A scenario answers a question with a label that is none of the options.",
        "Labels are compared as they are shown to players. An answer that was the only one is accepted, too.",
    ),
    Code(
        "P0604",
        "other options, or somebody else",
        "error",
        "At some point of a scenario other options are offered than it says, or another player is asked.",
        "The options are the rules as the players see them.",
    ),
    Code(
        "P0605",
        "question left open, or none",
        "error",
        "A scenario ends while somebody is asked, or it goes on answering when nobody is asked any more.",
        "What is judged in the middle of a question is mostly not what was meant. Answer the "
        "question, or expect it with"
        "`pending`.",
    ),
    Code(
        "P0606",
        "call that is impossible",
        "error",
        "A scenario calls a rule whose beginning is not possible: a `require` does not hold, "
        "something cannot be paid, or"
        "there is nothing to choose.",
        "In a match the rule would not be offered. To test just that, write `not can(rule(..))` under `then`.",
    ),
    Code(
        "P0607",
        "another result",
        "error",
        "The match is over, or it is not, or scores and winners are others than a scenario expects.",
        "Either the content is wrong or the scenario is.",
    ),
    Code(
        "P0608",
        "scenario that could not go on",
        "error",
        "The rules failed while a scenario was played; the places of the rules that were running are listed.",
        "This would stop a real match, too. A scenario that expects it says so with `fails`.",
    ),
    Code(
        "P0609",
        "fault that did not happen",
        "error",
        "A scenario says that the rules fail, and they did not.",
        "The fault was mended, or the scenario does not reach it.",
    ),
    Code(
        "P0610",
        "question while things are given",
        "error",
        "An effect under `given` asks a player.",
        "What is given is the state before anybody acts. Set the counters and move the pieces directly.",
        _HEAD + "  work: {given: gain 2 any good, call: gain 1 coin, then: {coin: 1}}\n",
        _HEAD + "  work: {given: gain 2 nut, call: gain 1 coin, then: {coin: 1}}\n",
    ),
    Code(
        "P0611",
        "player who does not take part",
        "error",
        "A scenario names a player beyond its number of players, or it has more or fewer than the game allows.",
        "Without `players` a scenario has the least number of players of the pack.",
        _HEAD + "  work: {players: 2, call: gain 1 coin for player_3, then: {coin: 0}}\n",
        _HEAD + "  work: {players: 3, call: gain 1 coin for player_3, then: {coin: 0}}\n",
    ),
    Code(
        "P0612",
        "scenario that checks nothing",
        "error",
        "A scenario has no `then` and no other expectation.",
        "It could only fail by a fault of the rules. Say what holds afterwards.",
        _HEAD + "  work: {call: gain 1 coin}\n",
        _HEAD + "  work: {call: gain 1 coin, then: {coin: 1}}\n",
    ),
    Code(
        "P0613",
        "scenario that asks for what is not there",
        "error",
        "A scenario names a module, an option, or a value of an option that does not exist, or modules that do not go "
        "together.",
        "`patolli pack list` tells which modules are installed, `patolli show PACK` which options there are.",
        _HEAD + "  work: {with: [no_such_module], call: gain 1 coin, then: {coin: 1}}\n",
        _HEAD + "  work: {call: gain 1 coin, then: {coin: 1}}\n",
    ),
    Code(
        "P0614",
        "change that no scenario notices",
        "warning",
        "`patolli test --mutate` changed one place of the rules, and all scenarios passed as before.",
        "What no scenario holds may be changed by mistake. Write a scenario that tells the two apart, or, where nothing "
        "can, say why: `# patolli: allow P0614 reason` means the first such place in its lines.",
    ),
)
