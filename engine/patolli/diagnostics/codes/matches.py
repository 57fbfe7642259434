"""P08xx: faults of a match, found while it is played."""

from patolli.diagnostics.codes.code import Code, table
from patolli.diagnostics.codes.examples import after, tried


def _refused(code: str) -> str:
    """Say where rules may still end in a fault that the checker refuses."""
    return (
        f"Rules in which it may happen are refused ({code}). Nothing is proven of a scenario: it may do what no rule "
        "does, or call a rule with what the rules never give it."
    )


CODES = table(
    Code(
        "P0801",
        "too many steps without a question",
        "error",
        "Between two questions the rules took more steps than the step budget, which is more than any game needs. The "
        "place where the last steps were taken is told, and the loop or rule into which most of them went.",
        "A match must come to its next question soon, whatever a pack says: loops inside loops, and lists of all pairs, "
        "soon take millions of steps.",
        after("for a in 1..9000, b in 1..9000 where a != b: gain 1 coin"),
        after("for a in 1..9, b in 1..9 where a != b: gain 1 coin"),
    ),
    Code(
        "P0802",
        "loop without an end",
        "error",
        "A `loop` that asks nothing came by its beginning a hundred thousand times.",
        "Nothing in it ever reaches its `break`. Compare what the condition reads with what the loop changes.",
        after("loop:\n  gain 1 coin\n  if coin < 0: break"),
        after("loop:\n  gain 1 coin\n  if coin > 9: break"),
    ),
    Code(
        "P0803",
        "calls without an end",
        "error",
        "Rules or functions call each other, hundreds of them inside each other, and none has come to its end.",
        "Each call waits for the one inside it, and only so many can wait. What calls itself needs a case in which it does "
        "not; what would end one day, but goes as deep as this, is written as a `loop` or with `connected`.",
        after("grow(1)") + "rules:\n  grow(int n): |\n    gain 1 coin\n    if n > 0: grow(n + 1)\n",
        after("grow(1)") + "rules:\n  grow(int n): |\n    gain 1 coin\n    if n < 9: grow(n + 1)\n",
    ),
    Code(
        "P0804",
        "range that is too long",
        "error",
        "The numbers from one to another are more than a hundred thousand.",
        "A range is a list, and nothing on a table is counted so far. One of its ends is not what was meant.",
        after("for k in 1..coin * 99999999: gain 1 coin"),
        after("for k in 1..min(coin, 9): gain 1 coin"),
    ),
    Code(
        "P0805",
        "number that grew too large",
        "error",
        "A number that was to be stored has more than fifteen digits.",
        "A number that is added to itself again and again doubles each time, and would soon fill the memory.",
        after("repeat 99 times: gain coin + 1 coin"),
        after("repeat 9 times: gain 1 coin"),
    ),
    Code(
        "P0806",
        "too many ways to pay or gain",
        "error",
        "There are more than 2,000 ways to pay a cost or to gain a mix.",
        "Every way is an option of one question. Nobody chooses among thousands: ask for smaller parts one after another.",
        after("gain 1000000000 any good"),
        after("repeat 2 times: gain 1 any good"),
    ),
    Code(
        "P0807",
        "nothing left to choose",
        "error",
        "A question has no answer that is possible.",
        "The checker proves that this does not happen; where it is told all the same, something took the last answer away "
        "between the proof and the question. Please report it with the pack.",
    ),
    Code(
        "P0808",
        "no such item",
        "error",
        "An item, or a spot of a row, was asked for that the list or row does not have. Items count from 0.",
        f"Nothing stands there that could be meant. {_refused('P0415')}",
        tried("gain ladder[coin + 9] coin", "coin: 2"),
        tried("gain ladder[min(coin, 3)] coin", "coin: 2"),
    ),
    Code(
        "P0809",
        "division by zero",
        "error",
        "A number was divided by 0, by `div` or `mod`.",
        f"There is no such number. {_refused('P0414')}",
        tried("gain 6 div coin point", "point: 6", given="set coin to 0"),
        tried("gain 6 div max(coin, 1) point", "point: 6", given="set coin to 0"),
    ),
    Code(
        "P0810",
        "piece that cannot go there",
        "error",
        "A piece was moved to a spot that another one has, or taken from where it is not.",
        f"A spot holds one piece. {_refused('P0416')}",
        tried("move plain_2 to throne", "throne: plain_2", given="move plain_1 to throne"),
        tried("move plain_2 to throne", "throne: plain_2", given="move plain_1 to shop(0)"),
    ),
    Code(
        "P0811",
        "number outside the range of its field",
        "error",
        "A field of a piece was set to a number that its declaration does not allow.",
        f"Who declares a range relies on it. {_refused('P0417')}",
        tried("set plain_1.charge to plain_1.charge + coin", "plain_1.charge: 6", given="set coin to 6"),
        tried("set plain_1.charge to min(6, plain_1.charge + coin)", "plain_1.charge: 6", given="set coin to 6"),
    ),
    Code(
        "P0812",
        "match without an end",
        "error",
        "Bots made ten thousand choices, and the match was not over.",
        "Something that should bring the end nearer is never chosen, or undone again and again. The question that comes "
        "next is told, with the rules that ask it.",
    ),
    Code(
        "P0813",
        "too much memory",
        "error",
        "The rules made lists that the memory of the machine does not hold.",
        "Lists of lists of all pairs grow fast. Count or look for what is wanted instead of collecting all there is.",
    ),
    Code(
        "P0814",
        "invariant that does not hold",
        "error",
        "After a choice, or after the set-up, an invariant that a pack declares did not hold.",
        "Either a rule does what it should not, or the invariant says too much. `patolli simulate` and `play` keep a save "
        "that replays the match up to that choice; a scenario points at its own line.",
        after("gain 1 coin")
        + "invariants:\n  poor: {always: 'all(coin(p) < 2 for p in players)', text: Nobody is rich.}\n",
        after("if coin < 1: gain 1 coin")
        + "invariants:\n  poor: {always: 'all(coin(p) < 9 for p in players)', text: Nobody is rich.}\n",
    ),
    Code(
        "P0815",
        "question to a seat that the rules play",
        "error",
        "Something is asked of an `automated` seat, behind those of the players, and nobody sits there.",
        "At a table the question would stand on the screen of somebody else. Let the rules say what such a seat does, with "
        "an `if` on who acts, or with `instead` for the rule that asks. The smoke run of `patolli test` looks for such "
        "questions.",
    ),
    Code(
        "P0816",
        "narration that is too long",
        "error",
        "Between two answers, or in a whole match, more happens or is said than anybody could read.",
        "What is told is kept for the whole match. Say once what a loop does, in front of it or behind it, or let the rule "
        "be silent with `told: false`.",
        after('say "Counted" 1..90000, 1..90000'),
        after('say "Counted to" 90000, 90000'),
    ),
)
