"""The tool that plants defects changes what it says it does, and a defect that is planted is found."""

from __future__ import annotations

import pytest
from defects import DEFECTS, Defect, named, planted, played

from patolli import load
from patolli.language.packs.discovery import find_content_folder
from patolli.measure.lab.findings import findings

ALL = [pytest.param(pack, one, id=f"{pack} {one.name}") for pack, ones in DEFECTS.items() for one in ones]


@pytest.mark.parametrize(("pack", "defect"), ALL)
def test_defect_is_planted_once_and_its_line_is_there(pack, defect, tmp_path):
    home = planted(pack, defect, tmp_path)
    before, after = (folder / defect.file for folder in (find_content_folder() / pack, home))

    assert before.read_text("utf-8") != after.read_text("utf-8")
    assert after.read_text("utf-8").count(defect.line) >= 1


def test_text_that_is_not_there_is_reported(tmp_path):
    wrong = Defect("x", "pack.yaml", (("no such text", ""),), ("dead",), "x", "x")
    with pytest.raises(ValueError, match="stands there 0 times"):
        planted("founders", wrong, tmp_path)


@pytest.mark.deep
def test_planted_option_that_never_comes_up_is_found_with_its_line(tmp_path):
    defect = next(one for one in DEFECTS["founders"] if one.name == "never")
    home = planted("founders", defect, tmp_path / "pack")
    assert load(str(home)).id == "founders"
    found = named(defect, findings(played(home, tmp_path / "run", 110, 1)))

    assert found is not None
    assert found.where.endswith(f":{line_of(home / defect.file, defect.line)}")


def line_of(path, text):
    return next(n for n, line in enumerate(path.read_text("utf-8").splitlines(), 1) if f'"{text}"' in line)
