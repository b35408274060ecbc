"""Every kind of artifact has HTML, stable text, a picture where it is one, and shows itself in a cell."""

from __future__ import annotations

import re

import pandas as pd
import pytest

from lexsi_nb.app.run import UnknownResult
from lexsi_nb.app.session import Session
from lexsi_nb.artifacts import (
    Approval,
    Attribution,
    Chart,
    Choice,
    CodeCell,
    ModelCard,
    Option,
    Reason,
    Shown,
    Table,
    Text,
    by_id,
    stamped,
)
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say
from lexsi_nb.widgets.attribution import attribution_spec
from lexsi_nb.widgets.bundle import bundle, html_of, image, text_of

FRAME = pd.DataFrame({"loan_id": [5314, 5315], "name": ["<b>", "b & c"], "amount": [1234.5, None]})
SPEC = {"data": {"values": [{"a": 1}]}, "mark": "bar", "encoding": {"x": {"field": "a", "type": "quantitative"}}}
KINDS = {
    "table": Table(FRAME, name="loans", units={"amount": "CZK"}),
    "chart": Chart(SPEC, "One bar", "One bar: a 1.", "chart_1"),
    "attribution": Attribution(
        "5314",
        -1.0,
        0.2,
        0.55,
        (Reason("amount", "1,234", 0.9), Reason("<age>", "30", 0.3)),
        entity="loan_id",
        name="attributions",
    ),
    "model card": ModelCard("LightGBM-1", "too few cases to tell", (("rows", "234"),), ("31 cases < 50",), "model"),
    "code cell": CodeCell("x = 1 < 2\n", "One line", produces=("x",)),
    "choice": Choice("Which one?", (Option("loans < 3", "How many loans?", "682"), Option("none"))),
    "approval": Approval("a1b2", "train_tabular_model", {"df_label": "context_df <words>"}, (("cost", "none"),)),
    "text": Text("Words & words.\n\nMore <words>.", "A title"),
}


@pytest.mark.parametrize("artifact", KINDS.values(), ids=KINDS.keys())
class TestEveryKind:
    def test_html_needs_no_script_and_escapes_what_data_say(self, artifact):
        html = html_of(artifact)
        assert "<script" not in html
        assert not re.search(r"""(src|href)=["']?https?:""", html)
        assert not any(tag in html for tag in ("<b>,", "<age>", "<words>"))

    def test_text_is_the_same_at_each_run_and_has_no_address(self, artifact):
        text = text_of(artifact)
        assert text == text_of(artifact)
        assert text.strip()
        assert "0x" not in text
        assert "<" not in re.sub(r"<b>|<age>|<words>| < ", "", text)

    def test_a_bundle_has_text_and_something_to_look_at(self, artifact):
        made = bundle(artifact)
        assert made["text/plain"] == text_of(artifact)
        assert set(made) & {"text/html", "image/png"}
        assert bundle(Shown(artifact, 1, "run_sql")) == made

    def test_the_last_line_of_a_cell_shows_it(self, artifact, ip):
        data, _ = ip.display_formatter.format(artifact)
        assert data == bundle(artifact)

    def test_it_shows_itself_without_ipython(self, artifact):
        assert artifact._repr_mimebundle_() == bundle(artifact)

    def test_alone_it_names_synthetic_data_and_the_cell_that_makes_it(self, artifact):
        cell = CodeCell("x = 1 < 2\n", "The cell", produces=("x",))
        marked = stamped(artifact, synthetic=True, cell=cell)
        if marked is artifact:
            assert isinstance(artifact, Choice | CodeCell | Text | Approval)
            return
        data = Shown(marked, 1, "run_sql")._repr_mimebundle_()
        assert data["text/plain"].startswith("SYNTHETIC data: generated, no real clients.")
        assert data["text/plain"].endswith("made by:\n# The cell\nx = 1 < 2")
        if "text/html" in data:
            assert "SYNTHETIC data" in data["text/html"]
            assert "x = 1 &lt; 2" in data["text/html"]


@pytest.mark.parametrize("name", ["chart", "attribution"])
def test_pictures_have_an_image(name):
    assert image(KINDS[name])[:8] == b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize("name", ["table", "text", "model card", "choice", "code cell", "approval"])
def test_what_is_no_picture_has_none(name):
    assert image(KINDS[name]) is None


def test_text_forms():
    assert text_of(KINDS["table"]) == "loan_id  name   amount (CZK)\n   5314  <b>         1,234.5\n   5315  b & c"
    assert text_of(KINDS["model card"]) == (
        "LightGBM-1: too few cases to tell\n  rows     234\n  warning  31 cases < 50"
    )
    assert text_of(KINDS["choice"]) == (
        "Which one?\n  (1) loans < 3: 682\n      ask: How many loans?\n  (2) none\n"
        "  %lexsi choose 1   takes that reading"
    )
    assert text_of(KINDS["code cell"]) == "# One line\nx = 1 < 2"
    assert text_of(KINDS["text"]) == "A title\nWords & words.\n\nMore <words>."
    assert text_of(KINDS["attribution"]).splitlines() == [
        "What moved the score of loan_id 5314",
        "  amount = 1,234  +0.90  ++++++++++++++++++++",
        "  <age> = 30      +0.30  +++++++",
        "  model's starting point -1.00 + contributions 1.20 = +0.20 log-odds (score 0.550)",
    ]


