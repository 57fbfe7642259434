"""What a module causes in a required pack is reported where the module says it, for every code that can be caused so."""

from __future__ import annotations

from pathlib import Path

import pytest
from examples import module
from packmaker import SAMPLE, spliced
from tiers import few

from patolli.author.workspace import inspect
from patolli.language.diagnostics.codes import CODES

BELOW = """\
# more.yaml
document: rules
functions:
  half(int n): n div parts
  yes: true
rules:
  helper: gain 1 nut
  tested: {do: nothing, text: Gain nothing.}
triggers:
  always: {after: dig, do: "tested(); helper(); gain half(4) seed"}
# more_model.yaml
document: model
constants:
  parts: {type: int, value: 2}
"""


def below(do: str, more: str = "") -> str:
    """Write more of the base: a rule `tested` that does something, and documents."""
    lines = "".join(f"      {line}\n" for line in do.splitlines())
    return BELOW.replace("  tested: {do: nothing, text: Gain nothing.}\n", f"  tested:\n    do: |\n{lines}") + more


def change(*operations: str, more: str = "", manifest: str = "") -> str:
    """Write a module with changes; `@` before one marks that it is the cause."""
    listed = "".join(f"  - {one.lstrip('@')}\n" for one in operations)
    return (
        module("extra", '{sample: ">=1.0"}', manifest)
        + f"# extra/change.yaml\ndocument: patch\nchange:\n{listed}{more}"
    )


PANEL = (
    "# p.yaml\ndocument: panels\npanels:\n  wealth: {shows: table, rows: [gem]}\n"
    "# g.yaml\ndocument: model\ncounters:\n  gem: {per: player}\n"
)
NEW = (Path(SAMPLE) / "pack.yaml").read_text("utf-8").replace("language: 2", "language: 3")
HARMLESS = "{after: rules/earn, do: gain 1 seed}"
"""A change that has nothing to do with it."""

