"""From a spec and a result to a chart and its cell; a spec that does not fit stores nothing and says every problem."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.artifacts.colours import CATEGORIES
from lexsi_nb.artifacts.results import Chart
from lexsi_nb.artifacts.wording import drawable
from lexsi_nb.errors import LexsiError, MissingExtra
from lexsi_nb.modeling.source import literal, literals
from lexsi_nb.tools.vega.altair_source import LOCAL, chart_source
from lexsi_nb.tools.vega.check import checked
from lexsi_nb.tools.vega.points import MOST, TooMany, fewer, quoted
from lexsi_nb.tools.vega.rows import column_types, conversions, most_of, size_of, values_of
from lexsi_nb.tools.vega.words import VIEWS

if TYPE_CHECKING:
    from lexsi_nb.tools.context import StepContext

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
WIDTH = 420
SYNTHETIC = " (SYNTHETIC data)"
FIRST = 5  # values that the words of a chart name
LARGEST = 165_000  # bytes of groups; a sample, whose size is told by some of its rows, is below
LESS = "draw fewer groups, wider bins or shorter texts"
_WORD = {"bar": "bars", "point": "points", "circle": "points", "tick": "ticks", "rect": "cells", "arc": "sectors"}


class BadChart(LexsiError):
    """The spec does not fit the result; says every problem."""

    @classmethod
    def of(cls, problems: list[str]) -> BadChart:
        """Return the error that lists the problems."""
        count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
        return cls(
            f"{count}, no chart was made.",
            "\n" + "\n".join(f"- {p}" for p in problems) + "\n",
            "Send it again, put right.",
        )


@dataclass(frozen=True)
class Drawn:
    """A chart, the cell that makes it again, and what was put right or left out on the way."""

    chart: Chart
    cell: CodeCell
    notes: tuple[str, ...]


def drawn(spec: Any, label: str, ctx: StepContext, *, title: str = "", name: str) -> Drawn:
    """Return the chart of a result by a Vega-Lite spec. The cell's data part is run, its last lines are mirrored.

    Raises:
        BadChart: the spec does not fit; lists every problem.
        UnknownFrame: no such result; lists the nearest.
    """
    variable, frame = ctx.name_of(label), ctx.frame(label)
    pandas = hasattr(frame, "iloc")
    table = frame if pandas else frame.to_pandas()
    table = table.set_axis([str(c) for c in table.columns], axis=1)
    twice = sorted(set(table.columns[table.columns.duplicated()]))
    if twice:
        raise BadChart.of([f"$: {label} has more than one column called {', '.join(twice)}; rename them with run_sql"])
    right, report = checked(spec, column_types(table), label)
    if not report.problems and table.empty:
        report.problem("$", f"{label} has no rows: nothing to draw")
    if report.problems:
        raise BadChart.of(report.problems)
    notes = [f"put right: {c}" for c in report.corrected]
    used = [c for c in table.columns if c in report.used] or list(table.columns)
    most = most_of(table[used])
    if len(table) > most:
        lines, data, names, right, said = _reduced(right, table, label, variable, used, ctx, name, most)
        notes.append(said)
    else:
        said = ""
        named = all(isinstance(c, str) for c in frame.columns) if pandas else True
        lines, data = _selected(table, used, variable, pandas=pandas, named=named, name=name)
        names = {variable: frame}
    right = _headed(right, title, said, synthetic=ctx.run.synthetic)
    made = CodeCell(
        "import pandas as pd\n" + "".join(lines) + f"{name}_rows = {data}\n", "chart data", produces=(f"{name}_rows",)
    )
    rows = made.run(names)[f"{name}_rows"]
    if len(rows) > MOST:
        raise BadChart.of(
            [f"$: {len(rows):,} groups are too many to draw; keep the largest with run_sql and chart that"]
        )
    right = _coloured(right, rows)
    values = values_of(rows)
    if size_of(values) > LARGEST:
        raise BadChart.of(
            [f"$: {len(rows):,} points of {size_of(values):,} bytes are too much for a notebook; " + LESS]
        )
    full = {"$schema": SCHEMA, **right, "data": {"values": values}}
    problems = compiled(full)
    if problems:
        raise BadChart.of(problems)
    source = "import altair as alt\n" + ("import pandas as pd\n" if any("pd." in x for x in (*lines, data)) else "")
    source += f"\n{LOCAL}\n" + "".join(lines) + ("\n" if lines else "") + chart_source(right, data, name) + f"{name}\n"
    heading = _words(right.get("title"))
    cell = CodeCell(source, heading or f"Chart of {label}", "chart", requires=tuple(names), produces=(name,))
    return Drawn(
        Chart(full, heading, _alt(right, rows, f"{heading or f'Chart of {label}'}{said and f' ({said})'}"), name),
        cell,
        tuple(notes),
    )


def _selected(
    table: Any, used: list[str], variable: str, *, pandas: bool, named: bool, name: str
) -> tuple[list[str], str]:
    """Return (lines before the chart, the expression of its rows) for a result that is drawn whole."""
    columns = literals(used)
    whole = used == list(table.columns)
    base = variable if pandas else f"{variable}.to_pandas()"
    base += "" if named else ".rename(columns=str)"
    changes = conversions(table, used)
    rows = base if whole else f"{base}[{columns}]"
    if not changes:
        return [], rows
    assigned = ", ".join(f"{literal(c)}: {name}_rows[{literal(c)}]{how}" for c, how in changes.items())
    return [f"{name}_rows = {rows}\n", f"{name}_rows = {name}_rows.assign(**{{{assigned}}})\n"], f"{name}_rows"


def _reduced(
    spec: dict[str, Any], table: Any, label: str, variable: str, used: list[str], ctx: StepContext, name: str, most: int
) -> tuple[list[str], str, dict[str, Any], dict[str, Any], str]:
    """Return lines, rows, what they read, the spec that draws them and what to say, for a result that is too long."""

    def extent(column: str) -> tuple[float, float]:
        low, high = ctx.engine.query(
            f"SELECT min({quoted(column)}), max({quoted(column)}) FROM {quoted(label)}",
            frames={label: ctx.frame(label)},
        ).iloc[0]
        return float(low), float(high)

    try:
        made = fewer(spec, label, used, len(table), extent, most=most)
    except TooMany as error:
        raise BadChart.of([f"$: {error}"]) from None
    con = ctx.run.con
    lines = [
        f"{con}.register({literal(label)}, {variable})\n",
        f'{name}_rows = {con}.sql("""\n{made.sql}\n""").df()\n',
    ]
    names = {con: ctx.engine.connection, variable: ctx.frame(label)}
    rows = CodeCell("".join(lines), "chart data", produces=(f"{name}_rows",)).run(names)[f"{name}_rows"]
    changes = conversions(rows, list(rows.columns))
    if changes:
        assigned = ", ".join(f"{literal(c)}: {name}_rows[{literal(c)}]{how}" for c, how in changes.items())
        lines.append(f"{name}_rows = {name}_rows.assign(**{{{assigned}}})\n")
    return lines, f"{name}_rows", names, made.spec, made.said


def _coloured(spec: dict[str, Any], rows: Any) -> dict[str, Any]:
    """Return the spec with colours for its groups that every colour vision tells apart, where it names none itself."""
    colour = (spec.get("encoding") or {}).get("color")
    if not isinstance(colour, dict) or colour.get("type") != "nominal" or colour.get("scale") is not None:
        return spec
    name = str(colour.get("field", "")).replace("\\", "")
    groups = rows[name].nunique(dropna=False) if name in rows.columns else 0
    if not 2 <= groups <= len(CATEGORIES):
        return spec
    scale = {"range": list(CATEGORIES[:groups])}
    return {**spec, "encoding": {**spec["encoding"], "color": {**colour, "scale": scale}}}


def _headed(spec: dict[str, Any], title: str, said: str, *, synthetic: bool) -> dict[str, Any]:
    """Return the spec with its title, a subtitle that says what was reduced, and a width where it has none."""
    given = spec.get("title")
    text = title or _words(given)
    if synthetic:
        text = f"{text}{SYNTHETIC}".strip()
    out = {k: v for k, v in spec.items() if k != "title"}
    before = given.get("subtitle") if isinstance(given, dict) else None
    subtitle = "; ".join(s for s in (before, said) if isinstance(s, str) and s)
    rest = {k: v for k, v in given.items() if k not in ("text", "subtitle")} if isinstance(given, dict) else {}
    if subtitle or rest:
        out["title"] = {"text": text, **({"subtitle": subtitle} if subtitle else {}), **rest}
    elif text:
        out["title"] = text
    split = {"row", "column", "facet"} & set(spec.get("encoding") or {})
    if ("mark" in spec or "layer" in spec) and "width" not in spec and not split:
        out["width"] = WIDTH
    return out


def compiled(spec: dict[str, Any]) -> list[str]:
    """Return what the compiler and, where altair is installed, its schema say against a spec; [] when it draws.

    Raises:
        MissingExtra: vl-convert-python is not installed.
    """
    try:
        import vl_convert
    except ImportError as error:
        raise MissingExtra.of("vl-convert-python", "charts", "It draws charts.") from error
    try:
        vl_convert.vegalite_to_svg(json.dumps(drawable(spec)), vl_version="5.20", allowed_base_urls=[])
    except BaseException as error:
        if not isinstance(error, ValueError) and type(error).__name__ != "PanicException":  # which is no Exception
            raise
        lines = [
            line.strip() for line in str(error).splitlines() if line.strip() and not line.strip().startswith("at ")
        ]
        said = (lines[1] if len(lines) > 1 else lines[0])[:300]
        rename = "; rename the column with run_sql (AS)" if "Access path" in said else ""
        return [f"$: it cannot be drawn: {said}{rename}"]
    return _against_schema(spec)


def _against_schema(spec: dict[str, Any]) -> list[str]:
    """The cell is altair's, which checks by its schema: what it would refuse is refused here."""
    validator = _validator()
    if validator is None:
        return []
    bare = {**{k: v for k, v in spec.items() if k != "$schema"}, "data": {"values": []}}
    error = next(iter(validator.iter_errors(bare)), None)
    if error is None:
        return []
    while error.context:  # the branch that came furthest is the one that was meant
        error = max(error.context, key=lambda e: (len(e.absolute_path), -len(e.context or ())))
    path = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in error.absolute_path)
    return [f"${path}: {error.message[:200]}"]


