"""A Vega-Lite spec against the data it is to show: every problem at once, names in another case put right."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, Literal

from lexsi_nb.errors import nearest
from lexsi_nb.tools.vega.known import Known, Report
from lexsi_nb.tools.vega.transforms import after, conditions
from lexsi_nb.tools.vega.words import AGGREGATES, CHANNELS, EXTERNAL, MARKS, OF_NUMBERS, TYPES, UNTYPED, VIEWS

ColumnType = Literal["quantitative", "temporal", "boolean", "nominal"]


def checked(spec: Any, columns: Mapping[str, ColumnType], where: str) -> tuple[dict[str, Any], Report]:
    """Return a copy of the spec put right, and the report. `where` names the result in messages.

    Marks become objects, channels without a type get that of their column; `data` is taken out: it is the result.
    """
    report = Report(where)
    if not isinstance(spec, dict):
        report.problem("$", f"a spec is an object, this is {type(spec).__name__}")
        return {}, report
    spec = copy.deepcopy(spec)
    for key in ("$schema", "datasets"):
        spec.pop(key, None)
    if "usermeta" in spec:
        report.problem("$.usermeta", "is not taken: it changes how a page embeds charts")
    _external(spec, "$", report)
    check = _Check(columns, report)
    return check.view(spec, Known(columns, columns=columns), "$", top=True), report


class _Check:
    def __init__(self, columns: Mapping[str, ColumnType], report: Report) -> None:
        self.columns, self.report = columns, report

    def view(self, node: dict[str, Any], known: Known, path: str, *, top: bool = False, drawn: bool = False) -> Any:
        """Return a view put right, its children too. `drawn`: a parent's mark or children say what is drawn."""
        report = self.report
        if not isinstance(node, dict):
            report.problem(path, "a view is an object")
            return node
        if not any(v in node for v in VIEWS) and not drawn:
            report.problem(path, f"nothing to draw: give one of {', '.join(VIEWS[:-1])}")
        if isinstance(node.get("data"), dict):
            given = self.source(node["data"], f"{path}.data", known)
            known = known if top else given
            taken_out = node.pop("data") if top or "name" in node["data"] else {}
            if "values" in taken_out:
                report.problem(f"{path}.data", "values are not taken here: the data are those of the label")
        if isinstance(node.get("transform"), list):
            made = []
            for at, transform in enumerate(node["transform"]):
                right, known = after(
                    transform, known, f"{path}.transform[{at}]", report, lambda d, p, k=known: self.source(d, p, k)
                )
                made.append(right)
            node["transform"] = made
        if "mark" in node:
            node["mark"] = self.mark(node["mark"], f"{path}.mark")
        if isinstance(node.get("encoding"), dict):
            node["encoding"] = {
                name: self.channel(name, definition, known, f"{path}.encoding.{name}")
                for name, definition in node["encoding"].items()
            }
        for at, param in enumerate(node.get("params") or []):
            fields = param.get("select", {}).get("fields") if isinstance(param.get("select"), dict) else None
            if fields:
                param["select"]["fields"] = [known.field(f, f"{path}.params[{at}]", report) for f in fields]
        self.split(node, known, path)
        for key in ("layer", "hconcat", "vconcat", "concat"):
            if isinstance(node.get(key), list):
                node[key] = [self.view(v, known, f"{path}.{key}[{i}]") for i, v in enumerate(node[key])]
        if "spec" in node:
            node["spec"] = self.view(node["spec"], known, f"{path}.spec")
        return node

    def source(self, data: dict[str, Any], path: str, known: Known) -> Known:
        """Return the fields of a `data` object; only the result and rows written out are taken."""
        if "url" in data:
            self.report.problem(path, "url is not taken: make the rows with run_sql and give their label")
            return Known((), open=True)
        if isinstance(data.get("values"), list):
            rows = [r for r in data["values"] if isinstance(r, dict)]
            return Known(dict.fromkeys(k for r in rows for k in r) if rows else ["data"])
        if "sequence" in data:
            return Known([str(data["sequence"].get("as", "data"))])
        if "name" in data:
            return Known(self.columns, columns=self.columns)
        return Known((), open=True) if {"graticule", "sphere"} & set(data) else known

    def mark(self, mark: Any, path: str) -> Any:
        """Return a mark as an object."""
        made = {"type": mark} if isinstance(mark, str) else mark
        kind = made.get("type") if isinstance(made, dict) else None
        if kind == "image":
            self.report.problem(path, "image is not taken: it loads pictures from elsewhere")
        elif kind not in MARKS:
            near = nearest(str(kind), MARKS) or sorted(MARKS)
            self.report.problem(path, f"no mark {kind!r}. Nearest: {', '.join(near)}.")
        return made

    def channel(self, name: str, definition: Any, known: Known, path: str) -> Any:
        """Return a channel put right."""
        if name not in CHANNELS:
            if name not in EXTERNAL:  # said already
                near = nearest(name, CHANNELS) or sorted(CHANNELS)
                self.report.problem(path, f"no channel {name!r}. Nearest: {', '.join(near)}.")
            return definition
        if isinstance(definition, list):
            return [self.channel(name, d, known, f"{path}[{i}]") for i, d in enumerate(definition)]
        if not isinstance(definition, dict):
            if definition is not None:
                self.report.problem(path, f"{definition!r}: write an object, such as {{'field': ..., 'type': ...}}")
            return definition
        return self.definition(definition, known, path, typed=name not in UNTYPED)

    def definition(self, d: dict[str, Any], known: Known, path: str, *, typed: bool) -> dict[str, Any]:
        """Return what a channel shows, put right."""
        report = self.report
        d = dict(d)
        aggregate = d.get("aggregate")
        if isinstance(aggregate, dict):
            d["aggregate"] = {k: known.field(str(v), f"{path}.aggregate", report) for k, v in aggregate.items()}
        elif aggregate is not None and aggregate not in AGGREGATES:
            near = nearest(str(aggregate), AGGREGATES) or sorted(AGGREGATES)
            report.problem(f"{path}.aggregate", f"no aggregate {aggregate!r}. Nearest: {', '.join(near)}.")
        if d.get("field") == "*":
            d.pop("field")
        if isinstance(d.get("field"), str):
            d["field"] = known.field(d["field"], path, report)
        if aggregate == "count":
            d.pop("field", None)
        column = str(d.get("field", "")).replace("\\", "")
        if aggregate in OF_NUMBERS and column in known.columns and self.columns[column] == "nominal":
            report.problem(
                path, f"{aggregate} needs numbers, and {column} has none; count or distinct takes any column"
            )
        if isinstance(d.get("sort"), dict) and isinstance(d["sort"].get("field"), str):
            d["sort"] = {**d["sort"], "field": known.field(d["sort"]["field"], f"{path}.sort", report)}
        if "condition" in d:
            several = isinstance(d["condition"], list)
            listed = [
                self.condition(c, known, f"{path}.condition") for c in (d["condition"] if several else [d["condition"]])
            ]
            d["condition"] = listed if several else listed[0]
        if d.get("type") is not None and d["type"] not in TYPES:
            letters = {t[0].upper(): t for t in TYPES}
            if d["type"] in letters:
                d["type"] = letters[d["type"]]
            else:
                report.problem(f"{path}.type", f"no type {d['type']!r}; there is: {', '.join(TYPES)}")
        if typed and ("field" in d or aggregate is not None) and d.get("type") is None:
            d["type"] = self._type(d, known)
        return d

    def condition(self, c: Any, known: Known, path: str) -> Any:
        """Return the condition of a channel put right."""
        if not isinstance(c, dict):
            return c
        c = dict(c)
        if "test" in c:
            c["test"] = conditions(c["test"], known, f"{path}.test", self.report)
        return self.definition(c, known, path, typed="field" in c)

    def split(self, node: dict[str, Any], known: Known, path: str) -> None:
        """Check what `facet` and `repeat` of a view name."""
        facet = node.get("facet")
        if isinstance(facet, dict):
            if "field" in facet:
                node["facet"] = self.definition(facet, known, f"{path}.facet", typed=True)
            else:
                node["facet"] = {
                    k: self.definition(v, known, f"{path}.facet.{k}", typed=True) if isinstance(v, dict) else v
                    for k, v in facet.items()
                }
        repeat = node.get("repeat")
        if isinstance(repeat, list):
            node["repeat"] = [known.field(str(f), f"{path}.repeat", self.report) for f in repeat]
        elif isinstance(repeat, dict):
            node["repeat"] = {
                k: [known.field(str(f), f"{path}.repeat.{k}", self.report) for f in v] for k, v in repeat.items()
            }

    def _type(self, d: dict[str, Any], known: Known) -> str:
        if d.get("timeUnit"):
            return "temporal"
        if (
            d.get("aggregate") is not None
            and not isinstance(d["aggregate"], dict)
            and d["aggregate"] not in ("min", "max")
        ):
            return "quantitative"
        if d.get("bin"):
            return "quantitative"
        name = d.get("field")
        column = name.replace("\\", "") if isinstance(name, str) else ""
        if column in known.columns:
            return "nominal" if self.columns[column] == "boolean" else self.columns[column]
        # What a transform made is a number more often than not; a repeated field is one of the columns.
        return "quantitative" if column or isinstance(name, dict) else "nominal"


def _external(node: Any, path: str, report: Report) -> None:
    """Note what would be loaded from, or lead to, somewhere else."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key in EXTERNAL and not (path.endswith(".data") and key == "url"):
                report.problem(f"{path}.{key}", "references to somewhere else are not taken")
            elif not (key == "values" and path.endswith(".data")):
                _external(value, f"{path}.{key}", report)
    elif isinstance(node, list):
        for at, value in enumerate(node):
            _external(value, f"{path}[{at}]", report)
