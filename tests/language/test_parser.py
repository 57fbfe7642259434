"""What the grammar takes and what it refuses; trees are written by ``treedump``."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark import Token
from packmaker import Text
from treedump import dump

from patolli.language.syntax import parser
from patolli.language.syntax.parser import parse_cost, parse_effect, parse_expression, parse_signature

EXPRESSIONS = [
    ("1", "1"),
    ("007", "7"),
    ("true", "true"),
    ("none", "none"),
    ("coin", "coin"),
    ("x.a.b", "x.a.b"),
    ("xs[0]", "xs[0]"),
    ("xs[i].y[j]", "xs[i].y[j]"),
    ("f()", "f()"),
    ("f(a, b)", "f(a, b)"),
    ("2 + 3 * 4", "(2 + (3 * 4))"),
    ("(2 + 3) * 4", "((2 + 3) * 4)"),
    ("10 - 3 - 2", "((10 - 3) - 2)"),
    ("7 div 2 mod 3", "((7 div 2) mod 3)"),
    ("divide + model", "(divide + model)"),
    ("-x + 1", "(-x + 1)"),
    ("--x", "--x"),
    ("a < b", "(a < b)"),
    ("1 <= n <= 3", "(1 <= n <= 3)"),
    ("a in xs", "(a in xs)"),
    ("a not in xs", "(a not in xs)"),
    ("not a in xs", "not (a in xs)"),
    ("not a and b", "(not a and b)"),
    ("a or b and c", "(a or (b and c))"),
    ("a if c else b if d else e", "(a if c else (b if d else e))"),
    ("{}", "{}"),
    ("{1, 2}", "{1, 2}"),
    ("0..size(xs) - 1", "0..(size(xs) - 1)"),
    ("x in 1..3", "(x in 1..3)"),
    ("count(x in xs)", "count<x in xs>"),
    ("count(xs)", "count(xs)"),
    ("any(x in xs where x.used)", "any<x in xs | where x.used>"),
    ("all(x.used for x in xs)", "all<x.used | x in xs>"),
    ("sum(x.n for x in xs where x.n > 1)", "sum<x.n | x in xs | where (x.n > 1)>"),
    ("min(1, 2)", "min(1, 2)"),
    ("min(x.n for x in xs)", "min<x.n | x in xs>"),
    ("lowest(x in xs where x.used by x.n)", "lowest<x in xs | where x.used | by x.n>"),
    ("sorted(x in xs by x.n)", "sorted<x in xs | by x.n>"),
    ("[x in xs]", "list<x in xs>"),
    ("[x in xs where x.used]", "list<x in xs | where x.used>"),
    ("[a + b for a in xs, b in ys]", "list<(a + b) | a in xs, b in ys>"),
    (
        "any(line in rows where all(x in line where x.used))",
        "any<line in rows | where all<x in line | where x.used>>",
    ),
    ("a +\n  b", None),  # a line ends an expression, except inside brackets
    ("(a +\n  b)", "(a + b)"),
]

EFFECTS = [
    ("gain 1 coin", "[gain([1 coin])]"),
    ("gain 2 seed and 1 nut", "[gain([2 seed; 1 nut])]"),
    ("gain 2 any good", "[gain([2 any good])]"),
    ("gain 1 pips(t) for p", "[gain([1 pips[t]], p)]"),
    ("gain a + 1 coin", "[gain([(a + 1) coin])]"),
    ("gain card.cost", "[gain([card.cost])]"),
    ("lose 3 point for p", "[gain([3 point], p, true)]"),
    ("pay 1 coin and n seed as fee", "[pay([1 coin; n seed], 'fee')]"),
    ("pay 1 coin: gain 2 point", "[pay([1 coin]); gain([2 point])]"),
    ("set x.used to true", "[setto(x.used, true)]"),
    ("set coin(p) to n + 1", "[setto(coin(p), (n + 1))]"),
    ("move x to hand(me)", "[move(x, hand(me))]"),
    ("move x to deck bottom", "[move(x, deck, true)]"),
    ("swap x with y", "[swap(x, y)]"),
    ("shuffle deck", "[shuffle(deck)]"),
    ("draw 2 from deck to hand(p)", "[draw(2, deck, hand(p))]"),
    ("refill shop from deck", "[refill(shop, deck)]"),
    ("slide shop", "[slide(shop)]"),
    ("random x in 1..6", "[random('x', 1..6)]"),
    ("let x = 1", "[let('x', 1)]"),
    ("earn(1)", "[callrule(earn(1))]"),
    ("earn()", "[callrule(earn())]"),
    ("do it.rewards[1]", "[do(it.rewards[1])]"),
    ("return n + 1", "[return((n + 1))]"),
    ("stop", "[return()]"),
    ("stop if a", "[stop(if a)]"),
    ("stop unless a", "[stop(unless a)]"),
    ("end match", "[endmatch()]"),
    ("pass to p", "[passto(p)]"),
    ("require a", "[require(a)]"),
    ('pause "done"', "[pause('done')]"),
    ("gain 1 coin; nothing", "[gain([1 coin]); nothing()]"),
    ("gain 1 coin;", "[gain([1 coin])]"),
    ("if a: nothing", "[if(a, [nothing()])]"),
    ("if a: nothing\nelif b: stop\nelse: break", "[if(a, [nothing()], [if(b, [return()], [break()])])]"),
    ("if a:\n  if b: stop\n  else: break", "[if(a, [if(b, [return()], [break()])])]"),
    ("if a:\n  nothing\n  stop\nbreak", "[if(a, [nothing(); return()]); break()]"),
    ("stop if a; if b: nothing; stop", "[stop(if a); if(b, [nothing(); return()])]"),
    ("for x in xs where x.used: nothing", "[for([x in xs], x.used, [nothing()])]"),
    ("for x in xs, y in ys: nothing", "[for([x in xs; y in ys], [nothing()])]"),
    ("for x in xs in any order: nothing", "[for([x in xs], true, [nothing()])]"),
    ('for x in xs in any order "Next?": nothing', "[for([x in xs], true, 'Next?', [nothing()])]"),
    ("repeat 3 times: nothing", "[repeat(3, [nothing()])]"),
    ("loop: break", "[loop([break()])]"),
    ("as p: nothing", "[as(p, [nothing()])]"),
    ('choose x in xs where x.used "Which?"', "[choose([x in xs], x.used, 'Which?')]"),
    ("choose x in xs, y in ys where x != y", "[choose([x in xs; y in ys], (x != y))]"),
    ('choose x in xs or none "Which?"', "[choose([x in xs], 'none', 'Which?')]"),
    ('choose x in xs or "skip" "Which?"', "[choose([x in xs], 'skip', 'Which?')]"),
    ("choose x in xs\notherwise: stop", "[choose([x in xs], [return()])]"),
    (
        'choose one:\n  "a": nothing\n  "b" when c: stop',
        "[menu([option('a', [nothing()]); option('b', c, [return()])])]",
    ),
    (
        'choose one "What?":\n  for x in xs where x.used "use": nothing\n  otherwise: break',
        "[menu('What?', [option('use', x.used, [x in xs], [nothing()])], [break()])]",
    ),
    ('may "go": nothing', "[menu([option('go', [nothing()]); option('no')], true)]"),
    ('up to 3 times "more": nothing', "[upto(3, 'more', [nothing()])]"),
    ("up to n - 1 times: nothing", "[upto((n - 1), [nothing()])]"),
    ("simultaneously for p in players: nothing", "[simultaneously(p in players, [nothing()])]"),
    ("# only a comment\nnothing # behind", "[nothing()]"),
    ("\nnothing\n\n\nstop\n", "[nothing(); return()]"),
]

COSTS = [
    ("1 coin", "cost([1 coin])"),
    ("2 coin and 1 any good", "cost([2 coin; 1 any good])"),
    ("n + 1 coin", "cost([(n + 1) coin])"),
    ("x.cost", "cost([x.cost])"),
]


@pytest.mark.parametrize(("text", "tree"), [case for case in EXPRESSIONS if case[1]])
def test_expression(text, tree):
    found, problems = parse_expression(Text(text))

    assert problems == []
    assert dump(found) == tree


@pytest.mark.parametrize(("text", "tree"), EFFECTS)
def test_effect(text, tree):
    found, problems = parse_effect(Text(text))

    assert problems == []
    assert dump(found) == tree


@pytest.mark.parametrize(("text", "tree"), COSTS)
def test_cost(text, tree):
    found, problems = parse_cost(Text(text))

    assert problems == []
    assert dump(found) == tree


VALUE = "a value is missing"
NO_EXPRESSION = [
    ("", 1, 1, VALUE),
    ("2 +", 1, 3, VALUE),
    ("2 + * 3", 1, 5, VALUE),
    ("(2", 1, 2, "expected ')'"),
    ("2)", 1, 2, ""),
    ("xs[1", 1, 4, "expected ']'"),
    ("{1, 2", 1, 5, "expected '}' or ','"),
    ("a = b", 1, 3, "to compare, write '=='; to name a value, write 'let x = ...'"),
    ("1 < 2 <", 1, 7, VALUE),
    ("a if c", 1, 6, "expected 'else'"),
    ("f(a,", 1, 4, VALUE),
    ("f(,a)", 1, 3, VALUE),
    ("1 2", 1, 3, ""),
    ("1.5", 1, 1, "there are only whole numbers"),
    ("x.", 1, 2, "expected a name"),
    ("a +\n  b", 1, 3, VALUE),
    ("Coin > 3", 1, 1, "names are written in small letters: 'coin'"),
    ("a & b", 1, 3, "write 'and'"),
    ("a / b", 1, 3, "whole numbers are divided with 'div'"),
    ("a % b", 1, 3, "the rest of a division is 'mod'"),
    ("'x'", 1, 1, 'write labels in double quotes: "label"'),
    ("!a", 1, 1, "write 'not'"),
    ("a && b", 1, 3, "write 'and'"),
    ("a || b", 1, 3, "write 'or'"),
    ("a === b", 1, 3, "write '=='"),
    ("a <> b", 1, 3, "write '!='"),
    ("a =< b", 1, 3, "write '<='"),
    ("a ** b", 1, 3, "write it as a product: a * a"),
    ("a // b", 1, 3, "whole numbers are divided with 'div'; a comment begins with '#'"),
    ("a ? b : c", 1, 3, "write 'a if condition else b'"),
    ("a is none", 1, 3, "write '=='"),
    ("a is not none", 1, 3, "write '!='"),
    ("a between 1 and 3", 1, 3, "write '1 <= x <= 3', or 'x in 1..3'"),
    ('a == "3"', 1, 6, "a text in quotes is not a value; write names and numbers without quotes"),
    ("True", 1, 1, "did you mean 'true'?"),
    ("a != None", 1, 6, "did you mean 'none'?"),
    ("topCard", 1, 1, "names are written in small letters: 'top_card'"),
    ("f(player 2)", 1, 10, "names contain no blank; if a name is meant, write 'player_2'"),
    ("a – b", 1, 3, "write a plain -"),  # noqa: RUF001
    ("a ≥ b", 1, 3, "write a plain >="),
    ("a × b", 1, 3, "write a plain *"),  # noqa: RUF001
    ("a\u00a0+ b", 1, 2, "write a plain blank"),
    ("a\u200b + b", 1, 2, "delete it; it cannot be seen"),
    ("f（a)", 1, 2, "write a plain ("),  # noqa: RUF001
    ("３", 1, 1, "write a plain 3"),  # noqa: RUF001
    ("st\u043ene", 1, 3, "this is the cyrillic small letter o; type a plain 'o'"),
    ("café", 1, 4, "names are written with the letters a to z, digits and _"),
    ("count(x where y)", 1, 7, "write it as 'count(x in xs where ...)'"),
    ("[x where y]", 1, 2, "write it as '[x in xs where ...]'"),
]

NO_EFFECT = [
    ("gain", 1, 4, VALUE),
    ("gian 1 coin", 1, 1, "did you mean 'gain'?"),
    ("nothing\ngian 1 coin", 2, 1, "did you mean 'gain'?"),
    ("gain 1 coin and", 1, 15, VALUE),
    ("return 1 iff coin > 3", 1, 10, "did you mean 'if'?"),
    ("gain 1 coin & 2 seed", 1, 13, "write 'and'"),
    ("set coin = 3", 1, 10, "expected 'to'"),
    ("set coin", 1, 8, "expected 'to'"),
    ("move x hand", 1, 8, "expected 'to'"),
    ("let x 1", 1, 7, "expected '='"),
    ("let 3 = x", 1, 5, "expected a name"),
    ("x = 3", 1, 3, "write 'set x to ..' to change it, or 'let x = ..' for a new name"),
    ("random x", 1, 8, "expected 'in'"),
    ("if a", 1, 4, "expected ':'"),
    ("if a:", 1, 5, "expected an indented block"),
    ("if a:\nnothing", 2, 1, "expected an indented block"),
    ("if a: nothing else: stop", 1, 15, "'else' comes at the beginning of a line"),
    ("else: stop", 1, 5, "there is no 'if' above this 'else', at the same depth"),
    ("nothing\n  stop", 2, 3, "a block follows ':'"),
    ("if a:\n    nothing\n  stop", 3, 1, "the blocks around it are indented by 0 or more"),
    ("otherwise: stop", 1, 1, "put it right below a 'choose'"),
    ("gain 1 coin\notherwise: stop", 2, 1, "put it right below a 'choose'"),
    ("for x: nothing", 1, 6, "expected 'in'"),
    ("repeat 3: nothing", 1, 9, "expected 'times'"),
    ("may: nothing", 1, 4, "expected a label in double quotes"),
    ("pause done", 1, 7, "expected a label in double quotes"),
    ('choose one:\n  "a" nothing', 2, 7, "expected ':'"),
    ("stop when a", 1, 6, "expected 'if' or 'unless'"),
    ("end", 1, 3, "expected 'match'"),
    ("earn", 1, 1, "did you mean 'gain'?"),
    ("stop.", 1, 5, "delete it: an effect ends with its line, or at ';'"),
    ("stop,", 1, 5, "delete it: an effect ends with its line, or at ';'"),
    ("exit", 1, 1, "did you mean 'stop'?"),
    ("if a: pass", 1, 7, "did you mean 'nothing'?"),
    ("loop:\n  continue", 2, 3, "put what is to be left out under an 'if'"),
    ('print("a")', 1, 1, "did you mean 'say'?"),
    ("coin += 1", 1, 6, "write 'gain 1 coin', 'lose 1 coin' or 'set coin to ..'"),
    ("coin(p) -= 1", 1, 9, "write 'gain 1 coin', 'lose 1 coin' or 'set coin to ..'"),
    ("coin++", 1, 5, "write 'gain 1 coin', 'lose 1 coin' or 'set coin to ..'"),
    ("let x := 1", 1, 7, "a value gets its name with one '='"),
    ("let x == 1", 1, 7, "a value gets its name with one '='"),
    ("stop -- here", 1, 6, "a comment begins with '#'"),
    ("if a: stop\nelse if b: stop", 2, 1, "write 'elif'"),
    ("gain coin 2", 1, 6, "the number comes first: '2 coin'"),
    ("gain 1 coin + 2 seed", 1, 13, "amounts are joined by 'and'"),
    ("gain 2.5 coin", 1, 6, "there are only whole numbers"),
    ("sow-seeds()", 1, 1, "the words of a name are joined by '_': 'sow_seeds'"),
    ("hand.add(x)", 1, 5, "an effect is the call of a rule, or begins with a word such as 'gain', 'set' or 'move'"),
    ("choose one Which?:", 1, 12, 'a menu is written: choose one "question":'),
    ('choose one of "Which?":', 1, 12, 'a menu is written: choose one "question":'),
    ('choose one:\n  "a": stop\n"b": stop', 3, 1, "write the lines of a menu below 'choose one:', and indent them"),
    ('choose one:\n  "a: stop', 2, 3, "the closing quote is missing"),
    ("choose one:\n  “a”: stop", 2, 3, 'write a plain "'),
    ("sow", 1, 3, "to call the rule, write 'sow()'"),
    ("gain 1 coin if a > 2", 1, 13, "a condition comes first: 'if ..: gain 1 coin'"),
    ("gain 1 coin unless a", 1, 13, "a condition comes first: 'if not ..: gain 1 coin'"),
    ("gain a or 1 coin", 1, 8, "put brackets around the amount"),
    ("gain 1 if a else 2 coin", 1, 8, "put brackets around the amount"),
    ("repeat 7 if a else 5 times: b()", 1, 10, "put brackets around the amount"),
    ("repeat n or 1 times: b()", 1, 10, "put brackets around the amount"),
    ("draw 2 if a else 1 from deck to hand", 1, 8, "put brackets around the amount"),
    ("if a: draw 2 if b else 1 from deck to hand", 1, 14, "put brackets around the amount"),
    ('up to 2 if a else 3 times "x": b()', 1, 9, "put brackets around the amount"),
    ("choose 2 if a else 3 of c in hand", 1, 10, "put brackets around the amount"),
    ("choose 0 to 2 if a else 3 of c in hand", 1, 15, "put brackets around the amount"),
    (
        "pay 1 clay or grain: stop",
        1,
        12,
        "one of several is chosen with 'choose one:', and a line for each below it; "
        "'pay 1 any ..' takes what is in a group",
    ),
    ('choose "A or B":\n  "a": stop', 1, 8, 'a menu is written: choose one "A or B":'),
    ('choose one:\n  "a": stop\n  else: stop', 3, 3, "write 'otherwise'"),
    ('choose one:\n  "a":\n    stop\n  else: stop', 4, 3, "write 'otherwise'"),
    ('choose one:\n  "a" if b: stop', 2, 7, "a line of a menu has its condition after 'when'"),
    ("end turn", 1, 5, "'stop' ends this rule, and with it what it does of a turn; 'end match' ends the match"),
    ("end game", 1, 5, "did you mean 'match'?"),
    ("roll 1d6", 1, 6, "chance is an effect that gives a name: 'random x in 1..6'"),
    ("players gain 1 coin", 1, 9, "for each player, one after the other: 'for p in players: as p: gain ..'"),
    ("each player gains 1 coin", 1, 6, "for each player, one after the other: 'for p in players: as p: gain ..'"),
    (
        "gain 1 coin for all players",
        1,
        21,
        "for each player, one after the other: 'for p in players: gain 1 coin for p'",
    ),
    ("next(me) gains 1 coin", 1, 10, "name the player at the end: 'gain .. for next(me)'"),
    ("me pays 1 coin: stop", 1, 4, "the acting player is meant if no other is named: 'pay ..'"),
    (
        "give 1 coin to next(me)",
        1,
        6,
        "say both halves: 'lose 1 coin' and 'gain 1 coin for ..'; a piece goes with 'move x to ..'",
    ),
    ("b.holder = me", 1, 2, "write 'set b.holder to ..'"),
    ('choose 2 of c in hand "Which?" as xs', 1, 23, "'as xs' comes before the question: '.. as xs \"..\"'"),
    ('choose c in hand "Which?" where a', 1, 27, "'where' comes before the question"),
    ("choose a player", 1, 10, "a choice gives a name to what is chosen: 'choose x in .. \"Which?\"'"),
    ("choose c from hand(me)", 1, 10, "write 'choose c in ..'"),
    ("for each p in players: stop", 1, 10, "write 'for p in ..'"),
    ("move 2 cards from deck to hand", 1, 8, "write 'draw 2 from .. to ..' for the top of a pile"),
    ("move x from deck to hand", 1, 8, "each piece is in one place: 'move x to ..', without 'from'"),
    ("draw 2 cards from deck to hand", 1, 8, "write 'draw 2 from ..'"),
    ("gain 1 coin to next(me)", 1, 13, "write 'gain .. for next(me)'"),
    ("pay 2 coin to next(me)", 1, 12, "no player gets what is paid: add 'gain .. for ..' with the other one"),
    ("random x in 1 to 6", 1, 15, "a range is written 1..6"),
    ("for i in 1...3: stop", 1, 13, "a range has two dots: 1..3"),
    ('say "coins" + coin', 1, 13, 'values come after the text: say ".." a, b'),
    ('choose one "?":\n  - "a": stop', 2, 3, "a line of a menu begins with its label, without '-'"),
    ("repeat until a == 3: b()", 1, 14, "write 'loop:', and in it 'if ..: break'"),
    ("if a:\n  stop\nend if", 3, 5, "a block ends with its indentation: delete this"),
    ("unless a > 2: stop", 1, 1, "did you mean 'if not'?"),
    ("call sow()", 1, 1, "a rule is carried out by its name alone: 'name(..)'"),
    ("gain p.best(2) coin", 1, 12, "a function takes everything in brackets: 'best(p, ..)'"),
]


@pytest.mark.parametrize(("text", "line", "column", "help_"), NO_EXPRESSION)
def test_expression_is_refused(text, line, column, help_):
    _, problems = parse_expression(Text(text))

    assert [(p.code, p.span.line, p.span.column, p.help) for p in problems] == [("P0101", line, column, help_)]


@pytest.mark.parametrize(("text", "line", "column", "help_"), NO_EFFECT)
def test_effect_is_refused(text, line, column, help_):
    _, problems = parse_effect(Text(text))

    assert [(p.code, p.span.line, p.span.column, p.help) for p in problems] == [("P0101", line, column, help_)]


@pytest.mark.parametrize(
    ("text", "name", "parameters"),
    [
        ("f", "f", []),
        ("f()", "f", []),
        ("f(card)", "f", [("card", "card")]),
        ("f( card c , int n )", "f", [("card", "c"), ("int", "n")]),
        ("f(list of card cs)", "f", [("list of card", "cs")]),
        ("f(card? c)", "f", [("card?", "c")]),
    ],
)
def test_signature(text, name, parameters):
    found, problems = parse_signature(Text(text))

    assert problems == []
    assert (found.name, [(p.type, p.name) for p in found.parameters]) == (name, parameters)
    assert all(text[p.start :].startswith(p.type) for p in found.parameters)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("", 1),
        ("(card)", 1),
        ("f(card", 1),
        ("F(card)", 1),
        ("f(card,)", 8),
        ("f(card c d)", 3),
        ("f(a, 3)", 5),
    ],
)
def test_signature_is_refused(text, column):
    _, problems = parse_signature(Text(text))

    assert [(p.code, p.span.column) for p in problems] == [("P0102", column)]


def test_places_count_from_the_text_of_the_author():
    block, _ = parse_effect(Text("  if a:\n    gain 1 coin\n    set x.used to true"))
    then = block[0].then

    assert [(e.span.line, e.span.column) for e in then] == [(2, 5), (3, 5)]
    assert (then[1].target.span.column, then[1].target.span.end_column) == (9, 15)
    assert then[1].value.span.column == 19


def test_equality_ignores_places():
    (left, _), (right, _) = parse_expression(Text("a  +  1")), parse_expression(Text("a + 1"))

    assert left == right


@pytest.mark.parametrize("digits", [16, 400, 5000])
def test_a_number_has_fifteen_digits_at_most(digits):
    """Counters hold no larger ones, and whole numbers of the native engine end soon after."""
    assert parse_expression(Text("9" * 15))[1] == []

    _, (problem,) = parse_expression(Text("1 + " + "9" * digits))

    assert (problem.code, problem.message, problem.span.column) == ("P0101", "this number is too large", 5)
    assert problem.help == "write one of 15 digits at most"


@given(st.text(alphabet='abnx01 ().,:;=<>+-*{}[]"\n#', max_size=40))
def test_no_text_breaks_the_parser(text):
    for parse in (parse_effect, parse_expression, parse_cost, parse_signature):
        found, problems = parse(Text(text))
        assert found is not None or problems
        for problem in problems:
            assert problem.message
            assert problem.span.line >= 1


@given(
    st.lists(
        st.sampled_from(
            'gain 1 coin ; if a : \n   choose x in xs otherwise stop for ( ) one "l" and any up to times'.split(" ")
        ),
        max_size=25,
    )
)
def test_no_row_of_words_breaks_the_parser(words):
    found, problems = parse_effect(Text(" ".join(words)))

    assert found is not None or problems


@pytest.mark.parametrize("depth", [60, 2000])
def test_deep_nesting_is_a_problem_or_a_tree(depth):
    found, problems = parse_expression(Text("(" * depth + "1" + ")" * depth))

    assert found is not None or problems


def test_threads_do_not_share_open_brackets():
    """Two threads load packs: while one is inside brackets, the other parses a text of its own."""
    blocks = parser._grammar(3).options.postlex
    tokens = [Token("LSQB", "["), Token("RSQB", "]")]
    one = blocks.process(iter(tokens))
    assert [next(one), next(one)] == tokens
    two = blocks.process(iter(tokens))

    assert list(one) == []
    assert list(two) == tokens
