"""What bots promise: the same seed gives the same choices, and greedy ones are better than chance."""

from __future__ import annotations

import pytest
from littlepacks import lay
from tiers import few

import patolli
from patolli.kernel.budget import meter
from patolli.play.players import GreedyBot, RandomBot, make_bot, seat_seed
from patolli.run.runtime import meanwhile, option_probe

KINDS = ("random", "greedy", "mcts:20")


@pytest.fixture(scope="module", params=["tic_tac_toe", "breakthrough", "patolli"])
def rules(request):
    return patolli.load(request.param)


@pytest.mark.parametrize("kind", few(KINDS, 0, 4))
def test_same_seed_gives_the_same_choices(rules, kind):
    one, two, other = (patolli.playout(rules, 2, seed, kind) for seed in (5, 5, 6))

    assert one.choices == two.choices
    assert one.choices != other.choices


@pytest.mark.parametrize("kind", KINDS)
def test_bot_changes_nothing(rules, kind):
    match = rules.start(2, 3)
    before = match.digest()
    index = make_bot(kind, 1, 0).decide(match)

    assert match.digest() == before
    assert 0 <= index < len(match.pending)
    assert match.choices == []


def test_seats_share_no_chance():
    assert len({seat_seed(seed, seat) for seed in range(50) for seat in range(4)}) == 200


def test_random_bot_takes_every_option_alike():
    match = patolli.load("tic_tac_toe").start()
    bot = RandomBot(1)
    taken = [bot.decide(match) for _ in range(9000)]

    assert all(850 < taken.count(index) < 1150 for index in range(9))


def test_greedy_bot_takes_a_win():
    match = patolli.load("tic_tac_toe").start()
    for label in ("a1", "b1", "a2", "b2"):
        match.choose(label)

    assert all(match.decision.options[GreedyBot(seed).decide(match)].label == "a3" for seed in range(10))


def test_greedy_bot_decides_at_random_where_nothing_changes():
    match = patolli.load("tic_tac_toe").start()

    assert len({GreedyBot(seed).decide(match) for seed in range(60)}) == 9


@pytest.mark.parametrize(("pack", "share"), [("tic_tac_toe", 0.6), ("patolli", 0.8)])
def test_greedy_bot_beats_chance(pack, share):
    rules = patolli.load(pack)
    wins = 0
    for seed in range(40):
        match = patolli.playout(rules, 2, seed, ["greedy", "random"] if seed % 2 else ["random", "greedy"])
        wins += (0 if seed % 2 else 1) in match.winners

    assert wins >= 40 * share


def test_greedy_bot_looks_to_the_end_of_its_turn(tmp_path):
    """A menu changes nothing; the effects after it do."""
    folder = tmp_path / "menu"
    folder.mkdir()
    (folder / "pack.yaml").write_text(
        "document: pack\nid: menu\nversion: 1.0.0\nlanguage: 1\ntitle: Menu\nauthors: [Tests]\n"
        "text: A menu.\n"
        "players: {min: 2, max: 2}\n"
    )
    (folder / "model.yaml").write_text("document: model\ncounters:\n  coin: {per: player, text: Coins}\n")
    (folder / "rules.yaml").write_text(
        "document: rules\nrules:\n  match:\n    do: |\n"
        '      choose one "Which way?":\n'
        '        "poor": choose n in 1..2 "How many?"; gain n coin\n'
        '        "rich": choose n in 8..9 "How many?"; gain n coin\n'
        "result:\n  score: coin\n"
    )
    rules = patolli.load(str(folder))

    for seed in range(10):
        match = patolli.playout(rules, 2, seed, "greedy")
        assert match.scores[0] == 9


@pytest.mark.parametrize("kind", ["greedy", "mcts:60"])
def test_bot_looks_at_every_option_ahead(tmp_path, subtests, kind):
    """What pays is behind a menu, as the first, a middle or the last of the options there."""
    for place in range(4):
        folder = tmp_path / str(place)
        folder.mkdir()
        behind = "".join(f'            "line {at}": gain {9 if at == place else 1} coin\n' for at in range(4))
        rules = lay(
            folder,
            "counters:\n  coin: {per: player}\n",
            'rules:\n  match: "for p in players: as p: turn()"\n  turn: |\n    choose one "Which way?":\n      "near": gain 3 coin\n'
            f'      "far":\n        choose one "And then?":\n{behind}result: {{score: coin}}\n',
        )
        with subtests.test(place=place):
            match = patolli.load(rules).start(2, 1)
            for seed in range(5):
                assert match.decision.options[make_bot(kind, seed, 0).decide(match)].label == "far"