CAUSES = {
    "P0481": (
        below("nothing", "# d.yaml\ndocument: rules\ntriggers:\n  fed: {after: gain nut, do: helper()}\n").replace("helper: gain 1 nut", "helper: nothing"),
        change(HARMLESS, "{instead: rules/helper, do: more_nuts()}", more="# extra/r.yaml\ndocument: rules\nrules:\n  more_nuts(): gain 1 nut\n"),
        "rules/helper",
    ),
    "P0485": (
        below("if after(helper(), nut > 3): gain 1 point"),
        change(HARMLESS, "{instead: rules/helper, do: choose c in hand(me) or none}"),
        "rules/helper",
    ),
    "P0486": (
        below("if after(helper(), nut > 3): gain 1 point"),
        change(HARMLESS, "{instead: rules/helper, do: require coin > 9}"),
        "rules/helper",
    ),
    "P0487": (
        below("gain max(n for n in numbers()) point", "# d.yaml\ndocument: rules\nfunctions:\n  numbers(): \"{1, 2}\"\n"),
        change(HARMLESS, "{replace: functions/numbers, with: '[n in {1, 2} where n > coin]'}"),
        "functions/numbers",
    ),
    "P0201": ("", change(HARMLESS, "remove: counters/nut"), "counters/nut"),
    "P0202": ("", change(HARMLESS, "remove: counters/nut/per"), "counters/nut/per"),
    "P0203": (
        below("for hits in 1..2: gain hits nut"),
        change(HARMLESS, "{after: rules/dig, do: gain 1 hits}", more="# extra/m.yaml\ndocument: model\ncounters:\n  hits: {per: player}\n"),
        "hits",
    ),
    "P0204": ("", change(HARMLESS, "remove: kinds/card/facts/number"), "kinds/card/facts/number"),
    "P0205": ("", change(HARMLESS, "remove: kinds/charm/active"), "kinds/charm/active"),
    "P0206": (
        "# grid.yaml\ndocument: model\ngrids:\n  board: {rows: 1, columns: 2, prefix: b_, facts: "
        "{worth: {type: int, map: [aa], legend: {a: 3}}}}\n",
        change(HARMLESS, "{replace: grids/board/columns, with: 3}"),
        "grids/board/columns",
    ),
    "P0301": (
        "",
        change(HARMLESS, "{replace: constants/ladder, with: {type: int, value: 3}}"),
        "constants/ladder",
    ),
    "P0302": ("", change(HARMLESS, "remove: places/hand/per"), "places/hand/per"),
    "P0303": (
        "",
        change(HARMLESS, "{replace: kinds/card/facts/number, with: int or none}"),
        "kinds/card/facts/number",
    ),
    "P0304": (
        "",
        change(HARMLESS, "remove: functions/price", more="# extra/m.yaml\ndocument: rules\nrules:\n  price(card): gain card.number nut\n"),
        "functions/price",
    ),
    "P0305": (
        below("gain second(1) nut", "# f.yaml\ndocument: rules\nfunctions:\n  first_of(int n): 1\n  second(int n): first_of(n)\n"),
        change(HARMLESS, "{adjust: functions/first_of, value: second(n)}"),
        "functions/first_of",
    ),
    "P0306": (
        below("set round to 1"),
        change(HARMLESS, "remove: counters/round", more="# extra/m.yaml\ndocument: model\nconstants:\n  round: {type: int, value: 1}\n"),
        "round: {type: int",
    ),
    "P0307": ("", change(HARMLESS, "{replace: places/bag/type, with: spot}"), "places/bag/type"),
    "P0401": (
        below("gain 2 coin\nhelper()\npay 2 coin"),
        change(HARMLESS, "{instead: rules/helper, do: set coin to 0}"),
        "rules/helper",
    ),
    "P0402": (
        below("if size(shop) > 0:\n  helper()\n  choose c in shop\n  move c to hand(me)"),
        change(HARMLESS, "{instead: rules/helper, do: 'for c in shop: move c to hand(me)'}"),
        "rules/helper",
    ),
    "P0403": (
        below("helper()\nrequire coin > 2\ngain 1 nut").replace("helper: gain 1 nut", "helper: nothing").replace("after: dig, do:", "after: dig, when: coin > 2, do:"),
        change(HARMLESS, "{instead: rules/helper, do: gain 1 seed}"),
        "rules/helper",
    ),
    "P0404": (below("helper()"), change(HARMLESS, "{before: rules/earn, do: gain 1 seed}", "{instead: rules/helper, do: require coin > 9}"), "rules/helper"),
    "P0405": (
        below('gain 1 nut\nchoose one "What?":\n  "help": helper()'),
        change(HARMLESS, "{instead: rules/helper, do: require coin > 9}"),
        "rules/helper",
    ),
    "P0406": (
        below("loop: helper()").replace("helper: gain 1 nut", "helper: end match"),
        change(HARMLESS, "{instead: rules/helper, do: gain 1 seed}"),
        "rules/helper",
    ),
    "P0407": (
        below("simultaneously for p in players: helper()").replace("helper: gain 1 nut", "helper: nothing"),
        change(HARMLESS, "{instead: rules/helper, do: gain 1 seed}"),
        "gain 1 seed",
    ),
    "P0408": (
        below("nothing", "# d.yaml\ndocument: rules\ndiscounts:\n  voucher: {on: purchase, less: 1 of coin, do: helper()}\n"),
        change(HARMLESS, "{instead: rules/helper, do: choose c in hand(me) or none}"),
        "rules/helper",
    ),
    "P0409": (
        below("nothing", "# d.yaml\ndocument: rules\ntriggers:\n  early: {before: buy, do: helper()}\n").replace(
            "helper: gain 1 nut", "helper: nothing"
        ),
        change(HARMLESS, "{instead: rules/helper, do: set coin to 0}"),
        "rules/helper",
    ),
    "P0410": ("", change(HARMLESS, "remove: pieces/rich"), "pieces/rich"),
    "P0411": (
        below("gain 1 gem\ngain gem nut", "# d.yaml\ndocument: model\ncounters:\n  gem: {per: player, max: top_gem}\nconstants:\n  top_gem: {type: int, value: 3}\n"),
        change(HARMLESS, "remove: constants/top_gem", more="# extra/m.yaml\ndocument: model\ncounters:\n  top_gem: {start: 3}\n"),
        "constants/top_gem",
    ),
    "P0412": (
        below(
            "if head: move head to box",
            "# d.yaml\ndocument: model\nkinds:\n  crown: {}\nplaces:\n  head: {of: crown, type: spot}\n"
            "# e.yaml\ndocument: pieces\nkind: crown\nplace: head\npieces:\n  bright: {copies: 1}\n",
        ),
        change(HARMLESS, "{replace: pieces/bright/copies, with: 2}"),
        "pieces/bright/copies",
    ),
    "P0413": (
        below("gain share nut", "# d.yaml\ndocument: model\nconstants:\n  share: {type: int, value: {by: seats, 2: 1, 3: 1, 4: 2}}\n"),
        change(HARMLESS, manifest="players: {min: 2, max: 5}\n"),
        "players",
    ),
    "P0414": (BELOW, change(HARMLESS, "{replace: constants/parts/value, with: 0}"), "constants/parts/value"),
    "P0415": (
        "",
        change(HARMLESS, "{replace: constants/ladder/value, with: [0, 1]}"),
        "constants/ladder/value",
    ),
    "P0416": (
        below("if deck and not throne:\n  helper()\n  if deck: move top(deck) to throne"),
        change(HARMLESS, "{instead: rules/helper, do: 'if deck and not throne: move top(deck) to throne'}"),
        "rules/helper",
    ),
    "P0417": (
        below("for c in hand(me): set c.charge to parts"),
        change(HARMLESS, "{replace: constants/parts/value, with: 9}"),
        "constants/parts/value",
    ),
    "P0418": (
        below("random k in 1..parts\ngain k nut"),
        change(HARMLESS, "{replace: constants/parts/value, with: 0}"),
        "constants/parts/value",
    ),
    "P0419": (
        below("repeat parts times: repeat parts times: repeat parts times: gain 1 nut"),
        change(HARMLESS, "{replace: constants/parts/value, with: 9999}"),
        "constants/parts/value",
    ),
    "P0420": (
        below("choose v in {parts, 1} or none\nif v: gain v point"),
        change(HARMLESS, "{replace: constants/parts/value, with: -2}"),
        "constants/parts/value",
    ),
    "P0491": (
        below("gain only(solo) nut", "# d.yaml\ndocument: model\nconstants:\n  solo: {type: list of int, value: [2]}\n# pack.yaml\n" + NEW),
        change(HARMLESS, "{replace: constants/solo/value, with: [2, 3]}"),
        "constants/solo/value",
    ),
    "P0440": ("", change(HARMLESS, "{replace: pieces/plain/effect, with: gain 5 coin}"), "pieces/plain/effect"),
    "P0441": (below("gain 1 nut", "# d.yaml\ndocument: rules\ntriggers:\n  again: {after: helper, do: gain 1 seed}\n"), change(HARMLESS, "{after: rules/tested, do: helper()}", "{after: rules/helper, do: tested()}"), "rules/helper"),
    "P0442": (
        below("gain size(bends[0]) nut", "# d.yaml\ndocument: model\nconstants:\n  bends: {type: list of list of int, value: [[1]]}\n"),
        change(HARMLESS, "{extend: constants/bends/value, with: [[1, 2], [1, 3], [2, 3]]}"),
        "constants/bends/value",
    ),
    "P0464": ("", change(HARMLESS, "{replace: pieces/plain/effect, with: gain 1 nut}"), "pieces/plain/effect"),
    "P0469": (
        "# gadget.yaml\ndocument: model\nkinds:\n  gadget: {name: 'gadget {size}', facts: {size: int, worth: int = 1}}\n"
        "# gadgets.yaml\ndocument: pieces\nkind: gadget\npieces:\n  saw: {size: 1}\n",
        change(HARMLESS, "remove: kinds/gadget/facts/size"),
        "kinds/gadget/facts/size",
    ),
    "P0472": (
        below("gain 1 seed").replace("  tested:\n", "  tested:\n    heading: 'Hour {hour}'\n")
        + "# hour.yaml\ndocument: model\ncounters:\n  hour: {}\n",
        change(HARMLESS, "remove: counters/hour"),
        "counters/hour",
    ),
    "P0473": (
        below("gain 1 seed").replace("  tested:\n", "  tested:\n    heading: 'Hour {hour}'\n")
        + "# hour.yaml\ndocument: model\ncounters:\n  hour: {}\n",
        change(HARMLESS, "{extend: counters/hour, with: {visible: none}}"),
        "counters/hour",
    ),
    "P0501": (PANEL, change(HARMLESS, "remove: counters/gem"), "counters/gem"),
    "P0502": (PANEL, change(HARMLESS, "remove: counters/gem/per"), "counters/gem/per"),
    "P0503": (
        PANEL.replace("panels:\n  wealth: {shows: table, rows: [gem]}", "symbols:\n  gem: {sign: g}"),
        change(HARMLESS, "remove: counters/gem"),
        "counters/gem",
    ),
}  # fmt: skip

