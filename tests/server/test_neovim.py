"""Neovim, a client that we have not written, works with the language server; what it saves is right."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from lspclient import ENGINE
from packmaker import DATA, SAMPLE

from patolli.author.workspace import inspect

pytestmark = pytest.mark.deep

NVIM = shutil.which("nvim")


@pytest.mark.skipif(NVIM is None, reason="there is no nvim on this machine")
def test_a_session_with_neovim(tmp_path, cache):
    pack = tmp_path / "sample"
    shutil.copytree(SAMPLE, pack)
    rules = pack / "rules.yaml"
    good = {file.name: file.read_text("utf-8") for file in pack.glob("*.yaml")}
    assert good["rules.yaml"].count("move card to hand(me)") == 1
    rules.write_text(good["rules.yaml"].replace("move card to hand(me)", "move card to hnad(me)"), "utf-8")
    path = os.pathsep.join([str(ENGINE), os.environ.get("PYTHONPATH", "")])
    todo = tmp_path / "todo.json"
    todo.write_text(
        json.dumps(
            {
                "file": str(rules),
                "root": str(tmp_path),
                "command": [sys.executable, "-m", "patolli", "lsp"],
                "env": {"PYTHONPATH": path, "XDG_CACHE_HOME": str(cache)},
                "hover": "price(card) point",
                "complete": "draw 1 from ",
                "wrong": "hnad",
                "rename": "coin",
                "name": "penny",
            }
        )
    )

    call = [str(NVIM), "--headless", "-u", "NONE", "-i", "NONE", "-n", "-S", str(DATA / "editor.lua")]
    ran = subprocess.run(
        call, env={**os.environ, "PATOLLI_TODO": str(todo)}, capture_output=True, timeout=300, check=False
    )

    answer = Path(f"{todo}.seen")
    assert answer.is_file(), ran.stderr.decode()
    seen = json.loads(answer.read_text("utf-8"))
    assert seen["stuck"] == ""
    ((line, column, words),) = seen["problems"]
    assert good["rules.yaml"].split("\n")[line][column:].startswith("hand(me)")
    assert "did you mean 'hand'?" in words
    assert "function price(card): int" in "\n".join(seen["hover"])
    assert {"bag", "deck"} <= set(seen["offers"][:8])
    assert seen["actions"][0] == "Replace 'hnad' with 'hand'"
    assert inspect(str(pack)).errors == []
    for name, text in good.items():
        now = (pack / name).read_text("utf-8")
        assert now == text.replace("coin", "penny").replace("penny.", "coin.")  # what ends a sentence is prose
