"""When the program itself fails, the editor gets one message, and the session goes on."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from calls import call
from lspclient import CONTENT
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams

from patolli.serve.lsp.service import Server, make_server


def planted(*_: object, **__: object) -> None:
    raise KeyError("planted")


class Talk:
    """A server whose messages are kept."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.shown: list[str] = []
        self.logged: list[str] = []
        self.published: list[lsp.PublishDiagnosticsParams] = []
        monkeypatch.setattr(Server, "convert", None)
        monkeypatch.setattr(Server, "window_show_message", lambda _, params: self.shown.append(params.message))
        monkeypatch.setattr(Server, "window_log_message", lambda _, params: self.logged.append(params.message))
        monkeypatch.setattr(
            Server, "text_document_publish_diagnostics", lambda _, params: self.published.append(params)
        )
        self.server = make_server()


@pytest.fixture
def talk(monkeypatch):
    return Talk(monkeypatch)


@pytest.fixture
def file(tmp_path) -> Path:
    shutil.copytree(CONTENT / "tic_tac_toe", tmp_path / "tic_tac_toe")
    return next(path for path in (tmp_path / "tic_tac_toe").glob("*.yaml") if "rules:" in path.read_text())


@pytest.mark.parametrize("where", ["inspection.analyze", "scenarios.scenario_check.ScenarioChecks.check"])
def test_fault_is_shown_once_and_the_session_goes_on(talk, file, monkeypatch, where):
    project = talk.server.project
    project.library.add_root(file.parents[1])
    text = file.read_text()

    def edited(more: str) -> None:
        project.update_text(str(file), text + more)
        talk.server._send(str(file))
        for _ in project.check_scenarios(file.parent):
            pass
        talk.server._send(str(file), False)

    with monkeypatch.context() as patch:
        patch.setattr(f"patolli.author.workspace.{where}", planted)
        edited("# one\n")
        edited("# two\n")

    assert len(talk.shown) == len(talk.logged) == 1
    assert talk.shown[0].startswith("this is an internal error, not a mistake in the content: KeyError: 'planted'")
    assert 'raise KeyError("planted")' in talk.logged[0]
    assert f"pack: {file.parent}" in talk.logged[0]
    assert [found for params in talk.published for found in params.diagnostics] == []
    edited("# three\n")
    assert project.checks[file.parent].sound


def test_fault_of_a_handler_is_shown(talk):
    try:
        planted()
    except KeyError as error:
        talk.server.report_server_error(error, None)

    assert len(talk.shown) == 1
    assert "'planted'" in talk.shown[0]


def test_what_was_refused_is_no_fault(talk):
    from pygls.exceptions import FeatureRequestError

    talk.server.report_server_error(JsonRpcInvalidParams(message="no"), FeatureRequestError)

    assert talk.shown == []


@pytest.mark.parametrize(
    "body", ['{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}', "[" * 50]
)
def test_editor_that_cannot_be_told_anything(body):
    """To tell that an answer could not be sent fails for the same reason, again and again."""
    ended = call("lsp", stdin=f"Content-Length: {len(body)}\r\n\r\n{body}", stdout="/dev/full")

    assert ended.code == 2
    assert ended.lines[-1] == "Error: the output cannot be written: No space left on device"
