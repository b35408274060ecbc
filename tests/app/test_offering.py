"""Which tools a planner elsewhere is shown: all up to a dozen, beyond that those that fit."""

from __future__ import annotations

import lexsi_nb as lx
from lexsi_nb.app.offering import CONNECT, offered
from lexsi_nb.tools.catalogue import ALWAYS


def registry_of(*more):
    session = lx.Session(lx.datasets.bank())
    for tool in more:
        session.add_tool(tool)
    return session.registry


def test_a_dozen_tools_are_all_shown():
    registry = registry_of()
    shown = offered(registry, "How many loans are there?", ["loan"])
    assert len(shown) == 12
    assert shown == set(registry.names) - {CONNECT}


def test_past_a_dozen_those_that_fit_are_shown():
    @lx.tool
    def tide(harbour: str) -> str:
        """Return the tide of a harbour.

        Args:
            harbour: Its name.
        """
        return harbour

    shown = offered(registry_of(tide), "What is the tide of the harbour?", ["loan"])
    assert "tide" in shown
    assert set(ALWAYS) <= shown
    assert "render_chart" not in shown
