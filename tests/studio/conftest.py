"""A studio and a browser for the tests of its page."""

from __future__ import annotations

import pytest
from studio.browsing import EXPECTED, browse


@pytest.fixture(scope="module")
def base():
    with browse.studio() as found:
        yield found


@pytest.fixture(scope="module")
def running():
    if not browse.chromium():
        pytest.skip("no Chromium on this machine")
    pytest.importorskip("playwright.sync_api")
    with browse.browser() as found:
        yield found


@pytest.fixture
def opened(running):
    """Opens pages that must not complain; says what they complained of."""
    contexts = []

    def new(**more):
        context = running.new_context(
            **{"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce", **more}
        )
        page = context.new_page()
        page.faults = []
        page.on("response", lambda got: page.faults.append(f"{got.status} {got.url}") if got.status > 399 else None)
        page.on("pageerror", lambda error: page.faults.append(str(error)))
        page.on("console", lambda told: page.faults.append(told.text) if told.type == "error" else None)
        contexts.append((context, page))
        return page

    yield new
    faults = [fault for _, page in contexts for fault in page.faults if not EXPECTED.search(fault)]
    for context, _ in contexts:
        context.close()
    assert faults == []


@pytest.fixture
def page(opened):
    return opened()
