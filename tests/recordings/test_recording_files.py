"""What is written is read back, value for value, and reads like text."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from lexsi_nb.store.recording import RecordedCall, RecordedData, RecordedStep, Recording, SideReply, recording_from
from lexsi_nb.store.recording_files import _parsed, text_of

texts = st.text(max_size=30)
asked = texts.filter(bool)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(asked, texts, st.dictionaries(texts, values, max_size=3), st.none() | texts, values)
def test_a_recording_is_read_as_it_was_written(question, thought, args, answer, reply):
    made = Recording(
        question,
        "remote:model",
        RecordedData("bank", uses={"loan": {"amount": "DOUBLE"}}),
        (RecordedStep((RecordedCall("run_sql", args),), thought),),
        answer,
        replies=(SideReply(1, "ab", reply),),
    )
    assert recording_from(_parsed(text_of(made))) == made


def test_sql_stands_a_line_a_line():
    step = RecordedStep((RecordedCall("run_sql", {"sql": "SELECT 1\nFROM loans\nWHERE x = 'é'"}),))
    text = text_of(Recording("q", "p", RecordedData("bank"), (step,)))
    assert "      sql: |-\n        SELECT 1\n        FROM loans\n        WHERE x = 'é'\n" in text
