"""What is gained or paid may be called by the nouns of its counter, since language 2."""

from __future__ import annotations

from packmaker import SAMPLE, loaded, problems, trigger

MORE = "# fame.yaml\ndocument: model\ncounters:\n  fame: {per: player, noun: [star, stars], text: Fame}\n"
SAME = "  glory: {per: player, noun: [honour, stars], text: Glory}\n"
SCORED = "# values.yaml\ndocument: rules\nvalues: {shine: fame}\n"


def test_noun_is_as_good_as_the_id(tmp_path):
    effect = trigger("as player_1:\n  gain 3 stars\n  lose 1 star\n  if fame > 0: pay 1 star", "setup")
    match = loaded(tmp_path, effect + MORE + SCORED).start(2, 1)
    while not match.value("shine", 0):
        match.pick(0)

    assert match.value("shine", 0) == 1


def test_noun_of_two_counters_is_reported(tmp_path):
    glory = "# more.yaml\ndocument: rules\nvalues: {glow: glory}\n"
    found = problems(tmp_path, trigger("gain 3 stars\ngain 1 honour") + MORE + SAME + SCORED + glory)

    assert [(p.code, p.message) for p in found] == [("P0202", "'stars' may be fame or glory")]


def test_in_the_first_version_it_is_no_name(tmp_path):
    pack = (SAMPLE / "pack.yaml").read_text("utf-8").replace("language: 2", "language: 1")
    found = problems(tmp_path, trigger("gain 3 stars\ngain 1 fame") + MORE + SCORED + f"# pack.yaml\n{pack}")

    assert [p.code for p in found] == ["P0201"]
