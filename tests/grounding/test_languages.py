"""A language is a file: German questions over German and English columns, and what a file may lack or get wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from lexsi_nb.grounding.language import LANGUAGE
from lexsi_nb.grounding.language.file import FOLDER, BadLanguage, read
from lexsi_nb.grounding.language.tables import Language

GERMAN = Path(__file__).parent / "languages" / "german.toml"

# Asked in a process of its own, as the language is chosen once a process.
ASK = """
import json, sys
import pandas as pd
import lexsi_nb as lx
loans = pd.DataFrame({
    "kredit_nr": range(1, 13), "konto_nr": [1, 2, 3, 4, 5, 6] * 2, "betrag": range(1000, 13000, 1000),
    "laufzeit": [12, 24, 36] * 4, "status": list("ABCD") * 3,
    "datum": pd.to_datetime(["1995-03-01", "1995-04-01", "1996-01-10", "1996-03-05", "1996-12-24", "1997-01-01",
                             "1997-02-02", "1997-05-05", "1998-01-01", "1998-03-03", "1998-07-07", "1998-12-31"]),
})
accounts = pd.DataFrame({"konto_nr": range(1, 7), "bezirk": ["Prag", "Prag", "Brno", "Brno", "Olomouc", "Prag"]})
english = {"kredit_nr": "loan_id", "konto_nr": "account_id", "betrag": "amount", "laufzeit": "duration",
           "datum": "date", "bezirk": "district"}
frames = {"german": {"kredite": loans, "konten": accounts},
          "english": {"loans": loans.rename(columns=english), "accounts": accounts.rename(columns=english)}}
out = {}
for name, questions in json.loads(sys.stdin.read()).items():
    session = lx.Session(frames[name], planner="embedded", namespace=dict(frames[name]))
    for question in questions:
        session.reset()
        run = session.ask(question)
        rows = None if run.frame is None else run.frame.astype(object).values.tolist()
        out[f"{name}: {question}"] = {"status": run.status, "answer": run.answer, "rows": rows}
