"""What cannot be proven is open: matches check it, in both engines. What fails in any case is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol.types import DiagnosticSeverity
from packmaker import spliced, trigger
from pygls.workspace import PositionCodec

from patolli.author.lookup.library import Library
from patolli.author.workspace import inspect
from patolli.check.proofs.demands import CLAIMS, open_problem
from patolli.language.diagnostics import Span
from patolli.language.diagnostics.codes import DEMANDS
from patolli.run.native.machines import machine
from patolli.run.runtime import MatchError
from patolli.serve.lsp.convert import Converter

FEE = "rules:\n  fee: |\n    pay size(deck) coin\n    gain 1 nut\n"
NEEDS = "rules:\n  fee: |\n    require coin > seats\n    gain 1 coin\n"
OPEN = {
    "a payment": ("as player_1: pay 30 coin", "", "P0401", "P0817"),
    "a payment behind a change": ("as player_1:\n  let n = size(deck)\n  pay n coin", "", "P0401", "P0817"),
    "a payment after declining": (
        "as player_1:\n  choose c in hand(me) or none\n  pay size(deck) coin", "", "P0401", "P0817"
    ),
    "a payment that a rule begins with": ("as player_1: fee()", FEE, "P0401", "P0817"),
    "a choice": ('as player_1: choose c in hand(me) where c.number > 7 "Which?"', "", "P0402", "P0807"),
    "several at once": ("as player_1: choose 2 of c in hand(me) as cs", "", "P0402", "P0807"),
    "a rule": ("as player_1: fee()", NEEDS, "P0404", "P0818"),
    "a menu": ('as player_1:\n  choose one "?":\n    "a" when coin > size(deck): gain 1 coin', "", "P0405", "P0807"),
    "a division": ("as player_1: gain 4 div seed nut", "", "P0414", "P0809"),
    "a rest": ("as player_1: gain 4 mod seed nut", "", "P0414", "P0809"),
    "an index": ("as player_1: if hand(me)[seats].number > 1: gain 1 coin", "", "P0415", "P0808"),
    "an index below 0": ("as player_1: if deck[seed - 1].number > 1: gain 1 coin", "", "P0415", "P0808"),
    "a row": ("move plain_1 to shop(size(deck))", "", "P0415", "P0808"),
    "a spot": ("if deck: move deck[0] to throne\nif deck: move deck[0] to throne", "", "P0416", "P0810"),
    "a field": ("set plain_1.charge to size(deck)", "", "P0417", "P0811"),
    "a draw": ("as player_1:\n  random n in 2..coin\n  gain n nut", "", "P0418", "P0819"),
    "the only one": ("as player_1: gain only(hand(me)).number coin", "", "P0491", "P0821"),
    "the only one that fits": ("as player_1: gain only(c in deck where c.number > seats).number coin", "", "P0491", "P0821"),
    "a look ahead at a payment": ("as player_1: if after(fee(), coin) > 3: gain 1 coin", FEE, "P0486", "P0817"),
    "a look ahead": ("as player_1: if after(fee(), coin) > 3: gain 1 coin", NEEDS, "P0486", "P0818"),
}  # fmt: skip


def put(folder: Path, text: str, more: str, proofs: str = "open"):
    """Inspect the sample pack with an effect behind the set-up."""
    pack, modules = spliced(folder, trigger(text, "setup") + more)
    manifest = Path(pack) / "pack.yaml"
    manifest.write_text(
        manifest.read_text("utf-8").replace("language: 2\nproofs: full", f"language: 3\nproofs: {proofs}"), "utf-8"
    )
    return inspect(pack, modules)


def demands_in(found):
    """Return code, severity and line of the problems that are not warnings."""
    return {(p.code, p.severity) for p in found.problems if p.severity != "warning"}


def play(match):
    """Take the first option again and again."""
    for _ in range(20):
        match.pick(0)


@pytest.mark.parametrize("name", OPEN)
def test_open_demand_is_checked_in_both_engines(tmp_path, name):
    text, more, code, fault = OPEN[name]
    found = put(tmp_path, text, more)

    assert (code, "open") in demands_in(found)
    assert {severity for _, severity in demands_in(found)} == {"open"}
    assert found.ruleset is not None
    match = found.ruleset.start(2, 1)
    with pytest.raises(MatchError) as caught:
        play(match)
    assert caught.value.code == fault
    listed = {span.line for p in found.problems if p.severity == "open" for span in (p.span, *(s for s, _ in p.also))}
    assert listed & {line for _, line, _ in caught.value.stack}
    (played,) = machine(found.ruleset, 2 + found.ruleset.model.automated).play([1], 50)
    assert played.status == 2  # it fails natively, too


@pytest.mark.parametrize("name", OPEN)
def test_open_demand_is_an_error_where_proofs_are_full(tmp_path, name):
    text, more, code, _ = OPEN[name]

    found = put(tmp_path, text, more, "full")

    assert (code, "error") in demands_in(found)
    assert found.ruleset is None


REFUTED = {
    "a payment": ("as player_1: pay 6 seed", "", "P0401"),
    "a rule": ("as player_1: fee()", NEEDS.replace("coin > seats", "size(deck) > 900"), "P0404"),
    "a menu": ('as player_1:\n  choose one "?":\n    "a" when size(deck) > 900: gain 1 coin', "", "P0405"),
    "a division": ("as player_1: if seed == 0: gain 4 div seed nut", "", "P0414"),
    "an index": ("as player_1: gain ladder[coin + 9] nut", "", "P0415"),
    "an index below 0": ("as player_1: gain ladder[-1] nut", "", "P0415"),
    "a row": ("move plain_1 to shop(9)", "", "P0415"),
    "a spot that is taken": ("if throne: move plain_2 to throne", "", "P0416"),
    "a field": ("set plain_1.charge to 6 + seats", "", "P0417"),
    "the only one of several": ("as player_1: gain only(ladder) coin", "", "P0491"),
    "the only one of none": ("as player_1: if not hand(me): gain only(hand(me)).number coin", "", "P0491"),
    "a look ahead": (
        "as player_1: if after(fee(), coin) > 3: gain 1 coin",
        NEEDS.replace("coin > seats", "size(deck) > 900"), "P0486",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUTED)
def test_what_fails_whenever_it_is_reached_is_an_error(tmp_path, name):
    text, more, code = REFUTED[name]

    assert (code, "error") in demands_in(put(tmp_path, text, more))


def test_open_demand_says_what_is_known_and_what_to_do(tmp_path):
    (problem,) = [p for p in put(tmp_path, *OPEN["a field"][:2]).problems if p.severity == "open"]

    assert problem.message == (
        "could not be proven: the number lies in the range of its field"
        " ('charge' goes from 1 to 6, and this may be 0 to 12)"
    )
    assert problem.help.startswith("each match checks it; to make sure, keep it inside")


def test_all_codes_of_demands_say_what_has_to_hold():
    assert set(CLAIMS) == DEMANDS == {code for _, _, code, _ in OPEN.values()}


def test_editors_show_open_demands_as_hints():
    problem = open_problem("P0414", "this may be 0", Span("x.yaml", 1, 1, 1, 2))

    assert Converter(Library(), PositionCodec()).diagnostic(problem).severity == DiagnosticSeverity.Hint


def test_what_is_computed_before_a_match_is_never_left_open(tmp_path):
    counters = "# model2.yaml\ndocument: model\ncounters:\n  omen: {start: '4 div (seats - 2)', text: Omens}\n"

    assert ("P0414", "error") in demands_in(put(tmp_path, "gain 1 omen", counters))
