"""Approvals and choices by a click: one decision, said for good, with what followed in the cell's own outputs."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd
import pytest

pytest.importorskip("anywidget")

from lexsi_nb.magics import ATTRIBUTE
from lexsi_nb.magics.deciding import offer
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say
from lexsi_nb.widgets.record import KEY

REFUND = call("refund", customer="C-1", amount=900.0)


class Place:
    """The outputs of a cell, as the page has them."""

    message = "m"

    def __init__(self) -> None:
        self.before: list[Any] = []
        self.outputs: list[Any] = []

    def replace(self, outputs: Any) -> None:
        self.outputs = [*self.before, *outputs]

    @property
    def texts(self) -> list[str]:
        return [data["text/plain"] for data, _ in self.outputs]


@pytest.fixture
def magics(ip: Any, shop: Any, orders: pd.DataFrame, monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> Any:
    monkeypatch.chdir(tmp_path)
    ip.user_ns["orders"] = orders
    magics = getattr(ip, ATTRIBUTE)
    magics.session.scopes |= {"payments:write"}
    magics.session.add_tool(shop)
    return magics


def script(magics: Any, *lines: Any) -> ScriptedPlanner:
    planner = ScriptedPlanner(list(lines))
    magics.session.planner = lambda: planner
    return planner


def shown(ip: Any, magics: Any, question: str) -> tuple[Any, Place]:
    """Ask, and return the widget that is shown and the place that it is shown in."""
    ip.run_cell(f"%%lexsi {question}", store_history=False)
    run, place = magics.session.runs[-1], Place()
    bundle = offer(magics, run, "notebook", place)  # type: ignore[arg-type]
    assert bundle is not None
    return magics.decisions[run.approval.id if run.approval is not None else run.id], place


def click(widget: Any, request: str, **content: Any) -> dict[str, Any]:
    reply = widget.receive({"id": "1", "request": request, "content": content})
    widget.wait()
    return reply


def code(widget: Any) -> str:
    return widget.receive({"id": "1", "request": "code"})["reply"]["source"]


def test_of_several_clicks_the_first_counts_and_the_outcome_is_said_for_good(ip: Any, magics: Any, shop: Any) -> None:
    script(magics, REFUND, say("Refunded 900."))
    card, place = shown(ip, magics, "refund C-1")
    assert code(card) == f"%lexsi approve {card.approval.id}\n"
    for request in ("approve", "approve", "decline"):
        card.receive({"id": "1", "request": request})
    card.wait()
    assert shop.ledger == [("C-1", 900.0)]
    assert card.state["phase"] == "done"
    assert card.state["said"].endswith(". It ran; the answer is below.")
    assert "%lexsi approve" not in card.static()["text/html"]
    assert place.texts[0].startswith("Approved 20")
    assert "Refunded 900." in place.texts[1]
    assert magics.decisions == {}


def test_the_record_of_the_run_is_saved_as_it_ended(ip: Any, magics: Any, shop: Any) -> None:
    script(magics, REFUND, say("Refunded 900."))
    card, place = shown(ip, magics, "refund C-1")
    click(card, "approve")
    assert [m[KEY]["status"] for _, m in place.outputs if KEY in m] == ["answered"]

    def gone(turn: Any) -> Any:
        raise ConnectionError("the planner is gone")

    script(magics, REFUND, gone)
    card, place = shown(ip, magics, "refund C-1 once more")
    click(card, "approve")
    assert "The run failed" in card.state["said"]
    assert "the planner is gone" in place.texts[0]
    assert [m[KEY]["status"] for _, m in place.outputs] == ["failed"]


def test_a_no_is_said_with_its_reason(ip: Any, magics: Any, shop: Any) -> None:
    planner = script(magics, REFUND, say("Not refunded."))
    card, place = shown(ip, magics, "refund C-1")
    click(card, "decline", reason="not this month")
    assert "not this month" in planner.turns[-1].messages[-1].text
    assert shop.ledger == []
    assert re.match(r"Declined 20\S+ \S+: not this month\. It did not run; ", place.texts[0])
    assert "Not refunded." in place.texts[1]


def test_changed_arguments_are_asked_about_again_below(ip: Any, magics: Any, shop: Any) -> None:
    script(magics, REFUND, say("done"))
    card, place = shown(ip, magics, "refund C-1")
    assert "no JSON" in click(card, "change", args="{nonsense")["error"]
    assert "no JSON object" in click(card, "change", args="[1]")["error"]
    click(card, "change", args='{"customer": "C-1", "amount": "much"}')
    assert card.is_open
    assert "amount" in card.state["said"]
    click(card, "change", args='{"customer": "C-1", "amount": 600}')
    assert card.state["said"].endswith("the new arguments wait below.")
    (second,) = magics.decisions.values()
    click(second, "approve")
    assert shop.ledger == [("C-1", 600.0)]
    assert [t.split()[0] for t in place.texts[:2]] == ["Changed", "Approved"]
    assert "done" in place.texts[2]


def test_a_card_answers_for_what_it_shows_and_for_no_later_call(ip: Any, magics: Any, shop: Any) -> None:
    script(magics, REFUND, say("done"))
    card, _ = shown(ip, magics, "refund C-1")
    first = card.approval.id
    magics.session.resume(first, args={"customer": "C-9", "amount": 9000})
    click(card, "approve")
    assert shop.ledger == []
    assert "edited before" in card.state["said"]


def test_a_command_in_another_cell_is_said_on_the_card(ip: Any, magics: Any, shop: Any) -> None:
    script(magics, REFUND, say("done"))
    card, place = shown(ip, magics, "refund C-1")
    assert ip.run_cell(f"%lexsi approve {card.approval.id}", store_history=False).success
    assert card.state["said"].endswith("What followed stands in the cell that said so.")
    assert len(place.outputs) == 1
    assert place.outputs[0][1][KEY]["status"] == "answered"


def test_a_run_that_a_click_started_can_be_stopped(ip: Any, magics: Any) -> None:
    import threading

    import lexsi_nb as lx

    began, shown_on_card, end = (threading.Event() for _ in range(3))

    @lx.tool(thread_safe=True)
    def wait_long() -> str:
        """Wait for what never comes."""
        began.set()
        end.wait()
        return "over"

    magics.session.add_tool(wait_long)
    script(magics, REFUND, call("wait_long"), say("done"))
    card, place = shown(ip, magics, "refund and wait")
    update = card.update

    def told(**state: Any) -> None:
        update(**state)
        if any("Wait long" in line for line in state.get("lines", [])):
            shown_on_card.set()

    card.update = told
    card.receive({"id": "1", "request": "approve"})
    assert began.wait(30)
    assert shown_on_card.wait(30)
    card.receive({"id": "2", "request": "stop"})
    card.wait()
    end.set()
    assert card.state["said"].endswith("The run was stopped.")
    assert place.outputs[0][1][KEY]["status"] == "interrupted"


@pytest.fixture
def trips(ip: Any, magics: Any) -> None:
    del ip.user_ns["orders"]
    ip.user_ns["trips"] = pd.DataFrame({"trip_id": [1, 2], "dep_delay": [1.0, 5.0], "arr_delay": [10.0, 50.0]})


def test_a_reading_is_marked_taken_and_kept(ip: Any, magics: Any, trips: None, tmp_path: Any) -> None:
    form, place = shown(ip, magics, "average delay")
    assert [o["gives"] for o in form.state["options"]] == ["3", "30"]
    assert "error" in click(form, "mark", number=9)
    click(form, "mark", number=2)
    assert code(form) == f"%%lexsi\n{form.choice.options[1].question}\n"
    for number in (2, 1):
        form.receive({"id": "1", "request": "take", "content": {"number": number, "keep": True}})
    form.wait()
    assert form.state["said"].startswith("Reading 2 taken 20")
    assert "'delay' is " in form.state["said"]
    assert (tmp_path / "lexsi_kg.yaml").exists()
    assert magics.session.runs[-1].frame.iloc[0, 0] == 30.0
    assert "SELECT" in code(form)
    assert "->(2)" in place.texts[0]
    assert "30" in place.texts[1]
    assert [m[KEY]["status"] for _, m in place.outputs if KEY in m] == ["needs_choice", "answered"]


def test_a_reading_that_fails_leaves_the_others_open(ip: Any, magics: Any, trips: None) -> None:
    form, place = shown(ip, magics, "average delay")
    del ip.user_ns["trips"]
    click(form, "take", number=1)
    assert form.is_open
    assert form.state["said"] != ""
    assert place.outputs == []


@pytest.mark.parametrize(
    ("widgets", "environment"), [("static", "notebook"), ("live", "headless"), ("live", "terminal")]
)
def test_where_nobody_can_click_there_is_no_widget(
    ip: Any, magics: Any, trips: None, widgets: str, environment: str
) -> None:
    ip.run_cell("%%lexsi average delay", store_history=False)
    magics.widgets = widgets
    assert offer(magics, magics.session.runs[-1], environment) is None
