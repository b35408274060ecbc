"""What the transforms of a view read and make."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lexsi_nb.tools.vega.known import Known, Report
from lexsi_nb.tools.vega.words import AGGREGATES

# Keys by which a transform is told; the first that is there says what it is.
KINDS = (
    "aggregate", "joinaggregate", "window", "bin", "timeUnit", "calculate", "filter", "fold", "flatten", "pivot",
    "density", "regression", "loess", "quantile", "stack", "impute", "lookup", "sample", "extent",
)  # fmt: skip
Source = Callable[[dict[str, Any], str], Known]


def after(transform: Any, known: Known, path: str, report: Report, source: Source) -> tuple[Any, Known]:
    """Return the transform put right and the fields there are after it. `source` says what a `data` object holds."""
    if not isinstance(transform, dict):
        report.problem(path, f"{transform!r} is no transform; write an object")
        return transform, known
    kind = next((k for k in KINDS if k in transform), None)
    if kind is None:
        report.problem(path, f"no transform has the keys {', '.join(transform)}; there is: {', '.join(KINDS)}")
        return transform, known
    t = dict(transform)
    for key in ("groupby", "fields"):
        if isinstance(t.get(key), list):
            t[key] = [_field(f, known, f"{path}.{key}", report) for f in t[key]]
    if isinstance(t.get("sort"), list):
        made = known.more(_names(w.get("as") for w in t.get("window", ()) if isinstance(w, dict))).names
        inner = Known(made, columns=known.columns)
        t["sort"] = [{**s, "field": _field(s.get("field"), inner, f"{path}.sort", report)} for s in t["sort"]]
    return t, _HANDLERS.get(kind, _plain)(t, kind, known, path, report, source)


def conditions(value: Any, known: Known, path: str, report: Report) -> Any:
    """Return a filter or a test put right: an expression, a comparison, or and/or/not of them."""
    if isinstance(value, str):
        return known.expression(value, path, report)
    if isinstance(value, list):
        return [conditions(v, known, path, report) for v in value]
    if isinstance(value, dict):
        out = {k: conditions(v, known, path, report) if k in ("and", "or", "not") else v for k, v in value.items()}
        if "field" in out:
            out["field"] = _field(out["field"], known, path, report)
        return out
    return value


def _field(name: Any, known: Known, path: str, report: Report) -> Any:
    if isinstance(name, str):
        return known.field(name, path, report)
    if isinstance(name, dict) and "repeat" in name:
        return name
    report.problem(path, f"{name!r} is no field name")
    return name


def _operations(t: dict[str, Any], kind: str, known: Known, path: str, report: Report) -> list[str]:
    """Put the fields of `aggregate`, `joinaggregate` and `window` right and return the names they make."""
    made = []
    for at, op in enumerate(t[kind] if isinstance(t[kind], list) else []):
        if not isinstance(op, dict) or not op.get("as"):
            report.problem(f"{path}.{kind}[{at}]", "each needs op, field (except count) and as")
            continue
        if kind != "window" and op.get("op") not in AGGREGATES:
            report.problem(f"{path}.{kind}[{at}].op", f"no aggregate {op.get('op')!r}")
        if op.get("field") not in (None, "*"):
            t[kind] = [
                *t[kind][:at],
                {**op, "field": _field(op["field"], known, f"{path}.{kind}[{at}]", report)},
                *t[kind][at + 1 :],
            ]
        made.append(str(op["as"]))
    return made


def _aggregate(t: Any, kind: str, known: Known, path: str, report: Report, source: Source) -> Known:
    return known.only([*_plain_names(t.get("groupby")), *_operations(t, kind, known, path, report)])


def _beside(t: Any, kind: str, known: Known, path: str, report: Report, source: Source) -> Known:
    return known.more(_operations(t, kind, known, path, report))


def _calculate(t: Any, kind: str, known: Known, path: str, report: Report, source: Source) -> Known:
    t["calculate"] = known.expression(str(t["calculate"]), f"{path}.calculate", report)
    return known.more(_names([t.get("as")]))


def _filter(t: Any, kind: str, known: Known, path: str, report: Report, source: Source) -> Known:
    t["filter"] = conditions(t["filter"], known, f"{path}.filter", report)
    return known


def _of_one_field(t: Any, kind: str, known: Known, path: str, report: Report, source: Source) -> Known:
    """bin, timeUnit, stack and impute read `field` (or their own key) and add `as`."""
    key = "field" if kind in ("bin", "timeUnit") else kind
    t[key] = _field(t.get(key), known, f"{path}.{key}", report)
    if kind == "impute" and "key" in t:
        t["key"] = _field(t["key"], known, f"{path}.key", report)
    made = t.get("as") or []
    names = _names(made if isinstance(made, list) else [made])
    return known.more([*names, *(f"{n}_end" for n in names if kind == "bin" and len(names) == 1)])


def _fold(t: Any, kind: str, known: Known, path: str, report: Report, source: Source) -> Known:
    t["fold"] = [_field(f, known, f"{path}.fold", report) for f in t["fold"]]
    return known.more(_names(t.get("as") or ["key", "value"]))


def _flatten(t: Any, kind: str, known: Known, path: str, report: Report, source: Source) -> Known:
    t["flatten"] = [_field(f, known, f"{path}.flatten", report) for f in t["flatten"]]
    return known.more([*_names(t.get("as") or []), *_names([t.get("index")])])


def _pivot(t: Any, kind: str, known: Known, path: str, report: Report, source: Source) -> Known:
    for key in ("pivot", "value"):
        t[key] = _field(t.get(key), known, f"{path}.{key}", report)
    return known.only(_plain_names(t.get("groupby")), open=True)


def _curve(t: Any, kind: str, known: Known, path: str, report: Report, source: Source) -> Known:
    """density, quantile, regression and loess replace the rows by those of a curve."""
    t[kind] = _field(t[kind], known, f"{path}.{kind}", report)
    default = {"density": ["value", "density"], "quantile": ["prob", "value"]}.get(kind)
    if default is None:
        t["on"] = _field(t.get("on"), known, f"{path}.on", report)
        default = [t["on"], t[kind]]
    return known.only([*_plain_names(t.get("groupby")), *_names(t.get("as") or default)])


def _lookup(t: Any, kind: str, known: Known, path: str, report: Report, source: Source) -> Known:
    t["lookup"] = _field(t["lookup"], known, f"{path}.lookup", report)
    other = t.get("from")
    if not isinstance(other, dict):
        report.problem(f"{path}.from", "a lookup needs from: data, key and fields")
        return known
    if isinstance(other.get("data"), dict):
        source(other["data"], f"{path}.from.data")
    made = t.get("as") or other.get("fields") or []
    return known.more(_names(made if isinstance(made, list) else [made]))


def _extent(t: Any, kind: str, known: Known, path: str, report: Report, source: Source) -> Known:
    t["extent"] = _field(t["extent"], known, f"{path}.extent", report)
    return known


def _plain(t: Any, kind: str, known: Known, path: str, report: Report, source: Source) -> Known:
    return known


_HANDLERS = {
    "aggregate": _aggregate, "joinaggregate": _beside, "window": _beside, "calculate": _calculate, "filter": _filter,
    "bin": _of_one_field, "timeUnit": _of_one_field, "stack": _of_one_field, "impute": _of_one_field, "fold": _fold,
    "flatten": _flatten, "pivot": _pivot, "density": _curve, "regression": _curve, "loess": _curve,
    "quantile": _curve, "lookup": _lookup, "extent": _extent,
}  # fmt: skip


def _names(values: Any) -> list[str]:
    return [str(v) for v in values if isinstance(v, str) and v]


def _plain_names(values: Any) -> list[str]:
    return [v.replace("\\", "") for v in _names(values or [])]