@pytest.mark.parametrize(
    ("players", "automated", "rounds"),
    [
        pytest.param(1, 1, "for p in players: as p: turn()", id="the other seat is played by rules"),
        pytest.param(1, 1, "turn(); pass to next(me)", id="and the turn is passed on"),
        pytest.param(2, 0, "for p in players where number(p) == 1: as p: turn()", id="the other player is out"),
        pytest.param(1, 0, "for p in players: as p: turn()", id="there is no other player"),
    ],
)
def test_greedy_bot_does_not_look_past_its_turn(tmp_path, players, automated, rounds):
    """Ten turns of its own in a row: what chance would do in the next ones says nothing about this one."""
    folder = tmp_path / "row"
    folder.mkdir()
    (folder / "pack.yaml").write_text(
        "document: pack\nid: row\nversion: 1.0.0\nlanguage: 1\ntitle: Row\nauthors: [Tests]\ntext: A row of turns.\n"
        f"players: {{min: {players}, max: {players}}}\n" + (f"automated: {automated}\n" if automated else "")
    )
    (folder / "model.yaml").write_text("document: model\ncounters:\n  coin: {per: player, text: Coins}\n")
    (folder / "rules.yaml").write_text(
        "document: rules\nrules:\n  match:\n    do: |\n      repeat 20 times:\n"
        + "".join(f"        {line}\n" for line in rounds.split("; "))
        + "  turn():\n    do: |\n      if number(me) == 1:\n"
        '        choose n in 1..9 "How many?"\n        gain n coin\n'
        "result:\n  score: coin\n"
    )
    rules = patolli.load(str(folder))
    match = patolli.playout(rules, players, 1, "greedy")

    assert match.scores[0] == 9 * match.choices.count(8) == 9 * len(match.choices)


def test_trying_an_action_does_not_count_as_being_called_upon(tmp_path, monkeypatch):
    """What survives an anytime action is tried on a copy, which may go on to the next turn."""
    folder = tmp_path / "burn"
    folder.mkdir()
    (folder / "pack.yaml").write_text(
        "document: pack\nid: burn\nversion: 1.0.0\nlanguage: 1\ntitle: Burn\nauthors: [Tests]\ntext: Coins burn.\n"
        "players: {min: 1, max: 1}\n"
    )
    (folder / "model.yaml").write_text("document: model\ncounters:\n  coin: {per: player, start: 2, text: Coins}\n")
    (folder / "rules.yaml").write_text(
        "document: rules\nactive: player_1\nrules:\n  match:\n    do: |\n      repeat 2 times:\n"
        "        for p in players: as p:\n          if can(turn()): turn()\n"
        '  turn():\n    do: |\n      choose one "How?":\n        "one": pay 1 coin\n        "two": pay 2 coin\n'
        "      set coin to 2\n"
        "anytime:\n  burn: {label: burn one, when: coin > 1, do: lose 1 coin}\n"
        "result:\n  score: coin\n"
    )
    tried = []

    def watched(*where):
        before = meter.turns.copy()
        tried.append(option_probe.leads_back(*where))
        assert meter.turns == before
        return tried[-1]

    monkeypatch.setattr(meanwhile, "leads_back", watched)
    match = patolli.load(str(folder)).start()
    match.choose("burn one")

    assert tried
    assert match.scores == [2]


def test_fault_in_a_line_is_no_fault_of_the_bot(monkeypatch):
    match = patolli.load("tic_tac_toe").start()
    bot = GreedyBot(1)

    def fail(self, index):
        raise patolli.MatchError("broken", [], "P0801")

    monkeypatch.setattr(patolli.Match, "pick", fail)
    assert 0 <= bot.decide(match) < 9


@pytest.mark.parametrize(
    ("bots", "words"),
    [
        pytest.param(["greedy"], "1 bots for 2 seats", id="too few"),
        pytest.param(["greedy", "gredy"], "there is no bot 'gredy'", id="unknown"),
    ],
)
def test_wrong_bots_are_refused(bots, words):
    with pytest.raises(ValueError, match=words):
        patolli.playout(patolli.load("tic_tac_toe"), 2, 1, bots)