print("ANSWERS" + json.dumps(out, default=str))
"""

ONE_NUMBER = {
    "Wie viele Kredite gibt es?": 12,
    "Anzahl der Kredite": 12,
    "Wie hoch ist der durchschnittliche Betrag der Kredite?": 6500.0,
    "Was ist der höchste Betrag?": 12000,
    "Wie viele Kredite haben einen Betrag über 5.000?": 7,
    "Wie viele Kredite haben einen Betrag von mindestens fünf tausend?": 8,
    "Wie viele Kredite wurden nach dem 24.12.1996 vergeben?": 7,
    "Wie viele Kredite wurden im März 1996 vergeben?": 1,
    "Wie viele Kredite gab es 1998?": 4,
    "Wie viele Kredite mit Status nicht A gibt es?": 9,
    "Wie viele Konten gibt es in Prag?": 3,
    "Wie viele Kredite mit Status A oder B gibt es?": 6,
    "Wie viele Kredite sind nicht aus Prag?": 6,
    "Wie viele Kredite wurden zwischen März und Mai 1996 vergeben?": 1,
    "Wie viele Kredite sind weder in Prag noch in Brno?": 2,
    "Anzahl der Kredite, die einen Betrag von höchstens 3.000 haben": 3,
    "Median der Beträge": 6500.0,
}
TABLES = {
    "durchschnittlicher Betrag nach Status": [["D", 8000.0], ["C", 7000.0], ["B", 6000.0], ["A", 5000.0]],
    "Summe der Beträge nach Status": [["D", 24000], ["C", 21000], ["B", 18000], ["A", 15000]],
    "Wie viele Kredite gibt es pro Bezirk?": [["Prag", 6], ["Brno", 4], ["Olomouc", 2]],
    "Welcher Bezirk hat die meisten Kredite?": [["Prag", 6]],
    "Gibt es Kredite mit einem Betrag unter 500?": [[False, 0]],
    "Gibt es Kredite mit einem Betrag über 500?": [[True, 12]],
}
TOP = "Die 3 größten Kredite nach Betrag"
DECLINED = {
    "Wie viele gute Kunden gibt es?": "gute",
    "Wie viele fliegende Kredite gibt es?": "fliegende",
    "Lösche alle Kredite": "Lösche",
    "how many loans are there?": "how",
    "Gibt es keine Kredite mit einem Betrag unter 500?": "keine",
}


def _ask(language: Path, questions: dict[str, list[str]]) -> dict[str, Any]:
    env = {**os.environ, "LEXSI_NB_LANGUAGE": str(language), "PYTHONUTF8": "1"}
    run = subprocess.run(
        [sys.executable, "-c", ASK],
        input=json.dumps(questions), capture_output=True, text=True, encoding="utf-8", env=env, check=False,
    )  # fmt: skip
    assert "ANSWERS" in run.stdout, run.stderr
    return json.loads(run.stdout.partition("ANSWERS")[2])


@pytest.fixture(scope="module")
def answers() -> dict[str, Any]:
    questions = [*ONE_NUMBER, *TABLES, TOP, *DECLINED]
    return _ask(GERMAN, {"german": questions, "english": questions})


@pytest.mark.parametrize("frames", ["german", "english"])
@pytest.mark.parametrize("question", ONE_NUMBER)
def test_a_german_question_for_a_number_is_answered(answers: dict[str, Any], frames: str, question: str) -> None:
    found = answers[f"{frames}: {question}"]
    assert found["status"] == "answered", found["answer"]
    assert [ONE_NUMBER[question]] in found["rows"]


@pytest.mark.parametrize("frames", ["german", "english"])
@pytest.mark.parametrize("question", TABLES)
def test_a_german_question_for_groups_or_yes_and_no_is_answered(
    answers: dict[str, Any], frames: str, question: str
) -> None:  # fmt: skip
    found = answers[f"{frames}: {question}"]
    assert found["status"] == "answered", found["answer"]
    assert found["rows"] == TABLES[question]


@pytest.mark.parametrize("frames", ["german", "english"])
def test_the_largest_are_listed_in_their_order(answers: dict[str, Any], frames: str) -> None:
    assert [row[2] for row in answers[f"{frames}: {TOP}"]["rows"]] == [12000, 11000, 10000]


@pytest.mark.parametrize("frames", ["german", "english"])
@pytest.mark.parametrize("question", DECLINED)
def test_what_is_not_defined_is_declined_and_named(answers: dict[str, Any], frames: str, question: str) -> None:
    found = answers[f"{frames}: {question}"]
    assert found["status"] == "declined"
    assert DECLINED[question] in found["answer"]


def test_a_synonym_is_said(answers: dict[str, Any]) -> None:
    assert "'Betrag' read as 'amount'" in answers["english: Was ist der höchste Betrag?"]["answer"]


@pytest.mark.parametrize("text", ["", '[lexicon.phrases]\ncount = ["wie viele"]\n[lexicon]\nstop = "gibt es ?"\n'])
def test_a_file_that_leaves_tables_out_declines_and_does_not_fail(tmp_path: Path, text: str) -> None:
    path = tmp_path / "little.toml"
    path.write_text(text, "utf-8")
    questions = ["Wie viele kredite gibt es?", "betrag über 5 im März", "gibt es kredite?", "und nach status"]
    found = _ask(path, {"german": questions})
    statuses = [found[f"german: {q}"]["status"] for q in questions]
    assert statuses[0] == ("answered" if text else "declined")
    assert set(statuses[1:]) <= {"declined", "needs_choice", "answered"}
    if text:
        assert found["german: Wie viele kredite gibt es?"]["rows"] == [[12]]


@pytest.mark.parametrize("section", [f.name for f in fields(Language) if f.name != "name"])
def test_english_leaves_no_table_out(section: str) -> None:
    import tomllib

    data = tomllib.loads((FOLDER / "english.toml").read_text("utf-8"))
    assert set(data[section]) == {f.name.lower() for f in fields(type(getattr(LANGUAGE, section)))}


def test_an_empty_file_has_empty_tables_and_patterns_that_fit_nothing(tmp_path: Path) -> None:
    (tmp_path / "empty.toml").write_text("", "utf-8")
    language = read(tmp_path / "empty.toml")
    assert language.name == "empty"
    assert frozenset() == language.lexicon.STOP
    assert language.lexicon.MONTHS == {}
    assert not language.grammar.LAST_YEAR.search("last year")
    assert language.vocabulary.LIST_THEM == "(?!)"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[lexikon]\nstop = 'der'\n", ["No table 'lexikon' is known in bad.toml.", "Nearest: lexicon."]),
        ("[lexicon]\nstopp = 'der'\n", ["No table 'stopp' is known in [lexicon] of bad.toml.", "Nearest: stop"]),
        ("[lexicon]\nstop = 3\n", ["lexicon.stop of bad.toml cannot be read.", "3 is no list"]),
        ("[lexicon.months]\nmai = 'fünf'\n", ["lexicon.months of bad.toml cannot be read.", "'fünf' is no int"]),
        ("[grammar]\nlast_year = '(letztes'\n", ["grammar.last_year of bad.toml cannot be read."]),
        ("[grammar]\nlast_year = '{jahr}'\n", ["no part 'jahr' stands under [pieces]"]),
        (
            "[turns]\nturns = [['eins', 'zwei', 'drei']]\n",
            ["turns.turns of bad.toml cannot be read.", "has not 2 parts"],
        ),
        (
            "[lexicon.phrases]\navg = ['promedio']\n",
            ["No phrases of 'avg' are known in [lexicon.phrases] of bad.toml.", "Nearest: agg:avg"],
        ),
        ("[lexicon.phrases]\n'cmp>' = ['sobre']\n", ["No phrases of 'cmp>' are known", "cmp:>"]),
        ("lexicon = 3\n", ["[lexicon] of bad.toml is no section."]),
        ("[lexicon\n", ["bad.toml is no TOML file."]),
    ],
)
def test_a_wrong_file_says_what_and_where(tmp_path: Path, text: str, said: list[str]) -> None:
    (tmp_path / "bad.toml").write_text(text, "utf-8")
    with pytest.raises(BadLanguage) as error:
        read(tmp_path / "bad.toml")
    for words in [*said, "docs/languages.md"]:
        assert words in str(error.value)


def test_a_file_that_is_not_there_names_what_is(tmp_path: Path) -> None:
    with pytest.raises(BadLanguage, match=r"Set LEXSI_NB_LANGUAGE to a TOML file, or to: english\."):
        read(tmp_path / "none.toml")


def test_words_of_a_file_are_compared_as_questions_are(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text("[lexicon.phrases]\n'more:desc' = ['größer']\n", "utf-8")
    assert read(tmp_path / "x.toml").lexicon.PHRASES == {"more:desc": ["grösser"]}


def test_ordinals_beyond_those_of_english_are_read(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text("[lexicon.phrases]\n'nth:6' = ['sexto']\n", "utf-8")
    assert read(tmp_path / "x.toml").lexicon.PHRASES == {"nth:6": ["sexto"]}
