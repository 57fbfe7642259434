"""What a match promises to programs: choosing, undo, saves, views."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from patolli.author.workspace import load
from patolli.run.runtime import MatchError, SaveError, write_save
from patolli.run.runtime.seals import add_checksums

LAB = str(Path(__file__).parents[1] / "data" / "lab")
MOSAIC = str(Path(__file__).parents[1] / "data" / "mosaic")


@pytest.fixture(scope="module")
def lab():
    return load(LAB)


@pytest.fixture(scope="module")
def ticks():
    return load("tic_tac_toe")


def test_choosing_by_index_label_and_option_is_the_same(ticks):
    one, two, three = (ticks.start(2, 1) for _ in range(3))
    one.choose(4)
    two.choose("b2")
    three.choose(three.decision.options[4])
    assert one == two == three


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        pytest.param(9, "they go from 0 to 8", id="index too large"),
        pytest.param(-1, "they go from 0 to 8", id="index negative"),
        pytest.param("b22", "did you mean 'b2'", id="label misspelt"),
        pytest.param("forest", "the options are: a1", id="label unlike any"),
    ],
)
def test_wrong_answer_says_what_is_possible(ticks, answer, words):
    match = ticks.start(2, 1)
    before = match.digest()
    with pytest.raises(ValueError, match=words):
        match.choose(answer)
    assert match.digest() == before


@pytest.mark.parametrize("index", [-1, -9, 9, 100])
def test_index_that_cannot_be_picked_changes_nothing(ticks, index):
    match = ticks.start(2, 1)
    before = match.to_json()
    with pytest.raises(IndexError, match=f"^there is no option {index}; "):
        match.pick(index)
    assert match.to_json() == before


def test_choosing_after_the_end_is_an_error(ticks):
    match = ticks.start(2, 1)
    for cell in ("a1", "a2", "b1", "b2", "c1"):
        match.choose(cell)
    assert match.over
    assert match.decision is None
    assert (match.scores, match.winners) == ([1, 0], [0])
    with pytest.raises(ValueError, match="over"):
        match.choose(0)


def test_undo_takes_back_choice_by_choice(ticks):
    match = ticks.start(2, 1)
    digests = [match.digest()]
    for cell in ("a1", "b2", "c3"):
        match.choose(cell)
        digests.append(match.digest())
    for digest in reversed(digests[:-1]):
        assert match.undo()
        assert match.digest() == digest
    assert not match.undo()


def test_undo_stops_at_chance_and_at_what_was_revealed(lab):
    refused = {"work": False, "buy": False}
    for seed in range(40):
        match = lab.start(2, seed)
        draw = Random(seed)
        while match.pending is not None:
            drawn, hidden = sum(match.state[3].values()), match.view(0)["places"]["deck"]
            match.choose(draw.randrange(len(match.pending)))
            if sum(match.state[3].values()) != drawn:
                refused["work"] = True
                assert not match.undo()
            elif match.view(0)["places"]["deck"] != hidden:
                refused["buy"] = True
                assert not match.undo()
    assert all(refused.values())


def test_save_goes_through_a_file(lab, tmp_path):
    match = lab.start(3, 5)
    match.choose(0)
    file = tmp_path / "match.json"
    write_save(match, file)
    again = lab.restore(file.read_text())
    assert again == match
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        pytest.param(lambda d: "no json", "not a save", id="no JSON"),
        pytest.param(lambda d: "[]", "not a save of this program", id="other JSON"),
        pytest.param(lambda d: json.dumps({**d, "pack": "x"}), "the save is of 'x'", id="other pack"),
        pytest.param(lambda d: json.dumps({k: v for k, v in d.items() if k != "seed"}), "lacks seed", id="incomplete"),
        pytest.param(
            lambda d: json.dumps(add_checksums({**d, "content": "0", "entries": {**d["entries"], "rules/match": "0"}})),
            "the content has changed since the save: rules/match plays differently",
            id="content changed",
        ),
    ],
)
def test_unusable_save_says_why(lab, change, words):
    data = json.loads(lab.start(2, 1).to_json())
    changed = change(data)
    if "'x'" in words:
        changed = json.dumps(add_checksums({**json.loads(changed), "content": "0"}))
    with pytest.raises(SaveError, match=words):
        lab.restore(changed)


def test_wrong_number_of_players_is_refused(lab):
    with pytest.raises(ValueError, match="2 to 4 players, not 5"):
        lab.start(5)


def test_hidden_things_are_hidden(lab):
    match = lab.start(3, 4)
    for player in range(3):
        view = match.view(player)
        assert view["places"]["deck"] == {"hidden": len(match.state[match.program.layout.places["deck"][0]])}
        for other in range(3):
            secret = view["places"]["secret"][f"player_{other + 1}"]
            assert isinstance(secret, list) == (other == player)
        assert [name for name, bid in view["counters"]["bid"].items() if bid is not None] == [f"player_{player + 1}"]
        assert bool(view["options"]) == (view["to_move"] == player)


def test_narration_tells_what_happened_but_not_secret_answers(lab):
    match = lab.start(2, 3, narrate=True)
    while match.decision.simultaneous:
        match.choose(0)
    assert "Player 1 has decided" in match.log
    assert not any(line.startswith("Player 1: ") for line in match.log)
    draw = Random(1)
    while match.pending is not None:
        match.pick(draw.randrange(len(match.pending)))
    assert any("rolled" in line for line in match.log)


def test_narrating_changes_nothing(lab):
    loud, quiet = lab.start(2, 3, narrate=True), lab.start(2, 3)
    draw = Random(1)
    while quiet.pending is not None:
        index = draw.randrange(len(quiet.pending))
        loud.pick(index)
        quiet.pick(index)
    assert loud.digest() == quiet.digest()


def test_payment_with_goods_on_the_board_clears_them():
    rules = load(MOSAIC)
    paid = 0
    for seed in range(30):
        match, draw = rules.start(2, seed), Random(seed)
        while match.pending is not None:
            decision = match.decision
            paid += decision.prompt == "Take it from where?"
            match.pick(draw.randrange(len(match.pending)))
            assert not match.broken()
    assert paid > 20


def test_fault_in_a_rule_names_the_authors_line(tmp_path):
    pack = tmp_path / "faulty"
    pack.mkdir()
    (pack / "pack.yaml").write_text(
        "document: pack\nid: faulty\nversion: 1.0.0\nlanguage: 1\ntitle: F\nauthors: [x]\ntext: x\nplayers: {min: 1, max: 1}\n"
    )
    (pack / "model.yaml").write_text("document: model\ncounters:\n  coin: {per: player, text: Coins}\n")
    (pack / "rules.yaml").write_text(
        "document: rules\nrules:\n  match: |\n    choose n in 1..2\n    outer(n)\n  outer(int n): |\n    let most = n + 3\n"
        "    inner(n)\n    gain size([x in 1..most * 3000000]) coin\n  inner(int n): gain n coin\nresult: {score: coin}\n"
    )
    match = load(str(pack)).start(1, 0)
    with pytest.raises(MatchError) as caught:
        match.choose(0)
    file = str(pack / "rules.yaml")
    assert [(path, line) for path, line, _ in caught.value.stack if path == file][-1] == (file, 9)
    assert "a range of 12000000 numbers is too long" in caught.value.reason
    assert "gain size([x in 1..most * 3000000]) coin" in str(caught.value)
