"""A run in a terminal: tables and bars of its width, in its colours. What goes to a file or a pipe stays plain text."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from lexsi_nb.artifacts.results import Attribution, Chart, Choice, Table
from lexsi_nb.artifacts.secrets import without_own
from lexsi_nb.artifacts.wording import SYNTHETIC
from lexsi_nb.widgets.attribution import BLUE, ORANGE, bars, foot_line, title
from lexsi_nb.widgets.blocks import Block, Rows, Words, strip
from lexsi_nb.widgets.cell import cell_text
from lexsi_nb.widgets.explanation import sentence

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    from lexsi_nb.app.run import Run
    from lexsi_nb.widgets.showing import Item

BAR = 24  # characters of the widest bar
BARS = 30  # of a chart, at most
QUIET = "dim"


def console_for(stream: Any = None) -> Console | None:
    """Return a console on a terminal that a person sees; None for a pipe, a file, or one that moves no cursor."""
    stream = sys.stdout if stream is None else stream
    isatty = getattr(stream, "isatty", None)
    if isatty is None or not isatty() or os.environ.get("TERM", "") in ("dumb", "unknown"):
        return None
    from rich.console import Console

    return Console(file=stream, highlight=False, markup=False, emoji=False)


def print_run(run: Run, console: Console, *, code: bool = True) -> None:
    """Print a run: words, table, facts, charts as bars, what moved the first score, what was made."""
    from lexsi_nb.widgets.answer_text import foot_rows
    from lexsi_nb.widgets.showing import items

    _print_head(run, console)
    attributions = run.of(Attribution) if run.shown is None else []
    first = attributions[0] if attributions else None
    for item in items(run):
        # The chart of what moved the first score is the bars below, which say values too.
        if first is None or not item.is_picture or not item.artifact.title.startswith(title(first)):
            _print_item(item, run, console)
    if first is not None:
        print_attribution(first, console)
    _print_rows(foot_rows(run, code=code), console, style=QUIET)


def print_attribution(attribution: Attribution, console: Console) -> None:
    """Print the contributions as a table with bars to both sides of a middle."""
    shown = bars(attribution)
    widest = max((abs(size) for _, size in shown), default=0.0) or 1.0
    lows = any(size < 0 for _, size in shown)
    grid = _grid("", "", *([""] if lows else []), "")
    for label, size in shown:
        bar = _bar(size, widest, BAR // 2, style=ORANGE if size > 0 else BLUE, justify="left" if size > 0 else "right")
        halves = (["", bar] if size > 0 else [bar, ""]) if lows else [bar]
        grid.add_row(_said(label), _said(f"{size:+.2f}", justify="right"), *halves)
    if attribution.synthetic:
        console.print(_said(SYNTHETIC, "yellow"))
    console.print(_said(sentence(attribution) if attribution.beside else title(attribution), "bold"))
    console.print(grid)
    console.print(_said(foot_line(attribution), QUIET))
    _print_rows(attribution.beside, console)
    console.print()


def print_blocks(blocks: Sequence[Block], console: Console) -> None:
    """Print lines and tables with bars."""
    for block in blocks:
        if isinstance(block, Words):
            console.print(_said(block.text, {"strong": "bold", "quiet": QUIET}.get(block.look, "")))
        else:
            console.print(_with_bars(block))
        console.print()


def _with_bars(block: Rows) -> RichTable:
    table, drawn = _table(), bool(block.bars or block.strips)
    numbers = [all(_is_number(r[i]) for r in block.rows) for i in range(len(block.heads))]
    for head, number in zip(block.heads, numbers, strict=True):
        table.add_column(head, justify="right" if number else "left", overflow="fold")
    lows = any(size < 0 for size in block.bars)
    for head in [block.about, *([""] if lows else [])] if drawn else []:
        table.add_column(head, no_wrap=True)
    widest = max(map(abs, block.bars), default=0.0) or 1.0
    for at, row in enumerate(block.rows):
        more: list[Text] = [_said(strip(block.strips[at], " ░▒▓█"))] if block.strips else []
        if block.bars:
            size = block.bars[at]
            bar = _bar(
                size, widest, BAR // 2, style=ORANGE if size > 0 else BLUE, justify="left" if size > 0 else "right"
            )
            more = ([_said(""), bar] if size > 0 else [bar, _said("")]) if lows else [bar]
        table.add_row(*(_said(cell) for cell in row), *more)
    return table


def _is_number(text: str) -> bool:
    return not text or text.replace(",", "").replace(".", "").lstrip("+-").rstrip("%").isdigit()


def _print_head(run: Run, console: Console) -> None:
    from lexsi_nb.widgets.answer_text import facts_follow_table, table_text
    from lexsi_nb.widgets.choice import choice_text
    from lexsi_nb.widgets.facts import fact_rows, in_sight

    if run.synthetic:
        console.print(_said(SYNTHETIC, "yellow"))
    if run.answer and run.choice is None:
        console.print(_said(run.answer, "bold"))
        console.print()
    for line in in_sight(run):
        console.print(_said(f"! {line}", ORANGE))
        console.print()
    if isinstance(run.choice, Choice):
        console.print(_said(choice_text(run.choice)))
        console.print()
    if run.shown is not None:
        return
    if not _print_ranking(run, console) and table_text(run):
        _print_table(run.of(Table)[-1], console)
    if facts_follow_table(run):
        _print_rows(fact_rows(run), console)
        console.print()


def _print_rows(rows: Sequence[tuple[str, str]], console: Console, *, style: str = "") -> None:
    grid = _grid("", "")
    for heading, words in rows:
        grid.add_row(_said(heading, QUIET), _said(words, style))
    if rows:
        console.print(grid)


def _print_item(item: Item, run: Run, console: Console) -> None:
    from lexsi_nb.widgets.bundle import text_of

    if item.label:
        console.print(_said(item.label, "bold"))
    if item.is_ranking and _print_ranking(run, console):
        return
    if isinstance(item.artifact, Table):
        _print_table(item.artifact, console)
    elif isinstance(item.artifact, Attribution):
        print_attribution(item.artifact, console)
    elif not (isinstance(item.artifact, Chart) and _print_chart(item.artifact, console)):
        lead = "chart: " if isinstance(item.artifact, Chart) else ""
        console.print(_said(lead + text_of(item.artifact)))
        console.print()


def _print_ranking(run: Run, console: Console) -> bool:
    from lexsi_nb.widgets.ranking import MOVED, arrow, ranking_of

    ranking = ranking_of(run)
    if ranking is None:
        return False
    table = _table()
    for name in ("#", ranking.entity, ranking.score, MOVED, *ranking.kept):
        table.add_column(name, justify="left" if name == MOVED else "right", no_wrap=name == "#")
    for r in ranking.rows:
        reasons = [_said(f"{arrow(m)} {m.value}", ORANGE if m.contribution > 0 else BLUE) for m in r.moved]
        cells = [_said(r.rank), _said(r.case), _said(r.score), _said("\n").join(reasons), *map(_said, r.kept)]
        table.add_row(*cells)
    console.print(table)
    if ranking.note:
        console.print(_said(ranking.note, QUIET))
    console.print()
    return True


def _print_table(shown: Table, console: Console) -> None:
    from lexsi_nb.widgets.table import first_cells, sides

    names, rows, more = first_cells(shown, width=console.width)
    table = _table()
    for name, side in zip(names, sides(shown), strict=False):
        table.add_column(name, justify=side, overflow="fold")
    for row in rows:
        table.add_row(*(_said(c) for c in row))
    console.print(table)
    if more:
        console.print(_said(more, QUIET))
    console.print()


def _print_chart(chart: Chart, console: Console) -> bool:
    """Print a plain bar chart as bars; False for any other."""
    pairs = bar_values(chart.spec)
    if not pairs:
        return False
    widest = max(abs(v) for _, v in pairs) or 1.0
    grid = _grid("", "", "")
    for label, value in pairs:
        bar = _bar(value, widest, BAR, style=BLUE if value >= 0 else ORANGE)
        grid.add_row(_said(label), _said(cell_text(value), justify="right"), bar)
    if chart.title:
        console.print(_said(chart.title, "bold"))
    console.print(grid)
    console.print()
    return True


def bar_values(spec: dict[str, Any]) -> list[tuple[str, float]]:
    """Return (label, value) of a chart with one bar a row; [] for any other.

    >>> x, y = {"field": "a"}, {"field": "b", "type": "quantitative"}
    >>> rows = [{"a": "x", "b": 2}, {"a": "y", "b": 1}]
    >>> bar_values({"mark": "bar", "encoding": {"x": x, "y": y}, "data": {"values": rows}})
    [('x', 2.0), ('y', 1.0)]
    """
    bars, *others = spec.get("layer") or [{}]
    if all(
        isinstance(o.get("mark"), dict) and o["mark"].get("type") == "text" for o in others
    ):  # the numbers at the ends of the bars
        spec = {**spec, **bars}
    mark = spec.get("mark")
    kind = mark.get("type") if isinstance(mark, dict) else mark
    encoding = spec.get("encoding") or {}
    axes = [encoding.get(axis) or {} for axis in ("x", "y")]
    drawn = {c for c, d in encoding.items() if isinstance(d, dict) and "field" in d and c != "tooltip"}
    if kind != "bar" or drawn != {"x", "y"} or spec.get("transform"):
        return []
    if any(a.get("aggregate") or a.get("bin") or a.get("timeUnit") for a in axes):
        return []
    measures = [a for a in axes if a.get("type") == "quantitative"]
    if len(measures) != 1:
        return []
    key = next(a for a in axes if a is not measures[0])
    rows = (spec.get("data") or {}).get("values") or []
    label, value = (str(a["field"]).replace("\\", "") for a in (key, measures[0]))
    pairs = [(cell_text(r.get(label)), r.get(value)) for r in rows]
    if not pairs or len(pairs) > BARS or len({n for n, _ in pairs}) < len(pairs):
        return []
    return [(n, float(v)) for n, v in pairs] if all(isinstance(v, int | float) for _, v in pairs) else []


def _said(words: str, style: str = "", *, justify: Literal["left", "right"] | None = None) -> Text:
    """Return words without the secrets of this process."""
    from rich.text import Text

    return Text(without_own(words), style=style, justify=justify)


def _bar(size: float, widest: float, most: int, *, style: str, justify: Literal["left", "right"] = "left") -> Text:
    return _said("█" * (max(1, round(most * abs(size) / widest)) if size else 0), style, justify=justify)


def _table() -> RichTable:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table as RichTable

    return RichTable(box=SIMPLE_HEAD, pad_edge=False, header_style="bold")


def _grid(*names: str) -> RichTable:
    from rich.table import Table as RichTable

    grid = RichTable.grid(padding=(0, 2))
    for _ in names:
        grid.add_column()
    return grid
