"""What a shell offers: the protocol of click, in-process."""

from __future__ import annotations

import pytest
from click.shell_completion import ShellComplete

from patolli.cli.main import COMMANDS, main


def offered(*words: str) -> set[str]:
    """Return what is offered for the last of the words."""
    *before, last = words
    return {
        item.value for item in ShellComplete(main, {}, "patolli", "_PATOLLI_COMPLETE").get_completions(before, last)
    }


@pytest.mark.parametrize(
    ("words", "wanted", "unwanted"),
    [
        (("",), set(COMMANDS), set()),
        (("va",), {"validate"}, {"play"}),
        (("play", "tic"), {"tic_tac_toe"}, {"chess"}),
        (("validate", "chess", "check"), {"checkers"}, {"chess"}),
        (("diff", "chess", ""), {"checkers", "mansion"}, set()),
        (("lab", "run", "pi"), {"pig"}, set()),
        (("pack", "build", "pi"), {"pig"}, set()),
        (("simulate", "city_of_gods", "--with", ""), {"mansion", "obsidian"}, {"city_of_gods", "chess"}),
        (
            ("simulate", "pig", "--bot", ""),
            {"random", "greedy", "mcts", "easy", "medium", "hard", "learned"},
            {"human"},
        ),
        (("tournament", "pig", "--bot", "gr"), {"greedy"}, {"random"}),
        (("play", "pig", "--seat", "2=h"), {"2=human", "2=hard"}, {"1=hard"}),
        (("explain", "P04"), {"P0401", "P0411"}, {"P0101"}),
        (("play", "./here"), {"./here"}, {"pig"}),
        (("play", "nothing_like_it"), set(), {"pig"}),
    ],
)
def test_offers(words, wanted, unwanted):
    found = offered(*words)

    assert wanted <= found
    assert not unwanted & found


def test_what_goes_wrong_offers_nothing(monkeypatch):
    monkeypatch.setattr("patolli.language.packs.discovery.installed", lambda: 1 // 0)

    assert offered("play", "p") == set()