NOT_TOLD = "P0430 P0431 P0432 P0433 P0434 P0435 P0436 P0437 P0438 P0439 P0444 P0446 P0452 P0453".split()
"""What nothing uses is not reported in a required pack: a module may take away what used it."""
OWN = {
    "P0482": "a trigger of one text, which names what cannot be replaced",
    "P0483": "a field and the effect that sets it",
    "P0484": "the effect of a trigger, told where that stands",
    "P0308": "a `break` stands in the text that has no loop",
    "P0309": "what leaves stands in the block itself",
    "P0443": "of base packs only",
    "P0488": "a statement that a pack with full proofs has not, told where it stands",
    "P0489": "a promise, told where it stands",
    "P0490": "a promise, told where it stands",
    "P0445": "a phrase is looked at when its entry is changed, and names what stands beside it",
    "P0447": "the effects of one text",
    "P0448": "the effects of one text",
    "P0449": "the line that comes second is reported",
    "P0450": "a variable and what its own text does with it",
    "P0451": "told of places that the pack itself declares or changes",
    "P0454": "the copies of a kind, reported where they stand",
    "P0460": "the effects of one text",
    "P0461": "told of texts that the pack itself says or changes",
    "P0462": "a base pack has a result, and no operation removes one",
    "P0463": "the words of one text",
    "P0465": "an id, at the place where it is declared",
    "P0466": "told of texts that the pack itself says or changes",
    "P0467": "told of a result that the pack itself declares or changes",
    "P0468": "the effects of one text",
    "P0470": "a name, and what it puts into itself",
    "P0471": "the words of one name",
    "P0474": "no operation changes an option",
    "P0475": "a text and the effects beside it",
    "P0476": "the effects of one text",
    "P0477": "the words of one entry",
    "P0478": "told of names that the pack itself says",
    "P0479": "told of headings that the pack itself says",
    "P0480": "told of rows that the pack itself says",
    "P0504": "the keys of one panel",
    "P0505": "told of counters that the pack itself declares",
    "P0506": "told of pictures that the pack itself draws or changes",
    "P0507": "a file beside those that are composed",
}
"""Codes that a module cannot cause in the text of a required pack."""