def test_a_regression_is_explained_in_its_own_unit():
    text = text_of(Attribution("1", 10.0, 12.0, None, (Reason("a", "1", 2.0),), "units of price"))
    assert "units of price" in text
    assert "log-odds" not in text


def test_ids_and_years_are_not_grouped_by_thousands():
    text = text_of(Table(pd.DataFrame({"year": [1993], "loan_id": [12345], "amount": [12345]})))
    assert text.splitlines()[1].split() == ["1993", "12345", "12,345"]


def test_long_tables_are_cut_and_say_so():
    frame = pd.DataFrame({f"c{i}": range(50) for i in range(40)})
    assert text_of(Table(frame, name="wide")).endswith("First 20 of 50 rows and 30 of 40 columns; all in wide.")


def test_frames_of_other_libraries_are_shown():
    import polars as pl

    frame = pl.DataFrame({"a": [1, 2]})
    assert text_of(Table(frame)) == text_of(Table(frame.to_arrow())) == "a\n1\n2"


def test_ids_are_names_a_planner_can_guess():
    shown = [Shown(a, 3, "t") for a in KINDS.values()]
    assert [s.id for s in shown] == [
        "loans",
        "chart_1",
        "why_5314",
        "model",
        "result_3",
        "choice_3",
        "approval_3",
        "text_3",
    ]


def test_a_result_made_again_takes_its_id():
    first, second = Shown(Table(FRAME, name="x"), 1, "run_sql"), Shown(Table(FRAME.head(1), name="x"), 2, "run_sql")
    assert by_id([first, second]) == {"x": second}


# -- runs


def ran(ip, *lines) -> None:
    """Ask one scripted question in the shell and leave the run as `run`."""
    ip.user_ns["loans"] = pd.DataFrame({"status": list("ABAB"), "amount": [1, 2, 3, 4]})
    session = Session(planner=ScriptedPlanner([*lines, say("Four loans.")]), namespace=ip.user_ns)
    ip.user_ns["run"] = session.ask("loans by status")


SQL = call("run_sql", sql="SELECT status, sum(amount) AS amount FROM loans GROUP BY 1 ORDER BY 1", label="by_status")
DRAW = call(
    "render_chart",
    label="by_status",
    spec={"mark": "bar", "encoding": {"x": {"field": "status"}, "y": {"field": "amount"}}},
)


def test_a_run_as_the_last_line_shows_its_answer(ip):
    ran(ip, SQL, DRAW)
    data, _ = ip.display_formatter.format(ip.user_ns["run"])
    assert "Four loans." in data["text/html"]
    assert "data:image/png;base64," in data["text/html"]
    assert data["text/plain"].startswith("Four loans.")
    assert "by_status" in data["text/plain"]


def test_a_run_prints_as_one_line(ip):
    ran(ip, SQL)
    assert re.fullmatch(r"<Run [0-9a-f]{8} answered: Four loans\.>", repr(ip.user_ns["run"]))


def test_after_unloading_results_still_show_themselves(ip):
    ip.run_line_magic("unload_ext", "lexsi_nb")
    data, _ = ip.display_formatter.format(KINDS["text"])
    assert data == bundle(KINDS["text"])
    ip.run_line_magic("load_ext", "lexsi_nb")


def test_each_result_has_the_cell_that_makes_it_again(ip):
    ran(ip, SQL, DRAW)
    run = ip.user_ns["run"]
    for shown in run.artifacts:
        assert shown.artifact.name in run.cell_of(shown).produces
    assert run.cell_of("chart_1").kind == "chart"
    with pytest.raises(UnknownResult, match="chart_1"):
        run.cell_of("chart_9")


def test_every_result_of_a_run_over_synthetic_data_says_so_alone(bank_run):
    kinds = set()
    for shown in bank_run.artifacts:
        data = shown._repr_mimebundle_()
        kinds.add(type(shown.artifact).__name__)
        assert "SYNTHETIC" in data["text/plain"], shown.id
        if isinstance(shown.artifact, Chart):
            assert "SYNTHETIC" in str(data["application/vnd.vegalite.v5+json"]["title"])
            assert data["image/png"]
        else:
            assert "SYNTHETIC" in data["text/html"], shown.id
        assert shown.artifact.cell in bank_run.cells, shown.id
        assert "made by:" in data["text/plain"]
    assert kinds >= {"Table", "Chart", "Attribution", "ModelCard"}
    attribution = bank_run.of(Attribution)[0]
    assert "SYNTHETIC" in attribution_spec(attribution)["title"]
    assert "SYNTHETIC" in bank_run.graph._repr_mimebundle_()["text/plain"]


def test_results_of_the_users_own_data_do_not(ip):
    ran(ip, SQL, DRAW)
    for shown in ip.user_ns["run"].artifacts:
        assert "SYNTHETIC" not in str(shown._repr_mimebundle_())


def test_a_result_without_a_label_has_its_cell_too(ip):
    ran(ip, call("run_sql", sql="SELECT count(*) AS n FROM loans"))
    run = ip.user_ns["run"]
    assert run.artifacts[0].artifact.cell is run.cells[-1]
    assert "count(*)" in run.artifacts[0]._repr_mimebundle_()["text/plain"]
