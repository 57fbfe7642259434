"""Options are made when they are taken; what they say is that of the moment at which they were offered."""

import copy
import gc
import pickle
from random import Random

import pytest
from tiers import few

import patolli
from patolli.run.runtime.display_names import Names
from patolli.run.runtime.labels import Labels


def said(option):
    return (option.index, option.value, option.label, option.anytime, option.words)


@pytest.mark.parametrize(
    ("pack", "seats"),
    few([("tic_tac_toe", 2), ("city_of_gods", 2), ("founders", 2), ("skerry", 2), ("promises", 3)], 0),
)
def test_words_are_those_of_the_moment(pack, seats):
    match, draw = patolli.load(pack).start(seats, 5), Random(5)
    gone = []
    for _ in range(60):
        if (decision := match.decision) is None:
            break
        asked = (decision.player, decision.prompt, decision.simultaneous, decision.labels)
        # Those of a copy are read at once, the other ones after all that follows.
        gone.append(
            (decision, asked, [said(option) for option in match.clone().decision.options], list(decision.options))
        )
        match.choose(draw.choice(decision.options))

    for decision, asked, early, options in gone:
        assert (decision.player, decision.prompt, decision.simultaneous, decision.labels) == asked
        assert [said(option) for option in options] == early
        assert [said(option) for option in decision.options] == early


def test_nothing_is_worded_that_is_not_read(monkeypatch):
    match = patolli.load("city_of_gods").start(2, 5)

    def unasked(*_):
        raise AssertionError("it was not asked for")

    for owner, name in ((Labels, "option"), (Labels, "anytime"), (Names, "options")):
        monkeypatch.setattr(owner, name, unasked)
    for _ in range(20):
        match.choose(match.decision.options[-1])
        assert len(match.decision.options)


def test_options_are_a_sequence():
    options = patolli.load("connect_four").start().decision.options

    assert [option.label for option in options[2:4]] == [options[2].label, options[3].label]
    assert options[-1] == options[6] != options[5]
    assert options[1] in options
    assert options.index(options[4]) == 4
    assert options == patolli.load("connect_four").start().decision.options == tuple(options)
    assert len({*options, *options}) == 7
    assert repr(options[0]) in repr(options)
    with pytest.raises(IndexError):
        options[7]
    with pytest.raises(AttributeError):
        options[0].index = 3


def test_copies_of_an_option_stand_alone():
    match = patolli.load("tic_tac_toe").start()
    option = match.decision.options[4]
    for other in (copy.deepcopy(option), pickle.loads(pickle.dumps(option))):
        assert other == option
        assert said(other) == (4, 4, "b2", False, "b2")

    match.choose(copy.copy(option))
    assert match.choices == [4]


def test_names_that_are_given_meanwhile_are_reported():
    match = patolli.load("city_of_gods").start(2, 1)
    decision = match.decision
    before = [option.words for option in decision.options]
    match.names = ("Ann", "Bob")

    assert match.decision is not decision
    assert [option.words for option in decision.options] == before


@pytest.mark.deep
def test_a_decision_that_is_gone_waits_for_no_collection():
    match = patolli.load("tic_tac_toe").start()
    gc.collect()
    gc.disable()
    try:
        for _ in range(5):
            match.choose(match.decision.options[0])
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_what_is_undone_is_asked_again():
    match = patolli.load("tic_tac_toe").start()
    first = match.decision
    match.choose("b2")
    second = match.decision
    assert match.undo()

    assert match.decision.labels == first.labels
    assert len(second.labels) == 8
    match.choose(match.decision.options[4])
    assert match.choices == [4]