def found_in(folder, example, code):
    """Return the problems of a code, and everything else that is found."""
    folder.mkdir()
    problems = inspect(*spliced(folder, example)).problems
    return [p for p in problems if p.code == code], [f"{p.code} {p.span} {p.message}" for p in problems]


@pytest.mark.parametrize("code", few(CAUSES, 0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 36, 39, 42, 45, deep=12))
def test_cause_is_reported_at_the_line_of_the_module(tmp_path, code):
    base, changes, place = CAUSES[code]

    alone, everything = found_in(tmp_path / "alone", base, code)
    assert alone == [], everything
    found, everything = found_in(tmp_path / "both", base + changes, code)

    assert found, everything
    for problem in found:
        file = Path(problem.span.path)
        assert file.parent.name == "extra", everything
        line = file.read_text("utf-8").splitlines()[problem.span.line - 1]
        assert line[problem.span.column - 1 :].startswith(place), (problem.message, line)
        if code not in ABOUT_ITSELF:
            assert problem.message.startswith("because of this: ")
            assert problem.also[0][1] == "here, in 'sample'"
            assert Path(problem.also[0][0].path).parent.name == "sample"


ABOUT_ITSELF = ("P0206", "P0407", "P0441")
"""Codes that are reported at the line of the module anyway."""


def test_every_code_that_speaks_of_the_text_of_a_pack_is_in_the_table():
    spoken = {code for code in CODES if "P0200" < code < "P0600"}

    assert spoken == {*CAUSES, *OWN, *NOT_TOLD}


