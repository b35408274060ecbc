"""Code cells are recognised by content and renamed without touching their text."""

from __future__ import annotations

from lexsi_nb.artifacts import CodeCell
from lexsi_nb.kernel.emitted import Emitted, renamed, split, tokens_of


def emitted(source: str) -> Emitted:
    return Emitted(CodeCell(source), tokens_of(source) or (), "r", "q", 1, "")


def test_comments_and_layout_do_not_count_but_indentation_and_strings_do() -> None:
    assert tokens_of("a = 1  # one\n\n\nb = [1,\n     2]") == tokens_of("\n# head\na=1\nb = [1, 2]\n")
    assert tokens_of("if a:\n    b = 1\nc = 2") != tokens_of("if a:\n    b = 1\n    c = 2")
    assert tokens_of("q = 'a  b'") != tokens_of("q = 'a b'")


def test_a_joined_cell_is_split_into_its_cells_in_any_order() -> None:
    one, two, three = emitted("a = 1"), emitted("a = 1\nb = 2"), emitted("c = 3")
    for order in ([one, three], [two, three], [three, one, three], [two]):
        source = "\n\n".join(e.cell.source for e in order)
        assert split(tokens_of(source) or (), [one, two, three]) == order
    assert split(tokens_of("a = 1\nd = 4") or (), [one, two, three]) is None
    assert split((), [one]) is None


def test_renaming_takes_each_name_of_an_assignment_to_several() -> None:
    cell = CodeCell("every, edges = cut(scores, edges=10)\ntop, _ = cut(top, bins=edges)\n")
    assert renamed(cell, {"edges": "edges_2", "top": "top_2"}).source == (
        "every, edges_2 = cut(scores, edges=10)\ntop_2, _ = cut(top_2, bins=edges_2)\n"
    )


def test_renaming_leaves_strings_attributes_and_keywords_alone() -> None:
    cell = CodeCell(
        'context_df = con.sql("""select * from context_df""").df()  # context_df\n'
        "con.register('context_df', context_df); f(context_df=context_df, x=context_df.context_df)\n",
        requires=("con",), produces=("context_df",),
    )  # fmt: skip
    assert renamed(cell, {"context_df": "c2"}) == CodeCell(
        'c2 = con.sql("""select * from context_df""").df()  # context_df\n'
        "con.register('context_df', c2); f(context_df=c2, x=c2.context_df)\n",
        requires=("con",), produces=("c2",),
    )  # fmt: skip
