"""Pages of a large table: only the one asked for last is found, and nothing else waits for it."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

from lexsi_nb.widgets.live import table as tables
from lexsi_nb.widgets.live.base import Superseded
from lexsi_nb.widgets.live.newest import Newest
from lexsi_nb.widgets.live.table import LiveTable

SECONDS = 30


class Held:
    """Work that goes on until it is let go or given up; `said` has what came of each piece."""

    def __init__(self) -> None:
        self.said: queue.Queue[tuple[str, str]] = queue.Queue()
        self.begun: queue.Queue[str] = queue.Queue()
        self.go = threading.Event()

    def work(self, name: str) -> Callable[[Callable[[], None]], None]:
        def act(check: Callable[[], None]) -> None:
            try:
                check()
                self.begun.put(name)
                while not self.go.wait(0.01):
                    check()
                self.said.put((name, "done"))
            except Superseded:
                self.said.put((name, "given up"))

        return act


def test_newer_work_takes_the_place_of_older() -> None:
    held, newest = Held(), Newest()
    for name in ("first", "second", "third"):
        newest.begin(held.work(name))
    assert sorted(held.said.get(timeout=SECONDS) for _ in range(2)) == [("first", "given up"), ("second", "given up")]
    held.go.set()
    assert held.said.get(timeout=SECONDS) == ("third", "done")
    newest.begin(held.work("fourth"))
    assert held.said.get(timeout=SECONDS) == ("fourth", "done")


def test_stopped_work_is_given_up_and_the_next_begins() -> None:
    held, newest = Held(), Newest()
    newest.stop()
    newest.begin(held.work("one"))
    held.begun.get(timeout=SECONDS)
    newest.stop()
    assert held.said.get(timeout=SECONDS) == ("one", "given up")
    held.go.set()
    newest.begin(held.work("two"))
    assert held.said.get(timeout=SECONDS) == ("two", "done")


def test_work_that_fails_does_not_keep_the_next_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    failed: queue.Queue[Any] = queue.Queue()
    monkeypatch.setattr(threading, "excepthook", failed.put)
    held, newest = Held(), Newest()
    held.go.set()

    def broken(check: Callable[[], None]) -> None:
        raise OSError("the page is gone")

    newest.begin(broken)
    assert isinstance(failed.get(timeout=SECONDS).exc_value, OSError)
    newest.begin(held.work("next"))
    assert held.said.get(timeout=SECONDS)[0] == "next"


class Page:
    """What the page hears of a table, and a table whose rows are found when they are let go."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(tables, "MANY_ROWS", 10)
        self.table = LiveTable(pd.DataFrame({"a": range(100)}), explain=lambda places: ("why", "why"), page=5)
        self.heard: queue.Queue[dict[str, Any]] = queue.Queue()
        self.begun: queue.Queue[int] = queue.Queue()
        self.go = threading.Event()
        found = self.table.rows.page

        def slow(query: Any, size: int, check: Callable[[], None]) -> Any:
            self.begun.put(query.offset)
            while not self.go.wait(0.01):
                check()
            return found(query, size, check)

        self.table.rows.page = slow  # type: ignore[method-assign]

    def ask(self, id: str, request: str, **content: Any) -> None:
        self.table.respond({"id": id, "request": request, "content": content}, self.heard.put)

    @property
    def shown(self) -> list[int]:
        return [r["place"] for r in self.table.state["page"]["rows"]]


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Page:
    return Page(monkeypatch)


def test_nothing_waits_for_a_page_and_only_the_last_one_is_shown(page: Page) -> None:
    page.ask("1", "page", offset=50)
    page.begun.get(timeout=SECONDS)
    page.ask("2", "code")
    page.ask("3", "explain", places=[4])
    assert page.heard.get(timeout=SECONDS)["id"] == "2"
    assert page.heard.get(timeout=SECONDS) == {"id": "3", "reply": {"html": "why", "sentence": "why"}}
    page.ask("4", "page", offset=90)
    assert page.heard.get(timeout=SECONDS) == {"id": "1", "reply": {"superseded": True}}
    page.go.set()
    assert page.heard.get(timeout=SECONDS) == {"id": "4", "reply": {}}
    assert page.shown == [90, 91, 92, 93, 94]


def test_a_stopped_page_leaves_what_is_shown(page: Page) -> None:
    before = page.table.cell()
    page.ask("1", "page", offset=50, sort={"column": 0, "descending": True})
    page.begun.get(timeout=SECONDS)
    page.ask("2", "stop")
    assert {page.heard.get(timeout=SECONDS)["id"], page.heard.get(timeout=SECONDS)["id"]} == {"1", "2"}
    assert page.shown == [0, 1, 2, 3, 4]
    assert page.table.cell() == before


def test_what_is_wrong_with_a_query_is_said(page: Page) -> None:
    page.go.set()
    page.ask("1", "page", sort={"column": 7, "descending": False})
    assert page.heard.get(timeout=SECONDS)["error"].startswith("The table has no such column.")