def other(name: str, text: str, manifest: str = "") -> str:
    """Write one more module with a document of its own."""
    return module(name, '{sample: ">=1.0"}', f"proofs: full\n{manifest}") + f"# {name}/part.yaml\n{text}"


def places(folder, example):
    """Return of each problem the code, the pack and the line where it is reported."""
    found = inspect(*spliced(folder, example)).problems
    return sorted({(p.code, Path(p.span.path).parent.name, p.span.line) for p in found})


TAKES_ALL = "document: patch\nchange:\n  - {instead: rules/helper, do: require coin > 9}\n"
CALLS = below("if coin > 1: helper()")


def test_of_two_modules_the_one_that_causes_it_is_reported(tmp_path):
    assert places(tmp_path, CALLS + other("a", TAKES_ALL) + other("b", TAKES_ALL.replace("helper", "use"))) == [
        ("P0404", "a", 3)
    ]


def test_a_mistake_of_the_pack_below_is_its_own(tmp_path):
    wrong = below("pay 2 coin\nhelper()\npay 2 coin")

    assert {pack for _, pack, _ in places(tmp_path, wrong + other("a", TAKES_ALL.replace("helper", "use")))} == {
        "sample"
    }


def test_a_module_is_reported_in_the_one_that_waits_for_it(tmp_path):
    waits = TAKES_ALL.replace("document: patch\n", "document: patch\nwhen_active: [b]\n")
    both = other("a", waits, "optional: [b]\n") + other("b", "document: rules\nfunctions:\n  calm: true\n")

    assert places(tmp_path, CALLS + both) == [("P0404", "a", 4)]


def test_what_one_line_causes_in_several_places_is_one_problem(tmp_path):
    calls = "# calls.yaml\ndocument: rules\ntriggers:\n  one: {after: earn, do: helper()}\n  two: {after: use, do: helper()}\n"
    found = inspect(*spliced(tmp_path, BELOW + calls + other("a", TAKES_ALL))).problems

    (problem,) = [p for p in found if p.message == "because of this: 'helper' may be impossible here"]
    lines = [span.line for span, words in problem.also if words == "here, in 'sample'"]
    assert lines == [3, 4, 9]


@pytest.mark.deep
def test_only_some_lines_are_left_out_however_much_is_wrong(tmp_path, monkeypatch):
    """Two lines, and each is enough: neither is the cause alone, so all are tried, and the nearest is named."""
    looked = []
    monkeypatch.setattr("patolli.author.workspace.inspection._look", counting(looked))
    many = "".join(f"  - {{after: rules/earn, when: n > {n + 2}, do: gain 1 seed}}\n" for n in range(60))
    both = "  - {before: rules/helper, do: set coin to 0}\n  - {after: rules/helper, do: set coin to 0}\n"
    base = below("gain 2 coin\nhelper()\npay 2 coin\ngain 2 coin\nhelper()\npay 2 coin")

    assert places(tmp_path, base + other("a", f"document: patch\nchange:\n{many}{both}")) == [("P0401", "a", 63)]
    assert len(looked) == 1 + 32


def counting(looked):
    """Note each look at a part of the packs."""
    from patolli.author.workspace import inspection

    look = inspection._look

    def noted(packs, **more):
        looked.append(packs)
        return look(packs, **more)

    return noted


def test_replacing_a_list_that_was_to_be_longer_is_helped_with_extend(tmp_path):
    suits = "# suits.yaml\ndocument: model\nenums:\n  suit: [red, blue]\ntable:\n  trump: suit = red\n"
    suits += (
        "# trump.yaml\ndocument: rules\ntriggers:\n  turned: {after: earn, when: trump == blue, do: set trump to red}\n"
    )
    found = inspect(*spliced(tmp_path, suits + change(HARMLESS, "{replace: enums/suit, with: [green]}"))).problems

    unknown = [problem for problem in found if problem.code == "P0201"]
    assert {problem.message.rpartition(" ")[2] for problem in unknown} == {"'red'", "'blue'"}
    assert {problem.help for problem in unknown} == {
        "'replace' leaves only what it gives; 'extend' adds to what is there"
    }