@lru_cache(maxsize=1)
def _validator() -> Any:
    found = importlib.util.find_spec("altair")
    if found is None or not found.submodule_search_locations or importlib.util.find_spec("jsonschema") is None:
        return None
    files = sorted(Path(found.submodule_search_locations[0]).glob("vegalite/v*/schema/vega-lite-schema.json"))
    if not files:
        return None
    import jsonschema

    return jsonschema.Draft7Validator(json.loads(files[-1].read_text(encoding="utf-8")))


def _words(title: Any) -> str:
    if isinstance(title, dict):
        title = title.get("text", "")
    return " ".join(map(str, title)) if isinstance(title, list) else str(title or "")


def _alt(spec: dict[str, Any], rows: Any, title: str) -> str:
    """Return in words what a chart shows: its mark, what is drawn by what, and the first values."""
    encoding = spec.get("encoding") or {}
    fields = [(c, _reads(d)) for c, d in encoding.items() if isinstance(d, dict) and _reads(d)]
    kind = spec["mark"]["type"] if "mark" in spec else next(v for v in VIEWS if v in spec)
    text = f"{title}: {_WORD.get(kind, kind)}"
    columns = [f for _, f in fields if f in rows.columns]
    if len(fields) == len(columns) == 2:
        measure, key = sorted(columns, key=lambda c: rows[c].dtype.kind not in "iuf" or c == fields[0][1])
        text += f" of {measure} by {key}"
        pairs = rows[[key, measure]].head(FIRST).itertuples(index=False, name=None)
        listed = ", ".join(" ".join(_short(v) for v in pair) for pair in pairs)
        return f"{text}: {listed}{f' and {len(rows) - FIRST:,} more' if len(rows) > FIRST else ''}."
    across = ", ".join(f"{c} {f}" for c, f in fields)
    return f"{text}{f' ({across})' if across else ''}, {len(rows):,} rows."


def _reads(definition: dict[str, Any]) -> str:
    aggregate, name = definition.get("aggregate"), str(definition.get("field", "")).replace("\\", "")
    return f"{aggregate} of {name}" if isinstance(aggregate, str) and name else str(aggregate or name)


def _short(value: Any) -> str:
    if isinstance(value, float):
        if value != value:
            return "missing"
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
    if isinstance(value, bool) or type(value).__name__ == "bool":
        return "yes" if value else "no"
    return value.isoformat().removesuffix("T00:00:00") if hasattr(value, "isoformat") else str(value)
